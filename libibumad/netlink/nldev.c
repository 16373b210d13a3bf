/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Requests of RDMA netlink (RDMA_NLDEV), with the numbers of <rdma/rdma_netlink.h>: devices, ports,
 * character devices, and the notifications of kernels since 6.12. Input: the kernel's replies; a
 * name that cannot be a device's is rejected. Accesses netlink sockets, through netlink.c, and
 * /proc/net/netlink.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <rdma/rdma_netlink.h>

#include "common/digits.h"
#include "libibumad/base/sys.h"
#include "libibumad/netlink/nldev.h"

/* From the header of kernel 6.12, missing in older headers. */
enum { COMMAND_MONITOR = 28 /* RDMA_NLDEV_CMD_MONITOR */ };

enum {
	DUMP_TRIES = 4,	    /* attempts to read a list that changes meanwhile */
	MAX_DEVICES = 4096, /* bounds the memory that a reply takes; no host has as many */
};

static int message_type(int command)
{
	return RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, command);
}

/* Looks for the protocol in one line of /proc/net/netlink: the socket's address, then the protocol,
 * both followed by spaces. */
static bool line_has_protocol(const char *line)
{
	const char *number = strchr(line, ' ');
	uint64_t protocol;

	if (!number)
		return false;
	number += strspn(number, " ");
	return !parse_digits(&number, 10, UINT16_MAX, &protocol) && protocol == NETLINK_RDMA;
}

/* Whether the kernel has a socket of this protocol in this network namespace, which it has as soon
 * as it can serve one. Opening a socket instead could make the kernel load modules. */
bool umad_nldev_known(void)
{
	char text[4096 + 1];
	size_t kept = 0, length;
	bool found = false;
	char *line, *end;
	ssize_t count;
	int fd;

	fd = umad_sys_open_read("/proc/net/netlink");
	if (fd < 0)
		return false;
	/* A line longer than the buffer, which does not occur, leaves no space for the next read,
	 * and so ends the loop. */
	while (!found &&
	       (count = umad_sys_read_file(fd, text + kept, sizeof(text) - 1 - kept)) > 0) {
		length = kept + (size_t)count;
		text[length] = '\0';
		for (line = text; !found && (end = strchr(line, '\n')); line = end + 1) {
			*end = '\0';
			found = line_has_protocol(line);
		}
		kept = strlen(line);
		memmove(text, line, kept);
	}
	umad_sys_close(fd);
	return found;
}

int umad_nldev_open(struct umad_netlink **netlink)
{
	return umad_netlink_open(NETLINK_RDMA, netlink);
}

/*
 * Devices
 */

struct device_list {
	struct umad_nldev_device *device;
	size_t count, capacity;
};

#define DEVICE_FIELD(attribute, member, kind) \
	UMAD_NETLINK_FIELD(attribute, struct umad_nldev_device, member, kind)
static const struct umad_netlink_field device_fields[] = {
	DEVICE_FIELD(RDMA_NLDEV_ATTR_DEV_INDEX, index, U32),
	DEVICE_FIELD(RDMA_NLDEV_ATTR_DEV_NAME, name, NAME),
	DEVICE_FIELD(RDMA_NLDEV_ATTR_PORT_INDEX, last_port, U32),
	DEVICE_FIELD(RDMA_NLDEV_ATTR_FW_VERSION, fw_ver, TEXT),
	DEVICE_FIELD(RDMA_NLDEV_ATTR_NODE_GUID, node_guid, U64),
	DEVICE_FIELD(RDMA_NLDEV_ATTR_SYS_IMAGE_GUID, system_guid, U64),
	DEVICE_FIELD(RDMA_NLDEV_ATTR_DEV_NODE_TYPE, node_type, U8),
};

static int add_device(const struct nlmsghdr *message, void *context)
{
	struct umad_nldev_device device = { 0 };
	struct device_list *list = context;
	int result;

	result = umad_netlink_decode(message, 0, device_fields,
				     sizeof(device_fields) / sizeof(device_fields[0]), &device);
	if (result < 0)
		return result;
	if (!umad_device_name_valid(device.name))
		return 0;
	if (list->count == MAX_DEVICES)
		return -EOVERFLOW;
	result = umad_array_reserve(&list->device, list->count, &list->capacity,
				    sizeof(*list->device));
	if (result < 0)
		return result;
	list->device[list->count++] = device;
	return 0;
}

int umad_nldev_read_devices(struct umad_netlink *netlink, struct umad_nldev_device **devices,
			    size_t *count)
{
	struct device_list list = { 0 };
	struct umad_netlink_request request = {
		.type = message_type(RDMA_NLDEV_CMD_GET),
		.flags = NLM_F_DUMP,
		.handler = add_device,
		.context = &list,
	};
	int result, tries = DUMP_TRIES;

	do {
		list.count = 0;
		result = umad_netlink_ask(netlink, &request);
	} while (result == -EINTR && --tries);
	if (result < 0) {
		free(list.device);
		return result;
	}
	*devices = list.device;
	*count = list.count;
	return 0;
}

/*
 * Ports
 */

#define PORT_FIELD(attribute, member, kind) \
	UMAD_NETLINK_FIELD(attribute, struct umad_nldev_port, member, kind)
/* The kernel sends LID, capability flags and subnet prefix for InfiniBand ports only. A device has
 * one protocol for all its ports, so the protocol does not distinguish the ports of a mixed
 * card. */
static const struct umad_netlink_field port_fields[] = {
	PORT_FIELD(RDMA_NLDEV_ATTR_CAP_FLAGS, is_infiniband, PRESENT),
	PORT_FIELD(RDMA_NLDEV_ATTR_SUBNET_PREFIX, is_infiniband, PRESENT),
	PORT_FIELD(RDMA_NLDEV_ATTR_LID, is_infiniband, PRESENT),
	PORT_FIELD(RDMA_NLDEV_ATTR_CAP_FLAGS, cap_flags, U64),
	PORT_FIELD(RDMA_NLDEV_ATTR_SUBNET_PREFIX, subnet_prefix, U64),
	PORT_FIELD(RDMA_NLDEV_ATTR_LID, lid, U32),
	PORT_FIELD(RDMA_NLDEV_ATTR_SM_LID, sm_lid, U32),
	PORT_FIELD(RDMA_NLDEV_ATTR_LMC, lmc, U8),
	PORT_FIELD(RDMA_NLDEV_ATTR_PORT_STATE, state, U8),
	PORT_FIELD(RDMA_NLDEV_ATTR_PORT_PHYS_STATE, phys_state, U8),
	PORT_FIELD(RDMA_NLDEV_ATTR_NDEV_INDEX, netdev_index, U32),
};

static int fill_port(const struct nlmsghdr *message, void *context)
{
	return umad_netlink_decode(message, 0, port_fields,
				   sizeof(port_fields) / sizeof(port_fields[0]), context);
}

/* Sends a request about one port. */
static int ask_port(struct umad_netlink *netlink, int command, uint32_t device_index, int portnum,
		    const char *chardev_type, umad_netlink_handler *handler, void *context)
{
	uint32_t port_index = (uint32_t)portnum;
	struct umad_netlink_attribute attributes[] = {
		{ RDMA_NLDEV_ATTR_DEV_INDEX, &device_index, sizeof(device_index) },
		{ RDMA_NLDEV_ATTR_PORT_INDEX, &port_index, sizeof(port_index) },
		{ RDMA_NLDEV_ATTR_CHARDEV_TYPE, chardev_type, 0 },
	};
	struct umad_netlink_request request = {
		.type = message_type(command),
		.attributes = attributes,
		.attribute_count = chardev_type ? 3 : 2,
		.handler = handler,
		.context = context,
	};

	if (chardev_type)
		attributes[2].size = (int)strlen(chardev_type) + 1;
	return umad_netlink_ask(netlink, &request);
}

int umad_nldev_read_port(struct umad_netlink *netlink, uint32_t device_index, int portnum,
			 struct umad_nldev_port *port)
{
	*port = (struct umad_nldev_port){ 0 };
	return ask_port(netlink, RDMA_NLDEV_CMD_PORT_GET, device_index, portnum, NULL, fill_port,
			port);
}

struct chardev {
	char name[UMAD_CA_NAME_LEN];
	uint64_t abi;
};

#define CHARDEV_FIELD(attribute, member, kind) \
	UMAD_NETLINK_FIELD(attribute, struct chardev, member, kind)
static const struct umad_netlink_field chardev_fields[] = {
	CHARDEV_FIELD(RDMA_NLDEV_ATTR_CHARDEV_NAME, name, NAME),
	CHARDEV_FIELD(RDMA_NLDEV_ATTR_CHARDEV_ABI, abi, U64),
};

static int fill_chardev(const struct nlmsghdr *message, void *context)
{
	return umad_netlink_decode(message, 0, chardev_fields,
				   sizeof(chardev_fields) / sizeof(chardev_fields[0]), context);
}

int umad_nldev_read_chardev(struct umad_netlink *netlink, uint32_t device_index, int portnum,
			    const char *type, char name[UMAD_CA_NAME_LEN], uint64_t *abi)
{
	struct chardev chardev = { .name = "" };
	int result;

	result = ask_port(netlink, RDMA_NLDEV_CMD_GET_CHARDEV, device_index, portnum, type,
			  fill_chardev, &chardev);
	if (result < 0)
		return result;
	memcpy(name, chardev.name, sizeof(chardev.name));
	*abi = chardev.abi;
	return 0;
}

/*
 * Notifications
 */

struct event {
	char name[UMAD_CA_NAME_LEN];
};

bool umad_nldev_is_event(const struct nlmsghdr *message, char name[UMAD_CA_NAME_LEN])
{
	static const struct umad_netlink_field field =
		UMAD_NETLINK_FIELD(RDMA_NLDEV_ATTR_DEV_NAME, struct event, name, NAME);
	struct event event = { .name = "" };

	if (message->nlmsg_type != message_type(COMMAND_MONITOR) ||
	    umad_netlink_decode(message, 0, &field, 1, &event) < 0)
		return false;
	memcpy(name, event.name, sizeof(event.name));
	return true;
}
