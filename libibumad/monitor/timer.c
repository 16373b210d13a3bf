/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Scans ports on a timer, for changes that the kernel sends no message about. The timer is a
 * descriptor beside the monitor's sockets, so that it wakes the thread that waits for the monitor.
 * It is started again for each scan, and has expired when no time is left on it.
 */
#include <errno.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>

#include "libibumad/base/sys.h"
#include "libibumad/monitor/monitor.h"

enum { MS_PER_S = 1000, NS_PER_MS = 1000000 };

/* Starts the timer again: its descriptor is not readable until it expires. */
static int start(const struct umad_monitor *monitor)
{
	struct itimerspec time = {
		.it_value = { .tv_sec = monitor->interval_ms / MS_PER_S,
			      .tv_nsec = (long)(monitor->interval_ms % MS_PER_S) * NS_PER_MS }
	};
	int saved_errno = errno, error = 0;

	if (timerfd_settime(monitor->timer_fd, 0, &time, NULL) < 0)
		error = -errno;
	errno = saved_errno;
	return error;
}

static int create(struct umad_monitor *monitor)
{
	int saved_errno = errno, result;
	int fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);

	result = fd < 0 ? -errno : umad_monitor_watch(monitor, EPOLL_CTL_ADD, fd, true);
	errno = saved_errno;
	if (fd >= 0 && result < 0)
		umad_sys_close(fd);
	else
		monitor->timer_fd = fd;
	return result;
}

int umad_timer_set(struct umad_monitor *monitor, unsigned int interval_ms)
{
	unsigned int before = monitor->interval_ms;
	int result = 0;

	if (monitor->timer_fd < 0 && interval_ms)
		result = create(monitor);
	if (result < 0 || monitor->timer_fd < 0)
		return result;
	monitor->interval_ms = interval_ms;
	result = start(monitor);
	if (result < 0)
		monitor->interval_ms = before;
	return result;
}

static bool has_expired(const struct umad_monitor *monitor)
{
	struct itimerspec left;

	if (!monitor->interval_ms || timerfd_gettime(monitor->timer_fd, &left) < 0)
		return false;
	return !left.it_value.tv_sec && !left.it_value.tv_nsec;
}

/* Of RoCE ports the kernel sends messages, if their network interfaces are in this namespace. */
int umad_timer_read(struct umad_monitor *monitor)
{
	struct umad_snapshot_port *port;
	int portnum;
	size_t i;

	if (monitor->timer_fd < 0 || !has_expired(monitor))
		return 0;
	for (i = 0; i < monitor->known.device_count; i++)
		for (portnum = 0; portnum < UMAD_CA_MAX_PORTS; portnum++) {
			port = &monitor->known.device[i].port[portnum];
			port->is_marked |= port->is_there && !port->netdev_index;
		}
	monitor->is_outdated = true;
	return start(monitor);
}
