/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* cc_query_status_via LID: whether the node supports congestion control. */
#include <errno.h>
#include <infiniband/mad.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
	int classes[] = { IB_CC_CLASS }, status = 0;
	struct ibmad_port *port = mad_rpc_open_port(NULL, 0, classes, 1);
	uint8_t data[IB_CC_DATA_SZ] = { 0 };
	ib_portid_t node = { .lid = argc > 1 ? atoi(argv[1]) : 1 };
	char text[1024];

	if (!port)
		return 1;
	if (!cc_query_status_via(data, &node, IB_CC_ATTR_CONGESTION_INFO, 0, 100, &status, port,
				 0)) {
		printf("CongestionInfo: %s, status 0x%x\n", strerror(errno), status);
		return 1;
	}
	mad_dump_cc_congestioninfo(text, sizeof(text), data, sizeof(data));
	fputs(text, stdout);
	mad_rpc_close_port(port);
	return 0;
}
