/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * madrpc_lock() beside threads that call safe_smp_query() all the time: a thread that waits for the
 * lock holds back new calls and gets it once those under way have ended.
 */
#include "test.h"
#include "fixture.h"

#include <pthread.h>
#include <string.h>
#include <time.h>

#define LOOPS	4
#define HOLD_MS 200 /* a write waits for the next one, or for this long */

/* A call ends after the next has begun: there is always one under way, unless they are held back.
 */
static struct {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	unsigned writes;
} relay = { .lock = PTHREAD_MUTEX_INITIALIZER };

static void wait_for_the_next(const struct responder_request *request, void *context)
{
	struct timespec until;
	unsigned number;

	(void)request;
	(void)context;
	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_nsec += HOLD_MS * 1000000L;
	until.tv_sec += until.tv_nsec / 1000000000;
	until.tv_nsec %= 1000000000;
	pthread_mutex_lock(&relay.lock);
	number = ++relay.writes;
	pthread_cond_broadcast(&relay.changed);
	while (relay.writes == number &&
	       !pthread_cond_timedwait(&relay.changed, &relay.lock, &until))
		;
	pthread_mutex_unlock(&relay.lock);
}

struct loop {
	pthread_t thread;
	atomic_bool *ends;
	atomic_uint calls;
	atomic_uint failures;
};

static void *query_all_the_time(void *context)
{
	struct loop *loop = context;
	ib_portid_t to = { .lid = 2 };

	while (!atomic_load(loop->ends)) {
		uint8_t data[64] = { 0 };

		if (!safe_smp_query(data, &to, 0x11, 0, 10000))
			atomic_fetch_add(&loop->failures, 1);
		atomic_fetch_add(&loop->calls, 1);
	}
	return NULL;
}

static void open_default_port(void)
{
	int classes[] = { 0x01, 0x81, 0x03, 0x04 };
	char name[] = "mlx5_0";

	responder_reset();
	madrpc_init(name, 1, classes, COUNT(classes));
}

static unsigned count_calls(struct loop *loops, unsigned count)
{
	unsigned calls = 0;

	for (unsigned i = 0; i < count; i++)
		calls += atomic_load(&loops[i].calls);
	return calls;
}

static void start(struct loop *loops, unsigned count, atomic_bool *ends)
{
	for (unsigned i = 0; i < count; i++) {
		loops[i].ends = ends;
		assert_int_equal(
			pthread_create(&loops[i].thread, NULL, query_all_the_time, &loops[i]), 0);
	}
	while (count_calls(loops, count) < 2 * count)
		sleep_ms(1);
}

static void stop_loops(struct loop *loops, unsigned count, atomic_bool *ends)
{
	atomic_store(ends, true);
	for (unsigned i = 0; i < count; i++) {
		assert_int_equal(pthread_join(loops[i].thread, NULL), 0);
		assert_int_equal(loops[i].failures, 0);
	}
}

/* Between these two, no call of another thread begins or is under way. */
static void check_alone(struct loop *loops, unsigned count)
{
	unsigned calls = count_calls(loops, count);
	ib_portid_t to = { .lid = 3 };
	uint8_t data[64] = { 0 };

	sleep_ms(20);
	assert_non_null(safe_smp_query(data, &to, 0x11, 0, 10000));
	sleep_ms(20);
	assert_true(count_calls(loops, count) - calls <= count); /* calls that had just ended */
	calls = count_calls(loops, count);
	sleep_ms(30);
	assert_int_equal(count_calls(loops, count), calls);
}

static void check_loops(void)
{
	struct loop loops[LOOPS] = { { .calls = 0 } };
	pthread_condattr_t monotonic;
	atomic_bool ends = false;

	assert_int_equal(pthread_condattr_init(&monotonic), 0);
	assert_int_equal(pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC), 0);
	assert_int_equal(pthread_cond_init(&relay.changed, &monotonic), 0);
	open_default_port();
	responder_before_writes(wait_for_the_next, NULL);
	start(loops, LOOPS, &ends);
	for (int round = 0; round < 3; round++) {
		unsigned calls;

		madrpc_lock();
		madrpc_lock();
		check_alone(loops, LOOPS);
		madrpc_unlock();
		calls = count_calls(loops, LOOPS);
		madrpc_unlock();
		while (count_calls(loops, LOOPS) < calls + 2 * LOOPS)
			sleep_ms(1);
	}
	stop_loops(loops, LOOPS, &ends);
}

TEST(granted_beside_loops)
{
	run_in_child(check_loops);
}
