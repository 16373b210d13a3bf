/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Requests that wait until one of their agent ends: see engine/agents.h.
 */
#include "libibmad/async/async.h"

void mad_held_init(struct mad_queue *queue)
{
	for (int i = 0; i < MAD_LIMITED_AGENTS; i++) {
		queue->held[i].contender.group = &queue->workers;
		TAILQ_INIT(&queue->held[i].requests);
	}
}

static struct mad_held *held_of(struct mad_queue *queue, const struct mad_request *request)
{
	return &queue->held[request->agent - queue->engine->agents];
}

void mad_held_leave(struct mad_queue *queue, struct mad_request *request)
{
	struct mad_held *held = held_of(queue, request);

	TAILQ_REMOVE(&held->requests, request, link);
	queue->held_count--;
	request->place = MAD_ASYNC_IN_FLIGHT;
	if (TAILQ_EMPTY(&held->requests))
		mad_agent_withdraw(&held->contender);
}

/* Whether the request counts against a limit that is reached. One that is sent again counts
 * already. */
static bool must_wait_for_share(const struct mad_queue *queue, const struct mad_request *request)
{
	return !request->in_flight &&
	       queue->shares[mad_request_first_share(request)] >= queue->window;
}

struct mad_request *mad_held_find(struct mad_queue *queue)
{
	for (int i = 0; i < MAD_LIMITED_AGENTS; i++) {
		struct mad_held *held = &queue->held[i];
		struct mad_request *request = TAILQ_FIRST(&held->requests);

		if (request && must_wait_for_share(queue, request))
			mad_agent_withdraw(&held->contender);
		else if (request && mad_agent_has_place(request->agent, &held->contender))
			return request;
		else if (request)
			mad_agent_wait(request->agent, &held->contender);
	}
	return NULL;
}

bool mad_held_take_place(struct mad_queue *queue, struct mad_request *request)
{
	struct mad_held *held = held_of(queue, request);

	if (TAILQ_EMPTY(&held->requests) &&
	    mad_agent_take(request->agent, &held->contender, &request->transaction))
		return true;
	request->place = MAD_ASYNC_HELD;
	queue->held_count++;
	if (!request->in_flight) {
		TAILQ_INSERT_TAIL(&held->requests, request, link);
		return false;
	}
	TAILQ_INSERT_HEAD(&held->requests, request, link); /* others may wait for its share */
	if (mad_request_has_deadline(request))
		mad_timers_set(queue, request, request->transaction.try.deadline);
	return false;
}

void mad_held_take_turn(struct mad_queue *queue, struct mad_request *request)
{
	mad_agent_take(request->agent, &held_of(queue, request)->contender, &request->transaction);
	mad_held_leave(queue, request);
}
