/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Waiting without polling at intervals: a thread that sets an earlier timer wakes the thread that
 * waits for a later one, and a thread that waits does nothing until something happens. In a
 * simulator, whose descriptors can't be polled along with others, it may look again every few
 * milliseconds.
 */
#include "test.h"
#include "fixture.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#define ROUNDS	     21
#define SHORT_MS     5
#define LONG_MS	     20000
#define LATE_MOST_US 10000 /* of the middle round */
#define QUIET_MS     1000
#define POLLS_MOST   8 /* of a thread in QUIET_MS: some for timers, none for looking */

/* A thread that dispatches until it is asked to stop. */
struct dispatcher {
	struct mad_async *async;
	pthread_t thread;
	atomic_bool ends;
	long switches; /* how often it gave up the processor */
};

static void *dispatch(void *context)
{
	struct dispatcher *dispatcher = context;
	struct rusage usage;

	while (!atomic_load(&dispatcher->ends))
		mad_async_dispatch(dispatcher->async, 0, -1);
	getrusage(RUSAGE_THREAD, &usage);
	dispatcher->switches = usage.ru_nvcsw;
	return NULL;
}

static void start(struct dispatcher *dispatcher, struct mad_async *async)
{
	*dispatcher = (struct dispatcher){ .async = async };
	assert_int_equal(pthread_create(&dispatcher->thread, NULL, dispatch, dispatcher), 0);
}

static void end(struct dispatcher *dispatcher, uint64_t last)
{
	atomic_store(&dispatcher->ends, true);
	mad_async_cancel(dispatcher->async, last);
	assert_int_equal(pthread_join(dispatcher->thread, NULL), 0);
}

static int compare(const void *one, const void *other)
{
	int64_t a = *(const int64_t *)one, b = *(const int64_t *)other;

	return (a > b) - (a < b);
}

/* A request with a short timeout beside one with a long timeout: how late it ends, in us. */
static int64_t end_one(struct mad_async *async, struct outcome *outcome, int lid)
{
	ib_portid_t to = { .lid = lid };
	ib_rpc_t rpc = {
		.mgtclass = IB_SMI_CLASS,
		.method = IB_MAD_METHOD_GET,
		.attr = { .id = 0x11 },
		.timeout = SHORT_MS,
		.datasz = 64,
		.dataoffs = 64,
	};
	int64_t started = responder_now_us(), give_up = started + 5000000;

	memset(outcome, 0, sizeof(*outcome));
	assert_true(mad_async_submit(async, ASYNC_TO(&to, note_outcome, outcome), &rpc, NULL) > 0);
	while (!atomic_load(&outcome->calls) && responder_now_us() < give_up)
		sleep_ms(1);
	assert_outcome(outcome, ETIMEDOUT);
	return outcome->at_us - started - SHORT_MS * 1000;
}

static void check_lateness(struct ibmad_port *port, bool gives_back)
{
	struct mad_async *async = create_async(port, 16, LONG_MS, 1);
	static struct outcome outcome;
	struct dispatcher dispatcher;
	int64_t late[ROUNDS];
	uint64_t last;

	responder_plan(never_respond, NULL);
	if (!gives_back)
		responder_stays_silent();
	last = submit_get(async, 2, 1, NULL);
	start(&dispatcher, async);
	sleep_ms(120);
	for (int i = 0; i < ROUNDS; i++)
		late[i] = end_one(async, &outcome, 10 + i);
	end(&dispatcher, last);
	qsort(late, ROUNDS, sizeof(late[0]), compare);
	print_message("late by %.1f ms, between %.1f and %.1f\n", (double)late[ROUNDS / 2] / 1e3,
		      (double)late[0] / 1e3, (double)late[ROUNDS - 1] / 1e3);
	assert_true(late[0] >= -1000);
	assert_true(late[ROUNDS / 2] <= LATE_MOST_US);
	mad_async_free(async);
}

/* A device that can be polled along with what wakes the thread. */
static int setup_kernel(void **state)
{
	responder_reset();
	responder_act_as_kernel();
	reset_order();
	*state = open_port("mlx5_0");
	return 0;
}

#define CASE(name) TEST_WITH(name, setup_kernel, teardown_port)

/* Nothing that can be read signals the timeout. */
CASE(earlier_timer_without_returns)
{
	check_lateness(*state, false);
}

CASE(earlier_timer)
{
	check_lateness(*state, true);
}

static void *query_silent_port(void *port)
{
	ib_portid_t to = { .lid = 3 };
	uint8_t data[64] = { 0 };

	assert_null(smp_query_via(data, &to, 0x11, 2, QUIET_MS * 2, port));
	return NULL;
}

/* The same where a thread in a blocking call is the one that reads. */
CASE(earlier_timer_beside_a_blocking_call)
{
	pthread_t thread;

	mad_rpc_set_retries(*state, 1);
	responder_plan(never_respond, NULL);
	responder_stays_silent();
	assert_int_equal(pthread_create(&thread, NULL, query_silent_port, *state), 0);
	while (!responder_polls(0))
		sleep_ms(1);
	check_lateness(*state, false);
	assert_int_equal(pthread_join(thread, NULL), 0);
}

CASE(dispatching_thread_is_quiet)
{
	struct mad_async *async = create_async(*state, 16, LONG_MS, 1);
	struct dispatcher dispatcher;
	unsigned before, polls;
	uint64_t last;

	responder_plan(never_respond, NULL);
	responder_stays_silent();
	last = submit_get(async, 2, 1, NULL);
	start(&dispatcher, async);
	sleep_ms(20);
	before = responder_polls(0);
	sleep_ms(QUIET_MS);
	polls = responder_polls(0) - before;
	end(&dispatcher, last);
	print_message("%u polls, %ld switches in %d ms\n", polls, dispatcher.switches, QUIET_MS);
	assert_between(polls, 0, POLLS_MOST);
	assert_between(dispatcher.switches, 0, 2 * POLLS_MOST);
	mad_async_free(async);
}

/* The thread behind the descriptor, and one that waits for it. */
CASE(thread_behind_the_descriptor_is_quiet)
{
	struct mad_async *async = create_threaded(*state, 16, LONG_MS, 1);
	struct dispatcher dispatcher;
	unsigned before, polls;
	uint64_t last;

	responder_plan(never_respond, NULL);
	responder_stays_silent();
	last = submit_get(async, 2, 1, NULL);
	start(&dispatcher, async);
	sleep_ms(20);
	before = responder_polls(0);
	sleep_ms(QUIET_MS);
	polls = responder_polls(0) - before;
	end(&dispatcher, last);
	assert_between(polls, 0, POLLS_MOST);
	assert_between(dispatcher.switches, 0, 2 * POLLS_MOST);
	mad_async_free(async);
}

/* One thread reads for a blocking call, another waits for an asynchronous request. */
CASE(waiting_thread_is_quiet)
{
	struct mad_async *async = create_async(*state, 16, LONG_MS, 1);
	struct dispatcher dispatcher;
	pthread_t thread;
	uint64_t last;

	mad_rpc_set_retries(*state, 1);
	responder_plan(never_respond, NULL);
	responder_stays_silent();
	assert_int_equal(pthread_create(&thread, NULL, query_silent_port, *state), 0);
	while (!responder_polls(0))
		sleep_ms(1);
	last = submit_get(async, 2, 1, NULL);
	start(&dispatcher, async);
	sleep_ms(QUIET_MS);
	end(&dispatcher, last);
	print_message("%ld switches in %d ms\n", dispatcher.switches, QUIET_MS);
	assert_between(dispatcher.switches, 0, 2 * POLLS_MOST);
	assert_int_equal(pthread_join(thread, NULL), 0);
	mad_async_free(async);
}

/* Cancelling from another thread ends a dispatch that waits for much later at once. */
CASE(cancel_wakes)
{
	struct mad_async *async = create_async(*state, 16, LONG_MS, 1);
	struct outcome outcome = { .calls = 0 };
	struct dispatcher dispatcher;
	int64_t started;
	int64_t id, last;

	responder_plan(never_respond, NULL);
	responder_stays_silent();
	last = submit_get(async, 2, 1, NULL);
	start(&dispatcher, async);
	id = submit_get(async, 3, 2, &outcome);
	sleep_ms(120);
	started = now_ms();
	assert_int_equal(mad_async_cancel(async, id), 1);
	while (!atomic_load(&outcome.calls) && now_ms() - started < 5000)
		sleep_ms(1);
	assert_outcome(&outcome, ECANCELED);
	assert_between(now_ms() - started, 0, 1000);
	end(&dispatcher, last);
	mad_async_free(async);
}

/* The same on a simulator's descriptors. */
PORT_TEST(simulated_earlier_timer_without_returns)
{
	earlier_timer_without_returns(state);
}

PORT_TEST(simulated_earlier_timer_beside_a_blocking_call)
{
	earlier_timer_beside_a_blocking_call(state);
}

PORT_TEST(simulated_cancel_wakes)
{
	cancel_wakes(state);
}
