/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * test-sys.c - the calls to the kernel (libibumad/base/sys.c): results as negative errno,
 * interrupted calls, deadlines. That each file is opened with the right flags is checked by fakesys
 * in all tests.
 */
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <string.h>

#include "test.h"
#include "fakesys.h"
#include "libibumad/base/sys.h"
#include "libibumad/internal.h"

#define FILE_PATH   "/sys/class/infiniband/file"
#define DIR_PATH    "/sys/class/infiniband"
#define DEVICE_PATH "/dev/infiniband/umad0"
#define CALLERS	    77 /* what errno holds before a call, and has to hold afterwards */

static void expect_interrupted(enum kernel_call call, unsigned long request)
{
	fakesys_expect(&(struct fakesys_io){ .call = call, .error = EINTR, .request = request });
}

static void expect_result(enum kernel_call call, ssize_t result)
{
	fakesys_expect(&(struct fakesys_io){ .call = call, .result = result });
}

FAKESYS_TEST(open_goes_on_after_a_signal)
{
	int fd;

	kernel_file(FILE_PATH, "x");
	fakesys_fail_nth(KERNEL_OPEN, 1, EINTR);
	errno = CALLERS;
	fd = umad_sys_open_read(FILE_PATH);
	assert_between(fd, 1024, INT_MAX);
	assert_int_equal(errno, CALLERS);
	assert_int_equal(fakesys_count(KERNEL_OPEN), 2);
	assert_int_equal(umad_sys_close(fd), 0);
}

FAKESYS_TEST(open_tells_why_it_failed)
{
	errno = CALLERS;
	assert_int_equal(umad_sys_open_read(FILE_PATH), -ENOENT);
	assert_int_equal(umad_sys_open_device(DEVICE_PATH), -ENOENT);
	fakesys_fail_path(KERNEL_OPEN, DEVICE_PATH, EACCES);
	assert_int_equal(umad_sys_open_device(DEVICE_PATH), -EACCES);
	assert_int_equal(errno, CALLERS);
}

FAKESYS_TEST(close_is_never_repeated)
{
	int fd = fakesys_open_device();

	fakesys_fail_nth(KERNEL_CLOSE, 1, EINTR);
	assert_int_equal(umad_sys_close(fd), 0);
	assert_int_equal(fakesys_count(KERNEL_CLOSE), 1);
	errno = CALLERS;
	assert_int_equal(umad_sys_close(fd), -EBADF);
	assert_int_equal(errno, CALLERS);
}

FAKESYS_TEST(read_and_write_go_on_after_a_signal)
{
	int fd = fakesys_open_device();
	char buffer[8];

	expect_interrupted(KERNEL_READ, 0);
	expect_result(KERNEL_READ, -EINTR); /* as a simulator says it */
	expect_result(KERNEL_READ, 3);
	assert_int_equal(umad_sys_read(fd, buffer, sizeof(buffer)), 3);
	expect_interrupted(KERNEL_WRITE, 0);
	expect_result(KERNEL_WRITE, -EINTR);
	expect_result(KERNEL_WRITE, 5);
	assert_int_equal(umad_sys_write(fd, "12345", 5), 5);
	umad_sys_close(fd);
}

FAKESYS_TEST(any_negative_result_is_an_error)
{
	int fd = fakesys_open_device();
	char buffer[8];

	errno = CALLERS;
	expect_result(KERNEL_READ, -EWOULDBLOCK);
	assert_int_equal(umad_sys_read(fd, buffer, sizeof(buffer)), -EWOULDBLOCK);
	expect_result(KERNEL_READ, -1); /* without an errno */
	assert_int_equal(umad_sys_read(fd, buffer, sizeof(buffer)), -EIO);
	fakesys_expect(&(struct fakesys_io){ .call = KERNEL_WRITE, .error = ENODEV });
	assert_int_equal(umad_sys_write(fd, buffer, sizeof(buffer)), -ENODEV);
	assert_int_equal(errno, CALLERS);
	umad_sys_close(fd);
}

FAKESYS_TEST(ioctl_goes_on_after_a_signal)
{
	int fd = fakesys_open_device();

	expect_interrupted(KERNEL_IOCTL, IB_USER_MAD_ENABLE_PKEY);
	fakesys_expect(
		&(struct fakesys_io){ .call = KERNEL_IOCTL, .request = IB_USER_MAD_ENABLE_PKEY });
	assert_int_equal(umad_sys_ioctl(fd, IB_USER_MAD_ENABLE_PKEY, NULL), 0);
	fakesys_expect(&(struct fakesys_io){
		.call = KERNEL_IOCTL, .request = IB_USER_MAD_ENABLE_PKEY, .error = ENOTTY });
	assert_int_equal(umad_sys_ioctl(fd, IB_USER_MAD_ENABLE_PKEY, NULL), -ENOTTY);
	umad_sys_close(fd);
}

/* As a simulator may fail; the caller's errno is not that of the call. */
FAKESYS_TEST(ioctl_fails_without_an_errno)
{
	int fd = fakesys_open_device();

	fakesys_expect(&(struct fakesys_io){
		.call = KERNEL_IOCTL, .request = IB_USER_MAD_ENABLE_PKEY, .result = -1 });
	errno = EINTR;
	assert_int_equal(umad_sys_ioctl(fd, IB_USER_MAD_ENABLE_PKEY, NULL), -EIO);
	assert_int_equal(errno, EINTR);
	umad_sys_close(fd);
}

FAKESYS_TEST(what_is_left_is_rounded_up)
{
	int64_t now = umad_sys_deadline(0);

	assert_int_equal(umad_sys_remaining_ms(now), 0);
	assert_int_equal(umad_sys_remaining_ms(now + 1), 1);
	assert_int_equal(umad_sys_remaining_ms(now + 1000000), 1);
	assert_int_equal(umad_sys_remaining_ms(now + 1000001), 2);
}

FAKESYS_TEST(readdir_skips_hidden_names)
{
	const char *name;
	DIR *dir;

	kernel_file(DIR_PATH "/.hidden", "");
	kernel_file(DIR_PATH "/b", "");
	kernel_file(DIR_PATH "/a/below", "");
	errno = CALLERS;
	assert_int_equal(umad_sys_opendir(DIR_PATH, &dir), 0);
	assert_int_equal(umad_sys_readdir(dir, &name), 1);
	assert_string_equal(name, "b");
	assert_int_equal(umad_sys_readdir(dir, &name), 1);
	assert_string_equal(name, "a");
	assert_int_equal(umad_sys_readdir(dir, &name), 0);
	umad_sys_closedir(dir);
	assert_int_equal(errno, CALLERS);
}

FAKESYS_TEST(directory_failures_are_reported)
{
	const char *name;
	DIR *dir;

	assert_int_equal(umad_sys_opendir(DIR_PATH, &dir), -ENOENT);
	kernel_file(FILE_PATH, "");
	assert_int_equal(umad_sys_opendir(FILE_PATH, &dir), -ENOTDIR);
	fakesys_fail_nth(KERNEL_OPENDIR, 1, 0);
	assert_int_equal(umad_sys_opendir(DIR_PATH, &dir), -EIO);
	assert_int_equal(umad_sys_opendir(DIR_PATH, &dir), 0);
	fakesys_fail_nth(KERNEL_READDIR, 1, EIO);
	assert_int_equal(umad_sys_readdir(dir, &name), -EIO);
	umad_sys_closedir(dir);
}
