/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* ClassPortInfo of performance management at LID argv[1], by mad_rpc() alone. */
#include <infiniband/mad.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
	int classes[] = { IB_PERFORMANCE_CLASS };
	struct ibmad_port *port = mad_rpc_open_port(NULL, 0, classes, 1);
	ib_portid_t to = { .qp = 1, .qkey = IB_DEFAULT_QP1_QKEY };
	ib_rpc_v1_t rpc = {
		.mgtclass = IB_PERFORMANCE_CLASS | IB_MAD_RPC_VERSION1,
		.method = IB_MAD_METHOD_GET,
		.attr = { .id = CLASS_PORT_INFO },
		.dataoffs = IB_PC_DATA_OFFS,
		.datasz = IB_PC_DATA_SZ,
		.timeout = 500,
	};
	uint8_t info[IB_PC_DATA_SZ];

	if (!port || argc != 2) {
		fprintf(stderr, "usage: mad_rpc LID, on a host with a port\n");
		return 1;
	}
	ib_portid_set(&to, atoi(argv[1]), 1, (int)IB_DEFAULT_QP1_QKEY);
	if (!mad_rpc(port, (ib_rpc_t *)&rpc, &to, NULL, info)) {
		fprintf(stderr, "%s, status 0x%x\n", strerror(rpc.error), rpc.rstatus);
		return 1;
	}
	printf("class version %u\n", mad_get_field(info, 0, IB_CPI_CLASSVER_F));
	mad_rpc_close_port(port);
	return 0;
}
