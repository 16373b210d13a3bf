/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Blocking calls whose responses came in time, in a process that was stopped for longer than their
 * timeout, or behind MADs of others: they have their responses, at the first attempt.
 */
#include "test.h"
#include "fixture.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define THREADS	   64
#define ROUNDS	   2
#define TIMEOUT_MS 500 /* half of it: longer than a busy machine delays a thread */
#define STOPPED_MS 800
#define OTHERS	   100
#define MANY	   1200 /* more than are read before a thread whose time is over gives up */
#define READ_MS	   2

static void *query(void *port)
{
	return query_node(port, 2, TIMEOUT_MS) ? NULL : port;
}

/* In the child: stops itself when all requests are out. */
static void query_and_stop(struct ibmad_port *port)
{
	pthread_t threads[THREADS];
	unsigned failed = 0;
	void *result;

	respond_after(TIMEOUT_MS / 2);
	for (int i = 0; i < THREADS; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, query, port), 0);
	while (responder_writes() < THREADS)
		sleep_ms(1);
	raise(SIGSTOP);
	for (int i = 0; i < THREADS; i++) {
		assert_int_equal(pthread_join(threads[i], &result), 0);
		failed += result != NULL;
	}
	if (failed || responder_writes() != THREADS)
		fail_msg("%u of %d failed, %u writes", failed, THREADS, responder_writes());
}

TEST(stopped_process)
{
	for (int i = 0; i < ROUNDS; i++)
		run_stopped(query_and_stop, STOPPED_MS);
}

/* Before the first write, MADs of others come. */
static void come_before(const struct responder_request *request, void *context)
{
	uint8_t packet[RESPONDER_PACKET] = { 0 };
	uint8_t *mad = packet + RESPONDER_HEADER;

	(void)request;
	if (atomic_fetch_add((atomic_int *)context, 1))
		return;
	mad[0] = 1;
	mad[1] = IB_PERFORMANCE_CLASS;
	mad[2] = 1;
	mad[3] = IB_MAD_METHOD_GET;
	for (int i = 0; i < OTHERS; i++) {
		mad[15] = (uint8_t)i;
		responder_deliver(0, packet, sizeof(packet));
	}
}

/* And the timeout passes while that write is under way. */
static void come_before_and_dawdle(const struct responder_request *request, void *context)
{
	bool is_first = !atomic_load((atomic_int *)context);

	come_before(request, context);
	if (is_first)
		sleep_ms(TIMEOUT_MS * 3 / 2);
}

PORT_TEST(behind_other_mads)
{
	atomic_int writes = 0;
	void *umad;

	responder_before_writes(come_before_and_dawdle, &writes);
	assert_null(query(*state));
	assert_int_equal(responder_writes(), 1);
	for (int i = 0; i < OTHERS; i++) {
		umad = mad_receive_via(NULL, 0, *state);
		assert_non_null(umad);
		mad_free(umad);
	}
}

static atomic_bool reads_slowly;

int __real_umad_recv(int portid, void *umad, int *length, int timeout_ms);
int __wrap_umad_recv(int portid, void *umad, int *length, int timeout_ms);

int __wrap_umad_recv(int portid, void *umad, int *length, int timeout_ms)
{
	if (atomic_load(&reads_slowly))
		sleep_ms(READ_MS);
	return __real_umad_recv(portid, umad, length, timeout_ms);
}

/* The same, and reading what has come takes longer than draining may, on a port that has read much
 * before. */
PORT_TEST(behind_other_mads_read_slowly)
{
	uint8_t packet[RESPONDER_PACKET] = { [RESPONDER_HEADER] = 1, IB_PERFORMANCE_CLASS, 1, 1 };

	for (int i = 0; i < MANY; i++) {
		responder_deliver(0, packet, sizeof(packet));
		mad_free(mad_receive_via(NULL, TIMEOUT_MS, *state));
	}
	atomic_store(&reads_slowly, true);
	behind_other_mads(state);
	atomic_store(&reads_slowly, false);
}
