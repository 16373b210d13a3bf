/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * key-ring.h - what the tests of key rings share: a port with a ring, destinations, keys, and the
 * key of a packet that was sent.
 */
#ifndef TESTS_UNIT_KEY_RING_H
#define TESTS_UNIT_KEY_RING_H

#include "test.h"
#include "fakeumad.h"

#include <errno.h>
#include <infiniband/mad_async.h>
#include <infiniband/mad_keys.h>
#include <string.h>

#define TIMEOUT_MS 20
#define SM_KEY_AT  36
#define LID	   7
#define KEY(n)	   (UINT64_C(0xa1b2c3d4e5f60000) + (n))

enum key { DEFAULT_KEY = 1, LID_KEY, GUID_KEY, PORT_KEY, CALL_KEY, OTHER_KEY };

static struct ibmad_port *port;
static struct mad_keys *keys;
static uint8_t data[256];

static inline int respond_to_all(const struct fakeumad_request *request, void *context)
{
	struct fakeumad_reply reply = { .data = context, .data_size = context ? 1 : 0 };

	fakeumad_reply(request, &reply);
	return 0;
}

static inline int setup(void **state)
{
	int result = fakeumad_setup(state);

	port = *state;
	fakeumad_respond_with(respond_to_all, NULL);
	memset(data, 0, sizeof(data));
	keys = mad_keys_create();
	assert_non_null(keys);
	assert_int_equal(mad_port_set_keys(port, keys), 0);
	return result;
}

static inline int teardown(void **state)
{
	mad_keys_free(keys);
	return fakeumad_teardown(state);
}

static inline uint64_t key_at(int number, int offset)
{
	const uint8_t *at = fakeumad_written(number) + FAKEUMAD_HEADER + offset;
	uint64_t key = 0;

	for (int i = 0; i < 8; i++)
		key = key << 8 | at[i];
	return key;
}

/* The last packet that was sent has this key there. */
#define assert_last_key(offset, expected) \
	assert_int_equal(key_at(fakeumad_writes(), (offset)), (expected))

static inline void count_call(struct mad_async *async, const struct mad_async_result *result,
			      void *context)
{
	(void)async;
	++*(int *)context;
	data[0] = (uint8_t)result->error;
}

static inline void finish_async(struct mad_async *async, const int *calls)
{
	while (!*calls)
		assert_true(mad_async_dispatch(async, 0, 1000) >= 0);
	mad_async_free(async);
}

#define CASE(name) TEST_WITH(name, setup, teardown)

#endif
