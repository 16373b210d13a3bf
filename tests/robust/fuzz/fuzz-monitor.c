/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The monitor: messages from all of its sockets, while devices come, go and change in sysfs. The
 * events of each device and umad device alternate, and after a rescan they have led to what is
 * there.
 */
#include <errno.h>
#include <stdio.h>

#include <infiniband/umad_monitor.h>

#include "fake-netlink.h"

enum { STEPS = 16, NODES = 4, READS_MAX = 400 };

static bool present[FUZZ_NETLINK_NAMES], node_present[NODES];
static bool reported[FUZZ_NETLINK_NAMES], node_reported[NODES];
static int node_owner[NODES]; /* by its number among the names */
static bool is_plain;	      /* sysfs is all there is, and can be read */

static int index_of(const char *name)
{
	int i;

	for (i = 0; i < FUZZ_NETLINK_NAMES; i++)
		if (!strcmp(name, fuzz_netlink_names[i]))
			return i;
	return -1;
}

/* Only devices that sysfs had at some time can have events; but for those that messages name. */
static void take_event(const struct umad_event *event)
{
	int device = index_of(event->ca_name), old = index_of(event->old_name), node = -1;

	FUZZ_CHECK(strnlen(event->ca_name, UMAD_CA_NAME_LEN) < UMAD_CA_NAME_LEN);
	sscanf(event->node, "umad%d", &node);
	switch (event->type) {
	case UMAD_EVENT_DEVICE_ADDED:
		FUZZ_CHECK(device < 0 || !reported[device]);
		if (device >= 0)
			reported[device] = true;
		break;
	case UMAD_EVENT_DEVICE_REMOVED:
		FUZZ_CHECK(device < 0 || reported[device]);
		if (device >= 0)
			reported[device] = false;
		break;
	case UMAD_EVENT_DEVICE_RENAMED:
		FUZZ_CHECK((device < 0 || !reported[device]) && (old < 0 || reported[old]));
		if (old >= 0)
			reported[old] = false;
		if (device >= 0)
			reported[device] = true;
		break;
	case UMAD_EVENT_UMAD_ADDED:
		FUZZ_CHECK(node >= 0 && (node >= NODES || !node_reported[node]));
		/* A device without a type is not reported, but its node may be. */
		FUZZ_CHECK(device < 0 || reported[device] || !is_plain);
		if (node < NODES)
			node_reported[node] = true;
		break;
	case UMAD_EVENT_UMAD_REMOVED:
		FUZZ_CHECK(node >= 0 && (node >= NODES || node_reported[node]));
		if (node < NODES)
			node_reported[node] = false;
		break;
	case UMAD_EVENT_PORT_CHANGED:
		FUZZ_CHECK(event->changed && (device < 0 || reported[device]));
		FUZZ_CHECK(event->port_number >= 0 && event->port_number < UMAD_CA_MAX_PORTS);
		break;
	case UMAD_EVENT_OVERRUN:
		FUZZ_CHECK(!event->ca_name[0]);
		break;
	default:
		FUZZ_CHECK(!"an event that there is");
	}
}

/* Sysfs changes: a device, or a umad device, comes or goes, or a port is in another state. */
static void change(uint8_t which)
{
	static const char *const states[] = { "4: ACTIVE\n", "1: DOWN\n", "2: INIT\n", "bad\n" };
	int i = which >> 2 & 3, port = which & 0x80 ? 2 : 1;
	const char *state = states[which >> 4 & 3], *name = fuzz_netlink_names[i];
	char path[128];

	snprintf(path, sizeof(path), "/sys/class/infiniband/%s", name);
	switch (which & 3) {
	case 0:
		kernel_remove(path);
		present[i] = !present[i];
		if (!present[i])
			return;
		snprintf(path, sizeof(path), "/sys/class/infiniband/%s/node_type", name);
		fuzz_kernel_file(path, "1: CA\n", 6);
		break;
	case 1:
		snprintf(path, sizeof(path), "/sys/class/infiniband_mad/umad%d", i);
		kernel_remove(path);
		node_present[i] = !node_present[i];
		if (!node_present[i])
			return;
		node_owner[i] = which >> 4 & 3;
		snprintf(path, sizeof(path), "/sys/class/infiniband_mad/umad%d/ibdev", i);
		fuzz_kernel_file(path, fuzz_netlink_names[node_owner[i]],
				 strlen(fuzz_netlink_names[node_owner[i]]));
		snprintf(path, sizeof(path), "/sys/class/infiniband_mad/umad%d/port", i);
		fuzz_kernel_file(path, "1\n", 2);
		break;
	default:
		if (!present[i])
			return;
		snprintf(path, sizeof(path), "/sys/class/infiniband/%s/ports/%d/state", name, port);
		fuzz_kernel_file(path, state, strlen(state));
		if (!(which & 1))
			return;
		snprintf(path, sizeof(path), "/sys/class/infiniband/%s/ports/%d/link_layer", name,
			 port);
		fuzz_kernel_file(path, "Ethernet\n", 9);
	}
}

static int read_event(struct umad_monitor *monitor, int timeout_ms)
{
	struct umad_event *event = fuzz_guard(sizeof(*event));
	int result;

	memset(event, 0, sizeof(*event));
	errno = 0;
	result = umad_monitor_read(monitor, event, sizeof(*event), timeout_ms);
	FUZZ_CHECK(result >= -1 && result <= 1 && (result >= 0 || errno > 0));
	if (result > 0)
		take_event(event);
	fuzz_guard_check();
	return result;
}

/* With sockets silent and files readable, events lead to what is there. */
static void settle(struct umad_monitor *monitor)
{
	int i, reads = 0;

	fuzz_netlink_talk(false);
	fuzz_kernel_fail_files(false);
	FUZZ_CHECK(!umad_monitor_rescan(monitor));
	while (read_event(monitor, 0) > 0)
		FUZZ_CHECK(++reads < READS_MAX);
	/* Without sysfs another source rules, which says nothing now. */
	if (!kernel_has("/sys/class/infiniband"))
		return;
	for (i = 0; i < FUZZ_NETLINK_NAMES; i++)
		FUZZ_CHECK(reported[i] == present[i]);
	for (i = 0; i < NODES; i++)
		FUZZ_CHECK(node_reported[i] == (node_present[i] && present[node_owner[i]]));
}

static void start(struct fuzz_input *input, uint8_t control)
{
	static const char sockets[] = "sk Eth\n0000 20  0\n";
	int changes = control >> 4;

	memset(present, 0, sizeof(present));
	memset(node_present, 0, sizeof(node_present));
	memset(reported, 0, sizeof(reported));
	memset(node_reported, 0, sizeof(node_reported));
	is_plain = !(control & 5);
	if (control & 1)
		fuzz_kernel_file("/proc/net/netlink", sockets, sizeof(sockets) - 1);
	if (control & 2)
		fuzz_kernel_file("/sys/class/infiniband/keep/node_type", "4: RNIC\n", 8);
	while (changes--)
		change(fuzz_u8(input));
}

void fuzz_target(struct fuzz_input *input)
{
	uint8_t control = fuzz_u8(input);
	struct umad_monitor *monitor;
	int steps = STEPS;

	start(input, control);
	monitor = umad_monitor_open(UMAD_MONITOR_REPORT_PRESENT);
	FUZZ_CHECK(monitor && umad_monitor_get_fd(monitor) >= 0);
	fuzz_kernel_fail_files(control & 4);
	fuzz_netlink_talk(true);
	while (input->left && steps--) {
		if (control & 8)
			change(fuzz_u8(input));
		read_event(monitor, fuzz_u8(input) & 7);
	}
	settle(monitor);
	umad_monitor_close(monitor);
}
