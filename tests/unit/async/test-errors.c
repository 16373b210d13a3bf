/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * What goes wrong: a device that disappears, writes that fail, MADs that nobody has asked for; and
 * responses that are longer than a MAD.
 */
#include "test.h"
#include "fixture.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static void assert_submission_fails(struct mad_async *async, int error)
{
	ib_portid_t to = { .lid = 1 };

	errno = 0;
	assert_int_equal(mad_async_smp(async, ASYNC_TO(&to, ignore_outcome, NULL), 0x11, 0, NULL),
			 -1);
	assert_int_equal(errno, error);
}

/* A callback that learns of it can't start anything new, and need not. */
static void submit_after_failure(struct mad_async *async, const struct mad_async_result *result,
				 void *context)
{
	assert_submission_fails(async, result->error);
	note_outcome(async, result, context);
}

static void *remove_device(void *error)
{
	responder_remove_device(0, *(int *)error);
	return NULL;
}

/* Requests are in flight, queued and in a backlog; all of them complete before a call fails. */
THREAD_TEST(device_gone)
{
	static const struct {
		int error;
		bool with_thread, in_a_wait;
	} cases[] = { { ENODEV, false, false },
		      { EIO, false, false },
		      { ENODEV, true, false },
		      { ENODEV, false, true } };

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct mad_async *async = (cases[i].with_thread ? create_threaded : create_async)(
			*state, 8, 10000, 3);
		struct outcome outcomes[100] = { { .calls = 0 } };
		int error = cases[i].error, called = 0;
		pthread_t thread;

		responder_plan(never_respond, NULL);
		for (int j = 0; j < 100; j++)
			submit_with(async, 1 + j % 15, j, submit_after_failure, &outcomes[j]);
		if (!cases[i].in_a_wait)
			mad_async_dispatch(async, 0, 5);
		assert_int_equal(pthread_create(&thread, NULL, remove_device, &error), 0);
		while (called < 100) {
			int result = mad_async_dispatch(async, 0, PATIENCE_MS);

			assert_true(result > 0);
			called += result;
		}
		pthread_join(thread, NULL);
		for (int j = 0; j < 100; j++)
			assert_outcome(&outcomes[j], error);
		assert_int_equal(mad_async_pending(async), 0);
		errno = 0;
		assert_int_equal(mad_async_dispatch(async, 0, -1), -1);
		assert_int_equal(errno, error);
		assert_submission_fails(async, error);
		mad_async_free(async);

		/* Nobody has read since it is gone: the submission finds that out. */
		responder_remove_device(0, 0);
		async = create_async(*state, 8, 10000, 3);
		if (cases[i].with_thread)
			assert_true(mad_async_get_fd(async) >= 0);
		responder_remove_device(0, error);
		for (int j = 0; j < 3; j++)
			assert_submission_fails(async, error);
		assert_int_equal(mad_async_pending(async), 0);
		mad_async_free(async);
		responder_remove_device(0, 0);
	}
}

/* A write that fails ends its own request only. */
static void fail_every_third(const struct responder_request *request,
			     struct responder_response *response, void *context)
{
	response->write_error = request->attr_mod % 3 == 0 ? *(const int *)context : 0;
}

PORT_TEST(writes_fail)
{
	static const int errors[] = { EIO, ENOMEM, EINVAL };

	for (size_t i = 0; i < COUNT(errors); i++) {
		struct mad_async *async = create_async(*state, 4, 1000, 3);
		struct outcome outcomes[100] = { { .calls = 0 } };

		responder_plan(fail_every_third, (void *)&errors[i]);
		for (int j = 0; j < 100; j++)
			submit_get(async, 1 + j % 7, j, &outcomes[j]);
		assert_int_equal(dispatch_all(async), 100);
		for (int j = 0; j < 100; j++)
			assert_outcome(&outcomes[j], j % 3 ? 0 : errors[i]);
		mad_async_free(async);
	}
}

/* Responses of several MADs. */
struct long_responses {
	uint8_t data[200000];
	size_t length;
	int good;
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
	assert_int_equal(result->error, 0);
	assert_int_equal(result->mad_size, responses->length);
	assert_ptr_equal(result->data, result->mad + 56);
	if (responses->length > IB_MAD_SIZE)
		assert_int_equal(result->data_size, responses->length - 56);
	assert_memory_equal(result->data, responses->data, responses->length - 56);
	responses->good++;
}

PORT_TEST(long_responses)
{
	static const size_t lengths[] = { 57, 255, 256, 257, 4096, 200056 };
	static const ib_sa_call_t table = { .attrid = IB_SA_ATTR_NODERECORD,
					    .method = IB_MAD_METHOD_GET_TABLE };
	struct long_responses *responses = calloc(1, sizeof(*responses));
	struct mad_async *async = create_async(*state, 4, 5000, 2);
	ib_portid_t to = { .lid = 1 };

	assert_non_null(responses);
	for (size_t i = 0; i < sizeof(responses->data); i++)
		responses->data[i] = (uint8_t)(i % 251 + 1);
	responder_plan(respond_at_length, responses);
	for (size_t i = 0; i < 5 * COUNT(lengths); i++) {
		responses->length = lengths[i / 5];
		assert_true(mad_async_sa(async, ASYNC_TO(&to, check_long_response, responses),
					 &table, NULL) > 0);
		if (i % 5 == 4)
			assert_int_equal(dispatch_all(async), 5);
	}
	assert_int_equal(responses->good, 5 * COUNT(lengths));
	for (int i = 0; i < 5; i++) /* not read, and read but not handed out: nothing leaks */
		assert_true(mad_async_sa(async, ASYNC_TO(&to, ignore_outcome, NULL), &table, NULL) >
			    0);
	mad_async_dispatch(async, 1, 0);
	mad_async_free(async);
	free(responses);
}

/* Unsolicited MADs: unknown IDs, requests of others, garbage, too short ones. */
PORT_TEST(strangers)
{
	struct mad_async *async = create_async(*state, 4, 5000, 2);
	struct outcome outcomes[20] = { { .calls = 0 } };

	respond_after(20);
	for (int i = 0; i < 20; i++)
		submit_get(async, 1 + i, i, &outcomes[i]);
	for (int i = 0; i < 40; i++) {
		uint8_t packet[RESPONDER_PACKET], *mad = packet + RESPONDER_HEADER;

		responder_written(1 + i % 4, packet); /* a request */
		if (i % 5)
			mad[3] = 0x81;
		if (i % 5 == 1) /* a response with another ID */
			mad[12] ^= 0x80;
		else if (i % 5 == 2) /* of another class */
			mad[1] = 0x04;
		else if (i % 5 == 3) /* about something else */
			mad[17] ^= 1;
		else if (i % 5 == 4)
			memset(packet + 8, 0xff, sizeof(packet) - 8);
		responder_deliver(0, packet, i % 5 == 4 ? 70 : sizeof(packet));
	}
	assert_int_equal(dispatch_all(async), 20);
	for (int i = 0; i < 20; i++)
		assert_outcome(&outcomes[i], 0);
	mad_async_free(async);
}
