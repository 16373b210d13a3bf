/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Heap and stack that a call uses. */
#ifndef TESTS_BENCH_COSTS_H
#define TESTS_BENCH_COSTS_H

#include <stddef.h>

/* Calls of malloc, calloc and realloc since the program began, of all threads; in programs that
 * export their symbols. */
unsigned long heap_calls(void);

/*
 * Calls function(context) in a thread whose stack was painted before, and returns how many bytes
 * below this call's own frame it wrote to: a multiple of 8, and at least STACK_LEAST, of which
 * nothing can be measured. Ends the program when there is no such thread to be had.
 */
size_t stack_used(void (*function)(void *context), void *context);

#define STACK_LEAST 256

#endif
