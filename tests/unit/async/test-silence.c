/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Many requests to one port that does not respond: their attempts overlap, and requests to others
 * are not held up.
 */
#include "test.h"
#include "fixture.h"

#include <errno.h>
#include <string.h>

#define SILENT_LID 9
#define SILENT	   40
#define OTHERS	   200
#define TIMEOUT_MS 100
#define ATTEMPTS   3
#define MOST_MS	   2000 /* three attempts take 300 ms, 40 requests one by one 12 s */

static struct outcome silent[SILENT], others[OTHERS];

static void silence_for_one(const struct responder_request *request,
			    struct responder_response *response, void *context)
{
	(void)context;
	response->silent = request->lid == SILENT_LID;
	response->delay_us = 1000;
}

static void dispatch_until(struct mad_async *async, int64_t end)
{
	while (mad_async_pending(async) && now_ms() < end)
		assert_true(mad_async_dispatch(async, 0, 50) >= 0);
}

static int64_t submit_to_silent_one(struct mad_async *async)
{
	int64_t started = now_ms();

	memset(silent, 0, sizeof(silent));
	for (unsigned i = 0; i < SILENT; i++)
		submit_get(async, SILENT_LID, i, &silent[i]);
	return started;
}

static void check_silent_ones(struct mad_async *async, int64_t started)
{
	dispatch_until(async, started + MOST_MS);
	assert_int_equal(mad_async_pending(async), 0);
	for (int i = 0; i < SILENT; i++) {
		assert_outcome(&silent[i], ETIMEDOUT);
		assert_int_equal(silent[i].tries, ATTEMPTS);
	}
}

static void check_window(struct ibmad_port *port, unsigned window)
{
	struct mad_async *async = create_async(port, window, TIMEOUT_MS, ATTEMPTS);

	responder_plan(silence_for_one, NULL);
	check_silent_ones(async, submit_to_silent_one(async));
	mad_async_free(async);
}

PORT_TEST(attempts_overlap)
{
	check_window(*state, 64);
}

PORT_TEST(attempts_overlap_in_a_simulator)
{
	responder_stays_silent();
	check_window(*state, 64);
}

PORT_TEST(attempts_overlap_in_the_default_window)
{
	check_window(*state, 0);
}

/* A port that responded until a moment ago. */
PORT_TEST(falls_silent)
{
	struct mad_async *async = create_async(*state, 64, TIMEOUT_MS, ATTEMPTS);
	struct outcome outcome = { .calls = 0 };

	submit_get(async, SILENT_LID, 1, &outcome);
	dispatch_all(async);
	assert_outcome(&outcome, 0);
	responder_plan(silence_for_one, NULL);
	check_silent_ones(async, submit_to_silent_one(async));
	mad_async_free(async);
}

/* Silence known already: what comes later is not sent one by one either. */
PORT_TEST(stays_silent)
{
	struct mad_async *async = create_async(*state, 64, TIMEOUT_MS, ATTEMPTS);
	struct outcome outcome = { .calls = 0 };

	responder_plan(silence_for_one, NULL);
	submit_get(async, SILENT_LID, 1, &outcome);
	dispatch_all(async);
	assert_outcome(&outcome, ETIMEDOUT);
	check_silent_ones(async, submit_to_silent_one(async));
	mad_async_free(async);
}

/* All others complete before the first that gets no response. */
static void check_others(struct ibmad_port *port, unsigned window)
{
	struct mad_async *async = create_async(port, window, TIMEOUT_MS, ATTEMPTS);
	int64_t started;

	responder_plan(silence_for_one, NULL);
	reset_order();
	memset(others, 0, sizeof(others));
	started = submit_to_silent_one(async);
	for (unsigned i = 0; i < OTHERS; i++)
		submit_get(async, 10 + (int)(i % 50), i, &others[i]);
	check_silent_ones(async, started);
	for (int i = 0; i < OTHERS; i++) {
		assert_outcome(&others[i], 0);
		assert_between(others[i].order, 1, OTHERS);
	}
	mad_async_free(async);
}

PORT_TEST(others_beside_a_wide_window)
{
	check_others(*state, 64);
}

PORT_TEST(others_beside_the_default_window)
{
	check_others(*state, 0);
}
