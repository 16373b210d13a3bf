/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * How threads wait for an engine: one polls and reads for all, the others sleep.
 *
 * No wait times out before everything that had arrived by its deadline has been read. The polling
 * thread knows that this is the case when poll() finds nothing. A sleeping thread whose deadline
 * has passed polls without waiting; if there is something to read, it waits, as a judge, until the
 * polling thread has read it. MADs are read with the lock held, so every MAD is either unread or
 * delivered.
 */
#include <errno.h>

#include "libibmad/engine/engine.h"

/* Consecutive reads that find nothing, although poll() reported a MAD, before a pause. */
#define EMPTY_READS_MAX 16

static void join_group(struct mad_waiter *waiter)
{
	if (waiter->group)
		TAILQ_INSERT_TAIL(waiter->group, waiter, in_group);
}

static void leave_group(struct mad_waiter *waiter)
{
	if (waiter->group)
		TAILQ_REMOVE(waiter->group, waiter, in_group);
}

static void end_judging(struct mad_engine *engine, struct mad_waiter *waiter)
{
	engine->judges -= waiter->judges;
	waiter->judges = false;
}

static void end_sleep(struct mad_engine *engine, struct mad_waiter *waiter)
{
	leave_group(waiter);
	TAILQ_REMOVE(&engine->waiters, waiter, in_engine);
	waiter->sleeps = false;
	end_judging(engine, waiter);
	pthread_cond_destroy(&waiter->wake);
}

/* The thread is being cancelled; it holds the lock. Afterwards nothing may point to its stack. */
static void abandon(struct mad_waiter *waiter)
{
	struct mad_engine *engine = waiter->engine;

	if (waiter->abandon)
		waiter->abandon(waiter);
	mad_engine_hand_over(engine);
	pthread_mutex_unlock(&engine->lock);
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

/* Sleeps until another thread wakes the waiter, or until the deadline. Returns 0 or -errno. */
static int sleep_until(struct mad_engine *engine, struct mad_waiter *waiter, int64_t until)
{
	int error = mad_clock_init_condition(&waiter->wake);

	if (error) {
		end_judging(engine, waiter);
		return error;
	}
	TAILQ_INSERT_TAIL(&engine->waiters, waiter, in_engine);
	waiter->sleeps = true;
	waiter->until = until;
	join_group(waiter);
	pthread_cleanup_push(abandon_sleep, waiter);
	mad_release_cancel(waiter->cancel_state);
	mad_clock_wait(&waiter->wake, &engine->lock, until);
	mad_hold_cancel();
	pthread_cleanup_pop(0);
	end_sleep(engine, waiter);
	return 0;
}

/* At `now` there was nothing to read: ends the waits that depended on this. */
static void note_empty(struct mad_engine *engine, int64_t now)
{
	struct mad_waiter *waiter;

	if (now > engine->empty_at)
		engine->empty_at = now;
	if (!engine->judges)
		return;
	TAILQ_FOREACH(waiter, &engine->waiters, in_engine)
	{
		if (waiter->judges)
			mad_engine_wake(waiter);
		end_judging(engine, waiter);
	}
}

/* Whether the waiter has read long enough after its deadline. */
static bool has_drained(struct mad_waiter *waiter, int64_t now, int64_t until)
{
	if (now < until)
		return false;
	if (waiter->late_for != until) {
		waiter->late_for = until;
		waiter->late_since = now;
		waiter->late_reads = waiter->engine->reads;
	}
	return now - waiter->late_since >= MAD_ENGINE_DRAIN &&
	       waiter->engine->reads - waiter->late_reads >= MAD_ENGINE_DRAIN_READS;
}

/* What poll() says at once; a signal may interrupt even that. */
static int look(const struct mad_engine *engine)
{
	int result = -EINTR;

	for (unsigned i = 0; result == -EINTR && i <= EMPTY_READS_MAX; i++)
		result = mad_wakeup_poll(NULL, engine->fd, 0);
	return result;
}

/* For a waiter past its deadline while another thread polls: whether everything that had arrived
 * has been read. */
static int judge(struct mad_engine *engine, struct mad_waiter *waiter, int64_t now, int64_t until)
{
	if (engine->empty_at >= until || has_drained(waiter, now, until))
		return -ETIMEDOUT;
	if (look(engine) == -ETIMEDOUT) {
		note_empty(engine, now);
		return -ETIMEDOUT;
	}
	waiter->judges = true;
	engine->judges++;
	return sleep_until(engine, waiter, now + MAD_ENGINE_DRAIN);
}

static int poll_unlocked(struct mad_engine *engine, struct mad_waiter *waiter, int ms)
{
	int result;

	pthread_mutex_unlock(&engine->lock);
	pthread_cleanup_push(abandon_poll, waiter);
	mad_release_cancel(waiter->cancel_state);
	result = mad_wakeup_poll(waiter->interruptible ? &engine->wakeup : NULL, engine->fd, ms);
	mad_hold_cancel();
	pthread_cleanup_pop(0);
	pthread_mutex_lock(&engine->lock);
	return result;
}

/* How long to poll: 0 while judges need to know whether there is anything to read. */
static int poll_ms(const struct mad_engine *engine, const struct mad_waiter *waiter, int ms)
{
	if (engine->judges)
		return 0;
	return waiter->interruptible ? mad_wakeup_limit_ms(&engine->wakeup, ms) : ms;
}

static void pause_unlocked(struct mad_engine *engine)
{
	pthread_mutex_unlock(&engine->lock);
	mad_clock_pause_ms(1);
	pthread_mutex_lock(&engine->lock);
}

/* poll() reported a MAD, but another process that has the descriptor read it first. */
static void pause_after_empty_reads(struct mad_engine *engine)
{
	if (++engine->empty_reads > EMPTY_READS_MAX)
		pause_unlocked(engine);
}

/* The port of a program that stands before umad_open_port() may be no descriptor that can be
 * polled, and yet umad_recv() finds what there is: this looks from time to time. */
static int read_unpolled(struct mad_engine *engine, int64_t now, int64_t until)
{
	note_empty(engine, now);
	if (now >= until)
		return -ETIMEDOUT;
	pause_unlocked(engine);
	return 0;
}

static __attribute__((noinline, cold)) int read_failed(struct mad_engine *engine, int error,
						       int result, int64_t now, int64_t until)
{
	if (error != -EAGAIN && error != -ETIMEDOUT)
		return error;
	if (result == -EINVAL)
		return read_unpolled(engine, now, until);
	pause_after_empty_reads(engine);
	return result;
}

/* Reads a MAD that poll() has reported. result is the return value of poll(), which may be an error
 * of the device. */
static inline int read_promised(struct mad_engine *engine, int result, int64_t now, int64_t until)
{
	int error = mad_engine_read(engine);

	return __builtin_expect(!error, 1) ? 0 : read_failed(engine, error, result, now, until);
}

/* poll() determines whether there is something to read, because a read may find nothing. */
static int read_at_once(struct mad_engine *engine, struct mad_waiter *waiter, int64_t now,
			int64_t until)
{
	int result;

	if (has_drained(waiter, now, until))
		return -ETIMEDOUT;
	result = look(engine);
	if (result != -ETIMEDOUT)
		return read_promised(engine, result, now, until);
	note_empty(engine, now);
	return now < until ? 0 : -ETIMEDOUT;
}

static int poll_for_all(struct mad_engine *engine, struct mad_waiter *waiter, int64_t now,
			int64_t until)
{
	int ms = poll_ms(engine, waiter, mad_clock_remaining_ms(now, until)), result;

	if (!ms)
		return read_at_once(engine, waiter, now, until);
	waiter->until = until;
	engine->poller = waiter;
	join_group(waiter);
	result = poll_unlocked(engine, waiter, ms);
	end_poll(engine, waiter);
	/* what has arrived since poll() timed out is looked for before the deadline is judged */
	if (result && (result == -ETIMEDOUT || result == -EINTR))
		return 0;
	return read_promised(engine, result, now, until);
}

void mad_engine_drain(struct mad_engine *engine, unsigned most)
{
	while (most-- && !engine->poller && !mad_engine_read(engine))
		;
}

/* There may be memory again soon, and the MAD that was not read, which is kept, may be another's:
 * the wait goes on, but not beyond its deadline. */
static __attribute__((noinline, cold)) int end_wait(struct mad_engine *engine, int error,
						    bool is_late)
{
	if (error != -EAGAIN && (error != -ENOMEM || is_late))
		return error;
	pause_unlocked(engine);
	return 0;
}

int mad_engine_wait(struct mad_engine *engine, struct mad_waiter *waiter, int64_t until)
{
	int64_t now = mad_clock_now();
	int error;

	if (!engine->poller)
		error = poll_for_all(engine, waiter, now, until);
	else if (now < until)
		error = sleep_until(engine, waiter, until);
	else
		error = judge(engine, waiter, now, until);
	return __builtin_expect(!error, 1) ? 0 : end_wait(engine, error, now >= until);
}

int mad_engine_sleep(struct mad_engine *engine, struct mad_waiter *waiter, int64_t until)
{
	if (mad_clock_now() >= until)
		return -ETIMEDOUT;
	return end_wait(engine, sleep_until(engine, waiter, until), false);
}

void mad_engine_forget_threads(struct mad_engine *engine)
{
	engine->poller = NULL;
	engine->judges = 0;
	TAILQ_INIT(&engine->waiters);
	TAILQ_INIT(&engine->receivers);
	mad_wakeup_reopen(&engine->wakeup);
}
