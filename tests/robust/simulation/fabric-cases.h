/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* The fabric of the cases in tests/lib/umad-cases, in the place of fabric.h's: it is the cases that
 * respond. */
#ifndef TESTS_SIMULATION_FABRIC_CASES_H
#define TESTS_SIMULATION_FABRIC_CASES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sim_file;

/* Thread function: runs all cases, each on a kernel as it is at the beginning. */
void *sim_cases_program(void *unused);

/* A request has left the host. */
void sim_cases_keep(struct sim_file *file, int agent, uint16_t lid, const uint8_t *mad,
		    size_t length);

#endif
