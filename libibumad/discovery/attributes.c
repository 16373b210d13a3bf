/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Fills in whole devices and ports from sysfs, and reads the single attributes that port selection
 * needs; without sysfs, from fallback.c. The callers have checked names and numbers. An attribute
 * that cannot be read, or holds an invalid value, is 0 (or an empty string) and does not affect
 * other attributes: for instance, reading rate on a port without a cable module fails with EINVAL.
 */
#include <endian.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "libibumad/base/sys.h"
#include "libibumad/internal.h"

enum {
	CAPMASK_SM_DISABLED = 0x400, /* IsSMDisabled */
	PKEYS_MAX = 65536,	     /* a P_Key index has 16 bits */
};

static void format_port_path(char path[UMAD_PATH_SIZE], const char *ca_name, int portnum)
{
	snprintf(path, UMAD_PATH_SIZE, "%s/%s/%s/%d", SYS_INFINIBAND, ca_name, SYS_CA_PORTS_DIR,
		 portnum);
}

/* Reads one number; if that fails, *port holds what is known without sysfs, or zeros. */
static int read_port_number(const char *ca_name, int portnum, const char *attribute,
			    unsigned int *value, umad_port_t *port)
{
	char path[UMAD_PATH_SIZE];
	int result;

	format_port_path(path, ca_name, portnum);
	result = umad_sysfs_read_number(path, attribute, value);
	if (result < 0) {
		memset(port, 0, sizeof(*port));
		umad_fallback_read_port(ca_name, portnum, port);
	}
	return result;
}

unsigned int umad_port_read_state(const char *ca_name, int portnum)
{
	unsigned int state;
	umad_port_t port;

	return read_port_number(ca_name, portnum, SYS_PORT_STATE, &state, &port) < 0 ? port.state
										     : state;
}

/* How far link training has come, by the physical state. If that cannot be read, the port is broken
 * or does not exist, and has no logical state either. */
enum umad_port_link umad_port_read_link(const char *ca_name, int portnum)
{
	unsigned int phys_state;
	umad_port_t port;
	bool enabled;

	if (read_port_number(ca_name, portnum, SYS_PORT_PHY_STATE, &phys_state, &port) < 0)
		phys_state = port.phys_state;
	if (phys_state == UMAD_PHYS_LINK_UP)
		return UMAD_PORT_LINK_UP;
	enabled = phys_state ? phys_state != UMAD_PHYS_DISABLED
			     : umad_port_read_state(ca_name, portnum) != 0;
	return enabled ? UMAD_PORT_LINK_ENABLED : UMAD_PORT_LINK_DISABLED;
}

bool umad_port_smi_disabled(const char *ca_name, int portnum)
{
	unsigned int capmask;
	umad_port_t port;

	if (read_port_number(ca_name, portnum, SYS_PORT_CAPMASK, &capmask, &port) < 0)
		capmask = be32toh(port.capmask);
	return capmask & CAPMASK_SM_DISABLED;
}

/* Network byte order; 0 if it cannot be read, for instance without sysfs. */
int umad_port_read_guid(const char *ca_name, int portnum, __be64 *guid)
{
	char path[UMAD_PATH_SIZE];
	union umad_gid gid = { { 0 } };
	int error;

	format_port_path(path, ca_name, portnum);
	error = umad_sysfs_read_gid(path, SYS_PORT_GID, &gid);
	*guid = gid.global.interface_id;
	return error;
}

/* The lowest LID of the port, in host byte order; 0 if it has none. */
unsigned int umad_port_read_lid(const char *ca_name, int portnum)
{
	unsigned int lid;
	umad_port_t port;

	if (read_port_number(ca_name, portnum, SYS_PORT_LID, &lid, &port) < 0)
		lid = port.base_lid;
	return lid <= UINT16_MAX ? lid : 0;
}

/* One entry of the P_Key table, in host byte order. */
int umad_port_read_pkey(const char *ca_name, int portnum, unsigned int index, uint16_t *pkey)
{
	char path[UMAD_PATH_SIZE], attribute[sizeof("pkeys/4294967295")];
	unsigned int value;
	int error;

	format_port_path(path, ca_name, portnum);
	snprintf(attribute, sizeof(attribute), "pkeys/%u", index);
	error = umad_sysfs_read_number(path, attribute, &value);
	if (!error && value > UINT16_MAX)
		error = -ERANGE;
	if (!error)
		*pkey = (uint16_t)value;
	return error;
}

/* One entry of the GID table. */
int umad_port_read_gid(const char *ca_name, int portnum, unsigned int index, union umad_gid *gid)
{
	char path[UMAD_PATH_SIZE], attribute[sizeof("gids/4294967295")];

	format_port_path(path, ca_name, portnum);
	snprintf(attribute, sizeof(attribute), "gids/%u", index);
	return umad_sysfs_read_gid(path, attribute, gid);
}

/* A kernel that supports only one link layer has no such attribute. */
static int read_link_layer(const char *path, char link_layer[UMAD_CA_NAME_LEN])
{
	int result =
		umad_sysfs_read_string(path, SYS_PORT_LINK_LAYER, link_layer, UMAD_CA_NAME_LEN);

	if (result < 0 && result != -EOVERFLOW)
		strcpy(link_layer, "IB");
	return result;
}

static void find_link_layer(const char *ca_name, int portnum, char link_layer[UMAD_CA_NAME_LEN])
{
	char path[UMAD_PATH_SIZE];
	umad_port_t port;

	format_port_path(path, ca_name, portnum);
	if (read_link_layer(path, link_layer) < 0 &&
	    !umad_fallback_read_port(ca_name, portnum, &port))
		memcpy(link_layer, port.link_layer, UMAD_CA_NAME_LEN);
}

bool umad_port_is_infiniband(const char *ca_name, int portnum)
{
	char link_layer[UMAD_CA_NAME_LEN];

	find_link_layer(ca_name, portnum, link_layer);
	return !strcmp(link_layer, "InfiniBand") || !strcmp(link_layer, "IB");
}

/* Not the negation of the above: some ports have another link layer. */
bool umad_port_is_ethernet(const char *ca_name, int portnum)
{
	char link_layer[UMAD_CA_NAME_LEN];

	find_link_layer(ca_name, portnum, link_layer);
	return !strcmp(link_layer, "Ethernet");
}

/* Grows the array so that it holds the P_Key at index; entries in between are 0. */
static int grow_pkeys(umad_port_t *port, size_t *capacity, unsigned int index)
{
	size_t before = *capacity;

	while (*capacity <= index)
		if (umad_array_reserve(&port->pkeys, *capacity, capacity, sizeof(*port->pkeys)) < 0)
			return -ENOMEM;
	memset(port->pkeys + before, 0, (*capacity - before) * sizeof(*port->pkeys));
	if (port->pkeys_size <= index)
		port->pkeys_size = index + 1;
	return 0;
}

/* Reads the P_Key table; each file of the directory is named by its index. */
static int read_pkeys(const char *port_path, umad_port_t *port)
{
	unsigned int index, value;
	size_t capacity = 0;
	char path[UMAD_PATH_SIZE + sizeof("/pkeys")];
	const char *name;
	DIR *dir;
	int result;

	snprintf(path, sizeof(path), "%s/pkeys", port_path);
	if (umad_sys_opendir(path, &dir) < 0)
		return 0;
	while ((result = umad_sys_readdir(dir, &name)) > 0) {
		if (umad_sysfs_parse_name(name, PKEYS_MAX - 1, &index) < 0)
			continue;
		result = grow_pkeys(port, &capacity, index);
		if (result < 0)
			break;
		if (!umad_sysfs_read_number(path, name, &value) && value <= UINT16_MAX)
			port->pkeys[index] = (uint16_t)value;
	}
	umad_sys_closedir(dir);
	return result;
}

/* Reads all attributes but the P_Keys. Fails only if not one could be read. */
static int read_attributes(const char *path, umad_port_t *port)
{
	const struct {
		const char *name;
		unsigned int *value;
	} numbers[] = {
		{ SYS_PORT_LMC, &port->lmc },	      { SYS_PORT_SMLID, &port->sm_lid },
		{ SYS_PORT_SMSL, &port->sm_sl },      { SYS_PORT_LID, &port->base_lid },
		{ SYS_PORT_STATE, &port->state },     { SYS_PORT_PHY_STATE, &port->phys_state },
		{ SYS_PORT_CAPMASK, &port->capmask },
	};
	union umad_gid gid = { { 0 } };
	int error, found = 0;
	size_t i;

	for (i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		found += !umad_sysfs_read_number(path, numbers[i].name, numbers[i].value);
	port->capmask = htobe32(port->capmask);
	found += !umad_sysfs_read_rate(path, SYS_PORT_RATE, &port->rate);
	error = umad_sysfs_read_gid(path, SYS_PORT_GID, &gid);
	found += !error;
	port->gid_prefix = gid.global.subnet_prefix;
	port->port_guid = gid.global.interface_id;
	found += !read_link_layer(path, port->link_layer);
	if (found)
		return 0;
	return error == -ENOENT || error == -ENOTDIR ? -ENODEV : error;
}

/* Fills in *port except its P_Keys; the caller has nothing to free. -ENODEV if there is no such
 * port. */
int umad_port_read_attributes(const char *ca_name, int portnum, umad_port_t *port)
{
	char path[UMAD_PATH_SIZE];
	int result;

	memset(port, 0, sizeof(*port));
	format_port_path(path, ca_name, portnum);
	result = read_attributes(path, port);
	if (result == -ENODEV)
		result = umad_fallback_read_port(ca_name, portnum, port);
	if (result < 0)
		return result;
	strncpy(port->ca_name, ca_name, sizeof(port->ca_name) - 1);
	port->portnum = portnum;
	return 0;
}

/* Fills in *port; on failure the caller has nothing to free. -ENODEV if there is no such port. */
int umad_port_read(const char *ca_name, int portnum, umad_port_t *port)
{
	char path[UMAD_PATH_SIZE];
	int result;

	result = umad_port_read_attributes(ca_name, portnum, port);
	if (!result) {
		format_port_path(path, ca_name, portnum);
		result = read_pkeys(path, port);
	}
	result = umad_sys_resource_error_or(result);
	if (result < 0)
		umad_port_clear(port);
	return result;
}

/* Frees what umad_port_read() allocated; the rest of *port stays readable. */
void umad_port_clear(umad_port_t *port)
{
	free(port->pkeys);
	port->pkeys = NULL;
	port->pkeys_size = 0;
}

/* Reads one port into ca. A port that cannot be read at all is omitted; the others are still
 * read. */
static int read_ca_port(umad_ca_t *ca, int portnum)
{
	umad_port_t *port = malloc(sizeof(*port));
	int result;

	if (!port)
		return -ENOMEM;
	result = umad_port_read(ca->ca_name, portnum, port);
	if (result < 0) {
		free(port);
		return result == -ENOMEM ? result : 0;
	}
	ca->ports[portnum] = port;
	ca->numports = portnum;
	return 0;
}

/* Reads which ports a device has. If they cannot be listed, the device is reported without ports,
 * so that programs which iterate over all devices reach the others. */
static int read_ca_ports(const char *ca_name, unsigned int *mask)
{
	int result = umad_device_read_ports(ca_name, mask);

	if (result < 0 && result != -ENODEV && !umad_fallback_applies())
		result = 0;
	return umad_sys_resource_error_or(result);
}

/* Fills in *ca with all ports; on failure the caller has nothing to free. -ENODEV if there is no
 * such device. */
int umad_ca_read(const char *ca_name, umad_ca_t *ca)
{
	char path[UMAD_PATH_SIZE];
	unsigned int mask;
	int portnum, result;

	memset(ca, 0, sizeof(*ca));
	strncpy(ca->ca_name, ca_name, sizeof(ca->ca_name) - 1);
	umad_device_format_path(path, ca_name);
	result = read_ca_ports(ca_name, &mask);
	if (result < 0)
		return result;
	if (umad_sysfs_read_number(path, SYS_NODE_TYPE, &ca->node_type) < 0 &&
	    umad_fallback_read_ca(ca_name, ca, &mask) == -ENOMEM)
		return -ENOMEM;
	umad_sysfs_read_string(path, SYS_CA_FW_VERS, ca->fw_ver, sizeof(ca->fw_ver));
	umad_sysfs_read_string(path, SYS_CA_HW_VERS, ca->hw_ver, sizeof(ca->hw_ver));
	umad_sysfs_read_string(path, SYS_CA_TYPE, ca->ca_type, sizeof(ca->ca_type));
	umad_sysfs_read_guid(path, SYS_CA_NODE_GUID, &ca->node_guid);
	umad_sysfs_read_guid(path, SYS_CA_SYS_GUID, &ca->system_guid);
	for (portnum = 0; portnum < UMAD_CA_MAX_PORTS; portnum++) {
		if (!(mask & 1u << portnum))
			continue;
		result = read_ca_port(ca, portnum);
		if (result < 0)
			break;
	}
	result = umad_sys_resource_error_or(result);
	if (result < 0)
		umad_ca_clear(ca);
	return result;
}

/* Frees the ports of *ca. */
void umad_ca_clear(umad_ca_t *ca)
{
	int portnum;

	for (portnum = 0; portnum < UMAD_CA_MAX_PORTS; portnum++) {
		if (ca->ports[portnum])
			umad_port_clear(ca->ports[portnum]);
		free(ca->ports[portnum]);
		ca->ports[portnum] = NULL;
	}
}
