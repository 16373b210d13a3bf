/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* The names of all devices, by both functions. */
#include <errno.h>
#include <infiniband/umad.h>
#include <stdio.h>

int main(void)
{
	char names[UMAD_MAX_DEVICES][UMAD_CA_NAME_LEN];
	int count = umad_get_cas_names(names, UMAD_MAX_DEVICES);
	struct umad_device_node *devices;

	for (int i = 0; i < count; i++)
		printf("array: %s\n", names[i]);

	devices = umad_get_ca_device_list();
	if (!devices && errno) {
		perror("umad_get_ca_device_list");
		return 1;
	}
	umad_sort_ca_device_list(&devices, 0);
	for (struct umad_device_node *node = devices; node; node = node->next)
		printf("list: %s\n", node->ca_name);
	umad_free_ca_device_list(devices);
	return 0;
}
