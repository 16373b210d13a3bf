/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Interfaces between the source files of the monitor; each file uses those above it here, and
 * monitor.c uses all. Each function returns 0 (or the value documented beside it) or a negative
 * errno, and leaves errno unchanged.
 */
#ifndef LIBIBUMAD_MONITOR_H
#define LIBIBUMAD_MONITOR_H

#include <errno.h>

#include "libibumad/internal.h"
#include "libibumad/netlink/netlink.h"

/* known.c: the devices, ports and umad devices that events have reported. A message or the timer
 * marks what may have changed, until it has been read. */
enum {
	UMAD_MARK_SCAN = UMAD_PORT_STATE | UMAD_PORT_PHYS_STATE | UMAD_PORT_LID | UMAD_PORT_SM_LID,
	UMAD_MARK_ALL = UMAD_PORT_ALL & ~UMAD_PORT_RATE,
	UMAD_MARK_LINK = UMAD_MARK_ALL & ~UMAD_PORT_GUID,
};
struct umad_known_port {
	unsigned int marked; /* enum umad_port_attribute */
	bool exists;
	bool is_ethernet;
	uint32_t netdev_index; /* of a RoCE port; 0 if unknown, or in another network namespace */
	__be64 guid;	       /* of an InfiniBand port; 0 if unknown */
	unsigned int down_phys_state; /* 0, or: it was down, and in this physical state */
	struct umad_event reported;   /* the last one; its type is 0 before the first one */
};
struct umad_known_device {
	char name[UMAD_CA_NAME_LEN];
	__be64 node_guid; /* 0 if unknown */
	bool is_marked;	  /* may be another device */
	struct umad_known_port port[UMAD_CA_MAX_PORTS];
};
struct umad_known_node {
	unsigned int number;
	struct umad_port_choice owner;
	bool is_marked;	  /* the owner may be another one */
	bool is_reported; /* the owner is a known device: not one of another network namespace */
	bool is_found;	  /* for look.c */
};
struct umad_known {
	struct umad_known_device *device;
	size_t device_count, device_capacity;
	struct umad_known_node *node;
	size_t node_count, node_capacity;
	struct umad_event *event; /* unread ones, from event_first to event_count - 1 */
	size_t event_first, event_count, event_capacity;
};
void umad_known_free(struct umad_known *known);
struct umad_known_device *umad_known_find_device(const struct umad_known *known, const char *name);
struct umad_known_node *umad_known_find_node(const struct umad_known *known, unsigned int number);
void umad_known_mark_device(struct umad_known *known, const char *name);
void umad_known_mark_all(struct umad_known *known);
/* Each of these changes what is known and queues the event about it, or fails and does neither. */
int umad_known_add_device(struct umad_known *known, const char *name, __be64 node_guid);
int umad_known_remove_device(struct umad_known *known, struct umad_known_device *device);
int umad_known_rename(struct umad_known *known, const char *old_name, const char *name);
int umad_known_report_node(struct umad_known *known, struct umad_known_node *node, bool exists);
int umad_known_forget_node(struct umad_known *known, struct umad_known_node *node);
int umad_known_take_port(struct umad_known *known, struct umad_known_port *port, unsigned int found,
			 const umad_port_t *read);
/* Whether the attributes that were read (`found`) have other values than those reported. */
bool umad_known_differs(const struct umad_known_port *port, unsigned int found,
			const umad_port_t *read);

/* look.c: reads what is new or marked, and reports the differences. After a failure the next look
 * finds the rest. */
int umad_look(struct umad_known *known);

/* sources.c: the sockets. Of a new name the kernel sends the uevent before the notification, so
 * uevents are read last. */
enum umad_monitor_source {
	UMAD_SOURCE_RDMA,
	UMAD_SOURCE_LINK,
	UMAD_SOURCE_UEVENT,
	UMAD_SOURCES,
};

struct umad_monitor {
	struct nl_sock *source[UMAD_SOURCES];
	struct umad_known known;
	int epoll_fd;
	int timer_fd;
	int interval_ms;     /* of scans; 0: none */
	int64_t scan_at;     /* the next one */
	unsigned int scans;  /* number of scans */
	bool shows_events;   /* the timer is readable because there are any */
	uint32_t link_index; /* 0, or an interface whose driver is to be waited for */
	bool has_overrun;    /* to be reported before any other event */
	bool is_outdated;    /* something may have changed since the last look */
};
int umad_sources_watch(const struct umad_monitor *monitor, int fd);
int umad_sources_open(struct umad_monitor *monitor);
void umad_sources_close(struct umad_monitor *monitor);
/* Waits until the drivers have processed the change of a network interface that a message
 * announced: the kernel sends the message, then notifies the drivers with a lock held that this
 * request needs. If the request fails, the interface is gone, or there is nothing to wait for. */
void umad_sources_settle(uint32_t link_index);
/* Reads the messages that are waiting, up to a limit. Returns 1 if there may be more. */
int umad_sources_read(struct umad_monitor *monitor);

#endif /* LIBIBUMAD_MONITOR_H */
