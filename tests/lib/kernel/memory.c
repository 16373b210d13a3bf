/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * memory.c - the allocations of fakesys: each is noted until it is freed, and fails on
 * demand. Allocations within libc and cmocka are none of them.
 */
#include <string.h>

#include "fakesys.h"
#include "test.h"

enum { MAX_ALLOCATIONS = 4096 };

static void *allocations[MAX_ALLOCATIONS];

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void __real_free(void *memory);

void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
void __wrap_free(void *memory);

void fakesys_memory_reset(void)
{
	memset(allocations, 0, sizeof(allocations));
}

void fakesys_memory_check(void)
{
	int i;

	for (i = 0; i < MAX_ALLOCATIONS; i++)
		if (allocations[i])
			fail_msg("memory at %p was not freed", allocations[i]);
}

static void note_allocation(void *memory)
{
	int i;

	for (i = 0; i < MAX_ALLOCATIONS; i++) {
		if (allocations[i])
			continue;
		allocations[i] = memory;
		return;
	}
	fail_msg("too many allocations for the table");
}

static void forget_allocation(const void *memory)
{
	int i;

	for (i = 0; memory && i < MAX_ALLOCATIONS; i++)
		if (allocations[i] == memory)
			allocations[i] = NULL;
}

void *__wrap_malloc(size_t size)
{
	void *memory;

	if (fakesys_fails(KERNEL_ALLOCATE, NULL))
		return NULL;
	memory = __real_malloc(size);
	note_allocation(memory);
	return memory;
}

void *__wrap_calloc(size_t count, size_t size)
{
	void *memory;

	if (fakesys_fails(KERNEL_ALLOCATE, NULL))
		return NULL;
	memory = __real_calloc(count, size);
	note_allocation(memory);
	return memory;
}

void *__wrap_realloc(void *old, size_t size)
{
	void *memory;

	if (fakesys_fails(KERNEL_ALLOCATE, NULL))
		return NULL;
	forget_allocation(old);
	memory = __real_realloc(old, size);
	note_allocation(memory);
	return memory;
}

void __wrap_free(void *memory)
{
	forget_allocation(memory);
	__real_free(memory);
}
