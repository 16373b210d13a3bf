/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * A request in the form that every call of the library hands to rpc.c: one MAD or, with RMPP, many,
 * out and back.
 */
#ifndef LIBIBMAD_RPC_H
#define LIBIBMAD_RPC_H

#include "engine.h"
#include "internal.h"
#include "port.h"

struct mad_exchange {
	const char *function; /* that users know the request by, in error lines */
	ib_rpc_t *rpc;	      /* its rstatus and recsz are filled in from the answer */
	ib_portid_t *dport;   /* turned to where redirects lead */
	const ib_rmpp_hdr_t *rmpp;
	uint64_t sm_key;     /* of a trusted SA request, or 0 */
	const void *payload; /* or NULL */
	size_t payload_size; /* bytes that go out from rpc->dataoffs on */

	/*
	 * The caller sets request and request_length (at least IB_MAD_SIZE), answer (room for
	 * IB_MAD_SIZE bytes) and wants_whole; answer, answer_length and whole are the result.
	 */
	struct mad_transaction transaction;
};

/*
 * The bytes that an answer to the request has at least: some of its data. An SA table may be empty,
 * and then ends where its records would begin.
 */
static inline size_t mad_least_answer(const ib_rpc_t *rpc)
{
	return rpc->dataoffs + ((rpc->mgtclass & 0xff) != IB_SA_CLASS && rpc->datasz > 0);
}

/*
 * What an exchange begins with, set member by member: clearing all of it, with what the engine sets
 * itself, would take longer than encoding the request.
 */
static inline void mad_exchange_prepare(struct mad_exchange *exchange, const char *function,
					ib_rpc_t *rpc, ib_portid_t *dport)
{
	exchange->function = function;
	exchange->rpc = rpc;
	exchange->dport = dport;
	exchange->rmpp = NULL;
	exchange->sm_key = 0;
	exchange->payload = NULL;
	exchange->payload_size = 0;
	exchange->transaction.answer_size = IB_MAD_SIZE;
	exchange->transaction.wants_whole = false;
	exchange->transaction.whole = NULL;
	exchange->transaction.settled = NULL;
}

int mad_exchange_run(const struct ibmad_port *port, struct mad_exchange *exchange);

/* Frees what an exchange got; needed after each that may have a whole answer. */
static inline void mad_exchange_release(const struct ibmad_port *port,
					struct mad_exchange *exchange)
{
	if (exchange->transaction.whole)
		mad_engine_recycle(mad_port_engine(port), exchange->transaction.whole);
	exchange->transaction.whole = NULL;
}

/* Room for a request of one MAD, on the stack. */
#define MAD_REQUEST_WORDS ((sizeof(struct ib_user_mad) + IB_MAD_SIZE) / sizeof(uint64_t))

#endif
