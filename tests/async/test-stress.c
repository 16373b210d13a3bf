/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Exactly once: 100,000 requests (or as many as the first argument says) from callbacks and from 8
 * other threads, with losses, dead ports, late and repeated responses, cancellations by any thread,
 * blocking calls on the same port, several threads that dispatch, and a destroy in the end while
 * requests are out. Every answer has to be that to its own request.
 */
#include "fixture.h"

#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define SUBMITTERS  8
#define DISPATCHERS 3
#define CANCELLERS  2
#define DEAD_LID    900
#define QUEUED_MOST 5000 /* submitters wait while there are more */

static unsigned long all_requests = 100000;

struct stress {
	struct ibmad_port *port;
	struct mad_async *async;
	unsigned long total;
	struct item *items;
	atomic_ulong next; /* of items */
	atomic_ulong completed;
	atomic_ulong answered;
	atomic_ulong timed_out;
	atomic_ulong cancelled;
	atomic_ulong wrong;    /* impossible errors, and responses to others */
	atomic_ulong refused;  /* submits */
	atomic_ulong cancels;  /* that found their request */
	atomic_ulong blocking; /* calls that failed */
	atomic_bool stop_dispatch;
	atomic_bool stop_others;
	atomic_bool destroys;
};

struct item {
	struct stress *stress;
	unsigned long number;
	_Atomic uint64_t id;
	atomic_uint calls;
	atomic_uint submitted;
	atomic_uint cancels; /* that returned 0 */
	bool chained;	     /* its callback submits another one */
};

/* Small, fast and different for each thread. */
static unsigned random_number(unsigned *seed)
{
	*seed = *seed * 1103515245 + 12345;
	return *seed >> 8;
}

static void answer_badly(const struct responder_request *request, struct responder_answer *answer,
			 void *context)
{
	static unsigned seed = 42; /* under the responder's lock */
	unsigned number = random_number(&seed);

	(void)context;
	answer->silent = request->lid >= DEAD_LID || number % 100 == 0;
	answer->delay_us = number % 1000;
	if (number % 300 == 1)
		answer->delay_us = 12000; /* beyond its timeout */
	if (number % 200 == 2)
		answer->copies = 2;
	if (number % 2000 == 3)
		answer->returned = 5;
}

static mad_async_callback complete;

/* Submits the next item. Returns false when there is none left, or when it is refused. */
static bool submit_item(struct stress *stress, bool chained)
{
	unsigned long number = atomic_fetch_add(&stress->next, 1);
	struct item *item = &stress->items[number];
	ib_portid_t to = { .lid = 1 + number % 150 };
	uint64_t id = 0;

	if (number >= stress->total)
		return false;
	if (number % 500 == 7)
		to.lid = DEAD_LID + number % 3;
	item->stress = stress;
	item->number = number;
	item->chained = chained;
	atomic_fetch_add(&item->submitted, 1);
	if (mad_async_smp_get(stress->async, &to, 0x11, (unsigned)number, complete, item, &id)) {
		if (errno != ECANCELED || !atomic_load(&stress->destroys))
			atomic_fetch_add(&stress->wrong, 1);
		atomic_fetch_sub(&item->submitted, 1);
		atomic_fetch_add(&stress->refused, 1);
		return false;
	}
	atomic_store(&item->id, id);
	return true;
}

static bool is_own_answer(const struct item *item, const struct mad_async_result *result)
{
	const uint8_t *mod = result->mad + 20;

	return (mod[0] << 24 | mod[1] << 16 | mod[2] << 8 | mod[3]) == (int)item->number &&
	       result->mad[3] == 0x81 && result->data_length == 64;
}

static void complete(struct mad_async *async, const struct mad_async_result *result, void *context)
{
	struct item *item = context;
	struct stress *stress = item->stress;

	if (async != stress->async || atomic_fetch_add(&item->calls, 1))
		atomic_fetch_add(&stress->wrong, 1);
	switch (result->error) {
	case 0:
		atomic_fetch_add(&stress->answered, 1);
		if (!is_own_answer(item, result) || atomic_load(&item->cancels))
			atomic_fetch_add(&stress->wrong, 1);
		break;
	case EIO: /* given back with status 5 each time */
	case ETIMEDOUT:
		atomic_fetch_add(&stress->timed_out, 1);
		break;
	case ECANCELED:
		atomic_fetch_add(&stress->cancelled, 1);
		break;
	default:
		atomic_fetch_add(&stress->wrong, 1);
		break;
	}
	atomic_fetch_add(&stress->completed, 1);
	if (item->chained)
		submit_item(stress, true);
}

static void *submit_many(void *context)
{
	struct stress *stress = context;
	bool more = true;

	for (unsigned i = 0; more && !atomic_load(&stress->stop_others); i++) {
		if (mad_async_pending(stress->async) > QUEUED_MOST)
			sleep_ms(1);
		else
			more = submit_item(stress, i < 4);
	}
	return NULL;
}

static void *dispatch_many(void *context)
{
	struct stress *stress = context;

	while (!atomic_load(&stress->stop_dispatch))
		if (mad_async_dispatch(stress->async, 5) < 0)
			atomic_fetch_add(&stress->wrong, 1);
	return NULL;
}

static void *cancel_some(void *context)
{
	struct stress *stress = context;
	unsigned seed = (unsigned)(uintptr_t)&seed;

	while (!atomic_load(&stress->stop_others)) {
		unsigned long next = atomic_load(&stress->next);
		unsigned long number = random_number(&seed) % 3000;
		struct item *item;
		uint64_t id;

		if (next > stress->total)
			next = stress->total;
		if (number >= next)
			continue;
		item = &stress->items[next - 1 - number];
		id = atomic_load(&item->id);
		if (id && !mad_async_cancel(stress->async, id)) {
			atomic_fetch_add(&stress->cancels, 1);
			atomic_fetch_add(&item->cancels, 1);
		}
		if (number % 16 == 0)
			sleep_ms(1);
	}
	return NULL;
}

static void *call_and_block(void *context)
{
	struct stress *stress = context;
	ib_portid_t to = { .lid = 200 };

	while (!atomic_load(&stress->stop_others)) {
		uint8_t data[64] = { 0 };

		if (!smp_query_via(data, &to, 0x11, 0, 200, stress->port))
			atomic_fetch_add(&stress->blocking, 1);
	}
	return NULL;
}

static void start(pthread_t *threads, int count, void *(*function)(void *), struct stress *stress)
{
	for (int i = 0; i < count; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, function, stress), 0);
}

static void join(pthread_t *threads, int count)
{
	for (int i = 0; i < count; i++)
		pthread_join(threads[i], NULL);
}

static void check_items(struct stress *stress)
{
	unsigned long twice = 0, never = 0, called = 0, submitted = 0;

	for (unsigned long i = 0; i < stress->total; i++) {
		unsigned calls = atomic_load(&stress->items[i].calls);
		unsigned expected = atomic_load(&stress->items[i].submitted);

		twice += calls > expected;
		never += calls < expected;
		called += calls;
		submitted += expected;
	}
	print_message("%lu requests: %lu answered, %lu not, %lu cancelled (%lu by id); "
		      "%lu completed more than once, %lu never\n",
		      submitted, atomic_load(&stress->answered), atomic_load(&stress->timed_out),
		      atomic_load(&stress->cancelled), atomic_load(&stress->cancels), twice, never);
	assert_int_equal(twice, 0);
	assert_int_equal(never, 0);
	assert_int_equal(called, atomic_load(&stress->completed));
	assert_int_equal(submitted, called);
	assert_int_equal(atomic_load(&stress->wrong), 0);
	assert_true(submitted > stress->total / 2);
	assert_true(atomic_load(&stress->answered) > submitted / 10);
	assert_true(atomic_load(&stress->cancelled) >= atomic_load(&stress->cancels));
}

/* Waits until most of the requests have been submitted. */
static void wait_for_most(struct stress *stress)
{
	int64_t end = now_ms() + 100000;

	while (atomic_load(&stress->next) < stress->total - stress->total / 20 && now_ms() < end)
		sleep_ms(2);
	assert_true(now_ms() < end);
}

static void run(struct ibmad_port *port, unsigned long total, bool with_descriptor)
{
	struct stress stress = { .port = port, .total = total + total / 10 };
	pthread_t submitters[SUBMITTERS], dispatchers[DISPATCHERS], cancellers[CANCELLERS], blocker;

	stress.items = calloc(stress.total + 1, sizeof(*stress.items));
	assert_non_null(stress.items);
	stress.async = create_async(port, 64, 10, 3);
	responder_plan(answer_badly, NULL);
	if (with_descriptor)
		assert_true(mad_async_get_fd(stress.async) >= 0);
	start(dispatchers, DISPATCHERS, dispatch_many, &stress);
	start(submitters, SUBMITTERS, submit_many, &stress);
	start(cancellers, CANCELLERS, cancel_some, &stress);
	start(&blocker, 1, call_and_block, &stress);
	wait_for_most(&stress);
	atomic_store(&stress.stop_others, true);
	join(submitters, SUBMITTERS);
	join(cancellers, CANCELLERS);
	join(&blocker, 1);
	atomic_store(&stress.stop_dispatch, true);
	join(dispatchers, DISPATCHERS);
	for (int i = 0; i < 100; i++) /* what destroy finds */
		if (!submit_item(&stress, true))
			break;
	atomic_store(&stress.destroys, true);
	mad_async_destroy(stress.async);
	check_items(&stress);
	free(stress.items);
}

static void exactly_once(void **state)
{
	run(*state, all_requests, false);
}

static void exactly_once_with_a_descriptor(void **state)
{
	run(*state, all_requests / 2, true);
}

static void exactly_once_on_a_simulator(void **state)
{
	responder_stays_silent();
	run(*state, all_requests / 5, false);
}

static void exactly_once_on_a_kernel_that_is_late(void **state)
{
	responder_gives_back(8);
	run(*state, all_requests / 5, false);
}

/* Created, used and destroyed over and over, while another thread blocks on the port. */
static void short_lives(void **state)
{
	struct stress stress = { .port = *state, .total = 0 };
	unsigned rounds = (unsigned)(all_requests / 500);
	pthread_t blocker;

	responder_plan(answer_badly, NULL);
	start(&blocker, 1, call_and_block, &stress);
	for (unsigned i = 0; i < rounds; i++) {
		struct mad_async *async = create_async(*state, 4, 10, 1);
		struct outcome outcomes[20] = { { .calls = 0 } };

		if (i % 3 == 0)
			assert_true(mad_async_get_fd(async) >= 0);
		for (int j = 0; j < 20; j++)
			submit_get(async, 1 + j, j, &outcomes[j]);
		mad_async_dispatch(async, (int)(i % 3));
		mad_async_destroy(async);
		for (int j = 0; j < 20; j++)
			assert_int_equal(outcomes[j].calls, 1);
	}
	atomic_store(&stress.stop_others, true);
	pthread_join(blocker, NULL);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, setup_port, teardown_port)

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		CASE(exactly_once),
		CASE(exactly_once_with_a_descriptor),
		CASE(exactly_once_on_a_simulator),
		CASE(exactly_once_on_a_kernel_that_is_late),
		CASE(short_lives),
	};

	if (argc > 1)
		all_requests = strtoul(argv[1], NULL, 10);
	if (all_requests < 1000) {
		fprintf(stderr, "usage: %s [REQUESTS]\n", argv[0]);
		return 2;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
