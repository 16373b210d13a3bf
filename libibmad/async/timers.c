/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The timers of a lane's requests in flight: a binary heap by time. Its cost grows with the
 * logarithm of the number of requests in flight, and not with the number queued.
 */
#include <errno.h>
#include <stdlib.h>

#include "libibmad/async/async.h"

#define FIRST_CAPACITY 64

static unsigned capacity_for(const struct mad_lane *lane)
{
	if (lane->in_flight + 1 >= lane->timer_capacity)
		return lane->timer_capacity ? lane->timer_capacity * 2 : FIRST_CAPACITY;
	if (lane->timer_capacity > 2 * MAD_ASYNC_SPARES_MAX &&
	    lane->in_flight < lane->timer_capacity / 8)
		return lane->timer_capacity / 2;
	return lane->timer_capacity;
}

/* Grows the heap, if necessary, for the timer of one more request in flight. Returns 0 or
 * -ENOMEM. */
int mad_timers_reserve(struct mad_lane *lane)
{
	unsigned capacity = capacity_for(lane);
	struct mad_async_request **timers;

	if (capacity == lane->timer_capacity)
		return 0;
	timers = realloc(lane->timers, capacity * sizeof(struct mad_async_request *));
	if (!timers)
		return -ENOMEM;
	lane->timers = timers;
	lane->timer_capacity = capacity;
	return 0;
}

static void put(struct mad_lane *lane, unsigned place, struct mad_async_request *request)
{
	lane->timers[place] = request;
	request->timer = place;
}

static void sift_up(struct mad_lane *lane, struct mad_async_request *request, unsigned place)
{
	while (place > 1 && lane->timers[place / 2]->due > request->due) {
		put(lane, place, lane->timers[place / 2]);
		place /= 2;
	}
	put(lane, place, request);
}

static void sift_down(struct mad_lane *lane, struct mad_async_request *request, unsigned place)
{
	unsigned child;

	while ((child = place * 2) <= lane->timer_count) {
		if (child < lane->timer_count &&
		    lane->timers[child + 1]->due < lane->timers[child]->due)
			child++;
		if (lane->timers[child]->due >= request->due)
			break;
		put(lane, place, lane->timers[child]);
		place = child;
	}
	put(lane, place, request);
}

static void place_timer(struct mad_lane *lane, struct mad_async_request *request, unsigned place)
{
	if (place > 1 && lane->timers[place / 2]->due > request->due)
		sift_up(lane, request, place);
	else
		sift_down(lane, request, place);
}

/* Sets or moves a request's timer. Before a new one, the caller calls mad_timers_reserve(). */
void mad_timers_set(struct mad_lane *lane, struct mad_async_request *request, int64_t due)
{
	request->due = due;
	place_timer(lane, request, request->timer ? request->timer : ++lane->timer_count);
}

void mad_timers_clear(struct mad_lane *lane, struct mad_async_request *request)
{
	unsigned place = request->timer;
	struct mad_async_request *last;

	if (!place)
		return;
	request->timer = 0;
	last = lane->timers[lane->timer_count--];
	if (last != request)
		place_timer(lane, last, place);
}
