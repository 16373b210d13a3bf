/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* The byte of a query for an MTU of at least 2048. */
#include <infiniband/umad_sa.h>
#include <stdio.h>

enum { MTU_1024 = 3 };

int main(void)
{
	uint8_t byte = umad_sa_set_rate_mtu_or_life(UMAD_SA_SELECTOR_GREATER_THAN, MTU_1024);

	printf("0x%02x: value %u, selector %u\n", byte, umad_sa_get_rate_mtu_or_life(byte),
	       byte >> UMAD_SA_SELECTOR_SHIFT & UMAD_SA_SELECTOR_MASK);
	return 0;
}
