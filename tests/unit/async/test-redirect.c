/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Redirects that name a GID and no LID (13.5.1): while the SA is asked for a path, others are not
 * held up, and the request can be cancelled; beside other threads, and in the child of a fork().
 * What is sent and received is in requests.tbl and test-followups.c.
 */
#include "test.h"
#include "fixture.h"

#include <errno.h>
#include <infiniband/mad_keys.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define REDIRECTING_LID 5
#define FOUND_LID	9
#define REDIRECTED_QP	0x123456
#define REDIRECTED_QKEY 0x80020000
#define SM_LID		0x22
#define SMP_DATA	64
#define SA_DATA		56
#define FORKS		100
#define FORKS_LATE	40
#define IN_FLIGHT	400

/* A fabric with one port that redirects, and an SA that knows where to. */
struct fabric {
	bool sa_is_silent;
	int64_t sa_delay_us;
	bool to_lid;	/* the redirect names FOUND_LID */
	bool with_pkey; /* and a P_Key whose index is to be found */
	uint8_t info[72];
	uint8_t portinfo[64];
	uint8_t path[64];
	unsigned asked; /* PathRecord queries */
};

static const uint8_t target[16] = { 0xfe, 0x80, [9] = 2, 0xc9, 3, [15] = 7 };

static void respond_to_smp(const struct responder_request *request,
			   struct responder_response *response, struct fabric *fabric)
{
	if (request->mad[17] != IB_ATTR_PORT_INFO)
		return;
	mad_set_field(fabric->portinfo, 0, IB_PORT_LID_F, 1);
	mad_set_field(fabric->portinfo, 0, IB_PORT_SMLID_F, SM_LID);
	response->data = fabric->portinfo;
	response->data_size = sizeof(fabric->portinfo);
	response->data_offset = SMP_DATA;
}

static void respond_as_sa(const struct responder_request *request,
			  struct responder_response *response, struct fabric *fabric)
{
	fabric->asked++;
	(void)request;
	mad_set_field(fabric->path, 0, IB_SA_PR_DLID_F, FOUND_LID);
	response->silent = fabric->sa_is_silent;
	response->delay_us = fabric->sa_delay_us;
	response->data = fabric->path;
	response->data_size = sizeof(fabric->path);
	response->data_offset = SA_DATA;
}

static void redirect(struct responder_response *response, struct fabric *fabric)
{
	uint8_t gid[16];

	memcpy(gid, target, sizeof(gid));
	memset(fabric->info, 0, sizeof(fabric->info));
	mad_set_array(fabric->info, 0, IB_CPI_REDIRECT_GID_F, gid);
	if (fabric->to_lid)
		mad_set_field(fabric->info, 0, IB_CPI_REDIRECT_LID_F, FOUND_LID);
	mad_set_field(fabric->info, 0, IB_CPI_REDIRECT_QP_F, REDIRECTED_QP);
	mad_set_field(fabric->info, 0, IB_CPI_REDIRECT_QKEY_F, REDIRECTED_QKEY);
	mad_set_field(fabric->info, 0, IB_CPI_REDIRECT_PKEY_F, fabric->with_pkey ? 0x8001 : 0xffff);
	response->status = IB_MAD_STS_REDIRECT;
	response->attr_id = 1; /* ClassPortInfo */
	response->data = fabric->info;
	response->data_size = sizeof(fabric->info);
	response->data_offset = IB_PC_DATA_OFFS;
}

static void respond(const struct responder_request *request, struct responder_response *response,
		    void *context)
{
	struct fabric *fabric = context;

	if (request->mgmt_class == IB_SMI_CLASS || request->mgmt_class == IB_SMI_DIRECT_CLASS) {
		respond_to_smp(request, response, fabric);
	} else if (request->mgmt_class == IB_SA_CLASS) {
		respond_as_sa(request, response, fabric);
	} else if (request->lid == REDIRECTING_LID) {
		redirect(response, fabric);
	}
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

static uint64_t count_redirected(struct ibmad_port *port)
{
	struct mad_rpc_statistics statistics;

	assert_int_equal(mad_rpc_get_statistics(port, &statistics, sizeof(statistics)), 0);
	return statistics.redirected;
}

THREAD_TEST(is_followed_by_the_thread)
{
	struct mad_async *async = create_threaded(*state, 4, 10000, 2);
	struct outcome outcome = { .calls = 0 };
	struct fabric fabric = { .asked = 0 };

	responder_plan(respond, &fabric);
	submit_perf(async, REDIRECTING_LID, &outcome);
	dispatch_all(async);
	assert_outcome(&outcome, 0);
	assert_int_equal(outcome.lid, FOUND_LID);
	assert_int_equal(count_redirected(*state), 1);
	mad_async_free(async);
}

/* Others do not wait for it. */
PORT_TEST(sa_is_silent)
{
	struct mad_async *async = create_async(*state, 1, 100, 1);
	struct fabric fabric = { .sa_is_silent = true };
	struct outcome redirected = { .calls = 0 }, others[20];

	memset(others, 0, sizeof(others));
	responder_plan(respond, &fabric);
	submit_perf(async, REDIRECTING_LID, &redirected);
	for (int i = 0; i < 20; i++)
		submit_get(async, 10 + i, (unsigned)i, &others[i]);
	dispatch_all(async);
	assert_outcome(&redirected, ETIMEDOUT);
	for (int i = 0; i < 20; i++) {
		assert_outcome(&others[i], 0);
		assert_true(others[i].order < redirected.order);
	}
	mad_async_free(async);
}

/* The response of the SA comes later, for nobody. */
PORT_TEST(ended_while_the_sa_is_asked)
{
	for (int frees = 0; frees < 2; frees++) {
		struct mad_async *async = create_async(*state, 4, 10000, 2);
		struct fabric fabric = { .sa_delay_us = 300000 };
		struct outcome outcome = { .calls = 0 };
		ib_portid_t to = { .lid = 2 };
		uint8_t data[64] = { 0 };
		int64_t id;

		responder_plan(respond, &fabric);
		id = submit_perf(async, REDIRECTING_LID, &outcome);
		while (!fabric.asked)
			dispatch_for(async, 5);
		if (!frees) {
			assert_int_equal(mad_async_cancel(async, id), 1);
			dispatch_all(async);
		}
		mad_async_free(async);
		assert_outcome(&outcome, ECANCELED);
		sleep_ms(400);
		assert_non_null(smp_query_via(data, &to, 0x11, 2, 1000, *state));
	}
}

/* While sysfs is read, other threads use the port. */
static struct {
	struct ibmad_port *port;
	atomic_int opens, done;
	bool done_meanwhile;
} reading;

static void *use_port(void *context)
{
	count_redirected(reading.port);
	atomic_fetch_add(&reading.done, 1);
	return context;
}

static void use_port_meanwhile(const char *path, void *context)
{
	int64_t end = now_ms() + PATIENCE_MS / 2;
	pthread_t thread;

	(void)path;
	(void)context;
	if (atomic_fetch_add(&reading.opens, 1))
		return;
	assert_int_equal(pthread_create(&thread, NULL, use_port, NULL), 0);
	while (!atomic_load(&reading.done) && now_ms() < end)
		sleep_ms(1);
	reading.done_meanwhile = atomic_load(&reading.done);
	pthread_detach(thread);
}

THREAD_TEST(pkey_of_the_new_address)
{
	struct mad_async *async = create_async(*state, 4, 10000, 2);
	struct fabric fabric = { .to_lid = true, .with_pkey = true };
	struct outcome outcome = { .calls = 0 };

	reading.port = *state;
	atomic_store(&reading.opens, 0);
	atomic_store(&reading.done, 0);
	responder_plan(respond, &fabric);
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
	struct ibmad_port *port;
	struct mad_async *async;
	struct fabric fabric;
	atomic_bool stop;
} forking;

static void submit_redirected(void)
{
	for (int i = 0; i < IN_FLIGHT; i++)
		submit_perf(forking.async, REDIRECTING_LID, NULL);
}

static void *follow_redirects(void *context)
{
	do {
		submit_redirected();
		dispatch_all(forking.async);
	} while (!atomic_load(&forking.stop));
	return context;
}

static void open_forking(struct fabric fabric)
{
	void *port;

	setup_threads(&port);
	memset(&forking, 0, sizeof(forking));
	forking.port = port;
	forking.fabric = fabric;
	responder_plan(respond, &forking.fabric);
	forking.async = create_async(port, IN_FLIGHT, 10000, 1);
}

static void close_forking(void)
{
	void *port = forking.port;

	mad_async_free(forking.async);
	teardown_port(&port);
}

static pthread_t start_thread(void)
{
	pthread_t thread;

	assert_int_equal(pthread_create(&thread, NULL, follow_redirects, NULL), 0);
	return thread;
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
	pthread_t thread;

	assert_non_null(keys);
	assert_int_equal(mad_keys_set_default(keys, MAD_KEY_PERF, 1), 0);
	open_forking((struct fabric){ .to_lid = true });
	assert_int_equal(mad_port_set_keys(forking.port, keys), 0);
	thread = start_thread();
	fork_often();
	atomic_store(&forking.stop, true);
	assert_int_equal(pthread_join(thread, NULL), 0);
	close_forking();
	mad_keys_free(keys);
}

TEST(forks_beside_a_key_ring)
{
	run_in_child(fork_beside_key_ring);
}

static void finish_in_child(void)
{
	dispatch_all(forking.async);
	mad_async_free(forking.async);
	mad_rpc_close_port(forking.port);
}

/* Before the SA responds no callback runs. */
TEST(forks_while_gids_are_resolved)
{
	pthread_t thread;

	open_forking((struct fabric){ .sa_delay_us = 30000 });
	atomic_store(&forking.stop, true);
	for (int i = 0; i < FORKS_LATE; i++) {
		unsigned writes = responder_writes();

		thread = start_thread();
		while (responder_writes() < writes + (unsigned)i * IN_FLIGHT * 3 / FORKS_LATE)
			sched_yield();
		run_in_child(finish_in_child);
		assert_int_equal(pthread_join(thread, NULL), 0);
	}
	close_forking();
}
