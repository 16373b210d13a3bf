/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * A program as others write it, on the oldest part of the interface: prints the InfiniBand device
 * and its node's NodeInfo. Compiled against the installed packages only, in several ways.
 */
#include <endian.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <infiniband/mad.h>
#include <infiniband/umad.h>

static int fail(const char *what)
{
	fprintf(stderr, "identify: %s: %s\n", what, strerror(errno));
	return 1;
}

/* Prints NodeInfo and NodeDescription, the line of all consumers. */
static void print_node(void *info, const char *description)
{
	printf("\"%.64s\" type %u, ports %u, guid 0x%016" PRIx64 ", port 0x%016" PRIx64 "\n",
	       description, mad_get_field(info, 0, IB_NODE_TYPE_F),
	       mad_get_field(info, 0, IB_NODE_NPORTS_F), mad_get_field64(info, 0, IB_NODE_GUID_F),
	       mad_get_field64(info, 0, IB_NODE_PORT_GUID_F));
}

int main(void)
{
	int classes[] = { IB_SMI_CLASS, IB_SMI_DIRECT_CLASS };
	char names[UMAD_MAX_DEVICES][UMAD_CA_NAME_LEN];
	uint8_t info[IB_SMP_DATA_SIZE] = { 0 };
	char description[IB_SMP_DATA_SIZE + 1] = "";
	ib_portid_t self = { 0 };
	struct ibmad_port *port;
	umad_ca_t ca;

	if (umad_init() < 0 || umad_get_cas_names(names, UMAD_MAX_DEVICES) < 1 ||
	    umad_get_ca(names[0], &ca) < 0)
		return fail("no device");
	printf("%s node 0x%016" PRIx64 "\n", ca.ca_name, be64toh(ca.node_guid));
	umad_release_ca(&ca);

	port = mad_rpc_open_port(names[0], 1, classes, 2);
	if (!port)
		return fail("no port");
	if (!smp_query_via(info, &self, IB_ATTR_NODE_INFO, 0, 0, port) ||
	    !smp_query_via(description, &self, IB_ATTR_NODE_DESC, 0, 0, port))
		return fail("no response");
	print_node(info, description);
	mad_rpc_close_port(port);
	return 0;
}
