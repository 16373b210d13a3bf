/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Parses the kernel's messages about network interfaces (rtnetlink), as far as they affect RDMA
 * ports. Input: messages of RTNLGRP_LINK. Accesses rtnetlink, through netlink.c.
 */
#include <string.h>

#include <linux/if.h>
#include <linux/if_arp.h>
#include <linux/rtnetlink.h>

#include "libibumad/monitor/monitor.h"

/* The address of an IPoIB interface is its queue pair, then the GID of the port. */
struct address {
	uint8_t queue_pair[4];
	union umad_gid gid;
};

/* Returns false for a message about something else. */
bool umad_link_parse(const struct nlmsghdr *message, struct umad_link *link)
{
	static const struct umad_netlink_field field = { .type = IFLA_ADDRESS,
							 .kind = UMAD_NETLINK_NUMBER,
							 .size = sizeof(struct address) };
	struct address address = { .queue_pair = { 0 } };
	struct ifinfomsg info;

	if ((message->nlmsg_type != RTM_NEWLINK && message->nlmsg_type != RTM_DELLINK) ||
	    message->nlmsg_len < NLMSG_LENGTH(sizeof(info)))
		return false;
	memcpy(&info, NLMSG_DATA(message), sizeof(info));
	if (info.ifi_index <= 0)
		return false;
	if (info.ifi_type == ARPHRD_INFINIBAND)
		umad_netlink_decode(message, sizeof(info), &field, 1, &address);
	*link = (struct umad_link){
		.index = (uint32_t)info.ifi_index,
		.type = info.ifi_type,
		.is_down = message->nlmsg_type == RTM_NEWLINK && !(info.ifi_flags & IFF_LOWER_UP),
		.is_enabled = info.ifi_flags & IFF_UP,
		.port_guid = address.gid.global.interface_id,
	};
	return true;
}

/* Waits until the drivers have processed the change that the message announced. The kernel sends
 * the message first, then notifies the drivers while holding a lock, and this request needs the
 * same lock. If the request fails, the interface is gone, or there is nothing to wait for. */
void umad_link_settle(uint32_t index)
{
	struct ifinfomsg info = { .ifi_index = (int)index };
	struct umad_netlink_request request = {
		.type = RTM_GETLINK,
		.header = &info,
		.header_size = sizeof(info),
	};
	struct nl_sock *netlink;

	if (umad_netlink_open(NETLINK_ROUTE, &netlink) < 0)
		return;
	umad_netlink_ask(netlink, &request);
	umad_netlink_close(netlink);
}
