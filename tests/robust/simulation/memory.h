/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The memory of a run. What the libraries allocate is surrounded by marks, and never used again in
 * the same run when it has been freed; so a leak, a write beside or after its life, and (as a bad
 * pointer) a read after its life are seen.
 */
#ifndef TESTS_SIMULATION_MEMORY_H
#define TESTS_SIMULATION_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Before a run; allocations fail once in so many times (0: never) after sim_memory_may_fail(), or
 * the one with that number alone. */
void sim_memory_clear(uint32_t fail_once_in, uint32_t fails_at);
void sim_memory_may_fail(bool may);
bool sim_memory_has_failed(void);
/* Something has ended with ENOMEM: of one allocation that fails, one thing does. */
void sim_memory_note_error(const char *what);

/* The range of everything that the libraries allocate. */
void sim_memory_range(const char **start, const char **stop);

/* Zeroed memory of the simulation itself, until the run ends. */
void *sim_world_alloc(size_t size);

/* After a run: reports what was written where it must not be and, if leaks count, what was not
 * freed. */
void sim_memory_check(bool leaks_count);

#endif
