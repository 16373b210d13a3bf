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
#define LONG	  832 /* of a response */

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
	(void)request;
	(void)context;
	redirect_to_9(response, 0);
}

static void respond_at_length(const struct responder_request *request,
			      struct responder_response *response, void *context)
{
	static uint8_t last = 0x11;

	(void)request;
	(void)context;
	response->length = LONG;
	response->data = &last;
	response->data_size = 1;
	response->data_offset = LONG - 1;
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
	return query_node(port, 2, 20);
}

/* Saving is off: the buffer is untouched, and later calls of either kind leave it so. */
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

/* However a request fails after it was sent, or at the write. */
PORT_TEST(after_a_failure)
{
	static const struct {
		responder_plan_fn *plan;
		int mgmt_class, error;
	} cases[] = {
		{ never_respond, IB_SMI_CLASS, ETIMEDOUT },
		{ never_respond, IB_SA_CLASS, ETIMEDOUT },
		{ refuse, IB_SMI_CLASS, EIO },
		{ redirect_for_ever, IB_PERFORMANCE_CLASS, ELOOP },
		{ NULL, 0x44, EINVAL }, /* not registered */
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		ib_rpc_t rpc = { .mgtclass = cases[i].mgmt_class, .method = 1, .timeout = 20 };
		ib_portid_t to = { .lid = 2, .qp = 1, .qkey = IB_DEFAULT_QP1_QKEY };
		uint8_t data[IB_MAD_SIZE];

		rpc.attr.id = 0x35;
		begin(*state);
		responder_plan(cases[i].plan, NULL);
		assert_null(mad_rpc(*state, &rpc, &to, NULL, data));
		assert_int_equal(errno, cases[i].error);
		check_disarmed(*state);
	}
}

/* Class helpers refuse these arguments before a request exists. */
PORT_TEST(after_a_refused_request)
{
	const struct mad_sa_request set = { .method = IB_MAD_METHOD_SET };
	const struct mad_sa_mc_member member = { .port_gid = { 1 } };
	const struct mad_sa_mc_request join = { .member = &member };
	ib_sa_call_t sa = { .attrid = IB_SA_ATTR_PATHRECORD, .method = IB_MAD_METHOD_GET };
	ib_bm_call_t bm = { .method = IB_MAD_METHOD_GET };
	ib_vendor_call_t vendor = { .method = IB_MAD_METHOD_GET, .mgmt_class = 9 };
	ib_rpc_t rpc = { .mgtclass = 4, .method = 1, .dataoffs = 64, .datasz = 193 };
	ib_portid_t nowhere = { .lid = 0 }, below = { .lid = -1 };
	uint8_t data[IB_MAD_SIZE] = { 0 };
	struct ibmad_port *port = *state;

#define REFUSED(call)                            \
	do {                                     \
		begin(port);                     \
		errno = 0;                       \
		assert_true(call);               \
		assert_int_equal(errno, EINVAL); \
		check_disarmed(port);            \
	} while (0)
	REFUSED(!sa_rpc_call(port, data, &nowhere, &sa, 20));
	REFUSED(!mad_sa_query(port, &nowhere, &set, NULL));
	REFUSED(!mad_sa_query_all(port, &nowhere, IB_SA_ATTR_NODERECORD, 20));
	REFUSED(!mad_sa_query_paths(port, &nowhere, NULL, NULL, 20));
	REFUSED(ib_path_query_via(port, NULL, NULL, &nowhere, data) < 0);
	REFUSED(ib_node_query_via(port, 1, NULL, data) < 0);
	REFUSED(mad_sa_mc_join(port, &nowhere, &join, NULL, NULL) < 0);
	REFUSED(mad_sa_mc_join(port, &nowhere, NULL, NULL, NULL) < 0);
	REFUSED(!smp_query_via(data, NULL, 0x11, 0, 20, port));
	REFUSED(!pma_query_via(data, &below, 1, 20, IB_GSI_PORT_COUNTERS, port));
	REFUSED(!cc_query_status_via(data, NULL, 0x11, 0, 20, NULL, port, 0));
	REFUSED(!bm_call_via(data, &nowhere, &bm, port));
	REFUSED(!ib_vendor_call_via(data, &nowhere, &vendor, port));
	REFUSED(!mad_rpc(port, &rpc, &nowhere, NULL, data));
}

static void *wait_in_vain(void *port)
{
	return query_node(port, 2, 200) ? port : NULL;
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

/* As much as there is space for, of all MADs of a response; of mad_rpc_rmpp() all that it gets. */
PORT_TEST(length_that_is_saved)
{
	ib_rpc_t rpc = { .mgtclass = IB_SA_CLASS,
			 .method = IB_MAD_METHOD_GET_TABLE,
			 .dataoffs = IB_SA_DATA_OFFS,
			 .datasz = LONG - IB_SA_DATA_OFFS };
	ib_rmpp_hdr_t rmpp = { .flags = IB_RMPP_FLAG_ACTIVE };
	ib_portid_t to = { .lid = 2, .qp = 1 };
	uint8_t data[1000], many[900];

	begin(*state);
	madrpc_save_mad(saved, 60);
	assert_true(ask(*state));
	assert_int_equal(saved[3], 0x81);
	assert_int_equal(saved[60], UNTOUCHED);
	memset(many, UNTOUCHED, sizeof(many));
	madrpc_save_mad(many, sizeof(many));
	responder_plan(respond_at_length, NULL);
	assert_non_null(mad_rpc_rmpp(*state, &rpc, &to, &rmpp, data));
	assert_int_equal(many[LONG - 1], 0x11);
	assert_int_equal(many[LONG], UNTOUCHED);
}

/* A response is saved, with an error status, too; the next is not. */
PORT_TEST(after_a_response)
{
	for (int status = 0; status <= 0x1c; status += 0x1c) {
		begin(*state);
		responder_plan(status ? respond_with_error : NULL, NULL);
		assert_int_equal(ask(*state), !status);
		assert_int_equal(saved[3], 0x81);
		assert_int_equal(saved[5], status);
		memcpy(untouched, saved, sizeof(saved));
		check_disarmed(*state);
	}
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
	mad_rpc_set_retries(*state, 3);
	responder_plan(return_at_once, NULL);
	madrpc_show_errors(1);
	listen(query_node(*state, 2, 1500000000));
	madrpc_show_errors(0);
	assert_int_equal(responder_writes(), 3);
	assert_non_null(strstr(said, "retry 2 (timeout 1500000000 ms)"));
	assert_non_null(strstr(said, "timeout after 3 retries, ")); /* any number of ms */
}
