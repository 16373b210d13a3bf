/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * messages.h - what the tests of netlink share: a socket for RDMA, and messages of the kernel that
 * they put together.
 */
#ifndef TESTS_UNIT_MONITOR_MESSAGES_H
#define TESTS_UNIT_MONITOR_MESSAGES_H

#include <string.h>

#include <rdma/rdma_netlink.h>

#include "test.h"
#include "fakenl.h"
#include "libibumad/netlink/netlink.h"

enum {
	TYPE_GET = RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, RDMA_NLDEV_CMD_GET),
	TYPE_PORT_GET = RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, RDMA_NLDEV_CMD_PORT_GET),
	ANY_SEQUENCE = -1,
	SOMEBODY = 4711,
};

static struct nl_sock *netlink;

static inline void open_rdma(void)
{
	assert_int_equal(umad_netlink_open(NETLINK_RDMA, &netlink), 0);
}

/* A message in the making. */
struct writer {
	uint8_t data[512];
	size_t size;
};

static inline void begin(struct writer *writer, unsigned short type)
{
	struct nlmsghdr header = { .nlmsg_type = type, .nlmsg_seq = (uint32_t)ANY_SEQUENCE };

	memset(writer, 0, sizeof(*writer));
	memcpy(writer->data, &header, sizeof(header));
	writer->size = sizeof(header);
}

static inline void put(struct writer *writer, unsigned short type, const void *value, size_t size)
{
	struct nlattr attribute = { .nla_type = type, .nla_len = (uint16_t)(NLA_HDRLEN + size) };

	memcpy(writer->data + writer->size, &attribute, sizeof(attribute));
	memcpy(writer->data + writer->size + NLA_HDRLEN, value, size);
	writer->size += NLA_ALIGN(NLA_HDRLEN + size);
}

static inline const void *end(struct writer *writer)
{
	uint32_t size = (uint32_t)writer->size;

	memcpy(writer->data, &size, sizeof(size));
	return writer->data;
}

#endif
