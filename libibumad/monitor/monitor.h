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

/* messages.c: parses a uevent. A name that no caller can use is "". */
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

/* messages.c: parses the kernel's messages about a network interface */
struct umad_link {
	uint32_t index;
	unsigned short type; /* ARPHRD_* */
	bool is_down;
	bool is_enabled;  /* by the administrator */
	__be64 port_guid; /* of an IPoIB interface; 0 if unknown */
};
bool umad_link_parse(const struct nlmsghdr *message, struct umad_link *link);
void umad_link_settle(uint32_t index);

/* snapshot.c: the devices, ports and umad devices that existed at one time, and what messages have
 * said about them since */
struct umad_port_values { /* of a port: the values compared */
	unsigned int state, phys_state, base_lid, lmc, sm_lid, sm_sl, capmask;
};
struct umad_snapshot_port {
	bool is_there;
	bool is_ethernet;
	uint32_t netdev_index; /* of a RoCE port; 0 if unknown, or in another network namespace */
	__be64 guid;	       /* of any other; 0 if unknown */
	struct umad_port_values values;
	bool is_marked;		      /* may have changed */
	unsigned int down_phys_state; /* 0, or: it was down, and in this physical state */
};
#define UMAD_SNAPSHOT_NONE SIZE_MAX
struct umad_snapshot_device {
	char name[UMAD_CA_NAME_LEN];
	__be64 node_guid;
	struct umad_snapshot_port port[UMAD_CA_MAX_PORTS];
	size_t same; /* the index of this device in the other snapshot, or UMAD_SNAPSHOT_NONE */
	bool is_done;
	bool is_removed;		 /* a device with this name is another one */
	char new_name[UMAD_CA_NAME_LEN]; /* "" if it was not renamed */
};
struct umad_snapshot_node {
	unsigned int number;
	int portnum;
	size_t device; /* its index */
	bool is_removed;
};
struct umad_snapshot {
	struct umad_snapshot_device *device;
	struct umad_snapshot_node *node;
	size_t device_count, device_capacity;
	size_t node_count, node_capacity;
};
size_t umad_snapshot_find(const struct umad_snapshot *snapshot, const char *ca_name);
void umad_snapshot_mark_ports(struct umad_snapshot_device *device);
void umad_snapshot_mark_all(struct umad_snapshot *snapshot);
/* Reads what exists now; of the ports known before, only those that are marked. On failure there is
 * nothing to clear. */
int umad_snapshot_read(struct umad_snapshot *now, struct umad_snapshot *before);
void umad_snapshot_clear(struct umad_snapshot *snapshot);

/* difference.c: events that the caller has not read yet */
struct umad_event_queue {
	struct umad_event *event;
	size_t first, count, capacity; /* events from first to count - 1 */
};
/* Appends the events that lead from one snapshot to the next one. */
int umad_difference_report(const struct umad_snapshot *before, struct umad_snapshot *now,
			   struct umad_event_queue *queue);

/* sources.c: where the monitor's messages come from. Of a new name the kernel sends the uevent
 * before the notification, so uevents are read last. */
enum umad_monitor_source {
	UMAD_SOURCE_RDMA,
	UMAD_SOURCE_LINK,
	UMAD_SOURCE_UEVENT,
	UMAD_SOURCES,
};

struct umad_monitor {
	struct nl_sock *source[UMAD_SOURCES];
	struct umad_snapshot known; /* its events are in the queue, or have been read */
	struct umad_event_queue queue;
	int epoll_fd;
	int timer_fd;
	int interval_ms;     /* of scans; 0: none */
	int64_t scan_at;     /* the next one */
	bool shows_events;   /* the timer is readable because there are any */
	uint32_t link_index; /* 0, or an interface whose driver is to be waited for */
	bool has_overrun;    /* to be reported before any other event */
	bool is_outdated;    /* something may have changed since the snapshot */
};
int umad_monitor_watch(const struct umad_monitor *monitor, int fd);
int umad_sources_open(struct umad_monitor *monitor);
void umad_sources_open_rdma(struct umad_monitor *monitor);
void umad_sources_close(struct umad_monitor *monitor);
/* Reads the messages that are waiting, up to a limit. Returns 1 if there may be more. */
int umad_sources_read(struct umad_monitor *monitor);

/* timer.c: makes the monitor readable for events, and for scans of ports. interval_ms 0: none. */
int umad_timer_open(struct umad_monitor *monitor);
int umad_timer_show(struct umad_monitor *monitor, bool shows_events);
int umad_timer_set(struct umad_monitor *monitor, int interval_ms);
/* Marks ports if a scan is due. */
int umad_timer_read(struct umad_monitor *monitor);

#endif /* LIBIBUMAD_MONITOR_H */
