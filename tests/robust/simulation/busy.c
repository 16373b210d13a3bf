/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * An SA that is busy is asked again after a quarter of the timeout, then after twice that, as long
 * as attempts are left, and the next would begin within the time of all of them and before the
 * deadline; otherwise it ends at once. Requests of which more than one response was read during an
 * attempt, or one late, are left out: which of them the library took depends on its threads.
 */

#include <errno.h>

#include "invariants.h"
#include "requests.h"
#include "scheduler.h"
#include "world.h"

static int64_t timeout_of(const struct sim_request *request)
{
	return request->timeout_ms * SIM_MS;
}

/* When the next attempt is due. */
static int64_t next_of(const struct sim_request *request)
{
	return request->busy.heard.at + (timeout_of(request) / 4 << request->busy.pauses);
}

/* How much later than was read the library may have computed with it. */
static int64_t slack_of(const struct sim_request *request)
{
	return sim_excused_since(request->busy.began) + sim_moment_of(request).work -
	       request->busy.heard.work;
}

static bool is_left_out(const struct sim_request *request)
{
	return request->busy.is_unclear || request->busy.heard.at == SIM_NEVER ||
	       request->abandoned || request->cancels || request->redirects_planned ||
	       request->write_error || request->refusal.at != SIM_NEVER ||
	       request->made_in_child != sim.is_child;
}

/* Whether the next attempt would begin after the time of all of them; slack for the doubt. */
static bool is_too_late(const struct sim_request *request, int64_t slack)
{
	return (int)request->attempts >= request->tries ||
	       next_of(request) - request->busy.began >
		       (request->tries - 1) * timeout_of(request) + slack;
}

static bool is_past_deadline(const struct sim_request *request)
{
	return request->deadline != SIM_NEVER &&
	       next_of(request) > request->deadline + slack_of(request);
}

void sim_busy_note_read(struct sim_request *request, bool is_busy)
{
	struct sim_busy *busy = &request->busy;

	busy->is_unclear |= busy->reads++ || request->write_was_stalled || !request->is_out ||
			    request->return_was_read || request->refusal.at != SIM_NEVER ||
			    sim.now > sim_request_attempt_end(request) - SIM_RUNNING;
	if (!is_busy)
		return;
	if (!busy->pauses)
		busy->began = request->write.at - (request->attempts - 1) * timeout_of(request);
	busy->heard = sim_moment_of(request);
}

void sim_busy_check_written(struct sim_request *request)
{
	struct sim_busy *busy = &request->busy;

	if (!is_left_out(request)) {
		int64_t late = sim.now - next_of(request);

		if (late < 0 || (late > slack_of(request) && !sim_world.receive_queue))
			sim_broken("busy-pause",
				   "request 0x%x is made again %.3f ms after its pause",
				   request->token, (double)late / SIM_MS);
		if (is_too_late(request, slack_of(request)) || is_past_deadline(request))
			sim_broken("busy-again", "request 0x%x is made again, with no time left",
				   request->token);
	}
	busy->pauses += busy->heard.at != SIM_NEVER;
	busy->heard.at = SIM_NEVER;
	busy->reads = 0;
}

/* A request that can't be made again before its deadline ends at once, with the last response; any
 * other is made again while there is time, which may pass before a blocking call has a place. */
void sim_busy_check_ended(const struct sim_request *request, int error)
{
	if (is_left_out(request) || sim_things_fail())
		return;
	if (error == ETIMEDOUT && is_past_deadline(request))
		sim_broken("busy-given-up", "request 0x%x ends as if it had no response",
			   request->token);
	if (error == EIO && request->deadline == SIM_NEVER &&
	    !(sim_world.receive_queue && request->call_end != SIM_NEVER) &&
	    !is_too_late(request, -slack_of(request) - 1))
		sim_broken("busy-given-up", "request 0x%x ends after %u of %d attempts",
			   request->token, request->attempts, request->tries);
}
