/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Blocking requests: encodes one, waits until it has ended, and decodes its response. Every
 * blocking request of the library uses mad_request_run(), most of them through mad_rpc_call().
 */
#include <errno.h>
#include <string.h>

#include <infiniband/umad.h>

#include "libibmad/engine/debug.h"
#include "libibmad/engine/request.h"
#include "libibmad/keys/keys.h"
#include "libibmad/wire/packet.h"

/* Prints the lines by which users know a request without a response, whose first attempt began at
 * that time. */
static void warn_silence(const struct mad_attempts *attempts, const char *function, const char *to,
			 int64_t began)
{
	const char *why = strerror(-attempts->error);

	if (!began)
		began = attempts->began;
	if (attempts->send_failed)
		mad_warn("_do_madrpc", "send failed; %s", why);
	else if (attempts->returned)
		mad_show_error("_do_madrpc", "timeout after %u retries, %lld ms",
			       attempts->sent_all,
			       (long long)((mad_clock_now() - began) / MAD_NS_PER_MS));
	else
		mad_warn("_do_madrpc", "recv failed: %s", why);
	mad_warn(function, "_do_madrpc failed; dport (%s)", to);
}

static void take_record_size(const struct mad_request *request, ib_rpc_t *rpc)
{
	if (mad_packet_class(rpc) == IB_SA_CLASS)
		rpc->recsz = mad_get_be16(request->response + SA_ATTR_OFFSET);
}

/* A function of its own, because the string of an address is large and the usual call needs
 * none. */
static __attribute__((noinline, cold)) void take_failure(const struct mad_request *request,
							 const char *function, ib_rpc_t *rpc,
							 int64_t began)
{
	char to[MAD_PORTID_TEXT_SIZE];

	mad_portid_print(to, sizeof(to), request->to);
	if (!mad_request_has_reply(request)) {
		warn_silence(&request->attempts, function, to, began);
		return;
	}
	rpc->rstatus = mad_response_status(request->response);
	if (rpc->rstatus && mad_state_shows_errors())
		mad_warn(function, "MAD completed with error status 0x%x; dport (%s)", rpc->rstatus,
			 to);
	if (request->attempts.error == -ECONNABORTED)
		take_record_size(request, rpc);
}

/* With the lock, which is released meanwhile. */
static __attribute__((noinline, cold)) void warn_retry(struct mad_engine *engine,
						       const struct mad_attempts *attempts)
{
	struct mad_waiter *waiter = engine->holder;
	unsigned retries = attempts->sent - 1;

	if (!mad_state_shows_errors())
		return;
	mad_engine_release(engine);
	mad_warn("_do_madrpc", "retry %u (timeout %d ms)", retries, attempts->timeout_ms);
	pthread_mutex_lock(&engine->lock);
	engine->holder = waiter;
}

static void wait_for_event(struct mad_engine *engine, struct mad_request *request)
{
	int64_t until = mad_request_until(request);
	int error = mad_engine_wait(engine, request->waiter, until);

	if (!error)
		return;
	if (error == -ETIMEDOUT) {
		mad_request_step(request, MAD_ATTEMPT_TIMER, 0, until);
		mad_request_obey(request);
	} else {
		mad_request_cancel(request, error);
		mad_engine_carry_out(engine);
	}
}

/* Sends the request and waits until it has ended. Returns when its first attempt began; 0: that was
 * the last, too. */
static int64_t transact(struct mad_request *request)
{
	struct mad_engine *engine = &request->port->engine;
	const struct mad_attempts *attempts = &request->attempts;
	struct mad_waiter waiter;
	unsigned noticed = 1;
	int64_t began;

	waiter.request = request;
	waiter.list = &engine->callers;
	waiter.async = NULL;
	request->waiter = &waiter;
	mad_engine_enter(engine, &waiter);
	mad_request_begin(request);
	mad_request_obey(request);
	began = attempts->began;
	while (attempts->action != MAD_ATTEMPT_FINISH) {
		wait_for_event(engine, request);
		if (__builtin_expect(attempts->action == MAD_ATTEMPT_FINISH, 1))
			break;
		if (!began) /* the first attempt had to wait for a place */
			began = attempts->began;
		if (attempts->sent > 1 && attempts->sent != noticed)
			warn_retry(engine, attempts);
		noticed = attempts->sent;
	}
	mad_rule_end(request);
	mad_engine_leave(engine, &waiter);
	return began;
}

static void save_response(const struct mad_request *request, const struct mad_saved_reply *saved)
{
	size_t length = request->response_length;

	mad_state_save_reply(saved, mad_request_reply(request),
			     request->whole || length < IB_MAD_SIZE ? length : IB_MAD_SIZE);
}

/* A request that has ended is saved, reported and wiped, as the process and the port want it. */
static __attribute__((noinline, cold)) void end_unusual(struct mad_request *request,
							const char *function, int64_t started,
							const struct mad_saved_reply *saved)
{
	if (saved->buffer && mad_request_has_reply(request))
		save_response(request, saved);
	if (started)
		mad_debug_end(request, function, started);
	if (request->options & MAD_REQUEST_KEYED)
		mad_keys_forget(request->umad, request->port->engine.header_size);
}

static __attribute__((noinline, cold)) int refuse(const struct mad_request *request,
						  const char *function, const ib_rpc_t *rpc)
{
	if (request->agent < 0)
		mad_show_error(function, "class 0x%x is not registered on this port",
			       mad_packet_class(rpc));
	else
		mad_packet_explain(rpc, &request->to->drpath, -EINVAL);
	return -EINVAL;
}

int mad_request_run(struct mad_request *request, const char *function, ib_rpc_t *rpc,
		    const ib_rmpp_hdr_t *rmpp, const void *payload, size_t payload_size)
{
	struct mad_saved_reply saved;
	int64_t started = 0, began;
	int error;

	mad_state_take_saved_reply(&saved);
	if (mad_request_encode(request, rpc, rmpp, payload, payload_size))
		return refuse(request, function, rpc);
	if (mad_debug_is_on()) {
		started = mad_clock_now();
		mad_debug_begin(request, function, rpc);
	}
	began = transact(request);
	error = request->attempts.error;
	if (__builtin_expect(error, 0)) {
		take_failure(request, function, rpc, began);
	} else {
		rpc->rstatus = 0;
		take_record_size(request, rpc);
	}
	if (__builtin_expect(started || saved.buffer || request->options & MAD_REQUEST_KEYED, 0))
		end_unusual(request, function, started, &saved);
	return error;
}

static inline bool fits(const ib_rpc_t *rpc, bool rmpp)
{
	if ((unsigned)rpc->dataoffs > IB_MAD_SIZE)
		return false;
	return rmpp ? rpc->datasz >= 0
		    : (unsigned)rpc->datasz <= (unsigned)(IB_MAD_SIZE - rpc->dataoffs);
}

static __attribute__((noinline, cold)) int refuse_size(const char *function, const ib_rpc_t *rpc)
{
	mad_show_error(function, "%d bytes of data at %d do not fit a MAD", rpc->datasz,
		       rpc->dataoffs);
	return mad_state_refuse(mad_refuse(MAD_REFUSED_RPC_DATA));
}

static inline int check(const char *function, const struct ibmad_port *port, const ib_rpc_t *rpc,
			const ib_portid_t *dport, bool rmpp)
{
	if (__builtin_expect(!port, 0) || __builtin_expect(!rpc, 0) || __builtin_expect(!dport, 0))
		return mad_state_refuse(mad_refuse(!port  ? MAD_REFUSED_PORT
						   : !rpc ? MAD_REFUSED_RPC
							  : MAD_REFUSED_TO));
	return fits(rpc, rmpp) ? 0 : refuse_size(function, rpc);
}

/* Copies rpc->datasz bytes of the response's data, padded with zeros if the response is shorter. */
static void take_data(const struct mad_request *request, const ib_rpc_t *rpc, uint8_t *data)
{
	const struct mad_buffer *whole = request->whole;
	const uint8_t *mad = whole ? umad_get_mad((void *)whole->umad) : request->response;

	mad_packet_copy(data, mad + rpc->dataoffs, rpc->datasz,
			(whole ? whole->length : IB_MAD_SIZE) - rpc->dataoffs);
}

int mad_rpc_call_with(const struct ibmad_port *port, ib_rpc_t *rpc, ib_portid_t *dport,
		      ib_rmpp_hdr_t *rmpp, const void *payload, void *rcvdata, unsigned options)
{
	const char *function = options & MAD_REQUEST_RMPP ? "mad_rpc_rmpp" : "mad_rpc";
	int error = check(function, port, rpc, dport, rmpp), space;
	uint64_t umad[MAD_REQUEST_WORDS];
	uint8_t response[IB_MAD_SIZE];
	struct mad_request request;

	if (error)
		return mad_rpc_note_error(rpc, error);
	space = IB_MAD_SIZE - rpc->dataoffs;
	mad_request_prepare(&request, port, dport, umad, response);
	request.options = options;
	request.wants_whole = rpc->datasz > space;
	error = mad_request_run(&request, function, rpc, rmpp, payload,
				rpc->datasz < space ? rpc->datasz : space);
	if (rmpp && (!error || (error == -ECONNABORTED && mad_request_has_reply(&request))))
		error = mad_packet_read_rmpp(response, rmpp);
	if (!error && rcvdata)
		take_data(&request, rpc, rcvdata);
	if (request.whole)
		mad_buffer_free(request.whole);
	return mad_rpc_note_error(rpc, error);
}
