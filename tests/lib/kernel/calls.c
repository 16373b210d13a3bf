/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The libc calls that the fake kernel replaces, those for directories aside. Those that are
 * cancellation points in libc are here, too. Paths and descriptors of others go on to libc.
 */
#include "internal.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

KERNEL_REPLACES(int, open, const char *path, int flags, ...);
KERNEL_REPLACES(int, close, int fd);
KERNEL_REPLACES(ssize_t, read, int fd, void *buffer, size_t size);
KERNEL_REPLACES(ssize_t, write, int fd, const void *buffer, size_t size);
KERNEL_REPLACES(int, poll, struct pollfd *fds, nfds_t count, int timeout);
KERNEL_REPLACES(int, ioctl, int fd, unsigned long request, ...);

static int not_open(void)
{
	if (kernel.policy->strict)
		abort();
	return (int)kernel_result(-EBADF);
}

static const char *path_of(const struct kernel_descriptor *descriptor)
{
	return descriptor->path[0] ? descriptor->path : NULL;
}

static int open_device(const char *path)
{
	int fd = kernel_open_device(kernel.policy->open_device(path));

	if (fd >= 0)
		snprintf(kernel_descriptor(fd)->path, KERNEL_PATH_SIZE, "%s", path);
	return fd;
}

int __wrap_open(const char *path, int flags, ...)
{
	va_list arguments;
	mode_t mode = 0;

	va_start(arguments, flags);
	if (flags & (O_CREAT | O_TMPFILE))
		mode = va_arg(arguments, mode_t);
	va_end(arguments);
	if (!kernel.policy || !kernel_owns(path))
		return __real_open(path, flags, mode);
	pthread_testcancel();
	if (kernel.policy->check_open)
		kernel.policy->check_open(path, flags);
	if (kernel_fails(KERNEL_OPEN, path))
		return -1;
	return (int)kernel_result(!strncmp(path, "/dev/", 5) ? open_device(path)
							     : kernel_open_file(path));
}

static void close_device(int number)
{
	if (kernel.policy->close_device)
		kernel.policy->close_device(number);
	KERNEL_LOCKED;
	kernel_clear_device(number);
	kernel.devices[number].open = false;
}

int __wrap_close(int fd)
{
	struct kernel_descriptor *descriptor = kernel_descriptor(fd);
	int result;

	if (!descriptor)
		return __real_close(fd);
	pthread_testcancel();
	if (!descriptor->open)
		return not_open();
	result = kernel_fails(KERNEL_CLOSE, path_of(descriptor)) ? -1 : 0;
	if (descriptor->device >= 0)
		close_device(descriptor->device);
	kernel_close_descriptor(descriptor);
	return result;
}

ssize_t __wrap_read(int fd, void *buffer, size_t size)
{
	struct kernel_descriptor *descriptor = kernel_descriptor(fd);

	if (!descriptor)
		return __real_read(fd, buffer, size);
	pthread_testcancel();
	if (!descriptor->open)
		return not_open();
	if (kernel_fails(KERNEL_READ, path_of(descriptor)))
		return -1;
	if (descriptor->device < 0)
		return kernel_result(kernel_read_file(descriptor, buffer, size));
	return (kernel.policy->read ? kernel.policy->read : kernel_device_read)(descriptor->device,
										buffer, size);
}

/* An open device, or NULL with errno. */
static const struct kernel_descriptor *open_device_of(int fd)
{
	const struct kernel_descriptor *descriptor = kernel_descriptor(fd);

	if (descriptor->open && descriptor->device >= 0)
		return descriptor;
	not_open();
	return NULL;
}

ssize_t __wrap_write(int fd, const void *buffer, size_t size)
{
	const struct kernel_descriptor *descriptor;

	if (!kernel_descriptor(fd))
		return __real_write(fd, buffer, size);
	pthread_testcancel();
	descriptor = open_device_of(fd);
	if (!descriptor || kernel_fails(KERNEL_WRITE, path_of(descriptor)))
		return -1;
	return kernel.policy->write(descriptor->device, buffer, size);
}

int __wrap_poll(struct pollfd *fds, nfds_t count, int timeout)
{
	const struct kernel_descriptor *descriptor;

	if (!count || !kernel_descriptor(fds[0].fd))
		return __real_poll(fds, count, timeout);
	pthread_testcancel();
	descriptor = open_device_of(fds[0].fd);
	if (!descriptor || kernel_fails(KERNEL_POLL, path_of(descriptor)))
		return -1;
	if (count > 1)
		return kernel.is_chardev
			       ? kernel_poll_several(descriptor->device, fds, count, timeout)
			       : (int)kernel_result(-EINVAL);
	return (kernel.policy->poll ? kernel.policy->poll : kernel_device_poll)(descriptor->device,
										fds, timeout);
}

int __wrap_ioctl(int fd, unsigned long request, ...)
{
	const struct kernel_descriptor *descriptor;
	va_list arguments;
	void *argument;

	va_start(arguments, request);
	argument = va_arg(arguments, void *);
	va_end(arguments);
	if (!kernel_descriptor(fd))
		return __real_ioctl(fd, request, argument);
	descriptor = open_device_of(fd);
	if (!descriptor || kernel_fails(KERNEL_IOCTL, path_of(descriptor)))
		return -1;
	return (kernel.policy->ioctl ? kernel.policy->ioctl
				     : kernel_device_ioctl)(descriptor->device, request, argument);
}
