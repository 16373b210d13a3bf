/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * No path leads out of the places where devices are, whatever name a caller gives and whatever is
 * in sysfs. Replaces the kernel by a sysfs in which every directory and every attribute is
 * made of the same names, good and bad, and looks at each path that is opened: it is absolute, has
 * no empty component, no "." and no "..", lies below one of the places of devices, is opened for
 * writing only as a umad node, never created, and never left to other programs.
 */
#include <fcntl.h>
#include <limits.h>
#include <infiniband/mad.h>
#include <poll.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"
#include "kernel.h"

#define LONG_NAME "mlx5_0123456789012345678901234567890123456789012345678901234567890123456789"

/* Names that callers ask for, directories list, and attributes contain. */
static const char *const names[] = {
	"mlx5_0", "1",	    "umad0",	  "..",	       ".",	      "../..",
	"",	  "0",	    "umad1",	  "a/b",       "/etc/passwd", "../../../etc/passwd",
	"/",	  "umad/0", "umad../x",	  "mlx5_0/..", "issm0",	      "./mlx5_0",
	"255",	  "-1",	    "4294967297", "0x1",       "mlx5_0\n..",  LONG_NAME,
	"%s%n",	  "2",	    "umad-1",	  "1: CA",     "4: ACTIVE",   "InfiniBand",
	"5",	  "umad63", "umad64",	  "\xff\xfe",  "umad00",      "*",
};

static size_t content; /* index of the name that the attributes contain */
static unsigned opened, opened_devices;

/* "umad" and a number below 64 as the kernel writes it, which is all that a device is called. */
static bool is_node(const char *name)
{
	char *end;
	long number;

	if (strncmp(name, "umad", 4) || name[4] < '0' || name[4] > '9')
		return false;
	number = strtol(name + 4, &end, 10);
	return !*end && number < 64 && (name[4] != '0' || !name[5]);
}

/* Whether each component of an absolute path is a name. */
static bool is_canonical(const char *path)
{
	while (*path == '/') {
		size_t length = strcspn(++path, "/");

		if (!length || (length == 1 && path[0] == '.') ||
		    (length == 2 && path[0] == '.' && path[1] == '.') || length > NAME_MAX)
			return false;
		path += length;
	}
	return !*path;
}

static bool begins(const char *path, const char *with)
{
	size_t length = strlen(with);

	return !strncmp(path, with, length) && (!path[length] || path[length] == '/');
}

/* Whether a path may be read: devices, listeners to netlink, sizes of the kernel. */
static bool may_be_read(const char *path)
{
	return begins(path, "/sys/class/infiniband") || begins(path, "/sys/class/infiniband_mad") ||
	       !strcmp(path, "/proc/net/netlink") || !strcmp(path, "/proc/sys/kernel/osrelease") ||
	       !strcmp(path, "/sys/module/ib_core/parameters/recv_queue_size");
}

static void check_path(const char *path, int flags)
{
	bool device = begins(path, "/dev/infiniband") && is_node(path + 16);

	opened++;
	if (!is_canonical(path) || (!device && !may_be_read(path)))
		fail_msg("opened: %s", path);
	if (flags == O_DIRECTORY)
		return;
	if (!(flags & O_CLOEXEC) || flags & (O_CREAT | O_TRUNC | O_APPEND) ||
	    ((flags & O_ACCMODE) != O_RDONLY && !device))
		fail_msg("opened with flags 0%o: %s", (unsigned)flags, path);
}

/* Two attributes are what a good device has, so that some devices are opened, too. */
static const char *text_of(const char *path)
{
	const char *attribute = strrchr(path, '/') + 1;

	if (!strcmp(attribute, "port"))
		return "1";
	return strcmp(attribute, "abi_version") ? names[content] : "5";
}

/* The kernel lists no name that a directory cannot hold. */
static const char *entry_of(int number)
{
	for (size_t i = 0; i < COUNT(names); i++)
		if (names[i][0] && !strchr(names[i], '/') && !number--)
			return names[i];
	return NULL;
}

static int open_device(const char *path)
{
	(void)path;
	opened_devices++;
	return KERNEL_UNUSED;
}

static ssize_t write_device(int device, const void *packet, size_t size)
{
	(void)device, (void)packet;
	return (ssize_t)size;
}

static int poll_device(int device, struct pollfd *polled, int timeout_ms)
{
	(void)device, (void)polled, (void)timeout_ms;
	return 0;
}

static const struct kernel_policy policy = {
	.strict = true,
	.check_open = check_path,
	.text = text_of,
	.entry = entry_of,
	.open_device = open_device,
	.write = write_device,
	.poll = poll_device,
};

/* Asks all that takes the name of a device. */
static void ask(const char *name, int portnum)
{
	char ca_names[UMAD_MAX_DEVICES][UMAD_CA_NAME_LEN], path[256];
	int classes[] = { IB_SA_CLASS, IB_PERFORMANCE_CLASS };
	struct umad_device_node *list;
	struct umad_ca_pair pairs[8];
	struct ibmad_port *mad_port;
	__be64 guids[UMAD_CA_MAX_PORTS];
	umad_port_t port;
	umad_ca_t ca;
	int portid;

	umad_get_cas_names(ca_names, UMAD_MAX_DEVICES);
	list = umad_get_ca_device_list();
	umad_free_ca_device_list(list);
	if (!umad_get_ca(name, &ca))
		umad_release_ca(&ca);
	if (!umad_get_port(name, portnum, &port))
		umad_release_port(&port);
	umad_get_ca_portguids(name, guids, UMAD_CA_MAX_PORTS);
	umad_get_issm_path(name, portnum, path, sizeof(path));
	umad_get_smi_gsi_pairs(pairs, COUNT(pairs));
	umad_get_smi_gsi_pair_by_ca_name(name, (uint8_t)portnum, pairs, 0);
	portid = umad_open_port(name, portnum);
	if (portid >= 0)
		umad_close_port(portid);
	portid = umad_open_smi_port(name, portnum);
	if (portid >= 0)
		umad_close_port(portid);
	if (portnum != 1) /* libibmad prints each port that it cannot open */
		return;
	mad_port = mad_rpc_open_port((char *)name, portnum, classes, COUNT(classes));
	if (mad_port)
		mad_rpc_close_port(mad_port);
}

TEST(every_name_in_every_place)
{
	static const int ports[] = { 0, 1, -1, 255 };

	kernel_reset(&policy, 0);
	for (content = 0; content < COUNT(names); content++) {
		for (size_t i = 0; i < COUNT(ports); i++) {
			ask(NULL, ports[i]);
			for (size_t name = 0; name < COUNT(names); name++)
				ask(names[name], ports[i]);
		}
		assert_int_equal(kernel_count_open(), 0);
	}
	assert_between(opened, 1000, INT32_MAX);
	assert_between(opened_devices, 1, INT32_MAX);
}

/* The check finds the paths that it must find. */
TEST(check_refuses)
{
	assert_false(is_canonical("/sys/class/infiniband/../x"));
	assert_false(is_canonical("/sys/class/infiniband//x"));
	assert_false(is_canonical("sys"));
	assert_false(is_canonical("/sys/class/infiniband/"));
	assert_true(is_canonical("/sys/class/infiniband/mlx5_0"));
	assert_false(may_be_read("/sys/class/infiniband_x/mlx5_0"));
	assert_false(may_be_read("/etc/passwd"));
	assert_false(is_node("umad64") || is_node("umad01") || is_node("umad1x") ||
		     is_node("issm0"));
	assert_true(is_node("umad0") && is_node("umad63"));
}
