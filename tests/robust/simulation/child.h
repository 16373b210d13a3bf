/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * A simulated fork is a real one of the whole simulation. In the child only the thread that forked
 * goes on, with the kernel and the fabric as they were; what it finds goes to the parent.
 */
#ifndef TESTS_SIMULATION_CHILD_H
#define TESTS_SIMULATION_CHILD_H

#include <stdbool.h>

/* Before a run. */
void sim_child_clear(void);

/* Forks the process. Returns true in the child. */
bool sim_child_fork(void);

/* After the run: in the child, hands the findings to the parent and does not return; in the parent,
 * takes those of the child, if there was one. */
void sim_child_finish(void);

#endif
