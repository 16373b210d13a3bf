/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * events.h - a monitor on the fake host: its devices, the messages of the kernel, and the events
 * that are to come of them.
 */
#ifndef TESTS_UNIT_MONITOR_EVENTS_H
#define TESTS_UNIT_MONITOR_EVENTS_H

#include <stdbool.h>

#include <linux/if.h>
#include <linux/if_arp.h>
#include <infiniband/umad_monitor.h>

#include "test.h"
#include "fakenl.h"
#include "fakesys.h"

enum {
	NETDEV = 7, /* of RoCE ports */
	UP = IFF_UP | IFF_RUNNING | IFF_LOWER_UP,
	CARRIER = IFF_UP | IFF_LOWER_UP,
};

extern struct umad_monitor *monitor;
extern struct umad_event event; /* the last one read */

/* The host */

void add_device(const char *name, unsigned int node, const char *link_layer);

void add_roce(const char *name, unsigned int node);

void remove_node(unsigned int node);

void remove_device(const char *name, unsigned int node);

void set_state(const char *name, const char *state, const char *phys_state);

/* Messages */

void send_uevent(const char *action, const char *subsystem, const char *name, const char *old_name);

#define device_uevent(action, name) send_uevent(action, "infiniband", name, NULL)
#define node_uevent(action, name)   send_uevent(action, "infiniband_mad", name, NULL)

void send_link(int index, unsigned short type, unsigned int flags);
/* With the address of an IPoIB interface, which has the GUID of its port. */
void send_address(int index, unsigned short type, unsigned int flags, uint64_t guid);

/* Events */

void open_monitor(void);

void close_monitor(void);

/* Begins with a host that has rxe0, of RoCE, or mlx5_0, of InfiniBand. */
void watch_roce(void);
void watch_infiniband(void);

int close_and_tear_down(void **state);

#define MONITOR_TEST(name) TEST_WITH(name, fakenl_setup, close_and_tear_down)

int next(void);

bool is_readable(void);

void expect_device(enum umad_event_type type, const char *name);

void expect_node(enum umad_event_type type, const char *node, const char *name);

void expect_port(const char *name, unsigned int changed, unsigned int state);

void expect_overrun(void);

void expect_none(void);

/*
 * What happens, line by line: open, present (open, with events of what is there), close, rescan,
 *and host WORD...	+NAME/2 and -NAME/2: a device with the node umad2; +NAME and -NAME: without
 *one; +NAME/2#c0: whose node GUID ends with c0; +umad2@NAME and -umad2: a node says WORD... the
 *kernel's messages: +NAME -NAME ~NAME of a device that changes, NEW<OLD of one that is renamed; of
 *a node where NAME begins with umad or issm sees WORD...	exactly these events: +NAME -NAME
 *NEW<OLD, +umad2@NAME -umad2@NAME
 */
void play(const char *const lines[]);

#define EVENTS_TEST(name, ...)                                         \
	MONITOR_TEST(name)                                             \
	{                                                              \
		(void)state;                                           \
		play((const char *const[]){ __VA_ARGS__, (void *)0 }); \
	}

#endif
