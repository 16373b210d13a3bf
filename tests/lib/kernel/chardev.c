/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Devices of the fake kernel that look like those of a real one: character devices that sysfs
 * knows, which can be polled along with other descriptors. Replaces fstat, readlink and epoll_ctl.
 */
#include "internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

enum { UMAD_MAJOR = 231 };

KERNEL_REPLACES(int, fstat, int fd, struct stat *status);
KERNEL_REPLACES(ssize_t, readlink, const char *path, char *target, size_t size);

int __real_epoll_ctl(int epoll, int operation, int fd, struct epoll_event *event);
int __wrap_epoll_ctl(int epoll, int operation, int fd, struct epoll_event *event)
	__attribute__((weak)); /* tests that fail this call have one of their own */

int __wrap_epoll_ctl(int epoll, int operation, int fd, struct epoll_event *event)
{
	int device = kernel_device_of(fd);

	return __real_epoll_ctl(epoll, operation, device < 0 ? fd : kernel_input(device), event);
}

/* Before glibc 2.33 fstat() is an inline function, and this is what it calls. */
#if defined(__GLIBC__)
#if !__GLIBC_PREREQ(2, 33)
int __wrap___fxstat(int version, int fd, struct stat *status);
int __wrap___fxstat(int version, int fd, struct stat *status)
{
	(void)version;
	return __wrap_fstat(fd, status);
}
#define __real_fstat fstat_of_kernel
static int fstat_of_kernel(int fd, struct stat *status)
{
	return fstatat(fd, "", status, AT_EMPTY_PATH);
}
#endif
#endif

void kernel_act_as_chardev(bool in_container)
{
	KERNEL_LOCKED;
	kernel.is_chardev = true;
	kernel.is_contained = in_container;
	kernel_open_bells();
}

int __wrap_fstat(int fd, struct stat *status)
{
	const struct kernel_descriptor *descriptor = kernel_descriptor(fd);

	if (!descriptor)
		return __real_fstat(fd, status);
	if (!kernel.is_chardev || descriptor->device < 0) {
		errno = EBADF;
		return -1;
	}
	memset(status, 0, sizeof(*status));
	status->st_mode = S_IFCHR | 0600;
	status->st_rdev = makedev(UMAD_MAJOR, (unsigned)descriptor->device);
	return 0;
}

/* Below /sys/dev/char. */
ssize_t __wrap_readlink(const char *path, char *target, size_t size)
{
	char name[32], link[80];
	size_t length;

	for (int i = 0; i < KERNEL_MAX_DEVICES && !kernel.is_contained; i++) {
		snprintf(name, sizeof(name), "/sys/dev/char/%d:%d", UMAD_MAJOR, i);
		if (strcmp(path, name) != 0)
			continue;
		length = (size_t)snprintf(
			link, sizeof(link),
			"../../devices/pci0000:00/0000:00:01.0/infiniband_mad/umad%d", i);
		memcpy(target, link, size < length ? size : length);
		return (ssize_t)(size < length ? size : length);
	}
	return __real_readlink(path, target, size);
}
