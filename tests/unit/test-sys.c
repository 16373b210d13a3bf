/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * test-sys.c - the calls to the kernel (libibumad/base/sys.c): what the tests of those that make
 * them do not show. That each file is opened with the right flags is checked by fakesys in all
 * tests.
 */
#include <errno.h>

#include "test.h"
#include "fakesys.h"
#include "libibumad/base/sys.h"

#define DIR_PATH "/sys/class/infiniband"
#define CALLERS	 77 /* what errno holds before a call, and has to hold afterwards */

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
