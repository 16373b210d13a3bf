/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * What the sockets of fake-netlink.c give, as the input says: datagrams of several messages, with
 * types, attributes and lengths as the kernel's, mostly.
 */
#include <errno.h>
#include <stdio.h>

#include <linux/if_arp.h>
#include <linux/rtnetlink.h>
#include <rdma/rdma_netlink.h>

#include "fake-netlink.h"

enum { MAX_ATTRIBUTES = 6 };

const char *const fuzz_netlink_names[FUZZ_NETLINK_NAMES] = { "mlx5_0", "mlx5_1", "rxe0", "hfi1" };

static void *append(struct fuzz_datagram *datagram, const void *bytes, size_t size)
{
	uint8_t *at = datagram->bytes + datagram->size;
	size_t padded = (size + 3) & ~(size_t)3;

	if (datagram->size + padded > FUZZ_DATAGRAM_MAX)
		return NULL;
	memset(at, 0, padded);
	memcpy(at, bytes, size);
	datagram->size += padded;
	return at;
}

/* A value as long as the kernel's, mostly, or of any length. */
static void append_attribute(struct fuzz_datagram *datagram, struct fuzz_input *input)
{
	static const struct {
		uint16_t type, size; /* 0: a name */
	} known[] = {
		{ RDMA_NLDEV_ATTR_DEV_INDEX, 4 },     { RDMA_NLDEV_ATTR_DEV_NAME, 0 },
		{ RDMA_NLDEV_ATTR_PORT_INDEX, 4 },    { RDMA_NLDEV_ATTR_FW_VERSION, 0 },
		{ RDMA_NLDEV_ATTR_NODE_GUID, 8 },     { RDMA_NLDEV_ATTR_SYS_IMAGE_GUID, 8 },
		{ RDMA_NLDEV_ATTR_DEV_NODE_TYPE, 1 }, { RDMA_NLDEV_ATTR_DEV_PROTOCOL, 0 },
		{ RDMA_NLDEV_ATTR_CAP_FLAGS, 8 },     { RDMA_NLDEV_ATTR_LID, 4 },
		{ RDMA_NLDEV_ATTR_PORT_STATE, 1 },    { RDMA_NLDEV_ATTR_PORT_PHYS_STATE, 1 },
		{ RDMA_NLDEV_ATTR_NDEV_INDEX, 4 },    { RDMA_NLDEV_ATTR_CHARDEV_NAME, 0 },
		{ RDMA_NLDEV_ATTR_CHARDEV_ABI, 8 },   { 102, 1 },
	};
	uint8_t which = fuzz_u8(input);
	struct nlattr header = { .nla_type = known[which & 15].type };
	uint16_t size = which & 0x80 ? fuzz_u8(input) : known[which & 15].size;
	uint8_t value[256] = { 0 };
	struct nlattr *appended;

	if (!size && which & 0x40) {
		size = (uint16_t)fuzz_text(input, (char *)value, sizeof(value)) + 1;
	} else if (!size) {
		strcpy((char *)value, which & 8 ? "umad1" : fuzz_netlink_names[which >> 4 & 3]);
		size = (uint16_t)strlen((char *)value) + 1;
	} else {
		fuzz_bytes(input, value, size);
		if (which & 0x20 && size == 4)
			memcpy(value, &(uint32_t){ value[0] & 3 }, 4);
	}
	header.nla_len = (uint16_t)(sizeof(header) + size);
	appended = append(datagram, &header, sizeof(header));
	if (appended && append(datagram, value, size) && which == 0xf7)
		appended->nla_len = fuzz_u16(input);
}

static uint16_t choose_type(int protocol, uint8_t which)
{
	const uint16_t client = RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, 0);

	switch (which & 7) {
	case 0:
	case 1:
		return protocol == NETLINK_ROUTE ? RTM_NEWLINK : client + RDMA_NLDEV_CMD_GET;
	case 2:
		return protocol == NETLINK_ROUTE ? RTM_DELLINK : client + 28;
	case 3:
		return NLMSG_DONE;
	case 4:
		return NLMSG_ERROR;
	case 5:
		return NLMSG_NOOP;
	default:
		return which;
	}
}

static void append_body(struct fuzz_datagram *datagram, int protocol, uint16_t type,
			struct fuzz_input *input)
{
	struct ifinfomsg link = { .ifi_type = ARPHRD_ETHER };
	unsigned count = fuzz_u8(input) % (MAX_ATTRIBUTES + 1);
	int32_t error = 0;

	if (type == NLMSG_DONE || type == NLMSG_ERROR) {
		if (count & 1)
			error = -fuzz_kernel_errno(input);
		append(datagram, &error, sizeof(error));
	} else if (protocol == NETLINK_ROUTE) {
		link.ifi_type = count & 1 ? ARPHRD_INFINIBAND : ARPHRD_ETHER;
		link.ifi_index = fuzz_u8(input) & 3;
		link.ifi_flags = (unsigned)fuzz_u8(input) << 10 | fuzz_u8(input);
		append(datagram, &link, count & 4 ? fuzz_u8(input) % sizeof(link) : sizeof(link));
	} else {
		while (count--)
			append_attribute(datagram, input);
	}
}

/* A message whose length is right, or not. */
static void append_message(struct fuzz_datagram *datagram, int protocol, uint32_t sequence,
			   struct fuzz_input *input)
{
	uint8_t which = fuzz_u8(input);
	struct nlmsghdr header = {
		.nlmsg_type = choose_type(protocol, which),
		.nlmsg_flags = which & 0x10 ? NLM_F_DUMP_INTR : 0,
		.nlmsg_seq = which & 0x20 ? fuzz_u8(input) : sequence,
	};
	size_t start = datagram->size;
	struct nlmsghdr *appended = append(datagram, &header, sizeof(header));

	if (!appended)
		return;
	append_body(datagram, protocol, header.nlmsg_type, input);
	appended->nlmsg_len = (uint32_t)(datagram->size - start);
	if (which & 0x80)
		appended->nlmsg_len = fuzz_u8(input) & 1 ? fuzz_u32(input) : fuzz_u8(input);
}

/* One as the kernel sends it, or one of which some bytes are others. */
static void build_uevent(struct fuzz_datagram *datagram, bool is_wrong, struct fuzz_input *input)
{
	static const char *const actions[] = { "add", "remove", "move", "change" };
	uint8_t which = fuzz_u8(input);
	bool is_node = which & 4;
	const char *name = fuzz_netlink_names[which >> 3 & 3];
	const char *old_name = fuzz_netlink_names[which >> 5 & 3];
	char node[8], text[32];
	int length;

	snprintf(node, sizeof(node), "umad%u", which >> 3 & 3U);
	if (which & 0x80) {
		fuzz_text(input, text, sizeof(text));
		name = text;
	}
	length = snprintf((char *)datagram->bytes, FUZZ_DATAGRAM_MAX,
			  "%s@/d/%s%cACTION=%s%cDEVPATH=/d/%s%cSUBSYSTEM=%s%cDEVPATH_OLD=/d/%s",
			  actions[which & 3], name, 0, actions[which & 3], 0, is_node ? node : name,
			  0, is_node ? "infiniband_mad" : "infiniband", 0, old_name);
	datagram->size = (size_t)length + 1;
	for (uint8_t wrong = is_wrong ? fuzz_u8(input) & 15 : 0; wrong; wrong--)
		datagram->bytes[fuzz_u8(input) % datagram->size] = fuzz_u8(input);
}

void fuzz_datagram_build(struct fuzz_datagram *datagram, int protocol, uint32_t sequence,
			 struct fuzz_input *input)
{
	uint8_t which = fuzz_u8(input);
	unsigned count = 1 + (which & 3);

	datagram->size = 0;
	if (protocol == NETLINK_KOBJECT_UEVENT) {
		build_uevent(datagram, which & 0x10, input);
	} else {
		while (count--)
			append_message(datagram, protocol, sequence, input);
	}
	if ((which & 0xe0) == 0xe0 && datagram->size)
		datagram->size = fuzz_u16(input) % datagram->size + 1;
}
