/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * try.c - see try.h.
 */
#include <errno.h>

#include "libibmad/engine/try.h"

static bool is_response(enum mad_try_event event)
{
	return event == MAD_TRY_RESPONSE || event == MAD_TRY_STATUS;
}

static unsigned wait_until(struct mad_try *try, enum mad_try_phase phase, int64_t until)
{
	mad_try_wait_until(try, phase, until < try->deadline ? until : try->deadline);
	return 0;
}

static unsigned finish(struct mad_try *try, int error)
{
	mad_try_finish(try, error);
	return 0;
}

static unsigned make_ready(struct mad_try *try)
{
	try->phase = MAD_TRY_READY;
	try->action = MAD_TRY_SEND;
	return 0;
}

/* error: 0 with a response, or -ETIMEDOUT. */
static unsigned follow_up(struct mad_try *try, int error)
{
	wait_until(try, MAD_TRY_FOLLOW_UP, MAD_NO_DEADLINE);
	try->action = MAD_TRY_FOLLOW;
	try->error = error;
	return 0;
}

/* The attempt ended without a response: makes another one, if any are left. */
static unsigned end_attempt(struct mad_try *try, int error)
{
	if (try->sent < try->attempts)
		make_ready(try);
	else if (error == -ETIMEDOUT)
		follow_up(try, error);
	else
		finish(try, error);
	return MAD_TRY_COUNT_TIMEOUT;
}

/*
 * The kernel returns a request once for each time that it was sent, in that order: the first
 * returns belong to attempts that ended at our deadline.
 */
static unsigned take_return(struct mad_try *try, int error)
{
	if (try->owed) {
		try->owed--;
		return 0;
	}
	try->returned = true;
	return end_attempt(try, error);
}

/* A response between two attempts: the kernel no longer returns what it responds to. */
static unsigned take_late_status(struct mad_try *try)
{
	try->owed -= try->owed > 0;
	return follow_up(try, 0);
}

/* Between two attempts. */
static unsigned step_ready(struct mad_try *try, enum mad_try_event event, int error)
{
	switch (event) {
	case MAD_TRY_RETURNED:
		try->owed -= try->owed > 0;
		return 0;
	case MAD_TRY_RESPONSE:
		return finish(try, error);
	case MAD_TRY_STATUS:
		return take_late_status(try);
	default:
		return 0;
	}
}

/* Keeps an event until the request has been written. A cancellation or a response replaces an event
 * that does not end the request. */
static unsigned interrupt(struct mad_try *try, enum mad_try_event event, int error)
{
	if (event == MAD_TRY_RETURNED && (try->owed || try->pending)) {
		try->released |= try->owed > 0;
		try->owed -= try->owed > 0;
		return 0;
	}
	try->pending = event;
	try->error = error;
	return 0;
}

/* The event kept while the request was being written, which ends the attempt. */
static unsigned resume(struct mad_try *try)
{
	switch (try->pending) {
	case MAD_TRY_RETURNED:
		return take_return(try, try->error);
	case MAD_TRY_STATUS:
		return follow_up(try, 0);
	default:
		return finish(try, try->error);
	}
}

static unsigned take_interrupted_sent(struct mad_try *try)
{
	unsigned counts = mad_try_count_attempt(try);

	return counts | resume(try);
}

/*
 * The kernel refuses (EINVAL) a request with the TID of one that it still holds, as it may for a
 * short time after our deadline. The request is sent once more when the kernel has returned the
 * earlier one, which another thread may read before the refusal is known, or must have.
 */
static bool is_refused(const struct mad_try *try, int error, int64_t now)
{
	return error == -EINVAL && (try->tid_reused || try->sent_all) &&
	       (!try->held_until || now < try->held_until);
}

/* A redirect, or a response of who is busy, may come when the next attempt has just been sent: the
 * kernel holds that one until its timeout is over, too. */
static int64_t longest_hold(const struct mad_try *try)
{
	int64_t delay = mad_try_return_delay(try->timeout_ms);

	if (((try->redirects && !try->sent) || try->pauses) && try->timeout_ms > 0)
		delay += try->timeout_ms * MAD_NS_PER_MS;
	return delay;
}

static unsigned take_refusal(struct mad_try *try, int64_t now)
{
	if (!try->held_until)
		try->held_until = now + longest_hold(try);
	if (!try->released)
		try->owed = !try->pending; /* the one that the kernel still holds */
	if (try->pending || try->released)
		return make_ready(try);
	return wait_until(try, MAD_TRY_HELD, try->held_until);
}

/* A request that was never written gets no response: the one that came meanwhile is that of another
 * request with the same TID, which the kernel therefore holds no longer. */
static unsigned drop_response(struct mad_try *try)
{
	bool is_another = is_response(try->pending) && !try->sent;

	if (!is_another)
		return 0;
	try->pending = MAD_TRY_NOTHING;
	try->released = true;
	return MAD_TRY_COUNT_IGNORED;
}

static unsigned take_send_failure(struct mad_try *try, int error, int64_t now)
{
	unsigned counts = drop_response(try);

	if (try->pending == MAD_TRY_STATUS)
		return take_late_status(try);
	if (try->pending && try->pending != MAD_TRY_RETURNED)
		return resume(try);
	if (is_refused(try, error, now))
		return counts | take_refusal(try, now);
	try->send_failed = true;
	finish(try, error);
	return counts | MAD_TRY_COUNT_SEND_FAILED;
}

static unsigned step_sending(struct mad_try *try, enum mad_try_event event, int error, int64_t now)
{
	switch (event) {
	case MAD_TRY_SENT:
		return take_interrupted_sent(try);
	case MAD_TRY_SEND_FAILED:
		return take_send_failure(try, error, now);
	case MAD_TRY_RELEASED:
		try->released = true;
		return 0;
	case MAD_TRY_RETURNED:
	case MAD_TRY_RESPONSE:
	case MAD_TRY_STATUS:
	case MAD_TRY_CANCEL:
		return interrupt(try, event, error);
	default:
		return 0;
	}
}

static unsigned step_waiting(struct mad_try *try, enum mad_try_event event, int error, int64_t now)
{
	switch (event) {
	case MAD_TRY_RETURNED:
		return take_return(try, error);
	case MAD_TRY_STATUS:
		return follow_up(try, 0);
	case MAD_TRY_TIMER:
		if (now < try->until)
			return 0;
		try->owed++;
		return end_attempt(try, -ETIMEDOUT);
	default:
		return 0;
	}
}

static unsigned step_held(struct mad_try *try, enum mad_try_event event, int error, int64_t now)
{
	switch (event) {
	case MAD_TRY_RETURNED:
	case MAD_TRY_RELEASED:
		try->owed = 0;
		return make_ready(try);
	case MAD_TRY_TIMER:
		return now < try->until ? 0 : make_ready(try);
	default:
		return step_ready(try, event, error);
	}
}

static unsigned step_paused(struct mad_try *try, enum mad_try_event event, int error, int64_t now)
{
	if (event == MAD_TRY_TIMER)
		return now < try->until ? 0 : make_ready(try);
	return step_ready(try, event, error);
}

static unsigned take_redirect(struct mad_try *try)
{
	try->redirects++;
	try->pauses = 0;
	try->sent = 0;
	try->owed = 0;
	try->tid_reused = true;
	make_ready(try);
	return MAD_TRY_COUNT_REDIRECTED;
}

/* Another attempt after a quarter of the timeout, then twice that, where one is left and would end
 * within the time of all attempts, and begin before the deadline. */
static unsigned take_busy(struct mad_try *try, int error, int64_t now)
{
	int64_t timeout = try->timeout_ms * MAD_NS_PER_MS, next;

	if (!try->pauses)
		try->asked_since = try->began - (try->sent ? try->sent - 1 : 0) * timeout;
	next = now + timeout / 4 * (INT64_C(1) << try->pauses);
	if (try->sent >= try->attempts || timeout <= 0 || next >= try->deadline ||
	    (next - try->asked_since) / timeout >= try->attempts - 1)
		return finish(try, error);
	try->pauses++;
	return wait_until(try, MAD_TRY_PAUSED, next);
}

static unsigned step_follow_up(struct mad_try *try, enum mad_try_event event, int error,
			       int64_t now)
{
	switch (event) {
	case MAD_TRY_BEGIN:
		return wait_until(try, MAD_TRY_FOLLOW_UP, MAD_NO_DEADLINE);
	case MAD_TRY_RETURNED:
		try->owed -= try->owed > 0;
		return 0;
	case MAD_TRY_REDIRECTED:
		return take_redirect(try);
	case MAD_TRY_BUSY:
		return take_busy(try, error, now);
	case MAD_TRY_CONCLUDED:
		return finish(try, error);
	default:
		return 0;
	}
}

/* The deadline of the whole request has passed. A rule may act on the timeout of an attempt. */
static unsigned end_late(struct mad_try *try)
{
	if (try->phase == MAD_TRY_SENDING || try->phase == MAD_TRY_DONE)
		return 0;
	if (try->phase != MAD_TRY_WAITING)
		return finish(try, -ETIMEDOUT);
	try->owed++;
	follow_up(try, -ETIMEDOUT);
	return MAD_TRY_COUNT_TIMEOUT;
}

unsigned mad_try_step_other(struct mad_try *try, enum mad_try_event event, int error, int64_t now)
{
	if (is_response(event) && !mad_try_takes_response(try))
		return MAD_TRY_COUNT_IGNORED;
	if (event == MAD_TRY_CANCEL && !mad_try_can_cancel(try))
		return 0;
	if (event == MAD_TRY_CANCEL && try->phase != MAD_TRY_SENDING)
		return finish(try, error);
	if (event == MAD_TRY_TIMER && now >= try->deadline)
		return end_late(try);
	switch (try->phase) {
	case MAD_TRY_READY:
		return step_ready(try, event, error);
	case MAD_TRY_SENDING:
		return step_sending(try, event, error, now);
	case MAD_TRY_WAITING:
		return step_waiting(try, event, error, now);
	case MAD_TRY_HELD:
		return step_held(try, event, error, now);
	case MAD_TRY_FOLLOW_UP:
		return step_follow_up(try, event, error, now);
	case MAD_TRY_PAUSED:
		return step_paused(try, event, error, now);
	default:
		return 0;
	}
}
