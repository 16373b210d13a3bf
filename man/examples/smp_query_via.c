/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* PortInfo of the local port, and why its node has no SwitchInfo. */
#include <errno.h>
#include <infiniband/mad.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
	int classes[] = { IB_SMI_DIRECT_CLASS, IB_SMI_CLASS }, status = 0;
	struct ibmad_port *port = mad_rpc_open_port(NULL, 0, classes, 2);
	uint8_t data[IB_SMP_DATA_SIZE] = { 0 };
	ib_portid_t self = { 0 };
	char text[4096];

	if (!port || !smp_query_via(data, &self, IB_ATTR_PORT_INFO, 0, 0, port)) {
		perror("PortInfo");
		return 1;
	}
	mad_dump_portstates(text, sizeof(text), data, sizeof(data));
	fputs(text, stdout);

	/* Asks the same port by its LID. */
	ib_portid_set(&self, (int)mad_get_field(data, 0, IB_PORT_LID_F), 0, 0);
	memset(data, 0, sizeof(data));
	if (!smp_query_status_via(data, &self, IB_ATTR_SWITCH_INFO, 0, 100, &status, port))
		printf("SwitchInfo: %s, status 0x%x\n", strerror(errno), status);
	mad_rpc_close_port(port);
	return 0;
}
