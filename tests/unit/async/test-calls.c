/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * What the submitting calls take, and what they refuse: transaction IDs, classes, lengths, paths,
 * missing arguments, options.
 */
#include "test.h"
#include "fixture.h"

#include <errno.h>
#include <limits.h>

static const ib_rpc_t raw = {
	.mgtclass = IB_SMI_CLASS,
	.method = IB_MAD_METHOD_GET,
	.attr = { .id = 0x20, .mod = 1 },
	.dataoffs = 64,
	.datasz = 64,
	.mkey = 0x0807060504030201,
};

static const ib_sa_call_t sa_query = {
	.attrid = IB_SA_ATTR_PATHRECORD,
	.mod = 9,
	.mask = 0x1122334455667788,
	.method = IB_MAD_METHOD_GET_TABLE,
};

static const ib_vendor_call_t vendor_range2 = {
	.method = IB_MAD_METHOD_SET,
	.mgmt_class = 0x32,
	.attrid = 0x10,
	.mod = 4,
	.oui = 0x001405,
	.timeout = 777,
};

/* The transaction ID is the caller's where it gives one. */
PORT_TEST(a_given_transaction_id_goes_out)
{
	struct mad_async *async = create_async(*state, 0, 0, 0);
	ib_portid_t to = { .lid = 1 };
	struct outcome outcome = { .calls = 0 };
	ib_rpc_t rpc = raw;

	rpc.trid = 0x55667788;
	assert_true(mad_async_submit(async, ASYNC_TO(&to, note_outcome, &outcome), &rpc, NULL) > 0);
	dispatch_all(async);
	assert_int_equal(responder_record(1).tid, 0x55667788);
	assert_outcome(&outcome, 0);
	mad_async_free(async);
}

static void give_status(const struct responder_request *request,
			struct responder_response *response, void *context)
{
	(void)request;
	response->status = *(uint16_t *)context;
}

/* A response with an error status is EIO, and is there to be looked at. */
PORT_TEST(an_error_status_is_reported)
{
	struct mad_async *async = create_async(*state, 0, 0, 0);
	ib_portid_t route = { .drpath = { .cnt = 1, .p = { 0, 1 } } };
	struct outcome outcomes[2] = { { .calls = 0 } };
	uint16_t status = 0x0c;

	responder_plan(give_status, &status);
	submit_get(async, 4, 0, &outcomes[0]);
	assert_true(mad_async_smp(async, ASYNC_TO(&route, note_outcome, &outcomes[1]), 0x11, 0,
				  NULL) > 0);
	dispatch_all(async);
	for (int i = 0; i < 2; i++) {
		assert_outcome(&outcomes[i], EIO);
		assert_int_equal(outcomes[i].status, 0x0c);
		assert_true(outcomes[i].has_mad);
	}
	mad_async_free(async);
}

static const struct {
	const char *name;
	ib_rpc_v1_t rpc;
	int hops;
} bad_requests[] = {
	{ "class that is not registered", { .mgtclass = 0x06, .method = 1, .dataoffs = 64 }, 0 },
	{ "no class", { .mgtclass = 0, .method = 1, .dataoffs = 64 }, 0 },
	{ "data beyond the MAD",
	  { .mgtclass = 0x04, .method = 1, .dataoffs = 64, .datasz = 193 },
	  0 },
	{ "offset beyond the MAD", { .mgtclass = 0x04, .method = 1, .dataoffs = 257 }, 0 },
	{ "negative size", { .mgtclass = 0x04, .method = 1, .dataoffs = 64, .datasz = -1 }, 0 },
	{ "negative offset", { .mgtclass = 0x04, .method = 1, .dataoffs = -1 }, 0 },
	{ "too many hops", { .mgtclass = 0x81, .method = 1, .dataoffs = 64, .datasz = 64 }, 64 },
	{ "method without a response", { .mgtclass = 0x04, .method = 3, .dataoffs = 64 }, 0 },
	{ "response", { .mgtclass = 0x04, .method = 0x81, .dataoffs = 64 }, 0 },
};

PORT_TEST(bad_requests_are_refused)
{
	struct mad_async *async = create_async(*state, 0, 0, 0);
	struct outcome outcome = { .calls = 0 };

	for (size_t i = 0; i < COUNT(bad_requests); i++) {
		ib_portid_t to = { .lid = 4, .drpath.cnt = bad_requests[i].hops };
		int64_t id = 0;

		errno = 0;
		if ((id = mad_async_submit(async, ASYNC_TO(&to, note_outcome, &outcome),
					   (const ib_rpc_t *)&bad_requests[i].rpc, NULL)) != -1)
			fail_msg("%s: accepted", bad_requests[i].name);
		assert_int_equal(errno, EINVAL);
	}
	assert_int_equal(mad_async_pending(async), 0);
	assert_int_equal(mad_async_dispatch(async, 0, 0), 0);
	assert_int_equal(responder_writes(), 0);
	assert_int_equal(outcome.calls, 0);
	mad_async_free(async);
}

/* A request without data has no offset, either; one with NULL for them takes the whole response. */
PORT_TEST(data_may_begin_at_the_header)
{
	static const struct {
		int offset, size;
	} taken[] = { { 0, 0 }, { 23, 0 }, { 0, IB_MAD_SIZE }, { 256, 0 } };
	struct mad_async *async = create_async(*state, 0, 0, 0);
	ib_portid_t to = { .lid = 4, .qp = 1, .qkey = IB_DEFAULT_QP1_QKEY };
	const uint8_t data[IB_MAD_SIZE] = { 0 };

	for (size_t i = 0; i < COUNT(taken); i++) {
		struct outcome outcome = { .calls = 0 };
		const ib_rpc_t rpc = { .mgtclass = IB_PERFORMANCE_CLASS,
				       .method = IB_MAD_METHOD_GET,
				       .attr.id = 0x12,
				       .dataoffs = taken[i].offset,
				       .datasz = taken[i].size };

		assert_true(mad_async_submit(async, ASYNC_TO(&to, note_outcome, &outcome), &rpc,
					     NULL) > 0);
		dispatch_all(async);
		assert_outcome(&outcome, 0);
		assert_int_equal(outcome.data_length, taken[i].size);
		if (!taken[i].size)
			continue;
		errno = 0;
		assert_int_equal(
			mad_async_submit(async, ASYNC_TO(&to, note_outcome, &outcome), &rpc, data),
			-1);
		assert_int_equal(errno, EINVAL);
	}
	mad_async_free(async);
}

#define assert_refused(call)                     \
	do {                                     \
		errno = 0;                       \
		assert_int_equal((call), -1);    \
		assert_int_equal(errno, EINVAL); \
	} while (0)

PORT_TEST(missing_arguments_are_refused)
{
	struct mad_async *async = create_async(*state, 0, 0, 0);
	ib_portid_t to = { .lid = 4 }, path = { .drpath.cnt = 1 };
	ib_vendor_call_t call = vendor_range2;
	mad_async_callback back = ignore_outcome;

	assert_refused(mad_async_submit(NULL, ASYNC_TO(&to, back, NULL), &raw, NULL));
	assert_refused(mad_async_submit(async, ASYNC_TO(&to, back, NULL), NULL, NULL));
	assert_refused(mad_async_submit(async, ASYNC_TO(NULL, back, NULL), &raw, NULL));
	assert_refused(mad_async_submit(async, ASYNC_TO(&to, NULL, NULL), &raw, NULL));
	assert_refused(mad_async_smp(NULL, ASYNC_TO(&to, back, NULL), 0x11, 0, NULL));
	assert_refused(mad_async_smp(async, ASYNC_TO(NULL, back, NULL), 0x11, 0, NULL));
	assert_refused(mad_async_perf_get(async, ASYNC_TO(NULL, back, NULL), 0x12, 1));
	assert_refused(mad_async_perf_reset(async, ASYNC_TO(NULL, back, NULL), 0x12, 1, 0));
	assert_refused(mad_async_perf_reset(async, ASYNC_TO(&to, back, NULL), 0x12, 258, 0));
	assert_refused(mad_async_perf_get(async, ASYNC_TO(&to, back, NULL), 0x12, UINT_MAX));
	assert_refused(mad_async_smp(async, ASYNC_TO(&to, back, NULL), 0x10011, 0, NULL));
	assert_refused(mad_async_sa(async, ASYNC_TO(&path, back, NULL), &sa_query, NULL));
	assert_refused(mad_async_sa(async, ASYNC_TO(&to, back, NULL), NULL, NULL));
	assert_refused(mad_async_cc(async, ASYNC_TO(NULL, back, NULL), 0x12, 0, 0, NULL));
	call.oui = 0;
	assert_refused(mad_async_vendor(async, ASYNC_TO(&to, back, NULL), &call, NULL));
	call = vendor_range2;
	call.mgmt_class = 0x04;
	assert_refused(mad_async_vendor(async, ASYNC_TO(&to, back, NULL), &call, NULL));
	call = vendor_range2;
	call.method = IB_MAD_METHOD_SEND;
	assert_refused(mad_async_vendor(async, ASYNC_TO(&to, back, NULL), &call, NULL));
	assert_refused(mad_async_vendor(async, ASYNC_TO(&to, back, NULL), NULL, NULL));
	assert_refused(mad_async_dispatch(NULL, 0, 0));
	assert_refused(mad_async_get_fd(NULL));
	assert_refused(mad_async_pending(NULL));
	assert_refused(mad_async_cancel(NULL, MAD_ASYNC_ALL));
	assert_refused(mad_async_cancel(async, -1)); /* what a submission that fails returns */
	assert_refused(mad_async_cancel(NULL, 2));
	assert_refused(mad_async_cancel(async, 0));
	assert_refused(mad_async_cancel(async, -3));
	assert_int_equal(mad_async_cancel(async, MAD_ASYNC_ALL), 0);
	assert_int_equal(responder_writes(), 0);
	mad_async_free(async);
	mad_async_free(NULL);
}

PORT_TEST(bad_options_are_refused)
{
	const struct mad_async_options good = { 0 };
	struct mad_async_options bad[] = { good, good, good, good };

	bad[0].flags = MAD_ASYNC_THREAD << 1;
	bad[1].window = MAD_ASYNC_MAX_WINDOW + 1;
	bad[2].timeout_ms = -1;
	bad[3].attempts = -1;
	for (size_t i = 0; i < COUNT(bad); i++) {
		errno = 0;
		assert_null(mad_async_create(*state, &bad[i], sizeof(bad[i])));
		assert_int_equal(errno, EINVAL);
	}
	errno = 0;
	assert_null(mad_async_create(NULL, NULL, 0));
	assert_int_equal(errno, EINVAL);
	errno = 0;
	assert_null(mad_async_create_pair(NULL, NULL, 0));
	assert_int_equal(errno, EINVAL);
}
