/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * A server on a port that also sends requests: mad_receive_via() gets what others sent, and
 * the responses to mad_send_via(). Requests of the port that the kernel returns, and responses that
 * come too late, never reach it, however many there were and however long ago they were sent.
 */
#include "test.h"
#include "fixture.h"

#include <errno.h>
#include <infiniband/umad.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define MANY	   400
#define INBOX	   256 /* what the library keeps for receivers */
#define TIMEOUT_MS 20
#define RETURN_MS  150 /* until the kernel returns requests */
#define LATE_US	   200000
#define SERVED_TID 0x5e57ed00
#define GSI_LID	   7

static void respond_late(const struct responder_request *request,
			 struct responder_response *response, void *context)
{
	(void)request;
	(void)context;
	response->delay_us = LATE_US;
}

/* An unsolicited request, with TID SERVED_TID + number. */
static void deliver_request(unsigned number)
{
	uint8_t packet[RESPONDER_PACKET] = { 0 };
	struct ib_user_mad *header = (void *)packet;
	uint8_t *mad = packet + RESPONDER_HEADER;
	uint32_t tid = htobe32(SERVED_TID + number);

	header->length = sizeof(packet);
	header->addr.lid = htobe16(GSI_LID);
	header->addr.qpn = htobe32(1);
	mad[0] = 1;
	mad[1] = IB_PERFORMANCE_CLASS;
	mad[2] = 1;
	mad[3] = IB_MAD_METHOD_GET;
	memcpy(mad + 12, &tid, sizeof(tid));
	mad[17] = 0x12;
	responder_deliver(0, packet, sizeof(packet));
}

static uint32_t tid_of(void *umad)
{
	return (uint32_t)mad_get_field64(umad_get_mad(umad), 0, IB_MAD_TRID_F);
}

/* The next that a receiver gets is this request. */
static void receive_request(struct ibmad_port *port, unsigned number)
{
	void *umad = mad_receive_via(NULL, 2000, port);

	assert_non_null(umad);
	assert_int_equal(umad_status(umad), 0);
	assert_int_equal(tid_of(umad), SERVED_TID + number);
	mad_free(umad);
}

static void receive_nothing(struct ibmad_port *port, int timeout_ms)
{
	void *umad = mad_receive_via(NULL, timeout_ms, port);

	if (umad)
		fail_msg("received class 0x%x, method 0x%x, TID 0x%x, umad status %d",
			 ((uint8_t *)umad_get_mad(umad))[1], ((uint8_t *)umad_get_mad(umad))[3],
			 tid_of(umad), umad_status(umad));
}

static uint64_t count_unmatched(struct ibmad_port *port)
{
	struct mad_rpc_statistics statistics;

	assert_int_equal(mad_rpc_get_statistics(port, &statistics, sizeof(statistics)), 0);
	return statistics.unmatched;
}

/* So many asynchronous requests, each to another port, that all time out. */
static void time_out(struct ibmad_port *port, unsigned count)
{
	struct mad_async *async = create_async(port, count, TIMEOUT_MS, 1);
	struct outcome *outcomes = calloc(count, sizeof(*outcomes));

	assert_non_null(outcomes);
	for (unsigned i = 0; i < count; i++)
		submit_get(async, 100 + (int)i, i, &outcomes[i]);
	dispatch_all(async);
	for (unsigned i = 0; i < count; i++)
		assert_outcome(&outcomes[i], ETIMEDOUT);
	free(outcomes);
	mad_async_free(async);
}

/* What comes after the timeout: the request itself, or its response. */
static void come_late(bool is_response)
{
	responder_plan(is_response ? respond_late : never_respond, NULL);
	if (is_response)
		responder_stays_silent();
	else
		responder_gives_back(RETURN_MS);
}

PORT_TEST(late_mads_are_not_received)
{
	for (unsigned i = 0; i < 2; i++) {
		come_late(i);
		time_out(*state, MANY);
		receive_nothing(*state, LATE_US / 1000 + 2 * RETURN_MS);
		assert_int_equal(count_unmatched(*state), i * MANY);
		deliver_request(i);
		receive_request(*state, i);
	}
}

/* The same with blocking requests, each of which is forgotten when it has timed out. */
PORT_TEST(late_responses_to_blocking_calls)
{
	uint8_t data[64];

	responder_plan(respond_late, NULL);
	responder_stays_silent();
	mad_rpc_set_retries(*state, 1);
	for (int i = 0; i < 100; i++) {
		ib_portid_t to = { .lid = 100 + i };

		memset(data, 0, sizeof(data));
		assert_null(smp_query_via(data, &to, 0x11, 0, 1, *state));
	}
	receive_nothing(*state, LATE_US / 1000 + 100);
	assert_int_equal(count_unmatched(*state), 100);
}

/* A response to the first packet that was written, as the port that it went to sends it. */
static void deliver_response_to_the_first(void)
{
	uint8_t packet[RESPONDER_PACKET];

	responder_written(1, packet);
	((struct ib_user_mad *)(void *)packet)->status = 0;
	((struct ib_user_mad *)(void *)packet)->length = sizeof(packet);
	packet[RESPONDER_HEADER + 3] |= 0x80;
	responder_deliver(0, packet, sizeof(packet));
}

/* One request times out; so many later ones get a response; then its response arrives. */
static void late_after(struct ibmad_port *port, unsigned later)
{
	uint64_t before;
	uint8_t data[64];
	ib_portid_t to = { .lid = 2 };

	responder_plan(never_respond, NULL);
	mad_rpc_set_retries(port, 1);
	memset(data, 0, sizeof(data));
	assert_null(smp_query_via(data, &to, 0x11, 1, TIMEOUT_MS, port));
	receive_nothing(port, TIMEOUT_MS);
	responder_plan(NULL, NULL);
	for (unsigned i = 0; i < later; i++)
		assert_non_null(smp_query_via(data, &to, 0x11, i, 10000, port));
	before = count_unmatched(port);
	deliver_response_to_the_first();
	receive_nothing(port, 50);
	assert_int_equal(count_unmatched(port) - before, 1);
}

PORT_TEST(late_after_no_other)
{
	late_after(*state, 0);
}

PORT_TEST(late_after_many)
{
	late_after(*state, 10000);
}

/* Sends without waiting. The TID: 0 for one that the library chooses. */
static void send_one(struct ibmad_port *port, int lid, uint64_t trid)
{
	ib_portid_t to = { .lid = lid, .qp = 1, .qkey = IB_DEFAULT_QP1_QKEY };
	ib_rpc_t rpc = {
		.mgtclass = IB_PERFORMANCE_CLASS,
		.method = IB_MAD_METHOD_GET,
		.attr = { .id = 0x12 },
		.timeout = 1000,
		.trid = trid,
	};

	assert_int_equal(mad_send_via(&rpc, &to, NULL, NULL, port), 0);
}

static bool was_sent(uint32_t tid)
{
	for (unsigned i = 1; i <= responder_writes(); i++)
		if (responder_record(i).tid == tid)
			return true;
	return false;
}

static void receive_sent(struct ibmad_port *port, unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		void *umad = mad_receive_via(NULL, 2000, port);

		assert_non_null(umad);
		assert_int_equal(((uint8_t *)umad_get_mad(umad))[3], 0x81);
		assert_true(was_sent(tid_of(umad)));
		mad_free(umad);
	}
	receive_nothing(port, 0);
}

static void ask_often(struct ibmad_port *port, unsigned times)
{
	ib_portid_t to = { .lid = 2 };
	uint8_t data[64] = { 0 };

	for (unsigned i = 0; i < times; i++)
		assert_non_null(smp_query_via(data, &to, 0x11, i, 10000, port));
}

PORT_TEST(responses_to_sends_are_received)
{
	for (unsigned i = 0; i < 200; i++)
		send_one(*state, 100 + (int)i, i % 2 ? 0x77770000 + i : 0);
	receive_sent(*state, 200);
}

/* Blocking calls read them, long after they were sent, and no thread receives at that moment. */
PORT_TEST(responses_to_sends_wait_for_a_receiver)
{
	responder_plan(respond_late, NULL);
	for (unsigned i = 0; i < 200; i++)
		send_one(*state, 100 + (int)i, i % 2 ? 0x77770000 + i : 0);
	responder_plan(NULL, NULL);
	ask_often(*state, 1000);
	sleep_ms(LATE_US / 1000 + 50);
	ask_often(*state, 300);
	receive_sent(*state, 200);
}

/* The response to what was written with that number. */
static void deliver_response_to(unsigned number)
{
	uint8_t packet[RESPONDER_PACKET] = { 0 };
	uint8_t *mad = packet + RESPONDER_HEADER;
	uint32_t tid = htobe32(responder_record(number).tid);

	mad[0] = 1;
	mad[1] = IB_PERFORMANCE_CLASS;
	mad[2] = 1;
	mad[3] = IB_MAD_METHOD_GET_RESPONSE;
	memcpy(mad + 12, &tid, sizeof(tid));
	mad[17] = 0x12;
	responder_deliver(0, packet, sizeof(packet));
}

/* The library remembers the last 65,536 sends that nothing has come for. */
PORT_TEST(responses_to_many_sends)
{
	enum { REMEMBERED = 65536 };

	responder_stays_silent();
	responder_plan(never_respond, NULL);
	for (unsigned i = 0; i <= REMEMBERED; i++)
		send_one(*state, 5, 0);
	deliver_response_to(1);
	deliver_response_to(2);
	deliver_response_to(REMEMBERED + 1);
	for (unsigned number = 2; number <= REMEMBERED + 1; number += REMEMBERED - 1) {
		void *umad = mad_receive_via(NULL, 2000, *state);

		assert_non_null(umad);
		assert_int_equal(tid_of(umad), responder_record(number).tid);
		mad_free(umad);
	}
	receive_nothing(*state, 0);
}

/* A send does not make the library keep what comes too late. */
PORT_TEST(late_mads_leave_space)
{
	for (unsigned i = 0; i < 2; i++) {
		send_one(*state, 5, 0);
		receive_sent(*state, 1);
		come_late(i);
		time_out(*state, 1000);
		responder_plan(NULL, NULL);
		sleep_ms(LATE_US / 1000 + 2 * RETURN_MS);
		ask_often(*state, 1100); /* reads it */
		deliver_request(i);
		ask_often(*state, 2);
		receive_request(*state, i);
		receive_nothing(*state, 0);
	}
}

/* Nor does it make it keep late responses while no receiver waits. */
PORT_TEST(stray_responses_leave_space)
{
	uint8_t packet[RESPONDER_PACKET];

	send_one(*state, 5, 0);
	receive_sent(*state, 1);
	responder_written(1, packet);
	packet[RESPONDER_HEADER + 3] |= 0x80;
	((struct ib_user_mad *)(void *)packet)->length = sizeof(packet);
	for (unsigned i = 0; i < INBOX + 50; i++) {
		packet[RESPONDER_HEADER + 12] = 0x13;
		packet[RESPONDER_HEADER + 13] = 0x57;
		packet[RESPONDER_HEADER + 14] = (uint8_t)(i >> 8);
		packet[RESPONDER_HEADER + 15] = (uint8_t)i;
		responder_deliver(0, packet, sizeof(packet));
	}
	ask_often(*state, 2 * INBOX);
	deliver_request(1);
	ask_often(*state, 2);
	receive_request(*state, 1);
}

/* A server that responds to whatever it gets. */
struct server {
	struct ibmad_port *port;
	atomic_bool ends;
	atomic_uint served;
};

static void *serve(void *context)
{
	struct server *server = context;

	while (!atomic_load(&server->ends)) {
		void *umad = mad_receive_via(NULL, 50, server->port);

		if (!umad)
			continue;
		atomic_fetch_add(&server->served, 1);
		mad_respond_via(umad, NULL, 0, server->port);
		mad_free(umad);
	}
	return NULL;
}

/* Responses of the server get no response. */
static void respond_to_requests_late(const struct responder_request *request,
				     struct responder_response *response, void *context)
{
	(void)context;
	response->silent = request->mad[3] & 0x80;
	response->delay_us = LATE_US;
}

THREAD_TEST(server_beside_late_mads)
{
	for (int i = 0; i < 2; i++) {
		struct server server = { .port = *state };
		unsigned before = responder_writes();
		pthread_t thread;

		come_late(i);
		if (i)
			responder_plan(respond_to_requests_late, NULL);
		assert_int_equal(pthread_create(&thread, NULL, serve, &server), 0);
		for (unsigned j = 0; j < 10; j++)
			deliver_request(j);
		time_out(*state, MANY);
		sleep_ms(LATE_US / 1000 + 100);
		for (unsigned j = 10; j < 20; j++)
			deliver_request(j);
		while (atomic_load(&server.served) < 20)
			sleep_ms(5);
		sleep_ms(50); /* in which it may get more than that */
		atomic_store(&server.ends, true);
		assert_int_equal(pthread_join(thread, NULL), 0);
		assert_int_equal(server.served, 20);
		assert_int_equal(responder_writes() - before, MANY + 20);
	}
}
