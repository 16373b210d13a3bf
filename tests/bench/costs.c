/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* costs.c - the allocating functions here replace libc's: see costs.h. */
#include "costs.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);

static atomic_ulong calls;

void *malloc(size_t size)
{
	calls++;
	return __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
	calls++;
	return __libc_calloc(count, size);
}

void *realloc(void *block, size_t size)
{
	calls++;
	return __libc_realloc(block, size);
}

unsigned long heap_calls(void)
{
	return calls;
}

#define SIZE  (256 << 10)
#define COLOR UINT64_C(0xa5a55a5ac3c33c3c)

struct measurement {
	void (*function)(void *context);
	void *context;
	volatile uint64_t *lowest; /* of the thread's stack */
	size_t used;
};

/* Paints all words below the caller's frame but its own; calls nothing. */
__attribute__((noinline)) static void paint(volatile uint64_t *lowest)
{
	volatile uint64_t *frame = __builtin_frame_address(0);

	for (volatile uint64_t *word = lowest; word < frame - STACK_LEAST / 2 / 8; word++)
		*word = COLOR;
}

__attribute__((noinline)) static size_t bytes_below(const volatile uint64_t *lowest,
						    const volatile uint64_t *frame)
{
	const volatile uint64_t *word = lowest;

	while (word < frame && *word == COLOR)
		word++;
	return (size_t)(frame - word) * sizeof(*word);
}

static void *measure(void *argument)
{
	struct measurement *measurement = argument;

	measurement->function(measurement->context); /* the first call of a thread does more */
	paint(measurement->lowest);
	measurement->function(measurement->context);
	measurement->used = bytes_below(measurement->lowest, __builtin_frame_address(0));
	return NULL;
}

static void check(int error, const char *what)
{
	if (!error)
		return;
	fprintf(stderr, "%s: %s\n", what, strerror(error));
	exit(EXIT_FAILURE);
}

size_t stack_used(void (*function)(void *context), void *context)
{
	struct measurement measurement = { .function = function, .context = context };
	void *stack = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	pthread_attr_t attributes;
	pthread_t thread;

	if (stack == MAP_FAILED) {
		perror("mmap");
		exit(EXIT_FAILURE);
	}
	measurement.lowest = stack;
	check(pthread_attr_init(&attributes), "pthread_attr_init");
	check(pthread_attr_setstack(&attributes, stack, SIZE), "pthread_attr_setstack");
	check(pthread_create(&thread, &attributes, measure, &measurement), "pthread_create");
	check(pthread_join(thread, NULL), "pthread_join");
	pthread_attr_destroy(&attributes);
	munmap(stack, SIZE);
	return measurement.used > STACK_LEAST ? measurement.used : STACK_LEAST;
}
