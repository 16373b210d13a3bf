/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * mad_rpc() and the calls based on it: encodes a request in host byte order as a transaction, and
 * decodes its response. Every blocking request of the library uses mad_exchange_run(), most of them
 * through mad_rpc_call().
 */
#include <errno.h>
#include <string.h>

#include <infiniband/umad.h>

#include "libibmad/keys/keys.h"
#include "libibmad/requests/debug.h"
#include "libibmad/requests/redirect.h"
#include "libibmad/requests/requests.h"
#include "libibmad/requests/rpc.h"
#include "libibmad/wire/packet.h"

/* The path of the usual request is compiled twice: for it, and for all others. */
#define ALWAYS_INLINE inline __attribute__((always_inline))

/* A function of its own, because the string of an address is large and the usual call needs
 * none. */
static __attribute__((noinline)) void warn_failed(const char *function, const ib_portid_t *dport)
{
	char text[MAD_PORTID_TEXT_SIZE];

	mad_portid_print(text, sizeof(text), dport);
	mad_warn(function, "_do_madrpc failed; dport (%s)", text);
}

static __attribute__((noinline)) void warn_status(const char *function, uint32_t status,
						  const ib_portid_t *dport)
{
	char text[MAD_PORTID_TEXT_SIZE];

	mad_portid_print(text, sizeof(text), dport);
	mad_warn(function, "MAD completed with error status 0x%x; dport (%s)", status, text);
}

/* Sets the address of the request to that of the redirect in its response. */
static int readdress(struct mad_transaction *transaction, void *context)
{
	struct mad_exchange *exchange = context;
	int mgmt_class = mad_packet_class(exchange->rpc);
	struct mad_redirect redirect;
	ib_portid_t found = { 0 };
	int error =
		mad_redirect_read(transaction->response, transaction->response_length, &redirect);

	if (!error && !redirect.lid) {
		if (mad_redirect_is_resolvable(mgmt_class, exchange->rpc->attr.id))
			error = exchange->port->resolve_gid(exchange->port, redirect.gid, 0, NULL,
							    &found);
		else
			error = -ELOOP;
		if (error)
			mad_show_error(exchange->function,
				       "redirect to a GID that can't be resolved");
		redirect.lid = found.lid;
		redirect.sl = found.sl;
	}
	if (error)
		return error;
	mad_redirect_find_pkey(exchange->port, &redirect);
	mad_redirect_apply(exchange->port, &redirect, mgmt_class, exchange->dport,
			   transaction->request);
	return 0;
}

/* Sends the request through the engine and takes its response. */
static ALWAYS_INLINE int transact(struct mad_exchange *exchange)
{
	struct mad_transaction *transaction = &exchange->transaction;
	const struct ibmad_port *port = exchange->port;
	const ib_rpc_t *rpc = exchange->rpc;
	int mgmt_class = mad_packet_class(rpc), error;

	transaction->agent = mad_port_agent(port, mgmt_class);
	transaction->min_response_length = mad_min_response_length(rpc);
	if (transaction->agent < 0) {
		mad_show_error(exchange->function, "class 0x%x is not registered on this port",
			       mgmt_class);
		return -EINVAL;
	}
	error = mad_transaction_run(mad_port_engine(port), transaction, readdress, exchange);
	if (error && !transaction->try.redirect_failed)
		warn_failed(exchange->function, exchange->dport);
	return error;
}

/* Encodes the request. Returns 0 or -EINVAL. */
static ALWAYS_INLINE int encode(struct mad_exchange *exchange)
{
	struct mad_transaction *transaction = &exchange->transaction;
	size_t header_size = umad_size();
	ib_rpc_t *rpc = exchange->rpc;
	int error = mad_packet_check_path(mad_packet_class(rpc), &exchange->dport->drpath);

	if (error)
		return error;
	mad_try_init(&transaction->try, mad_port_timeout(exchange->port, rpc->timeout),
		     mad_port_retries(exchange->port), false);
	if (__builtin_expect(mad_packet_renew_trid(rpc), 0))
		transaction->try.tid_reused = true;
	transaction->header_size = header_size;
	memset(transaction->request, 0, header_size + transaction->request_length);
	mad_packet_put(transaction->request, header_size, rpc, exchange->dport, exchange->rmpp,
		       exchange->payload, exchange->payload_size);
	return 0;
}

static __attribute__((noinline, cold)) void save_response(const struct mad_exchange *exchange,
							  const struct mad_saved_reply *saved)
{
	const struct mad_transaction *transaction = &exchange->transaction;
	size_t length = transaction->response_length;

	if (transaction->whole)
		mad_state_save_reply(saved, umad_get_mad(transaction->whole->umad), length);
	else
		mad_state_save_reply(saved, transaction->response,
				     length < IB_MAD_SIZE ? length : IB_MAD_SIZE);
}

/* The headers after the common one, of classes with RMPP. */
static __attribute__((noinline)) int take_class_headers(const struct mad_exchange *exchange)
{
	const uint8_t *response = exchange->transaction.response;

	if (mad_packet_class(exchange->rpc) == IB_SA_CLASS)
		exchange->rpc->recsz = mad_get_be16(response + SA_ATTR_OFFSET);
	return mad_packet_transfer_error(response);
}

/* Evaluates the headers of a response. Returns -EIO for one with an error status, -ECONNABORTED for
 * one that ends the transfer. */
static ALWAYS_INLINE int take_status(struct mad_exchange *exchange)
{
	ib_rpc_t *rpc = exchange->rpc;

	rpc->rstatus = mad_response_status(exchange->transaction.response);
	if (rpc->rstatus) {
		if (mad_state_shows_errors())
			warn_status(exchange->function, rpc->rstatus, exchange->dport);
		return -EIO;
	}
	return mad_class_has_rmpp(mad_packet_class(rpc)) ? take_class_headers(exchange) : 0;
}

static uint8_t *request_bytes(const struct mad_exchange *exchange)
{
	return (uint8_t *)exchange->transaction.request + umad_size();
}

/* What an unusual request has. */
enum { WITH_KEYS = 1, ONE_ATTEMPT = 2 };

static __attribute__((noinline, cold)) int run_slowly(struct mad_exchange *exchange, unsigned what)
{
	struct mad_saved_reply saved;
	int error;

	mad_state_take_saved_reply(&saved);
	error = encode(exchange);
	if (what & ONE_ATTEMPT)
		exchange->transaction.try.attempts = 1;
	if (!error && (what & WITH_KEYS))
		mad_keys_stamp(exchange->port, request_bytes(exchange), exchange->dport);
	if (!error)
		error = transact(exchange);
	if (!error) {
		if (saved.buffer)
			save_response(exchange, &saved);
		error = take_status(exchange);
	}
	return error;
}

static ALWAYS_INLINE int run_fast(struct mad_exchange *exchange)
{
	int error = encode(exchange);

	if (!error)
		error = transact(exchange);
	return error ? error : take_status(exchange);
}

static __attribute__((noinline, cold)) int run_with_debug(struct mad_exchange *exchange,
							  unsigned what)
{
	int attempts = what & ONE_ATTEMPT ? 1 : mad_port_retries(exchange->port);
	int64_t started = mad_debug_begin(exchange, attempts);
	int error = run_slowly(exchange, what);

	mad_debug_end(exchange, error, started);
	return error;
}

int mad_exchange_run_as_is(struct mad_exchange *exchange)
{
	return mad_debug_is_on() ? run_with_debug(exchange, 0) : run_slowly(exchange, 0);
}

/* Why there is no response to a request that may have a key. */
static int explain_silence(const struct mad_exchange *exchange)
{
	const struct ibmad_port *port = exchange->port;

	if (!atomic_load(&port->extras.keys))
		return -ETIMEDOUT;
	return atomic_load(&port->extras.explain_silence)(port, request_bytes(exchange),
							  exchange->dport, exchange->rpc->timeout);
}

/* With the keys of the port's ring, and the error that reports a refused one. */
static int run_keyed(struct mad_exchange *exchange, unsigned what)
{
	const struct mad_transaction *transaction = &exchange->transaction;
	const ib_rpc_t *rpc = exchange->rpc;
	int error;

	what |= WITH_KEYS;
	error = mad_debug_is_on() ? run_with_debug(exchange, what) : run_slowly(exchange, what);

	if (error == -EIO && rpc->rstatus && mad_transaction_has_response(transaction))
		error = mad_keys_status_error(exchange->port, transaction->response);
	else if (error == -ETIMEDOUT)
		error = explain_silence(exchange);
	mad_keys_forget(transaction->request, umad_size());
	return error;
}

/* By directed route in place of a LID; the caller's address is left unchanged. */
static int run_routed(struct mad_exchange *exchange, ib_rpc_t *routed_rpc, ib_portid_t *routed)
{
	ib_portid_t *dport = exchange->dport;
	ib_rpc_t *rpc = exchange->rpc;
	int error;

	exchange->rpc = routed_rpc;
	exchange->dport = routed;
	error = run_keyed(exchange, 0);
	if (error == -ETIMEDOUT)
		mad_port_doubt_routes((struct ibmad_port *)exchange->port);
	exchange->rpc = rpc;
	exchange->dport = dport;
	rpc->rstatus = routed_rpc->rstatus;
	rpc->trid = routed_rpc->trid;
	return error;
}

static __attribute__((noinline, cold)) int run_adjusted(struct mad_exchange *exchange)
{
	const struct mad_route_calls *routes = atomic_load(&exchange->port->extras.route_calls);
	ib_portid_t routed;
	ib_rpc_t rpc;
	int result = 0;

	if (routes)
		result = routes->adjust(exchange->port, exchange->rpc, exchange->dport, &rpc,
					&routed);
	if (result < 0)
		return mad_state_refuse(result);
	return result ? run_routed(exchange, &rpc, &routed) : run_keyed(exchange, 0);
}

static ALWAYS_INLINE int run(struct mad_exchange *exchange)
{
	if (mad_port_is_adjusting(exchange->port))
		return run_adjusted(exchange);
	if (mad_debug_is_on())
		return run_with_debug(exchange, 0);
	return mad_state_saves_reply() ? run_slowly(exchange, 0) : run_fast(exchange);
}

int mad_exchange_run(struct mad_exchange *exchange)
{
	return run(exchange);
}

int mad_exchange_run_once(struct mad_exchange *exchange)
{
	if (mad_port_is_adjusting(exchange->port))
		return run_keyed(exchange, ONE_ATTEMPT);
	return mad_debug_is_on() ? run_with_debug(exchange, ONE_ATTEMPT)
				 : run_slowly(exchange, ONE_ATTEMPT);
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
	return mad_state_refuse(-EINVAL);
}

static inline int check_call(const char *function, const struct ibmad_port *port,
			     const ib_rpc_t *rpc, const ib_portid_t *dport, bool rmpp)
{
	if (!port || !rpc || !dport)
		return mad_state_refuse(-EINVAL);
	return fits(rpc, rmpp) ? 0 : refuse_size(function, rpc);
}

/* Copies rpc->datasz bytes of the response's data, padded with zeros if the response is shorter. */
static void take_data(const struct mad_exchange *exchange, uint8_t *data)
{
	const struct mad_buffer *whole = exchange->transaction.whole;
	const uint8_t *mad =
		whole ? umad_get_mad((void *)whole->umad) : exchange->transaction.response;
	size_t there = (whole ? whole->length : IB_MAD_SIZE) - exchange->rpc->dataoffs;
	size_t size = exchange->rpc->datasz;

	if (there < size)
		memset(data + there, 0, size - there);
	else
		there = size;
	memcpy(data, mad + exchange->rpc->dataoffs, there);
}

/* Stores the outcome in the request. */
static int note_error(ib_rpc_t *rpc, int error)
{
	if (rpc && (rpc->mgtclass & IB_MAD_RPC_VERSION_MASK) == IB_MAD_RPC_VERSION1)
		((ib_rpc_v1_t *)rpc)->error = -error;
	return error;
}

int mad_rpc_call(const struct ibmad_port *port, ib_rpc_t *rpc, ib_portid_t *dport,
		 const void *payload, void *rcvdata)
{
	static const char function[] = "mad_rpc";
	uint64_t request[MAD_REQUEST_WORDS];
	uint8_t response[IB_MAD_SIZE];
	struct mad_exchange exchange;
	int error = check_call(function, port, rpc, dport, false);

	if (!error) {
		mad_exchange_prepare(&exchange, function, port, rpc, dport);
		exchange.payload = payload;
		exchange.payload_size = rpc->datasz;
		exchange.transaction.request = request;
		exchange.transaction.request_length = IB_MAD_SIZE;
		exchange.transaction.response = response;
		error = run(&exchange);
		if (!error && rcvdata)
			memcpy(rcvdata, response + rpc->dataoffs, rpc->datasz);
	}
	return note_error(rpc, error);
}

/* Whether the response ended the transfer; the kernel may return a request with the same error. */
static bool is_aborted(const struct mad_exchange *exchange, int error)
{
	return error == -ECONNABORTED && mad_transaction_has_response(&exchange->transaction);
}

int mad_rpc_call_rmpp(const struct ibmad_port *port, ib_rpc_t *rpc, ib_portid_t *dport,
		      ib_rmpp_hdr_t *rmpp, const void *payload, void *rcvdata)
{
	static const char function[] = "mad_rpc_rmpp";
	uint64_t request[MAD_REQUEST_WORDS];
	uint8_t response[IB_MAD_SIZE];
	struct mad_exchange exchange;
	int error = check_call(function, port, rpc, dport, rmpp), space;

	if (!error) {
		space = IB_MAD_SIZE - rpc->dataoffs;
		mad_exchange_prepare(&exchange, function, port, rpc, dport);
		exchange.rmpp = rmpp;
		exchange.payload = payload;
		exchange.payload_size = rpc->datasz < space ? rpc->datasz : space;
		exchange.transaction.request = request;
		exchange.transaction.request_length = IB_MAD_SIZE;
		exchange.transaction.response = response;
		exchange.transaction.wants_whole = rpc->datasz > space;
		exchange.transaction.response_length = 0; /* not sent yet */
		error = mad_exchange_run(&exchange);
		if (rmpp && (!error || is_aborted(&exchange, error)))
			error = mad_packet_read_rmpp(response, rmpp);
		if (!error && rcvdata)
			take_data(&exchange, rcvdata);
		mad_exchange_release(&exchange);
	}
	return note_error(rpc, error);
}

void *mad_rpc(const struct ibmad_port *srcport, ib_rpc_t *rpc, ib_portid_t *dport, void *payload,
	      void *rcvdata)
{
	return mad_data_or_null(mad_rpc_call(srcport, rpc, dport, payload, rcvdata), rcvdata);
}

void *mad_rpc_rmpp(const struct ibmad_port *srcport, ib_rpc_t *rpc, ib_portid_t *dport,
		   ib_rmpp_hdr_t *rmpp, void *data)
{
	return mad_data_or_null(mad_rpc_call_rmpp(srcport, rpc, dport, rmpp, data, data), data);
}
