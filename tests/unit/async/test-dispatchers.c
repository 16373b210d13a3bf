/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* test-dispatchers.c - how many threads a response wakes, outcomes that several threads take, and
 * waits beside MADs without end; what threads that dispatch get, the simulation shows. */
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
	while (!atomic_load(&all_ends))
		query_node(port, 9, 1000);
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
	submit_get(async, 9, 0, NULL); /* the dispatchers wait for it */
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
	mad_async_cancel_all(async);
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

static atomic_bool is_first_taken; /* relaxed: orders nothing for a sanitizer */

static void *take_second(void *async)
{
	struct mad_async_result result;

	while (!atomic_load_explicit(&is_first_taken, memory_order_relaxed))
		sched_yield();
	assert_int_equal(mad_async_next(async, &result), 1);
	return NULL;
}

/* The second thread's call frees the first outcome: the first thread's call no longer reads it,
 * which ThreadSanitizer checks. */
THREAD_TEST(outcomes_for_two_threads)
{
	struct mad_async *async = create_async(*state, 16, 20000, 0);
	struct mad_async_result result;
	pthread_t second;

	submit_with(async, 2, 0, NULL, NULL);
	submit_with(async, 2, 0, NULL, NULL);
	assert_int_equal(dispatch_all(async), 2);
	pthread_create(&second, NULL, take_second, async);
	assert_int_equal(mad_async_next(async, &result), 1);
	assert_int_equal(result.error, 0);
	atomic_store_explicit(&is_first_taken, true, memory_order_relaxed);
	pthread_join(second, NULL);
	assert_int_equal(mad_async_next(async, &result), 0);
	mad_async_free(async);
}

/* Unsolicited MADs that are always there to be read extend no wait. */
THREAD_TEST(flood)
{
	struct mad_async *async = create_async(*state, 16, 100, 1), *patient;
	struct outcome outcomes[16] = { { .calls = 0 } };
	uint8_t packet[RESPONDER_PACKET] = { [RESPONDER_HEADER] = 1, 0x04, 1, 1 };

	responder_plan(never_respond, NULL);
	packet[RESPONDER_HEADER + 15] = 0x77;
	responder_flood(0, packet, sizeof(packet));
	for (int i = 0; i < 16; i++)
		submit_get(async, 1 + i, i, &outcomes[i]);
	dispatch_all(async);
	for (int i = 0; i < 16; i++)
		assert_outcome(&outcomes[i], ETIMEDOUT);
	mad_rpc_set_retries(*state, 1);
	assert_false(query_node(*state, 2, 100));
	assert_int_equal(errno, ETIMEDOUT);
	patient = create_async(*state, 16, PATIENCE_MS, 1);
	submit_get(patient, 1, 1, NULL);
	assert_int_equal(mad_async_dispatch(patient, 0, 0), 0);
	assert_int_equal(mad_async_dispatch(patient, 0, 20), 0);
	mad_async_free(patient);
	responder_flood(0, NULL, 0);
	mad_async_free(async);
}
