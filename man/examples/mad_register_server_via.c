/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Registers as server of two methods of a vendor class, and as client of another class. */
#include <errno.h>
#include <infiniband/mad.h>
#include <stdio.h>
#include <string.h>

enum { VENDOR_CLASS = IB_VENDOR_RANGE2_START_CLASS + 1 };

int main(void)
{
	struct ibmad_port *port = mad_rpc_open_port(NULL, 0, NULL, 0);
	long methods[16 / sizeof(long)] = { 1 << IB_MAD_METHOD_GET | 1 << IB_MAD_METHOD_SET };
	int server, client;

	if (!port)
		return 1;
	server = mad_register_server_via(VENDOR_CLASS, 0, methods, IB_OPENIB_OUI, port);
	client = mad_register_client_via(IB_PERFORMANCE_CLASS, 0, port);
	if (server < 0 || client < 0) {
		perror("not registered");
		return 1;
	}
	printf("server: %s\n", mad_rpc_class_agent(port, VENDOR_CLASS) == server ? "yes" : "no");
	if (mad_register_server_via(VENDOR_CLASS, 0, methods, IB_OPENIB_OUI, port) < 0)
		printf("again: %s\n", strerror(errno));
	mad_rpc_close_port(port);
	return 0;
}
