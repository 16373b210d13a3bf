/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* inject-memory.c - allocations that fail on demand, and a count of those of the libraries (not of
 * the kernel below). */
#include "inject.h"

#include <pthread.h>
#include <search.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

void fault_memory_reset(void);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *blocks; /* a tree of their addresses: tsearch() */
static int count;

static int by_address(const void *a, const void *b)
{
	return ((uintptr_t)a > (uintptr_t)b) - ((uintptr_t)a < (uintptr_t)b);
}

static void *note(void *block)
{
	if (!block || fault_in_kernel())
		return block;
	pthread_mutex_lock(&lock);
	tsearch(block, &blocks, by_address);
	count++;
	pthread_mutex_unlock(&lock);
	return block;
}

static void forget(const void *block)
{
	pthread_mutex_lock(&lock);
	count -= tdelete(block, &blocks, by_address) != NULL;
	pthread_mutex_unlock(&lock);
}

static void ignore(void *block)
{
	(void)block;
}

void fault_memory_reset(void)
{
	pthread_mutex_lock(&lock);
	tdestroy(blocks, ignore);
	blocks = NULL;
	count = 0;
	pthread_mutex_unlock(&lock);
}

int fault_blocks(void)
{
	return count;
}

FAULT_WRAP(void *, malloc, size_t size)
{
	return fault_here(FAULT_ALLOCATE) ? NULL : note(__real_malloc(size));
}

FAULT_WRAP(void *, calloc, size_t members, size_t size)
{
	return fault_here(FAULT_ALLOCATE) ? NULL : note(__real_calloc(members, size));
}

FAULT_WRAP(void *, realloc, void *old, size_t size)
{
	if (fault_here(FAULT_ALLOCATE))
		return NULL;
	forget(old);
	return note(__real_realloc(old, size));
}

FAULT_WRAP(void, free, void *block)
{
	forget(block);
	__real_free(block);
}

/* Key rings are in pages of their own. */
FAULT_WRAP(void *, mmap, void *address, size_t size, int protection, int flags, int fd,
	   off_t offset)
{
	void *pages = MAP_FAILED;

	if (!fault_here(FAULT_ALLOCATE))
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
	forget(address);
	return __real_munmap(address, size);
}
