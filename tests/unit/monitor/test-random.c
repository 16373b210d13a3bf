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
	NAMES = DEVICES + 2, /* "dev0" and so on; and one for exchanges */
	PORTS = 2,
	PENDING = 400,
	MESSAGE_SIZE = 64,
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
static char pending[PENDING][MESSAGE_SIZE];
static int pending_first, pending_count;
static unsigned seed;

static unsigned pick(unsigned count)
{
	random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (unsigned)(random_state >> 33) % count;
}

/* Plays a statement of events.tbl. */
static void now(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void now(const char *format, ...)
{
	char statement[200];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(statement, sizeof(statement), format, arguments);
	va_end(arguments);
	if (is_verbose)
		printf("  %s\n", statement);
	play(statement);
}

/* A message that the kernel sends, and that arrives later. */
static void later(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void later(const char *format, ...)
{
	va_list arguments;

	assert_true(pending_count < PENDING);
	va_start(arguments, format);
	vsnprintf(pending[pending_count++], MESSAGE_SIZE, format, arguments);
	va_end(arguments);
}

static void write_value(const struct device *device, int port, int value)
{
	now("port %s.%d %s=%#x", device->name, port, attributes[value], device->value[port][value]);
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
	device->exists = true;
	now("host +%s%s#%x", device->name, device->is_roce ? ":ethernet" : "",
	    device->has_guid ? 0x10 + device->id : 0);
	if (device->is_foreign)
		now("file %s/node_type 4: RNIC", device->name);
	if (!device->ports)
		now("file %s/ports", device->name);
	for (int port = 1; port <= device->ports; port++) {
		now("port %s.%d gids/0=fe80:0:0:0:2:c903:0:%x", device->name, port,
		    0x1000 + 16 * device->id + (unsigned)port);
		for (int value = 0; value < VALUES; value++)
			write_value(device, port, value);
		if (device->node[port])
			now("host +umad%u@%s.%d", device->node[port] - 1, device->name, port);
	}
	show_roce();
}

static void hide(struct device *device)
{
	now("host -%s", device->name);
	device->exists = false;
	show_roce();
}

static void choose_name(char name[UMAD_CA_NAME_LEN])
{
	bool is_taken;

	do {
		snprintf(name, UMAD_CA_NAME_LEN, "dev%u", pick(NAMES));
		is_taken = false;
		for (const struct device *device = host; device < host + DEVICES; device++)
			is_taken |= device->exists && !strcmp(device->name, name);
	} while (is_taken);
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
	now("host +umad%u@%s.%d", number, device->name, port);
	later("says +umad%u", number);
}

static void remove_node(struct device *device, int port)
{
	now("host -umad%u", device->node[port] - 1);
	later("says -umad%u", device->node[port] - 1);
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
	later("says +%s", device->name);
}

static void device_goes(struct device *device)
{
	for (int port = 1; port <= device->ports && device->exists; port++)
		if (device->node[port])
			remove_node(device, port);
	if (!device->exists)
		return;
	hide(device);
	later("says -%s", device->name);
}

static void rename_to(struct device *device, const char *name)
{
	hide(device);
	later("says %s<%s", name, device->name);
	strcpy(device->name, name);
	show(device);
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
		later("link %u %s", device->id, pick(2) ? "up" : "down");
	else if (pick(3))
		later("link 999 up ipoib %#llx",
		      0x0002c90300000000ULL + 0x1000 + 16 * device->id + (unsigned)port);
	else
		is_silent = true;
}

static void node_comes_or_goes(struct device *device)
{
	int port = 1 + (int)pick(PORTS);

	if (device->exists && !device->is_foreign && port <= device->ports)
		(device->node[port] ? remove_node : add_node)(device, port);
}

static void deliver(unsigned count)
{
	for (; count && pending_first < pending_count; count--)
		now("%s", pending[pending_first++]);
}

static void lose_messages(void)
{
	unsigned count = pick(6);

	while (count-- && pending_first < pending_count)
		pending_first++;
	now("breaks %s ENOBUFS", pick(2) ? "uevent" : "link");
}

/*
 * The consumer
 */

static struct model {
	struct {
		unsigned exists, has_port[PORTS + 1];
		unsigned value[PORTS + 1][VALUES];
	} device[NAMES + 1]; /* by name */
	struct {
		unsigned owner, port; /* the place of the device plus 1; 0: no such umad device */
	} node[DEVICES * PORTS];
} model;

static unsigned place_of(const char *name)
{
	return *name == 't' ? NAMES : (unsigned)atoi(name + strlen("dev"));
}

static void require(bool condition, const char *what)
{
	if (!condition)
		fail_msg("MONITOR_SEED=%u: \"%s\" of %s: %s", seed, umad_event_str(event.type),
			 event.ca_name, what);
}

static void apply_device(unsigned at)
{
	unsigned old = place_of(event.old_name);

	if (event.type == UMAD_EVENT_DEVICE_ADDED) {
		require(!model.device[at].exists, "it is there");
		model.device[at].exists = true;
		return;
	}
	if (event.type == UMAD_EVENT_DEVICE_REMOVED) {
		require(model.device[at].exists, "there is no such device");
		for (size_t i = 0; i < COUNT(model.node); i++)
			require(model.node[i].owner != at + 1, "it has nodes");
		memset(&model.device[at], 0, sizeof(model.device[at]));
		return;
	}
	require(!model.device[at].exists && model.device[old].exists, "nothing to rename");
	model.device[at] = model.device[old];
	memset(&model.device[old], 0, sizeof(model.device[old]));
	for (size_t i = 0; i < COUNT(model.node); i++)
		if (model.node[i].owner == old + 1)
			model.node[i].owner = at + 1;
}

static void apply_node(unsigned at)
{
	unsigned number = (unsigned)atoi(event.node + strlen("umad"));
	bool exists = event.type == UMAD_EVENT_UMAD_ADDED;

	require(model.device[at].exists, "a node without a device");
	require(number < COUNT(model.node) && !model.node[number].owner == exists,
		"a node comes or goes twice");
	require(exists || (model.node[number].owner == at + 1 &&
			   model.node[number].port == event.port_number),
		"a node is another's");
	model.node[number].owner = exists ? at + 1 : 0;
	model.node[number].port = exists ? event.port_number : 0;
}

static void apply_port(unsigned at)
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

	require(model.device[at].exists && port >= 1 && port <= PORTS, "a port without a device");
	for (int i = 0; i < VALUES; i++) {
		changed |= now[i] != model.device[at].value[port][i] ? changes[i] : 0;
		all |= changes[i];
		model.device[at].value[port][i] = now[i];
	}
	require(event.changed == (model.device[at].has_port[port] ? changed : all),
		"wrong changes");
	model.device[at].has_port[port] = true;
}

/* Reads up to so many events. */
static void consume(unsigned count)
{
	while (count-- && next_event() == 1) {
		if (is_verbose)
			printf("    event: %s %s %s %s%u state %u lid %u\n",
			       umad_event_str(event.type), event.ca_name, event.old_name,
			       event.node, event.port_number, event.state, event.base_lid);
		if (event.type == UMAD_EVENT_PORT_CHANGED)
			apply_port(place_of(event.ca_name));
		else if (event.node[0])
			apply_node(place_of(event.ca_name));
		else if (event.type != UMAD_EVENT_OVERRUN)
			apply_device(place_of(event.ca_name));
	}
}

/*
 * Sequences
 */

static void compare(void)
{
	struct model actual = { 0 };

	for (const struct device *device = host; device < host + DEVICES; device++) {
		unsigned at = place_of(device->name);

		if (!device->exists || device->is_foreign)
			continue;
		actual.device[at].exists = true;
		memcpy(actual.device[at].value, device->value, sizeof(device->value));
		for (int port = 1; port <= device->ports; port++) {
			unsigned number = device->node[port];

			actual.device[at].has_port[port] = true;
			if (number) {
				actual.node[number - 1].owner = at + 1;
				actual.node[number - 1].port = (unsigned)port;
			}
		}
	}
	if (memcmp(&model, &actual, sizeof(model)) != 0)
		fail_msg("MONITOR_SEED=%u: the model is wrong", seed);
}

/* Attributes that cannot be read for one look; after that only scans can know. */
static void some_are_unreadable(struct device *device)
{
	static const char *const others[] = { "node_guid", "ports/1/gids/0", "ports/1/link_layer" };
	int port = 1 + (int)pick(PORTS), value = (int)pick(VALUES);

	if (!device->exists || port > device->ports)
		return;
	now("port %s.%d %s=unreadable", device->name, port, attributes[value]);
	if (!pick(3))
		now("file %s/%s unreadable", device->name, others[pick(COUNT(others))]);
	if (pick(2))
		play("says !eth0");
	deliver(pick(4));
	consume(pick(4));
	show(device);
	is_silent = true;
}

/* A removal is announced before sysfs shows it, or a device is found before its ports. */
static void messages_are_early(struct device *device)
{
	int ports = device->ports;

	if (device->exists && pick(2)) {
		now("says -%s", device->name);
		consume(pick(6));
		device_goes(device);
	} else if (device->exists && !device->node[1] && !device->node[2]) {
		device->ports = 0;
		hide(device);
		show(device);
		deliver(pick(3));
		consume(pick(4));
		device->ports = ports;
		show(device);
		later("says ~%s", device->name);
	}
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
		consume(pick(5));
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
	memset(&model, 0, sizeof(model));
	random_state = seed * UINT64_C(0x9e3779b97f4a7c15);
	pending_first = pending_count = 0;
	next_id = 0;
	is_silent = false;
	steps = 1 + pick(MOST_STEPS);
	play("class");
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
