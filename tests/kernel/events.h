/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * What the tests of events expect of a monitor. What did not come as expected fails the case, with
 * a line that says what came.
 */
#ifndef KERNEL_EVENTS_H
#define KERNEL_EVENTS_H

#include <stdbool.h>

#include "optional.h"

enum {
	EVENT_MS = 10000, /* for an event that must come */
	QUIET_MS = 500,	  /* without an event: there is none */
	STATE_DOWN = 1,
	STATE_ACTIVE = 4,
};

/* Skips the case without libnl-3. */
struct umad_monitor *open_monitor(unsigned flags);

int next_event(struct umad_monitor *monitor, struct umad_event *event, int timeout_ms);

/* The next event must be this one. */
bool expect(struct umad_monitor *monitor, enum umad_event_type type, const char *ca_name,
	    struct umad_event *event);

bool expect_none(struct umad_monitor *monitor);

/* The events of a device with one port that comes or goes. */
bool expect_added(struct umad_monitor *monitor, const char *ca_name);
bool expect_removed(struct umad_monitor *monitor, const char *ca_name);

#endif
