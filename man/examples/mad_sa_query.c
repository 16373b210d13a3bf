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
	struct mad_sa_query switches = {
		.attr_id = IB_SA_ATTR_NODERECORD,
		.mask = NODE_TYPE,
		.data = wanted,
		.data_size = sizeof(wanted),
	};
	struct mad_sa_table table;

	if (!port || mad_sa_query_links(port, NULL, 0, &table) < 0) {
		perror("LinkRecords");
		return 1;
	}
	printf("%u ends of links\n", table.count);
	mad_sa_table_free(&table);

	mad_set_field(wanted, 0, IB_SA_NR_TYPE_F, IB_NODE_SWITCH);
	if (mad_sa_query(port, NULL, &switches, &table) < 0) {
		fprintf(stderr, "NodeRecords: status 0x%04x\n", table.status);
		return 1;
	}
	printf("%u switches, records of %u bytes, the first %s\n", table.count, table.record_size,
	       mad_sa_record(&table, 0) ? "is there" : "is missing");
	mad_sa_table_free(&table);
	mad_rpc_close_port(port);
	return 0;
}
