/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Port counters as CSV (RFC 4180): a heading, then a line for each port. A counter that a port does
 * not have is an empty field, and Error says why something is missing. DataBits says how wide the
 * traffic counters are, and with that when they stop: at 4294967295, or never.
 */
#include <inttypes.h>

#include "escape.h"
#include "sweep.h"

static void write_heading(FILE *file)
{
	fputs("NodeGUID,PortGUID,NodeType,Name,Port,LID,State,DataBits", file);
	for (unsigned i = 0; i < MAD_FABRIC_COUNTERS; i++)
		fprintf(file, ",%s", mad_fabric_counter_info(i)->name);
	fputs(",Error\n", file);
}

static void write_row(const struct mad_fabric_port_counters *row, FILE *file)
{
	const struct mad_fabric_port *port = row->port, *address = port;

	if (port->node->type == IB_NODE_SWITCH)
		address = mad_fabric_get_port(port->node, 0);
	fprintf(file, "0x%016" PRIx64 ",0x%016" PRIx64 ",%s,\"", port->node->guid, address->guid,
		node_type_name(port->node->type));
	escape_text(file, port->node->description);
	fprintf(file, "\",%u,%u,%s,", port->number, port->lid,
		port->has_info ? port_state_name(port->state) : "");
	if (row->present >> MAD_FABRIC_XMIT_DATA & 1)
		fprintf(file, "%u", row->bits[MAD_FABRIC_XMIT_DATA]);
	for (unsigned i = 0; i < MAD_FABRIC_COUNTERS; i++) {
		putc(',', file);
		if (row->present >> i & 1)
			fprintf(file, "%" PRIu64, row->values[i]);
	}
	fprintf(file, ",%s%s\n",
		row->error || !row->speeds_error ? "" : "PortExtendedSpeedsCounters: ",
		row->error || row->speeds_error
			? error_text(row->error ? row->error : row->speeds_error)
			: "");
}

bool csv_write(const struct sweep *sweep, const struct options *options, FILE *file)
{
	const struct mad_fabric_port_counters *row = NULL;

	(void)options;
	write_heading(file);
	while (sweep->counters && (row = mad_fabric_next_counters(sweep->counters, row)))
		write_row(row, file);
	return true;
}
