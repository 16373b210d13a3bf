/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * timers.c - see timers.h.
 */
#include <stddef.h>

#include "libibmad/engine/timers.h"

/* Returns the timer of the two that ends first, with the other among those below it. Neither has a
 * next. */
static struct mad_timer *join(struct mad_timer *one, struct mad_timer *other)
{
	struct mad_timer *first = other->due < one->due ? other : one;
	struct mad_timer *second = first == one ? other : one;

	second->next = first->below;
	second->before = first;
	if (second->next)
		second->next->before = second;
	first->below = second;
	return first;
}

/* Joins a list of timers, first in pairs, then the pairs from the last to the first. */
static struct mad_timer *join_all(struct mad_timer *timer)
{
	struct mad_timer *pairs = NULL, *all = NULL, *other, *next;

	for (; timer; timer = next) {
		other = timer->next;
		next = other ? other->next : NULL;
		timer->next = NULL;
		if (other) {
			other->next = NULL;
			timer = join(timer, other);
		}
		timer->next = pairs;
		pairs = timer;
	}
	for (; pairs; pairs = next) {
		next = pairs->next;
		pairs->next = NULL;
		all = all ? join(all, pairs) : pairs;
	}
	return all;
}

void mad_timer_set(struct mad_timer **first, struct mad_timer *timer, int64_t due)
{
	mad_timer_clear(first, timer);
	timer->below = timer->next = timer->before = NULL;
	timer->due = due;
	timer->is_set = true;
	*first = *first ? join(*first, timer) : timer;
}

void mad_timer_clear_set(struct mad_timer **first, struct mad_timer *timer)
{
	struct mad_timer *below;

	timer->is_set = false;
	below = join_all(timer->below);
	if (timer == *first) {
		*first = below;
		return;
	}
	if (timer->before->below == timer)
		timer->before->below = timer->next;
	else
		timer->before->next = timer->next;
	if (timer->next)
		timer->next->before = timer->before;
	if (below)
		*first = join(*first, below);
}
