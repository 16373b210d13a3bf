/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Asynchronous requests on a port or a pair of ports: creating, cancelling, freeing. The queues
 * (queue.c) send and receive, on the engines of the ports.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/sized.h"
#include "libibmad/async/async.h"

/* Takes what the program passes. Returns 0 or -errno. */
static int take(struct mad_async_options *taken, const struct mad_async_options *options,
		size_t size)
{
	int error;

	*taken = (struct mad_async_options){ 0 };
	if (!options)
		return 0;
	error = SIZED_TAKE(taken, reserved, options, size);
	if (error)
		return error;
	if (taken->flags & ~MAD_ASYNC_THREAD || taken->window > MAD_ASYNC_MAX_WINDOW ||
	    taken->timeout_ms < 0 || taken->attempts < 0 || taken->reserved)
		return -EINVAL;
	return 0;
}

static int open_wakeup(struct mad_engine *engine)
{
	int cancel_state = mad_engine_lock(engine);
	int error = mad_wakeup_open(&engine->wakeup, engine->fd);

	mad_engine_unlock(engine, cancel_state);
	return error;
}

static int add_queue(struct mad_async *async, struct ibmad_port *port, unsigned window)
{
	struct mad_queue *queue = &async->queues[async->queue_count];
	int error = open_wakeup(mad_port_engine(port));

	if (error)
		return error;
	mad_queue_init(queue, async, port, window);
	async->queue_count++;
	return 0;
}

static void forget_threads(struct mad_async *async)
{
	atomic_store(&async->thread_lost, async->has_thread);
	mad_watch_reopen(async);
	mad_completion_forget_threads(async);
	for (unsigned i = 0; i < async->queue_count; i++)
		mad_queue_forget_threads(&async->queues[i]);
	for (unsigned i = 0; i < async->queue_count; i++) {
		mad_follow_ups_free(&async->queues[i]);
		mad_queue_follow_again(&async->queues[i]);
	}
}

/* In the child of a fork, where no other thread can have a lock. */
static void settle_child(void)
{
	struct mad_fork_member *member = NULL;
	int cancel_state = mad_hold_cancel();

	while ((member = mad_fork_next(MAD_FORK_ASYNC, member)))
		forget_threads((void *)((char *)member - offsetof(struct mad_async, fork_member)));
	mad_release_cancel(cancel_state);
}

static void free_async(struct mad_async *async)
{
	mad_watch_close(async);
	for (unsigned i = 0; i < async->queue_count; i++) {
		mad_follow_ups_free(&async->queues[i]);
		mad_queue_free(&async->queues[i]);
	}
	mad_completion_free(async);
	free(async);
}

/* From now on the state of the descriptor counts. */
static void begin_watch(struct mad_async *async)
{
	if (atomic_exchange(&async->is_watched, true))
		return;
	for (unsigned i = 0; i < async->queue_count; i++) {
		struct mad_queue *queue = &async->queues[i];
		int cancel_state = mad_engine_lock(queue->engine);

		queue->workers.event = &queue->event;
		/* Dispatching finds out what there is to do. */
		if (!TAILQ_EMPTY(&queue->all) || atomic_load(&async->done_count))
			mad_engine_notify(&queue->workers);
		mad_engine_unlock(queue->engine, cancel_state);
	}
}

/* From now on fork() handles this object. */
static int start(struct mad_async *async)
{
	static atomic_bool is_registered;
	int error;

	async->fork_member.rank = MAD_FORK_ASYNC;
	async->fork_member.lock = &async->lock;
	error = mad_fork_add(&async->fork_member);
	if (error)
		return error;
	error = mad_fork_in_child(&is_registered, settle_child);
	if (!error && (async->has_thread || async->queue_count > 1))
		begin_watch(async);
	if (!error && async->has_thread)
		error = mad_service_start(async);
	if (error)
		mad_fork_remove(&async->fork_member);
	return error;
}

/* Returns 0 or -errno; the caller frees what there is. */
static int set_up(struct mad_async *async, struct ibmad_port *first, struct ibmad_port *second,
		  unsigned window)
{
	int error = add_queue(async, first, window);

	if (!error && second)
		error = add_queue(async, second, window);
	if (!error)
		error = mad_watch_open(async);
	return error ? error : start(async);
}

int mad_async_make(struct ibmad_port *first, struct ibmad_port *second,
		   const struct mad_async_options *options, struct mad_async **made)
{
	struct mad_async *async = calloc(1, sizeof(*async));
	int error;

	if (!async)
		return -ENOMEM;
	error = mad_completion_init(async);
	if (error) {
		free(async);
		return error;
	}
	async->epoll_fd = async->event_fd = -1;
	async->max_queued = options->max_queued;
	async->timeout_ms = options->timeout_ms;
	async->attempts = options->attempts;
	async->has_thread = options->flags & MAD_ASYNC_THREAD;
	error = set_up(async, first, second, options->window);
	if (error)
		free_async(async);
	else
		*made = async;
	return error;
}

/* Returns NULL with errno on failure. */
static struct mad_async *create(struct ibmad_port *first, struct ibmad_port *second,
				const struct mad_async_options *options, size_t size)
{
	struct mad_async_options taken;
	struct mad_async *async = NULL;
	int error = first ? take(&taken, options, size) : -EINVAL;

	if (!error)
		error = mad_async_make(first, second, &taken, &async);
	if (error)
		errno = -error;
	return async;
}

struct mad_async *mad_async_create(struct ibmad_port *port, const struct mad_async_options *options,
				   size_t size)
{
	return create(port, NULL, options, size);
}

struct mad_async *mad_async_create_pair(struct ibmad_ports_pair *pair,
					const struct mad_async_options *options, size_t size)
{
	bool has_both = pair && pair->smi.port && pair->gsi.port;

	return create(has_both ? pair->smi.port : NULL, has_both ? pair->gsi.port : NULL, options,
		      size);
}

static bool cancel_one(struct mad_async *async, int64_t id)
{
	struct mad_queue *queue = mad_request_queue(async, id);
	struct mad_request *request;
	bool cancelled;
	int cancel_state;

	if (!queue)
		return false;
	cancel_state = mad_engine_lock(queue->engine);
	request = mad_request_find(async, id);
	cancelled = request && mad_queue_cancel(queue, request, -ECANCELED);
	mad_engine_unlock(queue->engine, cancel_state);
	return cancelled;
}

unsigned mad_async_cancel_all(struct mad_async *async)
{
	unsigned cancelled = 0;

	for (unsigned i = 0; i < async->queue_count; i++) {
		struct mad_queue *queue = &async->queues[i];
		int cancel_state = mad_engine_lock(queue->engine);

		cancelled += mad_queue_cancel_all(queue, -ECANCELED);
		mad_engine_unlock(queue->engine, cancel_state);
	}
	return cancelled;
}

int mad_async_cancel(struct mad_async *async, int64_t id)
{
	if (async && id == MAD_ASYNC_ALL)
		return (int)mad_async_cancel_all(async);
	if (async && id > 0 && cancel_one(async, id))
		return 1;
	errno = async && id > 0 ? ENOENT : EINVAL;
	return -1;
}

/* What is said about the descriptor is not what the caller sees of the object. */
int mad_async_get_fd(const struct mad_async *async)
{
	if (!async) {
		errno = EINVAL;
		return -1;
	}
	begin_watch((struct mad_async *)async);
	return async->has_thread ? async->event_fd : async->epoll_fd;
}

int mad_async_pending(const struct mad_async *async)
{
	if (async)
		return (int)atomic_load(&async->pending);
	errno = EINVAL;
	return -1;
}

void mad_async_end(struct mad_async *async)
{
	pthread_mutex_lock(&async->lock);
	atomic_store(&async->closing, true);
	async->is_ending = true;
	pthread_mutex_unlock(&async->lock);
	mad_service_stop(async);
	mad_async_cancel_all(async);
	while (mad_completion_run(async, 0))
		;
	mad_fork_remove(&async->fork_member);
	free_async(async);
}

/* All calls of mad_async_dispatch() end, and the last one frees it. */
static void end_later(struct mad_async *async)
{
	pthread_mutex_lock(&async->lock);
	async->is_freed = !async->is_ending;
	atomic_store(&async->closing, true);
	pthread_cond_broadcast(&async->changed);
	pthread_mutex_unlock(&async->lock);
	for (unsigned i = 0; i < async->queue_count; i++) {
		struct mad_queue *queue = &async->queues[i];
		int cancel_state = mad_engine_lock(queue->engine);

		mad_engine_wake_all(&queue->workers);
		mad_watch_signal(queue);
		mad_engine_unlock(queue->engine, cancel_state);
	}
}

void mad_async_free(struct mad_async *async)
{
	if (!async)
		return;
	if (mad_completion_is_in_callback(async))
		end_later(async);
	else
		mad_async_end(async);
}
