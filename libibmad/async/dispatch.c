/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * mad_async_dispatch(): the calling thread works for the queue, or waits for the threads that do,
 * and runs the callbacks that are due.
 */
#include <errno.h>

#include "libibmad/async/async.h"

static bool is_over(const struct mad_async *async, const struct mad_queue *queue)
{
	return atomic_load(&async->done_count) || !queue->outstanding ||
	       !STAILQ_EMPTY(&queue->follow_ups) || atomic_load(&async->has_services);
}

/* Works for the only queue until a request is done, no request is left, or the deadline passes. */
static void work(struct mad_async *async, int64_t deadline)
{
	struct mad_queue *queue = &async->queues[0];
	struct mad_waiter waiter;

	mad_queue_enter(queue, &waiter);
	mad_queue_work(queue);
	while (!is_over(async, queue) && !mad_queue_wait(queue, &waiter, deadline))
		mad_queue_work(queue);
	/* reads what arrived with the first response, to run those callbacks, too */
	mad_engine_drain(queue->engine, queue->shares[MAD_ASYNC_IN_WINDOW]);
	mad_queue_work(queue);
	mad_queue_leave(queue, &waiter);
}

static int failure_of(struct mad_async *async)
{
	for (unsigned i = 0; i < async->queue_count; i++) {
		struct mad_queue *queue = &async->queues[i];
		int cancel_state = mad_engine_lock(queue->engine), failed = queue->failed;

		mad_engine_unlock(queue->engine, cancel_state);
		if (failed)
			return failed;
	}
	return 0;
}

int mad_async_run(struct mad_async *async, int timeout_ms)
{
	int64_t deadline = mad_clock_after(mad_clock_now(), timeout_ms);
	int error = mad_async_restore_services(async), called;

	if (error)
		return error;
	do { /* another thread may have run the callback that this one waited for */
		if (atomic_load(&async->has_services))
			mad_completion_wait(async, deadline);
		else
			work(async, deadline);
		mad_follow_ups_run(&async->queues[0]);
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
