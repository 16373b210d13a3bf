/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * What the files of the monitor offer each other; those further down stand on those above, and
 * monitor.c on all. Each function returns 0 (or what is said beside it) or a
 * negative errno, and leaves errno alone.
 */
#ifndef LIBIBUMAD_MONITOR_H
#define LIBIBUMAD_MONITOR_H

#include "libibumad/internal.h"
#include "libibumad/netlink/netlink.h"

/* queue.c: events that wait to be read */
struct umad_event_queue {
	struct umad_event *event;
	size_t first, count, room;
	bool is_muted; /* what is added is dropped: changes are no events */
};
int umad_queue_add(struct umad_event_queue *queue, const struct umad_event *event);
bool umad_queue_take(struct umad_event_queue *queue, struct umad_event *event);
void umad_queue_clear(struct umad_event_queue *queue);

/* uevent.c: what a uevent says. A name that no caller can have is "". */
enum umad_uevent_action {
	UMAD_UEVENT_ADD,
	UMAD_UEVENT_REMOVE,
	UMAD_UEVENT_MOVE, /* another name */
	UMAD_UEVENT_CHANGE,
};
struct umad_uevent {
	enum umad_uevent_action action;
	bool is_node; /* a umad device; else an InfiniBand device */
	char name[UMAD_CA_NAME_LEN];
	char old_name[UMAD_CA_NAME_LEN];
};
bool umad_uevent_parse(const char *data, size_t size, struct umad_uevent *uevent);

/* link.c: what the kernel says of a network interface */
struct umad_link {
	uint32_t index;
	unsigned short type; /* ARPHRD_* */
	bool is_up, is_down; /* neither: not clear, or of no matter */
	bool is_enabled;     /* by the administrator */
};
bool umad_link_parse(const struct nlmsghdr *message, struct umad_link *link);
void umad_link_settle(const struct umad_link *link);

/* What was there when it was last looked at. */
struct umad_port_values { /* of a port: what is compared */
	unsigned int state, phys_state, base_lid, lmc, sm_lid, sm_sl;
	__be32 capmask;
};
struct umad_snapshot_port {
	bool is_there;
	bool is_ethernet;
	bool is_unsettled;     /* to be compared when there are no more messages */
	uint32_t netdev_index; /* of a RoCE port; 0 while it is not known */
	struct umad_port_values values;
};
struct umad_snapshot_device {
	char name[UMAD_CA_NAME_LEN];
	struct umad_snapshot_port port[UMAD_CA_MAX_PORTS];
};
struct umad_snapshot_node {
	unsigned int number;
	struct umad_port_choice owner; /* its name "": gone before it could be asked */
};
struct umad_snapshot {
	struct umad_snapshot_device *device;
	struct umad_snapshot_node *node;
	size_t device_count, device_room;
	size_t node_count, node_room;
	bool has_unsettled;
	struct umad_event_queue *queue;
};

/* ports.c: ports */
int umad_snapshot_compare_ports(struct umad_snapshot *snapshot,
				struct umad_snapshot_device *device);
int umad_snapshot_take_link(struct umad_snapshot *snapshot, const struct umad_link *link);
int umad_snapshot_settle(struct umad_snapshot *snapshot);

/* snapshot.c: devices and umad devices */
bool umad_snapshot_is_listed(const char *ca_name);
struct umad_snapshot_device *umad_snapshot_find_device(const struct umad_snapshot *snapshot,
						       const char *ca_name);
struct umad_snapshot_node *umad_snapshot_find_node(const struct umad_snapshot *snapshot,
						   unsigned int number);
int umad_snapshot_add_device(struct umad_snapshot *snapshot, const char *ca_name);
int umad_snapshot_remove_device(struct umad_snapshot *snapshot, const char *ca_name);
int umad_snapshot_rename_device(struct umad_snapshot *snapshot, const char *old_name,
				const char *ca_name);
/* 1: there is no sysfs to tell whose it is, so all has to be compared. */
int umad_snapshot_add_node(struct umad_snapshot *snapshot, unsigned int number);
int umad_snapshot_note_node(struct umad_snapshot *snapshot, const struct umad_snapshot_node *node);
int umad_snapshot_remove_node(struct umad_snapshot *snapshot, unsigned int number);
int umad_snapshot_drop_node(struct umad_snapshot *snapshot, struct umad_snapshot_node *node);
void umad_snapshot_clear(struct umad_snapshot *snapshot);

/* rescan.c: all of them */
int umad_snapshot_rescan(struct umad_snapshot *snapshot);

/* sources.c: what the monitor listens to. In the order in which they are read: uevents are
 * the most exact. */
enum umad_monitor_source {
	UMAD_SOURCE_UEVENT,
	UMAD_SOURCE_LINK,
	UMAD_SOURCE_RDMA,
	UMAD_SOURCES,
};

struct umad_monitor {
	struct umad_netlink *source[UMAD_SOURCES];
	struct umad_snapshot snapshot;
	struct umad_event_queue queue;
	int epoll_fd;
	int event_fd;	   /* always readable */
	bool event_shown;  /* event_fd is watched */
	bool has_overrun;  /* to be told before all else */
	bool needs_rescan; /* what is known may be wrong */
};
int umad_monitor_watch(const struct umad_monitor *monitor, int operation, int fd, bool watched);
int umad_sources_open(struct umad_monitor *monitor);
void umad_sources_close(struct umad_monitor *monitor);
/* One message: 1, or 0 if there is none; then what messages left open is settled, too. */
int umad_sources_read(struct umad_monitor *monitor);

#endif /* LIBIBUMAD_MONITOR_H */
