/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * report: what an administrator wants to know of a fabric in the morning: what could not be read,
 * links that are slower than they could be, and ports with errors. Ends with 1 if there is any of
 * that.
 */
#include <err.h>
#include <errno.h>
#include <infiniband/mad_fabric_counters.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static unsigned findings;

static void print_problems(const struct mad_fabric *fabric)
{
	const struct mad_fabric_problem *problem = NULL;
	char text[512];

	while ((problem = mad_fabric_next_problem(fabric, problem))) {
		mad_fabric_problem_text(problem, text, sizeof(text));
		printf("problem: %s\n", text);
		findings++;
	}
}

static int smaller(int a, int b)
{
	return a < b ? a : b;
}

static void print_slow_links(const struct mad_fabric *fabric)
{
	const struct mad_fabric_port *port = NULL;

	while ((port = mad_fabric_next_link(fabric, port))) {
		const struct mad_fabric_port *peer = port->peer;
		int width = smaller(port->best_width, peer->best_width);
		int speed = smaller(port->best_speed, peer->best_speed);

		if (port->width >= width && port->speed >= speed)
			continue;
		printf("slow link: %s port %u to %s port %u: %ux %s, could be %dx %s\n",
		       port->node->description, port->port_number, peer->node->description,
		       peer->port_number, port->width, mad_fabric_speed_name(port->speed), width,
		       mad_fabric_speed_name((unsigned)speed));
		findings++;
	}
}

static void print_row(const struct mad_fabric_counter_row *row)
{
	const struct mad_fabric_port *port = mad_fabric_row_port(row);
	int error = mad_fabric_row_error(row);
	uint64_t value;

	if (!error && !mad_fabric_row_errors(row))
		return;
	findings++;
	printf("errors: %s port %u:", port->node->description, port->port_number);
	if (error)
		printf(" not read: %s", strerror(error));
	for (unsigned i = 0; i < mad_fabric_counter_count(); i++) {
		const struct mad_fabric_counter_kind *kind = mad_fabric_counter_get_kind(i);
		int flags = mad_fabric_row_value(row, i, &value);

		if (kind->is_error && flags >= 0 && value)
			printf(" %s %" PRIu64 "%s", kind->name, value,
			       flags & MAD_FABRIC_VALUE_SATURATED ? " or more" : "");
	}
	putchar('\n');
}

int main(int argc, char **argv)
{
	int classes[] = { IB_SMI_DIRECT_CLASS, IB_PERFORMANCE_CLASS };
	struct ibmad_port *port = mad_rpc_open_port(argc > 1 ? argv[1] : NULL, 0, classes, 2);
	const struct mad_fabric_counter_row *row = NULL;
	const struct mad_fabric_info *info;
	struct mad_fabric_counters *counters;
	struct mad_fabric *fabric;

	if (!port)
		err(2, "no local InfiniBand port");
	fabric = mad_fabric_discover(port, NULL);
	if (!fabric)
		err(2, "discovery");
	info = mad_fabric_get_info(fabric);
	printf("%zu switches, %zu other nodes, %zu links\n", info->switches,
	       info->nodes - info->switches, info->links);
	if (info->error)
		errx(2, "discovery ended early: %s", strerror(info->error));
	counters = mad_fabric_counters_read(port, fabric, NULL);
	if (!counters)
		err(2, "counters");
	print_problems(fabric);
	print_slow_links(fabric);
	while ((row = mad_fabric_counters_next(counters, row)))
		print_row(row);
	printf("%u findings\n", findings);
	mad_fabric_counters_free(counters);
	mad_fabric_free(fabric);
	mad_rpc_close_port(port);
	return findings != 0;
}
