/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * follow [interval|rescan|twice]: prints "ready" and the events of a monitor, until a signal ends
 * it. With an argument, the devices that exist are reported first. interval: the monitor reads the
 * ports each 100 ms; rescan: it looks for devices after each 100 ms without an event, which prints
 * "rescanned"; twice: a second monitor must report the same devices.
 */
#include <errno.h>
#include <infiniband/umad_monitor.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { INTERVAL_MS = 100, EVENT_MS = 10000 };

static int fail(void)
{
	perror(errno == ELIBACC ? "skipped: no libnl-3" : "monitor");
	return 1;
}

static void print(const struct umad_event *event)
{
	printf("%s %s %u", umad_event_str(event->type), event->ca_name, event->port_number);
	if (event->type == UMAD_EVENT_PORT_CHANGED)
		printf(" state %u physical %u changed 0x%x", event->state, event->physical_state,
		       event->changed);
	printf(" %s%s\n", event->old_name, event->node);
}

static void check_second(struct umad_monitor *second, const struct umad_event *event)
{
	struct umad_event same = { 0 };

	if (umad_monitor_read(second, &same, EVENT_MS) != 1 || same.type != event->type ||
	    strcmp(same.ca_name, event->ca_name) != 0)
		printf("the second monitor: \"%s\" of %s\n", umad_event_str(same.type),
		       same.ca_name);
}

int main(int argc, char **argv)
{
	const char *way = argc > 1 ? argv[1] : "";
	bool rescans = !strcmp(way, "rescan"), twice = !strcmp(way, "twice");
	uint32_t flags = *way ? UMAD_MONITOR_REPORT_PRESENT : 0;
	struct umad_monitor *monitor = umad_monitor_open(flags);
	struct umad_monitor *second = twice ? umad_monitor_open(flags) : NULL;
	struct umad_event event;
	int count;

	if (!monitor || (twice && !second) ||
	    (!strcmp(way, "interval") && umad_monitor_set_interval(monitor, INTERVAL_MS)))
		return fail();
	setvbuf(stdout, NULL, _IOLBF, 0);
	puts("ready");
	while ((count = umad_monitor_read(monitor, &event, rescans ? INTERVAL_MS : -1)) >= 0) {
		if (count)
			print(&event);
		else if (umad_monitor_rescan(monitor))
			break;
		else
			puts("rescanned");
		if (count && twice)
			check_second(second, &event);
	}
	return fail();
}
