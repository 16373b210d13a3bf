/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* first: sends a request to the local node, and prints what the response says of it. */
#include <infiniband/mad.h>
#include <stdio.h>

int main(void)
{
	int classes[] = { IB_SMI_DIRECT_CLASS };
	struct ibmad_port *port = mad_rpc_open_port(NULL, 0, classes, 1);
	uint8_t info[IB_SMP_DATA_SIZE], name[IB_SMP_DATA_SIZE];
	ib_portid_t self = { 0 };

	if (!port || !smp_query_via(info, &self, IB_ATTR_NODE_INFO, 0, 0, port) ||
	    !smp_query_via(name, &self, IB_ATTR_NODE_DESC, 0, 0, port)) {
		perror("NodeInfo");
		return 1;
	}
	printf("%.64s has %u ports\n", (char *)name, mad_get_field(info, 0, IB_NODE_NPORTS_F));
	mad_rpc_close_port(port);
	return 0;
}
