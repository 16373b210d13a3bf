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

void sim_memory_clear(void);	 /* before a run */
extern bool sim_memory_may_fail; /* allocations fail as the world says */
extern bool sim_memory_has_failed;
/* Something has ended with ENOMEM: of one allocation that fails, one thing does. */
void sim_memory_note_error(const char *what);

/* The range of everything that the libraries allocate. */
const char *sim_memory_range(size_t *size);

/* Memory of zeros, in pages that are there when they are used. */
void *sim_map(size_t size);

/* Zeroed memory of the simulation itself, until the run ends. */
void *sim_world_alloc(size_t size);

/* After a run: reports what was written where it must not be and, if leaks count, what was not
 * freed. */
void sim_memory_check(bool leaks_count);

#endif
