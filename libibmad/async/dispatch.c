/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * mad_async_dispatch(): the calling thread works for the lane, or waits for the threads that do,
 * and runs the callbacks that are due.
 */
#include <errno.h>

#include "libibmad/async/async.h"

static bool is_over(const struct mad_async *async, const struct mad_lane *lane)
{
	return atomic_load(&async->done_count) || !lane->outstanding ||
	       !STAILQ_EMPTY(&lane->follow_ups) || atomic_load(&async->pumped);
}

/* Works for the only lane until a request is done, no request is left, or the deadline passes. */
static void work(struct mad_async *async, int64_t deadline)
{
	struct mad_lane *lane = &async->lanes[0];
	struct mad_waiter waiter;

	mad_lane_enter(lane, &waiter);
	mad_lane_work(lane);
	while (!is_over(async, lane) && !mad_lane_wait(lane, &waiter, deadline))
		mad_lane_work(lane);
	/* reads what arrived with the first response, to run those callbacks, too */
	mad_engine_drain(lane->engine, lane->shares[MAD_ASYNC_IN_WINDOW]);
	mad_lane_work(lane);
	mad_lane_leave(lane, &waiter);
}

static int failure_of(struct mad_async *async)
{
	for (unsigned i = 0; i < async->lane_count; i++) {
		struct mad_lane *lane = &async->lanes[i];
		int cancel_state = mad_engine_lock(lane->engine), failed = lane->failed;

		mad_engine_unlock(lane->engine, cancel_state);
		if (failed)
			return failed;
	}
	return 0;
}

int mad_async_run(struct mad_async *async, int timeout_ms)
{
	int64_t deadline = mad_clock_after(mad_clock_now(), timeout_ms);
	int error = mad_async_restore_pumps(async), called;

	if (error)
		return error;
	do { /* another thread may have run the callback that this one waited for */
		if (atomic_load(&async->pumped))
			mad_completion_wait(async, deadline);
		else
			work(async, deadline);
		mad_follow_ups_run(&async->lanes[0]);
		called = mad_completion_run(async);
	} while (!called && mad_completion_has_more(async) && mad_clock_now() < deadline);
	return called ? called : failure_of(async);
}

int mad_async_dispatch(struct mad_async *async, int timeout_ms)
{
	int called = async ? mad_async_run(async, timeout_ms) : -EINVAL;

	if (called >= 0)
		return called;
	errno = -called;
	return -1;
}
