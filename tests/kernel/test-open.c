/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Opening ports of the real umad devices, by name and by default.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "optional.h"
#include "sys.h"
#include "tap.h"

#define ORDINARY_USER 1000
#define NAME_SIZE     300

/* The node that a descriptor stands for. */
static const char *node_of(int fd, char name[NAME_SIZE])
{
	char link[64];
	ssize_t length;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	length = readlink(link, name, NAME_SIZE - 1);
	name[length < 0 ? 0 : length] = '\0';
	return name;
}

/* The number N of the umadN that belongs to a device, as /sys says; -1 without. */
static int node_number(const char *device)
{
	char path[NAME_SIZE], text[NAME_SIZE];

	for (int i = 0; i < UMAD_MAX_PORTS; i++) {
		FILE *file;

		snprintf(path, sizeof(path), "/sys/class/infiniband_mad/umad%d/ibdev", i);
		file = fopen(path, "r");
		if (!file)
			continue;
		if (!fgets(text, sizeof(text), file))
			text[0] = '\0';
		fclose(file);
		text[strcspn(text, "\n")] = '\0';
		if (!strcmp(text, device))
			return i;
	}
	return -1;
}

static bool check_node(int fd, const char *device)
{
	char name[NAME_SIZE], want[NAME_SIZE];

	snprintf(want, sizeof(want), "/dev/infiniband/umad%d", node_number(device));
	if (strcmp(node_of(fd, name), want))
		tap_note("opened %s, not %s", name, want);
	return check(!strcmp(name, want));
}

static void check_open(const char *device)
{
	int fd = umad_open_port(device, 1);

	require(fd >= 0);
	check_node(fd, device);
	check_equal(umad_get_fd(fd), fd);
	check_equal(umad_size(), 64);
	check_equal(umad_close_port(fd), 0);
}

TEST(finds_the_node_of_a_device_that_comes_anew)
{
	require(sys_delete_device("rxe0"));
	check_equal(umad_open_port("rxe0", 1), -ENODEV);
	check_open("rxe1");
	require(sys_add_device("rxe0", "v0"));
	check_open("rxe0");
	check_open("rxe1");
}

TEST(opens_a_RoCE_port_by_default)
{
	char name[NAME_SIZE];
	int fd = umad_open_port(NULL, 0);

	require(fd >= 0);
	check(!strncmp(node_of(fd, name), "/dev/infiniband/umad", 20));
	check_equal(umad_close_port(fd), 0);
}

/* A number asks for an InfiniBand port, and there is none. */
TEST(opens_no_RoCE_port_by_number_alone)
{
	umad_port_t port;

	check_equal(umad_open_port(NULL, 1), -EINVAL);
	check(umad_get_port(NULL, 1, &port) < 0);
}

/* Devices and ports are there for everybody to see, but not to open. */
TEST(ordinary_users_get_EIO_and_EACCES)
{
	umad_port_t port;
	int result;

	require(setgid(ORDINARY_USER) == 0 && setuid(ORDINARY_USER) == 0);
	check_equal(umad_get_port("rxe0", 1, &port), 0);
	umad_release_port(&port);
	errno = 0;
	result = umad_open_port("rxe0", 1);
	check_equal(errno, EACCES);
	check_equal(result, -EIO);
}

/* The kernel refuses an agent of QP 0 on a port that has none; and no such port is an SMI's. */
TEST(has_no_port_of_subnet_management)
{
	int classes[] = { IB_SMI_CLASS, IB_PERFORMANCE_CLASS };
	unsigned fds = sys_count_fds();

	errno = 0;
	check(!mad_rpc_open_port((char *)"rxe0", 1, classes, 2));
	check_equal(errno, EPROTONOSUPPORT);
	for (unsigned enforce_smi = 0; enforce_smi < 2; enforce_smi++) {
		errno = 0;
		check(!mad_rpc_open_port2((char *)"rxe0", 1, classes, 2, enforce_smi));
		check_equal(errno, enforce_smi ? ENODEV : EPROTONOSUPPORT);
	}
	check_equal(sys_count_fds(), fds);
}

TEST(a_pair_opens_one_device_for_both)
{
	int classes[] = { IB_CC_CLASS, IB_PERFORMANCE_CLASS };
	struct ibmad_ports_pair *pair = mad_rpc_open_port2((char *)"rxe0", 1, classes, 2, 0);

	require(pair != NULL);
	check(mad_rpc_class_agent(pair->gsi.port, IB_CC_CLASS) >= 0);
	check_equal(mad_rpc_class_agent(pair->smi.port, IB_CC_CLASS), -1);
	mad_rpc_close_port2(pair);
}
