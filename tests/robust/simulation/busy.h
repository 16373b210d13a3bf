/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Requests to an SA that responds that it is busy: when they are made again, and how often. */
#ifndef TESTS_SIMULATION_BUSY_H
#define TESTS_SIMULATION_BUSY_H

#include <stdbool.h>

struct sim_request;

/* A response to it was read, */
void sim_busy_note_read(struct sim_request *request, bool is_busy);
/* it is about to be written, */
void sim_busy_check_written(struct sim_request *request);
/* or over. */
void sim_busy_check_ended(const struct sim_request *request, int error);

#endif
