/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * bounds.h - memory that ends where a program may not go on, and the check that a text comes out
 * whole or cut for every size of its buffer. For the tests of libibmad's codec and dumps.
 */
#ifndef TESTS_UNIT_BOUNDS_H
#define TESTS_UNIT_BOUNDS_H

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "test.h"

#define PAGE	     65536 /* a multiple of every page size in use */
#define LONGEST_TEXT 16384
#define GUARD	     0x5a

typedef void dump_function(char *buf, int bufsz, void *val, int valsz);

/* A page that may be used, between two where every access is a fault. */
static inline uint8_t *fenced_page(void)
{
	static uint8_t *page;

	if (!page) {
		uint8_t *all = mmap(NULL, 3 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		assert_ptr_not_equal(all, MAP_FAILED);
		page = all + PAGE;
		assert_int_equal(mprotect(page, PAGE, PROT_READ | PROT_WRITE), 0);
	}
	return page;
}

/* Bytes that look random, the same in each run. */
static inline uint32_t pseudo_random(void)
{
	static uint64_t seed = 20261120;

	seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(seed >> 33);
}

static inline void fill_random(void *to, size_t length)
{
	for (size_t i = 0; i < length; i++)
		((uint8_t *)to)[i] = (uint8_t)pseudo_random();
}

/*
 * Calls dump for every size of the buffer, from 0 to one more than the whole text needs. What is
 * in the buffer has to be the text as far as it fits, with its NUL; nothing outside may change.
 */
static inline void check_every_size(dump_function *dump, void *val, int valsz)
{
	static char whole[LONGEST_TEXT], part[LONGEST_TEXT + 2];
	size_t length;

	memset(whole, GUARD, sizeof(whole));
	dump(whole, sizeof(whole), val, valsz);
	assert_non_null(memchr(whole, '\0', sizeof(whole)));
	length = strlen(whole);
	assert_true(length < sizeof(whole) - 64);

	for (size_t size = 0; size <= length + 2; size++) {
		size_t fits = size <= length ? size - 1 : length;

		memset(part, GUARD, length + 64);
		dump(part + 1, (int)size, val, valsz);
		assert_int_equal(part[0], GUARD);
		for (size_t i = size + 1; i < length + 64; i++)
			assert_int_equal(part[i], GUARD);
		if (!size)
			continue;
		assert_memory_equal(part + 1, whole, fits);
		assert_int_equal(part[1 + fits], '\0');
	}
	memset(part, GUARD, 64);
	dump(part + 1, -1, val, valsz);
	assert_int_equal(part[0], GUARD);
	assert_int_equal(part[1], GUARD);
}

#endif
