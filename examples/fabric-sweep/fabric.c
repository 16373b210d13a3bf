/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Nodes and links: a hash table by GUID, and an array of all. Nothing is ever removed, so pointers
 * to nodes and ports are valid until fabric_destroy().
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "fabric.h"

#define BUCKET_BITS 14
#define BUCKETS	    (1u << BUCKET_BITS)

int fabric_init(struct fabric *fabric)
{
	memset(fabric, 0, sizeof(*fabric));
	fabric->buckets = calloc(BUCKETS, sizeof(*fabric->buckets));
	fabric->warnings = calloc(FABRIC_WARNINGS_MAX, sizeof(*fabric->warnings));
	if (fabric->buckets && fabric->warnings)
		return 0;
	fabric_destroy(fabric);
	return -ENOMEM;
}

void fabric_destroy(struct fabric *fabric)
{
	for (size_t i = 0; i < fabric->number_of_nodes; i++) {
		free(fabric->nodes[i]->ports);
		free(fabric->nodes[i]);
	}
	for (size_t i = 0; i < fabric_warnings_kept(fabric); i++)
		free(fabric->warnings[i]);
	free(fabric->nodes);
	free(fabric->buckets);
	free(fabric->warnings);
	memset(fabric, 0, sizeof(*fabric));
}

/* GUIDs of one manufacturer differ in few bits; the multiplication spreads them over the upper
 * ones. */
static struct fabric_node **bucket_of(const struct fabric *fabric, uint64_t guid)
{
	return &fabric->buckets[(guid * UINT64_C(0x9e3779b97f4a7c15)) >> (64 - BUCKET_BITS)];
}

struct fabric_node *fabric_find(const struct fabric *fabric, uint64_t guid)
{
	struct fabric_node *node = *bucket_of(fabric, guid);

	while (node && node->guid != guid)
		node = node->next_in_bucket;
	return node;
}

static struct fabric_node *new_node(struct fabric *fabric, uint64_t guid, uint8_t number_of_ports)
{
	struct fabric_node *node = calloc(1, sizeof(*node));

	if (!node)
		return NULL;
	node->ports = calloc(number_of_ports + 1, sizeof(*node->ports));
	if (!node->ports) {
		free(node);
		return NULL;
	}
	for (int i = 0; i <= number_of_ports; i++) {
		node->ports[i].node = node;
		node->ports[i].number = i;
	}
	node->fabric = fabric;
	node->guid = guid;
	node->number_of_ports = number_of_ports;
	return node;
}

/* Grows the array, if necessary, for one more node. */
static int reserve(struct fabric *fabric)
{
	size_t capacity = fabric->capacity ? fabric->capacity * 2 : 64;
	struct fabric_node **nodes;

	if (fabric->number_of_nodes < fabric->capacity)
		return 0;
	nodes = realloc(fabric->nodes, capacity * sizeof(*nodes));
	if (!nodes)
		return -ENOMEM;
	fabric->nodes = nodes;
	fabric->capacity = capacity;
	return 0;
}

/* Adds a new node: 0, -ENOSPC if there are too many, or -ENOMEM. */
int fabric_add(struct fabric *fabric, uint64_t guid, uint8_t number_of_ports,
	       struct fabric_node **added)
{
	struct fabric_node **bucket = bucket_of(fabric, guid), *node;

	if (fabric->number_of_nodes >= FABRIC_NODES_MAX)
		return -ENOSPC;
	if (reserve(fabric))
		return -ENOMEM;
	node = new_node(fabric, guid, number_of_ports);
	if (!node)
		return -ENOMEM;
	node->next_in_bucket = *bucket;
	*bucket = node;
	fabric->nodes[fabric->number_of_nodes++] = node;
	*added = node;
	return 0;
}

/* A cable between a and b (which may be one port, with a loopback plug). Returns false if one of
 * them has another cable. */
bool fabric_link(struct fabric_port *a, struct fabric_port *b)
{
	if (a->peer == b && b->peer == a)
		return true;
	if (a->peer || b->peer)
		return false;
	a->peer = b;
	b->peer = a;
	a->peer_error = 0;
	b->peer_error = 0;
	a->node->fabric->number_of_links++;
	return true;
}

/* True for one of the two ports of a link, so that a walk over all ports counts each link once. */
bool fabric_link_is_first(const struct fabric_port *port)
{
	const struct fabric_port *peer = port->peer;

	if (!peer)
		return false;
	if (port->node == peer->node)
		return port->number <= peer->number;
	return port->node->guid < peer->node->guid;
}

/* Switches first, as ibnetdiscover prints them, then by GUID. */
static int compare_nodes(const void *left, const void *right)
{
	const struct fabric_node *a = *(struct fabric_node *const *)left;
	const struct fabric_node *b = *(struct fabric_node *const *)right;
	bool a_is_switch = a->type == IB_NODE_SWITCH, b_is_switch = b->type == IB_NODE_SWITCH;

	if (a_is_switch != b_is_switch)
		return a_is_switch ? -1 : 1;
	return (a->guid > b->guid) - (a->guid < b->guid);
}

void fabric_sort(struct fabric *fabric)
{
	if (fabric->number_of_nodes)
		qsort(fabric->nodes, fabric->number_of_nodes, sizeof(*fabric->nodes),
		      compare_nodes);
}
