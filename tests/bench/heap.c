/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* See heap.h. The functions replace libc's, which have other names, too. */
#include "heap.h"

#include <stdatomic.h>
#include <stdlib.h>

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
