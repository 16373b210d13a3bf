/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * How many requests are in flight at once, in which order they go out, and in which order they
 * complete.
 */
#include "test.h"
#include "fixture.h"

#include <pthread.h>
#include <stdlib.h>

/* Every response takes time, the longer the larger mod is modulo 7. */
static void respond_at_various_times(const struct responder_request *request,
				     struct responder_response *response, void *context)
{
	(void)context;
	response->delay_us = 500 + request->attr_mod % 7 * 300;
}

static void check_window(struct ibmad_port *port, unsigned window, unsigned requests)
{
	struct mad_async *async =
		window ? create_async(port, window, 20000, 0) : mad_async_create(port, NULL, 0);
	unsigned limit = window ? window : MAD_ASYNC_DEFAULT_WINDOW;

	responder_plan(respond_at_various_times, NULL);
	for (unsigned i = 0; i < requests; i++)
		submit_get(async, 1 + i % 1000, i, NULL);
	assert_int_equal(mad_async_pending(async), requests);
	assert_int_equal(dispatch_all(async), requests);
	assert_int_equal(most_in_window(0), limit);
	assert_int_equal(responder_in_flight(0), 0);
	assert_int_equal(responder_writes(), requests);
	mad_async_free(async);
}

PORT_TEST(window_of_one)
{
	check_window(*state, 1, 50);
}

PORT_TEST(window_of_three)
{
	check_window(*state, 3, 200);
}

PORT_TEST(default_window)
{
	check_window(*state, 0, 2000);
}

PORT_TEST(window_of_64)
{
	check_window(*state, 64, 5000);
}

PORT_TEST(largest_window)
{
	struct mad_async *async = create_async(*state, MAD_ASYNC_MAX_WINDOW, 20000, 0);
	unsigned requests = MAD_ASYNC_MAX_WINDOW + 1000;

	responder_plan(respond_at_various_times, NULL);
	for (unsigned i = 0; i < requests; i++)
		submit_get(async, 1 + i, 700, NULL);
	assert_int_equal(responder_in_flight(0), MAD_ASYNC_MAX_WINDOW);
	assert_int_equal(dispatch_all(async), requests);
	mad_async_free(async);
}

/* The window is kept where another thread does the work, too. */
PORT_TEST(window_with_a_descriptor)
{
	struct mad_async *async = create_threaded(*state, 8, 20000, 0);

	responder_plan(respond_at_various_times, NULL);
	for (unsigned i = 0; i < 2000; i++)
		submit_get(async, 1 + i % 100, i, NULL);
	assert_int_equal(dispatch_all(async), 2000);
	assert_int_equal(most_in_window(0), 8);
	mad_async_free(async);
}

/* LIDs of 1000 and above never respond. */
static void silence_above_1000(const struct responder_request *request,
			       struct responder_response *response, void *context)
{
	(void)context;
	response->silent = request->lid >= 1000;
	response->delay_us = 1000;
}

#define WINDOW	     4
#define DEAD_PORTS   60
#define ALIVE_PORTS  200
#define ALL_REQUESTS (DEAD_PORTS + ALIVE_PORTS)

/* Ports that do not respond leave the window one by one; those that are left fill no more of it. */
PORT_TEST(only_slow_requests_exceed_the_window)
{
	struct mad_async *async = create_async(*state, WINDOW, 2000, 1);
	struct outcome outcomes[ALL_REQUESTS] = { { .calls = 0 } };
	int64_t began = now_ms();

	responder_stays_silent();
	responder_plan(silence_above_1000, NULL);
	submit_get(async, 1, 0, NULL); /* measures how long a response takes */
	dispatch_all(async);
	for (int i = 0; i < ALL_REQUESTS; i++)
		submit_get(async, (i % 4 == 0 && i / 4 < DEAD_PORTS ? 1000 : 2) + i, 1 + i,
			   &outcomes[i]);
	dispatch_at_least(async, ALIVE_PORTS);
	assert_true(now_ms() - began < 2000); /* none of the dead has been given up so far */
	assert_int_equal(most_in_window(0), WINDOW);
	assert_true(responder_most_in_flight(0) > WINDOW);
	mad_async_free(async);
	for (int i = 0; i < ALL_REQUESTS; i++)
		assert_int_equal(outcomes[i].calls, 1);
}

/* One request for each port: they go out as they were submitted. */
PORT_TEST(order_of_sending)
{
	struct mad_async *async = create_async(*state, 5, 20000, 0);
	unsigned requests = 1000;

	responder_plan(respond_at_various_times, NULL);
	for (unsigned i = 0; i < requests; i++)
		submit_get(async, 1 + i, i, NULL);
	dispatch_all(async);
	assert_int_equal(responder_writes(), requests);
	for (unsigned i = 0; i < requests; i++)
		assert_int_equal(responder_record(i + 1).attr_mod, i);
	mad_async_free(async);
}

/* Each port gets its requests in order, whatever happens at others. */
PORT_TEST(order_for_each_port)
{
	struct mad_async *async = create_async(*state, 5, 20000, 0);
	unsigned requests = 3000, ports = 7;
	unsigned next[8] = { 0, 1, 2, 3, 4, 5, 6, 7 };

	responder_plan(respond_at_various_times, NULL);
	for (unsigned i = 0; i < requests; i++)
		submit_get(async, 1 + i % ports, i, NULL);
	dispatch_all(async);
	for (unsigned i = 0; i < ports; i++)
		next[1 + i] = i;
	for (unsigned i = 1; i <= requests; i++) {
		struct responder_record record = responder_record(i);

		assert_int_equal(record.attr_mod, next[record.lid]);
		next[record.lid] += ports;
	}
	mad_async_free(async);
}

PORT_TEST(order_for_one_port)
{
	struct mad_async *async = create_async(*state, 5, 20000, 0);

	responder_plan(respond_at_various_times, NULL);
	for (unsigned i = 0; i < 1000; i++)
		submit_get(async, 1, i, NULL);
	dispatch_all(async);
	for (unsigned i = 0; i < 1000; i++)
		assert_int_equal(responder_record(i + 1).attr_mod, i);
	mad_async_free(async);
}

/* The write of the third request takes long. */
static void pause_before_3(const struct responder_request *request, void *context)
{
	(void)context;
	if (request->attr_mod == 3)
		sleep_ms(100);
}

static void *dispatch_too(void *async)
{
	while (mad_async_pending(async))
		mad_async_dispatch(async, 0, 10);
	return NULL;
}

/*
 * When two places in the window become free at once, two threads may fill them: the request that
 * waited longer still has to be sent first.
 */
PORT_TEST(order_with_two_threads)
{
	struct mad_async *async = create_async(*state, 2, 20000, 0);
	pthread_t thread;

	respond_after(50);
	responder_before_writes(pause_before_3, NULL);
	for (unsigned i = 1; i <= 4; i++)
		submit_get(async, (int)i, i, NULL);
	assert_int_equal(pthread_create(&thread, NULL, dispatch_too, async), 0);
	dispatch_too(async);
	pthread_join(thread, NULL);
	mad_async_free(async);
	assert_int_equal(responder_writes(), 4);
	for (unsigned i = 1; i <= 4; i++)
		assert_int_equal(responder_record(i).attr_mod, i);
}

/* The same where a blocking call reads the response that lets another request be sent. */
PORT_TEST(order_beside_a_blocking_call)
{
	struct mad_async *async = create_threaded(*state, 2, 20000, 0);
	ib_portid_t to = { .lid = 9 };
	uint8_t data[64] = { 0 };

	respond_after(50);
	responder_before_writes(pause_before_3, NULL);
	for (unsigned i = 1; i <= 3; i++)
		submit_get(async, (int)i, i, NULL);
	assert_non_null(smp_query_via(data, &to, 0x11, 9, 20000, *state));
	submit_get(async, 4, 4, NULL);
	dispatch_all(async);
	mad_async_free(async);
	for (unsigned i = 1, next = 1; i <= 5; i++)
		if (responder_record(i).lid != 9)
			assert_int_equal(responder_record(i).attr_mod, next++);
}

/* The later a request was sent, the sooner its response arrives. */
static void respond_in_reverse(const struct responder_request *request,
			       struct responder_response *response, void *context)
{
	(void)context;
	response->delay_us = 100000 - request->attr_mod * 4000;
}

PORT_TEST(completion_as_responses_come)
{
	struct mad_async *async = create_async(*state, 16, 20000, 0);
	struct outcome outcomes[16] = { { .calls = 0 } };

	responder_plan(respond_in_reverse, NULL);
	for (unsigned i = 0; i < 16; i++)
		submit_get(async, 1 + (int)i, i, &outcomes[i]);
	dispatch_all(async);
	for (int i = 0; i < 16; i++) {
		assert_outcome(&outcomes[i], 0);
		assert_int_equal(outcomes[i].order, 16 - i);
	}
	mad_async_free(async);
}

/* What is not dispatched stays: no callback comes before. */
PORT_TEST(callbacks_come_from_dispatch_only)
{
	struct mad_async *async = create_async(*state, 16, 20000, 0);
	struct outcome outcome = { .calls = 0 };

	submit_get(async, 1, 1, &outcome);
	sleep_ms(20);
	submit_get(async, 2, 2, NULL);
	mad_async_cancel(async, MAD_ASYNC_ALL);
	sleep_ms(20);
	assert_int_equal(outcome.calls, 0);
	assert_int_equal(mad_async_pending(async), 2);
	assert_int_equal(mad_async_dispatch(async, 0, 0), 2);
	assert_int_equal(outcome.calls, 1);
	assert_int_equal(mad_async_pending(async), 0);
	mad_async_free(async);
}

PORT_TEST(dispatch_waits_as_long_as_asked)
{
	struct mad_async *async = create_async(*state, 16, 20000, 0);
	int64_t began = now_ms();

	respond_after(50);
	assert_int_equal(mad_async_dispatch(async, 0, -1), 0); /* nothing is there to wait for */
	assert_int_equal(mad_async_dispatch(async, 0, 1000), 0);
	assert_true(now_ms() - began < 500);
	submit_get(async, 1, 1, NULL);
	began = now_ms();
	assert_int_equal(mad_async_dispatch(async, 0, 0), 0);
	assert_true(now_ms() - began < 40);
	assert_int_equal(mad_async_dispatch(async, 0, 10), 0);
	assert_true(now_ms() - began >= 10);
	assert_int_equal(mad_async_dispatch(async, 0, -1), 1);
	assert_true(now_ms() - began >= 49);
	mad_async_free(async);
}

/* A port that never responds gets as many requests at a time as the window is large. */
PORT_TEST(silent_port_and_window)
{
	struct mad_async *async;

	responder_use_virtual_clock();
	responder_plan(never_respond, NULL);
	async = create_async(*state, WINDOW, 100, 2);
	for (int i = 0; i < 10 * WINDOW; i++)
		submit_get(async, 9, (unsigned)i, NULL);
	dispatch_all(async);
	assert_between(responder_most_in_flight(0), 1, WINDOW);
	mad_async_free(async);
}

/* All share a window, beside the requests that were sent before the ports were known to be silent.
 */
PORT_TEST(silent_ports_and_window)
{
	struct mad_async *async;

	responder_use_virtual_clock();
	responder_plan(never_respond, NULL);
	async = create_async(*state, WINDOW, 200, 1);
	for (int i = 0; i < 10 * WINDOW; i++)
		submit_get(async, 1 + i % 3, (unsigned)i, NULL);
	dispatch_all(async);
	assert_int_equal(responder_most_in_flight(0), 2 * WINDOW);
	mad_async_free(async);
}
