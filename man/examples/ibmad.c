/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Prints the names of all nodes that are cabled to the local port's switch. */
#include <errno.h>
#include <infiniband/mad.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Gets the NodeDescription of the node at the end of a route. */
static void print_name(struct ibmad_port *port, ib_portid_t *route)
{
	char name[IB_SMP_DATA_SIZE + 1] = "";

	if (!smp_query_via(name, route, IB_ATTR_NODE_DESC, 0, 0, port))
		strcpy(name, strerror(errno));
	printf("%s: %s\n", portid2str(route), name);
}

static bool is_up(struct ibmad_port *port, ib_portid_t *node, unsigned portnum)
{
	uint8_t info[IB_SMP_DATA_SIZE] = { 0 };

	return smp_query_via(info, node, IB_ATTR_PORT_INFO, portnum, 0, port) &&
	       mad_get_field(info, 0, IB_PORT_STATE_F) > 1; /* 1 is Down */
}

int main(void)
{
	int classes[] = { IB_SMI_DIRECT_CLASS };
	struct ibmad_port *port = mad_rpc_open_port(NULL, 0, classes, 1);
	ib_portid_t self = { 0 }, leaf = { .drpath = { .cnt = 1 } };
	uint8_t info[IB_SMP_DATA_SIZE] = { 0 };
	unsigned ports;

	if (!port || !smp_query_via(info, &self, IB_ATTR_PORT_INFO, 0, 0, port)) {
		perror("PortInfo");
		return 1;
	}
	leaf.drpath.p[1] = (uint8_t)mad_get_field(info, 0, IB_PORT_LOCAL_PORT_F);
	if (!smp_query_via(info, &leaf, IB_ATTR_NODE_INFO, 0, 0, port)) {
		perror("NodeInfo");
		return 1;
	}
	ports = mad_get_field(info, 0, IB_NODE_NPORTS_F);
	printf("a node of %u ports\n", ports);
	for (unsigned i = 1; i <= ports; i++) {
		ib_portid_t neighbour = leaf;

		neighbour.drpath.cnt = 2;
		neighbour.drpath.p[2] = (uint8_t)i;
		if (is_up(port, &leaf, i))
			print_name(port, &neighbour);
	}
	mad_rpc_close_port(port);
	return 0;
}
