/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Requests of RDMA netlink (RDMA_NLDEV): devices, ports, character devices; and the notifications
 * of kernels since 6.12. Devices whose name does not fit this interface are omitted.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <rdma/rdma_netlink.h>

#include "common/digits.h"
#include "libibumad/base/sys.h"
#include "libibumad/netlink/netlink.h"

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

/* Whether a line of /proc/net/netlink has the protocol, its second column. */
static bool is_of_rdma(const char *line)
{
	uint64_t protocol;

	line += strcspn(line, " ");
	line += strspn(line, " ");
	return !parse_digits(&line, 10, UINT32_MAX, &protocol) && protocol == NETLINK_RDMA &&
	       (!*line || *line == ' ');
}

/* Whether the kernel has a socket of RDMA netlink in this network namespace, as it has once it can
 * serve one; opening a socket to find out could make the kernel load modules. Lines are much
 * shorter than the buffer. */
bool umad_nldev_known(void)
{
	char text[4096], *line, *end;
	int fd = umad_sys_open_regular("/proc/net/netlink");
	bool found = false;
	size_t kept = 0;
	ssize_t count;

	if (fd < 0)
		return false;
	while (!found &&
	       (count = umad_sys_read_file(fd, text + kept, sizeof(text) - 1 - kept)) > 0) {
		text[kept + (size_t)count] = '\0';
		for (line = text; !found && (end = strchr(line, '\n')); line = end + 1) {
			*end = '\0';
			found = is_of_rdma(line);
		}
		kept = strlen(line);
		memmove(text, line, kept);
	}
	umad_sys_close(fd);
	return found;
}

/*
 * Messages
 */

#define TAKE(attribute, member, is_text)                                                     \
	umad_netlink_take(message, 0, RDMA_NLDEV_ATTR_##attribute, is_text, &record->member, \
			  sizeof(record->member))
#define NUMBER(attribute, member) TAKE(attribute, member, false)
#define TEXT(attribute, member)	  TAKE(attribute, member, true)

/* The kernel sends a LID, even 0, for InfiniBand ports only. The protocol does not tell: a mixed
 * card has one for all its ports. */
static int decode(const struct nlmsghdr *message, void *context)
{
	struct umad_nldev_record *record = context;

	*record = (struct umad_nldev_record){ .name = "" };
	NUMBER(DEV_INDEX, device);
	TEXT(DEV_NAME, name);
	NUMBER(PORT_INDEX, port);
	TEXT(FW_VERSION, fw_ver);
	NUMBER(NODE_GUID, node_guid);
	NUMBER(SYS_IMAGE_GUID, system_guid);
	NUMBER(DEV_NODE_TYPE, node_type);
	NUMBER(CAP_FLAGS, cap_flags);
	NUMBER(SUBNET_PREFIX, subnet_prefix);
	record->is_infiniband = NUMBER(LID, lid);
	NUMBER(SM_LID, sm_lid);
	NUMBER(LMC, lmc);
	NUMBER(PORT_STATE, state);
	NUMBER(PORT_PHYS_STATE, phys_state);
	NUMBER(NDEV_INDEX, netdev_index);
	TEXT(CHARDEV_NAME, chardev);
	NUMBER(CHARDEV_ABI, chardev_abi);
	return 0;
}

struct device_list {
	struct umad_nldev_record *device;
	size_t count, capacity;
};

static int add_device(const struct nlmsghdr *message, void *context)
{
	struct device_list *list = context;
	struct umad_nldev_record device;
	int result;

	decode(message, &device);
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

int umad_nldev_read_devices(struct nl_sock *netlink, struct umad_nldev_record **devices,
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

int umad_nldev_read_port(struct nl_sock *netlink, uint32_t device, int portnum, bool node,
			 struct umad_nldev_record *record)
{
	const struct {
		struct nlattr device_head;
		uint32_t device;
		struct nlattr port_head;
		uint32_t port;
		struct nlattr type_head;
		char type[NLA_ALIGN(sizeof(UMAD_NODE_PREFIX))];
	} attributes = { { NLA_HDRLEN + sizeof(device), RDMA_NLDEV_ATTR_DEV_INDEX },
			 device,
			 { NLA_HDRLEN + sizeof(uint32_t), RDMA_NLDEV_ATTR_PORT_INDEX },
			 (uint32_t)portnum,
			 { NLA_HDRLEN + sizeof(UMAD_NODE_PREFIX), RDMA_NLDEV_ATTR_CHARDEV_TYPE },
			 UMAD_NODE_PREFIX };
	const struct umad_netlink_request request = {
		.type = message_type(node ? RDMA_NLDEV_CMD_GET_CHARDEV : RDMA_NLDEV_CMD_PORT_GET),
		.payload = &attributes,
		.size = node ? sizeof(attributes) : offsetof(__typeof__(attributes), type_head),
		.handler = decode,
		.context = record,
	};

	*record = (struct umad_nldev_record){ .name = "" };
	return umad_netlink_ask(netlink, &request);
}

bool umad_nldev_is_event(const struct nlmsghdr *message, struct umad_nldev_record *record)
{
	decode(message, record);
	return message->nlmsg_type == message_type(COMMAND_MONITOR);
}
