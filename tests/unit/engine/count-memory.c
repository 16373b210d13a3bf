/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* The counters of count-memory.h. Blocks are known by their addresses. */
#include "count-memory.h"

#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define BLOCKS_MAX 4096

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void __real_free(void *block);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *block, size_t size);
void __wrap_free(void *block);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool counting;
static bool paused;
static size_t limit = SIZE_MAX;
static size_t now;
static size_t most;
static struct {
	uintptr_t address;
	size_t size;
} blocks[BLOCKS_MAX];

static void add(const void *block, size_t size)
{
	int i = 0;

	pthread_mutex_lock(&lock);
	if (block && counting && !paused) {
		while (i < BLOCKS_MAX && blocks[i].address)
			i++;
		if (i == BLOCKS_MAX)
			abort();
		blocks[i].address = (uintptr_t)block;
		blocks[i].size = size;
		now += size;
		if (now > most)
			most = now;
	}
	pthread_mutex_unlock(&lock);
}

static void take_away(uintptr_t address)
{
	pthread_mutex_lock(&lock);
	for (int i = 0; address && i < BLOCKS_MAX; i++) {
		if (blocks[i].address == address) {
			now -= blocks[i].size;
			blocks[i].address = 0;
			break;
		}
	}
	pthread_mutex_unlock(&lock);
}

static bool is_refused(size_t size)
{
	bool refused;

	pthread_mutex_lock(&lock);
	refused = counting && !paused && size > limit;
	pthread_mutex_unlock(&lock);
	return refused;
}

void *__wrap_malloc(size_t size)
{
	void *block = is_refused(size) ? NULL : __real_malloc(size);

	add(block, size);
	return block;
}

void *__wrap_calloc(size_t count, size_t size)
{
	void *block = is_refused(count * size) ? NULL : __real_calloc(count, size);

	add(block, count * size);
	return block;
}

/* The old block and the new one are there at the same time. */
void *__wrap_realloc(void *block, size_t size)
{
	void *larger = __wrap_malloc(size);
	size_t old = block ? malloc_usable_size(block) : 0;

	if (!larger)
		return NULL;
	if (block)
		memcpy(larger, block, old < size ? old : size);
	__wrap_free(block);
	return larger;
}

void __wrap_free(void *block)
{
	take_away((uintptr_t)block);
	__real_free(block);
}

void count_memory_begin(void)
{
	pthread_mutex_lock(&lock);
	for (int i = 0; i < BLOCKS_MAX; i++)
		blocks[i].address = 0;
	now = most = 0;
	counting = true;
	paused = false;
	limit = SIZE_MAX;
	pthread_mutex_unlock(&lock);
}

void count_memory_pause(bool pause)
{
	pthread_mutex_lock(&lock);
	paused = pause;
	pthread_mutex_unlock(&lock);
}

void count_memory_limit(size_t largest)
{
	pthread_mutex_lock(&lock);
	limit = largest;
	pthread_mutex_unlock(&lock);
}

size_t count_memory_now(void)
{
	size_t bytes;

	pthread_mutex_lock(&lock);
	bytes = now;
	pthread_mutex_unlock(&lock);
	return bytes;
}

size_t count_memory_most(void)
{
	size_t bytes;

	pthread_mutex_lock(&lock);
	bytes = most;
	pthread_mutex_unlock(&lock);
	return bytes;
}
