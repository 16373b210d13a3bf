/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Cancelling in callbacks and in the write of another thread, IDs of requests that are over, and
 * submitting while all is freed. Cancelling wherever else a request is stands in steps.tbl.
 */
#include "test.h"
#include "fixture.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

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

/*
 * While another thread is in the write of the request: request 2, which the library's thread sends
 * once request 1 has its response. Whatever becomes of it, freeing ends when the write has ended.
 */
static struct gate {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	bool entered, released;
} gate = { .lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER };

static void hold_up(const struct responder_request *request, void *context)
{
	(void)context;
	pthread_mutex_lock(&gate.lock);
	if (request->attr_mod == 2) {
		gate.entered = true;
		pthread_cond_broadcast(&gate.changed);
		while (!gate.released)
			pthread_cond_wait(&gate.changed, &gate.lock);
	}
	pthread_mutex_unlock(&gate.lock);
}

static void decide_second(const struct responder_request *request,
			  struct responder_response *response, void *context)
{
	if (request->attr_mod == 2)
		*response = *(const struct responder_response *)context;
	else
		response->delay_us = 20000;
}

static void *release(void *unused)
{
	(void)unused;
	wait_until_others_sleep(); /* one for the end of the write */
	pthread_mutex_lock(&gate.lock);
	gate.released = true;
	pthread_cond_broadcast(&gate.changed);
	pthread_mutex_unlock(&gate.lock);
	return NULL;
}

static void end_in_write(struct mad_async *async, bool cancels, struct responder_response second)
{
	struct outcome outcomes[2] = { { .calls = 0 } };
	pthread_t thread;

	gate.entered = gate.released = false;
	responder_plan(decide_second, &second);
	responder_before_writes(hold_up, NULL);
	for (unsigned i = 0; i < 2; i++)
		submit_get(async, 1 + (int)i, i + 1, &outcomes[i]);
	pthread_mutex_lock(&gate.lock);
	while (!gate.entered)
		pthread_cond_wait(&gate.changed, &gate.lock);
	pthread_mutex_unlock(&gate.lock);
	if (cancels) {
		assert_int_equal(mad_async_cancel(async, MAD_ASYNC_ALL), 1);
		assert_int_equal(mad_async_cancel(async, MAD_ASYNC_ALL), 0); /* it is already */
	}
	assert_int_equal(pthread_create(&thread, NULL, release, NULL), 0);
	mad_async_free(async);
	assert_int_equal(pthread_join(thread, NULL), 0);
	responder_before_writes(NULL, NULL);
	assert_outcome(&outcomes[0], 0);
	assert_int_equal(outcomes[1].calls, 1);
	if (cancels || second.silent)
		assert_int_equal(outcomes[1].error, ECANCELED);
	else
		assert_true(outcomes[1].error == EIO || outcomes[1].error == ECANCELED);
}

static const struct responder_response silent = { .silent = true },
				       refused = { .write_error = EIO };

static void check_in_write(void)
{
	void *port;

	setup_threads(&port);
	end_in_write(create_threaded(port, 1, 10000, 1), true, silent);
	end_in_write(create_threaded(port, 1, 10000, 1), false, silent);
	end_in_write(create_threaded(port, 1, 10000, 1), false, refused);
	teardown_port(&port);
}

TEST(in_a_write)
{
	run_in_child(check_in_write);
}

static void check_pair_in_write(void)
{
	struct mad_async_options options = { .flags = MAD_ASYNC_THREAD, .window = 1 };
	struct ibmad_ports_pair *pair;

	responder_reset();
	pair = open_pair();
	for (int cancels = 0; cancels < 2; cancels++) {
		struct mad_async *async = mad_async_create_pair(pair, &options, sizeof(options));

		assert_non_null(async);
		end_in_write(async, cancels, refused);
	}
	mad_rpc_close_port2(pair);
	responder_finish();
}

TEST(in_a_write_of_a_pair)
{
	run_in_child(check_pair_in_write);
}
