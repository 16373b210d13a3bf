/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Reads the kernel's messages, as far as they affect RDMA ports: uevents, messages about network
 * interfaces (rtnetlink), and notifications of RDMA netlink. They may arrive late, or after a look
 * that has found their change: new names and removals become events at once if they fit what is
 * known, and all else that a message names is marked.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>

#include <linux/if.h>
#include <linux/if_arp.h>
#include <linux/rtnetlink.h>

#include "libibumad/base/sys.h"
#include "libibumad/monitor/monitor.h"

enum {
	UEVENT_GROUP_KERNEL = 1, /* group 2 has those that udev sends on */
	MESSAGES_AT_ONCE = 256,	 /* messages to read before comparing, and checking the time */
};

/* Adds a descriptor to the epoll set. */
int umad_sources_watch(const struct umad_monitor *monitor, int fd)
{
	struct epoll_event interest = { .events = EPOLLIN };
	int saved_errno = errno;

	return (int)umad_sys_outcome(
		&errno, epoll_ctl(monitor->epoll_fd, EPOLL_CTL_ADD, fd, &interest), saved_errno);
}

static int open_source(struct umad_monitor *monitor, enum umad_monitor_source source, int protocol,
		       int group)
{
	struct nl_sock *netlink;
	int result = umad_netlink_open(protocol, group, &netlink);

	if (!result)
		result = umad_sources_watch(monitor, umad_netlink_get_fd(netlink));
	if (result < 0)
		umad_netlink_close(netlink);
	else
		monitor->source[source] = netlink;
	return result;
}

/* Missing on older kernels, and before the first device. */
static void open_rdma(struct umad_monitor *monitor)
{
	if (!monitor->source[UMAD_SOURCE_RDMA] && umad_nldev_known())
		umad_sys_note_resource_error(
			open_source(monitor, UMAD_SOURCE_RDMA, NETLINK_RDMA, UMAD_NLDEV_EVENTS));
}

int umad_sources_open(struct umad_monitor *monitor)
{
	int error = open_source(monitor, UMAD_SOURCE_UEVENT, NETLINK_KOBJECT_UEVENT,
				UEVENT_GROUP_KERNEL);

	open_rdma(monitor);
	return error ? error : open_source(monitor, UMAD_SOURCE_LINK, NETLINK_ROUTE, RTNLGRP_LINK);
}

void umad_sources_close(struct umad_monitor *monitor)
{
	for (size_t i = 0; i < UMAD_SOURCES; i++)
		umad_netlink_close(monitor->source[i]);
}

/*
 * Uevents
 */

/* The value of the first pair with a key: later ones are not the kernel's. "" if there is none. */
static const char *find_value(const char *data, size_t size, const char *key)
{
	const char *pair = data + strlen(data) + 1;

	for (; pair < data + size; pair += strlen(pair) + 1)
		if (!strncmp(pair, key, strlen(key)))
			return pair + strlen(key);
	return "";
}

/* The last component of a path, or "" if it cannot be a device name in this interface. */
static void copy_name(char name[UMAD_CA_NAME_LEN], const char *path)
{
	const char *slash = strrchr(path, '/');

	memset(name, 0, UMAD_CA_NAME_LEN);
	if (slash && umad_device_name_valid(slash + 1))
		memcpy(name, slash + 1, strlen(slash + 1));
}

/* If a removed umad device exists, the number is another's. The next look reports a removal whose
 * event cannot be queued. */
static void take_node_uevent(struct umad_monitor *monitor, const char *action, const char *name)
{
	struct umad_known_node *node;
	unsigned int number;

	if (umad_node_parse_name(name, &number) < 0)
		return;
	monitor->is_outdated = true;
	node = umad_known_find_node(&monitor->known, number);
	if (node &&
	    (strcmp(action, "remove") != 0 || umad_known_forget_node(&monitor->known, node) < 0))
		node->is_marked = true;
}

static void take_device_uevent(struct umad_monitor *monitor, const char *action, const char *name,
			       const char *old_name)
{
	struct umad_known *known = &monitor->known;
	struct umad_known_device *device = umad_known_find_device(known, name);

	monitor->is_outdated = true;
	if (!strcmp(action, "add"))
		open_rdma(monitor);
	else if (!strcmp(action, "remove") && device)
		umad_known_remove_device(known, device);
	else if (!strcmp(action, "move") && name[0])
		umad_known_rename(known, old_name, name);
	umad_known_mark_device(known, name);
	umad_known_mark_device(known, old_name);
}

/* Takes a datagram "ACTION@PATH", then any number of "KEY=VALUE", each ended by a NUL; ignores any
 * other format, and other actions and devices. A name that does not fit this interface is "". */
static void take_uevent(struct umad_monitor *monitor, const char *data, size_t size)
{
	static const char *const actions[] = { "add", "remove", "move", "change", NULL };
	char name[UMAD_CA_NAME_LEN], old_name[UMAD_CA_NAME_LEN];
	const char *action, *subsystem;
	const char *const *known = actions;

	if (!size || data[size - 1] || !strchr(data, '@'))
		return;
	action = find_value(data, size, "ACTION=");
	subsystem = find_value(data, size, "SUBSYSTEM=");
	copy_name(name, find_value(data, size, "DEVPATH="));
	copy_name(old_name, find_value(data, size, "DEVPATH_OLD="));
	while (*known && strcmp(*known, action) != 0)
		known++;
	if (!*known || (!name[0] && !old_name[0]))
		return;
	if (!strcmp(subsystem, "infiniband_mad"))
		take_node_uevent(monitor, action, name);
	else if (!strcmp(subsystem, "infiniband"))
		take_device_uevent(monitor, action, name, old_name);
}

/*
 * Network interfaces
 */

struct link {
	uint32_t index;
	unsigned short type;	      /* ARPHRD_* */
	unsigned int down_phys_state; /* of the port of an interface that is down, or 0 */
	__be64 port_guid;	      /* of an IPoIB interface; 0 if unknown */
};

/* Whether a network interface belongs to a port or, unless is_known, may belong to it. */
static bool is_of_port(const struct link *link, const struct umad_known_port *port, bool is_known)
{
	if (port->is_ethernet)
		return is_known ? port->netdev_index == link->index
				: link->type == ARPHRD_ETHER && !port->netdev_index;
	return is_known ? link->port_guid && port->guid == link->port_guid
			: link->type == ARPHRD_INFINIBAND;
}

/* Marks the ports that a network interface belongs to (is_known) or may belong to. Returns whether
 * there are any. */
static bool note_link(struct umad_monitor *monitor, const struct link *link, bool is_known)
{
	struct umad_known_port *port;
	bool is_noted = false;

	for (size_t i = 0; i < monitor->known.device_count; i++)
		for (int portnum = 0; portnum < UMAD_CA_MAX_PORTS; portnum++) {
			port = &monitor->known.device[i].port[portnum];
			if (!port->reported.type || !is_of_port(link, port, is_known))
				continue;
			port->marked |= UMAD_MARK_LINK;
			is_noted = true;
			if (link->down_phys_state && port->is_ethernet && is_known)
				port->down_phys_state = link->down_phys_state;
		}
	return is_noted;
}

static int take_link(const struct nlmsghdr *message, void *context)
{
	struct umad_monitor *monitor = context;
	struct {
		uint8_t queue_pair[4];
		union umad_gid gid;
	} address = { .queue_pair = { 0 } }; /* of an IPoIB interface */
	struct ifinfomsg info;
	struct link link;

	if ((message->nlmsg_type != RTM_NEWLINK && message->nlmsg_type != RTM_DELLINK) ||
	    message->nlmsg_len < NLMSG_LENGTH(sizeof(info)))
		return 0;
	memcpy(&info, NLMSG_DATA(message), sizeof(info));
	if (info.ifi_index <= 0)
		return 0;
	if (info.ifi_type == ARPHRD_INFINIBAND)
		umad_netlink_take(message, sizeof(info), IFLA_ADDRESS, false, &address,
				  sizeof(address));
	link = (struct link){ .index = (uint32_t)info.ifi_index,
			      .type = info.ifi_type,
			      .port_guid = address.gid.global.interface_id };
	if (message->nlmsg_type == RTM_NEWLINK && !(info.ifi_flags & IFF_LOWER_UP))
		link.down_phys_state =
			info.ifi_flags & IFF_UP ? UMAD_PHYS_POLLING : UMAD_PHYS_DISABLED;
	if (note_link(monitor, &link, true) || note_link(monitor, &link, false)) {
		monitor->is_outdated = true;
		monitor->link_index = link.index;
	}
	return 0;
}

void umad_sources_settle(uint32_t link_index)
{
	struct ifinfomsg info = { .ifi_index = (int)link_index };
	struct nl_sock *netlink;

	if (umad_netlink_open(NETLINK_ROUTE, 0, &netlink) < 0)
		return;
	umad_netlink_ask(netlink, &(struct umad_netlink_request){ .type = RTM_GETLINK,
								  .payload = &info,
								  .size = sizeof(info) });
	umad_netlink_close(netlink);
}

/*
 * Reading
 */

/* A notification without a name may be about any device. */
static int take_notification(const struct nlmsghdr *message, void *context)
{
	struct umad_monitor *monitor = context;
	struct umad_nldev_record record;

	if (!umad_nldev_is_event(message, &record))
		return 0;
	monitor->is_outdated = true;
	if (record.name[0])
		umad_known_mark_device(&monitor->known, record.name);
	else
		umad_known_mark_all(&monitor->known);
	return 0;
}

/* Returns 1, or 0 if there is no message. */
static int read_message(struct umad_monitor *monitor, enum umad_monitor_source source)
{
	struct umad_netlink_datagram datagram;
	int result = monitor->source[source]
			     ? umad_netlink_receive(monitor->source[source], &datagram)
			     : 0;

	if (result == -ENOBUFS) { /* messages were lost */
		monitor->has_overrun = monitor->is_outdated = true;
		umad_known_mark_all(&monitor->known);
		return 1;
	}
	if (result <= 0)
		return result;
	if (source == UMAD_SOURCE_LINK)
		umad_netlink_walk(&datagram, take_link, monitor);
	else if (source == UMAD_SOURCE_RDMA)
		umad_netlink_walk(&datagram, take_notification, monitor);
	else
		take_uevent(monitor, datagram.data, datagram.size);
	free(datagram.data);
	return result;
}

int umad_sources_read(struct umad_monitor *monitor)
{
	int result = 0, left = MESSAGES_AT_ONCE;

	for (size_t i = 0; i < UMAD_SOURCES && result >= 0; i++)
		while ((result = read_message(monitor, (enum umad_monitor_source)i)) > 0)
			if (!--left)
				return 1;
	return result;
}
