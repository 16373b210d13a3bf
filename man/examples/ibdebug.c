/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Errors on standard error, and the bytes of a response. */
#include <infiniband/mad.h>
#include <stdio.h>

int main(void)
{
	int classes[] = { IB_SMI_DIRECT_CLASS };
	struct ibmad_port *port = mad_rpc_open_port(NULL, 0, classes, 1);
	uint8_t info[IB_SMP_DATA_SIZE] = { 0 }, response[IB_MAD_SIZE] = { 0 };
	ib_portid_t self = { 0 };

	if (!port)
		return 1;
	madrpc_save_mad(response, sizeof(response)); /* the next one */
	if (!smp_query_via(info, &self, IB_ATTR_NODE_INFO, 0, 0, port))
		perror("NodeInfo");
	xdump(stdout, "header: ", response, 4);

	mad_rpc_set_retries(port, 1);
	madrpc_show_errors(1);
	if (!smp_query_via(info, &self, 0x7f, 0, 20, port)) /* no such attribute */
		IBWARN("attribute 0x%x is not known", 0x7f);
	ibdebug = 2;
	IBVERBOSE("level %d", ibdebug);
	ibdebug = 0;
	mad_rpc_close_port(port);
	return 0;
}
