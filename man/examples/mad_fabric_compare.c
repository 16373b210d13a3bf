/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* How many nodes and links appear, disappear or change within a moment? */
#include <infiniband/mad_fabric_changes.h>
#include <stdio.h>

int main(void)
{
	int classes[] = { IB_SMI_DIRECT_CLASS };
	struct ibmad_port *port = mad_rpc_open_port(NULL, 0, classes, 1);
	struct mad_fabric *older = port ? mad_fabric_discover(port, NULL) : NULL;
	struct mad_fabric *newer = older ? mad_fabric_discover(port, NULL) : NULL;
	struct mad_fabric_changes *changes = newer ? mad_fabric_compare(older, newer) : NULL;
	const struct mad_fabric_change *change = NULL;
	int count = 0;

	if (!changes) {
		perror("mad_fabric_compare");
		return 1;
	}
	while ((change = mad_fabric_next_change(changes, change)))
		count++;
	printf("%d changes\n", count);
	mad_fabric_changes_free(changes);
	mad_fabric_free(newer);
	mad_fabric_free(older);
	mad_rpc_close_port(port);
	return 0;
}
