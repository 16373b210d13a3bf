/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * request.c - see request.h.
 */
#include <errno.h>
#include <string.h>

#include "libibmad/engine/async.h"
#include "libibmad/engine/request.h"
#include "libibmad/keys/keys.h"
#include "libibmad/wire/packet.h"

/* The minimum length of a response to the request: it includes some data. With RMPP the data may be
 * absent, as in an SA table without records, and the response ends where it would begin. */
static size_t min_response_length(const ib_rpc_t *rpc)
{
	return rpc->dataoffs + (rpc->datasz > 0 && !mad_class_has_rmpp(mad_packet_class(rpc)));
}

/* The key that a ring has for it, if the port has a ring. */
static __attribute__((noinline, cold)) void stamp(struct mad_request *request)
{
	if (request->options & MAD_REQUEST_AS_IS || !atomic_load(&request->port->extras.keys))
		return;
	request->options |= MAD_REQUEST_KEYED;
	mad_keys_stamp(request->port, request->mad, request->to);
}

int mad_request_encode(struct mad_request *request, ib_rpc_t *rpc, const ib_rmpp_hdr_t *rmpp,
		       const void *payload, size_t payload_size)
{
	const struct ibmad_port *port = request->port;
	size_t header_size = port->engine.header_size;
	bool has_own_tid;

	request->agent = 0;
	if (mad_packet_check(rpc, request->to->lid, &request->to->drpath))
		return mad_refuse(MAD_REFUSED_RPC_FIELDS);
	has_own_tid = mad_packet_renew_trid(rpc);
	request->agent = mad_port_agent(port, mad_packet_class(rpc));
	if (__builtin_expect(request->agent < 0, 0))
		return mad_refuse(MAD_REFUSED_PORT_CLASS);
	mad_attempts_init(&request->attempts, mad_port_timeout(port, rpc->timeout),
			  request->options & MAD_REQUEST_ONCE ? 1 : mad_port_retries(port),
			  has_own_tid);
	request->min_response_length = min_response_length(rpc);
	memset(request->umad, 0, header_size + request->length);
	mad_packet_put(request->umad, header_size, rpc, request->to, rmpp, payload, payload_size);
	if (mad_port_is_adjusting(port))
		stamp(request);
	return 0;
}

void mad_request_count(struct mad_engine *engine, unsigned counts)
{
	struct mad_rpc_statistics *statistics = &engine->statistics;

	statistics->errors += !!(counts & MAD_ATTEMPT_COUNT_SEND_FAILED);
	statistics->retries += !!(counts & MAD_ATTEMPT_COUNT_RETRY);
	statistics->timeouts += !!(counts & MAD_ATTEMPT_COUNT_TIMEOUT);
	statistics->redirected += !!(counts & MAD_ATTEMPT_COUNT_REDIRECTED);
	statistics->unmatched += !!(counts & MAD_ATTEMPT_COUNT_IGNORED);
}

void mad_request_drop_response(struct mad_request *request)
{
	mad_buffer_free(request->whole);
	request->whole = NULL;
	request->response_length = 0;
}

void mad_request_set_timer(struct mad_request *request)
{
	struct mad_engine *engine = &request->port->engine;
	struct mad_item *item = mad_item_of(request);
	int64_t due = mad_request_until(request);

	if (item)
		due = mad_item_due(item, due);
	if (due == MAD_NO_DEADLINE)
		mad_timer_clear(&engine->first_due, &request->timer);
	else
		mad_timer_set(&engine->first_due, &request->timer, due);
}

void mad_request_remove(struct mad_request *request)
{
	struct mad_engine *engine = &request->port->engine;

	if (request->is_in_flight)
		mad_hash_remove(&engine->in_flight, &request->node);
	request->is_in_flight = false;
	if (__builtin_expect(request->is_changed, 0))
		TAILQ_REMOVE(&engine->changed, request, link_changed);
	request->is_changed = false;
	if (__builtin_expect(engine->limits_agents, 0))
		mad_line_leave(engine, request);
	mad_timer_clear(&engine->first_due, &request->timer);
}

void mad_request_cancel(struct mad_request *request, int error)
{
	if (request->attempts.action != MAD_ATTEMPT_FINISH) {
		request->response_length = 0; /* a rule follows it up */
		mad_request_step(request, MAD_ATTEMPT_CANCEL, error, 0);
	}
	mad_engine_change(&request->port->engine, request);
}
