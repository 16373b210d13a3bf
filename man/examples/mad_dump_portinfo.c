/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* NodeInfo and the states of the local port, as tools print them. */
#include <infiniband/mad.h>
#include <stdio.h>

int main(void)
{
	int classes[] = { IB_SMI_DIRECT_CLASS };
	struct ibmad_port *port = mad_rpc_open_port(NULL, 0, classes, 1);
	uint8_t data[IB_SMP_DATA_SIZE] = { 0 };
	ib_portid_t self = { 0 };
	char text[4096];

	if (!port || !smp_query_via(data, &self, IB_ATTR_NODE_INFO, 0, 0, port))
		return 1;
	mad_dump_nodeinfo(text, sizeof(text), data, sizeof(data));
	fputs(text, stdout);
	if (smp_query_via(data, &self, IB_ATTR_PORT_INFO, 0, 0, port)) {
		mad_dump_portinfo(text, sizeof(text), data, sizeof(data));
		printf("and %zu characters of PortInfo\n", strlen(text));
	}
	mad_rpc_close_port(port);
	return 0;
}
