/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The loop around mad_async_dispatch(). Callbacks submit further requests, so the work is done when
 * no request is pending.
 */
#include <errno.h>

#include "run.h"

#define LOOK_MS 50 /* interval for checking signals and progress while no response arrives */

/* True if callbacks should submit no further requests. */
bool run_is_over(const struct run *run)
{
	return run->error || *run->stop;
}

/* Ends the run; the first error is reported. */
void run_fail(struct run *run, int error)
{
	if (!run->error)
		run->error = error;
}

/* Submits a request, or stores the reason in run->error. Returns false if there will be no
 * callback. */
bool run_smp_get(struct run *run, const ib_portid_t *to, unsigned attribute, unsigned modifier,
		 mad_async_callback *callback, void *context, uint64_t *id)
{
	if (run_is_over(run))
		return false;
	if (!mad_async_smp_get(run->async, to, attribute, modifier, callback, context, id))
		return true;
	run_fail(run, -errno);
	return false;
}

bool run_perf_get(struct run *run, const ib_portid_t *to, int port, unsigned attribute,
		  mad_async_callback *callback, void *context)
{
	if (run_is_over(run))
		return false;
	if (!mad_async_perf_get(run->async, to, port, attribute, callback, context, NULL))
		return true;
	run_fail(run, -errno);
	return false;
}

/*
 * Every request must have completed before the memory that its callback writes can be freed.
 * Nothing new is submitted meanwhile, since the run has ended.
 */
static void cancel_rest(struct run *run)
{
	mad_async_cancel_all(run->async);
	while (mad_async_pending(run->async))
		if (mad_async_dispatch(run->async, LOOK_MS) < 0)
			return; /* so all requests have completed */
}

int run_until_done(struct run *run, const char *what, const struct fabric *fabric)
{
	while (!run_is_over(run) && mad_async_pending(run->async)) {
		if (mad_async_dispatch(run->async, LOOK_MS) < 0)
			run_fail(run, -errno);
		progress_show(&run->progress, what, fabric, mad_async_pending(run->async));
	}
	if (*run->stop)
		run_fail(run, -EINTR);
	cancel_rest(run);
	progress_clear(&run->progress);
	return run->error;
}
