/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * inflight.c - see inflight.h. Received MADs come from the fabric, unchecked.
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

/* The largest errno of the kernel. */
#define ERRNO_MAX 4095

struct mad_unwaited {
	struct mad_inflight inflight; /* first */
	TAILQ_ENTRY(mad_unwaited) link;
};

bool mad_is_response(const uint8_t *mad)
{
	return mad[MAD_METHOD] & UMAD_METHOD_RESP_MASK ||
	       mad[MAD_METHOD] == UMAD_METHOD_TRAP_REPRESS ||
	       (mad[MAD_CLASS] == IB_BOARD_MGMT_CLASS &&
		mad_get_be32(mad + MAD_ATTR_MOD) & MAD_BM_RESPONSE);
}

void mad_inflight_count_others(struct mad_engine *engine, unsigned counts)
{
	struct mad_rpc_statistics *statistics = &engine->statistics;

	statistics->errors += !!(counts & MAD_TRY_COUNT_SEND_FAILED);
	statistics->retries += !!(counts & MAD_TRY_COUNT_RETRY);
	statistics->timeouts += !!(counts & MAD_TRY_COUNT_TIMEOUT);
	statistics->redirected += !!(counts & MAD_TRY_COUNT_REDIRECTED);
	statistics->unmatched += !!(counts & MAD_TRY_COUNT_IGNORED);
}

/* The reading thread has made a step: notifies the code that carries out the request. */
static inline void notify(struct mad_transaction *transaction)
{
	if (transaction->changed)
		transaction->changed(transaction);
	else if (transaction->try.action != MAD_TRY_WAIT)
		mad_engine_wake(transaction->waiter);
}

/* The attribute of a response: MultiPathRecord SubnAdmGetMulti() returns PathRecords,
 * SubnAdmGetTraceTable() returns TraceRecords (15.2.5, 15.4). */
static uint16_t response_attribute(const uint8_t *request)
{
	uint16_t attr_id = mad_get_be16(request + MAD_ATTR_ID);

	if (request[MAD_CLASS] != IB_SA_CLASS)
		return attr_id;
	if (request[MAD_METHOD] == UMAD_SA_METHOD_GET_MULTI &&
	    attr_id == UMAD_SA_ATTR_MULTI_PATH_REC)
		return UMAD_SA_ATTR_PATH_REC;
	if (request[MAD_METHOD] == UMAD_SA_METHOD_GET_TRACE_TABLE)
		return UMAD_SA_ATTR_TRACE_REC;
	return attr_id;
}

/* For a MAD that is a response. */
static bool has_right_method(const uint8_t *request, const uint8_t *mad)
{
	return mad[MAD_METHOD] != UMAD_METHOD_TRAP_REPRESS ||
	       request[MAD_METHOD] == UMAD_METHOD_TRAP;
}

/* A redirect has ClassPortInfo instead of the attribute. */
static bool has_right_attribute(const uint8_t *request, const uint8_t *mad)
{
	uint16_t attr_id = mad_get_be16(mad + MAD_ATTR_ID);

	return attr_id == mad_get_be16(request + MAD_ATTR_ID) ||
	       attr_id == response_attribute(request) ||
	       (mad_response_status(mad) == UMAD_STATUS_REDIRECT &&
		attr_id == UMAD_ATTR_CLASS_PORT_INFO);
}

/*
 * Whether a response with the right TID and class is valid for the request. One without an error
 * must include some of its data.
 */
static bool is_believable(const struct mad_transaction *transaction, const uint8_t *mad,
			  size_t length)
{
	const uint8_t *request = mad_transaction_request(transaction);

	return mad[MAD_BASE_VERSION] == UMAD_BASE_VERSION && has_right_method(request, mad) &&
	       has_right_attribute(request, mad) &&
	       (length >= transaction->min_response_length || mad_response_status(mad));
}

/* Takes the MAD just read as the response. Returns 0, or -ENOMEM if there is no memory for a long
 * one. */
static int take_response(struct mad_engine *engine, struct mad_transaction *transaction)
{
	const struct mad_buffer *incoming = engine->buffers.incoming;
	size_t length = incoming->length;
	size_t fits = length < transaction->response_size ? length : transaction->response_size;

	memcpy(transaction->response, incoming->umad + transaction->header_size, fits);
	if (fits < transaction->response_size)
		memset(transaction->response + fits, 0, transaction->response_size - fits);
	transaction->response_length = length;
	if (length == fits || !transaction->wants_whole)
		return 0;
	transaction->whole = mad_buffers_take_incoming(&engine->buffers);
	return transaction->whole ? 0 : -ENOMEM;
}

static void deliver_response(struct mad_engine *engine, struct mad_transaction *transaction,
			     const uint8_t *mad)
{
	int error = 0;

	if (!is_believable(transaction, mad, engine->buffers.incoming->length)) {
		engine->statistics.errors++;
		return;
	}
	if (mad_try_takes_response(&transaction->try))
		error = take_response(engine, transaction);
	if (mad_response_status(mad) == UMAD_STATUS_REDIRECT && !mad_class_is_smi(mad[MAD_CLASS]))
		mad_inflight_step(engine, transaction, MAD_TRY_REDIRECT, error, 0);
	else
		mad_inflight_step(engine, transaction, MAD_TRY_RESPONSE, error, 0);
	notify(transaction);
}

/* The kernel returns the request; the status of the packet is the reason. */
static void deliver_return(struct mad_engine *engine, struct mad_transaction *transaction,
			   unsigned status)
{
	int error = status <= ERRNO_MAX ? -(int)status : -EIO;

	mad_inflight_step(engine, transaction, MAD_TRY_RETURNED, error, 0);
	notify(transaction);
}

static void drop_unwaited(struct mad_engine *engine, struct mad_unwaited *unwaited)
{
	TAILQ_REMOVE(&engine->unwaited, unwaited, link);
	mad_hash_remove(&engine->in_flight, &unwaited->inflight.node);
	engine->unwaited_count--;
	free(unwaited);
}

/* TrapRepress may arrive without a Trap of this process; a late one is recognised by its TID. */
static bool is_unsolicited_repress(const uint8_t *mad)
{
	return mad[MAD_METHOD] == UMAD_METHOD_TRAP_REPRESS &&
	       !mad_state_issued_trid(mad_get_be32(mad + MAD_TID_LOW));
}

void mad_inflight_deliver(struct mad_engine *engine)
{
	const struct mad_buffer *incoming = engine->buffers.incoming;
	const uint8_t *mad = umad_get_mad((void *)incoming->umad);
	unsigned returned = mad_buffer_status(incoming);
	struct mad_inflight *inflight;

	if (!returned && !mad_is_response(mad)) {
		mad_engine_keep_incoming(engine);
		return;
	}
	inflight = (struct mad_inflight *)mad_hash_find(&engine->in_flight, mad_inflight_key(mad));
	if (!inflight && !returned && is_unsolicited_repress(mad)) {
		mad_engine_keep_incoming(engine);
	} else if (!inflight) {
		engine->statistics.unmatched += !returned;
	} else if (inflight->is_unwaited) {
		drop_unwaited(engine, (struct mad_unwaited *)inflight);
		mad_engine_keep_incoming(engine);
	} else if (returned) {
		deliver_return(engine, (struct mad_transaction *)inflight, returned);
	} else {
		deliver_response(engine, (struct mad_transaction *)inflight, mad);
	}
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

	(void)context;
	return inflight->is_unwaited || ((const struct mad_transaction *)node)->changed;
}

void mad_inflight_forget_threads(struct mad_engine *engine)
{
	mad_hash_filter(&engine->in_flight, has_no_thread, NULL);
}
