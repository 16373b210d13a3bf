/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * clock.c - see clock.h.
 */
#include <errno.h>

#include "libibmad/base/clock.h"

int mad_clock_init_condition(pthread_cond_t *condition)
{
	pthread_condattr_t attributes;
	int error = pthread_condattr_init(&attributes);

	if (error)
		return -error;
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	error = pthread_cond_init(condition, &attributes);
	pthread_condattr_destroy(&attributes);
	return -error;
}

int mad_clock_wait(pthread_cond_t *condition, pthread_mutex_t *lock, int64_t deadline)
{
	struct timespec until = { .tv_sec = deadline / MAD_NS_PER_S,
				  .tv_nsec = deadline % MAD_NS_PER_S };

	if (deadline == MAD_NO_DEADLINE)
		return -pthread_cond_wait(condition, lock);
	return -pthread_cond_timedwait(condition, lock, &until);
}

void mad_clock_pause_ms(int ms)
{
	struct timespec pause = { .tv_sec = ms / 1000, .tv_nsec = ms % 1000 * MAD_NS_PER_MS };

	nanosleep(&pause, NULL);
}
