/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The umad devices of responder.h: stands in for open, close, read, write, poll and ioctl at link
 * time. Its descriptors are not the machine's; a poll waits on a condition variable.
 */
#include "responder-internal.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <rdma/ib_user_mad.h>
#include <stdarg.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "../unit/fakeumad-internal.h"

#define DEVICE_PREFIX "/dev/infiniband/umad"

int __real_open(const char *path, int flags, ...);
int __real_close(int fd);
ssize_t __real_read(int fd, void *buffer, size_t size);
ssize_t __real_write(int fd, const void *buffer, size_t size);
int __real_poll(struct pollfd *fds, nfds_t count, int timeout);
int __real_ioctl(int fd, unsigned long request, ...);
int __wrap_open(const char *path, int flags, ...);
int __wrap_close(int fd);
ssize_t __wrap_read(int fd, void *buffer, size_t size);
ssize_t __wrap_write(int fd, const void *buffer, size_t size);
int __wrap_poll(struct pollfd *fds, nfds_t count, int timeout);
int __wrap_ioctl(int fd, unsigned long request, ...);

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

static int poll_device(struct responder_device *device, struct pollfd *polled, int timeout)
{
	int64_t wait_us = timeout < 0 ? INT64_C(1000000000000) : (int64_t)timeout * 1000;
	int64_t deadline_us = responder_now_us() + wait_us;

	device->polls++;
	for (;;) {
		responder_advance();
		polled->revents = 0;
		if (device->gone)
			polled->revents = POLLERR | POLLHUP;
		else if (device->first || device->flood_size)
			polled->revents = POLLIN;
		if (polled->revents)
			return 1;
		if (responder_now_us() >= deadline_us)
			return 0;
		wait_for_change(deadline_us);
	}
}

static void unlock(void *lock)
{
	pthread_mutex_unlock(lock);
}

int __wrap_poll(struct pollfd *fds, nfds_t count, int timeout)
{
	int result;

	if (count != 1 || !is_device(fds[0].fd))
		return __real_poll(fds, count, timeout);
	pthread_mutex_lock(&responder.lock);
	pthread_cleanup_push(unlock, &responder.lock);
	result = poll_device(&responder.devices[fds[0].fd - RESPONDER_FIRST_FD], fds, timeout);
	pthread_cleanup_pop(true);
	return result;
}
