/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The fabric as JSON (RFC 8259), in ASCII; fabric-sweep.schema.json describes it. GUIDs and
 * counters beyond 2^53 are strings: they don't fit into the numbers of many readers. A port about
 * which nothing is known is left out. Values that a sweep could not read are as they were before,
 * where that is known.
 */
#include <inttypes.h>

#include "escape.h"
#include "sweep.h"

#define EXACT_MAX (UINT64_C(1) << 53) /* a double holds all whole numbers up to this */

void json_put_text(const char *key, const char *value, FILE *file)
{
	fprintf(file, ", \"%s\": \"", key);
	escape_json(file, value);
	putc('"', file);
}

void json_put_number(const char *key, uint64_t value, FILE *file)
{
	fprintf(file, ", \"%s\": %" PRIu64, key, value);
}

void json_begin_guid(const char *begin, uint64_t guid, FILE *file)
{
	fprintf(file, "%s\"guid\": \"0x%016" PRIx64 "\"", begin, guid);
}

static void put_error(const char *key, int error, FILE *file)
{
	if (error)
		json_put_text(key, error_text(error), file);
}

static void put_width(const char *key, unsigned width, FILE *file)
{
	fprintf(file, ", \"%s\": \"%ux\"", key, width);
}

/* The caller closes the brace. */
static void begin_end(const char *begin, struct link_end end, FILE *file)
{
	json_begin_guid(begin, end.guid, file);
	if (end.duplicate)
		json_put_number("duplicate", end.duplicate, file);
	json_put_number("port", end.port_number, file);
}

static void put_counters(const struct mad_fabric_counter_row *row, FILE *file)
{
	const char *separator = ",\n       \"counters\": {", *end = "";
	uint64_t value;

	put_error("counters_error", mad_fabric_row_error(row), file);
	put_error("extended_speeds_counters_error", mad_fabric_row_speeds_error(row), file);
	for (unsigned i = 0; i < counter_count(); i++) {
		if (mad_fabric_row_value(row, i, &value) < 0)
			continue;
		fprintf(file,
			value > EXACT_MAX ? "%s\"%s\": \"%" PRIu64 "\"" : "%s\"%s\": %" PRIu64,
			separator, mad_fabric_counter_get_kind(i)->name, value);
		separator = ", ";
		end = "}";
	}
	fputs(end, file);
}

static void put_last_peer(const struct last_link *link, FILE *file)
{
	begin_end(", \"last_peer\": {", link->to, file);
	json_put_number("lid", link->lid, file);
	json_put_text("type", node_type_name(link->type), file);
	json_put_text("name", link->name, file);
	putc('}', file);
}

static void put_rate(const struct mad_fabric_port *port, FILE *file)
{
	if (port->width) {
		put_width("width", port->width, file);
		json_put_text("speed", mad_fabric_speed_name(port->speed), file);
	}
	if (port->has_fec)
		json_put_text("fec", mad_fec_name(port->fec_mode), file);
	if (is_degraded(port)) {
		fputs(", \"degraded\": true", file);
		put_width("enabled_width", port->best_width, file);
		json_put_text("enabled_speed", mad_fabric_speed_name(port->best_speed), file);
	}
}

static void put_port(const struct mad_fabric_port *port, const struct last_link *link,
		     const struct mad_fabric_counter_row *row, FILE *file)
{
	fprintf(file, "{\"port\": %u", port->port_number);
	if (port->guid)
		json_begin_guid(", ", port->guid, file);
	if (port->has_info) {
		json_put_text("state", port_state_name(port->state), file);
		json_put_text("physical_state", physical_state_name(port->physical_state), file);
		json_put_number("lid", port->lid, file);
		json_put_number("lmc", port->lmc, file);
	}
	if (has_subnet_manager(port))
		fputs(", \"subnet_manager\": true", file);
	put_rate(port, file);
	put_error("port_info_error", port->info_error, file);
	if (port->peer) {
		begin_end(", \"peer\": {", link_end_of(port->peer), file);
		putc('}', file);
	} else if (link) {
		put_last_peer(link, file);
	}
	put_error("peer_error", port->peer_error, file);
	if (row)
		put_counters(row, file);
	putc('}', file);
}

static bool is_known(const struct mad_fabric_port *port)
{
	return port->has_info || port->info_error || port->peer || port->peer_error;
}

/* Counters are in the order of nodes and ports: *row is the first that is not written yet. */
static void put_ports(const struct state *known, const struct mad_fabric_node *node,
		      const struct mad_fabric_counter_row **row, FILE *file)
{
	const char *separator = "\n      ";

	for (unsigned number = 0; number <= node->port_count; number++) {
		const struct mad_fabric_port *port = mad_fabric_get_port(node, number);
		bool has_row = *row && mad_fabric_row_port(*row) == port;

		if (is_known(port)) {
			fputs(separator, file);
			put_port(port, links_find(&known->links, port), has_row ? *row : NULL,
				 file);
			separator = ",\n      ";
		}
		if (has_row)
			*row = mad_fabric_counters_next(known->counters, *row);
	}
}

/* A description that is not UTF-8 in hexadecimal, too: escape_json() makes other bytes of it. */
static void put_name(const struct mad_fabric_node *node, FILE *file)
{
	const char *name = node->description;

	json_put_text("name", node_name(node), file);
	if (node_name(node) != name)
		json_put_text("description", name, file);
	if (!is_utf8(name)) {
		fputs(", \"name_bytes\": \"", file);
		while (*name)
			fprintf(file, "%02x", (uint8_t)*name++);
		putc('"', file);
	}
	put_error("name_error", node->description_error, file);
}

/* The caller closes the brace. */
static void begin_node(const struct mad_fabric_node *node, FILE *file)
{
	char seen[32];

	json_begin_guid("{", node->guid, file);
	json_put_text("type", node_type_name(node->type), file);
	put_name(node, file);
	if (node->duplicate)
		json_put_number("duplicate", node->duplicate, file);
	if (node->out_of_reach)
		fputs(", \"out_of_reach\": true", file);
	if (node->out_of_reach && node->seen_ns) {
		format_time(node->seen_ns, seen);
		json_put_text("seen", seen, file);
	}
	fprintf(file, ", \"system_guid\": \"0x%016" PRIx64 "\"", node->system_guid);
	json_put_device(node, file);
}

void json_put_device(const struct mad_fabric_node *node, FILE *file)
{
	json_put_number("vendor_id", node->vendor_id, file);
	json_put_number("device_id", node->device_id, file);
	json_put_number("revision", node->revision, file);
	json_put_number("number_of_ports", node->port_count, file);
}

static void put_nodes(const struct state *known, FILE *file)
{
	const struct mad_fabric_counter_row *row =
		known->counters ? mad_fabric_counters_next(known->counters, NULL) : NULL;
	const struct mad_fabric_node *node = NULL;
	const char *separator = "\n    ";

	while ((node = mad_fabric_next_node(known->fabric, node))) {
		fputs(separator, file);
		begin_node(node, file);
		fputs(",\n     \"ports\": [", file);
		put_ports(known, node, &row, file);
		fputs("]}", file);
		separator = ",\n    ";
	}
}

static void put_links(const struct mad_fabric *fabric, FILE *file)
{
	const struct mad_fabric_port *link = NULL;
	const char *separator = "\n    {\"from\": {";

	while ((link = mad_fabric_next_link(fabric, link))) {
		begin_end(separator, link_end_of(link), file);
		begin_end("}, \"to\": {", link_end_of(link->peer), file);
		fputs("}}", file);
		separator = ",\n    {\"from\": {";
	}
}

static void put_warnings(const struct mad_fabric *fabric, FILE *file)
{
	const struct mad_fabric_problem *problem = NULL;
	const char *separator = "\n    \"";
	char text[PROBLEM_SIZE];

	while ((problem = mad_fabric_next_problem(fabric, problem))) {
		problem_text(problem, text);
		fputs(separator, file);
		escape_json(file, text);
		putc('"', file);
		separator = ",\n    \"";
	}
}

static void put_head(const struct sweep *sweep, FILE *file)
{
	const struct mad_fabric_info *info = mad_fabric_get_info(sweep->fabric);
	char when[32];

	format_time(info->time_ns, when);
	fprintf(file,
		"{\n  \"schema\": %d,\n  \"generator\": \"fabric-sweep %s\",\n"
		"  \"time\": \"%s\",\n  \"duration_ms\": %" PRId64 ",\n  \"complete\": %s,\n"
		"  \"unread_nodes\": %zu,\n  \"unknown_ends\": %zu,\n  \"unread_counters\": %zu,\n"
		"  \"units\": {\"PortXmitData\": \"4 bytes\", \"PortRcvData\": \"4 bytes\", "
		"\"PortXmitWait\": \"ticks\"}",
		FABRIC_SWEEP_SCHEMA, FABRIC_SWEEP_VERSION, when, info->duration_ns / 1000000,
		sweep_is_complete(sweep) ? "true" : "false", info->unread_nodes, info->unknown_ends,
		sweep->unread_counters);
	if (sweep->counters)
		fprintf(file, ",\n  \"counters_timestamp\": %" PRId64, sweep->counters_time);
	if (sweep->last_complete)
		fprintf(file, ",\n  \"last_complete\": %" PRId64, sweep->last_complete);
	if (info->from_sa)
		fputs(",\n  \"from_sa\": true", file);
	put_error("error", info->error ? info->error : sweep->error, file);
	if (info->start) {
		begin_end(",\n  \"initiated_from\": {", link_end_of(info->start), file);
		putc('}', file);
	}
}

bool json_write(const struct sweep *sweep, const struct options *options, FILE *file)
{
	const struct state found = { .fabric = sweep->fabric, .counters = sweep->counters };
	const struct state *known = sweep->state && sweep->state->fabric ? sweep->state : &found;

	(void)options;
	put_head(sweep, file);
	fputs(",\n  \"nodes\": [", file);
	put_nodes(known, file);
	fputs("],\n  \"links\": [", file);
	put_links(known->fabric, file);
	fputs("],\n  \"warnings\": [", file);
	put_warnings(sweep->fabric, file);
	fputs("]\n}\n", file);
	return true;
}
