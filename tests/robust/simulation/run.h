/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* A run of the simulation, which a seed decides. */
#ifndef TESTS_SIMULATION_RUN_H
#define TESTS_SIMULATION_RUN_H

#include <stdbool.h>
#include <stdint.h>

/* Once, before the first run: a crash of the libraries ends a run, not the program. */
void sim_prepare(void);

/* In the child of a fork, which has no timers: ends a run that does not go on, as sim_prepare() has
 * its parent do. */
void sim_watch_progress(void);

/* Runs the cases of tests/lib/umad-cases; sim_findings says what failed. */
void sim_run_cases(const char *pattern);

/* Runs the simulation; sim_findings says what was violated. */
void sim_run_seed(uint64_t seed);

/*
 * A simulated fork is a real one of the whole simulation. In the child only the thread that forked
 * goes on, with the kernel and the fabric as they were; what it finds goes to the parent.
 */

/* Before a run. */
void sim_child_clear(void);

/* Forks the process. Returns true in the child. */
bool sim_child_fork(void);

/* After the run: in the child, hands the findings to the parent and does not return; in the parent,
 * takes those of the child, if there was one. */
void sim_child_finish(void);

#endif
