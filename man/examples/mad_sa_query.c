/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* All records of some tables, and one query built from its parts. */
#include <infiniband/mad_sa.h>
#include <stdio.h>

#define NODE_TYPE (UINT64_C(1) << 4) /* component mask of NodeRecord */

int main(void)
{
	int classes[] = { IB_SMI_DIRECT_CLASS, IB_SA_CLASS };
	struct ibmad_port *port = mad_rpc_open_port(NULL, 0, classes, 2);
	uint8_t wanted[IB_SA_NR_RECSZ] = { 0 };
	struct mad_sa_request switches = {
		.attr_id = IB_SA_ATTR_NODERECORD,
		.mask = NODE_TYPE,
		.data = wanted,
		.data_size = sizeof(wanted),
	};
	struct mad_sa_table *table = NULL;
	unsigned status;
	size_t size = 0;

	if (port)
		table = mad_sa_query_all(port, NULL, IB_SA_ATTR_LINKRECORD, 0);
	if (!table) {
		perror("LinkRecords");
		return 1;
	}
	printf("%u ends of links\n", mad_sa_table_count(table));
	mad_sa_table_free(table);

	mad_set_field(wanted, 0, IB_SA_NR_TYPE_F, IB_NODE_SWITCH);
	table = mad_sa_query(port, NULL, &switches, &status);
	if (!table) {
		fprintf(stderr, "NodeRecords: status 0x%04x\n", status);
		return 1;
	}
	mad_sa_table_record(table, 0, &size);
	printf("%u switches, records of %zu bytes\n", mad_sa_table_count(table), size);
	mad_sa_table_free(table);
	mad_rpc_close_port(port);
	return 0;
}
