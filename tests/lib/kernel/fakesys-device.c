/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* fakesys-device.c - open umad devices of fakesys, whose calls give what the test has written down.
 */
#include "fakesys.h"
#include "test.h"

#include <errno.h>
#include <linux/ioctl.h>
#include <poll.h>
#include <pthread.h>
#include <string.h>

enum { MAX_SCRIPT = 1024, NS_PER_MS = 1000000 };
#define CLOCK_AT_FIRST INT64_C(5000000000000)

static struct fakesys_io script[MAX_SCRIPT];
static int script_length, script_at;
struct fakesys_calls fakesys_calls;

void fakesys_device_reset(void)
{
	script_length = script_at = 0;
	fakesys_calls = (struct fakesys_calls){ 0 };
	kernel.now_ns = CLOCK_AT_FIRST;
}

int fakesys_device_left(void)
{
	return script_length - script_at;
}

static struct fakesys_io *next_io(enum kernel_call call)
{
	struct fakesys_io *io = &script[script_at];

	if (script_at == script_length || io->call != call)
		fail_msg("call %d (of kernel_call) was not expected", call);
	script_at++;
	kernel.now_ns += (int64_t)io->takes_ms * NS_PER_MS;
	if (io->cancels)
		pthread_cancel(pthread_self());
	if (call != KERNEL_READ && call != KERNEL_IOCTL)
		pthread_testcancel();
	if (io->error) {
		errno = io->error;
		io->result = -1;
	}
	return io;
}

ssize_t fakesys_device_read(int device, void *buffer, size_t size)
{
	struct fakesys_io *io;

	(void)device;
	fakesys_calls.read_size = size;
	io = next_io(KERNEL_READ);
	memcpy(buffer, io->data ? io->data : "", io->size < size ? io->size : size);
	return io->result;
}

void fakesys_expect(const struct fakesys_io *io)
{
	assert_between(script_length, 0, MAX_SCRIPT - 1);
	script[script_length++] = *io;
}

ssize_t fakesys_device_write(int device, const void *buffer, size_t size)
{
	(void)device;
	fakesys_calls.written_size = size;
	memcpy(fakesys_calls.written, buffer,
	       size < sizeof(fakesys_calls.written) ? size : sizeof(fakesys_calls.written));
	return next_io(KERNEL_WRITE)->result;
}

int fakesys_device_poll(int device, struct pollfd *polled, int timeout_ms)
{
	struct fakesys_io *io;

	(void)device;
	assert_int_equal(polled->events, POLLIN);
	if (!fakesys_calls.polls++)
		fakesys_calls.poll_timeout = timeout_ms;
	io = next_io(KERNEL_POLL);
	polled->revents = io->revents;
	return (int)io->result;
}

int fakesys_device_ioctl(int device, unsigned long request, void *argument)
{
	size_t size = _IOC_SIZE(request);
	struct fakesys_io *io;

	(void)device;
	io = next_io(KERNEL_IOCTL);
	assert_int_equal(request, io->request);
	assert_between(size, 0, sizeof(fakesys_calls.ioctl_argument));
	if (size)
		memcpy(fakesys_calls.ioctl_argument, argument, size);
	if (io->reply)
		memcpy((uint8_t *)argument + io->reply_at, &io->reply, sizeof(io->reply));
	return (int)io->result;
}
