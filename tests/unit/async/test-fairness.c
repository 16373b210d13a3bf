/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * A port that does not respond delays requests to itself, and no others: measured as the time
 * that requests to others take, against what they take without it.
 */
#include "test.h"
#include "fixture.h"

#include <errno.h>
#include <stdlib.h>

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

/*
 * How long ALIVE requests take, in ms, with `dead` requests before them (or among them), spread
 * over dead_ports ports from first_lid on.
 */
static int64_t time_alive(struct ibmad_port *port, int dead, int dead_ports, int first_lid,
			  bool mixed)
{
	struct mad_async *async = create_async(port, 16, TIMEOUT_MS, 3);
	struct count count = { .alive = 0 };
	int64_t began = responder_now_us(), end = now_ms() + 20000;

	responder_plan(dead_slow_or_alive, NULL);
	for (int i = 0; i < dead; i++) {
		submit_with(async, first_lid + i % dead_ports, i, count_dead, &count);
		if (mixed && i < ALIVE)
			submit_with(async, 1 + i % PORTS, i, count_alive, &count);
	}
	for (int i = mixed && dead < ALIVE ? dead : mixed ? ALIVE : 0; i < ALIVE; i++)
		submit_with(async, 1 + i % PORTS, i, count_alive, &count);
	while (count.alive < ALIVE && now_ms() < end)
		assert_true(mad_async_dispatch(async, 0, 100) >= 0);
	mad_async_free(async);
	assert_int_equal(count.alive, ALIVE);
	assert_int_equal(count.failed, 0);
	assert_int_equal(count.dead, dead);
	return (count.last_us - began) / 1000;
}

static void check_delay(struct ibmad_port *port, int dead, int dead_ports, int first_lid,
			bool mixed)
{
	int64_t without = time_alive(port, 0, 1, first_lid, false);
	int64_t with = time_alive(port, dead, dead_ports, first_lid, mixed);

	if (with > without + TIMEOUT_MS)
		fail_msg("%d requests took %d ms beside %d to %d ports that do not respond, and "
			 "%d ms without",
			 ALIVE, (int)with, dead, dead_ports, (int)without);
}

PORT_TEST(dead_port_with_10000_requests)
{
	check_delay(*state, 10000, 1, DEAD, false);
}

PORT_TEST(dead_port_among_others)
{
	check_delay(*state, 10000, 1, DEAD, true);
}

PORT_TEST(dead_port_on_a_simulator)
{
	responder_stays_silent();
	check_delay(*state, 10000, 1, DEAD, false);
}

/* Fewer than fit into the window twice. */
PORT_TEST(twenty_dead_ports)
{
	check_delay(*state, 10000, 20, DEAD, true);
}

/* Responses that take long do not make a port silent, but may not delay others for longer. */
PORT_TEST(slow_port)
{
	check_delay(*state, 20, 1, SLOW, true);
}

/* Nor do they make it one that is asked by one request at a time. */
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

/* The port responds at first, and is gone afterwards. */
struct dying {
	unsigned left;
};

static void die(const struct responder_request *request, struct responder_response *response,
		void *context)
{
	struct dying *dying = context;

	response->delay_us = 1000;
	if (request->lid < DEAD)
		return;
	if (dying->left)
		dying->left--;
	else
		response->silent = true;
}

PORT_TEST(port_that_dies)
{
	struct mad_async *async = create_async(*state, 16, TIMEOUT_MS, 3);
	struct count count = { .alive = 0 };
	struct dying dying = { .left = 500 };
	int64_t without = time_alive(*state, 0, 1, DEAD, false), began;
	int64_t end = now_ms() + 20000;

	responder_plan(die, &dying);
	began = responder_now_us();
	for (int i = 0; i < 2000; i++)
		submit_with(async, DEAD, i, count_dead, &count);
	for (int i = 0; i < ALIVE; i++)
		submit_with(async, 1 + i % PORTS, i, count_alive, &count);
	while (count.alive < ALIVE && now_ms() < end)
		assert_true(mad_async_dispatch(async, 0, 100) >= 0);
	assert_true(count.dead >= 500);
	mad_async_free(async);
	assert_int_equal(count.alive, ALIVE);
	/* The 500 responses take as long as half of the others do. */
	assert_true((count.last_us - began) / 1000 < without * 2 + TIMEOUT_MS);
}

/* All requests to a dead port end, one after the other, each after its own timeouts. */
PORT_TEST(requests_to_a_dead_port_all_end)
{
	struct mad_async *async = create_async(*state, 16, 20, 2);
	struct outcome outcomes[30] = { { .calls = 0 } };

	responder_plan(dead_slow_or_alive, NULL);
	for (int i = 0; i < 30; i++)
		submit_get(async, DEAD, i, &outcomes[i]);
	assert_int_equal(dispatch_all(async), 30);
	for (int i = 0; i < 30; i++) {
		assert_outcome(&outcomes[i], ETIMEDOUT);
		assert_int_equal(outcomes[i].tries, 2);
	}
	assert_int_equal(responder_writes(), 60);
	mad_async_free(async);
}

/* A port that comes back gets all that waits for it. */
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
	assert_true(now_ms() - began < 4 * 300 + 2000);
	for (unsigned i = 1; i <= responder_writes(); i++)
		assert_int_equal(responder_record(i).attr_mod, i - 1); /* in order, too */
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
	int64_t began = now_ms();
	struct count count = { .alive = 0 };

	responder_plan(dead_slow_or_alive, NULL); /* directed routes go to LID 0xffff: dead */
	for (int i = 0; i < 50; i++) {
		assert_true(mad_async_smp(async, ASYNC_TO(&route[i % 2], count_dead, &count), 0x11,
					  i, NULL) > 0);
		assert_true(mad_async_perf_get(async, ASYNC_TO(&global[i % 2], count_alive, &count),
					       0x12, 1) > 0);
	}
	while (count.alive < 50 && now_ms() - began < 20000)
		mad_async_dispatch(async, 0, 100);
	assert_true(now_ms() - began < TIMEOUT_MS);
	assert_int_equal(responder_writes(), 50 + 4); /* two for each dead one */
	mad_async_free(async);
}

/* The following in virtual time. */
static int setup_virtual(void **state)
{
	setup_port(state);
	responder_use_virtual_clock();
	return 0;
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

TEST_WITH(waking_port_before_dead_ones, setup_virtual, teardown_port)
{
	check_waking(*state, 0);
}

TEST_WITH(known_waking_port_before_dead_ones, setup_virtual, teardown_port)
{
	check_waking(*state, PORTS);
}

/* With the usual options; `before` ports have responded before. */
static void check_live_behind_dead(struct ibmad_port *port, int before)
{
	struct mad_async *async = mad_async_create(port, NULL, 0);
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
	while (count.alive <= before)
		assert_true(mad_async_dispatch(async, 0, 100) >= 0);
	assert_int_equal(count.failed, 0);
	assert_between((count.last_us - began) / 1000, 0, 1000);
	mad_async_free(async);
}

TEST_WITH(live_port_behind_dead_ones, setup_virtual, teardown_port)
{
	check_live_behind_dead(*state, 0);
}

TEST_WITH(live_port_behind_dead_ones_after_others, setup_virtual, teardown_port)
{
	check_live_behind_dead(*state, PORTS);
}
