/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * mad_async_dispatch(): the calling thread works for the queues, or waits for the thread that does,
 * and runs the callbacks that are due.
 */
#include <errno.h>

#include "libibmad/async/async.h"

static bool is_over(const struct mad_async *async, const struct mad_queue *queue)
{
	return atomic_load(&async->done_count) || !queue->outstanding ||
	       !STAILQ_EMPTY(&queue->follow_ups) || atomic_load(&async->closing);
}

/* Works for the only queue until a request is done, no request is left, or the deadline passes.
 * What arrived with the first response is read, too, to run those callbacks; and what a program
 * that waits for the descriptor was called for, though no request is left. */
static void work_for_one(struct mad_async *async, int64_t deadline)
{
	struct mad_queue *queue = &async->queues[0];
	struct mad_waiter waiter;

	mad_queue_enter(queue, &waiter);
	mad_queue_work(queue);
	if (!queue->outstanding && atomic_load(&async->is_watched))
		mad_queue_read_all(queue, &waiter);
	while (!is_over(async, queue) && !mad_queue_wait(queue, &waiter, deadline))
		mad_queue_work(queue);
	mad_engine_drain(queue->engine, queue->shares[MAD_ASYNC_IN_WINDOW]);
	mad_queue_work(queue);
	mad_queue_leave(queue, &waiter);
	mad_follow_ups_run(queue);
}

/* Another thread may wait in place of this one. */
static void stop_leading(void *argument)
{
	struct mad_async *async = argument;

	pthread_mutex_lock(&async->lock);
	async->is_led = false;
	pthread_cond_signal(&async->changed);
	pthread_mutex_unlock(&async->lock);
}

/* Waits for the descriptor, for all that dispatch. */
static void lead(struct mad_async *async, int64_t deadline)
{
	int saved_errno = errno;

	pthread_cleanup_push(stop_leading, async);
	mad_wakeup_poll(NULL, async->epoll_fd, mad_clock_remaining_ms(mad_clock_now(), deadline));
	pthread_cleanup_pop(1);
	errno = saved_errno;
}

static void work(struct mad_async *async, int64_t deadline)
{
	if (!async->has_thread && async->queue_count == 1) {
		work_for_one(async, deadline);
		return;
	}
	if (!async->has_thread)
		mad_async_step(async);
	while (mad_completion_wait(async, deadline)) {
		lead(async, deadline);
		mad_async_step(async);
	}
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

/* Callbacks that this thread leaves to others are due. */
static void leave_rest(struct mad_async *async)
{
	struct mad_queue *queue = &async->queues[0];
	int cancel_state;

	if (async->has_thread || !atomic_load(&async->done_count))
		return;
	cancel_state = mad_engine_lock(queue->engine);
	mad_engine_notify(&queue->workers);
	mad_engine_unlock(queue->engine, cancel_state);
}

/* The call is over, or its thread is cancelled. What a callback has freed is gone with the last. */
static void leave(void *argument)
{
	struct mad_async *async = argument;
	bool is_last;

	leave_rest(async);
	mad_completion_wake_leader(async);
	pthread_mutex_lock(&async->lock);
	async->dispatching--;
	is_last = async->is_freed && !async->is_ending && !async->dispatching;
	pthread_mutex_unlock(&async->lock);
	if (is_last)
		mad_async_end(async);
}

/* Returns the number of callbacks run, or -errno. */
static int run(struct mad_async *async, unsigned max, int64_t deadline)
{
	int called;

	do { /* another thread may have run the callback that this one waited for */
		work(async, deadline);
		called = mad_completion_run(async, max);
	} while (!called && mad_completion_has_more(async) && !atomic_load(&async->closing) &&
		 mad_clock_now() < deadline);
	if (atomic_load(&async->closing))
		return -ECANCELED;
	return called ? called : failure_of(async);
}

int mad_async_run(struct mad_async *async, unsigned max, int timeout_ms)
{
	int64_t deadline = mad_clock_after(mad_clock_now(), timeout_ms);
	int result = mad_service_restore(async);

	if (result)
		return result;
	pthread_mutex_lock(&async->lock);
	async->dispatching++;
	pthread_mutex_unlock(&async->lock);
	pthread_cleanup_push(leave, async);
	result = run(async, max, deadline);
	pthread_cleanup_pop(1);
	return result;
}

int mad_async_dispatch(struct mad_async *async, unsigned max, int timeout_ms)
{
	int called = async ? mad_async_run(async, max, timeout_ms) : -EINVAL;

	if (called >= 0)
		return called;
	errno = -called;
	return -1;
}
