/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * sa_key_set(): the SM_Key of a port goes into the SA header of every SA request that the library
 * makes, and nothing else changes. Requests that a program makes itself are sent as they are.
 */
#include "test.h"
#include "fakeumad.h"

#include <errno.h>
#include <infiniband/mad.h>
#include "tests/lib/async-request.h"
#include <infiniband/mad_sa.h>
#include <string.h>

#define TIMEOUT_MS 20
#define TID_AT	   8
#define SM_KEY_AT  36 /* of the SA header (15.2.1.1) */

static const uint64_t key = UINT64_C(0x0123456789abcdef);
static const uint8_t key_bytes[] = { 0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef };
static const uint8_t other_bytes[] = { 0xfe, 0xdc, 0xba, 0x98, 0x76, 0x54, 0x32, 0x10 };
static const uint8_t no_key[8];

/* The address of the SM, and a buffer of which each request needs no more than a part. */
static ib_portid_t sm;
static uint8_t data[256];
static uint8_t gid[16] = { 0xfe, 0x80, [15] = 9 };

/* Responds to everything. An SA response holds one record of 64 bytes with an LID where a path has
 * it. */
static int respond_to_all(const struct fakeumad_request *request, void *context)
{
	static const uint8_t table[] = { 1, 1, 7, 0, 0, 0, 0, 1, 0, 0, 0, 20 + 64 };
	uint8_t response[256 - 24] = { 0 };
	struct fakeumad_reply reply = { .data = response,
					.data_size = sizeof(response),
					.data_offset = 24 };

	(void)context;
	if (request->mad[3] == IB_MAD_METHOD_GET_TABLE)
		memcpy(response, table, sizeof(table));
	response[45 - 24] = 8;
	response[56 - 24 + 41] = 5;
	fakeumad_reply(request, &reply);
	return 0;
}

static int setup(void **state)
{
	int result = fakeumad_setup(state);

	sm = (ib_portid_t){ .lid = 7 };
	memset(data, 0, sizeof(data));
	if (!result)
		fakeumad_respond_with(respond_to_all, NULL);
	return result;
}

static void call_sa(struct ibmad_port *port)
{
	ib_sa_call_t sa = { .attrid = 0x35, .mod = 1, .mask = 0x1122, .method = 1 };

	assert_ptr_equal(sa_rpc_call(port, data, &sm, &sa, TIMEOUT_MS), data);
}

static void call_sa_with_rmpp(struct ibmad_port *port)
{
	ib_sa_call_t sa = { .attrid = 0x11, .method = IB_MAD_METHOD_GET_TABLE };

	sa.rmpp.type = IB_RMPP_TYPE_DATA;
	sa.rmpp.flags = IB_RMPP_FLAG_ACTIVE;
	assert_ptr_equal(sa_rpc_call(port, data, &sm, &sa, TIMEOUT_MS), data);
}

static void call_path_query(struct ibmad_port *port)
{
	assert_int_equal(ib_path_query_via(port, gid, gid, &sm, data), 5);
}

static void call_node_query(struct ibmad_port *port)
{
	assert_int_equal(ib_node_query_via(port, 9, &sm, data), 0);
}

static void call_table(struct ibmad_port *port)
{
	struct mad_sa_request query = { .attr_id = 0x11, .timeout_ms = TIMEOUT_MS };
	struct mad_sa_table *table;

	assert_non_null(table = mad_sa_query(port, &sm, &query, sizeof(query), NULL));
	assert_int_equal(mad_sa_table_count(table), 1);
	mad_sa_table_free(table);
}

static void call_nodes(struct ibmad_port *port)
{
	struct mad_sa_table *table;

	assert_non_null(table = mad_sa_query_all(port, &sm, IB_SA_ATTR_NODERECORD, TIMEOUT_MS));
	mad_sa_table_free(table);
}

static void count_call(struct mad_async *async, const struct mad_async_result *result,
		       void *context)
{
	(void)async;
	assert_int_equal(result->error, 0);
	++*(int *)context;
}

static void call_asynchronously(struct ibmad_port *port)
{
	struct mad_async *async = mad_async_create(port, NULL, 0);
	ib_sa_call_t sa = { .attrid = 0x35, .mod = 1, .mask = 0x1122, .method = 1 };
	int calls = 0;

	assert_non_null(async);
	assert_true(mad_async_sa(async, ASYNC_TO(&sm, count_call, &calls), &sa, data) > 0);
	while (!calls)
		assert_true(mad_async_dispatch(async, 0, 1000) >= 0);
	mad_async_free(async);
}

static void call_for_a_gid(struct ibmad_port *port)
{
	ib_portid_t to = { 0 };

	assert_int_equal(ib_resolve_gid_via(&to, gid, &sm, TIMEOUT_MS, port), 0);
	assert_int_equal(to.lid, 5);
}

static bool is_for_sa(int number)
{
	return fakeumad_written(number)[FAKEUMAD_HEADER + 1] == IB_SA_CLASS;
}

/* Both packets, but for what differs between any two of them, and the key. */
static void assert_same_but_for_key(int number, int other)
{
	uint8_t first[FAKEUMAD_PACKET], second[FAKEUMAD_PACKET];

	memcpy(first, fakeumad_written(number), sizeof(first));
	memcpy(second, fakeumad_written(other), sizeof(second));
	memset(first + FAKEUMAD_HEADER + TID_AT, 0, 8);
	memset(second + FAKEUMAD_HEADER + TID_AT, 0, 8);
	memset(first + FAKEUMAD_HEADER + SM_KEY_AT, 0, 8);
	memset(second + FAKEUMAD_HEADER + SM_KEY_AT, 0, 8);
	assert_memory_equal(first, second, sizeof(first));
}

static void assert_key(int number, const uint8_t *expected)
{
	assert_memory_equal(fakeumad_written(number) + FAKEUMAD_HEADER + SM_KEY_AT, expected, 8);
}

/* Makes a request without a key, with one, and again without; it may take several packets. */
static void compare_turns(struct ibmad_port *port, void (*call)(struct ibmad_port *port))
{
	int before = fakeumad_writes(), packets = 0, for_sa = 0;

	for (int turn = 0; turn < 3; turn++) {
		int begin = fakeumad_writes();

		sa_key_set(port, turn == 1 ? key : 0);
		memset(data, 0, sizeof(data));
		call(port);
		if (!turn)
			packets = fakeumad_writes() - begin;
		assert_int_equal(fakeumad_writes() - begin, packets);
		for (int i = 1; i <= packets; i++) {
			assert_same_but_for_key(before + i, begin + i);
			if (is_for_sa(begin + i)) {
				assert_key(begin + i, turn == 1 ? key_bytes : no_key);
				for_sa++;
			}
		}
	}
	assert_int_equal(for_sa, 3);
}

#define CASE(name) TEST_WITH(name, setup, fakeumad_teardown)

CASE(every_kind_of_request)
{
	static void (*const kinds[])(struct ibmad_port * port) = {
		call_sa,    call_sa_with_rmpp, call_path_query,	    call_node_query,
		call_table, call_nodes,	       call_asynchronously, call_for_a_gid,
	};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		compare_turns(*state, kinds[i]);
}

/* The key that a query brings along comes before that of the port. */
CASE(key_of_a_query)
{
	struct mad_sa_request query = { .attr_id = 0x11,
					.timeout_ms = TIMEOUT_MS,
					.sm_key = UINT64_C(0xfedcba9876543210) };
	struct mad_sa_table *table;

	sa_key_set(*state, key);
	assert_non_null(table = mad_sa_query(*state, &sm, &query, sizeof(query), NULL));
	mad_sa_table_free(table);
	assert_key(1, other_bytes);
}

/* The M_Key is another key: neither goes with the requests of the other class. */
CASE(apart_from_the_m_key)
{
	ib_portid_t to = { .lid = 7 };

	sa_key_set(*state, key);
	assert_true(smp_mkey_get(*state) == 0);
	assert_non_null(smp_query_via(data, &to, IB_ATTR_NODE_INFO, 0, TIMEOUT_MS, *state));
	assert_memory_equal(fakeumad_written(1) + FAKEUMAD_HEADER + 24, no_key, 8);
	sa_key_set(*state, 0);
	smp_mkey_set(*state, key);
	assert_true(sa_key_get(*state) == 0);
	call_sa(*state);
	assert_key(2, no_key);
	assert_memory_equal(fakeumad_written(2) + FAKEUMAD_HEADER + 24, no_key, 8);
}

CASE(other_classes_have_no_key)
{
	ib_portid_t to = { .lid = 7 };

	assert_non_null(pma_query_via(data, &to, 1, TIMEOUT_MS, IB_GSI_PORT_COUNTERS, *state));
	sa_key_set(*state, key);
	memset(data, 0, sizeof(data));
	assert_non_null(pma_query_via(data, &to, 1, TIMEOUT_MS, IB_GSI_PORT_COUNTERS, *state));
	assert_same_but_for_key(1, 2);
	assert_key(2, fakeumad_written(1) + FAKEUMAD_HEADER + SM_KEY_AT);
}

/* mad_rpc() and mad_rpc_rmpp() send what the program has made. */
CASE(requests_of_the_program)
{
	ib_rpc_t rpc = { .mgtclass = IB_SA_CLASS,
			 .method = 1,
			 .attr.id = 0x35,
			 .timeout = TIMEOUT_MS,
			 .dataoffs = IB_SA_DATA_OFFS,
			 .datasz = 64 };
	ib_portid_t to = { .lid = 7, .qp = 1, .qkey = IB_DEFAULT_QP1_QKEY };

	sa_key_set(*state, key);
	assert_non_null(mad_rpc(*state, &rpc, &to, data, data));
	assert_non_null(mad_rpc_rmpp(*state, &rpc, &to, NULL, data));
	assert_key(1, no_key);
	assert_key(2, no_key);
}

/* No response at first: the repeated request has the key as well. */
static int respond_the_second(const struct fakeumad_request *request, void *context)
{
	return request->number > 1 ? respond_to_all(request, context) : 0;
}

CASE(retries_have_it)
{
	fakeumad_respond_with(respond_the_second, NULL);
	sa_key_set(*state, key);
	call_sa(*state);
	assert_int_equal(fakeumad_writes(), 2);
	assert_key(1, key_bytes);
	assert_key(2, key_bytes);
}

CASE(one_port_is_not_another)
{
	assert_true(sa_key_get(*state) == 0);
	sa_key_set(*state, UINT64_MAX);
	assert_true(sa_key_get(*state) == UINT64_MAX);
	errno = 0;
	sa_key_set(NULL, key);
	assert_true(sa_key_get(NULL) == 0);
	assert_true(sa_key_get(*state) == UINT64_MAX);
	assert_int_equal(errno, 0);
}
