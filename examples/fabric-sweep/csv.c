/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Port counters as CSV (RFC 4180): a heading, then a line for each port. A counter that a port does
 * not have is an empty field. DataBits is the width of the traffic counters, which determines where
 * they stop: at 4294967295, or never.
 */
#include <inttypes.h>

#include "counters.h"
#include "escape.h"

static void write_heading(FILE *file)
{
	fputs("NodeGUID,PortGUID,NodeType,Name,Port,LID,State,DataBits", file);
	for (unsigned i = 0; i < COUNTERS; i++) {
		const struct counter *counter = &counter_columns[i];

		fprintf(file, ",%s",
			mad_field_name(counter->field ? counter->field : counter->extended));
	}
	fputs(",Error\n", file);
}

/* A switch's ports have the GUID and the LID of its port 0. */
static const struct fabric_port *address_of(const struct fabric_port *port)
{
	return port->node->type == IB_NODE_SWITCH ? &port->node->ports[0] : port;
}

static void write_row(const struct counters_row *row, FILE *file)
{
	const struct fabric_port *port = row->port, *address = address_of(port);
	const char *error = "";

	fprintf(file, "0x%016" PRIx64 ",0x%016" PRIx64 ",%s,\"", port->node->guid, address->guid,
		node_type_name(port->node->type));
	escape_text(file, port->node->name);
	fprintf(file, "\",%u,%u,%s,", port->number, address->lid,
		port->stage == FABRIC_PORT_KNOWN ? port_state_name(port->state) : "");
	if (row->stage == COUNTERS_READ)
		fputs(row->has_extended ? "64" : "32", file);
	for (unsigned i = 0; i < COUNTERS; i++) {
		putc(',', file);
		if (row->present & 1u << i)
			fprintf(file, "%" PRIu64, row->values[i]);
	}
	if (row->stage == COUNTERS_FAILED)
		error = fabric_error_text(row->error);
	else if (row->stage != COUNTERS_READ)
		error = "not asked";
	fprintf(file, ",%s\n", error);
}

void counters_write(const struct counters *counters, FILE *file)
{
	write_heading(file);
	for (size_t i = 0; i < counters->number_of_rows; i++)
		if (counters->rows[i].stage != COUNTERS_NONE)
			write_row(&counters->rows[i], file);
}
