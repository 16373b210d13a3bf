/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Waking threads: which, and when.
 */
#include <stdlib.h>

#include "libibmad/engine/async.h"
#include "libibmad/engine/request.h"

struct mad_wake *mad_wake_take(struct mad_engine *engine)
{
	struct mad_wake *wake = engine->idle_wakes;

	if (wake) {
		engine->idle_wakes = wake->next_idle;
		return wake;
	}
	wake = malloc(sizeof(*wake));
	if (!wake || mad_clock_init_condition(&wake->condition)) {
		free(wake);
		return NULL;
	}
	wake->next = engine->wakes;
	engine->wakes = wake;
	return wake;
}

void mad_wake_put_back(struct mad_engine *engine, struct mad_wake *wake)
{
	wake->next_idle = engine->idle_wakes;
	engine->idle_wakes = wake;
}

void mad_wake_free_all(struct mad_engine *engine, bool in_child)
{
	struct mad_wake *wake;

	while ((wake = engine->wakes)) {
		engine->wakes = wake->next;
		if (!in_child) /* the condition counts waiters of the parent */
			pthread_cond_destroy(&wake->condition);
		free(wake);
	}
	engine->idle_wakes = engine->to_signal = NULL;
}

void mad_wake_flush(struct mad_engine *engine)
{
	if (engine->to_signal)
		pthread_cond_signal(&engine->to_signal->condition);
	engine->to_signal = NULL;
}

void mad_wake_release(struct mad_engine *engine)
{
	struct mad_wake *wake = engine->to_signal;

	engine->to_signal = NULL;
	pthread_mutex_unlock(&engine->lock);
	pthread_cond_signal(&wake->condition);
}

void mad_wake_signal(struct mad_engine *engine, struct mad_wake *wake)
{
	if (engine->to_signal != wake)
		mad_wake_flush(engine);
	engine->to_signal = wake;
}

void mad_engine_end_sleep(struct mad_waiter *waiter)
{
	TAILQ_REMOVE(waiter->list, waiter, link);
	waiter->engine->sleeping--;
	waiter->wake = NULL;
}

void mad_engine_wake(struct mad_waiter *waiter)
{
	struct mad_engine *engine = waiter->engine;

	if (waiter->wake) {
		mad_wake_signal(engine, waiter->wake);
		mad_engine_end_sleep(waiter);
	} else if (engine->poller == waiter) {
		mad_wakeup_signal(&engine->wakeup);
	}
}

void mad_engine_wake_list(struct mad_waiter_list *list, int error)
{
	struct mad_waiter *waiter;

	while ((waiter = TAILQ_FIRST(list))) {
		waiter->error = error;
		mad_engine_wake(waiter);
	}
}

void mad_engine_wake_all(struct mad_engine *engine, int error)
{
	struct mad_async *async;

	mad_engine_wake_list(&engine->callers, error);
	mad_engine_wake_list(&engine->receivers, error);
	LIST_FOREACH(async, &engine->asyncs, link)
	mad_engine_wake_list(&async->dispatchers, error);
}

/* A thread that dispatches leaves after each callback, and would hand over again. */
struct mad_waiter *mad_engine_sleeper(const struct mad_engine *engine)
{
	struct mad_waiter *sleeper = TAILQ_FIRST(&engine->callers);
	struct mad_async *async;

	if (!engine->sleeping)
		return NULL;
	if (!sleeper)
		sleeper = TAILQ_FIRST(&engine->receivers);
	LIST_FOREACH(async, &engine->asyncs, link)
	if (!sleeper)
		sleeper = TAILQ_FIRST(&async->dispatchers);
	return sleeper;
}

void mad_engine_change(struct mad_engine *engine, struct mad_request *request)
{
	if (!request->is_changed)
		TAILQ_INSERT_TAIL(&engine->changed, request, link_changed);
	request->is_changed = true;
	engine->is_unsettled = true;
}
