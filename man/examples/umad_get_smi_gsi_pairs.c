/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Prints the device that carries subnet management, and the device that carries all other classes.
 */
#include <infiniband/umad.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
	struct umad_ca_pair pairs[UMAD_MAX_DEVICES], pair;
	int count = umad_get_smi_gsi_pairs(pairs, UMAD_MAX_DEVICES), ret;

	for (int i = 0; i < count; i++)
		printf("SMI %s, GSI %s\n", pairs[i].smi_name[0] ? pairs[i].smi_name : "none",
		       pairs[i].gsi_name);

	ret = umad_get_smi_gsi_pair_by_ca_name(NULL, 0, &pair, 1);
	if (ret < 0) {
		fprintf(stderr, "no pair: %s\n", strerror(-ret));
		return 1;
	}
	printf("to open: %s port %u for SMPs, %s port %u for the rest\n", pair.smi_name,
	       pair.smi_preferred_port, pair.gsi_name, pair.gsi_preferred_port);
	return 0;
}
