/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The thread that works for a queue when no thread calls mad_async_dispatch() in time: it serves
 * mad_async_get_fd(), and each port of a pair.
 */
#include <errno.h>
#include <signal.h>

#include "libibmad/async/async.h"

/* With the lock held, while no request is outstanding. */
static void wait_for_requests(struct mad_queue *queue)
{
	mad_engine_hand_over(queue->engine);
	mad_engine_wake_now(queue->engine);
	queue->service_is_idle = true;
	pthread_cond_wait(&queue->service_idle, &queue->engine->lock);
	queue->service_is_idle = false;
}

static void run_follow_ups(struct mad_queue *queue)
{
	mad_engine_release(queue->engine);
	mad_follow_ups_run(queue);
	pthread_mutex_lock(&queue->engine->lock);
}

static void *serve(void *argument)
{
	struct mad_queue *queue = argument;
	struct mad_waiter waiter;

	mad_queue_enter(queue, &waiter);
	while (!queue->stops) {
		mad_queue_work(queue);
		if (queue->stops)
			break;
		if (!STAILQ_EMPTY(&queue->follow_ups))
			run_follow_ups(queue);
		else if (queue->outstanding)
			mad_queue_wait(queue, &waiter, MAD_NO_DEADLINE);
		else
			wait_for_requests(queue);
	}
	mad_queue_leave(queue, &waiter);
	return NULL;
}

/* Starts the queue's thread, with all signals blocked, unless it runs already. Returns 0 or
 * -errno. */
static int start(struct mad_queue *queue)
{
	sigset_t all, before;
	int error, cancel_state;

	sigfillset(&all);
	error = pthread_sigmask(SIG_SETMASK, &all, &before);
	if (error)
		return -error;
	cancel_state = mad_engine_lock(queue->engine);
	if (!queue->has_service)
		error = pthread_create(&queue->service, NULL, serve, queue);
	if (!error)
		queue->has_service = true;
	mad_engine_unlock(queue->engine, cancel_state);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return -error;
}

/* Threads that dispatch leave the work to the queue's thread, which wakes them by callbacks that
 * are due. */
static void release_dispatchers(struct mad_queue *queue)
{
	int cancel_state = mad_engine_lock(queue->engine);

	mad_queue_wake_all(queue);
	mad_engine_unlock(queue->engine, cancel_state);
}

/* Starts the threads that work for the queues, unless they run already. */
int mad_service_start_all(struct mad_async *async)
{
	for (unsigned i = 0; i < async->queue_count; i++) {
		int error = start(&async->queues[i]);

		if (error)
			return error;
	}
	atomic_store(&async->has_services, true);
	for (unsigned i = 0; i < async->queue_count; i++)
		release_dispatchers(&async->queues[i]);
	return 0;
}

int mad_async_restore_services(struct mad_async *async)
{
	int error;

	if (!atomic_load(&async->services_lost))
		return 0;
	error = mad_service_start_all(async);
	if (!error) {
		atomic_store(&async->services_lost, false);
		mad_completion_settle_event(async);
	}
	return error;
}

void mad_service_stop(struct mad_queue *queue)
{
	int cancel_state = mad_engine_lock(queue->engine);
	bool has_service = queue->has_service;

	queue->stops = true;
	mad_queue_wake_all(queue);
	mad_engine_release(queue->engine);
	if (has_service)
		pthread_join(queue->service, NULL);
	pthread_mutex_lock(&queue->engine->lock);
	queue->has_service = false;
	mad_engine_unlock(queue->engine, cancel_state);
}
