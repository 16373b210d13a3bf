/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * madrpc_save_mad() beside another thread's call, and how much is saved; that it is for the next
 * call, however that ends, is in unit.test-requests. And what a message says of a long timeout.
 */
#include "test.h"
#include "fixture.h"

#include "listen.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#define UNTOUCHED 0x5a
#define LONG	  832 /* of a response */

static uint8_t saved[IB_MAD_SIZE], untouched[IB_MAD_SIZE];

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
