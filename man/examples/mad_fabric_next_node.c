/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* The links of a node, by its name; and what is wrong with the fabric. */
#include <infiniband/mad_fabric.h>
#include <stdio.h>

static void print_links(const struct mad_fabric_node *node)
{
	for (unsigned i = 0; i <= node->port_count; i++) {
		const struct mad_fabric_port *port = mad_fabric_get_port(node, i);

		if (port->peer)
			printf("port %u: %s port %u, %ux %s\n", i, port->peer->node->description,
			       port->peer->port_number, port->width,
			       mad_fabric_speed_name(port->speed));
	}
}

int main(int argc, char **argv)
{
	int classes[] = { IB_SMI_DIRECT_CLASS };
	struct ibmad_port *port = mad_rpc_open_port(NULL, 0, classes, 1);
	struct mad_fabric *fabric = port ? mad_fabric_discover(port, NULL) : NULL;
	const struct mad_fabric_problem *problem = NULL;
	const struct mad_fabric_node *node = NULL;
	char text[400];

	if (!fabric || argc < 2) {
		perror("mad_fabric_discover");
		return 1;
	}
	while ((node = mad_fabric_find_name(fabric, argv[1], node)))
		print_links(node);
	while ((problem = mad_fabric_next_problem(fabric, problem))) {
		mad_fabric_problem_text(problem, text, sizeof(text));
		printf("%s\n", text);
	}
	mad_fabric_free(fabric);
	mad_rpc_close_port(port);
	return 0;
}
