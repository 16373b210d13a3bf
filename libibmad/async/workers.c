/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Threads that work for a queue: they wait until the first of its timers, for MADs and for each
 * other. The lock of the port's engine is held throughout, but released while they wait.
 */
#include <errno.h>

#include "libibmad/async/async.h"

/* Whether there is something to do for another thread than one that leaves: that sees to the
 * follow-ups, and to a callback that is due, or to all where no thread waits. */
static bool needs_worker(struct mad_queue *queue)
{
	return mad_queue_has_work(queue) || (!TAILQ_EMPTY(&queue->workers.waiting) &&
					     (atomic_load(&queue->async->done_count) > 1 ||
					      (queue->first_due && !queue->workers.timekeeper)));
}

void mad_queue_leave(struct mad_queue *queue, struct mad_waiter *worker)
{
	queue->workers.awake--;
	mad_agents_offer(queue->engine);
	if (needs_worker(queue))
		mad_engine_notify(&queue->workers);
	mad_watch_set_timer(queue);
	mad_engine_leave(queue->engine, worker);
}

void mad_queue_enter(struct mad_queue *queue, struct mad_waiter *worker)
{
	worker->group = &queue->workers;
	worker->wakeup = &queue->engine->wakeup;
	worker->transaction = NULL;
	worker->waits = false; /* it may see to the timers before it does */
	mad_engine_enter(queue->engine, worker);
	queue->workers.awake++;
	mad_wakeup_clear(&queue->event);
}

/* One thread waits until the first timer; on a port that has failed, only for requests that other
 * threads are sending. */
static int wait_until(struct mad_queue *queue, struct mad_waiter *waiter, int64_t until)
{
	int error;

	if (!queue->workers.timekeeper)
		queue->workers.timekeeper = waiter;
	if (queue->failed)
		error = mad_engine_sleep(queue->engine, waiter, until);
	else
		error = mad_engine_wait(queue->engine, waiter, until);
	if (queue->workers.timekeeper == waiter)
		queue->workers.timekeeper = NULL;
	return error;
}

int mad_queue_wait(struct mad_queue *queue, struct mad_waiter *waiter, int64_t deadline)
{
	int64_t until = deadline;
	int error;

	if (mad_queue_has_work(queue))
		return 0;
	if (!queue->workers.timekeeper && queue->first_due && queue->first_due->due < until)
		until = queue->first_due->due;
	error = wait_until(queue, waiter, until);
	if (error == -ETIMEDOUT) {
		mad_queue_run_timers(queue, until);
		return until < deadline ? 0 : -ETIMEDOUT;
	}
	if (error)
		mad_queue_lose_port(queue, error);
	return 0;
}

void mad_queue_read_all(struct mad_queue *queue, struct mad_waiter *waiter)
{
	int64_t now = mad_clock_now();

	while (!mad_queue_wait(queue, waiter, now))
		mad_queue_work(queue);
}
