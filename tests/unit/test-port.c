/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * test-port.c - what opening a port reads, the header that it decides on, the path of issm
 * (libibumad/io/port.c, node.c). Which node a port has on whole hosts is in tests/unit/discovery,
 * what the calls write to it in tests/oracle/wire and tests/lib/umad-cases.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "test.h"
#include "fakesys.h"
#include "libibumad/base/sys.h"
#include "libibumad/internal.h"

#define CLASS "/sys/class/infiniband"
#define NODES "/sys/class/infiniband_mad"

/* A host with mlx5_0 and mlx5_1, whose ports 1 and 2 are umad0 to umad3. */
static int setup(void **state)
{
	fakesys_setup(state);
	umad_state.abi_version = 0;
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

/* The last node that was opened is this one. */
static void close_port(int portid, const char *node)
{
	assert_between(portid, 1024, INT_MAX);
	assert_string_equal(fakesys_last_device(), node);
	assert_int_equal(umad_close_port(portid), 0);
}

#define assert_error(call, result, error)          \
	do {                                       \
		errno = 0;                         \
		assert_int_equal(call, -(result)); \
		assert_int_equal(errno, error);    \
	} while (0)

#define assert_not_opened(ca_name, portnum, error)                            \
	do {                                                                  \
		errno = 0;                                                    \
		assert_int_equal(umad_open_port(ca_name, portnum), -(error)); \
		assert_int_equal(errno, error);                               \
		assert_int_equal(fakesys_opened("/dev/infiniband/"), 0);      \
	} while (0)

#define CASE(name) TEST_WITH(name, setup, fakesys_teardown)

CASE(library_needs_no_preparation)
{
	assert_int_equal(umad_init(), 0);
	assert_int_equal(umad_done(), 0);
	assert_int_equal(fakesys_opened(""), 0);
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

/* Containers see all devices and have the nodes of some, or may not open those of others. Whole
 * hosts are in tests/unit/discovery. */
CASE(default_port_is_one_that_can_be_opened)
{
	kernel_remove("/dev/infiniband/umad0");
	fakesys_fail_path(KERNEL_OPEN, "/dev/infiniband/umad1", EACCES);
	expect_enable_pkey(0);
	close_port(umad_open_port(NULL, 0), "/dev/infiniband/umad2");
	assert_error(umad_open_port("mlx5_0", 0), EIO, ENOENT);
	assert_error(umad_open_port("mlx5_0", 2), EIO, EACCES);
	expect_enable_pkey(0);
	close_port(umad_open_smi_port(NULL, 2), "/dev/infiniband/umad3");
	expect_enable_pkey(EIO); /* of a broken device */
	expect_enable_pkey(0);
	close_port(umad_open_port(NULL, 0), "/dev/infiniband/umad3");
	kernel_remove(NODES "/umad2");
	kernel_remove(NODES "/umad3");
	assert_error(umad_open_port(NULL, 0), EIO, ENOENT); /* of the first */
	kernel_remove(NODES "/umad0");
	assert_error(umad_open_port(NULL, 0), EINVAL, EINVAL);
	fakesys_forget();
	fakesys_fail_path(KERNEL_OPEN, "/dev/infiniband/umad1", EMFILE);
	assert_error(umad_open_port(NULL, 0), EMFILE, EMFILE); /* says nothing about devices */
}

/* Reads and opens no more than the port that is found. */
CASE(first_port_that_can_be_opened_ends_the_search)
{
	assert_opens(NULL, 0, "/dev/infiniband/umad0");
	/* The type, the state, the link layer; ABI version, device, port; the node. */
	assert_int_equal(fakesys_count(KERNEL_OPEN), 7);
	assert_int_equal(fakesys_count(KERNEL_OPENDIR), 2);
	assert_int_equal(fakesys_opened(CLASS "/mlx5_1"), 0);
}

static void renumber(void)
{
	kernel_node(0, "mlx5_1", 2);
	kernel_node(3, "mlx5_0", 1);
}

/* The kernel gives the number of a device that is gone to the next one, and udev makes nodes late.
 */
CASE(node_that_is_opened_is_that_of_the_port)
{
	char dev[64];

	kernel_act_as_chardev(false);
	assert_opens("mlx5_0", 1, "/dev/infiniband/umad0"); /* umad0 shows no number */
	for (int i = 0; i < 4; i++) {
		snprintf(dev, sizeof(dev), NODES "/umad%d/dev", i);
		kernel_file(dev, "231:0\n"); /* of each device that the fake kernel opens */
	}
	assert_opens("mlx5_0", 1, "/dev/infiniband/umad0");
	fakesys_at_open(3, renumber); /* ibdev, port, and now the node */
	expect_enable_pkey(0);
	close_port(umad_open_port("mlx5_0", 1), "/dev/infiniband/umad3");
	kernel_file(NODES "/umad3/dev", "231:7\n");
	fakesys_forget();
	assert_error(umad_open_port("mlx5_0", 1), EIO, ENXIO);
	assert_int_equal(fakesys_opened("/dev/infiniband/umad3"), 2);
	expect_enable_pkey(0);
	close_port(umad_open_port("mlx5_0", 0), "/dev/infiniband/umad1");
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
	assert_int_equal(umad_get_issm_path("nosuch0", 1, path, 22), -ENODEV);
}

FAKESYS_TEST(close_is_never_repeated)
{
	int fd = fakesys_open_device();

	fakesys_fail_nth(KERNEL_CLOSE, 1, EINTR);
	assert_int_equal(umad_sys_close(fd), 0);
	assert_int_equal(fakesys_count(KERNEL_CLOSE), 1);
	errno = 77;
	assert_int_equal(umad_sys_close(fd), -EBADF);
	assert_int_equal(errno, 77);
}

FAKESYS_TEST(what_is_left_is_rounded_up)
{
	int64_t now = umad_sys_deadline(0);

	assert_int_equal(umad_sys_remaining_ms(now), 0);
	assert_int_equal(umad_sys_remaining_ms(now + 1), 1);
	assert_int_equal(umad_sys_remaining_ms(now + 1000000), 1);
	assert_int_equal(umad_sys_remaining_ms(now + 1000001), 2);
}
