/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * mad_rpc() and its kin: a request in host order becomes a transaction, redirects are followed, and
 * the answer is taken apart. Every request of the library that waits for an answer comes through
 * mad_exchange_run(), most of them by way of mad_rpc_call().
 */
#include <errno.h>

#include <infiniband/umad.h>

#include "bytes.h"
#include "debug.h"
#include "engine.h"
#include "internal.h"
#include "layout.h"
#include "packet.h"
#include "port.h"
#include "rpc.h"

/* What the shortest way of a request is made of, and of what others share one copy is enough. */
#define ON_THE_WAY static inline __attribute__((always_inline))
#define APART	   static __attribute__((noinline))

/* Redirects that one call follows before it gives up with ELOOP. */
#define REDIRECTS_MAX 8

/* Apart, since the text of an address is large and the usual call needs none. */
APART void warn_failed(const char *function, const ib_portid_t *dport)
{
	char text[MAD_PORTID_TEXT_SIZE];

	mad_portid_print(text, sizeof(text), dport);
	mad_warn(function, "_do_madrpc failed; dport (%s)", text);
}

APART void warn_status(const char *function, uint32_t status, const ib_portid_t *dport)
{
	char text[MAD_PORTID_TEXT_SIZE];

	mad_portid_print(text, sizeof(text), dport);
	mad_warn(function, "MAD completed with error status 0x%x; dport (%s)", status, text);
}

/* Sends the request through the engine and takes its answer. */
ON_THE_WAY int transact(const struct ibmad_port *port, struct mad_exchange *exchange)
{
	struct mad_transaction *transaction = &exchange->transaction;
	const ib_rpc_t *rpc = exchange->rpc;
	int mgmt_class = rpc->mgtclass & 0xff, error;

	transaction->agent = mad_port_agent(port, mgmt_class);
	transaction->timeout_ms = mad_port_timeout(port, rpc->timeout);
	transaction->tries = mad_port_retries(port);
	transaction->least_length = mad_least_answer(rpc);
	if (transaction->agent < 0) {
		mad_show_error(exchange->function, "class 0x%x is not registered on this port",
			       mgmt_class);
		return -EINVAL;
	}
	error = mad_transaction_run(mad_port_engine(port), transaction);
	if (error)
		warn_failed(exchange->function, exchange->dport);
	return error;
}

/* Without the bit that is the direction in direct routed SMPs, and reserved elsewhere (13.4.7). */
static uint16_t answer_status(const uint8_t *answer)
{
	return mad_get_be16(answer + MAD_STATUS) & ~SMP_DIRECTION;
}

/* The GID of a redirect without a LID, found through the SA (13.5.1). */
static int redirect_by_gid(const struct ibmad_port *port, uint8_t *info, ib_portid_t *to)
{
	ibmad_gid_t gid;
	ib_portid_t sm = { 0 };

	mad_get_array(info, 0, IB_CPI_REDIRECT_GID_F, gid);
	if (ib_resolve_smlid_via(&sm, 0, port) < 0 || ib_resolve_gid_via(to, gid, &sm, 0, port) < 0)
		return errno ? -errno : -EIO;
	return 0;
}

/* Resolving a GID takes this query: to resolve one for it would never end. */
static bool is_path_query(const ib_rpc_t *rpc)
{
	return (rpc->mgtclass & 0xff) == IB_SA_CLASS && rpc->attr.id == IB_SA_ATTR_PATHRECORD;
}

/* Turns the destination to where a redirect's ClassPortInfo says. */
APART int follow_redirect(const struct ibmad_port *port, struct mad_exchange *exchange)
{
	uint8_t *info = exchange->transaction.answer + exchange->rpc->dataoffs;
	ib_portid_t to = *exchange->dport;
	int error;

	if (exchange->rpc->dataoffs + sizeof(struct umad_class_port_info) > IB_MAD_SIZE)
		return -EBADMSG;
	to.lid = mad_get_field(info, 0, IB_CPI_REDIRECT_LID_F);
	to.sl = mad_get_field(info, 0, IB_CPI_REDIRECT_SL_F);
	if (!to.lid) {
		error = is_path_query(exchange->rpc) ? -ELOOP : redirect_by_gid(port, info, &to);
		if (error) {
			mad_show_error(exchange->function,
				       "redirect to a GID that can't be resolved");
			return error;
		}
	}
	to.qp = mad_get_field(info, 0, IB_CPI_REDIRECT_QP_F);
	to.qkey = mad_get_field(info, 0, IB_CPI_REDIRECT_QKEY_F);
	*exchange->dport = to;
	mad_engine_count_redirect(mad_port_engine(port));
	return 0;
}

static bool is_redirected(const struct mad_exchange *exchange)
{
	return !mad_class_is_smi(exchange->rpc->mgtclass & 0xff) &&
	       answer_status(exchange->transaction.answer) == IB_MAD_STS_REDIRECT;
}

/* Encodes the request. Returns 0 or -EINVAL. */
ON_THE_WAY int encode(struct mad_exchange *exchange, size_t header_size)
{
	struct mad_transaction *transaction = &exchange->transaction;
	size_t length = transaction->request_length;
	ib_rpc_t *rpc = exchange->rpc;
	int error = mad_packet_check_path(mad_packet_class(rpc), &exchange->dport->drpath);

	if (error)
		return error;
	mad_packet_choose_trid(rpc);
	memset(transaction->request, 0, header_size + length);
	mad_packet_put(transaction->request, header_size, rpc, exchange->dport, exchange->rmpp,
		       exchange->payload, exchange->payload_size);
	if (exchange->sm_key)
		mad_put_be64((uint8_t *)transaction->request + header_size + SA_SM_KEY,
			     exchange->sm_key);
	return 0;
}

ON_THE_WAY int run_once(const struct ibmad_port *port, struct mad_exchange *exchange)
{
	size_t header_size = umad_size();
	int error = encode(exchange, header_size);

	exchange->transaction.header_size = header_size;
	return error ? error : transact(port, exchange);
}

APART int run_once_more(const struct ibmad_port *port, struct mad_exchange *exchange)
{
	return run_once(port, exchange);
}

/* Sends the request on, while answers redirect it. */
APART int run_redirected(const struct ibmad_port *port, struct mad_exchange *exchange)
{
	int error;

	for (int redirects = 0; redirects < REDIRECTS_MAX; redirects++) {
		error = follow_redirect(port, exchange);
		if (error)
			return error;
		mad_exchange_release(port, exchange);
		error = run_once_more(port, exchange);
		if (error || !is_redirected(exchange))
			return error;
	}
	return -ELOOP;
}

static __attribute__((noinline, cold)) void save_answer(const struct mad_exchange *exchange)
{
	size_t length = exchange->transaction.answer_length;

	if (exchange->transaction.whole)
		mad_state_save_reply(umad_get_mad(exchange->transaction.whole->umad), length);
	else
		mad_state_save_reply(exchange->transaction.answer,
				     length < IB_MAD_SIZE ? length : IB_MAD_SIZE);
}

/* What an answer says beside its data. Returns -EIO for one with an error status. */
static inline int take_status(struct mad_exchange *exchange)
{
	ib_rpc_t *rpc = exchange->rpc;

	rpc->rstatus = answer_status(exchange->transaction.answer);
	if (rpc->rstatus) {
		if (mad_state_shows_errors())
			warn_status(exchange->function, rpc->rstatus, exchange->dport);
		return -EIO;
	}
	if ((rpc->mgtclass & 0xff) == IB_SA_CLASS)
		rpc->recsz = mad_get_be16(exchange->transaction.answer + SA_ATTR_OFFSET);
	return 0;
}

/* Sends the request, with run_it(), and takes what comes of it. */
ON_THE_WAY int run(const struct ibmad_port *port, struct mad_exchange *exchange,
		   int (*run_it)(const struct ibmad_port *port, struct mad_exchange *exchange))
{
	int64_t started = mad_debug_is_on() ? mad_debug_begin(port, exchange) : 0;
	int error = run_it(port, exchange);

	if (!error && is_redirected(exchange))
		error = run_redirected(port, exchange);
	if (!error) {
		if (mad_state_wants_reply())
			save_answer(exchange);
		error = take_status(exchange);
	}
	if (__builtin_expect(started != 0, 0))
		mad_debug_end(exchange, error, started);
	return error;
}

/*
 * Sends the request and waits for its answer. Returns 0 with an answer that has no error; -EIO with
 * one that has (rpc->rstatus); -ELOOP for too many redirects; or why there is no answer. Whatever
 * it returns, mad_exchange_release() comes after it.
 */
int mad_exchange_run(const struct ibmad_port *port, struct mad_exchange *exchange)
{
	return run(port, exchange, run_once_more);
}

ON_THE_WAY bool has_room(const ib_rpc_t *rpc, bool rmpp)
{
	if (rpc->dataoffs < 0 || rpc->datasz < 0 || rpc->dataoffs > IB_MAD_SIZE)
		return false;
	return rmpp || rpc->datasz <= IB_MAD_SIZE - rpc->dataoffs;
}

ON_THE_WAY int check_call(const char *function, const struct ibmad_port *port, const ib_rpc_t *rpc,
			  const ib_portid_t *dport, bool rmpp)
{
	if (!port || !rpc || !dport)
		return -EINVAL;
	if (!has_room(rpc, rmpp)) {
		mad_show_error(function, "%d bytes of data at %d do not fit a MAD", rpc->datasz,
			       rpc->dataoffs);
		return -EINVAL;
	}
	return 0;
}

/* Returns 0, or -ECONNABORTED for an answer that ends the transfer in place of data. */
static int take_rmpp_header(const uint8_t *answer, ib_rmpp_hdr_t *rmpp)
{
	rmpp->type = answer[RMPP_TYPE];
	rmpp->flags = answer[RMPP_RTIME_FLAGS] & RMPP_FLAGS_MASK;
	rmpp->status = answer[RMPP_STATUS];
	rmpp->d1.u = mad_get_be32(answer + RMPP_SEGMENT);
	rmpp->d2.u = mad_get_be32(answer + RMPP_LENGTH);
	return rmpp->type == IB_RMPP_TYPE_ABORT || rmpp->type == IB_RMPP_TYPE_STOP ? -ECONNABORTED
										   : 0;
}

/* rpc->datasz bytes of the answer's data; where the answer ends earlier, zeros. */
static inline void take_data(const struct mad_exchange *exchange, uint8_t *data)
{
	const struct mad_buffer *whole = exchange->transaction.whole;
	const uint8_t *mad =
		whole ? umad_get_mad((void *)whole->umad) : exchange->transaction.answer;
	size_t there = (whole ? whole->length : IB_MAD_SIZE) - exchange->rpc->dataoffs;
	size_t size = exchange->rpc->datasz;

	if (there < size)
		memset(data + there, 0, size - there);
	else
		there = size;
	memcpy(data, mad + exchange->rpc->dataoffs, there);
}

/* Says on every path what became of the call, errno last. */
static void report(ib_rpc_t *rpc, int error, int saved_errno)
{
	if (rpc && (rpc->mgtclass & IB_MAD_RPC_VERSION_MASK) == IB_MAD_RPC_VERSION1)
		((ib_rpc_v1_t *)rpc)->error = -error;
	errno = error ? -error : saved_errno;
}

/*
 * Sends the request rpc with payload (or NULL) and waits for the answer, whose data goes to rcvdata
 * (or nowhere). Returns 0 or -errno, and errno is set then. rcvdata is untouched on errors.
 */
int mad_rpc_call(const struct ibmad_port *port, ib_rpc_t *rpc, ib_portid_t *dport,
		 const void *payload, void *rcvdata)
{
	static const char function[] = "mad_rpc";
	uint64_t request[MAD_REQUEST_WORDS];
	uint8_t answer[IB_MAD_SIZE];
	struct mad_exchange exchange;
	int saved_errno = errno;
	int error = check_call(function, port, rpc, dport, false);

	if (!error) {
		mad_exchange_prepare(&exchange, function, rpc, dport);
		exchange.payload = payload;
		exchange.payload_size = rpc->datasz;
		exchange.transaction.request = request;
		exchange.transaction.request_length = IB_MAD_SIZE;
		exchange.transaction.answer = answer;
		error = run(port, &exchange, run_once);
		if (!error && rcvdata)
			memcpy(rcvdata, answer + rpc->dataoffs, rpc->datasz);
	}
	report(rpc, error, saved_errno);
	return error;
}

/*
 * The same where the answer may be many packets, and its RMPP header goes to rmpp (or is NULL, and
 * the answer one packet). sm_key is that of an SA request, 0 where there is none.
 */
int mad_rpc_call_rmpp(const struct ibmad_port *port, ib_rpc_t *rpc, ib_portid_t *dport,
		      ib_rmpp_hdr_t *rmpp, uint64_t sm_key, const void *payload, void *rcvdata)
{
	static const char function[] = "mad_rpc_rmpp";
	uint64_t request[MAD_REQUEST_WORDS];
	uint8_t answer[IB_MAD_SIZE];
	struct mad_exchange exchange;
	int saved_errno = errno, room;
	int error = check_call(function, port, rpc, dport, rmpp);

	if (!error) {
		room = IB_MAD_SIZE - rpc->dataoffs;
		mad_exchange_prepare(&exchange, function, rpc, dport);
		exchange.rmpp = rmpp;
		exchange.sm_key = sm_key;
		exchange.payload = payload;
		exchange.payload_size = rpc->datasz < room ? rpc->datasz : room;
		exchange.transaction.request = request;
		exchange.transaction.request_length = IB_MAD_SIZE;
		exchange.transaction.answer = answer;
		exchange.transaction.wants_whole = rpc->datasz > room;
		error = mad_exchange_run(port, &exchange);
		if (!error && rmpp)
			error = take_rmpp_header(answer, rmpp);
		if (!error && rcvdata)
			take_data(&exchange, rcvdata);
		mad_exchange_release(port, &exchange);
	}
	report(rpc, error, saved_errno);
	return error;
}

void *mad_rpc(const struct ibmad_port *srcport, ib_rpc_t *rpc, ib_portid_t *dport, void *payload,
	      void *rcvdata)
{
	return mad_rpc_call(srcport, rpc, dport, payload, rcvdata) ? NULL : rcvdata;
}

void *mad_rpc_rmpp(const struct ibmad_port *srcport, ib_rpc_t *rpc, ib_portid_t *dport,
		   ib_rmpp_hdr_t *rmpp, void *data)
{
	return mad_rpc_call_rmpp(srcport, rpc, dport, rmpp, 0, data, data) ? NULL : data;
}
