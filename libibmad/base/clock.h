/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Times and waits, in nanoseconds of CLOCK_MONOTONIC, which cannot be set.
 */
#ifndef LIBIBMAD_CLOCK_H
#define LIBIBMAD_CLOCK_H

#include <limits.h>
#include <pthread.h>
#include <stdint.h>
#include <time.h>

#define MAD_NS_PER_MS	INT64_C(1000000)
#define MAD_NS_PER_S	INT64_C(1000000000)
#define MAD_NO_DEADLINE INT64_MAX

static inline int64_t mad_clock_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * MAD_NS_PER_S + now.tv_nsec;
}

/* The time timeout_ms after start; MAD_NO_DEADLINE for a negative timeout. */
static inline int64_t mad_clock_after(int64_t start, int timeout_ms)
{
	return timeout_ms < 0 ? MAD_NO_DEADLINE : start + timeout_ms * MAD_NS_PER_MS;
}

/* From now until the deadline as poll() takes it: whole ms, rounded up; -1 without a deadline. */
static inline int mad_clock_remaining_ms(int64_t now, int64_t deadline)
{
	int64_t left;

	if (deadline == MAD_NO_DEADLINE)
		return -1;
	left = deadline - now;
	if (left <= 0)
		return 0;
	left = (left - 1) / MAD_NS_PER_MS + 1;
	return left > INT_MAX ? INT_MAX : (int)left;
}

/* Creates a condition variable whose timed waits use CLOCK_MONOTONIC. Returns 0 or -errno. */
static inline int mad_clock_init_condition(pthread_cond_t *condition)
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

/* Waits for the condition, at most until the deadline. Returns 0 or -ETIMEDOUT. */
static inline int mad_clock_wait(pthread_cond_t *condition, pthread_mutex_t *lock, int64_t deadline)
{
	struct timespec until = { deadline / MAD_NS_PER_S, deadline % MAD_NS_PER_S };

	if (deadline == MAD_NO_DEADLINE)
		return -pthread_cond_wait(condition, lock);
	return -pthread_cond_timedwait(condition, lock, &until);
}

static inline void mad_clock_pause_ms(int ms)
{
	struct timespec pause = { ms / 1000, ms % 1000 * MAD_NS_PER_MS };

	nanosleep(&pause, NULL);
}

#endif
