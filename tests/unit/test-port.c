/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * test-port.c - opening and closing of ports, the search for their nodes, the path of issm
 * (libibumad/io/port.c, node.c). Which node a port has on whole hosts is in tests/unit/discovery.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "test.h"
#include "fakesys.h"
#include "libibumad/internal.h"

#define CLASS "/sys/class/infiniband"
#define NODES "/sys/class/infiniband_mad"

/* A host with mlx5_0 and mlx5_1, whose ports 1 and 2 are umad0 to umad3. */
static int setup(void **state)
{
	fakesys_setup(state);
	umad_state_set_abi_version(0);
	umad_state_set_pkey_layout(true);
	kernel_abi_version("5\n");
	kernel_ca("mlx5_0", 1, 2, 0x10);
	kernel_ca("mlx5_1", 1, 2, 0x20);
	kernel_node(0, "mlx5_0", 1);
	kernel_node(1, "mlx5_0", 2);
	kernel_node(2, "mlx5_1", 1);
	kernel_node(3, "mlx5_1", 2);
	return 0;
}

/* The kernel's result for the request for P_Key indices. */
static void expect_enable_pkey(int error)
{
	fakesys_expect(&(struct fakesys_io){
		.call = KERNEL_IOCTL, .request = IB_USER_MAD_ENABLE_PKEY, .error = error });
}

static void assert_opens(const char *ca_name, int portnum, const char *node)
{
	int portid;

	fakesys_forget();
	expect_enable_pkey(0);
	portid = umad_open_port(ca_name, portnum);
	assert_between(portid, 1024, INT_MAX);
	assert_int_equal(fakesys_opened("/dev/infiniband/"), 1);
	assert_int_equal(fakesys_opened(node), 1);
	assert_int_equal(umad_close_port(portid), 0);
}

#define assert_not_opened(ca_name, portnum, error)                            \
	do {                                                                  \
		errno = 0;                                                    \
		assert_int_equal(umad_open_port(ca_name, portnum), -(error)); \
		assert_int_equal(errno, error);                               \
		assert_int_equal(fakesys_opened("/dev/infiniband/"), 0);      \
	} while (0)

#define CASE(name) TEST_WITH(name, setup, fakesys_teardown)

CASE(node_of_a_device_that_can_not_be)
{
	static const char *const names[] = { "", ".", "..", "../mlx5_0", "mlx5_0/ports" };
	struct umad_port_choice owner;

	assert_int_equal(umad_node_read(0, NULL, &owner), 0);
	for (size_t i = 0; i < COUNT(names); i++) {
		kernel_file(NODES "/umad0/ibdev", names[i]);
		assert_int_equal(umad_node_read(0, NULL, &owner), -EINVAL);
	}
	kernel_file(NODES "/umad1/port", "4294967295\n");
	assert_int_equal(umad_node_read(1, NULL, &owner), -EINVAL);
}

CASE(library_needs_no_preparation)
{
	assert_int_equal(umad_init(), 0);
	assert_int_equal(umad_done(), 0);
	assert_int_equal(fakesys_opened(""), 0);
}

/* UMAD_MAX_PORTS is no limit: a kernel with more ports goes on numbering. */
CASE(numbers_of_nodes_have_the_kernel_s_limit)
{
	char issm[64];

	kernel_remove(NODES "/umad3");
	kernel_node((1 << 20) - 1, "mlx5_1", 2);
	assert_opens("mlx5_1", 2, "/dev/infiniband/umad1048575");
	kernel_directory(CLASS "/mlx5_1/device/infiniband_mad/umad1048575");
	assert_int_equal(umad_get_issm_path("mlx5_1", 2, issm, sizeof(issm)), 0);
	assert_string_equal(issm, "/dev/infiniband/issm1048575");
	kernel_remove(CLASS "/mlx5_1/device/infiniband_mad/umad1048575");
	kernel_remove(NODES "/umad1048575");
	kernel_node(1 << 20, "mlx5_1", 2);
	fakesys_forget();
	assert_not_opened("mlx5_1", 2, EINVAL);
}

CASE(failures_have_their_documented_errors)
{
	assert_not_opened("nosuch0", 1, ENODEV);
	assert_not_opened("nosuch0", 0, ENODEV);
	assert_not_opened("../mlx5_0", 1, ENODEV);
	assert_not_opened("mlx5_0", 3, EINVAL);
	assert_not_opened("mlx5_0", 256, EINVAL);
	assert_not_opened("mlx5_0", -1, EINVAL);
	assert_not_opened(NULL, 3, EINVAL);
	kernel_remove(CLASS);
	assert_not_opened(NULL, 0, ENODEV);
}

CASE(node_that_does_not_open_is_eio_with_the_reason_in_errno)
{
	fakesys_fail_path(KERNEL_OPEN, "/dev/infiniband/umad0", EACCES);
	assert_int_equal(umad_open_port("mlx5_0", 1), -EIO);
	assert_int_equal(errno, EACCES);
	kernel_remove("/dev/infiniband/umad1");
	assert_int_equal(umad_open_port("mlx5_0", 2), -EIO);
	assert_int_equal(errno, ENOENT);
}

CASE(abi_must_be_5_or_later)
{
	static const char *const refused[] = { "4\n", "0\n", "", "five\n", "-5\n" };
	int portid;
	size_t i;

	for (i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
		umad_state_set_abi_version(0);
		kernel_abi_version(refused[i]);
		assert_not_opened("mlx5_0", 1, EOPNOTSUPP);
		assert_not_opened("nosuch0", 1, EOPNOTSUPP);
	}
	umad_state_set_abi_version(0);
	kernel_abi_version("6\n"); /* has 64 bytes without a request */
	portid = umad_open_port("mlx5_0", 1);
	assert_between(portid, 1024, INT_MAX);
	assert_int_equal(fakesys_count(KERNEL_IOCTL), 0);
	assert_int_equal(umad_size(), 64);
	assert_int_equal(umad_close_port(portid), 0);
}

CASE(abi_is_read_until_it_is_known)
{
	kernel_remove(NODES "/abi_version");
	assert_not_opened("mlx5_0", 1, EOPNOTSUPP);
	kernel_abi_version("5\n"); /* the module was loaded meanwhile */
	assert_opens("mlx5_0", 1, "/dev/infiniband/umad0");
	kernel_remove(NODES "/abi_version");
	assert_opens("mlx5_0", 1, "/dev/infiniband/umad0");
	assert_int_equal(fakesys_opened(NODES "/abi_version"), 0);
}

/* The kernel's umad devices have a file "dev", those of simulators do not. */
CASE(issm_device_need_not_exist)
{
	char path[64];

	assert_int_equal(umad_get_issm_path("mlx5_0", 1, path, sizeof(path)), 0);
	kernel_file(NODES "/umad0/dev", "231:0\n");
	assert_fails(umad_get_issm_path("mlx5_0", 1, path, sizeof(path)), ENOENT);
	kernel_file(NODES "/issm0/ibdev", "mlx5_0\n");
	assert_int_equal(umad_get_issm_path("mlx5_0", 1, path, sizeof(path)), 0);
	assert_string_equal(path, "/dev/infiniband/issm0");
	fakesys_fail_path(KERNEL_OPENDIR, NODES "/issm0", EMFILE);
	assert_int_equal(umad_get_issm_path("mlx5_0", 1, path, sizeof(path)), -EMFILE);
	assert_int_equal(fakesys_opened("/dev"), 0);
}

CASE(kernel_decides_about_the_header)
{
	int portid;

	assert_int_equal(umad_size(), 64);
	expect_enable_pkey(EINVAL);
	portid = umad_open_port("mlx5_0", 1);
	assert_between(portid, 1024, INT_MAX);
	assert_int_equal(umad_size(), 56);
	umad_close_port(portid);
	assert_opens("mlx5_0", 1, "/dev/infiniband/umad0");
	assert_int_equal(umad_size(), 64);
}

CASE(open_reads_only_what_it_needs)
{
	assert_opens("mlx5_0", 1, "/dev/infiniband/umad0");
	/* Device, port, node; the ABI version, once; no attribute of any port. */
	assert_int_equal(fakesys_count(KERNEL_OPEN), 4);
	assert_int_equal(fakesys_opened(CLASS "/"), 0);
	assert_opens("mlx5_0", 1, "/dev/infiniband/umad0");
	assert_int_equal(fakesys_count(KERNEL_OPEN), 3);
}

CASE(nodes_below_the_device_save_the_search)
{
	unsigned int i;

	for (i = 4; i < 64; i++)
		kernel_node(i, "other", (int)i);
	kernel_node(64, "mlx5_2", 1);
	kernel_ca("mlx5_2", 1, 1, 0x30);
	kernel_directory(CLASS "/mlx5_2/device/infiniband_mad/issm64");
	kernel_directory(CLASS "/mlx5_2/device/infiniband_mad/umad");
	kernel_directory(CLASS "/mlx5_2/device/infiniband_mad/umad065");
	kernel_directory(CLASS "/mlx5_2/device/infiniband_mad/umad1048576");
	kernel_directory(CLASS "/mlx5_2/device/infiniband_mad/umad63");
	kernel_directory(CLASS "/mlx5_2/device/infiniband_mad/umad64");
	assert_opens("mlx5_2", 1, "/dev/infiniband/umad64");
	/* ABI, umad0, umad63, umad64 and its port, the node. */
	assert_int_equal(fakesys_count(KERNEL_OPEN), 6);
}

CASE(search_reads_one_attribute_of_other_nodes)
{
	unsigned int i;

	for (i = 4; i < 63; i++)
		kernel_node(i, "other", (int)i);
	kernel_node(63, "mlx5_2", 1);
	kernel_ca("mlx5_2", 1, 1, 0x30);
	assert_opens("mlx5_2", 1, "/dev/infiniband/umad63");
	/* ABI, umad0 once more, each of them, the port of the last, the node. */
	assert_int_equal(fakesys_count(KERNEL_OPEN), 1 + 1 + 64 + 1 + 1);
}

/* A name that only begins like the wanted one is another device. */
CASE(node_of_a_longer_name_is_another)
{
	kernel_file(NODES "/umad0/ibdev", "mlx5_01234567890123456789\n");
	kernel_ca("mlx5_01234567890123", 1, 1, 0x30);
	assert_not_opened("mlx5_01234567890123", 1, EINVAL);
	assert_not_opened("mlx5_0", 1, EINVAL);
}

CASE(close_tells_what_is_no_port)
{
	int fd = fakesys_open_device();

	assert_int_equal(umad_get_fd(fd), fd);
	assert_int_equal(umad_get_fd(-1), -EINVAL);
	assert_int_equal(umad_close_port(fd), 0);
	assert_fails(umad_close_port(fd), EINVAL);
	assert_int_equal(umad_close_port(-1), -EINVAL);
}

CASE(issm_path_is_whole_or_not_written)
{
	char path[] = "0123456789012345678901";

	assert_fails(umad_get_issm_path("mlx5_0", 1, path, 21), ENAMETOOLONG);
	assert_string_equal(path, "0123456789012345678901");
	assert_int_equal(umad_get_issm_path("mlx5_0", 1, path, 22), 0);
	assert_string_equal(path, "/dev/infiniband/issm0");
	assert_int_equal(umad_get_issm_path("mlx5_0", 1, path, 0), -EINVAL);
	assert_int_equal(umad_get_issm_path("mlx5_0", 1, path, -1), -EINVAL);
	assert_int_equal(umad_get_issm_path("mlx5_0", 1, NULL, 22), -EINVAL);
	assert_int_equal(umad_get_issm_path("mlx5_0", 3, path, 22), -EINVAL);
	assert_int_equal(umad_get_issm_path("nosuch0", 0, path, 22), -ENODEV);
}
