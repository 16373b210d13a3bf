/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * What follows a response with a status and the last timeout of a request, the same for blocking
 * and asynchronous ones: THE table is in followups.c. Its rules are pure; what they have to know
 * first they ask for in questions, which a blocking call makes requests of its own, and an
 * asynchronous request child requests.
 */
#ifndef LIBIBMAD_FOLLOWUPS_H
#define LIBIBMAD_FOLLOWUPS_H

#include "libibmad/engine/inflight.h"
#include "libibmad/engine/port.h"
#include "libibmad/rpc/redirect.h"

/* A rule that is being carried out; 0 at first. */
struct mad_follow_up {
	unsigned step;
	struct mad_redirect redirect;
	ib_portid_t sm;
	ibmad_gid_t own_gid;
	/* The outcome, once there is no question: the event of the request's try machine. */
	enum mad_try_event event;
	int error;
};

/* A request for a rule. */
struct mad_question {
	ib_rpc_v1_t rpc;
	ib_portid_t to;
	bool without_key; /* of the port: with the key in rpc and no other */
	bool has_data;
	uint8_t data[IB_SA_DATA_SIZE];
};

struct mad_reply {
	int error;
	bool has_response;   /* also where that has an error */
	const uint8_t *data; /* without an error */
};

enum mad_follow_up_need {
	MAD_FOLLOW_UP_NOTHING, /* the outcome is known */
	MAD_FOLLOW_UP_PKEY,    /* mad_redirect_find_pkey(), without a lock */
	MAD_FOLLOW_UP_REPLY,   /* to the question */
};

/*
 * Goes on with the rule of a transaction whose machine asks for that. reply: to the last question,
 * or NULL. Returns what it needs before it is called again.
 */
enum mad_follow_up_need mad_follow_up_next(const struct ibmad_port *port,
					   struct mad_transaction *transaction,
					   struct mad_follow_up *follow_up,
					   const struct mad_reply *reply,
					   struct mad_question *question);

/* With the engine's lock held: makes the step of the outcome. */
void mad_follow_up_end(struct mad_engine *engine, struct mad_transaction *transaction,
		       const struct mad_follow_up *follow_up);

/* Sets the key with which a port asks the question. */
void mad_question_set_key(struct mad_question *question, const struct ibmad_port *port);

/* The request for the SA's ClassPortInfo, to which it responds unless it refuses the key. */
int mad_sa_key_request(struct mad_question *question, const ib_portid_t *sm, int timeout_ms);

#endif
