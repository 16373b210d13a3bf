/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The libc calls that the fake kernel replaces, and its descriptors. Those that are cancellation
 * points in libc are here, too. Paths and descriptors of others go on to libc.
 */
#include "internal.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static struct kernel_descriptor descriptors[KERNEL_MAX_FDS];

int __real_open(const char *path, int flags, ...);
int __real_close(int fd);
ssize_t __real_read(int fd, void *buffer, size_t size);
ssize_t __real_write(int fd, const void *buffer, size_t size);
int __real_poll(struct pollfd *fds, nfds_t count, int timeout);
int __real_ioctl(int fd, unsigned long request, ...);
DIR *__real_opendir(const char *path);
struct dirent *__real_readdir(DIR *dir);
int __real_closedir(DIR *dir);

int __wrap_open(const char *path, int flags, ...);
int __wrap_close(int fd);
ssize_t __wrap_read(int fd, void *buffer, size_t size);
ssize_t __wrap_write(int fd, const void *buffer, size_t size);
int __wrap_poll(struct pollfd *fds, nfds_t count, int timeout);
int __wrap_ioctl(int fd, unsigned long request, ...);
DIR *__wrap_opendir(const char *path);
struct dirent *__wrap_readdir(DIR *dir);
int __wrap_closedir(DIR *dir);

int kernel_new_descriptor(int device, const char *path, const struct kernel_content *content)
{
	for (int i = 0; i < KERNEL_MAX_FDS; i++) {
		struct kernel_descriptor *descriptor = &descriptors[i];

		if (descriptor->open)
			continue;
		*descriptor = (struct kernel_descriptor){ .open = true, .device = device };
		if (path)
			snprintf(descriptor->path, sizeof(descriptor->path), "%s", path);
		if (content)
			descriptor->content = *content;
		if (descriptor->content.own) { /* which may change while this is open */
			descriptor->content.bytes = kernel_allocate(NULL, content->size + 1);
			memcpy((char *)(uintptr_t)descriptor->content.bytes, content->bytes,
			       content->size);
		}
		return KERNEL_FIRST_FD + i;
	}
	return -EMFILE;
}

struct kernel_descriptor *kernel_descriptor(int fd)
{
	return fd >= KERNEL_FIRST_FD && fd < KERNEL_FIRST_FD + KERNEL_MAX_FDS
		       ? &descriptors[fd - KERNEL_FIRST_FD]
		       : NULL;
}

static void free_descriptor(struct kernel_descriptor *descriptor)
{
	if (descriptor->content.own)
		kernel_release((char *)(uintptr_t)descriptor->content.bytes);
	descriptor->content.own = false;
	descriptor->open = false;
}

int kernel_descriptors_open(bool reset)
{
	int count = 0;

	for (int i = 0; i < KERNEL_MAX_FDS; i++) {
		count += descriptors[i].open;
		if (reset)
			free_descriptor(&descriptors[i]);
	}
	return count;
}

static bool begins(const char *path, const char *with)
{
	return !strncmp(path, with, strlen(with));
}

static bool is_device_path(const char *path)
{
	return begins(path, "/dev/infiniband/");
}

static bool owns(const char *path)
{
	return is_device_path(path) || begins(path, "/sys/class/infiniband") ||
	       !strcmp(path, "/proc/net/netlink");
}

ssize_t kernel_result(ssize_t result)
{
	if (result >= 0)
		return result;
	errno = (int)-result;
	return -1;
}

/* A call of the kernel begins: whether it fails, with errno. */
static bool fails(enum kernel_call call, const char *path)
{
	if (kernel.policy->virtual_time)
		kernel.now_ns += kernel.policy->call_ns;
	return kernel.policy->fails && kernel.policy->fails(call, path);
}

static const char *path_of(const struct kernel_descriptor *descriptor)
{
	return descriptor->path[0] ? descriptor->path : NULL;
}

static int open_file(const char *path)
{
	struct kernel_content content;
	int fd = -ENOENT;

	kernel_lock();
	if (kernel_find(path, &content))
		fd = kernel_new_descriptor(-1, path, &content);
	kernel_unlock();
	return fd;
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
	if (!kernel.policy || !owns(path))
		return __real_open(path, flags, mode);
	pthread_testcancel();
	if (kernel.policy->check_open)
		kernel.policy->check_open(path, flags);
	if (fails(KERNEL_OPEN, path))
		return -1;
	return (int)kernel_result(is_device_path(path) ? open_device(path) : open_file(path));
}

static void close_device(int number)
{
	if (kernel.policy->close_device)
		kernel.policy->close_device(number);
	kernel_lock();
	kernel_clear_device(number);
	kernel.devices[number].open = false;
	kernel_unlock();
}

int __wrap_close(int fd)
{
	struct kernel_descriptor *descriptor = kernel_descriptor(fd);
	int result;

	if (!descriptor && kernel.policy && kernel.policy->close_other &&
	    kernel.policy->close_other(fd, &result))
		return result;
	if (!descriptor)
		return __real_close(fd);
	pthread_testcancel();
	if (!descriptor->open)
		return (int)kernel_result(-EBADF);
	result = fails(KERNEL_CLOSE, path_of(descriptor)) ? -1 : 0;
	if (descriptor->device >= 0)
		close_device(descriptor->device);
	kernel_lock();
	free_descriptor(descriptor);
	kernel_unlock();
	return result;
}

static ssize_t read_file(struct kernel_descriptor *descriptor, void *buffer, size_t size)
{
	const struct kernel_content *content = &descriptor->content;
	size_t left = content->size - descriptor->at;

	if (!content->bytes)
		return -EISDIR;
	size = left < size ? left : size;
	memcpy(buffer, content->bytes + descriptor->at, size);
	descriptor->at += size;
	return (ssize_t)size;
}

ssize_t __wrap_read(int fd, void *buffer, size_t size)
{
	struct kernel_descriptor *descriptor = kernel_descriptor(fd);

	if (!descriptor)
		return __real_read(fd, buffer, size);
	pthread_testcancel();
	if (!descriptor->open)
		return kernel_result(-EBADF);
	if (fails(KERNEL_READ, path_of(descriptor)))
		return -1;
	if (descriptor->device < 0)
		return kernel_result(read_file(descriptor, buffer, size));
	return (kernel.policy->read ? kernel.policy->read : kernel_device_read)(descriptor->device,
										buffer, size);
}

/* An open device, or NULL with errno. */
static const struct kernel_descriptor *open_device_of(int fd)
{
	const struct kernel_descriptor *descriptor = kernel_descriptor(fd);

	if (descriptor->open && descriptor->device >= 0)
		return descriptor;
	errno = EBADF;
	return NULL;
}

ssize_t __wrap_write(int fd, const void *buffer, size_t size)
{
	const struct kernel_descriptor *descriptor;

	if (!kernel_descriptor(fd))
		return __real_write(fd, buffer, size);
	pthread_testcancel();
	descriptor = open_device_of(fd);
	if (!descriptor || fails(KERNEL_WRITE, path_of(descriptor)))
		return -1;
	return kernel.policy->write(descriptor->device, buffer, size);
}

int __wrap_poll(struct pollfd *fds, nfds_t count, int timeout)
{
	const struct kernel_descriptor *descriptor;
	int result;

	if (!count || !kernel_descriptor(fds[0].fd)) {
		if (count == 1 && kernel.policy && kernel.policy->poll_other &&
		    kernel.policy->poll_other(fds, timeout, &result))
			return result;
		return __real_poll(fds, count, timeout);
	}
	pthread_testcancel();
	descriptor = open_device_of(fds[0].fd);
	if (!descriptor || fails(KERNEL_POLL, path_of(descriptor)))
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
	if (!descriptor || fails(KERNEL_IOCTL, path_of(descriptor)))
		return -1;
	return (kernel.policy->ioctl ? kernel.policy->ioctl
				     : kernel_device_ioctl)(descriptor->device, request, argument);
}

DIR *__wrap_opendir(const char *path)
{
	if (!kernel.policy || !owns(path))
		return __real_opendir(path);
	if (kernel.policy->check_open)
		kernel.policy->check_open(path, O_DIRECTORY);
	return fails(KERNEL_OPENDIR, path) ? NULL : kernel_directory_open(path);
}

struct dirent *__wrap_readdir(DIR *dir)
{
	if (!kernel_directory_owns(dir))
		return __real_readdir(dir);
	pthread_testcancel();
	return fails(KERNEL_READDIR, NULL) ? NULL : kernel_directory_read(dir);
}

int __wrap_closedir(DIR *dir)
{
	if (!kernel_directory_owns(dir))
		return __real_closedir(dir);
	pthread_testcancel();
	kernel_directory_close(dir);
	return 0;
}
