/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * test-io.c - sending, receiving and waiting (libibumad/io/io.c).
 */
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <string.h>

#include "test.h"
#include "fakesys.h"
#include "libibumad/internal.h"

enum { HEADER = 64, LEGACY_HEADER = 56, MAD = 256, AGENT = 5, UNTOUCHED = 0xa5 };

static int port, length;
static union {
	struct ib_user_mad umad;
	uint8_t bytes[HEADER + MAD];
} sent, buffer;

static int setup(void **state)
{
	fakesys_setup(state);
	umad_state_set_pkey_layout(true);
	port = fakesys_open_device();
	memset(&buffer, UNTOUCHED, sizeof(buffer));
	memset(&sent, 0, sizeof(sent));
	sent.umad.agent_id = AGENT;
	length = MAD;
	return 0;
}

static int teardown(void **state)
{
	umad_close_port(port);
	return fakesys_teardown(state);
}

static void expect_poll(int takes_ms, short revents)
{
	fakesys_expect(&(struct fakesys_io){ .call = KERNEL_POLL,
					     .takes_ms = takes_ms,
					     .revents = revents,
					     .result = revents != 0 });
}

static void expect_failure(enum kernel_call call, int error)
{
	fakesys_expect(&(struct fakesys_io){ .call = call, .error = error });
}

/* The device delivers size bytes of sent. */
static void expect_mad(size_t size)
{
	fakesys_expect(&(struct fakesys_io){
		.call = KERNEL_READ, .data = &sent, .size = size, .result = (ssize_t)size });
}

#define assert_fails(call, error)                 \
	do {                                      \
		errno = 0;                        \
		assert_int_equal(call, -(error)); \
		assert_int_equal(errno, error);   \
	} while (0)

/* What fails leaves the length as it was. */
#define assert_nothing_received(timeout_ms, error)                                  \
	do {                                                                        \
		length = MAD;                                                       \
		assert_fails(umad_recv(port, &buffer, &length, timeout_ms), error); \
		assert_int_equal(length, MAD);                                      \
	} while (0)

static void expect_write(ssize_t result)
{
	fakesys_expect(&(struct fakesys_io){ .call = KERNEL_WRITE, .result = result });
}

#define CASE(name) TEST_WITH(name, setup, teardown)

CASE(send_writes_header_and_mad)
{
	const struct ib_user_mad *written;
	size_t size;

	buffer.umad.length = 0;
	expect_write(HEADER + MAD);
	assert_int_equal(umad_send(port, AGENT, &buffer, MAD, 1000, 3), 0);
	written = (const struct ib_user_mad *)fakesys_written(&size);
	assert_int_equal(size, HEADER + MAD);
	assert_int_equal(written->agent_id, AGENT);
	assert_int_equal(written->timeout_ms, 1000);
	assert_int_equal(written->retries, 3);
	assert_memory_equal(written, &buffer, HEADER + MAD);
	assert_int_equal(buffer.bytes[HEADER], UNTOUCHED);
}

CASE(negative_timeout_means_for_ever)
{
	expect_write(HEADER + MAD);
	assert_int_equal(umad_send(port, AGENT, &buffer, MAD, -1, 0), 0);
	assert_int_equal(buffer.umad.timeout_ms, UINT32_MAX);
}

CASE(older_header_is_shorter)
{
	size_t size;

	umad_state_set_pkey_layout(false);
	expect_write(LEGACY_HEADER + 36);
	assert_int_equal(umad_send(port, AGENT, &buffer, 36, 0, 0), 0);
	fakesys_written(&size);
	assert_int_equal(size, LEGACY_HEADER + 36);
	expect_mad(LEGACY_HEADER + 24);
	assert_int_equal(umad_recv(port, &buffer, &length, 0), AGENT);
	assert_int_equal(length, 24);
	assert_int_equal(fakesys_read_size(), LEGACY_HEADER + MAD);
}

/* Kernels refuse it, or write beyond their own buffer. */
CASE(a_mad_shorter_than_its_headers_is_not_sent)
{
	static const struct {
		uint8_t mgmt_class;
		int length;
	} least[] = { { UNTOUCHED, 36 }, { 0x81, 36 }, { 0x03, 56 }, { 0x06, 64 },
		      { 0x10, 64 },	 { 0x12, 64 }, { 0x30, 40 }, { 0x4f, 40 } };

	for (size_t i = 0; i < COUNT(least); i++) {
		buffer.bytes[HEADER + 1] = least[i].mgmt_class;
		errno = 0;
		assert_int_equal(umad_send(port, AGENT, &buffer, least[i].length - 1, 0, 0), -EIO);
		assert_int_equal(errno, EINVAL);
		assert_int_equal(umad_send(port, AGENT, &buffer, 0, 0, 0), -EIO);
		expect_write((ssize_t)HEADER + least[i].length);
		assert_int_equal(umad_send(port, AGENT, &buffer, least[i].length, 0, 0), 0);
	}
}

CASE(send_failure_is_eio_with_the_reason_in_errno)
{
	expect_failure(KERNEL_WRITE, EINVAL);
	assert_int_equal(umad_send(port, AGENT, &buffer, MAD, 0, 0), -EIO);
	assert_int_equal(errno, EINVAL);
	expect_write(-ENETUNREACH);
	assert_int_equal(umad_send(port, AGENT, &buffer, MAD, 0, 0), -EIO);
	assert_int_equal(errno, ENETUNREACH);
	expect_write(HEADER + MAD - 1);
	assert_fails(umad_send(port, AGENT, &buffer, MAD, 0, 0), EIO);
	expect_write(0);
	assert_fails(umad_send(port, AGENT, &buffer, MAD, 0, 0), EIO);
	assert_int_equal(umad_send(port + 1, AGENT, &buffer, MAD, 0, 0), -EIO);
	assert_int_equal(errno, EBADF);
}

CASE(send_goes_on_after_a_signal)
{
	expect_failure(KERNEL_WRITE, EINTR);
	expect_write(HEADER + MAD);
	assert_int_equal(umad_send(port, AGENT, &buffer, MAD, 0, 0), 0);
}

CASE(impossible_arguments_are_refused)
{
	int negative = -1;

	assert_fails(umad_send(-1, AGENT, &buffer, MAD, 0, 0), EINVAL);
	assert_fails(umad_send(port, -1, &buffer, MAD, 0, 0), EINVAL);
	assert_fails(umad_send(port, AGENT, NULL, MAD, 0, 0), EINVAL);
	assert_fails(umad_send(port, AGENT, &buffer, -1, 0, 0), EINVAL);
	assert_fails(umad_recv(-1, &buffer, &length, 0), EINVAL);
	assert_fails(umad_recv(port, NULL, &length, 0), EINVAL);
	assert_fails(umad_recv(port, &buffer, NULL, 0), EINVAL);
	assert_fails(umad_recv(port, &buffer, &negative, 0), EINVAL);
	assert_fails(umad_poll(-1, 0), EINVAL);
	assert_int_equal(length, MAD);
	assert_int_equal(buffer.bytes[0], UNTOUCHED);
}

CASE(recv_returns_agent_and_length)
{
	sent.umad.status = ETIMEDOUT;
	sent.bytes[HEADER + 23] = 0x17;
	expect_poll(10, POLLIN);
	expect_mad(HEADER + 24);
	errno = 0;
	assert_int_equal(umad_recv(port, &buffer, &length, 100), AGENT);
	assert_int_equal(length, 24);
	assert_int_equal(umad_status(&buffer), ETIMEDOUT);
	assert_int_equal(buffer.bytes[HEADER + 23], 0x17);
	assert_int_equal(buffer.bytes[HEADER + 24], UNTOUCHED);
	assert_int_equal(fakesys_read_size(), HEADER + MAD);
	assert_int_equal(errno, 0);
}

CASE(recv_without_timeout_does_not_wait)
{
	expect_mad(HEADER + MAD);
	assert_int_equal(umad_recv(port, &buffer, &length, 0), AGENT);
	assert_int_equal(length, MAD);
	expect_failure(KERNEL_READ, EAGAIN);
	assert_nothing_received(0, EWOULDBLOCK);
	/* As a simulator reports it. */
	fakesys_expect(&(struct fakesys_io){ .call = KERNEL_READ, .result = -EWOULDBLOCK });
	assert_nothing_received(0, EWOULDBLOCK);
}

CASE(recv_times_out)
{
	expect_poll(100, 0);
	assert_nothing_received(100, ETIMEDOUT);
	assert_int_equal(fakesys_poll_timeout(0), 100);
}

CASE(recv_waits_for_ever)
{
	expect_poll(1000000, POLLIN);
	expect_mad(HEADER + MAD);
	assert_int_equal(umad_recv(port, &buffer, &length, -1), AGENT);
	assert_int_equal(fakesys_poll_timeout(0), -1);
}

/* Servers stop by a handler that sets a flag. */
CASE(signals_end_waits)
{
	int timeouts[] = { 100, -1 };

	for (size_t i = 0; i < COUNT(timeouts); i++) {
		expect_failure(KERNEL_POLL, EINTR);
		errno = 0;
		assert_int_equal(umad_recv(port, &buffer, &length, timeouts[i]), -EIO);
		assert_int_equal(errno, EINTR);
		expect_failure(KERNEL_POLL, EINTR);
		errno = 0;
		assert_int_equal(umad_poll(port, timeouts[i]), -EIO);
		assert_int_equal(errno, EINTR);
	}
	expect_failure(KERNEL_POLL, EINTR); /* this one does not wait */
	expect_poll(0, POLLIN);
	assert_int_equal(umad_poll(port, 0), 0);
}

/* Another thread fetched what was announced: the wait goes on, up to the same deadline. */
CASE(recv_that_comes_too_late_waits_on)
{
	expect_poll(40, POLLIN);
	expect_failure(KERNEL_READ, EAGAIN);
	expect_poll(40, POLLIN);
	expect_failure(KERNEL_READ, EAGAIN);
	expect_poll(20, 0);
	assert_nothing_received(100, ETIMEDOUT);
	assert_int_equal(fakesys_poll_timeout(2), 20);
	expect_poll(40, POLLIN);
	expect_failure(KERNEL_READ, EAGAIN);
	expect_poll(40, POLLIN);
	expect_mad(HEADER + MAD);
	assert_int_equal(umad_recv(port, &buffer, &length, -1), AGENT);
}

CASE(recv_failures_are_reported)
{
	expect_failure(KERNEL_POLL, ENOMEM);
	assert_nothing_received(100, ENOMEM);
	expect_poll(0, POLLIN);
	expect_failure(KERNEL_READ, ENODEV);
	assert_nothing_received(100, ENODEV);
	expect_failure(KERNEL_READ, EINVAL);
	assert_nothing_received(0, EINVAL);
}

/* On a removed device poll() always returns at once; read() reports the reason, or nothing. */
CASE(trouble_without_input_ends_recv)
{
	expect_poll(0, POLLERR);
	expect_failure(KERNEL_READ, EIO);
	assert_nothing_received(-1, EIO);
	expect_poll(0, POLLHUP);
	expect_failure(KERNEL_READ, EAGAIN);
	assert_nothing_received(-1, EIO);
}

CASE(mad_that_is_too_large_tells_its_length)
{
	sent.umad.length = HEADER + 3000;
	fakesys_expect(&(struct fakesys_io){
		.call = KERNEL_READ, .data = &sent, .size = HEADER, .error = ENOSPC });
	assert_fails(umad_recv(port, &buffer, &length, 0), ENOSPC);
	assert_int_equal(length, 3000);
}

CASE(impossible_length_is_not_reported)
{
	static const uint32_t lengths[] = { 0, HEADER, HEADER + MAD, (uint32_t)INT_MAX + 1,
					    UINT32_MAX };
	size_t i;

	for (i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
		sent.umad.length = lengths[i];
		fakesys_expect(&(struct fakesys_io){
			.call = KERNEL_READ, .data = &sent, .size = HEADER, .error = ENOSPC });
		assert_nothing_received(0, ENOSPC);
	}
}

CASE(read_of_less_than_a_header_is_no_mad)
{
	expect_mad(0);
	assert_nothing_received(0, EIO);
	expect_mad(HEADER - 1);
	assert_nothing_received(0, EIO);
	expect_mad(HEADER + MAD + 1); /* more than fits the buffer */
	assert_nothing_received(0, EIO);
	expect_mad(HEADER);
	assert_int_equal(umad_recv(port, &buffer, &length, 0), AGENT);
	assert_int_equal(length, 0);
}

CASE(largest_buffer_does_not_overflow)
{
	length = INT_MAX;
	expect_mad(HEADER + MAD);
	assert_int_equal(umad_recv(port, &buffer, &length, 0), AGENT);
	assert_int_equal(length, MAD);
	assert_true(fakesys_read_size() ==
		    (sizeof(size_t) > sizeof(int) ? (size_t)HEADER + INT_MAX : SSIZE_MAX));
}

CASE(poll_tells_input_time_out_and_trouble)
{
	expect_poll(0, POLLIN);
	assert_int_equal(umad_poll(port, 100), 0);
	expect_poll(0, POLLIN | POLLERR);
	assert_int_equal(umad_poll(port, -1), 0);
	assert_int_equal(fakesys_poll_timeout(1), -1);
	expect_poll(0, 0);
	assert_fails(umad_poll(port, 0), ETIMEDOUT);
	expect_poll(100, 0);
	assert_fails(umad_poll(port, 100), ETIMEDOUT);
	expect_poll(0, POLLERR);
	assert_fails(umad_poll(port, 100), EIO);
	expect_poll(0, POLLHUP);
	assert_fails(umad_poll(port, 100), EIO);
	expect_poll(0, POLLNVAL);
	assert_fails(umad_poll(port, 100), EINVAL);
	expect_failure(KERNEL_POLL, ENOMEM);
	assert_int_equal(umad_poll(port, 100), -EIO);
	assert_int_equal(errno, ENOMEM);
}
