/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Many threads send mixed queries on the simulated fabric, and every response has to be the one
 *that a single thread got before: SMPs by LID and by directed route, port counters, paths, nodes
 *and whole tables from the SA. threads.sh starts the fabric and gives each port a counter of its
 *own.
 *
 *	threads one-port	16 threads, 2,000 queries each, on one port
 *	threads several-ports	4 threads on each of 4 ports, one for each class
 *	threads default-port	madrpc_lock() and the safe_* calls, 8 threads
 */
#include "queries.h"

#include <errno.h>
#include <infiniband/mad_sa.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define THREADS		16
#define QUERIES_EACH	2000
#define CLASSES		4
#define LOCKING_THREADS 8
#define LOCKING_ROUNDS	100
#define NODES_MAX	64
#define PORT_ACTIVE	4
#define NODE_IS_SWITCH	2

static void fail(const char *what)
{
	fprintf(stderr, "threads: %s: %s\n", what, strerror(errno));
	exit(1);
}

static int classes[] = { IB_SMI_CLASS, IB_SMI_DIRECT_CLASS, IB_SA_CLASS, IB_PERFORMANCE_CLASS };

static struct ibmad_port *open_port(int *its_classes, int count)
{
	struct ibmad_port *port = mad_rpc_open_port(NULL, 0, its_classes, count);

	if (!port)
		fail("no port");
	/* Long enough for a busy machine. */
	mad_rpc_set_timeout(port, QUERY_TIMEOUT_MS);
	return port;
}

/* What there is to ask about a node by its LID, and the SA about it. */
static void add_node(struct query_list *list, const struct mad_sa_node *node,
		     const uint8_t *own_gid)
{
	unsigned first = node->node_type == NODE_IS_SWITCH ? 0 : node->local_port;
	unsigned last = node->node_type == NODE_IS_SWITCH ? node->port_count : node->local_port;
	ib_portid_t to = { .lid = node->lid };
	struct query *query;

	query_add_smp(list, &to, IB_ATTR_NODE_INFO, 0);
	query_add_smp(list, &to, IB_ATTR_NODE_DESC, 0);
	if (node->node_type == NODE_IS_SWITCH)
		query_add_smp(list, &to, IB_ATTR_SWITCH_INFO, 0);
	for (unsigned port = first; port <= last; port++) {
		query_add_smp(list, &to, IB_ATTR_PORT_INFO, port);
		query = query_add(list, QUERY_PERF);
		query->to = to;
		query->mod = port;
	}
	query_add(list, QUERY_NODE)->guid = node->port_guid;
	query = query_add(list, QUERY_PATH);
	memcpy(query->sgid, own_gid, sizeof(query->sgid));
	memcpy(query->dgid, own_gid, sizeof(query->dgid));
	mad_set_field64(query->dgid, 0, IB_GID_GUID_F, node->port_guid);
}

static void add_nodes(struct query_list *list, struct ibmad_port *port)
{
	struct mad_sa_table *table;
	ib_portid_t self;
	ibmad_gid_t gid;

	if (ib_resolve_smlid_via(&list->sm, 0, port) < 0)
		fail("no SM");
	if (ib_resolve_self_via(&self, NULL, &gid, port) < 0)
		fail("no address of our own");
	table = mad_sa_query_all(port, &list->sm, IB_SA_ATTR_NODERECORD, 0);
	if (!table)
		fail("no nodes");
	for (unsigned i = 0; i < mad_sa_table_count(table); i++) {
		struct mad_sa_node node;

		if (mad_sa_get_node(table, i, &node, sizeof(node)) < 0)
			fail("no NodeRecord");
		add_node(list, &node, gid);
	}
	mad_sa_table_free(table);
	query_add(list, QUERY_TABLE);
}

/* The ends of directed routes, one for each node, nearest first. */
struct walk {
	struct query_list *list;
	const struct ibmad_port *port;
	ib_portid_t ends[NODES_MAX];
	uint64_t guids[NODES_MAX];
	unsigned count;
};

static void ask_direct(const struct walk *walk, const ib_portid_t *to, unsigned attr_id,
		       unsigned mod, uint8_t *response)
{
	ib_portid_t asked = *to;

	memset(response, 0, IB_SMP_DATA_SIZE);
	if (!smp_query_via(response, &asked, attr_id, mod, 0, walk->port))
		fail("direct route");
}

/* Takes the end of a route into the walk, if it is a node that was not there yet. */
static void add_end(struct walk *walk, const ib_portid_t *to)
{
	uint8_t info[IB_SMP_DATA_SIZE];
	uint64_t guid;

	ask_direct(walk, to, IB_ATTR_NODE_INFO, 0, info);
	guid = mad_get_field64(info, 0, IB_NODE_GUID_F);
	for (unsigned i = 0; i < walk->count; i++)
		if (walk->guids[i] == guid)
			return;
	if (walk->count == NODES_MAX)
		fail("more nodes than expected");
	walk->guids[walk->count] = guid;
	walk->ends[walk->count++] = *to;
}

/* Adds what there is to ask about port `port` of a node, and what is cabled to it. */
static void visit_port(struct walk *walk, const ib_portid_t *to, unsigned port, bool leads_on)
{
	uint8_t info[IB_SMP_DATA_SIZE];
	ib_portid_t next = *to;

	query_add_smp(walk->list, to, IB_ATTR_PORT_INFO, port);
	ask_direct(walk, to, IB_ATTR_PORT_INFO, port, info);
	if (!leads_on || mad_get_field(info, 0, IB_PORT_STATE_F) != PORT_ACTIVE)
		return;
	next.drpath.p[++next.drpath.cnt] = (uint8_t)port;
	add_end(walk, &next);
}

static void visit_end(struct walk *walk, const ib_portid_t *to)
{
	uint8_t info[IB_SMP_DATA_SIZE];
	unsigned ports, local;

	query_add_smp(walk->list, to, IB_ATTR_NODE_INFO, 0);
	query_add_smp(walk->list, to, IB_ATTR_NODE_DESC, 0);
	ask_direct(walk, to, IB_ATTR_NODE_INFO, 0, info);
	ports = mad_get_field(info, 0, IB_NODE_NPORTS_F);
	local = mad_get_field(info, 0, IB_NODE_LOCAL_PORT_F);
	if (mad_get_field(info, 0, IB_NODE_TYPE_F) != NODE_IS_SWITCH) {
		visit_port(walk, to, local, to->drpath.cnt == 0);
		return;
	}
	query_add_smp(walk->list, to, IB_ATTR_SWITCH_INFO, 0);
	for (unsigned port = 1; port <= ports; port++)
		visit_port(walk, to, port, true);
}

static void make_list(struct query_list *list, struct ibmad_port *port)
{
	struct walk walk = { .list = list, .port = port };
	ib_portid_t self = { 0 };

	add_nodes(list, port);
	add_end(&walk, &self);
	for (unsigned i = 0; i < walk.count; i++)
		visit_end(&walk, &walk.ends[i]);
	if (query_list_ask(port, list))
		fail("single-threaded queries failed");
	printf("%zu different queries, %u nodes by direct route\n", list->count, walk.count);
}

static unsigned run_crews(struct query_crew *crews, unsigned count)
{
	struct mad_rpc_statistics before[CLASSES];
	unsigned failures;

	for (unsigned i = 0; i < count; i++)
		if (mad_rpc_get_statistics(crews[i].port, &before[i], sizeof(before[i])) < 0)
			fail("statistics");
	failures = query_crews_run(crews, count);
	for (unsigned i = 0; i < count; i++) {
		unsigned asked = crews[i].threads * crews[i].queries_each;

		failures += !query_statistics_are(crews[i].port, &before[i], asked);
		printf("port %u: %u queries by %u threads, %u failures\n", i + 1, asked,
		       crews[i].threads, crews[i].failures);
	}
	return failures;
}

static unsigned test_one_port(void)
{
	struct query_list list = { 0 };
	struct query_crew crew = { .port = open_port(classes, CLASSES),
				   .list = &list,
				   .threads = THREADS,
				   .queries_each = QUERIES_EACH };
	unsigned failures;

	make_list(&list, crew.port);
	failures = run_crews(&crew, 1);
	mad_rpc_close_port(crew.port);
	query_list_free(&list);
	return failures;
}

static int class_of(const struct query *query)
{
	if (query->kind == QUERY_PERF)
		return IB_PERFORMANCE_CLASS;
	if (query->kind != QUERY_SMP)
		return IB_SA_CLASS;
	return query->to.lid > 0 ? IB_SMI_CLASS : IB_SMI_DIRECT_CLASS;
}

/*
 * A port for each class: umad2sim delivers all responses of a class to the port that registered it
 * last.
 */
static unsigned test_several_ports(void)
{
	struct ibmad_port *port = open_port(classes, CLASSES);
	struct query_list all = { 0 }, lists[CLASSES] = { 0 };
	struct query_crew crews[CLASSES];
	unsigned failures;

	make_list(&all, port);
	mad_rpc_close_port(port);
	for (int i = 0; i < CLASSES; i++) {
		lists[i].sm = all.sm;
		for (size_t j = 0; j < all.count; j++)
			if (class_of(&all.queries[j]) == classes[i])
				*query_add(&lists[i], all.queries[j].kind) = all.queries[j];
		crews[i] = (struct query_crew){ .port = open_port(&classes[i], 1),
						.list = &lists[i],
						.threads = THREADS / CLASSES,
						.queries_each = QUERIES_EACH };
	}
	failures = run_crews(crews, CLASSES);
	for (int i = 0; i < CLASSES; i++) {
		mad_rpc_close_port(crews[i].port);
		query_list_free(&lists[i]);
	}
	query_list_free(&all);
	return failures;
}

static unsigned test_default_port(void)
{
	struct ibmad_port *port = open_port(classes, CLASSES);
	struct query_list list = { 0 };
	unsigned failures;

	make_list(&list, port);
	mad_rpc_close_port(port);
	madrpc_init(NULL, 0, classes, CLASSES);
	failures = query_safely_run(&list, LOCKING_THREADS, LOCKING_ROUNDS);
	printf("default port: %u threads, %u failures\n", LOCKING_THREADS, failures);
	query_list_free(&list);
	return failures;
}

int main(int argc, char **argv)
{
	const char *test = argc == 2 ? argv[1] : "";
	unsigned failures;

	if (!strcmp(test, "one-port")) {
		failures = test_one_port();
	} else if (!strcmp(test, "several-ports")) {
		failures = test_several_ports();
	} else if (!strcmp(test, "default-port")) {
		failures = test_default_port();
	} else {
		fprintf(stderr, "usage: threads one-port|several-ports|default-port\n");
		return 2;
	}
	return failures ? 1 : 0;
}
