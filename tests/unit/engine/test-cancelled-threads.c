/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * pthread_cancel() of a thread in a call, with the C library's cancellation: the port is as usable
 * as before. The call may end before the thread does. Every place where a thread may be, and others
 * beside it, are in the simulation. And the lock of the default port.
 */
#include "tests/lib/async-request.h"
#include "fixture.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>

#define SILENT_LID     9
#define SLOW_LID       3
#define SLOW_US	       200000
#define TIMEOUT_MS     700  /* of calls that are cancelled */
#define UNDISTURBED_MS 3000 /* timeout of calls that are not */

#ifdef __SANITIZE_ADDRESS__
/*
 * AddressSanitizer asks for it. Cancellation unwinds the frames of a thread without a notice to the
 * sanitizer, whose own sigaltstack() then writes where a frame was (gcc 12).
 */
const char *__asan_default_suppressions(void);

const char *__asan_default_suppressions(void)
{
	return "interceptor_name:sigaltstack\n";
}
#endif

static void respond_by_lid(const struct responder_request *request,
			   struct responder_response *response, void *context)
{
	(void)context;
	response->silent = request->lid == SILENT_LID;
	response->delay_us = request->lid == SLOW_LID ? SLOW_US : 0;
}

/* A thread in a call. */
struct caller {
	pthread_t thread;
	struct ibmad_port *port;
	struct mad_async *async;
};

static void start(struct caller *caller, void *(*call)(void *caller))
{
	assert_int_equal(pthread_create(&caller->thread, NULL, call, caller), 0);
}

static void join(struct caller *caller)
{
	assert_int_equal(pthread_join(caller->thread, NULL), 0);
}

static void cancel(struct caller *caller)
{
	assert_int_equal(pthread_cancel(caller->thread), 0);
	join(caller);
}

static void *query_silent(void *context)
{
	query_node(((struct caller *)context)->port, SILENT_LID, TIMEOUT_MS);
	return NULL;
}

static void *dispatch(void *context)
{
	mad_async_dispatch(((struct caller *)context)->async, 0, TIMEOUT_MS);
	return NULL;
}

static struct ibmad_port *open_slow_port(void)
{
	void *port;

	setup_threads(&port);
	responder_plan(respond_by_lid, NULL);
	mad_rpc_set_retries(port, 1);
	return port;
}

/* The port is used, and closed; the simulation uses it in every way. */
static void check_usable(struct ibmad_port *port)
{
	void *state = port;

	sleep_ms(TIMEOUT_MS + 50); /* the kernel has returned what was silent */
	assert_true(query_node(port, 2, UNDISTURBED_MS));
	teardown_port(&state);
}

/* The thread that reads is cancelled. */
static void reading_query(void)
{
	struct ibmad_port *port = open_slow_port();
	struct caller reader = { .port = port };

	start(&reader, query_silent);
	wait_for_reader();
	cancel(&reader);
	check_usable(port);
}

static void end_thread(struct mad_async *async, const struct mad_async_result *result,
		       void *context)
{
	(void)async;
	(void)result;
	*(int *)context += 1;
	pthread_exit(NULL);
}

/* The thread ends in the callback of a response: that one is over, others are not. */
static void in_a_callback(void)
{
	struct ibmad_port *port = open_slow_port();
	struct mad_async *async = create_async(port, 4, UNDISTURBED_MS, 1);
	struct caller dispatcher = { .async = async };
	struct outcome outcome = { .calls = 0 };
	int called = 0;

	submit_with(async, 2, 1, end_thread, &called);
	submit_get(async, SLOW_LID, 1, &outcome);
	start(&dispatcher, dispatch);
	join(&dispatcher);
	assert_int_equal(called, 1);
	assert_int_equal(mad_async_pending(async), 1);
	dispatch_all(async);
	assert_int_equal(called, 1);
	assert_outcome(&outcome, 0);
	mad_async_free(async);
	check_usable(port);
}

/* The lock of the default port. */
static void *query_safely(void *context)
{
	ib_portid_t to = { .lid = SILENT_LID };
	uint8_t data[64] = { 0 };

	(void)context;
	safe_smp_query(data, &to, 0x11, 0, TIMEOUT_MS);
	return NULL;
}

static void *take_lock(void *context)
{
	(void)context;
	madrpc_lock();
	madrpc_unlock();
	return NULL;
}

static void open_default_port(void)
{
	int classes[] = { 0x01, 0x81 };
	char name[] = "mlx5_0";

	responder_reset();
	responder_plan(respond_by_lid, NULL);
	madrpc_set_retries(1);
	madrpc_init(name, 1, classes, COUNT(classes));
}

static void check_lock(void)
{
	struct caller other = { .port = NULL };
	ib_portid_t to = { .lid = 2 };
	uint8_t data[64] = { 0 };

	start(&other, take_lock);
	join(&other);
	assert_non_null(safe_smp_query(data, &to, 0x11, 0, UNDISTURBED_MS));
	madrpc_lock();
	assert_non_null(safe_smp_query(data, &to, 0x11, 0, UNDISTURBED_MS));
	madrpc_unlock();
}

static void in_a_safe_call(void)
{
	struct caller caller = { .port = NULL };

	open_default_port();
	start(&caller, query_safely);
	wait_for_reader();
	cancel(&caller);
	check_lock();
}

/* While one call is under way, a thread waits for the lock, and is cancelled. */
static void before_the_lock(void)
{
	struct caller under_way = { .port = NULL }, waits = under_way;

	open_default_port();
	start(&under_way, query_safely);
	wait_for_reader();
	start(&waits, take_lock);
	wait_until_others_sleep();
	cancel(&waits);
	check_lock();
	join(&under_way);
}

/* The thread that has the lock goes on, safe calls of others wait for it. */
static void while_the_lock_is_held(void)
{
	struct caller others[3] = { { .port = NULL } };
	ib_portid_t to = { .lid = 2 };
	uint8_t data[64] = { 0 };

	open_default_port();
	madrpc_lock();
	for (size_t i = 0; i < COUNT(others); i++)
		start(&others[i], query_safely);
	wait_until_others_sleep();
	assert_int_equal(responder_writes(), 0);
	assert_non_null(smp_query(data, &to, 0x11, 0, UNDISTURBED_MS));
	madrpc_unlock();
	for (size_t i = 0; i < COUNT(others); i++)
		join(&others[i]);
	assert_int_equal(responder_writes(), 1 + COUNT(others));
}

#define CANCEL_TEST(name)           \
	TEST(cancel_##name)         \
	{                           \
		run_in_child(name); \
	}

CANCEL_TEST(reading_query)
CANCEL_TEST(in_a_callback)
CANCEL_TEST(in_a_safe_call)
CANCEL_TEST(before_the_lock)

TEST(safe_call_while_the_lock_is_held)
{
	run_in_child(while_the_lock_is_held);
}
