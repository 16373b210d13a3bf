/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * test-sequences.c - random sequences of devices that are added, removed, renamed and exchange
 * their names, with messages that arrive late and in any order, and with snapshots between them:
 * events are consistent, and after the last message they have led to the devices that exist. Half
 * of the hosts have sysfs, the others netlink only. MONITOR_SEQUENCES sets how many are run.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "events.h"

enum { DEVICES = 3, NAMES = 6, STEPS = 12, MESSAGES_MAX = 8 * STEPS, SEQUENCES = 3000 };

/* The last two are no names for the interface. */
static const char *const names[NAMES] = {
	"a", "b", "c", "d", "a_name_of_20_letters", "another_name_of_20_letters"
};

static struct device {
	const char *name; /* NULL: does not exist */
	bool is_listed;	  /* its type is */
} devices[DEVICES];
static const char *known[DEVICES], *known_node[DEVICES]; /* by the events */
static bool has_sysfs;

static struct message {
	const char *action, *subsystem, *name, *old_name;
} messages[MESSAGES_MAX];
static size_t message_count;
static unsigned int seed;

static unsigned int random_below(unsigned int limit)
{
	return (unsigned int)rand_r(&seed) % limit;
}

/*
 * The host
 */

static void show_in_sysfs(size_t number)
{
	const char *name = devices[number].name;
	char guid[32];

	snprintf(guid, sizeof(guid), "0002:c903:0000:%04x\n", (unsigned int)number);
	kernel_ca_file(name, "node_type", devices[number].is_listed ? "1: CA\n" : "4: RNIC\n");
	kernel_ca_file(name, "node_guid", guid);
	kernel_port_file(name, 1, "state", "4: ACTIVE\n");
	kernel_node((unsigned int)number, name, 1);
}

static void show_in_netlink(size_t number)
{
	static const char *const nodes[DEVICES] = { "umad0", "umad1", "umad2" };

	fakenl_add_device(&(struct fakenl_device){ .index = (uint32_t)number,
						   .name = devices[number].name,
						   .node_guid = 0x0002c90300000000 + number,
						   .node_type = devices[number].is_listed ? 1 : 4,
						   .ports = 1,
						   .state = 4,
						   .node = nodes[number],
						   .abi = 5 });
}

static void show_devices(void)
{
	size_t i;

	kernel_remove("/sys/class/infiniband");
	kernel_remove("/sys/class/infiniband_mad");
	fakenl_remove_devices();
	if (has_sysfs)
		kernel_directory("/sys/class/infiniband");
	for (i = 0; i < DEVICES; i++)
		if (devices[i].name && has_sysfs)
			show_in_sysfs(i);
		else if (devices[i].name)
			show_in_netlink(i);
}

static void add_message(const char *action, const char *subsystem, const char *name,
			const char *old_name)
{
	messages[message_count++] = (struct message){ action, subsystem, name, old_name };
}

static const char *find_free_name(void)
{
	const char *name;
	size_t i;

	do {
		name = names[random_below(NAMES)];
		for (i = 0; i < DEVICES; i++)
			if (devices[i].name == name)
				break;
	} while (i < DEVICES);
	return name;
}

static void add_or_remove(size_t number)
{
	static const char *const nodes[DEVICES] = { "umad0", "umad1", "umad2" };
	struct device *device = &devices[number];
	const char *action = device->name ? "remove" : "add", *name = device->name;

	if (!name)
		device->is_listed = random_below(8);
	device->name = name ? NULL : find_free_name();
	add_message(action, "infiniband_mad", nodes[number], NULL);
	add_message(action, "infiniband", name ? name : device->name, NULL);
}

static void change_name(struct device *device, const char *name)
{
	add_message("move", "infiniband", name, device->name);
	device->name = name;
}

static void exchange_names(struct device *a, struct device *b)
{
	const char *name = a->name, *other = b->name;

	change_name(a, find_free_name());
	change_name(b, name);
	change_name(a, other);
}

static void change_host(void)
{
	size_t number = random_below(DEVICES), other = random_below(DEVICES);

	if (!devices[number].name || !random_below(4))
		add_or_remove(number);
	else if (number != other && devices[other].name)
		exchange_names(&devices[number], &devices[other]);
	else
		change_name(&devices[number], find_free_name());
	show_devices();
}

/* One of those that are waiting, most often the first one. */
static void deliver_message(void)
{
	size_t number = random_below(4) ? 0 : random_below((unsigned int)message_count);
	struct message message = messages[number];

	memmove(&messages[number], &messages[number + 1],
		(--message_count - number) * sizeof(messages[0]));
	send_uevent(message.action, message.subsystem, message.name, message.old_name);
}

/*
 * Events
 */

static const char **find_known(const char *name)
{
	size_t i;

	for (i = 0; i < DEVICES; i++)
		if (name ? known[i] && !strcmp(known[i], name) : !known[i])
			return &known[i];
	return NULL;
}

static const char *copy_of(const char *name)
{
	size_t i = 0;

	while (strcmp(names[i], name) != 0)
		assert_true(++i < NAMES);
	return names[i];
}

static void take_event(void)
{
	const char **node = &known_node[event.node[0] ? event.node[4] - '0' : 0];
	const char **device = find_known(event.ca_name);
	size_t i;

	switch (event.type) {
	case UMAD_EVENT_DEVICE_ADDED:
		assert_null(device);
		*find_known(NULL) = copy_of(event.ca_name);
		break;
	case UMAD_EVENT_DEVICE_REMOVED:
		assert_non_null(device);
		for (i = 0; i < DEVICES; i++)
			assert_true(!known_node[i] || strcmp(known_node[i], *device) != 0);
		*device = NULL;
		break;
	case UMAD_EVENT_DEVICE_RENAMED:
		assert_null(device);
		device = find_known(event.old_name);
		assert_non_null(device);
		for (i = 0; i < DEVICES; i++)
			if (known_node[i] == *device)
				known_node[i] = copy_of(event.ca_name);
		*device = copy_of(event.ca_name);
		break;
	case UMAD_EVENT_UMAD_ADDED:
		assert_non_null(device);
		assert_null(*node);
		*node = *device;
		break;
	case UMAD_EVENT_UMAD_REMOVED:
		assert_non_null(*node);
		assert_string_equal(*node, event.ca_name);
		*node = NULL;
		break;
	default:
		fail_msg("%s", umad_event_str(event.type));
	}
}

static void read_all(void)
{
	while (next() > 0)
		take_event();
	assert_false(is_readable());
}

static void expect_devices(void)
{
	size_t i, count = 0;

	for (i = 0; i < DEVICES; i++) {
		if (!devices[i].name || !devices[i].is_listed ||
		    strlen(devices[i].name) >= UMAD_CA_NAME_LEN) {
			assert_null(known_node[i]);
			continue;
		}
		count++;
		assert_non_null(find_known(devices[i].name));
		assert_ptr_equal(known_node[i], devices[i].name);
	}
	for (i = 0; i < DEVICES; i++)
		count -= known[i] != NULL;
	assert_int_equal(count, 0);
}

static void run_sequence(void)
{
	int step;

	memset(devices, 0, sizeof(devices));
	memset(known, 0, sizeof(known));
	memset(known_node, 0, sizeof(known_node));
	show_devices();
	open_monitor();
	for (step = 0; step < STEPS; step++) {
		change_host();
		while (message_count && random_below(3))
			deliver_message();
		if (!random_below(4))
			assert_int_equal(umad_monitor_rescan(monitor), 0);
		if (random_below(2) && next() > 0)
			take_event();
		if (!random_below(3))
			read_all();
	}
	while (message_count)
		deliver_message();
	read_all();
	expect_devices();
	close_monitor();
}

MONITOR_TEST(random_sequences_end_with_the_devices_that_exist)
{
	const char *option = getenv("MONITOR_SEQUENCES");
	unsigned int count = option ? (unsigned int)atoi(option) : SEQUENCES, i;

	fakenl_know_rdma();
	for (i = 0; i < count; i++) {
		seed = i;
		has_sysfs = i % 2;
		run_sequence();
	}
	print_message("%u sequences\n", count);
}
