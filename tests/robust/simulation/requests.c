/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* See requests.h. */
#include "requests.h"

#include <errno.h>
#include <string.h>

#include <infiniband/mad.h>

#include "invariants.h"
#include "kernel.h"
#include "memory.h"
#include "scheduler.h"
#include "world.h"

enum { REQUESTS = 512, RETURN_MS = 100, REDIRECTS_MAX = 8 };

#define FIRST_TOKEN	UINT32_C(0x00010000)
#define SENT_ONLY_TOKEN UINT32_C(0x40000000)

static struct sim_request requests[REQUESTS];
static unsigned count;

void sim_requests_clear(void)
{
	count = 0;
}

struct sim_request *sim_request_new(enum sim_request_kind kind, int timeout_ms, int tries,
				    struct sim_gaps *gaps)
{
	struct sim_request *request = &requests[count];

	if (count == REQUESTS)
		return NULL;
	memset(request, 0, sizeof(*request));
	request->token = FIRST_TOKEN + count++;
	if (kind == SIM_REQUEST_SENT_ONLY)
		request->token |= SENT_ONLY_TOKEN;
	request->kind = kind;
	request->timeout_ms = timeout_ms;
	request->tries = tries;
	request->gaps = gaps;
	request->made_in_child = sim.is_child;
	request->response_at = SIM_NEVER;
	request->refused_at = SIM_NEVER;
	request->released_at = SIM_NEVER;
	request->redirect_at = SIM_NEVER;
	request->deadline = SIM_NEVER;
	request->call_began = sim.now;
	request->call_end = SIM_NEVER;
	if (kind == SIM_REQUEST_BLOCKING)
		request->call_end = sim.now + tries * timeout_ms * SIM_MS;
	return request;
}

const struct sim_request *sim_request_at(unsigned i)
{
	return i < count ? &requests[i] : NULL;
}

struct sim_request *sim_request_find(uint32_t token)
{
	uint32_t number = (token & ~SENT_ONLY_TOKEN) - FIRST_TOKEN;

	return number < count && requests[number].token == token ? &requests[number] : NULL;
}

bool sim_request_is_sent_only(const struct sim_request *request)
{
	return request->kind == SIM_REQUEST_SENT_ONLY;
}

int64_t sim_processor_time(void)
{
	return (int64_t)sim.steps * sim.schedule.step_cost;
}

int64_t sim_excused_since(int64_t from)
{
	int64_t slice = sim_world.kernel == SIM_KERNEL_SIMULATOR ? SIM_SLICES : 0;

	return SIM_ROUNDING + SIM_RUNNING + slice + sim_stalled_since(from) + sim_processor_time() +
	       sim.current->in_write;
}

/* Gaps */

static int64_t gap_total(const struct sim_gap *gap)
{
	return gap->total + (gap->since == SIM_NEVER ? 0 : sim.now - gap->since);
}

void sim_gap_begins(struct sim_gap *gap)
{
	if (gap->since == SIM_NEVER)
		gap->since = sim.now;
}

void sim_gap_ends(struct sim_gap *gap)
{
	gap->total = gap_total(gap);
	gap->since = SIM_NEVER;
}

int64_t sim_request_work_gap(const struct sim_request *request)
{
	return request->gaps ? gap_total(&request->gaps->work) : 0;
}

static int64_t delivery_gap(const struct sim_request *request)
{
	return request->gaps ? gap_total(&request->gaps->delivery) : 0;
}

void sim_request_limit(struct sim_request *request, int deadline_ms)
{
	request->deadline = sim.now + deadline_ms * SIM_MS;
	request->submitted_at = sim.now;
	request->gap_at_submission = delivery_gap(request);
	request->inexact = true;
}

/* Rules */

bool sim_request_is_expected(const struct sim_request *request)
{
	return !request->ended && !request->cancels && !request->abandoned &&
	       !request->write_was_stalled && request->kind != SIM_REQUEST_SENT_ONLY;
}

/* A request that is sent again may have to wait for others of its agent. */
static bool waits_for_agent(void)
{
	return sim_world.receive_queue;
}

bool sim_request_is_disturbed(const struct sim_request *request)
{
	return request->abandoned || request->is_resolved ||
	       request->kind == SIM_REQUEST_SENT_ONLY || sim_memory_has_failed() ||
	       sim_kernel_is_removed() || request->made_in_child != sim.is_child;
}

/* Responses whose order is nobody's fault: a redirect that came more than once. */
static bool is_ambiguous(const struct sim_request *request)
{
	return request->redirects_planned > request->redirects_followed + 1 ||
	       request->redirects_readable > request->redirects_followed + 1;
}

static int64_t timeout_of(const struct sim_request *request)
{
	return request->timeout_ms * SIM_MS;
}

int64_t sim_request_attempt_end(const struct sim_request *request)
{
	int64_t end = request->written_at + timeout_of(request);

	if (waits_for_agent() && end > request->call_end)
		end = request->call_end;
	return end < request->deadline ? end : request->deadline;
}

/* No attempt lasts longer than its timeout. */
static void check_length(const struct sim_request *request, int64_t gap)
{
	int64_t lasted = sim.now - request->written_at;
	int64_t allowed = timeout_of(request) + sim_excused_since(request->written_at) +
			  (gap - request->gap_at_write);

	if (waits_for_agent() && request->redirects_readable > request->redirects_followed)
		return; /* the request waits for a place, to be sent to its new address */
	if (lasted > allowed)
		sim_broken("attempt-late",
			   "an attempt of request 0x%x with %d ms lasts %.3f ms, %.3f too long",
			   request->token, request->timeout_ms, (double)lasted / SIM_MS,
			   (double)(lasted - allowed) / SIM_MS);
}

/* A refused attempt is made again before long, or given up. */
static void check_refusal(const struct sim_request *request, int64_t gap)
{
	int64_t lasted = sim.now - request->refused_at;
	int64_t allowed = RETURN_MS * SIM_MS + timeout_of(request) / 8 +
			  sim_excused_since(request->refused_at) + (gap - request->gap_at_refusal);

	if (request->redirects_followed && !request->attempts)
		allowed += timeout_of(request); /* of an attempt at the old address */
	if (lasted > allowed && !waits_for_agent())
		sim_broken("refused-late", "request 0x%x waits %.3f ms for its TID", request->token,
			   (double)lasted / SIM_MS);
	if (request->released_at == SIM_NEVER || waits_for_agent())
		return;
	lasted = sim.now - request->released_at;
	if (lasted > sim_excused_since(request->released_at) + (gap - request->gap_at_release))
		sim_broken("refused-late", "request 0x%x is sent %.3f ms after its TID was free",
			   request->token, (double)lasted / SIM_MS);
}

/* A redirect is followed at once. */
static void check_redirect(const struct sim_request *request, int64_t gap)
{
	int64_t lasted = sim.now - request->redirect_at;

	if (request->redirect_at == SIM_NEVER || sim_request_is_disturbed(request) ||
	    is_ambiguous(request) || waits_for_agent())
		return;
	if (lasted > sim_excused_since(request->redirect_at) + (gap - request->gap_at_redirect))
		sim_broken("redirected-late", "request 0x%x follows a redirect after %.3f ms",
			   request->token, (double)lasted / SIM_MS);
}

/* An attempt that ends without a response lasts as long as it has to. */
static void check_not_early(const struct sim_request *request)
{
	int64_t lasted = sim.now - request->written_at;

	if (sim_world.kernel == SIM_KERNEL_FORWARDS) /* a return may belong to any attempt */
		return;
	if (!request->return_was_read && !request->write_was_stalled &&
	    sim.now < sim_request_attempt_end(request) - SIM_RUNNING - sim_processor_time())
		sim_broken("attempt-early",
			   "an attempt of request 0x%x with %d ms ends after %.3f ms",
			   request->token, request->timeout_ms, (double)lasted / SIM_MS);
}

/* No attempt ends without a response if one was there in time. */
static void check_not_ignored(const struct sim_request *request)
{
	if (request->response_at == SIM_NEVER || request->write_was_stalled ||
	    is_ambiguous(request))
		return;
	if (sim_world.kernel == SIM_KERNEL_FORWARDS && request->earlier_return_was_read)
		return; /* the earlier return may have ended this attempt */
	if (request->response_at <=
		    sim_request_attempt_end(request) - SIM_ROUNDING - sim_processor_time() &&
	    request->response_at < sim.now - SIM_RUNNING)
		sim_broken("response-ignored",
			   "an attempt of request 0x%x with %d ms fails after %.3f ms, and its "
			   "response was there after %.3f",
			   request->token, request->timeout_ms,
			   (double)(sim.now - request->written_at) / SIM_MS,
			   (double)(request->response_at - request->written_at) / SIM_MS);
}

/* The attempt that is out got no response. */
static void attempt_failed(struct sim_request *request, int64_t gap)
{
	request->timeouts++;
	if (sim_request_is_disturbed(request))
		return;
	if (!waits_for_agent() || (request->ended && request->redirect_at == SIM_NEVER &&
				   (int)request->attempts >= request->tries))
		check_length(request, gap);
	check_not_early(request);
	check_not_ignored(request);
}

/*
 * The attempt that is out gets a response. One that comes after the deadline, and before the next
 * attempt, is taken; whether the attempt had been found to be over by then, and so is counted as
 * one without a response in time, depends on who looked when.
 */
static void note_possible_timeout(struct sim_request *request)
{
	int64_t deadline = sim_request_attempt_end(request);

	if (request->is_out && (request->write_was_stalled ||
				sim.now >= deadline - SIM_RUNNING - sim_processor_time()))
		request->possible_timeouts++;
}

/* The request was redirected: its attempts are counted anew. */
static void begin_anew(struct sim_request *request, uint16_t lid)
{
	note_possible_timeout(request);
	check_redirect(request, sim_request_work_gap(request));
	request->redirect_at = SIM_NEVER;
	request->redirects_followed++;
	request->retries += request->attempts ? request->attempts - 1 : 0;
	request->attempts = 0;
	request->lid = lid;
	if (request->redirects_followed > REDIRECTS_MAX && !sim_request_is_disturbed(request))
		sim_broken("too-many-redirects", "request 0x%x follows %u redirects",
			   request->token, request->redirects_followed);
	request->is_out = false;
	request->inexact |= request->refused_at != SIM_NEVER;
	request->refused_at = request->released_at = SIM_NEVER;
}

/* Another attempt begins, or is refused: what was out is over. */
static void end_attempt(struct sim_request *request, uint16_t lid)
{
	if (request->ended && !request->abandoned && !request->cancels && !sim.is_child &&
	    request->kind != SIM_REQUEST_SENT_ONLY)
		sim_broken("sent-after-end", "request 0x%x is sent after its end", request->token);
	if (request->lid && lid != request->lid)
		begin_anew(request, lid);
	request->lid = lid;
	if (request->is_out)
		attempt_failed(request, sim_request_work_gap(request));
	request->is_out = false;
}

/* A request is written as its program asked for, with an ID that no other request has had. */
void sim_request_check_written(struct sim_request *request, uint32_t tid, uint32_t timeout_ms,
			       uint32_t retries)
{
	if (request->kind != SIM_REQUEST_SENT_ONLY &&
	    ((int)timeout_ms != request->timeout_ms || retries))
		sim_broken("written-as-asked",
			   "request 0x%x with %d ms is written with %u ms and %u retries",
			   request->token, request->timeout_ms, timeout_ms, retries);
	if (tid == request->tid)
		return;
	request->tid = tid;
	for (unsigned i = 0; i < count; i++)
		if (&requests[i] != request && requests[i].tid == tid &&
		    requests[i].made_in_child == request->made_in_child)
			sim_broken("tid-twice", "requests 0x%x and 0x%x have the TID 0x%x",
				   requests[i].token, request->token, tid);
}

/* When the library may have decided on what its thread does now. */
static int64_t decided_at(void)
{
	int64_t clock = sim.current->clock_read_at, recent = sim.now - SIM_RUNNING;

	return clock < recent ? clock : recent;
}

/* No attempt begins when the deadline has passed. */
static void check_in_time(const struct sim_request *request)
{
	int64_t late = sim.now - request->deadline;

	if (request->deadline != SIM_NEVER && late > sim_excused_since(request->submitted_at))
		sim_broken("deadline-late", "request 0x%x is sent %.3f ms after its deadline",
			   request->token, (double)late / SIM_MS);
}

unsigned sim_request_was_written(struct sim_request *request, uint16_t lid)
{
	if (!sim_request_is_disturbed(request))
		check_in_time(request);
	if (request->kind == SIM_REQUEST_ASYNC && !request->all_attempts)
		sim_queue_check(request);
	end_attempt(request, lid);
	if (request->refused_at != SIM_NEVER && !sim_request_is_disturbed(request))
		check_refusal(request, sim_request_work_gap(request));
	request->refused_at = request->released_at = SIM_NEVER;
	request->is_out = true;
	request->attempts++;
	request->all_attempts++;
	request->written_at = sim.now;
	request->gap_at_write = sim_request_work_gap(request);
	request->write_was_stalled = sim_stalled_since(decided_at()) > 0;
	request->return_was_read = false;
	request->earlier_return_was_read = false;
	if ((int)request->attempts > request->tries && !is_ambiguous(request) &&
	    !sim_request_is_disturbed(request))
		sim_broken("too-many-attempts", "request 0x%x is sent %u times, allowed are %d",
			   request->token, request->attempts, request->tries);
	return request->all_attempts;
}

void sim_request_write_was_refused(struct sim_request *request, uint16_t lid)
{
	end_attempt(request, lid);
	request->was_refused = true;
	if (request->refused_at != SIM_NEVER)
		return;
	request->refused_at = sim.now;
	request->gap_at_refusal = sim_request_work_gap(request);
}

void sim_request_write_failed(struct sim_request *request, uint16_t lid, int error)
{
	end_attempt(request, lid);
	request->write_error = error;
	request->attempts++; /* a failed write counts as an attempt */
}

void sim_request_return_was_read(struct sim_request *request, unsigned attempt)
{
	if (attempt == request->all_attempts && request->refused_at != SIM_NEVER &&
	    request->released_at == SIM_NEVER) {
		request->released_at = sim.now;
		request->gap_at_release = sim_request_work_gap(request);
	}
	if (attempt == request->all_attempts)
		request->return_was_read = true;
	else
		request->earlier_return_was_read = true;
}

void sim_request_response_planned(struct sim_request *request, bool redirect, bool status)
{
	request->redirects_planned += redirect;
	request->expects_status |= status && !redirect;
}

/* A response to what was sent to an earlier address, or behind a redirect that is not followed yet,
 * may be taken or dropped. */
void sim_request_response_is_readable(struct sim_request *request, uint16_t lid)
{
	request->responses++;
	if (request->response_at != SIM_NEVER || lid != request->lid ||
	    request->redirects_readable > request->redirects_followed)
		return;
	request->response_at = sim.now;
	request->gap_at_response = delivery_gap(request);
}

void sim_request_redirect_is_readable(struct sim_request *request, uint16_t lid)
{
	request->redirects_readable++;
	if (request->redirect_at != SIM_NEVER || lid != request->lid)
		return;
	request->redirect_at = sim.now;
	request->gap_at_redirect = sim_request_work_gap(request);
}

/* Whether the request may have ended since its time was over. */
static bool is_over(const struct sim_request *request)
{
	int64_t end = waits_for_agent() && request->call_end < request->deadline
			      ? request->call_end
			      : request->deadline;

	return sim.now >= end - SIM_RUNNING - sim_processor_time();
}

/* A call takes no longer than its attempts, wherever it waits, but for what the kernel holds
 * against it, and for addresses that it is redirected to. */
static void check_call(const struct sim_request *request)
{
	int64_t late = sim.now - request->call_end - sim_excused_since(request->call_began) -
		       request->tries * SIM_ROUNDING;

	if (request->kind != SIM_REQUEST_BLOCKING || late <= 0 || request->was_refused ||
	    request->redirects_planned)
		return;
	sim_broken("call-late", "request 0x%x with %d times %d ms ends after %.3f ms",
		   request->token, request->tries, request->timeout_ms,
		   (double)(sim.now - request->call_began) / SIM_MS);
}

/* Nor does a request that has a deadline end long after it. */
static void check_deadline(const struct sim_request *request)
{
	int64_t late = sim.now - request->deadline - sim_excused_since(request->submitted_at);

	if (request->deadline != SIM_NEVER && sim.now > request->deadline &&
	    late > delivery_gap(request) - request->gap_at_submission)
		sim_broken("deadline-late", "request 0x%x ends %.3f ms after its deadline",
			   request->token, (double)(sim.now - request->deadline) / SIM_MS);
}

static void check_timed_out(struct sim_request *request)
{
	if (!is_over(request) && (int)request->attempts < request->tries &&
	    !is_ambiguous(request) && !request->write_error)
		sim_broken("too-few-attempts", "request 0x%x times out after %u of %d attempts",
			   request->token, request->attempts, request->tries);
	if (request->is_out)
		attempt_failed(request, delivery_gap(request));
	else if (!request->write_error && request->refused_at == SIM_NEVER && !is_over(request))
		sim_broken("unexplained", "request 0x%x times out without an attempt",
			   request->token);
}

/* A request ends promptly once its response is there. */
static void check_prompt(const struct sim_request *request)
{
	int64_t waited, allowed;

	if (request->response_at == SIM_NEVER || is_ambiguous(request))
		return;
	waited = sim.now - request->response_at;
	allowed = sim_excused_since(request->response_at) +
		  (delivery_gap(request) - request->gap_at_response);

	if (waited > allowed)
		sim_broken("completed-late",
			   "request 0x%x ends %.3f ms after its response was there (%.3f allowed)",
			   request->token, (double)waited / SIM_MS, (double)allowed / SIM_MS);
}

/* The kernel returns what it holds before long, and no request has to fail before it did. Redirects
 * that overtake a later attempt, as only a kernel that forwards every response has them, begin a
 * wait of any length. */
static void check_refused(const struct sim_request *request)
{
	if (sim_stalled_since(request->refused_at) || request->write_was_stalled ||
	    is_ambiguous(request) || request->was_held_back ||
	    (sim_world.kernel == SIM_KERNEL_FORWARDS && request->redirects_followed))
		return;
	sim_broken("refused-for-good", "request 0x%x fails since the kernel holds its TID",
		   request->token);
}

static bool is_explained(const struct sim_request *request, int error, bool has_status)
{
	switch (error) {
	case 0:
		return request->responses;
	case EIO: /* a response may come before a write fails, and count */
		if (has_status || request->write_error)
			has_status = request->responses && request->expects_status;
		return has_status || request->write_error == EIO || sim_kernel_is_removed();
	case ECANCELED:
		return request->cancels;
	case ENOMEM:
		return request->write_error == ENOMEM || sim_memory_has_failed();
	case ELOOP:
		return request->redirects_readable > REDIRECTS_MAX;
	case EINVAL:
		return request->refused_at != SIM_NEVER; /* another rule looks at that */
	default:
		return request->write_error == error || sim_kernel_is_removed();
	}
}

void sim_request_ended(struct sim_request *request, int error, bool has_status)
{
	sim_log("request 0x%x ends: %s%s", request->token, error ? strerror(error) : "responded to",
		has_status ? ", with an error status" : "");
	if (request->ended)
		sim_broken("ended-twice", "request 0x%x ends twice", request->token);
	sim_busy_check_ended(request, error);
	request->ended = true;
	request->got_response = !error;
	request->ended_at = sim.now;
	request->inexact |= !error && request->return_was_read;	     /* did that attempt fail? */
	request->inexact |= error == ETIMEDOUT && waits_for_agent(); /* before it had a place? */
	request->retries += request->attempts ? request->attempts - 1 : 0;
	if (request->must_be_cancelled && error != ECANCELED)
		sim_broken("cancel", "request 0x%x was cancelled and ends with %d", request->token,
			   error);
	if (error == EINVAL && request->refused_at != SIM_NEVER &&
	    !sim_request_is_disturbed(request))
		check_refused(request);
	else if (error == ETIMEDOUT && !sim_request_is_disturbed(request))
		check_timed_out(request);
	else if (error != ETIMEDOUT && !request->is_resolved && !sim.is_child &&
		 !is_explained(request, error, has_status))
		sim_broken("unexplained", "request 0x%x ends with %d (%s), which nothing explains",
			   request->token, error, strerror(error));
	if (error != ECANCELED && !sim_request_is_disturbed(request)) {
		check_prompt(request);
		check_deadline(request);
		check_call(request);
	}
	if (error == ENOMEM && request->write_error != ENOMEM)
		sim_memory_note_error("a request");
	if (request->kind == SIM_REQUEST_ASYNC)
		sim_queue_note_ended(request);
	if (error != ETIMEDOUT)
		note_possible_timeout(request);
	request->is_out = false;
}

void sim_requests_check_all_ended(void)
{
	for (unsigned i = 0; i < count; i++)
		if (requests[i].submitted && !requests[i].ended && !requests[i].abandoned &&
		    requests[i].kind != SIM_REQUEST_SENT_ONLY)
			sim_broken("never-ended", "request 0x%x has not ended", requests[i].token);
}

unsigned sim_requests_count_responses(void)
{
	unsigned responses = 0;

	for (unsigned i = 0; i < count; i++)
		responses += requests[i].got_response;
	return responses;
}

void sim_request_was_read_for_receivers(struct sim_request *request)
{
	request->read_for_receivers += request->kind == SIM_REQUEST_SENT_ONLY;
}

void sim_requests_check_all_received(void)
{
	if (sim_kernel_is_removed() || sim_memory_has_failed())
		return; /* messages lost then are nobody's fault */
	for (unsigned i = 0; i < count; i++)
		if (requests[i].read_for_receivers && !requests[i].received)
			sim_broken("message-lost",
				   "0x%x was sent, and nobody received a response or itself",
				   requests[i].token);
}

static void check_count(const char *what, uint64_t counted, uint64_t expected)
{
	if (counted != expected)
		sim_broken("statistics", "the port counts %llu %s, the kernel %llu",
			   (unsigned long long)counted, what, (unsigned long long)expected);
}

void sim_requests_check_unmatched(uint64_t counted, uint64_t responses, uint64_t strays)
{
	uint64_t taken = 0;

	for (unsigned i = 0; i < count; i++)
		taken += requests[i].redirects_followed + requests[i].got_response;
	if (counted < strays || counted + taken > responses)
		sim_broken("statistics",
			   "the port counts %llu unmatched responses; of %llu that were read, %llu "
			   "were taken, and %llu nobody had requested",
			   (unsigned long long)counted, (unsigned long long)responses,
			   (unsigned long long)taken, (unsigned long long)strays);
}

/* possible: how many more there may be. */
static void check_timeouts(uint64_t counted, uint64_t expected, uint64_t possible)
{
	if (counted < expected || counted > expected + possible)
		sim_broken("statistics",
			   "the port counts %llu timeouts, the kernel %llu and at most %llu more",
			   (unsigned long long)counted, (unsigned long long)expected,
			   (unsigned long long)possible);
}

void sim_requests_check_statistics(const struct mad_rpc_statistics *statistics, uint64_t writes,
				   uint64_t reads, bool several_ports)
{
	uint64_t retries = 0, timeouts = 0, possible_timeouts = 0, redirects = 0;
	bool exact = !several_ports && !sim_memory_has_failed() && !sim_kernel_is_removed() &&
		     !sim.is_child;

	for (unsigned i = 0; i < count; i++) {
		retries += requests[i].retries;
		timeouts += requests[i].timeouts;
		possible_timeouts += requests[i].possible_timeouts;
		redirects += requests[i].redirects_followed;
		if (requests[i].cancels || requests[i].abandoned || requests[i].write_error ||
		    requests[i].inexact || requests[i].is_resolved ||
		    requests[i].refused_at != SIM_NEVER || is_ambiguous(&requests[i]))
			exact = false;
	}
	if (!sim.is_child) {
		check_count("MADs sent", statistics->sent, writes);
		check_count("MADs received", statistics->received, reads);
	}
	if (!exact)
		return;
	check_count("retries", statistics->retries, retries);
	check_count("redirects", statistics->redirected, redirects);
	/* an attempt may both fail and get a response if the kernel forwards all */
	if (sim_world.kernel != SIM_KERNEL_FORWARDS)
		check_timeouts(statistics->timeouts, timeouts, possible_timeouts);
}
