/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Names and LIDs of all switches. */
#include <infiniband/mad_sa.h>
#include <stdio.h>

int main(void)
{
	int classes[] = { IB_SMI_DIRECT_CLASS, IB_SA_CLASS };
	struct ibmad_port *port = mad_rpc_open_port(NULL, 0, classes, 2);
	struct mad_sa_table *table = NULL;
	struct mad_sa_node node;

	if (port)
		table = mad_sa_query_all(port, NULL, IB_SA_ATTR_NODERECORD, 0);
	if (!table) {
		perror("NodeRecords");
		return 1;
	}
	for (unsigned i = 0; mad_sa_get_node(table, i, &node) == 0; i++)
		if (node.node_type == IB_NODE_SWITCH)
			printf("%s: LID %u, %u ports\n", node.description, node.lid,
			       node.port_count);
	mad_sa_table_free(table);
	mad_rpc_close_port(port);
	return 0;
}
