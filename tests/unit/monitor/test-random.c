/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * test-random.c - a consumer that applies events and does nothing else ends in the actual state.
 * Each sequence changes a host at random (devices come, go, exchange names, with and without node
 * GUIDs; ports and umad devices change; attributes cannot be read for a while), while the kernel's
 * messages come late, out of step and with losses, and the consumer reads some events in between.
 * In the end its model is compared with the host.
 *
 * MONITOR_SEED=N plays the sequence N alone, and prints what happens; MONITOR_SEQUENCES=N plays so
 * many.
 */
#include "events.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <linux/netlink.h>

enum {
	SEQUENCES = 10000,
	MOST_STEPS = 24,
	DEVICES = 4,
	PORTS = 2,
	NODES = 8,
	PENDING = 400,
	PATIENCE_MS = 20000,
	ALL_SCANS = 16, /* after so many one has read everything */
};

/*
 * The host
 */

enum { STATE, PHYS, LID, LMC, SM_LID, SM_SL, CAPMASK, VALUES };

static const char *const attributes[VALUES] = { "state",  "phys_state", "lid",	   "lid_mask_count",
						"sm_lid", "sm_sl",	"cap_mask" };

struct device {
	bool exists;
	char name[UMAD_CA_NAME_LEN];
	unsigned id;   /* no other ever has it: port GUIDs, network interfaces */
	bool has_guid; /* a virtual function has none */
	bool is_roce;
	bool is_foreign; /* of another kind than InfiniBand */
	int ports;
	unsigned value[PORTS + 1][VALUES];
	unsigned node[PORTS + 1]; /* the number plus 1; 0: none */
};

static struct device host[DEVICES];
static unsigned next_id;
static uint64_t random_state;
static bool is_silent;	/* something has changed without a message: only scans find it */
static bool is_verbose; /* only a sequence is played */
static char pending[PENDING][64];
static int pending_first, pending_count;
static unsigned seed;

#define SAY(...)                             \
	do {                                 \
		if (is_verbose)              \
			printf(__VA_ARGS__); \
	} while (0)

static unsigned pick(unsigned count)
{
	random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (unsigned)(random_state >> 33) % count;
}

/* A message that the kernel sends, and that arrives later. */
static void announce(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void announce(const char *format, ...)
{
	va_list arguments;

	assert_true(pending_count < PENDING);
	va_start(arguments, format);
	vsnprintf(pending[pending_count++], sizeof(pending[0]), format, arguments);
	va_end(arguments);
	SAY("  kernel: %s\n", pending[pending_count - 1]);
}

static void write_value(const struct device *device, int port, int value)
{
	char text[40];

	snprintf(text, sizeof(text), value == PHYS || value == STATE ? "%u: NAME\n" : "%#x\n",
		 device->value[port][value]);
	kernel_port_file(device->name, port, attributes[value], text);
}

static void write_ports(const struct device *device)
{
	for (int port = 1; port <= device->ports; port++) {
		for (int value = 0; value < VALUES; value++)
			write_value(device, port, value);
		if (device->node[port])
			kernel_node(device->node[port] - 1, device->name, port);
	}
}

/* The network interfaces of RoCE ports, by RDMA netlink; those of InfiniBand have none. */
static void show_roce(void)
{
	fakenl_remove_devices();
	for (const struct device *device = host; device < host + DEVICES; device++)
		if (device->exists && device->is_roce)
			fakenl_add_device(&(struct fakenl_device){ .index = device->id,
								   .name = device->name,
								   .protocol = "roce",
								   .node_type = 1,
								   .ports = 1,
								   .netdev_index = device->id });
}

static void show(struct device *device)
{
	char text[80];

	device->exists = true;
	kernel_ca(device->name, 1, device->ports, 0x1000 + 16 * device->id);
	snprintf(text, sizeof(text), "0000:0000:0000:%04x\n", device->has_guid ? device->id : 0);
	kernel_ca_file(device->name, "node_guid", text);
	if (device->is_foreign)
		kernel_ca_file(device->name, "node_type", "4: RNIC\n");
	for (int port = 1; port <= device->ports && device->is_roce; port++)
		kernel_port_file(device->name, port, "link_layer", "Ethernet\n");
	write_ports(device);
	show_roce();
}

static void hide_node(unsigned number)
{
	char path[64];

	snprintf(path, sizeof(path), "/sys/class/infiniband_mad/umad%u", number);
	kernel_remove(path);
}

static void hide(struct device *device)
{
	char path[64];

	snprintf(path, sizeof(path), "/sys/class/infiniband/%s", device->name);
	kernel_remove(path);
	device->exists = false;
	show_roce();
}

static bool is_taken(const char *name)
{
	for (const struct device *device = host; device < host + DEVICES; device++)
		if (device->exists && !strcmp(device->name, name))
			return true;
	return false;
}

static void choose_name(char name[UMAD_CA_NAME_LEN])
{
	do
		snprintf(name, UMAD_CA_NAME_LEN, "dev%u", pick(DEVICES + 2));
	while (is_taken(name));
}

static void choose_value(struct device *device, int port, int value)
{
	device->value[port][value] = value == STATE ? 1 + pick(4) : 1 + pick(3);
}

/* The kernel gives the lowest number that is free. */
static void add_node(struct device *device, int port)
{
	unsigned number = 0;

	for (bool is_free = false; !is_free; number += !is_free) {
		is_free = true;
		for (const struct device *other = host; other < host + DEVICES; other++)
			for (int i = 1; i <= PORTS; i++)
				is_free &= !other->exists || other->node[i] != number + 1;
	}
	device->node[port] = number + 1;
	kernel_node(number, device->name, port);
	announce("says +umad%u", number);
}

static void remove_node(struct device *device, int port)
{
	hide_node(device->node[port] - 1);
	announce("says -umad%u", device->node[port] - 1);
	device->node[port] = 0;
}

/*
 * Changes of the host
 */

static void device_comes(struct device *device)
{
	if (device->exists)
		return;
	*device = (struct device){ .id = ++next_id,
				   .has_guid = pick(2),
				   .is_foreign = !pick(8),
				   .ports = 1 + (int)pick(PORTS) };
	device->is_roce = !device->is_foreign && !pick(4);
	if (device->is_roce)
		device->ports = 1;
	choose_name(device->name);
	for (int port = 1; port <= device->ports; port++)
		for (int value = 0; value < VALUES; value++)
			choose_value(device, port, value);
	show(device);
	for (int port = 1; port <= device->ports; port++)
		if (pick(4) && !device->is_foreign)
			add_node(device, port);
	announce("says +%s", device->name);
}

static void device_goes(struct device *device)
{
	if (!device->exists)
		return;
	for (int port = 1; port <= device->ports; port++)
		if (device->node[port])
			remove_node(device, port);
	hide(device);
	announce("says -%s", device->name);
}

static void rename_to(struct device *device, const char *name)
{
	char old_name[UMAD_CA_NAME_LEN];

	strcpy(old_name, device->name);
	hide(device);
	strcpy(device->name, name);
	show(device);
	announce("says %s<%s", name, old_name);
}

static void device_is_renamed(struct device *device)
{
	char name[UMAD_CA_NAME_LEN];

	if (!device->exists)
		return;
	choose_name(name);
	rename_to(device, name);
}

static void names_are_exchanged(struct device *device)
{
	struct device *other = &host[pick(DEVICES)];
	char name[UMAD_CA_NAME_LEN], other_name[UMAD_CA_NAME_LEN];

	if (!device->exists || !other->exists || other == device)
		return;
	strcpy(name, device->name);
	strcpy(other_name, other->name);
	rename_to(device, "temporary");
	rename_to(other, name);
	rename_to(device, other_name);
}

/* With a message about its network interface, or without one. */
static void port_changes(struct device *device)
{
	int port = 1 + (int)pick(PORTS);

	if (!device->exists || port > device->ports)
		return;
	for (unsigned i = 1 + pick(3); i > 0; i--) {
		int value = (int)pick(VALUES);

		choose_value(device, port, value);
		write_value(device, port, value);
	}
	if (device->is_roce)
		announce("link %u %s", device->id, pick(2) ? "up" : "down");
	else if (pick(3))
		announce("link 999 up ipoib %#llx",
			 0x0002c90300000000ULL + 0x1000 + 16 * device->id + (unsigned)port);
	else
		is_silent = true;
	SAY("  port %s.%d has changed\n", device->name, port);
}

static void node_comes_or_goes(struct device *device)
{
	int port = 1 + (int)pick(PORTS);

	if (!device->exists || device->is_foreign || port > device->ports)
		return;
	if (device->node[port])
		remove_node(device, port);
	else
		add_node(device, port);
}

static void deliver(unsigned count)
{
	char message[sizeof(pending[0])];

	for (; count && pending_first < pending_count; count--) {
		strcpy(message, pending[pending_first++]);
		SAY("  arrives: %s\n", message);
		play(message);
	}
}

static void lose_messages(void)
{
	unsigned count = pick(6);

	while (count-- && pending_first < pending_count)
		SAY("  lost: %s\n", pending[pending_first++]);
	SAY("  overrun\n");
	play(pick(2) ? "breaks uevent ENOBUFS" : "breaks link ENOBUFS");
}

/*
 * The consumer
 */

static struct {
	bool exists, has_port[PORTS + 1], is_new;
	char name[UMAD_CA_NAME_LEN];
	unsigned value[PORTS + 1][VALUES];
} model[DEVICES + 3];

static struct {
	char owner[UMAD_CA_NAME_LEN]; /* "": there is no such umad device */
	unsigned port;
} model_node[DEVICES * PORTS];

static int find(const char *name)
{
	for (int i = 0; i < (int)COUNT(model); i++)
		if (model[i].exists && !strcmp(model[i].name, name))
			return i;
	return -1;
}

static void require(bool condition, const char *what)
{
	if (!condition)
		fail_msg("MONITOR_SEED=%u: \"%s\" of %s: %s", seed, umad_event_str(event.type),
			 event.ca_name, what);
}

static void apply_device(int at)
{
	int place = 0;

	if (event.type == UMAD_EVENT_DEVICE_ADDED) {
		require(at < 0, "it is there");
		while (model[place].exists)
			place++;
		memset(&model[place], 0, sizeof(model[place]));
		model[place].exists = true;
		strcpy(model[place].name, event.ca_name);
	} else if (event.type == UMAD_EVENT_DEVICE_REMOVED) {
		require(at >= 0, "there is no such device");
		for (size_t i = 0; i < COUNT(model_node); i++)
			require(strcmp(model_node[i].owner, event.ca_name) != 0, "it has nodes");
		model[at].exists = false;
	} else {
		require(at < 0 && find(event.old_name) >= 0, "nothing to rename");
		strcpy(model[find(event.old_name)].name, event.ca_name);
		for (size_t i = 0; i < COUNT(model_node); i++)
			if (!strcmp(model_node[i].owner, event.old_name))
				strcpy(model_node[i].owner, event.ca_name);
	}
}

static void apply_node(int at)
{
	unsigned number = (unsigned)atoi(event.node + strlen("umad"));
	bool exists = event.type == UMAD_EVENT_UMAD_ADDED;

	require(at >= 0, "a node without a device");
	require(number < COUNT(model_node) && !*model_node[number].owner == exists,
		"a node comes or goes twice");
	require(exists || (!strcmp(model_node[number].owner, event.ca_name) &&
			   model_node[number].port == event.port_number),
		"a node is another's");
	strcpy(model_node[number].owner, exists ? event.ca_name : "");
	model_node[number].port = event.port_number;
}

static void apply_port(int at)
{
	static const unsigned changes[VALUES] = { UMAD_CHANGED_STATE,  UMAD_CHANGED_PHYS_STATE,
						  UMAD_CHANGED_LID,    UMAD_CHANGED_LID,
						  UMAD_CHANGED_SM,     UMAD_CHANGED_SM,
						  UMAD_CHANGED_CAPMASK };
	const unsigned now[VALUES] = { event.state,	     event.physical_state,
				       event.base_lid,	     event.lmc,
				       event.sm_lid,	     event.sm_sl,
				       event.capability_mask };
	unsigned port = event.port_number, changed = 0, all = 0;

	require(at >= 0 && port >= 1 && port <= PORTS, "a port without a device");
	for (int i = 0; i < VALUES; i++) {
		changed |= now[i] != model[at].value[port][i] ? changes[i] : 0;
		all |= changes[i];
		model[at].value[port][i] = now[i];
	}
	require(event.changed == (model[at].has_port[port] ? changed : all), "wrong changes");
	model[at].has_port[port] = true;
}

/* Reads up to so many events. */
static void consume(int count)
{
	while (count-- && next_event() == 1) {
		int at = find(event.ca_name);

		SAY("    event: %s %s %s %s%u state %u lid %u\n", umad_event_str(event.type),
		    event.ca_name, event.old_name, event.node, event.port_number, event.state,
		    event.base_lid);
		if (event.type == UMAD_EVENT_OVERRUN)
			continue;
		if (event.type == UMAD_EVENT_PORT_CHANGED)
			apply_port(at);
		else if (event.node[0])
			apply_node(at);
		else
			apply_device(at);
	}
}

static void differ(const char *name, const char *what, int port)
{
	fail_msg("MONITOR_SEED=%u: the model is wrong: %s %s %d", seed, name, what, port);
}

static void compare_device(const struct device *device)
{
	int at = find(device->name);

	if (at < 0)
		differ(device->name, "is missing", 0);
	for (int port = 1; port <= PORTS; port++) {
		unsigned number = device->node[port];

		if (model[at].has_port[port] != (port <= device->ports))
			differ(device->name, "existence of port", port);
		if (port <= device->ports && memcmp(model[at].value[port], device->value[port],
						    sizeof(device->value[port])) != 0)
			differ(device->name, "values of port", port);
		if (number && (strcmp(model_node[number - 1].owner, device->name) != 0 ||
			       model_node[number - 1].port != (unsigned)port))
			differ(device->name, "umad device of port", port);
	}
}

static void compare(void)
{
	int devices = 0, nodes = 0;

	for (const struct device *device = host; device < host + DEVICES; device++) {
		if (!device->exists || device->is_foreign)
			continue;
		compare_device(device);
		devices++;
		for (int port = 1; port <= PORTS; port++)
			nodes += device->node[port] != 0;
	}
	for (size_t i = 0; i < COUNT(model); i++)
		devices -= model[i].exists;
	for (size_t i = 0; i < COUNT(model_node); i++)
		nodes -= *model_node[i].owner != 0;
	if (devices || nodes)
		differ("", "too many devices or nodes", -devices - nodes);
}

/*
 * Sequences
 */

/* Attributes that cannot be read for one look; after that only scans can know. */
static void some_are_unreadable(struct device *device)
{
	static const char *const others[] = { "node_guid", "ports/1/gids/0", "ports/1/link_layer" };
	int port = 1 + (int)pick(PORTS), value = (int)pick(VALUES);

	if (!device->exists || port > device->ports)
		return;
	kernel_port_file(device->name, port, attributes[value], "unreadable\n");
	if (!pick(3))
		kernel_ca_file(device->name, others[pick(COUNT(others))], "unreadable\n");
	if (pick(2))
		play("says !eth0");
	deliver(pick(4));
	SAY("  %s of %s.%d cannot be read\n", attributes[value], device->name, port);
	consume((int)pick(4));
	show(device);
	is_silent = true;
}

/* A removal is announced before sysfs shows it, or a device is found before its ports. */
static void messages_are_early(struct device *device)
{
	char name[UMAD_CA_NAME_LEN], message[64];
	int ports = device->ports;

	if (device->exists && pick(2)) {
		strcpy(name, device->name);
		snprintf(message, sizeof(message), "says -%s", name);
		SAY("  early: %s\n", message);
		play(message);
		consume((int)pick(6));
		device_goes(device);
		return;
	}
	if (!device->exists || device->node[1] || device->node[2])
		return;
	device->ports = 0;
	hide(device);
	show(device);
	deliver(pick(3));
	consume((int)pick(4));
	device->ports = ports;
	show(device);
	announce("says ~%s", device->name);
}

static void step(bool may_lose)
{
	struct device *device = &host[pick(DEVICES)];
	static void (*const steps[])(struct device *) = {
		device_comes,	    device_comes,      device_comes,	    device_goes,
		device_is_renamed,  device_is_renamed, names_are_exchanged, port_changes,
		port_changes,	    port_changes,      node_comes_or_goes,  some_are_unreadable,
		messages_are_early,
	};

	steps[pick(COUNT(steps))](device);
	if (may_lose && !pick(6))
		lose_messages();
	if (pick(2))
		deliver(pick(4));
	if (!pick(3))
		consume((int)pick(5));
}

static void finish(void)
{
	deliver(PENDING);
	consume(PENDING);
	if (is_silent && pick(8)) {
		assert_int_equal(umad_monitor_rescan(monitor), 0);
		consume(PENDING);
	} else if (is_silent) {
		assert_int_equal(umad_monitor_set_interval(monitor, 1), 0);
		for (int i = 0; i < ALL_SCANS; i++) {
			assert_true(is_readable(PATIENCE_MS));
			consume(PENDING);
		}
	}
	compare();
}

static void play_sequence(void)
{
	unsigned steps;

	memset(host, 0, sizeof(host));
	memset(model, 0, sizeof(model));
	memset(model_node, 0, sizeof(model_node));
	random_state = seed * UINT64_C(0x9e3779b97f4a7c15);
	pending_first = pending_count = 0;
	next_id = 0;
	is_silent = false;
	steps = 1 + pick(MOST_STEPS);
	kernel_directory("/sys/class/infiniband");
	play("rdma");
	for (unsigned i = pick(4); i > 0; i--)
		device_comes(&host[pick(DEVICES)]);
	pending_count = 0;
	play("open present");
	for (bool may_lose = !pick(3); steps; steps--)
		step(may_lose);
	finish();
}

static unsigned number_of(const char *name, unsigned otherwise)
{
	const char *text = getenv(name);

	return text ? (unsigned)strtoul(text, NULL, 10) : otherwise;
}

TEST(consumers_that_apply_events_end_in_the_actual_state)
{
	unsigned only = number_of("MONITOR_SEED", 0);
	unsigned last = only ? only : number_of("MONITOR_SEQUENCES", SEQUENCES);

	is_verbose = only;
	for (seed = only ? only : 1; seed <= last; seed++) {
		set_up_host(NULL);
		play_sequence();
		tear_down_host(NULL);
	}
	print_message("sequences: seeds %u to %u\n", only ? only : 1, last);
}
