/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Reads which devices, ports and umad devices exist, and finds each device among those of the
 * snapshot before. Input: discovery, and for the network interfaces of RoCE ports RDMA netlink.
 */
#include <endian.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "libibumad/base/sys.h"
#include "libibumad/monitor/monitor.h"
#include "libibumad/netlink/nldev.h"

size_t umad_snapshot_find(const struct umad_snapshot *snapshot, const char *ca_name)
{
	for (size_t i = 0; i < snapshot->device_count; i++)
		if (!strcmp(snapshot->device[i].name, ca_name))
			return i;
	return UMAD_SNAPSHOT_NONE;
}

void umad_snapshot_mark_ports(struct umad_snapshot_device *device)
{
	for (int portnum = 0; portnum < UMAD_CA_MAX_PORTS; portnum++)
		device->port[portnum].is_marked = true;
}

void umad_snapshot_mark_all(struct umad_snapshot *snapshot)
{
	for (size_t i = 0; i < snapshot->device_count; i++)
		umad_snapshot_mark_ports(&snapshot->device[i]);
}

/*
 * Devices
 */

static int add_device(struct umad_snapshot *now, struct umad_source *source, const char *ca_name)
{
	struct umad_snapshot_device device = { .same = UMAD_SNAPSHOT_NONE };
	int error;

	if (!umad_device_read_type(source, ca_name))
		return 0;
	memcpy(device.name, ca_name, sizeof(device.name));
	device.node_guid = umad_device_read_guid(source, ca_name);
	error = umad_array_reserve(&now->device, now->device_count, &now->device_capacity,
				   sizeof(*now->device));
	if (!error)
		now->device[now->device_count++] = device;
	return error;
}

static int read_devices(struct umad_snapshot *now, struct umad_source *source)
{
	struct umad_device_names names;
	int error = umad_device_read_names(source, &names);

	for (size_t i = 0; !error && i < names.count; i++)
		error = add_device(now, source, names.device[i].name);
	umad_device_free_names(&names);
	return error;
}

/* Takes the device with this name for the one known before, unless the node GUID is another one; it
 * is 0 while it is unknown. */
static void match(struct umad_snapshot *now, struct umad_snapshot *before, size_t known,
		  const char *ca_name)
{
	size_t found = umad_snapshot_find(now, ca_name);
	__be64 guid;

	if (found == UMAD_SNAPSHOT_NONE || now->device[found].same != UMAD_SNAPSHOT_NONE)
		return;
	guid = now->device[found].node_guid;
	if (guid && before->device[known].node_guid && guid != before->device[known].node_guid)
		return;
	now->device[found].same = known;
	before->device[known].same = found;
}

/* Whether a chain of new names leads back to its first device, so that no event can be the first.
 */
static bool is_exchange(const struct umad_snapshot *now, const struct umad_snapshot *before,
			size_t first)
{
	size_t at = first, owner = now->device[first].same;

	if (!strcmp(now->device[first].name, before->device[owner].name))
		return false;
	do {
		owner = umad_snapshot_find(before, now->device[at].name);
		if (owner == UMAD_SNAPSHOT_NONE)
			return false;
		at = before->device[owner].same;
	} while (at != UMAD_SNAPSHOT_NONE && at != first);
	return at == first;
}

/* First by the names that messages say, then by those known. A device of which neither holds was
 * removed; so is, for the events, one of several that have exchanged their names. */
static void match_devices(struct umad_snapshot *now, struct umad_snapshot *before)
{
	struct umad_snapshot_device *device;

	for (size_t i = 0; i < before->device_count; i++) {
		device = &before->device[i];
		device->same = UMAD_SNAPSHOT_NONE;
		if (device->new_name[0] && !device->is_removed)
			match(now, before, i, device->new_name);
	}
	for (size_t i = 0; i < before->device_count; i++) {
		device = &before->device[i];
		if (device->same == UMAD_SNAPSHOT_NONE && !device->is_removed)
			match(now, before, i, device->name);
	}
	for (size_t i = 0; i < now->device_count; i++) {
		device = &now->device[i];
		if (device->same == UMAD_SNAPSHOT_NONE || !is_exchange(now, before, i))
			continue;
		before->device[device->same].same = UMAD_SNAPSHOT_NONE;
		device->same = UMAD_SNAPSHOT_NONE;
	}
}

/*
 * Ports
 */

/* A port on its way out has no state: what was known of it stays. */
static void read_port(struct umad_source *source, const char *ca_name, int portnum,
		      struct umad_snapshot_port *now)
{
	const unsigned int known = UMAD_PORT_RATE | (now->guid ? UMAD_PORT_GUID : 0);
	const struct umad_nldev_record *found = NULL;
	umad_port_t port;

	if (umad_port_read_attributes(source, ca_name, portnum, UMAD_PORT_ALL & ~known, &port) <
		    0 ||
	    !port.state)
		return;
	now->is_there = true;
	now->is_ethernet = umad_port_is_ethernet(&port);
	if (!now->guid)
		now->guid = port.port_guid;
	now->values = (struct umad_port_values){
		.state = port.state,
		.phys_state = port.phys_state,
		.base_lid = port.base_lid,
		.lmc = port.lmc,
		.sm_lid = port.sm_lid,
		.sm_sl = port.sm_sl,
		.capmask = be32toh(port.capmask),
	};
	if (now->is_ethernet)
		found = umad_source_request_port(source, ca_name, portnum);
	now->netdev_index = found ? found->netdev_index : 0;
}

/* Whether a device that was known has no port to be read. */
static bool are_ports_known(const struct umad_snapshot_device *known)
{
	bool has_ports = false;

	for (int portnum = 0; portnum < UMAD_CA_MAX_PORTS; portnum++) {
		has_ports |= known->port[portnum].is_there;
		if (known->port[portnum].is_marked)
			return false;
	}
	return has_ports;
}

static void read_ports(struct umad_source *source, struct umad_snapshot_device *device,
		       const struct umad_snapshot_device *known)
{
	struct umad_snapshot_port *port;
	struct umad_port_set ports = { { false } };

	if (known)
		memcpy(device->port, known->port, sizeof(device->port));
	if (!known || !are_ports_known(known))
		umad_device_read_ports(source, device->name, &ports);
	for (int portnum = 0; portnum < UMAD_CA_MAX_PORTS; portnum++) {
		port = &device->port[portnum];
		if (ports.has[portnum] && (!port->is_there || port->is_marked))
			read_port(source, device->name, portnum, port);
		port->is_marked = false;
		port->down_phys_state = 0;
	}
}

/*
 * Umad devices
 */

/* Where RDMA devices belong to network namespaces, sysfs lists the devices of this namespace, but
 * the umad devices of all: those without a device are left out. */
static int add_node(struct umad_snapshot *now, unsigned int number,
		    const struct umad_port_choice *owner)
{
	struct umad_snapshot_node node = { .number = number, .portnum = owner->portnum };
	int error;

	node.device = umad_snapshot_find(now, owner->ca_name);
	if (node.device == UMAD_SNAPSHOT_NONE)
		return 0;
	error = umad_array_reserve(&now->node, now->node_count, &now->node_capacity,
				   sizeof(*now->node));
	if (!error)
		now->node[now->node_count++] = node;
	return error;
}

static int read_nodes(struct umad_snapshot *now)
{
	struct umad_port_choice owner;
	unsigned int number;
	const char *name;
	DIR *dir;
	int result = umad_sys_opendir(SYS_INFINIBAND_MAD, &dir);

	if (result < 0)
		return umad_sysfs_is_missing(result) ? 0 : result;
	while ((result = umad_sys_readdir(dir, &name)) > 0) {
		if (umad_node_parse_name(name, &number) < 0 ||
		    umad_node_read(number, NULL, &owner) < 0)
			continue;
		result = add_node(now, number, &owner);
		if (result < 0)
			break;
	}
	umad_sys_closedir(dir);
	return result;
}

/* The same without sysfs. */
static int request_nodes(struct umad_snapshot *now, struct umad_source *source)
{
	struct umad_port_choice owner;
	int number, error = 0;

	for (size_t i = 0; i < now->device_count; i++) {
		memcpy(owner.ca_name, now->device[i].name, sizeof(owner.ca_name));
		for (owner.portnum = 0; owner.portnum < UMAD_CA_MAX_PORTS && !error;
		     owner.portnum++) {
			if (!now->device[i].port[owner.portnum].is_there)
				continue;
			number = umad_node_find(source, owner.ca_name, owner.portnum);
			if (number >= 0)
				error = add_node(now, (unsigned int)number, &owner);
		}
	}
	return error;
}

static int read_all(struct umad_snapshot *now, struct umad_snapshot *before,
		    struct umad_source *source)
{
	struct umad_snapshot_device *device;
	int error = read_devices(now, source);

	if (error < 0)
		return error;
	match_devices(now, before);
	for (size_t i = 0; i < now->device_count; i++) {
		device = &now->device[i];
		read_ports(source, device,
			   device->same == UMAD_SNAPSHOT_NONE ? NULL
							      : &before->device[device->same]);
	}
	error = source->kind == UMAD_SOURCE_NETLINK ? request_nodes(now, source) : read_nodes(now);
	return umad_sys_resource_error_or(error); /* what could not be read would seem to be gone */
}

int umad_snapshot_read(struct umad_snapshot *now, struct umad_snapshot *before)
{
	struct umad_source source = { .kind = UMAD_SOURCE_UNDECIDED };
	int error;

	*now = (struct umad_snapshot){ .device = NULL };
	error = read_all(now, before, &source);
	umad_source_close(&source);
	if (error < 0)
		umad_snapshot_clear(now);
	return error;
}

void umad_snapshot_clear(struct umad_snapshot *snapshot)
{
	free(snapshot->device);
	free(snapshot->node);
	*snapshot = (struct umad_snapshot){ .device = NULL };
}
