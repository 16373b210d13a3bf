/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Looks at ports on a timer, for changes that the kernel sends no message about. The timer is a
 * descriptor beside the monitor's sockets, so that it wakes whoever waits for the monitor; it runs
 * once at a time, and has run out when no time is left on it.
 */
#include <errno.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>

#include "monitor.h"

enum { MS_PER_S = 1000, NS_PER_MS = 1000000 };

/* Sets it anew; then it is not readable until it runs out. */
static int start(const struct umad_monitor *monitor)
{
	struct itimerspec time = {
		.it_value = { .tv_sec = monitor->interval_ms / MS_PER_S,
			      .tv_nsec = (long)(monitor->interval_ms % MS_PER_S) * NS_PER_MS }
	};
	int saved_errno = errno, ret = 0;

	if (timerfd_settime(monitor->timer_fd, 0, &time, NULL) < 0)
		ret = -errno;
	errno = saved_errno;
	return ret;
}

static int create(struct umad_monitor *monitor)
{
	int saved_errno = errno, ret;
	int fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);

	ret = fd < 0 ? -errno : umad_monitor_watch(monitor, EPOLL_CTL_ADD, fd, true);
	errno = saved_errno;
	if (fd >= 0 && ret < 0)
		umad_sys_close(fd);
	else
		monitor->timer_fd = fd;
	return ret;
}

int umad_timer_set(struct umad_monitor *monitor, unsigned int interval_ms)
{
	unsigned int before = monitor->interval_ms;
	int ret = 0;

	if (monitor->timer_fd < 0 && interval_ms)
		ret = create(monitor);
	if (ret < 0 || monitor->timer_fd < 0)
		return ret;
	monitor->interval_ms = interval_ms;
	ret = start(monitor);
	if (ret < 0)
		monitor->interval_ms = before;
	return ret;
}

static bool has_run_out(const struct umad_monitor *monitor)
{
	struct itimerspec left;

	if (!monitor->interval_ms || timerfd_gettime(monitor->timer_fd, &left) < 0)
		return false;
	return !left.it_value.tv_sec && !left.it_value.tv_nsec;
}

/* RoCE ports have interfaces, whose messages the kernel sends. */
static int look(struct umad_known *known)
{
	int ret = 0;
	size_t i;

	for (i = 0; !ret && i < known->device_count; i++)
		if (!umad_known_has_ethernet(&known->device[i]))
			ret = umad_known_compare_ports(known, &known->device[i]);
	return ret ? ret : umad_sys_lack();
}

int umad_timer_look(struct umad_monitor *monitor)
{
	int ret;

	if (monitor->timer_fd < 0 || !has_run_out(monitor))
		return 0;
	ret = start(monitor);
	return ret ? ret : look(&monitor->known);
}
