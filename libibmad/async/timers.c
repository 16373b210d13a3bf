/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The timers of a queue's requests in flight, and of those queued that have a deadline: a pairing
 * heap by time, in the requests themselves, so that setting one never fails. One that ends after
 * all others, as most do, is set at once; taking one away costs the logarithm of their number.
 */
#include "libibmad/async/async.h"

/* The one of the two that ends first, with the other among those below it. Neither has a next. */
static struct mad_request *join(struct mad_request *one, struct mad_request *other)
{
	struct mad_request *first = other->due < one->due ? other : one;
	struct mad_request *second = first == one ? other : one;

	second->timer.next = first->timer.below;
	second->timer.before = first;
	if (second->timer.next)
		second->timer.next->timer.before = second;
	first->timer.below = second;
	return first;
}

/* Joins a list of timers, first in pairs, then the pairs from the last to the first. */
static struct mad_request *join_all(struct mad_request *request)
{
	struct mad_request *pairs = NULL, *all = NULL, *other, *next;

	for (; request; request = next) {
		other = request->timer.next;
		next = other ? other->timer.next : NULL;
		request->timer.next = NULL;
		if (other) {
			other->timer.next = NULL;
			request = join(request, other);
		}
		request->timer.next = pairs;
		pairs = request;
	}
	for (; pairs; pairs = next) {
		next = pairs->timer.next;
		pairs->timer.next = NULL;
		all = all ? join(all, pairs) : pairs;
	}
	return all;
}

/* Sets or moves a request's timer. */
void mad_timers_set(struct mad_queue *queue, struct mad_request *request, int64_t due)
{
	mad_timers_clear(queue, request);
	request->due = due;
	request->timer = (struct mad_timer){ .is_set = true };
	queue->first_due = queue->first_due ? join(queue->first_due, request) : request;
}

void mad_timers_clear(struct mad_queue *queue, struct mad_request *request)
{
	struct mad_timer *timer = &request->timer;
	struct mad_request *below;

	if (!timer->is_set)
		return;
	timer->is_set = false;
	below = join_all(timer->below);
	if (request == queue->first_due) {
		queue->first_due = below;
		return;
	}
	if (timer->before->timer.below == request)
		timer->before->timer.below = timer->next;
	else
		timer->before->timer.next = timer->next;
	if (timer->next)
		timer->next->timer.before = timer->before;
	if (below)
		queue->first_due = join(queue->first_due, below);
}
