/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * A request, from its encoding to its response: of a thread that waits for it (call.c), of a
 * program's asynchronous object (async.h), or of a rule that has to know something first (rules.c).
 * All three take the same way. But for encoding, the caller of each function holds the lock.
 */
#ifndef LIBIBMAD_REQUEST_H
#define LIBIBMAD_REQUEST_H

#include <stddef.h>
#include <stdint.h>

#include "common/bytes.h"
#include "common/mad_layout.h"
#include "libibmad/engine/attempts.h"
#include "libibmad/engine/port.h"

struct mad_request {
	struct mad_hash_node node; /* first: in the engine's table, while it is in flight */
	struct mad_attempts attempts;

	/* The caller sets these with mad_request_prepare(), and owns their memory. */
	struct ibmad_port *port;
	ib_portid_t *to;   /* changed by a redirect */
	void *umad;	   /* packet to send */
	uint8_t *mad;	   /* the MAD in it */
	int length;	   /* bytes of MAD in it */
	uint8_t options;   /* enum mad_request_option */
	bool wants_whole;  /* responses that are longer than IB_MAD_SIZE go to `whole` */
	uint8_t *response; /* the first IB_MAD_SIZE bytes of the response, padded with zeros */

	/* The owner; both NULL: a program's asynchronous object. */
	struct mad_waiter *waiter;
	struct mad_request *parent; /* asks with this request */

	bool is_in_flight;
	bool is_changed; /* in the list of the engine */
	TAILQ_ENTRY(mad_request) link_changed;
	struct mad_place *place; /* of its agent; or NULL */
	struct mad_line *line;	 /* in which it waits for a place; or NULL */
	TAILQ_ENTRY(mad_request) link_line;
	struct mad_timer timer;
	struct mad_follow_up *follow_up; /* the question of its rule; or NULL */
	int agent;			 /* of libibumad */
	size_t min_response_length;	 /* bytes of MAD in a response without an error */

	/* The result. */
	size_t response_length;	  /* bytes of MAD; 0: no response */
	struct mad_buffer *whole; /* the whole response, which the caller frees; or NULL */
};

#define MAD_REQUEST_WORDS ((sizeof(struct ib_user_mad) + IB_MAD_SIZE) / sizeof(uint64_t))

/* A request of one MAD, with memory for its umad packet, and for IB_MAD_SIZE bytes of response. */
static inline void mad_request_prepare(struct mad_request *request, const struct ibmad_port *port,
				       ib_portid_t *to, void *umad, uint8_t *response)
{
	request->port = (struct ibmad_port *)port;
	request->to = to;
	request->umad = umad;
	request->mad = (uint8_t *)umad + port->engine.header_size;
	request->length = IB_MAD_SIZE;
	request->options = 0;
	request->wants_whole = false;
	request->response = response;
	request->waiter = NULL;
	request->parent = NULL;
	request->is_in_flight = request->is_changed = request->timer.is_set = false;
	request->timer.of_place = false;
	request->place = NULL;
	request->line = NULL;
	request->follow_up = NULL;
	request->response_length = 0;
	request->whole = NULL;
}

/*
 * Encodes it, with payload_size bytes at payload (or NULL) from rpc->dataoffs on, and chooses its
 * transaction ID, timeout and number of attempts. rmpp may be NULL. Returns 0, or -EINVAL: the
 * request does not fit its fields, or (agent below 0) its class is not registered.
 */
int mad_request_encode(struct mad_request *request, ib_rpc_t *rpc, const ib_rmpp_hdr_t *rmpp,
		       const void *payload, size_t payload_size);

/* Takes the request away from the engine, whatever its state; it has no question (rules.c). */
void mad_request_remove(struct mad_request *request);
/* Drops the response, which is not the last one. */
void mad_request_drop_response(struct mad_request *request);
/* Sets the timer of a request that no thread waits for, or clears it. */
void mad_request_set_timer(struct mad_request *request);
/* Decides that the request ends with the error, unless it has ended already. */
void mad_request_cancel(struct mad_request *request, int error);

/* Adds the counts of a step to the statistics, except MAD_ATTEMPT_COUNT_SENT. */
void mad_request_count(struct mad_engine *engine, unsigned counts);

/* Makes a step of the machine, and counts it in the statistics. */
static inline void mad_request_step(struct mad_request *request, enum mad_attempt_event event,
				    int error, int64_t now)
{
	struct mad_engine *engine = &request->port->engine;
	unsigned counts = mad_attempts_step(&request->attempts, event, error, now);

	engine->statistics.sent += counts & MAD_ATTEMPT_COUNT_SENT;
	if (counts & ~MAD_ATTEMPT_COUNT_SENT)
		mad_request_count(engine, counts);
}

/* Whether it ended with a response, or one is to be followed up. */
static inline bool mad_request_has_reply(const struct mad_request *request)
{
	return request->response_length > 0;
}

/* The MAD of its reply, with `whole` of any length, else with IB_MAD_SIZE bytes. */
static inline uint8_t *mad_request_reply(const struct mad_request *request)
{
	return request->whole ? umad_get_mad(request->whole->umad) : request->response;
}

static inline uint8_t mad_request_class(const struct mad_request *request)
{
	return request->mad[MAD_CLASS];
}

/* Until when it needs nothing but events; or MAD_NO_DEADLINE. */
static inline int64_t mad_request_until(const struct mad_request *request)
{
	return request->attempts.action == MAD_ATTEMPT_WAIT ? request->attempts.until
							    : request->attempts.deadline;
}

/* The key in the engine's table; the kernel owns the high half of the transaction ID. */
static inline uint64_t mad_request_key(const uint8_t *mad)
{
	return (uint64_t)mad_get_be32(mad + MAD_TID_LOW) << 8 | mad[MAD_CLASS];
}

/* The request whose rule asked, or the one whose rule asked for that. */
static inline struct mad_request *mad_request_root(struct mad_request *request)
{
	while (request->parent)
		request = request->parent;
	return request;
}

/* From now on the request is in flight. The caller has its decision, to send it, carried out. */
static inline void mad_request_begin(struct mad_request *request)
{
	request->node.key = mad_request_key(request->mad);
	request->is_in_flight = true;
	mad_hash_add(&request->port->engine.in_flight, &request->node);
}

/*
 * rules.c: what follows a response with a status, and the last timeout. Goes on with the rule of a
 * request whose machine asks for that (MAD_ATTEMPT_FOLLOW), until the rule ends, or has asked.
 */
void mad_rule_follow(struct mad_request *request);
/* Ends the question of the request's rule. */
void mad_rule_drop_question(struct mad_request *request);
/* Ends the question of its rule, if there is one, and takes the request away from the engine. */
static inline void mad_rule_end(struct mad_request *request)
{
	if (__builtin_expect(request->follow_up != NULL, 0))
		mad_rule_drop_question(request);
	mad_request_remove(request);
}

/* settle.c: carries out the decision of the machine; a request that has ended may be freed. */
void mad_request_obey(struct mad_request *request);
/* The timers that are due: everything that had arrived by then has been read. */
void mad_request_run_timers(struct mad_engine *engine, int64_t now);

/*
 * call.c: sends a prepared request and waits for its response. The function is the one by which
 * users know it; payload is as for mad_request_encode(). Returns 0 with a response without an error
 * (rpc->recsz is set from it); -EIO with one that has an error (rpc->rstatus); -ELOOP for too many
 * redirects; or why there is no response. The caller frees `whole`.
 */
int mad_request_run(struct mad_request *request, const char *function, ib_rpc_t *rpc,
		    const ib_rmpp_hdr_t *rmpp, const void *payload, size_t payload_size);

#endif
