/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* See events.h. */
#include "events.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tap.h"

struct umad_monitor *open_monitor(unsigned flags)
{
	struct umad_monitor *monitor = umad_monitor_open(flags);

	if (!monitor && errno == ELIBACC)
		tap_skip("no libnl-3 on this machine");
	return monitor;
}

int next_event(struct umad_monitor *monitor, struct umad_event *event, int timeout_ms)
{
	return umad_monitor_read(monitor, event, sizeof(*event), timeout_ms);
}

bool expect(struct umad_monitor *monitor, enum umad_event_type type, const char *ca_name,
	    struct umad_event *event)
{
	int ret = next_event(monitor, event, EVENT_MS);

	if (ret == 1 && event->type == type && !strcmp(event->ca_name, ca_name))
		return true;
	tap_note("wanted \"%s\" of %s, got %d: \"%s\" of %s port %d, changed 0x%x, state %u, "
		 "physical state %u",
		 umad_event_str(type), ca_name, ret, ret == 1 ? umad_event_str(event->type) : "",
		 ret == 1 ? event->ca_name : "", ret == 1 ? event->port_number : 0,
		 ret == 1 ? event->changed : 0, ret == 1 ? event->state : 0,
		 ret == 1 ? event->physical_state : 0);
	return check(!"the event that was wanted");
}

bool expect_none(struct umad_monitor *monitor)
{
	struct umad_event event;

	return check_equal(next_event(monitor, &event, QUIET_MS), 0);
}

bool expect_added(struct umad_monitor *monitor, const char *ca_name)
{
	char path[sizeof("/sys/class/infiniband_mad/") + UMAD_EVENT_NAME_LEN];
	struct umad_event event;

	if (!expect(monitor, UMAD_EVENT_DEVICE_ADDED, ca_name, &event) ||
	    !expect(monitor, UMAD_EVENT_UMAD_ADDED, ca_name, &event))
		return false;
	snprintf(path, sizeof(path), "/sys/class/infiniband_mad/%s", event.node);
	return check_equal(event.port_number, 1) && check(access(path, F_OK) == 0);
}

bool expect_removed(struct umad_monitor *monitor, const char *ca_name)
{
	struct umad_event event;

	return expect(monitor, UMAD_EVENT_UMAD_REMOVED, ca_name, &event) &&
	       check_equal(event.port_number, 1) && check(event.node[0]) &&
	       expect(monitor, UMAD_EVENT_DEVICE_REMOVED, ca_name, &event);
}
