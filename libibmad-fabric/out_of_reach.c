/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * out_of_reach.c - lists nodes that a discovery did not find because it could not look there:
 * nodes behind a port that is up and whose other end did not respond, and nodes behind these; or
 * all nodes, where it ended early. Nothing shows that they are gone.
 */
#include <stdlib.h>

#include "libibmad-fabric/fabric.h"

/* A discovery that ended early may have missed any node; in a last known state, these are marked.
 */
static bool ended_anywhere(const struct mad_fabric *other)
{
	return other->info.error && !other->info.out_of_reach;
}

/* The other fabric has this port, but does not know its other end, or did not want to. */
static bool leads_to_unknown(const struct mad_fabric *other, const struct mad_fabric_port *port)
{
	const struct mad_fabric_port *same = fabric_same_port(other, port);

	return same && !same->peer &&
	       (same->peer_error || same->info_error || same->physical_state == UMAD_PHYS_LINK_UP);
}

static bool is_out_of_reach(const struct mad_fabric *other, const struct mad_fabric_node *node)
{
	for (unsigned number = 0; number <= node->port_count; number++) {
		const struct mad_fabric_port *peer = mad_fabric_get_port(node, number)->peer;

		if (peer && leads_to_unknown(other, peer))
			return true;
	}
	return false;
}

static void mark(bool *marked, size_t *queue, size_t *length, size_t place)
{
	marked[place] = true;
	queue[(*length)++] = place;
}

/* Marks nodes that are linked to marked nodes and not in the other fabric. */
static void mark_neighbours(const struct mad_fabric *fabric, const struct mad_fabric *other,
			    bool *marked, size_t *queue, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		const struct fabric_node *node = fabric->nodes[queue[i]];

		for (unsigned number = 0; number <= node->public.port_count; number++) {
			const struct mad_fabric_port *peer = node->ports[number].public.peer;

			if (peer && !marked[fabric_node_of(peer->node)->place] &&
			    !fabric_same_node(other, peer->node))
				mark(marked, queue, &length, fabric_node_of(peer->node)->place);
		}
	}
}

bool *fabric_find_out_of_reach(const struct mad_fabric *fabric, const struct mad_fabric *other)
{
	bool *marked = calloc(fabric->info.nodes + 1, sizeof(*marked));
	size_t *queue = calloc(fabric->info.nodes + 1, sizeof(*queue));
	size_t length = 0;

	if (!marked || !queue) {
		free(marked);
		free(queue);
		return NULL;
	}
	for (size_t i = 0; i < fabric->info.nodes; i++) {
		const struct mad_fabric_node *node = &fabric->nodes[i]->public;

		if (!fabric_same_node(other, node) &&
		    (ended_anywhere(other) || is_out_of_reach(other, node)))
			mark(marked, queue, &length, i);
	}
	mark_neighbours(fabric, other, marked, queue, length);
	free(queue);
	return marked;
}

bool fabric_link_is_out_of_reach(const bool *nodes, const struct mad_fabric *other,
				 const struct mad_fabric_port *link)
{
	return ended_anywhere(other) || nodes[fabric_node_of(link->node)->place] ||
	       nodes[fabric_node_of(link->peer->node)->place] || leads_to_unknown(other, link) ||
	       leads_to_unknown(other, link->peer);
}
