/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Shared by the steps of a case: test-steps.c (requests) and steps-fabric.c (what is behind). */
#ifndef TESTS_ASYNC_STEPS_RUN_H
#define TESTS_ASYNC_STEPS_RUN_H

#include "fixture.h"
#include "steps.h"

/* The offset of the data of a class in a MAD. */
int steps_data_at(unsigned mgmt_class);

/* The port of the case, opened by the first step that needs it. */
struct ibmad_port *steps_port(void);

/* Time and counters at the beginning of the case, or at its last "mark". */
struct steps_mark {
	int64_t us;
	unsigned writes, tried, refused, polls;
};
extern struct steps_mark steps_mark;

/* A new case. */
void steps_fabric_reset(void);

/* The steps about the fabric, the kernel and the port. */
void steps_kernel(void);
void steps_plan(void);
void steps_deliver(void);
void steps_receive(void);
void steps_send(void);
void steps_table(void);
void steps_ordered(void);
void steps_count(void);
void steps_statistics(void);

#endif
