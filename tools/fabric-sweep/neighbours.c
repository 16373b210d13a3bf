/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Reads the file "neighbors" of opensm's cache as a fabric: lines "0xGUID:PORT 0xGUID:PORT", a port
 * by port GUID and the other end of its link; most links are there once for each end. Each GUID
 * becomes a node whose port 0 has it, as that of a switch.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sweep.h"

static int add(struct file_fabric *file, struct link_end end, struct link_end peer)
{
	struct file_port *port = list_add(&file->ports, sizeof(*port));

	if (!port)
		return -ENOMEM;
	port->end = end;
	port->peer = peer;
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

static int compare_ports(const void *left, const void *right)
{
	return link_end_compare(&((const struct file_port *)left)->end,
				&((const struct file_port *)right)->end);
}

static int add_nodes(struct file_fabric *file)
{
	size_t count = file->ports.count;
	struct mad_fabric_node *node = NULL;
	struct file_port *port;

	if (count)
		qsort(file->ports.items, count, sizeof(struct file_port), compare_ports);
	for (size_t i = 0; i < count; i++) {
		struct link_end end = ((struct file_port *)file->ports.items)[i].end;

		if (!node || node->guid != end.guid) {
			node = list_add(&file->nodes, sizeof(*node));
			port = list_add(&file->ports, sizeof(*port));
			if (!node || !port)
				return -ENOMEM;
			port->end.guid = end.guid;
			port->port.guid = end.guid;
			node->type = IB_NODE_SWITCH;
			node->guid = end.guid;
		}
		node->port_count = (uint8_t)end.port_number;
	}
	return 0;
}

struct mad_fabric *neighbours_read(const char *name)
{
	struct file_fabric file = { .repeats = true };
	struct mad_fabric *fabric = NULL;

	if (lines_read(fopen(name, "re"), "--keys", name, "0xGUID:PORT 0xGUID:PORT", take_line,
		       &file)) {
		if (!add_nodes(&file))
			fabric = file_fabric_build(&file);
		if (!fabric)
			complain("--keys: %s: %s", name, strerror(errno));
	}
	list_free(&file.nodes);
	list_free(&file.ports);
	return fabric;
}
