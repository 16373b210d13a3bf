/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The requests of an asynchronous object, from their submission to their end: they are sent while
 * the window permits.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "libibmad/engine/async.h"

static int check_limit(const struct mad_async *async)
{
	if (async->failed || async->closing)
		return async->closing ? mad_refuse(MAD_REFUSED_CLOSING) : async->failed;
	if (async->max_queued && async->pending - async->running >= async->max_queued)
		return mad_refuse(MAD_REFUSED_QUEUE_FULL);
	return 0;
}

static int fill(struct mad_item *item, const struct mad_submission *submission)
{
	struct mad_request *request = &item->request;
	const struct mad_async *async = item->async;
	const void *payload = submission->payload;
	ib_rpc_t *rpc = submission->rpc;
	int error;

	item->callback = submission->callback;
	item->context = submission->context;
	item->to = *submission->to;
	item->data_offset = rpc->dataoffs;
	item->data_length = rpc->datasz;
	mad_request_prepare(request, async->port, &item->to, item->umad, item->response);
	request->wants_whole = true;
	request->options = submission->options;
	error = mad_request_encode(request, rpc, submission->rmpp, payload,
				   payload ? rpc->datasz : 0);
	if (submission->attempts || async->attempts)
		request->attempts.most =
			submission->attempts ? submission->attempts : async->attempts;
	request->attempts.deadline = submission->deadline;
	return error;
}

int mad_item_add(struct mad_async *async, const struct mad_submission *submission,
		 struct mad_item **made)
{
	int error = check_limit(async);
	struct mad_item *item = error ? NULL : calloc(1, sizeof(*item));

	if (!item)
		return error ? error : -ENOMEM;
	item->async = async;
	error = fill(item, submission);
	if (error) {
		mad_item_free(item);
		return error;
	}
	item->by_id.key = (uint64_t)++async->last_id;
	mad_hash_add(&async->ids, &item->by_id);
	TAILQ_INSERT_TAIL(&async->all, item, in_all);
	TAILQ_INSERT_TAIL(&async->unsent, item, link);
	mad_request_set_timer(&item->request);
	async->pending++;
	mad_async_unsettle(async);
	*made = item;
	return 0;
}

static void begin(struct mad_item *item)
{
	item->state = MAD_ITEM_IN_FLIGHT;
	mad_item_enter_window(&item->request);
	mad_request_begin(&item->request);
	mad_engine_change(item->async->engine, &item->request);
}

/* Requests in backlogs have waited longer than those that are queued, and come first. */
void mad_async_send(struct mad_async *async)
{
	struct mad_item *item;

	while (true) {
		item = mad_destination_take_next(async);
		if (item) {
			begin(item);
			continue;
		}
		item = TAILQ_FIRST(&async->unsent);
		if (!item || async->shares[MAD_SHARE_WINDOW] >= async->window)
			return;
		TAILQ_REMOVE(&async->unsent, item, link);
		if (mad_destination_admit(async, item))
			begin(item);
	}
}

/* The outcome of a request, as far as it concerns its destination. */
static int outcome_of(const struct mad_request *request)
{
	if (!request->attempts.sent_all)
		return -ECANCELED; /* the destination is not concerned */
	return mad_request_has_reply(request) ? 0 : request->attempts.error;
}

void mad_item_finish(struct mad_item *item)
{
	struct mad_async *async = item->async;

	if (item->state == MAD_ITEM_QUEUED)
		TAILQ_REMOVE(&async->unsent, item, link);
	else if (item->state == MAD_ITEM_IN_FLIGHT)
		mad_item_set_share(item, MAD_SHARE_NONE);
	mad_destination_leave(async, item, outcome_of(&item->request));
	TAILQ_REMOVE(&async->all, item, in_all);
	if (TAILQ_EMPTY(&async->all))
		mad_destinations_forget(async);
	mad_hash_remove(&async->ids, &item->by_id);
	item->state = MAD_ITEM_DONE;
	async->slow -= item->is_slow;
	item->is_slow = false;
	mad_async_unsettle(async);
	TAILQ_INSERT_TAIL(&async->done, item, link);
	mad_async_notify(async);
}

unsigned mad_async_end_all(struct mad_async *async, int error)
{
	struct mad_item *item;
	unsigned ended = 0;

	TAILQ_FOREACH(item, &async->all, in_all)
	{
		ended += item->request.attempts.action != MAD_ATTEMPT_FINISH;
		mad_request_cancel(&item->request, error);
	}
	return ended;
}

void mad_async_lose_port(struct mad_async *async, int error)
{
	if (!async->failed)
		mad_async_drop_port(async);
	async->failed = error;
	mad_async_end_all(async, error);
}
