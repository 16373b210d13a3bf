/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Events (umad_monitor.h) of changes that do not wait until the events before them are there, and
 * of more changes than sockets hold.
 */
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "events.h"
#include "optional.h"
#include "sys.h"
#include "tap.h"
#include "worker.h"

enum {
	TIMES = 200,
	FEWER_TIMES = 50,     /* where it is not about the number */
	BURST = 5,	      /* messages about so many times fit a socket */
	OVERRUN_TIMES = 2000, /* messages that no socket holds */
	PHYS_STATE_DISABLED = 3,
	PHYS_STATE_LINK_UP = 5,
};

/* What was seen until the worker was done and nothing more came. */
struct seen {
	int added, removed, umad_added, umad_removed, down, up, overruns;
	bool alternating; /* until the first overrun */
};

static void count_event(struct seen *seen, const struct umad_event *event)
{
	switch (event->type) {
	case UMAD_EVENT_DEVICE_ADDED:
		seen->alternating &= seen->added++ == seen->removed;
		break;
	case UMAD_EVENT_DEVICE_REMOVED:
		seen->removed++;
		break;
	case UMAD_EVENT_UMAD_ADDED:
		seen->alternating &= seen->umad_added++ == seen->umad_removed;
		break;
	case UMAD_EVENT_UMAD_REMOVED:
		seen->umad_removed++;
		break;
	case UMAD_EVENT_PORT_CHANGED:
		if (!(event->changed & UMAD_CHANGED_STATE))
			break;
		if (event->state == STATE_DOWN)
			seen->alternating &= seen->down++ == seen->up;
		else
			seen->up++;
		break;
	default:
		seen->overruns += event->type == UMAD_EVENT_OVERRUN;
	}
}

static bool watch(struct umad_monitor *monitor, struct seen *seen)
{
	struct umad_event event;
	int ret;

	*seen = (struct seen){ .alternating = true };
	do {
		bool done = task_is_done();

		ret = next_event(monitor, &event, QUIET_MS);
		if (ret == 1)
			count_event(seen, &event);
		else if (done)
			break;
	} while (ret >= 0);
	tap_note("%d added, %d removed, %d umad devices added, %d removed, %d down, %d up, "
		 "%d overruns",
		 seen->added, seen->removed, seen->umad_added, seen->umad_removed, seen->down,
		 seen->up, seen->overruns);
	return check_equal(ret, 0) && check(end_task());
}

/* Changes between two reads of the monitor may be reported as one. */
static void run_full_speed(enum command first, enum command second, int times, struct seen *seen)
{
	struct umad_monitor *monitor;

	require(start_worker(true));
	require(first == ADD || order(ADD));
	monitor = open_monitor(0);
	require(monitor);
	require(start_task(first, second, 2 * times));
	require(watch(monitor, seen));
	check(seen->alternating);
	if (first == DOWN)
		check_equal(sys_read_number(DEVICE, "ports/1/state"), STATE_ACTIVE);
	expect_none(monitor);
	umad_monitor_close(monitor);
	check(first == ADD || order(DELETE));
}

TEST(sees_devices_at_full_speed)
{
	struct seen seen;

	run_full_speed(ADD, DELETE, FEWER_TIMES, &seen);
	check_equal(seen.added, seen.removed);
	check_equal(seen.umad_added, seen.umad_removed);
	check(seen.added <= FEWER_TIMES && seen.umad_added <= FEWER_TIMES);
}

TEST(sees_a_netdev_go_down_and_up_at_full_speed)
{
	struct seen seen;

	run_full_speed(DOWN, UP, TIMES, &seen);
	check_equal(seen.down, seen.up);
	check(seen.down > 0 && seen.down <= TIMES);
}

/* Over before the monitor looks: the port is Active again, but the messages report it, as one. */
TEST(sees_short_interruptions)
{
	struct umad_monitor *monitor;
	struct umad_event event;

	require(start_worker(true) && order(ADD));
	monitor = open_monitor(0);
	require(monitor);
	for (int i = 0; i < TIMES / BURST; i++) {
		require(start_task(DOWN, UP, 2 * BURST) && end_task());
		require(expect(monitor, UMAD_EVENT_PORT_CHANGED, DEVICE, &event));
		check_equal(event.state, STATE_DOWN);
		check_equal(event.physical_state, PHYS_STATE_DISABLED);
		require(expect(monitor, UMAD_EVENT_PORT_CHANGED, DEVICE, &event));
		check_equal(event.state, STATE_ACTIVE);
		check_equal(event.physical_state, PHYS_STATE_LINK_UP);
	}
	expect_none(monitor);
	umad_monitor_close(monitor);
	check(order(DELETE));
}

/* To what sockets could hold before Linux 6.18: larger ones would take ten times the messages. The
 * cases that follow do not need more. */
static bool limit_sockets(void)
{
	static const char size[] = "212992";
	int fd = open("/proc/sys/net/core/rmem_max", O_WRONLY | O_CLOEXEC);
	bool done = write(fd, size, strlen(size)) == (ssize_t)strlen(size);

	close(fd);
	return done;
}

/* More than a socket holds, while no thread reads. The last report is the actual state. */
static void run_overrun(enum command first, enum command second, enum command last,
			struct seen *seen)
{
	struct umad_monitor *monitor;

	require(limit_sockets() && start_worker(true) && order(ADD));
	monitor = open_monitor(0);
	require(monitor);
	require(start_task(first, second, OVERRUN_TIMES) && end_task());
	require(start_task(last, last, 1));
	require(watch(monitor, seen));
	check(seen->overruns > 0);
	expect_none(monitor);
	umad_monitor_close(monitor);
}

TEST(reports_lost_uevents)
{
	struct seen seen;

	run_overrun(NOISE, NOISE, DELETE, &seen);
	check_equal(seen.removed, 1);
	check_equal(seen.umad_removed, 1);
	check_equal(seen.added + seen.umad_added, 0);
}

TEST(reports_lost_link_messages)
{
	struct seen seen;

	run_overrun(UP, DOWN, DOWN, &seen);
	check_equal(seen.down, seen.up + 1);
	check_equal(sys_read_number(DEVICE, "ports/1/state"), STATE_DOWN);
	check(order(DELETE));
}
