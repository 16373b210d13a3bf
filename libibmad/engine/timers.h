/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The timers of a port: a pairing heap by time, in the structures that the timers are for, so that
 * setting one never fails. A timer that ends after all others, as most do, is set at once; clearing
 * one costs the logarithm of their number.
 */
#ifndef LIBIBMAD_TIMERS_H
#define LIBIBMAD_TIMERS_H

#include <stdbool.h>
#include <stdint.h>

struct mad_timer {
	struct mad_timer *below;  /* the first of those below it, which end later */
	struct mad_timer *next;	  /* beside it */
	struct mad_timer *before; /* beside it, or above the first */
	int64_t due;
	bool is_set;
	bool of_place; /* the timer of a struct mad_place, otherwise of a struct mad_request */
};

/* Sets or moves a timer, or clears one (that is set). *first is the timer that ends first, or NULL.
 */
void mad_timer_set(struct mad_timer **first, struct mad_timer *timer, int64_t due);
void mad_timer_clear_set(struct mad_timer **first, struct mad_timer *timer);

static inline void mad_timer_clear(struct mad_timer **first, struct mad_timer *timer)
{
	if (__builtin_expect(timer->is_set, 0))
		mad_timer_clear_set(first, timer);
}

#endif
