/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * followups.c - carries out rules of rpc/followups.c for asynchronous requests: their
 * questions become child requests, on the queue of their class, and P_Keys are found without a
 * lock.
 */
#include <errno.h>
#include <stdlib.h>

#include "libibmad/async/async.h"
#include "libibmad/wire/packet.h"

/* Sends the question. Returns 0 or -errno. */
static int ask(struct mad_async *async, struct mad_async_follow_up *follow_up)
{
	struct mad_question *question = &follow_up->question;
	const ib_rpc_t *rpc = (const ib_rpc_t *)&question->rpc;
	const struct mad_submission submission = {
		.rpc = rpc,
		.dport = &question->to,
		.payload = question->has_data ? question->data : NULL,
		.follow_up = follow_up,
		.deadline = MAD_NO_DEADLINE,
	};
	int64_t id;

	mad_question_set_key(question, mad_async_queue(async, mad_packet_class(rpc))->port);
	id = mad_async_hand_in(async, &submission);
	return id < 0 ? (int)id : 0;
}

/* Gets what the rule needs. Returns false if a child request gets it, which has the follow-up then.
 */
static bool meet_need(struct mad_queue *queue, struct mad_async_follow_up *follow_up,
		      struct mad_reply *reply)
{
	struct mad_request *child = follow_up->child;

	*reply = (struct mad_reply){ .error = 0 };
	if (child) {
		reply->error = child->error;
		reply->has_response = mad_transaction_has_response(&child->transaction);
		if (reply->has_response)
			reply->data = child->response + child->data_offset;
	} else if (follow_up->need == MAD_FOLLOW_UP_PKEY) {
		mad_redirect_find_pkey(queue->port, &follow_up->state.redirect);
	} else {
		reply->error = ask(queue->async, follow_up);
		return reply->error;
	}
	return true;
}

static void discard_child(struct mad_async_follow_up *follow_up)
{
	struct mad_request *child = follow_up->child;

	follow_up->child = NULL;
	if (!child)
		return;
	mad_buffer_free(child->transaction.whole);
	mad_request_discard(child);
}

/* With the engine's lock held. The request may have been cancelled meanwhile. */
static void go_on(struct mad_queue *queue, struct mad_async_follow_up *follow_up,
		  const struct mad_reply *reply)
{
	struct mad_request *request = mad_request_find(queue->async, follow_up->request_id);

	follow_up->need = MAD_FOLLOW_UP_NOTHING;
	if (!request)
		return;
	follow_up->need = mad_follow_up_next(queue->port, &request->transaction, &follow_up->state,
					     reply, &follow_up->question);
	if (!follow_up->need)
		mad_queue_end_follow_up(queue, request, &follow_up->state);
}

static void run(struct mad_async *async, struct mad_async_follow_up *follow_up)
{
	struct mad_queue *queue = mad_request_queue(async, follow_up->request_id);
	struct mad_reply reply;
	int cancel_state;

	while (meet_need(queue, follow_up, &reply)) {
		cancel_state = mad_engine_lock(queue->engine);
		go_on(queue, follow_up, &reply);
		mad_engine_unlock(queue->engine, cancel_state);
		discard_child(follow_up);
		if (follow_up->need)
			continue;
		free(follow_up);
		return;
	}
}

void mad_follow_ups_run(struct mad_queue *queue)
{
	int cancel_state = mad_engine_lock(queue->engine);
	struct mad_async_follow_up *follow_up;

	while ((follow_up = STAILQ_FIRST(&queue->follow_ups))) {
		STAILQ_REMOVE_HEAD(&queue->follow_ups, link);
		mad_engine_release(queue->engine);
		run(queue->async, follow_up);
		pthread_mutex_lock(&queue->engine->lock);
	}
	mad_engine_unlock(queue->engine, cancel_state);
}

void mad_follow_ups_free(struct mad_queue *queue)
{
	struct mad_async_follow_up *follow_up;

	while ((follow_up = STAILQ_FIRST(&queue->follow_ups))) {
		STAILQ_REMOVE_HEAD(&queue->follow_ups, link);
		discard_child(follow_up);
		free(follow_up);
	}
}
