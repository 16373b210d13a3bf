/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* ib_resolve_portid_str_via GUID: the addresses of the SM, of the local port and of a GUID. */
#include <errno.h>
#include <infiniband/mad.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print(const char *what, int ret, ib_portid_t *address)
{
	printf("%s: %s\n", what, ret < 0 ? strerror(errno) : portid2str(address));
}

int main(int argc, char **argv)
{
	int classes[] = { IB_SMI_DIRECT_CLASS, IB_SA_CLASS }, portnum = 0;
	struct ibmad_port *port = mad_rpc_open_port(NULL, 0, classes, 2);
	ib_portid_t sm = { 0 }, self = { 0 }, other = { 0 };
	char guid[32], path[] = "0,1,5", wrong[] = "5x";

	if (!port || argc < 2)
		return 1;
	snprintf(guid, sizeof(guid), "%s", argv[1]);
	print("SM", ib_resolve_smlid_via(&sm, 0, port), &sm);
	print("self", ib_resolve_self_via(&self, &portnum, NULL, port), &self);
	printf("port %d\n", portnum);
	print(guid, ib_resolve_portid_str_via(&other, guid, IB_DEST_GUID, &sm, port), &other);
	print(path, ib_resolve_portid_str_via(&other, path, IB_DEST_DRPATH, NULL, port), &other);
	print(wrong, ib_resolve_portid_str_via(&other, wrong, IB_DEST_LID, NULL, port), &other);
	mad_rpc_close_port(port);
	return 0;
}
