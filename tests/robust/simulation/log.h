/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* The log of a replayed seed: who did what when. */
#ifndef TESTS_SIMULATION_LOG_H
#define TESTS_SIMULATION_LOG_H

#include <stdbool.h>

extern bool sim_logs;

void sim_log_line(const char *format, ...) __attribute__((format(printf, 1, 2), cold));

/* Prints a line with the time since the run began and the number and name of the current thread. */
#define sim_log(...)                               \
	do {                                       \
		if (__builtin_expect(sim_logs, 0)) \
			sim_log_line(__VA_ARGS__); \
	} while (0)

#endif
