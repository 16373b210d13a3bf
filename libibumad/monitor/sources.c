/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Reads the kernel's messages: uevents, messages about network interfaces, and notifications of
 * RDMA netlink. They may arrive late, or after a look that has found their change: new names and
 * removals become events at once if they fit what is known, and all else that a message names is
 * marked.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>

#include <linux/if_arp.h>
#include <linux/rtnetlink.h>

#include "libibumad/base/sys.h"
#include "libibumad/monitor/monitor.h"
#include "libibumad/netlink/netlink.h"

enum {
	UEVENT_GROUP_KERNEL = 1, /* group 2 has those that udev sends on */
	MESSAGES_AT_ONCE = 256,	 /* messages to read before comparing, and checking the time */
};

/* Adds a descriptor to the epoll set. */
int umad_sources_watch(const struct umad_monitor *monitor, int fd)
{
	struct epoll_event interest = { .events = EPOLLIN };
	int saved_errno = errno, result;

	result = epoll_ctl(monitor->epoll_fd, EPOLL_CTL_ADD, fd, &interest) < 0 ? -errno : 0;
	errno = saved_errno;
	return result;
}

static int open_source(struct umad_monitor *monitor, enum umad_monitor_source source, int protocol,
		       int group)
{
	struct nl_sock *netlink;
	int result = umad_netlink_open(protocol, &netlink);

	if (result < 0)
		return result;
	result = umad_netlink_join(netlink, group);
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
 * Messages
 */

/* If a removed umad device exists, the number is another's. The next look reports a removal whose
 * event cannot be queued. */
static void take_node_uevent(struct umad_monitor *monitor, const struct umad_uevent *uevent)
{
	struct umad_known_node *node;
	unsigned int number;

	if (umad_node_parse_name(uevent->name, &number) < 0)
		return;
	monitor->is_outdated = true;
	node = umad_known_find_node(&monitor->known, number);
	if (node && (uevent->action != UMAD_UEVENT_REMOVE ||
		     umad_known_forget_node(&monitor->known, node) < 0))
		node->is_marked = true;
}

static void take_device_uevent(struct umad_monitor *monitor, const struct umad_uevent *uevent)
{
	struct umad_known *known = &monitor->known;
	struct umad_known_device *device = umad_known_find_device(known, uevent->name);

	monitor->is_outdated = true;
	if (uevent->action == UMAD_UEVENT_ADD)
		open_rdma(monitor);
	if (uevent->action == UMAD_UEVENT_REMOVE && device)
		umad_known_remove_device(known, device);
	if (uevent->action == UMAD_UEVENT_MOVE && uevent->name[0])
		umad_known_rename(known, uevent->old_name, uevent->name);
	umad_known_mark_device(known, uevent->name);
	umad_known_mark_device(known, uevent->old_name);
}

/* Whether a network interface belongs to a port or, unless is_known, may belong to it. */
static bool is_of_port(const struct umad_link *link, const struct umad_known_port *port,
		       bool is_known)
{
	if (port->is_ethernet)
		return is_known ? port->netdev_index == link->index
				: link->type == ARPHRD_ETHER && !port->netdev_index;
	return is_known ? link->port_guid && port->guid == link->port_guid
			: link->type == ARPHRD_INFINIBAND;
}

/* Marks the ports that a network interface belongs to (is_known) or may belong to. Returns whether
 * there are any. */
static bool note_link(struct umad_monitor *monitor, const struct umad_link *link, bool is_known)
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
			if (link->is_down && port->is_ethernet && is_known)
				port->down_phys_state =
					link->is_enabled ? UMAD_PHYS_POLLING : UMAD_PHYS_DISABLED;
		}
	return is_noted;
}

static int take_link(const struct nlmsghdr *message, void *context)
{
	struct umad_monitor *monitor = context;
	struct umad_link link;

	if (umad_link_parse(message, &link) &&
	    (note_link(monitor, &link, true) || note_link(monitor, &link, false))) {
		monitor->is_outdated = true;
		monitor->link_index = link.index;
	}
	return 0;
}

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
	struct umad_uevent uevent;
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
	else if (umad_uevent_parse(datagram.data, datagram.size, &uevent))
		(uevent.is_node ? take_node_uevent : take_device_uevent)(monitor, &uevent);
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
