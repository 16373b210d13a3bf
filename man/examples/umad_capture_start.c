/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* umad_capture_start FILE: one request and its response, for Wireshark. */
#include <infiniband/mad.h>
#include <infiniband/umad_capture.h>
#include <stdio.h>

int main(int argc, char **argv)
{
	int classes[] = { IB_SMI_DIRECT_CLASS };
	struct ibmad_port *port = mad_rpc_open_port(NULL, 0, classes, 1);
	uint8_t info[IB_SMP_DATA_SIZE] = { 0 };
	ib_portid_t self = { 0 };

	if (!port)
		return 1;
	if (umad_capture_start(argc > 1 ? argv[1] : "umad.pcap", 0) < 0) {
		perror("no capture");
		return 1;
	}
	if (!smp_query_via(info, &self, IB_ATTR_NODE_INFO, 0, 0, port))
		perror("NodeInfo");
	if (umad_capture_stop() < 0)
		perror("umad_capture_stop");
	else
		puts("captured");
	mad_rpc_close_port(port);
	return 0;
}
