/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* sa_rpc_call GUID: the path to a port, and the name of its node. */
#include <infiniband/mad.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	int classes[] = { IB_SMI_DIRECT_CLASS, IB_SA_CLASS }, lid;
	struct ibmad_port *port = mad_rpc_open_port(NULL, 0, classes, 2);
	uint64_t guid = argc > 1 ? strtoull(argv[1], NULL, 0) : 0;
	uint8_t record[IB_SA_DATA_SIZE] = { 0 };
	ib_sa_call_t call = { .method = IB_MAD_METHOD_GET, .attrid = CLASS_PORT_INFO };
	ibmad_gid_t from, to;
	ib_portid_t sm;
	char name[65] = "";

	if (!port || ib_resolve_smlid_via(&sm, 0, port) < 0 ||
	    ib_resolve_self_via(NULL, NULL, &from, port) < 0) {
		perror("no port, or no subnet manager");
		return 1;
	}
	if (sa_rpc_call(port, record, &sm, &call, 0))
		printf("SA version %u\n", mad_get_field(record, 0, IB_CPI_CLASSVER_F));

	mad_set_field64(to, 0, IB_GID_PREFIX_F, mad_get_field64(from, 0, IB_GID_PREFIX_F));
	mad_set_field64(to, 0, IB_GID_GUID_F, guid);
	lid = ib_path_query_via(port, from, to, &sm, record);
	if (lid < 0 || ib_node_query_via(port, guid, &sm, record) < 0) {
		perror("query");
		return 1;
	}
	mad_get_array(record, 0, IB_SA_NR_NODEDESC_F, name);
	printf("LID %d: %s\n", lid, name);
	mad_rpc_close_port(port);
	return 0;
}
