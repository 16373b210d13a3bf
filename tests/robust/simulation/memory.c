/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* See memory.h. */
#include "memory.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "invariants.h"
#include "races.h"
#include "scheduler.h"
#include "threads.h"
#include "world.h"

#define ARENA_SIZE ((size_t)256 << 20)

enum { MARK = 0x5a, FREED = 0xdf, MARK_SIZE = 16, ALIGNMENT = 16 };

/* Before each block; after it stand MARK_SIZE bytes of MARK. */
struct block {
	size_t size;
	uint32_t thread; /* the allocating thread */
	bool freed;
	uint8_t mark[3];
};

_Static_assert(sizeof(struct block) % ALIGNMENT == 0, "blocks are aligned");

struct arena {
	uint8_t *start;
	size_t used;
};

static struct arena library, world;
static uint32_t allocations_left; /* until the one that fails; 0: none will */
static unsigned errors;
bool sim_memory_may_fail, sim_memory_has_failed;

void *sim_map(size_t size)
{
	void *map = mmap(NULL, size, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (map == MAP_FAILED) {
		perror("simulate: no memory");
		exit(EXIT_FAILURE);
	}
	return map;
}

static void *take(struct arena *arena, size_t size)
{
	void *taken;

	if (!arena->start)
		arena->start = sim_map(ARENA_SIZE);
	if (size > ARENA_SIZE - arena->used)
		return NULL;
	taken = arena->start + arena->used;
	arena->used += size;
	return taken;
}

void sim_memory_clear(void)
{
	allocations_left = sim_world.fails_at;
	errors = 0;
	library.used = 0;
	world.used = 0;
	sim_memory_may_fail = false;
	sim_memory_has_failed = false;
}

const char *sim_memory_range(size_t *size)
{
	*size = ARENA_SIZE;
	return take(&library, 0);
}

void sim_memory_note_error(const char *what)
{
	if (++errors > 1 && sim_world.fails_at)
		sim_broken("memory-lasting", "%s fails with ENOMEM, as something did before", what);
}

bool sim_fails_for_memory(void)
{
	if (!sim_memory_may_fail ||
	    !((allocations_left && !--allocations_left) ||
	      sim_random_once_in(&sim.choices, sim_world.allocations_fail_once_in)))
		return false;
	sim_log("(the allocation fails)");
	return sim_memory_has_failed = true;
}

void *sim_world_alloc(size_t size)
{
	void *taken = take(&world, (size + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1));

	if (!taken)
		abort();
	return memset(taken, 0, size);
}

static size_t whole_size(size_t size)
{
	return sizeof(struct block) +
	       ((size + MARK_SIZE + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1));
}

static void *allocate(size_t size, int fill)
{
	struct block *block = NULL;

	if (!sim_fails_for_memory() && size < ARENA_SIZE)
		block = take(&library, whole_size(size));
	if (!block) {
		errno = ENOMEM;
		return NULL;
	}
	block->size = size;
	block->thread = sim.current ? sim.current->number : 0;
	block->freed = false;
	memset(block->mark, MARK, sizeof(block->mark));
	sim_races_allocate(block, whole_size(size), block + 1, size);
	memset(block + 1, fill, size);
	memset((uint8_t *)(block + 1) + size, MARK, MARK_SIZE);
	return block + 1;
}

static struct block *block_of(void *pointer)
{
	struct block *block = (struct block *)pointer - 1;

	if ((uint8_t *)block < library.start || (uint8_t *)pointer > library.start + library.used ||
	    block->mark[0] != MARK) {
		sim_broken("memory", "%s frees what was not allocated", sim.current->name);
		return NULL;
	}
	return block;
}

REPLACED(void, free, void *pointer)
{
	struct block *block = pointer ? block_of(pointer) : NULL;

	if (!block)
		return;
	if (block->freed)
		sim_broken("memory", "%s frees a block of %zu bytes twice", sim.current->name,
			   block->size);
	sim_races_free(pointer, block->size, __builtin_return_address(0));
	block->freed = true;
	memset(pointer, FREED, block->size);
}

/* Pages are blocks like others, so that one that stays is found. */
REPLACED(void *, mmap, UNUSED void *place, size_t size, UNUSED int protection, UNUSED int flags,
	 UNUSED int fd, UNUSED off_t offset)
{
	void *pages = allocate(size, 0);

	return pages ? pages : MAP_FAILED;
}

REPLACED(int, munmap, void *memory, UNUSED size_t size)
{
	replaced_free(memory);
	return 0;
}

REPLACED(void *, malloc, size_t size)
{
	return allocate(size, 0xa5);
}

REPLACED(void *, calloc, size_t count, size_t size)
{
	if (size && count > SIZE_MAX / size) {
		errno = ENOMEM;
		return NULL;
	}
	return allocate(count * size, 0);
}

REPLACED(void *, realloc, void *pointer, size_t size)
{
	struct block *block = pointer ? block_of(pointer) : NULL;
	void *fresh = allocate(size, 0xa5);

	if (fresh && block) {
		memcpy(fresh, pointer, block->size < size ? block->size : size);
		replaced_free(pointer);
	}
	return fresh;
}

static bool is_filled(const uint8_t *bytes, size_t size, uint8_t with)
{
	return !size || (bytes[0] == with && !memcmp(bytes, bytes + 1, size - 1));
}

static void check_block(struct block *block, bool leaks_count)
{
	const uint8_t *bytes = (const uint8_t *)(block + 1);

	if (!is_filled(bytes + block->size, MARK_SIZE, MARK))
		sim_broken("memory", "a write beyond a block of %zu bytes", block->size);
	if (block->freed && !is_filled(bytes, block->size, FREED))
		sim_broken("memory", "a write to a block of %zu bytes that was freed", block->size);
	if (!block->freed && leaks_count)
		sim_broken("leak", "%zu bytes that %s allocated are not freed", block->size,
			   sim.threads[block->thread].name);
}

void sim_memory_check(bool leaks_count)
{
	size_t at = 0;

	while (at < library.used) {
		struct block *block = (struct block *)(void *)(library.start + at);

		at += whole_size(block->size);
		check_block(block, leaks_count);
	}
}
