/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * How much memory the code under test holds: counts what is allocated through malloc, calloc and
 * realloc, which replace libc's at link time (--wrap).
 */
#ifndef TESTS_ENGINE_COUNT_MEMORY_H
#define TESTS_ENGINE_COUNT_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

/* Begins at 0. What was allocated before does not count, nor does its end. */
void count_memory_begin(void);

/* Allocations of the test's own are not to count. */
void count_memory_pause(bool pause);

/* From now on larger blocks cannot be allocated (SIZE_MAX: no limit). */
void count_memory_limit(size_t largest);

size_t count_memory_now(void);	/* bytes held */
size_t count_memory_most(void); /* bytes held at the same time, at most */

#endif
