/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The umad devices of responder.h: stands in for open, close, read, write, poll, ioctl, fstat and
 * readlink at link time. Its descriptors are not the machine's; a poll waits on a condition
 * variable.
 */
#include "responder-internal.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <rdma/ib_user_mad.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

#include "../unit/fakeumad-internal.h"

#define DEVICE_PREFIX "/dev/infiniband/umad"
#define UMAD_MAJOR    231

int __real_open(const char *path, int flags, ...);
int __real_close(int fd);
ssize_t __real_read(int fd, void *buffer, size_t size);
ssize_t __real_write(int fd, const void *buffer, size_t size);
int __real_poll(struct pollfd *fds, nfds_t count, int timeout);
int __real_ioctl(int fd, unsigned long request, ...);
int __real_fstat(int fd, struct stat *status);
ssize_t __real_readlink(const char *path, char *target, size_t size);
int __wrap_open(const char *path, int flags, ...);
int __wrap_close(int fd);
ssize_t __wrap_read(int fd, void *buffer, size_t size);
ssize_t __wrap_write(int fd, const void *buffer, size_t size);
int __wrap_poll(struct pollfd *fds, nfds_t count, int timeout);
int __wrap_ioctl(int fd, unsigned long request, ...);
int __wrap_fstat(int fd, struct stat *status);
ssize_t __wrap_readlink(const char *path, char *target, size_t size);

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

static int fail_with(int error)
{
	errno = error;
	return -1;
}

static bool is_device(int fd)
{
	return fd >= RESPONDER_FIRST_FD && fd < RESPONDER_FIRST_FD + RESPONDER_DEVICES;
}

static int open_device(const char *path)
{
	int device = path[strlen(DEVICE_PREFIX)] - '0', error = 0;

	if (device < 0 || device >= RESPONDER_DEVICES || path[strlen(DEVICE_PREFIX) + 1])
		return fail_with(ENOENT);
	pthread_mutex_lock(&responder.lock);
	if (responder.devices[device].open)
		error = EBUSY;
	responder.devices[device].open = true;
	pthread_mutex_unlock(&responder.lock);
	return error ? fail_with(error) : RESPONDER_FIRST_FD + device;
}

int __wrap_open(const char *path, int flags, ...)
{
	va_list arguments;
	mode_t mode = 0;

	va_start(arguments, flags);
	if (flags & O_CREAT)
		mode = va_arg(arguments, mode_t);
	va_end(arguments);
	if (fakeumad_sysfs_has(path)) {
		int fd = fakeumad_sysfs_open(path);

		return fd < 0 ? fail_with(-fd) : fd;
	}
	if (!strncmp(path, DEVICE_PREFIX, strlen(DEVICE_PREFIX)))
		return open_device(path);
	return __real_open(path, flags, mode);
}

int __wrap_close(int fd)
{
	struct responder_device *device;
	bool open;

	if (fakeumad_sysfs_owns(fd)) {
		fakeumad_sysfs_close(fd);
		return 0;
	}
	if (!is_device(fd))
		return __real_close(fd);
	device = &responder.devices[fd - RESPONDER_FIRST_FD];
	pthread_mutex_lock(&responder.lock);
	open = device->open;
	device->open = false;
	device->agents = 0;
	responder_clear_device(fd - RESPONDER_FIRST_FD);
	pthread_mutex_unlock(&responder.lock);
	return open ? 0 : fail_with(EBADF);
}

int __wrap_ioctl(int fd, unsigned long request, ...)
{
	struct ib_user_mad_reg_req *registration;
	va_list arguments;
	void *argument;

	va_start(arguments, request);
	argument = va_arg(arguments, void *);
	va_end(arguments);
	if (!is_device(fd))
		return __real_ioctl(fd, request, argument);
	switch (request) {
	case IB_USER_MAD_REGISTER_AGENT:
		registration = argument;
		pthread_mutex_lock(&responder.lock);
		registration->id = (uint32_t)responder.devices[fd - RESPONDER_FIRST_FD].agents++;
		pthread_mutex_unlock(&responder.lock);
		return 0;
	case IB_USER_MAD_UNREGISTER_AGENT:
	case IB_USER_MAD_ENABLE_PKEY:
		return 0;
	default:
		return fail_with(ENOTTY);
	}
}

static void call_before_write(int device, const void *packet, size_t size)
{
	struct responder_request request;
	responder_write_fn *function;
	void *context;

	pthread_mutex_lock(&responder.lock);
	function = responder.before_write;
	context = responder.before_write_context;
	responder_describe(&request, device, packet, size);
	pthread_mutex_unlock(&responder.lock);
	if (function)
		function(&request, context);
}

ssize_t __wrap_write(int fd, const void *buffer, size_t size)
{
	int error;

	if (!is_device(fd))
		return __real_write(fd, buffer, size);
	pthread_testcancel();
	call_before_write(fd - RESPONDER_FIRST_FD, buffer, size);
	pthread_mutex_lock(&responder.lock);
	error = responder_take_write(fd - RESPONDER_FIRST_FD, buffer, size);
	pthread_mutex_unlock(&responder.lock);
	return error ? fail_with(error) : (ssize_t)size;
}

/* What is too large for the buffer stays; its header, with the whole length, is there to read. */
static ssize_t refuse_short_read(const struct responder_event *event, uint8_t *buffer, size_t size)
{
	memcpy(buffer, event->packet, size < RESPONDER_HEADER ? size : RESPONDER_HEADER);
	return size < RESPONDER_PACKET ? -EINVAL : -ENOSPC;
}

/* What comes where nothing else has. */
static ssize_t read_flood(const struct responder_device *device, uint8_t *buffer, size_t size)
{
	if (!device->flood_size)
		return -EAGAIN;
	if (size < device->flood_size)
		return -EINVAL;
	memcpy(buffer, device->flood, device->flood_size);
	return (ssize_t)device->flood_size;
}

static ssize_t read_device(struct responder_device *device, uint8_t *buffer, size_t size)
{
	struct responder_event *event;
	ssize_t count;

	if (device->gone)
		return -device->gone;
	responder_advance();
	event = device->first;
	if (!event)
		return read_flood(device, buffer, size);
	if (size < event->size)
		return refuse_short_read(event, buffer, size);
	memcpy(buffer, event->packet, event->size);
	count = (ssize_t)event->size;
	device->first = event->next;
	if (!device->first)
		device->last = NULL;
	if (event->ends) {
		device->in_flight--;
		if (event->record && event->record <= RESPONDER_RECORDS)
			responder.records[event->record - 1].read_us = responder_now_us();
	}
	responder_drop_event(event);
	return count;
}

ssize_t __wrap_read(int fd, void *buffer, size_t size)
{
	ssize_t result;

	if (fakeumad_sysfs_owns(fd)) {
		result = fakeumad_sysfs_read(fd, buffer, size);
	} else if (is_device(fd)) {
		pthread_testcancel();
		pthread_mutex_lock(&responder.lock);
		result = read_device(&responder.devices[fd - RESPONDER_FIRST_FD], buffer, size);
		pthread_mutex_unlock(&responder.lock);
	} else {
		return __real_read(fd, buffer, size);
	}
	return result < 0 ? fail_with((int)-result) : result;
}

/* Waits until something may have changed, or until the deadline. */
static void wait_for_change(int64_t deadline_us)
{
	struct timespec until;

	if (responder.heap_count && responder.heap[1]->due_us < deadline_us)
		deadline_us = responder.heap[1]->due_us;
	until.tv_sec = deadline_us / 1000000;
	until.tv_nsec = deadline_us % 1000000 * 1000;
	pthread_cond_timedwait(&responder.changed, &responder.lock, &until);
}

static short events_of(const struct responder_device *device)
{
	if (device->gone)
		return POLLERR | POLLHUP;
	return device->first || device->flood_size ? POLLIN : 0;
}

static int64_t poll_deadline(int timeout_ms)
{
	return responder_now_us() +
	       (timeout_ms < 0 ? INT64_C(1000000000000) : (int64_t)timeout_ms * 1000);
}

static int poll_device(struct responder_device *device, struct pollfd *polled, int timeout)
{
	int64_t deadline_us = poll_deadline(timeout);

	device->polls++;
	for (;;) {
		responder_advance();
		polled->revents = events_of(device);
		if (polled->revents)
			return 1;
		if (responder_now_us() >= deadline_us)
			return 0;
		wait_for_change(deadline_us);
	}
}

/* Until the deadline, the next event or the bell, or until another descriptor has something. */
static int wait_for_others(struct pollfd *fds, nfds_t count, int64_t until_us)
{
	int64_t left_us = until_us - responder_now_us();
	struct timespec left = { 0 };

	if (left_us > 0) {
		left.tv_sec = left_us / 1000000;
		left.tv_nsec = left_us % 1000000 * 1000;
	}
	return ppoll(fds, count, &left, NULL);
}

/*
 * A device, which is the first, and descriptors of the machine. In the place of the device its bell
 * is polled.
 */
static int poll_several(struct pollfd *fds, nfds_t count, int timeout)
{
	int number = fds[0].fd - RESPONDER_FIRST_FD, ready = 0, device_fd = fds[0].fd;
	struct responder_device *device = &responder.devices[number];
	int64_t deadline_us = poll_deadline(timeout), until_us;
	eventfd_t ignored;

	pthread_mutex_lock(&responder.lock);
	device->polls++;
	pthread_mutex_unlock(&responder.lock);
	for (;;) {
		short events;

		eventfd_read(responder.bells[number], &ignored);
		pthread_mutex_lock(&responder.lock);
		responder_advance();
		events = events_of(device);
		until_us = deadline_us;
		if (responder.heap_count && responder.heap[1]->due_us < until_us)
			until_us = responder.heap[1]->due_us;
		pthread_mutex_unlock(&responder.lock);
		fds[0].fd = responder.bells[number];
		ready = wait_for_others(fds, count, events ? 0 : until_us);
		fds[0].fd = device_fd;
		if (ready > 0 && fds[0].revents)
			ready--;
		fds[0].revents = events;
		if (ready < 0 || events || ready || responder_now_us() >= deadline_us)
			return ready < 0 ? ready : ready + !!events;
	}
}

static void unlock(void *lock)
{
	pthread_mutex_unlock(lock);
}

int __wrap_poll(struct pollfd *fds, nfds_t count, int timeout)
{
	int result;

	if (!count || !is_device(fds[0].fd))
		return __real_poll(fds, count, timeout);
	if (count > 1)
		return responder.is_kernel ? poll_several(fds, count, timeout) : fail_with(EINVAL);
	pthread_mutex_lock(&responder.lock);
	pthread_cleanup_push(unlock, &responder.lock);
	result = poll_device(&responder.devices[fds[0].fd - RESPONDER_FIRST_FD], fds, timeout);
	pthread_cleanup_pop(true);
	return result;
}

int __wrap_fstat(int fd, struct stat *status)
{
	if (!is_device(fd))
		return __real_fstat(fd, status);
	if (!responder.is_kernel)
		return fail_with(EBADF);
	memset(status, 0, sizeof(*status));
	status->st_mode = S_IFCHR | 0600;
	status->st_rdev = makedev(UMAD_MAJOR, (unsigned)(fd - RESPONDER_FIRST_FD));
	return 0;
}

/* Below /sys/dev/char. */
ssize_t __wrap_readlink(const char *path, char *target, size_t size)
{
	static const char device[] = "../../devices/pci0000:00/0000:00:01.0/infiniband_mad/umad0";
	const size_t length = sizeof(device) - 1;
	char name[32];

	for (int i = 0; i < RESPONDER_DEVICES; i++) {
		snprintf(name, sizeof(name), "/sys/dev/char/%d:%d", UMAD_MAJOR, i);
		if (strcmp(path, name) != 0)
			continue;
		memcpy(target, device, size < length ? size : length);
		if (size >= length)
			target[length - 1] = (char)('0' + i);
		return (ssize_t)(size < length ? size : length);
	}
	return __real_readlink(path, target, size);
}
