/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The monitor: its public calls and its timer. Messages (sources.c) and the timer say what may have
 * changed of what the events have reported (known.c). Then a look (look.c) reads that, and reports
 * the difference, so that after the last message the known state is the actual one. Messages are
 * read when all events have been.
 *
 * An epoll descriptor covers all sockets and the timer. Nothing here blocks except the poll of
 * umad_monitor_read().
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>

#include "common/sized.h"
#include "libibumad/base/sys.h"
#include "libibumad/monitor/monitor.h"

enum { SCAN_INTERVAL_MS = 1000, SCANS_TO_ALL = 16, NS_PER_S = 1000000000 };

/*
 * The timer: expired, and so readable, while there is something to report, and when a scan of ports
 * is due, for changes that the kernel sends no message about.
 */

static int start_timer(struct umad_monitor *monitor, bool shows_events)
{
	int64_t left = monitor->scan_at - umad_sys_deadline(0);
	int64_t ns = shows_events ? 1 : !monitor->interval_ms ? 0 : left > 0 ? left : 1;
	struct itimerspec time = { .it_value = { .tv_sec = ns / NS_PER_S,
						 .tv_nsec = ns % NS_PER_S } };
	int saved_errno = errno;
	int error = (int)umad_sys_outcome(
		&errno, timerfd_settime(monitor->timer_fd, 0, &time, NULL), saved_errno);

	if (!error)
		monitor->shows_events = shows_events;
	return error;
}

static int set_interval(struct umad_monitor *monitor, int interval_ms)
{
	monitor->interval_ms = interval_ms;
	monitor->scan_at = umad_sys_deadline(interval_ms);
	return start_timer(monitor, monitor->shows_events);
}

/* Marks what a scan reads, if one is due: of the ports the values that change most, and each
 * SCANS_TO_ALL times everything. Of RoCE ports the kernel sends messages, if their network
 * interfaces are in this namespace. */
static int read_timer(struct umad_monitor *monitor)
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
	return set_interval(monitor, monitor->interval_ms);
}

/* Makes the descriptor readable while there is something to report. */
static int show_events(struct umad_monitor *monitor)
{
	bool shows_events =
		monitor->known.event_count || monitor->has_overrun || monitor->is_outdated;

	return shows_events != monitor->shows_events ? start_timer(monitor, shows_events) : 0;
}

/*
 * Opening and closing
 */

/* Looks at what may have changed, and queues the events. */
static int update(struct umad_monitor *monitor)
{
	int error;

	if (monitor->link_index)
		umad_sources_settle(monitor->link_index);
	error = umad_look(&monitor->known);
	if (error < 0)
		return error;
	monitor->is_outdated = false;
	monitor->link_index = 0;
	return 0;
}

/* The sockets come first, so that no change is missed after the first snapshot. */
static int open_monitor(struct umad_monitor *monitor, uint32_t flags)
{
	int saved_errno = errno, result;

	result = monitor->epoll_fd =
		(int)umad_sys_outcome(&errno, epoll_create1(EPOLL_CLOEXEC), saved_errno);
	if (result >= 0)
		result = monitor->timer_fd = (int)umad_sys_outcome(
			&errno, timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK),
			saved_errno);
	if (result >= 0)
		result = umad_sources_watch(monitor, monitor->timer_fd);
	if (!result)
		result = umad_sources_open(monitor);
	if (!result)
		result = update(monitor);
	if (!(flags & UMAD_MONITOR_REPORT_PRESENT))
		monitor->known.event_count = 0;
	if (!result)
		result = set_interval(monitor, SCAN_INTERVAL_MS);
	return result < 0 ? result : show_events(monitor);
}

struct umad_monitor *umad_monitor_open(uint32_t flags)
{
	struct umad_monitor *monitor;
	int result = -ENOMEM;

	if (flags & ~UMAD_MONITOR_REPORT_PRESENT) {
		umad_state_fail(mad_refuse(MAD_REFUSED_MONITOR_FLAGS));
		return NULL;
	}
	monitor = malloc(sizeof(*monitor));
	if (monitor) {
		*monitor = (struct umad_monitor){ .epoll_fd = -1, .timer_fd = -1 };
		umad_sys_clear_resource_error();
		result = open_monitor(monitor, flags);
	}
	if (result < 0) {
		umad_monitor_close(monitor);
		umad_state_fail(result);
		return NULL;
	}
	return monitor;
}

void umad_monitor_close(struct umad_monitor *monitor)
{
	if (!monitor)
		return;
	umad_sources_close(monitor);
	if (monitor->timer_fd >= 0)
		umad_sys_close(monitor->timer_fd);
	if (monitor->epoll_fd >= 0)
		umad_sys_close(monitor->epoll_fd);
	umad_known_free(&monitor->known);
	free(monitor);
}

int umad_monitor_get_fd(const struct umad_monitor *monitor)
{
	return monitor ? monitor->epoll_fd : umad_state_fail(mad_refuse(MAD_REFUSED_MONITOR));
}

/*
 * Events
 */

/* False if there is none. */
static bool take_event(struct umad_monitor *monitor, struct umad_event *event)
{
	struct umad_known *known = &monitor->known;

	if (monitor->has_overrun) {
		monitor->has_overrun = false;
		*event = (struct umad_event){ .type = UMAD_EVENT_OVERRUN };
		return true;
	}
	if (!known->event_count)
		return false;
	*event = known->event[known->event_first++];
	if (known->event_first == known->event_count)
		known->event_first = known->event_count = 0;
	return true;
}

static int read_event(struct umad_monitor *monitor, struct umad_event *event, int timeout_ms)
{
	int64_t deadline = umad_sys_deadline(timeout_ms);
	int result, more;

	while (!take_event(monitor, event)) {
		more = umad_sources_read(monitor);
		if (more < 0)
			return more;
		result = read_timer(monitor);
		if (!result && monitor->is_outdated)
			result = update(monitor);
		if (!result)
			result = show_events(monitor);
		if (result < 0)
			return result;
		if (monitor->shows_events)
			continue;
		if (!umad_sys_remaining_ms(deadline))
			return 0; /* even if the next scan is due by now */
		if (!more)
			result = umad_sys_poll_input(monitor->epoll_fd,
						     umad_sys_remaining_ms(deadline), true);
		if (result < 0)
			return result == -ETIMEDOUT ? 0 : result;
	}
	return 1;
}

/* After a failure, the next call reports the event that was to be read, or fails. */
static int finish(struct umad_monitor *monitor, int result)
{
	int shown = show_events(monitor);

	return umad_state_fail(result < 0 ? result : shown);
}

int umad_monitor_read_sized(struct umad_monitor *monitor, struct umad_event *event, size_t size,
			    int timeout_ms)
{
	struct umad_event next;
	int result = monitor ? sized_check(event, size, SIZED_TO(event, node))
			     : mad_refuse(MAD_REFUSED_MONITOR);

	if (result)
		return umad_state_fail(result);
	umad_sys_clear_resource_error();
	result = read_event(monitor, &next, timeout_ms);
	if (result <= 0)
		return finish(monitor, result);
	show_events(monitor);
	SIZED_GIVE(event, size, node, &next);
	return 1;
}

int umad_monitor_rescan(struct umad_monitor *monitor)
{
	if (!monitor)
		return umad_state_fail(mad_refuse(MAD_REFUSED_MONITOR));
	umad_sys_clear_resource_error();
	monitor->is_outdated = true;
	umad_known_mark_all(&monitor->known);
	return finish(monitor, update(monitor));
}

int umad_monitor_set_interval(struct umad_monitor *monitor, int interval_ms)
{
	if (!monitor || interval_ms < 0)
		return umad_state_fail(
			mad_refuse(monitor ? MAD_REFUSED_INTERVAL : MAD_REFUSED_MONITOR));
	return umad_state_fail(set_interval(monitor, interval_ms));
}

const char *umad_event_str(unsigned type)
{
	static const char *const names[] = {
		[UMAD_EVENT_DEVICE_ADDED] = "device added",
		[UMAD_EVENT_DEVICE_REMOVED] = "device removed",
		[UMAD_EVENT_DEVICE_RENAMED] = "device renamed",
		[UMAD_EVENT_UMAD_ADDED] = "umad device added",
		[UMAD_EVENT_UMAD_REMOVED] = "umad device removed",
		[UMAD_EVENT_PORT_CHANGED] = "port changed",
		[UMAD_EVENT_OVERRUN] = "overrun",
	};
	const size_t count = sizeof(names) / sizeof(names[0]);

	return type < count && names[type] ? names[type] : "<unknown>";
}
