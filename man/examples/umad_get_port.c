/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* The default port, and its P_Keys. */
#include <arpa/inet.h>
#include <infiniband/umad.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
	umad_port_t port;
	int ret = umad_get_port(NULL, UMAD_ANY_PORT, &port);

	if (ret < 0) {
		fprintf(stderr, "no port: %s\n", strerror(-ret));
		return 1;
	}
	printf("%s port %d (%s): LID %u, CapabilityMask 0x%08x\n", port.ca_name, port.portnum,
	       port.link_layer, port.base_lid, ntohl(port.capmask));
	for (unsigned i = 0; i < port.pkeys_size; i++)
		if (port.pkeys[i])
			printf("P_Key %u: 0x%04x\n", i, port.pkeys[i]);
	umad_release_port(&port);
	return 0;
}
