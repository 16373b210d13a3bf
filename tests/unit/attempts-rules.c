/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* See attempts-rules.h. */

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "libibmad/base/clock.h"
#include "test.h"
#include "attempts-rules.h"

static const char *const phases[] = {
	[MAD_ATTEMPT_READY] = "READY",	 [MAD_ATTEMPT_WAITING] = "WAITING",
	[MAD_ATTEMPT_HELD] = "HELD",	 [MAD_ATTEMPT_FOLLOW_UP] = "FOLLOW_UP",
	[MAD_ATTEMPT_PAUSED] = "PAUSED", [MAD_ATTEMPT_DONE] = "DONE",
};

static const char *const events[] = {
	[MAD_ATTEMPT_SENT] = "SENT",
	[MAD_ATTEMPT_SEND_FAILED] = "SEND_FAILED",
	[MAD_ATTEMPT_RETURNED] = "RETURNED",
	[MAD_ATTEMPT_RELEASED] = "RELEASED",
	[MAD_ATTEMPT_RESPONSE] = "RESPONSE",
	[MAD_ATTEMPT_STATUS] = "STATUS",
	[MAD_ATTEMPT_REDIRECTED] = "REDIRECTED",
	[MAD_ATTEMPT_BUSY] = "BUSY",
	[MAD_ATTEMPT_CONCLUDED] = "CONCLUDED",
	[MAD_ATTEMPT_TIMER] = "TIMER",
	[MAD_ATTEMPT_CANCEL] = "CANCEL",
};

void rules_fail(const char *what, const struct state *state, const struct input *input)
{
	const struct mad_attempts *attempts = &state->attempts;

	fprintf(stderr,
		"%s: %s, attempts %u of %u (%u at all addresses), redirects %u, owed %u, "
		"began %lld, until %lld, error %d\n",
		what, phases[attempts->phase], attempts->sent, attempts->most, attempts->sent_all,
		attempts->redirects, attempts->owed, (long long)(attempts->began - NOW),
		(long long)(attempts->until - NOW), attempts->error);
	if (input)
		fprintf(stderr, "event %s, error %d\n", events[input->event], input->error);
	fail();
}

static bool is_response(enum mad_attempt_event event)
{
	return event == MAD_ATTEMPT_RESPONSE || event == MAD_ATTEMPT_STATUS;
}

static bool is_unchanged(const struct state *before, const struct state *after)
{
	return !memcmp(&before->attempts, &after->attempts, sizeof(after->attempts));
}

/* The kernel returns each request that was written once at most. */
static void note_return(struct history *history)
{
	history->returns += history->returns < history->sent;
}

/* A decision takes effect whether or not the kernel refuses the request. */
static bool is_decided(const struct history *history)
{
	return history->has_response || history->has_status || history->was_cancelled;
}

static void note_refusal(struct history *history, const struct state *before)
{
	history->was_refused = true;
	if (is_decided(history) || history->held_until)
		return;
	history->held_until = NOW + mad_attempts_return_delay(before->attempts.timeout_ms);
	if (((history->followed && !history->sent) || before->attempts.pauses) &&
	    before->attempts.timeout_ms > 0)
		history->held_until += before->attempts.timeout_ms * MAD_NS_PER_MS;
}

void rules_note(struct history *history, const struct state *before, const struct input *input)
{
	bool takes = mad_attempts_takes_response(&before->attempts);
	enum mad_attempt_phase phase = before->attempts.phase;

	if (input->event == MAD_ATTEMPT_RESPONSE && takes) {
		history->has_response = true;
		history->response_error = input->error;
	} else if (input->event == MAD_ATTEMPT_STATUS && takes) {
		history->has_status = true;
	} else if (input->event == MAD_ATTEMPT_CANCEL &&
		   before->attempts.phase != MAD_ATTEMPT_DONE) {
		history->was_cancelled = true;
	} else if (input->event == MAD_ATTEMPT_RETURNED) {
		note_return(history);
	} else if (input->event == MAD_ATTEMPT_SENT) {
		history->sent++;
		history->held_until = 0;
	} else if (input->event == MAD_ATTEMPT_SEND_FAILED && input->error == -EINVAL) {
		note_refusal(history, before);
	} else if (input->event == MAD_ATTEMPT_BUSY && phase == MAD_ATTEMPT_FOLLOW_UP) {
		history->has_status = false; /* the kernel does not return what has a response */
		history->returns += history->returns < history->sent;
	} else if (input->event == MAD_ATTEMPT_REDIRECTED && phase == MAD_ATTEMPT_FOLLOW_UP) {
		history->followed++;
		history->sent = history->returns = 0;
		history->was_refused = history->has_status = false;
	}
}

/* Rules of a step */

/* DONE is final; what is not taken and what comes too early changes nothing. */
static const char *check_ignored(const struct state *before, const struct input *input,
				 const struct state *after, unsigned counts)
{
	bool ignores = is_response(input->event) && !mad_attempts_takes_response(&before->attempts);

	if (ignores != !!(counts & MAD_ATTEMPT_COUNT_IGNORED))
		return "a response is counted wrongly as ignored";
	if (ignores && (!is_unchanged(before, after) || counts != MAD_ATTEMPT_COUNT_IGNORED))
		return "an ignored response changes something";
	if (before->attempts.phase == MAD_ATTEMPT_DONE && !is_unchanged(before, after))
		return "DONE is not final";
	if (before->attempts.phase == MAD_ATTEMPT_DONE && counts & ~MAD_ATTEMPT_COUNT_IGNORED)
		return "something counts after DONE";
	if (input->event == MAD_ATTEMPT_CANCEL && before->attempts.phase == MAD_ATTEMPT_DONE &&
	    !is_unchanged(before, after))
		return "a cancellation without effect changes something";
	return NULL;
}

static bool is_due(const struct state *before)
{
	return NOW >= mad_clock_after(before->attempts.began, before->attempts.timeout_ms);
}

/* Whether the return is that of an attempt before the last one. */
static bool is_of_earlier_attempt(const struct state *after)
{
	return after->history.returns < after->history.sent;
}

/* No attempt that waits ends but by what may end it, and that does. */
static const char *check_end_of_attempt(const struct state *before, const struct input *input,
					const struct state *after)
{
	bool waits = after->attempts.phase == MAD_ATTEMPT_WAITING;

	if (before->attempts.phase != MAD_ATTEMPT_WAITING)
		return NULL;
	switch (input->event) {
	case MAD_ATTEMPT_TIMER:
		if (waits && is_due(before))
			return "an attempt lasts longer than its timeout";
		return !waits && !is_due(before) ? "an attempt ends before its deadline" : NULL;
	case MAD_ATTEMPT_RETURNED:
		if (before->history.returns == before->history.sent || after->history.was_refused)
			return NULL; /* returned before, or of an unknown attempt */
		if (waits != is_of_earlier_attempt(after))
			return "a return ends the wrong attempt, or none";
		return NULL;
	case MAD_ATTEMPT_RESPONSE:
	case MAD_ATTEMPT_STATUS:
	case MAD_ATTEMPT_CANCEL:
		return waits ? "a response or a cancellation does not end the attempt" : NULL;
	default:
		return is_unchanged(before, after) ? NULL : "an event without meaning has one";
	}
}

/* A busy responder is asked again after the right pause, if all that ends in time. */
static bool waits_rightly(const struct state *before, const struct state *after)
{
	int64_t timeout = before->attempts.timeout_ms * MAD_NS_PER_MS;
	int64_t pause = timeout / 4 * (INT64_C(1) << before->attempts.pauses);
	int64_t end = after->attempts.asked_since + (int64_t)before->attempts.most * timeout;
	bool may_wait = before->history.sent < before->attempts.most && timeout > 0 &&
			NOW + pause + timeout < end;

	if (!may_wait)
		return after->attempts.phase == MAD_ATTEMPT_DONE;
	return after->attempts.phase == MAD_ATTEMPT_PAUSED &&
	       after->attempts.until == NOW + pause &&
	       after->attempts.pauses == before->attempts.pauses + 1; /* the next one is longer */
}

/* A response with a status is followed up, and does what the rule says. */
static const char *check_follow_up(const struct state *before, const struct input *input,
				   const struct state *after)
{
	const struct mad_attempts *attempts = &after->attempts;

	if (input->event == MAD_ATTEMPT_STATUS && mad_attempts_takes_response(&before->attempts) &&
	    (attempts->action != MAD_ATTEMPT_FOLLOW || attempts->error))
		return "a response with a status is not followed up";
	if (before->attempts.phase != MAD_ATTEMPT_FOLLOW_UP)
		return NULL;
	if (input->event == MAD_ATTEMPT_REDIRECTED && attempts->phase != MAD_ATTEMPT_READY)
		return "a redirected request is not sent";
	if (input->event == MAD_ATTEMPT_CONCLUDED && attempts->phase != MAD_ATTEMPT_DONE)
		return "what is concluded goes on";
	if (input->event == MAD_ATTEMPT_BUSY && !waits_rightly(before, after))
		return "a pause is wrong";
	if ((input->event == MAD_ATTEMPT_CONCLUDED || input->event == MAD_ATTEMPT_BUSY) &&
	    attempts->phase == MAD_ATTEMPT_DONE && attempts->error != input->error)
		return "a rule ends the request otherwise than it says";
	return NULL;
}

/* A request whose TID may be held is sent again until the kernel must have returned it. */
static const char *check_refusal(const struct state *before, const struct input *input,
				 const struct state *after)
{
	bool may_be_held = before->attempts.tid_reused || before->attempts.sent_all;
	bool gives_up = after->attempts.send_failed;

	if (input->event != MAD_ATTEMPT_SEND_FAILED || input->error != -EINVAL ||
	    after->history.has_response || after->history.has_status ||
	    after->history.was_cancelled)
		return NULL;
	if (gives_up != (!may_be_held || NOW >= after->history.held_until))
		return "a refused request is given up too early or too late";
	return NULL;
}

/* A request does not time out with attempts left, and a rule says what the last timeout means. */
static const char *check_last_attempt(const struct state *before, const struct state *after,
				      unsigned counts)
{
	bool timed_out = before->attempts.phase != MAD_ATTEMPT_FOLLOW_UP &&
			 after->attempts.phase == MAD_ATTEMPT_FOLLOW_UP &&
			 after->attempts.error == -ETIMEDOUT;

	if (counts & MAD_ATTEMPT_COUNT_TIMEOUT && after->attempts.phase == MAD_ATTEMPT_DONE)
		return "the last timeout is not followed up";
	return timed_out && after->history.sent != after->attempts.most
		       ? "the request times out with attempts left"
		       : NULL;
}

static unsigned counts_of_sending(const struct input *input, const struct state *after)
{
	unsigned counts = 0;

	if (input->event == MAD_ATTEMPT_SENT) {
		counts |= MAD_ATTEMPT_COUNT_SENT;
		if (after->history.sent > 1)
			counts |= MAD_ATTEMPT_COUNT_RETRY;
	} else if (input->event == MAD_ATTEMPT_SEND_FAILED && after->attempts.send_failed) {
		counts |= MAD_ATTEMPT_COUNT_SEND_FAILED;
	}
	return counts;
}

/* Each attempt, failure and redirect counts once. */
static const char *check_counts(const struct state *before, const struct input *input,
				const struct state *after, unsigned counts)
{
	bool left = before->attempts.phase != after->attempts.phase;
	unsigned expected = 0;

	if (before->attempts.phase == MAD_ATTEMPT_READY)
		expected = counts_of_sending(input, after);
	else if (before->attempts.phase == MAD_ATTEMPT_WAITING && left &&
		 (input->event == MAD_ATTEMPT_TIMER || input->event == MAD_ATTEMPT_RETURNED))
		expected = MAD_ATTEMPT_COUNT_TIMEOUT;
	else if (before->attempts.phase == MAD_ATTEMPT_FOLLOW_UP &&
		 input->event == MAD_ATTEMPT_REDIRECTED)
		expected = MAD_ATTEMPT_COUNT_REDIRECTED;
	return (counts & ~MAD_ATTEMPT_COUNT_IGNORED) == expected ? NULL : "a step counts wrongly";
}

/* The engine passes no time with events that do not need it. */
static const char *check_time(const struct state *before, const struct input *input,
			      const struct state *after)
{
	struct state other;

	if (input->event == MAD_ATTEMPT_SENT || input->event == MAD_ATTEMPT_SEND_FAILED ||
	    input->event == MAD_ATTEMPT_TIMER || input->event == MAD_ATTEMPT_BUSY)
		return NULL;
	memcpy(&other, before, sizeof(other));
	mad_attempts_step(&other.attempts, input->event, input->error, 0);
	return is_unchanged(&other, after) ? NULL : "the time of an event without time matters";
}

void rules_check_step(const struct state *before, const struct input *input,
		      const struct state *after, unsigned counts)
{
	const char *wrong = check_ignored(before, input, after, counts)
				    ?: check_end_of_attempt(before, input, after)
				    ?: check_follow_up(before, input, after)
				    ?: check_refusal(before, input, after)
				    ?: check_last_attempt(before, after, counts)
				    ?: check_counts(before, input, after, counts)
				    ?: check_time(before, input, after);

	if (wrong)
		rules_fail(wrong, before, input);
}

/* Rules of a state */

static const char *check_limits(const struct mad_attempts *attempts, const struct history *history)
{
	bool sends_again = attempts->phase == MAD_ATTEMPT_READY ||
			   attempts->phase == MAD_ATTEMPT_HELD ||
			   attempts->phase == MAD_ATTEMPT_PAUSED;

	if (attempts->sent != history->sent || attempts->redirects != history->followed)
		return "attempts or redirects are counted wrongly";
	if (attempts->sent + sends_again > attempts->most)
		return "there is an attempt too many";
	if (attempts->sent_all > attempts->most * (attempts->redirects + 1) ||
	    attempts->sent_all < attempts->sent)
		return "the attempts at all addresses are wrong";
	if (attempts->owed > attempts->sent + history->was_refused)
		return "more returns are owed than there were attempts";
	return NULL;
}

/* A response that was taken is not lost, and nothing else takes its place. */
static const char *check_outcome(const struct mad_attempts *attempts, const struct history *history)
{
	bool is_done = attempts->phase == MAD_ATTEMPT_DONE;

	if (history->has_response && !is_done)
		return "a response was taken, and the request goes on";
	if (history->has_response && attempts->error != history->response_error)
		return "a response was taken, and the request ends otherwise";
	if (is_done && !attempts->error && !history->has_response)
		return "the request succeeds without a response";
	if (history->was_cancelled && !is_done)
		return "the request was cancelled and goes on";
	if (history->was_cancelled && attempts->error != -ECANCELED)
		return "the request was cancelled and ends otherwise";
	if (is_decided(history) && mad_attempts_takes_response(attempts))
		return "a second response would be written over the first";
	return NULL;
}

/* The action of the machine fits its phase. */
static const char *check_action(const struct mad_attempts *attempts, const struct history *history)
{
	int64_t deadline = mad_clock_after(attempts->began, attempts->timeout_ms);
	bool waits = attempts->action == MAD_ATTEMPT_WAIT, right = true;

	switch (attempts->phase) {
	case MAD_ATTEMPT_READY:
		right = attempts->action == MAD_ATTEMPT_SEND;
		break;
	case MAD_ATTEMPT_WAITING: /* times that are long past are not distinguished */
		right = waits &&
			(attempts->until == deadline || (attempts->until < NOW && deadline < NOW));
		break;
	case MAD_ATTEMPT_HELD:
		right = waits && attempts->until == history->held_until;
		break;
	case MAD_ATTEMPT_FOLLOW_UP:
		right = attempts->action == MAD_ATTEMPT_FOLLOW;
		break;
	case MAD_ATTEMPT_PAUSED:
		right = waits && attempts->until != MAD_NO_DEADLINE;
		break;
	case MAD_ATTEMPT_DONE:
		right = attempts->action == MAD_ATTEMPT_FINISH;
		break;
	}
	return right ? NULL : "the action does not fit the phase";
}

void rules_check_state(const struct state *state)
{
	const char *wrong = check_limits(&state->attempts, &state->history)
				    ?: check_outcome(&state->attempts, &state->history)
				    ?: check_action(&state->attempts, &state->history);

	if (wrong)
		rules_fail(wrong, state, NULL);
}

bool rules_is_fair(const struct state *state, const struct input *input)
{
	const struct mad_attempts *attempts = &state->attempts;

	switch (attempts->phase) {
	case MAD_ATTEMPT_READY:
		return input->event == MAD_ATTEMPT_SENT || input->event == MAD_ATTEMPT_SEND_FAILED;
	case MAD_ATTEMPT_WAITING:
	case MAD_ATTEMPT_HELD:
	case MAD_ATTEMPT_PAUSED:
		return input->event == MAD_ATTEMPT_TIMER && attempts->until != MAD_NO_DEADLINE &&
		       NOW + input->delay >= attempts->until;
	case MAD_ATTEMPT_FOLLOW_UP:
		return input->event == MAD_ATTEMPT_REDIRECTED || input->event == MAD_ATTEMPT_BUSY ||
		       input->event == MAD_ATTEMPT_CONCLUDED;
	default:
		return false;
	}
}

bool rules_may_rest(const struct state *state)
{
	return state->attempts.phase == MAD_ATTEMPT_DONE ||
	       (state->attempts.phase == MAD_ATTEMPT_WAITING && state->attempts.timeout_ms < 0);
}

/* Times */

/* 0 and MAD_NO_DEADLINE are no moments. */
static int64_t pass(int64_t moment, int64_t delay, int64_t oldest)
{
	if (!moment || moment == MAD_NO_DEADLINE)
		return moment;
	return moment - delay < oldest ? oldest : moment - delay;
}

void state_pass_time(struct state *state, int64_t delay)
{
	struct mad_attempts *attempts = &state->attempts;
	int64_t timeout = attempts->timeout_ms > 0 ? attempts->timeout_ms * MAD_NS_PER_MS : 0;

	attempts->began = pass(attempts->began, delay, NOW - timeout - 1);
	attempts->until = pass(attempts->until, delay, NOW - 1);
	attempts->held_until = pass(attempts->held_until, delay, NOW - 1);
	attempts->asked_since =
		pass(attempts->asked_since, delay, NOW - timeout * attempts->most - 1);
	state->history.held_until = pass(state->history.held_until, delay, NOW - 1);
}

/* Pauses depend on how many timeouts ago the first attempt began; parts of one are not
 * distinguished. */
static int64_t round_up(const struct mad_attempts *attempts, int64_t moment)
{
	int64_t timeout = attempts->timeout_ms * MAD_NS_PER_MS;

	if (!moment || timeout <= 0)
		return moment;
	return NOW - (NOW - moment + timeout - 1) / timeout * timeout;
}

/* Whether the first pause may follow. */
static bool may_be_busy(const struct mad_attempts *attempts)
{
	return attempts->phase != MAD_ATTEMPT_DONE && !attempts->pauses && attempts->sent &&
	       attempts->sent < attempts->most && attempts->timeout_ms > 0;
}

void state_forget(struct state *state)
{
	struct mad_attempts *attempts = &state->attempts;

	if (attempts->action != MAD_ATTEMPT_WAIT)
		attempts->until = 0;
	if (!attempts->pauses || attempts->phase == MAD_ATTEMPT_DONE)
		attempts->asked_since = 0;
	attempts->asked_since = round_up(attempts, attempts->asked_since);
	if (attempts->phase != MAD_ATTEMPT_WAITING)
		attempts->began = may_be_busy(attempts) ? round_up(attempts, attempts->began) : 0;
	if (attempts->phase != MAD_ATTEMPT_DONE && attempts->phase != MAD_ATTEMPT_FOLLOW_UP)
		attempts->error = 0;
	if (attempts->phase == MAD_ATTEMPT_DONE)
		attempts->held_until = state->history.held_until = 0;
	if (attempts->sent_all > attempts->sent) /* the exact number makes no difference */
		attempts->sent_all = attempts->sent + 1;
	if (attempts->sent_all) /* an earlier attempt may have the TID, too */
		attempts->tid_reused = true;
}
