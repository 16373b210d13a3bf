/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* pma_query_via LID PORT: prints its counters, and clears two of them. */
#include <errno.h>
#include <infiniband/mad.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SYMBOL_ERRORS = 1 << 0, LINK_DOWNED = 1 << 2 }; /* bits of CounterSelect */

int main(int argc, char **argv)
{
	int classes[] = { IB_PERFORMANCE_CLASS }, portnum = argc > 2 ? atoi(argv[2]) : 1;
	struct ibmad_port *port = mad_rpc_open_port(NULL, 0, classes, 1);
	ib_portid_t node = { 0 };
	uint8_t data[IB_PC_DATA_SZ] = { 0 };
	char text[4096];

	if (!port || argc < 2)
		return 1;
	node.lid = atoi(argv[1]);
	if (!pma_query_via(data, &node, portnum, 0, IB_GSI_PORT_COUNTERS, port)) {
		printf("LID %d: %s\n", node.lid, strerror(errno));
		return 1;
	}
	mad_dump_perfcounters(text, sizeof(text), data, sizeof(data));
	fputs(text, stdout);
	if (!performance_reset_via(data, &node, portnum, SYMBOL_ERRORS | LINK_DOWNED, 0,
				   IB_GSI_PORT_COUNTERS, port))
		printf("not cleared: %s\n", strerror(errno));
	mad_rpc_close_port(port);
	return 0;
}
