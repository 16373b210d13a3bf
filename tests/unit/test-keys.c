/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Key rings and the keys of ports: their lifetimes, look-ups, and no key in debugging lines. The
 * rows of tests/lib/requests have the keys of requests.
 */
#include "test.h"
#include "fakeumad.h"
#include "listen.h"

#include "tests/lib/async-request.h"
#include <errno.h>
#include <infiniband/mad_keys.h>
#include <infiniband/mad_sa.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define TIMEOUT_MS 20
#define KEY_AT	   24 /* of all classes but the SA */
#define SM_KEY_AT  36
#define LID	   7
#define KEY(n)	   (UINT64_C(0xa1b2c3d4e5f60000) + (n))

enum key { DEFAULT_KEY = 1, LID_KEY, OTHER_KEY };

static struct ibmad_port *port;
static struct mad_keys *keys;
static uint8_t data[256];

static int respond_to_all(const struct fakeumad_request *request, void *context)
{
	struct fakeumad_reply reply = { 0 };

	(void)context;
	fakeumad_reply(request, &reply);
	return 0;
}

static int setup(void **state)
{
	int result = fakeumad_setup(state);

	port = *state;
	fakeumad_respond_with(respond_to_all, NULL);
	keys = mad_keys_create();
	assert_non_null(keys);
	assert_int_equal(mad_port_set_keys(port, keys), 0);
	return result;
}

static int teardown(void **state)
{
	mad_keys_free(keys);
	return fakeumad_teardown(state);
}

static void assert_last_key(uint64_t expected)
{
	const uint8_t *at = fakeumad_written(fakeumad_writes()) + FAKEUMAD_HEADER + KEY_AT;
	uint64_t key = 0;

	for (int i = 0; i < 8; i++)
		key = key << 8 | at[i];
	assert_int_equal(key, expected);
}

#define CASE(name) TEST_WITH(name, setup, teardown)

static void query(const ib_portid_t *to)
{
	ib_portid_t portid = *to;

	assert_non_null(smp_query_via(data, &portid, IB_ATTR_NODE_INFO, 0, TIMEOUT_MS, port));
}

CASE(ports_have_keys_of_their_own)
{
	assert_true(sa_key_get(port) == 0);
	smp_mkey_set(port, 5);
	assert_true(sa_key_get(port) == 0);
	sa_key_set(port, UINT64_MAX);
	assert_true(sa_key_get(port) == UINT64_MAX);
	assert_true(smp_mkey_get(port) == 5);
}

/* A ring lives as long as its creator or a port has it. */
CASE(attaching_and_detaching)
{
	struct mad_keys *other = mad_keys_create();
	ib_portid_t to = { .lid = LID };

	mad_keys_set_default(keys, MAD_KEY_M, KEY(DEFAULT_KEY));
	mad_keys_set_default(other, MAD_KEY_M, KEY(OTHER_KEY));
	assert_int_equal(mad_port_set_keys(port, other), 0);
	mad_keys_free(other);
	query(&to);
	assert_last_key(KEY(OTHER_KEY));
	assert_int_equal(mad_port_set_keys(port, keys), 0);
	query(&to);
	assert_last_key(KEY(DEFAULT_KEY));
	assert_int_equal(mad_port_set_keys(port, keys), 0);
	assert_int_equal(mad_port_set_keys(port, NULL), 0);
	query(&to);
	assert_last_key(0);
}

/* mad_keys_get() returns the key that a request would have. */
CASE(asking_for_a_key)
{
	ib_portid_t by_lid = { .lid = LID }, path = { .drpath.cnt = 1 };
	uint64_t key = 5;

	mad_keys_set_lid(keys, MAD_KEY_M, LID, KEY(LID_KEY));
	assert_int_equal(mad_keys_get(keys, MAD_KEY_M, &by_lid, &key), 0);
	assert_int_equal(key, KEY(LID_KEY));
	assert_errno(mad_keys_get(keys, MAD_KEY_CC, &by_lid, &key), ENOENT);
	assert_errno(mad_keys_get(keys, MAD_KEY_M, &path, &key), ENOENT);
	assert_int_equal(key, KEY(LID_KEY));
}

/* Responds to nothing; in *context, the number of requests without a key. */
static int swallow(const struct fakeumad_request *request, void *context)
{
	static const uint8_t none[8];

	*(int *)context += !memcmp(request->mad + SM_KEY_AT, none, 8);
	return 0;
}

static void note_cancellation(struct mad_async *async, const struct mad_async_result *result,
			      void *context)
{
	(void)async;
	assert_int_equal(result->error, ECANCELED);
	assert_int_equal(result->attempts, 1);
	++*(int *)context;
}

/* A request keeps its ID while the SA is asked without a key. */
CASE(a_silent_request_is_cancelled)
{
	const struct mad_async_options options = { .timeout_ms = TIMEOUT_MS, .attempts = 1 };
	ib_sa_call_t sa = { .attrid = IB_SA_ATTR_NODERECORD, .method = IB_MAD_METHOD_GET };
	struct mad_async *async = mad_async_create(port, &options);
	ib_portid_t to = { .lid = LID };
	int without_key = 0, calls = 0;
	int64_t id;

	mad_keys_set_default(keys, MAD_KEY_SA, KEY(DEFAULT_KEY));
	fakeumad_respond_with(swallow, &without_key);
	assert_true((id = mad_async_sa(async, ASYNC_TO(&to, note_cancellation, &calls), &sa,
				       data)) > 0);
	while (!without_key)
		mad_async_dispatch(async, 0, 1);
	assert_int_equal(mad_async_cancel(async, id), 1);
	mad_async_dispatch(async, 0, 0);
	assert_int_equal(calls, 1);
	mad_async_free(async);
}

/* No line on standard error has a byte of the key in a row of more than two, whatever the level. */
CASE(keys_stay_out_of_debugging_lines)
{
	ib_portid_t to = { .lid = LID };

	mad_keys_set_default(keys, MAD_KEY_SA, KEY(DEFAULT_KEY));
	mad_keys_set_default(keys, MAD_KEY_M, KEY(DEFAULT_KEY));
	ibdebug = 9;
	umad_debug(9);
	listen_begin();
	mad_sa_check_key(port, &to, TIMEOUT_MS);
	query(&to);
	listen_end();
	ibdebug = 0;
	umad_debug(0);
	assert_non_null(strstr(said, "NodeInfo"));
	assert_null(strstr(said, "a1b2c3"));
	assert_null(strstr(said, "a1 b2"));
}

CASE(the_child_of_a_fork_has_them)
{
	ib_portid_t to = { .lid = LID };
	uint64_t key = 0;
	int status;
	pid_t child;

	mad_keys_set_default(keys, MAD_KEY_M, KEY(DEFAULT_KEY));
	child = fork();
	if (!child) {
		mad_keys_set_lid(keys, MAD_KEY_M, 9, 1);
		_exit(mad_keys_get(keys, MAD_KEY_M, &to, &key) || key != KEY(DEFAULT_KEY));
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	mad_keys_set_lid(keys, MAD_KEY_M, 9, 2);
}
