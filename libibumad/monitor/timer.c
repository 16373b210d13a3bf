/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The timer of a monitor, a descriptor beside its sockets: it is readable while there is something
 * to report, and when the next scan of ports is due, for changes that the kernel sends no message
 * about. It is started again for each of them, and has expired when no time is left on it.
 */
#include <sys/epoll.h>
#include <sys/timerfd.h>

#include "libibumad/base/sys.h"
#include "libibumad/monitor/monitor.h"

enum { NS_PER_S = 1000000000, SCANS_TO_ALL = 16 };

/* 1 ns from now if there is something to report, else at the next scan. */
static int start(const struct umad_monitor *monitor, bool shows_events)
{
	int64_t left = monitor->scan_at - umad_sys_deadline(0);
	int64_t ns = shows_events ? 1 : !monitor->interval_ms ? 0 : left > 0 ? left : 1;
	struct itimerspec time = { .it_value = { .tv_sec = ns / NS_PER_S,
						 .tv_nsec = ns % NS_PER_S } };
	int saved_errno = errno;

	return umad_monitor_outcome(timerfd_settime(monitor->timer_fd, 0, &time, NULL),
				    saved_errno);
}

int umad_timer_open(struct umad_monitor *monitor)
{
	int saved_errno = errno;

	monitor->timer_fd = umad_monitor_outcome(
		timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK), saved_errno);
	return monitor->timer_fd < 0 ? monitor->timer_fd
				     : umad_monitor_watch(monitor, monitor->timer_fd);
}

int umad_timer_show(struct umad_monitor *monitor, bool shows_events)
{
	int error = shows_events != monitor->shows_events ? start(monitor, shows_events) : 0;

	if (!error)
		monitor->shows_events = shows_events;
	return error;
}

int umad_timer_set(struct umad_monitor *monitor, int interval_ms)
{
	monitor->interval_ms = interval_ms;
	monitor->scan_at = umad_sys_deadline(interval_ms);
	return start(monitor, monitor->shows_events);
}

/* A scan reads what changes without a message: of the ports the values that change most, and each
 * SCANS_TO_ALL times everything. Of RoCE ports the kernel sends messages, if their network
 * interfaces are in this namespace. */
int umad_timer_read(struct umad_monitor *monitor)
{
	struct umad_known_port *port;
	struct itimerspec left;

	if (!monitor->interval_ms || monitor->shows_events ||
	    timerfd_gettime(monitor->timer_fd, &left) < 0 || left.it_value.tv_sec ||
	    left.it_value.tv_nsec)
		return 0;
	if (!(++monitor->scans % SCANS_TO_ALL))
		umad_known_mark_all(&monitor->known);
	for (size_t i = 0; i < monitor->known.device_count; i++)
		for (int portnum = 0; portnum < UMAD_CA_MAX_PORTS; portnum++) {
			port = &monitor->known.device[i].port[portnum];
			port->marked |= port->netdev_index ? 0 : UMAD_MARK_SCAN;
		}
	monitor->is_outdated = true;
	return umad_timer_set(monitor, monitor->interval_ms);
}
