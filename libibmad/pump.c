/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The thread that works for a lane where nobody calls mad_async_dispatch() in time: behind
 * mad_async_get_fd(), and for each port of a pair.
 */
#include <errno.h>
#include <signal.h>

#include "async.h"

static void *pump(void *argument)
{
	struct mad_lane *lane = argument;
	struct mad_waiter waiter = { .serves = lane };

	pthread_mutex_lock(&lane->engine->lock);
	while (!lane->stops) {
		int64_t until;
		int error;

		mad_lane_work(lane);
		if (!lane->outstanding) {
			pthread_cond_wait(&lane->pump_idle, &lane->engine->lock);
			continue;
		}
		until = mad_lane_next_look(lane);
		error = mad_engine_wait(lane->engine, &waiter, mad_lane_has_work, lane,
					mad_engine_remaining_ms(until), until);
		if (error && error != -ETIMEDOUT)
			mad_lane_fail(lane, error);
	}
	pthread_mutex_unlock(&lane->engine->lock);
	return NULL;
}

/* Starts the lane's thread, which takes no signals, unless there is one.
 * Returns 0 or -errno. */
int mad_pump_start(struct mad_lane *lane)
{
	sigset_t all, before;
	int error;

	sigfillset(&all);
	error = pthread_sigmask(SIG_SETMASK, &all, &before);
	if (error)
		return -error;
	pthread_mutex_lock(&lane->engine->lock);
	if (!lane->has_pump)
		error = pthread_create(&lane->pump, NULL, pump, lane);
	if (!error)
		lane->has_pump = true;
	pthread_mutex_unlock(&lane->engine->lock);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return -error;
}

/* With the engine's lock held. */
void mad_pump_wake(struct mad_lane *lane)
{
	if (lane->has_pump)
		pthread_cond_signal(&lane->pump_idle);
}

void mad_pump_stop(struct mad_lane *lane)
{
	if (!lane->has_pump)
		return;
	pthread_mutex_lock(&lane->engine->lock);
	lane->stops = true;
	mad_pump_wake(lane);
	pthread_mutex_unlock(&lane->engine->lock);
	pthread_join(lane->pump, NULL);
	pthread_mutex_lock(&lane->engine->lock);
	lane->has_pump = false;
	pthread_mutex_unlock(&lane->engine->lock);
}
