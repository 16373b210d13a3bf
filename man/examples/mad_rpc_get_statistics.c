/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* The statistics of two requests, one of them without a response. */
#include <infiniband/mad.h>
#include <inttypes.h>
#include <stdio.h>

int main(void)
{
	int classes[] = { IB_SMI_DIRECT_CLASS, IB_SMI_CLASS };
	struct ibmad_port *port = mad_rpc_open_port(NULL, 0, classes, 2);
	ib_portid_t self = { 0 }, unused = { .lid = IB_MAX_UCAST_LID };
	uint8_t info[IB_SMP_DATA_SIZE] = { 0 };
	struct mad_rpc_statistics counts;

	if (!port)
		return 1;
	smp_query_via(info, &self, IB_ATTR_NODE_INFO, 0, 0, port);
	smp_query_via(info, &unused, IB_ATTR_NODE_INFO, 0, 20, port);
	if (mad_rpc_get_statistics(port, &counts) < 0) {
		perror("mad_rpc_get_statistics");
		return 1;
	}
	printf("sent %" PRIu64 ", retries %" PRIu64 ", timeouts %" PRIu64 "\n", counts.sent,
	       counts.retries, counts.timeouts);
	mad_rpc_close_port(port);
	return 0;
}
