/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* neighbour: who is at this end of the cable, and who at the other? Blocking calls. */
#include <infiniband/mad.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static int print_node(struct ibmad_port *from, ib_portid_t *to, const char *what)
{
	uint8_t info[IB_SMP_DATA_SIZE], name[IB_SMP_DATA_SIZE];

	if (!smp_query_via(info, to, IB_ATTR_NODE_INFO, 0, 0, from) ||
	    !smp_query_via(name, to, IB_ATTR_NODE_DESC, 0, 0, from)) {
		perror(what);
		return 1;
	}
	printf("%s: %.64s, GUID 0x%016" PRIx64 ", %u ports\n", what, (char *)name,
	       mad_get_field64(info, 0, IB_NODE_GUID_F), mad_get_field(info, 0, IB_NODE_NPORTS_F));
	return 0;
}

int main(void)
{
	int classes[] = { IB_SMI_DIRECT_CLASS };
	struct ibmad_port *from = mad_rpc_open_port(NULL, 0, classes, 1);
	ib_portid_t self = { 0 }, next = { 0 };
	uint8_t port[IB_SMP_DATA_SIZE];
	int failed;

	if (!from) {
		perror("no InfiniBand port");
		return EXIT_FAILURE;
	}
	failed = print_node(from, &self, "here");
	if (!failed && smp_query_via(port, &self, IB_ATTR_PORT_INFO, 0, 0, from)) {
		next.drpath.cnt = 1; /* a single hop, out of the local port */
		next.drpath.p[1] = mad_get_field(port, 0, IB_PORT_LOCAL_PORT_F);
		failed = print_node(from, &next, "there");
	}
	mad_rpc_close_port(from);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
