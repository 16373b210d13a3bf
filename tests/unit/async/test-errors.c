/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * What goes wrong: a device that disappears, writes that fail, a full queue, a class that is not
 * registered.
 */
#include "test.h"
#include "fixture.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* Removes the device while requests are in flight, queued and in a backlog. */
static void check_removal(struct ibmad_port *port, int error, bool with_descriptor)
{
	struct mad_async *async =
		(with_descriptor ? create_threaded : create_async)(port, 8, 10000, 3);
	struct outcome outcomes[100] = { { .calls = 0 } };
	ib_portid_t to = { .lid = 1 };
	int64_t began = now_ms();
	int called = 0, result;

	responder_plan(never_respond, NULL);
	for (int i = 0; i < 100; i++)
		submit_get(async, 1 + i % 15, i, &outcomes[i]);
	mad_async_dispatch(async, 0, 5);
	responder_remove_device(0, error);
	while (called < 100 && now_ms() - began < 5000) {
		result = mad_async_dispatch(async, 0, 100);
		assert_true(result >= 0); /* all complete before it fails */
		called += result;
	}
	assert_int_equal(called, 100);
	for (int i = 0; i < 100; i++)
		assert_outcome(&outcomes[i], error);
	assert_int_equal(mad_async_pending(async), 0);
	errno = 0;
	assert_int_equal(mad_async_dispatch(async, 0, -1), -1);
	assert_int_equal(errno, error);
	errno = 0;
	assert_int_equal(
		mad_async_smp(async, ASYNC_TO(&to, note_outcome, &outcomes[0]), 0x11, 0, NULL), -1);
	assert_int_equal(errno, error);
	assert_int_equal(mad_async_pending(async), 0);
	mad_async_free(async);
	assert_int_equal(outcomes[0].calls, 1);
	responder_remove_device(0, 0);
}

PORT_TEST(device_gone_enodev)
{
	check_removal(*state, ENODEV, false);
}

PORT_TEST(device_gone_eio)
{
	check_removal(*state, EIO, false);
}

PORT_TEST(device_gone_with_a_descriptor)
{
	check_removal(*state, ENODEV, true);
}

/* Nobody has read since it is gone: the submission finds that out, and there is no callback. */
PORT_TEST(device_gone_before_a_submission)
{
	for (int with_descriptor = 0; with_descriptor < 2; with_descriptor++) {
		struct mad_async *async = create_async(*state, 8, 10000, 3);
		struct outcome outcomes[3] = { { .calls = 0 } };
		ib_portid_t to = { .lid = 1 };

		if (with_descriptor)
			assert_true(mad_async_get_fd(async) >= 0);
		responder_remove_device(0, with_descriptor ? EIO : ENODEV);
		for (int i = 0; i < 3; i++) {
			errno = 0;
			assert_int_equal(mad_async_smp(async,
						       ASYNC_TO(&to, note_outcome, &outcomes[i]),
						       0x11, 0, NULL),
					 -1);
			assert_int_equal(errno, with_descriptor ? EIO : ENODEV);
		}
		assert_int_equal(mad_async_pending(async), 0);
		mad_async_free(async);
		for (int i = 0; i < 3; i++)
			assert_int_equal(outcomes[i].calls, 0);
		responder_remove_device(0, 0);
	}
}

/* A waiting dispatch returns; no thread submits or dispatches meanwhile. */
static void *remove_soon(void *unused)
{
	(void)unused;
	sleep_ms(50);
	responder_remove_device(0, ENODEV);
	return NULL;
}

PORT_TEST(device_gone_while_dispatch_waits)
{
	struct mad_async *async = create_async(*state, 8, 10000, 3);
	struct outcome outcome = { .calls = 0 };
	pthread_t thread;

	responder_plan(never_respond, NULL);
	submit_get(async, 1, 1, &outcome);
	assert_int_equal(pthread_create(&thread, NULL, remove_soon, NULL), 0);
	assert_int_equal(mad_async_dispatch(async, 0, -1), 1);
	pthread_join(thread, NULL);
	assert_outcome(&outcome, ENODEV);
	mad_async_free(async);
	responder_remove_device(0, 0);
}

/* A callback that learns of it can't start anything new, and need not. */
static void submit_after_failure(struct mad_async *async, const struct mad_async_result *result,
				 void *context)
{
	ib_portid_t to = { .lid = 1 };
	int *errors = context;

	errors[0] = result->error;
	errno = 0;
	if (mad_async_smp(async, ASYNC_TO(&to, ignore_outcome, NULL), 0x11, 0, NULL) < 0)
		errors[1] = errno;
}

PORT_TEST(device_gone_told_in_a_callback)
{
	struct mad_async *async = create_async(*state, 8, 10000, 3);
	int errors[2] = { 0 };

	responder_plan(never_respond, NULL);
	submit_with(async, 1, 1, submit_after_failure, errors);
	responder_remove_device(0, ENODEV);
	dispatch_all(async);
	assert_int_equal(errors[0], ENODEV);
	assert_int_equal(errors[1], ENODEV);
	mad_async_free(async);
	responder_remove_device(0, 0);
}

/* A write that fails ends its own request only. */
static void fail_every_third(const struct responder_request *request,
			     struct responder_response *response, void *context)
{
	response->write_error = request->attr_mod % 3 == 0 ? *(int *)context : 0;
}

static void check_write_errors(struct ibmad_port *port, int error)
{
	struct mad_async *async = create_async(port, 4, 1000, 3);
	struct outcome outcomes[100] = { { .calls = 0 } };

	responder_plan(fail_every_third, &error);
	for (int i = 0; i < 100; i++)
		submit_get(async, 1 + i % 7, i, &outcomes[i]);
	assert_int_equal(dispatch_all(async), 100);
	for (int i = 0; i < 100; i++)
		assert_outcome(&outcomes[i], i % 3 ? 0 : error);
	mad_async_free(async);
}

PORT_TEST(writes_fail)
{
	check_write_errors(*state, EIO);
	check_write_errors(*state, ENOMEM);
	check_write_errors(*state, EINVAL);
}

PORT_TEST(full_queue)
{
	struct mad_async_options options = { .window = 2, .max_queued = 10 };
	struct mad_async *async = mad_async_create(*state, &options, sizeof(options));
	struct outcome outcomes[12] = { { .calls = 0 } };
	ib_portid_t to = { .lid = 1 };

	assert_non_null(async);
	respond_after(20);
	for (int round = 1; round <= 2; round++) {
		for (int i = 0; i < 10; i++)
			submit_get(async, 1 + i, i, &outcomes[i]);
		errno = 0;
		assert_int_equal(mad_async_smp(async, ASYNC_TO(&to, note_outcome, &outcomes[10]),
					       0x11, 0, NULL),
				 -1);
		assert_int_equal(errno, ENOBUFS);
		assert_int_equal(mad_async_pending(async), 10);
		assert_int_equal(mad_async_dispatch(async, 0, 1000) > 0, 1);
		submit_get(async, 1, 11, &outcomes[11]); /* there is a place again */
		dispatch_all(async);
		for (int i = 0; i < 10; i++)
			assert_int_equal(outcomes[i].calls, round);
		assert_int_equal(outcomes[10].calls, 0);
		assert_int_equal(outcomes[11].calls, round);
	}
	mad_async_free(async);
}

/* A request with a class that differs from that of the response, and ports closed in between. */
PORT_TEST(class_registered_later)
{
	struct mad_async *async = create_async(*state, 4, 1000, 2);
	ib_rpc_t rpc = { .mgtclass = 0x06, .method = 1, .dataoffs = 64, .datasz = 192 };
	ib_portid_t to = { .lid = 1, .qp = 1, .qkey = 0x80010000 };
	struct outcome outcome = { .calls = 0 };

	errno = 0;
	assert_int_equal(mad_async_submit(async, ASYNC_TO(&to, note_outcome, &outcome), &rpc, NULL),
			 -1);
	assert_int_equal(errno, EINVAL);
	assert_true(mad_register_client_via(0x06, 0, *state) >= 0);
	assert_true(mad_async_submit(async, ASYNC_TO(&to, note_outcome, &outcome), &rpc, NULL) > 0);
	dispatch_all(async);
	assert_outcome(&outcome, 0);
	mad_async_free(async);
}
