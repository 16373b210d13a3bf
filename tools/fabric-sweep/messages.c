/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* What is said on standard error. */
#include <errno.h>
#include <stdarg.h>
#include <string.h>

#include "sweep.h"

#define WARNINGS_SHOWN 1000

void complain(const char *format, ...)
{
	va_list arguments;

	progress_clear();
	fputs("fabric-sweep: ", stderr);
	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	putc('\n', stderr);
}

const char *error_text(int error)
{
	switch (error) {
	case ETIMEDOUT:
		return "no response";
	case EIO:
		return "refused";
	case ECANCELED:
		return "not asked";
	case EPROTO:
		return "malformed response";
	case ELOOP:
		return "too far away for a directed route";
	case EADDRNOTAVAIL:
		return "no LID";
	default:
		return strerror(error);
	}
}

void warn_of_problems(const struct mad_fabric *fabric)
{
	const struct mad_fabric_problem *problem = NULL;
	size_t count = 0;
	char text[512];

	while ((problem = mad_fabric_next_problem(fabric, problem))) {
		if (++count > WARNINGS_SHOWN)
			continue;
		mad_fabric_problem_text(problem, text, sizeof(text));
		complain("warning: %s", text);
	}
	if (count)
		complain("%zu warning%s%s", count, count == 1 ? "" : "s",
			 count > WARNINGS_SHOWN ? ", of which 1000 are shown" : "");
}
