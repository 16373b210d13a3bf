/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Events: devices, umad devices and ports that come, go and change, told by the kernel instead of
 * being looked for again and again.
 *
 *	struct umad_monitor *monitor = umad_monitor_open(0);
 *	struct umad_event event;
 *
 *	while (umad_monitor_read(monitor, &event, sizeof(event), -1) > 0) {
 *		printf("%s: %s", umad_event_str(event.type), event.ca_name);
 *		if (event.type == UMAD_EVENT_PORT_CHANGED)
 *			printf(" port %d is in state %u", event.portnum, event.state);
 *		putchar('\n');
 *	}
 *	umad_monitor_close(monitor);
 *
 * A program with a loop of its own waits (poll, select, epoll) until umad_monitor_get_fd() is
 * readable and then reads with a timeout of 0 until there is no event.
 *
 * The events of one device make sense in the order in which they come: it is added before it is
 * removed, and removed before it is added again; its umad devices are added after it and removed
 * before it. An event may be old: what umad_get_ca() and its relatives tell after it is as new or
 * newer. Devices are those that these list: not iWARP adapters, not names of UMAD_CA_NAME_LEN bytes
 * and more.
 *
 * What the kernel tells: that a device, or its umad device, comes, goes or has another name; that
 * the network interface of a RoCE port, or an IPoIB interface on an InfiniBand port, goes up or
 * down. All ports concerned are then compared with what was known of them. An interruption of a
 * RoCE port that is over by then is told as well, as two changes. When a LID, SM or state changes
 * on an InfiniBand port without an IPoIB interface the kernel sends no message: a program that
 * needs those has the monitor look for itself, by umad_monitor_set_interval(). All is that of the
 *network namespace in which the monitor was opened; where RDMA devices belong to namespaces (rdma
 *system set netns exclusive), those of other namespaces are not reported.
 *
 * A monitor belongs to the process that opened it. After fork() parent and child share its sockets,
 * and a message that one of them reads never reaches the other, so the child may only close its
 * copy (which leaves the parent's as it is) and open a monitor of its own. exec closes the
 * descriptors.
 *
 * Works without privileges. Stands on libnl-3 (libnl-3.so.200), which is loaded when the first
 * monitor is opened and then stays, so that programs without one need not have it.
 */
#ifndef INFINIBAND_UMAD_MONITOR_H
#define INFINIBAND_UMAD_MONITOR_H

#include <stddef.h>
#include <stdint.h>

#include <infiniband/umad.h>

#ifdef __cplusplus
extern "C" {
#endif

/* An open monitor. One thread at a time may use it; several monitors do not know of each other. */
struct umad_monitor;

/* Flags of umad_monitor_open(). */
enum {
	UMAD_MONITOR_REPORT_PRESENT = 1 << 0 /* what is there already is reported as added */
};

/* What has happened. */
enum umad_event_type {
	UMAD_EVENT_DEVICE_ADDED = 1,
	UMAD_EVENT_DEVICE_REMOVED,
	UMAD_EVENT_DEVICE_RENAMED,
	UMAD_EVENT_UMAD_ADDED, /* the port can be opened, once udev has set the node's rights */
	UMAD_EVENT_UMAD_REMOVED,
	UMAD_EVENT_PORT_CHANGED,
	UMAD_EVENT_OVERRUN /* events were lost; those that lead to what is there now follow */
};

/* What has changed about a port: bits of umad_event.changed. */
enum umad_event_change {
	UMAD_CHANGED_STATE = 1 << 0,
	UMAD_CHANGED_PHYS_STATE = 1 << 1,
	UMAD_CHANGED_LID = 1 << 2, /* base_lid, lmc */
	UMAD_CHANGED_SM = 1 << 3,  /* sm_lid, sm_sl */
	UMAD_CHANGED_CAPMASK = 1 << 4
};

/*
 * One event; what does not go with its type is 0 or "". ca_name goes with all types but OVERRUN and
 * is "" for a umad device that was gone before it could be asked whose it is. After changed come
 * members as in umad_port_t, all of which are set in a PORT_CHANGED.
 */
struct umad_event {
	enum umad_event_type type;
	int portnum;			 /* PORT_CHANGED, UMAD_ADDED, UMAD_REMOVED */
	char ca_name[UMAD_CA_NAME_LEN];	 /* the device; its new name if it was renamed */
	char old_name[UMAD_CA_NAME_LEN]; /* DEVICE_RENAMED */
	char node[UMAD_CA_NAME_LEN];	 /* UMAD_ADDED, UMAD_REMOVED: "umad0", in /dev/infiniband */
	unsigned changed;		 /* UMAD_CHANGED_* */
	unsigned state;			 /* 1 Down, 2 Initialize, 3 Armed, 4 Active */
	unsigned phys_state;		 /* 2 Polling, 3 Disabled, 5 LinkUp and so on */
	unsigned base_lid;		 /* host order, as the next three */
	unsigned lmc;
	unsigned sm_lid;
	unsigned sm_sl;
	__be32 capmask; /* network order */
};

/*
 * Opens a monitor; what happens from now on is an event. flags: 0 or UMAD_MONITOR_REPORT_PRESENT.
 * To be closed with umad_monitor_close(). Returns NULL with errno EINVAL (flags), ELIBACC (no
 * libnl-3 on this host), ELIBBAD (one that lacks functions), EPROTONOSUPPORT (a kernel without
 * uevents), ENOMEM, EMFILE or what else opening sockets and reading sysfs gives.
 */
struct umad_monitor *umad_monitor_open(unsigned flags);

/*
 * A descriptor that is readable (poll, select, epoll) while umad_monitor_read() may have an event.
 * Belongs to monitor: not to be read or closed. Returns it, or -1 with EINVAL for NULL.
 */
int umad_monitor_get_fd(const struct umad_monitor *monitor);

/*
 * Reads the next event, waiting up to timeout_ms milliseconds for one (below 0: for ever; 0: not at
 * all). Copies its first size bytes: sizeof(*event) of the header that the program was compiled
 * with; what the library does not have is 0. Returns 1; 0 if there is none in time (messages about
 * other things may then be left, and the descriptor readable); -1 with errno EINVAL (NULL), ENOMEM,
 * EMFILE or what reading sockets and sysfs gives. A failure loses no events: a later OVERRUN
 * announces them.
 */
int umad_monitor_read(struct umad_monitor *monitor, struct umad_event *event, size_t size,
		      int timeout_ms);

/*
 * Compares all devices and ports with what is known of them, now; what differs can then be read as
 * events. Returns 0, or -1 with EINVAL for NULL, ENOMEM, or what reading sysfs gives.
 */
int umad_monitor_rescan(struct umad_monitor *monitor);

/*
 * Has the monitor look at all ports of InfiniBand devices itself, interval_ms milliseconds after
 * this call and after each look; 0, as at first: never. It looks within umad_monitor_read(), and
 * umad_monitor_get_fd() is readable when it is time to. Changes are events as if the kernel had
 * sent a message; one that is over by the next look is not seen. A look opens, reads and closes 10
 * sysfs files of each port and lists the ports of each device; for some of these files the driver
 * asks the adapter. Devices with RoCE ports are left out, whose interfaces have messages. A look
 * that fails is made up for by the next. Returns 0; -1 with EINVAL (NULL, more than INT32_MAX),
 * EMFILE, ENFILE or ENOMEM.
 */
int umad_monitor_set_interval(struct umad_monitor *monitor, unsigned interval_ms);

/* Closes a monitor, with its descriptor and the events that were not read. NULL is ignored. */
void umad_monitor_close(struct umad_monitor *monitor);

/* The type in words, "device added" for instance; "<unknown>" for a number that is no type. */
const char *umad_event_str(enum umad_event_type type);

#ifdef __cplusplus
}
#endif

#endif
