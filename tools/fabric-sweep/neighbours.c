/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Reads the file "neighbors" of opensm's cache as a fabric: lines "0xGUID:PORT 0xGUID:PORT", a port
 * by port GUID and the other end of its link; most links are there once for each end. Of lines that
 * contradict each other, the first one counts. Each GUID becomes a node whose port 0 has it, as
 * that of a switch.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sweep.h"

static int add(struct file_fabric *file, struct link_end end, struct link_end peer)
{
	struct file_port *port = list_add(&file->ports, sizeof(*port));
	struct mad_fabric_node *node = list_add(&file->nodes, sizeof(*node));

	if (!port || !node)
		return -ENOMEM;
	port->end = end;
	port->peer = peer;
	node->type = IB_NODE_SWITCH;
	node->guid = end.guid;
	node->port_count = (uint8_t)end.port_number;
	return 0;
}

/* A line without its end is cut off. */
static int take_line(void *context, char *line)
{
	struct link_end one = { 0 }, other = { 0 };
	char rest;

	if (!line[strspn(line, " \t\r\n")] || *line == '#')
		return 0;
	if (!strchr(line, '\n') ||
	    sscanf(line, "0x%" SCNx64 ":%u 0x%" SCNx64 ":%u %c", &one.guid, &one.port_number,
		   &other.guid, &other.port_number, &rest) != 4 ||
	    !one.guid || !other.guid || !one.port_number || !other.port_number ||
	    one.port_number > UINT8_MAX || other.port_number > UINT8_MAX)
		return -EBADMSG;
	return add(context, one, other) ? -ENOMEM : add(context, other, one);
}

static int compare_nodes(const void *left, const void *right)
{
	const struct mad_fabric_node *a = left, *b = right;

	return (a->guid > b->guid) - (a->guid < b->guid);
}

/* Each port came with its node: keeps one node of each GUID, with its last port and port 0. */
static int merge_nodes(struct file_fabric *file)
{
	struct mad_fabric_node *nodes = file->nodes.items;
	size_t count = file->nodes.count, kept = 0;

	if (count)
		qsort(nodes, count, sizeof(*nodes), compare_nodes);
	for (size_t i = 0; i < count; i++) {
		struct file_port *port;

		if (kept && nodes[kept - 1].guid == nodes[i].guid) {
			if (nodes[kept - 1].port_count < nodes[i].port_count)
				nodes[kept - 1].port_count = nodes[i].port_count;
			continue;
		}
		nodes[kept++] = nodes[i];
		port = list_add(&file->ports, sizeof(*port));
		if (!port)
			return -ENOMEM;
		port->end.guid = port->port.guid = nodes[i].guid;
	}
	file->nodes.count = kept;
	return 0;
}

struct mad_fabric *neighbours_read(const char *name)
{
	struct file_fabric file = { .repeats = true };
	struct mad_fabric *fabric = NULL;

	if (lines_read(fopen(name, "re"), "--keys", name, "0xGUID:PORT 0xGUID:PORT", take_line,
		       &file)) {
		if (!merge_nodes(&file))
			fabric = file_fabric_build(&file);
		if (!fabric)
			complain("--keys: %s: %s", name, strerror(errno));
	}
	list_free(&file.nodes);
	list_free(&file.ports);
	return fabric;
}
