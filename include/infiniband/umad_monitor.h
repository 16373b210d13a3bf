/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Events when devices, umad devices and ports are added, removed or changed: umad_monitor_open(3),
 * which says which changes the kernel reports and what an event means. A monitor belongs to the
 * process that opened it. */
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
	UMAD_MONITOR_REPORT_PRESENT = 1 << 0, /* existing devices are reported as added */
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

/* Bits of umad_event.changed; a new port has all of them. */
enum umad_event_change {
	UMAD_CHANGED_STATE = 1 << 0,
	UMAD_CHANGED_PHYS_STATE = 1 << 1,
	UMAD_CHANGED_LID = 1 << 2, /* base_lid, lmc */
	UMAD_CHANGED_SM = 1 << 3,  /* sm_lid, sm_sl */
	UMAD_CHANGED_CAPMASK = 1 << 4
};

/* Bytes of a name with its NUL: what the kernel allows, more than UMAD_CA_NAME_LEN. */
#define UMAD_EVENT_NAME_LEN 64

/* An event, in host byte order. Members that its type does not use are 0 or ""; ca_name is set for
 * all types but OVERRUN, and PORT_CHANGED sets all members from changed to capability_mask. Later
 * versions add members at the end. */
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

/* Opens a monitor, which the caller closes with umad_monitor_close(); every change from now on is
 * an event. flags: 0 or UMAD_MONITOR_REPORT_PRESENT. Returns NULL with EINVAL (flags), ELIBACC
 * (libnl-3 is not installed), ELIBBAD (functions are missing from it), EPROTONOSUPPORT (a kernel
 * without uevents), or an error of opening sockets and reading sysfs. */
struct umad_monitor *umad_monitor_open(uint32_t flags);

/* Returns a descriptor that is readable (poll, select, epoll) while umad_monitor_read() may have an
 * event, or -1 with EINVAL for NULL. The descriptor belongs to monitor: do not read or close it. */
int umad_monitor_get_fd(const struct umad_monitor *monitor);

/* umad_monitor_read() for callers without a C compiler, with the size of the structure. */
int umad_monitor_read_sized(struct umad_monitor *monitor, struct umad_event *event, size_t size,
			    int timeout_ms);

/* Reads the next event, waiting up to timeout_ms milliseconds (below 0: without limit; 0: not at
 * all). Returns 1; 0 if there is none in time; -1 with EINVAL (NULL, or a size below that of
 * version 66.0), E2BIG (a size above 4096), or an error of reading sockets and sysfs. A failure
 * loses no events. */
static inline int umad_monitor_read(struct umad_monitor *monitor, struct umad_event *event,
				    int timeout_ms)
{
	return umad_monitor_read_sized(monitor, event, sizeof(*event), timeout_ms);
}

/* Compares all devices and ports with their last known state, immediately; differences can then be
 * read as events. Returns 0, or -1 with EINVAL for NULL, ENOMEM, or another error of reading
 * sysfs. */
int umad_monitor_rescan(struct umad_monitor *monitor);

/* Sets the milliseconds from this call and from each scan to the next scan, 1000 at first; 0: none,
 * and changes without a message of the kernel are not seen. Scans take place in
 * umad_monitor_read(). Returns 0; -1 with EINVAL (NULL, or below 0). */
int umad_monitor_set_interval(struct umad_monitor *monitor, int interval_ms);

/* Closes a monitor, with its descriptor and its unread events. NULL is ignored. */
void umad_monitor_close(struct umad_monitor *monitor);

/* The type in words, "device added" for instance; "<unknown>" for any other number. */
const char *umad_event_str(unsigned type);

#ifdef __cplusplus
}
#endif

#endif
