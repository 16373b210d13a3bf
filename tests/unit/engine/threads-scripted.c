/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The threads of threads.c on the scripted kernel of tests/unit, which responds out of order, and
 * in a second round also doubles responses and adds unsolicited ones. sanitized.sh builds this with
 * ThreadSanitizer.
 */
#include "test.h"
#include "fakeumad.h"
#include "queries.h"

#include <errno.h>
#include <infiniband/mad_sa.h>
#include <infiniband/umad.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#define THREADS	     16
#define QUERIES_EACH 200
#define LIDS	     40
#define TABLE_NODES  60
#define NODE_STRIDE  112
#define SA_DATA	     56
#define SMP_DATA     64
#define UMAD_LID     offsetof(struct ib_user_mad, addr.lid)

/* What the kernel does besides responding. */
struct disturbance {
	bool disturbs;
	atomic_uint extra; /* unsolicited MADs */
};

/* 32 bits that follow from some bytes of the request, and differ where those do. */
static uint32_t mix(const uint8_t *bytes, size_t size, uint32_t value)
{
	for (size_t i = 0; i < size; i++)
		value = (value ^ bytes[i]) * 0x01000193 + (value >> 15);
	return value;
}

/* The values that determine a response: LID, class, attribute, modifier, path and record, but no
 * keys. */
static uint32_t seed_of(const struct fakeumad_request *request)
{
	const uint8_t *mad = request->mad;
	uint32_t seed = mix(request->packet + UMAD_LID, 2, mad[1]);

	seed = mix(mad + 16, 2, seed);
	seed = mix(mad + 20, 4, seed);
	if (mad[1] == IB_SMI_DIRECT_CLASS)
		seed = mix(mad + 128, 64, seed); /* initial path */
	return mad[1] == IB_SA_CLASS ? mix(mad + SA_DATA, 64, seed) : seed;
}

static void fill(uint8_t *bytes, size_t size, uint32_t seed)
{
	for (size_t i = 0; i < size; i++) {
		seed = seed * 1664525 + 1013904223;
		bytes[i] = (uint8_t)(seed >> 24);
	}
}

static void give_table(const struct fakeumad_request *request, struct fakeumad_reply *reply)
{
	uint8_t tail[32 + TABLE_NODES * NODE_STRIDE] = { 1, 1, 0xf8 | 3 };

	tail[21] = NODE_STRIDE / 8;
	fill(tail + 32, sizeof(tail) - 32, 1);
	reply->data = tail;
	reply->data_size = sizeof(tail);
	reply->data_offset = 24;
	reply->length = 24 + sizeof(tail);
	fakeumad_reply(request, reply);
}

static int response(const struct fakeumad_request *request, void *context)
{
	struct disturbance *disturbance = context;
	bool is_sa = request->mad[1] == IB_SA_CLASS;
	/* a response of 192 bytes would overwrite the path of a directed route SMP */
	uint8_t data[SMP_DATA > 108 ? SMP_DATA : 108];
	struct fakeumad_reply reply = { .delay_ms = request->number * 7 % 4,
					.data = data,
					.data_size = is_sa ? sizeof(data) : SMP_DATA,
					.data_offset = is_sa ? SA_DATA : SMP_DATA };

	if (disturbance->disturbs && request->number % 5 == 0) {
		reply.copies = 2;
		atomic_fetch_add(&disturbance->extra, 1);
	}
	if (request->mad[3] == IB_MAD_METHOD_GET_TABLE) {
		give_table(request, &reply);
		return 0;
	}
	fill(data, sizeof(data), seed_of(request));
	fakeumad_reply(request, &reply);
	if (disturbance->disturbs && request->number % 7 == 0) {
		reply.copies = 1;
		reply.tid_change = 0x40000000;
		fakeumad_reply(request, &reply);
		atomic_fetch_add(&disturbance->extra, 1);
	}
	return 0;
}

static void make_list(struct query_list *list)
{
	list->sm = (ib_portid_t){ .lid = 1 };
	for (int i = 1; i <= LIDS; i++) {
		ib_portid_t by_lid = { .lid = i }, by_path = { .drpath = { .cnt = 1 + i % 5 } };
		struct query *query = query_add(list, QUERY_PATH);

		query->sgid[15] = 1;
		query->dgid[15] = (uint8_t)i;
		query_add(list, QUERY_NODE)->guid = (uint64_t)i;
		query = query_add(list, QUERY_PERF);
		query->to = by_lid;
		query->mod = 1;
		query_add_smp(list, &by_lid, IB_ATTR_NODE_INFO, 0);
		query_add_smp(list, &by_lid, IB_ATTR_PORT_INFO, (unsigned)i % 3);
		for (int hop = 1; hop <= by_path.drpath.cnt; hop++)
			by_path.drpath.p[hop] = (uint8_t)(i + hop);
		query_add_smp(list, &by_path, IB_ATTR_NODE_INFO, 0);
		query_add_smp(list, &by_path, IB_ATTR_SWITCH_INFO, 0);
	}
	query_add(list, QUERY_TABLE);
}

static bool are_different(const struct query_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		for (size_t j = 0; j < i; j++)
			if (!memcmp(list->queries[i].response, list->queries[j].response, 16))
				return false;
	return true;
}

/* Runs the crew with what the kernel does besides; returns how the statistics went on. */
static struct mad_rpc_statistics run(struct ibmad_port *port, struct disturbance *disturbance)
{
	struct query_list list = { 0 };
	struct query_crew crew = {
		.port = port, .list = &list, .threads = THREADS, .queries_each = QUERIES_EACH
	};
	struct disturbance none = { .disturbs = false };
	struct mad_rpc_statistics before, after;

	mad_rpc_set_timeout(port, QUERY_TIMEOUT_MS);
	make_list(&list);
	fakeumad_respond_with(response, &none);
	assert_int_equal(query_list_ask(port, &list), 0);
	assert_true(are_different(&list));
	assert_int_equal(mad_rpc_get_statistics(port, &before, sizeof(before)), 0);
	fakeumad_respond_with(response, disturbance);
	assert_int_equal(query_crews_run(&crew, 1), 0);
	assert_int_equal(mad_rpc_get_statistics(port, &after, sizeof(after)), 0);
	if (!disturbance->disturbs)
		assert_true(query_statistics_are(port, &before, THREADS * QUERIES_EACH));
	query_list_free(&list);
	after.sent -= before.sent;
	after.received -= before.received;
	return after;
}

FAKEUMAD_TEST(out_of_order)
{
	struct disturbance none = { .disturbs = false };

	run(*state, &none);
}

FAKEUMAD_TEST(doubled_and_foreign)
{
	struct disturbance disturbance = { .disturbs = true };
	struct mad_rpc_statistics after = run(*state, &disturbance);
	unsigned extra = atomic_load(&disturbance.extra);

	assert_int_equal(after.sent, THREADS * QUERIES_EACH);
	assert_int_equal(after.timeouts + after.retries + after.errors + after.redirected, 0);
	/* The last ones may still be on their way. */
	assert_between(after.received - after.sent, extra - 2 * THREADS, extra);
	assert_between(after.unmatched, extra - 2 * THREADS, extra);
}

/* Comes last: the default port stays open. */
TEST(default_port)
{
	int classes[] = { IB_SMI_CLASS, IB_SMI_DIRECT_CLASS, IB_SA_CLASS, IB_PERFORMANCE_CLASS };
	struct disturbance disturbance = { .disturbs = true };
	struct disturbance none = { .disturbs = false };
	struct query_list list = { 0 };
	struct ibmad_port *port;

	fakeumad_reset();
	port = fakeumad_port();
	make_list(&list);
	fakeumad_respond_with(response, &none);
	assert_int_equal(query_list_ask(port, &list), 0);
	mad_rpc_close_port(port);
	madrpc_init(NULL, 0, classes, 4);
	fakeumad_respond_with(response, &disturbance);
	assert_int_equal(query_safely_run(&list, THREADS, 30), 0);
	query_list_free(&list);
	fakeumad_check();
}
