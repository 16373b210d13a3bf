/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Interfaces between the source files of the monitor; each file uses those above it here, and
 * monitor.c uses all. Each function returns 0 (or the value documented beside it) or a negative
 * errno, and leaves errno unchanged.
 */
#ifndef LIBIBUMAD_MONITOR_H
#define LIBIBUMAD_MONITOR_H

#include "internal.h"
#include "netlink.h"

/* monitor_queue.c: events that the caller has not read yet */
struct umad_event_queue {
	struct umad_event *event;
	size_t first, count, capacity;
};
int umad_queue_add(struct umad_event_queue *queue, const struct umad_event *event);
bool umad_queue_take(struct umad_event_queue *queue, struct umad_event *event);
void umad_queue_clear(struct umad_event_queue *queue);

/* monitor_uevent.c: parses a uevent. A name that no caller can use is "". */
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

/* monitor_link.c: parses the kernel's messages about a network interface */
struct umad_link {
	uint32_t index;
	unsigned short type; /* ARPHRD_* */
	bool is_up, is_down; /* neither: unknown or irrelevant */
	bool is_enabled;     /* by the administrator */
};
bool umad_link_parse(const struct nlmsghdr *message, struct umad_link *link);
void umad_link_settle(const struct umad_link *link);

/* The state of devices and ports at the last scan. */
struct umad_port_values { /* of a port: the values compared */
	unsigned int state, phys_state, base_lid, lmc, sm_lid, sm_sl;
	__be32 capmask;
};
struct umad_known_port {
	bool is_there;
	bool is_ethernet;
	bool is_unsettled;     /* compare when no more messages are waiting */
	uint32_t netdev_index; /* of a RoCE port; 0 if unknown */
	struct umad_port_values values;
};
struct umad_known_device {
	char name[UMAD_CA_NAME_LEN];
	struct umad_known_port port[UMAD_CA_MAX_PORTS];
};
struct umad_known_node {
	unsigned int number;
	struct umad_port_choice owner; /* its name "": removed before it was read */
};
struct umad_known {
	struct umad_known_device *device;
	struct umad_known_node *node;
	size_t device_count, device_capacity;
	size_t node_count, node_capacity;
	bool has_unsettled;
	bool quiet; /* record changes without queueing events */
	struct umad_event_queue *queue;
};

/* monitor_known.c: devices and umad devices */
int umad_known_announce(struct umad_known *known, const struct umad_event *event);
bool umad_known_is_listed(const char *ca_name);
int umad_known_reserve(void *array, size_t count, size_t *capacity, size_t size);
struct umad_known_device *umad_known_find_device(const struct umad_known *known,
						 const char *ca_name);
struct umad_known_node *umad_known_find_node(const struct umad_known *known, unsigned int number);
int umad_known_add_device(struct umad_known *known, const char *ca_name);
int umad_known_remove_device(struct umad_known *known, const char *ca_name);
int umad_known_rename_device(struct umad_known *known, const char *old_name, const char *ca_name);
int umad_known_add_node(struct umad_known *known, unsigned int number);
int umad_known_note_node(struct umad_known *known, const struct umad_known_node *node);
int umad_known_remove_node(struct umad_known *known, unsigned int number);
int umad_known_drop_node(struct umad_known *known, struct umad_known_node *node);
void umad_known_clear(struct umad_known *known);

/* monitor_port.c: ports */
int umad_known_compare_ports(struct umad_known *known, struct umad_known_device *device);
int umad_known_take_link(struct umad_known *known, const struct umad_link *link);
int umad_known_settle(struct umad_known *known);

/* monitor_rescan.c: everything at once */
int umad_known_rescan(struct umad_known *known);

/* monitor_sources.c: where the monitor's messages come from, in the order in which they are read:
 * uevents carry the most detail. */
enum umad_monitor_source {
	UMAD_SOURCE_UEVENT,
	UMAD_SOURCE_LINK,
	UMAD_SOURCE_RDMA,
	UMAD_SOURCES,
};

struct umad_monitor {
	struct umad_netlink *source[UMAD_SOURCES];
	struct umad_known known;
	struct umad_event_queue queue;
	int epoll_fd;
	int event_fd;	   /* always readable */
	bool event_shown;  /* event_fd is being watched */
	bool has_overrun;  /* to be reported before any other event */
	bool needs_rescan; /* messages were lost: the known state may be wrong */
};
int umad_monitor_watch(const struct umad_monitor *monitor, int operation, int fd, bool watched);
int umad_sources_open(struct umad_monitor *monitor);
void umad_sources_close(struct umad_monitor *monitor);
/* Reads one message: returns 1, or 0 if there is none; then it also resolves what earlier messages
 * left open. */
int umad_sources_read(struct umad_monitor *monitor);

#endif /* LIBIBUMAD_MONITOR_H */
