/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * test-io.c - sending, receiving and waiting (libibumad/io/io.c); registering agents (agent.c).
 */
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <string.h>

#include "test.h"
#include "fakesys.h"
#include "libibumad/internal.h"

enum { HEADER = 64, MAD = 256, AGENT = 5, UNTOUCHED = 0xa5 };

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

#define POLL(ms, events)                                                    \
	{                                                                   \
		.call = KERNEL_POLL, .takes_ms = (ms), .revents = (events), \
		.result = (events) != 0                                     \
	}
#define FAILS(call_, error_)                       \
	{                                          \
		.call = (call_), .error = (error_) \
	}
#define AGAIN FAILS(KERNEL_READ, EAGAIN)

/* The device delivers size bytes of sent. */
#define READ(size_)                                                                             \
	{                                                                                       \
		.call = KERNEL_READ, .data = &sent, .size = (size_), .result = (ssize_t)(size_) \
	}

static void expect(const struct fakesys_io *calls, size_t count)
{
	for (size_t i = 0; i < count && (i == 0 || calls[i].call || calls[i].result); i++)
		fakesys_expect(&calls[i]);
}

static void expect_write(ssize_t result, int error)
{
	fakesys_expect(
		&(struct fakesys_io){ .call = KERNEL_WRITE, .result = result, .error = error });
}

#define CASE(name) TEST_WITH(name, setup, teardown)

CASE(send_writes_header_and_mad)
{
	const struct ib_user_mad *written = (const void *)fakesys_calls.written;

	buffer.umad.length = 0;
	expect_write(HEADER + MAD, 0);
	assert_int_equal(umad_send(port, AGENT, &buffer, MAD, 1000, 3), 0);
	assert_int_equal(fakesys_calls.written_size, HEADER + MAD);
	assert_int_equal(written->agent_id, AGENT);
	assert_int_equal(written->timeout_ms, 1000);
	assert_int_equal(written->retries, 3);
	assert_memory_equal(written, &buffer, HEADER + MAD);
	assert_int_equal(buffer.bytes[HEADER], UNTOUCHED);
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
		expect_write((ssize_t)HEADER + least[i].length, 0);
		assert_int_equal(umad_send(port, AGENT, &buffer, least[i].length, 0, 0), 0);
	}
}

CASE(send_failure_is_eio_with_the_reason_in_errno)
{
	static const struct {
		ssize_t result;
		int error, reason;
	} rows[] = { { 0, EINVAL, EINVAL },
		     { -ENETUNREACH, 0, ENETUNREACH },
		     { HEADER + MAD - 1, 0, EIO },
		     { 0, 0, EIO } };

	for (size_t i = 0; i < COUNT(rows); i++) {
		expect_write(rows[i].result, rows[i].error);
		errno = 0;
		assert_int_equal(umad_send(port, AGENT, &buffer, MAD, 0, 0), -EIO);
		assert_int_equal(errno, rows[i].reason);
	}
	assert_int_equal(umad_send(port + 1, AGENT, &buffer, MAD, 0, 0), -EIO);
	assert_int_equal(errno, EBADF);
	expect_write(0, EINTR); /* the call goes on after a signal */
	expect_write(HEADER + MAD, 0);
	assert_int_equal(umad_send(port, AGENT, &buffer, MAD, 0, 0), 0);
}

CASE(impossible_arguments_are_refused)
{
	static const int agents[][2] = { { 4, 1 }, { -1, 1 }, { 256, 1 }, { 4, -1 }, { 4, 256 } };
	struct umad_reg_attr attributes = { .mgmt_class = 4, .mgmt_class_version = 1 };
	uint8_t oui[3] = { 0, 0, 1 };
	uint32_t agent = 4711;
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
	for (size_t i = 0; i < COUNT(agents); i++)
		assert_fails(umad_register(i ? port : -1, agents[i][0], agents[i][1], 0, NULL),
			     EINVAL);
	assert_fails(umad_register_oui(-1, 0x30, 0, oui, NULL), EINVAL);
	assert_fails(umad_register_oui(port, 0x2f, 0, oui, NULL), EINVAL);
	assert_fails(umad_register_oui(port, 0x50, 0, oui, NULL), EINVAL);
	assert_fails(umad_register_oui(port, 0x30, 0, NULL, NULL), EINVAL);
	assert_int_equal(umad_register2(-1, &attributes, &agent), EINVAL);
	assert_int_equal(umad_register2(port, NULL, &agent), EINVAL);
	assert_int_equal(umad_register2(port, &attributes, NULL), EINVAL);
	assert_int_equal(agent, 4711);
	assert_int_equal(length, MAD);
	assert_int_equal(buffer.bytes[0], UNTOUCHED);
}

static void expect_registration(unsigned int request, int error)
{
	fakesys_expect(&(struct fakesys_io){ .call = KERNEL_IOCTL,
					     .request = request,
					     .error = error,
					     .reply = error ? 0 : AGENT });
}

/* Offsets are the kernel's. Method m is bit m % 64 of a word in the newer request, and of a long in
 * the older one, which is made where the newer is not known, if no flags are wanted. */
CASE(attributes_are_passed_on)
{
	struct umad_reg_attr attr = { .mgmt_class = 0x30,
				      .mgmt_class_version = 1,
				      .flags = UMAD_USER_RMPP,
				      .method_mask = { 0x8000000000000001, 0x0123456789abcdef },
				      .oui = 0x112233,
				      .rmpp_version = 1 };
	const uint8_t *request = fakesys_calls.ioctl_argument;
	uint32_t agent_id = 4711, number;
	unsigned long mask[16 / sizeof(long)];

	expect_registration(IB_USER_MAD_REGISTER_AGENT2, 0);
	assert_int_equal(umad_register2(port, &attr, &agent_id), 0);
	assert_int_equal(agent_id, AGENT);
	memcpy(&number, request + 4, 4);
	assert_int_equal(number, 1); /* QP */
	memcpy(&number, request + 12, 4);
	assert_int_equal(number, UMAD_USER_RMPP);
	memcpy(&number, request + 32, 4);
	assert_int_equal(number, 0x112233);
	assert_int_equal(request[8], 0x30);
	assert_int_equal(request[9], 1);
	assert_int_equal(request[36], 1);
	assert_memory_equal(request + 16, attr.method_mask, 16);

	attr.flags = 0;
	expect_registration(IB_USER_MAD_REGISTER_AGENT2, ENOTTY);
	expect_registration(IB_USER_MAD_REGISTER_AGENT, 0);
	agent_id = 4711;
	assert_int_equal(umad_register2(port, &attr, &agent_id), 0);
	assert_int_equal(agent_id, AGENT);
	assert_memory_equal(request + 20, "\1\x30\1\x11\x22\x33\1", 7);
	memcpy(mask, request + 4, sizeof(mask));
	for (size_t method = 0, bits = 8 * sizeof(long); method < 128; method++)
		assert_int_equal(mask[method / bits] >> method % bits & 1,
				 attr.method_mask[method / 64] >> method % 64 & 1);
	attr.oui = 0x1000000;
	assert_int_equal(umad_register2(port, &attr, &agent_id), EINVAL);
}

CASE(flags_that_the_kernel_supports_are_reported)
{
	static const struct {
		uint32_t wanted;
		int error;
		uint32_t known, reported;
	} rows[] = {
		{ UMAD_USER_RMPP | 2, EINVAL, UMAD_USER_RMPP, UMAD_USER_RMPP },
		{ UMAD_USER_RMPP, ENOTTY, 0, 0 },
		{ UMAD_USER_RMPP, EINVAL, 0, UMAD_USER_RMPP }, /* no reason in the reply */
		{ UMAD_USER_RMPP, EINVAL, UMAD_USER_RMPP, UMAD_USER_RMPP }, /* of all else */
		{ 0, ENOMEM, 0, 0 }, /* and there is no second request */
		{ 0, EPERM, 0, 0 },
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct umad_reg_attr attr = { .mgmt_class = 4,
					      .mgmt_class_version = 1,
					      .flags = rows[i].wanted };
		uint32_t agent_id = 4711;

		fakesys_expect(&(struct fakesys_io){ .call = KERNEL_IOCTL,
						     .request = IB_USER_MAD_REGISTER_AGENT2,
						     .error = rows[i].error,
						     .reply_at = 12, /* flags of the request */
						     .reply = rows[i].known });
		assert_int_equal(umad_register2(port, &attr, &agent_id), rows[i].error);
		assert_int_equal(errno, rows[i].error);
		assert_int_equal(attr.flags, rows[i].reported);
		assert_int_equal(agent_id, 4711);
	}
}

/* umad_recv() by the results of the kernel's calls; a failure leaves the length as it was. */
CASE(receptions)
{
	static const struct {
		int timeout_ms;
		struct fakesys_io calls[5];
		int result, reason, length;
	} rows[] = {
		{ 100, { POLL(10, POLLIN), READ(HEADER + 24) }, AGENT, 0, 24 },
		{ 0, { READ(HEADER + MAD) }, AGENT, 0, MAD },
		{ 0, { READ(HEADER) }, AGENT, 0, 0 },
		{ -1, { POLL(1000000, POLLIN), READ(HEADER + MAD) }, AGENT, 0, MAD },
		{ 0, { AGAIN }, -EWOULDBLOCK, EWOULDBLOCK, MAD },
		/* As a simulator reports it. */
		{ 0,
		  { { .call = KERNEL_READ, .result = -EWOULDBLOCK } },
		  -EWOULDBLOCK,
		  EWOULDBLOCK,
		  MAD },
		{ 100, { POLL(100, 0) }, -ETIMEDOUT, ETIMEDOUT, MAD },
		/* Another thread fetched it: the wait goes on, up to the same deadline. */
		{ 100,
		  { POLL(40, POLLIN), AGAIN, POLL(40, POLLIN), AGAIN, POLL(20, 0) },
		  -ETIMEDOUT,
		  ETIMEDOUT,
		  MAD },
		{ -1,
		  { POLL(40, POLLIN), AGAIN, POLL(40, POLLIN), READ(HEADER + MAD) },
		  AGENT,
		  0,
		  MAD },
		{ 100, { FAILS(KERNEL_POLL, ENOMEM) }, -ENOMEM, ENOMEM, MAD },
		{ 100, { POLL(0, POLLIN), FAILS(KERNEL_READ, ENODEV) }, -ENODEV, ENODEV, MAD },
		{ 0, { FAILS(KERNEL_READ, EINVAL) }, -EINVAL, EINVAL, MAD },
		/* On a removed device poll() returns at once; read() says why, or nothing. */
		{ -1, { POLL(0, POLLERR), FAILS(KERNEL_READ, EIO) }, -EIO, EIO, MAD },
		{ -1, { POLL(0, POLLHUP), AGAIN }, -EIO, EIO, MAD },
		/* Less than a header, and more than the buffer. */
		{ 0, { READ(0) }, -EIO, EIO, MAD },
		{ 0, { READ(HEADER - 1) }, -EIO, EIO, MAD },
		{ 0, { READ(HEADER + MAD + 1) }, -EIO, EIO, MAD },
		/* Servers stop by a handler that sets a flag. */
		{ 100, { FAILS(KERNEL_POLL, EINTR) }, -EIO, EINTR, MAD },
		{ -1, { FAILS(KERNEL_POLL, EINTR) }, -EIO, EINTR, MAD },
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		fakesys_device_reset();
		expect(rows[i].calls, COUNT(rows[i].calls));
		length = MAD;
		errno = 0;
		if (umad_recv(port, &buffer, &length, rows[i].timeout_ms) != rows[i].result)
			fail_msg("row %zu does not end with %d", i, rows[i].result);
		assert_int_equal(errno, rows[i].reason);
		assert_int_equal(length, rows[i].length);
		assert_int_equal(fakesys_device_left(), 0);
		if (rows[i].timeout_ms)
			assert_int_equal(fakesys_calls.poll_timeout, rows[i].timeout_ms);
	}
}

/* An impossible length is not reported. */
CASE(mad_that_is_too_large_tells_its_length)
{
	static const struct {
		uint32_t length;
		int reported;
	} rows[] = { { HEADER + 3000, 3000 }, { 0, MAD },	   { HEADER, MAD },
		     { HEADER + MAD, MAD },   { UINT32_MAX, MAD }, { (uint32_t)INT_MAX + 1, MAD } };

	for (size_t i = 0; i < COUNT(rows); i++) {
		sent.umad.length = rows[i].length;
		length = MAD;
		fakesys_expect(&(struct fakesys_io){
			.call = KERNEL_READ, .data = &sent, .size = HEADER, .error = ENOSPC });
		assert_fails(umad_recv(port, &buffer, &length, 0), ENOSPC);
		assert_int_equal(length, rows[i].reported);
	}
}

CASE(largest_buffer_does_not_overflow)
{
	length = INT_MAX;
	fakesys_expect(&(struct fakesys_io)READ(HEADER + MAD));
	assert_int_equal(umad_recv(port, &buffer, &length, 0), AGENT);
	assert_int_equal(length, MAD);
	assert_true(fakesys_calls.read_size ==
		    (sizeof(size_t) > sizeof(int) ? (size_t)HEADER + INT_MAX : SSIZE_MAX));
}

CASE(polls)
{
	static const struct {
		int timeout_ms;
		struct fakesys_io calls[2];
		int result, reason;
	} rows[] = {
		{ 100, { POLL(0, POLLIN) }, 0, 0 },
		{ -1, { POLL(0, POLLIN | POLLERR) }, 0, 0 },
		{ 0, { POLL(0, 0) }, -ETIMEDOUT, ETIMEDOUT },
		{ 100, { POLL(100, 0) }, -ETIMEDOUT, ETIMEDOUT },
		{ 100, { POLL(0, POLLERR) }, -EIO, EIO },
		{ 100, { POLL(0, POLLHUP) }, -EIO, EIO },
		{ 100, { POLL(0, POLLNVAL) }, -EINVAL, EINVAL },
		{ 100, { FAILS(KERNEL_POLL, ENOMEM) }, -EIO, ENOMEM },
		{ 100, { FAILS(KERNEL_POLL, EINTR) }, -EIO, EINTR },
		{ -1, { FAILS(KERNEL_POLL, EINTR) }, -EIO, EINTR },
		{ 0, { FAILS(KERNEL_POLL, EINTR), POLL(0, POLLIN) }, 0, 0 },
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		fakesys_device_reset();
		expect(rows[i].calls, COUNT(rows[i].calls));
		errno = 0;
		if (umad_poll(port, rows[i].timeout_ms) != rows[i].result)
			fail_msg("row %zu does not end with %d", i, rows[i].result);
		if (rows[i].reason)
			assert_int_equal(errno, rows[i].reason);
		assert_int_equal(fakesys_calls.poll_timeout, rows[i].timeout_ms);
		assert_int_equal(fakesys_device_left(), 0);
	}
}
