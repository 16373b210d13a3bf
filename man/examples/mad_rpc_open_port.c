/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Opens a port for three classes, and waits on its descriptor. */
#include <infiniband/mad.h>
#include <poll.h>
#include <stdio.h>

int main(void)
{
	int classes[] = { IB_SMI_DIRECT_CLASS, IB_SA_CLASS, IB_PERFORMANCE_CLASS };
	struct ibmad_port *port = mad_rpc_open_port(NULL, 0, classes, 3);
	struct pollfd input = { .events = POLLIN };

	if (!port) {
		perror("mad_rpc_open_port");
		return 1;
	}
	printf("SA: %s, CC: %s\n",
	       mad_rpc_class_agent(port, IB_SA_CLASS) < 0 ? "not registered" : "registered",
	       mad_rpc_class_agent(port, IB_CC_CLASS) < 0 ? "not registered" : "registered");
	input.fd = mad_rpc_portid(port);
	printf("MADs waiting: %d\n", poll(&input, 1, 0));
	mad_rpc_close_port(port);
	return 0;
}
