/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Fills in whole devices and ports, or single attributes that port selection needs, from sysfs or
 * from RDMA netlink (source.c), which does not report port GUIDs, P_Keys, rates, SM SLs, or the
 * type and revision of devices. The callers have checked names and numbers. An attribute that
 * cannot be read, or holds an invalid value, is 0 (or an empty string): reading rate on a port
 * without a cable module fails with EINVAL, for instance.
 */
#include <endian.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "libibumad/base/sys.h"
#include "libibumad/internal.h"
#include "libibumad/netlink/netlink.h"

enum { PKEYS_MAX = 65536 }; /* a P_Key index has 16 bits */

static void format_port_path(char path[UMAD_PATH_SIZE], const char *ca_name, int portnum)
{
	snprintf(path, UMAD_PATH_SIZE, "%s/%s/%s/%d", SYS_INFINIBAND, ca_name, SYS_CA_PORTS_DIR,
		 portnum);
}

/* Notes the result of reading an attribute, and returns it. */
static int note(int result, unsigned int bit, int *found, int *error)
{
	if (result < 0)
		*error = result;
	else
		*found |= (int)bit;
	return result;
}

/* Reads the attributes wanted, and leaves the others alone. Returns the bits of the attributes that
 * could be read; if none could, the last error. */
static int read_files(const char *path, unsigned int wanted, umad_port_t *port)
{
	static const struct {
		unsigned int bit;
		const char *name;
		size_t offset;
	} numbers[] = {
		{ UMAD_PORT_LMC, SYS_PORT_LMC, offsetof(umad_port_t, lmc) },
		{ UMAD_PORT_SM_LID, SYS_PORT_SMLID, offsetof(umad_port_t, sm_lid) },
		{ UMAD_PORT_SM_SL, SYS_PORT_SMSL, offsetof(umad_port_t, sm_sl) },
		{ UMAD_PORT_LID, SYS_PORT_LID, offsetof(umad_port_t, base_lid) },
		{ UMAD_PORT_STATE, SYS_PORT_STATE, offsetof(umad_port_t, state) },
		{ UMAD_PORT_PHYS_STATE, SYS_PORT_PHY_STATE, offsetof(umad_port_t, phys_state) },
		{ UMAD_PORT_CAPMASK, SYS_PORT_CAPMASK, offsetof(umad_port_t, capmask) },
	};
	union umad_gid gid = { { 0 } };
	int error = -ENOENT, found = 0, result;
	unsigned int value, bit;

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		bit = wanted & numbers[i].bit;
		if (bit && !note(umad_sysfs_read_number(path, numbers[i].name, &value), bit, &found,
				 &error))
			memcpy((char *)port + numbers[i].offset, &value, sizeof(value));
	}
	if (wanted & UMAD_PORT_CAPMASK)
		port->capmask = htobe32(port->capmask);
	if (wanted & UMAD_PORT_RATE)
		note(umad_sysfs_read_rate(path, SYS_PORT_RATE, &port->rate), UMAD_PORT_RATE, &found,
		     &error);
	if (wanted & UMAD_PORT_LINK_LAYER) {	/* truncated if it does not fit */
		strcpy(port->link_layer, "IB"); /* kernels before RoCE */
		result = umad_sysfs_read_string(path, SYS_PORT_LINK_LAYER, port->link_layer,
						sizeof(port->link_layer));
		note(result == -EOVERFLOW ? 0 : result, UMAD_PORT_LINK_LAYER, &found, &error);
	}
	if (wanted & UMAD_PORT_GUID) {
		note(umad_sysfs_read_gid(path, SYS_PORT_GID, &gid), UMAD_PORT_GUID, &found, &error);
		port->gid_prefix = gid.global.subnet_prefix;
		port->port_guid = gid.global.interface_id;
	}
	return found ? found : error;
}

/* All attributes that netlink reports. */
static int fill_from_netlink(const struct umad_nldev_record *found, umad_port_t *port)
{
	port->base_lid = found->lid;
	port->lmc = found->lmc;
	port->sm_lid = found->sm_lid;
	port->state = found->state;
	port->phys_state = found->phys_state;
	port->capmask = htobe32((uint32_t)found->cap_flags);
	port->gid_prefix = htobe64(found->subnet_prefix);
	strcpy(port->link_layer, found->is_infiniband ? "InfiniBand" : "Ethernet");
	return UMAD_PORT_ALL & ~(UMAD_PORT_GUID | UMAD_PORT_RATE);
}

int umad_port_add_attributes(struct umad_source *source, unsigned int wanted, umad_port_t *port)
{
	const struct umad_nldev_record *found = NULL;
	char path[UMAD_PATH_SIZE];
	int result = -ENOENT;

	format_port_path(path, port->ca_name, port->portnum);
	if (source->kind != UMAD_SOURCE_NETLINK)
		result = read_files(path, wanted, port);
	if (umad_sysfs_is_missing(result) && umad_source_find(source, port->ca_name))
		found = umad_source_request_port(source, port->ca_name, port->portnum);
	return found ? fill_from_netlink(found, port) : result;
}

int umad_port_read_attributes(struct umad_source *source, const char *ca_name, int portnum,
			      unsigned int wanted, umad_port_t *port)
{
	memset(port, 0, sizeof(*port));
	strncpy(port->ca_name, ca_name, sizeof(port->ca_name) - 1);
	port->portnum = portnum;
	return umad_port_add_attributes(source, wanted, port);
}

bool umad_port_is_infiniband(const umad_port_t *port)
{
	return !strcmp(port->link_layer, "InfiniBand") || !strcmp(port->link_layer, "IB");
}

/* Ports may be neither InfiniBand nor Ethernet. */
bool umad_port_is_ethernet(const umad_port_t *port)
{
	return !strcmp(port->link_layer, "Ethernet");
}

/* The lowest LID of the port, in host byte order; 0 if it has none. */
unsigned int umad_port_read_lid(const char *ca_name, int portnum)
{
	struct umad_source source = { .kind = UMAD_SOURCE_UNDECIDED };
	umad_port_t port;

	umad_port_read_attributes(&source, ca_name, portnum, UMAD_PORT_LID, &port);
	umad_source_close(&source);
	return port.base_lid <= UINT16_MAX ? port.base_lid : 0;
}

/* Reads an entry of the P_Key table, in host byte order. */
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

int umad_port_read_gid(const char *ca_name, int portnum, unsigned int index, union umad_gid *gid)
{
	char path[UMAD_PATH_SIZE], attribute[sizeof("gids/4294967295")];

	format_port_path(path, ca_name, portnum);
	snprintf(attribute, sizeof(attribute), "gids/%u", index);
	return umad_sysfs_read_gid(path, attribute, gid);
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

/* Reads the P_Key table, a file for each index. P_Keys that cannot be listed or read are missing,
 * and *is_whole becomes false. */
static int read_pkeys(const char *port_path, umad_port_t *port, bool *is_whole)
{
	unsigned int index, value;
	size_t capacity = 0;
	char path[UMAD_PATH_SIZE + sizeof("/pkeys")];
	const char *name;
	DIR *dir;
	int error = 0, result;

	snprintf(path, sizeof(path), "%s/pkeys", port_path);
	result = umad_sys_opendir(path, &dir);
	if (result < 0) {
		*is_whole = false;
		return 0;
	}
	while (!error && (result = umad_sys_readdir(dir, &name)) > 0) {
		if (umad_sysfs_parse_name(name, PKEYS_MAX - 1, &index) < 0)
			continue;
		error = grow_pkeys(port, &capacity, index);
		if (error || umad_sysfs_read_number(path, name, &value) < 0)
			*is_whole = false;
		else if (value <= UINT16_MAX)
			port->pkeys[index] = (uint16_t)value;
	}
	*is_whole &= !result;
	umad_sys_closedir(dir);
	return error;
}

/* Fills in *port; on failure the caller has nothing to free. -ENODEV if there is no such device,
 * also if it goes meanwhile; -EINVAL if it has no such port. */
int umad_port_read(struct umad_source *source, const char *ca_name, int portnum, umad_port_t *port)
{
	char path[UMAD_PATH_SIZE];
	int found = umad_port_read_attributes(source, ca_name, portnum, UMAD_PORT_ALL, port);
	int error = umad_sysfs_is_missing(found) ? -EINVAL : found < 0 ? found : 0, gone;
	bool is_whole = found == UMAD_PORT_ALL;

	if (!error && source->kind != UMAD_SOURCE_NETLINK) {
		format_port_path(path, ca_name, portnum);
		error = read_pkeys(path, port, &is_whole);
	}
	gone = is_whole ? 0 : umad_device_check(source, ca_name);
	error = umad_sys_resource_error_or(gone < 0 ? gone : error);
	if (error < 0)
		umad_port_clear(port);
	return error;
}

void umad_port_clear(umad_port_t *port)
{
	free(port->pkeys);
	port->pkeys = NULL;
	port->pkeys_size = 0;
}

/* Reads a port into ca; omits it if it cannot be read. Fails if the device is gone. */
static int read_ca_port(struct umad_source *source, umad_ca_t *ca, int portnum)
{
	umad_port_t *port = malloc(sizeof(*port));
	int result = port ? umad_port_read(source, ca->ca_name, portnum, port) : -ENOMEM;

	if (result < 0) {
		free(port);
		return result == -ENOMEM || result == -ENODEV ? result : 0;
	}
	ca->ports[portnum] = port;
	ca->numports = portnum;
	return 0;
}

/* The attributes of a device; without sysfs, those that netlink reports. */
static void read_ca_attributes(struct umad_source *source, umad_ca_t *ca)
{
	const struct umad_nldev_record *found = NULL;
	char path[UMAD_PATH_SIZE];

	umad_device_format_path(path, ca->ca_name);
	if (source->kind == UMAD_SOURCE_NETLINK)
		found = umad_source_find(source, ca->ca_name);
	if (found) {
		ca->node_type = found->node_type;
		ca->node_guid = htobe64(found->node_guid);
		ca->system_guid = htobe64(found->system_guid);
		memcpy(ca->fw_ver, found->fw_ver, sizeof(ca->fw_ver));
		return;
	}
	umad_sysfs_read_number(path, SYS_NODE_TYPE, &ca->node_type);
	umad_sysfs_read_string(path, SYS_CA_FW_VERS, ca->fw_ver, sizeof(ca->fw_ver));
	umad_sysfs_read_string(path, SYS_CA_HW_VERS, ca->hw_ver, sizeof(ca->hw_ver));
	umad_sysfs_read_string(path, SYS_CA_TYPE, ca->ca_type, sizeof(ca->ca_type));
	umad_sysfs_read_guid(path, SYS_CA_NODE_GUID, &ca->node_guid);
	umad_sysfs_read_guid(path, SYS_CA_SYS_GUID, &ca->system_guid);
}

/* Fills in *ca with all ports; on failure the caller has nothing to free. -ENODEV if there is no
 * such device. */
int umad_ca_read(struct umad_source *source, const char *ca_name, umad_ca_t *ca)
{
	struct umad_port_set ports;
	int result;

	memset(ca, 0, sizeof(*ca));
	strncpy(ca->ca_name, ca_name, sizeof(ca->ca_name) - 1);
	result = umad_device_read_ports(source, ca_name, &ports);
	if (!result)
		read_ca_attributes(source, ca);
	for (int portnum = 0; portnum < UMAD_CA_MAX_PORTS && !result; portnum++)
		if (ports.has[portnum])
			result = read_ca_port(source, ca, portnum);
	result = umad_sys_resource_error_or(result);
	if (result < 0)
		umad_ca_clear(ca);
	return result;
}

void umad_ca_clear(umad_ca_t *ca)
{
	for (int portnum = 0; portnum < UMAD_CA_MAX_PORTS; portnum++) {
		if (ca->ports[portnum])
			umad_port_clear(ca->ports[portnum]);
		free(ca->ports[portnum]);
		ca->ports[portnum] = NULL;
	}
}
