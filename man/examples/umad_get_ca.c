/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* umad_get_ca [DEVICE]: a device, its firmware, and the GUIDs of its ports. */
#include <infiniband/umad.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
	const char *device = argc > 1 ? argv[1] : NULL;
	__be64 guids[UMAD_CA_MAX_PORTS];
	umad_ca_t ca;
	int ret = umad_get_ca(device, &ca), count;

	if (ret < 0) {
		fprintf(stderr, "%s: %s\n", device ? device : "any device", strerror(-ret));
		return 1;
	}
	printf("%s: type %u, model \"%s\", firmware \"%s\", node GUID 0x%016" PRIx64 "\n",
	       ca.ca_name, ca.node_type, ca.ca_type, ca.fw_ver, ntohll(ca.node_guid));

	count = umad_get_ca_portguids(ca.ca_name, guids, UMAD_CA_MAX_PORTS);
	for (int i = 0; i < count; i++)
		if (guids[i])
			printf("port %d: 0x%016" PRIx64 "\n", i, ntohll(guids[i]));
	umad_release_ca(&ca);
	return 0;
}
