/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* bm_call_via LID: whether the node has a baseboard manager. */
#include <errno.h>
#include <infiniband/mad.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
	int classes[] = { IB_BOARD_MGMT_CLASS };
	struct ibmad_port *port = mad_rpc_open_port(NULL, 0, classes, 1);
	uint8_t data[IB_BM_DATA_SZ] = { 0 };
	ib_portid_t node = { .lid = argc > 1 ? atoi(argv[1]) : 1 };
	ib_bm_call_t call = {
		.method = IB_MAD_METHOD_GET,
		.attrid = CLASS_PORT_INFO,
		.timeout = 100,
	};

	if (!port)
		return 1;
	if (bm_call_via(data, &node, &call, port))
		printf("class version %u\n", mad_get_field(data, 0, IB_CPI_CLASSVER_F));
	else
		printf("no: %s\n", strerror(errno));
	mad_rpc_close_port(port);
	return 0;
}
