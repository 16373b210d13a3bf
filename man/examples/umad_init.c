/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* The first and last calls of older programs. */
#include <infiniband/umad.h>
#include <stdio.h>

int main(void)
{
	char names[UMAD_MAX_DEVICES][UMAD_CA_NAME_LEN];

	if (umad_init() < 0)
		return 1;
	printf("devices: %d\n", umad_get_cas_names(names, UMAD_MAX_DEVICES));
	return umad_done() < 0;
}
