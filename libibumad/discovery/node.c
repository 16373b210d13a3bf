/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Finds the umad device of a port. Input: the directories umadN of /sys/class/infiniband_mad, each
 * of which names its device and port, and, to avoid most of those reads, infiniband_mad below the
 * device itself, where sysfs has that (as it does for PCI devices). Without sysfs: fallback.c.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "libibumad/base/sys.h"
#include "libibumad/internal.h"

static bool node_matches(unsigned int number, const char *ca_name, int portnum)
{
	char path[UMAD_PATH_SIZE], ibdev[UMAD_CA_NAME_LEN];
	unsigned int port;

	snprintf(path, sizeof(path), "%s/%s%u", SYS_INFINIBAND_MAD, UMAD_NODE_PREFIX, number);
	return !umad_sysfs_read_string(path, SYS_IB_MAD_DEV, ibdev, sizeof(ibdev)) &&
	       !strcmp(ibdev, ca_name) && !umad_sysfs_read_number(path, SYS_IB_MAD_PORT, &port) &&
	       port == (unsigned int)portnum;
}

/* Reads which port umadN belongs to. */
int umad_node_read(unsigned int number, struct umad_port_choice *owner)
{
	char path[UMAD_PATH_SIZE];
	unsigned int port = 0;
	int result;

	snprintf(path, sizeof(path), "%s/%s%u", SYS_INFINIBAND_MAD, UMAD_NODE_PREFIX, number);
	result = umad_sysfs_read_string(path, SYS_IB_MAD_DEV, owner->ca_name,
					sizeof(owner->ca_name));
	if (!result)
		result = umad_sysfs_read_number(path, SYS_IB_MAD_PORT, &port);
	if (result < 0)
		return result;
	if (port > UMAD_PORT_NUMBER_MAX || !umad_device_name_valid(owner->ca_name))
		return -EINVAL;
	owner->portnum = (int)port;
	return 0;
}

/* Searches the nodes that a directory lists. */
static int find_listed(const char *path, const char *ca_name, int portnum)
{
	unsigned int number;
	const char *name;
	int result = -ENOENT;
	DIR *dir;

	if (umad_sys_opendir(path, &dir) < 0)
		return result;
	while (result < 0 && umad_sys_readdir(dir, &name) > 0)
		if (!umad_node_parse_name(name, &number) && node_matches(number, ca_name, portnum))
			result = (int)number;
	umad_sys_closedir(dir);
	return result;
}

/* Checks node 0 first, because most hosts have no other, then those that sysfs lists below the
 * device. They may belong to several devices of one adapter, so each node's device and port are
 * still read. */
static int find(const char *ca_name, int portnum)
{
	char path[UMAD_PATH_SIZE];
	unsigned int ports;
	int result;

	if (node_matches(0, ca_name, portnum))
		return 0;
	snprintf(path, sizeof(path), "%s/%s/device/infiniband_mad", SYS_INFINIBAND, ca_name);
	result = find_listed(path, ca_name, portnum);
	if (result < 0)
		result = find_listed(SYS_INFINIBAND_MAD, ca_name, portnum);
	if (result >= 0)
		return result;
	result = umad_fallback_find_node(ca_name, portnum);
	if (result != -ENODEV)
		return result;
	result = umad_device_read_ports(ca_name, &ports);
	return result == -ENODEV ? result : -EINVAL;
}

/* Returns the N of the umadN that belongs to the port; -EINVAL if the port has none, -ENODEV if
 * there is no such device; or the resource error (sys.h) that prevented finding it. */
int umad_node_find(const char *ca_name, int portnum)
{
	int result = find(ca_name, portnum);

	return result < 0 ? umad_sys_resource_error_or(result) : result;
}
