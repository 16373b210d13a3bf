/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* error-rates SECONDS TIMES: which error counters of the fabric rise, and how fast; a line for
 * each. */
#include <err.h>
#include <infiniband/mad_fabric_counters.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void print_counter(const struct mad_fabric_counter_row *row, unsigned counter)
{
	const struct mad_fabric_counter_kind *kind = mad_fabric_counter_get_kind(counter);
	const struct mad_fabric_port *port = mad_fabric_row_port(row);
	uint64_t rise;
	double rate;
	int flags = mad_fabric_row_value(row, counter, &rise);

	if (!kind->is_error || flags < 0 || !rise)
		return;
	if (mad_fabric_row_rate(row, counter, &rate) < 0)
		rate = 0;
	printf("%s port %u: %s rose by %s%" PRIu64 ", %.1f a second\n", port->node->description,
	       port->port_number, kind->name,
	       flags & (MAD_FABRIC_VALUE_RESET | MAD_FABRIC_VALUE_SATURATED) ? "at least " : "",
	       rise, rate);
}

int main(int argc, char **argv)
{
	int classes[] = { IB_SMI_DIRECT_CLASS, IB_PERFORMANCE_CLASS };
	struct ibmad_port *port = mad_rpc_open_port(NULL, 0, classes, 2);
	struct mad_fabric *fabric = port ? mad_fabric_discover(port, NULL) : NULL;
	struct mad_fabric_counters *before, *now;

	if (argc != 3)
		errx(1, "usage: error-rates SECONDS TIMES");
	before = fabric ? mad_fabric_counters_read(port, fabric, NULL) : NULL;
	if (!before)
		err(1, "no counters");
	for (int i = 0; i < atoi(argv[2]); i++) {
		const struct mad_fabric_counter_row *row = NULL;
		struct mad_fabric_counters *rises;

		sleep((unsigned)atoi(argv[1]));
		now = mad_fabric_counters_read(port, fabric, NULL);
		rises = now ? mad_fabric_counters_subtract(before, now) : NULL;
		if (!rises)
			err(1, "no counters");
		while ((row = mad_fabric_counters_next(rises, row)))
			for (unsigned counter = 0; counter < mad_fabric_counter_count(); counter++)
				print_counter(row, counter);
		mad_fabric_counters_free(rises);
		mad_fabric_counters_free(before);
		before = now;
	}
	mad_fabric_counters_free(before);
	mad_fabric_free(fabric);
	mad_rpc_close_port(port);
	return 0;
}
