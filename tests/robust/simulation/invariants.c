/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* See invariants.h. */
#include "invariants.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "scheduler.h"

bool sim_logs;

void sim_log_line(const char *format, ...)
{
	int saved_errno = errno;
	int64_t since = sim.now - sim.started;
	va_list arguments;

	printf("%4d.%06d %2u %-10s ", (int)(since / SIM_MS), (int)(since % SIM_MS),
	       sim.current ? sim.current->number : 0, sim.current ? sim.current->name : "-");
	va_start(arguments, format);
	vprintf(format, arguments);
	va_end(arguments);
	putchar('\n');
	errno = saved_errno;
}

struct sim_finding sim_findings[SIM_FINDINGS];
unsigned sim_finding_count;

bool sim_rule_is_broken(const char *rule)
{
	for (unsigned i = 0; i < sim_finding_count; i++)
		if (!strcmp(sim_findings[i].rule, rule))
			return true;
	return false;
}

void sim_broken(const char *rule, const char *format, ...)
{
	struct sim_finding *finding = &sim_findings[sim_finding_count];
	va_list arguments;
	char text[sizeof(finding->text)];

	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	sim_log("VIOLATES %s: %s", rule, text);
	if (sim_rule_is_broken(rule) || sim_finding_count == SIM_FINDINGS)
		return;
	finding->rule = rule;
	memcpy(finding->text, text, sizeof(text));
	sim_finding_count++;
}
