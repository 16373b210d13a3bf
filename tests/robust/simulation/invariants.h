/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Rules that hold in every run. Each has a name, which reports and the list of seeds use. */
#ifndef TESTS_SIMULATION_INVARIANTS_H
#define TESTS_SIMULATION_INVARIANTS_H

#include <stdbool.h>
#include <stdint.h>

enum { SIM_FINDINGS = 16 };

struct sim_finding {
	const char *rule;
	char text[200];
};

/* The first violation of each rule in this run. */
extern struct sim_finding sim_findings[SIM_FINDINGS];
extern unsigned sim_finding_count;

/* Notes that the rule is violated; the run goes on. */
void sim_broken(const char *rule, const char *format, ...)
	__attribute__((format(printf, 2, 3), cold));

/* Whether one was, in this run. */
bool sim_rule_is_broken(const char *rule);

/* The end of a run in which the libraries call what calls.txt does not expect in a simulation. */

void sim_not_simulated(const char *name) __attribute__((noreturn));

/* The log of a replayed seed: who did what when. */

extern bool sim_logs;

void sim_log_line(const char *format, ...) __attribute__((format(printf, 1, 2), cold));

/* Prints a line with the time since the run began and the number and name of the current thread. */
#define sim_log(...)                               \
	do {                                       \
		if (__builtin_expect(sim_logs, 0)) \
			sim_log_line(__VA_ARGS__); \
	} while (0)

#endif
