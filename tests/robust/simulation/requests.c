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

struct sim_request sim_requests[REQUESTS], *sim_requests_end = sim_requests;

static const struct sim_moment never = { .at = SIM_NEVER };

struct sim_request *sim_request_new(enum sim_request_kind kind, int timeout_ms, int tries,
				    struct sim_gaps *gaps)
{
	struct sim_request *request = sim_requests_end;

	if (request == sim_requests + REQUESTS)
		return NULL;
	sim_requests_end++;
	*request = (struct sim_request){
		.token = FIRST_TOKEN + (uint32_t)(request - sim_requests),
		.kind = kind,
		.timeout_ms = timeout_ms,
		.tries = tries,
		.gaps = gaps,
		.made_in_child = sim.is_child,
		.deadline = SIM_NEVER,
		.call_end = SIM_NEVER,
		.busy.heard = never,
		.refusal = never,
		.release = never,
		.response = never,
		.redirect = never,
	};
	request->submission = sim_moment_of(request);
	if (kind == SIM_REQUEST_SENT_ONLY)
		request->token |= SENT_ONLY_TOKEN;
	if (kind == SIM_REQUEST_BLOCKING)
		request->call_end = sim.now + tries * timeout_ms * SIM_MS;
	return request;
}

struct sim_request *sim_request_find(uint32_t token)
{
	uint32_t number = (token & ~SENT_ONLY_TOKEN) - FIRST_TOKEN;

	return number < sim_requests_end - sim_requests && sim_requests[number].token == token
		       ? &sim_requests[number]
		       : NULL;
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

void sim_gap_lasts(struct sim_gap *gap, bool lasts)
{
	gap->total = gap_total(gap);
	gap->since = lasts ? sim.now : SIM_NEVER;
}

struct sim_moment sim_moment_of(const struct sim_request *request)
{
	struct sim_moment moment = { .at = sim.now };

	if (request->gaps) {
		moment.work = gap_total(&request->gaps->work);
		moment.delivery = gap_total(&request->gaps->delivery);
	}
	return moment;
}

static int64_t late(const struct sim_moment *since, int64_t due, int64_t gap)
{
	return sim.now - since->at - due - sim_excused_since(since->at) - gap;
}

int64_t sim_late(const struct sim_request *request, const struct sim_moment *since, int64_t due)
{
	return late(since, due, sim_moment_of(request).work - since->work);
}

/* Of what ends with a callback. */
static int64_t called_late(const struct sim_request *request, const struct sim_moment *since,
			   int64_t due)
{
	return late(since, due, sim_moment_of(request).delivery - since->delivery);
}

static double ms(int64_t ns)
{
	return (double)ns / SIM_MS;
}

static double ms_since(const struct sim_moment *moment)
{
	return ms(sim.now - moment->at);
}

/* Rules. With a receive queue, a request that is sent again may have to wait for a place of its
 * agent, for any time. */

bool sim_things_fail(void)
{
	return sim_memory_has_failed || sim_kernel_is_removed;
}

bool sim_request_is_disturbed(const struct sim_request *request)
{
	return request->abandoned || request->is_resolved ||
	       request->kind == SIM_REQUEST_SENT_ONLY || sim_things_fail() ||
	       request->made_in_child != sim.is_child;
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
	int64_t end = request->write.at + timeout_of(request);

	if (sim_world.receive_queue && end > request->call_end)
		end = request->call_end;
	return end < request->deadline ? end : request->deadline;
}

/* Whether a moment has come, as far as the library can tell. */
static bool has_come(int64_t moment)
{
	return sim.now >= moment - SIM_RUNNING - sim_processor_time();
}

/* No attempt lasts longer than its timeout. */
static void check_length(const struct sim_request *request)
{
	int64_t timeout = timeout_of(request);
	int64_t late_by = request->ended ? called_late(request, &request->write, timeout)
					 : sim_late(request, &request->write, timeout);

	if (sim_world.receive_queue && request->redirects_readable > request->redirects_followed)
		return; /* the request waits for a place, to be sent to its new address */
	if (late_by > 0)
		sim_broken("attempt-late", "request 0x%x has an attempt of %.3f ms, %.3f too long",
			   request->token, ms_since(&request->write), ms(late_by));
}

/* A refused attempt is made again before long, or given up. */
static void check_refusal(const struct sim_request *request)
{
	int64_t due = RETURN_MS * SIM_MS + timeout_of(request) / 8;

	if (request->refusal.at == SIM_NEVER || sim_request_is_disturbed(request) ||
	    sim_world.receive_queue)
		return;
	if (request->redirects_followed && !request->attempts)
		due += timeout_of(request); /* of an attempt at the old address */
	if (sim_late(request, &request->refusal, due) > 0)
		sim_broken("refused-late", "request 0x%x waits %.3f ms for its TID", request->token,
			   ms_since(&request->refusal));
	if (request->release.at != SIM_NEVER && sim_late(request, &request->release, 0) > 0)
		sim_broken("refused-late", "request 0x%x is sent %.3f ms after its TID was free",
			   request->token, ms_since(&request->release));
}

/* A redirect is followed at once. */
static void check_redirect(const struct sim_request *request)
{
	if (request->redirect.at == SIM_NEVER || sim_request_is_disturbed(request) ||
	    is_ambiguous(request) || sim_world.receive_queue)
		return;
	if (sim_late(request, &request->redirect, 0) > 0)
		sim_broken("redirected-late", "request 0x%x follows a redirect after %.3f ms",
			   request->token, ms_since(&request->redirect));
}

/* An attempt that ends without a response lasts as long as it has to. */
static void check_not_early(const struct sim_request *request)
{
	if (sim_world.kernel == SIM_KERNEL_FORWARDS) /* a return may belong to any attempt */
		return;
	if (!request->return_was_read && !request->write_was_stalled &&
	    !has_come(sim_request_attempt_end(request)))
		sim_broken("attempt-early", "request 0x%x has an attempt of %.3f ms, not %d",
			   request->token, ms_since(&request->write), request->timeout_ms);
}

/* No attempt ends without a response if one was there in time. */
static void check_not_ignored(const struct sim_request *request)
{
	int64_t end = sim_request_attempt_end(request);

	if (request->response.at == SIM_NEVER || request->write_was_stalled ||
	    is_ambiguous(request))
		return;
	if (sim_world.kernel == SIM_KERNEL_FORWARDS && request->earlier_return_was_read)
		return; /* the earlier return may have ended this attempt */
	if (request->response.at <= end - SIM_ROUNDING - sim_processor_time() &&
	    request->response.at < sim.now - SIM_RUNNING)
		sim_broken("response-ignored",
			   "an attempt of request 0x%x fails after %.3f ms, with a response since "
			   "%.3f ms",
			   request->token, ms_since(&request->write), ms_since(&request->response));
}

/* The attempt that is out got no response. */
static void attempt_failed(struct sim_request *request)
{
	request->timeouts++;
	if (sim_request_is_disturbed(request))
		return;
	if (!sim_world.receive_queue || (request->ended && request->redirect.at == SIM_NEVER &&
					 (int)request->attempts >= request->tries))
		check_length(request);
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
	request->possible_timeouts +=
		request->is_out &&
		(request->write_was_stalled || has_come(sim_request_attempt_end(request)));
}

/* The request was redirected: its attempts are counted anew. */
static void begin_anew(struct sim_request *request)
{
	note_possible_timeout(request);
	check_redirect(request);
	request->redirect = never;
	request->redirects_followed++;
	request->retries += request->attempts ? request->attempts - 1 : 0;
	request->attempts = 0;
	if (request->redirects_followed > REDIRECTS_MAX && !sim_request_is_disturbed(request))
		sim_broken("too-many-redirects", "request 0x%x follows %u redirects",
			   request->token, request->redirects_followed);
	request->is_out = false;
	request->inexact |= request->refusal.at != SIM_NEVER;
	request->refusal = request->release = never;
}

/* Another attempt begins, or is refused: what was out is over. */
static void end_attempt(struct sim_request *request, uint16_t lid)
{
	if (request->ended && !request->abandoned && !request->cancels && !sim.is_child &&
	    request->kind != SIM_REQUEST_SENT_ONLY)
		sim_broken("sent-after-end", "request 0x%x is sent after its end", request->token);
	if (request->lid && lid != request->lid)
		begin_anew(request);
	request->lid = lid;
	if (request->is_out)
		attempt_failed(request);
	request->is_out = false;
}

/* A request is written as its program asked for, with an ID that no other request has had. */
static void check_written(struct sim_request *request, const struct sim_packet *sent)
{
	uint32_t tid = mad_get_be32(sent->mad + MAD_TID_LOW_AT);

	if (request->kind != SIM_REQUEST_SENT_ONLY &&
	    ((int)sent->timeout_ms != request->timeout_ms || sent->retries))
		sim_broken("written-as-asked", "request 0x%x is written with %u ms and %u retries",
			   request->token, sent->timeout_ms, sent->retries);
	if (tid == request->tid)
		return;
	request->tid = tid;
	for (SIM_EACH_REQUEST(other))
		if (other != request && other->tid == tid &&
		    other->made_in_child == request->made_in_child)
			sim_broken("tid-twice", "requests 0x%x and 0x%x have the TID 0x%x",
				   other->token, request->token, tid);
}

/* When the library may have decided on what its thread does now. */
static int64_t decided_at(void)
{
	int64_t clock = sim.current->clock_read_at, recent = sim.now - SIM_RUNNING;

	return clock < recent ? clock : recent;
}

/* No attempt begins when the deadline has passed, nor does a request end long after it. */
static void check_deadline(const struct sim_request *request, const char *does, int64_t gap)
{
	int64_t due = request->deadline - request->submission.at;

	if (request->deadline != SIM_NEVER && late(&request->submission, due, gap) > 0)
		sim_broken("deadline-late", "request 0x%x %s %.3f ms after its deadline",
			   request->token, does, ms(sim.now - request->deadline));
}

unsigned sim_request_was_written(const struct sim_packet *sent)
{
	struct sim_request *request = sent->request;

	check_written(request, sent);
	sim_busy_check_written(request);
	if (!sim_request_is_disturbed(request))
		check_deadline(request, "is sent", 0);
	if (request->kind == SIM_REQUEST_ASYNC && !request->all_attempts)
		sim_queue_check(request);
	end_attempt(request, sent->lid);
	check_refusal(request);
	request->refusal = request->release = never;
	request->is_out = true;
	request->attempts++;
	request->all_attempts++;
	request->write = sim_moment_of(request);
	request->write_was_stalled = sim_stalled_since(decided_at()) > 0;
	request->return_was_read = false;
	request->earlier_return_was_read = false;
	if ((int)request->attempts > request->tries && !is_ambiguous(request) &&
	    !sim_request_is_disturbed(request))
		sim_broken("too-many-attempts", "request 0x%x is sent %u times, allowed are %d",
			   request->token, request->attempts, request->tries);
	sim_queue_note_written(request, sent->mad[MAD_CLASS_AT]);
	return request->all_attempts;
}

void sim_request_write_was_refused(struct sim_request *request, uint16_t lid)
{
	end_attempt(request, lid);
	request->was_refused = true;
	if (request->refusal.at == SIM_NEVER)
		request->refusal = sim_moment_of(request);
}

void sim_request_write_failed(struct sim_request *request, uint16_t lid, int error)
{
	end_attempt(request, lid);
	request->write_error = error;
	request->attempts++; /* a failed write counts as an attempt */
}

void sim_request_was_read(const struct sim_packet *packet)
{
	struct sim_request *request = packet->request;

	if (!request)
		return;
	if (!packet->returned)
		sim_busy_note_read(request, packet->is_busy);
	else if (packet->attempt != request->all_attempts)
		request->earlier_return_was_read = true;
	else if (request->refusal.at != SIM_NEVER && request->release.at == SIM_NEVER)
		request->release = sim_moment_of(request);
	request->return_was_read |= packet->returned && packet->attempt == request->all_attempts;
	request->read_for_receivers += request->kind == SIM_REQUEST_SENT_ONLY &&
				       (packet->returned || packet->must_be_taken);
}

/* A response to what was sent to an earlier address, or behind a redirect that is not followed yet,
 * may be taken or dropped. */
void sim_request_is_readable(const struct sim_packet *packet)
{
	struct sim_request *request = packet->request;

	if (!request)
		return;
	request->responses += packet->must_be_taken;
	if (packet->must_be_taken && request->response.at == SIM_NEVER &&
	    packet->lid == request->lid &&
	    request->redirects_readable <= request->redirects_followed)
		request->response = sim_moment_of(request);
	request->redirects_readable += packet->redirects;
	if (packet->redirects && request->redirect.at == SIM_NEVER && packet->lid == request->lid)
		request->redirect = sim_moment_of(request);
}

/* Whether the request may have ended since its time was over. */
static bool is_over(const struct sim_request *request)
{
	bool is_call = sim_world.receive_queue && request->call_end < request->deadline;

	return has_come(is_call ? request->call_end : request->deadline);
}

/* A call takes no longer than its attempts, wherever it waits, but for what the kernel holds
 * against it, and for addresses that it is redirected to. */
static void check_call(const struct sim_request *request)
{
	int64_t due = request->call_end - request->submission.at + request->tries * SIM_ROUNDING;

	if (request->call_end == SIM_NEVER || request->was_refused || request->redirects_planned)
		return;
	if (late(&request->submission, due, 0) > 0)
		sim_broken("call-late", "request 0x%x, of %d times %d ms, ends after %.3f ms",
			   request->token, request->tries, request->timeout_ms,
			   ms_since(&request->submission));
}

static void check_timed_out(struct sim_request *request)
{
	if (!is_over(request) && (int)request->attempts < request->tries &&
	    !is_ambiguous(request) && !request->write_error)
		sim_broken("too-few-attempts", "request 0x%x times out after %u of %d attempts",
			   request->token, request->attempts, request->tries);
	if (request->is_out)
		attempt_failed(request);
	else if (!request->write_error && request->refusal.at == SIM_NEVER && !is_over(request))
		sim_broken("unexplained", "request 0x%x times out without an attempt",
			   request->token);
}

/* A request ends promptly once its response is there. */
static void check_prompt(const struct sim_request *request)
{
	if (request->response.at != SIM_NEVER && !is_ambiguous(request) &&
	    called_late(request, &request->response, 0) > 0)
		sim_broken("completed-late", "request 0x%x ends %.3f ms after its response",
			   request->token, ms_since(&request->response));
}

/* The kernel returns what it holds before long, and no request has to fail before it did. Redirects
 * that overtake a later attempt, as only a kernel that forwards every response has them, begin a
 * wait of any length. */
static void check_refused(const struct sim_request *request)
{
	if (sim_stalled_since(request->refusal.at) || request->write_was_stalled ||
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
		return has_status || request->write_error == EIO || sim_kernel_is_removed;
	case ECANCELED:
		return request->cancels;
	case ENOMEM:
		return request->write_error == ENOMEM || sim_memory_has_failed;
	case ELOOP:
		return request->redirects_readable > REDIRECTS_MAX;
	case EINVAL:
		return request->refusal.at != SIM_NEVER; /* another rule looks at that */
	default:
		return request->write_error == error || sim_kernel_is_removed;
	}
}

static void check_end(struct sim_request *request, int error, bool has_status)
{
	bool is_disturbed = sim_request_is_disturbed(request);

	if (request->must_be_cancelled && error != ECANCELED)
		sim_broken("cancel", "request 0x%x was cancelled and ends with %d", request->token,
			   error);
	if (error == EINVAL && request->refusal.at != SIM_NEVER && !is_disturbed)
		check_refused(request);
	else if (error == ETIMEDOUT && !is_disturbed)
		check_timed_out(request);
	else if (error != ETIMEDOUT && !request->is_resolved && !sim.is_child &&
		 !is_explained(request, error, has_status))
		sim_broken("unexplained", "request 0x%x ends with %d (%s), which nothing explains",
			   request->token, error, strerror(error));
	if (error == ECANCELED || is_disturbed)
		return;
	check_prompt(request);
	check_deadline(request, "ends",
		       sim_moment_of(request).delivery - request->submission.delivery);
	check_call(request);
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
	request->inexact |= !error && request->return_was_read; /* did that attempt fail? */
	request->inexact |= error == ETIMEDOUT && sim_world.receive_queue; /* before a place? */
	request->retries += request->attempts ? request->attempts - 1 : 0;
	check_end(request, error, has_status);
	if (error == ENOMEM && request->write_error != ENOMEM)
		sim_memory_note_error("a request");
	if (request->kind == SIM_REQUEST_ASYNC)
		sim_queue_note_progress(request);
	if (error != ETIMEDOUT)
		note_possible_timeout(request);
	request->is_out = false;
}

void sim_requests_check_all_ended(void)
{
	for (SIM_EACH_REQUEST(request))
		if (request->submitted && !request->ended && !request->abandoned &&
		    request->kind != SIM_REQUEST_SENT_ONLY)
			sim_broken("never-ended", "request 0x%x has not ended", request->token);
}

void sim_requests_check_all_received(void)
{
	for (SIM_EACH_REQUEST(request))
		if (request->read_for_receivers && !request->received && !sim_things_fail())
			sim_broken("message-lost", "nobody has received 0x%x or a response to it",
				   request->token);
}

/* The port's count, and the limits of what the kernel and the requests make of it. */
static void check_count(const char *what, uint64_t counted, uint64_t least, uint64_t most)
{
	if (counted < least || counted > most)
		sim_broken("statistics", "the port counts %llu %s, and there were %llu to %llu",
			   (unsigned long long)counted, what, (unsigned long long)least,
			   (unsigned long long)most);
}

void sim_requests_check_statistics(const struct mad_rpc_statistics *counts,
				   const struct sim_file *file, bool several_ports)
{
	uint64_t retries = 0, timeouts = 0, possible_timeouts = 0, redirects = 0, taken = 0;
	bool exact = !several_ports && !sim_things_fail() && !sim.is_child;

	for (SIM_EACH_REQUEST(request)) {
		retries += request->retries;
		timeouts += request->timeouts;
		possible_timeouts += request->possible_timeouts;
		redirects += request->redirects_followed;
		taken += request->got_response + request->redirects_followed;
		exact &= !request->cancels && !request->abandoned && !request->write_error &&
			 !request->inexact && !request->is_resolved &&
			 request->refusal.at == SIM_NEVER && !is_ambiguous(request);
	}
	if (!sim.is_child) {
		check_count("MADs sent", counts->sent, file->writes, file->writes);
		check_count("MADs received", counts->received, file->reads, file->reads);
	}
	if (!several_ports && !sim_memory_has_failed)
		check_count("responses", counts->unmatched + taken, file->strays_read + taken,
			    file->responses_read);
	if (!exact)
		return;
	check_count("retries", counts->retries, retries, retries);
	check_count("redirects", counts->redirected, redirects, redirects);
	/* an attempt may both fail and get a response if the kernel forwards all */
	if (sim_world.kernel != SIM_KERNEL_FORWARDS)
		check_count("timeouts", counts->timeouts, timeouts, timeouts + possible_timeouts);
}
