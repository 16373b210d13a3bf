/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * How many requests are in flight at once, in which order they go out and complete; and that a port
 * which does not respond delays requests to itself, and no others.
 */
#include "test.h"
#include "fixture.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Every response takes time, the longer the larger mod is modulo 7. */
static void respond_at_various_times(const struct responder_request *request,
				     struct responder_response *response, void *context)
{
	(void)context;
	response->delay_us = 500 + request->attr_mod % 7 * 300;
}

PORT_TEST(window_is_filled)
{
	static const unsigned windows[] = { 1, 3, 0, 64, MAD_ASYNC_MAX_WINDOW };

	responder_plan(respond_at_various_times, NULL);
	for (size_t i = 0; i < COUNT(windows); i++) {
		struct mad_async *async = windows[i] ? create_async(*state, windows[i], 20000, 0)
						     : mad_async_create(*state, NULL, 0);
		unsigned window = windows[i] ? windows[i] : MAD_ASYNC_DEFAULT_WINDOW;
		unsigned before = responder_writes(), requests = 2 * window + 50;

		for (unsigned j = 0; j < requests; j++)
			submit_get(async, 1 + (int)j, j, NULL);
		assert_int_equal(mad_async_pending(async), requests);
		assert_int_equal(responder_in_flight(0), window);
		assert_int_equal(dispatch_all(async), requests);
		assert_int_equal(responder_most_in_flight(0), window);
		assert_int_equal(responder_in_flight(0), 0);
		assert_int_equal(responder_writes(), before + requests);
		mad_async_free(async);
	}
}

/* Each port gets its requests in order, whatever happens at others; so do different ports. */
PORT_TEST(order_of_sending)
{
	static const unsigned ports[] = { 1, 7, 1000 };
	const unsigned requests = 1000;

	responder_plan(respond_at_various_times, NULL);
	for (size_t i = 0; i < COUNT(ports); i++) {
		struct mad_async *async = create_async(*state, 5, 20000, 0);
		unsigned before = responder_writes(), next[1001];

		for (unsigned j = 0; j < requests; j++)
			submit_get(async, 1 + (int)(j % ports[i]), j, NULL);
		dispatch_all(async);
		mad_async_free(async);
		assert_int_equal(responder_writes(), before + requests);
		for (unsigned j = 0; j < ports[i]; j++)
			next[1 + j] = j;
		for (unsigned j = 0; j < requests; j++) {
			struct responder_record record = responder_record(before + 1 + j);

			assert_int_equal(record.attr_mod, next[record.lid]);
			if (ports[i] != 7)
				assert_int_equal(record.attr_mod, j);
			next[record.lid] += ports[i];
		}
	}
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

#define DEAD	   5000 /* LIDs from here on do not respond */
#define SLOW	   4000 /* these take 150 ms */
#define TIMEOUT_MS 1000
#define ALIVE	   1000 /* requests to ports that respond */
#define PORTS	   20

static void dead_slow_or_alive(const struct responder_request *request,
			       struct responder_response *response, void *context)
{
	(void)context;
	response->silent = request->lid >= DEAD;
	response->delay_us = request->lid >= SLOW ? 150000 : 1000;
}

struct count {
	int alive;
	int failed;
	int dead;
	int64_t last_us; /* when the last request to a port that responds completed */
};

static void count_alive(struct mad_async *async, const struct mad_async_result *result,
			void *context)
{
	struct count *count = context;

	(void)async;
	count->alive++;
	count->failed += result->error != 0;
	count->last_us = responder_now_us();
}

static void count_dead(struct mad_async *async, const struct mad_async_result *result,
		       void *context)
{
	struct count *count = context;

	(void)async;
	(void)result;
	count->dead++;
}

static void dispatch_until_alive(struct mad_async *async, const struct count *count, int alive)
{
	int64_t end = now_ms() + PATIENCE_MS;

	while (count->alive < alive && now_ms() < end)
		assert_true(mad_async_dispatch(async, 0, 100) >= 0);
	assert_int_equal(count->alive, alive);
	assert_int_equal(count->failed, 0);
}

/*
 * How long ALIVE requests take, in ms, with `dead` requests before them (or among them), spread
 * over dead_ports ports from first_lid on.
 */
static int64_t time_alive(struct ibmad_port *port, int dead, int dead_ports, int first_lid,
			  bool mixed)
{
	struct mad_async *async = create_async(port, 16, TIMEOUT_MS, 3);
	struct count count = { .alive = 0 };
	int64_t began = responder_now_us();

	responder_plan(dead_slow_or_alive, NULL);
	for (int i = 0; i < dead || i < ALIVE; i++) {
		if (i < dead)
			submit_with(async, first_lid + i % dead_ports, i, count_dead, &count);
		if (mixed && i < ALIVE)
			submit_with(async, 1 + i % PORTS, i, count_alive, &count);
	}
	for (int i = 0; !mixed && i < ALIVE; i++)
		submit_with(async, 1 + i % PORTS, i, count_alive, &count);
	dispatch_until_alive(async, &count, ALIVE);
	mad_async_free(async);
	assert_int_equal(count.dead, dead);
	return (count.last_us - began) / 1000;
}

/* Those that fill the window first leave it after a few round trips; slow ones do not leave it. */
PORT_TEST(others_are_not_delayed)
{
	static const struct {
		int dead, dead_ports, first_lid;
		bool mixed, simulator;
	} cases[] = {
		{ 10000, 1, DEAD, false, false }, { 10000, 1, DEAD, true, false },
		{ 10000, 20, DEAD, true, false }, { 20, 1, SLOW, true, false },
		{ 10000, 1, DEAD, false, true },
	};
	int64_t without = time_alive(*state, 0, 1, DEAD, false), with;

	for (size_t i = 0; i < COUNT(cases); i++) {
		if (cases[i].simulator)
			responder_stays_silent();
		with = time_alive(*state, cases[i].dead, cases[i].dead_ports, cases[i].first_lid,
				  cases[i].mixed);
		print_message("%d ms, alone %d ms\n", (int)with, (int)without);
		assert_between(with, 0, without + TIMEOUT_MS / 4);
	}
}

/* Responses that take long do not make a port one that is asked by one request at a time. */
PORT_TEST(slow_port_gets_many_requests)
{
	struct mad_async *async = create_async(*state, 16, TIMEOUT_MS, 3);
	struct count count = { .alive = 0 };

	responder_plan(dead_slow_or_alive, NULL);
	submit_with(async, 1, 0, count_alive, &count); /* measures how long a response takes */
	dispatch_all(async);
	for (int i = 0; i < 20; i++)
		submit_with(async, SLOW, i, count_alive, &count);
	assert_int_equal(dispatch_all(async), 20);
	assert_int_equal(count.failed, 0);
	assert_between(responder_most_in_flight(0), 10, 20);
	mad_async_free(async);
}

/* Silent ports leave the window one by one; those that are left fill no more of it. */
PORT_TEST(only_silent_requests_exceed_the_window)
{
	struct mad_async *async = create_async(*state, 4, TIMEOUT_MS, 1);
	struct count count = { .alive = 0 };

	responder_plan(dead_slow_or_alive, NULL);
	submit_with(async, 1, 0, count_alive, &count);
	dispatch_all(async);
	for (int i = 0; i < 240; i++)
		submit_with(async, i % 4 ? 2 + i : DEAD + i, 1 + i,
			    i % 4 ? count_alive : count_dead, &count);
	dispatch_until_alive(async, &count, 1 + 180);
	assert_int_equal(count.dead, 0); /* none has been given up so far */
	assert_between(responder_most_in_flight(0), 5, 60 + 4);
	mad_async_free(async);
	assert_int_equal(count.dead, 60);
}

/* All silent ports share one window, beside what was sent before they were known to be silent. */
PORT_TEST(silent_ports_share_a_window)
{
	for (int ports = 1; ports <= 3; ports += 2) {
		struct mad_async *async = create_async(*state, 4, 200, 1);

		responder_plan(never_respond, NULL);
		for (int i = 0; i < 40; i++)
			submit_get(async, 1 + i % ports, (unsigned)i, NULL);
		dispatch_all(async);
		mad_async_free(async);
		if (ports == 1)
			assert_between(responder_most_in_flight(0), 1, 4);
		else
			assert_int_equal(responder_most_in_flight(0), 2 * 4);
	}
}

/* The port responds to so many requests, and is gone afterwards. */
static void die(const struct responder_request *request, struct responder_response *response,
		void *context)
{
	int *left = context;

	response->delay_us = 1000;
	response->silent = request->lid >= DEAD && (*left)-- <= 0;
}

PORT_TEST(port_that_dies)
{
	int64_t without = time_alive(*state, 0, 1, DEAD, false), began = responder_now_us();
	struct mad_async *async = create_async(*state, 16, TIMEOUT_MS, 3);
	struct count count = { .alive = 0 };
	int left = 500;

	responder_plan(die, &left);
	for (int i = 0; i < 2000; i++)
		submit_with(async, DEAD, i, count_dead, &count);
	for (int i = 0; i < ALIVE; i++)
		submit_with(async, 1 + i % PORTS, i, count_alive, &count);
	dispatch_until_alive(async, &count, ALIVE);
	assert_between(count.dead, 500, 2000);
	mad_async_free(async);
	/* The 500 responses take as long as half of the others do. */
	assert_between((count.last_us - began) / 1000, without, without * 2 + TIMEOUT_MS / 4);
}

/* A port that comes back gets all that waits for it, in order. */
static void recover(const struct responder_request *request, struct responder_response *response,
		    void *context)
{
	(void)context;
	response->silent = request->attr_mod < 4;
	response->delay_us = 1000;
}

PORT_TEST(port_that_recovers)
{
	struct mad_async *async = create_async(*state, 16, 300, 1);
	struct outcome outcomes[1000] = { { .calls = 0 } };
	int64_t began = now_ms();

	responder_plan(recover, NULL);
	for (int i = 0; i < 1000; i++)
		submit_get(async, 1, i, &outcomes[i]);
	dispatch_all(async);
	for (int i = 0; i < 1000; i++)
		assert_outcome(&outcomes[i], i < 4 ? ETIMEDOUT : 0);
	assert_between(now_ms() - began, 300, 2 * 300);
	for (unsigned i = 1; i <= responder_writes(); i++)
		assert_int_equal(responder_record(i).attr_mod, i - 1);
	mad_async_free(async);
}

/* Ports are distinguished by LID, directed route and GID. */
PORT_TEST(kinds_of_ports)
{
	struct mad_async *async = create_async(*state, 16, TIMEOUT_MS, 1);
	ib_portid_t route[2] = { { .drpath = { .cnt = 2, .p = { 0, 1, 2 } } },
				 { .drpath = { .cnt = 2, .p = { 0, 1, 3 } } } };
	ib_portid_t global[2] = { { .lid = 9, .grh_present = 1, .gid = { 1 }, .qp = 1 },
				  { .lid = 9, .grh_present = 1, .gid = { 2 }, .qp = 1 } };
	struct count count = { .alive = 0 };

	responder_plan(dead_slow_or_alive, NULL); /* directed routes go to LID 0xffff: dead */
	for (int i = 0; i < 50; i++) {
		assert_true(mad_async_smp(async, ASYNC_TO(&route[i % 2], count_dead, &count), 0x11,
					  i, NULL) > 0);
		assert_true(mad_async_perf_get(async, ASYNC_TO(&global[i % 2], count_alive, &count),
					       0x12, 1) > 0);
	}
	dispatch_until_alive(async, &count, 50);
	assert_int_equal(count.dead, 0);
	assert_int_equal(responder_writes(), 50 + 4); /* two for each dead one */
	mad_async_free(async);
}

#define SILENT	 40
#define ATTEMPTS 3

/* Many requests to a port that is silent: their attempts overlap, and others come first. */
static void check_overlap(struct ibmad_port *port, unsigned window, int others,
			  responder_plan_fn *before)
{
	struct mad_async *async = create_async(port, window, 100, ATTEMPTS);
	struct outcome silent[SILENT] = { { .calls = 0 } }, first = { .calls = 0 };
	struct count count = { .alive = 0 };
	int64_t began;

	responder_plan(before, NULL);
	submit_get(async, DEAD, 0, &first); /* responds, or not; it is known by then */
	dispatch_all(async);
	responder_plan(dead_slow_or_alive, NULL);
	reset_order();
	began = now_ms();
	for (int i = 0; i < SILENT; i++)
		submit_get(async, DEAD, i, &silent[i]);
	for (int i = 0; i < others; i++)
		submit_with(async, 10 + i % 50, i, count_alive, &count);
	dispatch_until_alive(async, &count, others);
	for (int i = 0; i < SILENT; i++)
		assert_int_equal(silent[i].calls, 0);
	dispatch_all(async);
	assert_between(now_ms() - began, 300, 2000); /* one by one they would take 12 s */
	for (int i = 0; i < SILENT; i++) {
		assert_outcome(&silent[i], ETIMEDOUT);
		assert_int_equal(silent[i].tries, ATTEMPTS);
	}
	mad_async_free(async);
}

PORT_TEST(attempts_overlap)
{
	check_overlap(*state, 64, 0, dead_slow_or_alive);
	check_overlap(*state, 64, 0, NULL);
	check_overlap(*state, 64, 200, dead_slow_or_alive);
	check_overlap(*state, 0, 200, dead_slow_or_alive);
	responder_stays_silent();
	check_overlap(*state, 64, 0, dead_slow_or_alive);
}

#define WAKING	    7
#define WAKES_AFTER 500 /* ms, of WAKING */

static void silent_at_first(const struct responder_request *request,
			    struct responder_response *response, void *context)
{
	const int64_t *began = context;
	bool early = responder_now_us() - *began < WAKES_AFTER * 1000;

	response->delay_us = 1000;
	response->silent = request->lid >= DEAD || (request->lid == WAKING && early);
}

/*
 * Requests to a port that does not respond for a time, and 3,000 silent ports behind them; `before`
 * ports have responded before, from WAKING on.
 */
static void check_waking(struct ibmad_port *port, int before)
{
	struct mad_async *async = create_async(port, 16, 100, 3);
	struct count count = { .alive = 0 };
	int64_t began = INT64_MIN / 2;

	responder_plan(silent_at_first, &began);
	for (int i = 0; i < before; i++)
		submit_with(async, WAKING + i, i, count_alive, &count);
	dispatch_all(async);
	began = responder_now_us();
	for (int i = 0; i < 40; i++)
		submit_with(async, WAKING, i, count_alive, &count);
	for (int i = 0; i < 3000; i++)
		submit_with(async, DEAD + i, i, count_dead, &count);
	while (count.alive < before + 40)
		assert_true(mad_async_dispatch(async, 0, 100) >= 0);
	assert_between(count.failed, 0, 16); /* those that were sent before */
	assert_between((count.last_us - began) / 1000, WAKES_AFTER, 1500);
	mad_async_free(async);
}

PORT_TEST(waking_port_before_dead_ones)
{
	check_waking(*state, 0);
	check_waking(*state, PORTS);
}

/* With the usual options; `before` ports have responded before. */
PORT_TEST(live_port_behind_dead_ones)
{
	for (int before = 0; before <= PORTS; before += PORTS) {
		struct mad_async *async = mad_async_create(*state, NULL, 0);
		struct count count = { .alive = 0 };
		int64_t began;

		assert_non_null(async);
		responder_plan(dead_slow_or_alive, NULL);
		for (int i = 0; i < before; i++)
			submit_with(async, 1 + i, i, count_alive, &count);
		dispatch_all(async);
		began = responder_now_us();
		for (int i = 0; i < 200; i++)
			submit_with(async, DEAD + i, i, count_dead, &count);
		submit_with(async, 1, 0, count_alive, &count);
		dispatch_until_alive(async, &count, before + 1);
		assert_between((count.last_us - began) / 1000, 0, 1000);
		mad_async_free(async);
	}
}
