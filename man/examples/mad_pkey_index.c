/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* mad_pkey_index P_KEY: the index that requests in that partition need. */
#include <infiniband/mad_address.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	int classes[] = { IB_PERFORMANCE_CLASS };
	struct ibmad_port *port = mad_rpc_open_port(NULL, 0, classes, 1);
	unsigned pkey = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 0) : 0xffff;
	ib_portid_t to = { .lid = 1 };
	uint16_t entry;
	int index;

	if (!port)
		return 1;
	index = mad_pkey_index(port, pkey, &entry);
	if (index < 0) {
		perror("P_Key");
	} else {
		to.pkey_idx = index;
		printf("index %u: 0x%04x, %s membership\n", to.pkey_idx, entry,
		       entry & 0x8000 ? "full" : "limited");
	}
	mad_rpc_close_port(port);
	return index < 0;
}
