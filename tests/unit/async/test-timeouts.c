/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Timeouts and attempts of each request by itself: on a kernel that returns requests without a
 * response, in time or late, and on a simulator that doesn't.
 */
#include "test.h"
#include "fixture.h"

#include <errno.h>
#include <string.h>

/* Which attempts of a request get no response: the first `lost` of each. */
struct losses {
	unsigned lost;
	int delay_ms; /* of the responses to others */
	unsigned writes[1000];
};

static void lose(const struct responder_request *request, struct responder_response *response,
		 void *context)
{
	struct losses *losses = context;
	unsigned number = ++losses->writes[request->attr_mod % COUNT(losses->writes)];

	response->silent = number <= losses->lost;
	response->delay_us = losses->delay_ms * 1000;
}

static void submit_timed(struct mad_async *async, int timeout_ms, struct outcome *outcome)
{
	ib_rpc_t rpc = {
		.mgtclass = IB_SMI_CLASS,
		.method = IB_MAD_METHOD_GET,
		.attr = { .id = 0x11 },
		.dataoffs = 64,
		.datasz = 64,
		.timeout = timeout_ms,
	};
	ib_portid_t to = { .lid = 1 + timeout_ms };

	assert_true(mad_async_submit(async, ASYNC_TO(&to, note_outcome, outcome), &rpc, NULL) > 0);
}

/* A request that never gets a response takes `tries` times its timeout, and not much more. */
static void check_silence(struct ibmad_port *port, unsigned tries, int longest_ms)
{
	struct mad_async *async = create_async(port, 0, 60, (int)tries);
	struct losses losses = { .lost = 1000 };
	struct outcome outcome = { .calls = 0 };
	int64_t began = responder_now_us(), took;

	responder_plan(lose, &losses);
	submit_get(async, 1, 0, &outcome);
	assert_int_equal(dispatch_all(async), 1);
	took = outcome.at_us - began;
	assert_outcome(&outcome, ETIMEDOUT);
	assert_int_equal(outcome.tries, tries);
	assert_false(outcome.has_mad);
	assert_false(outcome.has_data);
	assert_int_equal(outcome.data_length, 0);
	assert_int_equal(responder_writes(), tries);
	assert_true(took >= tries * 59000);
	assert_true(took < longest_ms * 1000);
	mad_async_free(async);
}

PORT_TEST(given_back_in_time)
{
	check_silence(*state, 3, 500);
}

PORT_TEST(given_back_late)
{
	responder_gives_back(30);
	check_silence(*state, 3, 600);
	assert_true(responder_refused() > 0); /* tried while the kernel still held the first */
}

/* The timers of a real kernel are late by up to an eighth of their time. */
PORT_TEST(given_back_by_a_real_kernel)
{
	struct mad_async *async = create_async(*state, 0, 1000, 2);
	struct losses losses = { .lost = 1000 };
	struct outcome outcome = { .calls = 0 };

	responder_gives_back(125);
	responder_plan(lose, &losses);
	submit_get(async, 1, 0, &outcome);
	dispatch_all(async);
	assert_outcome(&outcome, ETIMEDOUT);
	assert_int_equal(outcome.tries, 2);
	assert_int_equal(responder_writes(), 2);
	mad_async_free(async);
}

PORT_TEST(never_given_back)
{
	responder_stays_silent();
	check_silence(*state, 3, 500);
}

PORT_TEST(one_try)
{
	check_silence(*state, 1, 300);
}

/* The kernel still holds the request long after its timeout: as the blocking call, we give up. */
PORT_TEST(held_for_ever)
{
	struct mad_async *async = create_async(*state, 0, 40, 3);
	struct losses losses = { .lost = 1000 };
	struct outcome outcome = { .calls = 0 };
	ib_portid_t to = { .lid = 2 };
	uint8_t data[64] = { 0 };
	int blocking;

	responder_gives_back(100000);
	responder_plan(lose, &losses);
	mad_rpc_set_retries(*state, 3);
	assert_null(smp_query_via(data, &to, 0x11, 1, 40, *state));
	blocking = errno;
	submit_get(async, 1, 0, &outcome);
	dispatch_all(async);
	assert_outcome(&outcome, blocking);
	mad_async_free(async);
}

/* A response to the second or third attempt. */
static void check_retry(struct ibmad_port *port, unsigned lost)
{
	struct mad_async *async = create_async(port, 0, 150, 4);
	struct losses losses = { .lost = lost, .delay_ms = 1 };
	struct outcome outcomes[20] = { { .calls = 0 } };

	responder_plan(lose, &losses);
	for (int i = 0; i < 20; i++)
		submit_get(async, 1 + i, i, &outcomes[i]);
	assert_int_equal(dispatch_all(async), 20);
	for (int i = 0; i < 20; i++) {
		assert_outcome(&outcomes[i], 0);
		assert_int_equal(outcomes[i].tries, lost + 1);
		assert_int_equal(losses.writes[i], lost + 1);
	}
	assert_int_equal(responder_writes(), 20 * (lost + 1));
	mad_async_free(async);
}

PORT_TEST(response_at_the_second_try)
{
	check_retry(*state, 1);
}

PORT_TEST(response_at_the_third_try)
{
	check_retry(*state, 2);
}

PORT_TEST(response_at_the_second_try_of_a_simulator)
{
	responder_stays_silent();
	check_retry(*state, 1);
}

PORT_TEST(response_after_a_late_return)
{
	responder_gives_back(30);
	check_retry(*state, 2);
	assert_true(responder_refused() > 0);
}

/* Every attempt carries the same transaction ID, so that a late response belongs to any of them. */
PORT_TEST(tries_share_their_transaction_id)
{
	check_retry(*state, 2);
	for (unsigned i = 1; i <= 60; i++) {
		int same = 0;

		for (unsigned j = 1; j <= 60; j++)
			same += responder_record(j).tid == responder_record(i).tid;
		assert_int_equal(same, 3);
	}
}

/* A request of 30 ms and one of 300 ms that went out before it. */
PORT_TEST(each_has_its_own_timeout)
{
	struct mad_async *async = create_async(*state, 0, 10000, 1);
	struct losses losses = { .lost = 1000 };
	struct outcome outcomes[3] = { { .calls = 0 } };
	int64_t began = responder_now_us();

	responder_plan(lose, &losses);
	submit_timed(async, 300, &outcomes[0]);
	submit_timed(async, 30, &outcomes[1]);
	submit_timed(async, 150, &outcomes[2]);
	dispatch_all(async);
	for (int i = 0; i < 3; i++)
		assert_outcome(&outcomes[i], ETIMEDOUT);
	assert_int_equal(outcomes[1].order, 1);
	assert_int_equal(outcomes[2].order, 2);
	assert_between(outcomes[0].at_us - began, 299000, 450000);
	assert_between(outcomes[1].at_us - began, 29000, 130000);
	assert_between(outcomes[2].at_us - began, 149000, 290000);
	mad_async_free(async);
}

/* Without one of its own and without one in the options, the port's count. */
PORT_TEST(port_decides_where_nobody_else_does)
{
	struct mad_async *async = mad_async_create(*state, NULL, 0);
	struct losses losses = { .lost = 1000 };
	struct outcome outcome = { .calls = 0 };
	int64_t began = responder_now_us();

	assert_non_null(async);
	mad_rpc_set_timeout(*state, 45);
	mad_rpc_set_retries(*state, 2);
	responder_plan(lose, &losses);
	submit_get(async, 1, 0, &outcome);
	dispatch_all(async);
	assert_outcome(&outcome, ETIMEDOUT);
	assert_int_equal(outcome.tries, 2);
	assert_between(outcome.at_us - began, 89000, 300000);
	mad_async_free(async);
}

/* With a thread of its own, timeouts take effect although no thread dispatches. */
PORT_TEST(time_is_kept_behind_a_descriptor)
{
	struct mad_async *async = create_threaded(*state, 0, 60, 2);
	struct losses losses = { .lost = 1000 };
	struct outcome outcome = { .calls = 0 };
	struct responder_record second;

	responder_plan(lose, &losses);
	submit_get(async, 1, 0, &outcome);
	sleep_ms(500);
	assert_int_equal(responder_writes(), 2);
	second = responder_record(2);
	assert_between(second.written_us - responder_record(1).written_us, 59000, 300000);
	assert_int_equal(mad_async_dispatch(async, 0, 0), 1);
	assert_outcome(&outcome, ETIMEDOUT);
	mad_async_free(async);
}

static void respond_late(const struct responder_request *request,
			 struct responder_response *response, void *context)
{
	(void)request;
	(void)context;
	response->delay_us = 350000;
}

/* The response to the first attempt arrives during the second. */
PORT_TEST(late_response_counts)
{
	struct mad_async *async = create_async(*state, 0, 200, 3);
	struct outcome outcome = { .calls = 0 };

	responder_stays_silent();
	responder_plan(respond_late, NULL);
	submit_get(async, 1, 0, &outcome);
	dispatch_all(async);
	assert_outcome(&outcome, 0);
	assert_int_equal(outcome.tries, 2);
	dispatch_for(async, 250); /* the response to the second arrives, too */
	assert_int_equal(outcome.calls, 1);
	submit_get(async, 1, 0, NULL);
	dispatch_all(async);
	mad_async_free(async);
}

static void respond_thrice(const struct responder_request *request,
			   struct responder_response *response, void *context)
{
	(void)request;
	(void)context;
	response->copies = 3;
}

PORT_TEST(several_responses_complete_once)
{
	struct mad_async *async = create_async(*state, 0, 1000, 3);
	struct mad_rpc_statistics statistics;
	struct outcome outcomes[100] = { { .calls = 0 } };

	responder_plan(respond_thrice, NULL);
	for (int i = 0; i < 100; i++)
		submit_get(async, 1 + i % 3, i, &outcomes[i]);
	assert_int_equal(dispatch_all(async), 100);
	for (int i = 0; i < 100; i++)
		assert_outcome(&outcomes[i], 0);
	mad_async_free(async);
	assert_int_equal(mad_rpc_get_statistics(*state, &statistics, sizeof(statistics)), 0);
	assert_int_equal(statistics.sent, 100);
	assert_int_equal(statistics.retries, 0);
}

static void give_back_with_5(const struct responder_request *request,
			     struct responder_response *response, void *context)
{
	(void)request;
	(void)context;
	response->returned = EIO;
	response->delay_us = 1000;
}

/* A request that the kernel could not send comes back with another status than 110. */
PORT_TEST(given_back_with_another_status)
{
	struct mad_async *async = create_async(*state, 0, 200, 2);
	struct outcome outcome = { .calls = 0 };
	ib_portid_t to = { .lid = 2 };
	uint8_t data[64] = { 0 };
	int blocking;

	mad_rpc_set_retries(*state, 2);
	responder_plan(give_back_with_5, NULL);
	assert_null(smp_query_via(data, &to, 0x11, 1, 200, *state));
	blocking = errno;
	assert_int_equal(responder_writes(), 2);
	submit_get(async, 1, 0, &outcome);
	dispatch_all(async);
	assert_outcome(&outcome, blocking);
	assert_int_equal(outcome.tries, 2);
	mad_async_free(async);
}

PORT_TEST(statistics_count_tries)
{
	struct mad_async *async = create_async(*state, 0, 30, 3);
	struct losses losses = { .lost = 1000 };
	struct mad_rpc_statistics statistics;

	responder_gives_back(12);
	responder_plan(lose, &losses);
	for (int i = 0; i < 10; i++)
		submit_get(async, 1 + i, i, NULL);
	dispatch_all(async);
	assert_int_equal(mad_rpc_get_statistics(*state, &statistics, sizeof(statistics)), 0);
	assert_int_equal(statistics.sent, 30);
	assert_int_equal(statistics.timeouts, 30);
	assert_int_equal(statistics.retries, 20);
	assert_int_equal(statistics.errors, 0);
	assert_int_equal(statistics.received, 0);
	mad_async_free(async);
}

/*
 * A request with the transaction ID of one that timed out a moment ago, and that the kernel
 * still holds: it is sent as soon as the kernel returns that one, as with the blocking call.
 */
PORT_TEST(given_id_that_is_held_for_a_moment)
{
	struct mad_async *async = create_async(*state, 0, 60, 1);
	struct losses losses = { .lost = 1 };
	struct outcome outcomes[2] = { { .calls = 0 } };
	ib_portid_t to = { .lid = 1 };
	uint8_t data[64];
	ib_rpc_t rpc = {
		.mgtclass = IB_SMI_CLASS,
		.method = IB_MAD_METHOD_GET,
		.attr = { .id = 0x11, .mod = 1 },
		.timeout = 60,
		.dataoffs = 64,
		.datasz = 64,
		.trid = 77,
	};

	responder_gives_back(30);
	responder_plan(lose, &losses);
	mad_rpc_set_retries(*state, 1);
	assert_null(mad_rpc(*state, &rpc, &to, NULL, data));
	assert_non_null(mad_rpc(*state, &rpc, &to, NULL, data));
	rpc.trid = 78;
	rpc.attr.mod = 2;
	for (int i = 0; i < 2; i++) {
		assert_true(mad_async_submit(async, ASYNC_TO(&to, note_outcome, &outcomes[i]), &rpc,
					     NULL) > 0);
		dispatch_all(async);
	}
	mad_async_free(async);
	assert_outcome(&outcomes[0], ETIMEDOUT);
	assert_outcome(&outcomes[1], 0);
}

/* A request that the kernel never returns is refused repeatedly for a moment. */
PORT_TEST(given_id_that_is_held_for_ever)
{
	struct mad_async *async = create_async(*state, 0, 200, 1);
	struct losses losses = { .lost = 1000 };
	ib_portid_t to = { .lid = 1 };
	ib_rpc_t rpc = {
		.mgtclass = IB_SMI_CLASS,
		.method = IB_MAD_METHOD_GET,
		.attr = { .id = 0x11, .mod = 1 },
		.dataoffs = 64,
		.datasz = 64,
		.trid = 79,
	};

	responder_gives_back(100000);
	responder_plan(lose, &losses);
	for (int i = 0; i < 3; i++) {
		struct outcome outcome = { .calls = 0 };
		unsigned before = responder_refused();

		assert_true(mad_async_submit(async, ASYNC_TO(&to, note_outcome, &outcome), &rpc,
					     NULL) > 0);
		dispatch_all(async);
		assert_outcome(&outcome, i ? EINVAL : ETIMEDOUT);
		assert_between(responder_refused() - before, i ? 2 : 0, i ? 1000 : 0);
	}
	mad_async_free(async);
}
