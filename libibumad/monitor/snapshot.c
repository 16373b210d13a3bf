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

#include "libibumad/monitor/monitor.h"

struct umad_snapshot_device *umad_snapshot_find_device(const struct umad_snapshot *snapshot,
						       const char *ca_name)
{
	size_t i;

	for (i = 0; i < snapshot->device_count; i++)
		if (!strcmp(snapshot->device[i].name, ca_name))
			return &snapshot->device[i];
	return NULL;
}

struct umad_snapshot_node *umad_snapshot_find_node(const struct umad_snapshot *snapshot,
						   unsigned int number)
{
	size_t i;

	for (i = 0; i < snapshot->node_count; i++)
		if (snapshot->node[i].number == number)
			return &snapshot->node[i];
	return NULL;
}

static int announce_device(struct umad_snapshot *snapshot, enum umad_event_type type,
			   const char *ca_name, const char *old_name)
{
	struct umad_event event = { .type = type };

	memcpy(event.ca_name, ca_name, strlen(ca_name));
	memcpy(event.old_name, old_name, strlen(old_name));
	return umad_queue_add(snapshot->queue, &event);
}

static int announce_node(struct umad_snapshot *snapshot, enum umad_event_type type,
			 const struct umad_snapshot_node *node)
{
	struct umad_event event = { .type = type, .portnum = node->owner.portnum };

	memcpy(event.ca_name, node->owner.ca_name, sizeof(event.ca_name));
	snprintf(event.node, sizeof(event.node), UMAD_NODE_PREFIX "%u", node->number);
	return umad_queue_add(snapshot->queue, &event);
}

/*
 * Devices
 */

/* Whether the device exists and is of a type that no device list includes; a removed device may
 * have been of an included type. */
static bool has_unlisted_type(const char *ca_name)
{
	struct umad_source source = { .kind = UMAD_SOURCE_UNDECIDED };
	bool result =
		!umad_device_read_type(&source, ca_name) && !umad_device_check(&source, ca_name);

	umad_source_close(&source);
	return result;
}

int umad_snapshot_add_device(struct umad_snapshot *snapshot, const char *ca_name)
{
	struct umad_snapshot_device *device = umad_snapshot_find_device(snapshot, ca_name);
	int result;

	if (device)
		return umad_snapshot_compare_ports(snapshot, device);
	if (has_unlisted_type(ca_name))
		return 0;
	result = umad_array_reserve(&snapshot->device, snapshot->device_count,
				    &snapshot->device_capacity, sizeof(*snapshot->device));
	if (!result)
		result = announce_device(snapshot, UMAD_EVENT_DEVICE_ADDED, ca_name, "");
	if (result < 0)
		return result;
	device = &snapshot->device[snapshot->device_count++];
	memset(device, 0, sizeof(*device));
	memcpy(device->name, ca_name, strlen(ca_name));
	return umad_snapshot_compare_ports(snapshot, device);
}

int umad_snapshot_drop_node(struct umad_snapshot *snapshot, struct umad_snapshot_node *node)
{
	int error = announce_node(snapshot, UMAD_EVENT_UMAD_REMOVED, node);

	if (!error)
		*node = snapshot->node[--snapshot->node_count];
	return error;
}

static int remove_nodes_of(struct umad_snapshot *snapshot, const char *ca_name)
{
	size_t i = 0;
	int result;

	while (i < snapshot->node_count) {
		if (strcmp(snapshot->node[i].owner.ca_name, ca_name) != 0) {
			i++;
			continue;
		}
		result = umad_snapshot_drop_node(snapshot, &snapshot->node[i]);
		if (result < 0)
			return result;
	}
	return 0;
}

int umad_snapshot_remove_device(struct umad_snapshot *snapshot, const char *ca_name)
{
	struct umad_snapshot_device *device = umad_snapshot_find_device(snapshot, ca_name);
	int error;

	if (!device)
		return 0;
	error = remove_nodes_of(snapshot, ca_name);
	if (!error)
		error = announce_device(snapshot, UMAD_EVENT_DEVICE_REMOVED, ca_name, "");
	if (!error)
		*device = snapshot->device[--snapshot->device_count];
	return error;
}

int umad_snapshot_rename_device(struct umad_snapshot *snapshot, const char *old_name,
				const char *ca_name)
{
	struct umad_snapshot_device *device = umad_snapshot_find_device(snapshot, old_name);
	size_t i;
	int result;

	if (!device)
		return umad_snapshot_add_device(snapshot, ca_name);
	if (umad_snapshot_find_device(snapshot, ca_name))
		return umad_snapshot_remove_device(snapshot, old_name);
	result = announce_device(snapshot, UMAD_EVENT_DEVICE_RENAMED, ca_name, old_name);
	if (result < 0)
		return result;
	memset(device->name, 0, sizeof(device->name));
	memcpy(device->name, ca_name, strlen(ca_name));
	for (i = 0; i < snapshot->node_count; i++)
		if (!strcmp(snapshot->node[i].owner.ca_name, old_name))
			memcpy(snapshot->node[i].owner.ca_name, device->name, sizeof(device->name));
	return umad_snapshot_compare_ports(snapshot, device);
}

/*
 * Umad devices
 */

/* Whether discovery finds the device. Where RDMA devices belong to network namespaces, sysfs lists
 * the devices of this namespace, but the umad devices of all. */
bool umad_snapshot_is_listed(const char *ca_name)
{
	struct umad_source source = { .kind = UMAD_SOURCE_UNDECIDED };
	bool result = umad_device_check(&source, ca_name) != -ENODEV;

	umad_source_close(&source);
	return result;
}

/* The event of the device comes first, even if the kernel announces it later. */
int umad_snapshot_note_node(struct umad_snapshot *snapshot, const struct umad_snapshot_node *node)
{
	int error = 0;

	if (node->owner.ca_name[0] && !umad_snapshot_find_device(snapshot, node->owner.ca_name)) {
		if (!umad_snapshot_is_listed(node->owner.ca_name))
			return 0;
		error = umad_snapshot_add_device(snapshot, node->owner.ca_name);
	}
	if (!error)
		error = umad_array_reserve(&snapshot->node, snapshot->node_count,
					   &snapshot->node_capacity, sizeof(*snapshot->node));
	if (!error)
		error = announce_node(snapshot, UMAD_EVENT_UMAD_ADDED, node);
	if (!error)
		snapshot->node[snapshot->node_count++] = *node;
	return error;
}

int umad_snapshot_add_node(struct umad_snapshot *snapshot, unsigned int number)
{
	struct umad_snapshot_node node = { .number = number };

	if (umad_snapshot_find_node(snapshot, number))
		return 0;
	if (umad_node_read(number, &node.owner) < 0) {
		struct umad_source source = { .kind = UMAD_SOURCE_UNDECIDED };

		bool is_netlink;

		umad_source_decide(&source);
		is_netlink = source.kind == UMAD_SOURCE_NETLINK && source.count;
		umad_source_close(&source);
		if (is_netlink)
			return 1;
		node.owner = (struct umad_port_choice){ .ca_name = "" };
	}
	return umad_snapshot_note_node(snapshot, &node);
}

int umad_snapshot_remove_node(struct umad_snapshot *snapshot, unsigned int number)
{
	struct umad_snapshot_node *node = umad_snapshot_find_node(snapshot, number);

	return node ? umad_snapshot_drop_node(snapshot, node) : 0;
}

void umad_snapshot_clear(struct umad_snapshot *snapshot)
{
	free(snapshot->device);
	free(snapshot->node);
	*snapshot = (struct umad_snapshot){ 0 };
}
