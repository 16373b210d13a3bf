/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Reads the MADs of a port and delivers them: to requests in flight, or to the receive queue. A
 * response is matched by transaction ID and class; one that matches no request is dropped. What is
 * read comes from the fabric, unchecked.
 */
#include <errno.h>
#include <string.h>

#include "libibmad/engine/request.h"
#include "libibmad/wire/packet.h"

#define ERRNO_MAX 4095 /* of the kernel */

/* The reading thread has made a step: wakes the thread that waits for the result, or has the
 * decision carried out. */
static inline void notify(struct mad_engine *engine, struct mad_request *request)
{
	enum mad_attempt_action action = request->attempts.action;

	if (__builtin_expect(action == MAD_ATTEMPT_FINISH && request->waiter, 1)) {
		if (request->waiter->wake)
			mad_engine_wake(request->waiter);
	} else if (action != MAD_ATTEMPT_WAIT) {
		mad_engine_change(engine, request);
	}
}

static inline bool is_response(const uint8_t *mad)
{
	return mad[MAD_METHOD] & UMAD_METHOD_RESP_MASK ||
	       mad[MAD_METHOD] == UMAD_METHOD_TRAP_REPRESS ||
	       (mad[MAD_CLASS] == IB_BOARD_MGMT_CLASS &&
		mad_get_be32(mad + MAD_ATTR_MOD) & MAD_BM_RESPONSE);
}

/* A redirect has ClassPortInfo instead of the attribute. */
static __attribute__((noinline, cold)) bool may_have_attribute(const uint8_t *request,
							       const uint8_t *mad)
{
	unsigned asked_for = mad_get_be16(request + MAD_ATTR_ID);
	unsigned attr_id = mad_get_be16(mad + MAD_ATTR_ID);

	return attr_id ==
		       mad_response_attribute(request[MAD_CLASS], request[MAD_METHOD], asked_for) ||
	       (mad_response_status(mad) == UMAD_STATUS_REDIRECT &&
		attr_id == UMAD_ATTR_CLASS_PORT_INFO);
}

static inline bool has_right_attribute(const uint8_t *request, const uint8_t *mad)
{
	return __builtin_expect(!memcmp(request + MAD_ATTR_ID, mad + MAD_ATTR_ID, 2), 1) ||
	       may_have_attribute(request, mad);
}

/*
 * Whether a response with the right TID and class is valid for the request. One without an error
 * must include some of its data.
 */
static bool is_believable(const struct mad_request *request, const uint8_t *mad, size_t length)
{
	bool has_right_method = mad[MAD_METHOD] != UMAD_METHOD_TRAP_REPRESS ||
				request->mad[MAD_METHOD] == UMAD_METHOD_TRAP;

	return mad[MAD_BASE_VERSION] == UMAD_BASE_VERSION && has_right_method &&
	       has_right_attribute(request->mad, mad) &&
	       (length >= request->min_response_length || mad_response_status(mad));
}

static void take_response(struct mad_engine *engine, struct mad_request *request,
			  const uint8_t *mad)
{
	size_t length = engine->incoming.length;

	mad_packet_copy(request->response, mad, IB_MAD_SIZE, length);
	request->response_length = length;
	if (length <= IB_MAD_SIZE || !request->wants_whole)
		return;
	request->whole = engine->incoming.large;
	request->whole->length = length;
	engine->incoming.large = NULL; /* is the request's */
}

/* Whether the response needs no rule of rules.c. */
static bool is_usual(const uint8_t *mad)
{
	return !mad_response_status(mad) &&
	       (!mad_class_has_rmpp(mad[MAD_CLASS]) || !mad_packet_transfer_error(mad));
}

static void deliver_response(struct mad_engine *engine, struct mad_request *request,
			     const uint8_t *mad)
{
	enum mad_attempt_event event = is_usual(mad) ? MAD_ATTEMPT_RESPONSE : MAD_ATTEMPT_STATUS;

	if (!is_believable(request, mad, engine->incoming.length)) {
		engine->statistics.errors++;
		return;
	}
	if (mad_attempts_takes_response(&request->attempts))
		take_response(engine, request, mad);
	if (__builtin_expect(event == MAD_ATTEMPT_STATUS, 0))
		mad_request_step(request, MAD_ATTEMPT_STATUS, 0, 0);
	else
		mad_request_step(request, MAD_ATTEMPT_RESPONSE, 0, 0);
	notify(engine, request);
}

/* The kernel returns the request; the status of the packet is the reason. */
static void deliver_return(struct mad_engine *engine, struct mad_request *request, unsigned status)
{
	int error = status <= ERRNO_MAX ? -(int)status : -EIO;

	mad_request_step(request, MAD_ATTEMPT_RETURNED, error, 0);
	notify(engine, request);
}

/* Whether the packet goes to, or comes from, the address of the request: its GID where both have a
 * GRH, since RoCE has no LIDs, else its LID. */
static bool has_right_address(const struct mad_request *request, const struct ib_user_mad *packet)
{
	const struct ib_user_mad *to = request->umad;

	if (to->addr.grh_present && packet->addr.grh_present)
		return !memcmp(packet->addr.gid, to->addr.gid, sizeof(to->addr.gid));
	return packet->addr.lid == to->addr.lid;
}

/* The kernel returns the common header of the MAD, and the address. ibsim's preload returns all of
 * the MAD, at once, with the address of the sender. */
static bool is_own_return(const struct mad_engine *engine, const struct mad_request *request,
			  const uint8_t *mad)
{
	return (engine->incoming.length > MAD_HEADER_END ||
		has_right_address(request, engine->incoming.packet)) &&
	       mad[MAD_METHOD] == request->mad[MAD_METHOD] &&
	       mad_get_be16(mad + MAD_ATTR_ID) == mad_get_be16(request->mad + MAD_ATTR_ID) &&
	       mad_get_be32(mad + MAD_ATTR_MOD) == mad_get_be32(request->mad + MAD_ATTR_MOD);
}

/* A redirect has no attribute of its own, and the modifier of class BM has the response bit. */
static bool has_right_modifier(const uint8_t *request, const uint8_t *mad)
{
	return mad_get_be32(mad + MAD_ATTR_MOD) == mad_get_be32(request + MAD_ATTR_MOD) ||
	       mad[MAD_CLASS] == IB_BOARD_MGMT_CLASS ||
	       mad_response_status(mad) == UMAD_STATUS_REDIRECT;
}

/* Whether the MAD just read is about this one of the requests with its TID. Responses by directed
 * route come from any LID. */
static bool is_about(const struct mad_engine *engine, const struct mad_request *request,
		     const uint8_t *mad, unsigned returned)
{
	if (returned)
		return is_own_return(engine, request, mad);
	return mad_attempts_takes_response(&request->attempts) &&
	       has_right_attribute(request->mad, mad) && has_right_modifier(request->mad, mad) &&
	       (mad[MAD_CLASS] == IB_SMI_DIRECT_CLASS ||
		has_right_address(request, engine->incoming.packet));
}

/*
 * Several requests have the TID because the caller chose it, or one request has it at two addresses
 * because it was redirected. The kernel holds one of them at a time, and now none. Returns the one
 * that the MAD is about, or NULL.
 */
static __attribute__((noinline, cold)) struct mad_request *find_addressee(struct mad_engine *engine,
									  struct mad_request *first,
									  const uint8_t *mad,
									  unsigned returned)
{
	struct mad_request *addressee = NULL;

	for (struct mad_hash_node *node = &first->node; node;
	     node = mad_hash_next(&engine->in_flight, node)) {
		struct mad_request *request = (struct mad_request *)node;

		if (!addressee && is_about(engine, request, mad, returned)) {
			addressee = request;
		} else {
			mad_request_step(request, MAD_ATTEMPT_RELEASED, 0, 0);
			notify(engine, request);
		}
	}
	return addressee;
}

/* TrapRepress may arrive without a Trap of this process; a late one is recognised by its TID. */
static bool is_unsolicited_repress(const uint8_t *mad)
{
	return mad[MAD_METHOD] == UMAD_METHOD_TRAP_REPRESS &&
	       !mad_state_issued_trid(mad_get_be32(mad + MAD_TID_LOW));
}

static void deliver_other(struct mad_engine *engine, const uint8_t *mad, unsigned returned)
{
	if (mad_receive_expects(engine, mad_request_key(mad)) ||
	    (!returned && is_unsolicited_repress(mad)))
		mad_receive_keep(engine);
	else
		engine->statistics.unmatched += !returned;
}

static void deliver(struct mad_engine *engine)
{
	const struct ib_user_mad *packet = engine->incoming.packet;
	const uint8_t *mad = (const uint8_t *)packet + engine->header_size;
	unsigned returned = packet->status;
	struct mad_request *request;

	engine->statistics.received += !returned;
	if (engine->incoming.length < MAD_HEADER_END) {
		engine->statistics.errors++;
		return;
	}
	if (!returned && !is_response(mad)) {
		mad_receive_keep(engine);
		return;
	}
	if (__builtin_expect(engine->limits_agents, 0))
		mad_line_release(engine, mad_request_key(mad));
	request = (struct mad_request *)mad_hash_find(&engine->in_flight, mad_request_key(mad));
	if (request && request->attempts.tid_reused) {
		request = find_addressee(engine, request, mad, returned);
		engine->statistics.unmatched += !request && !returned;
		if (!request)
			return;
	}
	if (!request)
		deliver_other(engine, mad, returned);
	else if (returned)
		deliver_return(engine, request, returned);
	else
		deliver_response(engine, request, mad);
}

void mad_engine_read_into(struct mad_engine *engine, struct mad_buffer *buffer)
{
	struct mad_incoming *incoming = &engine->incoming;

	mad_buffer_free(incoming->large);
	incoming->large = buffer;
	incoming->packet = buffer ? (void *)buffer->umad : (void *)incoming->usual;
	incoming->capacity = buffer ? (int)buffer->length : IB_MAD_SIZE;
}

/* The kernel keeps a MAD that is too long for a read with more space. */
static int make_space(struct mad_engine *engine)
{
	struct mad_buffer *buffer;

	if (engine->incoming.length <= engine->incoming.capacity)
		return -ENOSPC;
	buffer = mad_buffer_new(engine->incoming.length);
	if (!buffer)
		return -ENOMEM;
	mad_engine_read_into(engine, buffer);
	return 0;
}

static __attribute__((noinline, cold)) int take_read_error(struct mad_engine *engine, int error)
{
	if (error == -ENOSPC)
		error = make_space(engine);
	if (error == -EINTR)
		error = 0;
	if (error && error != -EAGAIN) /* once a deadline has passed, there is nothing to drain */
		engine->reads += MAD_ENGINE_DRAIN_READS;
	return error;
}

int mad_engine_read(struct mad_engine *engine)
{
	struct mad_incoming *incoming = &engine->incoming;
	int result;

	incoming->length = incoming->capacity;
	result = umad_recv(engine->fd, incoming->packet, &incoming->length, 0);
	if (__builtin_expect(result < 0, 0))
		return take_read_error(engine, mad_umad_result(result));
	if ((unsigned)incoming->length > (unsigned)incoming->capacity)
		return -EIO; /* negative, or longer than the buffer */
	engine->reads++;
	deliver(engine);
	if (__builtin_expect(incoming->capacity > IB_MAD_SIZE, 0))
		mad_engine_read_into(engine, NULL);
	return 0;
}
