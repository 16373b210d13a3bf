/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * discover_requests.c - the queue of a discovery, and the requests that are made of its tasks. What
 * has become unnecessary while it was queued is dropped.
 */
#include <errno.h>

#include "libibmad/async/async.h"
#include "libibmad/fabric/discover.h"

void discovery_add_task(struct discovery *discovery, struct fabric_task *task,
			enum fabric_task_kind kind)
{
	task->kind = (uint8_t)kind;
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

void discovery_submit(struct discovery *discovery, const ib_portid_t *to, unsigned attribute,
		      unsigned modifier, mad_async_callback callback, void *context, int64_t *id)
{
	const struct mad_async_request req = { to, callback, context, 0, 0, 0, 0 };
	int64_t given = mad_async_start_smp(discovery->run.async, &req, attribute, modifier, NULL);

	if (given < 0)
		fabric_run_fail(&discovery->run, (int)given);
	else
		discovery->run.requests++;
	if (id && given > 0)
		*id = given;
}

/* To a node along its route; the M_Key is that of the port which responds. */
static ib_portid_t address_of(const struct fabric_node *node)
{
	ib_portid_t to = { .drpath = node->public.route };

	fabric_address_guid(&to, node->entry_guid);
	return to;
}

/* The GUID of the port that was at the other end of this one; 0: not known. */
static uint64_t expected_guid(const struct mad_fabric *expected, const struct mad_fabric_port *port)
{
	const struct mad_fabric_port *found =
		expected ? mad_fabric_find_port(expected, fabric_agent_guid(port), NULL) : NULL;

	found = found ? mad_fabric_get_port(found->node, port->port_number) : NULL;
	return found && found->peer ? fabric_agent_guid(found->peer) : 0;
}

/* NodeInfo takes the default M_Key, unless it is known whom it goes to: it makes the GUID known. */
static void submit_neighbour(struct discovery *discovery, struct fabric_port *port)
{
	ib_portid_t to = { 0 };

	if (port->public.peer && !port->asks_again)
		return;
	extend_route(&port->public, &to.drpath);
	if (!port->not_expected)
		fabric_address_guid(&to, expected_guid(discovery->options.expected, &port->public));
	port->asks_neighbour = true;
	discovery_submit(discovery, &to, IB_ATTR_NODE_INFO, 0,
			 discovery->on_response[FABRIC_TASK_NEIGHBOUR], port, &port->request);
}

/* To a port: that of a switch is asked for at the switch, each other one responds for itself. */
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

static void submit_port_info(struct discovery *discovery, struct fabric_port *port)
{
	struct fabric_node *node = fabric_node_of(port->public.node);
	ib_portid_t to = address_of_port(port);

	if (node->public.type == IB_NODE_SWITCH)
		port->extended = node->extended && port->public.port_number;
	if (node->timeouts_in_a_row >= DISCOVERY_GIVE_UP_AFTER) {
		port->public.info_error = ECANCELED;
		return;
	}
	port->asks_neighbour = false;
	discovery_submit(discovery, &to, IB_ATTR_PORT_INFO,
			 port->public.port_number |
				 (port->extended ? MAD_FABRIC_EXTENDED_SPEEDS : 0),
			 discovery->on_response[FABRIC_TASK_PORT_INFO], port, &port->request);
}

/* Attributes of a port that not every device has. */
static void submit_further_info(struct discovery *discovery, struct fabric_port *port,
				enum fabric_task_kind kind, unsigned attribute)
{
	ib_portid_t to = address_of_port(port);

	port->asks_neighbour = false;
	discovery_submit(discovery, &to, attribute, port->public.port_number,
			 discovery->on_response[kind], port, &port->request);
}

static void submit_fec(struct discovery *discovery, struct fabric_port *port)
{
	if (fabric_node_of(port->public.node)->timeouts_in_a_row < DISCOVERY_GIVE_UP_AFTER)
		submit_further_info(discovery, port, FABRIC_TASK_FEC, IB_ATTR_PORT_INFO_EXT);
}

#define CONTAINER(task, type, member) ((type *)(void *)((char *)(task)-offsetof(type, member)))

static void submit_task(struct discovery *discovery, struct fabric_task *task)
{
	uint8_t kind = task->kind;
	struct fabric_node *node;
	ib_portid_t to;

	task->kind = FABRIC_TASK_NONE;
	switch (kind) {
	case FABRIC_TASK_PORT_INFO:
		submit_port_info(discovery, CONTAINER(task, struct fabric_port, task));
		break;
	case FABRIC_TASK_VENDOR_INFO:
		submit_further_info(discovery, CONTAINER(task, struct fabric_port, task),
				    FABRIC_TASK_VENDOR_INFO, IB_ATTR_MLNX_EXT_PORT_INFO);
		break;
	case FABRIC_TASK_FEC:
		submit_fec(discovery, CONTAINER(task, struct fabric_port, task));
		break;
	case FABRIC_TASK_NEIGHBOUR:
		submit_neighbour(discovery, CONTAINER(task, struct fabric_port, task));
		break;
	case FABRIC_TASK_DESCRIPTION:
		node = CONTAINER(task, struct fabric_node, description);
		to = address_of(node);
		discovery_submit(discovery, &to, IB_ATTR_NODE_DESC, 0,
				 discovery->on_response[FABRIC_TASK_DESCRIPTION], node, NULL);
		break;
	default:
		node = CONTAINER(task, struct fabric_node, switch_info);
		to = address_of(node);
		discovery_submit(discovery, &to, IB_ATTR_SWITCH_INFO, 0,
				 discovery->on_response[FABRIC_TASK_SWITCH_INFO], node, NULL);
	}
}

void discovery_submit_tasks(struct fabric_run *run, void *context)
{
	struct discovery *discovery = context;

	run->progress.nodes = discovery->fabric->info.nodes;
	while (!run->error && discovery->tasks &&
	       (unsigned)mad_async_pending(run->async) < fabric_submit_limit(run)) {
		struct fabric_task *task = discovery->tasks;

		discovery->tasks = task->next;
		if (!discovery->tasks)
			discovery->last_task = &discovery->tasks;
		run->queued--;
		submit_task(discovery, task);
	}
}
