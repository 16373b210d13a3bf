/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Errors and packets of all ports of switches. */
#include <infiniband/mad_fabric_counters.h>
#include <inttypes.h>
#include <stdio.h>

int main(void)
{
	int classes[] = { IB_SMI_DIRECT_CLASS, IB_PERFORMANCE_CLASS };
	struct ibmad_port *port = mad_rpc_open_port(NULL, 0, classes, 2);
	struct mad_fabric_options options = { .flags = MAD_FABRIC_SWITCHES_ONLY };
	struct mad_fabric *fabric = port ? mad_fabric_discover(port, &options) : NULL;
	struct mad_fabric_counters *counters =
		fabric ? mad_fabric_counters_read(port, fabric, &options) : NULL;
	const struct mad_fabric_counter_row *row = NULL;
	uint64_t errors = 0;
	int ports = 0;

	if (!counters) {
		perror("mad_fabric_counters_read");
		return 1;
	}
	while ((row = mad_fabric_counters_next(counters, row))) {
		ports += !mad_fabric_row_error(row);
		errors += mad_fabric_row_errors(row);
	}
	printf("ports: %d, errors: %" PRIu64 "\n", ports, errors);
	mad_fabric_counters_free(counters);
	mad_fabric_free(fabric);
	mad_rpc_close_port(port);
	return 0;
}
