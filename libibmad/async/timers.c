/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The timers of a queue's requests in flight, and of those queued that have a deadline: a binary
 * heap by time. Its cost grows with the logarithm of their number.
 */
#include <errno.h>
#include <stdlib.h>

#include "libibmad/async/async.h"

#define FIRST_CAPACITY 64

static unsigned capacity_for(const struct mad_queue *queue)
{
	if (queue->timed + 1 >= queue->timer_capacity)
		return queue->timer_capacity ? queue->timer_capacity * 2 : FIRST_CAPACITY;
	if (queue->timer_capacity > 2 * MAD_ASYNC_SPARES_MAX &&
	    queue->timed < queue->timer_capacity / 8)
		return queue->timer_capacity / 2;
	return queue->timer_capacity;
}

/* Grows the heap, if necessary, for the timer of one more request. Returns 0 or
 * -ENOMEM. */
int mad_timers_reserve(struct mad_queue *queue)
{
	unsigned capacity = capacity_for(queue);
	struct mad_request **timers;

	if (capacity == queue->timer_capacity)
		return 0;
	timers = realloc(queue->timers, capacity * sizeof(struct mad_request *));
	if (!timers)
		return -ENOMEM;
	queue->timers = timers;
	queue->timer_capacity = capacity;
	return 0;
}

static void put(struct mad_queue *queue, unsigned place, struct mad_request *request)
{
	queue->timers[place] = request;
	request->timer = place;
}

static void sift_up(struct mad_queue *queue, struct mad_request *request, unsigned place)
{
	while (place > 1 && queue->timers[place / 2]->due > request->due) {
		put(queue, place, queue->timers[place / 2]);
		place /= 2;
	}
	put(queue, place, request);
}

static void sift_down(struct mad_queue *queue, struct mad_request *request, unsigned place)
{
	unsigned child;

	while ((child = place * 2) <= queue->timer_count) {
		if (child < queue->timer_count &&
		    queue->timers[child + 1]->due < queue->timers[child]->due)
			child++;
		if (queue->timers[child]->due >= request->due)
			break;
		put(queue, place, queue->timers[child]);
		place = child;
	}
	put(queue, place, request);
}

static void place_timer(struct mad_queue *queue, struct mad_request *request, unsigned place)
{
	if (place > 1 && queue->timers[place / 2]->due > request->due)
		sift_up(queue, request, place);
	else
		sift_down(queue, request, place);
}

/* Sets or moves a request's timer. Before a new one, the caller calls mad_timers_reserve(). */
void mad_timers_set(struct mad_queue *queue, struct mad_request *request, int64_t due)
{
	request->due = due;
	place_timer(queue, request, request->timer ? request->timer : ++queue->timer_count);
}

void mad_timers_clear(struct mad_queue *queue, struct mad_request *request)
{
	unsigned place = request->timer;
	struct mad_request *last;

	if (!place)
		return;
	request->timer = 0;
	last = queue->timers[queue->timer_count--];
	if (last != request)
		place_timer(queue, last, place);
}
