/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The devices and umad devices known to a monitor, and the events when they change. Input: names
 * from the kernel's messages, and what discovery reports when a message arrives. A message may be
 * outdated: its device may have been removed or replaced since. Hence two rules: a known device is
 * not added again, and an unknown one is not removed. So added and removed events of a device
 * alternate, and after the last message the known state is the actual one.
 *
 * An event is queued before the known state changes, so that a failure loses no event: the next
 * rescan finds the difference again.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "monitor.h"

enum { CAPACITY_AT_FIRST = 8 }; /* initial capacity for devices and for nodes; doubled as needed */

int umad_known_announce(struct umad_known *known, const struct umad_event *event)
{
	return known->quiet ? 0 : umad_queue_add(known->queue, event);
}

/* Grows the array that *array points to, if necessary, to hold one more entry. */
int umad_known_reserve(void *array, size_t count, size_t *capacity, size_t size)
{
	size_t wanted = *capacity ? 2 * *capacity : CAPACITY_AT_FIRST;
	void *old, *grown;

	if (count < *capacity)
		return 0;
	memcpy(&old, array, sizeof(old));
	grown = realloc(old, wanted * size);
	if (!grown)
		return -ENOMEM;
	memcpy(array, &grown, sizeof(grown));
	*capacity = wanted;
	return 0;
}

struct umad_known_device *umad_known_find_device(const struct umad_known *known,
						 const char *ca_name)
{
	size_t i;

	for (i = 0; i < known->device_count; i++)
		if (!strcmp(known->device[i].name, ca_name))
			return &known->device[i];
	return NULL;
}

struct umad_known_node *umad_known_find_node(const struct umad_known *known, unsigned int number)
{
	size_t i;

	for (i = 0; i < known->node_count; i++)
		if (known->node[i].number == number)
			return &known->node[i];
	return NULL;
}

static int announce_device(struct umad_known *known, enum umad_event_type type, const char *ca_name,
			   const char *old_name)
{
	struct umad_event event = { .type = type };

	memcpy(event.ca_name, ca_name, strlen(ca_name));
	memcpy(event.old_name, old_name, strlen(old_name));
	return umad_known_announce(known, &event);
}

static int announce_node(struct umad_known *known, enum umad_event_type type,
			 const struct umad_known_node *node)
{
	struct umad_event event = { .type = type, .portnum = node->owner.portnum };

	memcpy(event.ca_name, node->owner.ca_name, sizeof(event.ca_name));
	snprintf(event.node, sizeof(event.node), "umad%u", node->number);
	return umad_known_announce(known, &event);
}

/*
 * Devices
 */

/* Whether the device exists and is of a type that no device list includes; a removed device may
 * have been of an included type. */
static bool has_unlisted_type(const char *ca_name)
{
	unsigned int mask;

	return !umad_device_read_type(ca_name) && !umad_device_read_ports(ca_name, &mask);
}

int umad_known_add_device(struct umad_known *known, const char *ca_name)
{
	struct umad_known_device *device = umad_known_find_device(known, ca_name);
	int ret;

	if (device)
		return umad_known_compare_ports(known, device);
	if (has_unlisted_type(ca_name))
		return 0;
	ret = umad_known_reserve(&known->device, known->device_count, &known->device_capacity,
				 sizeof(*known->device));
	if (!ret)
		ret = announce_device(known, UMAD_EVENT_DEVICE_ADDED, ca_name, "");
	if (ret < 0)
		return ret;
	device = &known->device[known->device_count++];
	memset(device, 0, sizeof(*device));
	memcpy(device->name, ca_name, strlen(ca_name));
	return umad_known_compare_ports(known, device);
}

int umad_known_drop_node(struct umad_known *known, struct umad_known_node *node)
{
	int ret = announce_node(known, UMAD_EVENT_UMAD_REMOVED, node);

	if (!ret)
		*node = known->node[--known->node_count];
	return ret;
}

static int remove_nodes_of(struct umad_known *known, const char *ca_name)
{
	size_t i = 0;
	int ret;

	while (i < known->node_count) {
		if (strcmp(known->node[i].owner.ca_name, ca_name) != 0) {
			i++;
			continue;
		}
		ret = umad_known_drop_node(known, &known->node[i]);
		if (ret < 0)
			return ret;
	}
	return 0;
}

int umad_known_remove_device(struct umad_known *known, const char *ca_name)
{
	struct umad_known_device *device = umad_known_find_device(known, ca_name);
	int ret;

	if (!device)
		return 0;
	ret = remove_nodes_of(known, ca_name);
	if (!ret)
		ret = announce_device(known, UMAD_EVENT_DEVICE_REMOVED, ca_name, "");
	if (!ret)
		*device = known->device[--known->device_count];
	return ret;
}

int umad_known_rename_device(struct umad_known *known, const char *old_name, const char *ca_name)
{
	struct umad_known_device *device = umad_known_find_device(known, old_name);
	size_t i;
	int ret;

	if (!device)
		return umad_known_add_device(known, ca_name);
	if (umad_known_find_device(known, ca_name))
		return umad_known_remove_device(known, old_name);
	ret = announce_device(known, UMAD_EVENT_DEVICE_RENAMED, ca_name, old_name);
	if (ret < 0)
		return ret;
	memset(device->name, 0, sizeof(device->name));
	memcpy(device->name, ca_name, strlen(ca_name));
	for (i = 0; i < known->node_count; i++)
		if (!strcmp(known->node[i].owner.ca_name, old_name))
			memcpy(known->node[i].owner.ca_name, device->name, sizeof(device->name));
	return umad_known_compare_ports(known, device);
}

/*
 * Umad devices
 */

/* Whether discovery finds the device. Where RDMA devices belong to network namespaces, sysfs lists
 * the devices of this namespace, but the umad devices of all. */
bool umad_known_is_listed(const char *ca_name)
{
	unsigned int mask;

	return umad_device_read_ports(ca_name, &mask) != -ENODEV;
}

/* The event of the device comes first, even if the kernel announces it later. */
int umad_known_note_node(struct umad_known *known, const struct umad_known_node *node)
{
	int ret = 0;

	if (node->owner.ca_name[0] && !umad_known_find_device(known, node->owner.ca_name)) {
		if (!umad_known_is_listed(node->owner.ca_name))
			return 0;
		ret = umad_known_add_device(known, node->owner.ca_name);
	}
	if (!ret)
		ret = umad_known_reserve(&known->node, known->node_count, &known->node_capacity,
					 sizeof(*known->node));
	if (!ret)
		ret = announce_node(known, UMAD_EVENT_UMAD_ADDED, node);
	if (!ret)
		known->node[known->node_count++] = *node;
	return ret;
}

int umad_known_add_node(struct umad_known *known, unsigned int number)
{
	struct umad_known_node node = { .number = number };

	if (umad_known_find_node(known, number))
		return 0;
	if (umad_node_read(number, &node.owner) < 0) {
		if (umad_fallback_rules())
			return umad_known_rescan(known);
		node.owner = (struct umad_port_choice){ .ca_name = "" };
	}
	return umad_known_note_node(known, &node);
}

int umad_known_remove_node(struct umad_known *known, unsigned int number)
{
	struct umad_known_node *node = umad_known_find_node(known, number);

	return node ? umad_known_drop_node(known, node) : 0;
}

void umad_known_clear(struct umad_known *known)
{
	free(known->device);
	free(known->node);
	*known = (struct umad_known){ 0 };
}
