/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* See attempts-states.h. */
#include "attempts-states.h"

#include "libibmad/base/clock.h"

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
