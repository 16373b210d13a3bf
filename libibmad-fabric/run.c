/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * run.c - runs asynchronous requests until all are done, something fails or the caller cancels.
 * Callers keep queues of their own and submit from them as requests complete: a queued task costs
 * the engine no memory, and an unnecessary task no request.
 */
#include <errno.h>
#include <pthread.h>
#include <string.h>

#include "common/sized.h"
#include "libibmad-fabric/fabric.h"

#define REPORT_MS	  50
#define SUBMIT_AT_LEAST	  512
#define WINDOWS_SUBMITTED 4
#define WINDOW_AT_FIRST	  MAD_ASYNC_DEFAULT_WINDOW
#define WINDOW_AT_MOST	  64
#define PENDING_AT_MOST	  16384 /* each takes memory of the engine */

/* The engine keeps a window that the caller chose, and the widest default: it gets more requests
 * than the window has. */
static unsigned submit_limit(const struct fabric_run *run)
{
	unsigned windows = run->options->window * WINDOWS_SUBMITTED;

	if (!run->options->window)
		return run->window < WINDOW_AT_MOST ? run->window : run->window * WINDOWS_SUBMITTED;
	return windows > SUBMIT_AT_LEAST ? windows : SUBMIT_AT_LEAST;
}

bool fabric_run_has_space(const struct fabric_run *run)
{
	return !run->error && (unsigned)mad_async_in_window(run->async) < submit_limit(run) &&
	       mad_async_pending(run->async) < PENDING_AT_MOST;
}

/* A node that responds to none of several attempts is silent, which is no sign of congestion. */
static bool was_lost(const struct mad_async_result *result)
{
	return result->error == ETIMEDOUT ? result->attempts <= 1 : result->attempts > 1;
}

/*
 * The window grows by one for each response, after the first loss for each window of responses, and
 * halves with each loss, since management datagrams have no flow control.
 */
static void adapt_window(struct fabric_run *run, const struct mad_async_result *result)
{
	if (was_lost(result)) {
		run->has_lost = true;
		run->good = 0;
		run->window = run->window / 2 > WINDOW_AT_FIRST ? run->window / 2 : WINDOW_AT_FIRST;
	} else if (++run->good >= (run->has_lost ? run->window : 1)) {
		run->good = 0;
		run->window += run->window < WINDOW_AT_MOST;
	}
}

int fabric_take_options(struct mad_fabric_options *taken, const struct mad_fabric_options *given,
			size_t size)
{
	const uint32_t flags = MAD_FABRIC_SWITCHES_ONLY | MAD_FABRIC_READ_FEC | MAD_FABRIC_FROM_SA |
			       MAD_FABRIC_TOPOLOGY_ONLY | MAD_FABRIC_CHECK_OWNERS;
	int error;

	memset(taken, 0, sizeof(*taken));
	if (!given)
		return 0;
	error = SIZED_TAKE(taken, context, given, size);
	if (error)
		return error;
	if (taken->flags & ~flags || taken->max_nodes > FABRIC_NODES_MAX ||
	    taken->window > MAD_ASYNC_MAX_WINDOW || taken->timeout_ms < 0 || taken->attempts < 0 ||
	    taken->max_hops > MAD_FABRIC_MAX_HOPS ||
	    !taken->thresholds != !taken->threshold_count ||
	    (taken->subtree && (unsigned)taken->subtree->cnt > MAD_FABRIC_MAX_HOPS))
		return mad_refuse(MAD_REFUSED_FABRIC_OPTIONS);
	return 0;
}

int fabric_run_begin(struct fabric_run *run, struct ibmad_port *port,
		     const struct mad_fabric_options *options)
{
	struct mad_async_options async_options = {
		.window = options->window ? options->window : WINDOW_AT_MOST,
		.timeout_ms = options->timeout_ms,
		.attempts = options->attempts,
	};

	memset(run, 0, sizeof(*run));
	run->options = options;
	run->window = WINDOW_AT_FIRST;
	run->async = mad_async_create(port, &async_options);
	if (!run->async)
		return -errno;
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &run->cancel_state);
	return 0;
}

void fabric_run_end(struct fabric_run *run)
{
	mad_async_free(run->async);
	pthread_setcancelstate(run->cancel_state, NULL);
}

/* The caller reports the first error. */
void fabric_run_fail(struct fabric_run *run, int error)
{
	if (!run->error)
		run->error = error;
}

void fabric_run_note_submitted(struct fabric_run *run, int64_t id)
{
	if (id < 0)
		fabric_run_fail(run, -errno);
	else
		run->requests++;
}

void fabric_run_note(struct fabric_run *run, const struct mad_async_result *result)
{
	run->timeouts += result->error == ETIMEDOUT;
	adapt_window(run, result);
	if (result->error == ENOMEM || result->error == ENOBUFS || result->error == ENODEV ||
	    result->error == EBADF)
		fabric_run_fail(run, -result->error);
}

void fabric_run_report(struct fabric_run *run)
{
	int64_t now;

	if (!run->options->progress || run->error)
		return;
	now = fabric_clock_ns(CLOCK_MONOTONIC);
	if (now < run->next_report_ns)
		return;
	run->next_report_ns = now + REPORT_MS * FABRIC_NS_PER_MS;
	run->progress.pending = (unsigned)mad_async_pending(run->async) + run->queued;
	if (!run->options->progress(&run->progress, run->options->context))
		fabric_run_fail(run, -ECANCELED);
}

/* Waits until every request has completed: callbacks write to memory that is freed next. */
static void cancel_rest(struct fabric_run *run)
{
	mad_async_cancel_all(run->async);
	while (mad_async_pending(run->async))
		if (mad_async_dispatch(run->async, 0, REPORT_MS) < 0)
			return; /* all requests have completed with that error */
}

void fabric_run_until_done(struct fabric_run *run, fabric_submit_more *submit_more, void *context)
{
	fabric_run_report(run); /* a caller that has cancelled already sends nothing */
	for (;;) {
		submit_more(run, context);
		if (run->error || !mad_async_pending(run->async))
			break;
		if (mad_async_dispatch(run->async, 0, REPORT_MS) < 0)
			fabric_run_fail(run, -errno);
		fabric_run_report(run);
	}
	cancel_rest(run);
}
