/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * events.h - a host of fakesys and fakenl, and a monitor on it: what tests in C and the table
 * events.tbl share.
 */
#ifndef TESTS_UNIT_MONITOR_EVENTS_H
#define TESTS_UNIT_MONITOR_EVENTS_H

#include <stdbool.h>

#include <infiniband/umad_monitor.h>

#include "scenes.h"
#include "test.h"
#include "fakenl.h"
#include "fakesys.h"

extern struct umad_monitor *monitor;
extern struct umad_event event; /* the last one read */

int set_up_host(void **state);
int tear_down_host(void **state); /* closes the monitor, too */

#define MONITOR_TEST(name) TEST_WITH(name, set_up_host, tear_down_host)

extern const struct scene_verb host_verbs[], call_verbs[];
void forget_host(void);

/* Plays a statement of the table; the first one writes into it. */
void play_statement(char *statement);
void play(const char *statement);

int next_event(void);
bool is_readable(int timeout_ms);

#endif
