/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* test-dispatchers.c - threads that dispatch, submit and make blocking calls at the same time. */
#include "test.h"
#include "fixture.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* All of them wait at once; each response is delivered once, and no thread is left waiting. */
#define DISPATCHERS 6

struct dispatcher {
	pthread_t thread;
	struct mad_async *async;
	atomic_int *started;
	int total;
	int called;
	int early; /* ends of dispatch(-1) with 0 while requests were out */
	int failed;
};

static void count_start(struct mad_async *async, const struct mad_async_result *result,
			void *context)
{
	(void)async;
	if (!result->error)
		atomic_fetch_add((atomic_int *)context, 1);
}

static void *dispatch_until_all_started(void *argument)
{
	struct dispatcher *dispatcher = argument;

	while (atomic_load(dispatcher->started) < dispatcher->total) {
		int result = mad_async_dispatch(dispatcher->async, 0, -1);

		if (result > 0)
			dispatcher->called += result;
		else if (result < 0)
			dispatcher->failed++;
		else if (atomic_load(dispatcher->started) < dispatcher->total - DISPATCHERS)
			dispatcher->early++; /* more than callbacks can be about to start */
	}
	return NULL;
}

static void check_dispatchers(struct ibmad_port *port, bool with_thread)
{
	struct dispatcher dispatchers[DISPATCHERS] = { { .called = 0 } };
	struct mad_async *async =
		(with_thread ? create_threaded : create_async)(port, 16, 20000, 0);
	int requests = 3000, called = 0, early = 0, failed = 0;
	atomic_int started = 0;

	responder_plan(respond_unevenly, NULL);
	for (int i = 0; i < requests; i++)
		submit_with(async, 1 + i % 50, i, count_start, &started);
	for (int i = 0; i < DISPATCHERS; i++) {
		dispatchers[i].async = async;
		dispatchers[i].started = &started;
		dispatchers[i].total = requests;
		assert_int_equal(pthread_create(&dispatchers[i].thread, NULL,
						dispatch_until_all_started, &dispatchers[i]),
				 0);
	}
	for (int i = 0; i < DISPATCHERS; i++) {
		pthread_join(dispatchers[i].thread, NULL);
		called += dispatchers[i].called;
		early += dispatchers[i].early;
		failed += dispatchers[i].failed;
	}
	assert_int_equal(mad_async_pending(async), 0);
	mad_async_free(async);
	assert_int_equal(started, requests);
	assert_int_equal(called, requests);
	assert_int_equal(failed, 0);
	assert_int_equal(early, 0);
}

THREAD_TEST(several_threads_dispatch)
{
	check_dispatchers(*state, false);
	check_dispatchers(*state, true);
}

/* Of two threads that dispatch without an end one runs the last callback, and the other returns. */
struct last_callback {
	struct mad_async *async;
	atomic_int returned; /* threads that had no callback */
	bool saw_other_return;
};

static void wait_for_other_thread(struct mad_async *async, const struct mad_async_result *result,
				  void *context)
{
	struct last_callback *last = context;
	int64_t end = now_ms() + PATIENCE_MS;

	(void)async;
	(void)result;
	while (!atomic_load(&last->returned) && now_ms() < end)
		sleep_ms(1);
	last->saw_other_return = atomic_load(&last->returned) == 1;
}

static void *dispatch_beside_another(void *argument)
{
	struct last_callback *last = argument;

	if (!mad_async_dispatch(last->async, 0, -1))
		atomic_fetch_add(&last->returned, 1);
	return NULL;
}

THREAD_TEST(waiting_dispatch_returns_during_the_last_callback)
{
	struct last_callback last = { .async = create_threaded(*state, 4, 20000, 0) };
	pthread_t other;

	respond_after(20);
	submit_with(last.async, 1, 0, wait_for_other_thread, &last);
	assert_int_equal(pthread_create(&other, NULL, dispatch_beside_another, &last), 0);
	dispatch_beside_another(&last);
	pthread_join(other, NULL);
	mad_async_free(last.async);
	assert_true(last.saw_other_return);
}

/* Blocking calls in other threads, which read the responses of asynchronous requests too. */
struct blocker {
	pthread_t thread;
	struct ibmad_port *port;
	atomic_bool *stop;
	int calls;
	int failures;
};

static void *call_and_block(void *argument)
{
	struct blocker *blocker = argument;
	ib_portid_t to = { .lid = 77 };

	while (!atomic_load(blocker->stop)) {
		uint8_t data[64] = { 0 };

		blocker->calls++;
		if (!smp_query_via(data, &to, 0x11, blocker->calls, 10000, blocker->port))
			blocker->failures++;
	}
	return NULL;
}

THREAD_TEST(blocking_calls_meanwhile)
{
	for (int with_descriptor = 0; with_descriptor < 2; with_descriptor++) {
		struct mad_async *async =
			(with_descriptor ? create_threaded : create_async)(*state, 8, 20000, 0);
		struct outcome *outcomes = calloc(2000, sizeof(*outcomes));
		struct blocker blockers[3] = { { .calls = 0 } };
		atomic_bool stop = false;

		assert_non_null(outcomes);
		responder_plan(respond_unevenly, NULL);
		for (int i = 0; i < 3; i++) {
			blockers[i].port = *state;
			blockers[i].stop = &stop;
			assert_int_equal(pthread_create(&blockers[i].thread, NULL, call_and_block,
							&blockers[i]),
					 0);
		}
		for (int i = 0; i < 2000; i++)
			submit_get(async, 1 + i % 40, i, &outcomes[i]);
		dispatch_all(async);
		atomic_store(&stop, true);
		for (int i = 0; i < 3; i++)
			pthread_join(blockers[i].thread, NULL);
		mad_async_free(async);
		for (int i = 0; i < 2000; i++)
			assert_outcome(&outcomes[i], 0);
		for (int i = 0; i < 3; i++) {
			assert_true(blockers[i].calls > 10);
			assert_int_equal(blockers[i].failures, 0);
		}
		free(outcomes);
	}
}

/* Submitted by other threads while this one waits in dispatch. */
struct submitter {
	pthread_t thread;
	struct mad_async *async;
	struct outcome outcomes[300];
	int failures;
};

static void *submit_300(void *argument)
{
	struct submitter *submitter = argument;
	ib_portid_t to = { .lid = 6 };

	for (int i = 0; i < 300; i++)
		if (mad_async_smp(submitter->async,
				  ASYNC_TO(&to, note_outcome, &submitter->outcomes[i]), 0x11, i,
				  NULL) < 0)
			submitter->failures++;
	return NULL;
}

/* This thread dispatches, or has them signalled; the descriptor is asked for meanwhile: nothing is
 * forgotten. */
static void check_submitters(struct ibmad_port *port, int count, bool with_descriptor)
{
	struct mad_async *async = create_async(port, 8, 20000, 0);
	struct submitter *submitters = calloc((size_t)count, sizeof(*submitters));
	struct pollfd polled = { .events = POLLIN };
	int called = 0;

	assert_non_null(submitters);
	for (int i = 0; i < count; i++) {
		submitters[i].async = async;
		assert_int_equal(
			pthread_create(&submitters[i].thread, NULL, submit_300, &submitters[i]), 0);
	}
	polled.fd = with_descriptor ? mad_async_get_fd(async) : -1;
	for (int64_t end = now_ms() + PATIENCE_MS; called < count * 300 && now_ms() < end;)
		if (!with_descriptor || poll(&polled, 1, 100) == 1)
			called += mad_async_dispatch(async, 0, with_descriptor ? 0 : 10);
	for (int i = 0; i < count; i++)
		pthread_join(submitters[i].thread, NULL);
	mad_async_free(async);
	assert_int_equal(called, count * 300);
	for (int i = 0; i < count; i++) {
		assert_int_equal(submitters[i].failures, 0);
		for (int j = 0; j < 300; j++)
			assert_outcome(&submitters[i].outcomes[j], 0);
	}
	free(submitters);
}

THREAD_TEST(other_threads_submit)
{
	responder_plan(respond_unevenly, NULL);
	check_submitters(*state, 8, false);
	for (int round = 0; round < 10; round++)
		check_submitters(*state, 1, true);
}

/* How often threads wait for something else than a processor, for each of REQUESTS requests that
 * are submitted one after the other, beside threads that dispatch and threads in blocking calls. */
#define REQUESTS 300

static atomic_bool all_ends;

static void *dispatch_until_the_end(void *async)
{
	while (!atomic_load(&all_ends))
		assert_true(mad_async_dispatch(async, 0, 20000) >= 0);
	return NULL;
}

static void *wait_for_silent(void *port)
{
	ib_portid_t to = { .lid = 9 };
	uint8_t data[64];

	while (!atomic_load(&all_ends))
		smp_query_via(data, &to, 0x11, 0, 1000, port);
	return NULL;
}

static long count_switches(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_nvcsw;
}

static double switches_a_request(struct ibmad_port *port, int dispatching, int blocking)
{
	struct mad_async *async = create_async(port, 16, 20000, 0);
	struct outcome outcome = { .calls = 0 };
	pthread_t threads[64 + 12];
	long switches;

	responder_plan(silence_for_9, NULL);
	mad_rpc_set_retries(port, 1);
	atomic_store(&all_ends, false);
	switches = count_switches();
	submit_get(async, 9, 0, NULL); /* so that there is something to wait for */
	submit_get(async, 2, 0, &outcome);
	for (int i = 0; i < blocking; i++)
		pthread_create(&threads[i], NULL, wait_for_silent, port);
	for (int i = blocking; i < blocking + dispatching; i++)
		pthread_create(&threads[i], NULL, dispatch_until_the_end, async);
	for (int i = 1; i <= REQUESTS; i++) {
		submit_get(async, 2, 0, &outcome);
		while (atomic_load(&outcome.calls) <= i)
			sched_yield();
	}
	switches = count_switches() - switches;
	atomic_store(&all_ends, true);
	mad_async_cancel(async, MAD_ASYNC_ALL);
	for (int i = 0; i < blocking + dispatching; i++)
		pthread_join(threads[i], NULL);
	mad_async_free(async);
	return (double)switches / REQUESTS;
}

static void assert_at_most(double switches, double most)
{
	if (switches > most)
		fail_msg("threads wait %.1f times a request, not at most %.1f", switches, most);
}

/* A response wakes one of them. */
THREAD_TEST(response_beside_64_dispatching_threads)
{
	assert_at_most(switches_a_request(*state, 64, 0), 8);
}

/* The thread in a blocking call reads, and wakes the one that dispatches, which then does not wait
 * for a lock: the least of some rounds, since on a busy machine any thread may. */
THREAD_TEST(response_beside_threads_in_blocking_calls)
{
	double least = switches_a_request(*state, 1, 12);

	for (int i = 0; i < 4; i++) {
		double switches = switches_a_request(*state, 1, 1 + 11 * (i & 1));

		if (switches < least)
			least = switches;
	}
	assert_at_most(least, 5.5);
}
