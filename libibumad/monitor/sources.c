/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The sources of a monitor: reads the kernel's messages and passes them to the files that parse
 * them. Input: uevents, messages about network interfaces, and the notifications of RDMA netlink
 * where the kernel has them. All carry little information; discovery supplies the rest. Nothing
 * here blocks.
 */
#include <errno.h>
#include <stdlib.h>
#include <sys/epoll.h>

#include <linux/rtnetlink.h>

#include "libibumad/base/sys.h"
#include "libibumad/monitor/monitor.h"
#include "libibumad/netlink/nldev.h"

enum {
	UEVENT_GROUP_KERNEL = 1, /* group 2 has those that udev sends on */
	MESSAGES_LOST = 1 << 20, /* most messages to discard after an overrun */
};

/* Adds a descriptor to the epoll set, or changes its event mask. */
int umad_monitor_watch(const struct umad_monitor *monitor, int operation, int fd, bool watched)
{
	struct epoll_event interest = { .events = watched ? EPOLLIN : 0 };
	int saved_errno = errno, error = 0;

	if (epoll_ctl(monitor->epoll_fd, operation, fd, &interest) < 0)
		error = -errno;
	errno = saved_errno;
	return error;
}

static int open_source(struct umad_monitor *monitor, enum umad_monitor_source source, int protocol,
		       int group)
{
	struct umad_netlink *netlink;
	int result;

	result = umad_netlink_open(protocol, &netlink);
	if (result < 0)
		return result;
	result = umad_netlink_join(netlink, group);
	if (!result)
		result = umad_monitor_watch(monitor, EPOLL_CTL_ADD, umad_netlink_get_fd(netlink),
					    true);
	if (result < 0)
		umad_netlink_close(netlink);
	else
		monitor->source[source] = netlink;
	return result;
}

/* Missing on older kernels, and before the first device. */
static void open_rdma_source(struct umad_monitor *monitor)
{
	if (!monitor->source[UMAD_SOURCE_RDMA] && umad_nldev_known())
		umad_sys_note_resource_error(
			open_source(monitor, UMAD_SOURCE_RDMA, NETLINK_RDMA, UMAD_NLDEV_EVENTS));
}

int umad_sources_open(struct umad_monitor *monitor)
{
	int error;

	error = open_source(monitor, UMAD_SOURCE_UEVENT, NETLINK_KOBJECT_UEVENT,
			    UEVENT_GROUP_KERNEL);
	if (!error)
		error = open_source(monitor, UMAD_SOURCE_LINK, NETLINK_ROUTE, RTNLGRP_LINK);
	if (!error)
		open_rdma_source(monitor);
	return error;
}

void umad_sources_close(struct umad_monitor *monitor)
{
	size_t i;

	for (i = 0; i < UMAD_SOURCES; i++)
		umad_netlink_close(monitor->source[i]);
}

static int take_node_uevent(struct umad_monitor *monitor, const struct umad_uevent *uevent)
{
	unsigned int number;
	int result;

	if (umad_node_parse_name(uevent->name, &number) < 0)
		return 0;
	if (uevent->action == UMAD_UEVENT_ADD) {
		result = umad_snapshot_add_node(&monitor->snapshot, number);
		return result > 0 ? umad_snapshot_rescan(&monitor->snapshot) : result;
	}
	if (uevent->action == UMAD_UEVENT_REMOVE)
		return umad_snapshot_remove_node(&monitor->snapshot, number);
	return 0;
}

/* A name that no device can have in this interface is "". */
static int take_device_uevent(struct umad_monitor *monitor, const struct umad_uevent *uevent)
{
	struct umad_snapshot *snapshot = &monitor->snapshot;
	struct umad_snapshot_device *device;

	switch (uevent->action) {
	case UMAD_UEVENT_ADD:
		open_rdma_source(monitor);
		return uevent->name[0] ? umad_snapshot_add_device(snapshot, uevent->name) : 0;
	case UMAD_UEVENT_REMOVE:
		return umad_snapshot_remove_device(snapshot, uevent->name);
	case UMAD_UEVENT_MOVE:
		if (!uevent->name[0])
			return umad_snapshot_remove_device(snapshot, uevent->old_name);
		return umad_snapshot_rename_device(snapshot, uevent->old_name, uevent->name);
	case UMAD_UEVENT_CHANGE:
		device = umad_snapshot_find_device(snapshot, uevent->name);
		return device ? umad_snapshot_compare_ports(snapshot, device) : 0;
	}
	return 0;
}

static int take_uevent(struct umad_monitor *monitor, const struct umad_netlink_datagram *datagram)
{
	struct umad_uevent uevent;

	if (!umad_uevent_parse(datagram->data, datagram->size, &uevent))
		return 0;
	return uevent.is_node ? take_node_uevent(monitor, &uevent)
			      : take_device_uevent(monitor, &uevent);
}

static int take_link(const struct nlmsghdr *message, void *context)
{
	struct umad_monitor *monitor = context;
	struct umad_link link;

	return umad_link_parse(message, &link) ? umad_snapshot_take_link(&monitor->snapshot, &link)
					       : 0;
}

/* A device that is being unregistered still exists, and its uevents follow; for all other
 * notifications discovery has more detail. */
static int take_notification(const struct nlmsghdr *message, void *context)
{
	struct umad_monitor *monitor = context;
	bool unregisters;

	if (!umad_nldev_is_event(message, &unregisters) || unregisters)
		return 0;
	return umad_snapshot_rescan(&monitor->snapshot);
}

static int take_datagram(struct umad_monitor *monitor, enum umad_monitor_source source,
			 const struct umad_netlink_datagram *datagram)
{
	switch (source) {
	case UMAD_SOURCE_UEVENT:
		return take_uevent(monitor, datagram);
	case UMAD_SOURCE_LINK:
		return umad_netlink_walk(datagram, take_link, monitor);
	default:
		return umad_netlink_walk(datagram, take_notification, monitor);
	}
}

/* Discards the messages from before the overrun, which describe an outdated state. Messages that
 * arrive meanwhile are discarded with them; the rescan finds their changes. */
static void start_over(struct umad_monitor *monitor, struct umad_netlink *netlink)
{
	struct umad_netlink_datagram datagram;
	int result, left = MESSAGES_LOST;

	do {
		result = umad_netlink_receive(netlink, &datagram);
		if (result > 0)
			free(datagram.data);
	} while ((result > 0 || result == -ENOBUFS) && --left);
	monitor->has_overrun = monitor->needs_rescan = true;
}

/* Retries what could not be recorded when its message arrived; it would otherwise be lost. */
static int noted(struct umad_monitor *monitor, int result)
{
	if (!result)
		result = umad_sys_resource_error();
	if (result < 0)
		monitor->has_overrun = monitor->needs_rescan = true;
	return result;
}

/* Reads one message. Returns 1, or 0 if there is none; then nothing is left open. */
int umad_sources_read(struct umad_monitor *monitor)
{
	struct umad_netlink_datagram datagram;
	int result = 0;
	size_t i;

	for (i = 0; i < UMAD_SOURCES && !result; i++) {
		if (!monitor->source[i])
			continue;
		result = umad_netlink_receive(monitor->source[i], &datagram);
		if (result == -ENOBUFS) {
			start_over(monitor, monitor->source[i]);
			return 1;
		}
		if (result > 0) {
			result = take_datagram(monitor, (enum umad_monitor_source)i, &datagram);
			free(datagram.data);
			result = noted(monitor, result);
			return result < 0 ? result : 1;
		}
	}
	return result ? result : noted(monitor, umad_snapshot_settle(&monitor->snapshot));
}
