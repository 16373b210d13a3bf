/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Rules among the asynchronous requests of a queue, checked when one of them leaves it. */
#include "fabric.h"
#include "invariants.h"
#include "requests.h"
#include "scheduler.h"
#include "world.h"

#define PATIENCE (50 * SIM_MS)

static bool is_in_queue(const struct sim_request *request)
{
	return request->submission_ended && !request->all_attempts && !request->ended &&
	       !request->cancels && sim.now < request->deadline && !request->write_error &&
	       request->refusal.at == SIM_NEVER;
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
	       end - request->write.at >= patience - SIM_RUNNING - sim_processor_time();
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
	for (SIM_EACH_REQUEST(other))
		if (other->queue == request->queue && other->destination == request->destination &&
		    other->all_attempts && is_slow(other))
			return false;
	return true;
}

static void check_window(const struct sim_request *request)
{
	unsigned count = is_to_responding(request);

	for (SIM_EACH_REQUEST(other))
		if (count <= request->window && other->queue == request->queue &&
		    other != request && is_in_window(other))
			count += is_to_responding(other);
	if (count > request->window)
		sim_broken("window", "with request 0x%x %u are in flight, and the window is %u",
			   request->token, count, request->window);
}

/* Others of its agent that may be sent before a request whose queue has nothing in flight. */
#define TURNS 24

/* How long requests to destinations that respond may wait for those that do not: until each of
 * these has been found out, with two requests, and the kernel has returned what it holds. */
static int64_t found_out(const struct sim_request *request)
{
	int64_t returns = (sim_world.receive_queue ? 1000 : 200) * SIM_MS;
	int silent = sim_world.in_blocks ? SIM_SILENT_BLOCKS : SIM_SILENT_LIDS;

	return returns + 2 * silent * PATIENCE / request->window;
}

/* Sent, or refused until the kernel returns an earlier attempt: either counts against the window.
 */
static bool has_some_in_flight(const void *queue)
{
	for (SIM_EACH_REQUEST(other))
		if (other->queue == queue && !other->ended &&
		    (other->is_out || other->refusal.at != SIM_NEVER))
			return true;
	return false;
}

/* The queue of a request gets a turn now and then, whatever other queues do. */
static void check_turn(struct sim_request *request)
{
	if (!is_in_queue(request) || sim_request_is_disturbed(request) ||
	    has_some_in_flight(request->queue))
		request->passed_by = 0;
	else if (++request->passed_by > TURNS)
		sim_broken("no-turn", "request 0x%x waits, and %u of other queues have been sent",
			   request->token, request->passed_by);
}

/* Something of its queue that responds goes on. */
static void check_progress(const struct sim_request *request)
{
	if (is_in_queue(request) && !request->is_silent && !sim_request_is_disturbed(request) &&
	    sim_late(request, &request->progress, found_out(request)) > 0)
		sim_broken("starved", "request 0x%x waits %.3f ms, and no other of its queue ends",
			   request->token, (double)(sim.now - request->progress.at) / SIM_MS);
}

void sim_queue_note_progress(const struct sim_request *request)
{
	if (!sim_world.has_silent_lids)
		return;
	for (SIM_EACH_REQUEST(other)) {
		if (other->kind != SIM_REQUEST_ASYNC || !other->submission_ended)
			continue;
		if (other->progress.at)
			check_progress(other);
		if (!other->progress.at || (other->queue == request->queue && !request->is_silent))
			other->progress = sim_moment_of(other);
	}
}

void sim_queue_note_written(const struct sim_request *request, uint8_t mgmt_class)
{
	for (SIM_EACH_REQUEST(other)) {
		if (other->kind != SIM_REQUEST_ASYNC || other->agent != mgmt_class)
			continue;
		if (other->queue == request->queue)
			other->passed_by = 0;
		else
			check_turn(other);
	}
	sim_queue_note_progress(request);
}

void sim_queue_check(const struct sim_request *request)
{
	unsigned in_flight = 1;

	if (sim_request_is_disturbed(request))
		return;
	for (SIM_EACH_REQUEST(other))
		if (other != request && other->queue == request->queue) {
			check_order(request, other);
			in_flight += is_in_window(other);
		}
	if (in_flight > request->window)
		check_window(request);
}
