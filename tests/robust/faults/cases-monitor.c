/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * cases-monitor.c - monitors. A failure while events are read loses none: OVERRUN is reported, and
 * events that lead to the actual state; a device that still exists is never reported as removed.
 */
#include "host.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <infiniband/umad_monitor.h>

enum { MOST_EVENTS = 32, NAMES = 16 };

/* Ports and attributes that cannot be read are left out, as in discovery; not every host has RDMA
 * netlink. */
static const struct fault_rule rules[] = {
	{ FAULT_BIT(NL_RECEIVE), ENOMEM, FAULT_REPORTS, { ENOMEM, ENOBUFS } },
	{ FAULT_SYSFS | FAULT_BIT(POLL) | FAULT_NETLINK, FAULT_NOT_EXHAUSTED, FAULT_LESS, { 0 } },
};

/* The host as the events describe it. */
static struct {
	char names[NAMES][UMAD_CA_NAME_LEN]; /* of devices and nodes */
	unsigned state;			     /* of mlx5_2 */
	bool has_lost;			     /* attributes have become 0 */
} seen;

static int find(const char *name)
{
	int i = 0;

	while (i < NAMES && strcmp(seen.names[i], name) != 0)
		i++;
	return i;
}

static bool has(const char *name)
{
	return find(name) < NAMES;
}

static void change(struct fault_run *run, const char *name, bool comes)
{
	if (comes == has(name))
		fault_complain(run, "%s is reported to have %s twice", name,
			       comes ? "come" : "gone");
	else if (comes)
		strcpy(seen.names[find("")], name);
	else
		memset(seen.names[find(name)], 0, UMAD_CA_NAME_LEN);
}

static void note(struct fault_run *run, const struct umad_event *event)
{
	switch (event->type) {
	case UMAD_EVENT_DEVICE_ADDED:
	case UMAD_EVENT_DEVICE_REMOVED:
		change(run, event->ca_name, event->type == UMAD_EVENT_DEVICE_ADDED);
		break;
	case UMAD_EVENT_UMAD_ADDED:
	case UMAD_EVENT_UMAD_REMOVED:
		change(run, event->node, event->type == UMAD_EVENT_UMAD_ADDED);
		break;
	case UMAD_EVENT_PORT_CHANGED:
		if (!strcmp(event->ca_name, "mlx5_2"))
			seen.state = event->state;
		seen.has_lost |= !event->base_lid || !event->sm_lid || !event->capability_mask;
		break;
	default:
		break;
	}
}

static int by_name(const void *a, const void *b)
{
	return strcmp(b, a);
}

/* Reads all events, whose order does not matter. */
static void read_all(struct fault_run *run, struct umad_monitor *monitor)
{
	struct umad_event event;
	int ret, left = MOST_EVENTS;

	while ((ret = umad_monitor_read(monitor, &event, 0)) > 0 && left--)
		note(run, &event);
	FAULT_EXPECT(run, ret == 0);
	qsort(seen.names, NAMES, UMAD_CA_NAME_LEN, by_name);
}

/* Prints the host and closes the monitor. The state of a port that could not be read may be the old
 * one. */
static void finish(struct fault_run *run, struct umad_monitor *monitor)
{
	read_all(run, monitor);
	FAULT_EXPECT(run, !run->failed || !seen.has_lost);
	for (int i = 0; i < NAMES && seen.names[i][0]; i++)
		fault_print(run, "%s ", seen.names[i]);
	fault_print(run, "down=%d ", seen.state == UMAD_PORT_DOWN);
	umad_monitor_close(monitor);
}

/* A monitor that has reported all devices of the host. */
static struct umad_monitor *open_monitor(struct fault_run *run)
{
	struct umad_monitor *monitor = umad_monitor_open(UMAD_MONITOR_REPORT_PRESENT);

	umad_monitor_set_interval(monitor, 0);
	memset(&seen, 0, sizeof(seen));
	read_all(run, monitor);
	return monitor;
}

static void call_open(struct fault_run *run)
{
	struct umad_monitor *monitor;

	fault_begin(run);
	monitor = fault_pointer(run, umad_monitor_open(UMAD_MONITOR_REPORT_PRESENT));
	if (run->failed)
		return;
	umad_monitor_set_interval(monitor, 0);
	memset(&seen, 0, sizeof(seen));
	finish(run, monitor);
}

FAULT_DO(call_open(run), umad_monitor_open, NULL, host_sysfs, 0, FAULT_RULES(rules),
	 .also = &host_netlink)
FAULT_DO(call_open(run), umad_monitor_open, "without libnl-3 so far", host_unloaded, FAULT_FRESH,
	 FAULT_RULES(rules))

/* A failure is reported once; then the events follow. */
static void call_read_of(struct fault_run *run, void (*happen)(void))
{
	struct umad_monitor *monitor = open_monitor(run);
	struct umad_event event;

	happen();
	fault_begin(run);
	if (fault_minus_one(run, umad_monitor_read(monitor, &event, 0)) > 0)
		note(run, &event);
	finish(run, monitor);
	host_forget_new();
}

static void come_and_go(void)
{
	host_add_device();
	host_remove_device();
}

FAULT(umad_monitor_read, "a device comes", host_sysfs, 0, FAULT_RULES(rules))
{
	call_read_of(run, host_add_device);
	FAULT_EXPECT(run, !run->failed || has("umad4"));
}

FAULT(umad_monitor_read, "a device comes and goes", host_sysfs, 0, FAULT_RULES(rules))
{
	call_read_of(run, come_and_go);
	FAULT_EXPECT(run, !run->failed || !has("mlx5_3") || has("umad4"));
}

FAULT(umad_monitor_read, "a port changes", host_sysfs, 0, FAULT_RULES(rules))
{
	call_read_of(run, host_change_port);
	FAULT_EXPECT(run, !run->failed || seen.state == UMAD_PORT_DOWN);
}

FAULT(umad_monitor_rescan, NULL, host_sysfs, 0, FAULT_RULES(rules))
{
	struct umad_monitor *monitor = open_monitor(run);

	host_change_port();
	host_add_device();
	fault_begin(run);
	fault_minus_one(run, umad_monitor_rescan(monitor));
	finish(run, monitor);
	host_forget_new();
	FAULT_EXPECT(run, !run->failed || (seen.state == UMAD_PORT_DOWN && has("umad4")));
}

#define MONITOR struct umad_monitor *monitor = umad_monitor_open(0)
FAULT_STEPS(umad_monitor_close, host_sysfs, 0, MONITOR, umad_monitor_close(monitor),
	    fault_cannot_fail(run))
FAULT_STEPS(umad_monitor_get_fd, host_sysfs, FAULT_PURE, MONITOR,
	    fault_minus_one(run, umad_monitor_get_fd(monitor)), umad_monitor_close(monitor))
FAULT_STEPS(umad_monitor_set_interval, host_sysfs, 0, MONITOR,
	    fault_minus_one(run, umad_monitor_set_interval(monitor, 1000)),
	    umad_monitor_close(monitor))
