/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* A GUID as it is on the wire. */
#include <infiniband/umad.h>
#include <inttypes.h>
#include <stdio.h>

int main(void)
{
	uint64_t guid = 0x0002c90300000001, wire = htonll(guid);
	const uint8_t *bytes = (const uint8_t *)&wire;

	printf("first byte 0x%02x, last byte 0x%02x\n", bytes[0], bytes[7]);
	printf("0x%016" PRIx64 "\n", ntohll(wire));
	return 0;
}
