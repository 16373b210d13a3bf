/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Asynchronous requests from allocation to the end of their callbacks: their memory, their IDs, and
 * the list of those whose callbacks are due.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>

#include "libibmad/async/async.h"
#include "libibmad/wire/packet.h"

int mad_completion_init(struct mad_async *async)
{
	int error = -pthread_mutex_init(&async->lock, NULL);

	if (error)
		return error;
	error = mad_clock_init_condition(&async->changed);
	if (error) {
		pthread_mutex_destroy(&async->lock);
		return error;
	}
	mad_hash_init(&async->ids);
	TAILQ_INIT(&async->done);
	TAILQ_INIT(&async->called);
	LIST_INIT(&async->slabs.with_space);
	return 0;
}

void mad_completion_free(struct mad_async *async)
{
	mad_slabs_free(&async->slabs);
	mad_hash_free(&async->ids);
	pthread_cond_destroy(&async->changed);
	pthread_mutex_destroy(&async->lock);
}

/* All following static functions are called with async's lock held, except where noted. */

static int check_limit(const struct mad_async *async)
{
	if (atomic_load(&async->closing))
		return -ECANCELED;
	if (async->max_queued && async->reserved - async->running >= async->max_queued)
		return -ENOBUFS;
	return 0;
}

/* IDs are never reused; the lowest bit is the number of the queue. */
static void add_request(struct mad_queue *queue, struct mad_async_follow_up *follow_up,
			struct mad_request *request)
{
	struct mad_async *async = queue->async;

	request->queue = queue;
	request->follow_up = follow_up;
	request->by_id.key = (uint64_t)(++async->last_id << 1 | (queue - async->queues));
	mad_hash_add(&async->ids, &request->by_id);
	async->reserved += !follow_up;
}

int mad_request_new(struct mad_queue *queue, struct mad_async_follow_up *follow_up,
		    struct mad_request **made)
{
	struct mad_async *async = queue->async;
	int error;

	pthread_mutex_lock(&async->lock);
	error = follow_up ? 0 : check_limit(async);
	if (!error) {
		*made = mad_slabs_take(&async->slabs);
		error = *made ? 0 : -ENOMEM;
	}
	if (!error)
		add_request(queue, follow_up, *made);
	pthread_mutex_unlock(&async->lock);
	return error;
}

struct mad_queue *mad_request_queue(struct mad_async *async, int64_t id)
{
	return (unsigned)(id & 1) < async->queue_count ? &async->queues[id & 1] : NULL;
}

struct mad_request *mad_request_find(struct mad_async *async, int64_t id)
{
	struct mad_request *request = NULL;
	struct mad_hash_node *node;

	pthread_mutex_lock(&async->lock);
	node = mad_hash_find(&async->ids, (uint64_t)id);
	if (node)
		request = (void *)((char *)node - offsetof(struct mad_request, by_id));
	if (request && request->place == MAD_ASYNC_NEW)
		request = NULL;
	pthread_mutex_unlock(&async->lock);
	return request;
}

static void append_done(struct mad_async *async, struct mad_request *request)
{
	TAILQ_INSERT_TAIL(&async->done, request, link);
	if (atomic_fetch_add(&async->done_count, 1) > 0)
		return;
	if (async->event_fd >= 0)
		eventfd_write(async->event_fd, 1);
	pthread_cond_signal(&async->changed);
}

/* Without async's lock. */
static void free_whole(struct mad_request *request)
{
	mad_buffer_free(request->transaction.whole);
	request->transaction.whole = NULL;
}

/* Once the lock is released, another thread may have run the callback and reused the memory. */
void mad_request_complete(struct mad_request *request, int error)
{
	struct mad_async *async = request->queue->async;
	struct mad_async_follow_up *follow_up = request->follow_up;

	request->place = MAD_ASYNC_DONE;
	request->error = error;
	pthread_mutex_lock(&async->lock);
	mad_hash_remove(&async->ids, &request->by_id);
	if (!follow_up)
		append_done(async, request);
	pthread_mutex_unlock(&async->lock);
	if (!follow_up)
		return;
	follow_up->child = request;
	STAILQ_INSERT_TAIL(&request->queue->follow_ups, follow_up, link);
}

/* Without async's lock: the number of bytes of class data in the response. */
static size_t data_size(const struct mad_request *request, const uint8_t *mad)
{
	size_t offset = request->data_offset, length = request->transaction.response_length;
	size_t there = length > offset ? length - offset : 0;

	if (request->transaction.whole)
		return there;
	if (there > (size_t)request->data_length)
		there = request->data_length;
	if (mad_class_has_rmpp(mad[MAD_CLASS]))
		mad_packet_count_rmpp_data(mad, offset, &there); /* unchanged on errors */
	return there;
}

/* Without async's lock: the whole response, of one MAD or more. */
static void describe_response(struct mad_request *request, struct mad_async_result *result)
{
	const struct mad_transaction *transaction = &request->transaction;
	const struct mad_buffer *whole = transaction->whole;

	result->mad = whole ? umad_get_mad((void *)whole->umad) : request->response;
	result->mad_size = transaction->response_length;
	result->status = mad_response_status(result->mad);
	result->data = result->mad + request->data_offset;
	result->data_size = data_size(request, result->mad);
}

static void end_callback(struct mad_async *async, struct mad_request *request)
{
	TAILQ_REMOVE(&async->called, request, link);
	async->reserved--;
	atomic_fetch_sub(&async->pending, 1);
	async->running--;
	mad_slabs_give(&async->slabs, request);
}

/* Without any lock: the thread is being cancelled in the callback. */
static void abandon_callback(void *argument)
{
	struct mad_request *request = *(struct mad_request *volatile *)argument;
	struct mad_async *async;

	if (!request)
		return;
	async = request->queue->async;
	free_whole(request);
	pthread_mutex_lock(&async->lock);
	end_callback(async, request);
	pthread_mutex_unlock(&async->lock);
}

/* Without any lock: the thread may be cancelled in the callback. */
static void call_back(struct mad_async *async, struct mad_request *request)
{
	struct mad_async_result result = {
		.id = (int64_t)request->by_id.key,
		.error = -request->error,
		.from = &request->portid,
		.attempts = request->transaction.try.sent_all,
	};

	if (mad_transaction_has_response(&request->transaction))
		describe_response(request, &result);
	request->callback(async, &result, request->context);
	free_whole(request);
}

/* The last callback that is due has been taken: the descriptor is no longer readable. */
static void clear_event(struct mad_async *async)
{
	eventfd_t ignored;
	int cancel_state;

	if (async->event_fd < 0)
		return;
	cancel_state = mad_hold_cancel();
	eventfd_read(async->event_fd, &ignored);
	mad_release_cancel(cancel_state);
}

/* Nobody waits: callbacks are due, or none will be. */
static bool is_over(const struct mad_async *async)
{
	return !TAILQ_EMPTY(&async->done) || async->pending == async->running;
}

/* A thread that waits for callbacks runs the next one; all end when none will be due. */
static void wake_next(struct mad_async *async)
{
	if (!TAILQ_EMPTY(&async->done))
		pthread_cond_signal(&async->changed);
	else if (async->pending == async->running)
		pthread_cond_broadcast(&async->changed);
}

/* Takes one request whose callback is due. */
static struct mad_request *take_done(struct mad_async *async)
{
	struct mad_request *request = TAILQ_FIRST(&async->done);

	if (!request)
		return NULL;
	TAILQ_REMOVE(&async->done, request, link);
	TAILQ_INSERT_TAIL(&async->called, request, link);
	request->caller = pthread_self();
	async->running++;
	if (atomic_fetch_sub(&async->done_count, 1) == 1)
		clear_event(async);
	wake_next(async);
	return request;
}

/* The thread that waits for the descriptor learns neither of callbacks that others leave to it nor
 * that none will be due. */
void mad_completion_wake_leader(struct mad_async *async)
{
	struct mad_queue *queue = &async->queues[0];
	int cancel_state;
	bool wakes;

	pthread_mutex_lock(&async->lock);
	wakes = async->is_led && is_over(async);
	pthread_mutex_unlock(&async->lock);
	if (!wakes)
		return;
	cancel_state = mad_engine_lock(queue->engine);
	mad_watch_signal(queue);
	mad_engine_unlock(queue->engine, cancel_state);
}

/* Threads may have waited for it. */
void mad_request_discard(struct mad_request *request)
{
	struct mad_async *async = request->queue->async;

	pthread_mutex_lock(&async->lock);
	if (request->place == MAD_ASYNC_NEW)
		mad_hash_remove(&async->ids, &request->by_id);
	async->reserved -= !request->follow_up;
	mad_slabs_give(&async->slabs, request);
	wake_next(async);
	pthread_mutex_unlock(&async->lock);
	mad_completion_wake_leader(async);
}

/* Runs callbacks that are due. */
static int call_back_due(struct mad_async *async, unsigned due,
			 struct mad_request *volatile *called_back)
{
	struct mad_request *request;
	unsigned called = 0;

	pthread_mutex_lock(&async->lock);
	while (called < due && (request = take_done(async))) {
		bool is_led = async->is_led;

		*called_back = request;
		pthread_mutex_unlock(&async->lock);
		if (is_led)
			mad_completion_wake_leader(async);
		call_back(async, request);
		*called_back = NULL;
		called++;
		pthread_mutex_lock(&async->lock);
		end_callback(async, request);
	}
	pthread_mutex_unlock(&async->lock);
	return (int)called;
}

/* The thread can be cancelled only in a callback: nothing else here is a cancellation point. */
int mad_completion_run(struct mad_async *async, unsigned max)
{
	unsigned due = atomic_load(&async->done_count);
	struct mad_request *volatile request = NULL; /* a longjmp() leads to the handler */
	int called;

	if (!due)
		return 0;
	pthread_cleanup_push(abandon_callback, (void *)&request);
	called = call_back_due(async, max && due > max ? max : due, &request);
	pthread_cleanup_pop(0);
	return called;
}

static void abandon_wait(void *argument)
{
	struct mad_async *async = argument;

	wake_next(async);
	pthread_mutex_unlock(&async->lock);
}

/* One whose time is over may have been woken up to lead: it leaves that to the next one. */
static bool become_leader(struct mad_async *async, int64_t deadline)
{
	async->is_led = mad_clock_now() < deadline;
	if (!async->is_led)
		pthread_cond_signal(&async->changed);
	return async->is_led;
}

static bool wait_for_done(struct mad_async *async, int64_t deadline)
{
	int error = 0;

	while (!error && !is_over(async) && !atomic_load(&async->closing)) {
		if (!async->has_thread && !async->is_led)
			return become_leader(async, deadline);
		error = mad_clock_wait(&async->changed, &async->lock, deadline);
	}
	return false;
}

bool mad_completion_wait(struct mad_async *async, int64_t deadline)
{
	bool leads;

	pthread_mutex_lock(&async->lock);
	pthread_cleanup_push(abandon_wait, async);
	leads = wait_for_done(async, deadline);
	pthread_cleanup_pop(0);
	pthread_mutex_unlock(&async->lock);
	return leads;
}

bool mad_completion_has_more(struct mad_async *async)
{
	bool more;

	pthread_mutex_lock(&async->lock);
	more = async->pending > async->running;
	pthread_mutex_unlock(&async->lock);
	return more;
}

bool mad_completion_is_in_callback(struct mad_async *async)
{
	struct mad_request *request;

	pthread_mutex_lock(&async->lock);
	TAILQ_FOREACH(request, &async->called, link)
	if (pthread_equal(request->caller, pthread_self()))
		break;
	pthread_mutex_unlock(&async->lock);
	return request;
}

/* A callback may have forked. */
void mad_completion_forget_threads(struct mad_async *async)
{
	struct mad_request *request = TAILQ_FIRST(&async->called), *next;

	pthread_mutex_lock(&async->lock);
	mad_clock_init_condition(&async->changed);
	async->reserved = async->pending;
	async->is_led = false;
	async->dispatching = 0;
	for (; request; request = next) {
		next = TAILQ_NEXT(request, link);
		if (pthread_equal(request->caller, pthread_self())) {
			async->dispatching++;
			continue;
		}
		free_whole(request);
		end_callback(async, request);
	}
	pthread_mutex_unlock(&async->lock);
}

void mad_completion_settle_event(struct mad_async *async)
{
	pthread_mutex_lock(&async->lock);
	if (!atomic_load(&async->done_count))
		clear_event(async);
	pthread_mutex_unlock(&async->lock);
}
