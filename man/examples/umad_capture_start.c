/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* umad_capture_start FILE: one request and its response, for Wireshark. */
#include <infiniband/mad.h>
#include <infiniband/umad_capture.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
	int classes[] = { IB_SMI_DIRECT_CLASS }, ret;
	struct ibmad_port *port = mad_rpc_open_port(NULL, 0, classes, 1);
	uint8_t info[IB_SMP_DATA_SIZE] = { 0 };
	ib_portid_t self = { 0 };

	if (!port)
		return 1;
	ret = umad_capture_start(argc > 1 ? argv[1] : "umad.pcap");
	if (ret < 0) {
		fprintf(stderr, "no capture: %s\n", strerror(-ret));
		return 1;
	}
	if (!smp_query_via(info, &self, IB_ATTR_NODE_INFO, 0, 0, port))
		perror("NodeInfo");
	ret = umad_capture_stop();
	puts(ret < 0 ? strerror(-ret) : "captured");
	mad_rpc_close_port(port);
	return 0;
}
