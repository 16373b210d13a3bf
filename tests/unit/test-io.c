/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * test-io.c - sending, receiving and waiting (libibumad/io/io.c).
 */
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "fakesys.h"
#include "libibumad/internal.h"

enum { HEADER = 64, LEGACY_HEADER = 56, MAD = 256, AGENT = 5, UNTOUCHED = 0xa5 };

static int port, length;
static union {
	struct ib_user_mad head;
	uint8_t bytes[HEADER + MAD];
} sent, buffer;

static int setup(void **state)
{
	fakesys_setup(state);
	umad_state_set_pkey_layout(true);
	port = fakesys_open_device();
	memset(&buffer, UNTOUCHED, sizeof(buffer));
	memset(&sent, 0, sizeof(sent));
	sent.head.agent_id = AGENT;
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

static void send_writes_header_and_mad(void **state)
{
	const struct ib_user_mad *written;
	size_t size;

	(void)state;
	buffer.head.length = 0;
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

static void negative_timeout_means_for_ever(void **state)
{
	(void)state;
	expect_write(HEADER + MAD);
	assert_int_equal(umad_send(port, AGENT, &buffer, MAD, -1, 0), 0);
	assert_int_equal(buffer.head.timeout_ms, UINT32_MAX);
}

static void older_header_is_shorter(void **state)
{
	size_t size;

	(void)state;
	umad_state_set_pkey_layout(false);
	expect_write(LEGACY_HEADER + 24);
	assert_int_equal(umad_send(port, AGENT, &buffer, 24, 0, 0), 0);
	fakesys_written(&size);
	assert_int_equal(size, LEGACY_HEADER + 24);
	expect_mad(LEGACY_HEADER + 24);
	assert_int_equal(umad_recv(port, &buffer, &length, 0), AGENT);
	assert_int_equal(length, 24);
	assert_int_equal(fakesys_read_size(), LEGACY_HEADER + MAD);
}

static void send_without_data_is_sent(void **state)
{
	(void)state;
	expect_write(HEADER);
	assert_int_equal(umad_send(port, AGENT, &buffer, 0, 0, 0), 0);
}

static void send_failure_is_eio_with_the_reason_in_errno(void **state)
{
	(void)state;
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

static void send_goes_on_after_a_signal(void **state)
{
	(void)state;
	expect_failure(KERNEL_WRITE, EINTR);
	expect_write(HEADER + MAD);
	assert_int_equal(umad_send(port, AGENT, &buffer, MAD, 0, 0), 0);
}

static void impossible_arguments_are_refused(void **state)
{
	int negative = -1;

	(void)state;
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

static void recv_returns_agent_and_length(void **state)
{
	(void)state;
	sent.head.status = ETIMEDOUT;
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

static void recv_without_timeout_does_not_wait(void **state)
{
	(void)state;
	expect_mad(HEADER + MAD);
	assert_int_equal(umad_recv(port, &buffer, &length, 0), AGENT);
	assert_int_equal(length, MAD);
	expect_failure(KERNEL_READ, EAGAIN);
	assert_nothing_received(0, EWOULDBLOCK);
	/* As a simulator says it. */
	fakesys_expect(&(struct fakesys_io){ .call = KERNEL_READ, .result = -EWOULDBLOCK });
	assert_nothing_received(0, EWOULDBLOCK);
}

static void recv_times_out(void **state)
{
	(void)state;
	expect_poll(100, 0);
	assert_nothing_received(100, ETIMEDOUT);
	assert_int_equal(fakesys_poll_timeout(0), 100);
}

static void recv_waits_for_ever(void **state)
{
	(void)state;
	expect_poll(1000000, POLLIN);
	expect_mad(HEADER + MAD);
	assert_int_equal(umad_recv(port, &buffer, &length, -1), AGENT);
	assert_int_equal(fakesys_poll_timeout(0), -1);
}

static void signals_do_not_make_recv_wait_longer(void **state)
{
	(void)state;
	fakesys_expect(&(struct fakesys_io){ .call = KERNEL_POLL, .error = EINTR, .takes_ms = 70 });
	expect_poll(30, 0);
	assert_nothing_received(100, ETIMEDOUT);
	assert_int_equal(fakesys_poll_timeout(1), 30);
}

/* Another thread fetched what was announced: the wait goes on, up to the same deadline. */
static void recv_that_comes_too_late_waits_on(void **state)
{
	(void)state;
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

static void recv_failures_are_told(void **state)
{
	(void)state;
	expect_failure(KERNEL_POLL, ENOMEM);
	assert_nothing_received(100, ENOMEM);
	expect_poll(0, POLLIN);
	expect_failure(KERNEL_READ, ENODEV);
	assert_nothing_received(100, ENODEV);
	expect_failure(KERNEL_READ, EINVAL);
	assert_nothing_received(0, EINVAL);
}

/* A device that has gone makes poll() return at once, forever; reading it says why, or nothing. */
static void trouble_without_input_ends_recv(void **state)
{
	(void)state;
	expect_poll(0, POLLERR);
	expect_failure(KERNEL_READ, EIO);
	assert_nothing_received(-1, EIO);
	expect_poll(0, POLLHUP);
	expect_failure(KERNEL_READ, EAGAIN);
	assert_nothing_received(-1, EIO);
}

static void mad_that_is_too_large_tells_its_length(void **state)
{
	(void)state;
	sent.head.length = HEADER + 3000;
	fakesys_expect(&(struct fakesys_io){
		.call = KERNEL_READ, .data = &sent, .size = HEADER, .error = ENOSPC });
	assert_fails(umad_recv(port, &buffer, &length, 0), ENOSPC);
	assert_int_equal(length, 3000);
}

static void impossible_length_is_not_told(void **state)
{
	static const uint32_t lengths[] = { 0, HEADER, HEADER + MAD, (uint32_t)INT_MAX + 1,
					    UINT32_MAX };
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
		sent.head.length = lengths[i];
		fakesys_expect(&(struct fakesys_io){
			.call = KERNEL_READ, .data = &sent, .size = HEADER, .error = ENOSPC });
		assert_nothing_received(0, ENOSPC);
	}
}

static void read_of_less_than_a_header_is_no_mad(void **state)
{
	(void)state;
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

static void largest_buffer_does_not_overflow(void **state)
{
	(void)state;
	length = INT_MAX;
	expect_mad(HEADER + MAD);
	assert_int_equal(umad_recv(port, &buffer, &length, 0), AGENT);
	assert_int_equal(length, MAD);
	assert_true(fakesys_read_size() ==
		    (sizeof(size_t) > sizeof(int) ? (size_t)HEADER + INT_MAX : SSIZE_MAX));
}

static void poll_tells_input_time_out_and_trouble(void **state)
{
	(void)state;
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

int main(void)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		CASE(send_writes_header_and_mad),
		CASE(negative_timeout_means_for_ever),
		CASE(older_header_is_shorter),
		CASE(send_without_data_is_sent),
		CASE(send_failure_is_eio_with_the_reason_in_errno),
		CASE(send_goes_on_after_a_signal),
		CASE(impossible_arguments_are_refused),
		CASE(recv_returns_agent_and_length),
		CASE(recv_without_timeout_does_not_wait),
		CASE(recv_times_out),
		CASE(recv_waits_for_ever),
		CASE(signals_do_not_make_recv_wait_longer),
		CASE(recv_that_comes_too_late_waits_on),
		CASE(recv_failures_are_told),
		CASE(trouble_without_input_ends_recv),
		CASE(mad_that_is_too_large_tells_its_length),
		CASE(impossible_length_is_not_told),
		CASE(read_of_less_than_a_header_is_no_mad),
		CASE(largest_buffer_does_not_overflow),
		CASE(poll_tells_input_time_out_and_trouble),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
