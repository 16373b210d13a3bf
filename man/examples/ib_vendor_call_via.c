/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* ib_vendor_call_via LID: pings a server of the OpenIB ping class, as ibping does. */
#include <infiniband/mad.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	int classes[] = { IB_VENDOR_OPENIB_PING_CLASS };
	struct ibmad_port *port = mad_rpc_open_port(NULL, 0, classes, 1);
	char data[IB_VENDOR_RANGE2_DATA_SIZE] = "";
	ib_portid_t node = { 0 };
	ib_vendor_call_t call = {
		.method = IB_MAD_METHOD_GET,
		.mgmt_class = IB_VENDOR_OPENIB_PING_CLASS,
		.oui = IB_OPENIB_OUI,
		.timeout = 2000,
	};

	if (!port || argc < 2 || !mad_is_vendor_range2(IB_VENDOR_OPENIB_PING_CLASS))
		return 1;
	ib_portid_set(&node, atoi(argv[1]), 1, (int)IB_DEFAULT_QP1_QKEY);
	if (!ib_vendor_call_via(data, &node, &call, port)) {
		perror("no response");
		return 1;
	}
	printf("pong from %.63s\n", data);
	mad_rpc_close_port(port);
	return 0;
}
