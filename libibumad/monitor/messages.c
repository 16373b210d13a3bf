/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Parses the kernel's messages: uevents, and messages about network interfaces (rtnetlink), as far
 * as they affect RDMA ports.
 */
#include <string.h>

#include <linux/if.h>
#include <linux/if_arp.h>
#include <linux/rtnetlink.h>

#include "libibumad/monitor/monitor.h"

/*
 * Uevents: a datagram "ACTION@PATH", then any number of "KEY=VALUE", each ended by a NUL. A
 * datagram of another format is ignored, as is one about anything but an InfiniBand or a umad
 * device.
 */

/* The value of the first pair with a key: later ones are not the kernel's. NULL if there is none.
 */
static const char *find_value(const char *data, size_t size, const char *key)
{
	const char *pair = data + strlen(data) + 1;

	for (; pair < data + size; pair += strlen(pair) + 1)
		if (!strncmp(pair, key, strlen(key)))
			return pair + strlen(key);
	return NULL;
}

static bool parse_action(const char *text, enum umad_uevent_action *action)
{
	static const char names[][7] = { [UMAD_UEVENT_ADD] = "add",
					 [UMAD_UEVENT_REMOVE] = "remove",
					 [UMAD_UEVENT_MOVE] = "move",
					 [UMAD_UEVENT_CHANGE] = "change" };

	*action = UMAD_UEVENT_ADD;
	while (*action <= UMAD_UEVENT_CHANGE && text && strcmp(text, names[*action]) != 0)
		++*action;
	return text && *action <= UMAD_UEVENT_CHANGE;
}

/* The last component of a path, or "" if it cannot be a device name in this interface. */
static void copy_name(char name[UMAD_CA_NAME_LEN], const char *path)
{
	const char *slash = path ? strrchr(path, '/') : NULL;

	memset(name, 0, UMAD_CA_NAME_LEN);
	if (slash && umad_device_name_valid(slash + 1))
		memcpy(name, slash + 1, strlen(slash + 1));
}

/* Returns false for an event that is to be ignored. */
bool umad_uevent_parse(const char *data, size_t size, struct umad_uevent *uevent)
{
	const char *path, *subsystem;

	if (!size || data[size - 1] || !strchr(data, '@') ||
	    !parse_action(find_value(data, size, "ACTION="), &uevent->action))
		return false;
	path = find_value(data, size, "DEVPATH=");
	subsystem = find_value(data, size, "SUBSYSTEM=");
	if (!path || !subsystem)
		return false;
	uevent->is_node = !strcmp(subsystem, "infiniband_mad");
	if (!uevent->is_node && strcmp(subsystem, "infiniband") != 0)
		return false;
	copy_name(uevent->name, path);
	copy_name(uevent->old_name, find_value(data, size, "DEVPATH_OLD="));
	return uevent->name[0] || uevent->old_name[0];
}

/*
 * Network interfaces
 */

/* The address of an IPoIB interface is its queue pair, then the GID of the port. */
struct address {
	uint8_t queue_pair[4];
	union umad_gid gid;
};

/* Returns false for a message about something else. */
bool umad_link_parse(const struct nlmsghdr *message, struct umad_link *link)
{
	struct address address = { .queue_pair = { 0 } };
	struct ifinfomsg info;

	if ((message->nlmsg_type != RTM_NEWLINK && message->nlmsg_type != RTM_DELLINK) ||
	    message->nlmsg_len < NLMSG_LENGTH(sizeof(info)))
		return false;
	memcpy(&info, NLMSG_DATA(message), sizeof(info));
	if (info.ifi_index <= 0)
		return false;
	if (info.ifi_type == ARPHRD_INFINIBAND)
		umad_netlink_take(message, sizeof(info), IFLA_ADDRESS, &address, sizeof(address));
	*link = (struct umad_link){
		.index = (uint32_t)info.ifi_index,
		.type = info.ifi_type,
		.is_down = message->nlmsg_type == RTM_NEWLINK && !(info.ifi_flags & IFF_LOWER_UP),
		.is_enabled = info.ifi_flags & IFF_UP,
		.port_guid = address.gid.global.interface_id,
	};
	return true;
}

/* Waits until the drivers have processed the change that a message announced: the kernel sends the
 * message, then notifies the drivers with a lock held that this request needs. If the request
 * fails, the interface is gone, or there is nothing to wait for. */
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
