/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * old-tool [ADDRESS]: a tool as it was written for rdma-core's libraries, with nothing that is new:
 * the default port of madrpc_init(), calls without a port, and one MAD by libibumad alone. It
 * compiles with the headers of either project and prints the same on both.
 */
#include <infiniband/mad.h>
#include <infiniband/umad.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void list_devices(void)
{
	char names[UMAD_MAX_DEVICES][UMAD_CA_NAME_LEN];
	int count = umad_get_cas_names(names, UMAD_MAX_DEVICES);

	for (int i = 0; i < count; i++) {
		umad_ca_t ca;

		if (umad_get_ca(names[i], &ca) < 0)
			IBPANIC("can't read device %s", names[i]);
		printf("%s: %d ports, GUID 0x%016" PRIx64 "\n", ca.ca_name, ca.numports,
		       ntohll(ca.node_guid));
		umad_release_ca(&ca);
	}
}

static void print_node(ib_portid_t *portid, int port)
{
	char text[4096];
	uint8_t data[IB_SMP_DATA_SIZE];

	memset(data, 0, sizeof(data));
	if (!smp_query(data, portid, IB_ATTR_NODE_INFO, 0, 0))
		IBPANIC("no NodeInfo of %s", portid2str(portid));
	mad_dump_nodeinfo(text, sizeof(text), data, sizeof(data));
	printf("# NodeInfo of %s\n%s", portid2str(portid), text);
	if (!smp_query(data, portid, IB_ATTR_PORT_INFO, (unsigned)port, 0))
		IBPANIC("no PortInfo of %s", portid2str(portid));
	mad_dump_portinfo(text, sizeof(text), data, sizeof(data));
	printf("# PortInfo\n%s", text);
}

/* NodeDescription of the local port, by a umad and its MAD. */
static void print_description(void)
{
	int fd = umad_open_port(NULL, 0), agent, length = IB_MAD_SIZE;
	void *umad = umad_alloc(1, umad_size() + IB_MAD_SIZE);
	uint8_t *mad;

	if (fd < 0 || !umad)
		IBPANIC("can't open a port");
	agent = umad_register(fd, IB_SMI_DIRECT_CLASS, 1, 0, NULL);
	if (agent < 0)
		IBPANIC("can't register");
	mad = umad_get_mad(umad);
	mad_set_field(mad, 0, IB_MAD_METHOD_F, IB_MAD_METHOD_GET);
	mad_set_field(mad, 0, IB_MAD_CLASSVER_F, 1);
	mad_set_field(mad, 0, IB_MAD_MGMTCLASS_F, IB_SMI_DIRECT_CLASS);
	mad_set_field(mad, 0, IB_MAD_BASEVER_F, 1);
	mad_set_field(mad, 0, IB_MAD_ATTRID_F, IB_ATTR_NODE_DESC);
	mad_set_field(mad, 0, IB_DRSMP_DRSLID_F, 0xffff);
	mad_set_field(mad, 0, IB_DRSMP_DRDLID_F, 0xffff);
	mad_set_field64(mad, 0, IB_MAD_TRID_F, 0x1234);
	umad_set_addr(umad, 0xffff, 0, 0, 0);
	if (umad_send(fd, agent, umad, IB_MAD_SIZE, 1000, 3) < 0)
		IBPANIC("can't send");
	if (umad_recv(fd, umad, &length, 5000) != agent || umad_status(umad))
		IBPANIC("no response");
	printf("# NodeDescription: %.64s\n", (char *)mad + IB_SMP_DATA_OFFS);
	umad_unregister(fd, agent);
	umad_close_port(fd);
	umad_free(umad);
}

int main(int argc, char **argv)
{
	int classes[] = { IB_SMI_CLASS, IB_SMI_DIRECT_CLASS, IB_SA_CLASS };
	ib_portid_t portid, sm;
	int port = 0;

	if (umad_init() < 0)
		IBPANIC("can't init UMAD");
	list_devices();
	memset(&portid, 0, sizeof(portid));
	memset(&sm, 0, sizeof(sm));
	madrpc_init(NULL, 0, classes, 3);
	if (argc > 1 ? ib_resolve_portid_str(&portid, argv[1], IB_DEST_LID, NULL) < 0
		     : ib_resolve_self(&portid, &port, NULL) < 0)
		IBPANIC("can't resolve the destination");
	if (ib_resolve_smlid(&sm, 0) < 0)
		IBPANIC("can't resolve the SM");
	printf("# SM: %s\n", portid2str(&sm));
	print_node(&portid, port);
	print_description();
	return EXIT_SUCCESS;
}
