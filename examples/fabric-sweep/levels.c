/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Levels of switches, for pictures: 1 for one with a host, 2 for one with a switch of level 1, and
 * so on. Hosts and other nodes that are not switches have level 0.
 */
#include <errno.h>
#include <stdlib.h>

#include "fabric.h"

#define LEVEL_UNKNOWN -1

/* Assigns the level above node's to the nodes at the other ends of its links that have none yet. */
static size_t raise_neighbours(const struct fabric_node *node, struct fabric_node **queue,
			       size_t length)
{
	for (int number = 0; number <= node->number_of_ports; number++) {
		const struct fabric_port *peer = node->ports[number].peer;

		if (!peer || peer->node->level != LEVEL_UNKNOWN)
			continue;
		peer->node->level = node->level + 1;
		queue[length++] = peer->node;
	}
	return length;
}

/* Breadth first from all hosts. Switches that no host can reach come on top. 0 or -ENOMEM. */
int fabric_find_levels(struct fabric *fabric)
{
	struct fabric_node **queue = calloc(fabric->number_of_nodes + 1, sizeof(*queue));
	size_t length = 0;
	int top = 0;

	if (!queue)
		return -ENOMEM;
	for (size_t i = 0; i < fabric->number_of_nodes; i++) {
		struct fabric_node *node = fabric->nodes[i];

		node->level = node->type == IB_NODE_SWITCH ? LEVEL_UNKNOWN : 0;
		if (node->level == 0)
			queue[length++] = node;
	}
	for (size_t i = 0; i < length; i++) {
		length = raise_neighbours(queue[i], queue, length);
		top = queue[i]->level;
	}
	for (size_t i = 0; i < fabric->number_of_nodes; i++)
		if (fabric->nodes[i]->level == LEVEL_UNKNOWN)
			fabric->nodes[i]->level = top + 1;
	free(queue);
	return 0;
}
