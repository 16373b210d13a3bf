/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* libibmad/engine/wakeup.c: which descriptors can be polled along with an eventfd. That one is in
 * the simulation, also as descriptor 0 and after a fork. */
#include "libibmad/engine/wakeup.h"
#include "test.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/types.h>

#define DEVICE_FD 1200 /* of no file */

/* What the kernel says of DEVICE_FD. */
static struct {
	int error; /* of fstat() */
	mode_t mode;
	int link_error;
	char link[512];
} device;

int __wrap_fstat(int fd, struct stat *status);
int __wrap___fxstat(int version, int fd, struct stat *status);
int __wrap___fstat64_time64(int fd, struct stat *status);
ssize_t __wrap_readlink(const char *path, char *target, size_t size);

int __wrap_fstat(int fd, struct stat *status)
{
	assert_int_equal(fd, DEVICE_FD);
	if (device.error) {
		errno = device.error;
		return -1;
	}
	memset(status, 0, sizeof(*status));
	status->st_mode = device.mode;
	status->st_rdev = makedev(231, 3);
	return 0;
}

/* What fstat() calls before glibc 2.33. */
int __wrap___fxstat(int version, int fd, struct stat *status)
{
	(void)version;
	return __wrap_fstat(fd, status);
}

/* What fstat() is where 32-bit machines have 64 bits of time. */
int __wrap___fstat64_time64(int fd, struct stat *status)
{
	return __wrap_fstat(fd, status);
}

ssize_t __wrap_readlink(const char *path, char *target, size_t size)
{
	size_t length = strlen(device.link);

	assert_string_equal(path, "/sys/dev/char/231:3");
	if (device.link_error) {
		errno = device.link_error;
		return -1;
	}
	if (length > size)
		length = size;
	memcpy(target, device.link, length);
	return (ssize_t)length;
}

/* A umad device, the name of whose device in sysfs has that many characters. */
static void be_kernel_device(size_t length)
{
	static const char end[] = "/infiniband_mad/umad3";

	memset(&device, 0, sizeof(device));
	device.mode = S_IFCHR | 0600;
	memset(device.link, 'x', length);
	memcpy(device.link + length - strlen(end), end, strlen(end));
}

static int reset(void **state)
{
	(void)state;
	be_kernel_device(60);
	return 0;
}

#define CASE(name) TEST_WITH(name, reset, NULL)

/* Whether waits for the device can be interrupted. */
static bool is_interruptible(void)
{
	struct mad_wakeup wakeup;
	bool has_event;

	mad_wakeup_init(&wakeup);
	errno = ENOENT;
	assert_int_equal(mad_wakeup_open(&wakeup, DEVICE_FD), 0);
	assert_int_equal(errno, ENOENT);
	has_event = wakeup.event_fd >= 0;
	mad_wakeup_close(&wakeup);
	assert_int_equal(wakeup.event_fd, -1);
	return has_event;
}

CASE(kernel_device)
{
	assert_true(is_interruptible());
}

CASE(other_descriptors)
{
	device.mode = S_IFREG | 0600;
	assert_false(is_interruptible());
	device.mode = S_IFSOCK | 0600;
	assert_false(is_interruptible());
	reset(NULL);
	device.error = EBADF;
	assert_false(is_interruptible());
	reset(NULL);
	device.link_error = ENOENT;
	assert_false(is_interruptible());
	reset(NULL);
	strcpy(device.link, "../../devices/virtual/tty/tty3");
	assert_false(is_interruptible());
	device.link[0] = '\0';
	assert_false(is_interruptible());
}

/* A link is read as far as it fits; AddressSanitizer sees a NUL behind the buffer. */
CASE(long_links)
{
	for (size_t length = 240; length <= 256; length++) {
		be_kernel_device(length);
		assert_true(is_interruptible());
	}
	for (size_t length = 300; length < sizeof(device.link); length += 50) {
		be_kernel_device(length);
		assert_false(is_interruptible());
	}
}
