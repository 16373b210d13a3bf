/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Lists devices, ports and umad devices, reads the marked attributes of known ones, and reports the
 * differences. Unless a message has named it, or a scan of everything finds another node GUID, a
 * name that stays is the device known before.
 */
#include <stdlib.h>
#include <string.h>

#include "libibumad/base/sys.h"
#include "libibumad/monitor/monitor.h"
#include "libibumad/netlink/netlink.h"

/*
 * Ports
 */

/* Network interface, GUID and link layer of a port change with the device only, or while it comes
 * up; attributes that cannot be read keep their values. */
static void take_identity(struct umad_source *source, const char *ca_name, unsigned int found,
			  const umad_port_t *read, struct umad_known_port *port)
{
	const struct umad_nldev_record *record;

	if (found & UMAD_PORT_GUID)
		port->guid = read->port_guid;
	if (!(found & UMAD_PORT_LINK_LAYER))
		return;
	port->is_ethernet = umad_port_is_ethernet(read);
	record =
		port->is_ethernet ? umad_source_request_port(source, ca_name, read->portnum) : NULL;
	port->netdev_index = record ? record->netdev_index : 0;
}

/* If a scan finds a change, the port is read whole, so that one event reports all of it. */
static int look_at_port(struct umad_known *known, struct umad_source *source, const char *ca_name,
			int portnum, struct umad_known_port *port)
{
	umad_port_t read;
	int result;

	for (;;) {
		result = umad_port_read_attributes(source, ca_name, portnum, port->marked, &read);
		if (result <= 0 || umad_sys_resource_error())
			return umad_sys_resource_error();
		if (!(UMAD_MARK_LINK & ~port->marked) ||
		    !umad_known_differs(port, (unsigned int)result, &read))
			break;
		port->marked |= UMAD_MARK_LINK;
	}
	if (source->kind == UMAD_SOURCE_NETLINK)
		result |= UMAD_PORT_GUID; /* netlink does not report it */
	if (!read.state)		  /* of a port on its way in or out */
		result &= ~UMAD_PORT_STATE;
	take_identity(source, ca_name, (unsigned int)result, &read, port);
	return umad_known_take_port(known, port, (unsigned int)result, &read);
}

/* Ports of a device neither come nor go once there are any. False: another device has the name. */
static bool list_ports(struct umad_source *source, struct umad_known_device *device)
{
	struct umad_port_set ports;
	bool lists_any = false, lists_all = true;

	if (umad_device_read_ports(source, device->name, &ports) < 0)
		return true;
	for (int portnum = 0; portnum < UMAD_CA_MAX_PORTS; portnum++) {
		lists_any |= ports.has[portnum];
		lists_all &= ports.has[portnum] || !device->port[portnum].reported.type;
		device->port[portnum].exists |= ports.has[portnum];
	}
	return lists_all || !lists_any;
}

static int look_at_ports(struct umad_known *known, struct umad_source *source,
			 struct umad_known_device *device)
{
	struct umad_known_port *port;
	bool has_ports = false;
	int error = 0;

	for (int portnum = 0; portnum < UMAD_CA_MAX_PORTS; portnum++)
		has_ports |= device->port[portnum].exists;
	if (!has_ports)
		list_ports(source, device);
	for (int portnum = 0; portnum < UMAD_CA_MAX_PORTS && !error; portnum++) {
		port = &device->port[portnum];
		if (port->exists && port->marked)
			error = look_at_port(known, source, device->name, portnum, port);
	}
	if (!error)
		error = umad_sys_resource_error();
	device->is_marked &= error < 0;
	return error;
}

/*
 * Devices
 */

/* Finds a known device: by its name and, if another device may have the name, by its node GUID and
 * ports. The GUID is 0 if it cannot be read, and of many virtual functions. */
static bool is_there(struct umad_source *source, const struct umad_device_names *names,
		     struct umad_known_device *device)
{
	bool is_same;
	__be64 guid;
	size_t i = 0;

	while (i < names->count && strcmp(names->device[i].name, device->name) != 0)
		i++;
	if (i == names->count || !device->is_marked)
		return i < names->count;
	if (!umad_device_read_type(source, device->name))
		return false;
	guid = umad_device_read_guid(source, device->name);
	is_same = (!guid || !device->node_guid || guid == device->node_guid) &&
		  list_ports(source, device);
	if (guid)
		device->node_guid = guid;
	return is_same;
}

static int add_device(struct umad_known *known, struct umad_source *source, const char *name)
{
	__be64 guid;
	int error;

	if (umad_known_find_device(known, name) || !umad_device_read_type(source, name))
		return 0;
	guid = umad_device_read_guid(source, name);
	error = umad_sys_resource_error();
	if (!error)
		error = umad_known_add_device(known, name, guid);
	return error ? error
		     : look_at_ports(known, source, &known->device[known->device_count - 1]);
}

static int look_for_devices(struct umad_known *known, struct umad_source *source)
{
	struct umad_device_names names;
	bool is_found;
	int error = umad_device_read_names(source, &names);

	for (size_t i = 0; i < known->device_count && !error;) {
		is_found = is_there(source, &names, &known->device[i]);
		error = umad_sys_resource_error(); /* an unreadable device would seem to be gone */
		if (is_found || error < 0)
			i++;
		else
			error = umad_known_remove_device(known, &known->device[i]);
	}
	for (size_t i = 0; i < names.count && !error; i++)
		error = add_device(known, source, names.device[i].name);
	free(names.device);
	return error;
}

/*
 * Umad devices
 */

/* Finds a umad device, and reads its owner if it is new or the owner may be another port: then it
 * has been removed and added. If it cannot be read, it keeps its owner. */
static int take_node(struct umad_known *known, unsigned int number,
		     const struct umad_port_choice *owner)
{
	struct umad_known_node *node = umad_known_find_node(known, number);
	struct umad_port_choice read;
	int error = node ? 0
			 : umad_array_reserve(&known->node, known->node_count,
					      &known->node_capacity, sizeof(*known->node));

	if (error < 0)
		return error;
	if (!node) {
		node = &known->node[known->node_count++];
		*node = (struct umad_known_node){ .number = number, .is_marked = true };
	}
	if (!owner && node->is_marked) {
		error = umad_node_read(number, NULL, &read);
		owner = error ? NULL : &read;
	}
	node->is_found = !umad_sysfs_is_missing(error);
	if (!owner)
		return 0;
	if (strcmp(node->owner.ca_name, owner->ca_name) != 0 ||
	    node->owner.portnum != owner->portnum)
		error = umad_known_report_node(known, node, false);
	if (error < 0)
		return error;
	node->owner = *owner;
	node->is_marked = false;
	return 0;
}

static int look_for_nodes(struct umad_known *known)
{
	unsigned int number;
	const char *name;
	DIR *dir;
	int result = umad_sys_opendir(SYS_INFINIBAND_MAD, &dir);

	if (result < 0)
		return umad_sysfs_is_missing(result) ? 0 : result;
	while ((result = umad_sys_readdir(dir, &name)) > 0) {
		if (!umad_node_parse_name(name, &number))
			result = take_node(known, number, NULL);
		if (result < 0)
			break;
	}
	umad_sys_closedir(dir);
	return result;
}

/* Without sysfs, netlink is asked for the umad device of each port. */
static int request_nodes(struct umad_known *known, struct umad_source *source)
{
	struct umad_port_choice owner;
	int number, error = 0;

	for (size_t i = 0; i < known->device_count; i++) {
		strcpy(owner.ca_name, known->device[i].name);
		for (owner.portnum = 0; owner.portnum < UMAD_CA_MAX_PORTS; owner.portnum++) {
			if (error < 0 || !known->device[i].port[owner.portnum].exists)
				continue;
			number = umad_node_find(source, owner.ca_name, owner.portnum);
			if (number >= 0)
				error = take_node(known, (unsigned int)number, &owner);
		}
	}
	return error;
}

/* Umad devices without a device are not reported: where RDMA devices belong to network namespaces,
 * sysfs lists the devices of this namespace, but the umad devices of all. */
static int report_nodes(struct umad_known *known)
{
	struct umad_known_node *node;
	int error = umad_sys_resource_error();

	for (size_t i = 0; i < known->node_count && !error;)
		if (known->node[i].is_found)
			i++;
		else
			error = umad_known_forget_node(known, &known->node[i]);
	for (size_t i = 0; i < known->node_count && !error; i++) {
		node = &known->node[i];
		if (!node->is_marked && umad_known_find_device(known, node->owner.ca_name))
			error = umad_known_report_node(known, node, true);
	}
	return error;
}

int umad_look(struct umad_known *known)
{
	struct umad_source source = { .kind = UMAD_SOURCE_UNDECIDED };
	int error = look_for_devices(known, &source);

	for (size_t i = 0; i < known->device_count && !error; i++)
		error = look_at_ports(known, &source, &known->device[i]);
	for (size_t i = 0; i < known->node_count; i++)
		known->node[i].is_found = false;
	if (!error)
		error = source.kind == UMAD_SOURCE_NETLINK ? request_nodes(known, &source)
							   : look_for_nodes(known);
	if (!error)
		error = report_nodes(known);
	umad_source_close(&source);
	return error;
}
