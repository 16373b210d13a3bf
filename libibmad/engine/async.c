/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Asynchronous objects: creating, submitting, dispatching, cancelling, freeing.
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
	mad_watch_close(&async->watch);
	mad_async_free_kept(async);
	mad_destinations_free(async);
	mad_hash_free(&async->ids);
	free(async);
}

/* From now on the engine knows it. A port that had failed may work again. */
static int join(struct mad_async *async)
{
	struct mad_engine *engine = async->engine;
	int error;

	mad_engine_lock(engine);
	error = mad_async_open_fd(async);
	if (!error)
		LIST_INSERT_HEAD(&engine->asyncs, async, link);
	mad_engine_unlock(engine);
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
	mad_lines_init(async->lines);
	TAILQ_INIT(&async->dispatchers);
	TAILQ_INIT(&async->done);
	TAILQ_INIT(&async->called);
	TAILQ_INIT(&async->kept);
	mad_watch_init(&async->watch);
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
	struct mad_item *item;
	int64_t result;

	mad_engine_lock(async->engine);
	result = mad_item_add(async, submission, &item);
	if (!result) {
		result = (int64_t)item->by_id.key;
		mad_engine_settle(async->engine);
		if (item->state == MAD_ITEM_DONE && async->failed) {
			result = async->failed;
			mad_async_take_back(item);
		}
		mad_engine_hand_over(async->engine);
	}
	mad_engine_unlock(async->engine);
	return result;
}

/* Whether no thread has to wait: callbacks are due, or none will be. */
static bool is_over(const struct mad_async *async)
{
	return !TAILQ_EMPTY(&async->done) || async->pending == async->running;
}

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
		mad_wakeup_signal(&async->watch.event);
}

/* Waits until a callback is due, none will be, or the deadline passes. A program that waits for the
 * descriptor may also have to read MADs of others. */
static void wait_for_callbacks(struct mad_async *async, int64_t deadline)
{
	struct mad_waiter waiter = { .async = async, .list = &async->dispatchers };
	struct mad_engine *engine = async->engine;
	int error = 0;

	mad_engine_enter(engine, &waiter);
	mad_wakeup_clear(&async->watch.event);
	mad_engine_settle(engine);
	if (async->pending > async->running || async->is_watched) {
		while (!error && !is_over(async))
			error = mad_engine_wait(engine, &waiter, deadline);
		if (error != -ETIMEDOUT)
			read_rest(async);
	}
	mad_engine_leave(engine, &waiter);
}

static int run(struct mad_async *async, unsigned max, int timeout_ms)
{
	int64_t deadline = mad_clock_after(mad_clock_now(), timeout_ms);
	int called, failed;
	bool goes_on;

	do { /* another thread may have run the callback that this one waited for */
		wait_for_callbacks(async, deadline);
		called = mad_async_call_back(async, max);
		if (called)
			return called;
		mad_engine_lock(async->engine);
		failed = async->failed;
		goes_on = async->pending > async->running;
		mad_engine_unlock(async->engine);
	} while (goes_on && mad_clock_now() < deadline);
	return failed;
}

int mad_async_dispatch(struct mad_async *async, unsigned max, int timeout_ms)
{
	int called = async ? run(async, max, timeout_ms) : mad_refuse(MAD_REFUSED_ASYNC);

	return called < 0 ? mad_zero_or_error(called) : called;
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
	struct mad_hash_node *node;
	bool is_cancelled = false;
	struct mad_item *item;

	mad_engine_lock(async->engine);
	node = mad_hash_find(&async->ids, (uint64_t)id);
	if (node) {
		item = (void *)((char *)node - offsetof(struct mad_item, by_id));
		is_cancelled = item->request.attempts.action != MAD_ATTEMPT_FINISH;
		mad_request_cancel(&item->request, -ECANCELED);
		end_cancelled(async->engine);
	}
	mad_engine_unlock(async->engine);
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

	if (!async)
		return mad_zero_or_error(mad_refuse(MAD_REFUSED_ASYNC));
	mad_engine_lock(async->engine);
	cancelled = mad_async_end_all(async, -ECANCELED);
	end_cancelled(async->engine);
	mad_engine_unlock(async->engine);
	return (int)cancelled;
}

/* const: to the caller, asking for the descriptor changes nothing. */
int mad_async_get_fd(const struct mad_async *caller)
{
	struct mad_async *async = (struct mad_async *)caller;

	if (!async)
		return mad_zero_or_error(mad_refuse(MAD_REFUSED_ASYNC));
	mad_engine_lock(async->engine);
	if (!async->is_watched && async->pending) /* dispatching finds out what is due */
		mad_wakeup_signal(&async->watch.event);
	async->engine->watched += !async->is_watched;
	async->is_watched = true;
	mad_async_update_timers(
		async->engine); /* another thread that dispatches may have left already */
	mad_engine_unlock(async->engine);
	return async->watch.epoll_fd;
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

static bool is_in_callback(const struct mad_async *async)
{
	const struct mad_item *item;

	TAILQ_FOREACH(item, &async->called, link)
	if (pthread_equal(item->caller, pthread_self()))
		return true;
	return false;
}

void mad_async_free(struct mad_async *async)
{
	if (!async)
		return;
	mad_engine_lock(async->engine);
	if (is_in_callback(async)) {
		mad_engine_unlock(async->engine);
		mad_warn("mad_async_free", "called in a callback of the object: nothing is freed");
		errno = EDEADLK;
		return;
	}
	async->closing = true;
	mad_async_end_all(async, -ECANCELED);
	mad_engine_settle(async->engine);
	mad_engine_hand_over(async->engine);
	mad_engine_unlock(async->engine);
	while (mad_async_call_back(async, 0))
		;
	mad_engine_lock(async->engine);
	LIST_REMOVE(async, link);
	if (async->is_unsettled)
		LIST_REMOVE(async, link_unsettled);
	async->engine->watched -= async->is_watched;
	mad_engine_unlock(async->engine);
	free_async(async);
}
