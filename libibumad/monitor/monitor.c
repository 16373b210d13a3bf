/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The monitor: its public calls. Messages (sources.c) and the timer (timer.c) only say that
 * something may have changed. One step, update(), then reads what exists (snapshot.c) and reports
 * the difference (difference.c), so that after the last message the known state is the actual one.
 *
 * An epoll descriptor covers all sockets and the timer. Nothing here blocks except the poll of
 * umad_monitor_read().
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>

#include "common/sized.h"
#include "libibumad/base/sys.h"
#include "libibumad/monitor/monitor.h"

/*
 * Opening and closing
 */

/* Makes the descriptor readable while there is something to report. */
static int show_events(struct umad_monitor *monitor)
{
	return umad_timer_show(monitor, monitor->queue.count || monitor->has_overrun ||
						monitor->is_outdated);
}

/* Reads what exists, and queues the events of all differences. A failure changes nothing. */
static int update(struct umad_monitor *monitor)
{
	struct umad_snapshot now;
	int error;

	umad_sources_open_rdma(monitor);
	if (monitor->link_index)
		umad_link_settle(monitor->link_index);
	error = umad_snapshot_read(&now, &monitor->known);
	if (!error)
		error = umad_difference_report(&monitor->known, &now, &monitor->queue);
	if (error < 0) {
		umad_snapshot_clear(&now);
		return error;
	}
	umad_snapshot_clear(&monitor->known);
	monitor->known = now;
	monitor->is_outdated = false;
	monitor->link_index = 0;
	return 0;
}

/* The sockets come first, so that no change is missed after the first snapshot. */
static int open_monitor(struct umad_monitor *monitor, uint32_t flags)
{
	int saved_errno = errno, result;

	monitor->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	result = monitor->epoll_fd < 0 ? -errno : umad_timer_open(monitor);
	errno = saved_errno;
	if (!result)
		result = umad_sources_open(monitor);
	if (!result)
		result = update(monitor);
	if (!(flags & UMAD_MONITOR_REPORT_PRESENT))
		monitor->queue.count = 0;
	return result < 0 ? result : show_events(monitor);
}

struct umad_monitor *umad_monitor_open(uint32_t flags)
{
	struct umad_monitor *monitor = NULL;
	int result = -EINVAL;

	if (!(flags & ~UMAD_MONITOR_REPORT_PRESENT)) {
		monitor = malloc(sizeof(*monitor));
		result = -ENOMEM;
	}
	if (monitor) {
		*monitor = (struct umad_monitor){ .epoll_fd = -1, .timer_fd = -1 };
		umad_sys_clear_resource_error();
		result = open_monitor(monitor, flags);
	}
	if (result < 0) {
		umad_monitor_close(monitor);
		umad_state_finish(result);
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
	umad_snapshot_clear(&monitor->known);
	free(monitor->queue.event);
	free(monitor);
}

int umad_monitor_get_fd(const struct umad_monitor *monitor)
{
	return monitor ? monitor->epoll_fd : umad_state_fail(-EINVAL);
}

/*
 * Events
 */

/* False if there is none. */
static bool take_event(struct umad_monitor *monitor, struct umad_event *event)
{
	struct umad_event_queue *queue = &monitor->queue;

	if (monitor->has_overrun) {
		monitor->has_overrun = false;
		*event = (struct umad_event){ .type = UMAD_EVENT_OVERRUN };
		return true;
	}
	if (!queue->count)
		return false;
	*event = queue->event[queue->first++];
	if (queue->first == queue->count)
		queue->first = queue->count = 0;
	return true;
}

static int read_event(struct umad_monitor *monitor, struct umad_event *event, int timeout_ms)
{
	int64_t deadline = umad_sys_deadline(timeout_ms);
	int result, more;

	for (;;) {
		more = umad_sources_read(monitor);
		if (more < 0)
			return more;
		result = umad_timer_read(monitor);
		if (!result && monitor->is_outdated && !monitor->queue.count)
			result = update(monitor);
		if (result < 0)
			return result;
		if (take_event(monitor, event))
			return 1;
		if (more && !umad_sys_remaining_ms(deadline))
			return 0;
		result = show_events(monitor);
		if (!more && !result)
			result = umad_sys_poll_input(monitor->epoll_fd,
						     umad_sys_remaining_ms(deadline), deadline);
		if (result < 0)
			return result == -ETIMEDOUT ? 0 : result;
	}
}

/* After a failure, the next call reports the event that was to be read, or fails. */
int umad_monitor_read(struct umad_monitor *monitor, struct umad_event *event, size_t size,
		      int timeout_ms)
{
	struct umad_event next;
	int result = monitor ? sized_check(event, size, SIZED_TO(event, node)) : -EINVAL, shown;

	if (result)
		return umad_state_fail(result);
	umad_sys_clear_resource_error();
	result = read_event(monitor, &next, timeout_ms);
	shown = show_events(monitor);
	if (result > 0) {
		SIZED_GIVE(event, size, node, &next);
		return 1;
	}
	return umad_state_fail(result < 0 ? result : shown);
}

int umad_monitor_rescan(struct umad_monitor *monitor)
{
	int result, shown;

	if (!monitor)
		return umad_state_fail(-EINVAL);
	umad_sys_clear_resource_error();
	monitor->is_outdated = true;
	umad_snapshot_mark_all(&monitor->known);
	result = update(monitor);
	shown = show_events(monitor);
	return umad_state_fail(result < 0 ? result : shown);
}

int umad_monitor_set_interval(struct umad_monitor *monitor, int interval_ms)
{
	return umad_state_fail(monitor && interval_ms >= 0 ? umad_timer_set(monitor, interval_ms)
							   : -EINVAL);
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
