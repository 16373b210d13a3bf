/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Responds to pings with the name of the host, as ibping -S does. */
#include <infiniband/mad.h>
#include <infiniband/umad_types.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void respond(void *umad, struct ibmad_port *port)
{
	struct umad_vendor_packet *request = umad_get_mad(umad);

	memset(request->data, 0, sizeof(request->data));
	gethostname((char *)request->data, sizeof(request->data) - 1);
	if (mad_respond_via(umad, NULL, 0, port) < 0)
		perror("mad_respond_via");
	else
		puts("responded");
}

int main(void)
{
	struct ibmad_port *port = mad_rpc_open_port(NULL, 0, NULL, 0);
	void *umad = mad_alloc();

	if (!port || !umad ||
	    mad_register_server_via(IB_VENDOR_OPENIB_PING_CLASS, 0, NULL, IB_OPENIB_OUI, port) <
		    0) {
		perror("can't serve");
		return 1;
	}
	puts("ready");
	while (mad_receive_via(umad, -1, port))
		respond(umad, port);
	perror("mad_receive_via"); /* the device is gone */
	mad_free(umad);
	mad_rpc_close_port(port);
	return 1;
}
