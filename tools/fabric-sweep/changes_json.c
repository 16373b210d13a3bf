/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Changes as JSON, a line each: fabric-sweep(8) says what is in them. */
#include <inttypes.h>

#include "escape.h"
#include "sweep.h"

static void write_string(const char *key, const char *value, FILE *file)
{
	fprintf(file, ", \"%s\": \"", key);
	escape_json(file, value);
	putc('"', file);
}

static void write_members(const struct mad_fabric_node *node, FILE *file)
{
	fprintf(file, "\"guid\": \"0x%016" PRIx64 "\"", node->guid);
	write_string("type", node_type_name(node->type), file);
	write_string("name", node_name(node), file);
}

static void write_node(const char *key, const struct mad_fabric_node *node, FILE *file)
{
	if (!node)
		return;
	fprintf(file, ", \"%s\": {", key);
	write_members(node, file);
	write_string("description", node->description, file);
	fprintf(file,
		", \"number_of_ports\": %u, \"vendor_id\": %u, \"device_id\": %u, \"revision\": "
		"%u}",
		node->port_count, node->vendor_id, node->device_id, node->revision);
}

static void write_port(const char *key, const struct mad_fabric_port *port, FILE *file)
{
	char rate[16];

	if (!port)
		return;
	fprintf(file, ", \"%s\": {", key);
	write_members(port->node, file);
	fprintf(file, ", \"port\": %u", port->port_number);
	if (port->lid)
		fprintf(file, ", \"lid\": %u", port->lid);
	if (port->has_info)
		write_string("state", port_state_name(port->state), file);
	if (port->width) {
		format_rate(port, rate);
		write_string("rate", rate, file);
	}
	if (port->peer) {
		fputs(", \"peer\": {", file);
		write_members(port->peer->node, file);
		fprintf(file, ", \"port\": %u}", port->peer->port_number);
	}
	putc('}', file);
}

void change_write_json(const struct mad_fabric_change *change, int64_t time_ns, FILE *file)
{
	static const char *const kinds[] = {
		[MAD_FABRIC_CHANGE_NODE_APPEARED] = "node_appeared",
		[MAD_FABRIC_CHANGE_NODE_DISAPPEARED] = "node_disappeared",
		[MAD_FABRIC_CHANGE_NODE_RENAMED] = "node_renamed",
		[MAD_FABRIC_CHANGE_LINK_APPEARED] = "link_appeared",
		[MAD_FABRIC_CHANGE_LINK_DISAPPEARED] = "link_disappeared",
		[MAD_FABRIC_CHANGE_LINK_MOVED] = "link_moved",
		[MAD_FABRIC_CHANGE_LINK_SPEED] = "link_speed",
		[MAD_FABRIC_CHANGE_LINK_STATE] = "link_state",
		[MAD_FABRIC_CHANGE_LID] = "lid",
		[MAD_FABRIC_CHANGE_NODE_UNREACHABLE] = "node_unreachable",
		[MAD_FABRIC_CHANGE_NODE_REACHABLE] = "node_reachable",
		[MAD_FABRIC_CHANGE_NODE_REPLACED] = "node_replaced",
		[MAD_FABRIC_CHANGE_NODE_DEVICE] = "node_device",
	};
	bool has_port = change->old_port || change->new_port;
	char when[32];

	if (change->kind >= sizeof(kinds) / sizeof(kinds[0]))
		return; /* of a later library */
	fprintf(file, "{\"change\": \"%s\"", kinds[change->kind]);
	if (time_ns) {
		format_time(time_ns, when);
		write_string("time", when, file);
	}
	if (has_port) {
		write_port("old", change->old_port, file);
		write_port("new", change->new_port, file);
	} else {
		write_node("old", change->old_node, file);
		write_node("new", change->new_node, file);
	}
	fputs("}\n", file);
}
