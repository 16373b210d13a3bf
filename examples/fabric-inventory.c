/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* fabric-inventory [DEVICE]: all nodes of the fabric, their ports, and the ports' counters. */
#include <errno.h>
#include <infiniband/mad_sa.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void fail(const char *what)
{
	fprintf(stderr, "fabric-inventory: %s: %s\n", what, strerror(errno));
	exit(EXIT_FAILURE);
}

/* Prints a line: the port's state, then each counter that is not 0. */
static void print_port(struct ibmad_port *from, const struct mad_sa_port_info *port)
{
	ib_portid_t to = { .lid = port->lid, .qp = 1, .qkey = IB_DEFAULT_QP1_QKEY };
	uint32_t value = mad_get_field((void *)port->port_info, 0, IB_PORT_STATE_F);
	uint8_t counters[IB_PC_DATA_SZ] = { 0 };
	char state[32];

	printf("\tport %u %s", port->port_number, mad_dump_val(IB_PORT_STATE_F, state, 32, &value));
	if (!pma_query_via(counters, &to, port->port_number, 0, IB_GSI_PORT_COUNTERS, from))
		printf(" no counters: %s", strerror(errno));
	for (int field = IB_PC_ERR_SYM_F; field < IB_PC_LAST_F; field++)
		if ((value = mad_get_field(counters, 0, field)))
			printf(" %s %u", mad_field_name(field), value);
	putchar('\n');
}

int main(int argc, char **argv)
{
	int classes[] = { IB_SMI_DIRECT_CLASS, IB_SA_CLASS, IB_PERFORMANCE_CLASS };
	struct ibmad_port *from = mad_rpc_open_port(argc > 1 ? argv[1] : NULL, 0, classes, 3);
	struct mad_sa_table *nodes, *ports;
	struct mad_sa_port_info port;
	struct mad_sa_node node;

	if (!from)
		fail("cannot open a local InfiniBand port");
	nodes = mad_sa_query_all(from, NULL, IB_SA_ATTR_NODERECORD, 0);
	if (!nodes)
		fail("no nodes");
	ports = mad_sa_query_all(from, NULL, IB_SA_ATTR_PORTINFORECORD, 0);
	if (!ports)
		fail("no ports");
	for (unsigned i = 0; mad_sa_get_node(nodes, i, &node) == 0; i++) {
		printf("%s lid %u guid 0x%016" PRIx64 "\n", node.description, node.lid,
		       node.port_guid);
		for (unsigned j = 0; mad_sa_get_port_info(ports, j, &port) == 0; j++)
			if (port.lid == node.lid)
				print_port(from, &port);
	}
	mad_sa_table_free(ports);
	mad_sa_table_free(nodes);
	mad_rpc_close_port(from);
	return EXIT_SUCCESS;
}
