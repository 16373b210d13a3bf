/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Events (umad_monitor.h), one after the other: the next change waits until the events of the one
 * before it are there. Soft RoCE devices that come and go, netdevs that go down and up, 200 times
 * in a row, for an ordinary user.
 */
#include <poll.h>
#include <stdio.h>
#include <string.h>

#include "events.h"
#include "optional.h"
#include "sys.h"
#include "tap.h"
#include "worker.h"

enum { TIMES = 200, DEVICES = 50 /* which take ten times as long */ };

/*
 * Single events
 */

TEST(reports_what_is_present)
{
	unsigned devices = 0, nodes = 0, fds = sys_count_fds();
	struct umad_monitor *monitor = open_monitor(UMAD_MONITOR_REPORT_PRESENT);
	struct umad_event event;
	char text[SYS_TEXT_SIZE];

	require(monitor);
	for (int i = 0; i < 4; i++) {
		require(next_event(monitor, &event, 0) == 1);
		check_equal(strncmp(event.ca_name, "rxe", 3), 0);
		if (event.type == UMAD_EVENT_DEVICE_ADDED) {
			devices |= 1u << (event.ca_name[3] - '0');
		} else {
			check_equal(event.type, UMAD_EVENT_UMAD_ADDED);
			nodes |= 1u << (event.ca_name[3] - '0');
			snprintf(text, sizeof(text), "../infiniband_mad/%s", event.node);
			check(!strcmp(sys_read(text, "ibdev", text), event.ca_name));
		}
	}
	check_equal(devices, 3);
	check_equal(nodes, 3);
	check_equal(next_event(monitor, &event, 0), 0);
	check_equal(umad_monitor_rescan(monitor), 0);
	check_equal(next_event(monitor, &event, 0), 0);
	umad_monitor_close(monitor);
	check_equal(sys_count_fds(), fds);
}

static bool is_readable(const struct umad_monitor *monitor)
{
	struct pollfd fd = { .fd = umad_monitor_get_fd(monitor), .events = POLLIN };

	return poll(&fd, 1, QUIET_MS) == 1;
}

TEST(descriptor_announces_events)
{
	struct umad_monitor *monitor;
	struct umad_event event;

	require(start_worker(true));
	monitor = open_monitor(0);
	require(monitor);
	while (is_readable(monitor)) /* of the veth pair, for instance */
		require(next_event(monitor, &event, 0) == 0);
	require(order(ADD));
	check(is_readable(monitor));
	check(expect(monitor, UMAD_EVENT_DEVICE_ADDED, DEVICE, &event));
	check(is_readable(monitor));
	check(expect(monitor, UMAD_EVENT_UMAD_ADDED, DEVICE, &event));
	while (is_readable(monitor))
		require(next_event(monitor, &event, 0) == 0);
	require(order(DELETE));
	check(is_readable(monitor));
	check(expect_removed(monitor, DEVICE));
	umad_monitor_close(monitor);
}

TEST(sees_a_new_name)
{
	struct umad_monitor *monitor;
	struct umad_event event;
	int umad_removed = 0;

	require(start_worker(true));
	monitor = open_monitor(0);
	require(monitor);
	require(order(ADD));
	require(expect_added(monitor, DEVICE));
	require(order(RENAME));
	require(expect(monitor, UMAD_EVENT_DEVICE_RENAMED, OTHER, &event));
	check(!strcmp(event.old_name, DEVICE));
	require(order(DELETE_NETDEV));
	do { /* its port may go down before and after its umad device goes */
		require(next_event(monitor, &event, EVENT_MS) == 1);
		check(!strcmp(event.ca_name, OTHER));
		umad_removed += event.type == UMAD_EVENT_UMAD_REMOVED;
	} while (event.type == UMAD_EVENT_PORT_CHANGED || event.type == UMAD_EVENT_UMAD_REMOVED);
	check_equal(event.type, UMAD_EVENT_DEVICE_REMOVED);
	check_equal(umad_removed, 1);
	expect_none(monitor);
	umad_monitor_close(monitor);
}

TEST(two_monitors_see_the_same)
{
	struct umad_monitor *monitor, *other;

	require(start_worker(false));
	monitor = open_monitor(0);
	other = open_monitor(0);
	require(monitor && other);
	require(order(ADD));
	expect_added(monitor, DEVICE);
	expect_added(other, DEVICE);
	require(order(DELETE));
	expect_removed(monitor, DEVICE);
	umad_monitor_close(monitor);
	expect_removed(other, DEVICE);
	umad_monitor_close(other);
}

/*
 * Many times
 */

/* Changes of the port up to the state; each is reported once, and the last one agrees with /sys. */
static bool expect_state(struct umad_monitor *monitor, unsigned state)
{
	struct umad_event event;
	unsigned seen = 0;

	do {
		if (!expect(monitor, UMAD_EVENT_PORT_CHANGED, DEVICE, &event))
			return false;
		seen += event.changed & UMAD_CHANGED_STATE ? 1 : 0;
	} while (event.state != state);
	return check_equal(event.port_number, 1) && check_equal(seen, 1) &&
	       check_equal(event.state, sys_read_number(DEVICE, "ports/1/state")) &&
	       check_equal(event.physical_state, sys_read_number(DEVICE, "ports/1/phys_state"));
}

TEST(sees_devices_come_and_go)
{
	struct umad_monitor *monitor;

	require(start_worker(true));
	monitor = open_monitor(0);
	require(monitor);
	for (int i = 0; i < DEVICES; i++) {
		require(order(ADD));
		require(expect_added(monitor, DEVICE));
		check_equal(sys_read_number(DEVICE, "ports/1/state"), STATE_ACTIVE);
		require(order(DELETE));
		require(expect_removed(monitor, DEVICE));
	}
	expect_none(monitor);
	umad_monitor_close(monitor);
}

TEST(sees_a_netdev_go_down_and_up)
{
	struct umad_monitor *monitor;

	require(start_worker(true));
	require(order(ADD) && sys_wait_for(DEVICE, "ports/1/state", "4: ACTIVE"));
	monitor = open_monitor(0);
	require(monitor);
	for (int i = 0; i < TIMES; i++) {
		require(order(DOWN));
		require(expect_state(monitor, STATE_DOWN));
		require(order(UP));
		require(expect_state(monitor, STATE_ACTIVE));
	}
	expect_none(monitor);
	check(order(DELETE));
	expect_removed(monitor, DEVICE);
	umad_monitor_close(monitor);
}
