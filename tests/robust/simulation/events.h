/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* What the world has in store: calls that are due at some moment of the simulated clock. */
#ifndef TESTS_SIMULATION_EVENTS_H
#define TESTS_SIMULATION_EVENTS_H

#include <stdint.h>

void sim_events_clear(void);
int64_t sim_events_next(void); /* when the next one is due; SIM_NEVER if there is none */
void sim_events_happen(void);  /* everything that is due by now, in order */

#endif
