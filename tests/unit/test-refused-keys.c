/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * test-refused-keys.c - keys that an agent or the SA does not accept: the errors, and the query
 * that distinguishes a silent SA from a wrong SM_Key.
 */
#include "tests/lib/async-request.h"
#include "key-ring.h"

#include <infiniband/mad_sa.h>

static int refuse(const struct fakeumad_request *request, void *context)
{
	struct fakeumad_reply reply = { .status = *(uint16_t *)context };

	fakeumad_reply(request, &reply);
	return 0;
}

static int query_error(int *rstatus)
{
	ib_portid_t to = { .lid = LID };

	errno = 0;
	assert_null(
		smp_query_status_via(data, &to, IB_ATTR_NODE_INFO, 0, TIMEOUT_MS, rstatus, port));
	return errno;
}

CASE(a_refused_m_key)
{
	uint16_t refused = 0x1c, unsupported = 0x0c;
	struct mad_async *async;
	int rstatus = 0, calls = 0;
	ib_portid_t to = { .lid = LID };

	fakeumad_respond_with(refuse, &refused);
	assert_int_equal(query_error(&rstatus), EKEYREJECTED);
	assert_int_equal(rstatus, 0x1c);
	async = mad_async_create(port, NULL, 0);
	mad_async_smp(async, ASYNC_TO(&to, count_call, &calls), IB_ATTR_NODE_INFO, 0, NULL);
	finish_async(async, &calls);
	assert_int_equal(data[0], EKEYREJECTED);
	fakeumad_respond_with(refuse, &unsupported);
	assert_int_equal(query_error(&rstatus), EIO);
	assert_int_equal(mad_port_set_keys(port, NULL), 0);
	fakeumad_respond_with(refuse, &refused);
	assert_int_equal(query_error(&rstatus), EIO);
}

/* An SA that drops requests with an SM_Key; in *context, whether it responds to others. */
static int drop_keys(const struct fakeumad_request *request, void *context)
{
	static const uint8_t none[8];
	struct fakeumad_reply reply = { .data_size = 0 }, returned = FAKEUMAD_TIMED_OUT;

	if (*(bool *)context && !memcmp(request->mad + SM_KEY_AT, none, 8))
		fakeumad_reply(request, &reply);
	else
		fakeumad_reply(request, &returned);
	return 0;
}

static int sa_error(void)
{
	ib_sa_call_t sa = { .attrid = IB_SA_ATTR_NODERECORD, .method = IB_MAD_METHOD_GET };
	ib_portid_t to = { .lid = LID };

	errno = 0;
	assert_null(sa_rpc_call(port, data, &to, &sa, TIMEOUT_MS));
	return errno;
}

CASE(an_sa_that_stays_silent)
{
	bool responds = true;
	int before;

	mad_rpc_set_retries(port, 1);
	mad_keys_set_default(keys, MAD_KEY_SA, KEY(DEFAULT_KEY));
	fakeumad_respond_with(drop_keys, &responds);
	assert_int_equal(sa_error(), EKEYREJECTED);
	assert_last_key(SM_KEY_AT, 0);
	responds = false;
	assert_int_equal(sa_error(), ETIMEDOUT);
	mad_keys_set_default(keys, MAD_KEY_SA, 0);
	before = fakeumad_writes();
	assert_int_equal(sa_error(), ETIMEDOUT);
	assert_int_equal(fakeumad_writes(), before + 1); /* there was no key that could be wrong */
}

/* How one asynchronous SA request ends; *attempts is what its result says of it. */
struct sa_outcome {
	int calls;
	int error;
	unsigned attempts;
	const uint8_t *mad;
};

static void note_outcome(struct mad_async *async, const struct mad_async_result *result,
			 void *context)
{
	struct sa_outcome *outcome = context;

	(void)async;
	outcome->calls++;
	outcome->error = result->error;
	outcome->attempts = result->attempts;
	outcome->mad = result->mad;
}

static struct sa_outcome run_async_sa(struct mad_async *async)
{
	ib_sa_call_t sa = { .attrid = IB_SA_ATTR_NODERECORD, .method = IB_MAD_METHOD_GET };
	struct sa_outcome outcome = { 0 };
	ib_portid_t to = { .lid = LID };

	assert_true(mad_async_sa(async, ASYNC_TO(&to, note_outcome, &outcome), &sa, data) > 0);
	while (!outcome.calls)
		assert_true(mad_async_dispatch(async, 0, 1000) >= 0);
	assert_int_equal(outcome.calls, 1);
	assert_int_equal(mad_async_pending(async), 0);
	assert_null(outcome.mad);
	return outcome;
}

/* The same error as that of a blocking call; the query without a key is no attempt of the caller's.
 */
CASE(an_sa_that_stays_silent_to_asynchronous_requests)
{
	const struct mad_async_options options = { .timeout_ms = TIMEOUT_MS, .attempts = 2 };
	struct mad_async *async = mad_async_create(port, &options, sizeof(options));
	struct sa_outcome outcome;
	bool responds = true;
	int before;

	(void)state;
	mad_keys_set_default(keys, MAD_KEY_SA, KEY(DEFAULT_KEY));
	fakeumad_respond_with(drop_keys, &responds);
	outcome = run_async_sa(async);
	assert_int_equal(outcome.error, EKEYREJECTED);
	assert_int_equal(outcome.attempts, 2);
	assert_int_equal(fakeumad_writes(), 3);
	assert_int_equal(key_at(2, SM_KEY_AT), KEY(DEFAULT_KEY));
	assert_last_key(SM_KEY_AT, 0);
	responds = false;
	outcome = run_async_sa(async);
	assert_int_equal(outcome.error, ETIMEDOUT);
	assert_int_equal(outcome.attempts, 2);
	assert_int_equal(fakeumad_writes(), 7);
	mad_keys_set_default(keys, MAD_KEY_SA, 0);
	before = fakeumad_writes();
	outcome = run_async_sa(async);
	assert_int_equal(outcome.error, ETIMEDOUT);
	assert_int_equal(fakeumad_writes(), before + 2); /* there was no key that could be wrong */
	mad_async_free(async);
}

/* Responds to nothing; in *context, the number of requests without a key. */
static int swallow(const struct fakeumad_request *request, void *context)
{
	static const uint8_t none[8];

	*(int *)context += !memcmp(request->mad + SM_KEY_AT, none, 8);
	return 0;
}

/* Its ID remains that of the request while the SA is asked without a key. */
CASE(a_silent_request_is_cancelled)
{
	const struct mad_async_options options = { .timeout_ms = TIMEOUT_MS, .attempts = 1 };
	ib_sa_call_t sa = { .attrid = IB_SA_ATTR_NODERECORD, .method = IB_MAD_METHOD_GET };
	struct mad_async *async = mad_async_create(port, &options, sizeof(options));
	struct sa_outcome outcome = { 0 };
	ib_portid_t to = { .lid = LID };
	int without_key = 0;
	int64_t id;

	(void)state;
	mad_keys_set_default(keys, MAD_KEY_SA, KEY(DEFAULT_KEY));
	fakeumad_respond_with(swallow, &without_key);
	assert_true((id = mad_async_sa(async, ASYNC_TO(&to, note_outcome, &outcome), &sa, data)) >
		    0);
	while (!without_key)
		mad_async_dispatch(async, 0, 1);
	assert_int_equal(mad_async_cancel(async, id), 1);
	mad_async_dispatch(async, 0, 0);
	assert_int_equal(outcome.calls, 1);
	assert_int_equal(outcome.error, ECANCELED);
	assert_int_equal(outcome.attempts, 1);
	mad_async_free(async);
}

static int check_error(void)
{
	ib_portid_t to = { .lid = LID };

	errno = 0;
	return mad_sa_check_key(port, &to, TIMEOUT_MS) ? errno : 0;
}

CASE(checking_the_sm_key)
{
	bool responds = true;

	mad_rpc_set_retries(port, 1);
	assert_int_equal(check_error(), 0);
	mad_keys_set_default(keys, MAD_KEY_SA, KEY(DEFAULT_KEY));
	assert_int_equal(check_error(), 0);
	assert_last_key(SM_KEY_AT, KEY(DEFAULT_KEY));
	fakeumad_respond_with(drop_keys, &responds);
	assert_int_equal(check_error(), EKEYREJECTED);
	sa_key_set(port, KEY(PORT_KEY));
	mad_port_set_keys(port, NULL);
	assert_int_equal(check_error(), EKEYREJECTED);
	responds = false;
	assert_int_equal(check_error(), ETIMEDOUT);
	errno = 0;
	assert_int_equal(mad_sa_check_key(NULL, NULL, 0), -1);
	assert_int_equal(errno, EINVAL);
}
