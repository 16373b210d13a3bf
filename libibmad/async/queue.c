/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * A queue: the asynchronous requests of one port. Queued requests are sent while the window
 * permits; requests in flight follow the decisions of their try machines. Everything here runs with
 * the lock of the port's engine held, which is released only around umad_send() and while waiting.
 */
#include <errno.h>
#include <stdlib.h>

#include "libibmad/async/async.h"
#include "libibmad/rpc/debug.h"

/* A request leaves the window after this time, or half its timeout if that is shorter: a longer one
 * would let few ports that are silent delay all others, whatever has responded before. */
#define PATIENCE (50 * MAD_NS_PER_MS)

static struct mad_request *request_of(struct mad_transaction *transaction)
{
	return (struct mad_request *)transaction;
}

void mad_queue_init(struct mad_queue *queue, struct mad_async *async, struct ibmad_port *port,
		    unsigned window)
{
	queue->async = async;
	queue->port = port;
	queue->engine = mad_port_engine(port);
	queue->window = window ? window : MAD_ASYNC_DEFAULT_WINDOW;
	mad_wakeup_init(&queue->event);
	queue->timer_fd = -1;
	queue->armed = MAD_NO_DEADLINE;
	TAILQ_INIT(&queue->all);
	TAILQ_INIT(&queue->unsent);
	mad_engine_init_group(&queue->workers);
	STAILQ_INIT(&queue->follow_ups);
	mad_destinations_init(queue);
	mad_held_init(queue);
}

void mad_queue_free(struct mad_queue *queue)
{
	mad_destinations_free(queue);
}

/* After timers were set: no thread may sleep past the first one, and one must see to them. */
static void wake_for_timers(struct mad_queue *queue)
{
	struct mad_waiter *worker = queue->workers.timekeeper;

	if (!queue->workers.awake && TAILQ_EMPTY(&queue->workers.waiting)) {
		mad_watch_set_timer(queue);
		return;
	}
	if (!queue->first_due)
		return;
	if (!worker)
		mad_engine_notify(&queue->workers);
	else if (worker->waits && queue->first_due->due < worker->until)
		mad_engine_wake_member(worker);
}

static void take_off_changed(struct mad_queue *queue, struct mad_transaction *transaction)
{
	if (transaction->is_changed)
		TAILQ_REMOVE(&queue->workers.changed, transaction, in_changed);
	transaction->is_changed = false;
}

static void take_off_lists(struct mad_queue *queue, struct mad_request *request)
{
	switch (request->place) {
	case MAD_ASYNC_QUEUED:
		TAILQ_REMOVE(&queue->unsent, request, link);
		break;
	case MAD_ASYNC_BACKLOG:
		mad_destination_leave_backlog(queue, request);
		break;
	case MAD_ASYNC_HELD:
		mad_held_leave(queue, request);
		if (!request->in_flight)
			mad_destination_leave(queue, request, -ECANCELED);
		break;
	default:
		break;
	}
	take_off_changed(queue, &request->transaction);
	TAILQ_REMOVE(&queue->all, request, in_queue);
}

static void set_share(struct mad_queue *queue, struct mad_request *request,
		      enum mad_async_share share)
{
	queue->shares[request->share]--;
	request->share = share;
	queue->shares[share]++;
}

/* A request is no longer in flight: others may be sent instead. */
static void leave_flight(struct mad_queue *queue, struct mad_request *request, int error)
{
	mad_inflight_remove(queue->engine, &request->transaction);
	queue->in_flight--;
	set_share(queue, request, MAD_ASYNC_NO_SHARE);
	if (!request->transaction.try.sent_all)
		error = -ECANCELED; /* says nothing about its destination */
	mad_destination_leave(queue, request, error);
}

static bool may_take_queued(const struct mad_queue *queue)
{
	return queue->shares[MAD_ASYNC_IN_WINDOW] < queue->window && !TAILQ_EMPTY(&queue->unsent);
}

static bool may_send(struct mad_queue *queue)
{
	return mad_held_next(queue) || mad_destination_has_next(queue) || may_take_queued(queue);
}

bool mad_queue_has_work(struct mad_queue *queue)
{
	return !TAILQ_EMPTY(&queue->workers.changed) ||
	       (!queue->workers.is_sending && may_send(queue));
}

/* The library's thread runs no callbacks. */
static void notify_of_end(struct mad_queue *queue)
{
	if (!queue->outstanding)
		mad_engine_wake_all(&queue->workers);
	if (!queue->async->has_thread || mad_queue_has_work(queue) ||
	    !STAILQ_EMPTY(&queue->follow_ups))
		mad_engine_notify(&queue->workers);
}

/* The request has ended, and its callback is due. */
static void finish(struct mad_queue *queue, struct mad_request *request, int error)
{
	if (mad_debug_is_on())
		mad_debug_async(&request->transaction, &request->portid, error);
	take_off_lists(queue, request);
	mad_timers_clear(queue, request);
	if (error == -ETIMEDOUT)
		request->transaction.response_length = 0; /* one that was followed up */
	if (request->in_flight)
		leave_flight(queue, request,
			     mad_transaction_has_response(&request->transaction) ? 0 : error);
	queue->outstanding -= !request->follow_up;
	mad_request_complete(request, error);
	notify_of_end(queue);
}

static int64_t patience(const struct mad_request *request)
{
	int timeout_ms = request->transaction.try.timeout_ms;
	int64_t half = timeout_ms * MAD_NS_PER_MS / 2;

	return timeout_ms < 0 || half > PATIENCE ? PATIENCE : half;
}

/* When a waiting request next needs action; MAD_NO_DEADLINE: only on an event. */
static int64_t due_time(const struct mad_request *request)
{
	const struct mad_try *try = &request->transaction.try;
	int64_t leaves_window;

	if ((try->phase != MAD_TRY_WAITING && try->phase != MAD_TRY_PAUSED) ||
	    request->share != MAD_ASYNC_IN_WINDOW)
		return try->until;
	leaves_window = try->began + patience(request);
	return leaves_window < try->until ? leaves_window : try->until;
}

static void set_timer(struct mad_queue *queue, struct mad_request *request)
{
	int64_t due = due_time(request);

	if (due == MAD_NO_DEADLINE)
		mad_timers_clear(queue, request);
	else
		mad_timers_set(queue, request, due);
}

/* After a step of the request's machine: carries out its decision, or leaves it to a thread of the
 * queue. */
static void follow(struct mad_queue *queue, struct mad_request *request)
{
	const struct mad_try *try = &request->transaction.try;

	switch (try->action) {
	case MAD_TRY_WAIT:
		set_timer(queue, request);
		break;
	case MAD_TRY_SEND:
	case MAD_TRY_FOLLOW:
		mad_timers_clear(queue, request);
		mad_engine_change(&request->transaction);
		break;
	case MAD_TRY_FINISH:
		finish(queue, request, try->error);
		break;
	}
}

void mad_queue_end_follow_up(struct mad_queue *queue, struct mad_request *request,
			     const struct mad_follow_up *state)
{
	mad_follow_up_end(queue->engine, &request->transaction, state);
	follow(queue, request);
}

/* After a write that failed. */
static __attribute__((noinline, cold)) bool is_port_gone(const struct mad_queue *queue)
{
	int result = mad_wakeup_poll(NULL, queue->engine->fd, 0);

	return result == -EIO || result == -ENODEV;
}

void mad_queue_lose_port(struct mad_queue *queue, int error)
{
	queue->failed = error;
	mad_watch_drop_port(queue);
	mad_queue_cancel_all(queue, error);
}

/* The submission fails, and there is no callback. */
static void refuse(struct mad_queue *queue, struct mad_request *request)
{
	take_off_lists(queue, request);
	mad_timers_clear(queue, request);
	leave_flight(queue, request, request->transaction.try.error);
	queue->outstanding -= !request->follow_up;
	atomic_fetch_sub(&queue->async->pending, !request->follow_up);
	request->place = MAD_ASYNC_NEW;
	queue->submitting = 0;
}

static void send_request(struct mad_queue *queue, struct mad_request *request)
{
	struct mad_transaction *transaction = &request->transaction;
	const struct mad_try *try = &transaction->try;
	int error;

	if (mad_request_has_deadline(request))
		mad_inflight_step(queue->engine, transaction, MAD_TRY_TIMER, 0, mad_clock_now());
	if (try->action == MAD_TRY_SEND && !mad_held_may_send(queue, request))
		return;
	if (try->action == MAD_TRY_SEND)
		mad_inflight_send(queue->engine, transaction);
	if (__builtin_expect(!try->send_failed, 1) || !is_port_gone(queue)) {
		follow(queue, request);
		return;
	}
	error = try->error == -ENODEV ? -ENODEV : -EIO;
	if (request->by_id.key == queue->submitting)
		refuse(queue, request);
	mad_queue_lose_port(queue, error);
}

/* A child request may need the places of the request: of its agent, in the window and at its
 * destination. */
static void step_aside(struct mad_queue *queue, struct mad_request *request)
{
	mad_agent_give_back(&request->transaction);
	set_share(queue, request, MAD_ASYNC_NO_SHARE);
	mad_destination_leave(queue, request, request->transaction.try.error);
}

/* The rule goes on without the lock, in followups.c. */
static int begin_follow_up(struct mad_queue *queue, struct mad_request *request,
			   const struct mad_async_follow_up *begun)
{
	struct mad_async_follow_up *follow_up = malloc(sizeof(*follow_up));

	if (!follow_up)
		return -ENOMEM;
	if (begun->need == MAD_FOLLOW_UP_REPLY)
		step_aside(queue, request);
	*follow_up = *begun;
	STAILQ_INSERT_TAIL(&queue->follow_ups, follow_up, link);
	mad_engine_notify(&queue->workers);
	return 0;
}

static void follow_up(struct mad_queue *queue, struct mad_request *request)
{
	struct mad_transaction *transaction = &request->transaction;
	struct mad_async_follow_up begun = { .request_id = request->by_id.key };
	int error = 0;

	mad_inflight_step(queue->engine, transaction, MAD_TRY_BEGIN, 0, 0);
	set_timer(queue, request);
	begun.need =
		mad_follow_up_next(queue->port, transaction, &begun.state, NULL, &begun.question);
	if (begun.need && mad_request_has_deadline(request) &&
	    mad_clock_now() >= transaction->try.deadline)
		error = -ETIMEDOUT;
	else if (begun.need)
		error = begin_follow_up(queue, request, &begun);
	if (error) {
		transaction->response_length = 0; /* is of no use to the caller */
		begun.state = (struct mad_follow_up){ .event = MAD_TRY_CONCLUDED, .error = error };
	}
	if (!begun.need || error)
		mad_queue_end_follow_up(queue, request, &begun.state);
}

/* What the thread that reads the port leaves to those of the queue. */
static void carry_out_changes(struct mad_queue *queue)
{
	struct mad_transaction *transaction;

	while ((transaction = TAILQ_FIRST(&queue->workers.changed))) {
		struct mad_request *request = request_of(transaction);

		take_off_changed(queue, transaction);
		if (request->place == MAD_ASYNC_HELD)
			mad_held_leave(queue, request);
		if (transaction->try.action == MAD_TRY_SEND)
			send_request(queue, request);
		else if (transaction->try.action == MAD_TRY_FOLLOW)
			follow_up(queue, request);
		else
			follow(queue, request);
	}
}

static void leave_window(struct mad_queue *queue, struct mad_request *request)
{
	set_share(queue, request, MAD_ASYNC_NO_SHARE);
	mad_destination_mark_silent(queue, request);
	set_timer(queue, request);
}

void mad_queue_run_timers(struct mad_queue *queue, int64_t now)
{
	while (queue->first_due && queue->first_due->due <= now) {
		struct mad_request *request = queue->first_due;
		struct mad_try *try = &request->transaction.try;

		if (request->share == MAD_ASYNC_IN_WINDOW && now < try->until) {
			leave_window(queue, request);
			continue;
		}
		mad_inflight_step(queue->engine, &request->transaction, MAD_TRY_TIMER, 0, now);
		follow(queue, request);
	}
}

/* Sends a request that is in no list. */
static void send_first(struct mad_queue *queue, struct mad_request *request)
{
	request->place = MAD_ASYNC_IN_FLIGHT;
	request->in_flight = true;
	queue->in_flight++;
	set_share(queue, request, mad_request_first_share(request));
	mad_inflight_add(queue->engine, &request->transaction);
	send_request(queue, request);
}

/* mad_held_find() has said that it is its turn. */
static void send_held(struct mad_queue *queue, struct mad_request *request)
{
	mad_held_take_turn(queue, request);
	if (request->in_flight)
		send_request(queue, request);
	else
		send_first(queue, request);
}

/* Those that have waited longest come first: queued ones last. */
static void send_next(struct mad_queue *queue)
{
	struct mad_request *request = mad_held_next(queue);

	if (request) {
		send_held(queue, request);
		return;
	}
	request = mad_destination_take_next(queue);
	if (!request) {
		request = TAILQ_FIRST(&queue->unsent);
		TAILQ_REMOVE(&queue->unsent, request, link);
		if (!mad_destination_admit(queue, request))
			return;
	}
	if (mad_held_may_send(queue, request))
		send_first(queue, request);
}

/* One thread at a time sends queued requests, so that they keep their order. submitted: the ID of
 * one that this thread submits, or 0. Returns whether that is refused. */
static bool work(struct mad_queue *queue, uint64_t submitted)
{
	bool refused = false;

	carry_out_changes(queue);
	if (!queue->workers.is_sending) {
		queue->workers.is_sending = true;
		queue->submitting = submitted;
		while (may_send(queue))
			send_next(queue);
		refused = queue->submitting != submitted;
		queue->submitting = 0;
		queue->workers.is_sending = false;
	}
	wake_for_timers(queue);
	return refused;
}

void mad_queue_work(struct mad_queue *queue)
{
	work(queue, 0);
}

int mad_queue_submit(struct mad_queue *queue, struct mad_request *request)
{
	uint64_t id = request->by_id.key;

	if (queue->engine->limits_agents)
		request->agent = mad_agents_find(
			queue->engine, mad_transaction_request(&request->transaction)[MAD_CLASS]);
	request->place = MAD_ASYNC_QUEUED;
	atomic_fetch_add(&queue->async->pending, !request->follow_up);
	TAILQ_INSERT_TAIL(&queue->all, request, in_queue);
	TAILQ_INSERT_TAIL(&queue->unsent, request, link);
	queue->outstanding += !request->follow_up;
	if (mad_request_has_deadline(request))
		mad_timers_set(queue, request, request->transaction.try.deadline);
	return work(queue, id) ? queue->failed : 0;
}

/* Returns false if the request has ended already, or was cancelled before. */
bool mad_queue_cancel(struct mad_queue *queue, struct mad_request *request, int error)
{
	struct mad_transaction *transaction = &request->transaction;

	if (!request->in_flight) {
		finish(queue, request, error);
		return true;
	}
	if (transaction->try.action == MAD_TRY_FINISH) {
		follow(queue, request);
		return false;
	}
	if (!mad_try_can_cancel(&transaction->try))
		return false;
	transaction->response_length = 0; /* one that is followed up */
	mad_inflight_step(queue->engine, transaction, MAD_TRY_CANCEL, error, 0);
	follow(queue, request);
	return true;
}

/* Returns the number of the caller's requests. */
unsigned mad_queue_cancel_all(struct mad_queue *queue, int error)
{
	struct mad_request *request = TAILQ_FIRST(&queue->all), *next;
	unsigned cancelled = 0;

	for (; request; request = next) {
		bool is_callers = request->callback;

		next = TAILQ_NEXT(request, in_queue);
		if (mad_queue_cancel(queue, request, error))
			cancelled += is_callers;
	}
	return cancelled;
}

void mad_queue_forget_threads(struct mad_queue *queue)
{
	struct mad_request *request, *next;

	TAILQ_INIT(&queue->workers.waiting);
	queue->workers.awake = 0;
	queue->workers.timekeeper = NULL;
	queue->workers.is_sending = false;
	queue->submitting = 0;
	for (request = TAILQ_FIRST(&queue->all); request; request = next) {
		bool is_sending =
			request->in_flight && request->transaction.try.phase == MAD_TRY_SENDING;
		bool is_child = request->follow_up;

		next = TAILQ_NEXT(request, in_queue);
		if (is_sending)
			mad_inflight_step(queue->engine, &request->transaction, MAD_TRY_SENT, 0, 0);
		if (is_child && request->transaction.try.action != MAD_TRY_FINISH)
			mad_queue_cancel(queue, request, -ECANCELED);
		else if (is_sending)
			follow(queue, request);
	}
}

void mad_queue_follow_again(struct mad_queue *queue)
{
	struct mad_request *request;

	TAILQ_FOREACH(request, &queue->all, in_queue)
	if (request->transaction.try.phase == MAD_TRY_FOLLOW_UP) {
		mad_try_follow_again(&request->transaction.try);
		follow(queue, request);
	}
}
