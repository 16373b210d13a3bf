/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* mad_keys_create LID: NodeInfo of a port whose M_Key is on the ring. */
#include <infiniband/mad_keys.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	int classes[] = { IB_SMI_CLASS, IB_SMI_DIRECT_CLASS };
	struct ibmad_port *port = mad_rpc_open_port(NULL, 0, classes, 2);
	struct mad_keys *keys = mad_keys_create();
	ib_portid_t to = { .lid = argc > 1 ? atoi(argv[1]) : 0 };
	uint8_t node[IB_SMP_DATA_SIZE] = { 0 };
	uint64_t key;

	if (!port || !keys)
		return 1;
	mad_keys_set_default(keys, MAD_KEY_M, 0x1111);
	mad_keys_set_lid(keys, MAD_KEY_M, to.lid, 0x2222);
	mad_port_set_keys(port, keys);
	if (mad_keys_get(keys, MAD_KEY_M, &to, &key) == 0)
		printf("M_Key 0x%llx\n", (unsigned long long)key);
	if (smp_query_via(node, &to, IB_ATTR_NODE_INFO, 0, 0, port))
		printf("%u ports\n", mad_get_field(node, 0, IB_NODE_NPORTS_F));
	else
		perror("NodeInfo");
	mad_keys_free(keys); /* the port still uses it */
	mad_rpc_close_port(port);
	return 0;
}
