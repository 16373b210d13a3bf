/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* mad_route_resolve LID...: the directed route to each LID, and who is there. */
#include <infiniband/mad_address.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	int classes[] = { IB_SMI_DIRECT_CLASS };
	struct ibmad_port *port = mad_rpc_open_port(NULL, 0, classes, 1);
	uint8_t name[IB_SMP_DATA_SIZE + 1] = { 0 };
	char text[300];
	ib_portid_t to;

	if (!port)
		return 1;
	for (int i = 1; i < argc; i++) {
		if (mad_route_resolve(port, atoi(argv[i]), &to, 0) < 0 ||
		    !smp_query_via(name, &to, IB_ATTR_NODE_DESC, 0, 0, port)) {
			perror(argv[i]);
			continue;
		}
		drpath2str(&to.drpath, text, sizeof(text));
		printf("%s: %s %s\n", argv[i], text, (char *)name);
	}
	mad_rpc_close_port(port);
	return 0;
}
