/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* fabric.c - memory of nodes and ports, public calls that walk over them, and how calls fail. */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libibmad-fabric/fabric.h"

#define FIRST_BUCKET_BITS 6

struct mad_fabric *fabric_create(void)
{
	return calloc(1, sizeof(struct mad_fabric));
}

void mad_fabric_free(struct mad_fabric *fabric)
{
	if (!fabric)
		return;
	for (size_t i = 0; i < fabric->info.nodes; i++)
		free(fabric->nodes[i]);
	free(fabric->buckets);
	free(fabric->nodes);
	free(fabric->ports_by_lid);
	free(fabric->ports_by_guid);
	free(fabric->nodes_by_name);
	free(fabric->problems);
	free(fabric);
}

/* Fibonacci hashing: the multiplication spreads GUIDs that follow each other. */
static struct fabric_node **bucket_of(struct fabric_node **buckets, unsigned bits, uint64_t guid)
{
	return &buckets[guid * UINT64_C(0x9e3779b97f4a7c15) >> (64 - bits)];
}

struct fabric_node *fabric_find(const struct mad_fabric *fabric, uint64_t guid)
{
	struct fabric_node *node =
		fabric->buckets ? *bucket_of(fabric->buckets, fabric->bucket_bits, guid) : NULL;

	while (node && node->public.guid != guid)
		node = node->next_in_bucket;
	return node;
}

static void add_to_bucket(struct fabric_node **buckets, unsigned bits, struct fabric_node *node)
{
	struct fabric_node **bucket = bucket_of(buckets, bits, node->public.guid);

	node->next_in_bucket = *bucket;
	*bucket = node;
}

/* Makes 1 << bits buckets. */
static int make_buckets(struct mad_fabric *fabric, unsigned bits)
{
	struct fabric_node **buckets = calloc((size_t)1 << bits, sizeof(struct fabric_node *));

	if (!buckets)
		return -ENOMEM;
	for (size_t i = 0; i < fabric->info.nodes; i++)
		if (!fabric->nodes[i]->public.same_guid)
			add_to_bucket(buckets, bits, fabric->nodes[i]);
	free(fabric->buckets);
	fabric->buckets = buckets;
	fabric->bucket_bits = bits;
	return 0;
}

/* Whether a link of both nodes leads out of the same port to the same port. */
static bool share_link(const struct mad_fabric_node *a, const struct mad_fabric_node *b)
{
	for (unsigned i = 0; i <= a->port_count && i <= b->port_count; i++) {
		const struct mad_fabric_port *one = fabric_node_of(a)->ports[i].public.peer;
		const struct mad_fabric_port *other = fabric_node_of(b)->ports[i].public.peer;

		if (one && other && one->port_number == other->port_number &&
		    one->node->guid == other->node->guid)
			return true;
	}
	return false;
}

/* A node with the GUID of a node of another fabric that shares a link with it; NULL: none. */
static const struct fabric_node *find_by_link(const struct mad_fabric *fabric,
					      const struct mad_fabric_node *node)
{
	const struct fabric_node *found = fabric_find(fabric, node->guid);

	while (found && !share_link(&found->public, node))
		found = found->next_same;
	return found;
}

/*
 * Nodes with one GUID correspond by a link that both have, else by their number among these: where
 * a node is missing, the numbers are those of other nodes.
 */
const struct mad_fabric_node *fabric_same_node(const struct mad_fabric *other,
					       const struct mad_fabric_node *node)
{
	const struct fabric_node *first = fabric_find(other, node->guid), *found = first, *linked;
	const struct fabric_node *self = fabric_node_of(node);
	bool has_twin = node->duplicate || self->next_same;

	while (found && found->public.duplicate != node->duplicate)
		found = found->next_same;
	if (!first || (!first->next_same && !has_twin) ||
	    (found && share_link(&found->public, node)))
		return found ? &found->public : NULL;
	linked = find_by_link(other, node);
	if (linked && find_by_link(self->fabric, &linked->public) == self)
		found = linked;
	else if (found && find_by_link(self->fabric, &found->public))
		found = NULL;
	return found ? &found->public : NULL;
}

const struct mad_fabric_port *fabric_same_port(const struct mad_fabric *other,
					       const struct mad_fabric_port *port)
{
	const struct mad_fabric_node *node = fabric_same_node(other, port->node);

	return node ? mad_fabric_get_port(node, port->port_number) : NULL;
}

/* Makes space for one more node. */
static int reserve(struct mad_fabric *fabric)
{
	unsigned bits = fabric->buckets ? fabric->bucket_bits + 1 : FIRST_BUCKET_BITS;
	struct fabric_node **nodes;

	if (fabric->buckets && fabric->info.nodes >> fabric->bucket_bits == 0)
		return 0;
	nodes = realloc(fabric->nodes, sizeof(struct fabric_node *) << bits);
	if (!nodes)
		return -ENOMEM;
	fabric->nodes = nodes;
	return make_buckets(fabric, bits);
}

static struct fabric_node *new_node(const struct mad_fabric_node *values)
{
	size_t ports = values->port_count + 1U;
	struct fabric_node *node = calloc(1, sizeof(*node) + ports * sizeof(node->ports[0]));

	if (!node)
		return NULL;
	node->public = *values;
	node->public.same_guid = NULL;
	for (size_t i = 0; i < ports; i++) {
		node->ports[i].public.node = &node->public;
		node->ports[i].public.port_number = (uint8_t)i;
	}
	return node;
}

int fabric_add_node(struct mad_fabric *fabric, const struct mad_fabric_node *values,
		    struct fabric_node **added)
{
	struct fabric_node *first = fabric_find(fabric, values->guid), *last = first, *node;
	unsigned same = first != NULL;

	for (; last && last->next_same; last = last->next_same)
		same++;
	if (fabric->info.nodes >= FABRIC_NODES_MAX || same >= FABRIC_SAME_GUID_MAX)
		return -ENOSPC;
	if (reserve(fabric))
		return -ENOMEM;
	node = new_node(values);
	if (!node)
		return -ENOMEM;
	if (last) {
		node->public.same_guid = &first->public;
		last->next_same = node;
	} else {
		add_to_bucket(fabric->buckets, fabric->bucket_bits, node);
	}
	node->fabric = fabric;
	fabric->number_of_ports += values->port_count + 1U;
	fabric->number_of_addresses += values->type == IB_NODE_SWITCH ? 1 : values->port_count + 1U;
	node->place = fabric->info.nodes;
	fabric->nodes[fabric->info.nodes++] = node;
	*added = node;
	return 0;
}

/* A cable between a and b, which may be one port with a loopback plug; both are free. */
void fabric_connect(struct mad_fabric *fabric, struct fabric_port *a, struct fabric_port *b)
{
	a->public.peer = &b->public;
	b->public.peer = &a->public;
	a->public.peer_error = 0;
	b->public.peer_error = 0;
	fabric->info.links++;
}

bool fabric_link_is_first(const struct mad_fabric_port *port)
{
	const struct mad_fabric_port *peer = port->peer;

	if (!peer)
		return false;
	if (port->node == peer->node)
		return port->port_number <= peer->port_number;
	return fabric_node_of(port->node)->place < fabric_node_of(peer->node)->place;
}

const struct mad_fabric_info *mad_fabric_get_info(const struct mad_fabric *fabric)
{
	return fabric ? &fabric->info : fabric_none(fabric);
}

const struct mad_fabric_node *mad_fabric_next_node(const struct mad_fabric *fabric,
						   const struct mad_fabric_node *node)
{
	size_t place = node ? fabric_node_of(node)->place + 1 : 0;

	return fabric && place < fabric->info.nodes ? &fabric->nodes[place]->public
						    : fabric_none(fabric);
}

const struct mad_fabric_port *mad_fabric_get_port(const struct mad_fabric_node *node,
						  unsigned port_number)
{
	return node && port_number <= node->port_count
		       ? &fabric_node_of(node)->ports[port_number].public
		       : fabric_none(node);
}

struct fabric_port *fabric_next_port(const struct mad_fabric *fabric,
				     const struct fabric_port *port)
{
	const struct mad_fabric_node *node = port ? port->public.node : NULL;
	size_t place = node ? fabric_node_of(node)->place + 1 : 0;

	if (node && port->public.port_number < node->port_count)
		return fabric_port_of(&port[1].public);
	return place < fabric->info.nodes ? &fabric->nodes[place]->ports[0] : NULL;
}

const struct mad_fabric_port *mad_fabric_next_link(const struct mad_fabric *fabric,
						   const struct mad_fabric_port *link)
{
	const struct fabric_port *port = link ? fabric_port_of(link) : NULL;

	if (fabric)
		do
			port = fabric_next_port(fabric, port);
		while (port && !fabric_link_is_first(&port->public));
	return fabric && port ? &port->public : fabric_none(fabric);
}

static void explain(const char *function, int error)
{
	const char *why = mad_refusal_take(error);
	char line[512]; /* fputs() writes a line at once */
	int cancel_state;

	if (ibdebug <= 0)
		return;
	snprintf(line, sizeof(line), "ibdebug: [%d] %.*s: %s%s%s\n", (int)getpid(),
		 mad_refusal_name_length(function), function, why ? why : "", why ? ": " : "",
		 strerror(-error));
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel_state);
	fputs(line, stderr);
	pthread_setcancelstate(cancel_state, NULL);
}

int fabric_end_call(const char *function, int error)
{
	if (error != -ENODATA) /* a port without this counter is no failure */
		explain(function, error);
	errno = -error;
	return -1;
}
