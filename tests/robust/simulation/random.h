/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Numbers that follow from a seed, the same on every machine. */
#ifndef TESTS_SIMULATION_RANDOM_H
#define TESTS_SIMULATION_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

struct sim_random {
	uint64_t state;
};

/* SplitMix64: every seed, 0 too, begins a sequence of its own. */
static inline uint64_t sim_random_next(struct sim_random *random)
{
	uint64_t value = random->state += UINT64_C(0x9e3779b97f4a7c15);

	value = (value ^ value >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	value = (value ^ value >> 27) * UINT64_C(0x94d049bb133111eb);
	return value ^ value >> 31;
}

/* A number from 0 to limit - 1. */
static inline uint32_t sim_random_below(struct sim_random *random, uint32_t limit)
{
	return (uint32_t)((sim_random_next(random) >> 32) * limit >> 32);
}

/* A number from low to high. */
static inline int64_t sim_random_between(struct sim_random *random, int64_t low, int64_t high)
{
	return low + (int64_t)(sim_random_next(random) % (uint64_t)(high - low + 1));
}

/* True once in `in` times on average; never for 0. */
static inline bool sim_random_once_in(struct sim_random *random, uint32_t in)
{
	return in && !sim_random_below(random, in);
}

#endif
