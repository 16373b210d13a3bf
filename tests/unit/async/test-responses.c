/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Unusual responses: redirects, responses of several MADs, and unsolicited MADs.
 */
#include "test.h"
#include "fixture.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Redirects (13.5.1): LID 1 redirects to 2, 2 to 3, and so on up to `last`, which responds. */
struct redirects {
	unsigned last;
	uint8_t info[72];
	size_t length; /* of the MADs that redirect */
};

static void redirect(const struct responder_request *request, struct responder_response *response,
		     void *context)
{
	struct redirects *redirects = context;

	if (request->lid >= redirects->last)
		return;
	memset(redirects->info, 0, sizeof(redirects->info));
	mad_set_field(redirects->info, 0, IB_CPI_REDIRECT_LID_F, request->lid + 1);
	mad_set_field(redirects->info, 0, IB_CPI_REDIRECT_QP_F, 0x123456);
	mad_set_field(redirects->info, 0, IB_CPI_REDIRECT_QKEY_F, 0x80020000);
	mad_set_field(redirects->info, 0, IB_CPI_REDIRECT_SL_F, 3);
	response->status = IB_MAD_STS_REDIRECT;
	response->attr_id = 1; /* ClassPortInfo */
	response->data = redirects->info;
	response->data_size = sizeof(redirects->info);
	response->data_offset = request->mgmt_class == 0x03 ? 56 : 64;
	response->length = redirects->length;
}

static void submit_perf(struct mad_async *async, int lid, struct outcome *outcome)
{
	ib_portid_t to = { .lid = lid };

	assert_true(mad_async_perf_get(async, ASYNC_TO(&to, note_outcome, outcome),
				       IB_GSI_PORT_COUNTERS, 1) > 0);
}

PORT_TEST(redirects_are_followed)
{
	struct mad_async *async = create_async(*state, 4, 1000, 2);
	struct redirects redirects = { .last = 4 };
	struct outcome outcomes[10] = { { .calls = 0 } };
	uint8_t last[RESPONDER_PACKET];

	responder_plan(redirect, &redirects);
	for (int i = 0; i < 10; i++)
		submit_perf(async, 1, &outcomes[i]);
	dispatch_all(async);
	for (int i = 0; i < 10; i++) {
		assert_outcome(&outcomes[i], 0);
		assert_int_equal(outcomes[i].lid, 4);
	}
	assert_int_equal(responder_writes(), 40);
	responder_written(40, last);
	assert_memory_equal(last + 20, "\x00\x12\x34\x56\x80\x02\x00\x00\x00\x04\x03", 11);
	mad_async_free(async);
}

PORT_TEST(redirects_have_an_end)
{
	struct mad_async *async = create_async(*state, 4, 1000, 2);
	struct redirects redirects = { .last = 1000 };
	struct outcome outcome = { .calls = 0 };
	ib_portid_t to = { .lid = 1 };
	uint8_t data[192] = { 0 };
	unsigned blocking;

	responder_plan(redirect, &redirects);
	assert_null(pma_query_via(data, &to, 1, 0, IB_GSI_PORT_COUNTERS, *state));
	assert_int_equal(errno, ELOOP);
	blocking = responder_writes();
	submit_perf(async, 1, &outcome);
	dispatch_all(async);
	assert_outcome(&outcome, ELOOP);
	assert_int_equal(responder_writes(), 2 * blocking);
	mad_async_free(async);
}

/* Each hop of a redirect has all attempts. */
static void redirect_or_lose(const struct responder_request *request,
			     struct responder_response *response, void *context)
{
	if (request->number % 3)
		response->silent = true;
	else
		redirect(request, response, context);
}

PORT_TEST(redirects_and_retries)
{
	struct mad_async *async = create_async(*state, 4, 120, 3);
	struct redirects redirects = { .last = 3 };
	struct outcome outcome = { .calls = 0 };

	responder_plan(redirect_or_lose, &redirects);
	submit_perf(async, 1, &outcome);
	dispatch_all(async);
	assert_outcome(&outcome, 0);
	assert_int_equal(outcome.lid, 3);
	assert_int_equal(responder_writes(), 9);
	mad_async_free(async);
}

/* SMPs are never redirected. */
PORT_TEST(smps_are_not_redirected)
{
	struct mad_async *async = create_async(*state, 4, 1000, 2);
	struct redirects redirects = { .last = 4 };
	struct outcome outcome = { .calls = 0 };

	responder_plan(redirect, &redirects);
	submit_get(async, 1, 1, &outcome);
	dispatch_all(async);
	assert_outcome(&outcome, EIO);
	assert_int_equal(outcome.status, IB_MAD_STS_REDIRECT);
	assert_int_equal(responder_writes(), 1);
	mad_async_free(async);
}

static const ib_sa_call_t table = {
	.attrid = IB_SA_ATTR_NODERECORD,
	.method = IB_MAD_METHOD_GET_TABLE,
};

static void submit_table(struct mad_async *async, int lid, struct outcome *outcome,
			 mad_async_callback callback)
{
	ib_portid_t to = { .lid = lid };

	assert_true(mad_async_sa(async, ASYNC_TO(&to, callback, outcome), &table, NULL) > 0);
}

/* A redirect that is longer than a MAD, and the real response after it. */
PORT_TEST(long_redirects)
{
	struct mad_async *async = create_async(*state, 4, 1000, 2);
	struct redirects redirects = { .last = 3, .length = 1000 };
	struct outcome outcome = { .calls = 0 };

	responder_plan(redirect, &redirects);
	submit_table(async, 1, &outcome, note_outcome);
	dispatch_all(async);
	mad_async_free(async);
	assert_int_equal(outcome.status, 0);
	assert_outcome(&outcome, 0);
	assert_int_equal(outcome.mad_length, 256);
	assert_int_equal(outcome.lid, 3);
}

/* Responses of several MADs: every length up to some, and some large ones. */
struct long_responses {
	uint8_t data[200000];
	size_t length;
	int failures;
	int calls;
};

static void respond_at_length(const struct responder_request *request,
			      struct responder_response *response, void *context)
{
	struct long_responses *responses = context;

	(void)request;
	response->length = responses->length;
	response->data = responses->data;
	response->data_offset = 56;
	response->data_size = responses->length - 56;
}

static void check_long_response(struct mad_async *async, const struct mad_async_result *result,
				void *context)
{
	struct long_responses *responses = context;

	(void)async;
	responses->calls++;
	if (result->error || result->mad_size != responses->length ||
	    result->data != result->mad + 56)
		responses->failures++;
	else if (responses->length > 256 && result->data_size != responses->length - 56)
		responses->failures++;
	else if (memcmp(result->data, responses->data, responses->length - 56))
		responses->failures++;
}

PORT_TEST(long_responses)
{
	static const size_t lengths[] = { 57, 200, 255, 256, 257, 300, 512, 1000, 4096, 200056 };
	struct long_responses *responses = calloc(1, sizeof(*responses));
	struct mad_async *async = create_async(*state, 4, 5000, 2);
	ib_portid_t to = { .lid = 1 };

	assert_non_null(responses);
	for (size_t i = 0; i < sizeof(responses->data); i++)
		responses->data[i] = (uint8_t)(i % 251 + 1);
	responder_plan(respond_at_length, responses);
	for (size_t i = 0; i < COUNT(lengths); i++) {
		responses->length = lengths[i];
		responses->calls = 0;
		for (int j = 0; j < 5; j++)
			assert_true(mad_async_sa(async,
						 ASYNC_TO(&to, check_long_response, responses),
						 &table, NULL) > 0);
		dispatch_all(async);
		assert_int_equal(responses->calls, 5);
		assert_int_equal(responses->failures, 0);
	}
	for (int i = 0; i < 5; i++) /* not read, and read but not handed out: nothing leaks */
		assert_true(mad_async_sa(async, ASYNC_TO(&to, ignore_outcome, NULL), &table, NULL) >
			    0);
	mad_async_dispatch(async, 0, 0);
	mad_async_free(async);
	free(responses);
}

/* Unsolicited MADs: unknown IDs, requests of others, garbage, too short ones. */
PORT_TEST(strangers)
{
	struct mad_async *async = create_async(*state, 4, 5000, 2);
	struct outcome outcomes[20] = { { .calls = 0 } };
	uint8_t packet[RESPONDER_PACKET];

	respond_after(20);
	for (int i = 0; i < 20; i++)
		submit_get(async, 1 + i, i, &outcomes[i]);
	for (int i = 0; i < 40; i++) {
		responder_written(1 + i % 4, packet);
		switch (i % 5) {
		case 0: /* a response with another ID */
			packet[RESPONDER_HEADER + 3] = 0x81;
			packet[RESPONDER_HEADER + 12] ^= 0x80;
			break;
		case 1: /* a request */
			break;
		case 2: /* of another class */
			packet[RESPONDER_HEADER + 1] = 0x04;
			packet[RESPONDER_HEADER + 3] = 0x81;
			break;
		case 3: /* a response about something else */
			packet[RESPONDER_HEADER + 3] = 0x81;
			packet[RESPONDER_HEADER + 17] ^= 1;
			break;
		default:
			memset(packet, 0xff, sizeof(packet));
			packet[0] = packet[1] = packet[2] = packet[3] = 0;
			memset(packet + 4, 0, 4);
			break;
		}
		responder_deliver(0, packet, i % 5 == 4 ? 70 : sizeof(packet));
	}
	assert_int_equal(dispatch_all(async), 20);
	for (int i = 0; i < 20; i++)
		assert_outcome(&outcomes[i], 0);
	mad_async_free(async);
}
