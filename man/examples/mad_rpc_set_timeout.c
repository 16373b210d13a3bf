/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* A request to an unused LID: two attempts of 50 ms each, instead of three of a second. */
#include <errno.h>
#include <infiniband/mad.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
	int classes[] = { IB_SMI_CLASS };
	struct ibmad_port *port = mad_rpc_open_port(NULL, 0, classes, 1);
	uint8_t info[IB_SMP_DATA_SIZE] = { 0 };
	ib_portid_t unused = { .lid = IB_MAX_UCAST_LID };

	if (!port)
		return 1;
	printf("process: %d attempts of %d ms\n", mad_get_retries(NULL), mad_get_timeout(NULL, 0));
	mad_rpc_set_retries(port, 2);
	mad_rpc_set_timeout(port, 50);
	printf("port: %d attempts of %d ms\n", mad_get_retries(port), mad_get_timeout(port, 0));
	if (!smp_query_via(info, &unused, IB_ATTR_NODE_INFO, 0, 0, port))
		printf("%s\n", strerror(errno));

	madrpc_set_retries(5); /* for ports without their own number */
	madrpc_set_timeout(200);
	mad_rpc_set_retries(port, 0);
	printf("port again: %d attempts of %d ms\n", mad_get_retries(port),
	       mad_get_timeout(port, 0));
	mad_rpc_close_port(port);
	return 0;
}
