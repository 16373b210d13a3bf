/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* See log.h. */
#include "log.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

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
