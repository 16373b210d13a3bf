/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Events when devices, umad devices and ports are added, removed or changed: umad_monitor_open(3),
 * which says which changes the kernel reports and what an event means. A monitor belongs to the
 * process that opened it.
 */
#ifndef INFINIBAND_UMAD_MONITOR_H
#define INFINIBAND_UMAD_MONITOR_H

#include <stddef.h>
#include <stdint.h>

#include <infiniband/umad.h>
#include <infiniband/umad_port_states.h>

#ifdef __cplusplus
extern "C" {
#endif

/* An open monitor. Only one thread at a time may use it; several monitors are independent. */
struct umad_monitor;

/* Flags of umad_monitor_open(). */
enum umad_monitor_flag {
	UMAD_MONITOR_REPORT_PRESENT = 1 << 0, /* what exists is reported as added */
};

/* The values of umad_event.type. */
enum umad_event_type {
	UMAD_EVENT_DEVICE_ADDED = 1, /* a PORT_CHANGED for each of its ports follows */
	UMAD_EVENT_DEVICE_REMOVED,
	UMAD_EVENT_DEVICE_RENAMED,
	UMAD_EVENT_UMAD_ADDED, /* the port can be opened, once udev has set the node's permissions
				*/
	UMAD_EVENT_UMAD_REMOVED,
	UMAD_EVENT_PORT_CHANGED,
	UMAD_EVENT_OVERRUN /* messages were lost; events that lead to the actual state follow */
};

/* What has changed about a port: bits of umad_event.changed; of a new port all. */
enum umad_event_change {
	UMAD_CHANGED_STATE = 1 << 0,
	UMAD_CHANGED_PHYS_STATE = 1 << 1,
	UMAD_CHANGED_LID = 1 << 2, /* base_lid, lmc */
	UMAD_CHANGED_SM = 1 << 3,  /* sm_lid, sm_sl */
	UMAD_CHANGED_CAPMASK = 1 << 4
};

/* Bytes of a name with its NUL: what the kernel allows, more than UMAD_CA_NAME_LEN. */
#define UMAD_EVENT_NAME_LEN 64

/*
 * One event, all in host byte order; members that its type does not use are 0 or "". ca_name is set
 * for all types except OVERRUN. A PORT_CHANGED sets all members from changed to capability_mask.
 * Later versions add members at the end.
 */
struct umad_event {
	uint32_t type;		 /* UMAD_EVENT_* */
	uint32_t port_number;	 /* PORT_CHANGED, UMAD_ADDED, UMAD_REMOVED */
	uint32_t changed;	 /* UMAD_CHANGED_* */
	uint32_t state;		 /* enum umad_port_state */
	uint32_t physical_state; /* enum umad_phys_state */
	uint32_t base_lid;
	uint32_t lmc;
	uint32_t sm_lid;
	uint32_t sm_sl;
	uint32_t capability_mask;
	char ca_name[UMAD_EVENT_NAME_LEN];  /* the device; its new name if it was renamed */
	char old_name[UMAD_EVENT_NAME_LEN]; /* DEVICE_RENAMED */
	char node[UMAD_EVENT_NAME_LEN]; /* UMAD_ADDED, UMAD_REMOVED: "umad0", in /dev/infiniband */
};

/*
 * Opens a monitor; every change from now on is an event. flags: 0 or UMAD_MONITOR_REPORT_PRESENT,
 * with which a caller that applies all events, and reads nothing by other means, always knows the
 * actual state. InfiniBand ports are scanned once a second (umad_monitor_set_interval()). The
 * caller closes it with umad_monitor_close(). Returns NULL with errno EINVAL (flags), ELIBACC
 * (libnl-3 is not installed), ELIBBAD (functions are missing from it), EPROTONOSUPPORT (a kernel
 * without uevents), ENOMEM, EMFILE or another error of opening sockets and reading sysfs.
 */
struct umad_monitor *umad_monitor_open(uint32_t flags);

/*
 * Returns a descriptor that is readable (poll, select, epoll) while umad_monitor_read() may have an
 * event, or -1 with EINVAL for NULL. It belongs to monitor: do not read or close it.
 */
int umad_monitor_get_fd(const struct umad_monitor *monitor);

/* umad_monitor_read() for callers without a C compiler, with the size of the structure. */
int umad_monitor_read_sized(struct umad_monitor *monitor, struct umad_event *event, size_t size,
			    int timeout_ms);

/*
 * Reads the next event, waiting up to timeout_ms milliseconds for one (below 0: without limit; 0:
 * not at all). Members that the program's structure does not have are omitted, those that the
 * library does not have are 0.
 * Returns 1; 0 if there is none in time (messages about other things may remain, and keep the
 * descriptor readable); -1 with errno EINVAL (NULL, or a size below that of version 66.0), E2BIG (a
 * size of more than 4096 bytes), ENOMEM, EMFILE or another error of reading sockets and sysfs. A
 * failure loses no events: a later call reports them.
 */
static inline int umad_monitor_read(struct umad_monitor *monitor, struct umad_event *event,
				    int timeout_ms)
{
	return umad_monitor_read_sized(monitor, event, sizeof(*event), timeout_ms);
}

/*
 * Compares all devices and ports with their last known state, immediately; differences can then be
 * read as events. Returns 0, or -1 with EINVAL for NULL, ENOMEM, or another error of reading sysfs.
 */
int umad_monitor_rescan(struct umad_monitor *monitor);

/*
 * Sets when the monitor scans: interval_ms milliseconds after this call and after each scan; 1000
 * at first; 0 switches scans off, and changes that the kernel sends no message about are not seen
 * any more. The scan takes place within umad_monitor_read(), and umad_monitor_get_fd() is readable
 * when it is due. Changes become events as if the kernel had sent a message; a change that has
 * reverted by the next scan is not seen. A scan lists devices and umad devices, and reads state,
 * physical state, LID and SM LID of each port: 29 system calls on a host with one port, 13 more for
 * each other. The adapter is queried for each of the four files. RoCE ports whose network interface
 * is in the monitor's network namespace are omitted: for these the kernel sends messages. LMC, SM
 * SL and capability mask are read when one of the four has changed, and each 16th scan reads
 * everything. Returns 0; -1 with EINVAL (NULL, or below 0).
 */
int umad_monitor_set_interval(struct umad_monitor *monitor, int interval_ms);

/* Closes a monitor, with its descriptor and its unread events. NULL is ignored. */
void umad_monitor_close(struct umad_monitor *monitor);

/* The type in words, "device added" for instance; "<unknown>" for any other number. */
const char *umad_event_str(unsigned type);

#ifdef __cplusplus
}
#endif

#endif
