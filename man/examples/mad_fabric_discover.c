/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* How large is the fabric? */
#include <infiniband/mad_fabric.h>
#include <stdio.h>

int main(void)
{
	int classes[] = { IB_SMI_DIRECT_CLASS };
	struct ibmad_port *port = mad_rpc_open_port(NULL, 0, classes, 1);
	struct mad_fabric *fabric = port ? mad_fabric_discover(port, NULL) : NULL;
	const struct mad_fabric_info *info;

	if (!fabric) {
		perror("mad_fabric_discover");
		return 1;
	}
	info = mad_fabric_get_info(fabric);
	printf("%zu switches, %zu CAs, %zu links, %zu problems%s\n", info->switches, info->cas,
	       info->links, info->problems, info->error ? " (incomplete)" : "");
	mad_fabric_free(fabric);
	mad_rpc_close_port(port);
	return 0;
}
