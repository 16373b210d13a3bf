/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * fakenl-kernel.c - replies to the requests of fakenl: devices, ports and character devices of
 * RDMA netlink, and network interfaces of which there are none. Message types, attributes and the
 * order in which messages come are as recorded from kernels 6.1 and 6.12.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <linux/rtnetlink.h>
#include <netlink/attr.h>
#include <netlink/msg.h>
#include <netlink/netlink.h>
#include <rdma/rdma_netlink.h>

#include "test.h"
#include "fakenl-internal.h"
#include "fakesys.h"

enum {
	MAX_DEVICES = 300,
	MAX_TYPES = 0x8000,
	ANY_SEQUENCE = 0xffffffff,
	RESPONSE_SIZE = 4096,
};

static struct fakenl_device devices[MAX_DEVICES];
static size_t device_count;
static uint32_t sequence;
static int requests[MAX_TYPES];

static struct {
	uint8_t data[RESPONSE_SIZE];
	size_t size;
	int times;
} instead;

void fakenl_kernel_reset(void)
{
	device_count = 0;
	memset(requests, 0, sizeof(requests));
	instead.times = 0;
}

void fakenl_add_device(const struct fakenl_device *device)
{
	assert_between(device_count, 0, MAX_DEVICES - 1);
	devices[device_count++] = *device;
}

void fakenl_remove_devices(void)
{
	device_count = 0;
}

void fakenl_know_rdma(void)
{
	kernel_file("/proc/net/netlink",
		    "sk               Eth Pid        Groups   Rmem     Wmem     Dump  Locks    "
		    "Drops    Inode\n"
		    "00000000a573be63 0   0          00000000 0        0        0     2        "
		    "0        4       \n"
		    "00000000908b5d07 20  0          00000000 0        0        0     2        "
		    "0        557     \n");
}

void fakenl_response(const void *data, size_t size, int times)
{
	assert_between(size, 0, RESPONSE_SIZE);
	memcpy(instead.data, data, size);
	instead.size = size;
	instead.times = times;
}

int fakenl_requests(int type)
{
	return requests[type];
}

/*
 * Replies
 */

static struct nl_msg *start(int type, int flags)
{
	struct nl_msg *message = nlmsg_alloc_simple(type, flags);

	assert_non_null(message);
	nlmsg_hdr(message)->nlmsg_seq = sequence;
	return message;
}

static void finish(struct netlink_socket *socket, struct nl_msg *message)
{
	struct nlmsghdr *header = nlmsg_hdr(message);

	fakenl_queue(socket, header, header->nlmsg_len, 0, 0);
	nlmsg_free(message);
}

static void acknowledge(struct netlink_socket *socket, const struct nlmsghdr *request, int error)
{
	struct nl_msg *message = start(NLMSG_ERROR, 0);
	struct nlmsgerr body = { .error = -error, .msg = *request };

	assert_int_equal(nlmsg_append(message, &body, sizeof(body), NLMSG_ALIGNTO), 0);
	finish(socket, message);
}

static void put_handle(struct nl_msg *message, const struct fakenl_device *device)
{
	nla_put_u32(message, RDMA_NLDEV_ATTR_DEV_INDEX, device->index);
	nla_put_string(message, RDMA_NLDEV_ATTR_DEV_NAME, device->name);
}

static void dump_devices(struct netlink_socket *socket, int type)
{
	int flags = NLM_F_MULTI, result = 0;
	struct nl_msg *message;
	size_t i;

	if (fakenl.interrupted_dumps) {
		fakenl.interrupted_dumps--;
		flags |= NLM_F_DUMP_INTR;
	}
	for (i = 0; i < device_count; i++) {
		message = start(type, flags);
		put_handle(message, &devices[i]);
		nla_put_u32(message, RDMA_NLDEV_ATTR_PORT_INDEX, devices[i].ports);
		nla_put_u64(message, RDMA_NLDEV_ATTR_CAP_FLAGS, 0x1223);
		nla_put_string(message, RDMA_NLDEV_ATTR_FW_VERSION, "20.40.1000");
		nla_put_u64(message, RDMA_NLDEV_ATTR_NODE_GUID, 0x0002c90300000001);
		nla_put_u64(message, RDMA_NLDEV_ATTR_SYS_IMAGE_GUID, 0x0002c90300000002);
		nla_put_u8(message, RDMA_NLDEV_ATTR_DEV_NODE_TYPE, devices[i].node_type);
		if (devices[i].protocol)
			nla_put_string(message, RDMA_NLDEV_ATTR_DEV_PROTOCOL, devices[i].protocol);
		finish(socket, message);
	}
	message = start(NLMSG_DONE, flags);
	assert_int_equal(nlmsg_append(message, &result, sizeof(result), NLMSG_ALIGNTO), 0);
	finish(socket, message);
}

/* A device's protocol is that of its first port. */
static bool is_infiniband(const struct fakenl_device *device, uint32_t port)
{
	const char *protocol = device->protocol ? device->protocol : "ib";

	return !(device->ethernet_ports >> port % 32 & 1) &&
	       (!strcmp(protocol, "ib") || !strcmp(protocol, "opa"));
}

/* The kernel replies with the message type of the request for devices. */
static void tell_port(struct netlink_socket *socket, const struct fakenl_device *device,
		      uint32_t port)
{
	struct nl_msg *message = start(RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, RDMA_NLDEV_CMD_GET), 0);

	put_handle(message, device);
	nla_put_u32(message, RDMA_NLDEV_ATTR_PORT_INDEX, port);
	if (is_infiniband(device, port)) {
		nla_put_u64(message, RDMA_NLDEV_ATTR_CAP_FLAGS, 0x000400002651e848);
		nla_put_u64(message, RDMA_NLDEV_ATTR_SUBNET_PREFIX, 0xfe80000000000000);
		nla_put_u32(message, RDMA_NLDEV_ATTR_LID, 0x12);
		nla_put_u32(message, RDMA_NLDEV_ATTR_SM_LID, 1);
		nla_put_u8(message, RDMA_NLDEV_ATTR_LMC, 2);
	}
	nla_put_u8(message, RDMA_NLDEV_ATTR_PORT_STATE, device->state);
	nla_put_u8(message, RDMA_NLDEV_ATTR_PORT_PHYS_STATE, device->phys_state);
	if (device->netdev_index) {
		nla_put_u32(message, RDMA_NLDEV_ATTR_NDEV_INDEX, device->netdev_index);
		nla_put_string(message, RDMA_NLDEV_ATTR_NDEV_NAME, "eth0");
	}
	finish(socket, message);
}

static void tell_chardev(struct netlink_socket *socket, const struct fakenl_device *device)
{
	struct nl_msg *message =
		start(RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, RDMA_NLDEV_CMD_GET_CHARDEV), 0);

	nla_put_u64(message, RDMA_NLDEV_ATTR_CHARDEV, 0xe700);
	nla_put_u64(message, RDMA_NLDEV_ATTR_CHARDEV_ABI, device->abi);
	nla_put_string(message, RDMA_NLDEV_ATTR_CHARDEV_NAME, device->node);
	finish(socket, message);
}

static const struct fakenl_device *find_device(struct nlattr **attributes)
{
	size_t i;

	for (i = 0; attributes[RDMA_NLDEV_ATTR_DEV_INDEX] && i < device_count; i++)
		if (devices[i].index == nla_get_u32(attributes[RDMA_NLDEV_ATTR_DEV_INDEX]))
			return &devices[i];
	return NULL;
}

static int respond_to_port(struct netlink_socket *socket, struct nlmsghdr *request)
{
	struct nlattr *attributes[RDMA_NLDEV_ATTR_MAX];
	const struct fakenl_device *device;
	uint32_t port;

	assert_int_equal(nlmsg_parse(request, 0, attributes, RDMA_NLDEV_ATTR_MAX - 1, NULL), 0);
	device = find_device(attributes);
	if (!device || !attributes[RDMA_NLDEV_ATTR_PORT_INDEX])
		return EINVAL;
	port = nla_get_u32(attributes[RDMA_NLDEV_ATTR_PORT_INDEX]);
	if (port > device->ports || (!port && device->node_type != 2))
		return EINVAL;
	if (RDMA_NL_GET_OP(request->nlmsg_type) == RDMA_NLDEV_CMD_PORT_GET) {
		tell_port(socket, device, port);
		return 0;
	}
	assert_non_null(attributes[RDMA_NLDEV_ATTR_CHARDEV_TYPE]);
	assert_string_equal(nla_get_string(attributes[RDMA_NLDEV_ATTR_CHARDEV_TYPE]), "umad");
	if (!device->node || port != 1)
		return ENODEV;
	tell_chardev(socket, device);
	return 0;
}

static int respond_to_rdma(struct netlink_socket *socket, struct nlmsghdr *request)
{
	assert_int_equal(RDMA_NL_GET_CLIENT(request->nlmsg_type), RDMA_NL_NLDEV);
	switch (RDMA_NL_GET_OP(request->nlmsg_type)) {
	case RDMA_NLDEV_CMD_GET:
		assert_int_equal(request->nlmsg_flags & NLM_F_DUMP, NLM_F_DUMP);
		dump_devices(socket, request->nlmsg_type);
		return -1; /* no acknowledgement */
	case RDMA_NLDEV_CMD_PORT_GET:
	case RDMA_NLDEV_CMD_GET_CHARDEV:
		return respond_to_port(socket, request);
	}
	fail_msg("request 0x%x was not expected", request->nlmsg_type);
	return 0;
}

/* Sends the messages of the test, with the sequence number of the request. */
static void respond_instead(struct netlink_socket *socket)
{
	const uint32_t any = ANY_SEQUENCE;
	size_t at;

	for (at = 0; at + sizeof(any) <= instead.size; at += sizeof(any))
		if (!memcmp(instead.data + at, &any, sizeof(any)))
			memcpy(instead.data + at, &sequence, sizeof(sequence));
	for (; instead.times; instead.times--)
		fakenl_queue(socket, instead.data, instead.size, 0, 0);
}

int fakenl_kernel_response(struct netlink_socket *socket, int protocol, struct nlmsghdr *request)
{
	int error;

	request->nlmsg_seq = ++sequence;
	request->nlmsg_flags |= NLM_F_REQUEST | NLM_F_ACK;
	requests[request->nlmsg_type % MAX_TYPES]++;
	if (instead.times) {
		respond_instead(socket);
		return (int)request->nlmsg_len;
	}
	if (protocol == NETLINK_ROUTE) {
		assert_int_equal(request->nlmsg_type, RTM_GETLINK);
		assert_int_equal(request->nlmsg_len, NLMSG_LENGTH(sizeof(struct ifinfomsg)));
		error = ENODEV;
	} else {
		assert_int_equal(protocol, NETLINK_RDMA);
		error = respond_to_rdma(socket, request);
	}
	if (error >= 0)
		acknowledge(socket, request, error);
	return (int)request->nlmsg_len;
}

void fakenl_show_devices(void)
{
	static const struct fakenl_device two[] = {
		{ .index = 3,
		  .name = "rxe0",
		  .protocol = "roce",
		  .node_type = 1,
		  .ports = 1,
		  .state = 4,
		  .phys_state = 5,
		  .netdev_index = 7,
		  .node = "umad4",
		  .abi = 5 },
		{ .index = 0,
		  .name = "mlx5_0",
		  .protocol = "ib",
		  .node_type = 1,
		  .ports = 2,
		  .state = 2,
		  .phys_state = 5,
		  .node = "umad0",
		  .abi = 5 },
	};

	fakenl_know_rdma();
	fakenl_add_device(&two[0]);
	fakenl_add_device(&two[1]);
}
