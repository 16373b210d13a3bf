/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* build.c - builds fabrics and counters from values of the caller. */
#include <errno.h>

#include "common/sized.h"
#include "libibmad-fabric/counters.h"

/* The index of an item of the caller's array; count: the item is in another place. */
static size_t index_in(const void *array, size_t size, size_t count, const void *item)
{
	uintptr_t offset = (uintptr_t)item - (uintptr_t)array;

	return !count || offset % size || offset / size >= count ? count : offset / size;
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
	size_t index = index_in(description->nodes, description->node_size, description->node_count,
				port->node);

	if (index == description->node_count ||
	    port->port_number > fabric->nodes[index]->public.port_count)
		return NULL;
	return &fabric->nodes[index]->ports[port->port_number];
}

static int add_nodes(struct mad_fabric *fabric, const struct mad_fabric_description *description)
{
	for (size_t i = 0; i < description->node_count; i++) {
		const char *given = (const char *)description->nodes + i * description->node_size;
		struct mad_fabric_node node;
		struct fabric_node *added;
		int error = SIZED_TAKE(&node, seen_ns, given, description->node_size);

		if (!error && (node.reserved[0] | node.reserved[1] | node.reserved[2] ||
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
		if (!port || port->blocked || values.reserved[0] | values.reserved[1])
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
		if (index_in(description->ports, description->port_size, description->port_count,
			     given->peer) == description->port_count ||
		    given->peer->peer != given)
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

	if (!error && (taken.error < 0 || taken.reserved))
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

static int take_value(struct mad_fabric_counters *counters, const void *given, size_t size)
{
	struct mad_fabric_counter_value value;
	struct mad_fabric_counter_row *row;
	int error = SIZED_TAKE(&value, bits, given, size);

	if (error)
		return error;
	if (!value.port || fabric_node_of(value.port->node)->fabric != counters->fabric ||
	    value.counter >= FABRIC_COUNTERS || value.bits > 64 ||
	    (value.bits && value.value > UINT64_MAX >> (64 - value.bits)))
		return mad_refuse(MAD_REFUSED_COUNTER_VALUE);
	row = &counters->rows[fabric_order_of(value.port)];
	row->port = value.port;
	row->values[value.counter] = value.value;
	row->bits[value.counter] = value.bits ? (uint8_t)value.bits : FABRIC_BITS_UNKNOWN;
	return 0;
}

/* Until then, each port has a row. */
static struct mad_fabric_counters *remove_empty_rows(struct mad_fabric_counters *counters)
{
	for (size_t i = 0; i < counters->fabric->number_of_ports; i++)
		if (counters->rows[i].port)
			counters->rows[counters->number_of_rows++] = counters->rows[i];
	return fabric_trim_counters(counters);
}

struct mad_fabric_counters *mad_fabric_counters_build_sized(
	const struct mad_fabric *fabric, const struct mad_fabric_counter_value *values,
	size_t count, size_t value_size)
{
	struct mad_fabric_counters *counters;
	int error = 0;

	if (!fabric)
		return fabric_none(NULL);
	counters = fabric_create_counters(fabric);
	for (size_t i = 0; counters && i < count && !error; i++)
		error = take_value(counters, (const char *)values + i * value_size, value_size);
	if (counters && !error)
		return remove_empty_rows(counters);
	mad_fabric_counters_free(counters);
	return fabric_fail_null(error ? error : -ENOMEM);
}
