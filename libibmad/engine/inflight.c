/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * inflight.c - see inflight.h.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <infiniband/umad.h>

#include "libibmad/engine/inflight.h"
#include "libibmad/wire/packet.h"

/* Limit of the requests of mad_send_via() whose responses are recognised; a kernel returns each
 * request without a response, a simulator does not. */
#define UNWAITED_MAX 65536

struct mad_unwaited {
	struct mad_inflight inflight; /* first */
	TAILQ_ENTRY(mad_unwaited) link;
};

void mad_inflight_count_others(struct mad_engine *engine, unsigned counts)
{
	struct mad_rpc_statistics *statistics = &engine->statistics;

	statistics->errors += !!(counts & MAD_TRY_COUNT_SEND_FAILED);
	statistics->retries += !!(counts & MAD_TRY_COUNT_RETRY);
	statistics->timeouts += !!(counts & MAD_TRY_COUNT_TIMEOUT);
	statistics->redirected += !!(counts & MAD_TRY_COUNT_REDIRECTED);
	statistics->unmatched += !!(counts & MAD_TRY_COUNT_IGNORED);
}

void mad_inflight_drop_whole(struct mad_engine *engine, struct mad_transaction *transaction)
{
	if (transaction->whole)
		mad_buffers_give_back(&engine->buffers, transaction->whole);
	transaction->whole = NULL;
}

void mad_inflight_abandon(struct mad_engine *engine, struct mad_transaction *transaction)
{
	mad_inflight_remove(engine, transaction);
	mad_inflight_drop_whole(engine, transaction);
}

void mad_inflight_send_failed(struct mad_engine *engine, struct mad_transaction *transaction,
			      int error)
{
	unsigned counts =
		mad_try_step(&transaction->try, MAD_TRY_SEND_FAILED, error, mad_clock_now());

	mad_inflight_count_others(engine, counts);
	if (!(counts & MAD_TRY_COUNT_IGNORED))
		return;
	mad_inflight_drop_whole(engine, transaction);
	transaction->response_length = 0;
}

static void drop_unwaited(struct mad_engine *engine, struct mad_unwaited *unwaited)
{
	TAILQ_REMOVE(&engine->unwaited, unwaited, link);
	mad_hash_remove(&engine->in_flight, &unwaited->inflight.node);
	engine->unwaited_count--;
	free(unwaited);
}

void mad_inflight_remove_unwaited(struct mad_engine *engine, struct mad_inflight *inflight)
{
	drop_unwaited(engine, (struct mad_unwaited *)inflight);
}

int mad_inflight_add_unwaited(struct mad_engine *engine, const void *umad)
{
	struct mad_unwaited *unwaited = malloc(sizeof(*unwaited));

	if (!unwaited)
		return -ENOMEM;
	if (engine->unwaited_count >= UNWAITED_MAX)
		drop_unwaited(engine, TAILQ_FIRST(&engine->unwaited));
	unwaited->inflight.node.key = mad_inflight_key(umad_get_mad((void *)umad));
	unwaited->inflight.is_unwaited = true;
	mad_hash_add(&engine->in_flight, &unwaited->inflight.node);
	TAILQ_INSERT_TAIL(&engine->unwaited, unwaited, link);
	engine->unwaited_count++;
	return 0;
}

void mad_inflight_drop_unwaited(struct mad_engine *engine, const void *umad)
{
	uint64_t key = mad_inflight_key(umad_get_mad((void *)umad));
	struct mad_unwaited *unwaited;

	TAILQ_FOREACH_REVERSE(unwaited, &engine->unwaited, mad_unwaited_list, link)
	if (unwaited->inflight.node.key == key)
		break;
	if (unwaited)
		drop_unwaited(engine, unwaited);
}

void mad_inflight_forget_unwaited(struct mad_engine *engine)
{
	struct mad_unwaited *unwaited = TAILQ_FIRST(&engine->unwaited), *next;

	for (; unwaited; unwaited = next) {
		next = TAILQ_NEXT(unwaited, link);
		free(unwaited);
	}
}

/* Forgets transactions that a thread waits for: the child has only the thread that forked. */
static bool has_no_thread(struct mad_hash_node *node, void *context)
{
	const struct mad_inflight *inflight = (const struct mad_inflight *)node;
	const struct mad_transaction *transaction = (const struct mad_transaction *)node;
	const struct mad_engine *engine = context;

	if (inflight->is_unwaited || !transaction->waiter)
		return true;
	if (engine->limits_agents)
		mad_agent_forget(transaction);
	return false;
}

void mad_inflight_forget_threads(struct mad_engine *engine)
{
	mad_agents_forget_threads(engine);
	mad_hash_filter(&engine->in_flight, has_no_thread, engine);
}
