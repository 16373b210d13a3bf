/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * A lane: the asynchronous requests of one port. Queued requests are sent while the window permits;
 * requests in flight follow the decisions of their try machines. Everything here runs with the lock
 * of the port's engine held, which is released only around umad_send() and while waiting.
 */
#include <errno.h>
#include <stdlib.h>

#include "libibmad/async/async.h"
#include "libibmad/requests/debug.h"

/* A request leaves the window after this time, or half its timeout if that is shorter: a longer one
 * would let few ports that are silent delay all others, whatever has responded before. */
#define PATIENCE (50 * MAD_NS_PER_MS)

static struct mad_async_request *request_of(struct mad_transaction *transaction)
{
	return (struct mad_async_request *)transaction;
}

void mad_lane_end_follow_up(struct mad_lane *lane, struct mad_async_request *request,
			    const struct mad_follow_up *state)
{
	mad_follow_up_end(lane->engine, &request->transaction, state);
	mad_lane_follow(lane, request);
}

void mad_lane_init(struct mad_lane *lane, struct mad_async *async, struct ibmad_port *port,
		   unsigned window)
{
	lane->async = async;
	lane->port = port;
	lane->engine = mad_port_engine(port);
	lane->window = window ? window : MAD_ASYNC_DEFAULT_WINDOW;
	TAILQ_INIT(&lane->all);
	TAILQ_INIT(&lane->queue);
	TAILQ_INIT(&lane->attention);
	TAILQ_INIT(&lane->workers.waiting);
	STAILQ_INIT(&lane->follow_ups);
	SLIST_INIT(&lane->spare_responses);
	mad_destinations_init(lane);
	mad_agents_init(lane);
}

void mad_lane_free(struct mad_lane *lane)
{
	mad_responses_free(&lane->spare_responses);
	mad_destinations_free(lane);
	free(lane->timers);
}

static void wake_idle_pump(struct mad_lane *lane)
{
	if (lane->pump_is_idle)
		pthread_cond_signal(&lane->pump_idle);
}

void mad_lane_wake_all(struct mad_lane *lane)
{
	mad_engine_wake_all(&lane->workers);
	wake_idle_pump(lane);
}

/* The one that polls and the one that sees to the timers would have to be replaced. */
static struct mad_waiter *most_idle(struct mad_lane *lane)
{
	struct mad_waiter *worker, *found = TAILQ_FIRST(&lane->workers.waiting);

	TAILQ_FOREACH(worker, &lane->workers.waiting, in_group)
	{
		if (worker->sleeps && worker != lane->timekeeper)
			return worker;
		if (worker->sleeps)
			found = worker;
	}
	return found;
}

/* A thread that is awake looks for what there is to do before it waits or leaves. */
void mad_lane_notify(struct mad_lane *lane)
{
	struct mad_waiter *worker = lane->workers.awake ? NULL : most_idle(lane);

	if (worker)
		mad_engine_wake_member(worker);
	wake_idle_pump(lane);
}

/* After timers were set: no thread may sleep past the first one. */
static void wake_for_timers(struct mad_lane *lane)
{
	struct mad_waiter *worker = lane->timekeeper;

	if (worker && worker->waits && lane->timer_count && lane->timers[1]->due < worker->until)
		mad_engine_wake_member(worker);
}

static void take_off_lists(struct mad_lane *lane, struct mad_async_request *request)
{
	switch (request->place) {
	case MAD_ASYNC_QUEUED:
		TAILQ_REMOVE(&lane->queue, request, link);
		break;
	case MAD_ASYNC_PARKED:
		mad_destination_unpark(lane, request);
		break;
	case MAD_ASYNC_HELD:
		mad_agent_drop(lane, request);
		mad_destination_leave(lane, request, -ECANCELED);
		break;
	case MAD_ASYNC_ATTENTION:
		TAILQ_REMOVE(&lane->attention, request, link);
		break;
	default:
		break;
	}
	TAILQ_REMOVE(&lane->all, request, in_lane);
}

void mad_lane_set_share(struct mad_lane *lane, struct mad_async_request *request,
			enum mad_async_share share)
{
	lane->shares[request->share]--;
	request->share = share;
	lane->shares[share]++;
}

/* A request is no longer in flight: others may be sent instead. */
static void land(struct mad_lane *lane, struct mad_async_request *request, int error)
{
	mad_inflight_remove(lane->engine, &request->transaction);
	mad_timers_clear(lane, request);
	lane->in_flight--;
	if (request->agent)
		request->agent->in_flight--;
	mad_lane_set_share(lane, request, MAD_ASYNC_NO_SHARE);
	mad_destination_leave(lane, request, error);
}

static bool may_take_queued(const struct mad_lane *lane)
{
	return lane->shares[MAD_ASYNC_IN_WINDOW] < lane->window && !TAILQ_EMPTY(&lane->queue);
}

static bool may_launch(const struct mad_lane *lane)
{
	return mad_agent_next(lane) || mad_destination_has_next(lane) || may_take_queued(lane);
}

static bool has_work(const struct mad_lane *lane)
{
	return !TAILQ_EMPTY(&lane->attention) || (!lane->launches && may_launch(lane));
}

/* The lane's thread runs no callbacks. */
static void notify_of_end(struct mad_lane *lane)
{
	if (!lane->outstanding)
		mad_lane_wake_all(lane);
	else if (!lane->has_pump || has_work(lane) || !STAILQ_EMPTY(&lane->follow_ups))
		mad_lane_notify(lane);
}

/* The request has ended, and its callback is due. */
static void finish(struct mad_lane *lane, struct mad_async_request *request, int error)
{
	if (mad_debug_is_on())
		mad_debug_async(&request->transaction, &request->portid, error);
	take_off_lists(lane, request);
	if (request->response)
		land(lane, request,
		     mad_transaction_has_response(&request->transaction) ? 0 : error);
	lane->outstanding--;
	mad_request_complete(request, error);
	notify_of_end(lane);
}

static struct mad_async_response *take_response(struct mad_lane *lane)
{
	struct mad_async_response *response;

	if (SLIST_EMPTY(&lane->spare_responses))
		mad_completion_take_spares(lane->async, &lane->spare_responses);
	response = SLIST_FIRST(&lane->spare_responses);
	if (!response)
		return malloc(sizeof(*response));
	SLIST_REMOVE_HEAD(&lane->spare_responses, link);
	return response;
}

/* Memory for the response, and for a timer. Returns 0 or -ENOMEM. */
static int prepare(struct mad_lane *lane, struct mad_async_request *request)
{
	struct mad_async_response *response;

	if (mad_timers_reserve(lane))
		return -ENOMEM;
	response = take_response(lane);
	if (!response)
		return -ENOMEM;
	request->response = response;
	request->transaction.response = response->mad;
	request->transaction.response_size = sizeof(response->mad);
	return 0;
}

static int64_t patience(const struct mad_async_request *request)
{
	int timeout_ms = request->transaction.try.timeout_ms;
	int64_t half = timeout_ms * MAD_NS_PER_MS / 2;

	return timeout_ms < 0 || half > PATIENCE ? PATIENCE : half;
}

/* When a waiting request next needs action; MAD_NO_DEADLINE: only on an event. */
static int64_t due_time(const struct mad_async_request *request)
{
	const struct mad_try *try = &request->transaction.try;
	int64_t leaves_window;

	if ((try->phase != MAD_TRY_WAITING && try->phase != MAD_TRY_PAUSED) ||
	    request->share != MAD_ASYNC_IN_WINDOW)
		return try->until;
	leaves_window = try->began + patience(request);
	return leaves_window < try->until ? leaves_window : try->until;
}

static void set_timer(struct mad_lane *lane, struct mad_async_request *request)
{
	int64_t due = due_time(request);

	if (due == MAD_NO_DEADLINE)
		mad_timers_clear(lane, request);
	else
		mad_timers_set(lane, request, due);
}

static void want_attention(struct mad_lane *lane, struct mad_async_request *request)
{
	if (request->place == MAD_ASYNC_ATTENTION)
		return;
	mad_timers_clear(lane, request);
	TAILQ_INSERT_TAIL(&lane->attention, request, link);
	request->place = MAD_ASYNC_ATTENTION;
	mad_lane_notify(lane);
}

void mad_lane_follow(struct mad_lane *lane, struct mad_async_request *request)
{
	const struct mad_try *try = &request->transaction.try;

	switch (try->action) {
	case MAD_TRY_WAIT:
		set_timer(lane, request);
		break;
	case MAD_TRY_SEND:
	case MAD_TRY_FOLLOW:
		want_attention(lane, request);
		break;
	case MAD_TRY_FINISH:
		finish(lane, request, try->error);
		break;
	}
}

/* Called by the thread that reads the port; lengthy work is left to the threads of the lane. */
void mad_lane_changed(struct mad_transaction *transaction)
{
	mad_lane_follow(request_of(transaction)->lane, request_of(transaction));
}

static void send_request(struct mad_lane *lane, struct mad_async_request *request)
{
	mad_inflight_send(lane->engine, &request->transaction);
	mad_lane_follow(lane, request);
}

/* A child request may need the place of the request, in the window and at its destination. */
static void step_aside(struct mad_lane *lane, struct mad_async_request *request)
{
	mad_lane_set_share(lane, request, MAD_ASYNC_NO_SHARE);
	mad_destination_leave(lane, request, request->transaction.try.error);
}

/* The rule goes on without the lock, in followups.c. */
static int begin_follow_up(struct mad_lane *lane, struct mad_async_request *request,
			   const struct mad_async_follow_up *begun)
{
	struct mad_async_follow_up *follow_up = malloc(sizeof(*follow_up));

	if (!follow_up)
		return -ENOMEM;
	if (begun->need == MAD_FOLLOW_UP_REPLY)
		step_aside(lane, request);
	*follow_up = *begun;
	STAILQ_INSERT_TAIL(&lane->follow_ups, follow_up, link);
	mad_lane_notify(lane);
	return 0;
}

static void follow_up(struct mad_lane *lane, struct mad_async_request *request)
{
	struct mad_transaction *transaction = &request->transaction;
	struct mad_async_follow_up begun = { .request_id = request->by_id.key };
	int error = 0;

	mad_inflight_step(lane->engine, transaction, MAD_TRY_BEGIN, 0, 0);
	mad_timers_clear(lane, request);
	begun.need =
		mad_follow_up_next(lane->port, transaction, &begun.state, NULL, &begun.question);
	if (begun.need)
		error = begin_follow_up(lane, request, &begun);
	if (error) {
		transaction->response_length = 0; /* is of no use to the caller */
		begun.state = (struct mad_follow_up){ .event = MAD_TRY_CONCLUDED, .error = error };
	}
	if (!begun.need || error)
		mad_lane_end_follow_up(lane, request, &begun.state);
}

static void work_on_attention(struct mad_lane *lane)
{
	struct mad_async_request *request;

	while ((request = TAILQ_FIRST(&lane->attention))) {
		TAILQ_REMOVE(&lane->attention, request, link);
		request->place = MAD_ASYNC_FLYING;
		if (request->transaction.try.action == MAD_TRY_SEND)
			send_request(lane, request);
		else
			follow_up(lane, request);
	}
}

static void leave_window(struct mad_lane *lane, struct mad_async_request *request)
{
	mad_lane_set_share(lane, request, MAD_ASYNC_NO_SHARE);
	mad_destination_mark_silent(lane, request);
	set_timer(lane, request);
}

/* Everything that had arrived by now has been read: processes the timers that are due. */
static void run_timers(struct mad_lane *lane, int64_t now)
{
	while (lane->timer_count && lane->timers[1]->due <= now) {
		struct mad_async_request *request = lane->timers[1];
		struct mad_try *try = &request->transaction.try;

		if (request->share == MAD_ASYNC_IN_WINDOW && now < try->until) {
			leave_window(lane, request);
			continue;
		}
		mad_inflight_step(lane->engine, &request->transaction, MAD_TRY_TIMER, 0, now);
		mad_lane_follow(lane, request);
	}
}

/* Sends a request that is in no list. */
static void launch(struct mad_lane *lane, struct mad_async_request *request)
{
	int error = prepare(lane, request);

	request->place = MAD_ASYNC_FLYING;
	if (error) {
		mad_destination_leave(lane, request, error);
		finish(lane, request, error);
		return;
	}
	lane->in_flight++;
	if (request->agent)
		request->agent->in_flight++;
	mad_lane_set_share(lane, request,
			   request->is_probe ? MAD_ASYNC_AMONG_SILENT : MAD_ASYNC_IN_WINDOW);
	mad_inflight_add(lane->engine, &request->transaction);
	send_request(lane, request);
}

/* Those that have waited longest come first: queued ones last. */
static void launch_next(struct mad_lane *lane)
{
	struct mad_async_request *request = mad_agent_next(lane);

	if (request) {
		mad_agent_drop(lane, request);
		launch(lane, request);
		return;
	}
	request = mad_destination_take_next(lane);
	if (!request) {
		request = TAILQ_FIRST(&lane->queue);
		TAILQ_REMOVE(&lane->queue, request, link);
		if (!mad_destination_admit(lane, request))
			return;
	}
	if (!mad_agent_holds(lane, request))
		launch(lane, request);
}

/* One thread at a time sends queued requests, so that they keep their order. */
void mad_lane_work(struct mad_lane *lane)
{
	work_on_attention(lane);
	if (!lane->launches) {
		lane->launches = true;
		while (may_launch(lane))
			launch_next(lane);
		lane->launches = false;
	}
	wake_for_timers(lane);
}

/* The port can no longer be read. */
static void fail(struct mad_lane *lane, int error)
{
	lane->failed = error;
	mad_lane_cancel_all(lane, error);
}

/* Callbacks that are due, but for `taken` of them, or a queue, or timers, wait for a thread. */
static bool needs_worker(const struct mad_lane *lane, unsigned taken)
{
	return atomic_load(&lane->async->done_count) > taken || has_work(lane) ||
	       (lane->timer_count && !lane->timekeeper);
}

void mad_lane_leave(struct mad_lane *lane, struct mad_waiter *worker)
{
	lane->workers.awake--;
	if (needs_worker(lane, 1))
		mad_lane_notify(lane);
	mad_engine_leave(lane->engine, worker);
}

/* The thread is cancelled while it waits. */
static void abandon(struct mad_waiter *worker)
{
	struct mad_lane *lane = worker->context;

	lane->workers.awake--;
	if (lane->timekeeper == worker)
		lane->timekeeper = NULL;
	if (needs_worker(lane, 0) || !STAILQ_EMPTY(&lane->follow_ups))
		mad_lane_notify(lane);
}

void mad_lane_enter(struct mad_lane *lane, struct mad_waiter *worker)
{
	worker->group = &lane->workers;
	worker->wakeup = &lane->engine->wakeup;
	worker->abandon = abandon;
	worker->context = lane;
	mad_engine_enter(lane->engine, worker);
	lane->workers.awake++;
}

/* One thread waits until the first timer; on a port that has failed, only for requests that other
 * threads are sending. */
static int wait_until(struct mad_lane *lane, struct mad_waiter *waiter, int64_t until)
{
	int error;

	if (!lane->timekeeper)
		lane->timekeeper = waiter;
	if (lane->failed)
		error = mad_engine_sleep(lane->engine, waiter, until);
	else
		error = mad_engine_wait(lane->engine, waiter, until);
	if (lane->timekeeper == waiter)
		lane->timekeeper = NULL;
	return error;
}

int mad_lane_wait(struct mad_lane *lane, struct mad_waiter *waiter, int64_t deadline)
{
	int64_t until = deadline;
	int error;

	if (has_work(lane))
		return 0;
	if (!lane->timekeeper && lane->timer_count && lane->timers[1]->due < until)
		until = lane->timers[1]->due;
	error = wait_until(lane, waiter, until);
	if (error == -ETIMEDOUT) {
		run_timers(lane, until);
		return until < deadline ? 0 : -ETIMEDOUT;
	}
	if (error)
		fail(lane, error);
	return 0;
}

void mad_lane_submit(struct mad_lane *lane, struct mad_async_request *request)
{
	request->agent =
		mad_agent_find(lane, mad_transaction_request(&request->transaction)[MAD_CLASS]);
	request->place = MAD_ASYNC_QUEUED;
	TAILQ_INSERT_TAIL(&lane->all, request, in_lane);
	TAILQ_INSERT_TAIL(&lane->queue, request, link);
	lane->outstanding++;
	mad_lane_work(lane);
	wake_idle_pump(lane);
}

/* Returns false if the request has ended already, or was cancelled before. */
bool mad_lane_cancel(struct mad_lane *lane, struct mad_async_request *request, int error)
{
	struct mad_transaction *transaction = &request->transaction;

	if (!request->response) { /* not in flight */
		finish(lane, request, error);
		return true;
	}
	if (!mad_try_can_cancel(&transaction->try))
		return false;
	transaction->response_length = 0; /* one that is followed up */
	mad_inflight_step(lane->engine, transaction, MAD_TRY_CANCEL, error, 0);
	mad_lane_follow(lane, request);
	return true;
}

/* Returns the number of the caller's requests. */
unsigned mad_lane_cancel_all(struct mad_lane *lane, int error)
{
	struct mad_async_request *request = TAILQ_FIRST(&lane->all), *next;
	unsigned cancelled = 0;

	for (; request; request = next) {
		bool is_callers = request->callback;

		next = TAILQ_NEXT(request, in_lane);
		if (mad_lane_cancel(lane, request, error))
			cancelled += is_callers;
	}
	return cancelled;
}

void mad_lane_forget_threads(struct mad_lane *lane)
{
	struct mad_async_request *request, *next;

	TAILQ_INIT(&lane->workers.waiting);
	lane->workers.awake = 0;
	lane->timekeeper = NULL;
	lane->has_pump = lane->pump_is_idle = lane->launches = false;
	pthread_cond_init(&lane->pump_idle, NULL);
	for (request = TAILQ_FIRST(&lane->all); request; request = next) {
		bool is_sending =
			request->response && request->transaction.try.phase == MAD_TRY_SENDING;
		bool is_child = request->follow_up;

		next = TAILQ_NEXT(request, in_lane);
		if (is_sending)
			mad_inflight_step(lane->engine, &request->transaction, MAD_TRY_SENT, 0, 0);
		if (is_child && request->transaction.try.action != MAD_TRY_FINISH)
			mad_lane_cancel(lane, request, -ECANCELED);
		else if (is_sending)
			mad_lane_follow(lane, request);
	}
}

void mad_lane_follow_again(struct mad_lane *lane)
{
	struct mad_async_request *request;

	TAILQ_FOREACH(request, &lane->all, in_lane)
	if (request->transaction.try.phase == MAD_TRY_FOLLOW_UP) {
		mad_try_follow_again(&request->transaction.try);
		mad_lane_follow(lane, request);
	}
}
