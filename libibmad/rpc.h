/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * A request in the form that every call of the library hands to rpc.c: one MAD or, with RMPP, many,
 * out and back.
 */
#ifndef LIBIBMAD_RPC_H
#define LIBIBMAD_RPC_H

#include "engine.h"
#include "internal.h"

struct mad_exchange {
	const char *function; /* that users know the request by, in error lines */
	ib_rpc_t *rpc;	      /* its rstatus and recsz are filled in from the answer */
	ib_portid_t *dport;   /* turned to where redirects lead */
	const ib_rmpp_hdr_t *rmpp;
	uint64_t sm_key;	  /* of a trusted SA request, or 0 */
	const void *payload;	  /* or NULL */
	size_t payload_size;	  /* bytes that go out from rpc->dataoffs on */
	void *request;		  /* room for the umad header and request_length bytes of MAD */
	size_t request_length;	  /* bytes of MAD: at least IB_MAD_SIZE */
	bool wants_whole;	  /* answers of more than one MAD are wanted in `whole` */
	uint8_t *answer;	  /* room for IB_MAD_SIZE bytes; what did not come is 0 */
	size_t answer_length;	  /* out: bytes of MAD that the answer has in all */
	struct mad_buffer *whole; /* out: the answer where it is longer than one MAD, or NULL */
};

/*
 * The bytes that an answer to the request has at least: some of its data. An SA table may be empty,
 * and then ends where its records would begin.
 */
static inline size_t mad_least_answer(const ib_rpc_t *rpc)
{
	return rpc->dataoffs + ((rpc->mgtclass & 0xff) != IB_SA_CLASS && rpc->datasz > 0);
}

int mad_exchange_run(const struct ibmad_port *port, struct mad_exchange *exchange);
void mad_exchange_release(const struct ibmad_port *port, struct mad_exchange *exchange);

/* Room for a request of one MAD, on the stack. */
#define MAD_REQUEST_WORDS ((sizeof(struct ib_user_mad) + IB_MAD_SIZE) / sizeof(uint64_t))

#endif
