/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Rules of the protocol as asynchronous requests keep them: where redirects lead, which attribute
 * an SA response has, and how much of a response is data.
 */
#include "test.h"
#include "fixture.h"

#include <endian.h>
#include <errno.h>
#include <infiniband/umad.h>
#include <string.h>

#define OLD_LID	 4
#define OLD_PKEY 5 /* P_Key index of the address that is redirected */
#define NEW_LID	 9

static uint8_t new_gid[16] = { 0xfe, 0x80, 0, 0, 0, 0, 0, 0, 0, 2, 0xc9, 3, 0, 0, 0, 1 };

/* Redirects what goes to OLD_LID, with a MAD status, by ClassPortInfo at an offset. */
struct redirection {
	uint16_t status;
	size_t offset;
	uint8_t info[72];
};

static void redirect(const struct responder_request *request, struct responder_response *response,
		     void *context)
{
	struct redirection *redirection = context;

	if (request->lid != OLD_LID)
		return;
	response->status = redirection->status;
	response->data = redirection->info;
	response->data_size = sizeof(redirection->info);
	response->data_offset = redirection->offset;
}

static struct redirection to_new_lid(void)
{
	struct redirection redirection = { .status = 2, .offset = 64 };

	mad_set_field(redirection.info, 0, IB_CPI_REDIRECT_LID_F, NEW_LID);
	mad_set_field(redirection.info, 0, IB_CPI_REDIRECT_QP_F, 7);
	mad_set_field(redirection.info, 0, IB_CPI_REDIRECT_QKEY_F, 0x12345678);
	return redirection;
}

/* Gets counters from an address with a GRH that redirects; what the request went out with then. */
static void get_counters(struct ibmad_port *port, struct redirection *redirection,
			 uint8_t packet[RESPONDER_PACKET])
{
	struct mad_async *async = create_async(port, 4, 1000, 1);
	struct outcome outcome = { .calls = 0 };
	ib_portid_t to = { .lid = OLD_LID, .pkey_idx = OLD_PKEY, .grh_present = 1, .gid = { 1 } };

	responder_plan(redirect, redirection);
	assert_true(mad_async_perf_get(async, ASYNC_TO(&to, note_outcome, &outcome),
				       IB_GSI_PORT_COUNTERS, 1) > 0);
	dispatch_all(async);
	mad_async_free(async);
	assert_outcome(&outcome, 0);
	assert_int_equal(outcome.status, 0);
	assert_int_equal(outcome.lid, NEW_LID);
	responder_written(responder_writes(), packet);
}

PORT_TEST(old_grh_is_gone)
{
	struct redirection redirection = to_new_lid();
	uint64_t packet[RESPONDER_PACKET / 8];
	const struct ib_user_mad *umad = (const void *)packet;

	get_counters(*state, &redirection, (uint8_t *)packet);
	assert_int_equal(umad->addr.grh_present, 0);
	assert_int_equal(umad->addr.pkey_index, OLD_PKEY);
}

PORT_TEST(address_of_the_redirect)
{
	struct redirection redirection = to_new_lid();
	uint64_t packet[RESPONDER_PACKET / 8];
	const struct ib_user_mad *umad = (const void *)packet;

	mad_set_array(redirection.info, 0, IB_CPI_REDIRECT_GID_F, new_gid);
	mad_set_field(redirection.info, 0, IB_CPI_REDIRECT_TC_F, 0xab);
	mad_set_field(redirection.info, 0, IB_CPI_REDIRECT_FL_F, 0x54321);
	mad_set_field(redirection.info, 0, IB_CPI_REDIRECT_PKEY_F, 0x8001);
	get_counters(*state, &redirection, (uint8_t *)packet);
	assert_int_equal(be32toh(umad->addr.qpn), 7);
	assert_int_equal(be32toh(umad->addr.qkey), 0x12345678);
	assert_int_equal(umad->addr.pkey_index, 1);
	assert_int_equal(umad->addr.grh_present, 1);
	assert_memory_equal(umad->addr.gid, new_gid, 16);
	assert_int_equal(umad->addr.traffic_class, 0xab);
	assert_int_equal(be32toh(umad->addr.flow_label), 0x54321);
	assert_int_equal(umad->addr.hop_limit, 255);
}

PORT_TEST(reserved_status_bit)
{
	struct redirection redirection = to_new_lid();
	uint64_t packet[RESPONDER_PACKET / 8];

	redirection.status = 0x8002;
	get_counters(*state, &redirection, (uint8_t *)packet);
}

/* CongestionLog has its data at 32, and ClassPortInfo stands at 64 as in all of the class. */
PORT_TEST(redirect_of_the_congestion_log)
{
	struct mad_async *async = create_async(*state, 4, 1000, 1);
	struct redirection redirection = to_new_lid();
	struct outcome outcome = { .calls = 0 };
	ib_portid_t to = { .lid = OLD_LID };

	responder_plan(redirect, &redirection);
	assert_true(mad_async_cc(async, ASYNC_TO(&to, note_outcome, &outcome),
				 IB_CC_ATTR_CONGESTION_LOG, 0, 0, NULL) > 0);
	dispatch_all(async);
	mad_async_free(async);
	assert_outcome(&outcome, 0);
	assert_int_equal(outcome.lid, NEW_LID);
}

/* An SA response from its RMPP header on, as long as the case says. */
struct sa_response {
	int attr_id; /* 0: the request's */
	size_t length;
	uint8_t body[832];
};

static void respond_to_sa(const struct responder_request *request,
			  struct responder_response *response, void *context)
{
	struct sa_response *sa = context;

	(void)request;
	response->attr_id = (uint16_t)sa->attr_id;
	response->length = sa->length;
	response->data = sa->body;
	response->data_size = sa->length - 24;
	response->data_offset = 24;
}

/* RMPP header of that type and flags, with a payload length; records of 64 bytes. */
static struct sa_response make_response(int type, int flags, size_t payload, size_t length)
{
	struct sa_response response = { .length = length };

	response.body[0] = 1;
	response.body[1] = (uint8_t)type;
	response.body[2] = (uint8_t)(0xf8 | flags);
	response.body[7] = 1;
	response.body[10] = (uint8_t)(payload >> 8);
	response.body[11] = (uint8_t)payload;
	response.body[21] = 64 / 8;
	for (size_t i = 32; i < sizeof(response.body); i++)
		response.body[i] = (uint8_t)(i * 7 + 1);
	return response;
}

static void ask_sa(struct ibmad_port *port, int method, int attr_id, struct sa_response *response,
		   struct outcome *outcome)
{
	struct mad_async *async = create_async(port, 4, 100, 1);
	ib_sa_call_t sa = { .method = (unsigned)method,
			    .attrid = (unsigned)attr_id,
			    .rmpp = { .type = IB_RMPP_TYPE_DATA, .flags = IB_RMPP_FLAG_ACTIVE } };
	ib_portid_t to = { .lid = 7 };

	memset(outcome, 0, sizeof(*outcome));
	responder_plan(respond_to_sa, response);
	assert_true(mad_async_sa(async, ASYNC_TO(&to, note_outcome, outcome), &sa, NULL) > 0);
	dispatch_all(async);
	mad_async_free(async);
}

#define WHOLE (IB_RMPP_FLAG_ACTIVE | IB_RMPP_FLAG_FIRST | IB_RMPP_FLAG_LAST)

/* The kernel cuts what it has put together to its length; simulators pass on whole MADs. */
PORT_TEST(data_length_of_tables)
{
	static const struct {
		size_t payload, length, data_length;
	} cases[] = { { 20 + 64, 56 + 64, 64 },	  { 20 + 64, 256, 64 }, { 20 + 128, 56 + 128, 128 },
		      { 20 + 192, 256, 192 },	  { 20, 56, 0 },	{ 20, 256, 0 },
		      { 20 + 768, 56 + 768, 768 } };

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct sa_response response =
			make_response(IB_RMPP_TYPE_DATA, WHOLE, cases[i].payload, cases[i].length);
		struct outcome outcome;
		size_t size = cases[i].data_length;

		ask_sa(*state, IB_MAD_METHOD_GET_TABLE, IB_SA_ATTR_NODERECORD, &response, &outcome);
		assert_outcome(&outcome, 0);
		assert_int_equal(outcome.data_length, size);
		assert_int_equal(outcome.mad_length, cases[i].length);
		assert_memory_equal(outcome.data, response.body + 32,
				    size < IB_MAD_SIZE ? size : IB_MAD_SIZE);
	}
}

/* A payload length that can't be is not believed beyond what came. */
PORT_TEST(data_length_of_wrong_tables)
{
	static const size_t payloads[] = { 0, 19, 20 + 201, 5000, 0xffff };

	for (size_t i = 0; i < COUNT(payloads); i++) {
		struct sa_response response =
			make_response(IB_RMPP_TYPE_DATA, WHOLE, payloads[i], 256);
		struct outcome outcome;

		ask_sa(*state, IB_MAD_METHOD_GET_TABLE, IB_SA_ATTR_NODERECORD, &response, &outcome);
		assert_int_equal(atomic_load(&outcome.calls), 1);
		assert_true(outcome.data_length <= 200);
	}
}

/* Without the Active flag there is no RMPP header, and all of the MAD's data are data. */
PORT_TEST(inactive_rmpp_headers)
{
	for (int type = IB_RMPP_TYPE_NONE; type <= IB_RMPP_TYPE_ABORT; type++) {
		struct sa_response response = make_response(type, 0, 20 + 64, 256);
		struct outcome outcome;

		ask_sa(*state, IB_MAD_METHOD_GET, IB_SA_ATTR_NODERECORD, &response, &outcome);
		assert_outcome(&outcome, 0);
		assert_int_equal(outcome.data_length, 200);
		assert_memory_equal(outcome.data, response.body + 32, 200);
	}
}

/* The same error as that of the blocking call; what came is there to be looked at. */
PORT_TEST(aborted_transfers)
{
	static const int types[] = { IB_RMPP_TYPE_STOP, IB_RMPP_TYPE_ABORT };

	for (size_t i = 0; i < COUNT(types); i++) {
		struct sa_response response =
			make_response(types[i], IB_RMPP_FLAG_ACTIVE, 20 + 64, 256);
		struct outcome outcome;

		ask_sa(*state, IB_MAD_METHOD_GET_TABLE, IB_SA_ATTR_NODERECORD, &response, &outcome);
		assert_outcome(&outcome, ECONNABORTED);
		assert_int_equal(outcome.status, 0);
		assert_true(outcome.has_mad);
	}
}

/* What came of an attribute that ends early; more than the attribute is not its data. */
PORT_TEST(data_length_of_an_attribute)
{
	static const struct {
		size_t length, data_length;
	} cases[] = { { 256, 200 }, { 156, 100 }, { 57, 1 } };

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct sa_response response =
			make_response(IB_RMPP_TYPE_NONE, 0, 0, cases[i].length);
		struct outcome outcome;

		ask_sa(*state, IB_MAD_METHOD_GET, IB_SA_ATTR_NODERECORD, &response, &outcome);
		assert_outcome(&outcome, 0);
		assert_int_equal(outcome.data_length, cases[i].data_length);
	}
}

PORT_TEST(data_length_of_an_smp)
{
	struct mad_async *async = create_async(*state, 4, 1000, 1);
	struct outcome outcome = { .calls = 0 };

	submit_get(async, 7, 0, &outcome);
	dispatch_all(async);
	mad_async_free(async);
	assert_outcome(&outcome, 0);
	assert_int_equal(outcome.data_length, IB_SMP_DATA_SIZE);
}

/* o15-0.2.7: the response to MultiPathRecord has PathRecords, that to a trace TraceRecords. */
PORT_TEST(attributes_of_sa_responses)
{
	static const struct {
		int method, attr_id, response_attr_id, error;
	} cases[] = {
		{ IB_MAD_METHOD_GETMULTI, IB_SA_ATTR_MULTIPATH, IB_SA_ATTR_PATHRECORD, 0 },
		{ IB_MAD_METHOD_GET_TRACE_TABLE, IB_SA_ATTR_PATHRECORD, 0x39, 0 },
		{ IB_MAD_METHOD_GETMULTI, IB_SA_ATTR_MULTIPATH, IB_SA_ATTR_NODERECORD, ETIMEDOUT },
		{ IB_MAD_METHOD_GET_TABLE, IB_SA_ATTR_NODERECORD, IB_SA_ATTR_PATHRECORD,
		  ETIMEDOUT },
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct sa_response response =
			make_response(IB_RMPP_TYPE_DATA, WHOLE, 20 + 64, 56 + 64);
		struct outcome outcome;

		response.attr_id = cases[i].response_attr_id;
		ask_sa(*state, cases[i].method, cases[i].attr_id, &response, &outcome);
		assert_outcome(&outcome, cases[i].error);
		if (!cases[i].error)
			assert_memory_equal(outcome.data, response.body + 32, 64);
	}
}
