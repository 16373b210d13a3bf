/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * What a kernel sends of an agent at a time, from Linux 6.17 on, is shared by all users of a port:
 * nothing is held back there. One object by itself is in steps.tbl.
 */
#include "test.h"
#include "fixture.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* On a kernel that limits its agents, as from Linux 6.17 on. */
static int setup_limited(void **state)
{
	setup_threads(state);
	mad_rpc_close_port(*state);
	responder_act_as_kernel();
	responder_limits_agents();
	*state = open_port("mlx5_0");
	return 0;
}

#define LIMITED_TEST(name) TEST_WITH(name, setup_limited, teardown_port)

enum { USERS = 3, OF_EACH = 40, CALLERS = 24, CALLS = 3 };

/* Fails where a request has left so late that its response would be. */
static void *call_the_sa(void *port)
{
	uint8_t record[IB_SA_DATA_SIZE] = { 0 };
	ib_rpc_v1_t rpc = { .mgtclass = IB_SA_CLASS, .method = IB_MAD_METHOD_GET };
	ib_portid_t to = { .lid = 1, .qp = 1 };
	intptr_t failed = 0;

	rpc.attr.id = 0x11;
	rpc.timeout = 250;
	rpc.dataoffs = IB_SA_DATA_OFFS;
	rpc.datasz = IB_SA_DATA_SIZE;
	for (int i = 0; i < CALLS; i++)
		failed += !mad_rpc(port, (ib_rpc_t *)&rpc, &to, NULL, record);
	return (void *)failed; /* NOLINT(performance-no-int-to-ptr) */
}

static void submit_to_sa(struct mad_async *async, struct outcome outcomes[OF_EACH])
{
	ib_rpc_t rpc = { .mgtclass = IB_SA_CLASS, .method = IB_MAD_METHOD_GET };
	ib_portid_t to = { .lid = 1, .qp = 1 };

	for (int i = 0; i < OF_EACH; i++)
		assert_true(mad_async_submit(async, ASYNC_TO(&to, note_outcome, &outcomes[i]), &rpc,
					     NULL) > 0);
}

/* Several objects on one port, and threads in blocking calls, share what the agent has. */
static void check_shared(struct ibmad_port *port, bool has_threads)
{
	static struct outcome outcomes[USERS][OF_EACH];
	struct mad_async *users[USERS];
	pthread_t callers[CALLERS];
	void *failed;

	memset(outcomes, 0, sizeof(outcomes));
	respond_after(40);
	mad_rpc_set_retries(port, 1);
	for (int i = 0; i < USERS; i++)
		users[i] = has_threads ? create_threaded(port, 0, 250, 1)
				       : create_async(port, 0, 250, 1);
	for (int i = 0; i < CALLERS; i++)
		assert_int_equal(pthread_create(&callers[i], NULL, call_the_sa, port), 0);
	for (int i = 0; i < USERS; i++)
		submit_to_sa(users[i], outcomes[i]);
	for (int i = 0; i < USERS; i++)
		dispatch_all(users[i]);
	for (int i = 0; i < CALLERS; i++) {
		pthread_join(callers[i], &failed);
		assert_null(failed);
	}
	for (int i = 0; i < USERS; i++) {
		for (int j = 0; j < OF_EACH; j++)
			assert_outcome(&outcomes[i][j], 0);
		mad_async_free(users[i]);
	}
	assert_int_equal(responder_held_back(), 0);
	assert_int_equal(responder_writes(), USERS * OF_EACH + CALLERS * CALLS);
}

LIMITED_TEST(shared_by_all_users_of_a_port)
{
	check_shared(*state, false);
}

LIMITED_TEST(shared_by_all_users_of_a_port_with_threads)
{
	check_shared(*state, true);
}

/* Of 150 requests at once, each to another port, so many leave: a quarter of the length of queue
 * pair 0 (512), and a 32nd of that of queue pair 1 to the SA. */
LIMITED_TEST(limit_of_each_class)
{
	enum { AT_ONCE = 150 };
	static const struct {
		int mgmt_class;
		unsigned leave;
	} rows[] = { { IB_SMI_CLASS, 128 },
		     { IB_SMI_DIRECT_CLASS, 128 },
		     { IB_SA_CLASS, 16 },
		     { IB_PERFORMANCE_CLASS, AT_ONCE } };
	static struct outcome outcomes[AT_ONCE];

	respond_after(40);
	for (size_t row = 0; row < sizeof(rows) / sizeof(rows[0]); row++) {
		struct mad_async *async = create_async(*state, 2 * AT_ONCE, 2000, 1);
		ib_rpc_t rpc = { .mgtclass = rows[row].mgmt_class, .method = IB_MAD_METHOD_GET };
		unsigned before = responder_writes();

		memset(outcomes, 0, sizeof(outcomes));
		for (int i = 0; i < AT_ONCE; i++) {
			ib_portid_t to = { .lid = 1 + i,
					   .drpath = { .cnt = 1, .p = { 0, 1 + i } } };

			assert_true(mad_async_submit(async,
						     ASYNC_TO(&to, note_outcome, &outcomes[i]),
						     &rpc, NULL) > 0);
		}
		assert_int_equal(responder_writes() - before, rows[row].leave);
		dispatch_all(async);
		for (int i = 0; i < AT_ONCE; i++)
			assert_outcome(&outcomes[i], 0);
		mad_async_free(async);
	}
	assert_int_equal(responder_held_back(), 0);
}

/* Nobody works for those that were submitted first. */
LIMITED_TEST(blocking_beside_requests_that_wait)
{
	static struct outcome outcomes[OF_EACH];
	struct mad_async *async = create_async(*state, 0, 250, 1);

	memset(outcomes, 0, sizeof(outcomes));
	submit_to_sa(async, outcomes);
	assert_null(call_the_sa(*state));
	dispatch_all(async);
	for (int i = 0; i < OF_EACH; i++)
		assert_outcome(&outcomes[i], 0);
	mad_async_free(async);
	assert_int_equal(responder_held_back(), 0);
}

/* Nor for those that are in flight, which the kernel returns. */
LIMITED_TEST(blocking_beside_requests_that_are_returned)
{
	static struct outcome outcomes[OF_EACH];
	struct mad_async *async = create_async(*state, 0, 50, 2);

	memset(outcomes, 0, sizeof(outcomes));
	responder_plan(never_respond, NULL);
	submit_to_sa(async, outcomes);
	responder_plan(NULL, NULL);
	assert_null(call_the_sa(*state));
	dispatch_all(async);
	assert_int_equal(responder_refused(), 0);
	mad_async_free(async);
}

/* In the child of a fork nobody has a place of the agent, nor waits for one. */
LIMITED_TEST(child_of_callers_that_wait)
{
	pthread_t callers[CALLERS];
	void *failed;
	int status;
	pid_t child;

	responder_plan(never_respond, NULL);
	for (int i = 0; i < CALLERS; i++)
		assert_int_equal(pthread_create(&callers[i], NULL, call_the_sa, *state), 0);
	wait_until_others_sleep();
	child = fork();
	if (!child) {
		responder_plan(NULL, NULL);
		_exit(call_the_sa(*state) ? EXIT_FAILURE : EXIT_SUCCESS);
	}
	for (int i = 0; i < CALLERS; i++) {
		pthread_join(callers[i], &failed);
		assert_non_null(failed);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
}
