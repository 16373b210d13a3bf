/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Requests in flight on a port, and which of them a received MAD belongs to. A response is known by
 * transaction ID and class; one that belongs to no request in flight is dropped. All functions are
 * to be called with the engine's lock held.
 */
#ifndef LIBIBMAD_INFLIGHT_H
#define LIBIBMAD_INFLIGHT_H

#include <stddef.h>
#include <stdint.h>

#include "common/bytes.h"
#include "engine.h"
#include "hash.h"
#include "common/mad_layout.h"
#include "try.h"

/* What is in the engine's table: a transaction, or a request of mad_send_via(). */
struct mad_inflight {
	struct mad_hash_node node;
	bool is_unwaited;
};

/* A request and its response. The caller sets the first part and owns all memory. */
struct mad_transaction {
	struct mad_inflight inflight; /* first: see mad_inflight_deliver() */
	void *request;		      /* umad packet to send */
	size_t header_size;	      /* umad_size() */
	int request_length;	      /* bytes of MAD in it */
	int agent;		      /* of the umad layer */
	size_t min_response_length;   /* bytes of MAD of a response without an error */
	uint8_t *response;	      /* the first response_size bytes of the response go there */
	size_t response_size;
	bool wants_whole; /* responses longer than that are handed over in `whole` */
	struct mad_try try;
	/* Called when another thread has changed the machine; NULL: see mad_transaction_run(). */
	void (*changed)(struct mad_transaction *transaction);
	struct mad_waiter *waiter; /* the thread that waits for it, or NULL */

	size_t response_length;	  /* out: bytes of MAD that the response has */
	struct mad_buffer *whole; /* out: the whole response; the caller frees it; or NULL */
};

static inline const uint8_t *mad_transaction_request(const struct mad_transaction *transaction)
{
	return (const uint8_t *)transaction->request + transaction->header_size;
}

/* Whether the request ended with a response, or is redirected by one. */
static inline bool mad_transaction_has_response(const struct mad_transaction *transaction)
{
	return transaction->response_length > 0;
}

/* Whether a MAD is one that the kernel takes for the response to a request. */
bool mad_is_response(const uint8_t *mad);

/* What the engine's table finds a request by; the kernel owns the high half of the TID. */
static inline uint64_t mad_inflight_key(const uint8_t *mad)
{
	return (uint64_t)mad_get_be32(mad + MAD_TID_LOW) << 8 | mad[MAD_CLASS];
}

/* From now on, responses to the transaction are known as such. */
static inline void mad_inflight_add(struct mad_engine *engine, struct mad_transaction *transaction)
{
	transaction->inflight.node.key = mad_inflight_key(mad_transaction_request(transaction));
	transaction->inflight.is_unwaited = false;
	transaction->response_length = 0;
	transaction->whole = NULL;
	mad_hash_add(&engine->in_flight, &transaction->inflight.node);
}

/* No longer. */
static inline void mad_inflight_remove(struct mad_engine *engine,
				       struct mad_transaction *transaction)
{
	mad_hash_remove(&engine->in_flight, &transaction->inflight.node);
}

/* Adds to the statistics what a step has counted beside MAD_TRY_COUNT_SENT. */
void mad_inflight_count_others(struct mad_engine *engine, unsigned counts);

/* A step of the transaction's machine, which counts in the statistics. */
static inline void mad_inflight_step(struct mad_engine *engine, struct mad_transaction *transaction,
				     enum mad_try_event event, int error, int64_t now)
{
	unsigned counts = mad_try_step(&transaction->try, event, error, now);

	engine->statistics.sent += counts & MAD_TRY_COUNT_SENT;
	if (counts & ~MAD_TRY_COUNT_SENT)
		mad_inflight_count_others(engine, counts);
}

/* Carries out MAD_TRY_SEND; gives the lock back meanwhile. */
void mad_inflight_send(struct mad_engine *engine, struct mad_transaction *transaction);

/* Delivers what the engine has just read. */
void mad_inflight_deliver(struct mad_engine *engine);

/*
 * mad_send_via(): from now on the response to this umad packet, and the request itself if the
 * kernel returns it, go to the inbox. Returns 0 or -ENOMEM.
 */
int mad_inflight_add_unwaited(struct mad_engine *engine, const void *umad);

/* The packet could not be sent. */
void mad_inflight_drop_unwaited(struct mad_engine *engine, const void *umad);

/* When the port is closed, and the table with it. */
void mad_inflight_forget_unwaited(struct mad_engine *engine);

/* In the child of a fork: the transactions of other threads. */
void mad_inflight_forget_threads(struct mad_engine *engine);

#endif
