/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * followups.c - see followups.h. Input: responses from the fabric; their status and length are
 * checked here.
 */
#include <errno.h>
#include <string.h>

#include "libibmad/rpc/followups.h"
#include "libibmad/wire/fill.h"

#define STATUS_INVALID_FIELD 0x1c /* what SMAs respond with to a wrong M_Key */

static uint16_t status_of(const struct mad_transaction *transaction)
{
	return mad_response_status(transaction->response);
}

static uint8_t class_of(const struct mad_transaction *transaction)
{
	return mad_transaction_request(transaction)[MAD_CLASS];
}

static bool always(const struct mad_transaction *transaction)
{
	(void)transaction;
	return true;
}

static bool is_redirected(const struct mad_transaction *transaction)
{
	return status_of(transaction) == UMAD_STATUS_REDIRECT &&
	       !mad_class_is_smi(class_of(transaction));
}

static bool is_busy_sa(const struct mad_transaction *transaction)
{
	return status_of(transaction) == UMAD_STATUS_BUSY && class_of(transaction) == IB_SA_CLASS;
}

static bool has_refused_key(const struct mad_transaction *transaction)
{
	return mad_class_is_smi(class_of(transaction)) &&
	       status_of(transaction) == STATUS_INVALID_FIELD;
}

static bool has_status(const struct mad_transaction *transaction)
{
	return status_of(transaction) != 0;
}

static bool has_sm_key(const struct mad_transaction *transaction)
{
	return class_of(transaction) == IB_SA_CLASS &&
	       mad_get_be64(mad_transaction_request(transaction) + SA_SM_KEY);
}

static enum mad_follow_up_need conclude(struct mad_follow_up *follow_up, enum mad_try_event event,
					int error)
{
	follow_up->event = event;
	follow_up->error = error;
	return MAD_FOLLOW_UP_NOTHING;
}

static void begin_question(struct mad_question *question, const ib_portid_t *to)
{
	question->to = *to;
	question->without_key = false;
	question->has_data = false;
}

/* Redirects */

enum { READ_REDIRECT, READ_PORT_INFO, READ_NODE_INFO, READ_PATH, HAS_PKEY };

static enum mad_follow_up_need ask_local_port(struct mad_question *question, unsigned attr_id)
{
	static const ib_portid_t self;

	begin_question(question, &self);
	mad_smp_request((ib_rpc_t *)&question->rpc, &question->to, IB_MAD_METHOD_GET, attr_id, 0,
			0);
	return MAD_FOLLOW_UP_REPLY;
}

static int ask_for_path(struct mad_follow_up *follow_up, struct mad_question *question)
{
	ib_sa_call_t sa;

	begin_question(question, &follow_up->sm);
	question->has_data = true;
	mad_path_request(&sa, question->data, follow_up->own_gid, follow_up->redirect.gid);
	return mad_sa_request(&question->rpc, &question->to, &sa, 0);
}

/* The PathRecord query that resolves a redirect is not resolved itself: that might never end. */
static bool is_path_query(const struct mad_transaction *transaction)
{
	return class_of(transaction) == IB_SA_CLASS &&
	       mad_get_be16(mad_transaction_request(transaction) + MAD_ATTR_ID) ==
		       IB_SA_ATTR_PATHRECORD;
}

static int read_path(const uint8_t *data, struct mad_redirect *redirect)
{
	ib_portid_t found = { 0 };
	int error = mad_resolve_read_path((void *)data, true, &found);

	redirect->lid = found.lid;
	redirect->sl = found.sl;
	return error;
}

static int read_redirect(const struct mad_transaction *transaction, struct mad_redirect *redirect)
{
	int error = transaction->try.redirects < MAD_REDIRECTS_MAX
			    ? mad_redirect_read(transaction->response, transaction->response_length,
						redirect)
			    : -ELOOP;

	return !error && !redirect->lid && is_path_query(transaction) ? -ELOOP : error;
}

/* The step whose reply is here; without one, the first step. Returns 0 or -errno. */
static int take_reply(const struct mad_transaction *transaction, struct mad_follow_up *follow_up,
		      const struct mad_reply *reply)
{
	if (!reply)
		return read_redirect(transaction, &follow_up->redirect);
	if (reply->error)
		return reply->error;
	switch (follow_up->step) {
	case READ_PORT_INFO:
		return mad_resolve_read_sm((void *)reply->data, &follow_up->sm);
	case READ_NODE_INFO:
		mad_resolve_read_own_gid((void *)reply->data, follow_up->own_gid);
		return 0;
	case READ_PATH:
		return read_path(reply->data, &follow_up->redirect);
	default:
		return 0;
	}
}

/*
 * The LID of a redirect to a GID takes three questions: PortInfo of the local port (for the SM's
 * LID), NodeInfo of it (for the local GID), and the PathRecord to the GID.
 */
static enum mad_follow_up_need follow_redirect(const struct ibmad_port *port,
					       struct mad_transaction *transaction,
					       struct mad_follow_up *follow_up,
					       const struct mad_reply *reply,
					       struct mad_question *question)
{
	int error = take_reply(transaction, follow_up, reply);

	if (!error && follow_up->step == HAS_PKEY) {
		mad_redirect_apply(port, &follow_up->redirect, transaction);
		return conclude(follow_up, MAD_TRY_REDIRECTED, 0);
	}
	follow_up->step = !error && follow_up->redirect.lid ? HAS_PKEY : follow_up->step + 1;
	if (!error && follow_up->step == READ_PATH)
		error = ask_for_path(follow_up, question);
	if (error) {
		transaction->response_length = 0; /* is of no use to the caller */
		return conclude(follow_up, MAD_TRY_CONCLUDED, error);
	}
	if (follow_up->step == HAS_PKEY)
		return MAD_FOLLOW_UP_PKEY;
	if (follow_up->step == READ_PATH)
		return MAD_FOLLOW_UP_REPLY;
	return ask_local_port(question, follow_up->step == READ_PORT_INFO ? IB_ATTR_PORT_INFO
									  : IB_ATTR_NODE_INFO);
}

/* Timeouts */

int mad_sa_key_request(struct mad_question *question, const ib_portid_t *sm, int timeout_ms)
{
	const ib_sa_call_t sa = { .attrid = UMAD_ATTR_CLASS_PORT_INFO,
				  .method = IB_MAD_METHOD_GET };
	int error;

	begin_question(question, sm);
	error = mad_sa_request(&question->rpc, &question->to, &sa, 0);
	question->rpc.timeout = timeout_ms;
	return error;
}

/* An SA drops requests with a wrong key; it responds to one without a key. */
static enum mad_follow_up_need explain_silence(const struct ibmad_port *port,
					       struct mad_transaction *transaction,
					       struct mad_follow_up *follow_up,
					       const struct mad_reply *reply,
					       struct mad_question *question)
{
	(void)port;
	if (reply)
		return conclude(follow_up, MAD_TRY_CONCLUDED,
				reply->has_response ? -EKEYREJECTED : -ETIMEDOUT);
	if (mad_sa_key_request(question, transaction->to, transaction->try.timeout_ms))
		return conclude(follow_up, MAD_TRY_CONCLUDED, -ETIMEDOUT);
	question->without_key = true;
	return MAD_FOLLOW_UP_REPLY;
}

static enum mad_follow_up_need doubt_route(const struct ibmad_port *port,
					   struct mad_transaction *transaction,
					   struct mad_follow_up *follow_up,
					   const struct mad_reply *reply,
					   struct mad_question *question)
{
	(void)transaction, (void)reply, (void)question;
	mad_port_doubt_routes((struct ibmad_port *)port);
	return conclude(follow_up, MAD_TRY_CONCLUDED, -ETIMEDOUT);
}

/* The first row that applies decides. */
static const struct rule {
	int outcome;	 /* of the attempts: 0, a response, or -ETIMEDOUT */
	uint8_t options; /* the request has all of these */
	bool (*applies)(const struct mad_transaction *transaction);
	/* What it needs, as mad_follow_up_next(); or NULL, and the outcome is this: */
	enum mad_follow_up_need (*next)(const struct ibmad_port *port,
					struct mad_transaction *transaction,
					struct mad_follow_up *follow_up,
					const struct mad_reply *reply,
					struct mad_question *question);
	enum mad_try_event event;
	int error;
} rules[] = {
	{ 0, 0, is_redirected, follow_redirect, .error = 0 },
	{ 0, 0, is_busy_sa, NULL, MAD_TRY_BUSY, -EIO },
	{ 0, MAD_REQUEST_KEYED, has_refused_key, NULL, MAD_TRY_CONCLUDED, -EKEYREJECTED },
	{ 0, 0, has_status, NULL, MAD_TRY_CONCLUDED, -EIO },
	{ 0, 0, always, NULL, MAD_TRY_CONCLUDED, -ECONNABORTED },
	{ -ETIMEDOUT, MAD_REQUEST_KEYED, has_sm_key, explain_silence, .error = 0 },
	{ -ETIMEDOUT, MAD_REQUEST_ROUTED, always, doubt_route, .error = 0 },
	{ -ETIMEDOUT, 0, always, NULL, MAD_TRY_CONCLUDED, -ETIMEDOUT },
};

static const struct rule *find_rule(const struct mad_transaction *transaction)
{
	const struct rule *rule = rules;

	while (rule->outcome != transaction->try.error || (rule->options & ~transaction->options) ||
	       !rule->applies(transaction))
		rule++;
	return rule;
}

enum mad_follow_up_need mad_follow_up_next(const struct ibmad_port *port,
					   struct mad_transaction *transaction,
					   struct mad_follow_up *follow_up,
					   const struct mad_reply *reply,
					   struct mad_question *question)
{
	const struct rule *rule = find_rule(transaction);

	if (rule->next)
		return rule->next(port, transaction, follow_up, reply, question);
	return conclude(follow_up, rule->event, rule->error);
}

void mad_follow_up_end(struct mad_engine *engine, struct mad_transaction *transaction,
		       const struct mad_follow_up *follow_up)
{
	mad_inflight_step(engine, transaction, follow_up->event, follow_up->error, mad_clock_now());
	if (transaction->try.phase == MAD_TRY_DONE)
		return;
	mad_inflight_drop_whole(engine, transaction);
	transaction->response_length = 0;
}

void mad_question_set_key(struct mad_question *question, const struct ibmad_port *port)
{
	if (question->without_key)
		return;
	question->rpc.mkey = mad_packet_class((ib_rpc_t *)&question->rpc) == IB_SA_CLASS
				     ? mad_port_sa_key(port)
				     : mad_port_mkey(port);
}
