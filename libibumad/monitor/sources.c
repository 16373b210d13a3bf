/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The sources of a monitor: reads the kernel's messages. Input: uevents, messages about network
 * interfaces, and the notifications of RDMA netlink where the kernel has them. A message only says
 * what may have changed, and is noted in the snapshot of what is known: it may arrive late, or
 * after a snapshot that has its change. Nothing here blocks.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>

#include <linux/if_arp.h>
#include <linux/rtnetlink.h>

#include "libibumad/base/sys.h"
#include "libibumad/monitor/monitor.h"
#include "libibumad/netlink/nldev.h"

enum {
	UEVENT_GROUP_KERNEL = 1, /* group 2 has those that udev sends on */
	MESSAGES_AT_ONCE = 256,	 /* messages to read before comparing, and checking the time */
};

/* Adds a descriptor to the epoll set. */
int umad_monitor_watch(const struct umad_monitor *monitor, int fd)
{
	struct epoll_event interest = { .events = EPOLLIN };
	int saved_errno = errno, error = 0;

	if (epoll_ctl(monitor->epoll_fd, EPOLL_CTL_ADD, fd, &interest) < 0)
		error = -errno;
	errno = saved_errno;
	return error;
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
		result = umad_monitor_watch(monitor, umad_netlink_get_fd(netlink));
	if (result < 0)
		umad_netlink_close(netlink);
	else
		monitor->source[source] = netlink;
	return result;
}

/* Missing on older kernels, and before the first device. */
void umad_sources_open_rdma(struct umad_monitor *monitor)
{
	if (!monitor->source[UMAD_SOURCE_RDMA] && umad_nldev_known())
		umad_sys_note_resource_error(
			open_source(monitor, UMAD_SOURCE_RDMA, NETLINK_RDMA, UMAD_NLDEV_EVENTS));
}

int umad_sources_open(struct umad_monitor *monitor)
{
	int error = open_source(monitor, UMAD_SOURCE_UEVENT, NETLINK_KOBJECT_UEVENT,
				UEVENT_GROUP_KERNEL);

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

/* A node that exists although it was removed is another one. */
static void take_node_uevent(struct umad_monitor *monitor, const struct umad_uevent *uevent)
{
	struct umad_snapshot *known = &monitor->known;
	unsigned int number;

	if (umad_node_parse_name(uevent->name, &number) < 0)
		return;
	monitor->is_outdated = true;
	for (size_t i = 0; i < known->node_count; i++)
		if (known->node[i].number == number && uevent->action == UMAD_UEVENT_REMOVE)
			known->node[i].is_removed = true;
}

/* The known device that has this name by the messages read so far. */
static struct umad_snapshot_device *find_device(const struct umad_snapshot *known, const char *name)
{
	struct umad_snapshot_device *device;

	for (size_t i = 0; i < known->device_count; i++) {
		device = &known->device[i];
		if (!device->is_removed &&
		    !strcmp(device->new_name[0] ? device->new_name : device->name, name))
			return device;
	}
	return NULL;
}

/* A name that no device can have in this interface is "". */
static void take_device_uevent(struct umad_monitor *monitor, const struct umad_uevent *uevent)
{
	bool is_move = uevent->action == UMAD_UEVENT_MOVE;
	struct umad_snapshot_device *device =
		find_device(&monitor->known, is_move ? uevent->old_name : uevent->name);

	monitor->is_outdated = true;
	if (device && is_move)
		memcpy(device->new_name, uevent->name, sizeof(device->new_name));
	else if (device && uevent->action == UMAD_UEVENT_REMOVE)
		device->is_removed = true;
	else if (device)
		umad_snapshot_mark_ports(device);
}

static bool is_of_port(const struct umad_link *link, const struct umad_snapshot_port *port)
{
	if (port->is_ethernet)
		return port->netdev_index == link->index;
	return link->port_guid && port->guid == link->port_guid;
}

static bool may_be_of_port(const struct umad_link *link, const struct umad_snapshot_port *port)
{
	if (port->is_ethernet)
		return link->type == ARPHRD_ETHER && !port->netdev_index;
	return link->type == ARPHRD_INFINIBAND;
}

/* Marks the ports that a network interface belongs to or, if those are not known, may belong to.
 * Returns whether there are any. */
static bool note_link(struct umad_monitor *monitor, const struct umad_link *link, bool is_known)
{
	struct umad_snapshot_port *port;
	bool is_noted = false;

	for (size_t i = 0; i < monitor->known.device_count; i++)
		for (int portnum = 0; portnum < UMAD_CA_MAX_PORTS; portnum++) {
			port = &monitor->known.device[i].port[portnum];
			if (!port->is_there ||
			    !(is_known ? is_of_port(link, port) : may_be_of_port(link, port)))
				continue;
			is_noted = port->is_marked = true;
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
	struct umad_snapshot_device *device;
	struct umad_nldev_record record;

	if (!umad_nldev_is_event(message, &record))
		return 0;
	monitor->is_outdated = true;
	device = find_device(&monitor->known, record.name);
	if (device)
		umad_snapshot_mark_ports(device);
	else if (!record.name[0])
		umad_snapshot_mark_all(&monitor->known);
	return 0;
}

static void take_datagram(struct umad_monitor *monitor, enum umad_monitor_source source,
			  const struct umad_netlink_datagram *datagram)
{
	struct umad_uevent uevent;

	if (source == UMAD_SOURCE_LINK)
		umad_netlink_walk(datagram, take_link, monitor);
	else if (source == UMAD_SOURCE_RDMA)
		umad_netlink_walk(datagram, take_notification, monitor);
	else if (umad_uevent_parse(datagram->data, datagram->size, &uevent))
		(uevent.is_node ? take_node_uevent : take_device_uevent)(monitor, &uevent);
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
		umad_snapshot_mark_all(&monitor->known);
		return 1;
	}
	if (result > 0) {
		take_datagram(monitor, source, &datagram);
		free(datagram.data);
	}
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
