/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* The attributes that devices and ports of the fake kernel have unless a test says otherwise. */
#include "kernel.h"

#include <stdio.h>

void kernel_ca_file(const char *ca_name, const char *attribute, const char *content)
{
	char path[KERNEL_PATH_SIZE];

	snprintf(path, sizeof(path), "/sys/class/infiniband/%s/%s", ca_name, attribute);
	kernel_file(path, content);
}

void kernel_port_file(const char *ca_name, int port, const char *attribute, const char *content)
{
	char path[64];

	snprintf(path, sizeof(path), "ports/%d/%s", port, attribute);
	kernel_ca_file(ca_name, path, content);
}

static void add_port(const char *ca_name, int port, unsigned int guid)
{
	static const char *const attributes[][2] = {
		{ "state", "4: ACTIVE\n" },
		{ "phys_state", "5: LinkUp\n" },
		{ "lid", "0x12\n" },
		{ "lid_mask_count", "2\n" },
		{ "sm_lid", "0x1\n" },
		{ "sm_sl", "3\n" },
		{ "cap_mask", "0x2651e848\n" },
		{ "rate", "100 Gb/sec (4X EDR)\n" },
		{ "link_layer", "InfiniBand\n" },
		{ "pkeys/0", "0xffff\n" },
		{ "pkeys/1", "0x8001\n" },
	};
	char gid[64];
	size_t i;

	for (i = 0; i < sizeof(attributes) / sizeof(attributes[0]); i++)
		kernel_port_file(ca_name, port, attributes[i][0], attributes[i][1]);
	snprintf(gid, sizeof(gid), "fe80:0000:0000:0000:0002:c903:0000:%04x\n", guid);
	kernel_port_file(ca_name, port, "gids/0", gid);
}

void kernel_ca(const char *ca_name, int first, int last, unsigned int guid)
{
	int port;

	kernel_ca_file(ca_name, "node_type", "1: CA\n");
	kernel_ca_file(ca_name, "fw_ver", "16.35.2000\n");
	kernel_ca_file(ca_name, "hw_rev", "1\n");
	kernel_ca_file(ca_name, "hca_type", "MT4119\n");
	kernel_ca_file(ca_name, "node_guid", "0002:c903:0000:00a0\n");
	kernel_ca_file(ca_name, "sys_image_guid", "0002:c903:0000:00a3\n");
	for (port = first; port <= last; port++)
		add_port(ca_name, port, guid + (unsigned int)port);
}

void kernel_node(unsigned int number, const char *ca_name, int port)
{
	char path[KERNEL_PATH_SIZE], content[64];

	snprintf(path, sizeof(path), "/sys/class/infiniband_mad/umad%u/ibdev", number);
	snprintf(content, sizeof(content), "%s\n", ca_name);
	kernel_file(path, content);
	snprintf(path, sizeof(path), "/sys/class/infiniband_mad/umad%u/port", number);
	snprintf(content, sizeof(content), "%d\n", port);
	kernel_file(path, content);
	snprintf(path, sizeof(path), "/dev/infiniband/umad%u", number);
	kernel_file(path, "");
}

void kernel_abi_version(const char *content)
{
	kernel_file("/sys/class/infiniband_mad/abi_version", content);
}

void kernel_host(void)
{
	kernel_abi_version("5\n");
	kernel_node(0, "mlx5_0", 1);
	kernel_ca("mlx5_0", 1, 1, 0);
	kernel_port_file("mlx5_0", 1, "lid", "0x1\n");
	kernel_port_file("mlx5_0", 1, "lid_mask_count", "0\n");
	kernel_port_file("mlx5_0", 1, "sm_sl", "0\n");
	kernel_ca_file("mlx5_0", "node_guid", "0002:c903:0000:0000\n");
}
