/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Lists the InfiniBand devices of this host and the state of their ports. */
#include <arpa/inet.h>
#include <infiniband/umad.h>
#include <infiniband/umad_port_states.h>
#include <stdio.h>
#include <string.h>

static void print_port(const umad_port_t *port)
{
	printf("  port %d: %s, LID %u, SM LID %u, %u Gbit/s\n", port->portnum,
	       port->state == UMAD_PORT_ACTIVE ? "Active" : "not Active", port->base_lid,
	       port->sm_lid, port->rate);
}

int main(void)
{
	struct umad_device_node *devices = umad_get_ca_device_list();
	umad_ca_t ca;

	umad_sort_ca_device_list(&devices, 0);
	for (struct umad_device_node *node = devices; node; node = node->next) {
		int error = umad_get_ca(node->ca_name, &ca);

		if (error) {
			fprintf(stderr, "%s: %s\n", node->ca_name, strerror(-error));
			continue;
		}
		printf("%s: node GUID 0x%016llx, %d ports\n", ca.ca_name,
		       (unsigned long long)ntohll(ca.node_guid), ca.numports);
		for (int i = 0; i < UMAD_CA_MAX_PORTS; i++)
			if (ca.ports[i])
				print_port(ca.ports[i]);
		umad_release_ca(&ca);
	}
	umad_free_ca_device_list(devices);
	return 0;
}
