/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* switches: all switches of the fabric, as the subnet manager knows them: one SA query. */
#include <infiniband/mad_sa.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
	int classes[] = { IB_SMI_DIRECT_CLASS, IB_SA_CLASS };
	struct ibmad_port *from = mad_rpc_open_port(NULL, 0, classes, 2);
	struct mad_sa_table *table = NULL;
	struct mad_sa_node node;

	if (from)
		table = mad_sa_query_all(from, NULL, IB_SA_ATTR_NODERECORD, 0);
	if (!table) {
		perror("no response from the subnet manager");
		return EXIT_FAILURE;
	}
	for (unsigned i = 0; !mad_sa_get_node(table, i, &node); i++)
		if (node.node_type == IB_NODE_SWITCH)
			printf("lid %u guid 0x%016" PRIx64 " ports %u %s\n", node.lid,
			       node.node_guid, node.port_count, node.description);
	if (mad_sa_table_truncated(table))
		printf("%u of the records arrived, the others did not\n",
		       mad_sa_table_count(table));
	mad_sa_table_free(table);
	mad_rpc_close_port(from);
	return EXIT_SUCCESS;
}
