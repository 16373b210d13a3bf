/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Requests in flight on a port, and which of them a received MAD belongs to. A response is matched
 * by transaction ID and class; one that matches no request in flight is dropped. The caller of each
 * function holds the engine's lock.
 */
#ifndef LIBIBMAD_INFLIGHT_H
#define LIBIBMAD_INFLIGHT_H

#include <stddef.h>
#include <stdint.h>

#include "common/bytes.h"
#include "common/mad_layout.h"
#include "libibmad/base/hash.h"
#include "libibmad/engine/engine.h"
#include "libibmad/engine/try.h"

/* A node of the engine's table: a transaction, or a request of mad_send_via(). */
struct mad_inflight {
	struct mad_hash_node node;
	bool is_unwaited;
};

/* What is special about a request; 0 for the usual one. */
enum mad_request_option {
	MAD_REQUEST_KEYED = 1,	/* a ring gives it its key */
	MAD_REQUEST_ROUTED = 2, /* a directed route was found for its LID */
	MAD_REQUEST_AS_IS = 4,	/* neither a key nor a route is for it */
	MAD_REQUEST_ONCE = 8,	/* it has one attempt */
};

/* A request and its response. The caller sets the first group of members and owns all memory. */
struct mad_transaction {
	struct mad_inflight inflight; /* first: see reading.c */
	void *request;		      /* umad packet to send */
	size_t header_size;	      /* umad_size() */
	int request_length;	      /* bytes of MAD in it */
	int agent;		      /* of libibumad */
	uint8_t options;	      /* enum mad_request_option */
	ib_portid_t *to;	      /* changed by a redirect */
	size_t min_response_length;   /* bytes of MAD in a response without an error */
	uint8_t *response;	      /* receives the first response_size bytes of the response */
	size_t response_size;
	bool wants_whole; /* if set, `whole` receives responses longer than that */
	struct mad_try try;
	struct mad_waiter *waiter; /* the thread that waits for it; NULL: */
	struct mad_agent
		*place; /* among the requests of its agent in flight; NULL: none, or no limit */
	struct mad_waiter_group *group; /* those that carry out what the machine decides */
	TAILQ_ENTRY(mad_transaction) in_changed;
	bool is_changed; /* in the list of the group */

	size_t response_length;	  /* out: bytes of MAD in the response */
	struct mad_buffer *whole; /* out: the whole response, which the caller frees; or NULL */
};

static inline const uint8_t *mad_transaction_request(const struct mad_transaction *transaction)
{
	return (const uint8_t *)transaction->request + transaction->header_size;
}

/* Whether the request ended with a response, or one is to be followed up. */
static inline bool mad_transaction_has_response(const struct mad_transaction *transaction)
{
	return transaction->response_length > 0;
}

/* Whether the kernel would treat a MAD as the response to a request. */
static inline bool mad_is_response(const uint8_t *mad)
{
	return mad[MAD_METHOD] & UMAD_METHOD_RESP_MASK ||
	       mad[MAD_METHOD] == UMAD_METHOD_TRAP_REPRESS ||
	       (mad[MAD_CLASS] == IB_BOARD_MGMT_CLASS &&
		mad_get_be32(mad + MAD_ATTR_MOD) & MAD_BM_RESPONSE);
}

/* The key of a request in the engine's table; the kernel owns the high half of the TID. */
static inline uint64_t mad_inflight_key(const uint8_t *mad)
{
	return (uint64_t)mad_get_be32(mad + MAD_TID_LOW) << 8 | mad[MAD_CLASS];
}

/* Adds the transaction: from now on, responses to it are delivered. */
static inline void mad_inflight_add(struct mad_engine *engine, struct mad_transaction *transaction)
{
	transaction->inflight.node.key = mad_inflight_key(mad_transaction_request(transaction));
	transaction->inflight.is_unwaited = false;
	transaction->response_length = 0;
	mad_hash_add(&engine->in_flight, &transaction->inflight.node);
}

/* Removes the transaction. */
static inline void mad_inflight_remove(struct mad_engine *engine,
				       struct mad_transaction *transaction)
{
	mad_hash_remove(&engine->in_flight, &transaction->inflight.node);
	if (__builtin_expect(engine->limits_agents, 0))
		mad_agent_give_back(transaction);
}

/* Drops the whole response, which is not the last one or was not its own. */
void mad_inflight_drop_whole(struct mad_engine *engine, struct mad_transaction *transaction);

/* The thread that waits for it is being cancelled. */
void mad_inflight_abandon(struct mad_engine *engine, struct mad_transaction *transaction);

/* Adds the counts of a step to the statistics, except MAD_TRY_COUNT_SENT. */
void mad_inflight_count_others(struct mad_engine *engine, unsigned counts);

/* Makes a step of the transaction's machine, and counts it in the statistics. */
static inline void mad_inflight_step(struct mad_engine *engine, struct mad_transaction *transaction,
				     enum mad_try_event event, int error, int64_t now)
{
	unsigned counts = mad_try_step(&transaction->try, event, error, now);

	engine->statistics.sent += counts & MAD_TRY_COUNT_SENT;
	if (counts & ~MAD_TRY_COUNT_SENT)
		mad_inflight_count_others(engine, counts);
}

/* The request could not be written. */
void mad_inflight_send_failed(struct mad_engine *engine, struct mad_transaction *transaction,
			      int error) __attribute__((cold));

/* Carries out MAD_TRY_SEND; releases the lock meanwhile. */
static inline __attribute__((always_inline)) void mad_inflight_send(
	struct mad_engine *engine, struct mad_transaction *transaction)
{
	int error;

	mad_inflight_step(engine, transaction, MAD_TRY_BEGIN, 0, mad_clock_now());
	mad_engine_release(engine);
	error = mad_engine_write(engine, transaction->agent, transaction->request,
				 transaction->request_length, transaction->try.timeout_ms);
	pthread_mutex_lock(&engine->lock);
	if (error)
		mad_inflight_send_failed(engine, transaction, error);
	else
		mad_inflight_step(engine, transaction, MAD_TRY_SENT, 0, 0);
	if (__builtin_expect(engine->limits_agents, 0))
		mad_agent_settle(transaction); /* its response may have been read meanwhile */
}

/*
 * For mad_send_via(): from now on the response to this umad packet, and the request itself if the
 * kernel returns it, go to the inbox. Returns 0 or -ENOMEM.
 */
int mad_inflight_add_unwaited(struct mad_engine *engine, const void *umad);

/* Undoes the above if the packet could not be sent. */
void mad_inflight_drop_unwaited(struct mad_engine *engine, const void *umad);

/* Removes a request of mad_send_via() whose response, or which itself, has just been read. */
void mad_inflight_remove_unwaited(struct mad_engine *engine, struct mad_inflight *inflight);

/* Called when the port, and with it the table, is closed. */
void mad_inflight_forget_unwaited(struct mad_engine *engine);

/* In the child of a fork: forgets the transactions of other threads. */
void mad_inflight_forget_threads(struct mad_engine *engine);

#endif
