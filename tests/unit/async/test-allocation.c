/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Memory: nothing is allocated for a request once enough of them have been through. Counts malloc,
 * calloc, realloc and mmap of all that is linked in.
 */
#include "test.h"
#include "fixture.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>

void *__real_mmap(void *place, size_t size, int protection, int flags, int fd, off_t offset);
void *__wrap_mmap(void *place, size_t size, int protection, int flags, int fd, off_t offset);
int __real_munmap(void *memory, size_t size);
int __wrap_munmap(void *memory, size_t size);
void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);

static atomic_uint allocations;
static atomic_size_t mapped; /* bytes, for requests */

void *__wrap_malloc(size_t size)
{
	atomic_fetch_add(&allocations, 1);
	return __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
	atomic_fetch_add(&allocations, 1);
	return __real_calloc(count, size);
}

void *__wrap_realloc(void *old, size_t size)
{
	atomic_fetch_add(&allocations, 1);
	return __real_realloc(old, size);
}

void *__wrap_mmap(void *place, size_t size, int protection, int flags, int fd, off_t offset)
{
	void *memory = __real_mmap(place, size, protection, flags, fd, offset);

	atomic_fetch_add(&allocations, 1);
	if (memory != MAP_FAILED)
		atomic_fetch_add(&mapped, size);
	return memory;
}

int __wrap_munmap(void *memory, size_t size)
{
	atomic_fetch_sub(&mapped, size);
	return __real_munmap(memory, size);
}

/*
 * The library and the responder keep the memory of the most requests that were ever in flight. So
 * far more are lost at first, *context of 1000, than later.
 */
static void respond_at_various_times(const struct responder_request *request,
				     struct responder_response *response, void *context)
{
	response->silent = request->number % 1000 < *(unsigned *)context;
	response->delay_us = 100 + request->attr_mod % 5 * 100;
}

static void submit_all_kinds(struct mad_async *async, int requests)
{
	for (int i = 0; i < requests; i++) {
		ib_portid_t to = { .lid = 1 + i % 100 };

		if (i % 2)
			assert_true(mad_async_smp(async, ASYNC_TO(&to, ignore_outcome, NULL), 0x11,
						  i, NULL) > 0);
		else
			assert_true(mad_async_perf_get(async, ASYNC_TO(&to, ignore_outcome, NULL),
						       0x12, 1) > 0);
	}
}

/* On a machine that stops now and then, many requests may be slow at once, beside the window. */
static void warm_with_silence(struct mad_async *async)
{
	for (int i = 0; i < 400; i++)
		submit_get(async, 101 + i, i, NULL);
	dispatch_all(async);
}

/* A request takes one allocation, as does each destination of an object that had no requests; no
 * outcome of a request takes more. */
PORT_TEST(one_a_request_once_warm)
{
	struct mad_async *async = create_async(*state, 64, 100, 3);
	unsigned before, lost = 1000;

	responder_plan(respond_at_various_times, &lost);
	warm_with_silence(async);
	lost = 60; /* the responder does not read it meanwhile */
	for (int round = 0; round < 3; round++) {
		submit_all_kinds(async, 4000);
		dispatch_all(async);
	}
	lost = 2;
	before = atomic_load(&allocations);
	submit_all_kinds(async, 3000);
	mad_async_cancel(async, submit_get(async, 1, 1, NULL));
	dispatch_all(async);
	assert_int_equal(atomic_load(&allocations) - before, 3001 + 100);
	mad_async_free(async);
}
