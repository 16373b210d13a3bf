/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Finds the umad device of a port: by the directories umadN of /sys/class/infiniband_mad, each of
 * which names its device and port; first, to read fewer, by infiniband_mad below a PCI device; and
 * where sysfs does not show umad devices, by RDMA netlink.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "libibumad/base/sys.h"
#include "libibumad/internal.h"
#include "libibumad/netlink/netlink.h"

/* Reads the port of umadN; -ENODEV if it is not of ca_name (NULL: any device). */
int umad_node_read(unsigned int number, const char *ca_name, struct umad_port_choice *owner)
{
	char path[UMAD_PATH_SIZE];
	unsigned int port = 0;
	int result;

	snprintf(path, sizeof(path), "%s/%s%u", SYS_INFINIBAND_MAD, UMAD_NODE_PREFIX, number);
	result = umad_sysfs_read_string(path, SYS_IB_MAD_DEV, owner->ca_name,
					sizeof(owner->ca_name));
	if (!result && ca_name && strcmp(owner->ca_name, ca_name) != 0)
		result = -ENODEV;
	if (!result)
		result = umad_sysfs_read_number(path, SYS_IB_MAD_PORT, &port);
	if (result < 0)
		return result;
	if (port > UMAD_PORT_NUMBER_MAX || !umad_device_name_valid(owner->ca_name))
		return -EINVAL;
	owner->portnum = (int)port;
	return 0;
}

/* A port keeps the name by which it was opened if the umad device cannot be read. */
void umad_node_read_owner(const struct umad_owner *owner, struct umad_port_choice *port)
{
	if (umad_node_read(owner->port.node, NULL, port) < 0 ||
	    port->portnum != owner->port.portnum)
		*port = owner->port;
}

static bool node_matches(unsigned int number, const char *ca_name, int portnum)
{
	struct umad_port_choice owner;

	return !umad_node_read(number, ca_name, &owner) && owner.portnum == portnum;
}

/* Searches the nodes that a directory lists, without node 0; -EINVAL if none matches. */
static int find_listed(const char *path, const char *ca_name, int portnum)
{
	unsigned int number;
	const char *name;
	DIR *dir;
	int result = umad_sys_opendir(path, &dir);

	if (result < 0)
		return result;
	result = -EINVAL;
	while (result < 0 && umad_sys_readdir(dir, &name) > 0)
		if (!umad_node_parse_name(name, &number) && number &&
		    node_matches(number, ca_name, portnum))
			result = (int)number;
	umad_sys_closedir(dir);
	return result;
}

/* Requests the node by netlink. -EOPNOTSUPP if the kernel's interface is older than this
 * library's. */
static int request_node(struct umad_source *source, const char *ca_name, int portnum)
{
	const struct umad_nldev_record *device = umad_source_request(source, ca_name);
	struct umad_nldev_record node;
	unsigned int number;
	int error;

	if (!device)
		return -EINVAL;
	error = umad_nldev_read_port(source->netlink, device->device, portnum, true, &node);
	umad_sys_note_resource_error(error);
	if (!error && (node.chardev_abi < IB_UMAD_ABI_VERSION || node.chardev_abi > UINT32_MAX))
		error = -EOPNOTSUPP;
	if (error < 0 || umad_node_parse_name(node.chardev, &number) < 0)
		return error == -EOPNOTSUPP ? error : -EINVAL;
	umad_state.abi_version = (unsigned int)node.chardev_abi;
	return (int)number;
}

/* Checks node 0 first, because most hosts have no other, then the nodes that sysfs lists below the
 * device, which may belong to several devices of one adapter. */
static int find(struct umad_source *source, const char *ca_name, int portnum)
{
	char path[UMAD_PATH_SIZE];
	int result, error;

	if (node_matches(0, ca_name, portnum))
		return 0;
	snprintf(path, sizeof(path), "%s/%s/device/infiniband_mad", SYS_INFINIBAND, ca_name);
	result = find_listed(path, ca_name, portnum);
	if (result < 0)
		result = find_listed(SYS_INFINIBAND_MAD, ca_name, portnum);
	if (result >= 0)
		return result;
	error = umad_device_check(source, ca_name);
	if (error < 0)
		return error;
	if (umad_sysfs_is_missing(result))
		return request_node(source, ca_name, portnum);
	return result == -EACCES ? result : -EINVAL;
}

/* Returns the N of a port's umadN; -EINVAL if the port has none, -ENODEV if there is no such
 * device, -EACCES if umad devices cannot be listed; or the resource error (sys.h). */
int umad_node_find(struct umad_source *source, const char *ca_name, int portnum)
{
	int result = find(source, ca_name, portnum);

	return result < 0 ? umad_sys_resource_error_or(result) : result;
}

/* Whether an open device node is that of umadN, and umadN still the port's: the kernel gives the
 * number of a device that is gone to the next, and a node may have been made for another device.
 * Simulators show no device numbers. */
static bool is_node_of(int fd, unsigned int number, const struct umad_port_choice *port)
{
	char path[UMAD_PATH_SIZE], opened[UMAD_DEVICE_NUMBER_SIZE], shown[UMAD_CA_NAME_LEN];

	snprintf(path, sizeof(path), "%s/%s%u", SYS_INFINIBAND_MAD, UMAD_NODE_PREFIX, number);
	if (umad_sys_read_device_number(fd, opened) < 0 ||
	    umad_sysfs_read_string(path, "dev", shown, sizeof(shown)) < 0)
		return true;
	return !strcmp(opened, shown) && node_matches(number, port->ca_name, port->portnum);
}

int umad_node_open(struct umad_source *source, struct umad_port_choice *port, int *fd)
{
	char path[UMAD_PATH_SIZE];
	int number;

	for (int attempts = 2; attempts > 0; attempts--) {
		number = umad_node_find(source, port->ca_name, port->portnum);
		if (number < 0)
			return number;
		port->node = (unsigned int)number;
		snprintf(path, sizeof(path), "%s/%s%d", UMAD_NODE_DIR, UMAD_NODE_PREFIX, number);
		umad_state_trace(1, 0, "%s port %d is %s", port->ca_name, port->portnum, path);
		*fd = umad_sys_open_device(path);
		if (*fd >= 0 && is_node_of(*fd, (unsigned int)number, port))
			return 0;
		if (*fd < 0)
			break;
		umad_sys_close(*fd);
		*fd = -ENXIO;
	}
	umad_state_trace(1, *fd, "can't open %s", path);
	return 0;
}

/* Whether the port of a umad device has an issm device: 0 or -ENOENT. Simulators show neither issm
 * devices nor the attribute "dev" of umad devices. */
int umad_node_check_issm(int number)
{
	char path[UMAD_PATH_SIZE], dev[UMAD_CA_NAME_LEN];
	int error;
	DIR *dir;

	snprintf(path, sizeof(path), "%s/issm%d", SYS_INFINIBAND_MAD, number);
	error = umad_sys_opendir(path, &dir);
	if (!error)
		umad_sys_closedir(dir);
	if (!umad_sysfs_is_missing(error))
		return umad_sys_resource_error();
	snprintf(path, sizeof(path), "%s/%s%d", SYS_INFINIBAND_MAD, UMAD_NODE_PREFIX, number);
	error = umad_sysfs_read_string(path, "dev", dev, sizeof(dev));
	return umad_sys_resource_error_or(error ? 0 : -ENOENT);
}

/* Checks, once in a process, that the kernel has the interface of umad.h or a later one. Where
 * sysfs does not show umad devices, netlink reports it with the node. */
int umad_node_check_abi(struct umad_source *source)
{
	unsigned int version = umad_state.abi_version;
	int error;

	if (!version) {
		error = umad_sysfs_read_number(IB_UMAD_ABI_DIR, IB_UMAD_ABI_FILE, &version);
		if (umad_sysfs_is_missing(error) && umad_source_request(source, NULL))
			return 0;
		if (error < 0)
			return umad_sys_resource_error_or(error == -EACCES ? error : -EOPNOTSUPP);
		umad_state.abi_version = version;
	}
	return version < IB_UMAD_ABI_VERSION ? -EOPNOTSUPP : 0;
}
