/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* The end of a run in which the libraries call what calls.txt does not expect in a simulation. */
#ifndef TESTS_SIMULATION_PROCESS_H
#define TESTS_SIMULATION_PROCESS_H

void sim_not_simulated(const char *name) __attribute__((noreturn));

#endif
