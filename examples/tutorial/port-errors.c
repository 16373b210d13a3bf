/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* port-errors: the error counters of all ports of all switches that are not 0. */
#include <infiniband/mad_fabric_counters.h>
#include <inttypes.h>
#include <stdio.h>

int main(void)
{
	int classes[] = { IB_SMI_DIRECT_CLASS, IB_PERFORMANCE_CLASS };
	struct mad_fabric_options how = { .flags = MAD_FABRIC_SWITCHES_ONLY };
	struct ibmad_port *from = mad_rpc_open_port(NULL, 0, classes, 2);
	struct mad_fabric *fabric = mad_fabric_discover(from, &how);
	struct mad_fabric_counters *all = mad_fabric_counters_read(from, fabric, &how);
	const struct mad_fabric_counter_row *row = NULL;
	const struct mad_fabric_port *port;
	uint64_t n;

	while ((row = mad_fabric_counters_next(all, row)) && (port = mad_fabric_row_port(row)))
		for (unsigned i = 0; i < mad_fabric_counter_count(); i++)
			if (mad_fabric_counter_get_kind(i)->is_error &&
			    mad_fabric_row_value(row, i, &n) >= 0 && n)
				printf("%s port %u: %s %" PRIu64 "\n", port->node->description,
				       port->port_number, mad_fabric_counter_get_kind(i)->name, n);
	return all ? 0 : 1; /* freed by the end of the program */
}
