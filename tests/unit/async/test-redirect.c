/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Redirects (13.5.1) beside other threads: while sysfs is read for the P_Key of the new address,
 * and while the process forks. What is sent and received is in requests.tbl and test-followups.c;
 * redirects that name a GID are in the simulation.
 */
#include "test.h"
#include "fixture.h"

#include <errno.h>
#include <infiniband/mad_keys.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define REDIRECTING_LID 5
#define FOUND_LID	9
#define FORKS		100
#define IN_FLIGHT	400

/* One port redirects; *with_pkey: with a P_Key whose index is to be found. */
static void respond(const struct responder_request *request, struct responder_response *response,
		    void *with_pkey)
{
	static uint8_t info[72];

	if (request->lid != REDIRECTING_LID)
		return;
	mad_set_field(info, 0, IB_CPI_REDIRECT_LID_F, FOUND_LID);
	mad_set_field(info, 0, IB_CPI_REDIRECT_QP_F, 0x123456);
	mad_set_field(info, 0, IB_CPI_REDIRECT_QKEY_F, 0x80020000);
	mad_set_field(info, 0, IB_CPI_REDIRECT_PKEY_F, *(bool *)with_pkey ? 0x8001 : 0xffff);
	response->status = IB_MAD_STS_REDIRECT;
	response->attr_id = 1; /* ClassPortInfo */
	response->data = info;
	response->data_size = sizeof(info);
	response->data_offset = IB_PC_DATA_OFFS;
}

static uint64_t submit_perf(struct mad_async *async, int lid, struct outcome *outcome)
{
	ib_portid_t to = { .lid = lid, .qp = 1, .qkey = IB_DEFAULT_QP1_QKEY };
	int64_t id = 0;

	assert_true((id = mad_async_perf_get(
			     async, ASYNC_TO(&to, outcome ? note_outcome : ignore_outcome, outcome),
			     IB_GSI_PORT_COUNTERS, 1)) > 0);
	return id;
}

/* While sysfs is read, other threads use the port. */
static struct {
	struct ibmad_port *port;
	atomic_int opens;
	bool done_meanwhile;
} reading;

static void *use_port(void *context)
{
	struct mad_rpc_statistics statistics;

	assert_int_equal(mad_rpc_get_statistics(reading.port, &statistics, sizeof(statistics)), 0);
	return context;
}

static void use_port_meanwhile(const char *path, void *context)
{
	struct timespec until;
	pthread_t thread;

	(void)path;
	(void)context;
	if (atomic_fetch_add(&reading.opens, 1))
		return;
	assert_int_equal(pthread_create(&thread, NULL, use_port, NULL), 0);
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += PATIENCE_MS / 1000;
	reading.done_meanwhile = !pthread_timedjoin_np(thread, NULL, &until);
}

THREAD_TEST(pkey_of_the_new_address)
{
	struct mad_async *async = create_async(*state, 4, 10000, 2);
	bool with_pkey = true;
	struct outcome outcome = { .calls = 0 };

	reading.port = *state;
	atomic_store(&reading.opens, 0);
	responder_plan(respond, &with_pkey);
	responder_before_opens(use_port_meanwhile, NULL);
	submit_perf(async, REDIRECTING_LID, &outcome);
	while (!atomic_load(&reading.opens))
		assert_true(mad_async_dispatch(async, 0, 100) >= 0);
	assert_true(reading.done_meanwhile);
	dispatch_all(async);
	assert_outcome(&outcome, 0);
	mad_async_free(async);
}

/* fork() at any point of redirects that another thread follows. */
static struct {
	struct mad_async *async;
	atomic_bool stop;
} forking;

static void *follow_redirects(void *context)
{
	while (!atomic_load(&forking.stop)) {
		for (int i = 0; i < IN_FLIGHT; i++)
			submit_perf(forking.async, REDIRECTING_LID, NULL);
		dispatch_all(forking.async);
	}
	return context;
}

static void fork_often(void)
{
	for (int i = 0; i < FORKS; i++) {
		pid_t child = fork();
		int status;

		if (!child)
			_exit(EXIT_SUCCESS);
		assert_int_equal(waitpid(child, &status, 0), child);
	}
}

/* A ring that is older than the port gives the key of the new address. */
static void fork_beside_key_ring(void)
{
	struct mad_keys *keys = mad_keys_create();
	bool with_pkey = false;
	pthread_t thread;
	void *port;

	assert_non_null(keys);
	assert_int_equal(mad_keys_set_default(keys, MAD_KEY_PERF, 1), 0);
	setup_threads(&port);
	responder_plan(respond, &with_pkey);
	forking.async = create_async(port, IN_FLIGHT, 10000, 1);
	assert_int_equal(mad_port_set_keys(port, keys), 0);
	assert_int_equal(pthread_create(&thread, NULL, follow_redirects, NULL), 0);
	fork_often();
	atomic_store(&forking.stop, true);
	assert_int_equal(pthread_join(thread, NULL), 0);
	mad_async_free(forking.async);
	teardown_port(&port);
	mad_keys_free(keys);
}

TEST(forks_beside_a_key_ring)
{
	run_in_child(fork_beside_key_ring);
}
