/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Responses have keys, too: agents repeat the M_Key of a request, and PortInfo holds that of the
 * port. The library overwrites received MADs before it frees them. This program looks for the key
 * in each block that is freed.
 */
#include "test.h"
#include "fakeumad.h"

#include "tests/lib/async-request.h"
#include <infiniband/umad.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define TIMEOUT_MS 1000
#define LID	   7

static const uint8_t key[8] = { 0xa1, 0xb2, 0xc3, 0xd4, 0xe5, 0xf6, 0x07, 0x18 };
static atomic_int freed_with_key;

void __real_free(void *block);
void __wrap_free(void *block);
void *__wrap_malloc(size_t size);
void *__wrap_realloc(void *block, size_t size);

/* Blocks begin with zeros: no block has bytes of an earlier one. */
void *__wrap_malloc(size_t size)
{
	return calloc(1, size);
}

void *__wrap_realloc(void *block, size_t size)
{
	size_t old_size = block ? malloc_usable_size(block) : 0;
	void *moved = calloc(1, size);

	if (!moved || !block)
		return moved;
	memcpy(moved, block, old_size < size ? old_size : size);
	__real_free(block);
	return moved;
}

void __wrap_free(void *block)
{
	if (block && memmem(block, malloc_usable_size(block), key, sizeof(key)))
		atomic_fetch_add(&freed_with_key, 1);
	__real_free(block);
}

static int respond_with_key(const struct fakeumad_request *request, void *context)
{
	struct fakeumad_reply reply = { .data = key, .data_size = sizeof(key), .data_offset = 24 };

	(void)context;
	fakeumad_reply(request, &reply);
	return 0;
}

static void expect_key(struct mad_async *async, const struct mad_async_result *result,
		       void *context)
{
	(void)async;
	assert_int_equal(result->error, 0);
	assert_memory_equal((const uint8_t *)result->mad + 24, key, sizeof(key));
	++*(int *)context;
}

static struct ibmad_port *open_port(void)
{
	fakeumad_reset();
	fakeumad_respond_with(respond_with_key, NULL);
	atomic_store(&freed_with_key, 0);
	return fakeumad_port();
}

static void close_port(struct ibmad_port *port)
{
	mad_rpc_close_port(port);
	assert_int_equal(atomic_load(&freed_with_key), 0);
	fakeumad_finish();
}

/* The other tests can fail. */
TEST(a_block_that_has_the_key_is_noticed)
{
	uint8_t *block = malloc(100);

	assert_non_null(block);
	memcpy(block + 50, key, sizeof(key));
	atomic_store(&freed_with_key, 0);
	free(block);
	assert_int_equal(atomic_load(&freed_with_key), 1);
}

TEST(blocking_requests)
{
	struct ibmad_port *port = open_port();
	uint8_t data[IB_SMP_DATA_SIZE];
	ib_portid_t to = { .lid = LID };

	assert_non_null(smp_query_via(data, &to, IB_ATTR_PORT_INFO, 0, TIMEOUT_MS, port));
	close_port(port);
}

TEST(asynchronous_requests)
{
	enum { REQUESTS = 8 };
	struct ibmad_port *port = open_port();
	struct mad_async *async = mad_async_create(port, NULL);
	ib_portid_t to = { .lid = LID };
	int calls = 0;

	assert_non_null(async);
	for (int i = 0; i < REQUESTS; i++)
		assert_true(mad_async_smp(async, ASYNC_TO(&to, expect_key, &calls),
					  IB_ATTR_PORT_INFO, 0, NULL) > 0);
	while (calls < REQUESTS)
		assert_true(mad_async_dispatch(async, 0, TIMEOUT_MS) >= 0);
	mad_async_free(async);
	close_port(port);
}

/* A MAD that no request waits for and no call receives. */
TEST(the_inbox)
{
	struct ibmad_port *port = open_port();
	const uint8_t trap[4] = { 1, 1, 1, IB_MAD_METHOD_TRAP };
	uint8_t packet[FAKEUMAD_PACKET] = { 0 };
	ib_portid_t to = { .lid = LID };
	uint8_t data[IB_SMP_DATA_SIZE];

	memcpy(packet + FAKEUMAD_HEADER, trap, sizeof(trap));
	memcpy(packet + FAKEUMAD_HEADER + 64, key, sizeof(key));
	fakeumad_deliver(packet, sizeof(packet), 0);
	assert_non_null(smp_query_via(data, &to, IB_ATTR_PORT_INFO, 0, TIMEOUT_MS, port));
	close_port(port);
}
