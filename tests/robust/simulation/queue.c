/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* What holds among the asynchronous requests of one queue, when one of them leaves it. */
#include "invariants.h"
#include "requests.h"
#include "scheduler.h"

#define PATIENCE (50 * SIM_MS)

static bool is_in_queue(const struct sim_request *request)
{
	return request->submission_ended && !request->all_attempts && !request->ended &&
	       !request->cancels && sim.now < request->deadline && !request->write_error &&
	       request->refused_at == SIM_NEVER;
}

/* Requests to one destination are sent in the order in which they were submitted. */
static void check_order(const struct sim_request *request, const struct sim_request *other)
{
	if (is_in_queue(other) && other->destination == request->destination &&
	    other->agent == request->agent && other->submission_ended < request->submission_began)
		sim_broken("out-of-order", "request 0x%x is sent before 0x%x, submitted earlier",
			   request->token, other->token);
}

/* A request leaves the window after 50 ms without a response, or half of its timeout. */
static bool is_slow(const struct sim_request *request)
{
	int64_t half = request->timeout_ms * SIM_MS / 2;
	int64_t patience = half < PATIENCE ? half : PATIENCE;
	int64_t end = request->ended ? request->ended_at : sim.now;

	return request->all_attempts > 1 || request->write_was_stalled ||
	       end >= request->deadline ||
	       end - request->written_at >= patience - SIM_RUNNING - sim_processor_time();
}

/* Whether the request surely is in flight and counts in the window. */
static bool is_in_window(const struct sim_request *request)
{
	return request->is_out && !request->ended && !request->cancels && !request->responses &&
	       sim.now < request->deadline && !request->is_resolved &&
	       !request->redirects_readable && !request->return_was_read && !is_slow(request);
}

/* Whether nothing that was sent to its destination was slow, so that its requests count. */
static bool is_to_responding(const struct sim_request *request)
{
	for (unsigned i = 0; sim_request_at(i); i++) {
		const struct sim_request *other = sim_request_at(i);

		if (other->queue == request->queue && other->destination == request->destination &&
		    other->all_attempts && is_slow(other))
			return false;
	}
	return true;
}

static void check_window(const struct sim_request *request)
{
	unsigned count = is_to_responding(request);

	for (unsigned i = 0; count <= request->window && sim_request_at(i); i++) {
		const struct sim_request *other = sim_request_at(i);

		if (other != request && other->queue == request->queue && is_in_window(other))
			count += is_to_responding(other);
	}
	if (count > request->window)
		sim_broken("window", "with request 0x%x %u are in flight, and the window is %u",
			   request->token, count, request->window);
}

void sim_queue_check(const struct sim_request *request)
{
	unsigned in_flight = 1;

	if (sim_request_is_disturbed(request))
		return;
	for (unsigned i = 0; sim_request_at(i); i++) {
		const struct sim_request *other = sim_request_at(i);

		if (other == request || other->queue != request->queue)
			continue;
		check_order(request, other);
		in_flight += is_in_window(other);
	}
	if (in_flight > request->window)
		check_window(request);
}
