/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Interfaces between the source files of the monitor; each file uses those above it here, and
 * monitor.c uses all. Each function returns 0 (or the value documented beside it) or a negative
 * errno, and leaves errno unchanged.
 */
#ifndef LIBIBUMAD_MONITOR_H
#define LIBIBUMAD_MONITOR_H

#include "libibumad/internal.h"
#include "libibumad/netlink/netlink.h"

/* queue.c: events that the caller has not read yet */
struct umad_event_queue {
	struct umad_event *event;
	size_t first, count, capacity;
	bool is_muted; /* what is added is dropped: changes are no events */
};
int umad_queue_add(struct umad_event_queue *queue, const struct umad_event *event);
bool umad_queue_take(struct umad_event_queue *queue, struct umad_event *event);
void umad_queue_clear(struct umad_event_queue *queue);

/* uevent.c: parses a uevent. A name that no caller can use is "". */
enum umad_uevent_action {
	UMAD_UEVENT_ADD,
	UMAD_UEVENT_REMOVE,
	UMAD_UEVENT_MOVE, /* renamed */
	UMAD_UEVENT_CHANGE,
};
struct umad_uevent {
	enum umad_uevent_action action;
	bool is_node; /* a umad device; else an InfiniBand device */
	char name[UMAD_CA_NAME_LEN];
	char old_name[UMAD_CA_NAME_LEN];
};
bool umad_uevent_parse(const char *data, size_t size, struct umad_uevent *uevent);

/* link.c: parses the kernel's messages about a network interface */
struct umad_link {
	uint32_t index;
	unsigned short type; /* ARPHRD_* */
	bool is_up, is_down; /* neither: unknown or irrelevant */
	bool has_carrier;    /* not down, but not reported to run either: up for most drivers */
	bool is_enabled;     /* by the administrator */
};
bool umad_link_parse(const struct nlmsghdr *message, struct umad_link *link);
void umad_link_settle(const struct umad_link *link);

/* The state of devices and ports at the last scan. */
struct umad_port_values { /* of a port: the values compared */
	unsigned int state, phys_state, base_lid, lmc, sm_lid, sm_sl;
	__be32 capmask;
};
struct umad_snapshot_port {
	bool is_there;
	bool is_ethernet;
	bool is_unsettled;     /* compare when no more messages are waiting */
	bool may_be_up;	       /* the last message left it open, and the port is not Active now */
	uint32_t netdev_index; /* of a RoCE port; 0 if unknown */
	struct umad_port_values values;
};
struct umad_snapshot_device {
	char name[UMAD_CA_NAME_LEN];
	struct umad_snapshot_port port[UMAD_CA_MAX_PORTS];
};
struct umad_snapshot_node {
	unsigned int number;
	struct umad_port_choice owner; /* its name "": removed before it was read */
};
struct umad_snapshot {
	struct umad_snapshot_device *device;
	struct umad_snapshot_node *node;
	size_t device_count, device_capacity;
	size_t node_count, node_capacity;
	bool has_unsettled;
	struct umad_event_queue *queue;
};

/* ports.c: ports */
int umad_snapshot_compare_ports(struct umad_snapshot *snapshot,
				struct umad_snapshot_device *device);
int umad_snapshot_take_link(struct umad_snapshot *snapshot, const struct umad_link *link);
int umad_snapshot_settle(struct umad_snapshot *snapshot);
bool umad_snapshot_has_ethernet(const struct umad_snapshot_device *device);

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
/* 1: without sysfs its device is unknown, so everything has to be compared. */
int umad_snapshot_add_node(struct umad_snapshot *snapshot, unsigned int number);
int umad_snapshot_note_node(struct umad_snapshot *snapshot, const struct umad_snapshot_node *node);
int umad_snapshot_remove_node(struct umad_snapshot *snapshot, unsigned int number);
int umad_snapshot_drop_node(struct umad_snapshot *snapshot, struct umad_snapshot_node *node);
void umad_snapshot_clear(struct umad_snapshot *snapshot);

/* rescan.c: everything at once */
int umad_snapshot_rescan(struct umad_snapshot *snapshot);

/* sources.c: where the monitor's messages come from, in the order in which they are read:
 * uevents carry the most detail. */
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
	int event_fd;		  /* always readable */
	int timer_fd;		  /* -1: never set */
	unsigned int interval_ms; /* of the timer; 0: off */
	bool event_shown;	  /* event_fd is being watched */
	bool has_overrun;	  /* to be reported before any other event */
	bool needs_rescan;	  /* messages were lost: the known state may be wrong */
};
int umad_monitor_watch(const struct umad_monitor *monitor, int operation, int fd, bool watched);
int umad_sources_open(struct umad_monitor *monitor);
void umad_sources_close(struct umad_monitor *monitor);
/* Reads one message: returns 1, or 0 if there is none; then it also resolves what earlier messages
 * left open. */
int umad_sources_read(struct umad_monitor *monitor);

/* timer.c: scans ports on a timer. interval_ms 0: never. */
int umad_timer_set(struct umad_monitor *monitor, unsigned int interval_ms);
/* Scans if the timer has expired. */
int umad_timer_scan(struct umad_monitor *monitor);

#endif /* LIBIBUMAD_MONITOR_H */
