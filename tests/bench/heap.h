/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Counts calls of malloc, calloc and realloc, in programs that export their symbols. */
#ifndef TESTS_BENCH_HEAP_H
#define TESTS_BENCH_HEAP_H

/* Calls since the program began, of all threads. */
unsigned long heap_calls(void);

#endif
