/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Registers as client of performance management and as server of a vendor class. */
#include <infiniband/umad.h>
#include <infiniband/umad_types.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
	struct umad_reg_attr vendor = {
		.mgmt_class = UMAD_CLASS_VENDOR_RANGE2_START,
		.mgmt_class_version = 1,
		.method_mask = { 1 << UMAD_METHOD_GET | 1 << UMAD_METHOD_SET },
		.oui = 0x001405,
	};
	int portid = umad_open_port(NULL, UMAD_ANY_PORT), client, error;
	uint32_t server;

	if (portid < 0) {
		fprintf(stderr, "no port: %s\n", strerror(-portid));
		return 1;
	}
	client = umad_register(portid, UMAD_CLASS_PERF_MGMT, 1, 0, NULL);
	if (client < 0) {
		fprintf(stderr, "not registered: %s\n", strerror(-client));
		return 1;
	}
	error = umad_register2(portid, &vendor, &server); /* a positive errno */
	if (error) {
		fprintf(stderr, "not registered: %s\n", strerror(error));
		return 1;
	}
	printf("agents %d and %u\n", client, server);
	umad_unregister(portid, (int)server);
	umad_unregister(portid, client);
	umad_close_port(portid);
	return 0;
}
