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

#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 33)

static inline size_t memory_in_use(void)
{
	struct mallinfo2 info = mallinfo2();

	return info.uordblks + info.hblkhd;
}

#elif defined(__GLIBC__) /* mallinfo() counts up to 4 GB, in an int */

static inline size_t memory_in_use(void)
{
	struct mallinfo info = mallinfo();

	return (unsigned)info.uordblks + (size_t)(unsigned)info.hblkhd;
}

#else /* the whole data segment, whatever malloc() makes of it */

static inline size_t memory_in_use(void)
{
	FILE *file = fopen("/proc/self/statm", "re");
	unsigned long pages = 0;

	if (file) {
		if (fscanf(file, "%*u %*u %*u %*u %*u %lu", &pages) != 1)
			pages = 0;
		fclose(file);
	}
	return pages * (size_t)sysconf(_SC_PAGESIZE);
}

#endif

#endif
