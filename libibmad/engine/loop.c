/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * How threads wait for a port: one polls and reads for all, the others sleep.
 *
 * No wait times out before everything that had arrived by its deadline has been read: a thread
 * whose deadline has passed reads by itself until poll() finds nothing. Where another thread polls,
 * the late thread looks from time to time whether everything has been read, and reads nothing: the
 * poll() of the other one might not end. MADs are read with the lock held, so every MAD is either
 * unread or delivered.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/sized.h"
#include "libibmad/engine/async.h"
#include "libibmad/engine/request.h"

/* How long a thread whose deadline has passed waits for the one that polls. */
#define LOOK_AGAIN (MAD_NS_PER_MS / 2)

/* The sleeper stays in its list until it runs: another thread that leaves wakes it as well. */
void mad_engine_hand_over(struct mad_engine *engine)
{
	struct mad_waiter *sleeper = engine->poller ? NULL : mad_engine_sleeper(engine);

	if (sleeper)
		mad_wake_signal(engine, sleeper->wake);
	mad_async_update_timers(engine);
}

/* Takes the lock, which another thread may have had. */
static void relock(struct mad_waiter *waiter)
{
	pthread_mutex_lock(&waiter->engine->lock);
	waiter->engine->holder = waiter;
}

static void end_poll(struct mad_engine *engine)
{
	engine->poller = NULL;
	mad_wakeup_clear(&engine->wakeup);
}

static void end_sleep(struct mad_waiter *waiter)
{
	if (waiter->wake)
		mad_engine_end_sleep(waiter);
	mad_wake_put_back(waiter->engine, waiter->own_wake);
}

/* The thread is being cancelled while it polls, without the lock, or sleeps. Afterwards nothing may
 * point to its stack. */
static void abandon(void *argument)
{
	struct mad_waiter *waiter = argument;
	struct mad_engine *engine = waiter->engine;

	if (engine->poller == waiter) {
		pthread_mutex_lock(&engine->lock);
		end_poll(engine);
	} else {
		end_sleep(waiter);
	}
	engine->holder = NULL;
	if (waiter->request) {
		mad_rule_end(waiter->request);
		mad_request_drop_response(waiter->request);
	}
	if (waiter->async)
		mad_async_notify(waiter->async);
	mad_engine_settle(engine);
	mad_engine_hand_over(engine);
	mad_engine_release(engine);
}

static void pause_unlocked(struct mad_waiter *waiter)
{
	mad_engine_release(waiter->engine);
	mad_clock_pause_ms(1);
	relock(waiter);
}

static void sleep_until(struct mad_engine *engine, struct mad_waiter *waiter, int64_t until)
{
	struct mad_wake *wake = mad_wake_take(engine);

	if (!wake) {
		pause_unlocked(waiter);
		return;
	}
	waiter->wake = wake;
	waiter->own_wake = wake;
	TAILQ_INSERT_TAIL(waiter->list, waiter, link);
	engine->sleeping++;
	mad_wake_flush(engine);
	pthread_cleanup_push(abandon, waiter);
	mad_release_cancel(waiter->cancel_state);
	mad_clock_wait(&wake->condition, &engine->lock, until);
	mad_hold_cancel();
	pthread_cleanup_pop(0);
	end_sleep(waiter);
	engine->holder = waiter;
}

static bool has_drained(struct mad_waiter *waiter, int64_t now, int64_t until)
{
	if (waiter->late_for != until) {
		waiter->late_for = until;
		waiter->late_since = now;
		waiter->late_reads = waiter->engine->reads;
	}
	return now - waiter->late_since >= MAD_ENGINE_DRAIN &&
	       waiter->engine->reads - waiter->late_reads >= MAD_ENGINE_DRAIN_READS;
}

/*
 * A read failed after poll() had reported a MAD, which another process that has the descriptor may
 * have read; or an error; or that the port is no descriptor (-EINVAL), as a program that replaces
 * umad_open_port() may have it: umad_recv() finds MADs all the same, so the thread pauses instead
 * of polling. Without memory the thread pauses, too: the MAD stays in the kernel, and may be
 * another thread's.
 */
static __attribute__((noinline, cold)) int read_failed(struct mad_waiter *waiter, int error,
						       int result, bool is_late)
{
	if (error == -EAGAIN || error == -ETIMEDOUT)
		error = result != -EINVAL ? result : is_late ? -ETIMEDOUT : -EAGAIN;
	if (error == -EAGAIN || (error == -ENOMEM && !is_late)) {
		pause_unlocked(waiter);
		return 0;
	}
	if (error && error != -ENOMEM && error != -ETIMEDOUT)
		mad_engine_fail(waiter->engine, error);
	return error;
}

/* Reads one MAD after poll(), whose result is not that there is none. */
static int read_reported(struct mad_engine *engine, struct mad_waiter *waiter, int result,
			 bool is_late)
{
	int error = mad_engine_read(engine);

	return __builtin_expect(error, 0) ? read_failed(waiter, error, result, is_late) : 0;
}

/* The deadline has passed: reads what has arrived, or waits for its being read. */
static __attribute__((noinline, cold)) int read_late(struct mad_engine *engine,
						     struct mad_waiter *waiter, int64_t now,
						     int64_t until)
{
	int result;

	if (engine->empty_at > until || has_drained(waiter, now, until))
		return -ETIMEDOUT;
	result = mad_wakeup_poll(engine->fd, 0);
	if (result == -EINTR)
		return 0;
	if (result == -ETIMEDOUT) {
		engine->empty_at = now;
		return -ETIMEDOUT;
	}
	if (!engine->poller)
		return read_reported(engine, waiter, result, true);
	sleep_until(engine, waiter, now + LOOK_AGAIN);
	return 0;
}

static int poll_and_read(struct mad_engine *engine, struct mad_waiter *waiter, int64_t now,
			 int64_t until)
{
	int result, ms = mad_clock_remaining_ms(now, until), event_fd = engine->wakeup.event_fd;

	engine->poller = waiter;
	waiter->until = until;
	mad_engine_release(engine);
	pthread_cleanup_push(abandon, waiter);
	mad_release_cancel(waiter->cancel_state);
	result = mad_wakeup_poll_with(event_fd, engine->fd, ms);
	mad_hold_cancel();
	pthread_cleanup_pop(0);
	relock(waiter);
	end_poll(engine);
	if (__builtin_expect(result == -ETIMEDOUT || result == -EINTR, 0))
		return 0;
	return read_reported(engine, waiter, result, false);
}

/*
 * Returns until when the thread polls: until the first timer at most, or until the alarm of an
 * earlier poll. An alarm that is early costs a poll; without it, each timer that is set, and
 * usually cleared soon, would interrupt the poll.
 */
static inline int64_t set_alarm(struct mad_engine *engine, int64_t now, int64_t until)
{
	int64_t due = engine->first_due ? engine->first_due->due : MAD_NO_DEADLINE;

	if (engine->alarm <= now || due < engine->alarm)
		engine->alarm = due;
	return engine->alarm < until ? engine->alarm : until;
}

/* The wait has ended with an error: that of the caller's deadline only if it waited until then. */
static __attribute__((noinline, cold)) int end_late_wait(struct mad_engine *engine, int error,
							 int64_t limit, int64_t until)
{
	if (error != -ETIMEDOUT && (error != -ENOMEM || limit >= until))
		return error;
	mad_request_run_timers(engine, limit);
	return limit < until ? 0 : error;
}

int mad_engine_wait(struct mad_engine *engine, struct mad_waiter *waiter, int64_t until)
{
	int64_t now = mad_clock_now(), limit = until;
	int error = 0;

	if (__builtin_expect(engine->is_unsettled, 0)) {
		mad_engine_settle(engine); /* the caller may have to wait for another time now */
		return waiter->error;
	}
	if (__builtin_expect(!engine->poller, 1))
		limit = set_alarm(engine, now, until);
	if (__builtin_expect(now >= limit, 0))
		error = read_late(engine, waiter, now, limit);
	else if (__builtin_expect(!engine->poller, 1))
		error = poll_and_read(engine, waiter, now, limit);
	else
		sleep_until(engine, waiter, limit);
	if (__builtin_expect(error, 0))
		error = end_late_wait(engine, error, limit, until);
	if (__builtin_expect(engine->is_unsettled, 0))
		mad_engine_settle(engine);
	return error ? error : waiter->error;
}
