/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * cases-monitor.c - monitors. A failure while events are read loses none: OVERRUN is reported,
 * and events that lead to the actual state; a device that still exists is never reported as
 * removed.
 */
#include "host.h"

#include <errno.h>
#include <string.h>

#include <infiniband/umad_monitor.h>

enum { MOST_EVENTS = 32 };

/* Ports and attributes that can't be read are passed over, as discovery does; the socket of RDMA
 * netlink is one that not every host has. */
static const struct fault_rule rules[] = {
	{ FAULT_OPEN, FAULT_NOT_EXHAUSTED, FAULT_LESS, { 0 } },
	{ FAULT_READ, FAULT_NOT_EXHAUSTED, FAULT_LESS, { 0 } },
	{ FAULT_OPENDIR, FAULT_NOT_EXHAUSTED, FAULT_LESS, { 0 } },
	{ FAULT_READDIR, FAULT_NOT_EXHAUSTED, FAULT_LESS, { 0 } },
	{ FAULT_POLL, FAULT_NOT_EXHAUSTED, FAULT_LESS, { 0 } },
	{ FAULT_NL_RECEIVE, ENOMEM, FAULT_REPORTS, { ENOMEM, ENOBUFS } },
	{ FAULT_NL_CONNECT, EPERM, FAULT_LESS, { EPERM } },
	{ FAULT_NL_CONNECT, EPROTONOSUPPORT, FAULT_LESS, { EPROTONOSUPPORT } },
	{ FAULT_NL_CONNECT, EAFNOSUPPORT, FAULT_LESS, { EAFNOSUPPORT } },
	{ FAULT_NL_SETUP, EPERM, FAULT_LESS, { EPERM } },
	{ FAULT_NL_SETUP, EBADF, FAULT_LESS, { EBADF } },
	{ FAULT_NL_SEND, EPERM, FAULT_LESS, { EPERM } },
	{ FAULT_NL_SEND, EBADF, FAULT_LESS, { EBADF } },
	{ FAULT_NL_RECEIVE, EPERM, FAULT_LESS, { EPERM } },
	{ FAULT_NL_RECEIVE, EBADF, FAULT_LESS, { EBADF } },
};

/* What is known of the host from events alone. */
struct seen {
	char device[8][UMAD_CA_NAME_LEN];
	char node[8][UMAD_CA_NAME_LEN];
	unsigned int state; /* of mlx5_2, as last reported */
	unsigned int first; /* state of it */
	unsigned int lost;  /* attributes reported to have become 0 */
};

static int find(char (*names)[UMAD_CA_NAME_LEN], const char *name)
{
	for (int i = 0; i < 8; i++)
		if (!strcmp(names[i], name))
			return i;
	return -1;
}

static void change(struct fault_run *run, char (*names)[UMAD_CA_NAME_LEN], const char *name,
		   bool comes)
{
	int i = find(names, name);

	if (comes && i < 0)
		strcpy(names[find(names, "")], name);
	else if (!comes && i >= 0)
		memset(names[i], 0, UMAD_CA_NAME_LEN);
	else
		fault_complain(run, "%s is reported to have %s twice", name,
			       comes ? "come" : "gone");
}

static void note(struct fault_run *run, struct seen *seen, const struct umad_event *event)
{
	switch (event->type) {
	case UMAD_EVENT_DEVICE_ADDED:
	case UMAD_EVENT_DEVICE_REMOVED:
		change(run, seen->device, event->ca_name, event->type == UMAD_EVENT_DEVICE_ADDED);
		break;
	case UMAD_EVENT_UMAD_ADDED:
	case UMAD_EVENT_UMAD_REMOVED:
		change(run, seen->node, event->node, event->type == UMAD_EVENT_UMAD_ADDED);
		break;
	case UMAD_EVENT_PORT_CHANGED:
		if (!strcmp(event->ca_name, "mlx5_2"))
			seen->state = event->state;
		if (!seen->first)
			seen->first = seen->state;
		seen->lost += !event->base_lid || !event->sm_lid || !event->capability_mask;
		break;
	default:
		break;
	}
}

static int by_name(const void *a, const void *b)
{
	return strcmp(b, a);
}

/* Reads all events; their order does not matter. */
static void read_all(struct fault_run *run, struct umad_monitor *monitor, struct seen *seen)
{
	struct umad_event event;
	int ret, left = MOST_EVENTS;

	while ((ret = umad_monitor_read(monitor, &event, 0)) > 0 && left--)
		note(run, seen, &event);
	FAULT_EXPECT(run, ret == 0);
	qsort(seen->device, 8, UMAD_CA_NAME_LEN, by_name);
	qsort(seen->node, 8, UMAD_CA_NAME_LEN, by_name);
}

static void call_open(struct fault_run *run)
{
	struct umad_monitor *monitor;
	struct seen *seen = (struct seen *)run->output;

	fault_begin(run);
	monitor = fault_pointer(run, umad_monitor_open(UMAD_MONITOR_REPORT_PRESENT));
	if (run->failed)
		return;
	umad_monitor_set_interval(monitor, 0);
	memset(seen, 0, sizeof(*seen));
	read_all(run, monitor, seen);
	umad_monitor_close(monitor);
}

/* Names are never others than those that are there, and what cannot be read keeps its value. */
static bool fewer_names(const char (*names)[UMAD_CA_NAME_LEN], const char (*all)[UMAD_CA_NAME_LEN])
{
	for (int i = 0; i < 8; i++)
		if (names[i][0] && find((char(*)[UMAD_CA_NAME_LEN])(uintptr_t)all, names[i]) < 0)
			return false;
	return true;
}

static bool sees_less(const struct fault_run *run, const uint8_t *whole)
{
	const struct seen *seen = (const void *)run->output, *all = (const void *)whole;

	if (run->failed || run->fault->error == ENOMEM || run->fault->error == EMFILE)
		return false;
	return fewer_names(seen->device, all->device) && fewer_names(seen->node, all->node) &&
	       (seen->state == all->state || seen->state == seen->first);
}

static struct umad_monitor *open_undisturbed(struct fault_run *run, struct seen *seen)
{
	struct umad_monitor *monitor = umad_monitor_open(UMAD_MONITOR_REPORT_PRESENT);

	umad_monitor_set_interval(monitor, 0);
	memset(seen, 0, sizeof(*seen));
	read_all(run, monitor, seen);
	return monitor;
}

/* A failure is reported once, and then the events follow. */
static void call_read_of(struct fault_run *run, void (*happen)(void))
{
	struct umad_event event;
	struct seen *seen = (struct seen *)run->output;
	struct umad_monitor *monitor = open_undisturbed(run, seen);
	int ret;

	happen();
	fault_begin(run);
	ret = fault_minus_one(run, umad_monitor_read(monitor, &event, 0));
	if (ret > 0)
		note(run, seen, &event);
	read_all(run, monitor, seen);
	FAULT_EXPECT(run, !run->failed || !seen->lost);
	if (run->failed && find(seen->device, "mlx5_3") >= 0)
		FAULT_EXPECT(run, find(seen->node, "umad4") >= 0);
	umad_monitor_close(monitor);
	host_forget_new();
}

static void come_and_go(void)
{
	host_add_device();
	host_remove_device();
}

FAULT_DO(call_open(run), umad_monitor_open, NULL, host_sysfs, FAULT_UNTOUCHED, FAULT_RULES(rules),
	 .less = sees_less, .also = &host_netlink)
FAULT_DO(call_open(run), umad_monitor_open, "without libnl-3 so far", host_unloaded, FAULT_FRESH,
	 FAULT_RULES(rules), .less = sees_less)

FAULT(umad_monitor_close, NULL, host_sysfs, 0)
{
	struct umad_monitor *monitor = umad_monitor_open(0);

	fault_begin(run);
	umad_monitor_close(monitor);
	fault_cannot_fail(run);
}

FAULT(umad_monitor_get_fd, NULL, host_sysfs, FAULT_PURE)
{
	struct umad_monitor *monitor = umad_monitor_open(0);

	fault_begin(run);
	fault_minus_one(run, umad_monitor_get_fd(monitor));
	umad_monitor_close(monitor);
}

FAULT(umad_monitor_read, "a device comes", host_sysfs, 0, FAULT_RULES(rules), .less = sees_less)
{
	call_read_of(run, host_add_device);
	FAULT_EXPECT(run, !run->failed || find(((struct seen *)run->output)->node, "umad4") >= 0);
}

FAULT_DO(call_read_of(run, come_and_go), umad_monitor_read, "a device comes and goes", host_sysfs,
	 0, FAULT_RULES(rules), .less = sees_less)

FAULT(umad_monitor_read, "a port changes", host_sysfs, 0, FAULT_RULES(rules), .less = sees_less)
{
	call_read_of(run, host_change_port);
	FAULT_EXPECT(run, !run->failed || ((struct seen *)run->output)->state == UMAD_PORT_DOWN);
}

FAULT(umad_monitor_rescan, NULL, host_sysfs, 0, FAULT_RULES(rules), .less = sees_less)
{
	struct seen *seen = (struct seen *)run->output;
	struct umad_monitor *monitor = open_undisturbed(run, seen);

	host_change_port();
	host_add_device();
	fault_begin(run);
	fault_minus_one(run, umad_monitor_rescan(monitor));
	read_all(run, monitor, seen);
	FAULT_EXPECT(run, !run->failed || (seen->state == UMAD_PORT_DOWN &&
					   find(seen->node, "umad4") >= 0));
	umad_monitor_close(monitor);
	host_forget_new();
}

FAULT(umad_monitor_set_interval, NULL, host_sysfs, 0)
{
	struct umad_monitor *monitor = umad_monitor_open(0);

	fault_begin(run);
	fault_minus_one(run, umad_monitor_set_interval(monitor, 1000));
	umad_monitor_close(monitor);
}
