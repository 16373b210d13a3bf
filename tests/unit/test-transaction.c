/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * libibmad/rpc/rpc.c and engine/engine.c: deadlines, which MAD is the response, and calls of the
 * kernel that fail. Attempts of single requests are in the rows of tests/lib/requests.
 */
#include "test.h"
#include "fakeumad.h"

#include <errno.h>
#include <infiniband/mad.h>
#include <string.h>

#define TIMEOUT_MS 20
#define SLOW_MS	   5000 /* what no machine takes for a case */

static uint8_t data[256];
static int64_t took_ms; /* by the last call() */

static void *call_with_timeout(struct ibmad_port *port, int timeout_ms)
{
	ib_rpc_t rpc = { .mgtclass = IB_PERFORMANCE_CLASS, .method = IB_MAD_METHOD_GET };
	ib_portid_t to = { .lid = 4, .qp = 1, .qkey = IB_DEFAULT_QP1_QKEY };
	int64_t began = fakeumad_now_ms();
	void *result;

	rpc.attr.id = 0x12;
	rpc.dataoffs = IB_PC_DATA_OFFS;
	rpc.datasz = IB_PC_DATA_SZ;
	rpc.timeout = timeout_ms;
	errno = 0;
	result = mad_rpc(port, &rpc, &to, NULL, data);
	took_ms = fakeumad_now_ms() - began;
	return result;
}

static void *call(struct ibmad_port *port)
{
	return call_with_timeout(port, TIMEOUT_MS);
}

/* The next write of the script, and what comes of it. */
static void expect(const struct fakeumad_reply *reply)
{
	fakeumad_expect_write(NULL, 0, reply, reply ? 1 : 0);
}

static const struct fakeumad_reply response = { 0 }, timed_out = FAKEUMAD_TIMED_OUT;

static struct mad_rpc_statistics statistics_of(const struct ibmad_port *port)
{
	struct mad_rpc_statistics statistics;

	mad_rpc_get_statistics(port, &statistics, sizeof(statistics));
	return statistics;
}

/* Deadlines */

FAKEUMAD_TEST(attempts_last_their_timeout)
{
	mad_rpc_set_retries(*state, 3);
	for (int i = 0; i < 3; i++)
		expect(NULL);
	assert_null(call(*state));
	assert_true(took_ms >= 3 * TIMEOUT_MS - 3);
	mad_rpc_set_retries(*state, 1);
	mad_rpc_set_timeout(*state, 50);
	expect(NULL);
	assert_null(call_with_timeout(*state, 0));
	assert_true(took_ms >= 49);
	expect(&timed_out); /* unless the kernel gives up earlier */
	assert_null(call_with_timeout(*state, 60000));
	assert_int_equal(errno, ETIMEDOUT);
	assert_between(took_ms, 0, SLOW_MS);
}

FAKEUMAD_TEST(waiting_is_not_polling)
{
	mad_rpc_set_retries(*state, 1);
	expect(NULL);
	assert_null(call_with_timeout(*state, 100));
	assert_between(fakeumad_polls(), 1, 4);
	assert_between(fakeumad_reads(), 0, 4);
}

/* Late and doubled responses */

/* Late enough that a busy machine has begun the second attempt by then. */
#define LATE_MS (TIMEOUT_MS + 500)

/* Only the first attempt gets a response, and late. */
static int respond_the_first_late(const struct fakeumad_request *request, void *context)
{
	struct fakeumad_reply late = { .delay_ms = LATE_MS };

	(void)context;
	if (request->number == 1)
		fakeumad_reply(request, &late);
	return 0;
}

FAKEUMAD_TEST(late_response_to_an_earlier_try)
{
	mad_rpc_set_retries(*state, 1000);
	fakeumad_respond_with(respond_the_first_late, NULL);
	assert_non_null(call(*state));
	assert_between(took_ms, LATE_MS - 2, SLOW_MS);
	assert_true(fakeumad_writes() > 1);
}

FAKEUMAD_TEST(doubled_response_is_dropped)
{
	struct fakeumad_reply twice = { .copies = 2 };

	expect(&twice);
	expect(&response);
	assert_non_null(call(*state));
	assert_non_null(call(*state));
	assert_int_equal(statistics_of(*state).unmatched, 1);
}

/* Each comes before the response, and is not it. */
FAKEUMAD_TEST(mads_that_are_not_the_response)
{
	static const struct fakeumad_reply wrong[] = {
		{ .mgmt_class = 5 }, { .tid_change = 1 },
		{ .attr_id = 0x13 }, { .base_version = 2 },
		{ .request = true }, { .method = IB_MAD_METHOD_TRAP_REPRESS },
		{ .length = 8 },     { .error = ENOMEM }, /* of a MAD that may be another's */
		{ .error = EINTR },  { .error = EAGAIN },
	};

	mad_rpc_set_retries(*state, 1);
	for (size_t i = 0; i < COUNT(wrong); i++) {
		struct fakeumad_reply replies[] = { wrong[i], { .delay_ms = 3 } };

		fakeumad_expect_write(NULL, 0, replies, 2);
		assert_non_null(call_with_timeout(*state, SLOW_MS));
		assert_true(took_ms >= 2);
	}
	assert_true(statistics_of(*state).unmatched > 0);
}

/* Failing calls of the kernel */

FAKEUMAD_TEST(interrupted_polls)
{
	struct fakeumad_reply slow = { .delay_ms = 10 };

	fakeumad_fail_polls(3, EINTR);
	expect(&slow);
	assert_non_null(call_with_timeout(*state, SLOW_MS));
	mad_rpc_set_retries(*state, 1);
	fakeumad_fail_polls(1 << 30, EINTR);
	expect(NULL);
	assert_null(call(*state));
	assert_int_equal(errno, ETIMEDOUT);
	assert_true(took_ms >= TIMEOUT_MS - 1);
	fakeumad_fail_polls(0, 0);
}

/* An attempt that the kernel refuses, since it still holds the previous one, begins when it is
 * sent. */
FAKEUMAD_TEST(refused_try_has_its_whole_timeout)
{
	const struct fakeumad_reply another_and_late[] = { { .tid_change = 1, .delay_ms = 5 },
							   { .delay_ms = 375 } };

	mad_rpc_set_retries(*state, 2);
	expect(NULL);
	fakeumad_expect_write_error(NULL, 0, EINVAL);
	fakeumad_expect_write(NULL, 0, another_and_late, 2); /* 50 ms after that */
	assert_non_null(call_with_timeout(*state, 400));
	assert_int_equal(statistics_of(*state).timeouts, 1);
	assert_int_equal(statistics_of(*state).errors, 0);
}

FAKEUMAD_TEST(failing_read)
{
	struct fakeumad_reply failure = { .error = EIO };

	expect(&failure);
	assert_null(call(*state));
	assert_int_equal(errno, EIO);
	expect(&response);
	assert_non_null(call(*state));
}

static int remove_device(const struct fakeumad_request *request, void *context)
{
	(void)request;
	(void)context;
	fakeumad_remove_device(ENODEV);
	return 0;
}

FAKEUMAD_TEST(device_goes_away)
{
	fakeumad_respond_with(remove_device, NULL);
	assert_null(call_with_timeout(*state, 60000));
	assert_true(errno == ENODEV || errno == EIO);
	assert_between(took_ms, 0, SLOW_MS);
	assert_null(call_with_timeout(*state, 60000));
	assert_int_equal(errno, ENODEV);
}
