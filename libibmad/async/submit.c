/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Checks and encodes asynchronous requests, and passes each to its queue. The caller owns rpc and
 * payload.
 */
#include <errno.h>
#include <string.h>

#include "common/mad_layout.h"
#include "libibmad/async/async.h"
#include "libibmad/keys/keys.h"
#include "libibmad/rpc/rpc.h"
#include "libibmad/routes/routes.h"
#include "libibmad/wire/packet.h"

struct mad_queue *mad_async_queue(struct mad_async *async, int mgmt_class)
{
	bool first = async->queue_count == 1 || mad_class_is_smi(mgmt_class);

	return &async->queues[first ? 0 : 1];
}

static int attempts_of(const struct mad_queue *queue, const struct mad_submission *submission)
{
	int attempts = submission->attempts ? submission->attempts : queue->async->attempts;

	return attempts ? attempts : mad_port_retries(queue->port);
}

static int timeout_of(const struct mad_queue *queue, const ib_rpc_t *rpc)
{
	return mad_port_timeout(queue->port,
				rpc->timeout ? rpc->timeout : queue->async->timeout_ms);
}

/* Writes the umad packet, whose memory is zero. Leaves rpc unchanged, although the TID may be
 * another. */
static int encode(struct mad_request *request, const ib_rpc_t *rpc, const ib_rmpp_hdr_t *rmpp,
		  const void *payload)
{
	size_t size = (rpc->mgtclass & 0xff) == IB_CC_CLASS ? sizeof(ib_rpc_cc_t) : sizeof(*rpc);
	ib_rpc_cc_t copy;

	memcpy(&copy, rpc, size);
	request->transaction.try.tid_reused = mad_packet_renew_trid((ib_rpc_t *)&copy);
	return mad_packet_build(request->umad, umad_size(), IB_MAD_SIZE, (ib_rpc_t *)&copy,
				&request->portid, rmpp, payload, payload ? rpc->datasz : 0);
}

/* Fills a new request. Returns 0 or -EINVAL. */
static int fill(struct mad_request *request, const struct mad_submission *submission)
{
	const ib_rpc_t *rpc = submission->rpc;
	int mgmt_class = rpc->mgtclass & 0xff, error;
	struct mad_queue *queue = request->queue;
	struct mad_transaction *transaction = &request->transaction;

	request->portid = *submission->dport;
	error = encode(request, rpc, submission->rmpp, submission->payload);
	if (error)
		return error;
	transaction->request = request->umad;
	transaction->header_size = umad_size();
	transaction->request_length = IB_MAD_SIZE;
	transaction->agent = mad_port_agent(queue->port, mgmt_class);
	transaction->response = request->response;
	transaction->response_size = sizeof(request->response);
	transaction->min_response_length = mad_min_response_length(rpc);
	transaction->wants_whole = true;
	transaction->to = &request->portid;
	transaction->group = &queue->workers;
	mad_try_init(&transaction->try, timeout_of(queue, rpc), attempts_of(queue, submission),
		     transaction->try.tid_reused);
	transaction->try.deadline = submission->deadline;
	request->destination_key = mad_destination_key(&request->portid, mgmt_class);
	request->data_offset = rpc->dataoffs;
	request->data_length = rpc->datasz;
	return transaction->agent < 0 ? -EINVAL : 0;
}

int mad_async_check(const struct mad_async *async, const ib_rpc_t *rpc, const ib_portid_t *dport,
		    const void *payload)
{
	if (!async || !rpc || !dport)
		return -EINVAL;
	if (rpc->dataoffs < 0 || rpc->datasz < 0 || rpc->dataoffs > IB_MAD_SIZE ||
	    rpc->datasz > IB_MAD_SIZE - rpc->dataoffs)
		return -EINVAL;
	if (payload && rpc->datasz && rpc->dataoffs < MAD_HEADER_END)
		return -EINVAL;
	return mad_request_has_response(rpc) ? 0 : -EINVAL;
}

/* Passes a filled request to its queue. Returns the ID, or -errno, and then the request is gone. */
static int64_t hand_over(struct mad_request *request)
{
	struct mad_queue *queue = request->queue;
	int64_t id = (int64_t)request->by_id.key; /* the request may end meanwhile */
	int cancel_state = mad_engine_lock(queue->engine);
	int error = queue->failed;

	if (!error)
		error = mad_queue_submit(queue, request);
	mad_engine_unlock(queue->engine, cancel_state);
	if (!error)
		return id;
	mad_request_discard(request);
	return error;
}

/* Makes the request, which is then to be handed over. */
static int prepare(struct mad_queue *queue, const struct mad_submission *submission,
		   struct mad_request **prepared)
{
	int error = mad_request_new(queue, submission->follow_up, prepared);

	if (error)
		return error;
	(*prepared)->callback = submission->callback;
	(*prepared)->context = submission->context;
	error = fill(*prepared, submission);
	if (error)
		mad_request_discard(*prepared);
	return error;
}

/* The same for a port that adjusts its requests. Blocks where a route is not known yet. */
static __attribute__((noinline, cold)) int64_t hand_in_adjusted(
	struct mad_queue *queue, const struct mad_submission *submission)
{
	const struct ibmad_port *port = queue->port;
	struct mad_submission routed = *submission;
	struct mad_request *request;
	ib_portid_t portid;
	ib_rpc_t rpc;
	int error,
		result = mad_route_adjust(port, submission->rpc, submission->dport, &rpc, &portid);

	if (result < 0)
		return result;
	if (result) {
		routed.rpc = &rpc;
		routed.dport = &portid;
	}
	error = prepare(queue, &routed, &request);
	if (error)
		return error;
	if (result)
		request->transaction.options = MAD_REQUEST_ROUTED;
	if (atomic_load(&port->extras.keys)) {
		request->transaction.options |= MAD_REQUEST_KEYED;
		mad_keys_stamp(port, umad_get_mad(request->umad), &request->portid);
	}
	return hand_over(request);
}

static bool is_as_is(const struct mad_submission *submission)
{
	return submission->follow_up && submission->follow_up->question.without_key;
}

int64_t mad_async_hand_in(struct mad_async *async, const struct mad_submission *submission)
{
	struct mad_queue *queue = mad_async_queue(async, submission->rpc->mgtclass & 0xff);
	struct mad_request *request;
	int error;

	if (mad_port_is_adjusting(queue->port) && !is_as_is(submission))
		return hand_in_adjusted(queue, submission);
	error = prepare(queue, submission, &request);
	return error ? error : hand_over(request);
}
