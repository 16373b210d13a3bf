/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* libibmad/engine/wakeup.c: which descriptors can be polled along with an eventfd. The simulation
 * has the eventfd itself, also as descriptor 0 and after a fork. */
#include "libibmad/engine/wakeup.h"
#include "test.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>

#define DEVICE_FD 1200 /* of no file */

/* The result of fstat() for DEVICE_FD. */
static struct {
	int error; /* of fstat() */
	mode_t mode;
} device;

int __wrap_fstat(int fd, struct stat *status);
int __wrap___fxstat(int version, int fd, struct stat *status);
int __wrap___fstat64_time64(int fd, struct stat *status);

int __wrap_fstat(int fd, struct stat *status)
{
	assert_int_equal(fd, DEVICE_FD);
	if (device.error) {
		errno = device.error;
		return -1;
	}
	memset(status, 0, sizeof(*status));
	status->st_mode = device.mode;
	return 0;
}

/* Before glibc 2.33 fstat() calls this function. */
int __wrap___fxstat(int version, int fd, struct stat *status)
{
	(void)version;
	return __wrap_fstat(fd, status);
}

/* On 32-bit machines with 64 bits of time fstat() is this function. */
int __wrap___fstat64_time64(int fd, struct stat *status)
{
	return __wrap_fstat(fd, status);
}

/* Whether waits for a descriptor with that mode can be interrupted. */
static bool is_interruptible(mode_t mode, int error)
{
	struct mad_wakeup wakeup;
	bool has_event;

	device.mode = mode;
	device.error = error;
	errno = ENOENT;
	assert_int_equal(mad_wakeup_open(&wakeup, DEVICE_FD), 0);
	assert_int_equal(errno, ENOENT);
	has_event = wakeup.event_fd >= 0;
	mad_wakeup_close(&wakeup);
	assert_int_equal(wakeup.event_fd, -1);
	return has_event;
}

TEST(only_character_devices)
{
	assert_true(is_interruptible(S_IFCHR | 0600, 0));
	assert_false(is_interruptible(S_IFCHR | 0600, EBADF));
	assert_false(is_interruptible(S_IFREG | 0600, 0));
	assert_false(is_interruptible(S_IFSOCK | 0600, 0));
	assert_false(is_interruptible(S_IFIFO | 0600, 0));
	assert_false(is_interruptible(S_IFBLK | 0600, 0));
}
