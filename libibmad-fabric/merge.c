/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * merge.c - makes the last known state of a fabric of a discovery, and of the state before it
 * what the discovery could not read (out_of_reach.c).
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "libibmad-fabric/fabric.h"

struct merge {
	const struct mad_fabric *known;
	const struct mad_fabric *discovered;
	struct mad_fabric *merged;
	bool keeps_gone;
	bool *kept; /* known nodes that are out of reach, by place */
	/* Nodes of the result, by the place of a known node; NULL: gone. Those that were discovered
	 * are the first, in their order, until fabric_finish(). */
	struct fabric_node **of_known;
};

/* Copies a node with its ports, without links. */
static int copy_node(struct mad_fabric *merged, const struct fabric_node *from,
		     struct fabric_node **copy)
{
	int error = fabric_add_node(merged, &from->public, copy);

	if (error)
		return error;
	(*copy)->too_many = from->too_many;
	for (unsigned i = 0; i <= from->public.port_count; i++) {
		(*copy)->ports[i] = from->ports[i];
		(*copy)->ports[i].public.node = &(*copy)->public;
		(*copy)->ports[i].public.peer = NULL;
	}
	return 0;
}

/* Keeps the PortInfo of a port, and its GUID, which comes with it. */
static void keep_port_info(struct mad_fabric_port *port, const struct mad_fabric_port *known)
{
	struct mad_fabric_port values = *known;

	values.node = port->node;
	values.peer = port->peer;
	values.info_error = port->info_error;
	values.peer_error = port->peer_error;
	values.half_link = port->half_link;
	*port = values;
}

/* Keeps what the discovery found no response for at a node, or did not come to before it ended
 * early. */
static void keep_values(struct fabric_node *node, const struct fabric_node *known, bool ended_early)
{
	struct mad_fabric_node *values = &node->public;

	if (values->description_error || (ended_early && !values->description[0]))
		memcpy(values->description, known->public.description, sizeof(values->description));
	if (values->switch_info_error)
		values->enhanced_port0 = known->public.enhanced_port0;
	for (unsigned i = 0; i <= values->port_count && i <= known->public.port_count; i++)
		if (!node->ports[i].public.has_info && known->ports[i].public.has_info &&
		    (node->ports[i].public.info_error || ended_early))
			keep_port_info(&node->ports[i].public, &known->ports[i].public);
}

static int take_discovered(struct merge *merge)
{
	struct fabric_node *copy;
	int error = 0;

	for (size_t i = 0; i < merge->discovered->info.nodes && !error; i++)
		error = copy_node(merge->merged, merge->discovered->nodes[i], &copy);
	return error;
}

/* A known node beyond the limits of a fabric is forgotten. */
static int take_known(struct merge *merge)
{
	for (size_t i = 0; i < merge->known->info.nodes; i++) {
		const struct fabric_node *known = merge->known->nodes[i];
		const struct mad_fabric_node *same =
			fabric_same_node(merge->discovered, &known->public);

		if (same) {
			merge->of_known[i] = merge->merged->nodes[fabric_node_of(same)->place];
			keep_values(merge->of_known[i], known, merge->discovered->info.error);
		} else if (merge->kept[i] || merge->keeps_gone) {
			int error = copy_node(merge->merged, known, &merge->of_known[i]);

			if (!error)
				merge->of_known[i]->public.out_of_reach = true;
			else if (error != -ENOSPC)
				return error;
		}
	}
	return 0;
}

/* The port of the result for one of the fabrics; NULL: gone. */
static struct fabric_port *port_in(struct fabric_node *const *nodes,
				   const struct mad_fabric_port *port)
{
	struct fabric_node *node = nodes[fabric_node_of(port->node)->place];

	return node && port->port_number <= node->public.port_count
		       ? &node->ports[port->port_number]
		       : NULL;
}

/* Keeps a link that the discovery could not look for, and why it could not. */
static void keep_link(struct merge *merge, const struct mad_fabric_port *link)
{
	struct fabric_port *one = port_in(merge->of_known, link);
	struct fabric_port *other = port_in(merge->of_known, link->peer);
	int errors[2];

	if (!one || !other || one->public.peer || other->public.peer)
		return;
	errors[0] = one->public.peer_error;
	errors[1] = other->public.peer_error;
	if (!one->public.has_info)
		keep_port_info(&one->public, link);
	if (!other->public.has_info)
		keep_port_info(&other->public, link->peer);
	fabric_connect(merge->merged, one, other);
	one->public.peer_error = errors[0];
	other->public.peer_error = errors[1];
}

static void take_links(struct merge *merge)
{
	const struct mad_fabric_port *link = NULL;

	while ((link = mad_fabric_next_link(merge->discovered, link)))
		fabric_connect(merge->merged, port_in(merge->merged->nodes, link),
			       port_in(merge->merged->nodes, link->peer));
	while ((link = mad_fabric_next_link(merge->known, link)))
		if (merge->keeps_gone ||
		    fabric_link_is_out_of_reach(merge->kept, merge->discovered, link))
			keep_link(merge, link);
}

static void take_info(struct merge *merge)
{
	struct mad_fabric_info *info = &merge->merged->info;
	const struct mad_fabric_info *from = &merge->discovered->info;
	const struct mad_fabric_port *start = from->start;

	info->error = from->error;
	info->time_ns = from->time_ns;
	info->duration_ns = from->duration_ns;
	info->requests = from->requests;
	info->timeouts = from->timeouts;
	info->from_sa = from->from_sa;
	info->sa_error = from->sa_error;
	info->start = start ? &port_in(merge->merged->nodes, start)->public : NULL;
	merge->merged->limited = merge->discovered->limited;
}

static int run(struct merge *merge)
{
	int error = take_discovered(merge);

	if (!error)
		error = take_known(merge);
	if (error)
		return error;
	take_links(merge);
	take_info(merge);
	return fabric_finish(merge->merged);
}

struct mad_fabric *mad_fabric_merge(const struct mad_fabric *known,
				    const struct mad_fabric *discovered, uint32_t flags)
{
	struct merge merge = { .known = known,
			       .discovered = discovered,
			       .keeps_gone = flags & MAD_FABRIC_KEEP_GONE };
	int error = -ENOMEM;

	if (!known || !discovered || flags & ~MAD_FABRIC_KEEP_GONE)
		return fabric_none(NULL);
	merge.kept = fabric_find_out_of_reach(known, discovered);
	merge.of_known = calloc(known->info.nodes + 1, sizeof(struct fabric_node *));
	merge.merged = fabric_create();
	if (merge.kept && merge.of_known && merge.merged)
		error = run(&merge);
	free(merge.kept);
	free(merge.of_known);
	if (!error)
		return merge.merged;
	mad_fabric_free(merge.merged);
	return fabric_fail_null(error);
}
