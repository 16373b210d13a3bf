/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * How threads wait for an engine: one polls and reads for all, the others sleep.
 *
 * No wait times out before everything that had arrived by its deadline has been read: a thread
 * whose deadline has passed reads by itself until poll() finds nothing. If another thread polls, it
 * looks from time to time whether that one has read everything: if it read a MAD for the other
 * thread, poll() would not end there. MADs are read with the lock held, so every MAD is either
 * unread or delivered.
 */
#include <errno.h>

#include "libibmad/engine/engine.h"
#include "libibmad/engine/inflight.h"

/* How long a thread whose deadline has passed waits for the one that polls. */
#define LOOK_AGAIN (MAD_NS_PER_MS / 2)

static void join_group(struct mad_waiter *waiter, int64_t until)
{
	if (!waiter->group)
		return;
	TAILQ_INSERT_TAIL(&waiter->group->waiting, waiter, in_group);
	waiter->group->awake--;
	waiter->until = until;
	waiter->waits = true;
	waiter->woken = false;
}

static void leave_group(struct mad_waiter *waiter)
{
	if (!waiter->group)
		return;
	TAILQ_REMOVE(&waiter->group->waiting, waiter, in_group);
	waiter->group->awake += !waiter->woken;
	waiter->waits = false;
}

static void end_sleep(struct mad_engine *engine, struct mad_waiter *waiter)
{
	leave_group(waiter);
	TAILQ_REMOVE(&engine->waiters, waiter, in_engine);
	mad_engine_give_condition(engine, waiter->sleeps_on);
	waiter->sleeps_on = NULL;
}

/* The thread is being cancelled; it holds the lock. Afterwards nothing may point to its stack. */
static void abandon(struct mad_waiter *waiter)
{
	struct mad_engine *engine = waiter->engine;
	struct mad_waiter_group *group = waiter->group;

	if (waiter->transaction) {
		mad_inflight_abandon(engine, waiter->transaction);
		if (engine->limits_agents)
			mad_agent_withdraw(&waiter->contender);
	}
	if (group && group->timekeeper == waiter)
		group->timekeeper = NULL;
	if (group) {
		group->awake--;
		mad_engine_notify(group);
		mad_agents_offer(engine);
	}
	mad_engine_hand_over(engine);
	mad_engine_release(engine);
}

static void abandon_sleep(void *argument)
{
	struct mad_waiter *waiter = argument;

	end_sleep(waiter->engine, waiter);
	abandon(waiter);
}

static void end_poll(struct mad_engine *engine, struct mad_waiter *waiter)
{
	leave_group(waiter);
	engine->poller = NULL;
	mad_wakeup_clear(&engine->wakeup);
}

static void abandon_poll(void *argument)
{
	struct mad_waiter *waiter = argument;

	pthread_mutex_lock(&waiter->engine->lock);
	end_poll(waiter->engine, waiter);
	abandon(waiter);
}

static void pause_unlocked(struct mad_engine *engine)
{
	mad_engine_release(engine);
	mad_clock_pause_ms(1);
	pthread_mutex_lock(&engine->lock);
}

/* Sleeps until another thread wakes the waiter, or until the deadline; without memory, for a
 * moment. */
static void sleep_until(struct mad_engine *engine, struct mad_waiter *waiter, int64_t until)
{
	struct mad_condition *condition = mad_engine_take_condition(engine);

	if (!condition) {
		pause_unlocked(engine);
		return;
	}
	waiter->sleeps_on = condition;
	TAILQ_INSERT_TAIL(&engine->waiters, waiter, in_engine);
	join_group(waiter, until);
	mad_engine_wake_now(engine);
	pthread_cleanup_push(abandon_sleep, waiter);
	mad_release_cancel(waiter->cancel_state);
	mad_clock_wait(&condition->wake, &engine->lock, until);
	mad_hold_cancel();
	pthread_cleanup_pop(0);
	end_sleep(engine, waiter);
}

/* Whether the waiter has read long enough after its deadline. */
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
 * There was nothing to read although poll() had reported a MAD, which another process that has the
 * descriptor may have read, or an error, or that this is no descriptor (-EINVAL): the port of a
 * program that stands before umad_open_port() may be none, and yet umad_recv() finds what there is,
 * so the thread pauses in place of a poll. It also pauses without memory: there may be some again
 * soon, and the MAD that was not read, which is kept, may be another's.
 */
static __attribute__((noinline, cold)) int read_failed(struct mad_engine *engine, int error,
						       int result, int64_t now, int64_t until)
{
	bool is_late = now >= until;

	if (error == -EAGAIN || error == -ETIMEDOUT)
		error = result != -EINVAL ? result : is_late ? -ETIMEDOUT : -EAGAIN;
	if (error != -EAGAIN && (error != -ENOMEM || is_late))
		return error;
	pause_unlocked(engine);
	return 0;
}

/* Reads a MAD that poll() has reported. result is the return value of poll(), which may be an error
 * of the device. */
static inline int read_promised(struct mad_engine *engine, int result, int64_t now, int64_t until)
{
	int error = mad_engine_read(engine);

	return __builtin_expect(!error, 1) ? 0 : read_failed(engine, error, result, now, until);
}

/* The deadline has passed: reads a MAD that has arrived, or waits for its being read. */
static __attribute__((noinline, cold)) int read_late(struct mad_engine *engine,
						     struct mad_waiter *waiter, int64_t now,
						     int64_t until)
{
	int result;

	if (engine->empty_at > until || has_drained(waiter, now, until))
		return -ETIMEDOUT;
	result = mad_wakeup_poll(NULL, engine->fd, 0);
	if (result == -EINTR)
		return 0;
	if (result == -ETIMEDOUT) {
		engine->empty_at = now;
		return -ETIMEDOUT;
	}
	if (!engine->poller)
		return read_promised(engine, result, now, until);
	sleep_until(engine, waiter, now + LOOK_AGAIN);
	return 0;
}

void mad_engine_drain(struct mad_engine *engine, unsigned most)
{
	while (most-- && !engine->poller && !mad_engine_read(engine))
		;
}

/* The deadline has passed, or another thread polls. */
static __attribute__((noinline, cold)) int wait_apart(struct mad_engine *engine,
						      struct mad_waiter *waiter, int64_t now,
						      int64_t until)
{
	if (now >= until)
		return read_late(engine, waiter, now, until);
	sleep_until(engine, waiter, until);
	return 0;
}

int mad_engine_wait(struct mad_engine *engine, struct mad_waiter *waiter, int64_t until)
{
	int64_t now = mad_clock_now();
	int ms = mad_clock_remaining_ms(now, until), result;

	if (__builtin_expect(now >= until || engine->poller, 0))
		return wait_apart(engine, waiter, now, until);
	engine->poller = waiter;
	join_group(waiter, until);
	mad_engine_release(engine);
	pthread_cleanup_push(abandon_poll, waiter);
	mad_release_cancel(waiter->cancel_state);
	result = mad_wakeup_poll(waiter->wakeup, engine->fd, ms);
	mad_hold_cancel();
	pthread_cleanup_pop(0);
	pthread_mutex_lock(&engine->lock);
	end_poll(engine, waiter);
	if (__builtin_expect(result, 0) && (result == -ETIMEDOUT || result == -EINTR))
		return 0;
	return read_promised(engine, result, now, until);
}

int mad_engine_sleep(struct mad_engine *engine, struct mad_waiter *waiter, int64_t until)
{
	if (mad_clock_now() >= until)
		return -ETIMEDOUT;
	sleep_until(engine, waiter, until);
	return 0;
}

void mad_engine_forget_threads(struct mad_engine *engine)
{
	engine->poller = NULL;
	mad_engine_forget_sleepers(engine);
	mad_engine_init_group(&engine->receivers);
	mad_wakeup_reopen(&engine->wakeup);
}
