/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Responses that came in time and are read after the deadline, because the program did something
 * else: they count, and nothing is sent again. And no stream of other MADs extends a wait.
 */
#include "test.h"
#include "fixture.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define TIMEOUT_MS  100
#define STOPPED_MS  300
#define CALLBACK_MS 15
#define LATEST_MS   2000 /* a request with one attempt of TIMEOUT_MS has ended, on any machine */

static struct outcome *submit_many(struct mad_async *async, unsigned count)
{
	struct outcome *outcomes = calloc(count, sizeof(*outcomes));

	assert_non_null(outcomes);
	for (unsigned i = 0; i < count; i++)
		submit_get(async, 1 + (int)i, i, &outcomes[i]);
	return outcomes;
}

/* Each had its response at the first attempt, and nothing was sent twice. */
static void check_responded(struct outcome *outcomes, unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		assert_outcome(&outcomes[i], 0);
		assert_int_equal(outcomes[i].tries, 1);
	}
	assert_int_equal(responder_writes(), count);
	free(outcomes);
}

static void check_late_dispatch(struct ibmad_port *port, unsigned count)
{
	struct mad_async *async = create_async(port, count, TIMEOUT_MS, 3);
	struct outcome *outcomes = submit_many(async, count);

	sleep_ms(TIMEOUT_MS * 3 / 2);
	dispatch_all(async);
	check_responded(outcomes, count);
	mad_async_free(async);
}

PORT_TEST(late_dispatch)
{
	check_late_dispatch(*state, 16);
}

PORT_TEST(late_dispatch_of_many)
{
	respond_after(20);
	check_late_dispatch(*state, 1024);
}

/* In a simulator, which returns no requests. */
PORT_TEST(late_dispatch_in_a_simulator)
{
	responder_stays_silent();
	check_late_dispatch(*state, 64);
}

/* With one attempt the deadline is the end. */
PORT_TEST(late_dispatch_with_one_attempt)
{
	struct mad_async *async = create_async(*state, 16, TIMEOUT_MS, 1);
	struct outcome *outcomes = submit_many(async, 16);

	sleep_ms(TIMEOUT_MS * 3 / 2);
	dispatch_all(async);
	check_responded(outcomes, 16);
	mad_async_free(async);
}

static void note_slowly(struct mad_async *async, const struct mad_async_result *result,
			void *context)
{
	sleep_ms(CALLBACK_MS);
	note_outcome(async, result, context);
}

/* While a callback runs, more responses come. */
static void respond_one_by_one(const struct responder_request *request,
			       struct responder_response *response, void *context)
{
	(void)context;
	response->delay_us = 20000 + (int64_t)request->attr_mod * 1000;
}

PORT_TEST(slow_callbacks)
{
	struct mad_async *async = create_async(*state, 64, TIMEOUT_MS, 2);
	struct outcome *outcomes = calloc(64, sizeof(*outcomes));

	assert_non_null(outcomes);
	responder_plan(respond_one_by_one, NULL);
	for (unsigned i = 0; i < 64; i++)
		submit_with(async, 1 + (int)i, i, note_slowly, &outcomes[i]);
	dispatch_all(async);
	check_responded(outcomes, 64);
	mad_async_free(async);
}

static void stop_before_dispatch(struct ibmad_port *port)
{
	struct mad_async *async = create_async(port, 128, TIMEOUT_MS, 3);
	struct outcome *outcomes;

	respond_after(20);
	outcomes = submit_many(async, 128);
	raise(SIGSTOP);
	dispatch_all(async);
	check_responded(outcomes, 128);
	mad_async_free(async);
}

/* The thread that reads is stopped while it polls. */
static void stop_beside_thread(struct ibmad_port *port)
{
	struct mad_async *async = create_threaded(port, 128, TIMEOUT_MS, 3);
	struct outcome *outcomes;

	respond_after(20);
	outcomes = submit_many(async, 128);
	raise(SIGSTOP);
	dispatch_all(async);
	check_responded(outcomes, 128);
	mad_async_free(async);
}

TEST(stopped_process)
{
	run_stopped(stop_before_dispatch, STOPPED_MS);
}

TEST(stopped_process_with_thread)
{
	run_stopped(stop_beside_thread, STOPPED_MS);
}

/* An unsolicited MAD is there whenever the port is read. */
static void start_flood(void)
{
	uint8_t packet[RESPONDER_PACKET] = { 0 };
	uint8_t *mad = packet + RESPONDER_HEADER;

	mad[0] = 1;
	mad[1] = 0x04;
	mad[2] = 1;
	mad[3] = 1; /* Get */
	mad[15] = 0x77;
	responder_flood(0, packet, sizeof(packet));
}

PORT_TEST(flood_beside_requests)
{
	struct mad_async *async = create_async(*state, 16, TIMEOUT_MS, 1);
	struct outcome *outcomes;
	int64_t started = now_ms();

	responder_plan(never_respond, NULL);
	start_flood();
	outcomes = submit_many(async, 16);
	while (mad_async_pending(async) && now_ms() - started < LATEST_MS)
		assert_true(mad_async_dispatch(async, 0, 100) >= 0);
	assert_int_equal(mad_async_pending(async), 0);
	for (int i = 0; i < 16; i++)
		assert_outcome(&outcomes[i], ETIMEDOUT);
	free(outcomes);
	responder_flood(0, NULL, 0);
	mad_async_free(async);
}

/* Neither does a flood keep dispatch() from returning when it is to look only. */
PORT_TEST(flood_beside_dispatch)
{
	struct mad_async *async = create_async(*state, 16, 10000, 1);
	int64_t started = now_ms();

	responder_plan(never_respond, NULL);
	start_flood();
	submit_get(async, 1, 1, NULL);
	assert_int_equal(mad_async_dispatch(async, 0, 0), 0);
	assert_int_equal(mad_async_dispatch(async, 0, TIMEOUT_MS), 0);
	assert_between(now_ms() - started, TIMEOUT_MS - 10, LATEST_MS);
	responder_flood(0, NULL, 0);
	mad_async_free(async);
}

PORT_TEST(flood_beside_a_blocking_call)
{
	ib_portid_t to = { .lid = 2 };
	int64_t started = now_ms();
	uint8_t data[64] = { 0 };

	responder_plan(never_respond, NULL);
	start_flood();
	mad_rpc_set_retries(*state, 1);
	assert_null(smp_query_via(data, &to, 0x11, 2, TIMEOUT_MS, *state));
	assert_int_equal(errno, ETIMEDOUT);
	assert_between(now_ms() - started, TIMEOUT_MS - 10, LATEST_MS);
	responder_flood(0, NULL, 0);
}
