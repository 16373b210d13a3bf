/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * A blocking request in the form that all functions of the library pass to rpc.c: a request of one
 * MAD and a response of one MAD or, with RMPP, many.
 */
#ifndef LIBIBMAD_RPC_H
#define LIBIBMAD_RPC_H

#include "libibmad/engine/inflight.h"
#include "libibmad/engine/port.h"
#include "libibmad/internal.h"
#include "libibmad/rpc/followups.h"
#include "libibmad/wire/packet.h"

struct mad_exchange {
	const char *function; /* by which users know the request, in error lines */
	const struct ibmad_port *port;
	ib_rpc_t *rpc; /* its rstatus and recsz are set from the response */
	const ib_rmpp_hdr_t *rmpp;
	const void *payload; /* or NULL */
	size_t payload_size; /* bytes to send, starting at rpc->dataoffs */

	/*
	 * The caller may set wants_whole, options and a longer request_length; response,
	 * response_length, whole and the address, if the request was redirected, are the result.
	 */
	struct mad_transaction transaction;
};

/*
 * The minimum length of a response to the request: it includes some data. With RMPP the data may be
 * absent, as in an SA table without records, and the response ends where it would begin.
 */
static inline size_t mad_min_response_length(const ib_rpc_t *rpc)
{
	return rpc->dataoffs + (rpc->datasz > 0 && !mad_class_has_rmpp(rpc->mgtclass & 0xff));
}

/*
 * Initialises an exchange of a request of one MAD, with memory for its umad packet and for
 * IB_MAD_SIZE bytes of response, member by member: clearing all of it, including what the engine
 * sets itself, would take longer than encoding the request.
 */
static inline void mad_exchange_prepare(struct mad_exchange *exchange, const char *function,
					const struct ibmad_port *port, ib_rpc_t *rpc,
					ib_portid_t *dport, void *request, void *response)
{
	exchange->function = function;
	exchange->port = port;
	exchange->rpc = rpc;
	exchange->rmpp = NULL;
	exchange->payload = NULL;
	exchange->payload_size = 0;
	exchange->transaction.to = dport;
	exchange->transaction.request = request;
	exchange->transaction.request_length = IB_MAD_SIZE;
	exchange->transaction.response = response;
	exchange->transaction.options = 0;
	exchange->transaction.response_size = IB_MAD_SIZE;
	exchange->transaction.wants_whole = false;
	exchange->transaction.whole = NULL;
}

/*
 * Sends the request and waits for its response. Returns 0 with a response without an error; -EIO
 * with one that has an error (rpc->rstatus); -ELOOP for too many redirects; or why there is no
 * response. The caller calls mad_exchange_release() afterwards in every case.
 */
int mad_exchange_run(struct mad_exchange *exchange);

/* Frees the memory of an exchange; required after each exchange that may have a whole response. */
static inline void mad_exchange_release(struct mad_exchange *exchange)
{
	if (exchange->transaction.whole)
		mad_engine_recycle(mad_port_engine(exchange->port), exchange->transaction.whole);
	exchange->transaction.whole = NULL;
}

/* Makes the question a request. data: IB_MAD_SIZE bytes, for the reply. */
void mad_question_ask(const struct ibmad_port *port, struct mad_question *question, uint8_t *data,
		      struct mad_reply *reply);

/* A buffer on the stack for a request of one MAD. */
#define MAD_REQUEST_WORDS ((sizeof(struct ib_user_mad) + IB_MAD_SIZE) / sizeof(uint64_t))

#endif
