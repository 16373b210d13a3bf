/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* How far the sweep is, on stderr: one line that is overwritten, or a line from time to time. */
#include <time.h>
#include <unistd.h>

#include "sweep.h"

#define TERMINAL_MS 100 /* as often as one can read it */
#define LOG_MS	    1000

#define CLEAR_LINE "\r\033[K"

static bool shown;

static int64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * INT64_C(1000) + now.tv_nsec / 1000000;
}

static void print(const struct mad_fabric_progress *progress)
{
	if (progress->all_ports)
		fprintf(stderr, "counters: %zu of %zu ports (%zu%%)", progress->ports,
			progress->all_ports, progress->ports * 100 / progress->all_ports);
	else
		fprintf(stderr, "discovery: %zu nodes, %zu links, %zu requests to go",
			progress->nodes, progress->links, progress->pending);
}

/* Cancels when a signal has asked for it. */
bool progress_show(const struct mad_fabric_progress *progress, void *context)
{
	const struct options *options = context;
	bool terminal = isatty(STDERR_FILENO);
	static int64_t due_ms;
	int64_t now = now_ms();

	if (!options->progress || now < due_ms)
		return !sweep_stop_signal;
	due_ms = now + (terminal ? TERMINAL_MS : LOG_MS);
	if (terminal)
		fputs(CLEAR_LINE, stderr);
	print(progress);
	if (!terminal)
		putc('\n', stderr);
	shown = terminal;
	fflush(stderr);
	return !sweep_stop_signal;
}

void progress_clear(void)
{
	if (shown)
		fputs(CLEAR_LINE, stderr);
	shown = false;
}
