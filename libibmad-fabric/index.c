/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * index.c - gives a complete fabric its final order, and looks things up in it by binary search
 * in arrays that never change again, so that any number of threads may read.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "libibmad-fabric/fabric.h"

static int compare_numbers(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int compare_keys(const void *left, const void *right)
{
	const struct fabric_key *a = left, *b = right;

	return a->key != b->key ? compare_numbers(a->key, b->key)
				: compare_numbers(a->order, b->order);
}

/* The number of sorted entries before a key and an order. */
static size_t count_before(const struct fabric_key *keys, size_t count, uint64_t key,
			   uint64_t order)
{
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (keys[middle].key < key ||
		    (keys[middle].key == key && keys[middle].order < order))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The other end of the first port with a link. */
static struct fabric_key first_peer(const struct fabric_node *node)
{
	for (unsigned number = 0; number <= node->public.port_count; number++) {
		const struct mad_fabric_port *peer = node->ports[number].public.peer;

		if (peer)
			return (struct fabric_key){ peer->node->guid, peer->port_number, NULL };
	}
	return (struct fabric_key){ UINT64_MAX, 0, NULL };
}

/* In the order of a node: switches come first. */
#define NO_SWITCH (UINT64_C(1) << 63)

/*
 * Switches first, then by GUID; nodes with one GUID by what they are linked to, which does not
 * depend on the order in which a discovery found them.
 */
static int compare_nodes(const void *left, const void *right)
{
	const struct fabric_key *a = left, *b = right;
	struct fabric_key a_peer, b_peer;
	int difference;

	if ((a->order ^ b->order) & NO_SWITCH)
		return compare_numbers(a->order, b->order);
	if (a->key != b->key)
		return compare_numbers(a->key, b->key);
	a_peer = first_peer(a->item);
	b_peer = first_peer(b->item);
	difference = compare_keys(&a_peer, &b_peer);
	return difference ? difference : compare_keys(left, right);
}

/* Numbers nodes with one GUID, which are in their final places. */
static void number_duplicates(const struct mad_fabric *fabric, struct fabric_node *node)
{
	const struct fabric_node *same = fabric_find(fabric, node->public.guid);

	node->public.duplicate = 0;
	for (; same; same = same->next_same)
		node->public.duplicate += same->place < node->place;
}

/* FNV-1a. */
static uint64_t hash_name(const char *name)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	for (const uint8_t *byte = (const uint8_t *)name; *byte; byte++)
		hash = (hash ^ *byte) * UINT64_C(0x100000001b3);
	return hash;
}

/* Gives the nodes their final places. */
static void sort_nodes(struct mad_fabric *fabric, struct fabric_key *keys)
{
	size_t ports = 0, count = fabric->info.nodes;

	for (size_t i = 0; i < count; i++) {
		struct fabric_node *node = fabric->nodes[i];
		bool is_switch = node->public.type == IB_NODE_SWITCH;

		keys[i] = (struct fabric_key){ node->public.guid, i | (is_switch ? 0 : NO_SWITCH),
					       node };
	}
	qsort(keys, count, sizeof(*keys), compare_nodes);
	for (size_t i = 0; i < count; i++)
		fabric->nodes[i] = keys[i].item;
	for (size_t i = 0; i < count; i++) {
		fabric->nodes[i]->place = i;
		fabric->nodes[i]->first_port = ports;
		ports += fabric->nodes[i]->public.port_count + 1U;
	}
	for (size_t i = 0; i < count; i++)
		if (fabric->nodes[i]->public.same_guid || fabric->nodes[i]->next_same)
			number_duplicates(fabric, fabric->nodes[i]);
}

/* Ports of a switch have its LID, whatever each of them reported. */
static void spread_lid(struct fabric_node *node)
{
	for (unsigned number = 1; number <= node->public.port_count; number++) {
		node->ports[number].public.lid = node->ports[0].public.lid;
		node->ports[number].public.lmc = node->ports[0].public.lmc;
	}
}

static bool is_up(const struct mad_fabric_port *port)
{
	return !port->has_info || port->physical_state == UMAD_PHYS_LINK_UP;
}

/* The subnet manager may have given the LID of a node that is out of reach to another one. */
static bool has_lid(const struct mad_fabric_port *port)
{
	return IB_LID_VALID(port->lid) && !port->node->out_of_reach;
}

static void list_port(struct mad_fabric *fabric, struct fabric_port *port)
{
	struct fabric_key key = { port->public.guid, fabric_order_of(&port->public), port };

	if (key.key)
		fabric->ports_by_guid[fabric->number_of_guids++] = key;
	key.key = port->public.lid;
	if (has_lid(&port->public))
		fabric->ports_by_lid[fabric->number_of_lids++] = key;
}

static void count_node(struct mad_fabric *fabric, struct fabric_node *node)
{
	struct mad_fabric_info *info = &fabric->info;
	uint8_t type = node->public.type;
	bool unread = node->public.description_error || node->public.switch_info_error;

	info->out_of_reach += node->public.out_of_reach;
	info->switches += type == IB_NODE_SWITCH;
	info->cas += type == IB_NODE_CA;
	info->routers += type == IB_NODE_ROUTER;
	if (type == IB_NODE_SWITCH)
		spread_lid(node);
	for (unsigned number = 0; number <= node->public.port_count; number++) {
		struct mad_fabric_port *port = &node->ports[number].public;

		info->ports += port->has_info;
		unread |= port->info_error != 0;
		info->unknown_ends += port->peer_error && !node->public.out_of_reach &&
				      !fabric_is_beyond_limit(fabric, port);
		port->half_link = port->peer && is_up(port) != is_up(port->peer) &&
				  !node->public.out_of_reach && !port->peer->node->out_of_reach;
		if (!number || type != IB_NODE_SWITCH)
			list_port(fabric, &node->ports[number]);
	}
	info->unread_nodes += unread && !node->public.out_of_reach;
}

/* Sorts keys, and frees the memory behind them. */
static struct fabric_key *sort_keys(struct fabric_key *keys, size_t count)
{
	struct fabric_key *smaller = realloc(keys, (count + 1) * sizeof(*keys));

	if (smaller)
		keys = smaller;
	qsort(keys, count, sizeof(*keys), compare_keys);
	return keys;
}

int fabric_finish(struct mad_fabric *fabric)
{
	size_t nodes = fabric->info.nodes;

	fabric->nodes_by_name = calloc(nodes + 1, sizeof(struct fabric_key));
	fabric->ports_by_guid = calloc(fabric->number_of_addresses + 1, sizeof(struct fabric_key));
	fabric->ports_by_lid = calloc(fabric->number_of_addresses + 1, sizeof(struct fabric_key));
	if (!fabric->nodes_by_name || !fabric->ports_by_guid || !fabric->ports_by_lid)
		return -ENOMEM;
	sort_nodes(fabric, fabric->nodes_by_name);
	for (size_t i = 0; i < nodes; i++) {
		struct fabric_node *node = fabric->nodes[i];

		count_node(fabric, node);
		fabric->nodes_by_name[i] = (struct fabric_key){ hash_name(node->public.description),
								node->first_port, node };
	}
	fabric->nodes_by_name = sort_keys(fabric->nodes_by_name, nodes);
	fabric->ports_by_guid = sort_keys(fabric->ports_by_guid, fabric->number_of_guids);
	fabric->ports_by_lid = sort_keys(fabric->ports_by_lid, fabric->number_of_lids);
	fabric_find_problems(fabric);
	fabric->problems = calloc(fabric->info.problems + 1, sizeof(*fabric->problems));
	if (!fabric->problems)
		return -ENOMEM;
	fabric_find_problems(fabric);
	return 0;
}

const struct mad_fabric_node *mad_fabric_find_node(const struct mad_fabric *fabric, uint64_t guid)
{
	const struct fabric_node *node = fabric ? fabric_find(fabric, guid) : NULL;

	return node ? &node->public : fabric_none(fabric);
}

const struct mad_fabric_port *mad_fabric_find_port(const struct mad_fabric *fabric, uint64_t guid,
						   const struct mad_fabric_port *after)
{
	uint64_t order = after ? fabric_order_of(after) + 1 : 0;
	const struct fabric_key *keys;
	size_t place;

	if (!fabric)
		return fabric_none(fabric);
	keys = fabric->ports_by_guid;
	place = count_before(keys, fabric->number_of_guids, guid, order);
	if (place == fabric->number_of_guids || keys[place].key != guid)
		return fabric_none(fabric);
	return &((struct fabric_port *)keys[place].item)->public;
}

/* The last port whose LIDs begin at or below lid may have it; any other would overlap with that. */
const struct mad_fabric_port *mad_fabric_find_lid(const struct mad_fabric *fabric, unsigned lid)
{
	const struct fabric_port *port;
	size_t count = 0;

	if (fabric)
		count = count_before(fabric->ports_by_lid, fabric->number_of_lids,
				     (uint64_t)lid + 1, 0);
	if (!count)
		return fabric_none(fabric);
	port = fabric->ports_by_lid[count - 1].item;
	return lid < port->public.lid + (1U << port->public.lmc) ? &port->public
								 : fabric_none(fabric);
}

const struct mad_fabric_node *mad_fabric_find_name(const struct mad_fabric *fabric,
						   const char *description,
						   const struct mad_fabric_node *after)
{
	const struct fabric_key *key, *end;
	uint64_t hash;

	if (!fabric || !description)
		return fabric_none(NULL);
	hash = hash_name(description);
	end = fabric->nodes_by_name + fabric->info.nodes;
	key = fabric->nodes_by_name +
	      count_before(fabric->nodes_by_name, fabric->info.nodes, hash,
			   after ? fabric_node_of(after)->first_port + 1 : 0);
	for (; key < end && key->key == hash; key++) {
		const struct fabric_node *node = key->item;

		if (!strcmp(node->public.description, description))
			return &node->public;
	}
	return fabric_none(fabric);
}
