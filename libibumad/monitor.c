/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The monitor: reads the kernel's messages and gives them to the rooms that know what they mean.
 * Input: uevents, messages about network interfaces, and the notifications of RDMA netlink where
 * the kernel has them; all say little, and what they leave open is asked of discovery.
 *
 * An epoll descriptor stands for all sockets, and for a counter that is always readable and is
 * watched while events wait. Nothing here blocks but the poll of umad_monitor_read().
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>

#include <linux/rtnetlink.h>

#include "monitor.h"
#include "nldev.h"

enum {
	UEVENT_GROUP_KERNEL = 1, /* 2 is what udev makes of them */
	MESSAGES_AT_ONCE = 256,	 /* to be read before time is looked at again */
	EVENTS_AHEAD = 1024,	 /* to be held for the reader, instead of messages in sockets */
	MESSAGES_LOST = 1 << 20, /* to be thrown away at most after an overrun */
};

/* In the order in which they are read: uevents are the most exact. */
enum source { SOURCE_UEVENT, SOURCE_LINK, SOURCE_RDMA, SOURCES };

struct umad_monitor {
	struct umad_netlink *source[SOURCES];
	struct umad_known known;
	struct umad_event_queue queue;
	int epoll_fd;
	int event_fd;	   /* always readable */
	bool event_shown;  /* event_fd is watched */
	bool has_overrun;  /* to be told before all else */
	bool needs_rescan; /* what is known may be wrong */
};

/* Watches a descriptor, or an event_fd differently from now on. */
static int control(const struct umad_monitor *monitor, int operation, int fd, bool watched)
{
	struct epoll_event interest = { .events = watched ? EPOLLIN : 0 };
	int saved_errno = errno, ret = 0;

	if (epoll_ctl(monitor->epoll_fd, operation, fd, &interest) < 0)
		ret = -errno;
	errno = saved_errno;
	return ret;
}

/*
 * Opening and closing
 */

static int open_source(struct umad_monitor *monitor, enum source source, int protocol, int group)
{
	struct umad_netlink *netlink;
	int ret;

	ret = umad_netlink_open(protocol, &netlink);
	if (ret < 0)
		return ret;
	ret = umad_netlink_join(netlink, group);
	if (!ret)
		ret = control(monitor, EPOLL_CTL_ADD, umad_netlink_get_fd(netlink), true);
	if (ret < 0)
		umad_netlink_close(netlink);
	else
		monitor->source[source] = netlink;
	return ret;
}

/* Not there on older kernels, nor before the first device. */
static void open_rdma_source(struct umad_monitor *monitor)
{
	if (!monitor->source[SOURCE_RDMA] && umad_nldev_known())
		open_source(monitor, SOURCE_RDMA, NETLINK_RDMA, UMAD_NLDEV_EVENTS);
}

static int open_descriptors(struct umad_monitor *monitor)
{
	int saved_errno = errno, ret = 0;

	monitor->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	if (monitor->epoll_fd >= 0)
		monitor->event_fd = eventfd(1, EFD_CLOEXEC | EFD_NONBLOCK);
	if (monitor->event_fd < 0)
		ret = -errno;
	errno = saved_errno;
	return ret ? ret : control(monitor, EPOLL_CTL_ADD, monitor->event_fd, false);
}

/* Shows by the descriptor whether events wait. */
static int show_events(struct umad_monitor *monitor)
{
	bool waiting = monitor->queue.count || monitor->has_overrun || monitor->needs_rescan;
	int ret = 0;

	if (waiting != monitor->event_shown)
		ret = control(monitor, EPOLL_CTL_MOD, monitor->event_fd, waiting);
	if (!ret)
		monitor->event_shown = waiting;
	return ret;
}

/* The sockets come first, so that nothing happens unseen after the first look. */
static int open_monitor(struct umad_monitor *monitor, unsigned int flags)
{
	int ret;

	ret = open_descriptors(monitor);
	if (!ret)
		ret = open_source(monitor, SOURCE_UEVENT, NETLINK_KOBJECT_UEVENT,
				  UEVENT_GROUP_KERNEL);
	if (!ret)
		ret = open_source(monitor, SOURCE_LINK, NETLINK_ROUTE, RTNLGRP_LINK);
	if (ret < 0)
		return ret;
	open_rdma_source(monitor);
	monitor->known.queue = &monitor->queue;
	monitor->known.quiet = !(flags & UMAD_MONITOR_REPORT_PRESENT);
	ret = umad_known_rescan(&monitor->known);
	monitor->known.quiet = false;
	return ret < 0 ? ret : show_events(monitor);
}

struct umad_monitor *umad_monitor_open(unsigned flags)
{
	struct umad_monitor *monitor = NULL;
	int ret = -EINVAL;

	if (!(flags & ~(unsigned)UMAD_MONITOR_REPORT_PRESENT)) {
		monitor = malloc(sizeof(*monitor));
		ret = -ENOMEM;
	}
	if (monitor) {
		*monitor = (struct umad_monitor){ .epoll_fd = -1, .event_fd = -1 };
		ret = open_monitor(monitor, flags);
	}
	if (ret < 0) {
		umad_monitor_close(monitor);
		umad_state_finish(ret);
		return NULL;
	}
	return monitor;
}

void umad_monitor_close(struct umad_monitor *monitor)
{
	size_t i;

	if (!monitor)
		return;
	for (i = 0; i < SOURCES; i++)
		umad_netlink_close(monitor->source[i]);
	if (monitor->event_fd >= 0)
		umad_sys_close(monitor->event_fd);
	if (monitor->epoll_fd >= 0)
		umad_sys_close(monitor->epoll_fd);
	umad_known_clear(&monitor->known);
	umad_queue_clear(&monitor->queue);
	free(monitor);
}

int umad_monitor_get_fd(const struct umad_monitor *monitor)
{
	if (!monitor) {
		umad_state_finish(-EINVAL);
		return -1;
	}
	return monitor->epoll_fd;
}

/*
 * Messages
 */

static int take_node_uevent(struct umad_monitor *monitor, const struct umad_uevent *uevent)
{
	unsigned int number;

	if (umad_node_parse_name(uevent->name, &number) < 0)
		return 0;
	if (uevent->action == UMAD_UEVENT_ADD)
		return umad_known_add_node(&monitor->known, number);
	if (uevent->action == UMAD_UEVENT_REMOVE)
		return umad_known_remove_node(&monitor->known, number);
	return 0;
}

/* A name is "" if it is none that a device can have for us. */
static int take_device_uevent(struct umad_monitor *monitor, const struct umad_uevent *uevent)
{
	struct umad_known *known = &monitor->known;
	struct umad_known_device *device;

	switch (uevent->action) {
	case UMAD_UEVENT_ADD:
		open_rdma_source(monitor);
		return uevent->name[0] ? umad_known_add_device(known, uevent->name) : 0;
	case UMAD_UEVENT_REMOVE:
		return umad_known_remove_device(known, uevent->name);
	case UMAD_UEVENT_MOVE:
		if (!uevent->name[0])
			return umad_known_remove_device(known, uevent->old_name);
		return umad_known_rename_device(known, uevent->old_name, uevent->name);
	case UMAD_UEVENT_CHANGE:
		device = umad_known_find_device(known, uevent->name);
		return device ? umad_known_compare_ports(known, device) : 0;
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

	return umad_link_parse(message, &link) ? umad_known_take_link(&monitor->known, &link) : 0;
}

/* A device that is about to go is still there, and its uevents are yet to come; of all else that is
 * told here, discovery knows more. */
static int take_notification(const struct nlmsghdr *message, void *context)
{
	struct umad_monitor *monitor = context;
	bool unregisters;

	if (!umad_nldev_is_event(message, &unregisters) || unregisters)
		return 0;
	return umad_known_rescan(&monitor->known);
}

static int take_datagram(struct umad_monitor *monitor, enum source source,
			 const struct umad_netlink_datagram *datagram)
{
	switch (source) {
	case SOURCE_UEVENT:
		return take_uevent(monitor, datagram);
	case SOURCE_LINK:
		return umad_netlink_walk(datagram, take_link, monitor);
	default:
		return umad_netlink_walk(datagram, take_notification, monitor);
	}
}

/* Throws away what came before messages were lost: it could only lead to where things no longer
 * are. What comes meanwhile goes with it, and is found by the rescan. */
static void start_over(struct umad_monitor *monitor, struct umad_netlink *netlink)
{
	struct umad_netlink_datagram datagram;
	int ret, left = MESSAGES_LOST;

	do {
		ret = umad_netlink_receive(netlink, &datagram);
		if (ret > 0)
			free(datagram.data);
	} while ((ret > 0 || ret == -ENOBUFS) && --left);
	monitor->has_overrun = monitor->needs_rescan = true;
}

/* Reads one message. Returns 1, or 0 if there is none. */
static int work(struct umad_monitor *monitor)
{
	struct umad_netlink_datagram datagram;
	int ret = 0;
	size_t i;

	for (i = 0; i < SOURCES && !ret; i++) {
		if (!monitor->source[i])
			continue;
		ret = umad_netlink_receive(monitor->source[i], &datagram);
		if (ret == -ENOBUFS) {
			start_over(monitor, monitor->source[i]);
			return 1;
		}
		if (ret > 0) {
			ret = take_datagram(monitor, (enum source)i, &datagram);
			free(datagram.data);
			if (ret < 0) /* what was to be noted is lost */
				monitor->has_overrun = monitor->needs_rescan = true;
			return ret < 0 ? ret : 1;
		}
	}
	return ret;
}

/*
 * Events
 */

static int rescan(struct umad_monitor *monitor)
{
	int ret = umad_known_rescan(&monitor->known);

	monitor->needs_rescan = ret < 0;
	return ret;
}

/* Takes the next event. Returns 1, or 0 if there is none. */
static int take_event(struct umad_monitor *monitor, struct umad_event *event)
{
	int ret = monitor->needs_rescan ? rescan(monitor) : 0;

	if (ret < 0)
		return ret;
	if (monitor->has_overrun) {
		monitor->has_overrun = false;
		*event = (struct umad_event){ .type = UMAD_EVENT_OVERRUN };
		return 1;
	}
	return umad_queue_take(&monitor->queue, event);
}

/* Empties the sockets, so that what leads to no event does not fill them. Returns 1 if there may be
 * more, or 0. */
static int read_messages(struct umad_monitor *monitor)
{
	int ret = 1, left = MESSAGES_AT_ONCE;

	while (ret > 0 && left-- && monitor->queue.count < EVENTS_AHEAD)
		ret = work(monitor);
	return ret;
}

static bool is_over(int64_t deadline)
{
	return deadline != UMAD_NO_DEADLINE && umad_sys_deadline(0) >= deadline;
}

static int read_event(struct umad_monitor *monitor, struct umad_event *event, int timeout_ms)
{
	int64_t deadline = umad_sys_deadline(timeout_ms);
	int ret, more;

	for (;;) {
		more = read_messages(monitor);
		if (more < 0)
			return more;
		ret = take_event(monitor, event);
		if (ret)
			return ret;
		if (more && is_over(deadline))
			return 0;
		if (!more)
			ret = umad_sys_poll_input(monitor->epoll_fd, deadline);
		if (ret < 0)
			return ret == -ETIMEDOUT ? 0 : ret;
	}
}

int umad_monitor_read(struct umad_monitor *monitor, struct umad_event *event, size_t size,
		      int timeout_ms)
{
	struct umad_event next;
	int ret, shown;

	if (!monitor || !event) {
		umad_state_finish(-EINVAL);
		return -1;
	}
	ret = read_event(monitor, &next, timeout_ms);
	shown = show_events(monitor);
	if (ret < 0 || shown < 0) {
		umad_state_finish(ret < 0 ? ret : shown);
		return -1;
	}
	if (ret) {
		memset(event, 0, size);
		memcpy(event, &next, size < sizeof(next) ? size : sizeof(next));
	}
	return ret;
}

int umad_monitor_rescan(struct umad_monitor *monitor)
{
	int ret, shown;

	if (!monitor) {
		umad_state_finish(-EINVAL);
		return -1;
	}
	ret = rescan(monitor);
	if (ret < 0)
		monitor->has_overrun = true;
	shown = show_events(monitor);
	if (ret < 0 || shown < 0) {
		umad_state_finish(ret < 0 ? ret : shown);
		return -1;
	}
	return 0;
}

const char *umad_event_str(enum umad_event_type type)
{
	static const char *const names[] = {
		[UMAD_EVENT_DEVICE_ADDED] = "device added",
		[UMAD_EVENT_DEVICE_REMOVED] = "device removed",
		[UMAD_EVENT_DEVICE_RENAMED] = "device renamed",
		[UMAD_EVENT_UMAD_ADDED] = "umad device added",
		[UMAD_EVENT_UMAD_REMOVED] = "umad device removed",
		[UMAD_EVENT_PORT_CHANGED] = "port changed",
		[UMAD_EVENT_OVERRUN] = "overrun",
	};
	size_t number = (size_t)type;

	if (number < sizeof(names) / sizeof(names[0]) && names[number])
		return names[number];
	return "<unknown>";
}
