/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * attempts.c - see attempts.h.
 */
#include <errno.h>

#include "libibmad/engine/attempts.h"

static bool is_response(enum mad_attempt_event event)
{
	return event == MAD_ATTEMPT_RESPONSE || event == MAD_ATTEMPT_STATUS;
}

static unsigned wait_until(struct mad_attempts *attempts, enum mad_attempt_phase phase,
			   int64_t until)
{
	mad_attempts_wait_until(attempts, phase,
				until < attempts->deadline ? until : attempts->deadline);
	return 0;
}

static unsigned finish(struct mad_attempts *attempts, int error)
{
	mad_attempts_finish(attempts, error);
	return 0;
}

static unsigned make_ready(struct mad_attempts *attempts)
{
	attempts->phase = MAD_ATTEMPT_READY;
	attempts->action = MAD_ATTEMPT_SEND;
	return 0;
}

/* error: 0 with a response, or -ETIMEDOUT. */
static unsigned follow_up(struct mad_attempts *attempts, int error)
{
	wait_until(attempts, MAD_ATTEMPT_FOLLOW_UP, MAD_NO_DEADLINE);
	attempts->action = MAD_ATTEMPT_FOLLOW;
	attempts->error = error;
	return 0;
}

/* The attempt ended without a response: makes another one, if any are left. */
static unsigned end_attempt(struct mad_attempts *attempts, int error)
{
	if (attempts->sent < attempts->most)
		make_ready(attempts);
	else if (error == -ETIMEDOUT)
		follow_up(attempts, error);
	else
		finish(attempts, error);
	return MAD_ATTEMPT_COUNT_TIMEOUT;
}

/*
 * The kernel returns a request once for each time that it was sent, in that order: the first
 * returns belong to attempts that ended at our deadline.
 */
static unsigned take_return(struct mad_attempts *attempts, int error)
{
	if (attempts->phase == MAD_ATTEMPT_HELD) {
		attempts->owed = 0;
		return make_ready(attempts);
	}
	if (attempts->owed || attempts->phase != MAD_ATTEMPT_WAITING) {
		attempts->owed -= attempts->owed > 0;
		return 0;
	}
	attempts->returned = true;
	return end_attempt(attempts, error);
}

/* Between two attempts: the kernel no longer returns the one that the response is to. */
static unsigned take_status(struct mad_attempts *attempts)
{
	if (attempts->phase != MAD_ATTEMPT_WAITING)
		attempts->owed -= attempts->owed > 0;
	return follow_up(attempts, 0);
}

/*
 * The kernel refuses (EINVAL) a request with the TID of one that it still holds, as it may for a
 * short time after our deadline. The request is sent once more when the kernel has returned the
 * earlier one, which another thread may read before the refusal is known, or must have.
 */
static bool is_refused(const struct mad_attempts *attempts, int error, int64_t now)
{
	return error == -EINVAL && (attempts->tid_reused || attempts->sent_all) &&
	       (!attempts->held_until || now < attempts->held_until);
}

/* A redirect, or a response of who is busy, may come when the next attempt has just been sent: the
 * kernel holds that one until its timeout is over, too. */
static int64_t longest_hold(const struct mad_attempts *attempts)
{
	int64_t delay = mad_attempts_return_delay(attempts->timeout_ms);

	if (((attempts->redirects && !attempts->sent) || attempts->pauses) &&
	    attempts->timeout_ms > 0)
		delay += attempts->timeout_ms * MAD_NS_PER_MS;
	return delay;
}

static unsigned take_refusal(struct mad_attempts *attempts, int64_t now)
{
	if (!attempts->held_until)
		attempts->held_until = now + longest_hold(attempts);
	attempts->owed = 1; /* the attempt that the kernel still holds */
	return wait_until(attempts, MAD_ATTEMPT_HELD, attempts->held_until);
}

static unsigned take_send_failure(struct mad_attempts *attempts, int error, int64_t now)
{
	if (is_refused(attempts, error, now))
		return take_refusal(attempts, now);
	attempts->send_failed = true;
	finish(attempts, error);
	return MAD_ATTEMPT_COUNT_SEND_FAILED;
}

static unsigned take_redirect(struct mad_attempts *attempts)
{
	attempts->redirects++;
	attempts->pauses = 0;
	attempts->sent = 0;
	attempts->owed = 0;
	attempts->tid_reused = true;
	make_ready(attempts);
	return MAD_ATTEMPT_COUNT_REDIRECTED;
}

/* Another attempt after a quarter of the timeout, then twice that, where one is left and would end
 * within the time of all attempts, and begin before the deadline. */
static unsigned take_busy(struct mad_attempts *attempts, int error, int64_t now)
{
	int64_t timeout = attempts->timeout_ms * MAD_NS_PER_MS, next;

	if (!attempts->pauses)
		attempts->asked_since =
			attempts->began - (attempts->sent ? attempts->sent - 1 : 0) * timeout;
	next = now + timeout / 4 * (INT64_C(1) << attempts->pauses);
	if (attempts->sent >= attempts->most || timeout <= 0 || next >= attempts->deadline ||
	    (next - attempts->asked_since) / timeout >= attempts->most - 1)
		return finish(attempts, error);
	attempts->pauses++;
	return wait_until(attempts, MAD_ATTEMPT_PAUSED, next);
}

/* The deadline of the attempt, or of the whole request. A rule may act on the timeout of an
 * attempt.
 */
static unsigned take_timer(struct mad_attempts *attempts, int64_t now)
{
	bool is_over = now >= attempts->deadline;

	if (attempts->phase == MAD_ATTEMPT_WAITING) {
		attempts->owed++;
		if (!is_over)
			return end_attempt(attempts, -ETIMEDOUT);
		follow_up(attempts, -ETIMEDOUT);
		return MAD_ATTEMPT_COUNT_TIMEOUT;
	}
	if (is_over)
		return finish(attempts, -ETIMEDOUT);
	if (attempts->phase == MAD_ATTEMPT_HELD || attempts->phase == MAD_ATTEMPT_PAUSED)
		make_ready(attempts);
	return 0;
}

static unsigned take_outcome(struct mad_attempts *attempts, enum mad_attempt_event event, int error,
			     int64_t now)
{
	if (attempts->phase != MAD_ATTEMPT_FOLLOW_UP)
		return 0;
	if (event == MAD_ATTEMPT_REDIRECTED)
		return take_redirect(attempts);
	return event == MAD_ATTEMPT_BUSY ? take_busy(attempts, error, now)
					 : finish(attempts, error);
}

unsigned mad_attempts_step_other(struct mad_attempts *attempts, enum mad_attempt_event event,
				 int error, int64_t now)
{
	if (is_response(event) && !mad_attempts_takes_response(attempts))
		return MAD_ATTEMPT_COUNT_IGNORED;
	if (attempts->phase == MAD_ATTEMPT_DONE)
		return 0;
	switch (event) {
	case MAD_ATTEMPT_SEND_FAILED:
		return take_send_failure(attempts, error, now);
	case MAD_ATTEMPT_RETURNED:
		return take_return(attempts, error);
	case MAD_ATTEMPT_RELEASED:
		return attempts->phase == MAD_ATTEMPT_HELD ? take_return(attempts, error) : 0;
	case MAD_ATTEMPT_RESPONSE:
	case MAD_ATTEMPT_CANCEL:
		return finish(attempts, error);
	case MAD_ATTEMPT_STATUS:
		return take_status(attempts);
	case MAD_ATTEMPT_TIMER:
		return take_timer(attempts, now);
	case MAD_ATTEMPT_SENT: /* taken by mad_attempts_step() */
		return 0;
	default:
		return take_outcome(attempts, event, error, now);
	}
}
