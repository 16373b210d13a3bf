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
	fputs("NodeGUID,PortGUID,NodeType,Name,Port,LID,State,FEC,DataBits", file);
	for (unsigned i = 0; i < counter_count(); i++)
		fprintf(file, ",%s", mad_fabric_counter_get_kind(i)->name);
	fputs(",Error\n", file);
}

static void write_row(const struct mad_fabric_counter_row *row, FILE *file)
{
	const struct mad_fabric_port *port = mad_fabric_row_port(row), *address = port;
	int error = mad_fabric_row_error(row), speeds_error = mad_fabric_row_speeds_error(row);
	uint64_t value;

	if (port->node->type == IB_NODE_SWITCH)
		address = mad_fabric_get_port(port->node, 0);
	fprintf(file, "0x%016" PRIx64 ",0x%016" PRIx64 ",%s,\"", port->node->guid, address->guid,
		node_type_name(port->node->type));
	escape_csv(file, node_name(port->node));
	fprintf(file, "\",%u,%u,%s,%s,", port->port_number, port->lid,
		port->has_info ? port_state_name(port->state) : "",
		port->has_fec ? mad_fec_name(port->fec_mode) : "");
	if (mad_fabric_row_bits(row, MAD_FABRIC_COUNTER_XMIT_DATA))
		fprintf(file, "%u", mad_fabric_row_bits(row, MAD_FABRIC_COUNTER_XMIT_DATA));
	for (unsigned i = 0; i < counter_count(); i++) {
		putc(',', file);
		if (mad_fabric_row_value(row, i, &value) >= 0)
			fprintf(file, "%" PRIu64, value);
	}
	fprintf(file, ",%s%s\n", error || !speeds_error ? "" : "PortExtendedSpeedsCounters: ",
		error || speeds_error ? error_text(error ? error : speeds_error) : "");
}

bool csv_write(const struct sweep *sweep, const struct options *options, FILE *file)
{
	const struct mad_fabric_counter_row *row = NULL;

	(void)options;
	write_heading(file);
	while (sweep->counters && (row = mad_fabric_counters_next(sweep->counters, row)))
		write_row(row, file);
	return true;
}
