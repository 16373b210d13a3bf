/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Timeouts, attempts and deadlines of each request by itself: on a kernel that returns requests
 * without a response, in time or late, and on a simulator that doesn't. Responses that came in time
 * count, however late the program looks; and no stream of other MADs extends a wait.
 */
#include "test.h"
#include "fixture.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define SLICE_US 6000 /* beside a simulator's device, waits are cut into 5 ms */
#define EVER_MS	 100000

/* What the kernel does with requests that get no response. */
static const struct {
	int back_ms; /* it returns them so much later; below 0: never */
} kernels[] = { { 0 }, { 30 }, { -1 } };

static void use_kernel(size_t i)
{
	if (kernels[i].back_ms < 0)
		responder_stays_silent();
	else
		responder_gives_back(kernels[i].back_ms);
}

/* Which attempts of a request get no response: the first `lost` of each. */
struct losses {
	unsigned lost;
	int64_t delay_us; /* of the responses to others */
	unsigned writes[256];
};

static void lose(const struct responder_request *request, struct responder_response *response,
		 void *context)
{
	struct losses *losses = context;

	response->silent = ++losses->writes[request->attr_mod] <= losses->lost;
	response->delay_us = losses->delay_us;
}

static ib_rpc_t node_info(int timeout_ms, uint64_t trid)
{
	ib_rpc_t rpc = { .mgtclass = IB_SMI_CLASS, .method = IB_MAD_METHOD_GET, .trid = trid };

	rpc.attr.id = 0x11;
	rpc.attr.mod = 1;
	rpc.timeout = timeout_ms;
	rpc.dataoffs = IB_SMP_DATA_OFFS;
	rpc.datasz = IB_SMP_DATA_SIZE;
	return rpc;
}

static void submit_rpc(struct mad_async *async, int lid, ib_rpc_t rpc, struct outcome *outcome)
{
	ib_portid_t to = { .lid = lid };

	assert_true(mad_async_submit(async, ASYNC_TO(&to, note_outcome, outcome), &rpc, NULL) > 0);
}

/* A request that never gets a response takes its attempts' timeouts, and what the kernel holds its
 * transaction ID for in between. */
PORT_TEST(silence)
{
	for (size_t i = 0; i < COUNT(kernels); i++) {
		for (int attempts = 1; attempts <= 3; attempts += 2) {
			struct mad_async *async = create_async(*state, 0, 60, attempts);
			struct outcome outcome = { .calls = 0 };
			unsigned before = responder_writes();
			int64_t began = responder_now_us();
			int held_ms = kernels[i].back_ms > 0 ? kernels[i].back_ms : 0;
			int64_t least = attempts * 60000 + (attempts - 1) * held_ms * 1000;

			use_kernel(i);
			responder_plan(never_respond, NULL);
			submit_get(async, 1, 0, &outcome);
			assert_int_equal(dispatch_all(async), 1);
			assert_outcome(&outcome, ETIMEDOUT);
			assert_int_equal(outcome.tries, attempts);
			assert_false(outcome.has_mad);
			assert_false(outcome.has_data);
			assert_int_equal(outcome.data_length, 0);
			assert_int_equal(responder_writes() - before, attempts);
			assert_between(outcome.at_us - began, least,
				       least + attempts * 2 * SLICE_US);
			mad_async_free(async);
		}
	}
}

/* The kernel still holds the request long after its timeout: as the blocking call, it gives up. */
PORT_TEST(held_for_ever)
{
	struct mad_async *async = create_async(*state, 0, 40, 3);
	struct outcome outcome = { .calls = 0 };
	ib_portid_t to = { .lid = 2 };
	uint8_t data[64] = { 0 };
	int blocking;

	responder_gives_back(EVER_MS);
	responder_plan(never_respond, NULL);
	mad_rpc_set_retries(*state, 3);
	assert_null(smp_query_via(data, &to, 0x11, 1, 40, *state));
	blocking = errno;
	submit_get(async, 1, 0, &outcome);
	dispatch_all(async);
	assert_outcome(&outcome, blocking);
	mad_async_free(async);
}

/* A response to a later attempt, all of which have one transaction ID: it belongs to any of them.
 */
PORT_TEST(response_to_a_later_attempt)
{
	for (size_t i = 0; i < COUNT(kernels); i++) {
		for (unsigned lost = 1; lost <= 2; lost++) {
			struct mad_async *async = create_async(*state, 0, 150, 4);
			struct losses losses = { .lost = lost, .delay_us = 1000 };
			struct outcome outcomes[20] = { { .calls = 0 } };
			unsigned before = responder_writes();
			uint32_t tids[20] = { 0 };

			use_kernel(i);
			responder_plan(lose, &losses);
			for (int j = 0; j < 20; j++)
				submit_get(async, 1 + j, j, &outcomes[j]);
			assert_int_equal(dispatch_all(async), 20);
			for (int j = 0; j < 20; j++) {
				assert_outcome(&outcomes[j], 0);
				assert_int_equal(outcomes[j].tries, lost + 1);
				assert_int_equal(losses.writes[j], lost + 1);
			}
			for (unsigned j = 1; j <= 20 * (lost + 1); j++) {
				struct responder_record record = responder_record(before + j);

				if (!tids[record.attr_mod])
					tids[record.attr_mod] = record.tid;
				assert_int_equal(tids[record.attr_mod], record.tid);
			}
			mad_async_free(async);
		}
	}
}

/* Requests of different times that are in flight together; one whose time the port sets. */
PORT_TEST(each_has_its_own_timeout)
{
	static const int timeouts[] = { 300, 30, 150, 0 }, orders[] = { 4, 1, 3, 2 };
	struct mad_async *async = mad_async_create(*state, NULL, 0);
	struct outcome outcomes[4] = { { .calls = 0 } };
	int64_t began = responder_now_us();

	assert_non_null(async);
	mad_rpc_set_timeout(*state, 45);
	mad_rpc_set_retries(*state, 2);
	responder_plan(never_respond, NULL);
	for (int i = 0; i < 4; i++)
		submit_rpc(async, 1 + i, node_info(timeouts[i], 0), &outcomes[i]);
	dispatch_all(async);
	for (int i = 0; i < 4; i++) {
		int64_t us = (timeouts[i] ? timeouts[i] : 45) * 2000;

		assert_outcome(&outcomes[i], ETIMEDOUT);
		assert_int_equal(outcomes[i].tries, 2);
		assert_int_equal(outcomes[i].order, orders[i]);
		assert_between(outcomes[i].at_us - began, us, us + 2 * SLICE_US);
	}
	mad_async_free(async);
}

/* The response to the first attempt arrives during the second. */
PORT_TEST(late_response_counts)
{
	struct mad_async *async = create_async(*state, 0, 200, 3);
	struct outcome outcome = { .calls = 0 };

	responder_stays_silent();
	respond_after(350);
	submit_get(async, 1, 0, &outcome);
	dispatch_all(async);
	assert_outcome(&outcome, 0);
	assert_int_equal(outcome.tries, 2);
	dispatch_for(async, 250); /* the response to the second arrives, too */
	assert_int_equal(outcome.calls, 1);
	mad_async_free(async);
}

static void respond_thrice(const struct responder_request *request,
			   struct responder_response *response, void *context)
{
	(void)request;
	(void)context;
	response->copies = 3;
}

static void give_back_with_5(const struct responder_request *request,
			     struct responder_response *response, void *context)
{
	(void)request;
	(void)context;
	response->returned = EIO;
	response->delay_us = 1000;
}

/* Several responses complete a request once; a request that the kernel could not send comes back
 * with another status than 110; and the port counts all of it. */
PORT_TEST(statistics)
{
	struct mad_async *async = create_async(*state, 0, 30, 3);
	struct outcome outcomes[100] = { { .calls = 0 } }, failed = { .calls = 0 };
	struct mad_rpc_statistics counts;
	ib_portid_t to = { .lid = 2 };
	uint8_t data[64] = { 0 };
	int blocking;

	responder_plan(respond_thrice, NULL);
	for (int i = 0; i < 100; i++)
		submit_get(async, 1 + i % 3, i, &outcomes[i]);
	assert_int_equal(dispatch_all(async), 100);
	for (int i = 0; i < 100; i++)
		assert_outcome(&outcomes[i], 0);
	assert_int_equal(mad_rpc_get_statistics(*state, &counts, sizeof(counts)), 0);
	assert_int_equal(counts.sent, 100);
	assert_int_equal(counts.retries, 0);

	responder_plan(never_respond, NULL);
	for (int i = 0; i < 10; i++)
		submit_get(async, 1 + i, i, NULL);
	dispatch_all(async);
	assert_int_equal(mad_rpc_get_statistics(*state, &counts, sizeof(counts)), 0);
	assert_int_equal(counts.sent, 130);
	assert_int_equal(counts.timeouts, 30);
	assert_int_equal(counts.retries, 20);
	assert_int_equal(counts.errors, 0);

	mad_rpc_set_retries(*state, 3);
	responder_plan(give_back_with_5, NULL);
	assert_null(smp_query_via(data, &to, 0x11, 1, 30, *state));
	blocking = errno;
	assert_int_equal(responder_writes(), 133);
	submit_get(async, 1, 0, &failed);
	dispatch_all(async);
	assert_outcome(&failed, blocking);
	assert_int_equal(failed.tries, 3);
	mad_async_free(async);
}

/*
 * A request with the transaction ID of one that timed out a moment ago, and that the kernel still
 * holds, goes out as soon as that is returned; where it never is, it is refused.
 */
PORT_TEST(given_id_that_is_held)
{
	for (int ever = 0; ever < 2; ever++) {
		struct mad_async *async = create_async(*state, 0, 60, 1);
		struct losses losses = { .lost = ever ? EVER_MS : 1 };

		responder_gives_back(ever ? EVER_MS : 30);
		responder_plan(lose, &losses);
		for (int i = 0; i < 2; i++) {
			struct outcome outcome = { .calls = 0 };
			unsigned before = responder_refused();

			submit_rpc(async, 1, node_info(60, 77 + (unsigned)ever), &outcome);
			dispatch_all(async);
			assert_outcome(&outcome, i == 0 ? ETIMEDOUT : ever ? EINVAL : 0);
			assert_between(responder_refused() - before, i, 1000 * i);
		}
		mad_async_free(async);
	}
}

static void note_slowly(struct mad_async *async, const struct mad_async_result *result,
			void *context)
{
	sleep_ms(15);
	note_outcome(async, result, context);
}

static void respond_one_by_one(const struct responder_request *request,
			       struct responder_response *response, void *context)
{
	(void)context;
	response->delay_us = 20000 + request->attr_mod * 1000;
}

/* Responses that came in time are read after the deadline, since the process was stopped or its
 * callbacks are slow: each counts, and nothing is sent again. */
PORT_TEST(late_dispatch)
{
	static const struct {
		unsigned count;
		int attempts;
		bool simulator, slow_callbacks;
	} cases[] = { { 16, 1, false, false },
		      { 1024, 3, false, false },
		      { 64, 2, false, true },
		      { 64, 3, true, false } };

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct mad_async *async = create_async(*state, 1024, 100, cases[i].attempts);
		struct outcome *outcomes = calloc(cases[i].count, sizeof(*outcomes));
		unsigned before = responder_writes();

		assert_non_null(outcomes);
		use_kernel(cases[i].simulator ? 2 : 0);
		respond_after(20);
		if (cases[i].slow_callbacks)
			responder_plan(respond_one_by_one, NULL);
		for (unsigned j = 0; j < cases[i].count; j++)
			submit_with(async, 1 + (int)j, j,
				    cases[i].slow_callbacks ? note_slowly : note_outcome,
				    &outcomes[j]);
		if (!cases[i].slow_callbacks)
			sleep_ms(150);
		dispatch_all(async);
		for (unsigned j = 0; j < cases[i].count; j++) {
			assert_outcome(&outcomes[j], 0);
			assert_int_equal(outcomes[j].tries, 1);
		}
		assert_int_equal(responder_writes() - before, cases[i].count);
		mad_async_free(async);
		free(outcomes);
	}
}

/* A dispatch looks only, waits for as long as asked, or for the first request that completes. */
PORT_TEST(dispatch_waits_as_long_as_asked)
{
	struct mad_async *async = create_async(*state, 16, 20000, 0);
	int64_t began = now_ms();

	respond_after(50);
	assert_int_equal(mad_async_dispatch(async, 0, -1), 0); /* nothing is there to wait for */
	assert_int_equal(mad_async_dispatch(async, 0, 1000), 0);
	submit_get(async, 1, 1, NULL);
	assert_int_equal(mad_async_dispatch(async, 0, 0), 0);
	assert_int_equal(now_ms() - began, 0);
	assert_int_equal(mad_async_dispatch(async, 0, 10), 0);
	assert_int_equal(now_ms() - began, 10);
	assert_int_equal(mad_async_dispatch(async, 0, -1), 1);
	assert_int_equal(now_ms() - began, 50);
	mad_async_free(async);
}

static void submit_until(struct mad_async *async, int lid, int deadline_ms, int timeout_ms,
			 struct outcome *outcome)
{
	ib_portid_t to = { .lid = lid };

	assert_true(mad_async_smp(async,
				  ASYNC_FOR(&to, note_outcome, outcome, deadline_ms, timeout_ms),
				  0x11, 1, NULL) > 0);
}

/* Deadlines: in flight, behind a window that is full, between two attempts; what is overdue is not
 * sent, and a response that had arrived when the program looks counts. */
PORT_TEST(deadlines)
{
	static const int deadlines[] = { 100, 80, 200, 60000, 50 };
	struct mad_async *async = create_async(*state, 1, 20000, 3);
	struct outcome outcomes[5] = { { .calls = 0 } };
	int64_t began = responder_now_us();
	unsigned writes;

	responder_plan(silence_for_9, NULL);
	for (int i = 0; i < 5; i++)
		submit_until(async, i == 3 ? 8 : 9, deadlines[i], i == 2 ? 75 : 0, &outcomes[i]);
	dispatch_all(async);
	for (int i = 0; i < 5; i++) {
		assert_outcome(&outcomes[i], i == 3 ? 0 : ETIMEDOUT);
		if (i != 3)
			assert_between(outcomes[i].at_us - began, deadlines[i] * 1000,
				       deadlines[i] * 1000 + SLICE_US);
	}

	memset(outcomes, 0, sizeof(outcomes));
	submit_until(async, 9, 0, 0, &outcomes[0]);
	for (int i = 1; i < 4; i++)
		submit_until(async, 9, 20, 0, &outcomes[i]);
	sleep_ms(50);
	writes = responder_writes();
	dispatch_at_least(async, 3);
	assert_int_equal(responder_writes(), writes);
	submit_until(async, 2, 50, 0, &outcomes[4]);
	dispatch_at_least(async, 1);
	assert_outcome(&outcomes[4], 0);
	mad_async_free(async);
	for (int i = 0; i < 4; i++)
		assert_outcome(&outcomes[i], i ? ETIMEDOUT : ECANCELED);
}

PORT_TEST(response_before_the_deadline)
{
	struct mad_async *async = create_async(*state, 4, 0, 0);
	struct outcome outcome = { .calls = 0 };

	respond_after(5);
	submit_until(async, 2, 50, 0, &outcome);
	sleep_ms(100);
	dispatch_all(async);
	assert_outcome(&outcome, 0);
	mad_async_free(async);
}

/* Unsolicited MADs that are always there to be read extend no wait. */
THREAD_TEST(flood)
{
	struct mad_async *async = create_async(*state, 16, 100, 1), *patient;
	struct outcome outcomes[16] = { { .calls = 0 } };
	uint8_t packet[RESPONDER_PACKET] = { [RESPONDER_HEADER] = 1, 0x04, 1, 1 };
	ib_portid_t to = { .lid = 2 };
	uint8_t data[64] = { 0 };

	responder_plan(never_respond, NULL);
	packet[RESPONDER_HEADER + 15] = 0x77;
	responder_flood(0, packet, sizeof(packet));
	for (int i = 0; i < 16; i++)
		submit_get(async, 1 + i, i, &outcomes[i]);
	dispatch_all(async);
	for (int i = 0; i < 16; i++)
		assert_outcome(&outcomes[i], ETIMEDOUT);
	mad_rpc_set_retries(*state, 1);
	assert_null(smp_query_via(data, &to, 0x11, 2, 100, *state));
	assert_int_equal(errno, ETIMEDOUT);
	patient = create_async(*state, 16, PATIENCE_MS, 1);
	submit_get(patient, 1, 1, NULL);
	assert_int_equal(mad_async_dispatch(patient, 0, 0), 0);
	assert_int_equal(mad_async_dispatch(patient, 0, 20), 0);
	mad_async_free(patient);
	responder_flood(0, NULL, 0);
	mad_async_free(async);
}
