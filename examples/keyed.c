/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * keyed GUID2MKEY GUID2LID SM_KEY P_KEY LID: what a program on a locked fabric does, each step with
 * a line that says what came of it.
 */
#include <errno.h>
#include <infiniband/mad_address.h>
#include <infiniband/mad_keys.h>
#include <infiniband/mad_sa.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void report(const char *step, int ret)
{
	printf("%s: %s\n", step, ret ? strerror(errno) : "ok");
}

static void ask_sa(struct ibmad_port *port)
{
	struct mad_sa_table *table;
	ib_portid_t sm = { 0 };

	if (ib_resolve_smlid_via(&sm, 0, port) < 0) {
		perror("SM");
		return;
	}
	report("SM_Key", mad_sa_check_key(port, &sm, 300));
	table = mad_sa_query_all(port, &sm, IB_SA_ATTR_SMINFORECORD, 300);
	report("SMInfoRecords", !table);
	printf("SMs: %u\n", mad_sa_table_count(table));
	mad_sa_table_free(table);
}

int main(int argc, char **argv)
{
	int classes[] = { IB_SMI_CLASS, IB_SMI_DIRECT_CLASS, IB_SA_CLASS };
	struct ibmad_port *port = mad_rpc_open_port(NULL, 0, classes, 3);
	struct mad_keys *keys = mad_keys_create();
	uint8_t node[IB_SMP_DATA_SIZE] = { 0 };
	char why[256];
	ib_portid_t to = { 0 };
	uint64_t key = 0;

	if (argc != 6 || !port || !keys)
		return 1;
	mad_rpc_set_retries(port, 1);
	if (mad_keys_read(keys, MAD_KEY_M, argv[1], 0, why, sizeof(why)) ||
	    mad_keys_read_lids(keys, argv[2], 0, why, sizeof(why)))
		puts(why);
	mad_keys_set_default(keys, MAD_KEY_SA, strtoull(argv[3], NULL, 0));
	mad_port_set_keys(port, keys);
	to.lid = atoi(argv[5]);
	printf("M_Key: %s\n", mad_keys_get(keys, MAD_KEY_M, &to, &key) ? "none" : "found");
	report("NodeInfo", !smp_query_via(node, &to, IB_ATTR_NODE_INFO, 0, 0, port));
	ask_sa(port);
	printf("P_Key index %d\n", mad_pkey_index(port, (unsigned)strtoul(argv[4], NULL, 0), NULL));
	mad_keys_free(keys);
	mad_rpc_close_port(port);
	return 0;
}
