/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * guard.c - buffers with canaries. The sanitizer reports code that accesses these; code without its
 * instrumentation is found by their value.
 */
#include "fuzz.h"

#include <sanitizer/asan_interface.h>

enum { MAX_BUFFERS = 64, ARENA_SIZE = 1 << 18, CANARY_SIZE = 64, CANARY = 0xa5 };

static uint8_t arena[ARENA_SIZE] __attribute__((aligned(16)));
static struct {
	size_t start, end; /* of the buffer; a canary before and one behind it */
	size_t behind;	   /* bytes of the one behind */
} buffers[MAX_BUFFERS];
static size_t buffer_count, used;

void *fuzz_guard(size_t size)
{
	size_t start = used + CANARY_SIZE;
	size_t behind = CANARY_SIZE + (16 - size % 16) % 16;

	FUZZ_CHECK(buffer_count < MAX_BUFFERS && start + size + behind <= ARENA_SIZE);
	memset(arena + used, CANARY, CANARY_SIZE);
	memset(arena + start + size, CANARY, behind);
	ASAN_POISON_MEMORY_REGION(arena + used, CANARY_SIZE);
	ASAN_POISON_MEMORY_REGION(arena + start + size, behind);
	buffers[buffer_count].start = start;
	buffers[buffer_count].end = start + size;
	buffers[buffer_count++].behind = behind;
	used = start + size + behind;
	return arena + start;
}

static bool is_whole(const uint8_t *canary, size_t size)
{
	size_t i;

	for (i = 0; i < size; i++)
		if (canary[i] != CANARY)
			return false;
	return true;
}

void fuzz_guard_check(void)
{
	size_t i;

	ASAN_UNPOISON_MEMORY_REGION(arena, used);
	for (i = 0; i < buffer_count; i++) {
		FUZZ_CHECK(is_whole(arena + buffers[i].start - CANARY_SIZE, CANARY_SIZE));
		FUZZ_CHECK(is_whole(arena + buffers[i].end, buffers[i].behind));
	}
	buffer_count = used = 0;
}

void fuzz_touch(const void *bytes, size_t size)
{
	const volatile uint8_t *byte = bytes;

	while (size--)
		(void)*byte++;
}
