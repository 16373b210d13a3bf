/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Opens the devices for SMPs and for the rest, which are often one. */
#include <infiniband/mad.h>
#include <stdio.h>

int main(void)
{
	int classes[] = { IB_SMI_DIRECT_CLASS, IB_SA_CLASS };
	struct ibmad_ports_pair *pair = mad_rpc_open_port2(NULL, 0, classes, 2, 0);
	uint8_t info[IB_SMP_DATA_SIZE] = { 0 };
	ib_portid_t self = { 0 }, sm;

	if (!pair) {
		perror("mad_rpc_open_port2");
		return 1;
	}
	printf("SMPs on %s, the rest on %s\n", pair->smi.ca_name, pair->gsi.ca_name);
	if (smp_query_via(info, &self, IB_ATTR_NODE_INFO, 0, 0, pair->smi.port))
		printf("%u ports\n", mad_get_field(info, 0, IB_NODE_NPORTS_F));
	if (!ib_resolve_smlid_via(&sm, 0, pair->smi.port))
		printf("subnet manager: %s\n", portid2str(&sm));
	mad_rpc_close_port2(pair);
	return 0;
}
