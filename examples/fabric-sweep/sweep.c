/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Discovery by directed routes. Starting at the local port, the sweep requests the PortInfo of
 * every switch port; over a link that is up, it requests NodeInfo from the other end, which
 * contains the node's GUID and the port by which the request arrived: one request for both ends of
 * the link. For a new node it requests the name and the ports in turn; a known node gets no further
 * request. So the sweep continues until no response leads to a new node.
 *
 * Responses arrive approximately in the order in which the requests were submitted, so the fabric
 * is discovered breadth first, and the other end of most links is known before its turn comes.
 */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "run.h"

#define GIVE_UP_AFTER 3 /* consecutive requests without a response from a node */

struct sweep {
	struct run *run;
	struct fabric *fabric;
};

static mad_async_callback on_port_info, on_name, on_neighbour;

static void ask_for_port_info(struct sweep *sweep, struct fabric_port *port,
			      const ib_dr_path_t *path)
{
	ib_portid_t to = { .drpath = *path };

	if (run_smp_get(sweep->run, &to, IB_ATTR_PORT_INFO, port->number, on_port_info, port,
			&port->request))
		port->stage = FABRIC_PORT_ASKED;
}

/* A node was found. For switches all ports are requested; for others only the port of arrival. */
static void ask_node(struct sweep *sweep, struct fabric_node *node)
{
	ib_portid_t to = { .drpath = node->path };

	run_smp_get(sweep->run, &to, IB_ATTR_NODE_DESC, 0, on_name, node, NULL);
	if (node->type != IB_NODE_SWITCH)
		return;
	for (int number = 0; number <= node->number_of_ports; number++)
		ask_for_port_info(sweep, &node->ports[number], &node->path);
}

static struct fabric_node *add_node(struct sweep *sweep, const struct node_info *info,
				    const ib_dr_path_t *path)
{
	struct fabric_node *node;
	int error = fabric_add(sweep->fabric, info->guid, info->number_of_ports, &node);

	if (error) {
		run_fail(sweep->run, error);
		return NULL;
	}
	node->path = *path;
	node->type = info->type;
	node->system_guid = info->system_guid;
	node->vendor_id = info->vendor_id;
	node->device_id = info->device_id;
	node->revision = info->revision;
	if (node->type == IB_NODE_SWITCH)
		node->ports[0].guid = info->port_guid;
	ask_node(sweep, node);
	return node;
}

/* The port of a node by which NodeInfo was requested, or NULL if the response is invalid. */
static struct fabric_port *port_of(struct sweep *sweep, struct fabric_node *node,
				   const struct node_info *info, const ib_dr_path_t *path)
{
	struct fabric_port *port;

	if (node->type != info->type || node->number_of_ports != info->number_of_ports) {
		fabric_warn(sweep->fabric, "two different nodes have the GUID 0x%016" PRIx64,
			    info->guid);
		return NULL;
	}
	if (info->local_port > info->number_of_ports) {
		fabric_warn(sweep->fabric, "0x%016" PRIx64 " has %u ports, and says it is port %u",
			    info->guid, info->number_of_ports, info->local_port);
		return NULL;
	}
	port = &node->ports[info->local_port];
	if (node->type != IB_NODE_SWITCH) {
		port->guid = info->port_guid;
		if (port->stage == FABRIC_PORT_NOT_ASKED)
			ask_for_port_info(sweep, port, path);
	}
	return port;
}

/* Both ends of a link are known now; no request from its other end is needed. */
static void link_ports(struct sweep *sweep, struct fabric_port *from, struct fabric_port *to)
{
	if (!fabric_link(from, to)) {
		fabric_warn(sweep->fabric,
			    "0x%016" PRIx64 " port %u leads to 0x%016" PRIx64
			    " port %u, which is cabled to another",
			    from->node->guid, from->number, to->node->guid, to->number);
		return;
	}
	if (to->peer_asked)
		mad_async_cancel(sweep->run->async, to->request);
}

/* A node has responded at the end of a path, which leaves by port from. */
static void arrive(struct sweep *sweep, const struct node_info *info, const ib_dr_path_t *path,
		   struct fabric_port *from)
{
	struct fabric_node *node = fabric_find(sweep->fabric, info->guid);
	struct fabric_port *port;

	if (!node)
		node = add_node(sweep, info, path);
	if (!node)
		return;
	port = port_of(sweep, node, info, path);
	if (port && port->number == 0)
		fabric_warn(sweep->fabric, "0x%016" PRIx64 " says it is cabled at port 0",
			    node->guid);
	else if (port)
		link_ports(sweep, from, port);
}

static void on_neighbour(struct mad_async *async, const struct mad_async_result *result,
			 void *context)
{
	struct fabric_port *from = context;
	struct sweep *sweep = from->node->fabric->sweep;
	struct node_info info;

	(void)async;
	from->peer_asked = false;
	if (from->peer || (result->error && run_is_over(sweep->run)))
		return;
	if (result->error)
		from->peer_error = result->error;
	else if (!attribute_node_info(result->data, result->data_length, &info))
		from->peer_error = EPROTO;
	else
		arrive(sweep, &info, &result->portid->drpath, from);
}

/* Switches forward directed routes; of all other nodes only the local one, by the port in use. */
static bool leads_on(const struct fabric_port *port)
{
	return port->number && port->physical_state == PHYSICAL_LINK_UP &&
	       (port->node->type == IB_NODE_SWITCH || port == port->node->fabric->own);
}

static void follow(struct sweep *sweep, struct fabric_port *port)
{
	ib_portid_t to = { .drpath = port->node->path };

	if (port->peer || !leads_on(port))
		return;
	if (to.drpath.cnt + 1 >= IB_SUBNET_PATH_HOPS_MAX) {
		port->peer_error = ELOOP;
		return;
	}
	to.drpath.p[++to.drpath.cnt] = port->number;
	port->peer_asked = run_smp_get(sweep->run, &to, IB_ATTR_NODE_INFO, 0, on_neighbour, port,
				       &port->request);
}

/*
 * A node that has responded once and no longer does, or whose ports are protected by an M_Key, is
 * not worth a timeout for each of 40 ports.
 */
static void count_timeout(struct sweep *sweep, struct fabric_node *node, int error)
{
	if (error != ETIMEDOUT || ++node->timed_out != GIVE_UP_AFTER)
		return;
	for (int number = 0; number <= node->number_of_ports; number++)
		if (node->ports[number].stage == FABRIC_PORT_ASKED)
			mad_async_cancel(sweep->run->async, node->ports[number].request);
}

static void on_port_info(struct mad_async *async, const struct mad_async_result *result,
			 void *context)
{
	struct fabric_port *port = context;
	struct sweep *sweep = port->node->fabric->sweep;
	int error = result->error;

	(void)async;
	port->stage = FABRIC_PORT_NOT_ASKED;
	if (error && run_is_over(sweep->run))
		return;
	if (!error && !attribute_port_info(result->data, result->data_length, port))
		error = EPROTO;
	if (error) {
		port->stage = FABRIC_PORT_SILENT;
		port->info_error = error;
		count_timeout(sweep, port->node, error);
		return;
	}
	port->stage = FABRIC_PORT_KNOWN;
	port->node->timed_out = 0;
	follow(sweep, port);
}

static void on_name(struct mad_async *async, const struct mad_async_result *result, void *context)
{
	struct fabric_node *node = context;
	struct sweep *sweep = node->fabric->sweep;
	int error = result->error;

	(void)async;
	if (error && run_is_over(sweep->run))
		return;
	if (!error && !attribute_name(result->data, result->data_length, node))
		error = EPROTO;
	node->name_error = error;
	if (error)
		count_timeout(sweep, node, error);
	else
		node->timed_out = 0;
}

/* The first response, from the local node. Without it the sweep cannot start. */
static void on_own_node(struct mad_async *async, const struct mad_async_result *result,
			void *context)
{
	struct sweep *sweep = context;
	struct fabric_node *node;
	struct node_info info;

	(void)async;
	if (result->error) {
		run_fail(sweep->run, -result->error);
		return;
	}
	if (!attribute_node_info(result->data, result->data_length, &info) ||
	    info.local_port > info.number_of_ports) {
		run_fail(sweep->run, -EPROTO);
		return;
	}
	node = add_node(sweep, &info, &result->portid->drpath);
	if (!node)
		return;
	sweep->fabric->own = &node->ports[info.local_port];
	port_of(sweep, node, &info, &node->path);
}

/* Fills an empty fabric with everything reachable, or the part found before the sweep ended
 * early. */
int sweep_fabric(struct run *run, struct fabric *fabric)
{
	struct sweep sweep = { .run = run, .fabric = fabric };
	ib_portid_t own = { 0 };
	int error;

	fabric->sweep = &sweep;
	run_smp_get(run, &own, IB_ATTR_NODE_INFO, 0, on_own_node, &sweep, NULL);
	error = run_until_done(run, "sweep", fabric);
	fabric->sweep = NULL;
	fabric->complete = !error;
	fabric_sort(fabric);
	fabric_warn_silent(fabric);
	return error;
}
