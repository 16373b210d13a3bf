/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* One run of the simulation, which a seed decides. */
#ifndef TESTS_SIMULATION_RUN_H
#define TESTS_SIMULATION_RUN_H

#include <stdint.h>

/* Once, before the first run: a crash of the libraries ends a run, not the program. */
void sim_prepare(void);

/* In the child of a fork, which has no timers: ends a run that does not go on, as sim_prepare() has
 * its parent do. */
void sim_watch_progress(void);

/* Runs the cases of tests/lib/umad-cases; sim_findings says what failed. */
void sim_run_cases(void);

/* Runs the simulation; sim_findings says what was violated. */
void sim_run_seed(uint64_t seed);

#endif
