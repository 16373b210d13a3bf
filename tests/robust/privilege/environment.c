/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Opens a port (there need not be one), which is when the libraries look at their environment, and
 * prints "secure" or "ordinary", as the kernel has marked this process, and the debug level that
 * came of it. environment.sh runs it with and without the setuid bit.
 */
#include <infiniband/mad.h>
#include <stdio.h>
#include <sys/auxv.h>

int main(void)
{
	int classes[] = { IB_SA_CLASS };
	struct ibmad_port *port = mad_rpc_open_port(NULL, 0, classes, 1);

	if (port)
		mad_rpc_close_port(port);
	printf("%s %d\n", getauxval(AT_SECURE) ? "secure" : "ordinary", ibdebug);
	return 0;
}
