/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * What callbacks may do: cancel, dispatch, free; and IDs of requests that are over. Cancelling
 * wherever else a request is stands in steps.tbl; in the write of another thread, and that no lock
 * is held in callbacks, in the simulation.
 */
#include "test.h"
#include "fixture.h"

#include <errno.h>

static struct mad_async *create(struct ibmad_port *port, bool with_thread)
{
	return (with_thread ? create_threaded : create_async)(port, 2, PATIENCE_MS, 1);
}

/* The id of a request that is over never names a later one. */
PORT_TEST(ids)
{
	struct mad_async *async = create(*state, false);
	int64_t first = submit_get(async, 1, 0, NULL), last;

	assert_errno(mad_async_cancel(async, INT64_MAX), ENOENT);
	dispatch_all(async);
	for (int i = 0; i < 500; i++) {
		last = submit_get(async, 1, i, NULL);
		assert_true(last != first);
		assert_errno(mad_async_cancel(async, first), ENOENT);
		assert_errno(mad_async_cancel(async, last + 1), ENOENT);
		assert_errno(mad_async_cancel(async, last ^ INT64_C(1) << 32), ENOENT);
		dispatch_all(async);
	}
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

PORT_TEST(cancelled_from_a_callback)
{
	struct mad_async *async = create(*state, false);
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

/* mad_async_free() in callbacks: of the only thread, nested, and of several at once; nothing is
 * taken any more. */
static void free_it(struct mad_async *async, const struct mad_async_result *result, void *context)
{
	atomic_fetch_add((atomic_int *)context, 1);
	mad_async_free(async);
	assert_errno(mad_async_dispatch(async, 0, -1), ECANCELED);
	mad_async_free(async);
	assert_errno(mad_async_smp(async, ASYNC_TO(result->from, free_it, context), 0x11, 0, NULL),
		     ECANCELED);
}

THREAD_TEST(freed_in_a_callback)
{
	for (int with_thread = 0; with_thread < 2; with_thread++) {
		struct mad_async *async = create(*state, with_thread);
		struct outcome outcomes[20] = { { .calls = 0 } };
		atomic_int calls = 0;

		responder_plan(silence_for_9, NULL);
		for (int i = 0; i < 20; i++)
			submit_get(async, 9, i, &outcomes[i]);
		submit_with(async, 1, 1, free_it, &calls);
		submit_with(async, 1, 2, free_it, &calls);
		assert_errno(mad_async_dispatch(async, 1, -1), ECANCELED);
		assert_int_equal(calls, 2);
		for (int i = 0; i < 20; i++)
			assert_outcome(&outcomes[i], ECANCELED);
	}
}

/* A callback of mad_async_free() may free, too. */
THREAD_TEST(freed_while_being_freed)
{
	responder_plan(never_respond, NULL);
	for (int with_thread = 0; with_thread < 2; with_thread++) {
		struct mad_async *async = create(*state, with_thread);
		atomic_int calls = 0;

		for (int i = 0; i < 5; i++)
			submit_with(async, 1, i, free_it, &calls);
		mad_async_free(async);
		assert_int_equal(calls, 5);
		mad_async_free(create(*state, with_thread)); /* unused */
	}
}

/* Waiting without an end in a callback, with nothing else there to wait for. */
static void dispatch_again(struct mad_async *async, const struct mad_async_result *result,
			   void *context)
{
	(void)result;
	*(int *)context = mad_async_dispatch(async, 0, -1);
}

static void dispatch_in_callback(void)
{
	void *port;

	setup_threads(&port);
	for (int with_thread = 0; with_thread < 2; with_thread++) {
		struct mad_async *async = create(port, with_thread);
		int result = -2;

		submit_with(async, 1, 1, dispatch_again, &result);
		assert_int_equal(dispatch_all(async), 1);
		assert_int_equal(result, 0);
		mad_async_free(async);
	}
	teardown_port(&port);
}

TEST(callback_dispatches_where_nothing_is_left)
{
	run_in_child(dispatch_in_callback);
}
