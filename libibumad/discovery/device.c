/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The devices of this host and the ports of a device, by the directories of /sys/class/infiniband
 * and node_type, or by RDMA netlink (source.c).
 */
#include <endian.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "libibumad/base/sys.h"
#include "libibumad/internal.h"
#include "libibumad/netlink/netlink.h"

static int append_name(struct umad_device_names *names, size_t *capacity, const char *name)
{
	int result =
		umad_array_reserve(&names->device, names->count, capacity, sizeof(*names->device));

	if (result < 0)
		return result;
	names->device[names->count] = (struct umad_device_name){ .place = names->count };
	memcpy(names->device[names->count++].name, name, strlen(name));
	return 0;
}

int umad_device_read_names(struct umad_source *source, struct umad_device_names *names)
{
	size_t i, capacity = 0;
	const char *name;
	DIR *dir;
	int result;

	*names = (struct umad_device_names){ 0 };
	result = umad_source_open_class(source, &dir);
	if (result < 0)
		return result;
	if (dir) {
		while ((result = umad_sys_readdir(dir, &name)) > 0) {
			if (!umad_device_name_valid(name))
				continue;
			result = append_name(names, &capacity, name);
			if (result < 0)
				break;
		}
		umad_sys_closedir(dir);
	}
	for (i = 0; !dir && i < source->count && !result; i++)
		result = append_name(names, &capacity, source->device[i].name);
	if (result < 0)
		names->count = 0;
	return result;
}

static int compare_names(const void *a, const void *b)
{
	const struct umad_device_name *left = a, *right = b;

	return strcmp(left->name, right->name);
}

void umad_device_sort_names(struct umad_device_names *names)
{
	if (names->count > 1)
		qsort(names->device, names->count, sizeof(*names->device), compare_names);
}

void umad_device_format_path(char path[UMAD_PATH_SIZE], const char *ca_name)
{
	snprintf(path, UMAD_PATH_SIZE, "%s/%s", SYS_INFINIBAND, ca_name);
}

/* The device's node type, or 0 if it is not an InfiniBand (or RoCE) device or does not exist. */
unsigned int umad_device_read_type(struct umad_source *source, const char *ca_name)
{
	const struct umad_nldev_record *found;
	char path[UMAD_PATH_SIZE];
	unsigned int type = 0;

	umad_device_format_path(path, ca_name);
	if (source->kind == UMAD_SOURCE_NETLINK ||
	    umad_sysfs_read_number(path, SYS_NODE_TYPE, &type) < 0) {
		found = umad_source_find(source, ca_name);
		type = found ? found->node_type : 0;
	}
	return type >= UMAD_NODE_CA && type <= UMAD_NODE_ROUTER ? type : 0;
}

/* The device's node GUID, or 0 if it cannot be read. */
__be64 umad_device_read_guid(struct umad_source *source, const char *ca_name)
{
	const struct umad_nldev_record *found = umad_source_find(source, ca_name);
	char path[UMAD_PATH_SIZE];
	__be64 guid = 0;

	if (found)
		return htobe64(found->node_guid);
	umad_device_format_path(path, ca_name);
	umad_sysfs_read_guid(path, SYS_CA_NODE_GUID, &guid);
	return guid;
}

/* Whether there is such a device: 0, -ENODEV, or why the class directory cannot be read. */
int umad_device_check(struct umad_source *source, const char *ca_name)
{
	char path[UMAD_PATH_SIZE];
	int result, error;
	DIR *dir;

	umad_device_format_path(path, ca_name);
	result = umad_sys_opendir(path, &dir);
	if (!result) {
		umad_sys_closedir(dir);
		return 0;
	}
	error = umad_source_decide(source);
	if (error < 0 || !umad_sysfs_is_missing(result))
		return error;
	return umad_source_find(source, ca_name) ? 0 : -ENODEV;
}

/* The ports of a device as netlink reports it: port 0 of a switch, or 1 to the last. */
static void add_ports(const struct umad_nldev_record *device, struct umad_port_set *ports)
{
	ports->has[0] = device->node_type == UMAD_NODE_SWITCH;
	for (unsigned int portnum = 1; portnum <= UMAD_PORT_NUMBER_MAX && portnum <= device->port;
	     portnum++)
		ports->has[portnum] = !ports->has[0];
}

/* Lists the ports of a device. Ports that cannot be listed are missing, so that programs reach the
 * other devices. -ENODEV if there is no such device. */
int umad_device_read_ports(struct umad_source *source, const char *ca_name,
			   struct umad_port_set *ports)
{
	const struct umad_nldev_record *found;
	char path[UMAD_PATH_SIZE];
	unsigned int number;
	bool has_port = false;
	const char *name;
	DIR *dir;
	int result;

	*ports = (struct umad_port_set){ { false } };
	snprintf(path, sizeof(path), "%s/%s/%s", SYS_INFINIBAND, ca_name, SYS_CA_PORTS_DIR);
	if (umad_sys_opendir(path, &dir) < 0) {
		result = umad_device_check(source, ca_name);
		found = result < 0 ? NULL : umad_source_find(source, ca_name);
		if (found)
			add_ports(found, ports);
		return result;
	}
	while ((result = umad_sys_readdir(dir, &name)) > 0)
		if (!umad_sysfs_parse_name(name, UMAD_PORT_NUMBER_MAX, &number))
			ports->has[number] = has_port = true;
	umad_sys_closedir(dir);
	return result < 0 || !has_port ? umad_device_check(source, ca_name) : 0;
}
