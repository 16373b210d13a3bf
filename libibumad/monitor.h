/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * What the files of the monitor offer each other; those further down stand on those above, and
 * monitor.c on all. Each function returns 0 (or what is said beside it) or a
 * negative errno, and leaves errno alone.
 */
#ifndef LIBIBUMAD_MONITOR_H
#define LIBIBUMAD_MONITOR_H

#include "internal.h"
#include "netlink.h"

/* monitor_queue.c: events that wait to be read */
struct umad_event_queue {
	struct umad_event *event;
	size_t first, count, room;
};
int umad_queue_add(struct umad_event_queue *queue, const struct umad_event *event);
bool umad_queue_take(struct umad_event_queue *queue, struct umad_event *event);
void umad_queue_clear(struct umad_event_queue *queue);

/* monitor_uevent.c: what a uevent says. A name that no caller can have is "". */
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

/* monitor_link.c: what the kernel says of a network interface */
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
struct umad_known_port {
	bool is_there;
	bool is_ethernet;
	bool is_unsettled;     /* to be compared when there are no more messages */
	uint32_t netdev_index; /* of a RoCE port; 0 while it is not known */
	struct umad_port_values values;
};
struct umad_known_device {
	char name[UMAD_CA_NAME_LEN];
	struct umad_known_port port[UMAD_CA_MAX_PORTS];
};
struct umad_known_node {
	unsigned int number;
	struct umad_port_choice owner; /* its name "": gone before it could be asked */
};
struct umad_known {
	struct umad_known_device *device;
	struct umad_known_node *node;
	size_t device_count, device_room;
	size_t node_count, node_room;
	bool has_unsettled;
	bool quiet; /* changes are no events */
	struct umad_event_queue *queue;
};

/* monitor_known.c: devices and umad devices */
int umad_known_announce(struct umad_known *known, const struct umad_event *event);
bool umad_known_is_listed(const char *ca_name);
int umad_known_reserve(void *array, size_t count, size_t *room, size_t size);
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
bool umad_known_has_ethernet(const struct umad_known_device *device);

/* monitor_rescan.c: all of them */
int umad_known_rescan(struct umad_known *known);

/* monitor_sources.c: what the monitor listens to. In the order in which they are read: uevents are
 * the most exact. */
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
	int event_fd;		  /* always readable */
	int timer_fd;		  /* -1: never set */
	unsigned int interval_ms; /* of the timer; 0: off */
	bool event_shown;	  /* event_fd is watched */
	bool has_overrun;	  /* to be told before all else */
	bool needs_rescan;	  /* what is known may be wrong */
};
int umad_monitor_watch(const struct umad_monitor *monitor, int operation, int fd, bool watched);
int umad_sources_open(struct umad_monitor *monitor);
void umad_sources_close(struct umad_monitor *monitor);
/* One message: 1, or 0 if there is none; then what messages left open is settled, too. */
int umad_sources_read(struct umad_monitor *monitor);

/* monitor_timer.c: looks at ports from time to time. 0: never. */
int umad_timer_set(struct umad_monitor *monitor, unsigned int interval_ms);
/* Looks if it is time to. */
int umad_timer_look(struct umad_monitor *monitor);

#endif /* LIBIBUMAD_MONITOR_H */
