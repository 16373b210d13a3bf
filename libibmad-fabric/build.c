/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* build.c - builds a fabric from nodes and ports of the caller. */
#include <errno.h>

#include "common/sized.h"
#include "libibmad-fabric/fabric.h"

static bool is_sound(const struct mad_fabric_description *description)
{
	return description->error >= 0 && !description->reserved &&
	       (description->nodes || !description->node_count) &&
	       (description->ports || !description->port_count) &&
	       description->node_size <= SIZED_MAX && description->port_size <= SIZED_MAX;
}

static const struct mad_fabric_port *given_port(const struct mad_fabric_description *description,
						size_t index)
{
	return (const void *)((const char *)description->ports + index * description->port_size);
}

/* The port of the fabric for a port of the caller's; NULL if the caller's is invalid. */
static struct fabric_port *translate(const struct mad_fabric *fabric,
				     const struct mad_fabric_description *description,
				     const struct mad_fabric_port *port)
{
	uintptr_t offset = (uintptr_t)port->node - (uintptr_t)description->nodes;
	size_t index;

	if (!port->node || !description->node_count || offset % description->node_size)
		return NULL;
	index = offset / description->node_size;
	if (index >= description->node_count ||
	    port->port_number > fabric->nodes[index]->public.port_count)
		return NULL;
	return &fabric->nodes[index]->ports[port->port_number];
}

static bool is_in_ports(const struct mad_fabric_description *description,
			const struct mad_fabric_port *port)
{
	uintptr_t offset = (uintptr_t)port - (uintptr_t)description->ports;

	return offset % description->port_size == 0 &&
	       offset / description->port_size < description->port_count;
}

static int add_nodes(struct mad_fabric *fabric, const struct mad_fabric_description *description)
{
	for (size_t i = 0; i < description->node_count; i++) {
		const char *given = (const char *)description->nodes + i * description->node_size;
		struct mad_fabric_node node;
		struct fabric_node *added;
		int error = SIZED_TAKE(&node, seen_ns, given, description->node_size);

		if (!error && (node.reserved[0] || node.reserved[1] || node.reserved[2] ||
			       (!node.same_guid && fabric_find(fabric, node.guid))))
			error = mad_refuse(MAD_REFUSED_DESCRIPTION);
		if (!error)
			error = fabric_add_node(fabric, &node, &added);
		if (error)
			return error == -ENOSPC ? mad_refuse(MAD_REFUSED_DESCRIPTION) : error;
		added->public.description[sizeof(node.description) - 1] = '\0';
	}
	return 0;
}

static int add_ports(struct mad_fabric *fabric, const struct mad_fabric_description *description)
{
	for (size_t i = 0; i < description->port_count; i++) {
		const struct mad_fabric_port *given = given_port(description, i);
		struct mad_fabric_port values;
		struct fabric_port *port;
		int error = SIZED_TAKE(&values, reserved, given, description->port_size);

		if (error)
			return error;
		port = translate(fabric, description, &values);
		if (!port || port->blocked || values.reserved[0] || values.reserved[1])
			return mad_refuse(MAD_REFUSED_DESCRIPTION);
		values.node = port->public.node;
		values.peer = NULL;
		port->public = values;
		port->blocked = true; /* the caller has given it */
		if (given == description->start)
			fabric->info.start = &port->public;
	}
	return 0;
}

static int add_links(struct mad_fabric *fabric, const struct mad_fabric_description *description)
{
	for (size_t i = 0; i < description->port_count; i++) {
		const struct mad_fabric_port *given = given_port(description, i);
		struct fabric_port *port;

		if (!given->peer)
			continue;
		if (!is_in_ports(description, given->peer) || given->peer->peer != given)
			return mad_refuse(MAD_REFUSED_DESCRIPTION);
		port = translate(fabric, description, given);
		if (!port->public.peer)
			fabric_connect(fabric, port, translate(fabric, description, given->peer));
	}
	return 0;
}

/* Until fabric_finish(), the nodes of the fabric are in the order of the caller's. */
static int build(struct mad_fabric *fabric, const struct mad_fabric_description *description)
{
	int error = add_nodes(fabric, description);

	if (!error)
		error = add_ports(fabric, description);
	if (!error)
		error = add_links(fabric, description);
	fabric->info.time_ns = description->time_ns;
	fabric->info.error = description->error;
	return error ? error : fabric_finish(fabric);
}

struct mad_fabric *mad_fabric_build_sized(const struct mad_fabric_description *description,
					  size_t size)
{
	struct mad_fabric_description taken;
	struct mad_fabric *fabric = NULL;
	int error = SIZED_TAKE(&taken, reserved, description, size);

	if (!error && !is_sound(&taken))
		error = mad_refuse(MAD_REFUSED_DESCRIPTION);
	if (!error) {
		fabric = fabric_create();
		error = fabric ? build(fabric, &taken) : -ENOMEM;
	}
	if (!error)
		return fabric;
	mad_fabric_free(fabric);
	return fabric_fail_null(error);
}
