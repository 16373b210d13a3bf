/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * What follows a response or the last timeout, the same for blocking and for asynchronous requests:
 * each row of the table is carried out once of each kind, in virtual time, and everything that the
 * program and the fabric see of it has to agree.
 */
#include "test.h"
#include "fixture.h"

#include <errno.h>
#include <infiniband/mad_address.h>
#include <infiniband/mad_keys.h>
#include <string.h>

#define FIRST_LID  5 /* is asked */
#define NEXT_LID   9 /* is where redirects lead */
#define SM_LID	   0x22
#define TIMEOUT_MS 100
#define ATTEMPTS   3
#define SLACK_US   6000 /* beside a simulator's device, waits are cut into 5 ms */
#define RMPP_AT	   24
#define SM_KEY_AT  36
#define SA_DATA	   56

struct row {
	const char *name;
	responder_plan_fn *plan;
	int mgmt_class;
	bool keys;   /* the port has a key ring */
	bool routes; /* and SMPs go by directed route */
	int lid;     /* is asked; 0: FIRST_LID */
	/* What comes of it. */
	int error;
	unsigned status;
	int last_lid; /* 0: as asked */
	unsigned writes;
	int64_t at_us[ATTEMPTS]; /* of the writes, since the first; all 0: not looked at */
};

struct seen {
	int error;
	unsigned status;
	int lid;
	unsigned writes;
	uint8_t data;
	int64_t at_us[RESPONDER_KEPT]; /* of the writes, since the first */
	uint8_t packets[RESPONDER_KEPT][RESPONDER_PACKET];
};

static void respond_with(struct responder_response *response, const void *data, size_t size,
			 size_t offset)
{
	response->data = data;
	response->data_size = size;
	response->data_offset = offset;
}

/* Data that tell the LID. */
static void tell_lid(const struct responder_request *request, struct responder_response *response)
{
	static uint8_t lid;
	size_t offset = request->mgmt_class == IB_SA_CLASS ? SA_DATA : IB_SMP_DATA_OFFS;

	lid = (uint8_t)request->lid;
	respond_with(response, &lid, 1, offset);
}

static void redirect(const struct responder_request *request, struct responder_response *response,
		     int lid)
{
	static uint8_t info[72];
	uint8_t gid[16] = { 0xfe, 0x80, [15] = 7 };

	(void)request;
	memset(info, 0, sizeof(info));
	mad_set_array(info, 0, IB_CPI_REDIRECT_GID_F, gid);
	mad_set_field(info, 0, IB_CPI_REDIRECT_LID_F, (uint32_t)lid);
	mad_set_field(info, 0, IB_CPI_REDIRECT_QP_F, 1);
	mad_set_field(info, 0, IB_CPI_REDIRECT_QKEY_F, IB_DEFAULT_QP1_QKEY);
	mad_set_field(info, 0, IB_CPI_REDIRECT_PKEY_F, 0xffff);
	response->status = IB_MAD_STS_REDIRECT;
	response->attr_id = 1; /* ClassPortInfo */
	respond_with(response, info, sizeof(info), IB_PC_DATA_OFFS);
}

/* PortInfo of the local port and a PathRecord, for whoever asks for them. */
static void respond_as_subnet(const struct responder_request *request,
			      struct responder_response *response)
{
	static uint8_t port_info[64], path[64];

	if (request->mgmt_class == IB_SA_CLASS) {
		mad_set_field(path, 0, IB_SA_PR_DLID_F, NEXT_LID);
		respond_with(response, path, sizeof(path), SA_DATA);
	} else if (request->mad[17] == IB_ATTR_PORT_INFO) {
		mad_set_field(port_info, 0, IB_PORT_LID_F, 1);
		mad_set_field(port_info, 0, IB_PORT_SMLID_F, SM_LID);
		respond_with(response, port_info, sizeof(port_info), IB_SMP_DATA_OFFS);
	}
}

static void redirects(const struct responder_request *request, struct responder_response *response,
		      void *context)
{
	const struct row *row = context;

	if ((int)request->mgmt_class != row->mgmt_class)
		respond_as_subnet(request, response);
	else if (request->lid == FIRST_LID)
		redirect(request, response, strstr(row->name, "GID") ? 0 : NEXT_LID);
	else
		tell_lid(request, response);
}

static void loses_and_redirects(const struct responder_request *request,
				struct responder_response *response, void *context)
{
	if (request->number % ATTEMPTS)
		response->silent = true;
	else
		redirects(request, response, context);
}

static void redirects_for_ever(const struct responder_request *request,
			       struct responder_response *response, void *context)
{
	(void)context;
	redirect(request, response, (int)request->lid + 1);
}

/* BUSY twice, and then the record. */
static void is_busy(const struct responder_request *request, struct responder_response *response,
		    void *context)
{
	const struct row *row = context;

	if (row->error || request->number < ATTEMPTS)
		response->status = 1;
	else
		tell_lid(request, response);
}

static void is_slowly_busy(const struct responder_request *request,
			   struct responder_response *response, void *context)
{
	(void)request;
	(void)context;
	response->status = 1;
	response->delay_us = TIMEOUT_MS * 900;
}

static void is_busy_once(const struct responder_request *request,
			 struct responder_response *response, void *context)
{
	(void)context;
	response->silent = request->number > 1;
	response->status = 1;
}

static void refuses(const struct responder_request *request, struct responder_response *response,
		    void *context)
{
	const struct row *row = context;

	(void)request;
	response->status = (uint16_t)row->status;
}

static void ends_transfer(const struct responder_request *request,
			  struct responder_response *response, void *context)
{
	static uint8_t rmpp[12];
	const struct row *row = context;
	bool aborts = strstr(row->name, "ABORT");

	(void)request;
	memcpy(rmpp, "\1\3\1\170\0\0\0\0\0\0\0\0", sizeof(rmpp));
	rmpp[1] = aborts ? IB_RMPP_TYPE_ABORT : IB_RMPP_TYPE_STOP;
	respond_with(response, rmpp, sizeof(rmpp), RMPP_AT);
}

static bool has_sm_key(const struct responder_request *request)
{
	static const uint8_t none[8];

	return memcmp(request->mad + SM_KEY_AT, none, sizeof(none)) != 0;
}

static void ignores_wrong_key(const struct responder_request *request,
			      struct responder_response *response, void *context)
{
	(void)context;
	response->silent = has_sm_key(request);
}

static void says_nothing(const struct responder_request *request,
			 struct responder_response *response, void *context)
{
	(void)request;
	(void)context;
	response->silent = true;
}

/* The local port has LID 1, so that the route to it has no hops; it responds while it is looked
 * for. */
static void forgets_route(const struct responder_request *request,
			  struct responder_response *response, void *context)
{
	static uint8_t node_info[64], port_info[64];

	(void)context;
	if (request->attr_mod) {
		response->silent = true;
	} else if (request->mad[17] == IB_ATTR_NODE_INFO) {
		mad_set_field(node_info, 0, IB_NODE_TYPE_F, IB_NODE_CA);
		mad_set_field(node_info, 0, IB_NODE_NPORTS_F, 1);
		mad_set_field64(node_info, 0, IB_NODE_PORT_GUID_F, 0x1234);
		mad_set_field(node_info, 0, IB_NODE_LOCAL_PORT_F, 1);
		respond_with(response, node_info, sizeof(node_info), IB_SMP_DATA_OFFS);
	} else {
		mad_set_field(port_info, 0, IB_PORT_LID_F, 1);
		respond_with(response, port_info, sizeof(port_info), IB_SMP_DATA_OFFS);
	}
}

/* clang-format off */
static const struct row rows[] = {
	{ "redirect to a LID", redirects, IB_PERFORMANCE_CLASS, .last_lid = NEXT_LID, .writes = 2 },
	{ "redirect to a GID", redirects, IB_PERFORMANCE_CLASS, .last_lid = NEXT_LID, .writes = 5 },
	{ "redirect at the last attempt", loses_and_redirects, IB_PERFORMANCE_CLASS,
	  .last_lid = NEXT_LID, .writes = 2 * ATTEMPTS },
	{ "redirect without end", redirects_for_ever, IB_PERFORMANCE_CLASS, .error = ELOOP,
	  .last_lid = FIRST_LID + 8, .writes = 9 },
	{ "SMP is not redirected", refuses, IB_SMI_CLASS, .error = EIO, .status = 2, .writes = 1 },
	{ "refused M_Key", refuses, IB_SMI_CLASS, .keys = true, .error = EKEYREJECTED,
	  .status = 0x1c, .writes = 1 },
	{ "the same without a ring", refuses, IB_SMI_CLASS, .error = EIO, .status = 0x1c,
	  .writes = 1 },
	{ "error status", refuses, IB_PERFORMANCE_CLASS, .error = EIO, .status = 0x0c, .writes = 1 },
	{ "ABORT", ends_transfer, IB_SA_CLASS, .error = ECONNABORTED, .writes = 1 },
	{ "STOP", ends_transfer, IB_SA_CLASS, .error = ECONNABORTED, .writes = 1 },
	{ "SA that ignores a wrong key", ignores_wrong_key, IB_SA_CLASS, .keys = true,
	  .error = EKEYREJECTED, .writes = ATTEMPTS + 1 },
	{ "SA that responds to nobody", says_nothing, IB_SA_CLASS, .keys = true,
	  .error = ETIMEDOUT, .writes = 2 * ATTEMPTS },
	{ "SA that is busy", is_busy, IB_SA_CLASS, .writes = ATTEMPTS,
	  .at_us = { 0, TIMEOUT_MS * 250, TIMEOUT_MS * 750 } },
	{ "SA that stays busy", is_busy, IB_SA_CLASS, .error = EIO, .status = 1,
	  .writes = ATTEMPTS, .at_us = { 0, TIMEOUT_MS * 250, TIMEOUT_MS * 750 } },
	{ "SA that stays busy for most of the timeout", is_slowly_busy, IB_SA_CLASS, .error = EIO,
	  .status = 1, .writes = 2, .at_us = { 0, TIMEOUT_MS * 1150 } },
	{ "SA that falls silent after BUSY", is_busy_once, IB_SA_CLASS, .error = ETIMEDOUT,
	  .writes = ATTEMPTS, .at_us = { 0, TIMEOUT_MS * 250, TIMEOUT_MS * 1250 } },
	{ "another class that is busy", refuses, IB_PERFORMANCE_CLASS, .error = EIO, .status = 1,
	  .writes = 1 },
	{ "the same without a ring", says_nothing, IB_SA_CLASS, .error = ETIMEDOUT,
	  .writes = ATTEMPTS },
	{ "stale route", forgets_route, IB_SMI_CLASS, .routes = true, .lid = 1,
	  .error = ETIMEDOUT, .writes = 2 * (2 + ATTEMPTS) },
};
/* clang-format on */

static ib_rpc_t request_of(const struct row *row)
{
	bool sa = row->mgmt_class == IB_SA_CLASS;
	ib_rpc_t rpc = { .mgtclass = row->mgmt_class, .method = IB_MAD_METHOD_GET };

	rpc.attr.id = 0x12;
	rpc.attr.mod = 0x77;
	rpc.dataoffs = sa ? SA_DATA : IB_SMP_DATA_OFFS;
	rpc.datasz = IB_SMP_DATA_SIZE;
	rpc.timeout = TIMEOUT_MS;
	return rpc;
}

static ib_portid_t address_of(const struct row *row)
{
	ib_portid_t to = { .lid = row->lid ? row->lid : FIRST_LID };

	if (row->mgmt_class != IB_SMI_CLASS) {
		to.qp = 1;
		to.qkey = IB_DEFAULT_QP1_QKEY;
	}
	return to;
}

static void call(struct ibmad_port *port, const struct row *row, struct seen *seen)
{
	uint8_t data[IB_MAD_SIZE] = { 0 };
	ib_portid_t to = address_of(row);
	ib_rpc_t rpc = request_of(row);

	seen->error = mad_rpc(port, &rpc, &to, NULL, data) ? 0 : errno;
	seen->status = rpc.rstatus;
	seen->lid = to.lid;
	seen->data = seen->error ? 0 : data[0];
}

static void submit(struct ibmad_port *port, const struct row *row, struct seen *seen)
{
	struct mad_async *async = create_async(port, 1, 0, ATTEMPTS); /* children need the place */
	struct outcome outcome = { .calls = 0 };
	ib_portid_t to = address_of(row);
	ib_rpc_t rpc = request_of(row);

	assert_true(mad_async_submit(async, ASYNC_TO(&to, note_outcome, &outcome), &rpc, NULL) > 0);
	dispatch_all(async);
	seen->error = outcome.error;
	seen->status = outcome.status;
	seen->lid = row->routes ? to.lid : outcome.lid; /* of the caller's address */
	seen->data = outcome.error ? 0 : outcome.data[0];
	mad_async_free(async);
}

/* What differs between two requests by its nature: their transaction IDs. */
static void note_writes(struct seen *seen)
{
	seen->writes = responder_writes();
	for (unsigned i = 0; i < seen->writes && i < RESPONDER_KEPT; i++) {
		responder_written(i + 1, seen->packets[i]);
		memset(seen->packets[i] + RESPONDER_HEADER + 8, 0, 8);
		seen->at_us[i] =
			responder_record(i + 1).written_us - responder_record(1).written_us;
	}
}

static void carry_out(const struct row *row, struct seen *seen,
		      void (*by)(struct ibmad_port *port, const struct row *row, struct seen *seen))
{
	struct mad_keys *keys = mad_keys_create();
	void *port;

	setup_port(&port);
	responder_plan(row->plan, (void *)row);
	assert_non_null(keys);
	mad_rpc_set_retries(port, ATTEMPTS);
	mad_rpc_set_timeout(port, TIMEOUT_MS);
	for (unsigned type = MAD_KEY_M; type <= MAD_KEY_PERF; type++)
		mad_keys_set_default(keys, type, 0x1122334455667788);
	if (row->keys)
		assert_int_equal(mad_port_set_keys(port, keys), 0);
	if (row->routes)
		assert_int_equal(mad_route_use(port, true), 0);
	memset(seen, 0, sizeof(*seen));
	for (int i = 0; i < (row->routes ? 2 : 1); i++)
		by(port, row, seen); /* the second finds the route anew */
	note_writes(seen);
	teardown_port(&port);
	mad_keys_free(keys);
}

static void check_times(const struct row *row, const struct seen *blocking)
{
	for (unsigned i = 0; i < ATTEMPTS && row->at_us[ATTEMPTS - 2]; i++)
		if (i < row->writes)
			assert_between(blocking->at_us[i], row->at_us[i], row->at_us[i] + SLACK_US);
}

static void check(const struct row *row)
{
	static struct seen blocking, asynchronous;
	int lid = row->last_lid ? row->last_lid : address_of(row).lid;

	print_message("%s\n", row->name);
	carry_out(row, &blocking, call);
	carry_out(row, &asynchronous, submit);
	assert_int_equal(blocking.error, row->error);
	assert_int_equal(blocking.status, row->status);
	assert_int_equal(blocking.lid, lid);
	assert_int_equal(blocking.writes, row->writes);
	check_times(row, &blocking);
	assert_int_equal(asynchronous.error, row->error);
	assert_int_equal(asynchronous.status, row->status);
	assert_int_equal(asynchronous.lid, lid);
	assert_int_equal(asynchronous.writes, row->writes);
	assert_int_equal(asynchronous.data, blocking.data);
	for (unsigned i = 0; i < blocking.writes; i++) {
		assert_memory_equal(asynchronous.packets[i], blocking.packets[i], RESPONDER_PACKET);
		assert_between(asynchronous.at_us[i] + SLACK_US, blocking.at_us[i],
			       blocking.at_us[i] + 2 * SLACK_US);
	}
}

TEST(every_row)
{
	for (size_t i = 0; i < COUNT(rows); i++)
		check(&rows[i]);
}
