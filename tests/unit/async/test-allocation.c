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
 * What is allocated is kept, here and in the responder: for the most that was ever in flight. So
 * far more is lost at first, *context of 1000, than later.
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

/* Responses that wait for their callbacks take memory, too: as many of them as there can be later.
 */
static void warm_with_late_callbacks(struct mad_async *async)
{
	unsigned end = responder_writes() + 4000;

	submit_all_kinds(async, 4000);
	while (responder_writes() < end || responder_in_flight(0))
		sleep_ms(1);
	dispatch_all(async);
}

/* On a machine that stops now and then, many requests may be slow at once, beside the window. */
static void warm_with_silence(struct mad_async *async)
{
	for (int i = 0; i < 400; i++)
		submit_get(async, 101 + i, i, NULL);
	dispatch_all(async);
}

static void check_warm(struct ibmad_port *port, unsigned window, bool with_descriptor)
{
	struct mad_async *async =
		(with_descriptor ? create_threaded : create_async)(port, window, 100, 3);
	unsigned before, lost = 1000;

	responder_plan(respond_at_various_times, &lost);
	warm_with_silence(async);
	lost = 60; /* nothing is written meanwhile */
	for (int round = 0; round < 3; round++) {
		submit_all_kinds(async, 4000);
		dispatch_all(async);
	}
	lost = 0;
	if (with_descriptor)
		warm_with_late_callbacks(async);
	lost = 2;
	before = atomic_load(&allocations);
	for (int round = 0; round < 3; round++) {
		submit_all_kinds(async, 3000);
		mad_async_cancel(async, submit_get(async, 1, 1, NULL));
		dispatch_all(async);
	}
	assert_int_equal(atomic_load(&allocations) - before, 0);
	mad_async_free(async);
}

PORT_TEST(none_once_warm)
{
	check_warm(*state, 64, false);
}

THREAD_TEST(none_once_warm_with_a_descriptor)
{
	check_warm(*state, 16, true);
}

/* Memory for 4,096 requests is kept; that of all others goes back to the system, also where a small
 * block of the heap was allocated after them. */
#define LONG_QUEUE 100000
#define KEPT_MOST  ((size_t)8 << 20)

PORT_TEST(memory_of_a_long_queue_is_returned)
{
	struct mad_async *async = create_async(*state, 64, 1000, 1);
	size_t before = atomic_load(&mapped), queued;

	for (int round = 0; round < 2; round++) {
		submit_all_kinds(async, LONG_QUEUE);
		queued = atomic_load(&mapped) - before;
		assert_true(queued >= (size_t)LONG_QUEUE * 500);
		if (round)
			mad_async_cancel(async, MAD_ASYNC_ALL);
		dispatch_all(async);
		assert_true(atomic_load(&mapped) - before <= KEPT_MOST);
	}
	mad_async_free(async);
	assert_true(atomic_load(&mapped) == before);
}
