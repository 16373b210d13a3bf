/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Wakes threads that wait for an engine. A thread that sleeps is signalled when the lock has been
 * released: else it would wake up to wait for the lock. One that polls is written to at once, since
 * it clears that with the lock held.
 */
#include <stdlib.h>

#include "libibmad/engine/engine.h"
#include "libibmad/engine/inflight.h"

void mad_engine_wake_now(struct mad_engine *engine)
{
	struct mad_condition *condition = engine->signalled;

	engine->signalled = NULL;
	if (condition)
		pthread_cond_signal(&condition->wake);
}

void mad_engine_release_and_wake(struct mad_engine *engine)
{
	struct mad_condition *condition = engine->signalled;

	engine->signalled = NULL;
	pthread_mutex_unlock(&engine->lock);
	pthread_cond_signal(&condition->wake);
}

static void signal_later(struct mad_engine *engine, struct mad_condition *condition)
{
	if (engine->signalled != condition)
		mad_engine_wake_now(engine);
	engine->signalled = condition;
}

/* Whoever is woken already waits again, and polls, or leaves, and hands over. */
void mad_engine_hand_over(struct mad_engine *engine)
{
	struct mad_waiter *first = TAILQ_FIRST(&engine->waiters);

	if (first && !engine->poller && !engine->signalled)
		engine->signalled = first->sleeps_on;
}

void mad_engine_wake(struct mad_waiter *waiter)
{
	if (waiter->sleeps_on)
		signal_later(waiter->engine, waiter->sleeps_on);
	else if (waiter->wakeup && waiter->engine->poller == waiter)
		mad_wakeup_signal(waiter->wakeup);
}

void mad_engine_wake_member(struct mad_waiter *waiter)
{
	if (waiter->woken)
		return;
	waiter->woken = true;
	waiter->group->awake++;
	mad_engine_wake(waiter);
}

void mad_engine_wake_all(struct mad_waiter_group *group)
{
	struct mad_waiter *waiter;

	TAILQ_FOREACH(waiter, &group->waiting, in_group)
	mad_engine_wake_member(waiter);
}

/* The one that polls and the one that sees to the timers would have to be replaced. */
static struct mad_waiter *most_idle(struct mad_waiter_group *group)
{
	struct mad_waiter *waiter, *found = TAILQ_FIRST(&group->waiting);

	TAILQ_FOREACH(waiter, &group->waiting, in_group)
	{
		if (waiter->sleeps_on && waiter != group->timekeeper)
			return waiter;
		if (waiter->sleeps_on)
			found = waiter;
	}
	return found;
}

/* A thread that is awake looks for what there is to do before it waits or leaves. */
void mad_engine_notify(struct mad_waiter_group *group)
{
	struct mad_waiter *waiter = group->awake ? NULL : most_idle(group);

	if (waiter)
		mad_engine_wake_member(waiter);
	else if (group->event && !group->awake)
		mad_wakeup_signal(group->event);
}

void mad_engine_change(struct mad_transaction *transaction)
{
	if (!transaction->is_changed)
		TAILQ_INSERT_TAIL(&transaction->group->changed, transaction, in_changed);
	transaction->is_changed = true;
	mad_engine_notify(transaction->group);
}

struct mad_condition *mad_engine_take_condition(struct mad_engine *engine)
{
	struct mad_condition *condition = SLIST_FIRST(&engine->unused_conditions);

	if (condition) {
		SLIST_REMOVE_HEAD(&engine->unused_conditions, in_unused);
		return condition;
	}
	condition = malloc(sizeof(*condition));
	if (condition && mad_clock_init_condition(&condition->wake)) {
		free(condition);
		return NULL;
	}
	if (condition)
		SLIST_INSERT_HEAD(&engine->conditions, condition, in_engine);
	return condition;
}

void mad_engine_give_condition(struct mad_engine *engine, struct mad_condition *condition)
{
	SLIST_INSERT_HEAD(&engine->unused_conditions, condition, in_unused);
}

/* In the child of a fork, which has none of the threads that slept. */
void mad_engine_forget_sleepers(struct mad_engine *engine)
{
	struct mad_condition *condition;

	TAILQ_INIT(&engine->waiters);
	engine->signalled = NULL;
	SLIST_INIT(&engine->unused_conditions);
	SLIST_FOREACH(condition, &engine->conditions, in_engine)
	{
		mad_clock_init_condition(&condition->wake);
		mad_engine_give_condition(engine, condition);
	}
}

void mad_engine_free_conditions(struct mad_engine *engine)
{
	struct mad_condition *condition;

	while ((condition = SLIST_FIRST(&engine->conditions))) {
		SLIST_REMOVE_HEAD(&engine->conditions, in_engine);
		pthread_cond_destroy(&condition->wake);
		free(condition);
	}
}
