/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * growth same|older|newer: uses every structure that can grow, on a fabric. Compiled with the
 * headers of this release and with those of a later one (GROWN), each run on both libraries; same,
 * older and newer say what the library is to the program. All four print the same.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <infiniband/mad_async.h>
#include <infiniband/mad_fabric.h>
#include <infiniband/mad_message.h>
#include <infiniband/mad_sa.h>
#include <infiniband/umad_monitor.h>
#include <infiniband/umad_sa_mcm.h>

#define CHECK(condition)                                                                \
	do {                                                                            \
		if (!(condition)) {                                                     \
			fprintf(stderr, "growth.c:%d: %s (%s)\n", __LINE__, #condition, \
				strerror(errno));                                       \
			exit(1);                                                        \
		}                                                                       \
	} while (0)

static int older; /* the library does not have `grown` */

/*
 * A call that takes structure `object` from the program: with all members 0 beyond the first
 * release it works; with another value where the library knows the member, too, and is E2BIG where
 * it does not.
 */
#ifdef GROWN
#define TAKES(object, works, undo)                         \
	do {                                               \
		(object).grown = 0;                        \
		CHECK(works);                              \
		undo;                                      \
		(object).grown = 1;                        \
		errno = 0;                                 \
		if (older)                                 \
			CHECK(!(works) && errno == E2BIG); \
		else                                       \
			CHECK(works);                      \
		if (!older)                                \
			undo;                              \
		(object).grown = 0;                        \
	} while (0)
#else
#define TAKES(object, works, undo) \
	do {                       \
		CHECK(works);      \
		undo;              \
	} while (0)
#endif

/* What a call writes to `object` ends where the structure does, and what the library does not have
 * is 0. */
#ifdef GROWN
#define NOT_GIVEN(object) CHECK(!(object).grown)
#else
#define NOT_GIVEN(object) (void)0
#endif
#define GIVES(type, name, works)                                 \
	struct {                                                 \
		type name;                                       \
		uint8_t behind[32];                              \
	} given_##name;                                          \
	memset(&given_##name, 0xa5, sizeof(given_##name));       \
	type *const name = &given_##name.name;                   \
	CHECK(works);                                            \
	NOT_GIVEN(*name);                                        \
	for (size_t i = 0; i < sizeof(given_##name.behind); i++) \
	CHECK(given_##name.behind[i] == 0xa5)

static bool go_on(const struct mad_fabric_progress *progress, void *context)
{
	*(size_t *)context += progress->nodes;
	return true;
}

static bool filter(const struct mad_fabric_port *port, void *context)
{
	(void)context;
	return port->node->type == IB_NODE_SWITCH && port->peer;
}

static struct mad_fabric *built(void)
{
	struct mad_fabric_node nodes[2] = { { .guid = 1, .type = IB_NODE_SWITCH, .port_count = 2 },
					    { .guid = 2, .type = IB_NODE_CA, .port_count = 1 } };
	struct mad_fabric_port ports[2] = { { .node = &nodes[0], .port_number = 2, .lid = 7 },
					    { .node = &nodes[1], .port_number = 1, .lid = 8 } };
	struct mad_fabric_description description = {
		.nodes = nodes,
		.node_count = 2,
		.node_stride = sizeof(nodes[0]),
		.ports = ports,
		.port_count = 2,
		.port_stride = sizeof(ports[0]),
	};
	struct mad_fabric *fabric = NULL;

	ports[0].peer = &ports[1];
	ports[1].peer = &ports[0];
#define BUILD (fabric = mad_fabric_build(&description, sizeof(description)))
	TAKES(nodes[1], BUILD, mad_fabric_free(fabric));
	TAKES(ports[1], BUILD, mad_fabric_free(fabric));
	TAKES(description, BUILD, mad_fabric_free(fabric));
	CHECK(BUILD);
	return fabric;
}

static void print_fabric(const struct mad_fabric *fabric)
{
	const struct mad_fabric_info *info = mad_fabric_get_info(fabric);
	const struct mad_fabric_problem *problem = NULL;
	const struct mad_fabric_node *node = NULL;

	printf("%zu nodes %zu links error %d sa %d\n", info->nodes, info->links, info->error,
	       info->sa_error);
	while ((node = mad_fabric_next_node(fabric, node))) {
		printf("%016llx %s", (unsigned long long)node->guid, node->description);
		for (unsigned i = 0; i <= node->port_count; i++) {
			const struct mad_fabric_port *port = mad_fabric_get_port(node, i);

			printf(" %u:%u:%u-%s:%u", i, port->lid, port->fec_mode,
			       port->peer ? port->peer->node->description : "",
			       port->peer ? port->peer->port_number : 0);
		}
		putchar('\n');
	}
	while ((problem = mad_fabric_next_problem(fabric, problem)))
		printf("problem %u of %016llx\n", problem->kind,
		       (unsigned long long)problem->node->guid);
}

static void compare(const struct mad_fabric *older_one, const struct mad_fabric *newer)
{
	struct mad_fabric_changes *changes = mad_fabric_compare(older_one, newer);
	const struct mad_fabric_change *change = NULL;

	CHECK(changes);
	while ((change = mad_fabric_next_change(changes, change)))
		printf("change %u %016llx\n", change->kind,
		       (unsigned long long)(change->old_node   ? change->old_node->guid
					    : change->new_node ? change->new_node->guid
							       : 0));
	mad_fabric_changes_free(changes);
}

static void count(struct ibmad_port *port, const struct mad_fabric *fabric)
{
	struct mad_fabric_options options = { .filter = filter };
	const struct mad_fabric_counter_row *row = NULL;
	struct mad_fabric_counters *counters = NULL;
	unsigned rows = 0;
	uint64_t value;

	for (unsigned i = 0; i < mad_fabric_counter_count(); i++) {
		const struct mad_fabric_counter_kind *kind = mad_fabric_counter_get_kind(i);

		printf("%s %u %u %d\n", kind->name, kind->unit, kind->bits, kind->is_error);
	}
#define READ (counters = mad_fabric_counters_read(port, fabric, &options, sizeof(options)))
	TAKES(options, READ, mad_fabric_counters_free(counters));
	CHECK(READ);
	while ((row = mad_fabric_counters_next(counters, row)))
		rows += mad_fabric_row_value(row, MAD_FABRIC_SYMBOL_ERRORS, &value) >= 0;
	printf("%u rows\n", rows);
	mad_fabric_counters_free(counters);
}

static struct mad_fabric *discover(struct ibmad_port *port)
{
	size_t progress = 0;
	struct mad_fabric_options options = { .progress = go_on, .context = &progress };
	struct mad_fabric *fabric = NULL;

#define DISCOVER (fabric = mad_fabric_discover(port, &options, sizeof(options)))
	TAKES(options, DISCOVER, mad_fabric_free(fabric));
	CHECK(DISCOVER);
	return fabric;
}

static void completed(struct mad_async *async, const struct mad_async_result *result, void *context)
{
	(void)async;
	CHECK(!result->error && result->attempts >= 1 && result->data_size == IB_SMP_DATA_SIZE);
	*(unsigned *)context += mad_get_field(result->data, 0, IB_NODE_NPORTS_F);
}

static void ask_asynchronously(struct ibmad_port *port)
{
	struct mad_async_options options = { .window = 8 };
	struct mad_async *async = NULL;
	const ib_portid_t self = { 0 };
	unsigned ports = 0;
	struct mad_async_request request = { .to = &self,
					     .callback = completed,
					     .context = &ports };

#define CREATE (async = mad_async_create(port, &options, sizeof(options)))
#define SUBMIT (mad_async_smp(async, &request, sizeof(request), IB_ATTR_NODE_INFO, 0, NULL) > 0)
	TAKES(options, CREATE, mad_async_free(async));
	CHECK(CREATE);
	TAKES(request, SUBMIT, while (mad_async_dispatch(async, 0, -1) > 0));
	while (mad_async_dispatch(async, 0, -1) > 0)
		;
	printf("asynchronous: %d\n", ports > 0);
	mad_async_free(async);
}

static struct mad_sa_table *all(struct ibmad_port *port, unsigned attr_id)
{
	struct mad_sa_request request = { .attr_id = attr_id };
	struct mad_sa_table *table = NULL;
	unsigned status;

#define QUERY (table = mad_sa_query(port, NULL, &request, sizeof(request), &status))
	TAKES(request, QUERY, mad_sa_table_free(table));
	CHECK(QUERY);
	CHECK(mad_sa_table_count(table));
	return table;
}

static void records(struct ibmad_port *port)
{
	struct mad_sa_table *nodes = all(port, IB_SA_ATTR_NODERECORD);
	struct mad_sa_table *ports = all(port, IB_SA_ATTR_PORTINFORECORD);
	struct mad_sa_table *links = all(port, IB_SA_ATTR_LINKRECORD);
	struct mad_sa_table *sms = all(port, IB_SA_ATTR_SMINFORECORD);
	struct mad_sa_table *paths;

	GIVES(struct mad_sa_node, node, !mad_sa_get_node(nodes, 0, node, sizeof(*node)));
	GIVES(struct mad_sa_port_info, info, !mad_sa_get_port_info(ports, 0, info, sizeof(*info)));
	GIVES(struct mad_sa_link, link, !mad_sa_get_link(links, 0, link, sizeof(*link)));
	GIVES(struct mad_sa_sm_info, sm, !mad_sa_get_sm_info(sms, 0, sm, sizeof(*sm)));
	printf("%s %u; %u %u; %u %u %u %u; %u %u\n", node->description, node->lid, info->lid,
	       info->port_number, link->from_lid, link->from_port, link->to_lid, link->to_port,
	       sm->lid, sm->state);

	uint8_t gid[16] = { 0xfe, 0x80 };
	mad_encode_field(gid, IB_GID_GUID_F, &node->port_guid);
	paths = mad_sa_query_paths(port, NULL, gid, gid, 0);
	CHECK(paths);
	GIVES(struct mad_sa_path, path, !mad_sa_get_path(paths, 0, path, sizeof(*path)));
	printf("%u %u %u\n", path->slid, path->dlid, path->mtu);
	mad_sa_table_free(nodes);
	mad_sa_table_free(ports);
	mad_sa_table_free(links);
	mad_sa_table_free(sms);
	mad_sa_table_free(paths);
}

static void join(struct ibmad_port *port)
{
	struct mad_sa_mc_member group = {
		.mgid = { 0xff, 0x12, 0x12, 0x34, [15] = 0x42 },
		.qkey = 0x1234,
		.pkey = 0xffff,
		.scope = UMAD_SA_MCM_ADDR_SCOPE_LINK_LOCAL,
	};
	struct mad_sa_mc_request request = {
		.member = &group,
		.member_size = sizeof(group),
		.mask = UMAD_SA_MCM_COMP_MASK_QKEY | UMAD_SA_MCM_COMP_MASK_PKEY |
			UMAD_SA_MCM_COMP_MASK_TCLASS | UMAD_SA_MCM_COMP_MASK_SL |
			UMAD_SA_MCM_COMP_MASK_FLOW_LABEL,
	};
	uint8_t record[IB_SA_DATA_SIZE];
	unsigned status;

	TAKES(request, !mad_sa_mc_encode(&request, sizeof(request), record), (void)0);
	TAKES(group, !mad_sa_mc_encode(&request, sizeof(request), record), (void)0);
	GIVES(struct mad_sa_mc_member, member,
	      !mad_sa_mc_join(port, NULL, &request, sizeof(request), member, sizeof(*member),
			      &status));
	printf("join state %u, Q_Key 0x%x\n", member->join_state, member->qkey);
	request.mask = 0;
	CHECK(!mad_sa_mc_leave(port, NULL, &request, sizeof(request), &status));
}

static void notice_and_statistics(struct ibmad_port *port)
{
	const uint8_t notice[64] = { 0x81, [5] = 128, [11] = 5 };

	GIVES(struct mad_notice_value, value,
	      !mad_notice_value(notice, IB_SMI_CLASS, 0, value, sizeof(*value)));
	GIVES(struct mad_rpc_statistics, statistics,
	      !mad_rpc_get_statistics(port, statistics, sizeof(*statistics)));
	printf("%s %u; %d\n", value->name, value->bits, statistics->sent > 100);
}

static void events(void)
{
	struct umad_monitor *monitor = umad_monitor_open(UMAD_MONITOR_REPORT_PRESENT);

	if (!monitor) {
		printf("no monitor: %s\n", strerror(errno));
		return;
	}
	GIVES(struct umad_event, event, umad_monitor_read(monitor, event, sizeof(*event), 0) == 1);
	printf("%s %s\n", umad_event_str(event->type), event->ca_name);
	umad_monitor_close(monitor);
}

/* A message to the local port's own agent does not exist on a simulated fabric: nothing is
 * received. */
static void message(struct ibmad_port *port)
{
	struct mad_message received;

	CHECK(mad_message_receive(port, &received, sizeof(received), NULL, 0, 0) < 0);
	CHECK(errno == EAGAIN);
}

int main(int argc, char **argv)
{
	int classes[] = { IB_SMI_CLASS, IB_SMI_DIRECT_CLASS, IB_SA_CLASS, IB_PERFORMANCE_CLASS };
	struct ibmad_port *port = mad_rpc_open_port(NULL, 0, classes, 4);
	struct mad_fabric *here, *there;

	CHECK(port && argc == 2);
	older = !strcmp(argv[1], "older");
	there = built();
	here = discover(port);
	print_fabric(here);
	print_fabric(there);
	compare(there, here);
	count(port, here);
	ask_asynchronously(port);
	records(port);
	join(port);
	notice_and_statistics(port);
	events();
	message(port);
	mad_fabric_free(here);
	mad_fabric_free(there);
	mad_rpc_close_port(port);
	return 0;
}
