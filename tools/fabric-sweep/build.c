/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Builds fabrics of files, whose nodes, ports and links come in any order, and may be wrong. */
#include <errno.h>
#include <stdlib.h>

#include "sweep.h"

static int compare_numbers(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

int link_end_compare(const struct link_end *a, const struct link_end *b)
{
	int order = compare_numbers(a->guid, b->guid);

	if (!order)
		order = compare_numbers(a->duplicate, b->duplicate);
	return order ? order : compare_numbers(a->port_number, b->port_number);
}

struct link_end link_end_of(const struct mad_fabric_port *port)
{
	return (struct link_end){ port->node->guid, port->node->duplicate, port->port_number };
}

static struct link_end end_of_node(const struct mad_fabric_node *node)
{
	return (struct link_end){ node->guid, node->duplicate, 0 };
}

static int compare_with_node(const void *end, const void *node)
{
	struct link_end other = end_of_node(*(struct mad_fabric_node *const *)node);

	return link_end_compare(end, &other);
}

static int compare_nodes(const void *left, const void *right)
{
	struct link_end end = end_of_node(*(struct mad_fabric_node *const *)left);

	return compare_with_node(&end, right);
}

/* The node of a port, among sorted ones; NULL: none. */
static const struct mad_fabric_node *find_node(const struct mad_fabric_node *const *nodes,
					       size_t count, struct link_end end)
{
	const struct mad_fabric_node *const *found;

	end.port_number = 0;
	found = bsearch(&end, nodes, count, sizeof(*nodes), compare_with_node);
	return found ? *found : NULL;
}

static int compare_with_end(const void *end, const void *port)
{
	return link_end_compare(end, &(*(struct file_port *const *)port)->end);
}

/* Of ports that are given again, the first one stays first. */
static int compare_ports(const void *left, const void *right)
{
	const struct file_port *a = *(struct file_port *const *)left;
	const struct file_port *b = *(struct file_port *const *)right;
	int order = link_end_compare(&a->end, &b->end);

	return order ? order : (a > b) - (a < b);
}

/* Returns how many ports are left. */
static size_t sort_ports(const struct file_fabric *file, struct file_port **sorted)
{
	struct file_port *ports = file->ports.items;
	size_t kept = 0;

	for (size_t i = 0; i < file->ports.count; i++)
		sorted[i] = &ports[i];
	qsort(sorted, file->ports.count, sizeof(struct file_port *), compare_ports);
	for (size_t i = 0; i < file->ports.count; i++)
		if (!kept || !file->repeats ||
		    link_end_compare(&sorted[kept - 1]->end, &sorted[i]->end) != 0)
			sorted[kept++] = sorted[i];
	return kept;
}

/* Each port gets its node, and its peer if that names it, too. Returns how many ports there are. */
static size_t connect_ports(const struct file_fabric *file, const struct mad_fabric_node **nodes,
			    struct file_port **sorted, struct mad_fabric_port *ports)
{
	const struct mad_fabric_node *all = file->nodes.items;
	size_t count = sort_ports(file, sorted);

	for (size_t i = 0; i < file->nodes.count; i++)
		nodes[i] = &all[i];
	qsort(nodes, file->nodes.count, sizeof(*nodes), compare_nodes);
	for (size_t i = 0; i < count; i++) {
		struct file_port **peer = NULL;

		ports[i] = sorted[i]->port;
		ports[i].port_number = (uint8_t)sorted[i]->end.port_number;
		ports[i].node = find_node(nodes, file->nodes.count, sorted[i]->end);
		if (sorted[i]->peer.port_number)
			peer = bsearch(&sorted[i]->peer, sorted, count, sizeof(struct file_port *),
				       compare_with_end);
		if (peer && !link_end_compare(&(*peer)->peer, &sorted[i]->end))
			ports[i].peer = &ports[peer - sorted];
	}
	return count;
}

/* Notes what has been made of the ports of the file. */
static void note_built(const struct file_fabric *file, const struct mad_fabric *fabric,
		       const struct mad_fabric_node **nodes)
{
	const struct mad_fabric_node *node = NULL;
	struct file_port *ports = file->ports.items;
	size_t count = 0;

	while ((node = mad_fabric_next_node(fabric, node)))
		nodes[count++] = node;
	qsort(nodes, count, sizeof(*nodes), compare_nodes);
	for (size_t i = 0; i < file->ports.count; i++) {
		node = find_node(nodes, count, ports[i].end);
		ports[i].built = node ? mad_fabric_get_port(node, ports[i].end.port_number) : NULL;
	}
}

struct mad_fabric *file_fabric_build(const struct file_fabric *file)
{
	const struct mad_fabric_node **nodes = calloc(file->nodes.count + 1, sizeof(*nodes));
	struct file_port **sorted = calloc(file->ports.count + 1, sizeof(struct file_port *));
	struct mad_fabric_port *ports = calloc(file->ports.count + 1, sizeof(*ports));
	struct mad_fabric *fabric = NULL;

	if (nodes && sorted && ports)
		fabric = mad_fabric_build(&(struct mad_fabric_description){
			.nodes = file->nodes.items,
			.node_count = file->nodes.count,
			.node_size = sizeof(struct mad_fabric_node),
			.ports = ports,
			.port_count = connect_ports(file, nodes, sorted, ports),
			.port_size = sizeof(struct mad_fabric_port),
			.time_ns = file->time_ns,
			.error = file->error,
		});
	if (fabric)
		note_built(file, fabric, nodes);
	free(nodes);
	free(sorted);
	free(ports);
	return fabric;
}
