/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Sixteen threads make requests on one port at the same time; each must get its own responses.
 */
#include <errno.h>
#include <string.h>

#include "caller.h"
#include "loop.h"
#include "optional.h"
#include "responder.h"
#include "sys.h"
#include "tap.h"

enum { THREADS = 16, CALLS = 25, TIMEOUT_MS = 1000 };

struct thread {
	pthread_t thread;
	struct caller *caller;
	unsigned first_seed;
	int timeout_ms;
	unsigned results[CALLS]; /* errno of each call */
};

static void *call(void *argument)
{
	struct thread *thread = argument;

	for (unsigned i = 0; i < CALLS; i++)
		thread->results[i] =
			caller_call(thread->caller, thread->timeout_ms, thread->first_seed + i);
	return NULL;
}

static void run_threads(struct caller *caller, struct thread threads[THREADS], int timeout_ms)
{
	for (unsigned i = 0; i < THREADS; i++) {
		threads[i] = (struct thread){
			.caller = caller,
			.first_seed = i * CALLS,
			.timeout_ms = timeout_ms,
		};
		check_equal(pthread_create(&threads[i].thread, NULL, call, &threads[i]), 0);
	}
	for (unsigned i = 0; i < THREADS; i++)
		pthread_join(threads[i].thread, NULL);
}

static unsigned count_results(const struct thread threads[THREADS], unsigned result)
{
	unsigned count = 0;

	for (unsigned i = 0; i < THREADS; i++)
		for (unsigned j = 0; j < CALLS; j++)
			count += threads[i].results[j] == result;
	return count;
}

TEST(each_of_16_threads_gets_its_responses)
{
	static struct thread threads[THREADS];
	struct responder responder = { 0 };
	struct mad_rpc_statistics statistics;
	struct caller caller;

	require(responder_start(&responder) && caller_open(&caller, LOOP_DEVICE));
	run_threads(&caller, threads, TIMEOUT_MS);
	check_equal(count_results(threads, 0), THREADS * CALLS);
	check_equal(count_results(threads, EBADMSG), 0);
	check_equal(atomic_load(&responder.requests), THREADS * CALLS);
	if (caller_statistics(&caller, &statistics)) {
		check_equal(statistics.sent, THREADS * CALLS);
		check_equal(statistics.received, THREADS * CALLS);
		check_equal(statistics.timeouts + statistics.unmatched + statistics.errors, 0);
	}
	caller_close(&caller);
	responder_stop(&responder);
}

/* Nothing responds: each call lasts its own time, not the sum of all. */
TEST(timeouts_of_16_threads_do_not_add_up)
{
	enum { SHORT_MS = 40 };
	static struct thread threads[THREADS];
	struct responder responder = { .drop = RESPONDER_DROPS_ALL };
	struct caller caller;
	int64_t start, took;

	require(responder_start(&responder) && caller_open(&caller, LOOP_DEVICE));
	mad_rpc_set_retries(caller.port, 2);
	start = sys_now_ms();
	run_threads(&caller, threads, SHORT_MS);
	took = sys_now_ms() - start;
	tap_note("%d calls of 2 tries of %d ms on %d threads: %d ms", THREADS * CALLS, SHORT_MS,
		 THREADS, (int)took);
	check_equal(count_results(threads, ETIMEDOUT), THREADS * CALLS);
	check(took >= CALLS * 2 * SHORT_MS && took < CALLS * 2 * SHORT_MS * 2);
	check_equal(atomic_load(&responder.requests), THREADS * CALLS * 2);
	caller_close(&caller);
	responder_stop(&responder);
}

/* Some responses are lost: their requests are repeated, all others continue. */
TEST(lost_responses_delay_only_their_own)
{
	static struct thread threads[THREADS];
	struct responder responder = { .drop = 10 };
	struct caller caller;

	require(responder_start(&responder) && caller_open(&caller, LOOP_DEVICE));
	run_threads(&caller, threads, 100);
	check_equal(count_results(threads, 0), THREADS * CALLS);
	check_equal(atomic_load(&responder.requests), THREADS * CALLS + 10);
	caller_close(&caller);
	responder_stop(&responder);
}
