/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The thread that works for a lane when no thread calls mad_async_dispatch() in time: it serves
 * mad_async_get_fd(), and each port of a pair.
 */
#include <errno.h>
#include <signal.h>

#include "libibmad/async/async.h"

/* With the lock held, while no request is outstanding. */
static void wait_for_requests(struct mad_lane *lane)
{
	mad_engine_hand_over(lane->engine);
	lane->pump_is_idle = true;
	pthread_cond_wait(&lane->pump_idle, &lane->engine->lock);
	lane->pump_is_idle = false;
}

static void run_follow_ups(struct mad_lane *lane)
{
	pthread_mutex_unlock(&lane->engine->lock);
	mad_follow_ups_run(lane);
	pthread_mutex_lock(&lane->engine->lock);
}

static void *pump(void *argument)
{
	struct mad_lane *lane = argument;
	struct mad_waiter waiter;

	mad_lane_enter(lane, &waiter);
	while (!lane->stops) {
		mad_lane_work(lane);
		if (lane->stops)
			break;
		if (!STAILQ_EMPTY(&lane->follow_ups))
			run_follow_ups(lane);
		else if (lane->outstanding)
			mad_lane_wait(lane, &waiter, MAD_NO_DEADLINE);
		else
			wait_for_requests(lane);
	}
	mad_lane_leave(lane, &waiter);
	return NULL;
}

/* Starts the lane's thread, with all signals blocked, unless it runs already. Returns 0 or
 * -errno. */
static int start(struct mad_lane *lane)
{
	sigset_t all, before;
	int error, cancel_state;

	sigfillset(&all);
	error = pthread_sigmask(SIG_SETMASK, &all, &before);
	if (error)
		return -error;
	cancel_state = mad_engine_lock(lane->engine);
	if (!lane->has_pump)
		error = pthread_create(&lane->pump, NULL, pump, lane);
	if (!error)
		lane->has_pump = true;
	mad_engine_unlock(lane->engine, cancel_state);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return -error;
}

/* Threads that dispatch leave the work to the lane's thread, which wakes them by callbacks that are
 * due. */
static void release_dispatchers(struct mad_lane *lane)
{
	int cancel_state = mad_engine_lock(lane->engine);

	mad_lane_wake_all(lane);
	mad_engine_unlock(lane->engine, cancel_state);
}

/* Starts the threads that work for the lanes, unless they run already. */
int mad_pump_start_all(struct mad_async *async)
{
	for (unsigned i = 0; i < async->lane_count; i++) {
		int error = start(&async->lanes[i]);

		if (error)
			return error;
	}
	atomic_store(&async->pumped, true);
	for (unsigned i = 0; i < async->lane_count; i++)
		release_dispatchers(&async->lanes[i]);
	return 0;
}

int mad_async_restore_pumps(struct mad_async *async)
{
	int error;

	if (!atomic_load(&async->pumps_lost))
		return 0;
	error = mad_pump_start_all(async);
	if (!error) {
		atomic_store(&async->pumps_lost, false);
		mad_completion_settle_event(async);
	}
	return error;
}

void mad_pump_stop(struct mad_lane *lane)
{
	int cancel_state = mad_engine_lock(lane->engine);
	bool has_pump = lane->has_pump;

	lane->stops = true;
	mad_lane_wake_all(lane);
	pthread_mutex_unlock(&lane->engine->lock);
	if (has_pump)
		pthread_join(lane->pump, NULL);
	pthread_mutex_lock(&lane->engine->lock);
	lane->has_pump = false;
	mad_engine_unlock(lane->engine, cancel_state);
}
