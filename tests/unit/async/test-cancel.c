/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Cancelling one request, wherever it is, and all of them.
 */
#include "test.h"
#include "fixture.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

static void assert_cancelled(struct mad_async *async, int64_t id)
{
	assert_int_equal(mad_async_cancel(async, id), 1);
}

static void assert_not_there(struct mad_async *async, int64_t id)
{
	errno = 0;
	assert_int_equal(mad_async_cancel(async, id), -1);
	assert_int_equal(errno, ENOENT);
}

PORT_TEST(in_flight)
{
	struct mad_async *async = create_async(*state, 4, 10000, 1);
	struct outcome outcomes[4] = { { .calls = 0 } };
	int64_t ids[4];

	respond_after(30);
	for (int i = 0; i < 4; i++)
		ids[i] = submit_get(async, 1 + i, i, &outcomes[i]);
	assert_cancelled(async, ids[1]);
	assert_int_equal(outcomes[1].calls, 0); /* out of a later dispatch */
	assert_not_there(async, ids[1]);
	assert_int_equal(dispatch_all(async), 4);
	for (int i = 0; i < 4; i++)
		assert_outcome(&outcomes[i], i == 1 ? ECANCELED : 0);
	assert_int_equal(outcomes[1].order, 1);
	assert_int_equal(outcomes[1].id, ids[1]);
	assert_false(outcomes[1].has_mad);
	for (int i = 0; i < 4; i++)
		assert_not_there(async, ids[i]);
	mad_async_free(async);
}

/* The late response to a cancelled request is dropped, and the next request is not taken for it. */
PORT_TEST(late_response_is_dropped)
{
	struct mad_async *async = create_async(*state, 1, 10000, 1);
	struct outcome cancelled = { .calls = 0 }, next = { .calls = 0 };
	struct mad_rpc_statistics statistics;

	respond_after(30);
	assert_cancelled(async, submit_get(async, 1, 0x11111111, &cancelled));
	submit_get(async, 1, 0x22222222, &next);
	dispatch_all(async);
	assert_outcome(&cancelled, ECANCELED);
	assert_outcome(&next, 0);
	assert_int_equal(mad_rpc_get_statistics(*state, &statistics, sizeof(statistics)), 0);
	assert_int_equal(statistics.unmatched, 1);
	mad_async_free(async);
}

PORT_TEST(queued)
{
	struct mad_async *async = create_async(*state, 2, 10000, 1);
	struct outcome outcomes[6] = { { .calls = 0 } };
	int64_t ids[6];

	respond_after(30);
	for (int i = 0; i < 6; i++)
		ids[i] = submit_get(async, 1 + i, i, &outcomes[i]);
	assert_int_equal(responder_writes(), 2);
	assert_cancelled(async, ids[2]); /* the next to go out */
	assert_cancelled(async, ids[5]); /* the last */
	dispatch_all(async);
	for (int i = 0; i < 6; i++) {
		assert_outcome(&outcomes[i], i == 2 || i == 5 ? ECANCELED : 0);
		assert_int_equal(outcomes[i].tries, i == 2 || i == 5 ? 0 : 1);
	}
	assert_int_equal(responder_writes(), 4);
	mad_async_free(async);
}

/* Behind others to a port that has not responded. */
PORT_TEST(backlog)
{
	struct mad_async *async = create_async(*state, 16, 200, 1);
	struct outcome outcomes[6] = { { .calls = 0 } };
	int64_t ids[6];

	responder_plan(never_respond, NULL);
	for (int i = 0; i < 6; i++)
		ids[i] = submit_get(async, 1, i, &outcomes[i]);
	assert_true(responder_writes() < 6);
	assert_cancelled(async, ids[5]);
	assert_int_equal(mad_async_dispatch(async, 0, 0), 1);
	assert_outcome(&outcomes[5], ECANCELED);
	for (int i = 0; i < 6; i++)
		if (i < 5)
			assert_int_equal(outcomes[i].calls, 0);
	assert_cancelled(async, ids[3]);
	dispatch_all(async);
	for (int i = 0; i < 5; i++)
		assert_outcome(&outcomes[i], i == 3 ? ECANCELED : ETIMEDOUT);
	mad_async_free(async);
}

/*
 * Cancelled in the order in which they would go out: what is behind them is still sent,
 * whether or not a thread dispatches in between.
 */
PORT_TEST(first_ones_to_a_dead_port)
{
	for (int between = 0; between < 2; between++) {
		struct mad_async *async = create_async(*state, 16, 50, 1);
		struct outcome outcomes[8] = { { .calls = 0 } };
		int64_t ids[8];
		unsigned pending;

		responder_plan(never_respond, NULL);
		for (int i = 0; i < 8; i++)
			ids[i] = submit_get(async, 1, i, &outcomes[i]);
		for (int i = 0; i < 6; i++) {
			assert_cancelled(async, ids[i]);
			if (between)
				dispatch_for(async, 1);
		}
		dispatch_for(async, 1000);
		pending = mad_async_pending(async);
		mad_async_free(async);
		for (int i = 0; i < 6; i++)
			assert_outcome(&outcomes[i], ECANCELED);
		assert_int_equal(pending, 0);
		for (int i = 6; i < 8; i++)
			assert_outcome(&outcomes[i], ETIMEDOUT);
	}
}

/* A request that times out lets one of those behind it be sent even while that is cancelled. */
PORT_TEST(probes_of_a_dead_port)
{
	struct mad_async *async = create_async(*state, 16, 30, 1);
	struct outcome outcomes[40] = { { .calls = 0 } };
	int64_t ids[40];
	unsigned pending;

	responder_plan(never_respond, NULL);
	for (int i = 0; i < 40; i++)
		ids[i] = submit_get(async, 1, i, &outcomes[i]);
	for (int i = 0; i < 36; i++) {
		if (!outcomes[i].calls)
			mad_async_cancel(async, ids[i]);
		if (i % 5 == 0)
			dispatch_for(async, 7);
	}
	dispatch_for(async, 1000);
	pending = mad_async_pending(async);
	mad_async_free(async);
	assert_int_equal(pending, 0);
	for (int i = 36; i < 40; i++)
		assert_outcome(&outcomes[i], ETIMEDOUT);
}

/* The window is free for others at once. */
PORT_TEST(frees_a_place)
{
	struct mad_async *async = create_async(*state, 2, 10000, 1);
	struct outcome outcomes[4] = { { .calls = 0 } };
	int64_t ids[2];

	responder_plan(silence_for_9, NULL);
	for (int i = 0; i < 2; i++)
		ids[i] = submit_get(async, 9, i, &outcomes[i]);
	for (int i = 2; i < 4; i++)
		submit_get(async, i, i, &outcomes[i]);
	assert_int_equal(responder_writes(), 2);
	for (int i = 0; i < 2; i++)
		assert_cancelled(async, ids[i]);
	dispatch_at_least(async, 4);
	for (int i = 0; i < 4; i++)
		assert_outcome(&outcomes[i], i < 2 ? ECANCELED : 0);
	mad_async_free(async);
}

/* Between attempts, held by the kernel. */
PORT_TEST(while_held_by_the_kernel)
{
	struct mad_async *async = create_async(*state, 2, 30, 5);
	struct outcome outcome = { .calls = 0 };
	int64_t id;

	responder_gives_back(60);
	responder_plan(never_respond, NULL);
	id = submit_get(async, 1, 1, &outcome);
	dispatch_for(async, 50); /* the first attempt is over; the second is refused so far */
	assert_true(responder_refused() > 0);
	assert_cancelled(async, id);
	dispatch_all(async);
	assert_outcome(&outcome, ECANCELED);
	mad_async_free(async);
}

PORT_TEST(done)
{
	struct mad_async *async = create_async(*state, 2, 10000, 1);
	struct outcome outcome = { .calls = 0 };
	ib_portid_t to = { .lid = 2 };
	uint8_t data[64] = { 0 };
	int64_t id = submit_get(async, 1, 1, &outcome);

	/* The blocking call reads the response that was there before its own. */
	assert_non_null(smp_query_via(data, &to, 0x11, 2, 10000, *state));
	assert_not_there(async, id);
	assert_int_equal(outcome.calls, 0);
	assert_int_equal(mad_async_dispatch(async, 0, 0), 1);
	assert_outcome(&outcome, 0);
	mad_async_free(async);
}

PORT_TEST(unknown)
{
	struct mad_async *async = create_async(*state, 2, 10000, 1);
	struct outcome outcome = { .calls = 0 };
	int64_t id;

	assert_not_there(async, 1);
	assert_not_there(async, INT64_MAX);
	id = submit_get(async, 1, 1, &outcome);
	assert_not_there(async, id + 1);
	assert_not_there(async, id ^ (INT64_C(1) << 32));
	assert_not_there(async, id ^ (INT64_C(1) << 33));
	dispatch_all(async);
	assert_outcome(&outcome, 0);
	mad_async_free(async);
}

/* The id of a request that is over never names a later one. */
PORT_TEST(ids_are_not_used_again)
{
	struct mad_async *async = create_async(*state, 2, 10000, 1);
	int64_t ids[500];

	for (size_t i = 0; i < COUNT(ids); i++) {
		ids[i] = submit_get(async, 1, i, NULL);
		dispatch_all(async);
		for (size_t j = 0; j < i; j++)
			assert_true(ids[j] != ids[i]);
	}
	submit_get(async, 1, 0, NULL);
	for (size_t i = 0; i < COUNT(ids); i++)
		assert_not_there(async, ids[i]);
	dispatch_all(async);
	mad_async_free(async);
}

/* What a callback finds when it cancels itself, another, or all. */
struct self {
	int64_t id;
	uint64_t other;
	int self_result;
	int self_error;
	int other_result;
	unsigned pending;
};

static void cancel_from_callback(struct mad_async *async, const struct mad_async_result *result,
				 void *context)
{
	struct self *self = context;

	self->id = result->id;
	errno = 0;
	self->self_result = mad_async_cancel(async, result->id);
	self->self_error = errno;
	self->other_result = mad_async_cancel(async, self->other);
	self->pending = mad_async_pending(async);
}

PORT_TEST(from_a_callback)
{
	struct mad_async *async = create_async(*state, 2, 10000, 1);
	struct outcome outcome = { .calls = 0 };
	struct self self = { 0 };

	responder_plan(silence_for_9, NULL);
	self.other = submit_get(async, 9, 1, &outcome);
	submit_with(async, 1, 1, cancel_from_callback, &self);
	dispatch_all(async);
	assert_int_equal(self.self_result, -1);
	assert_int_equal(self.self_error, ENOENT);
	assert_int_equal(self.other_result, 1);
	assert_int_equal(self.pending, 2);
	assert_outcome(&outcome, ECANCELED);
	mad_async_free(async);
}

/* A request that another thread is just writing. */
struct sending {
	struct mad_async *async;
	struct outcome outcome;
	atomic_bool is_written;
	atomic_bool goes_on;
};

static void wait_in_write(const struct responder_request *request, void *context)
{
	struct sending *sending = context;

	(void)request;
	atomic_store(&sending->is_written, true);
	for (int i = 0; i < PATIENCE_MS && !atomic_load(&sending->goes_on); i++)
		sleep_ms(1);
}

static void *submit_in_thread(void *context)
{
	struct sending *sending = context;

	submit_get(sending->async, 1, 1, &sending->outcome);
	return NULL;
}

PORT_TEST(while_it_is_sent)
{
	struct sending sending = { .async = create_async(*state, 2, 10000, 1) };
	pthread_t thread;
	unsigned cancelled;

	responder_before_writes(wait_in_write, &sending);
	assert_int_equal(pthread_create(&thread, NULL, submit_in_thread, &sending), 0);
	while (!atomic_load(&sending.is_written))
		sleep_ms(1);
	cancelled = mad_async_cancel(sending.async, MAD_ASYNC_ALL);
	atomic_store(&sending.goes_on, true);
	pthread_join(thread, NULL);
	responder_before_writes(NULL, NULL);
	dispatch_all(sending.async);
	assert_int_equal(cancelled, 1);
	assert_outcome(&sending.outcome, ECANCELED);
	dispatch_for(sending.async, 20);
	submit_get(sending.async, 1, 2, NULL); /* all goes on as before */
	dispatch_all(sending.async);
	mad_async_free(sending.async);
}

PORT_TEST(cancel_twice_while_it_is_sent)
{
	struct sending sending = { .async = create_async(*state, 2, 10000, 1) };
	unsigned first, second;
	pthread_t thread;

	responder_before_writes(wait_in_write, &sending);
	assert_int_equal(pthread_create(&thread, NULL, submit_in_thread, &sending), 0);
	while (!atomic_load(&sending.is_written))
		sleep_ms(1);
	first = mad_async_cancel(sending.async, MAD_ASYNC_ALL);
	second = mad_async_cancel(sending.async, MAD_ASYNC_ALL);
	atomic_store(&sending.goes_on, true);
	pthread_join(thread, NULL);
	dispatch_all(sending.async);
	mad_async_free(sending.async);
	assert_int_equal(first, 1);
	assert_int_equal(second, 0); /* it is cancelled already */
}

/* All of them: in flight, queued and in a backlog. */
PORT_TEST(all)
{
	struct mad_async *async = create_async(*state, 4, 10000, 1);
	struct outcome *outcomes = calloc(3000, sizeof(*outcomes));

	assert_non_null(outcomes);
	responder_plan(never_respond, NULL);
	for (int i = 0; i < 3000; i++)
		submit_get(async, 1 + i % 20, i, &outcomes[i]);
	assert_int_equal(mad_async_cancel(async, MAD_ASYNC_ALL), 3000);
	assert_int_equal(mad_async_cancel(async, MAD_ASYNC_ALL), 0);
	assert_int_equal(mad_async_pending(async), 3000);
	assert_int_equal(dispatch_all(async), 3000);
	for (int i = 0; i < 3000; i++)
		assert_outcome(&outcomes[i], ECANCELED);
	responder_plan(NULL, NULL);
	submit_get(async, 1, 1, &outcomes[0]);
	dispatch_all(async);
	assert_int_equal(outcomes[0].calls, 2);
	assert_int_equal(outcomes[0].error, 0);
	mad_async_free(async);
	free(outcomes);
}

/* All but two wait for the port to respond once. */
PORT_TEST(all_to_one_port)
{
	struct mad_async *async = create_async(*state, 4, 10000, 1);

	responder_plan(never_respond, NULL);
	for (int i = 0; i < 30; i++)
		submit_get(async, 1, i, NULL);
	assert_int_equal(responder_writes(), 2);
	assert_int_equal(mad_async_cancel(async, MAD_ASYNC_ALL), 30);
	assert_int_equal(dispatch_all(async), 30);
	mad_async_free(async);
}
