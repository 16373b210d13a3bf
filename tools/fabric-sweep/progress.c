/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* How far the sweep is, on stderr: one line that is overwritten, or a line from time to time. */
#include <unistd.h>

#include "sweep.h"

#define TERMINAL_NS INT64_C(100000000) /* as often as one can read it */
#define LOG_NS	    NS_PER_S

#define CLEAR_LINE "\r\033[K"

static bool shown;

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
	static int64_t due_ns;
	int64_t now = now_ns();

	if (!options->progress || now < due_ns)
		return !sweep_stop_signal;
	due_ns = now + (terminal ? TERMINAL_NS : LOG_NS);
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
