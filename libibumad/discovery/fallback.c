/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Discovery by RDMA netlink instead of sysfs, for containers that have no /sys/class/infiniband.
 * The files that read sysfs call this one when a file is missing. Where that directory exists, even
 * empty, sysfs takes precedence: every function here then fails without opening a socket. They also
 * fail if libnl-3 is missing or the kernel has no RDMA, so that callers get the same result as
 * without this file.
 *
 * RDMA netlink does not report port GUIDs, P_Keys, rates, SM SLs, or the type and revision of
 * devices: they are 0 or empty.
 */
#include <endian.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "libibumad/base/sys.h"
#include "libibumad/internal.h"
#include "libibumad/netlink/nldev.h"

bool umad_fallback_applies(void)
{
	DIR *dir;
	int error;

	error = umad_sys_opendir(SYS_INFINIBAND, &dir);
	if (!error)
		umad_sys_closedir(dir);
	return (error == -ENOENT || error == -ENOTDIR) && umad_nldev_known();
}

/* ENOBUFS also means out of memory. */
static bool is_want_of_memory(int error)
{
	umad_sys_note_resource_error(error);
	return error == -ENOMEM || error == -ENOBUFS;
}

/* Opens RDMA netlink, unless sysfs takes precedence, and finds the device. */
static int open_device(const char *ca_name, struct umad_netlink **netlink,
		       struct umad_nldev_device *device)
{
	int result;

	if (!umad_fallback_applies())
		return -ENODEV;
	result = umad_nldev_open(netlink);
	if (result < 0)
		return is_want_of_memory(result) ? -ENOMEM : -ENODEV;
	*device = (struct umad_nldev_device){ 0 };
	result = umad_nldev_find_device(*netlink, ca_name, device);
	if (result < 0)
		umad_netlink_close(*netlink);
	return is_want_of_memory(result) ? -ENOMEM : result;
}

/* For a caller that found no class directory. Fails only if out of memory: a host about which
 * nothing can be found out has no devices. */
int umad_fallback_read_names(struct umad_device_names *names)
{
	struct umad_nldev_device *devices = NULL;
	struct umad_netlink *netlink;
	size_t i, count = 0;
	int result;

	*names = (struct umad_device_names){ 0 };
	if (!umad_nldev_known())
		return 0;
	result = umad_nldev_open(&netlink);
	if (!result) {
		result = umad_nldev_read_devices(netlink, &devices, &count);
		umad_netlink_close(netlink);
	}
	if (result < 0)
		return is_want_of_memory(result) ? -ENOMEM : 0;
	names->name = calloc(count + 1, sizeof(*names->name));
	if (names->name) {
		for (i = 0; i < count; i++)
			memcpy(names->name[i], devices[i].name, sizeof(*names->name));
		names->count = count;
	}
	free(devices);
	return names->name ? 0 : -ENOMEM;
}

/* Which ports a device has, up to the number that fits struct umad_ca. */
static unsigned int make_port_mask(const struct umad_nldev_device *device)
{
	unsigned int mask = 0, portnum;

	if (device->node_type == UMAD_NODE_SWITCH)
		return 1;
	for (portnum = 1; portnum < UMAD_CA_MAX_PORTS && portnum <= device->last_port; portnum++)
		mask |= 1u << portnum;
	return mask;
}

/* Fills in *ca (or NULL) except its ports; members that netlink does not report are left
 * unchanged. */
int umad_fallback_read_ca(const char *ca_name, umad_ca_t *ca, unsigned int *port_mask)
{
	struct umad_nldev_device device;
	struct umad_netlink *netlink;
	int result;

	result = open_device(ca_name, &netlink, &device);
	if (result < 0)
		return result;
	umad_netlink_close(netlink);
	*port_mask = make_port_mask(&device);
	if (!ca)
		return 0;
	ca->node_type = device.node_type;
	ca->node_guid = htobe64(device.node_guid);
	ca->system_guid = htobe64(device.system_guid);
	memcpy(ca->fw_ver, device.fw_ver, sizeof(ca->fw_ver));
	return 0;
}

/* Fills in *port, which the caller has cleared. */
int umad_fallback_read_port(const char *ca_name, int portnum, umad_port_t *port)
{
	struct umad_nldev_device device;
	struct umad_nldev_port found;
	struct umad_netlink *netlink;
	int result;

	result = open_device(ca_name, &netlink, &device);
	if (result < 0)
		return result;
	result = umad_nldev_read_port(netlink, device.index, portnum, &found);
	umad_netlink_close(netlink);
	if (result < 0)
		return is_want_of_memory(result) ? -ENOMEM : -ENODEV;
	*port = (umad_port_t){
		.base_lid = found.lid,
		.lmc = found.lmc,
		.sm_lid = found.sm_lid,
		.state = found.state,
		.phys_state = found.phys_state,
		.capmask = htobe32((uint32_t)found.cap_flags),
		.gid_prefix = htobe64(found.subnet_prefix),
	};
	strcpy(port->link_layer, found.is_infiniband ? "InfiniBand" : "Ethernet");
	return 0;
}

/* The N in the name of a umad device; -EOPNOTSUPP if the kernel's interface is older than this
 * library's. */
static int parse_node(const char *name, uint64_t abi)
{
	unsigned int number;

	if (abi < IB_UMAD_ABI_VERSION || abi > UINT32_MAX)
		return -EOPNOTSUPP;
	if (umad_node_parse_name(name, &number) < 0)
		return -EINVAL;
	umad_state_set_abi_version((unsigned int)abi);
	return (int)number;
}

/* -EINVAL for a port without a umad device. */
int umad_fallback_find_node(const char *ca_name, int portnum)
{
	struct umad_nldev_device device;
	struct umad_netlink *netlink;
	char name[UMAD_CA_NAME_LEN];
	uint64_t abi;
	int result;

	result = open_device(ca_name, &netlink, &device);
	if (result < 0)
		return result;
	result = umad_nldev_read_chardev(netlink, device.index, portnum, UMAD_NODE_PREFIX, name,
					 &abi);
	umad_netlink_close(netlink);
	if (result < 0)
		return is_want_of_memory(result) ? -ENOMEM : -EINVAL;
	return parse_node(name, abi);
}
