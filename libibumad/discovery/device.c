/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Which devices this host has and which ports a device has. Input: the directories of
 * /sys/class/infiniband, and node_type; without the former, fallback.c.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "libibumad/base/sys.h"
#include "libibumad/internal.h"

static int append_name(struct umad_device_names *names, size_t *capacity, const char *name)
{
	int result = umad_array_reserve(&names->name, names->count, capacity, sizeof(*names->name));

	if (result < 0)
		return result;
	memset(names->name[names->count], 0, sizeof(*names->name));
	memcpy(names->name[names->count++], name, strlen(name));
	return 0;
}

/* Reads the names of all devices, of any type, that fit a caller's buffer. A host without the class
 * directory has none. */
int umad_device_read_names(struct umad_device_names *names)
{
	const char *name;
	size_t capacity = 0;
	DIR *dir;
	int result;

	*names = (struct umad_device_names){ 0 };
	result = umad_sys_opendir(SYS_INFINIBAND, &dir);
	if (result < 0)
		return result == -ENOENT || result == -ENOTDIR ? umad_fallback_read_names(names)
							       : result;
	while ((result = umad_sys_readdir(dir, &name)) > 0) {
		if (!umad_device_name_valid(name))
			continue;
		result = append_name(names, &capacity, name);
		if (result < 0)
			break;
	}
	umad_sys_closedir(dir);
	if (result < 0)
		umad_device_free_names(names);
	return result;
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(a, b);
}

void umad_device_sort_names(struct umad_device_names *names)
{
	if (names->count > 1)
		qsort(names->name, names->count, sizeof(*names->name), compare_names);
}

void umad_device_free_names(struct umad_device_names *names)
{
	free(names->name);
	*names = (struct umad_device_names){ 0 };
}

void umad_device_format_path(char path[UMAD_PATH_SIZE], const char *ca_name)
{
	snprintf(path, UMAD_PATH_SIZE, "%s/%s", SYS_INFINIBAND, ca_name);
}

/* The device's node type, or 0 if it is not an InfiniBand (or RoCE) device or does not exist. */
unsigned int umad_device_read_type(const char *ca_name)
{
	char path[UMAD_PATH_SIZE];
	unsigned int type, ports;
	umad_ca_t ca;

	umad_device_format_path(path, ca_name);
	if (umad_sysfs_read_number(path, SYS_NODE_TYPE, &type) < 0) {
		if (umad_fallback_read_ca(ca_name, &ca, &ports) < 0)
			return 0;
		type = ca.node_type;
	}
	return type >= UMAD_NODE_CA && type <= UMAD_NODE_ROUTER ? type : 0;
}

static bool is_directory(const char *path)
{
	DIR *dir;

	if (umad_sys_opendir(path, &dir) < 0)
		return false;
	umad_sys_closedir(dir);
	return true;
}

/* Reads which ports a device has, up to the number that fits struct umad_ca. -ENODEV if there is no
 * such device. */
int umad_device_read_ports(const char *ca_name, unsigned int *mask)
{
	char path[UMAD_PATH_SIZE];
	unsigned int number;
	const char *name;
	DIR *dir;
	int result;

	*mask = 0;
	snprintf(path, sizeof(path), "%s/%s/%s", SYS_INFINIBAND, ca_name, SYS_CA_PORTS_DIR);
	result = umad_sys_opendir(path, &dir);
	if (result == -ENOENT || result == -ENOTDIR) {
		umad_device_format_path(path, ca_name);
		return is_directory(path) ? 0 : umad_fallback_read_ca(ca_name, NULL, mask);
	}
	if (result < 0)
		return result;
	while ((result = umad_sys_readdir(dir, &name)) > 0)
		if (!umad_sysfs_parse_name(name, UMAD_CA_MAX_PORTS - 1, &number))
			*mask |= 1u << number;
	umad_sys_closedir(dir);
	return result;
}
