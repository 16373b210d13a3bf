/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* A run of the simulation, which a seed decides. */
#ifndef TESTS_SIMULATION_RUN_H
#define TESTS_SIMULATION_RUN_H

#include <stdbool.h>
#include <stdint.h>

/* Once, before the first run: a crash of the libraries ends a run, not the program. */
void sim_prepare(void);

/* Runs the cases of tests/lib/umad-cases; sim_findings says what failed. */
void sim_run_cases(const char *pattern);

/* Runs the simulation; sim_findings says what was violated. */
void sim_run_seed(uint64_t seed);

/* Forks the process. Returns true in the child. */
bool sim_child_fork(void);

#endif
