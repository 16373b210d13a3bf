/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* mad_keys_read FILE: M_Keys as opensm writes them, and who has which LID from the SA. */
#include <infiniband/mad_keys.h>
#include <infiniband/mad_sa.h>
#include <stdio.h>

int main(int argc, char **argv)
{
	int classes[] = { IB_SMI_DIRECT_CLASS, IB_SA_CLASS };
	struct ibmad_port *port = mad_rpc_open_port(NULL, 0, classes, 2);
	const char *path = argc > 1 ? argv[1] : "/var/cache/opensm/guid2mkey";
	struct mad_keys *keys = mad_keys_create();
	ib_portid_t sm = { 0 };
	char why[256];

	if (!port || !keys)
		return 1;
	if (mad_keys_read(keys, MAD_KEY_M, path, 0, why, sizeof(why)) < 0) {
		fprintf(stderr, "%s\n", why);
		return 1;
	}
	if (ib_resolve_smlid_via(&sm, 0, port) < 0 || mad_keys_query_lids(keys, port, &sm, 0) < 0) {
		perror("LIDs");
		return 1;
	}
	mad_port_set_keys(port, keys);
	printf("SM_Key: %s\n", mad_sa_check_key(port, &sm, 0) ? "refused" : "not refused");
	mad_keys_free(keys);
	mad_rpc_close_port(port);
	return 0;
}
