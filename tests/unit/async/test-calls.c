/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * What the calls take, and what they refuse: classes, lengths, paths, missing arguments, options,
 * structures of other versions, more than max_queued. What is sent and received is in requests.tbl.
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
};

static const ib_sa_call_t sa_query = {
	.attrid = IB_SA_ATTR_PATHRECORD,
	.method = IB_MAD_METHOD_GET_TABLE,
};

static const ib_vendor_call_t vendor_range2 = {
	.method = IB_MAD_METHOD_SET,
	.mgmt_class = 0x32,
	.attrid = 0x10,
	.oui = 0x001405,
};

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
		const ib_rpc_t *rpc = (const void *)&bad_requests[i].rpc;

		errno = 0;
		if (mad_async_submit(async, ASYNC_TO(&to, note_outcome, &outcome), rpc, NULL) != -1)
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

/* Structures of other versions of the header. */
PORT_TEST(sizes)
{
	struct {
		struct mad_async_request req;
		uint64_t more;
	} later = { .more = 0 };
	struct {
		struct mad_async_options options;
		uint64_t more;
	} options = { .more = 0 };
	struct mad_async *async = mad_async_create(*state, &options.options, sizeof(options));
	struct outcome outcome = { .calls = 0 };
	ib_portid_t to = { .lid = 3 };

	assert_non_null(async);
	later.req = (struct mad_async_request){ &to, note_outcome, &outcome, 0, 0, 0, 0 };
	assert_true(mad_async_smp(async, &later.req, sizeof(later), 0x11, 0, NULL) > 0);
	later.more = 1;
	errno = 0;
	assert_int_equal(mad_async_smp(async, &later.req, sizeof(later), 0x11, 0, NULL), -1);
	assert_int_equal(errno, E2BIG);
	errno = 0;
	assert_int_equal(mad_async_smp(async, &later.req, sizeof(later.req) - 1, 0x11, 0, NULL),
			 -1);
	assert_int_equal(errno, EINVAL);
	dispatch_all(async);
	assert_outcome(&outcome, 0);
	mad_async_free(async);
	options.more = 1;
	errno = 0;
	assert_null(mad_async_create(*state, &options.options, sizeof(options)));
	assert_int_equal(errno, E2BIG);
	errno = 0;
	assert_null(mad_async_create(*state, &options.options, sizeof(options.options) - 1));
	assert_int_equal(errno, EINVAL);
}

/* A request of a class that is registered later. */
PORT_TEST(class_registered_later)
{
	struct mad_async *async = create_async(*state, 4, 1000, 2);
	ib_rpc_t rpc = { .mgtclass = 0x06, .method = 1, .dataoffs = 64, .datasz = 192 };
	ib_portid_t to = { .lid = 1, .qp = 1, .qkey = IB_DEFAULT_QP1_QKEY };
	struct outcome outcome = { .calls = 0 };

	assert_refused(mad_async_submit(async, ASYNC_TO(&to, note_outcome, &outcome), &rpc, NULL));
	assert_true(mad_register_client_via(0x06, 0, *state) >= 0);
	assert_true(mad_async_submit(async, ASYNC_TO(&to, note_outcome, &outcome), &rpc, NULL) > 0);
	dispatch_all(async);
	assert_outcome(&outcome, 0);
	mad_async_free(async);
}

/* What max_queued counts: requests whose callbacks have not begun. Each callback submits some. */
struct chain {
	int left, each;
	int done, taken, refused;
	unsigned pending; /* in a callback */
};

static void submit_next(struct mad_async *async, const struct mad_async_result *result,
			void *context)
{
	struct chain *chain = context;
	ib_portid_t to = { .lid = 1 };

	assert_int_equal(result->error, 0);
	chain->done++;
	chain->pending = mad_async_pending(async);
	for (int i = 0; i < chain->each && chain->left; i++) {
		if (mad_async_smp(async, ASYNC_TO(&to, submit_next, chain), 0x11, 0, NULL) > 0) {
			chain->left--;
			chain->taken++;
		} else {
			assert_int_equal(errno, ENOBUFS);
			chain->refused++;
		}
	}
}

THREAD_TEST(max_queued)
{
	static const struct {
		unsigned most, flags;
		int left, each, refused;
	} cases[] = { { 1, 0, 10, 1, 0 },
		      { 1, MAD_ASYNC_THREAD, 10, 1, 0 },
		      { 1, 0, 10, 2, 9 }, /* nothing is left for the last ones */
		      { 64, 0, 64, 1, 0 } };
	ib_portid_t to = { .lid = 1 };

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct mad_async_options options = { .max_queued = cases[i].most,
						     .flags = cases[i].flags };
		struct mad_async *async = mad_async_create(*state, &options, sizeof(options));
		struct chain chain = { .left = cases[i].left, .each = cases[i].each };

		assert_non_null(async);
		for (unsigned j = 0; j < cases[i].most; j++)
			submit_with(async, 1, 0, submit_next, &chain);
		errno = 0;
		assert_int_equal(
			mad_async_smp(async, ASYNC_TO(&to, submit_next, &chain), 0x11, 0, NULL),
			-1);
		assert_int_equal(errno, ENOBUFS);
		assert_int_equal(mad_async_pending(async), cases[i].most);
		dispatch_all(async);
		assert_int_equal(chain.done, (int)cases[i].most + cases[i].left);
		assert_int_equal(chain.taken, cases[i].left);
		assert_int_equal(chain.refused, cases[i].refused);
		assert_int_equal(chain.pending, 1); /* that whose callback runs */
		mad_async_free(async);
	}
}
