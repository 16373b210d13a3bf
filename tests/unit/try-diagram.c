/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* See try-diagram.h. */
#include "try-diagram.h"

#include <stdlib.h>
#include <string.h>

static const char *const phases[] = {
	[MAD_TRY_READY] = "READY", [MAD_TRY_SENDING] = "SENDING",     [MAD_TRY_WAITING] = "WAITING",
	[MAD_TRY_HELD] = "HELD",   [MAD_TRY_FOLLOW_UP] = "FOLLOW_UP", [MAD_TRY_PAUSED] = "PAUSED",
	[MAD_TRY_DONE] = "DONE",
};

static const char *const events[] = {
	[MAD_TRY_BEGIN] = "BEGIN",
	[MAD_TRY_SENT] = "SENT",
	[MAD_TRY_SEND_FAILED] = "SEND_FAILED",
	[MAD_TRY_RETURNED] = "RETURNED",
	[MAD_TRY_RELEASED] = "RELEASED",
	[MAD_TRY_RESPONSE] = "RESPONSE",
	[MAD_TRY_STATUS] = "STATUS",
	[MAD_TRY_REDIRECTED] = "REDIRECTED",
	[MAD_TRY_BUSY] = "BUSY",
	[MAD_TRY_CONCLUDED] = "CONCLUDED",
	[MAD_TRY_TIMER] = "TIMER",
	[MAD_TRY_CANCEL] = "CANCEL",
};

enum {
	PHASES = sizeof(phases) / sizeof(phases[0]),
	EVENTS = sizeof(events) / sizeof(events[0]),
};

static bool noted[PHASES][PHASES][EVENTS];

const char *diagram_phase_name(enum mad_try_phase phase)
{
	return phases[phase];
}

const char *diagram_event_name(enum mad_try_event event)
{
	return events[event];
}

void diagram_note(enum mad_try_phase from, enum mad_try_event event, enum mad_try_phase to)
{
	noted[from][to][event] = true;
}

static void print_steps(FILE *file, unsigned from, unsigned to)
{
	const char *before = ": ";

	for (unsigned event = 0; event < EVENTS; event++) {
		if (!noted[from][to][event])
			continue;
		if (*before == ':')
			fprintf(file, "    %s --> %s", phases[from], phases[to]);
		fprintf(file, "%s%s", before, events[event]);
		before = ", ";
	}
	if (*before == ',')
		fprintf(file, "\n");
}

void diagram_print(FILE *file)
{
	fprintf(file,
		"# The try machine\n\n"
		"What a request of libibmad goes through (libibmad/engine/try.h), as found by a "
		"search through\nall orders of events (tests/unit/test-try-search.c, which "
		"writes this file with\n`--diagram`). What happens in SENDING takes effect "
		"with SENT or SEND_FAILED.\n\n```mermaid\nstateDiagram-v2\n    [*] --> %s\n",
		phases[0]);
	for (unsigned from = 0; from < PHASES; from++)
		for (unsigned to = 0; to < PHASES; to++)
			if (from != to)
				print_steps(file, from, to);
	fprintf(file, "    %s --> [*]\n```\n", phases[MAD_TRY_DONE]);
}

/* Prints the line of the text that begins the difference. */
static void show_difference(const char *text, const char *other)
{
	size_t line = 0;

	for (size_t i = 0; text[i] && text[i] == other[i]; i++)
		if (text[i] == '\n')
			line = i + 1;
	fprintf(stderr, "the search finds: %.*s\n", (int)strcspn(text + line, "\n"), text + line);
	fprintf(stderr, "the diagram says: %.*s\n", (int)strcspn(other + line, "\n"), other + line);
}

bool diagram_equals(const char *path)
{
	char *text = NULL, there[8192] = "";
	size_t size;
	FILE *memory = open_memstream(&text, &size), *file = fopen(path, "r");
	bool equal;

	if (!memory || !file) {
		perror(path);
		abort();
	}
	diagram_print(memory);
	fclose(memory);
	there[fread(there, 1, sizeof(there) - 1, file)] = '\0';
	fclose(file);
	equal = !strcmp(text, there);
	if (!equal)
		show_difference(text, there);
	free(text);
	return equal;
}
