/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * sequences COUNT: random sequences of virtual HCAs that are added, removed and renamed, and that
 * exchange their names, with scans and reads between them. After each, the events of a monitor have
 * led to the devices and umad devices that exist.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rdma/rdma_netlink.h>
#include <infiniband/umad_monitor.h>

#include "libibumad/netlink/nldev.h"

enum { HCAS = 3, NAMES = 5, STEPS = 8, NODES = 64 };
typedef char name_text[UMAD_EVENT_NAME_LEN];

static const char *const names[NAMES] = { "a", "b", "c", "d", "a_name_of_20_letters" };
static struct hca {
	name_text name;	     /* the present one; "": it does not exist */
	uint32_t index;	     /* for netlink */
	unsigned int number; /* for the module: hca1, hca2 ... */
} hcas[HCAS];
static name_text known[HCAS],
	known_node[NODES]; /* by the events: devices, and the device of each */
static struct nl_sock *netlink;
static unsigned int sequence, seed;

static unsigned int random_below(unsigned int limit)
{
	return (unsigned int)rand_r(&seed) % limit;
}

static void require(bool condition, const char *what)
{
	if (condition)
		return;
	printf("sequence %u: %s\n", sequence, what);
	exit(1);
}

/*
 * The host
 */

static __attribute__((format(printf, 1, 2))) void command(const char *format, ...)
{
	FILE *file = fopen("/sys/module/vhca/parameters/cmd", "w");
	va_list arguments;

	require(file, "no module vhca");
	va_start(arguments, format);
	vfprintf(file, format, arguments);
	va_end(arguments);
	require(!fclose(file), format);
}

static void remove_device(struct hca *hca)
{
	command("del hca%u", hca->number);
	hca->name[0] = '\0';
}

static void add_device(struct hca *hca)
{
	static unsigned int last_number;
	struct umad_nldev_record *devices;
	size_t i, count;

	hca->number = ++last_number;
	command("add hca%u ca 1", hca->number);
	sprintf(hca->name, "hca%u", hca->number);
	require(!umad_nldev_read_devices(netlink, &devices, &count), "no devices");
	for (i = 0; i < count; i++)
		if (!strcmp(devices[i].name, hca->name))
			hca->index = devices[i].device;
	free(devices);
}

static void set_name(struct hca *hca, const char *name)
{
	struct umad_netlink_attribute attributes[] = {
		{ RDMA_NLDEV_ATTR_DEV_INDEX, &hca->index, sizeof(hca->index) },
		{ RDMA_NLDEV_ATTR_DEV_NAME, name, (int)strlen(name) + 1 },
	};
	struct umad_netlink_request request = {
		.type = RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, RDMA_NLDEV_CMD_SET),
		.attributes = attributes,
		.attribute_count = 2,
	};

	require(!umad_netlink_ask(netlink, &request), "a device cannot be renamed");
	strcpy(hca->name, name);
}

static const char *find_free_name(void)
{
	const char *name;
	size_t i;

	do {
		name = names[random_below(NAMES)];
		for (i = 0; i < HCAS; i++)
			if (!strcmp(hcas[i].name, name))
				break;
	} while (i < HCAS);
	return name;
}

static void change_host(void)
{
	struct hca *hca = &hcas[random_below(HCAS)], *other = &hcas[random_below(HCAS)];
	name_text name, other_name;

	if (!hca->name[0]) {
		add_device(hca);
	} else if (!random_below(4)) {
		remove_device(hca);
	} else if (hca != other && other->name[0]) {
		strcpy(name, hca->name);
		strcpy(other_name, other->name);
		set_name(hca, find_free_name());
		set_name(other, name);
		set_name(hca, other_name);
	} else {
		set_name(hca, find_free_name());
	}
}

/*
 * Events
 */

static char *find_known(const char *name)
{
	size_t i;

	for (i = 0; i < HCAS; i++)
		if (!strcmp(known[i], name))
			return known[i];
	return NULL;
}

static void take_event(const struct umad_event *event)
{
	char *device = find_known(event->ca_name);
	unsigned int node = 0;
	size_t i;

	if (event->node[0])
		require(sscanf(event->node, "umad%u", &node) == 1 && node < NODES, event->node);
	switch (event->type) {
	case UMAD_EVENT_DEVICE_ADDED:
		require(!device, "a device is added twice");
		strcpy(find_known(""), event->ca_name);
		break;
	case UMAD_EVENT_DEVICE_REMOVED:
		require(device, "an unknown device is removed");
		device[0] = '\0';
		break;
	case UMAD_EVENT_DEVICE_RENAMED:
		require(!device && find_known(event->old_name), "a device has a wrong new name");
		strcpy(find_known(event->old_name), event->ca_name);
		for (i = 0; i < NODES; i++)
			if (!strcmp(known_node[i], event->old_name))
				strcpy(known_node[i], event->ca_name);
		break;
	case UMAD_EVENT_UMAD_ADDED:
		require(device && !known_node[node][0], "a umad device is added twice");
		strcpy(known_node[node], event->ca_name);
		break;
	case UMAD_EVENT_UMAD_REMOVED:
		require(!strcmp(known_node[node], event->ca_name), "a wrong umad device");
		known_node[node][0] = '\0';
		break;
	default:
		break;
	}
}

static void read_events(struct umad_monitor *monitor, unsigned int count)
{
	struct umad_event event;
	int result = 1;

	while (count-- && (result = umad_monitor_read(monitor, &event, sizeof(event), 0)) > 0)
		take_event(&event);
	require(result >= 0, "an event cannot be read");
}

static void check_devices(void)
{
	char cas[UMAD_MAX_DEVICES][UMAD_CA_NAME_LEN];
	int i, node, count = umad_get_cas_names(cas, UMAD_MAX_DEVICES), devices = 0, nodes = 0;

	for (i = 0; i < HCAS; i++)
		devices += known[i][0] != '\0';
	require(devices == count, "the number of devices is wrong");
	for (node = 0; node < NODES; node++)
		nodes += known_node[node][0] != '\0';
	require(nodes == count, "the number of umad devices is wrong");
	for (i = 0; i < count; i++) {
		require(find_known(cas[i]), "a device is not known");
		for (node = 0; node < NODES && strcmp(known_node[node], cas[i]) != 0; node++)
			;
		require(node < NODES, "a device has no umad device");
	}
}

int main(int argc, char **argv)
{
	unsigned int count = argc > 1 ? (unsigned int)atoi(argv[1]) : 1;
	struct umad_monitor *monitor = umad_monitor_open(0);
	int step;

	require(monitor && !umad_netlink_open(NETLINK_RDMA, &netlink), "no monitor");
	for (sequence = 0; sequence < count; sequence++) {
		seed = sequence;
		for (step = 0; step < STEPS; step++) {
			change_host();
			if (!random_below(4))
				require(!umad_monitor_rescan(monitor), "a scan fails");
			read_events(monitor, random_below(4));
		}
		read_events(monitor, UINT32_MAX);
		check_devices();
	}
	umad_netlink_close(netlink);
	umad_monitor_close(monitor);
	printf("%u sequences\n", count);
	return 0;
}
