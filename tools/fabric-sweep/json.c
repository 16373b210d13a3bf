/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The fabric as JSON (RFC 8259), in ASCII; fabric-sweep.schema.json describes it. GUIDs and
 * counters beyond 2^53 are strings: they don't fit into the numbers of many readers. Ports that
 * nothing is known about are left out. What a sweep could not read is as it was before, where that
 * is known.
 */
#include <inttypes.h>

#include "escape.h"
#include "sweep.h"

#define EXACT_MAX (UINT64_C(1) << 53) /* of whole numbers that a double holds, all below it */

static void write_string(const char *key, const char *value, FILE *file)
{
	fprintf(file, ", \"%s\": \"", key);
	escape_json(file, value);
	putc('"', file);
}

/* What is not UTF-8, in hexadecimal. */
static void write_bytes(const char *key, const char *value, FILE *file)
{
	fprintf(file, ", \"%s\": \"", key);
	for (const uint8_t *byte = (const uint8_t *)value; *byte; byte++)
		fprintf(file, "%02x", *byte);
	putc('"', file);
}

static void write_guid(const char *key, uint64_t guid, FILE *file)
{
	fprintf(file, "\"%s\": \"0x%016" PRIx64 "\"", key, guid);
}

/* A port as one end of a link. */
static void write_end(const char *key, const struct mad_fabric_port *port, FILE *file)
{
	fprintf(file, "\"%s\": {", key);
	write_guid("guid", port->node->guid, file);
	if (port->node->duplicate)
		fprintf(file, ", \"duplicate\": %u", port->node->duplicate);
	fprintf(file, ", \"port\": %u}", port->port_number);
}

static void write_counters(const struct mad_fabric_counter_row *row, FILE *file)
{
	const char *separator = ",\n       \"counters\": {";
	uint64_t value;

	if (mad_fabric_row_error(row))
		write_string("counters_error", error_text(mad_fabric_row_error(row)), file);
	if (mad_fabric_row_speeds_error(row))
		write_string("extended_speeds_counters_error",
			     error_text(mad_fabric_row_speeds_error(row)), file);
	for (unsigned i = 0; i < counter_count(); i++) {
		if (mad_fabric_row_value(row, i, &value) < 0)
			continue;
		fprintf(file, "%s\"%s\": %s%" PRIu64 "%s", separator,
			mad_fabric_counter_get_kind(i)->name, value > EXACT_MAX ? "\"" : "", value,
			value > EXACT_MAX ? "\"" : "");
		separator = ", ";
	}
	if (*separator == ',' && separator[1] == ' ')
		putc('}', file);
}

static void write_last_peer(const struct last_link *link, FILE *file)
{
	fputs(", \"last_peer\": {", file);
	write_guid("guid", link->to.guid, file);
	if (link->to.duplicate)
		fprintf(file, ", \"duplicate\": %u", link->to.duplicate);
	fprintf(file, ", \"port\": %u, \"lid\": %u", link->to.port_number, link->lid);
	write_string("type", node_type_name(link->type), file);
	write_string("name", link->name, file);
	putc('}', file);
}

static void write_port(const struct mad_fabric_port *port, const struct last_link *link,
		       const struct mad_fabric_counter_row *row, FILE *file)
{
	fprintf(file, "{\"port\": %u", port->port_number);
	if (port->guid) {
		fputs(", ", file);
		write_guid("guid", port->guid, file);
	}
	if (port->has_info) {
		write_string("state", port_state_name(port->state), file);
		write_string("physical_state", physical_state_name(port->physical_state), file);
		fprintf(file, ", \"lid\": %u, \"lmc\": %u", port->lid, port->lmc);
	}
	if (has_subnet_manager(port))
		fputs(", \"subnet_manager\": true", file);
	if (port->width) {
		fprintf(file, ", \"width\": \"%ux\"", port->width);
		write_string("speed", mad_fabric_speed_name(port->speed), file);
	}
	if (port->has_fec)
		write_string("fec", mad_fec_name(port->fec_mode), file);
	if (is_degraded(port))
		fprintf(file,
			", \"degraded\": true, \"enabled_width\": \"%ux\", \"enabled_speed\": "
			"\"%s\"",
			port->best_width, mad_fabric_speed_name(port->best_speed));
	if (port->info_error)
		write_string("port_info_error", error_text(port->info_error), file);
	if (port->peer) {
		fputs(", ", file);
		write_end("peer", port->peer, file);
	}
	if (link && !port->peer)
		write_last_peer(link, file);
	if (port->peer_error)
		write_string("peer_error", error_text(port->peer_error), file);
	if (row)
		write_counters(row, file);
	putc('}', file);
}

static bool is_known(const struct mad_fabric_port *port)
{
	return port->has_info || port->info_error || port->peer || port->peer_error;
}

/*
 * Counters are in the order of nodes and ports. Returns the row of a port, or NULL; *next is the
 * one that comes after.
 */
static const struct mad_fabric_counter_row *take_row(const struct state *known,
						     const struct mad_fabric_port *port,
						     const struct mad_fabric_counter_row **next)
{
	const struct mad_fabric_counter_row *row = *next;

	if (!row || mad_fabric_row_port(row) != port)
		return NULL;
	*next = mad_fabric_counters_next(known->counters, row);
	return row;
}

static void write_node(const struct state *known, const struct mad_fabric_node *node,
		       const struct mad_fabric_counter_row **next, FILE *file)
{
	const char *separator = "\n      ";
	char seen[32];

	fputs("{", file);
	write_guid("guid", node->guid, file);
	write_string("type", node_type_name(node->type), file);
	write_string("name", node_name(node), file);
	if (node_name(node) != node->description)
		write_string("description", node->description, file);
	if (!is_utf8(node->description))
		write_bytes("name_bytes", node->description, file);
	if (node->description_error)
		write_string("name_error", error_text(node->description_error), file);
	if (node->duplicate)
		fprintf(file, ", \"duplicate\": %u", node->duplicate);
	if (node->out_of_reach)
		fputs(", \"out_of_reach\": true", file);
	if (node->out_of_reach && node->seen_ns) {
		format_time(node->seen_ns, seen);
		write_string("seen", seen, file);
	}
	fputs(", ", file);
	write_guid("system_guid", node->system_guid, file);
	fprintf(file,
		", \"vendor_id\": %u, \"device_id\": %u, \"revision\": %u, \"number_of_ports\": "
		"%u,\n     \"ports\": [",
		node->vendor_id, node->device_id, node->revision, node->port_count);
	for (unsigned number = 0; number <= node->port_count; number++) {
		const struct mad_fabric_port *port = mad_fabric_get_port(node, number);
		const struct mad_fabric_counter_row *row = take_row(known, port, next);

		if (!is_known(port))
			continue;
		fputs(separator, file);
		write_port(port, links_find(&known->links, port), row, file);
		separator = ",\n      ";
	}
	fputs("]}", file);
}

static void write_nodes(const struct state *known, FILE *file)
{
	const struct mad_fabric_counter_row *next =
		known->counters ? mad_fabric_counters_next(known->counters, NULL) : NULL;
	const struct mad_fabric_node *node = NULL;
	const char *separator = "\n    ";

	fputs("  \"nodes\": [", file);
	while ((node = mad_fabric_next_node(known->fabric, node))) {
		fputs(separator, file);
		write_node(known, node, &next, file);
		separator = ",\n    ";
	}
	fputs("],\n", file);
}

static void write_links(const struct mad_fabric *fabric, FILE *file)
{
	const struct mad_fabric_port *link = NULL;
	const char *separator = "\n    {";

	fputs("  \"links\": [", file);
	while ((link = mad_fabric_next_link(fabric, link))) {
		fputs(separator, file);
		write_end("from", link, file);
		fputs(", ", file);
		write_end("to", link->peer, file);
		putc('}', file);
		separator = ",\n    {";
	}
	fputs("],\n", file);
}

static void write_warnings(const struct mad_fabric *fabric, FILE *file)
{
	const struct mad_fabric_problem *problem = NULL;
	const char *separator = "\n    \"";
	char text[PROBLEM_SIZE];

	fputs("  \"warnings\": [", file);
	while ((problem = mad_fabric_next_problem(fabric, problem))) {
		problem_text(problem, text);
		fputs(separator, file);
		escape_json(file, text);
		putc('"', file);
		separator = ",\n    \"";
	}
	fputs("]\n", file);
}

bool json_write(const struct sweep *sweep, const struct options *options, FILE *file)
{
	const struct mad_fabric_info *info = mad_fabric_get_info(sweep->fabric);
	const struct state found = { .fabric = sweep->fabric, .counters = sweep->counters };
	const struct state *known = sweep->state && sweep->state->fabric ? sweep->state : &found;
	char when[32];

	(void)options;
	format_time(info->time_ns, when);
	fprintf(file,
		"{\n  \"schema\": %d,\n  \"generator\": \"fabric-sweep %s\",\n"
		"  \"time\": \"%s\",\n  \"duration_ms\": %" PRId64 ",\n  \"complete\": %s,\n"
		"  \"unread_nodes\": %zu,\n  \"unknown_ends\": %zu,\n  \"unread_counters\": %zu,\n"
		"  \"units\": {\"PortXmitData\": \"4 bytes\", \"PortRcvData\": \"4 bytes\", "
		"\"PortXmitWait\": \"ticks\"},\n",
		FABRIC_SWEEP_SCHEMA, FABRIC_SWEEP_VERSION, when, info->duration_ns / 1000000,
		sweep_is_complete(sweep) ? "true" : "false", info->unread_nodes, info->unknown_ends,
		sweep->unread_counters);
	if (sweep->counters)
		fprintf(file, "  \"counters_timestamp\": %" PRId64 ",\n", sweep->counters_time);
	if (sweep->last_complete)
		fprintf(file, "  \"last_complete\": %" PRId64 ",\n", sweep->last_complete);
	if (info->from_sa)
		fputs("  \"from_sa\": true,\n", file);
	if (info->error || sweep->error) {
		fputs("  \"error\": \"", file);
		escape_json(file, error_text(info->error ? info->error : sweep->error));
		fputs("\",\n", file);
	}
	if (info->start) {
		fputs("  ", file);
		write_end("initiated_from", info->start, file);
		fputs(",\n", file);
	}
	write_nodes(known, file);
	write_links(known->fabric, file);
	write_warnings(sweep->fabric, file);
	fputs("}\n", file);
	return true;
}
