/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Reads the MADs of a port and delivers them: to transactions in flight (inflight.c) or to the
 * inbox.
 */
#include <errno.h>
#include <string.h>

#include "common/mad_layout.h"
#include "libibmad/engine/engine.h"
#include "libibmad/engine/inflight.h"
#include "libibmad/wire/packet.h"

/* The largest errno of the kernel. */
#define ERRNO_MAX 4095

/* The reading thread has made a step: notifies the code that carries out the request. */
static inline void notify(struct mad_transaction *transaction)
{
	struct mad_waiter *waiter = transaction->waiter;

	if (!waiter && transaction->place)
		mad_agent_settle(transaction);
	if (!waiter)
		mad_engine_change(transaction);
	else if (transaction->try.action != MAD_TRY_WAIT && waiter->sleeps_on)
		mad_engine_wake(waiter);
}

/* Puts the MAD just read, which belongs to no transaction, into the inbox, where all threads in
 * mad_engine_receive() look for it: only they know for which MADs they have space. */
static void keep_incoming(struct mad_engine *engine)
{
	struct mad_buffer *buffer = NULL;

	if (mad_inbox_make_space(&engine->inbox, engine->buffers.incoming->length))
		buffer = mad_buffers_take_incoming(&engine->buffers);
	if (!buffer) {
		engine->statistics.unmatched++;
		return;
	}
	mad_inbox_put(&engine->inbox, buffer);
	mad_engine_wake_all(&engine->receivers);
}

/* For a MAD that is a response. */
static bool has_right_method(const uint8_t *request, const uint8_t *mad)
{
	return mad[MAD_METHOD] != UMAD_METHOD_TRAP_REPRESS ||
	       request[MAD_METHOD] == UMAD_METHOD_TRAP;
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
	if (transaction->whole)
		return 0;
	transaction->response_length = 0;
	return -ENOMEM;
}

/* Whether the response needs no rule of rpc/followups.c. */
static bool is_usual(const uint8_t *mad)
{
	return !mad_response_status(mad) &&
	       (!mad_class_has_rmpp(mad[MAD_CLASS]) || !mad_packet_transfer_error(mad));
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
	if (__builtin_expect(!error && !is_usual(mad), 0))
		mad_inflight_step(engine, transaction, MAD_TRY_STATUS, 0, 0);
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

/* Whether the packet goes to, or comes from, the address of the request: its GID where both have a
 * GRH, since RoCE has no LIDs, else its LID. */
static bool has_right_address(const struct mad_transaction *transaction,
			      const struct mad_buffer *packet)
{
	const struct ib_user_mad *to = transaction->request;
	const struct ib_user_mad *header = (const void *)packet->umad;

	if (to->addr.grh_present && header->addr.grh_present)
		return !memcmp(header->addr.gid, to->addr.gid, sizeof(to->addr.gid));
	return header->addr.lid == to->addr.lid;
}

/* The kernel returns the common header of the MAD, and the address. ibsim's preload returns all of
 * the MAD, at once, with the address of the sender. */
static bool is_own_return(const struct mad_transaction *transaction,
			  const struct mad_buffer *packet, const uint8_t *mad)
{
	const uint8_t *request = mad_transaction_request(transaction);

	return (packet->length > MAD_HEADER_END || has_right_address(transaction, packet)) &&
	       mad[MAD_METHOD] == request[MAD_METHOD] &&
	       mad_get_be16(mad + MAD_ATTR_ID) == mad_get_be16(request + MAD_ATTR_ID) &&
	       mad_get_be32(mad + MAD_ATTR_MOD) == mad_get_be32(request + MAD_ATTR_MOD);
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
static bool is_about(const struct mad_engine *engine, const struct mad_inflight *inflight,
		     const uint8_t *mad, unsigned returned)
{
	const struct mad_transaction *transaction = (const struct mad_transaction *)inflight;
	const struct mad_buffer *incoming = engine->buffers.incoming;

	if (inflight->is_unwaited)
		return true;
	if (returned)
		return is_own_return(transaction, incoming, mad);
	return mad_try_takes_response(&transaction->try) &&
	       has_right_attribute(mad_transaction_request(transaction), mad) &&
	       has_right_modifier(mad_transaction_request(transaction), mad) &&
	       (mad[MAD_CLASS] == IB_SMI_DIRECT_CLASS || has_right_address(transaction, incoming));
}

/*
 * Several requests have the TID because the caller chose it, or one request has it at two addresses
 * because it was redirected. The kernel holds one of them at a time, and now none. Returns the one
 * that the MAD is about, or NULL.
 */
static __attribute__((noinline, cold)) struct mad_inflight *find_addressee(
	struct mad_engine *engine, struct mad_inflight *first, const uint8_t *mad,
	unsigned returned)
{
	struct mad_inflight *addressee = NULL;

	for (struct mad_hash_node *node = &first->node; node;
	     node = mad_hash_next(&engine->in_flight, node)) {
		struct mad_inflight *inflight = (struct mad_inflight *)node;

		if (!addressee && is_about(engine, inflight, mad, returned)) {
			addressee = inflight;
		} else if (!inflight->is_unwaited) {
			mad_inflight_step(engine, (struct mad_transaction *)inflight,
					  MAD_TRY_RELEASED, 0, 0);
			notify((struct mad_transaction *)inflight);
		}
	}
	return addressee;
}

/* Whether other requests may have the TID of this one. */
static bool shares_tid(const struct mad_inflight *inflight)
{
	return !inflight->is_unwaited && ((const struct mad_transaction *)inflight)->try.tid_reused;
}

/* TrapRepress may arrive without a Trap of this process; a late one is recognised by its TID. */
static bool is_unsolicited_repress(const uint8_t *mad)
{
	return mad[MAD_METHOD] == UMAD_METHOD_TRAP_REPRESS &&
	       !mad_state_issued_trid(mad_get_be32(mad + MAD_TID_LOW));
}

static void deliver_valid(struct mad_engine *engine, const struct mad_buffer *incoming)
{
	const uint8_t *mad = incoming->umad + engine->header_size;
	unsigned returned = mad_buffer_status(incoming);
	struct mad_inflight *inflight;

	if (!returned && !mad_is_response(mad)) {
		keep_incoming(engine);
		return;
	}
	inflight = (struct mad_inflight *)mad_hash_find(&engine->in_flight, mad_inflight_key(mad));
	if (!inflight && !returned && is_unsolicited_repress(mad)) {
		keep_incoming(engine);
		return;
	}
	if (inflight && shares_tid(inflight))
		inflight = find_addressee(engine, inflight, mad, returned);
	if (!inflight) {
		engine->statistics.unmatched += !returned;
	} else if (inflight->is_unwaited) {
		mad_inflight_remove_unwaited(engine, inflight);
		keep_incoming(engine);
	} else if (returned) {
		deliver_return(engine, (struct mad_transaction *)inflight, returned);
	} else {
		deliver_response(engine, (struct mad_transaction *)inflight, mad);
	}
}

static void deliver(struct mad_engine *engine, const struct mad_buffer *incoming)
{
	engine->statistics.received += !mad_buffer_status(incoming);
	if (incoming->length < MAD_HEADER_END)
		engine->statistics.errors++;
	else
		deliver_valid(engine, incoming);
	mad_buffers_shrink(&engine->buffers);
}

static __attribute__((noinline, cold)) int take_read_error(struct mad_engine *engine, int error,
							   int length)
{
	if (error == -ENOSPC) /* the kernel keeps it for a read with a larger buffer */
		error = mad_buffers_enlarge(&engine->buffers, length);
	if (error == -EINTR)
		error = 0;
	if (error && error != -EAGAIN) /* once a deadline has passed, there is nothing to drain */
		engine->reads += MAD_ENGINE_DRAIN_READS;
	return error;
}

int mad_engine_read(struct mad_engine *engine)
{
	struct mad_buffer *incoming = engine->buffers.incoming;
	int *length = &engine->buffers.read_length, result;

	*length = (int)incoming->capacity;
	result = umad_recv(engine->fd, incoming->umad, length, 0);
	if (result < 0)
		return take_read_error(engine, mad_umad_result(result), *length);
	if ((unsigned)*length > incoming->capacity)
		return -EIO; /* negative, or longer than the buffer */
	engine->reads++;
	incoming->length = *length;
	deliver(engine, incoming);
	return 0;
}
