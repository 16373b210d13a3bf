/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * bench-rpc LIBIBUMAD LIBIBMAD instructions|heap|stack|tables|queued|ports
 *
 * What requests cost on a device that responds at once (mirror.h); the host is the one that a
 * preloaded library shows. heap and stack print a name and a figure a line; the others make the
 * requests between marks (marks.h). tables, queued and ports are about growth: they do the same for
 * few and for many. Ends with PAIR_HAS_NONE where the pair has no such function.
 */
#include "../lib/async-request.h"
#include "heap.h"
#include "marks.h"
#include "mirror.h"
#include "pair.h"
#include "stack.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define WARM	   100
#define REQUESTS   1000
#define FEW	   1000 /* records, queued requests */
#define MANY	   10000
#define PEERS	   100 /* that queued requests go to */
#define PORTS_MANY 32
#define NODE_SIZE  112 /* of a NodeRecord with its padding */

static struct pair pair;
static struct ibmad_port *port;

static void give_up(const char *what)
{
	fprintf(stderr, "%s: %s\n", what, strerror(errno));
	exit(EXIT_FAILURE);
}

static struct ibmad_port *open_port(void)
{
	int classes[] = { IB_SMI_CLASS, IB_SMI_DIRECT_CLASS, IB_SA_CLASS, IB_PERFORMANCE_CLASS };
	struct ibmad_port *opened =
		pair.mad_rpc_open_port(NULL, 0, classes, sizeof(classes) / sizeof(classes[0]));

	if (!opened)
		give_up("mad_rpc_open_port");
	return opened;
}

/* The requests. Their frames are small, since stack_used() counts them in. */

static void query_by_lid(void *context)
{
	static ib_portid_t to = { .lid = 7 };
	static uint8_t data[IB_SMP_DATA_SIZE];

	(void)context;
	if (!pair.smp_query_via(data, &to, IB_ATTR_NODE_INFO, 0, 1000, port))
		give_up("smp_query_via");
}

static void query_by_route(void *context)
{
	static ib_portid_t to = { .drpath = { .cnt = 3, .p = { 0, 1, 2, 3 } } };
	static uint8_t data[IB_SMP_DATA_SIZE];

	(void)context;
	if (!pair.smp_query_via(data, &to, IB_ATTR_NODE_INFO, 0, 1000, port))
		give_up("smp_query_via, directed route");
}

static void query_counters(void *context)
{
	static ib_portid_t to = { .lid = 7, .qp = 1, .qkey = IB_DEFAULT_QP1_QKEY };
	static uint8_t data[1024];

	(void)context;
	if (!pair.pma_query_via(data, &to, 1, 1000, IB_GSI_PORT_COUNTERS, port))
		give_up("pma_query_via");
}

static void call_sa(void *context)
{
	static ib_portid_t to = { .lid = 7, .qp = 1, .qkey = IB_DEFAULT_QP1_QKEY };
	static uint8_t data[1024];
	static ib_sa_call_t sa = { .attrid = IB_SA_ATTR_PATHRECORD, .method = IB_MAD_METHOD_GET };

	(void)context;
	sa.trid = 0;
	if (!pair.sa_rpc_call(port, data, &to, &sa, 1000))
		give_up("sa_rpc_call");
}

static const struct {
	const char *name;
	void (*make)(void *context);
} requests[] = {
	{ "smp_query_via", query_by_lid },
	{ "smp_query_via by directed route", query_by_route },
	{ "pma_query_via", query_counters },
	{ "sa_rpc_call", call_sa },
};

static void repeat(void (*make)(void *context), unsigned times)
{
	for (unsigned i = 0; i < times; i++)
		make(NULL);
}

static void mark_instructions(void)
{
	for (size_t i = 0; i < sizeof(requests) / sizeof(requests[0]); i++) {
		repeat(requests[i].make, WARM);
		mark_begin(requests[i].name, REQUESTS);
		repeat(requests[i].make, REQUESTS);
		mark_end();
	}
}

static void print_heap(void)
{
	unsigned long calls = heap_calls();

	pair.mad_rpc_close_port(open_port());
	if (heap_calls() == calls) {
		fprintf(stderr, "opening a port allocates, and was not seen to\n");
		exit(EXIT_FAILURE);
	}
	for (size_t i = 0; i < sizeof(requests) / sizeof(requests[0]); i++) {
		unsigned long before;

		repeat(requests[i].make, WARM);
		before = heap_calls();
		repeat(requests[i].make, REQUESTS);
		printf("%s\t%g\n", requests[i].name, (double)(heap_calls() - before) / REQUESTS);
	}
}

static void print_stack(void)
{
	for (size_t i = 0; i < sizeof(requests) / sizeof(requests[0]); i++) {
		repeat(requests[i].make, WARM);
		printf("%s\t%zu\n", requests[i].name, stack_used(requests[i].make, NULL));
	}
}

/* One table of so many NodeRecords, and each of them in host order. */
static void read_table(unsigned count)
{
	struct mad_sa_request query = { .attr_id = IB_SA_ATTR_NODERECORD, .timeout_ms = 1000 };
	ib_portid_t sm = { .lid = 7 };
	struct mad_sa_table *table;
	struct mad_sa_node node;

	table = pair.mad_sa_query(port, &sm, &query, sizeof(query), NULL);
	if (!table)
		give_up("mad_sa_query");
	if (pair.mad_sa_table_count(table) != count) {
		fprintf(stderr, "%u records came\n", pair.mad_sa_table_count(table));
		exit(EXIT_FAILURE);
	}
	for (unsigned i = 0; i < count; i++)
		if (pair.mad_sa_get_node(table, i, &node, sizeof(node)))
			give_up("mad_sa_get_node");
	pair.mad_sa_table_free(table);
}

static void mark_table(unsigned count, const char *name)
{
	if (mirror_set_records(count, NODE_SIZE))
		give_up("records");
	read_table(count);
	mark_begin(name, count);
	read_table(count);
	mark_end();
}

static void mark_tables(void)
{
	if (!pair.mad_sa_query)
		exit(PAIR_HAS_NONE);
	mark_table(FEW, "few");
	mark_table(MANY, "many");
}

static void check_result(struct mad_async *async, const struct mad_async_result *result,
			 void *context)
{
	(void)async;
	(void)context;
	errno = result->error;
	if (errno)
		give_up("asynchronous request");
}

static void run_queued(struct mad_async *async, unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		ib_portid_t to = { .lid = 1 + (int)(i % PEERS) };

		if (pair.mad_async_smp(async, ASYNC_TO(&to, check_result, NULL), IB_ATTR_NODE_INFO,
				       i, NULL) < 0)
			give_up("mad_async_smp");
	}
	while (pair.mad_async_pending(async))
		if (pair.mad_async_dispatch(async, 0, -1) < 0)
			give_up("mad_async_dispatch");
}

static void mark_queued(void)
{
	struct mad_async_options options = { .window = 64, .timeout_ms = 60000 };
	struct mad_async *async;

	if (!pair.mad_async_create)
		exit(PAIR_HAS_NONE);
	async = pair.mad_async_create(port, &options, sizeof(options));
	if (!async)
		give_up("mad_async_create");
	run_queued(async, MANY);
	mark_begin("few", FEW);
	run_queued(async, FEW);
	mark_end();
	mark_begin("many", MANY);
	run_queued(async, MANY);
	mark_end();
	pair.mad_async_free(async);
}

static void mark_ports(void)
{
	struct ibmad_port *others[PORTS_MANY];

	repeat(query_by_lid, WARM);
	mark_begin("few", REQUESTS);
	repeat(query_by_lid, REQUESTS);
	mark_end();
	for (unsigned i = 0; i < PORTS_MANY; i++)
		others[i] = open_port();
	repeat(query_by_lid, WARM);
	mark_begin("many", REQUESTS);
	repeat(query_by_lid, REQUESTS);
	mark_end();
	for (unsigned i = 0; i < PORTS_MANY; i++)
		pair.mad_rpc_close_port(others[i]);
}

static const struct {
	const char *name;
	void (*make)(void);
} jobs[] = {
	{ "instructions", mark_instructions },
	{ "heap", print_heap },
	{ "stack", print_stack },
	{ "tables", mark_tables },
	{ "queued", mark_queued },
	{ "ports", mark_ports },
};

int main(int argc, char **argv)
{
	for (size_t i = 0; argc == 4 && i < sizeof(jobs) / sizeof(jobs[0]); i++) {
		if (strcmp(jobs[i].name, argv[3]) != 0)
			continue;
		pair_load(&pair, argv[1], argv[2], false);
		port = open_port();
		jobs[i].make();
		pair.mad_rpc_close_port(port);
		return EXIT_SUCCESS;
	}
	fprintf(stderr,
		"usage: %s LIBIBUMAD LIBIBMAD instructions|heap|stack|tables|queued|ports\n",
		argv[0]);
	return 2;
}
