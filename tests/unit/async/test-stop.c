/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * mad_async_free() while the thread behind mad_async_get_fd(), or that of a pair, is in a write:
 * whatever becomes of the request meanwhile, destroying ends once the write has ended.
 */
#include "test.h"
#include "fixture.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>

#define STOP_MS 50 /* after which a thread that destroys waits for the one that writes */

/* A write that waits in the kernel. */
static struct {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	unsigned blocked_mod; /* attribute modifier of the request that is held up */
	bool entered;
	bool released;
} gate = { .lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER };

static void hold_up(const struct responder_request *request, void *context)
{
	(void)context;
	pthread_mutex_lock(&gate.lock);
	if (request->attr_mod == gate.blocked_mod) {
		gate.entered = true;
		pthread_cond_broadcast(&gate.changed);
		while (!gate.released)
			pthread_cond_wait(&gate.changed, &gate.lock);
	}
	pthread_mutex_unlock(&gate.lock);
}

static void wait_until_held_up(void)
{
	pthread_mutex_lock(&gate.lock);
	while (!gate.entered)
		pthread_cond_wait(&gate.changed, &gate.lock);
	pthread_mutex_unlock(&gate.lock);
}

static void release(void)
{
	pthread_mutex_lock(&gate.lock);
	gate.released = true;
	pthread_cond_broadcast(&gate.changed);
	pthread_mutex_unlock(&gate.lock);
}

/* Request 1 gets a response after 20 ms, and the test determines the outcome of request 2. */
static void response(const struct responder_request *request, struct responder_response *response,
		     void *context)
{
	const struct responder_response *second = context;

	if (request->attr_mod == 2)
		*response = *second;
	else
		response->delay_us = 20000;
}

static void *destroy(void *async)
{
	mad_async_free(async);
	return NULL;
}

/*
 * With a window of 1 only the thread sends request 2, once request 1 has a response. Destroys
 * while it does, after cancelling where that is wanted.
 */
static void destroy_in_write(struct mad_async *async, const struct responder_response *second,
			     bool cancels, struct outcome outcomes[2])
{
	struct responder_response copy = *second;
	pthread_t destroyer;

	gate.blocked_mod = 2;
	gate.entered = gate.released = false;
	responder_plan(response, &copy);
	responder_before_writes(hold_up, NULL);
	memset(outcomes, 0, 2 * sizeof(*outcomes));
	for (unsigned i = 0; i < 2; i++)
		submit_get(async, 1 + (int)i, i + 1, &outcomes[i]);
	wait_until_held_up();
	if (cancels)
		assert_int_equal(mad_async_cancel(async, MAD_ASYNC_ALL), 1);
	assert_int_equal(pthread_create(&destroyer, NULL, destroy, async), 0);
	sleep_ms(STOP_MS);
	release();
	assert_int_equal(pthread_join(destroyer, NULL), 0);
	assert_outcome(&outcomes[0], 0);
	responder_before_writes(NULL, NULL);
}

static struct mad_async *create_with_thread(struct ibmad_port *port)
{
	struct mad_async *async = create_threaded(port, 1, 10000, 1);

	return async;
}

static void check_cancelled(void)
{
	static const struct responder_response silent = { .silent = true };
	struct outcome outcomes[2];
	void *port;

	setup_port(&port);
	destroy_in_write(create_with_thread(port), &silent, true, outcomes);
	assert_outcome(&outcomes[1], ECANCELED);
	teardown_port(&port);
}

static void check_refused(void)
{
	static const struct responder_response refused = { .write_error = EIO };
	struct outcome outcomes[2];
	void *port;

	setup_port(&port);
	destroy_in_write(create_with_thread(port), &refused, false, outcomes);
	assert_int_equal(outcomes[1].calls, 1);
	assert_true(outcomes[1].error == EIO || outcomes[1].error == ECANCELED);
	teardown_port(&port);
}

static void check_silent(void)
{
	static const struct responder_response silent = { .silent = true };
	struct outcome outcomes[2];
	void *port;

	setup_port(&port);
	destroy_in_write(create_with_thread(port), &silent, false, outcomes);
	assert_outcome(&outcomes[1], ECANCELED);
	teardown_port(&port);
}

static void check_pair(void)
{
	static const struct responder_response refused = { .write_error = EIO };
	struct mad_async_options options = { .flags = MAD_ASYNC_THREAD, .window = 1 };
	struct ibmad_ports_pair *pair;
	struct outcome outcomes[2];

	responder_reset();
	pair = open_pair();
	for (int cancels = 0; cancels < 2; cancels++) {
		struct mad_async *async = mad_async_create_pair(pair, &options, sizeof(options));

		assert_non_null(async);
		destroy_in_write(async, &refused, cancels, outcomes);
		assert_int_equal(outcomes[1].calls, 1);
	}
	mad_rpc_close_port2(pair);
	responder_finish();
}

TEST(cancelled_in_write)
{
	run_in_child(check_cancelled);
}

TEST(refused_write)
{
	run_in_child(check_refused);
}

TEST(destroyed_in_write)
{
	run_in_child(check_silent);
}

TEST(pair_in_write)
{
	run_in_child(check_pair);
}
