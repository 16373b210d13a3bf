/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * memory.c - the allocations of fakesys: they are counted, and fail on demand. Allocations within
 * libc and cmocka are none of them, and what libc has allocated is not to be freed.
 */
#include "fakesys.h"
#include "test.h"

static int allocations; /* blocks that were not freed yet */

KERNEL_REPLACES(void *, malloc, size_t size);
KERNEL_REPLACES(void *, calloc, size_t count, size_t size);
KERNEL_REPLACES(void *, realloc, void *old, size_t size);
KERNEL_REPLACES(void, free, void *memory);

void fakesys_memory_reset(void)
{
	allocations = 0;
}

void fakesys_memory_check(void)
{
	if (allocations)
		fail_msg("%d allocations were not freed", allocations);
}

void *__wrap_malloc(size_t size)
{
	return __wrap_realloc(NULL, size);
}

void *__wrap_calloc(size_t count, size_t size)
{
	if (fakesys_fails(KERNEL_ALLOCATE, NULL))
		return NULL;
	allocations++;
	return __real_calloc(count, size);
}

void *__wrap_realloc(void *old, size_t size)
{
	if (fakesys_fails(KERNEL_ALLOCATE, NULL))
		return NULL;
	allocations += !old;
	return __real_realloc(old, size);
}

void __wrap_free(void *memory)
{
	allocations -= memory != NULL;
	__real_free(memory);
}
