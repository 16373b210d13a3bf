/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The public face of asynchronous requests: creating, submitting, cancelling, dispatching. The work
 * itself is done by lanes (lane.c), on the engines of the ports.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "async.h"
#include "bytes.h"
#include "layout.h"
#include "rpc.h"

/* An id: generation, lane and index of a request. */
#define ID_LANE_SHIFT	    32
#define ID_GENERATION_SHIFT 33

static int check_options(const struct mad_async_options *options)
{
	if (!options)
		return 0;
	if (options->size < sizeof(*options) || options->window > MAD_ASYNC_MAX_WINDOW ||
	    options->timeout_ms < 0 || options->retries < 0)
		return -EINVAL;
	return 0;
}

static int init_lane(struct mad_async *async, struct ibmad_port *port, unsigned window)
{
	struct mad_lane *lane = &async->lanes[async->lane_count];
	int error = pthread_cond_init(&lane->pump_idle, NULL);

	if (error)
		return -error;
	lane->async = async;
	lane->port = port;
	lane->engine = mad_port_engine(port);
	lane->window = window ? window : MAD_ASYNC_DEFAULT_WINDOW;
	async->lane_count++;
	return 0;
}

static int init_locks(struct mad_async *async)
{
	pthread_condattr_t attributes;
	int error = pthread_mutex_init(&async->lock, NULL);

	if (error)
		return -error;
	error = pthread_condattr_init(&attributes);
	if (!error) {
		pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
		error = pthread_cond_init(&async->changed, &attributes);
		pthread_condattr_destroy(&attributes);
	}
	if (error)
		pthread_mutex_destroy(&async->lock);
	return -error;
}

static void free_chunks(struct mad_async *async)
{
	for (unsigned i = 0; i < async->chunk_count; i++)
		free(async->chunks[i]);
	free(async->chunks);
}

static void free_lane(struct mad_lane *lane)
{
	struct mad_async_answer *answer;

	while ((answer = lane->spare_answers)) {
		lane->spare_answers = answer->next;
		free(answer);
	}
	mad_destinations_free(lane);
	free(lane->timers);
	pthread_cond_destroy(&lane->pump_idle);
}

static void free_async(struct mad_async *async)
{
	for (unsigned i = 0; i < async->lane_count; i++)
		free_lane(&async->lanes[i]);
	free_chunks(async);
	if (async->event_fd >= 0)
		close(async->event_fd);
	pthread_cond_destroy(&async->changed);
	pthread_mutex_destroy(&async->lock);
	free(async);
}

/* Starts the threads that work for the lanes, where there are none yet. */
static int start_pumps(struct mad_async *async)
{
	for (unsigned i = 0; i < async->lane_count; i++) {
		int error = mad_pump_start(&async->lanes[i]);

		if (error)
			return error;
	}
	async->pumped = true;
	return 0;
}

static void stop_pumps(struct mad_async *async)
{
	for (unsigned i = 0; i < async->lane_count; i++)
		mad_pump_stop(&async->lanes[i]);
}

static struct mad_async *create(struct ibmad_port *first, struct ibmad_port *second,
				const struct mad_async_options *options)
{
	unsigned window = options ? options->window : 0;
	struct mad_async *async = NULL;
	int error = first ? check_options(options) : -EINVAL;

	if (error)
		goto err;
	async = calloc(1, sizeof(*async));
	error = async ? init_locks(async) : -ENOMEM;
	if (error)
		goto err_free;
	async->event_fd = -1;
	if (options) {
		async->max_queued = options->max_queued;
		async->timeout_ms = options->timeout_ms;
		async->retries = options->retries;
	}
	error = init_lane(async, first, window);
	if (!error && second)
		error = init_lane(async, second, window);
	if (!error && second)
		error = start_pumps(async);
	if (!error)
		return async;
	stop_pumps(async);
	free_async(async);
	goto err;
err_free:
	free(async);
err:
	errno = -error;
	return NULL;
}

struct mad_async *mad_async_create(struct ibmad_port *port, const struct mad_async_options *options)
{
	return create(port, NULL, options);
}

struct mad_async *mad_async_create_pair(struct ibmad_ports_pair *pair,
					const struct mad_async_options *options)
{
	if (!pair || !pair->smi.port || !pair->gsi.port) {
		errno = EINVAL;
		return NULL;
	}
	return create(pair->smi.port, pair->gsi.port, options);
}

/* With async's lock held: a chunk of new requests into the spare ones. */
static int add_chunk(struct mad_async *async)
{
	struct mad_async_request *chunk = calloc(MAD_ASYNC_REQUESTS_A_CHUNK, sizeof(*chunk));
	struct mad_async_request **chunks;

	if (!chunk)
		return -ENOMEM;
	chunks = realloc(async->chunks,
			 (async->chunk_count + 1) * sizeof(struct mad_async_request *));
	if (!chunks) {
		free(chunk);
		return -ENOMEM;
	}
	async->chunks = chunks;
	chunks[async->chunk_count] = chunk;
	for (int i = 0; i < MAD_ASYNC_REQUESTS_A_CHUNK; i++) {
		chunk[i].index = async->chunk_count * MAD_ASYNC_REQUESTS_A_CHUNK + i;
		mad_async_append(&async->spare, &chunk[i]);
	}
	async->chunk_count++;
	return 0;
}

static int take_request(struct mad_async *async, struct mad_async_request **taken)
{
	int error = 0;

	pthread_mutex_lock(&async->lock);
	if (async->closing)
		error = -ECANCELED;
	else if (async->max_queued && async->pending >= async->max_queued)
		error = -ENOBUFS;
	else if (!async->spare.first)
		error = add_chunk(async);
	if (!error) {
		*taken = async->spare.first;
		mad_async_remove(&async->spare, *taken);
		async->pending++;
	}
	pthread_mutex_unlock(&async->lock);
	return error;
}

static void give_back(struct mad_async *async, struct mad_async_request *request, bool was_running)
{
	atomic_store(&request->id, 0);
	pthread_mutex_lock(&async->lock);
	mad_async_prepend(&async->spare, request);
	async->pending--;
	async->running -= was_running;
	if (async->pending == async->running)
		pthread_cond_broadcast(&async->changed);
	pthread_mutex_unlock(&async->lock);
}

/* With the engine's lock held: the request is over, and its callback due. */
void mad_async_complete(struct mad_async_request *request, int error)
{
	struct mad_async *async = request->lane->async;

	request->place = MAD_ASYNC_DONE;
	request->error = error;
	pthread_mutex_lock(&async->lock);
	mad_async_append(&async->done, request);
	if (atomic_fetch_add(&async->done_count, 1) == 0) {
		if (async->event_fd >= 0)
			eventfd_write(async->event_fd, 1);
		pthread_cond_broadcast(&async->changed);
	}
	pthread_mutex_unlock(&async->lock);
}

static struct mad_lane *lane_for(struct mad_async *async, int mgmt_class)
{
	bool first = async->lane_count == 1 || mad_class_is_smi(mgmt_class);

	return &async->lanes[first ? 0 : 1];
}

static int tries_of(const struct mad_async *async, const struct mad_lane *lane)
{
	return async->retries ? async->retries : mad_get_retries(lane->port);
}

/* Fills a fresh request. Returns 0 or -EINVAL. */
static int prepare(struct mad_async *async, struct mad_async_request *request, const ib_rpc_t *rpc,
		   const ib_portid_t *dport, const ib_rmpp_hdr_t *rmpp, const void *payload)
{
	int mgmt_class = rpc->mgtclass & 0xff;
	struct mad_lane *lane = lane_for(async, mgmt_class);
	int timeout_ms = rpc->timeout ? rpc->timeout : async->timeout_ms;
	size_t header_size = umad_size();
	ib_rpc_cc_t copy;
	int error;

	if (mgmt_class == IB_CC_CLASS)
		copy = *(const ib_rpc_cc_t *)rpc;
	else
		memcpy(&copy, rpc, sizeof(*rpc));
	request->lane = lane;
	request->portid = *dport;
	memset(request->umad, 0, sizeof(request->umad));
	error = mad_packet_build(request->umad, header_size, IB_MAD_SIZE, (ib_rpc_t *)&copy,
				 &request->portid, rmpp, payload, payload ? rpc->datasz : 0);
	if (error)
		return error;
	request->transaction = (struct mad_transaction){
		.request = request->umad,
		.header_size = header_size,
		.request_length = IB_MAD_SIZE,
		.agent = mad_port_agent(lane->port, mgmt_class),
		.timeout_ms = mad_port_timeout(lane->port, timeout_ms),
		.tries = tries_of(async, lane),
		.data_offset = rpc->dataoffs,
		.least_length = mad_least_answer(rpc),
		.wants_whole = true,
		.settled = mad_lane_settled,
	};
	request->destination_key = mad_destination_key(dport, mgmt_class);
	request->data_length = rpc->datasz;
	return request->transaction.agent < 0 ? -EINVAL : 0;
}

/* Of a request that has been prepared: the SM_Key of its port goes into its SA header. */
static void put_sa_key(struct mad_async_request *request)
{
	uint8_t *mad = (uint8_t *)request->umad + request->transaction.header_size;

	mad_put_be64(mad + SA_SM_KEY, mad_port_sa_key(request->lane->port));
}

/* Everything that an earlier use of the request left. */
static void reset(struct mad_async_request *request)
{
	request->destination = NULL;
	request->answer = NULL;
	request->grace_ends = 0;
	request->timer = 0;
	request->tries = 0;
	request->error = 0;
	request->redirects = 0;
	request->in_window = false;
	request->slow = false;
	request->cancelled = false;
	request->wants_attention = false;
	request->is_probe = false;
}

static uint64_t new_id(struct mad_async *async, struct mad_async_request *request)
{
	uint64_t lane = request->lane - async->lanes;

	request->generation = (request->generation + 1) & 0x7fffffff;
	if (!request->generation)
		request->generation = 1;
	return (uint64_t)request->generation << ID_GENERATION_SHIFT | lane << ID_LANE_SHIFT |
	       request->index;
}

static int check_submit(const struct mad_async *async, const ib_rpc_t *rpc,
			const ib_portid_t *dport, mad_async_callback *callback)
{
	if (!async || !rpc || !dport || !callback)
		return -EINVAL;
	if (rpc->dataoffs < MAD_HEADER_END || rpc->datasz < 0 || rpc->dataoffs > IB_MAD_SIZE ||
	    rpc->datasz > IB_MAD_SIZE - rpc->dataoffs)
		return -EINVAL;
	return mad_method_is_unsolicited(rpc->method) ? -EINVAL : 0;
}

/* Hands a filled request to its lane. */
static int hand_over(struct mad_async_request *request, uint64_t *id)
{
	struct mad_lane *lane = request->lane;
	int failed;

	pthread_mutex_lock(&lane->engine->lock);
	failed = lane->failed;
	if (!failed) {
		uint64_t given = new_id(lane->async, request);

		atomic_store(&request->id, given);
		if (id)
			*id = given;
		mad_lane_submit(lane, request);
	}
	pthread_mutex_unlock(&lane->engine->lock);
	return failed;
}

/*
 * mad_async_submit() with an RMPP header, or without one (NULL), and with the port's SM_Key in the
 * SA header, or without.
 */
int mad_async_submit_rmpp(struct mad_async *async, const ib_rpc_t *rpc, const ib_portid_t *dport,
			  const ib_rmpp_hdr_t *rmpp, bool with_sa_key, const void *payload,
			  mad_async_callback *callback, void *context, uint64_t *id)
{
	struct mad_async_request *request = NULL;
	int error = check_submit(async, rpc, dport, callback);

	if (!error)
		error = take_request(async, &request);
	if (!error) {
		reset(request);
		request->callback = callback;
		request->context = context;
		error = prepare(async, request, rpc, dport, rmpp, payload);
		if (!error && with_sa_key)
			put_sa_key(request);
		if (!error)
			error = hand_over(request, id);
		if (error)
			give_back(async, request, false);
	}
	if (!error)
		return 0;
	errno = -error;
	return -1;
}

int mad_async_submit(struct mad_async *async, const ib_rpc_t *rpc, const ib_portid_t *dport,
		     const void *payload, mad_async_callback *callback, void *context, uint64_t *id)
{
	return mad_async_submit_rmpp(async, rpc, dport, NULL, false, payload, callback, context,
				     id);
}

/* The request that has the id and its lane locked, or NULL. */
static struct mad_async_request *lock_request(struct mad_async *async, uint64_t id)
{
	uint32_t index = (uint32_t)id, chunk = index / MAD_ASYNC_REQUESTS_A_CHUNK;
	unsigned lane_number = id >> ID_LANE_SHIFT & 1;
	struct mad_async_request *request = NULL;
	struct mad_lane *lane = &async->lanes[lane_number];

	if (!id || lane_number >= async->lane_count)
		return NULL;
	pthread_mutex_lock(&async->lock);
	if (chunk < async->chunk_count)
		request = &async->chunks[chunk][index % MAD_ASYNC_REQUESTS_A_CHUNK];
	pthread_mutex_unlock(&async->lock);
	if (!request)
		return NULL;
	pthread_mutex_lock(&lane->engine->lock);
	if (atomic_load(&request->id) == id)
		return request;
	pthread_mutex_unlock(&lane->engine->lock);
	return NULL;
}

int mad_async_cancel(struct mad_async *async, uint64_t id)
{
	struct mad_async_request *request = async ? lock_request(async, id) : NULL;
	bool cancelled = false;

	if (request) {
		struct mad_lane *lane = request->lane;

		cancelled = mad_lane_cancel(lane, request, -ECANCELED);
		pthread_mutex_unlock(&lane->engine->lock);
	}
	if (cancelled)
		return 0;
	errno = ENOENT;
	return -1;
}

unsigned mad_async_cancel_all(struct mad_async *async)
{
	unsigned cancelled = 0;

	for (unsigned i = 0; async && i < async->lane_count; i++) {
		struct mad_lane *lane = &async->lanes[i];

		pthread_mutex_lock(&lane->engine->lock);
		cancelled += mad_lane_cancel_all(lane, -ECANCELED);
		pthread_mutex_unlock(&lane->engine->lock);
	}
	return cancelled;
}

/* The whole of the answer, in one MAD or more. */
static void describe_answer(const struct mad_async_request *request,
			    struct mad_async_result *result)
{
	const struct mad_transaction *transaction = &request->transaction;
	size_t offset = transaction->data_offset, length = transaction->answer_length;

	result->mad =
		transaction->whole ? umad_get_mad(transaction->whole->umad) : request->answer->mad;
	result->mad_length = length;
	result->status = mad_get_be16(result->mad + MAD_STATUS) & ~SMP_DIRECTION;
	if (result->status && !result->error)
		result->error = EIO;
	result->data = result->mad + offset;
	if (transaction->whole)
		result->data_length = length - offset;
	else
		result->data_length = request->data_length;
}

static void call_back(struct mad_async *async, struct mad_async_request *request)
{
	struct mad_lane *lane = request->lane;
	struct mad_buffer *whole = request->answer ? request->transaction.whole : NULL;
	struct mad_async_result result = {
		.id = atomic_load(&request->id),
		.error = -request->error,
		.portid = &request->portid,
		.tries = request->tries,
	};

	if (!request->error)
		describe_answer(request, &result);
	request->callback(async, &result, request->context);
	mad_buffer_free(whole);
	pthread_mutex_lock(&lane->engine->lock);
	request->place = MAD_ASYNC_FREE;
	mad_lane_recycle(lane, request);
	pthread_mutex_unlock(&lane->engine->lock);
	give_back(async, request, true);
}

/* Takes one request whose callback is due. */
static struct mad_async_request *take_done(struct mad_async *async)
{
	struct mad_async_request *request;

	pthread_mutex_lock(&async->lock);
	request = async->done.first;
	if (request) {
		mad_async_remove(&async->done, request);
		if (++async->running == async->pending)
			pthread_cond_broadcast(&async->changed);
		if (atomic_fetch_sub(&async->done_count, 1) == 1 && async->event_fd >= 0) {
			eventfd_t ignored;

			eventfd_read(async->event_fd, &ignored);
		}
	}
	pthread_mutex_unlock(&async->lock);
	return request;
}

/* Calls the callbacks of as many requests as were done when this began. */
static int run_callbacks(struct mad_async *async)
{
	unsigned due = atomic_load(&async->done_count), called = 0;
	struct mad_async_request *request;

	while (called < due && (request = take_done(async))) {
		call_back(async, request);
		called++;
	}
	return called;
}

static bool is_ready(const void *context)
{
	const struct mad_lane *lane = context;

	return atomic_load(&lane->async->done_count) || !lane->outstanding ||
	       mad_lane_has_work(lane);
}

static int64_t sooner(int64_t one, int64_t other)
{
	return one < other ? one : other;
}

/* Works for the one lane until a request is done, nothing is left, or the deadline is there. */
static void work(struct mad_async *async, int64_t deadline)
{
	struct mad_lane *lane = &async->lanes[0];
	struct mad_waiter waiter = { .serves = lane };

	pthread_mutex_lock(&lane->engine->lock);
	mad_lane_work(lane);
	while (!atomic_load(&async->done_count) && lane->outstanding) {
		int64_t until = sooner(deadline, mad_lane_next_look(lane));
		int error = mad_engine_wait(lane->engine, &waiter, is_ready, lane,
					    mad_engine_remaining_ms(until), until);

		if (error && error != -ETIMEDOUT)
			mad_lane_fail(lane, error);
		mad_lane_work(lane);
		if (mad_engine_now() >= deadline)
			break;
	}
	if (lane->outstanding) {
		mad_engine_drain(lane->engine, lane->in_window);
		mad_lane_work(lane);
	}
	pthread_mutex_unlock(&lane->engine->lock);
}

/* Waits until threads that work for the lanes have got something done. */
static void wait_for_pumps(struct mad_async *async, int64_t deadline)
{
	struct timespec until = mad_engine_timespec(deadline);

	pthread_mutex_lock(&async->lock);
	while (!async->done.first && async->pending > async->running) {
		if (deadline == INT64_MAX)
			pthread_cond_wait(&async->changed, &async->lock);
		else if (pthread_cond_timedwait(&async->changed, &async->lock, &until))
			break;
	}
	pthread_mutex_unlock(&async->lock);
}

static int failure_of(const struct mad_async *async)
{
	for (unsigned i = 0; i < async->lane_count; i++) {
		struct mad_lane *lane = (struct mad_lane *)&async->lanes[i];
		int failed;

		pthread_mutex_lock(&lane->engine->lock);
		failed = lane->failed;
		pthread_mutex_unlock(&lane->engine->lock);
		if (failed)
			return failed;
	}
	return 0;
}

/* Whether there are requests whose callbacks have not begun. */
static bool has_more(struct mad_async *async)
{
	bool more;

	pthread_mutex_lock(&async->lock);
	more = async->pending > async->running;
	pthread_mutex_unlock(&async->lock);
	return more;
}

int mad_async_dispatch(struct mad_async *async, int timeout_ms)
{
	int64_t deadline;
	int called, error;

	if (!async) {
		errno = EINVAL;
		return -1;
	}
	deadline = mad_engine_deadline(timeout_ms);
	do { /* another thread may have called what this one waited for */
		if (atomic_load(&async->pumped))
			wait_for_pumps(async, deadline);
		else
			work(async, deadline);
		called = run_callbacks(async);
	} while (!called && has_more(async) && mad_engine_now() < deadline);
	error = called ? 0 : failure_of(async);
	if (!error)
		return called;
	errno = -error;
	return -1;
}

int mad_async_get_fd(struct mad_async *async)
{
	int fd = -1, error = 0;

	if (!async) {
		errno = EINVAL;
		return -1;
	}
	pthread_mutex_lock(&async->lock);
	if (async->event_fd < 0)
		async->event_fd = eventfd(atomic_load(&async->done_count) ? 1 : 0,
					  EFD_CLOEXEC | EFD_NONBLOCK);
	if (async->event_fd < 0)
		error = -errno;
	else
		fd = async->event_fd;
	pthread_mutex_unlock(&async->lock);
	if (!error && !atomic_load(&async->pumped))
		error = start_pumps(async);
	if (!error)
		return fd;
	errno = -error;
	return -1;
}

unsigned mad_async_pending(struct mad_async *async)
{
	unsigned pending;

	if (!async)
		return 0;
	pthread_mutex_lock(&async->lock);
	pending = async->pending;
	pthread_mutex_unlock(&async->lock);
	return pending;
}

void mad_async_destroy(struct mad_async *async)
{
	if (!async)
		return;
	pthread_mutex_lock(&async->lock);
	async->closing = true;
	pthread_mutex_unlock(&async->lock);
	stop_pumps(async);
	mad_async_cancel_all(async);
	while (run_callbacks(async))
		;
	free_async(async);
}
