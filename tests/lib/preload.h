/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Helpers of libraries that are preloaded before the simulator's (umad2sim) or libc: the functions
 * behind theirs, the simulator's descriptors.
 */
#ifndef TESTS_LIB_PRELOAD_H
#define TESTS_LIB_PRELOAD_H

#include <dlfcn.h>
#include <stdbool.h>

/* The function of this name that comes next: NEXT(write)(fd, data, size). */
#define NEXT(name)                                                                                 \
	({                                                                                         \
		static void *next_##name;                                                          \
		if (!__atomic_load_n(&next_##name, __ATOMIC_RELAXED))                              \
			__atomic_store_n(&next_##name, dlsym(RTLD_NEXT, #name), __ATOMIC_RELAXED); \
		(__typeof__(&name))__atomic_load_n(&next_##name, __ATOMIC_RELAXED);                \
	})

/* Whether a descriptor is umad2sim's for a umad device, which the kernel does not know. */
static inline bool is_simulated(int fd)
{
	return fd >= 1024 && fd < 2048;
}

#endif
