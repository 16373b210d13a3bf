/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Blocking requests: encodes a request in host byte order as a transaction, carries out the
 * decisions of its try machine, and decodes its response. Every blocking request of the library
 * uses mad_exchange_run(), most of them through mad_rpc_call().
 */
#include <errno.h>
#include <string.h>

#include <infiniband/umad.h>

#include "libibmad/keys/keys.h"
#include "libibmad/rpc/debug.h"
#include "libibmad/rpc/rpc.h"
#include "libibmad/wire/packet.h"

/* The path of the usual request is compiled twice: for it, and for all others. */
#define ALWAYS_INLINE inline __attribute__((always_inline))

/* How often a thread that waits for others of its agent looks which are over. */
#define LOOK_FOR_PLACES (100 * MAD_NS_PER_MS)

static bool has_response(const struct mad_exchange *exchange)
{
	return mad_transaction_has_response(&exchange->transaction);
}

/* Prints the lines by which users know a request without a response. */
static void warn_silence(const struct mad_exchange *exchange, const char *to)
{
	const struct mad_try *try = &exchange->transaction.try;
	const char *why = strerror(-try->error);

	if (try->send_failed)
		mad_warn("_do_madrpc", "send failed; %s", why);
	else if (try->returned)
		mad_show_error("_do_madrpc", "timeout after %u retries, %lld ms", try->attempts,
			       (long long)try->timeout_ms * try->attempts);
	else
		mad_warn("_do_madrpc", "recv failed: %s", why);
	mad_warn(exchange->function, "_do_madrpc failed; dport (%s)", to);
}

static ALWAYS_INLINE void take_record_size(const struct mad_exchange *exchange)
{
	if (mad_packet_class(exchange->rpc) == IB_SA_CLASS)
		exchange->rpc->recsz =
			mad_get_be16(exchange->transaction.response + SA_ATTR_OFFSET);
}

/* A function of its own, because the string of an address is large and the usual call needs
 * none. */
static __attribute__((noinline, cold)) int take_failure(const struct mad_exchange *exchange)
{
	const struct mad_transaction *transaction = &exchange->transaction;
	char to[MAD_PORTID_TEXT_SIZE];

	mad_portid_print(to, sizeof(to), transaction->to);
	if (!has_response(exchange)) {
		warn_silence(exchange, to);
		return transaction->try.error;
	}
	exchange->rpc->rstatus = mad_response_status(transaction->response);
	if (exchange->rpc->rstatus && mad_state_shows_errors())
		mad_warn(exchange->function, "MAD completed with error status 0x%x; dport (%s)",
			 exchange->rpc->rstatus, to);
	if (transaction->try.error == -ECONNABORTED)
		take_record_size(exchange);
	return transaction->try.error;
}

/* Carrying out a request: these functions are called with the engine's lock held. */

static __attribute__((noinline, cold)) void warn_retry(struct mad_engine *engine,
						       const struct mad_try *try)
{
	if (!mad_state_shows_errors())
		return;
	mad_engine_release(engine);
	mad_warn("_do_madrpc", "retry %u (timeout %d ms)", try->sent, try->timeout_ms);
	pthread_mutex_lock(&engine->lock);
}

/* The kernel sends no more requests of the agent now. */
static void wait_for_place(struct mad_engine *engine, struct mad_transaction *transaction,
			   struct mad_waiter *waiter)
{
	int64_t until = mad_clock_now() + LOOK_FOR_PLACES;
	int error;

	mad_wakeup_open(&engine->wakeup, engine->fd); /* else it looks from time to time */
	waiter->wakeup = &engine->wakeup;
	error = mad_engine_wait(engine, waiter, until);
	waiter->wakeup = NULL;
	if (mad_clock_now() >= until)
		mad_agents_reclaim(engine, until);
	if (error && error != -ETIMEDOUT)
		mad_inflight_step(engine, transaction, MAD_TRY_CANCEL, error, 0);
	if (transaction->try.action != MAD_TRY_SEND) /* a response to an earlier attempt, too */
		mad_agent_withdraw(&waiter->contender);
}

/* Whether the request may be sent, where the kernel limits the agents. */
static __attribute__((noinline, cold)) bool has_place(struct mad_engine *engine,
						      struct mad_transaction *transaction)
{
	const uint8_t *mad = mad_transaction_request(transaction);
	struct mad_waiter *waiter = transaction->waiter;
	struct mad_agent *agent = mad_agents_find(engine, mad[MAD_CLASS]);

	waiter->contender.waiter = waiter;
	if (!agent || transaction->place || mad_agent_take(agent, &waiter->contender, transaction))
		return true;
	wait_for_place(engine, transaction, waiter);
	return false;
}

static ALWAYS_INLINE void send_request(struct mad_engine *engine,
				       struct mad_transaction *transaction)
{
	if (__builtin_expect(engine->limits_agents, 0) && !has_place(engine, transaction))
		return;
	if (__builtin_expect(transaction->try.sent > 0, 0))
		warn_retry(engine, &transaction->try);
	if (transaction->try.action == MAD_TRY_SEND)
		mad_inflight_send(engine, transaction);
}

/* Waits for the next event of the machine; if the port cannot be read, the request ends. */
static ALWAYS_INLINE void wait_for_event(struct mad_engine *engine,
					 struct mad_transaction *transaction)
{
	int64_t until = transaction->try.until;
	int error = mad_engine_wait(engine, transaction->waiter, until);

	if (error == -ETIMEDOUT)
		mad_inflight_step(engine, transaction, MAD_TRY_TIMER, 0, until);
	else if (error)
		mad_inflight_step(engine, transaction, MAD_TRY_CANCEL, error, 0);
}

/* Without the lock. */
static void meet_needs(const struct ibmad_port *port, struct mad_transaction *transaction,
		       struct mad_follow_up *follow_up, enum mad_follow_up_need need,
		       struct mad_question *question)
{
	uint8_t data[IB_MAD_SIZE];
	struct mad_reply reply;

	while (need) {
		reply = (struct mad_reply){ .data = data };
		if (need == MAD_FOLLOW_UP_PKEY)
			mad_redirect_find_pkey(port, &follow_up->redirect);
		else
			mad_question_ask(port, question, data, &reply);
		need = mad_follow_up_next(port, transaction, follow_up, &reply, question);
	}
}

/* The request is not in flight while the rule sends others, in which the thread may be cancelled.
 * It may need the response no longer then. */
static __attribute__((noinline, cold)) void follow_up(struct mad_engine *engine,
						      struct mad_exchange *exchange)
{
	struct mad_transaction *transaction = &exchange->transaction;
	struct mad_follow_up follow_up = { .step = 0 };
	int saved_errno = transaction->waiter->saved_errno;
	struct mad_question question;
	enum mad_follow_up_need need;

	mad_inflight_step(engine, transaction, MAD_TRY_BEGIN, 0, 0);
	need = mad_follow_up_next(exchange->port, transaction, &follow_up, NULL, &question);
	if (need) {
		mad_inflight_drop_whole(engine, transaction);
		mad_inflight_remove(engine, transaction);
		mad_engine_leave(engine, transaction->waiter);
		meet_needs(exchange->port, transaction, &follow_up, need, &question);
		mad_engine_enter(engine, transaction->waiter);
		transaction->waiter->saved_errno = saved_errno;
		mad_inflight_add(engine, transaction);
	}
	mad_follow_up_end(engine, transaction, &follow_up);
}

static ALWAYS_INLINE void carry_out(struct mad_engine *engine, struct mad_exchange *exchange)
{
	struct mad_transaction *transaction = &exchange->transaction;
	const struct mad_try *try = &transaction->try;

	while (try->action != MAD_TRY_FINISH) {
		if (try->action == MAD_TRY_SEND)
			send_request(engine, transaction);
		if (try->action == MAD_TRY_WAIT)
			wait_for_event(engine, transaction);
		if (try->action == MAD_TRY_FOLLOW)
			follow_up(engine, exchange);
	}
}

/* Sends the request through the engine and takes its response. */
static ALWAYS_INLINE int transact(struct mad_exchange *exchange)
{
	struct mad_engine *engine = mad_port_engine(exchange->port);
	struct mad_transaction *transaction = &exchange->transaction;
	struct mad_waiter waiter;

	waiter.group = NULL;
	waiter.wakeup = NULL;
	waiter.transaction = transaction;
	waiter.contender.agent = NULL;
	transaction->waiter = &waiter;
	transaction->place = NULL;
	mad_engine_enter(engine, &waiter);
	mad_inflight_add(engine, transaction);
	carry_out(engine, exchange);
	mad_inflight_remove(engine, transaction);
	mad_engine_leave(engine, &waiter);
	if (__builtin_expect(transaction->try.error, 0))
		return take_failure(exchange);
	exchange->rpc->rstatus = 0;
	take_record_size(exchange);
	return 0;
}

static __attribute__((noinline, cold)) void explain_class(const struct mad_exchange *exchange)
{
	mad_show_error(exchange->function, "class 0x%x is not registered on this port",
		       mad_packet_class(exchange->rpc));
}

/* Encodes the request. Returns 0 or -EINVAL. */
static ALWAYS_INLINE int encode(struct mad_exchange *exchange)
{
	struct mad_transaction *transaction = &exchange->transaction;
	size_t header_size = mad_port_engine(exchange->port)->header_size;
	ib_rpc_t *rpc = exchange->rpc;
	int error;

	error = mad_packet_check(rpc, transaction->to->lid, &transaction->to->drpath);
	if (error) {
		mad_packet_explain(rpc, &transaction->to->drpath, error);
		return error;
	}
	mad_try_init(&transaction->try, mad_port_timeout(exchange->port, rpc->timeout),
		     mad_port_retries(exchange->port), false);
	if (__builtin_expect(mad_packet_renew_trid(rpc), 0))
		transaction->try.tid_reused = true;
	transaction->agent = mad_port_agent(exchange->port, mad_packet_class(rpc));
	if (__builtin_expect(transaction->agent < 0, 0)) {
		explain_class(exchange);
		return -EINVAL;
	}
	transaction->min_response_length = mad_min_response_length(rpc);
	transaction->header_size = header_size;
	memset(transaction->request, 0, header_size + transaction->request_length);
	mad_packet_put(transaction->request, header_size, rpc, transaction->to, exchange->rmpp,
		       exchange->payload, exchange->payload_size);
	return 0;
}

static void save_response(const struct mad_exchange *exchange, const struct mad_saved_reply *saved)
{
	const struct mad_transaction *transaction = &exchange->transaction;
	size_t length = transaction->response_length;

	if (transaction->whole)
		mad_state_save_reply(saved, umad_get_mad(transaction->whole->umad), length);
	else
		mad_state_save_reply(saved, transaction->response,
				     length < IB_MAD_SIZE ? length : IB_MAD_SIZE);
}

/* All but the usual request: with keys, debug lines or madrpc_save_mad(). */
static int run_unusual(struct mad_exchange *exchange)
{
	struct mad_transaction *transaction = &exchange->transaction;
	bool is_keyed = transaction->options & MAD_REQUEST_KEYED;
	int64_t started = mad_debug_is_on() ? mad_debug_begin(exchange) : 0;
	struct mad_saved_reply saved;
	int error;

	mad_state_take_saved_reply(&saved);
	transaction->response_length = 0; /* not sent yet */
	error = encode(exchange);
	if (transaction->options & MAD_REQUEST_ONCE)
		transaction->try.attempts = 1;
	if (!error && is_keyed)
		mad_keys_stamp(exchange->port,
			       (uint8_t *)transaction->request + transaction->header_size,
			       transaction->to);
	if (!error)
		error = transact(exchange);
	if (saved.buffer && has_response(exchange))
		save_response(exchange, &saved);
	if (started)
		mad_debug_end(exchange, error, started);
	if (is_keyed)
		mad_keys_forget(transaction->request, mad_port_engine(exchange->port)->header_size);
	return error;
}

static __attribute__((noinline, cold)) int run_slowly(struct mad_exchange *exchange)
{
	if (!(exchange->transaction.options & MAD_REQUEST_AS_IS) &&
	    atomic_load(&exchange->port->extras.keys))
		exchange->transaction.options |= MAD_REQUEST_KEYED;
	return run_unusual(exchange);
}

static ALWAYS_INLINE int run(struct mad_exchange *exchange)
{
	int error;

	if (mad_port_is_adjusting(exchange->port) || mad_debug_is_on() || mad_state_saves_reply())
		return run_slowly(exchange);
	error = encode(exchange);
	return error ? error : transact(exchange);
}

int mad_exchange_run(struct mad_exchange *exchange)
{
	if (exchange->transaction.options)
		return run_slowly(exchange);
	return run(exchange);
}

void mad_question_ask(const struct ibmad_port *port, struct mad_question *question, uint8_t *data,
		      struct mad_reply *reply)
{
	ib_rpc_t *rpc = (ib_rpc_t *)&question->rpc;
	uint64_t request[MAD_REQUEST_WORDS];
	struct mad_exchange exchange;

	mad_question_set_key(question, port);
	mad_exchange_prepare(&exchange, "mad_rpc", port, rpc, &question->to, request, data);
	exchange.transaction.options = question->without_key ? MAD_REQUEST_AS_IS : 0;
	exchange.transaction.response_length = 0; /* not sent yet */
	exchange.payload = question->has_data ? question->data : NULL;
	exchange.payload_size = question->rpc.datasz;
	reply->error = mad_exchange_run(&exchange);
	reply->has_response = has_response(&exchange);
	reply->data = data + question->rpc.dataoffs;
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

/* options: 0 for the usual request, which is compiled for itself. */
static ALWAYS_INLINE int call(const struct ibmad_port *port, ib_rpc_t *rpc, ib_portid_t *dport,
			      const void *payload, void *rcvdata, unsigned options)
{
	static const char function[] = "mad_rpc";
	uint64_t request[MAD_REQUEST_WORDS];
	uint8_t response[IB_MAD_SIZE];
	struct mad_exchange exchange;
	int error = check_call(function, port, rpc, dport, false);

	if (!error) {
		mad_exchange_prepare(&exchange, function, port, rpc, dport, request, response);
		exchange.transaction.options = options;
		exchange.payload = payload;
		exchange.payload_size = rpc->datasz;
		error = options ? mad_exchange_run(&exchange) : run(&exchange);
		if (!error && rcvdata)
			memcpy(rcvdata, response + rpc->dataoffs, rpc->datasz);
	}
	return mad_rpc_note_error(rpc, error);
}

int mad_rpc_call(const struct ibmad_port *port, ib_rpc_t *rpc, ib_portid_t *dport,
		 const void *payload, void *rcvdata)
{
	return call(port, rpc, dport, payload, rcvdata, 0);
}

int mad_rpc_call_routed(const struct ibmad_port *port, ib_rpc_t *rpc, ib_portid_t *route,
			const void *payload, void *rcvdata)
{
	return call(port, rpc, route, payload, rcvdata, MAD_REQUEST_ROUTED);
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
		mad_exchange_prepare(&exchange, function, port, rpc, dport, request, response);
		exchange.rmpp = rmpp;
		exchange.payload = payload;
		exchange.payload_size = rpc->datasz < space ? rpc->datasz : space;
		exchange.transaction.wants_whole = rpc->datasz > space;
		error = mad_exchange_run(&exchange);
		if (rmpp && (!error || (error == -ECONNABORTED && has_response(&exchange))))
			error = mad_packet_read_rmpp(response, rmpp);
		if (!error && rcvdata)
			take_data(&exchange, rcvdata);
		mad_exchange_release(&exchange);
	}
	return mad_rpc_note_error(rpc, error);
}
