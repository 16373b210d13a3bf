/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Discovery without sysfs, for containers that have no /sys/class/infiniband: by RDMA netlink. The
 * rooms that read sysfs come here when a file is not there. Where that directory exists, empty or
 * not, sysfs rules: every function here then fails, and no socket is opened. Also where libnl-3 is
 * missing or the kernel has no RDMA, so that callers see what they would see without this file.
 *
 * The kernel does not tell port GUIDs, P_Keys, rates, SM SLs, and the type and revision of devices
 * in this way: they are 0 or empty.
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
	int ret;

	ret = umad_sys_opendir(SYS_INFINIBAND, &dir);
	if (!ret)
		umad_sys_closedir(dir);
	return (ret == -ENOENT || ret == -ENOTDIR) && umad_nldev_known();
}

/* Netlink loses messages for want of memory, too. */
static bool is_want_of_memory(int error)
{
	umad_sys_note_resource_error(error);
	return error == -ENOMEM || error == -ENOBUFS;
}

/* Opens RDMA netlink, if it is our turn, and finds the device. */
static int open_device(const char *ca_name, struct umad_netlink **netlink,
		       struct umad_nldev_device *device)
{
	int ret;

	if (!umad_fallback_applies())
		return -ENODEV;
	ret = umad_nldev_open(netlink);
	if (ret < 0)
		return is_want_of_memory(ret) ? -ENOMEM : -ENODEV;
	*device = (struct umad_nldev_device){ 0 };
	ret = umad_nldev_find_device(*netlink, ca_name, device);
	if (ret < 0)
		umad_netlink_close(*netlink);
	return is_want_of_memory(ret) ? -ENOMEM : ret;
}

/* For a caller that found no class directory. Fails for want of memory only: a host of which
 * nothing can be known has no devices. */
int umad_fallback_read_names(struct umad_device_names *names)
{
	struct umad_nldev_device *devices = NULL;
	struct umad_netlink *netlink;
	size_t i, count = 0;
	int ret;

	*names = (struct umad_device_names){ 0 };
	if (!umad_nldev_known())
		return 0;
	ret = umad_nldev_open(&netlink);
	if (!ret) {
		ret = umad_nldev_read_devices(netlink, &devices, &count);
		umad_netlink_close(netlink);
	}
	if (ret < 0)
		return is_want_of_memory(ret) ? -ENOMEM : 0;
	names->name = calloc(count + 1, sizeof(*names->name));
	if (names->name) {
		for (i = 0; i < count; i++)
			memcpy(names->name[i], devices[i].name, sizeof(*names->name));
		names->count = count;
	}
	free(devices);
	return names->name ? 0 : -ENOMEM;
}

/* Which ports a device has, as far as struct umad_ca has room for them. */
static unsigned int make_port_mask(const struct umad_nldev_device *device)
{
	unsigned int mask = 0, portnum;

	if (device->node_type == UMAD_NODE_SWITCH)
		return 1;
	for (portnum = 1; portnum < UMAD_CA_MAX_PORTS && portnum <= device->last_port; portnum++)
		mask |= 1u << portnum;
	return mask;
}

/* Fills in what is known of a device in *ca (or NULL) but its ports; all else in it is kept. */
int umad_fallback_read_ca(const char *ca_name, umad_ca_t *ca, unsigned int *port_mask)
{
	struct umad_nldev_device device;
	struct umad_netlink *netlink;
	int ret;

	ret = open_device(ca_name, &netlink, &device);
	if (ret < 0)
		return ret;
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

/* Fills in *port, which was empty. */
int umad_fallback_read_port(const char *ca_name, int portnum, umad_port_t *port)
{
	struct umad_nldev_device device;
	struct umad_nldev_port found;
	struct umad_netlink *netlink;
	int ret;

	ret = open_device(ca_name, &netlink, &device);
	if (ret < 0)
		return ret;
	ret = umad_nldev_read_port(netlink, device.index, portnum, &found);
	umad_netlink_close(netlink);
	if (ret < 0)
		return is_want_of_memory(ret) ? -ENOMEM : -ENODEV;
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

/* The N of a node's name; the kernel's interface must be one that we know. */
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

/* -EINVAL for a port that has no node. */
int umad_fallback_find_node(const char *ca_name, int portnum)
{
	struct umad_nldev_device device;
	struct umad_netlink *netlink;
	char name[UMAD_CA_NAME_LEN];
	uint64_t abi;
	int ret;

	ret = open_device(ca_name, &netlink, &device);
	if (ret < 0)
		return ret;
	ret = umad_nldev_read_chardev(netlink, device.index, portnum, UMAD_NODE_PREFIX, name, &abi);
	umad_netlink_close(netlink);
	if (ret < 0)
		return is_want_of_memory(ret) ? -ENOMEM : -EINVAL;
	return parse_node(name, abi);
}
