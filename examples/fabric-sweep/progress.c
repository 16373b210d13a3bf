/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Shows the progress of the sweep on stderr. */
#include <inttypes.h>
#include <stdio.h>
#include <time.h>

#include "run.h"

#define TERMINAL_MS 100 /* fast enough to read */
#define LOG_MS	    1000

#define CLEAR_LINE "\r\033[K"

int64_t progress_now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * INT64_C(1000) + now.tv_nsec / 1000000;
}

void progress_show(struct progress *progress, const char *what, const struct fabric *fabric,
		   unsigned pending)
{
	int64_t now;

	if (!progress->wanted)
		return;
	now = progress_now_ms();
	if (now < progress->due_ms)
		return;
	progress->due_ms = now + (progress->terminal ? TERMINAL_MS : LOG_MS);
	fprintf(stderr, "%s%s: %zu nodes, %zu links, %u requests to go%s",
		progress->terminal ? CLEAR_LINE : "", what, fabric->number_of_nodes,
		fabric->number_of_links, pending, progress->terminal ? "" : "\n");
	fflush(stderr);
}

void progress_clear(const struct progress *progress)
{
	if (progress->wanted && progress->terminal)
		fputs(CLEAR_LINE, stderr);
}
