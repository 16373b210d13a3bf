/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* build.c - builds a fabric from nodes and ports of the caller. */
#include <errno.h>
#include <stdlib.h>

#include "libibmad/fabric/fabric.h"

static bool is_sound(const struct mad_fabric_description *description)
{
	return description && description->size >= sizeof(*description) &&
	       description->node_size == sizeof(struct mad_fabric_node) &&
	       description->port_size == sizeof(struct mad_fabric_port) &&
	       description->error >= 0 && (description->nodes || !description->number_of_nodes) &&
	       (description->ports || !description->number_of_ports);
}

/* The port of the fabric for one of the caller's; NULL if that is invalid. */
static struct fabric_port *translate(const struct mad_fabric_description *description,
				     struct fabric_node *const *nodes,
				     const struct mad_fabric_port *port)
{
	uintptr_t offset = (uintptr_t)port->node - (uintptr_t)description->nodes;
	size_t index = offset / sizeof(struct mad_fabric_node);

	if (!port->node || offset % sizeof(struct mad_fabric_node) ||
	    index >= description->number_of_nodes ||
	    port->number > nodes[index]->public.number_of_ports)
		return NULL;
	return &nodes[index]->ports[port->number];
}

static bool is_in_ports(const struct mad_fabric_description *description,
			const struct mad_fabric_port *port)
{
	uintptr_t offset = (uintptr_t)port - (uintptr_t)description->ports;

	return offset % sizeof(*port) == 0 && offset / sizeof(*port) < description->number_of_ports;
}

static int add_nodes(struct mad_fabric *fabric, const struct mad_fabric_description *description,
		     struct fabric_node **nodes)
{
	for (size_t i = 0; i < description->number_of_nodes; i++) {
		const struct mad_fabric_node *node = &description->nodes[i];
		int error;

		if (!node->same_guid && fabric_find(fabric, node->guid))
			return -EINVAL;
		error = fabric_add_node(fabric, node, &nodes[i]);
		if (error)
			return error == -ENOSPC ? -EINVAL : error;
		nodes[i]->public.description[sizeof(node->description) - 1] = '\0';
	}
	return 0;
}

static int add_ports(struct mad_fabric *fabric, const struct mad_fabric_description *description,
		     struct fabric_node *const *nodes)
{
	for (size_t i = 0; i < description->number_of_ports; i++) {
		const struct mad_fabric_port *given = &description->ports[i];
		struct fabric_port *port = translate(description, nodes, given);
		const struct mad_fabric_node *node;

		if (!port || port->blocked)
			return -EINVAL;
		node = port->public.node;
		port->public = *given;
		port->public.node = node;
		port->public.peer = NULL;
		port->blocked = true; /* given */
		if (given == description->start)
			fabric->info.start = &port->public;
	}
	return 0;
}

static int add_links(struct mad_fabric *fabric, const struct mad_fabric_description *description,
		     struct fabric_node *const *nodes)
{
	for (size_t i = 0; i < description->number_of_ports; i++) {
		const struct mad_fabric_port *given = &description->ports[i];
		struct fabric_port *port, *peer;

		if (!given->peer)
			continue;
		if (!is_in_ports(description, given->peer) || given->peer->peer != given)
			return -EINVAL;
		port = translate(description, nodes, given);
		peer = translate(description, nodes, given->peer);
		if (!port->public.peer)
			fabric_connect(fabric, port, peer);
	}
	return 0;
}

static int build(struct mad_fabric *fabric, const struct mad_fabric_description *description)
{
	struct fabric_node **nodes =
		calloc(description->number_of_nodes + 1, sizeof(struct fabric_node *));
	int error = nodes ? add_nodes(fabric, description, nodes) : -ENOMEM;

	if (!error)
		error = add_ports(fabric, description, nodes);
	if (!error)
		error = add_links(fabric, description, nodes);
	free(nodes);
	fabric->info.time = description->time;
	fabric->info.error = description->error;
	return error ? error : fabric_finish(fabric);
}

struct mad_fabric *mad_fabric_build(const struct mad_fabric_description *description)
{
	struct mad_fabric *fabric;
	int error;

	if (!is_sound(description)) {
		errno = EINVAL;
		return NULL;
	}
	fabric = fabric_create();
	error = fabric ? build(fabric, description) : -ENOMEM;
	if (error) {
		mad_fabric_free(fabric);
		errno = -error;
		return NULL;
	}
	return fabric;
}
