/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * fakesys-device.c - open umad devices of fakesys, whose calls give what the test has written down,
 * and the clock.
 */
#include <errno.h>
#include <linux/ioctl.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <time.h>
#include <cmocka.h>

#include "fakesys-internal.h"
#include "../assert-between.h"

enum { MAX_SCRIPT = 1024, CLOCK_AT_FIRST = 5000000 };

static struct fakesys_io script[MAX_SCRIPT];
static int script_length, script_at;
static int64_t clock_ms;
static uint8_t written[1024], ioctl_argument[64];
static size_t written_size, read_size;
static int poll_timeouts[MAX_SCRIPT], poll_count;

ssize_t __real_write(int fd, const void *buffer, size_t size);
int __real_poll(struct pollfd *fds, nfds_t count, int timeout);
int __real_ioctl(int fd, unsigned long request, ...);

ssize_t __wrap_write(int fd, const void *buffer, size_t size);
int __wrap_poll(struct pollfd *fds, nfds_t count, int timeout);
int __wrap_ioctl(int fd, unsigned long request, ...);
int __wrap_clock_gettime(clockid_t id, struct timespec *time);

void fakesys_device_reset(void)
{
	script_length = script_at = 0;
	poll_count = 0;
	written_size = read_size = 0;
	clock_ms = CLOCK_AT_FIRST;
}

int fakesys_device_left(void)
{
	return script_length - script_at;
}

static struct fakesys_io *next_io(enum fakesys_call call)
{
	struct fakesys_io *io = &script[script_at];

	if (script_at == script_length || io->call != call)
		fail_msg("call %d (of fakesys_call) was not expected", call);
	script_at++;
	clock_ms += io->takes_ms;
	if (io->cancels)
		pthread_cancel(pthread_self());
	if (call != FAKESYS_READ && call != FAKESYS_IOCTL)
		pthread_testcancel();
	errno = io->error;
	if (io->error)
		io->result = -1;
	return io;
}

ssize_t fakesys_device_read(void *buffer, size_t size)
{
	struct fakesys_io *io;

	read_size = size;
	io = next_io(FAKESYS_READ);
	memcpy(buffer, io->data ? io->data : "", io->size < size ? io->size : size);
	return io->result;
}

void fakesys_expect(const struct fakesys_io *io)
{
	assert_between(script_length, 0, MAX_SCRIPT - 1);
	script[script_length++] = *io;
}

ssize_t __wrap_write(int fd, const void *buffer, size_t size)
{
	if (!fakesys_is_descriptor(fd))
		return __real_write(fd, buffer, size);
	if (!fakesys_is_device(fd)) {
		errno = EBADF;
		return -1;
	}
	written_size = size;
	memcpy(written, buffer, size < sizeof(written) ? size : sizeof(written));
	return next_io(FAKESYS_WRITE)->result;
}

int __wrap_poll(struct pollfd *fds, nfds_t count, int timeout)
{
	struct fakesys_io *io;

	if (!fakesys_is_descriptor(fds[0].fd))
		return __real_poll(fds, count, timeout);
	assert_int_equal(count, 1);
	assert_int_equal(fds[0].events, POLLIN);
	poll_timeouts[poll_count++] = timeout;
	io = next_io(FAKESYS_POLL);
	fds[0].revents = io->revents;
	return (int)io->result;
}

int __wrap_ioctl(int fd, unsigned long request, ...)
{
	size_t size = _IOC_SIZE(request);
	struct fakesys_io *io;
	uint8_t *argument;
	va_list args;

	va_start(args, request);
	argument = va_arg(args, uint8_t *);
	va_end(args);
	if (!fakesys_is_descriptor(fd))
		return __real_ioctl(fd, request, argument);
	if (!fakesys_is_device(fd)) {
		errno = EBADF;
		return -1;
	}
	io = next_io(FAKESYS_IOCTL);
	assert_int_equal(request, io->request);
	assert_between(size, 0, sizeof(ioctl_argument));
	if (size)
		memcpy(ioctl_argument, argument, size);
	if (io->reply)
		memcpy(argument + io->reply_at, &io->reply, sizeof(io->reply));
	return (int)io->result;
}

int __wrap_clock_gettime(clockid_t id, struct timespec *time)
{
	assert_true(id == CLOCK_MONOTONIC || id == CLOCK_REALTIME);
	time->tv_sec = clock_ms / 1000;
	time->tv_nsec = clock_ms % 1000 * 1000000;
	return 0;
}

const uint8_t *fakesys_written(size_t *size)
{
	*size = written_size;
	return written;
}

const uint8_t *fakesys_ioctl_argument(void)
{
	return ioctl_argument;
}

int fakesys_poll_timeout(int number)
{
	assert_between(number, 0, poll_count - 1);
	return poll_timeouts[number];
}

size_t fakesys_read_size(void)
{
	return read_size;
}
