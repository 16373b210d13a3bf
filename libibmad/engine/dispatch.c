/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * mad_async_dispatch(): the calling thread waits for the port, as those in blocking calls do, and
 * runs the callbacks that are due.
 */
#include <errno.h>

#include "libibmad/engine/async.h"

/*
 * Reads what else has arrived, so that one call runs the callbacks of all of it, and the descriptor
 * has nothing more to report. Another thread that polls does so itself, and reports callbacks.
 */
static void read_rest(struct mad_async *async)
{
	struct mad_engine *engine = async->engine;
	unsigned reads = 0;
	int error = 0;

	if (engine->poller)
		return;
	while (!error && reads++ < MAD_ENGINE_DRAIN_READS)
		error = mad_engine_read(engine);
	if (error != -EAGAIN && async->is_watched) /* a MAD may be left */
		mad_wakeup_signal(&async->event);
}

/* Waits until a callback is due, none will be, or the deadline passes. A program that waits for the
 * descriptor may also have to read MADs of others. */
static void wait_for_callbacks(struct mad_async *async, int64_t deadline)
{
	struct mad_waiter waiter = { .async = async, .list = &async->dispatchers };
	struct mad_engine *engine = async->engine;
	int error = 0;

	mad_engine_enter(engine, &waiter);
	mad_wakeup_clear(&async->event);
	mad_engine_settle(engine);
	if (async->pending > async->running || async->is_watched) {
		while (!error && !mad_async_is_over(async))
			error = mad_engine_wait(engine, &waiter, deadline);
		if (error != -ETIMEDOUT)
			read_rest(async);
	}
	mad_engine_leave(engine, &waiter);
}

static int run(struct mad_async *async, unsigned max, int timeout_ms)
{
	int64_t deadline = mad_clock_after(mad_clock_now(), timeout_ms);
	int called, failed, cancel_state;
	bool goes_on;

	do { /* another thread may have run the callback that this one waited for */
		wait_for_callbacks(async, deadline);
		called = mad_async_call_back(async, max);
		if (called)
			return called;
		cancel_state = mad_engine_lock(async->engine);
		failed = async->failed;
		goes_on = async->pending > async->running;
		mad_engine_unlock(async->engine, cancel_state);
	} while (goes_on && mad_clock_now() < deadline);
	return failed;
}

int mad_async_dispatch(struct mad_async *async, unsigned max, int timeout_ms)
{
	int called = async ? run(async, max, timeout_ms) : mad_refuse(MAD_REFUSED_ASYNC);

	return called < 0 ? mad_zero_or_error(called) : called;
}
