/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Work for all queues of an object, and the thread of MAD_ASYNC_THREAD, which does it and runs no
 * callbacks.
 */
#include <errno.h>
#include <signal.h>

#include "libibmad/async/async.h"

void mad_async_step(struct mad_async *async)
{
	for (unsigned i = 0; i < async->queue_count; i++) {
		struct mad_queue *queue = &async->queues[i];
		struct mad_waiter waiter;

		mad_queue_enter(queue, &waiter);
		mad_queue_work(queue);
		mad_queue_read_all(queue, &waiter);
		mad_queue_leave(queue, &waiter);
		mad_follow_ups_run(queue);
	}
}

static void *serve(void *argument)
{
	struct mad_async *async = argument;

	for (;;) {
		mad_async_step(async);
		if (atomic_load(&async->thread_stops))
			return NULL;
		mad_wakeup_poll(NULL, async->epoll_fd, -1);
	}
}

/* With all signals blocked. */
int mad_service_start(struct mad_async *async)
{
	sigset_t all, before;
	int error;

	sigfillset(&all);
	error = pthread_sigmask(SIG_SETMASK, &all, &before);
	if (error)
		return -error;
	error = pthread_create(&async->thread, NULL, serve, async);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return -error;
}

static int restart(struct mad_async *async)
{
	int error = 0;

	pthread_mutex_lock(&async->lock);
	if (atomic_load(&async->thread_lost)) /* no other thread was faster */
		error = mad_service_start(async);
	if (!error)
		atomic_store(&async->thread_lost, false);
	pthread_mutex_unlock(&async->lock);
	if (!error)
		mad_completion_settle_event(async);
	return error;
}

int mad_service_restore(struct mad_async *async)
{
	int cancel_state, error;

	if (!atomic_load(&async->thread_lost))
		return 0;
	if (!async->is_watchable) /* nothing could stop it */
		return -EMFILE;
	cancel_state = mad_hold_cancel();
	error = restart(async);
	mad_release_cancel(cancel_state);
	return error;
}

void mad_service_stop(struct mad_async *async)
{
	struct mad_queue *queue = &async->queues[0];
	int cancel_state;

	if (!async->has_thread || atomic_load(&async->thread_lost))
		return;
	atomic_store(&async->thread_stops, true);
	cancel_state = mad_engine_lock(queue->engine);
	mad_watch_signal(queue);
	mad_engine_release(queue->engine);
	pthread_join(async->thread, NULL);
	mad_release_cancel(cancel_state);
}
