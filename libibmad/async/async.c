/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Asynchronous requests on a port or a pair of ports: creating, cancelling, destroying. The queues
 * (queue.c) send and receive, on the engines of the ports.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "libibmad/async/async.h"

static int check_options(const struct mad_async_options *options)
{
	if (!options)
		return 0;
	if (options->size < sizeof(*options) || options->window > MAD_ASYNC_MAX_WINDOW ||
	    options->timeout_ms < 0 || options->retries < 0)
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

	if (!error)
		error = -pthread_cond_init(&queue->service_idle, NULL);
	if (error)
		return error;
	mad_queue_init(queue, async, port, window);
	async->queue_count++;
	return 0;
}

static void stop_services(struct mad_async *async)
{
	for (unsigned i = 0; i < async->queue_count; i++)
		mad_service_stop(&async->queues[i]);
}

/* Replaces the eventfd by one that the parent does not share, under the same descriptor number. It
 * is readable, so that the program dispatches, which starts the threads anew. */
static void separate_event_fd(struct mad_async *async)
{
	int own;

	if (async->event_fd < 0)
		return;
	own = eventfd(1, EFD_CLOEXEC | EFD_NONBLOCK);
	if (own < 0)
		return;
	dup3(own, async->event_fd, O_CLOEXEC);
	close(own);
}

static void forget_threads(struct mad_async *async)
{
	atomic_store(&async->services_lost, atomic_load(&async->has_services));
	separate_event_fd(async);
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

static void close_event_fd(struct mad_async *async)
{
	int cancel_state = mad_hold_cancel();

	if (async->event_fd >= 0)
		close(async->event_fd);
	mad_release_cancel(cancel_state);
}

static void free_async(struct mad_async *async)
{
	for (unsigned i = 0; i < async->queue_count; i++) {
		mad_follow_ups_free(&async->queues[i]);
		mad_queue_free(&async->queues[i]);
		pthread_cond_destroy(&async->queues[i].service_idle);
	}
	close_event_fd(async);
	mad_completion_free(async);
	free(async);
}

static void set_options(struct mad_async *async, const struct mad_async_options *options)
{
	if (!options)
		return;
	async->max_queued = options->max_queued;
	async->timeout_ms = options->timeout_ms;
	async->retries = options->retries;
}

/* From now on fork() handles this object; a pair of ports has its threads. */
static int register_async(struct mad_async *async)
{
	static atomic_bool is_registered;
	int error;

	async->fork_member.rank = MAD_FORK_ASYNC;
	async->fork_member.lock = &async->lock;
	error = mad_fork_add(&async->fork_member);
	if (error)
		return error;
	error = mad_fork_in_child(&is_registered, settle_child);
	if (!error && async->queue_count > 1)
		error = mad_service_start_all(async);
	if (error) {
		stop_services(async);
		mad_fork_remove(&async->fork_member);
	}
	return error;
}

int mad_async_make(struct ibmad_port *first, struct ibmad_port *second,
		   const struct mad_async_options *options, struct mad_async **made)
{
	unsigned window = options ? options->window : 0;
	int error = first ? check_options(options) : -EINVAL;
	struct mad_async *async;

	if (error)
		return error;
	async = calloc(1, sizeof(*async));
	if (!async)
		return -ENOMEM;
	error = mad_completion_init(async);
	if (error) {
		free(async);
		return error;
	}
	async->event_fd = -1;
	set_options(async, options);
	error = add_queue(async, first, window);
	if (!error && second)
		error = add_queue(async, second, window);
	if (!error)
		error = register_async(async);
	if (!error) {
		*made = async;
		return 0;
	}
	free_async(async);
	return error;
}

static struct mad_async *report(int error, struct mad_async *async)
{
	if (error)
		errno = -error;
	return async;
}

struct mad_async *mad_async_create(struct ibmad_port *port, const struct mad_async_options *options)
{
	struct mad_async *async = NULL;
	int error = mad_async_make(port, NULL, options, &async);

	return report(error, async);
}

struct mad_async *mad_async_create_pair(struct ibmad_ports_pair *pair,
					const struct mad_async_options *options)
{
	struct mad_async *async = NULL;
	int error = -EINVAL;

	if (pair && pair->smi.port && pair->gsi.port)
		error = mad_async_make(pair->smi.port, pair->gsi.port, options, &async);
	return report(error, async);
}

int mad_async_cancel(struct mad_async *async, uint64_t id)
{
	struct mad_queue *queue = async ? mad_request_queue(async, id) : NULL;
	struct mad_request *request;
	bool cancelled = false;
	int cancel_state;

	if (queue) {
		cancel_state = mad_engine_lock(queue->engine);
		request = mad_request_find(async, id);
		cancelled = request && mad_queue_cancel(queue, request, -ECANCELED);
		mad_engine_unlock(queue->engine, cancel_state);
	}
	if (cancelled)
		return 0;
	errno = ENOENT;
	return -1;
}

unsigned mad_async_cancel_all(struct mad_async *async)
{
	unsigned cancelled = 0;

	for (unsigned i = 0; async && i < async->queue_count; i++) {
		struct mad_queue *queue = &async->queues[i];
		int cancel_state = mad_engine_lock(queue->engine);

		cancelled += mad_queue_cancel_all(queue, -ECANCELED);
		mad_engine_unlock(queue->engine, cancel_state);
	}
	return cancelled;
}

/* Returns the descriptor, or -errno. */
static int open_event_fd(struct mad_async *async)
{
	int fd;

	pthread_mutex_lock(&async->lock);
	if (async->event_fd < 0)
		async->event_fd = eventfd(atomic_load(&async->done_count) ? 1 : 0,
					  EFD_CLOEXEC | EFD_NONBLOCK);
	fd = async->event_fd < 0 ? -errno : async->event_fd;
	pthread_mutex_unlock(&async->lock);
	return fd;
}

int mad_async_get_fd(struct mad_async *async)
{
	int fd = async ? open_event_fd(async) : -EINVAL, error = 0;

	if (fd >= 0)
		error = atomic_load(&async->has_services) ? mad_async_restore_services(async)
							  : mad_service_start_all(async);
	if (fd >= 0 && !error)
		return fd;
	errno = fd < 0 ? -fd : -error;
	return -1;
}

unsigned mad_async_pending(struct mad_async *async)
{
	unsigned pending;

	if (!async)
		return 0;
	pthread_mutex_lock(&async->lock);
	pending = async->pending;
	pthread_mutex_unlock(&async->lock);
	return pending;
}

void mad_async_destroy(struct mad_async *async)
{
	if (!async)
		return;
	pthread_mutex_lock(&async->lock);
	async->closing = true;
	pthread_mutex_unlock(&async->lock);
	stop_services(async);
	mad_async_cancel_all(async);
	while (mad_completion_run(async))
		;
	mad_fork_remove(&async->fork_member);
	free_async(async);
}
