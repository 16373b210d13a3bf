/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The topology as JSON (RFC 8259), in ASCII. GUIDs are strings: they do not fit the numbers of many
 * readers. Unknown ports are omitted.
 */
#include <inttypes.h>

#include "escape.h"
#include "write.h"

static void write_string(const char *key, const char *value, FILE *file)
{
	fprintf(file, ", \"%s\": \"", key);
	escape_json(file, value);
	putc('"', file);
}

static void write_guid(const char *key, uint64_t guid, FILE *file)
{
	fprintf(file, "\"%s\": \"0x%016" PRIx64 "\"", key, guid);
}

/* A port as one end of a link. */
static void write_end(const char *key, const struct fabric_port *port, FILE *file)
{
	fprintf(file, "\"%s\": {", key);
	write_guid("guid", port->node->guid, file);
	fprintf(file, ", \"port\": %u}", port->number);
}

static void write_port(const struct fabric_port *port, FILE *file)
{
	fprintf(file, "{\"port\": %u", port->number);
	if (port->guid) {
		fputs(", ", file);
		write_guid("guid", port->guid, file);
	}
	if (port->stage == FABRIC_PORT_KNOWN) {
		write_string("state", port_state_name(port->state), file);
		write_string("physical_state", physical_state_name(port->physical_state), file);
		fprintf(file, ", \"lid\": %u, \"lmc\": %u", port->lid, port->lmc);
	}
	if (port->width && port->speed) {
		write_string("width", port->width, file);
		write_string("speed", port->speed, file);
	}
	if (port->stage == FABRIC_PORT_SILENT)
		write_string("port_info_error", fabric_error_text(port->info_error), file);
	if (port->peer) {
		fputs(", ", file);
		write_end("peer", port->peer, file);
	}
	if (port->peer_error)
		write_string("peer_error", fabric_error_text(port->peer_error), file);
	putc('}', file);
}

static void write_node(const struct fabric_node *node, FILE *file)
{
	const char *separator = "\n      ";

	fputs("{", file);
	write_guid("guid", node->guid, file);
	write_string("type", node_type_name(node->type), file);
	write_string("name", node->name, file);
	if (node->name_error)
		write_string("name_error", fabric_error_text(node->name_error), file);
	fputs(", ", file);
	write_guid("system_guid", node->system_guid, file);
	fprintf(file,
		", \"vendor_id\": %u, \"device_id\": %u, \"revision\": %u, \"level\": %d, "
		"\"number_of_ports\": %u,\n     \"ports\": [",
		node->vendor_id, node->device_id, node->revision, node->level,
		node->number_of_ports);
	for (int number = 0; number <= node->number_of_ports; number++) {
		const struct fabric_port *port = &node->ports[number];

		if (port->stage == FABRIC_PORT_NOT_ASKED && !port->peer && !port->peer_error)
			continue;
		fputs(separator, file);
		write_port(port, file);
		separator = ",\n      ";
	}
	fputs("]}", file);
}

static void write_nodes(const struct fabric *fabric, FILE *file)
{
	fputs("  \"nodes\": [", file);
	for (size_t i = 0; i < fabric->number_of_nodes; i++) {
		fputs(i ? ",\n    " : "\n    ", file);
		write_node(fabric->nodes[i], file);
	}
	fputs("],\n", file);
}

static void write_links(const struct fabric *fabric, FILE *file)
{
	const char *separator = "\n    {";

	fputs("  \"links\": [", file);
	for (size_t i = 0; i < fabric->number_of_nodes; i++) {
		const struct fabric_node *node = fabric->nodes[i];

		for (int number = 0; number <= node->number_of_ports; number++) {
			const struct fabric_port *port = &node->ports[number];

			if (!fabric_link_is_first(port))
				continue;
			fputs(separator, file);
			write_end("from", port, file);
			fputs(", ", file);
			write_end("to", port->peer, file);
			putc('}', file);
			separator = ",\n    {";
		}
	}
	fputs("],\n", file);
}

static void write_warnings(const struct fabric *fabric, FILE *file)
{
	fputs("  \"warnings\": [", file);
	for (size_t i = 0; i < fabric_warnings_kept(fabric); i++) {
		fputs(i ? ",\n    \"" : "\n    \"", file);
		escape_json(file, fabric->warnings[i]);
		putc('"', file);
	}
	fputs("]\n", file);
}

void json_write(const struct fabric *fabric, FILE *file)
{
	fprintf(file, "{\n  \"complete\": %s,\n", fabric->complete ? "true" : "false");
	if (fabric->own) {
		fputs("  ", file);
		write_end("initiated_from", fabric->own, file);
		fputs(",\n", file);
	}
	write_nodes(fabric, file);
	write_links(fabric, file);
	write_warnings(fabric, file);
	fputs("}\n", file);
}
