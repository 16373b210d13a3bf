/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Carries out decisions: here, and nowhere else. Whatever happens to a request makes a step of its
 * machine (attempts.c) and notes that there is a decision; the thread that has the lock carries out
 * all of them before it waits or leaves.
 */
#include <errno.h>

#include "libibmad/engine/async.h"
#include "libibmad/engine/request.h"

/* The machine has ended: the thread, the rule or the program that waits gets to know. */
static __attribute__((noinline)) void finish(struct mad_request *request)
{
	struct mad_request *parent = request->parent;
	struct mad_item *item = mad_item_of(request);

	if (request->attempts.error == -ETIMEDOUT)
		request->response_length = 0; /* a rule has followed it up */
	mad_rule_end(request);
	if (parent)
		mad_engine_change(&request->port->engine, parent);
	else if (item)
		mad_item_finish(item);
	else
		mad_engine_wake(request->waiter);
}

void mad_engine_fail(struct mad_engine *engine, int error)
{
	struct mad_async *async;

	mad_engine_wake_all(engine, error);
	LIST_FOREACH(async, &engine->asyncs, link)
	mad_async_lose_port(async, error);
}

/* After a write that failed: if the port has gone, all that programs have submitted ends, this
 * request among it. */
static __attribute__((noinline, cold)) void check_port(struct mad_request *request)
{
	struct mad_engine *engine = &request->port->engine;
	int result = mad_item_of(request) ? mad_wakeup_poll(engine->fd, 0) : 0;

	if (result == -EIO || result == -ENODEV)
		mad_engine_fail(engine, request->attempts.error == -ENODEV ? -ENODEV : -EIO);
}

/* Returns false if the request can't be sent yet. */
static bool try_send(struct mad_request *request)
{
	struct mad_engine *engine = &request->port->engine;
	struct mad_attempts *attempts = &request->attempts;
	int error;

	if (__builtin_expect(attempts->deadline != MAD_NO_DEADLINE, 0) &&
	    mad_clock_now() >= attempts->deadline) {
		mad_request_step(request, MAD_ATTEMPT_TIMER, 0, attempts->deadline);
		return true;
	}
	if (__builtin_expect(engine->limits_agents, 0) && !mad_line_take(engine, request))
		return false;
	error = mad_engine_write(engine, request->agent, request->umad, request->length,
				 attempts->timeout_ms);
	if (__builtin_expect(error, 0)) {
		mad_request_step(request, MAD_ATTEMPT_SEND_FAILED, error, mad_clock_now());
		if (attempts->send_failed)
			check_port(request);
		return true;
	}
	mad_request_step(request, MAD_ATTEMPT_SENT, 0, mad_clock_now());
	if (__builtin_expect(request->place != NULL, 0))
		mad_line_sent(engine, request->place, request->mad, attempts->timeout_ms,
			      attempts->began);
	return true;
}

void mad_request_obey(struct mad_request *request)
{
	struct mad_attempts *attempts = &request->attempts;

	while (attempts->action == MAD_ATTEMPT_SEND || attempts->action == MAD_ATTEMPT_FOLLOW) {
		if (attempts->action == MAD_ATTEMPT_FOLLOW) {
			mad_rule_follow(request);
			if (attempts->action == MAD_ATTEMPT_FOLLOW)
				break; /* the rule has asked */
		} else if (!try_send(request)) {
			break;
		}
	}
	if (attempts->action == MAD_ATTEMPT_FINISH)
		finish(request);
	else if (!request->waiter)
		mad_request_set_timer(request);
	else if (request->waiter != request->port->engine.holder)
		mad_engine_wake(request->waiter); /* the thread sleeps until the wrong time */
}

void mad_request_run_timers(struct mad_engine *engine, int64_t now)
{
	while (engine->first_due && engine->first_due->due <= now) {
		struct mad_timer *timer = engine->first_due;
		struct mad_request *request;

		if (timer->of_place) {
			mad_line_expire(engine, timer);
			continue;
		}
		request = (void *)((char *)timer - offsetof(struct mad_request, timer));
		if (now < mad_request_until(request)) {
			mad_item_slow_down(request);
			mad_request_set_timer(request);
		} else {
			mad_request_step(request, MAD_ATTEMPT_TIMER, 0, now);
			mad_request_obey(request);
		}
	}
}

void mad_engine_carry_out(struct mad_engine *engine)
{
	struct mad_request *request;

	while ((request = TAILQ_FIRST(&engine->changed))) {
		TAILQ_REMOVE(&engine->changed, request, link_changed);
		request->is_changed = false;
		mad_request_obey(request);
	}
}

/* Whether the poll would end after the first timer is due. The kernel's poll() counts from the
 * call: a thread that was stopped just before polls longer than it meant to. */
static bool polls_too_long(const struct mad_engine *engine)
{
	int64_t until = engine->poller->until;

	return engine->first_due->due < until || until <= mad_clock_now();
}

void mad_engine_settle(struct mad_engine *engine)
{
	struct mad_request *request;
	struct mad_async *async;

	while (engine->is_unsettled) {
		engine->is_unsettled = false;
		mad_engine_carry_out(engine);
		while (engine->limits_agents && (request = mad_line_next(engine)))
			mad_request_obey(request);
		while ((async = LIST_FIRST(&engine->unsettled))) {
			LIST_REMOVE(async, link_unsettled);
			async->is_unsettled = false;
			mad_async_send(async);
		}
	}
	if (engine->poller && engine->first_due && polls_too_long(engine))
		mad_wakeup_signal(&engine->wakeup);
}
