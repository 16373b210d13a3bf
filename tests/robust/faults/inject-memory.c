/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* inject-memory.c - allocations that fail on demand, and a count of those of the libraries (not of
 * the kernel below). */
#include "inject.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { SLOTS = 8192 }; /* a power of two, more than all blocks at one time */

void fault_memory_reset(void);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uintptr_t slots[SLOTS]; /* 0: never used; 1: free again */
static int blocks;

static size_t hash(uintptr_t address)
{
	return (size_t)(address >> 4) * 2654435761u % SLOTS;
}

static void *note(void *block)
{
	size_t slot = hash((uintptr_t)block);

	if (!block || fault_in_kernel())
		return block;
	pthread_mutex_lock(&lock);
	for (int i = 0; slots[slot] > 1; i++, slot = (slot + 1) % SLOTS)
		if (i == SLOTS)
			abort();
	slots[slot] = (uintptr_t)block;
	blocks++;
	pthread_mutex_unlock(&lock);
	return block;
}

static void forget(uintptr_t address)
{
	size_t slot = hash(address);

	pthread_mutex_lock(&lock);
	for (int i = 0; i < SLOTS && slots[slot]; i++, slot = (slot + 1) % SLOTS) {
		if (slots[slot] != address)
			continue;
		slots[slot] = 1;
		blocks--;
		break;
	}
	pthread_mutex_unlock(&lock);
}

void fault_memory_reset(void)
{
	pthread_mutex_lock(&lock);
	for (int i = 0; i < SLOTS; i++)
		slots[i] = 0;
	blocks = 0;
	pthread_mutex_unlock(&lock);
}

int fault_blocks(void)
{
	int count;

	pthread_mutex_lock(&lock);
	count = blocks;
	pthread_mutex_unlock(&lock);
	return count;
}

FAULT_WRAP(void *, malloc, size_t size)
{
	return fault_here(FAULT_ALLOCATE) ? NULL : note(__real_malloc(size));
}

FAULT_WRAP(void *, calloc, size_t count, size_t size)
{
	return fault_here(FAULT_ALLOCATE) ? NULL : note(__real_calloc(count, size));
}

FAULT_WRAP(void *, realloc, void *old, size_t size)
{
	uintptr_t address = (uintptr_t)old;
	void *block;

	if (fault_here(FAULT_ALLOCATE))
		return NULL;
	if (address)
		forget(address);
	block = __real_realloc(old, size);
	if (!block && address)
		note((void *)address);
	return note(block);
}

FAULT_WRAP(void, free, void *block)
{
	if (block)
		forget((uintptr_t)block);
	__real_free(block);
}

/* Key rings are in pages of their own. */
FAULT_WRAP(void *, mmap, void *address, size_t size, int protection, int flags, int fd,
	   off_t offset)
{
	void *pages;

	if (fault_here(FAULT_ALLOCATE))
		return MAP_FAILED;
	pages = __real_mmap(address, size, protection, flags, fd, offset);
	return pages == MAP_FAILED ? pages : note(pages);
}

FAULT_WRAP(void *, mmap64, void *address, size_t size, int protection, int flags, int fd,
	   off64_t offset)
{
	if (fault_here(FAULT_ALLOCATE))
		return MAP_FAILED;
	return __real_mmap64(address, size, protection, flags, fd, offset);
}

FAULT_WRAP(int, munmap, void *address, size_t size)
{
	forget((uintptr_t)address);
	return __real_munmap(address, size);
}
