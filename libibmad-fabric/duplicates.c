/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * duplicates.c - finds out which links belong to which of several switches with one GUID. A
 * response at the end of a link says at which port the request came in, but not of which switch.
 * The proof: a request along a switch's own route and out of that port arrives where the link
 * begins. So each port of such switches is asked who is at its other end, contradicted links are
 * undone, and their other ends are asked once more: then choose_node() in discover.c wants that
 * proof.
 */
#include "libibmad-fabric/discover.h"

bool duplicates_are_possible(const struct fabric_node *node)
{
	return node->public.type == IB_NODE_SWITCH &&
	       (node->public.same_guid || node->next_same || node->doubtful);
}

static bool is_up(const struct fabric_port *port)
{
	return port->public.physical_state == UMAD_PHYS_LINK_UP;
}

bool duplicates_prove(const struct fabric_port *port, const struct fabric_port *from)
{
	return port->far_known && port->far_port == from->public.port_number &&
	       port->far_guid == from->public.node->guid;
}

/* A link at a port that says it is down may belong to a switch that was not found yet. */
static bool doubt_port(struct discovery *discovery, struct fabric_port *port)
{
	struct fabric_node *node = fabric_node_of(port->public.node);

	(void)discovery;
	if (!port->public.peer || !port->public.has_info || is_up(port))
		return false;
	node->doubtful = true;
	return true;
}

static bool can_ask(const struct discovery *discovery, const struct fabric_port *port)
{
	return !port->blocked && !port->task.queued && port->public.node->type == IB_NODE_SWITCH &&
	       port->public.node->route.cnt < discovery->most_hops;
}

static bool ask(struct discovery *discovery, struct fabric_port *port)
{
	if (!can_ask(discovery, port))
		return false;
	port->asks_again = true;
	discovery_add_task(discovery, &port->task, IB_ATTR_NODE_INFO);
	return true;
}

/* Asks who is at the other end, unless a request through this port has shown that. */
static bool check_port(struct discovery *discovery, struct fabric_port *port)
{
	if (port->far_known || port->asks_again || (!port->public.peer && !is_up(port)))
		return false;
	return ask(discovery, port);
}

static bool is_contradicted(const struct fabric_port *port)
{
	if (port->far_known)
		return !duplicates_prove(port, fabric_port_of(port->public.peer));
	return port->asks_again && !is_up(port);
}

/* Undoes a contradicted link, and asks both ends again. */
static bool correct_port(struct discovery *discovery, struct fabric_port *port)
{
	struct fabric_port *peer = fabric_port_of(port->public.peer);

	if (!peer || !is_contradicted(port))
		return false;
	discovery_disconnect(discovery, port);
	if (is_up(port))
		ask(discovery, port);
	ask(discovery, peer);
	return true;
}

/* Asks again where the response did not show which of the switches is at the other end. */
static bool decide_port(struct discovery *discovery, struct fabric_port *port)
{
	const struct fabric_node *far;

	if (!port->far_known || port->public.peer || port->public.peer_error || !is_up(port))
		return false;
	far = fabric_find(discovery->fabric, port->far_guid);
	return far && duplicates_are_possible(far) && ask(discovery, port);
}

typedef bool port_function(struct discovery *discovery, struct fabric_port *port);

/* Calls a function for all ports, or those of switches with one GUID; true if any call was. */
static bool for_each_port(struct discovery *discovery, bool all, port_function *function)
{
	struct fabric_port *port = NULL;
	bool done = false;

	while ((port = fabric_next_port(discovery->fabric, port)))
		if (port->public.port_number &&
		    (all || duplicates_are_possible(fabric_node_of(port->public.node))))
			done |= function(discovery, port);
	return done;
}

/* Asks for everything that can be known before any link is undone. */
bool duplicates_check(struct discovery *discovery)
{
	discovery->has_duplicates |= for_each_port(discovery, true, doubt_port);
	return discovery->has_duplicates && (for_each_port(discovery, false, check_port) ||
					     for_each_port(discovery, false, correct_port) ||
					     for_each_port(discovery, true, decide_port));
}
