/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* See scheduler.h: a heap by time, and by the order of sim_at() for equal times. */

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "scheduler.h"

enum { EVENTS_MAX = 8192 };

struct event {
	int64_t due;
	uint64_t sequence;
	void (*happen)(void *subject);
	void *subject;
};

static struct event heap[EVENTS_MAX + 1]; /* [1] is the first */
static unsigned count;
static uint64_t sequence;

void sim_events_clear(void)
{
	count = 0;
	sequence = 0;
}

static bool is_sooner(const struct event *one, const struct event *other)
{
	return one->due < other->due || (one->due == other->due && one->sequence < other->sequence);
}

void sim_at(int64_t due, void (*happen)(void *subject), void *subject)
{
	struct event event = { due, sequence++, happen, subject };
	unsigned place;

	if (count == EVENTS_MAX) {
		fprintf(stderr, "simulate: more than %d events\n", EVENTS_MAX);
		abort();
	}
	for (place = ++count; place > 1 && is_sooner(&event, &heap[place / 2]); place /= 2)
		heap[place] = heap[place / 2];
	heap[place] = event;
}

static struct event take_first(void)
{
	struct event first = heap[1], last = heap[count--];
	unsigned place = 1, child;

	while ((child = place * 2) <= count) {
		if (child < count && is_sooner(&heap[child + 1], &heap[child]))
			child++;
		if (!is_sooner(&heap[child], &last))
			break;
		heap[place] = heap[child];
		place = child;
	}
	heap[place] = last;
	return first;
}

int64_t sim_events_next(void)
{
	return count ? heap[1].due : SIM_NEVER;
}

void sim_events_happen(void)
{
	while (count && heap[1].due <= sim.now) {
		struct event event = take_first();

		event.happen(event.subject);
	}
}
