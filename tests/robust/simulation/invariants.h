/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* What must hold in every run. Each rule has a name, which reports and the list of seeds use. */
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

void sim_invariants_clear(void);

#endif
