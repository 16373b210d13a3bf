/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Many threads on one port, each of which has to get its own response; built for ThreadSanitizer
 * too (IBMAD_SANITIZE=thread).
 */
#include "test.h"
#include "fakeumad.h"

#include <errno.h>
#include <infiniband/mad.h>
#include <infiniband/umad.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#define THREADS	   16
#define CALLS	   40
#define TIMEOUT_MS 20000 /* never reached */

/* What a thread does, and how often it did not go well. Assertions are for the main thread. */
struct worker {
	pthread_t thread;
	struct ibmad_port *port;
	int number;
	int failures;
};

static void run_workers(struct worker *workers, int count, void *(*work)(void *))
{
	for (int i = 0; i < count; i++)
		assert_int_equal(pthread_create(&workers[i].thread, NULL, work, &workers[i]), 0);
	for (int i = 0; i < count; i++)
		assert_int_equal(pthread_join(workers[i].thread, NULL), 0);
	for (int i = 0; i < count; i++)
		assert_int_equal(workers[i].failures, 0);
}

static void run_on(struct ibmad_port *port, void *(*work)(void *))
{
	struct worker workers[THREADS] = { 0 };

	for (int i = 0; i < THREADS; i++) {
		workers[i].port = port;
		workers[i].number = i;
	}
	run_workers(workers, THREADS, work);
}

/*
 * The response to every request is its attribute modifier, 64 bytes of it inverted; responses come
 * in another order than the requests went out, and with two MADs each that are none.
 */
static int turn_over(const struct fakeumad_request *request, void *context)
{
	uint8_t turned[64];
	struct fakeumad_reply reply = { .data = turned,
					.data_size = sizeof(turned),
					.data_offset = request->mad[1] == 0x03 ? 56 : 64 };

	(void)context;
	for (size_t i = 0; i < sizeof(turned); i++)
		turned[i] = (uint8_t)~request->mad[20 + i % 4];
	reply.delay_ms = request->number % 4;
	fakeumad_reply(request, &reply);
	memset(turned, 0, sizeof(turned)); /* the rest of the MAD differs */
	fakeumad_reply(request, &reply);
	reply.tid_change = 0x40000000;
	fakeumad_reply(request, &reply);
	return 0;
}

static bool is_turned_over(const uint8_t *data, uint32_t mod)
{
	for (int i = 0; i < 64; i++)
		if (data[i] != (uint8_t) ~(mod >> (24 - i % 4 * 8)))
			return false;
	return true;
}

static bool query_any_class(struct ibmad_port *port, int which, uint32_t mod)
{
	ib_portid_t to = { .lid = 4 }, route = { .drpath = { .cnt = 1 } };
	ib_sa_call_t sa = { .attrid = 0x35, .mod = mod, .method = 1 };
	ib_bm_call_t bm = { .method = 1, .attrid = 0x21, .mod = mod, .timeout = TIMEOUT_MS };
	uint8_t data[256] = { 0 };
	bool done;

	switch (which % 4) {
	case 0:
		done = smp_query_via(data, &to, 0x15, mod, TIMEOUT_MS, port);
		break;
	case 1:
		done = smp_query_via(data, &route, 0x15, mod, TIMEOUT_MS, port);
		break;
	case 2:
		done = sa_rpc_call(port, data, &to, &sa, TIMEOUT_MS);
		break;
	default:
		done = bm_call_via(data, &to, &bm, port);
	}
	return done && is_turned_over(data, mod);
}

static void *query_mixed(void *argument)
{
	struct worker *worker = argument;

	for (int i = 0; i < CALLS; i++)
		if (!query_any_class(worker->port, worker->number + i,
				     (uint32_t)(worker->number << 16 | i)))
			worker->failures++;
	return NULL;
}

FAKEUMAD_TEST(each_gets_its_own_response)
{
	struct mad_rpc_statistics statistics;

	fakeumad_respond_with(turn_over, NULL);
	run_on(*state, query_mixed);
	assert_int_equal(mad_rpc_get_statistics(*state, &statistics, sizeof(statistics)), 0);
	assert_int_equal(statistics.sent, THREADS * CALLS);
	assert_int_equal(statistics.retries, 0);
	assert_int_equal(statistics.timeouts, 0);
}

static atomic_int served;

static void *receive_requests(void *argument)
{
	struct worker *worker = argument;

	for (int i = 0; i < CALLS; i++) {
		void *umad = mad_receive_via(NULL, TIMEOUT_MS, worker->port);

		if (!umad || ((uint8_t *)umad)[FAKEUMAD_HEADER + 3] != IB_MAD_METHOD_GET)
			worker->failures++;
		mad_free(umad);
		atomic_fetch_add(&served, 1);
	}
	return NULL;
}

/* With each response a request for a server arrives. */
static int respond_and_ask(const struct fakeumad_request *request, void *context)
{
	struct fakeumad_reply reply = { 0 };
	uint8_t packet[FAKEUMAD_PACKET];

	(void)context;
	fakeumad_build(packet, &(struct fakeumad_packet){ .mgmt_class = IB_PERFORMANCE_CLASS,
							  .method = IB_MAD_METHOD_GET,
							  .tid = (uint64_t)request->number });
	((struct ib_user_mad *)(void *)packet)->length = sizeof(packet);
	fakeumad_deliver(packet, sizeof(packet), 0);
	fakeumad_reply(request, &reply);
	return 0;
}

static void *serve_or_query(void *argument)
{
	struct worker *worker = argument;
	ib_portid_t to = { .lid = 4 };
	uint8_t data[64] = { 0 };

	if (worker->number < 4)
		return receive_requests(worker);
	for (int i = 0; i < CALLS; i++)
		if (!smp_query_via(data, &to, 0x15, 0, TIMEOUT_MS, worker->port))
			worker->failures++;
	return NULL;
}

FAKEUMAD_TEST(servers_and_clients_together)
{
	struct worker workers[8] = { 0 };

	for (int i = 0; i < 8; i++)
		workers[i] = (struct worker){ .port = *state, .number = i };
	atomic_store(&served, 0);
	fakeumad_respond_with(respond_and_ask, NULL);
	run_workers(workers, 8, serve_or_query);
	assert_int_equal(atomic_load(&served), 4 * CALLS);
}

static void *wait_for_a_request(void *argument)
{
	struct worker *worker = argument;
	void *umad = mad_receive_via(NULL, -1, worker->port);

	worker->failures = !umad;
	mad_free(umad);
	return NULL;
}

FAKEUMAD_TEST(blocked_receiver_starves_nobody)
{
	struct worker receiver = { .port = *state };
	uint8_t packet[FAKEUMAD_PACKET];

	fakeumad_respond_with(turn_over, NULL);
	assert_int_equal(pthread_create(&receiver.thread, NULL, wait_for_a_request, &receiver), 0);
	usleep(20000);
	run_on(*state, query_mixed);
	fakeumad_build(packet, &(struct fakeumad_packet){ .mgmt_class = IB_PERFORMANCE_CLASS,
							  .method = IB_MAD_METHOD_GET });
	fakeumad_deliver(packet, sizeof(packet), 0);
	pthread_join(receiver.thread, NULL);
	assert_int_equal(receiver.failures, 0);
}

/* Every third request is lost. */
static int lose_some(const struct fakeumad_request *request, void *context)
{
	if (request->number % 3)
		turn_over(request, context);
	return 0;
}

static void *query_with_losses(void *argument)
{
	struct worker *worker = argument;
	ib_portid_t to = { .lid = 4 };

	for (int i = 0; i < 10; i++) {
		uint32_t mod = (uint32_t)(worker->number << 16 | i);
		uint8_t data[64] = { 0 };

		if (!smp_query_via(data, &to, 0x15, mod, 50, worker->port) ||
		    !is_turned_over(data, mod))
			worker->failures++;
	}
	return NULL;
}

FAKEUMAD_TEST(retries_of_many_threads)
{
	mad_rpc_set_retries(*state, 100);
	fakeumad_respond_with(lose_some, NULL);
	run_on(*state, query_with_losses);
}

static void *change_settings(void *argument)
{
	struct worker *worker = argument;

	for (int i = 0; i < CALLS; i++) {
		mad_rpc_set_timeout(worker->port, TIMEOUT_MS + i);
		mad_rpc_set_retries(worker->port, 1 + i % 3);
		smp_mkey_set(worker->port, (uint64_t)i);
		sa_key_set(worker->port, (uint64_t)i);
		madrpc_set_timeout(TIMEOUT_MS);
		madrpc_set_retries(3);
		madrpc_show_errors(0);
		if (mad_trid() == 0 || mad_rpc_class_agent(worker->port, 4) != 3)
			worker->failures++;
	}
	return worker->number % 2 ? query_mixed(worker) : NULL;
}

FAKEUMAD_TEST(settings_change_meanwhile)
{
	fakeumad_respond_with(turn_over, NULL);
	run_on(*state, change_settings);
}

static void *open_query_close(void *argument)
{
	struct worker *worker = argument;
	int classes[] = { IB_SMI_CLASS, IB_SA_CLASS };

	for (int i = 0; i < 10; i++) {
		struct ibmad_port *port = mad_rpc_open_port(NULL, 0, classes, 2);

		if (!port)
			worker->failures++;
		mad_rpc_close_port(port);
	}
	return NULL;
}

FAKEUMAD_TEST(ports_open_and_close_meanwhile)
{
	struct worker workers[8] = { 0 };

	run_workers(workers, 8, open_query_close);
}
