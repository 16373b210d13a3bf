/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* port-errors: the error counters of all ports of all switches that are not 0. */
#include <infiniband/mad_fabric.h>
#include <inttypes.h>
#include <stdio.h>

int main(void)
{
	int classes[] = { IB_SMI_DIRECT_CLASS, IB_PERFORMANCE_CLASS };
	struct mad_fabric_options options = { .size = sizeof(options), .switches_only = true };
	struct ibmad_port *from = mad_rpc_open_port(NULL, 0, classes, 2);
	struct mad_fabric *fabric = from ? mad_fabric_discover(from, &options) : NULL;
	struct mad_fabric_counters *counters =
		fabric ? mad_fabric_read_counters(from, fabric, &options) : NULL;
	const struct mad_fabric_port_counters *row = NULL;

	while (counters && (row = mad_fabric_next_counters(counters, row)))
		for (unsigned i = 0; i < MAD_FABRIC_COUNTERS; i++)
			if (mad_fabric_counter_info(i)->is_error && row->values[i])
				printf("%s port %u: %s %" PRIu64 "\n",
				       row->port->node->description, row->port->number,
				       mad_fabric_counter_info(i)->name, row->values[i]);
	return counters ? 0 : 1; /* freed by the end of the program */
}
