/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* How much memory this process has in use, with every C library, for tests that look for leaks. */
#ifndef TESTS_MEMORY_IN_USE_H
#define TESTS_MEMORY_IN_USE_H

#include <stddef.h>
#include <stdio.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

/* Fields of /proc/self/statm (proc(5)), which are numbers of pages. */
enum statm_field { STATM_RESIDENT = 1, STATM_DATA = 5, STATM_FIELDS };

/* Bytes; 0 without /proc. */
static inline size_t memory_of_statm(enum statm_field field)
{
	FILE *file = fopen("/proc/self/statm", "re");
	unsigned long pages[STATM_FIELDS] = { 0 };

	if (!file)
		return 0;
	for (int i = 0; i < STATM_FIELDS; i++)
		if (fscanf(file, "%lu", &pages[i]) != 1)
			pages[i] = 0;
	fclose(file);
	return pages[field] * (size_t)sysconf(_SC_PAGESIZE);
}

/* The memory of the machine that the process occupies, freed blocks of the allocator included. */
static inline size_t memory_resident(void)
{
	return memory_of_statm(STATM_RESIDENT);
}

#ifndef __GLIBC__ /* the whole data segment, whatever malloc() makes of it */

static inline size_t memory_in_use(void)
{
	return memory_of_statm(STATM_DATA);
}

#elif __GLIBC_PREREQ(2, 33)

static inline size_t memory_in_use(void)
{
	struct mallinfo2 info = mallinfo2();

	return info.uordblks + info.hblkhd;
}

#else /* mallinfo() counts up to 4 GB, in an int */

static inline size_t memory_in_use(void)
{
	struct mallinfo info = mallinfo();

	return (unsigned)info.uordblks + (size_t)(unsigned)info.hblkhd;
}

#endif

#endif
