/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * A lane: the asynchronous requests of one port. What is queued goes out while the window has room;
 * what is in flight is answered, sent again, turned elsewhere or given up. Everything here runs
 * with the lock of the port's engine held, which is given back only around umad_send().
 */
#include <errno.h>
#include <stdlib.h>
#include <time.h>

#include "async.h"
#include "bytes.h"
#include "debug.h"
#include "layout.h"

#define NS_PER_MS     INT64_C(1000000)
#define REDIRECTS_MAX 8

/* A request leaves the window when it is out for this many round trips, within these bounds. */
#define PATIENCE_ROUND_TRIPS 8
#define PATIENCE_MIN	     (50 * NS_PER_MS)
#define PATIENCE_UNTIMED     (1000 * NS_PER_MS)

/* How often we look whether the kernel has given back a request whose try is over. */
#define GRACE_LOOK (5 * NS_PER_MS)

/* Timers that others set while we wait are looked at this late, at most. */
#define LOOK_INTERVAL (50 * NS_PER_MS)

static struct mad_async_request *request_of(struct mad_transaction *transaction)
{
	return (struct mad_async_request *)transaction;
}

/* Wakes whoever works for the lane: dispatching threads, and its pump. */
static void wake(struct mad_lane *lane)
{
	struct mad_waiter *waiter = lane->engine->first_waiter;

	for (; waiter; waiter = waiter->next)
		if (waiter->serves == lane)
			mad_engine_wake(waiter);
	mad_pump_wake(lane);
}

static void take_off_lists(struct mad_lane *lane, struct mad_async_request *request)
{
	switch (request->place) {
	case MAD_ASYNC_QUEUED:
		mad_async_remove(&lane->queue, request);
		break;
	case MAD_ASYNC_PARKED:
		mad_destination_unpark(lane, request);
		break;
	default:
		mad_async_remove(request->wants_attention ? &lane->attention : &lane->flying,
				 request);
		break;
	}
	request->wants_attention = false;
}

static void measure_round_trip(struct mad_lane *lane, const struct mad_async_request *request)
{
	int64_t took = mad_engine_now() - request->transaction.try_started;

	if (request->tries != 1 || took < 0)
		return;
	lane->round_trip += lane->round_trip ? (took - lane->round_trip) / 8 : took;
}

/* The request is over: it makes room for others, and its callback is due. */
static void finish(struct mad_lane *lane, struct mad_async_request *request, int error)
{
	bool answered = request->answer && request->transaction.state == MAD_TRANSACTION_ANSWERED;

	if (mad_debug_is_on())
		mad_debug_async(request, error);
	take_off_lists(lane, request);
	if (answered)
		measure_round_trip(lane, request);
	if (request->answer) {
		mad_transaction_end(lane->engine, &request->transaction);
		lane->in_flight--;
	}
	mad_timers_clear(lane, request);
	if (request->in_window)
		lane->in_window--;
	request->in_window = false;
	mad_destination_leave(lane, request, answered);
	lane->outstanding--;
	mad_async_complete(request, error);
	wake(lane);
}

/* Room for the answer, and for a timer. Returns 0 or -ENOMEM. */
static int prepare(struct mad_lane *lane, struct mad_async_request *request)
{
	struct mad_async_answer *answer = lane->spare_answers;

	if (mad_timers_reserve(lane))
		return -ENOMEM;
	if (answer)
		lane->spare_answers = answer->next;
	else
		answer = malloc(sizeof(*answer));
	if (!answer)
		return -ENOMEM;
	request->answer = answer;
	lane->in_flight++;
	request->transaction.answer = answer->mad;
	request->transaction.answer_size = sizeof(answer->mad);
	return 0;
}

static int64_t patience(const struct mad_lane *lane, const struct mad_async_request *request)
{
	int64_t half = request->transaction.timeout_ms * NS_PER_MS / 2, wanted = half;

	if (request->transaction.timeout_ms < 0)
		half = wanted = PATIENCE_UNTIMED;
	if (lane->round_trip)
		wanted = lane->round_trip * PATIENCE_ROUND_TRIPS;
	if (wanted < PATIENCE_MIN)
		wanted = PATIENCE_MIN;
	return wanted < half ? wanted : half;
}

static bool is_redirected(const struct mad_async_request *request)
{
	const uint8_t *answer = request->transaction.answer;

	return !mad_class_is_smi(request->transaction.mgmt_class) &&
	       mad_get_be16(answer + MAD_STATUS) == IB_MAD_STS_REDIRECT;
}

static void want_attention(struct mad_lane *lane, struct mad_async_request *request)
{
	if (request->wants_attention)
		return;
	mad_async_remove(&lane->flying, request);
	mad_async_append(&lane->attention, request);
	request->wants_attention = true;
}

/* What an answer, or the kernel giving the request back, means for a request in flight. */
static void look_at_state(struct mad_lane *lane, struct mad_async_request *request)
{
	const struct mad_transaction *transaction = &request->transaction;

	if (transaction->state == MAD_TRANSACTION_ANSWERED &&
	    (transaction->error || !is_redirected(request)))
		finish(lane, request, transaction->error);
	else if (transaction->state != MAD_TRANSACTION_WAITING)
		want_attention(lane, request);
}

/* Called by whichever thread reads the port; what takes longer is left to those of the lane. */
void mad_lane_settled(struct mad_transaction *transaction)
{
	struct mad_async_request *request = request_of(transaction);

	if (request->place != MAD_ASYNC_WAITING)
		return;
	look_at_state(request->lane, request);
	wake(request->lane);
}

/* Whether the kernel may still hold a request with this transaction id. */
static bool may_be_held(const struct mad_lane *lane, const struct mad_async_request *request)
{
	return request->tries > 1 || mad_transaction_was_used(lane->engine, &request->transaction);
}

/* After a send: in flight now, or what went wrong. */
static void sent(struct mad_lane *lane, struct mad_async_request *request, int error)
{
	int64_t now = mad_engine_now();

	request->place = MAD_ASYNC_WAITING;
	if (request->cancelled) {
		finish(lane, request, request->error);
		return;
	}
	if (request->transaction.state == MAD_TRANSACTION_ANSWERED) {
		look_at_state(lane, request);
		return;
	}
	if (error == -EINVAL && may_be_held(lane, request) &&
	    (!request->grace_ends || now < request->grace_ends)) {
		if (!request->grace_ends)
			request->grace_ends =
				now +
				mad_return_grace_ms(request->transaction.timeout_ms) * NS_PER_MS;
		request->tries--;
		lane->engine->statistics.errors--; /* the refused send was none */
		mad_timers_set(lane, request, now + GRACE_LOOK);
		return;
	}
	if (error) {
		finish(lane, request, error);
		return;
	}
	request->grace_ends = 0;
	request->deadline = mad_engine_deadline(request->transaction.timeout_ms);
	if (request->slow)
		mad_timers_set(lane, request, request->deadline);
	else
		mad_timers_set(lane, request, now + patience(lane, request));
	look_at_state(lane, request);
}

static void send_request(struct mad_lane *lane, struct mad_async_request *request)
{
	struct mad_transaction *transaction = &request->transaction;
	int error;

	mad_timers_clear(lane, request);
	if (request->wants_attention) {
		mad_async_remove(&lane->attention, request);
		mad_async_append(&lane->flying, request);
		request->wants_attention = false;
	}
	request->place = MAD_ASYNC_SENDING;
	request->tries++;
	transaction->state = MAD_TRANSACTION_WAITING;
	transaction->try_started = mad_engine_now();
	pthread_mutex_unlock(&lane->engine->lock);
	error = mad_engine_send(lane->engine, transaction->agent, transaction->request,
				transaction->request_length, transaction->timeout_ms);
	pthread_mutex_lock(&lane->engine->lock);
	sent(lane, request, error);
}

/* A try got no answer: another one, or none any more. */
static void try_over(struct mad_lane *lane, struct mad_async_request *request, int error)
{
	lane->engine->statistics.timeouts++;
	if (request->tries >= (unsigned)request->transaction.tries) {
		finish(lane, request, error);
		return;
	}
	lane->engine->statistics.retries++;
	send_request(lane, request);
}

static void redirect(struct mad_lane *lane, struct mad_async_request *request)
{
	uint8_t *info = request->answer->mad + request->transaction.data_offset;
	int lid = 0;

	if (request->transaction.data_offset + sizeof(struct umad_class_port_info) <= IB_MAD_SIZE)
		lid = mad_get_field(info, 0, IB_CPI_REDIRECT_LID_F);
	if (!lid || request->redirects == REDIRECTS_MAX) {
		finish(lane, request, lid ? -ELOOP : -EOPNOTSUPP);
		return;
	}
	mad_buffer_free(request->transaction.whole);
	request->transaction.whole = NULL;
	request->redirects++;
	request->tries = 0;
	request->portid.lid = lid;
	request->portid.sl = mad_get_field(info, 0, IB_CPI_REDIRECT_SL_F);
	request->portid.qp = mad_get_field(info, 0, IB_CPI_REDIRECT_QP_F);
	request->portid.qkey = mad_get_field(info, 0, IB_CPI_REDIRECT_QKEY_F);
	mad_packet_address(request->umad, request->transaction.mgmt_class, &request->portid);
	lane->engine->statistics.redirected++;
	send_request(lane, request);
}

static void look_at_attention(struct mad_lane *lane)
{
	struct mad_async_request *request;

	while ((request = lane->attention.first)) {
		if (request->transaction.state == MAD_TRANSACTION_ANSWERED)
			redirect(lane, request);
		else if (request->grace_ends)
			send_request(lane, request);
		else
			try_over(lane, request, request->transaction.error);
	}
}

/* A timer is due: time to send again, to leave the window, or to give the try up. */
static void fire(struct mad_lane *lane, struct mad_async_request *request, int64_t now)
{
	if (request->grace_ends) {
		send_request(lane, request);
	} else if (!request->slow && now < request->deadline) {
		lane->in_window -= request->in_window;
		request->in_window = false;
		mad_destination_mark_slow(lane, request);
		mad_timers_set(lane, request, request->deadline);
	} else {
		request->transaction.returns_owed++;
		try_over(lane, request, -ETIMEDOUT);
	}
}

static void look_at_timers(struct mad_lane *lane)
{
	int64_t now = mad_engine_now();

	while (lane->timer_count && lane->timers[1]->due <= now)
		fire(lane, lane->timers[1], now);
}

/* Sends a request that is on no list. */
static void launch(struct mad_lane *lane, struct mad_async_request *request)
{
	int error;

	mad_async_append(&lane->flying, request);
	request->place = MAD_ASYNC_WAITING;
	error = prepare(lane, request);
	if (error) {
		finish(lane, request, error);
		return;
	}
	if (request->is_probe) {
		mad_destination_mark_slow(lane, request);
	} else {
		request->in_window = true;
		lane->in_window++;
	}
	mad_transaction_begin(lane->engine, &request->transaction);
	send_request(lane, request);
}

/* What is parked has waited for longer than what is queued. */
static void launch_next(struct mad_lane *lane)
{
	struct mad_async_request *request = mad_destination_next(lane);

	if (request) {
		mad_destination_launch_next(lane);
		launch(lane, request);
		return;
	}
	request = lane->queue.first;
	mad_async_remove(&lane->queue, request);
	if (mad_destination_admit(lane, request))
		launch(lane, request);
}

static bool may_launch(const struct mad_lane *lane)
{
	if (lane->in_window >= lane->window)
		return mad_destination_next_is_probe(lane);
	return lane->queue.first || mad_destination_next(lane);
}

/* Does what there is to do now. One thread at a time launches, so that requests
 * keep their order. */
void mad_lane_work(struct mad_lane *lane)
{
	look_at_attention(lane);
	look_at_timers(lane);
	if (lane->launches)
		return;
	lane->launches = true;
	while (may_launch(lane))
		launch_next(lane);
	lane->launches = false;
}

bool mad_lane_has_work(const void *context)
{
	const struct mad_lane *lane = context;

	return lane->stops || lane->attention.first || (!lane->launches && may_launch(lane));
}

/* Until when whoever works for the lane may wait. */
int64_t mad_lane_next_look(const struct mad_lane *lane)
{
	int64_t next = mad_engine_now() + LOOK_INTERVAL;

	return lane->timer_count && lane->timers[1]->due < next ? lane->timers[1]->due : next;
}

void mad_lane_submit(struct mad_lane *lane, struct mad_async_request *request)
{
	request->place = MAD_ASYNC_QUEUED;
	mad_async_append(&lane->queue, request);
	lane->outstanding++;
	mad_lane_work(lane);
	wake(lane);
}

/* Returns false where the request is over already, or cancelled. */
bool mad_lane_cancel(struct mad_lane *lane, struct mad_async_request *request, int error)
{
	switch (request->place) {
	case MAD_ASYNC_FREE:
	case MAD_ASYNC_DONE:
		return false;
	case MAD_ASYNC_SENDING:
		if (request->cancelled)
			return false;
		request->error = error;
		request->cancelled = true;
		return true;
	default:
		finish(lane, request, error);
		return true;
	}
}

static unsigned cancel_list(struct mad_lane *lane, struct mad_async_list *list, int error)
{
	struct mad_async_request *request = list->first;
	unsigned cancelled = 0;

	while (request) {
		struct mad_async_request *next = request->next;

		cancelled += mad_lane_cancel(lane, request, error);
		request = next;
	}
	return cancelled;
}

/* Returns how many. */
unsigned mad_lane_cancel_all(struct mad_lane *lane, int error)
{
	unsigned cancelled = cancel_list(lane, &lane->queue, error), bucket = 0;
	struct mad_async_request *parked;

	while ((parked = mad_destinations_first_parked(lane, &bucket)))
		cancelled += mad_lane_cancel(lane, parked, error);
	cancelled += cancel_list(lane, &lane->attention, error);
	return cancelled + cancel_list(lane, &lane->flying, error);
}

/* The port can't be read any more; or there is no memory for what came, which
 * may pass. */
void mad_lane_fail(struct mad_lane *lane, int error)
{
	static const struct timespec one_ms = { .tv_nsec = NS_PER_MS };

	if (error == -ENOMEM) {
		pthread_mutex_unlock(&lane->engine->lock);
		nanosleep(&one_ms, NULL);
		pthread_mutex_lock(&lane->engine->lock);
		return;
	}
	lane->failed = error;
	mad_lane_cancel_all(lane, error);
}

/* The callback is over: what the answer was in can be used again. */
void mad_lane_recycle(struct mad_lane *lane, struct mad_async_request *request)
{
	if (request->answer) {
		request->answer->next = lane->spare_answers;
		lane->spare_answers = request->answer;
	}
	request->answer = NULL;
}
