/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * madrpc_save_mad() is for the next call, however that ends: no later call writes to the buffer,
 * which may be gone by then. And what a message says of a long timeout.
 */
#include "test.h"
#include "fixture.h"

#include "listen.h"

#include <infiniband/mad_sa.h>

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#define UNTOUCHED 0x5a

static uint8_t saved[IB_MAD_SIZE], untouched[IB_MAD_SIZE];

static void refuse(const struct responder_request *request, struct responder_response *response,
		   void *context)
{
	(void)request;
	(void)context;
	response->write_error = EIO;
}

static void respond_with_error(const struct responder_request *request,
			       struct responder_response *response, void *context)
{
	(void)request;
	(void)context;
	response->status = 0x1c;
}

static void redirect_for_ever(const struct responder_request *request,
			      struct responder_response *response, void *context)
{
	static uint8_t info[72];

	(void)request;
	(void)context;
	mad_set_field(info, 0, IB_CPI_REDIRECT_LID_F, 9);
	mad_set_field(info, 0, IB_CPI_REDIRECT_QP_F, 1);
	response->status = IB_MAD_STS_REDIRECT;
	response->attr_id = 1;
	response->data = info;
	response->data_size = sizeof(info);
	response->data_offset = 64;
}

static void begin(struct ibmad_port *port)
{
	mad_rpc_set_retries(port, 1);
	memset(saved, UNTOUCHED, sizeof(saved));
	memset(untouched, UNTOUCHED, sizeof(untouched));
	madrpc_save_mad(saved, sizeof(saved));
}

static bool ask(struct ibmad_port *port)
{
	ib_portid_t to = { .lid = 2 };
	uint8_t data[64] = { 0 };

	return smp_query_via(data, &to, 0x11, 7, 20, port);
}

/* Nothing was saved, and nothing is by later calls of either kind. */
static void check_disarmed(struct ibmad_port *port)
{
	ib_portid_t to = { .lid = 2, .qp = 1, .qkey = IB_DEFAULT_QP1_QKEY };
	ib_sa_call_t sa = { .attrid = IB_SA_ATTR_PATHRECORD, .method = IB_MAD_METHOD_GET };
	uint8_t record[1024] = { 0 };

	assert_memory_equal(saved, untouched, sizeof(saved));
	responder_plan(NULL, NULL);
	assert_true(ask(port));
	assert_non_null(sa_rpc_call(port, record, &to, &sa, 1000));
	assert_memory_equal(saved, untouched, sizeof(saved));
}

PORT_TEST(after_a_timeout)
{
	begin(*state);
	responder_plan(never_respond, NULL);
	assert_false(ask(*state));
	check_disarmed(*state);
}

PORT_TEST(after_a_refused_write)
{
	begin(*state);
	responder_plan(refuse, NULL);
	assert_false(ask(*state));
	check_disarmed(*state);
}

PORT_TEST(after_an_unregistered_class)
{
	ib_rpc_t rpc = { .mgtclass = 0x44, .method = 1, .attr = { .id = 1 } };
	ib_portid_t to = { .lid = 2, .qp = 1 };
	uint8_t data[64];

	begin(*state);
	assert_null(mad_rpc(*state, &rpc, &to, NULL, data));
	assert_int_equal(errno, EINVAL);
	check_disarmed(*state);
}

/* What the class helpers refuse before there is a request. */
static void refuse_sa(struct ibmad_port *port, ib_portid_t *nowhere, uint8_t *data)
{
	ib_sa_call_t sa = { .attrid = IB_SA_ATTR_PATHRECORD, .method = IB_MAD_METHOD_GET };

	assert_null(sa_rpc_call(port, data, nowhere, &sa, 20));
}

static void refuse_sa_query(struct ibmad_port *port, ib_portid_t *nowhere, uint8_t *data)
{
	const struct mad_sa_request query = { .method = IB_MAD_METHOD_SET };
	struct mad_sa_table *table;

	(void)data;
	assert_null(table = mad_sa_query(port, nowhere, &query, sizeof(query), NULL));
}

static void refuse_sa_query_without_lid(struct ibmad_port *port, ib_portid_t *nowhere,
					uint8_t *data)
{
	struct mad_sa_table *table;

	(void)data;
	assert_null(table = mad_sa_query_all(port, nowhere, IB_SA_ATTR_NODERECORD, 20));
}

static void refuse_path(struct ibmad_port *port, ib_portid_t *nowhere, uint8_t *data)
{
	assert_int_equal(ib_path_query_via(port, NULL, NULL, nowhere, data), -1);
}

static void refuse_node(struct ibmad_port *port, ib_portid_t *nowhere, uint8_t *data)
{
	(void)nowhere;
	assert_int_equal(ib_node_query_via(port, 1, NULL, data), -1);
}

static void refuse_join(struct ibmad_port *port, ib_portid_t *nowhere, uint8_t *data)
{
	const struct mad_sa_mc_member member = { .port_gid = { 1 } };
	const struct mad_sa_mc_request request = { .member = &member,
						   .member_size = sizeof(member) };

	(void)data;
	assert_int_equal(mad_sa_mc_join(port, nowhere, &request, sizeof(request), NULL, 0, NULL),
			 -1);
}

static void refuse_join_of_nothing(struct ibmad_port *port, ib_portid_t *nowhere, uint8_t *data)
{
	(void)data;
	assert_int_equal(mad_sa_mc_join(port, nowhere, NULL, 0, NULL, 0, NULL), -1);
}

static void refuse_smp(struct ibmad_port *port, ib_portid_t *nowhere, uint8_t *data)
{
	(void)nowhere;
	assert_null(smp_query_via(data, NULL, 0x11, 0, 20, port));
}

static void refuse_counters(struct ibmad_port *port, ib_portid_t *nowhere, uint8_t *data)
{
	nowhere->lid = -1;
	assert_null(pma_query_via(data, nowhere, 1, 20, IB_GSI_PORT_COUNTERS, port));
}

static void refuse_congestion(struct ibmad_port *port, ib_portid_t *nowhere, uint8_t *data)
{
	(void)nowhere;
	assert_null(cc_query_status_via(data, NULL, 0x11, 0, 20, NULL, port, 0));
}

static void refuse_board(struct ibmad_port *port, ib_portid_t *nowhere, uint8_t *data)
{
	ib_bm_call_t call = { .method = IB_MAD_METHOD_GET };

	assert_null(bm_call_via(data, nowhere, &call, port));
}

static void refuse_vendor(struct ibmad_port *port, ib_portid_t *nowhere, uint8_t *data)
{
	ib_vendor_call_t call = { .method = IB_MAD_METHOD_GET, .mgmt_class = 9 };

	assert_null(ib_vendor_call_via(data, nowhere, &call, port));
}

static void refuse_long_data(struct ibmad_port *port, ib_portid_t *nowhere, uint8_t *data)
{
	ib_rpc_t rpc = { .mgtclass = 4, .method = 1, .dataoffs = 64, .datasz = 193 };

	assert_null(mad_rpc(port, &rpc, nowhere, NULL, data));
}

static void refuse_join_with_wrong_selector(struct ibmad_port *port, ib_portid_t *nowhere,
					    uint8_t *data)
{
	const struct mad_sa_mc_member member = { .port_gid = { 1 } };
	const struct mad_sa_mc_request request = { .member = &member,
						   .member_size = sizeof(member),
						   .mtu_selector = 4 };

	(void)data;
	assert_int_equal(mad_sa_mc_join(port, nowhere, &request, sizeof(request), NULL, 0, NULL),
			 -1);
}

static void refuse_paths(struct ibmad_port *port, ib_portid_t *nowhere, uint8_t *data)
{
	struct mad_sa_table *table;

	(void)data;
	assert_null(table = mad_sa_query_paths(port, nowhere, NULL, NULL, 20));
}

PORT_TEST(after_a_refused_request)
{
	static void (*const refused[])(struct ibmad_port *, ib_portid_t *, uint8_t *) = {
		refuse_sa,	  refuse_sa_query, refuse_sa_query_without_lid,
		refuse_path,	  refuse_node,	   refuse_join,
		refuse_smp,	  refuse_counters, refuse_congestion,
		refuse_board,	  refuse_vendor,   refuse_join_of_nothing,
		refuse_long_data, refuse_paths,	   refuse_join_with_wrong_selector,
	};

	for (size_t i = 0; i < COUNT(refused); i++) {
		ib_portid_t nowhere = { .lid = 0 };
		uint8_t data[IB_MAD_SIZE] = { 0 };

		begin(*state);
		errno = 0;
		refused[i](*state, &nowhere, data);
		assert_int_equal(errno, EINVAL);
		check_disarmed(*state);
	}
}

static void *wait_in_vain(void *port)
{
	ib_portid_t to = { .lid = 2 };
	uint8_t data[64] = { 0 };

	return smp_query_via(data, &to, 0x11, 7, 200, port);
}

/* madrpc_save_mad() is for a request that begins afterwards. */
THREAD_TEST(earlier_requests_do_not_count)
{
	pthread_t earlier;
	void *result;

	mad_rpc_set_retries(*state, 1);
	responder_plan(never_respond, NULL);
	assert_int_equal(pthread_create(&earlier, NULL, wait_in_vain, *state), 0);
	while (!responder_writes())
		usleep(1000);
	begin(*state);
	assert_int_equal(pthread_join(earlier, &result), 0);
	assert_null(result);
	assert_memory_equal(saved, untouched, sizeof(saved));
	responder_plan(NULL, NULL);
	assert_true(ask(*state));
	assert_int_equal(saved[3], 0x81);
}

PORT_TEST(after_a_timeout_of_an_sa_call)
{
	ib_portid_t to = { .lid = 2, .qp = 1, .qkey = IB_DEFAULT_QP1_QKEY };
	ib_sa_call_t sa = { .attrid = IB_SA_ATTR_PATHRECORD, .method = IB_MAD_METHOD_GET };
	uint8_t record[1024] = { 0 };

	begin(*state);
	responder_plan(never_respond, NULL);
	assert_null(sa_rpc_call(*state, record, &to, &sa, 20));
	check_disarmed(*state);
}

PORT_TEST(after_too_many_redirects)
{
	ib_portid_t to = { .lid = 2, .qp = 1, .qkey = IB_DEFAULT_QP1_QKEY };
	uint8_t data[1024] = { 0 };

	begin(*state);
	responder_plan(redirect_for_ever, NULL);
	assert_null(pma_query_via(data, &to, 1, 1000, IB_GSI_PORT_COUNTERS, *state));
	assert_int_equal(errno, ELOOP);
	check_disarmed(*state);
}

/* A response with an error status is one: it is saved, and the next is not. */
PORT_TEST(after_an_error_status)
{
	begin(*state);
	responder_plan(respond_with_error, NULL);
	assert_false(ask(*state));
	assert_int_equal(saved[3], 0x81);
	assert_int_equal(saved[5], 0x1c);
	memcpy(untouched, saved, sizeof(saved));
	check_disarmed(*state);
}

PORT_TEST(after_a_response)
{
	begin(*state);
	assert_true(ask(*state));
	assert_int_equal(saved[3], 0x81);
	memcpy(untouched, saved, sizeof(saved));
	check_disarmed(*state);
}

static void return_at_once(const struct responder_request *request,
			   struct responder_response *response, void *context)
{
	(void)request;
	(void)context;
	response->returned = ETIMEDOUT;
}

/* 3 attempts of 17 days. */
PORT_TEST(long_timeouts_in_messages)
{
	ib_portid_t to = { .lid = 2 };
	uint8_t data[64] = { 0 };

	mad_rpc_set_retries(*state, 3);
	responder_plan(return_at_once, NULL);
	madrpc_show_errors(1);
	listen(smp_query_via(data, &to, 0x11, 7, 1500000000, *state));
	madrpc_show_errors(0);
	assert_int_equal(responder_writes(), 3);
	assert_non_null(strstr(said, "4500000000 ms"));
}
