/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * discover_limit.c - limits how much is found through one node, since a switch that invents a new
 * node for each route would otherwise fill the memory. Every node counts the nodes that were found
 * through it. Where these are too many, the last node on the way through which most of them were
 * found is a problem, and its links are not followed any more.
 */
#include "libibmad-fabric/discover.h"

/* Ports of nodes that were found through one node: some 150 MB. A subnet of 49,151 nodes, of which
 * 6,000 are switches of 64 ports, has half of that. */
#define PORTS_AT_MOST (1U << 20)

static size_t nodes_at_most(const struct discovery *discovery)
{
	return discovery->options.max_nodes ? discovery->options.max_nodes : FABRIC_NODES_MAX;
}

bool discovery_is_cut_off(const struct fabric_node *node)
{
	while (node && !node->too_many)
		node = node->found_by;
	return node;
}

/* Nodes behind this one no longer count for those on the way to it, so the rest of the fabric is
 * found. */
static void cut_off(struct fabric_node *node)
{
	node->too_many = true;
	for (struct fabric_node *above = node->found_by; above; above = above->found_by) {
		above->nodes_behind -= node->nodes_behind;
		above->ports_behind -= node->ports_behind;
	}
}

bool discovery_may_add(const struct discovery *discovery, const struct fabric_port *from)
{
	struct fabric_node *last = fabric_node_of(from->public.node), *node = last, *most = last;
	size_t limit = nodes_at_most(discovery);

	if (discovery_is_cut_off(last))
		return false;
	while (node && node->nodes_behind < limit && node->ports_behind < PORTS_AT_MOST)
		node = node->found_by;
	if (!node)
		return true;
	while (most != node && most->nodes_behind < node->nodes_behind / 2 + 1 &&
	       most->ports_behind < node->ports_behind / 2 + 1)
		most = most->found_by;
	cut_off(most);
	return discovery_may_add(discovery, from);
}

void discovery_note_found(struct fabric_node *node, const struct fabric_port *from)
{
	node->found_by = fabric_node_of(from->public.node);
	for (struct fabric_node *above = node->found_by; above; above = above->found_by) {
		above->nodes_behind++;
		above->ports_behind += node->public.port_count + 1U;
	}
}
