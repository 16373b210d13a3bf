/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Asynchronous objects: creating, submitting, cancelling, freeing.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/sized.h"
#include "libibmad/engine/async.h"

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
	if (taken->flags || taken->reserved)
		return mad_refuse(MAD_REFUSED_OPTIONS_FLAGS);
	if (taken->window > MAD_ASYNC_MAX_WINDOW)
		return mad_refuse(MAD_REFUSED_OPTIONS_WINDOW);
	return taken->timeout_ms < 0 || taken->attempts < 0 ? mad_refuse(MAD_REFUSED_OPTIONS_TIMES)
							    : 0;
}

static void free_async(struct mad_async *async)
{
	mad_watch_close(async);
	mad_async_free_kept(async);
	mad_destinations_free(async);
	mad_hash_free(&async->ids);
	free(async);
}

/* From now on the engine knows it. A port that had failed may work again. */
static int join(struct mad_async *async)
{
	struct mad_engine *engine = async->engine;
	int cancel_state = mad_engine_lock(engine);
	int error = mad_watch_open(async);

	if (!error)
		LIST_INSERT_HEAD(&engine->asyncs, async, link);
	mad_engine_unlock(engine, cancel_state);
	return error;
}

static int make(struct ibmad_port *port, const struct mad_async_options *options,
		struct mad_async **made)
{
	struct mad_async *async = calloc(1, sizeof(*async));
	int error;

	if (!async)
		return -ENOMEM;
	async->port = port;
	async->engine = &port->engine;
	async->window = options->window ? options->window : MAD_ASYNC_DEFAULT_WINDOW;
	async->max_queued = options->max_queued;
	async->timeout_ms = options->timeout_ms;
	async->attempts = options->attempts;
	mad_hash_init(&async->ids);
	TAILQ_INIT(&async->all);
	TAILQ_INIT(&async->unsent);
	mad_destinations_init(async);
	mad_lines_init(&async->lines);
	TAILQ_INIT(&async->dispatchers);
	TAILQ_INIT(&async->done);
	TAILQ_INIT(&async->called);
	TAILQ_INIT(&async->kept);
	mad_wakeup_init(&async->event);
	async->epoll_fd = async->timer_fd = -1;
	async->armed = MAD_NO_DEADLINE;
	error = join(async);
	if (error)
		free_async(async);
	else
		*made = async;
	return error;
}

struct mad_async *mad_async_create_sized(struct ibmad_port *port,
					 const struct mad_async_options *options, size_t size)
{
	struct mad_async_options taken;
	struct mad_async *async = NULL;
	int error = port ? take(&taken, options, size) : mad_refuse(MAD_REFUSED_PORT);

	if (!error)
		error = make(port, &taken, &async);
	mad_zero_or_error(error);
	return async;
}

int64_t mad_async_add(struct mad_async *async, const struct mad_submission *submission)
{
	int cancel_state = mad_engine_lock(async->engine);
	struct mad_item *item;
	int64_t result = mad_item_add(async, submission, &item);

	if (!result) {
		result = (int64_t)item->by_id.key;
		mad_engine_settle(async->engine);
		if (item->state == MAD_ITEM_DONE && async->failed) {
			result = async->failed;
			mad_async_take_back(item);
		}
		mad_engine_hand_over(async->engine);
	}
	mad_engine_unlock(async->engine, cancel_state);
	return result;
}

/* Ends what was cancelled. A thread that waits sends what may be sent now: the program may go on to
 * cancel that, too. */
static void end_cancelled(struct mad_engine *engine)
{
	mad_engine_carry_out(engine);
	if (engine->poller)
		mad_wakeup_signal(&engine->wakeup);
	else
		mad_engine_hand_over(engine);
}

static bool cancel_one(struct mad_async *async, int64_t id)
{
	int cancel_state = mad_engine_lock(async->engine);
	struct mad_hash_node *node = mad_hash_find(&async->ids, (uint64_t)id);
	struct mad_item *item;
	bool is_cancelled = false;

	if (node) {
		item = (void *)((char *)node - offsetof(struct mad_item, by_id));
		is_cancelled = item->request.attempts.action != MAD_ATTEMPT_FINISH;
		mad_request_cancel(&item->request, -ECANCELED);
		end_cancelled(async->engine);
	}
	mad_engine_unlock(async->engine, cancel_state);
	return is_cancelled;
}

int mad_async_cancel(struct mad_async *async, int64_t id)
{
	int error;

	if (async && id > 0 && cancel_one(async, id))
		return 1;
	error = mad_refuse(!async    ? MAD_REFUSED_ASYNC
			   : id <= 0 ? MAD_REFUSED_REQUEST_ID
				     : MAD_REFUSED_COMPLETED);
	return mad_zero_or_error(error);
}

int mad_async_cancel_all(struct mad_async *async)
{
	unsigned cancelled;
	int cancel_state;

	if (!async)
		return mad_zero_or_error(mad_refuse(MAD_REFUSED_ASYNC));
	cancel_state = mad_engine_lock(async->engine);
	cancelled = mad_async_end_all(async, -ECANCELED);
	end_cancelled(async->engine);
	mad_engine_unlock(async->engine, cancel_state);
	return (int)cancelled;
}

/* const: to the caller, asking for the descriptor changes nothing. */
int mad_async_get_fd(const struct mad_async *caller)
{
	struct mad_async *async = (struct mad_async *)caller;
	int cancel_state;

	if (!async)
		return mad_zero_or_error(mad_refuse(MAD_REFUSED_ASYNC));
	cancel_state = mad_engine_lock(async->engine);
	if (!async->is_watched && async->pending) /* dispatching finds out what is due */
		mad_wakeup_signal(&async->event);
	async->engine->watched += !async->is_watched;
	async->is_watched = true;
	mad_watch_update(async->engine); /* another thread that dispatches may have left already */
	mad_engine_unlock(async->engine, cancel_state);
	return async->epoll_fd;
}

int mad_async_in_window(const struct mad_async *async)
{
	int pending, slow;

	if (!async)
		return mad_zero_or_error(mad_refuse(MAD_REFUSED_ASYNC));
	pending = (int)atomic_load(&async->pending);
	slow = (int)atomic_load(&async->slow); /* of another moment, where other threads go on */
	return pending > slow ? pending - slow : 0;
}

int mad_async_pending(const struct mad_async *async)
{
	return async ? (int)atomic_load(&async->pending)
		     : mad_zero_or_error(mad_refuse(MAD_REFUSED_ASYNC));
}

/* Whether the calling thread is in a callback of the object. */
static bool is_in_callback(const struct mad_async *async)
{
	const struct mad_item *item;

	TAILQ_FOREACH(item, &async->called, link)
	if (pthread_equal(item->caller, pthread_self()))
		return true;
	return false;
}

static void end_requests(struct mad_async *async)
{
	mad_async_end_all(async, -ECANCELED);
	mad_engine_settle(async->engine);
	mad_engine_hand_over(async->engine);
}

void mad_async_free(struct mad_async *async)
{
	int cancel_state;

	if (!async)
		return;
	cancel_state = mad_engine_lock(async->engine);
	if (is_in_callback(async)) {
		mad_engine_unlock(async->engine, cancel_state);
		mad_warn("mad_async_free", "called in a callback of the object: nothing is freed");
		errno = EDEADLK;
		return;
	}
	async->closing = true;
	end_requests(async);
	mad_engine_unlock(async->engine, cancel_state);
	while (mad_async_call_back(async, 0))
		;
	cancel_state = mad_engine_lock(async->engine);
	LIST_REMOVE(async, link);
	if (async->is_unsettled)
		LIST_REMOVE(async, link_unsettled);
	async->engine->watched -= async->is_watched;
	mad_engine_unlock(async->engine, cancel_state);
	free_async(async);
}
