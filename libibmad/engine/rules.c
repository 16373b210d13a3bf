/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The rules: what follows a response with a status, and the last timeout of a request. THE table is
 * below. A rule that has to know something first asks, with a request of its own, whose end is the
 * rule's next step. Input: responses from the fabric; their status and length are checked here.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "libibmad/engine/request.h"
#include "libibmad/keys/keys.h"
#include "libibmad/wire/packet.h"

#define STATUS_INVALID_FIELD 0x1c /* the response of SMAs to a wrong M_Key */

/* A response with the status "redirect" carries ClassPortInfo with the address for requests of its
 * class (13.4.8.1). */
struct redirect {
	ib_portid_t to; /* LID 0: to be resolved from the GID */
	uint32_t flow_label;
	uint16_t pkey; /* 0: not given */
	uint8_t traffic_class;
};

/* A rule that asks. */
struct mad_follow_up {
	struct mad_request question; /* in flight until there is a reply */
	ib_portid_t to;
	int data_offset; /* of its response */
	uint64_t umad[MAD_REQUEST_WORDS];
	uint8_t response[IB_MAD_SIZE];
	unsigned step; /* number of the next reply */
	struct redirect redirect;
	ib_portid_t sm;
	ibmad_gid_t own_gid;
};

static uint16_t status_of(const struct mad_request *request)
{
	return mad_response_status(request->response);
}

static bool is_redirected(const struct mad_request *request)
{
	return status_of(request) == UMAD_STATUS_REDIRECT &&
	       !mad_class_is_smi(mad_request_class(request));
}

/* A busy responder has discarded the request, and wants to get it again later (13.4.7). */
static bool is_busy(const struct mad_request *request)
{
	return status_of(request) == UMAD_STATUS_BUSY;
}

static bool has_refused_key(const struct mad_request *request)
{
	return mad_class_is_smi(mad_request_class(request)) &&
	       status_of(request) == STATUS_INVALID_FIELD;
}

static bool has_status(const struct mad_request *request)
{
	return status_of(request) != 0;
}

static bool has_sm_key(const struct mad_request *request)
{
	return mad_request_class(request) == IB_SA_CLASS && mad_get_be64(request->mad + SA_SM_KEY);
}

void mad_rule_drop_question(struct mad_request *request)
{
	struct mad_follow_up *follow_up = request->follow_up;

	request->follow_up = NULL;
	if (!follow_up)
		return;
	mad_rule_end(&follow_up->question); /* rules follow up questions, too */
	mad_request_drop_response(&follow_up->question);
	explicit_bzero(follow_up, sizeof(*follow_up)); /* MADs may hold keys */
	free(follow_up);
}

static void conclude(struct mad_request *request, enum mad_attempt_event event, int error)
{
	mad_rule_drop_question(request);
	mad_request_step(request, event, error, mad_clock_now());
	if (request->attempts.phase != MAD_ATTEMPT_DONE)
		mad_request_drop_response(request);
}

static int begin_asking(struct mad_request *request)
{
	request->follow_up = calloc(1, sizeof(*request->follow_up));
	if (!request->follow_up)
		return -ENOMEM;
	request->follow_up->question.port = request->port;
	return 0;
}

/* Has a question sent, which takes no place in the window beside its request. Returns 0 or -errno.
 */
static int ask(struct mad_request *request, ib_rpc_v1_t *rpc, const void *payload, unsigned options)
{
	struct mad_follow_up *follow_up = request->follow_up;
	struct mad_request *question = &follow_up->question;
	int error;

	mad_request_prepare(question, request->port, &follow_up->to, follow_up->umad,
			    follow_up->response);
	question->options = options;
	question->parent = request;
	follow_up->data_offset = rpc->dataoffs;
	error = mad_request_encode(question, (ib_rpc_t *)rpc, NULL, payload,
				   payload ? rpc->datasz : 0);
	if (error)
		return error;
	question->attempts.deadline = request->attempts.deadline;
	mad_request_begin(question);
	mad_engine_change(&request->port->engine, question); /* to be sent */
	return 0;
}

enum { READ_PORT_INFO, READ_NODE_INFO, READ_PATH };

/* The offset of ClassPortInfo in a class: that of most of its attributes, whatever data offset the
 * request used. */
static size_t class_port_info_offset(int mgmt_class)
{
	if (mgmt_class == IB_SA_CLASS)
		return IB_SA_DATA_OFFS;
	if (mad_is_vendor_range1(mgmt_class))
		return IB_VENDOR_RANGE1_DATA_OFFS;
	if (mad_is_vendor_range2(mgmt_class))
		return IB_VENDOR_RANGE2_DATA_OFFS;
	return IB_PC_DATA_OFFS;
}

/* The PathRecord query that resolves a redirect is not resolved itself: that might never end. */
static bool is_path_query(const struct mad_request *request)
{
	return mad_request_class(request) == IB_SA_CLASS &&
	       mad_get_be16(request->mad + MAD_ATTR_ID) == IB_SA_ATTR_PATHRECORD;
}

/* Returns 0; -ELOOP; or -EBADMSG for a redirect without a usable address. */
static int read_redirect(const struct mad_request *request, struct redirect *redirect)
{
	static const ibmad_gid_t no_gid;
	size_t offset = class_port_info_offset(mad_request_class(request));
	uint8_t *info = request->response + offset;
	ib_portid_t *to = &redirect->to;

	if (request->attempts.redirects >= MAD_REDIRECTS_MAX)
		return -ELOOP;
	if (request->response_length < offset + sizeof(struct umad_class_port_info))
		return -EBADMSG;
	*to = *request->to;
	to->lid = mad_get_field(info, 0, IB_CPI_REDIRECT_LID_F);
	to->sl = mad_get_field(info, 0, IB_CPI_REDIRECT_SL_F);
	to->qp = mad_get_field(info, 0, IB_CPI_REDIRECT_QP_F);
	to->qkey = mad_get_field(info, 0, IB_CPI_REDIRECT_QKEY_F);
	redirect->pkey = mad_get_field(info, 0, IB_CPI_REDIRECT_PKEY_F);
	redirect->traffic_class = mad_get_field(info, 0, IB_CPI_REDIRECT_TC_F);
	redirect->flow_label = mad_get_field(info, 0, IB_CPI_REDIRECT_FL_F);
	mad_get_array(info, 0, IB_CPI_REDIRECT_GID_F, to->gid);
	to->grh_present = memcmp(to->gid, no_gid, sizeof(no_gid)) != 0;
	if (to->lid ? !IB_LID_VALID(to->lid) : !to->grh_present)
		return -EBADMSG;
	return !to->lid && is_path_query(request) ? -ELOOP : 0;
}

static void apply_redirect(struct mad_request *request, const struct redirect *redirect)
{
	struct ib_user_mad *header = request->umad;
	ib_portid_t *to = request->to;
	const ib_portid_t before = *to;
	uint16_t entry;
	int pkey_index = mad_pkey_find(request->port, redirect->pkey, &entry);

	*to = redirect->to;
	if (pkey_index >= 0) /* else that of the request stays */
		to->pkey_idx = pkey_index;
	mad_address_gsi(to);
	mad_packet_put_destination(header, request->port->engine.header_size,
				   mad_request_class(request), to);
	if (to->grh_present) {
		header->addr.traffic_class = redirect->traffic_class;
		header->addr.flow_label = htobe32(redirect->flow_label);
	}
	if (request->options & MAD_REQUEST_KEYED)
		mad_keys_stamp_again(request->port, request->mad, &before, to);
}

static int ask_local_port(struct mad_request *request, unsigned attr_id)
{
	ib_rpc_v1_t rpc = { .mgtclass = 0 };

	request->follow_up->to = (ib_portid_t){ .lid = 0 };
	mad_smp_request((ib_rpc_t *)&rpc, &request->follow_up->to, IB_MAD_METHOD_GET, attr_id, 0,
			mad_port_mkey(request->port));
	return ask(request, &rpc, NULL, 0);
}

static int ask_for_path(struct mad_request *request)
{
	struct mad_follow_up *follow_up = request->follow_up;
	uint8_t record[IB_SA_DATA_SIZE];
	ib_sa_call_t sa;
	ib_rpc_v1_t rpc;
	int error;

	mad_path_request(&sa, record, follow_up->own_gid, follow_up->redirect.to.gid);
	follow_up->to = follow_up->sm;
	error = mad_sa_request(&rpc, &follow_up->to, &sa, mad_port_sa_key(request->port));
	return error ? error : ask(request, &rpc, record, 0);
}

/*
 * The LID of a redirect to a GID takes three questions: PortInfo of the local port (for the SM's
 * LID), NodeInfo of it (for the local GID), and the PathRecord to the GID.
 */
static int ask_for_lid(struct mad_request *request)
{
	switch (request->follow_up->step) {
	case READ_PORT_INFO:
		return ask_local_port(request, IB_ATTR_PORT_INFO);
	case READ_NODE_INFO:
		return ask_local_port(request, IB_ATTR_NODE_INFO);
	default:
		return ask_for_path(request);
	}
}

static int take_reply(struct mad_follow_up *follow_up, const struct mad_request *reply)
{
	uint8_t *data = reply->response + follow_up->data_offset;
	ib_portid_t found = { .lid = 0 };
	int error = reply->attempts.error;

	if (error)
		return error;
	switch (follow_up->step++) {
	case READ_PORT_INFO:
		return mad_resolve_read_sm(data, &follow_up->sm);
	case READ_NODE_INFO:
		mad_resolve_read_own_gid(data, follow_up->own_gid);
		return 0;
	default:
		error = mad_resolve_read_path(data, true, &found);
		follow_up->redirect.to.lid = found.lid;
		follow_up->redirect.to.sl = found.sl;
		return error;
	}
}

static void follow_redirect(struct mad_request *request, const struct mad_request *reply)
{
	struct redirect *redirect;
	int error = reply ? take_reply(request->follow_up, reply) : begin_asking(request);

	if (error)
		goto err;
	redirect = &request->follow_up->redirect;
	if (!reply)
		error = read_redirect(request, redirect);
	if (!error && !redirect->to.lid)
		error = ask_for_lid(request);
	else if (!error) {
		apply_redirect(request, redirect);
		conclude(request, MAD_ATTEMPT_REDIRECTED, 0);
		return;
	}
	if (!error)
		return;
err:
	request->response_length = 0; /* is of no use to the caller */
	conclude(request, MAD_ATTEMPT_CONCLUDED, error);
}

/* An SA drops requests with a wrong key; it responds to one without a key. */
static void explain_silence(struct mad_request *request, const struct mad_request *reply)
{
	const ib_sa_call_t sa = { .attrid = UMAD_ATTR_CLASS_PORT_INFO,
				  .method = IB_MAD_METHOD_GET };
	ib_rpc_v1_t rpc;
	int error;

	if (reply) {
		conclude(request, MAD_ATTEMPT_CONCLUDED,
			 mad_request_has_reply(reply) ? -EKEYREJECTED : -ETIMEDOUT);
		return;
	}
	error = begin_asking(request);
	if (!error) {
		request->follow_up->to = *request->to;
		error = mad_sa_request(&rpc, &request->follow_up->to, &sa, 0);
		rpc.timeout = request->attempts.timeout_ms;
	}
	if (!error)
		error = ask(request, &rpc, NULL, MAD_REQUEST_AS_IS);
	if (error)
		conclude(request, MAD_ATTEMPT_CONCLUDED, -ETIMEDOUT);
}

static void doubt_route(struct mad_request *request, const struct mad_request *reply)
{
	(void)reply;
	mad_port_doubt_routes(request->port);
	conclude(request, MAD_ATTEMPT_CONCLUDED, -ETIMEDOUT);
}

/* The first row that applies decides. */
static const struct rule {
	int outcome;	 /* of the attempts: 0, a response, or -ETIMEDOUT */
	uint8_t options; /* the request has all of these */
	bool (*applies)(const struct mad_request *request); /* NULL: always */
	/* Goes on, with the reply to its last question (or NULL); or NULL: the outcome is this. */
	void (*next)(struct mad_request *request, const struct mad_request *reply);
	enum mad_attempt_event event;
	int error;
} rules[] = {
	{ 0, 0, is_redirected, follow_redirect, .error = 0 },
	{ 0, 0, is_busy, NULL, MAD_ATTEMPT_BUSY, -EIO },
	{ 0, MAD_REQUEST_KEYED, has_refused_key, NULL, MAD_ATTEMPT_CONCLUDED, -EKEYREJECTED },
	{ 0, 0, has_status, NULL, MAD_ATTEMPT_CONCLUDED, -EIO },
	{ 0, 0, NULL, NULL, MAD_ATTEMPT_CONCLUDED, -ECONNABORTED },
	{ -ETIMEDOUT, MAD_REQUEST_KEYED, has_sm_key, explain_silence, .error = 0 },
	{ -ETIMEDOUT, MAD_REQUEST_ROUTED, NULL, doubt_route, .error = 0 },
	{ -ETIMEDOUT, 0, NULL, NULL, MAD_ATTEMPT_CONCLUDED, -ETIMEDOUT },
};

static const struct rule *find_rule(const struct mad_request *request)
{
	const struct rule *rule = rules;

	while (rule->outcome != request->attempts.error || (rule->options & ~request->options) ||
	       (rule->applies && !rule->applies(request)))
		rule++;
	return rule;
}

void mad_rule_follow(struct mad_request *request)
{
	const struct rule *rule = find_rule(request);
	struct mad_follow_up *follow_up = request->follow_up;

	if (follow_up && follow_up->question.is_in_flight)
		return;
	mad_line_leave(&request->port->engine, request); /* the question may need its place */
	if (rule->next)
		rule->next(request, follow_up ? &follow_up->question : NULL);
	else
		conclude(request, rule->event, rule->error);
}
