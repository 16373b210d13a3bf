/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* events.c - a monitor on the fake host: see events.h. */
#include "events.h"

#include <endian.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <linux/rtnetlink.h>

struct umad_monitor *monitor;
struct umad_event event;

void add_device(const char *name, unsigned int node, const char *link_layer)
{
	kernel_ca(name, 1, 1, node);
	kernel_port_file(name, 1, "link_layer", link_layer);
	kernel_node(node, name, 1);
}

void add_roce(const char *name, unsigned int node)
{
	struct fakenl_device device = {
		.index = node,
		.name = name,
		.protocol = "roce",
		.node_type = 1,
		.ports = 1,
		.netdev_index = NETDEV + node,
	};

	add_device(name, node, "Ethernet\n");
	fakenl_add_device(&device);
}

void remove_node(unsigned int node)
{
	char path[64];

	snprintf(path, sizeof(path), "/sys/class/infiniband_mad/umad%u", node);
	kernel_remove(path);
}

void remove_device(const char *name, unsigned int node)
{
	char path[64];

	snprintf(path, sizeof(path), "/sys/class/infiniband/%s", name);
	kernel_remove(path);
	remove_node(node);
}

void set_state(const char *name, const char *state, const char *phys_state)
{
	kernel_port_file(name, 1, "state", state);
	kernel_port_file(name, 1, "phys_state", phys_state);
}

void send_uevent(const char *action, const char *subsystem, const char *name, const char *old_name)
{
	char data[512];
	int size;

	size = snprintf(data, sizeof(data), "%s@/x/%s%cACTION=%s%cDEVPATH=/x/%s%cSUBSYSTEM=%s%c",
			action, name, 0, action, 0, name, 0, subsystem, 0);
	if (old_name)
		size += snprintf(data + size, sizeof(data) - (size_t)size, "DEVPATH_OLD=/x/%s%c",
				 old_name, 0);
	fakenl_send(NETLINK_KOBJECT_UEVENT, data, (size_t)size, 0);
}

void send_link(int index, unsigned short type, unsigned int flags)
{
	send_address(index, type, flags, 0);
}

void send_address(int index, unsigned short type, unsigned int flags, uint64_t guid)
{
	struct {
		struct nlmsghdr header;
		struct ifinfomsg info;
		struct rtattr attribute;
		uint8_t address[20];
	} message = {
		.header = { .nlmsg_len = sizeof(message), .nlmsg_type = RTM_NEWLINK },
		.info = { .ifi_index = index, .ifi_type = type, .ifi_flags = flags },
		.attribute = { .rta_len = RTA_LENGTH(20), .rta_type = IFLA_ADDRESS },
	};

	guid = htobe64(guid);
	memcpy(message.address + 12, &guid, sizeof(guid));
	fakenl_send(NETLINK_ROUTE, &message, sizeof(message), 0);
}

void open_monitor(void)
{
	monitor = umad_monitor_open(0);
	assert_non_null(monitor);
}

void close_monitor(void)
{
	umad_monitor_close(monitor);
	monitor = NULL;
}

void watch_roce(void)
{
	fakenl_know_rdma();
	add_roce("rxe0", 0);
	open_monitor();
}

void watch_infiniband(void)
{
	add_device("mlx5_0", 0, "InfiniBand\n");
	open_monitor();
}

int close_and_tear_down(void **state)
{
	close_monitor();
	return fakenl_teardown(state);
}

int next(void)
{
	memset(&event, 0xff, sizeof(event));
	return umad_monitor_read(monitor, &event, sizeof(event), 0);
}

bool is_readable(void)
{
	struct pollfd fd = { .fd = umad_monitor_get_fd(monitor), .events = POLLIN };

	return poll(&fd, 1, 0) > 0;
}

void expect_device(enum umad_event_type type, const char *name)
{
	size_t i;

	assert_int_equal(next(), 1);
	assert_string_equal(umad_event_str(event.type), umad_event_str(type));
	assert_string_equal(event.ca_name, name);
	for (i = strlen(name); i < sizeof(event.ca_name); i++)
		assert_int_equal(event.ca_name[i], 0);
}

void expect_node(enum umad_event_type type, const char *node, const char *name)
{
	expect_device(type, name);
	assert_string_equal(event.node, node);
	assert_int_equal(event.port_number, name[0] ? 1 : 0);
}

void expect_port(const char *name, unsigned int changed, unsigned int state)
{
	expect_device(UMAD_EVENT_PORT_CHANGED, name);
	assert_int_equal(event.port_number, 1);
	assert_int_equal(event.changed, changed);
	assert_int_equal(event.state, state);
}

void expect_overrun(void)
{
	expect_device(UMAD_EVENT_OVERRUN, "");
}

void expect_none(void)
{
	assert_int_equal(next(), 0);
	assert_false(is_readable());
}

static bool is_node(const char *name)
{
	return !strncmp(name, "umad", 4) || !strncmp(name, "issm", 4);
}

/* The text behind a character, which ends what is before it; NULL: there is none. */
static char *split(char *word, char at)
{
	char *found = strchr(word, at);

	if (found)
		*found++ = '\0';
	return found;
}

static void change_host(char *word)
{
	char sign = *word++, *guid = split(word, '#'), *node = split(word, '/');
	char *device = split(word, '@'), path[80];

	if (sign == '+' && device)
		kernel_node((unsigned int)strtoul(word + 4, NULL, 10), device, 1);
	else if (sign == '+' && node)
		add_device(word, (unsigned int)strtoul(node, NULL, 10), "InfiniBand\n");
	else if (sign == '+')
		kernel_ca(word, 1, 1, 0);
	else if (node)
		remove_device(word, (unsigned int)strtoul(node, NULL, 10));
	else {
		snprintf(path, sizeof(path), "/sys/class/infiniband%s/%s",
			 is_node(word) ? "_mad" : "", word);
		kernel_remove(path);
	}
	if (guid) {
		snprintf(path, sizeof(path), "0002:c903:0000:00%s\n", guid);
		kernel_ca_file(word, "node_guid", path);
	}
}

static void say(char *word)
{
	char *old = split(word, '<');
	const char *action = *word == '+' ? "add" : *word == '-' ? "remove" : "change";

	if (old)
		send_uevent("move", "infiniband", word, old);
	else
		send_uevent(action, is_node(word + 1) ? "infiniband_mad" : "infiniband", word + 1,
			    NULL);
}

static void see(char *word)
{
	char *old = split(word, '<'), *device = split(word, '@');
	bool added = *word == '+';

	if (old) {
		expect_device(UMAD_EVENT_DEVICE_RENAMED, word);
		assert_string_equal(event.old_name, old);
	} else if (device) {
		expect_node(added ? UMAD_EVENT_UMAD_ADDED : UMAD_EVENT_UMAD_REMOVED, word + 1,
			    device);
	} else {
		expect_device(added ? UMAD_EVENT_DEVICE_ADDED : UMAD_EVENT_DEVICE_REMOVED,
			      word + 1);
		assert_int_equal(event.port_number, 0);
		assert_string_equal(event.old_name, "");
	}
}

static void play_line(char *line)
{
	char *rest, *verb = strtok_r(line, " ", &rest), *word;

	if (!strcmp(verb, "open"))
		open_monitor();
	else if (!strcmp(verb, "present"))
		assert_non_null(monitor = umad_monitor_open(UMAD_MONITOR_REPORT_PRESENT));
	else if (!strcmp(verb, "close"))
		close_monitor();
	else if (!strcmp(verb, "rescan"))
		assert_int_equal(umad_monitor_rescan(monitor), 0);
	while ((word = strtok_r(NULL, " ", &rest))) {
		if (!strcmp(verb, "host"))
			change_host(word);
		else if (!strcmp(verb, "says"))
			say(word);
		else if (!strcmp(verb, "sees"))
			see(word);
		else
			fail_msg("%s %s", verb, word);
	}
	if (!strcmp(verb, "sees"))
		expect_none();
}

void play(const char *const lines[])
{
	char line[200];

	for (; *lines; lines++) {
		print_message("%s\n", *lines);
		snprintf(line, sizeof(line), "%s", *lines);
		play_line(line);
	}
}
