/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * discover_requests.c - the queue of a discovery, and requests made of its tasks. A task that has
 * become unnecessary in the queue is dropped.
 */
#include <errno.h>

#include "libibmad-fabric/discover.h"

void discovery_add_task(struct discovery *discovery, struct fabric_task *task, unsigned attribute)
{
	task->queued = (uint16_t)attribute;
	task->next = NULL;
	*discovery->last_task = task;
	discovery->last_task = &task->next;
	discovery->run.queued++;
}

/* The route that leaves a node by one of its ports. */
static void extend_route(const struct mad_fabric_port *port, ib_dr_path_t *route)
{
	*route = port->node->route;
	route->p[++route->cnt] = port->port_number;
}

int64_t discovery_submit(struct discovery *discovery, const ib_portid_t *to, unsigned attribute,
			 unsigned modifier, mad_async_callback callback, void *context)
{
	const struct mad_async_request req = { to, callback, context, 0, 0, 0, 0 };
	int64_t id = mad_async_smp_sized(discovery->run.async, &req, sizeof(req), attribute,
					 modifier, NULL);

	fabric_run_note_submitted(&discovery->run, id);
	return id;
}

/* A node along its route; the M_Key is that of the port that responds. */
static ib_portid_t address_of(const struct fabric_node *node)
{
	ib_portid_t to = { .drpath = node->public.route };

	fabric_address_guid(&to, node->entry_guid);
	return to;
}

/* The GUID of the port that was at the other end of a port; 0: not known. */
static uint64_t expected_guid(const struct mad_fabric *expected, const struct mad_fabric_port *port)
{
	uint64_t own = fabric_agent_guid(port), guid = 0;
	const struct mad_fabric_port *found = NULL, *at;

	/* A file may have a node with this port under another GUID than a discovery. */
	while (expected && (found = mad_fabric_find_port(expected, own, found))) {
		at = mad_fabric_get_port(found->node, port->port_number);
		if (at && at->peer && (!guid || !found->node->out_of_reach))
			guid = fabric_agent_guid(at->peer);
	}
	return guid;
}

/* NodeInfo makes the GUID known, so it takes the default M_Key unless a node is expected there. */
static ib_portid_t address_of_neighbour(const struct discovery *discovery,
					const struct fabric_port *port)
{
	ib_portid_t to = { 0 };

	extend_route(&port->public, &to.drpath);
	if (!port->not_expected)
		fabric_address_guid(&to, expected_guid(discovery->options.expected, &port->public));
	return to;
}

/* The switch responds for its ports, and each port of another node for itself. */
static ib_portid_t address_of_port(const struct fabric_port *port)
{
	const struct fabric_node *node = fabric_node_of(port->public.node);
	ib_portid_t to = address_of(node);

	if (node->public.type == IB_NODE_SWITCH)
		return to;
	if (port->public.peer)
		extend_route(port->public.peer, &to.drpath);
	fabric_address_guid(&to, port->public.guid);
	return to;
}

/* Whether the attribute of a port is still of use. */
static bool is_needed(struct fabric_port *port, unsigned attribute)
{
	const struct fabric_node *node = fabric_node_of(port->public.node);

	if (attribute == IB_ATTR_NODE_INFO)
		return !port->public.peer || port->asks_again;
	if (attribute == IB_ATTR_MLNX_EXT_PORT_INFO ||
	    node->timeouts_in_a_row < DISCOVERY_GIVE_UP_AFTER)
		return true;
	if (attribute == IB_ATTR_PORT_INFO)
		port->public.info_error = ECANCELED;
	return false;
}

/* The modifier is the number of the port; of PortInfo also whether it may report extended speeds.
 */
static unsigned modifier_of(struct fabric_port *port, unsigned attribute)
{
	const struct fabric_node *node = fabric_node_of(port->public.node);

	if (attribute != IB_ATTR_PORT_INFO)
		return port->public.port_number;
	if (node->public.type == IB_NODE_SWITCH)
		port->extended = node->extended && port->public.port_number;
	return port->public.port_number | (port->extended ? MAD_FABRIC_EXTENDED_SPEEDS : 0);
}

static void submit_task(struct discovery *discovery, struct fabric_task *task, unsigned attribute)
{
	bool of_node = attribute == IB_ATTR_NODE_DESC || attribute == IB_ATTR_SWITCH_INFO;
	struct fabric_port *port = of_node ? NULL : discovery_port_of(task);
	unsigned modifier = 0;
	ib_portid_t to;
	int64_t id;

	if (port && !is_needed(port, attribute))
		return;
	if (!port) {
		to = address_of(discovery_node_of(task, attribute));
	} else if (attribute == IB_ATTR_NODE_INFO) {
		to = address_of_neighbour(discovery, port);
	} else {
		to = address_of_port(port);
		modifier = modifier_of(port, attribute);
	}
	task->asked = (uint16_t)attribute;
	id = discovery_submit(discovery, &to, attribute, modifier, discovery->on_response, task);
	if (id > 0)
		task->request = id;
}

void discovery_submit_tasks(struct fabric_run *run, void *context)
{
	struct discovery *discovery = context;

	run->progress.nodes = discovery->fabric->info.nodes;
	while (discovery->tasks && fabric_run_has_space(run)) {
		struct fabric_task *task = discovery->tasks;
		unsigned attribute = task->queued;

		discovery->tasks = task->next;
		if (!discovery->tasks)
			discovery->last_task = &discovery->tasks;
		run->queued--;
		task->queued = 0;
		submit_task(discovery, task, attribute);
	}
}
