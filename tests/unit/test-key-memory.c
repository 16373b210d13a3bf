/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Keys in memory. Responses have them, too: agents repeat the M_Key of a request, and PortInfo
 * holds that of the port. The library overwrites received MADs before it frees them: this program
 * looks for the key in each block that is freed. Rings are in mappings that core dumps omit, and
 * that are all zeros when they are unmapped, as the texts of their files are.
 */
#include "test.h"
#include "fakeumad.h"

#include "tests/lib/async-request.h"
#include <infiniband/mad_keys.h>
#include <infiniband/umad.h>
#include <inttypes.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

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

/* Mappings of the library; memory NULL: none. */
static struct mapping {
	uint8_t *memory;
	size_t size;
	bool is_omitted; /* from core dumps */
} mappings[16];
static bool unmapped_bytes; /* a mapping that was no longer of zeros */

void *__real_mmap(void *at, size_t size, int access, int flags, int fd, off_t offset);
void *__wrap_mmap(void *at, size_t size, int access, int flags, int fd, off_t offset);
int __real_madvise(void *memory, size_t size, int advice);
int __wrap_madvise(void *memory, size_t size, int advice);
int __real_munmap(void *memory, size_t size);
int __wrap_munmap(void *memory, size_t size);

static struct mapping *find_mapping(const void *memory)
{
	struct mapping *mapping = mappings;

	while (mapping->memory != memory)
		assert_true(++mapping < mappings + COUNT(mappings));
	return mapping;
}

void *__wrap_mmap(void *at, size_t size, int access, int flags, int fd, off_t offset)
{
	void *memory = __real_mmap(at, size, access, flags, fd, offset);

	*find_mapping(NULL) = (struct mapping){ memory, size, false };
	return memory;
}

int __wrap_madvise(void *memory, size_t size, int advice)
{
	struct mapping *mapping = find_mapping(memory);

	mapping->is_omitted = advice == MADV_DONTDUMP && size == mapping->size;
	return __real_madvise(memory, size, advice);
}

int __wrap_munmap(void *memory, size_t size)
{
	const uint8_t *bytes = memory;

	for (size_t i = 0; i < size; i++)
		unmapped_bytes |= bytes[i] != 0;
	find_mapping(memory)->memory = NULL;
	return __real_munmap(memory, size);
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

/* The key in a ring. */
static uint64_t ring_key;

/* Fails the test unless one mapping has the key, which core dumps omit. */
static void assert_one_copy(void)
{
	int copies = 0, omitted = 0;

	for (const struct mapping *at = mappings; at < mappings + COUNT(mappings); at++) {
		bool found =
			at->memory && memmem(at->memory, at->size, &ring_key, sizeof(ring_key));

		copies += found;
		omitted += found && at->is_omitted;
	}
	assert_int_equal(copies, 1);
	assert_int_equal(omitted, 1);
}

TEST(rings)
{
	struct mad_keys *keys = mad_keys_create();
	char path[] = "/tmp/test-key-memory-XXXXXX";
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	ring_key = (uint64_t)getpid() * UINT64_C(0x9e3779b97f4a7c15) | 1;
	dprintf(fd, "0x77 0x%016" PRIx64 "\n", ring_key);
	close(fd);
	assert_int_equal(mad_keys_read(keys, MAD_KEY_M, path, 0, NULL, 0), 0);
	unlink(path);
	assert_one_copy();
	for (uint64_t i = 1000; i < 3000; i++) /* the table moves */
		mad_keys_set_guid(keys, MAD_KEY_M, i, i);
	assert_one_copy();
	mad_keys_free(keys);
	for (size_t i = 0; i < COUNT(mappings); i++)
		assert_null(mappings[i].memory);
	assert_false(unmapped_bytes);
}
