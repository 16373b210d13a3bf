/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * from_sa.c - makes a fabric of tables of Subnet Administration: NodeRecords, PortInfoRecords,
 * LinkRecords and SwitchInfoRecords (15.2.5). Each table is of the moment of its request, so tables
 * may contradict each other while the fabric changes: then they are requested again. Without usable
 * tables, directed routes remain.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "libibmad-fabric/discover.h"

/* Tables that contradict each other are requested so often. */
#define ATTEMPTS 3

/* NodeRecord: a LID, two reserved bytes, NodeInfo, NodeDescription. */
#define NODE_INFO	 4
#define NODE_DESCRIPTION (NODE_INFO + 40)
#define NODE_END	 (NODE_DESCRIPTION + IB_SMP_DATA_SIZE)

/* SwitchInfoRecord: a LID, two reserved bytes, SwitchInfo. */
#define SWITCH_INFO 4
#define SWITCH_END  (SWITCH_INFO + 20)

struct view {
	struct mad_fabric *fabric;
	struct mad_sa_table *const *tables;
	uint64_t own_guid; /* of the node where the discovery runs */
	bool switches_only;
	struct fabric_port *by_lid[IB_MAX_UCAST_LID + 1];
};

/* A port of a host that is not wanted, in by_lid. */
static struct fabric_port left_out;

/* The node of a record: ports of a CA or router have a record each. */
static int take_node(struct view *view, const struct mad_fabric_node *values,
		     struct fabric_node **node)
{
	*node = fabric_find(view->fabric, values->guid);
	if (!*node)
		return fabric_add_node(view->fabric, values, node);
	return values->type != IB_NODE_SWITCH && discovery_is_same_node(&(*node)->public, values)
		       ? 0
		       : -EPROTO;
}

static int take_node_record(struct view *view, unsigned index)
{
	size_t size = 0;
	const uint8_t *record = mad_sa_table_record(view->tables[FABRIC_SA_NODES], index, &size);
	struct arrival found = { .port_guid = 0 };
	struct fabric_node *node;
	struct fabric_port *port;
	unsigned lid;
	int error;

	if (size < NODE_END)
		return -EBADMSG;
	lid = mad_get_be16(record);
	if (!IB_LID_VALID(lid) || view->by_lid[lid])
		return -EPROTO;
	view->by_lid[lid] = &left_out;
	fabric_take_node_info((void *)(uintptr_t)(record + NODE_INFO), &found.node,
			      &found.port_guid, &found.local_port);
	memcpy(found.node.description, record + NODE_DESCRIPTION, IB_SMP_DATA_SIZE);
	if (view->switches_only && found.node.type == IB_NODE_CA &&
	    found.node.guid != view->own_guid)
		return 0;
	if (found.node.type == IB_NODE_SWITCH) {
		found.local_port = 0;
		found.node.switch_info_error = ENODATA;
	} else if (!found.local_port || found.local_port > found.node.port_count) {
		return -EPROTO;
	}
	error = take_node(view, &found.node, &node);
	if (error)
		return error;
	port = &node->ports[found.local_port];
	if (port->public.guid)
		return -EPROTO; /* two nodes with one GUID */
	port->public.guid = found.port_guid;
	port->public.info_error = ENODATA;
	for (unsigned i = 1; node->public.type == IB_NODE_SWITCH && i <= node->public.port_count;
	     i++)
		node->ports[i].public.info_error = ENODATA;
	view->by_lid[lid] = port;
	return 0;
}

/*
 * The port with a number at the node that has a LID: NULL if there is none, &left_out if it is not
 * wanted.
 */
static struct fabric_port *find_port(const struct view *view, unsigned lid, unsigned number)
{
	struct fabric_port *port = IB_LID_VALID(lid) ? view->by_lid[lid] : NULL;

	if (!port || port == &left_out)
		return port;
	if (port->public.node->type != IB_NODE_SWITCH)
		return port->public.port_number == number ? port : NULL;
	return number <= port->public.node->port_count ? port + number : NULL;
}

static int take_port_info_record(struct view *view, unsigned index)
{
	struct mad_sa_port_info record;
	struct fabric_port *port;

	if (mad_sa_get_port_info(view->tables[FABRIC_SA_PORT_INFOS], index, &record))
		return -errno;
	port = find_port(view, record.lid, record.port_number);
	if (!port || port->public.has_info)
		return -EPROTO;
	if (port != &left_out)
		fabric_take_port_info((void *)(uintptr_t)record.port_info, &port->public);
	return 0;
}

/* Each end of a link has a record. */
static int take_link_record(struct view *view, unsigned index)
{
	struct fabric_port *from, *to;
	struct mad_sa_link record;

	if (mad_sa_get_link(view->tables[FABRIC_SA_LINKS], index, &record))
		return -errno;
	from = find_port(view, record.from_lid, record.from_port);
	to = find_port(view, record.to_lid, record.to_port);
	if (!from || !to || !record.from_port || !record.to_port)
		return -EPROTO;
	if (to == &left_out && from != &left_out)
		from->blocked = true;
	if (from == &left_out || to == &left_out || from->public.peer == &to->public)
		return 0;
	if (from->public.peer || to->public.peer)
		return -EPROTO;
	fabric_connect(view->fabric, from, to);
	return 0;
}

static int take_switch_record(struct view *view, unsigned index)
{
	size_t size = 0;
	const uint8_t *record = mad_sa_table_record(view->tables[FABRIC_SA_SWITCHES], index, &size);
	struct fabric_port *port;
	struct fabric_node *node;

	if (size < SWITCH_END)
		return -EBADMSG;
	port = find_port(view, mad_get_be16(record), 0);
	if (!port || port == &left_out || port->public.node->type != IB_NODE_SWITCH)
		return -EPROTO;
	node = fabric_node_of(port->public.node);
	node->public.enhanced_port0 =
		mad_get_field((void *)(uintptr_t)(record + SWITCH_INFO), 0, IB_SW_ENHANCED_PORT0_F);
	node->public.switch_info_error = 0;
	return 0;
}

static int take_table(struct view *view, unsigned kind)
{
	static int (*const take_record[FABRIC_SA_TABLES])(struct view * view, unsigned index) = {
		[FABRIC_SA_NODES] = take_node_record,
		[FABRIC_SA_PORT_INFOS] = take_port_info_record,
		[FABRIC_SA_LINKS] = take_link_record,
		[FABRIC_SA_SWITCHES] = take_switch_record,
	};
	const struct mad_sa_table *table = view->tables[kind];
	int error = mad_sa_table_truncated(table) ? -EBADMSG : 0;

	for (unsigned i = 0; i < mad_sa_table_count(table) && !error; i++)
		error = take_record[kind](view, i);
	return error;
}

/* Links that PortInfo of a port shows, and no table has. */
static void note_missing(struct mad_fabric *fabric)
{
	struct fabric_port *port = NULL;

	while ((port = fabric_next_port(fabric, port)))
		if (port->public.port_number && !port->public.peer && !port->blocked &&
		    port->public.physical_state == UMAD_PHYS_LINK_UP)
			port->public.peer_error = ENODATA;
}

/* Appends neighbours of a node to a queue, each node once, and notes their routes. */
static void extend_routes(const struct fabric_port *start, struct fabric_node *node,
			  struct fabric_node **queue, size_t *length)
{
	const ib_dr_path_t *route = &node->public.route;

	for (unsigned number = 1; number <= node->public.port_count; number++) {
		const struct mad_fabric_port *port = &node->ports[number].public;
		struct fabric_node *next;

		if (!port->peer || route->cnt >= MAD_FABRIC_MAX_HOPS ||
		    (node->public.type != IB_NODE_SWITCH && port != &start->public))
			continue;
		next = fabric_node_of(port->peer->node);
		if (next->public.route.cnt >= 0)
			continue;
		next->public.route = *route;
		next->public.route.p[++next->public.route.cnt] = (uint8_t)number;
		next->entry_guid = fabric_agent_guid(port->peer);
		queue[(*length)++] = next;
	}
}

/* Directed routes as a discovery finds them, breadth first: -1 hops where there is none. */
static int find_routes(struct mad_fabric *fabric, const struct fabric_port *start)
{
	struct fabric_node **queue = calloc(fabric->info.nodes, sizeof(struct fabric_node *));
	size_t length = 1;

	if (!queue)
		return -ENOMEM;
	for (size_t i = 0; i < fabric->info.nodes; i++)
		fabric->nodes[i]->public.route.cnt = -1;
	queue[0] = fabric_node_of(start->public.node);
	queue[0]->public.route.cnt = 0;
	queue[0]->entry_guid = start->public.guid;
	for (size_t i = 0; i < length; i++)
		extend_routes(start, queue[i], queue, &length);
	free(queue);
	return 0;
}

static uint64_t find_own_node(const struct mad_sa_table *nodes, uint64_t port_guid)
{
	struct mad_sa_node record;

	for (unsigned i = 0; i < mad_sa_table_count(nodes); i++)
		if (!mad_sa_get_node(nodes, i, &record) && record.port_guid == port_guid)
			return record.node_guid;
	return 0;
}

static int fill(struct view *view, uint64_t port_guid)
{
	struct mad_fabric *fabric = view->fabric;
	const struct fabric_node *own;
	int error = 0;

	for (unsigned kind = 0; kind < FABRIC_SA_TABLES && !error; kind++)
		error = take_table(view, kind);
	own = fabric_find(fabric, view->own_guid);
	if (error || !own)
		return error ? error : -EPROTO;
	note_missing(fabric);
	for (unsigned i = 0; i <= own->public.port_count; i++)
		if (own->ports[i].public.guid == port_guid)
			fabric->info.start = &own->ports[i].public;
	return find_routes(fabric, fabric_port_of(fabric->info.start));
}

int fabric_fill_from_sa(struct mad_fabric *fabric,
			struct mad_sa_table *const tables[FABRIC_SA_TABLES], uint64_t port_guid,
			bool switches_only)
{
	struct view *view = calloc(1, sizeof(*view));
	int error;

	if (!view)
		return -ENOMEM;
	view->fabric = fabric;
	view->tables = tables;
	view->switches_only = switches_only;
	view->own_guid = find_own_node(tables[FABRIC_SA_NODES], port_guid);
	error = fill(view, port_guid);
	free(view);
	return error;
}

/* Asks the SA that the local port knows for all records of an attribute. */
static int query(struct fabric_run *run, struct ibmad_port *port, unsigned attribute,
		 struct mad_sa_table **table)
{
	fabric_run_report(run);
	if (run->error)
		return run->error;
	run->requests++;
	*table = mad_sa_query_all(port, NULL, attribute, 0);
	if (*table)
		return 0;
	run->timeouts += errno == ETIMEDOUT;
	return -errno;
}

/* Requests the tables once, and makes a fabric of them. */
static int read_once(struct discovery *discovery, struct ibmad_port *port, uint64_t port_guid)
{
	static const unsigned attributes[FABRIC_SA_TABLES] = {
		[FABRIC_SA_NODES] = IB_SA_ATTR_NODERECORD,
		[FABRIC_SA_PORT_INFOS] = IB_SA_ATTR_PORTINFORECORD,
		[FABRIC_SA_LINKS] = IB_SA_ATTR_LINKRECORD,
		[FABRIC_SA_SWITCHES] = IB_SA_ATTR_SWITCHINFORECORD,
	};
	struct mad_sa_table *tables[FABRIC_SA_TABLES] = { NULL };
	bool switches_only = discovery->options.flags & MAD_FABRIC_SWITCHES_ONLY;
	struct mad_fabric *fabric = fabric_create();
	int error = fabric ? 0 : -ENOMEM;

	for (unsigned i = 0; i < FABRIC_SA_TABLES && !error; i++)
		error = query(&discovery->run, port, attributes[i], &tables[i]);
	if (!error)
		error = fabric_fill_from_sa(fabric, tables, port_guid, switches_only);
	for (unsigned i = 0; i < FABRIC_SA_TABLES; i++)
		mad_sa_table_free(tables[i]);
	if (error) {
		mad_fabric_free(fabric);
		return error;
	}
	mad_fabric_free(discovery->fabric);
	discovery->fabric = fabric;
	fabric->discovery = discovery;
	return 0;
}

/* The local port's GUID, or why the local node did not say it. */
struct local_port {
	struct fabric_run *run;
	uint64_t guid;
	int error;
};

static void on_local_node(struct mad_async *async, const struct mad_async_result *result,
			  void *context)
{
	struct local_port *local = context;
	struct arrival arrival;

	(void)async;
	fabric_run_note(local->run, result);
	local->error = discovery_read_arrival(result, &arrival);
	local->guid = arrival.port_guid;
}

int discovery_read_from_sa(struct discovery *discovery, struct ibmad_port *port)
{
	struct local_port local = { .run = &discovery->run };
	const ib_portid_t self = { 0 };
	int error;

	discovery_submit(discovery, &self, IB_ATTR_NODE_INFO, 0, on_local_node, &local);
	fabric_run_until_done(&discovery->run, discovery_submit_tasks, discovery);
	error = discovery->run.error ? discovery->run.error : -local.error;
	for (int left = error ? 0 : ATTEMPTS; left; left--) {
		error = read_once(discovery, port, local.guid);
		if (error != -EPROTO)
			break;
	}
	return error;
}
