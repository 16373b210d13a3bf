/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Waits beside something that goes on: MADs without end, and the reading of sysfs for the P_Key of
 * the address that a redirect leads to (13.5.1). What is sent and received is in requests.tbl.
 */
#include "test.h"
#include "fixture.h"

#include <errno.h>
#include <pthread.h>

#define REDIRECTING_LID 5

static struct ibmad_port *port;
static atomic_int opens;
static bool done_meanwhile;

static void redirect(const struct responder_request *request, struct responder_response *response,
		     void *context)
{
	(void)context;
	if (request->lid != REDIRECTING_LID)
		return;
	redirect_to_9(response, 0x8001);
}

static void *use_port(void *context)
{
	struct mad_rpc_statistics statistics;

	assert_int_equal(mad_rpc_get_statistics(port, &statistics, sizeof(statistics)), 0);
	return context;
}

static void use_port_meanwhile(const char *path, void *context)
{
	struct timespec until;
	pthread_t thread;

	(void)path;
	(void)context;
	if (atomic_fetch_add(&opens, 1))
		return;
	assert_int_equal(pthread_create(&thread, NULL, use_port, NULL), 0);
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += PATIENCE_MS / 1000;
	done_meanwhile = !pthread_timedjoin_np(thread, NULL, &until);
}

THREAD_TEST(pkey_of_the_new_address)
{
	struct mad_async *async = create_async(*state, 4, 10000, 2);
	ib_portid_t to = { .lid = REDIRECTING_LID, .qp = 1, .qkey = IB_DEFAULT_QP1_QKEY };
	struct outcome outcome = { .calls = 0 };

	port = *state;
	responder_plan(redirect, NULL);
	responder_before_opens(use_port_meanwhile, NULL);
	assert_true(mad_async_perf_get(async, ASYNC_TO(&to, note_outcome, &outcome),
				       IB_GSI_PORT_COUNTERS, 1) > 0);
	while (!atomic_load(&opens))
		assert_true(mad_async_dispatch(async, 0, 100) >= 0);
	assert_true(done_meanwhile);
	dispatch_all(async);
	assert_outcome(&outcome, 0);
	mad_async_free(async);
}

/* Unsolicited MADs that are always there to be read extend no wait. */
THREAD_TEST(flood)
{
	struct mad_async *async = create_async(*state, 16, 100, 1), *patient;
	struct outcome outcomes[16] = { { .calls = 0 } };
	uint8_t packet[RESPONDER_PACKET] = { [RESPONDER_HEADER] = 1, 0x04, 1, 1 };

	responder_plan(never_respond, NULL);
	packet[RESPONDER_HEADER + 15] = 0x77;
	responder_flood(0, packet, sizeof(packet));
	for (int i = 0; i < 16; i++)
		submit_get(async, 1 + i, i, &outcomes[i]);
	dispatch_all(async);
	for (int i = 0; i < 16; i++)
		assert_outcome(&outcomes[i], ETIMEDOUT);
	mad_rpc_set_retries(*state, 1);
	assert_false(query_node(*state, 2, 100));
	assert_int_equal(errno, ETIMEDOUT);
	patient = create_async(*state, 16, PATIENCE_MS, 1);
	submit_get(patient, 1, 1, NULL);
	assert_int_equal(mad_async_dispatch(patient, 0, 0), 0);
	assert_int_equal(mad_async_dispatch(patient, 0, 20), 0);
	mad_async_free(patient);
	responder_flood(0, NULL, 0);
	mad_async_free(async);
}
