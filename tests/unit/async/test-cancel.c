/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Cancelling in callbacks, IDs of requests that are over, and submitting while all is freed.
 * Cancelling wherever else a request is stands in steps.tbl; in the write of another thread, in the
 * simulation.
 */
#include "test.h"
#include "fixture.h"

#include <errno.h>

static void assert_not_there(struct mad_async *async, int64_t id)
{
	errno = 0;
	assert_int_equal(mad_async_cancel(async, id), -1);
	assert_int_equal(errno, ENOENT);
}

/* The id of a request that is over never names a later one. */
PORT_TEST(ids)
{
	struct mad_async *async = create_async(*state, 2, 10000, 1);
	int64_t ids[500], last;

	assert_not_there(async, 1);
	assert_not_there(async, INT64_MAX);
	for (size_t i = 0; i < COUNT(ids); i++) {
		ids[i] = submit_get(async, 1, i, NULL);
		dispatch_all(async);
		for (size_t j = 0; j < i; j++)
			assert_true(ids[j] != ids[i]);
	}
	last = submit_get(async, 1, 0, NULL);
	for (size_t i = 0; i < COUNT(ids); i++)
		assert_not_there(async, ids[i]);
	assert_not_there(async, last + 1);
	assert_not_there(async, last ^ (INT64_C(1) << 32));
	assert_not_there(async, last ^ (INT64_C(1) << 33));
	dispatch_all(async);
	mad_async_free(async);
}

/* What a callback finds when it cancels itself, another, and then all. */
struct self {
	uint64_t other;
	int self_result, self_error, other_result, all_result;
	unsigned pending;
};

static void cancel_from_callback(struct mad_async *async, const struct mad_async_result *result,
				 void *context)
{
	struct self *self = context;

	errno = 0;
	self->self_result = mad_async_cancel(async, result->id);
	self->self_error = errno;
	self->other_result = mad_async_cancel(async, self->other);
	self->pending = mad_async_pending(async);
	self->all_result = mad_async_cancel(async, MAD_ASYNC_ALL);
}

PORT_TEST(from_a_callback)
{
	struct mad_async *async = create_async(*state, 2, 10000, 1);
	struct outcome outcomes[10] = { { .calls = 0 } };
	struct self self = { 0 };

	responder_plan(silence_for_9, NULL);
	self.other = submit_get(async, 9, 0, &outcomes[0]);
	submit_with(async, 1, 1, cancel_from_callback, &self);
	for (int i = 1; i < 10; i++)
		submit_get(async, 9, i, &outcomes[i]);
	assert_int_equal(dispatch_all(async), 11);
	assert_int_equal(self.self_result, -1);
	assert_int_equal(self.self_error, ENOENT);
	assert_int_equal(self.other_result, 1);
	assert_int_equal(self.pending, 11);
	assert_int_equal(self.all_result, 9);
	for (int i = 0; i < 10; i++)
		assert_outcome(&outcomes[i], ECANCELED);
	mad_async_free(async);
}

/* A callback that is called because of it can submit nothing. */
struct again {
	int errors[2];
	int refused;
};

static void submit_again(struct mad_async *async, const struct mad_async_result *result,
			 void *context)
{
	struct again *again = context;
	ib_portid_t to = { .lid = 1 };

	again->errors[0] = result->error;
	if (mad_async_smp(async, ASYNC_TO(&to, submit_again, again), 0x11, 0, NULL) < 0) {
		again->refused++;
		again->errors[1] = errno;
	}
}

THREAD_TEST(free_refuses_new_requests)
{
	responder_plan(never_respond, NULL);
	for (int with_thread = 0; with_thread < 2; with_thread++) {
		struct mad_async *async =
			(with_thread ? create_threaded : create_async)(*state, 4, 10000, 1);
		struct again again = { .refused = 0 };

		submit_with(async, 1, 1, submit_again, &again);
		mad_async_free(async);
		assert_int_equal(again.refused, 1);
		assert_int_equal(again.errors[0], ECANCELED);
		assert_int_equal(again.errors[1], ECANCELED);
		async = (with_thread ? create_threaded : create_async)(*state, 4, 10000, 1);
		mad_async_free(async); /* unused */
	}
}
