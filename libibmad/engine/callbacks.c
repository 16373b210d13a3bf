/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Callbacks: of requests that have ended, in that order, by any thread in mad_async_dispatch(); and
 * the outcomes of requests without one, for mad_async_next().
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/sized.h"
#include "libibmad/engine/async.h"
#include "libibmad/engine/debug.h"
#include "libibmad/wire/packet.h"

void mad_async_notify(struct mad_async *async)
{
	struct mad_engine *engine = async->engine;
	struct mad_waiter *waiter = TAILQ_FIRST(&async->dispatchers);

	if (TAILQ_EMPTY(&async->done) || (engine->holder && engine->holder->async == async))
		return;
	if (!waiter && engine->poller && engine->poller->async == async)
		waiter = engine->poller;
	if (waiter)
		mad_engine_wake(waiter);
	else if (async->is_watched) /* without a thread, the descriptor becomes readable */
		mad_wakeup_signal(&async->watch.event);
}

/* After the last callback that was due was taken. */
static void wake_if_over(struct mad_async *async)
{
	struct mad_engine *engine = async->engine;

	if (!TAILQ_EMPTY(&async->done))
		return;
	mad_wakeup_clear(&async->watch.event);
	if (async->pending != async->running)
		return;
	if (engine->poller && engine->poller->async == async)
		mad_engine_wake(engine->poller);
	mad_engine_wake_list(&async->dispatchers, 0);
}

/* Wipes the item, which may hold keys. */
void mad_item_free(struct mad_item *item)
{
	mad_buffer_free(item->request.whole);
	explicit_bzero(item->umad, sizeof(item->umad));
	explicit_bzero(item->response, sizeof(item->response));
	free(item);
}

void mad_async_take_back(struct mad_item *item)
{
	TAILQ_REMOVE(&item->async->done, item, link);
	item->async->pending--;
	wake_if_over(item->async);
	mad_item_free(item);
}

static size_t data_size(const struct mad_item *item, const uint8_t *mad)
{
	size_t offset = item->data_offset, length = item->request.response_length;
	size_t there = length > offset ? length - offset : 0;

	if (item->request.whole)
		return there;
	if (there > (size_t)item->data_length)
		there = item->data_length;
	if (mad_class_has_rmpp(mad[MAD_CLASS]))
		mad_packet_count_rmpp_data(mad, offset, &there); /* unchanged on errors */
	return there;
}

static void describe_response(struct mad_item *item, struct mad_async_result *result)
{
	result->mad = mad_request_reply(&item->request);
	result->mad_size = item->request.response_length;
	result->status = mad_response_status(result->mad);
	result->data = result->mad + item->data_offset;
	result->data_size = data_size(item, result->mad);
}

static void end_callback(struct mad_item *item)
{
	struct mad_async *async = item->async;

	TAILQ_REMOVE(&async->called, item, link);
	async->pending--;
	async->running--;
	if (item->callback)
		mad_item_free(item);
	else
		TAILQ_INSERT_TAIL(&async->kept, item, link);
}

/* Without the lock: the thread is being cancelled in the callback. */
static void abandon_callback(void *argument)
{
	struct mad_item *item = argument;
	struct mad_async *async = item->async;

	mad_engine_lock(async->engine);
	end_callback(item);
	mad_async_notify(async);
	mad_engine_unlock(async->engine);
}

/* No other thread may free the item meanwhile. */
static struct mad_async_result describe(struct mad_item *item)
{
	struct mad_async_result result = {
		.id = (int64_t)item->by_id.key,
		.error = -item->request.attempts.error,
		.from = &item->to,
		.attempts = item->request.attempts.sent_all,
		.context = item->context,
	};

	if (mad_request_has_reply(&item->request))
		describe_response(item, &result);
	return result;
}

/* Without the lock: the thread may be cancelled in the callback. */
static void call_back(struct mad_item *item)
{
	struct mad_async_result result;

	if (mad_debug_is_on())
		mad_debug_end(&item->request, "mad_async", 0);
	if (!item->callback)
		return;
	result = describe(item);
	pthread_cleanup_push(abandon_callback, item);
	item->callback(item->async, &result, item->context);
	pthread_cleanup_pop(0);
}

static struct mad_item *take_done(struct mad_async *async)
{
	struct mad_item *item = TAILQ_FIRST(&async->done);

	TAILQ_REMOVE(&async->done, item, link);
	TAILQ_INSERT_TAIL(&async->called, item, link);
	item->caller = pthread_self();
	async->running++;
	wake_if_over(async);
	return item;
}

/* Callbacks that become due meanwhile are for the next call. */
int mad_async_call_back(struct mad_async *async, unsigned max)
{
	struct mad_item *last, *item = NULL;
	unsigned called = 0;

	mad_engine_lock(async->engine);
	last = TAILQ_LAST(&async->done, mad_item_list);
	while (last && item != last && (!max || called < max) && !TAILQ_EMPTY(&async->done)) {
		item = take_done(async);
		mad_async_notify(async); /* another thread may call the next one meanwhile */
		mad_engine_unlock(async->engine);
		call_back(item);
		called++;
		mad_engine_lock(async->engine);
		end_callback(item);
	}
	mad_engine_unlock(async->engine);
	return (int)called;
}

/* The forking thread may be in a callback. */
void mad_async_end_callbacks(struct mad_async *async)
{
	struct mad_item *item = TAILQ_FIRST(&async->called), *next;

	for (; item; item = next) {
		next = TAILQ_NEXT(item, link);
		if (!pthread_equal(item->caller, pthread_self()))
			end_callback(item);
	}
}

/* Takes the next outcome, and frees the one before. Writes the outcome to *result with the lock:
 * another thread may take the one after, which frees this one. */
static bool show_next(struct mad_async *async, struct mad_async_result *result)
{
	struct mad_item *item, *before;

	mad_engine_lock(async->engine);
	item = TAILQ_FIRST(&async->kept);
	before = async->shown;
	if (item) {
		TAILQ_REMOVE(&async->kept, item, link);
		*result = describe(item);
	}
	async->shown = item;
	mad_engine_unlock(async->engine);
	if (before)
		mad_item_free(before);
	return item;
}

int mad_async_next_sized(struct mad_async *async, struct mad_async_result *result, size_t size)
{
	int error = async ? sized_check(result, size, SIZED_TO(result, context))
			  : mad_refuse(MAD_REFUSED_ASYNC);
	struct mad_async_result described;

	if (error)
		return mad_zero_or_error(error);
	if (!show_next(async, &described))
		return 0;
	SIZED_GIVE(result, size, context, &described);
	return 1;
}

void mad_async_free_kept(struct mad_async *async)
{
	struct mad_async_result ignored;

	while (show_next(async, &ignored))
		;
}
