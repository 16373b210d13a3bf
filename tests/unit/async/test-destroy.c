/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Destroying with requests outstanding, wherever they are: each completes once, and new ones are
 * refused.
 */
#include "test.h"
#include "fixture.h"

#include <errno.h>
#include <stdlib.h>

/* Callbacks of requests that are cancelled submit further ones. */
struct chain {
	int left;
	int refused;
	int errors[2];
};

static void submit_again(struct mad_async *async, const struct mad_async_result *result,
			 void *context)
{
	struct chain *chain = context;
	ib_portid_t to = { .lid = 1 };

	chain->errors[0] = result->error;
	if (!chain->left--)
		return;
	if (mad_async_smp(async, ASYNC_TO(&to, submit_again, chain), 0x11, 0, NULL) < 0) {
		chain->refused++;
		chain->errors[1] = errno;
	}
}

PORT_TEST(completes_all)
{
	struct mad_async *async = create_async(*state, 4, 10000, 1);
	struct outcome *outcomes = calloc(3000, sizeof(*outcomes));

	assert_non_null(outcomes);
	responder_plan(silence_for_9, NULL);
	for (int i = 0; i < 3000; i++)
		submit_get(async, 1 + i % 20, i, &outcomes[i]);
	dispatch_for(async, 5);
	mad_async_free(async);
	for (int i = 0; i < 3000; i++) {
		assert_int_equal(outcomes[i].calls, 1);
		assert_true(outcomes[i].error == 0 || outcomes[i].error == ECANCELED);
	}
	assert_int_equal(outcomes[2999].error, ECANCELED);
	free(outcomes);
}

/* A request with a response that waits only for its callback keeps the response. */
PORT_TEST(keeps_what_is_done)
{
	struct mad_async *async = create_async(*state, 4, 10000, 1);
	struct outcome outcome = { .calls = 0 };
	ib_portid_t to = { .lid = 2 };
	uint8_t data[64] = { 0 };

	submit_get(async, 1, 1, &outcome);
	assert_non_null(smp_query_via(data, &to, 0x11, 2, 10000, *state));
	mad_async_free(async);
	assert_outcome(&outcome, 0);
}

PORT_TEST(refuses_new_requests)
{
	for (int with_thread = 0; with_thread < 2; with_thread++) {
		struct mad_async *async =
			(with_thread ? create_threaded : create_async)(*state, 4, 10000, 1);
		struct chain chain = { .left = 5 };

		responder_plan(never_respond, NULL);
		submit_with(async, 1, 1, submit_again, &chain);
		mad_async_free(async);
		assert_int_equal(chain.errors[0], ECANCELED);
		assert_int_equal(chain.refused, 1);
		assert_int_equal(chain.errors[1], ECANCELED);
		assert_int_equal(chain.left, 4);
	}
}

/* Late responses come after all has been freed; the port works on. */
PORT_TEST(responses_under_way)
{
	ib_portid_t to = { .lid = 2 };
	uint8_t data[64] = { 0 };

	for (int i = 0; i < 5; i++) {
		struct mad_async *async = create_async(*state, 64, 10000, 1);
		struct outcome outcomes[64] = { { .calls = 0 } };

		respond_after(30);
		for (int j = 0; j < 64; j++)
			submit_get(async, 1 + j, j, &outcomes[j]);
		mad_async_free(async);
		for (int j = 0; j < 64; j++)
			assert_outcome(&outcomes[j], ECANCELED);
		assert_non_null(smp_query_via(data, &to, 0x11, 2, 10000, *state));
	}
	assert_int_equal(responder_in_flight(0), 0);
}

PORT_TEST(unused)
{
	struct mad_async *async = create_async(*state, 4, 10000, 1);

	mad_async_free(async);
	async = create_threaded(*state, 4, 10000, 1);
	mad_async_free(async);
}
