/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The events that lead from one snapshot to the next, in an order in which no device has the name
 * of another and no umad device is without its device. Accesses nothing.
 *
 * All events of a difference are queued, or none: after a failure the caller keeps the snapshot
 * that it had, and finds the difference again.
 */
#include <stdio.h>
#include <string.h>

#include "libibumad/monitor/monitor.h"

static int add_event(struct umad_event_queue *queue, const struct umad_event *event)
{
	int error = umad_array_reserve(&queue->event, queue->count, &queue->capacity,
				       sizeof(*queue->event));

	if (!error)
		queue->event[queue->count++] = *event;
	return error;
}

static int report_device(struct umad_event_queue *queue, enum umad_event_type type,
			 const char *ca_name, const char *old_name)
{
	struct umad_event event = { .type = type };

	strcpy(event.ca_name, ca_name);
	strcpy(event.old_name, old_name);
	return add_event(queue, &event);
}

/*
 * Umad devices
 */

/* Whether the node of another snapshot is in this one, there of the device with this index. */
static bool has_node(const struct umad_snapshot *snapshot, const struct umad_snapshot_node *node,
		     size_t device)
{
	const struct umad_snapshot_node *other;

	for (size_t i = 0; i < snapshot->node_count; i++) {
		other = &snapshot->node[i];
		if (other->number == node->number)
			return other->portnum == node->portnum && other->device == device &&
			       !other->is_removed;
	}
	return false;
}

/* Reports the nodes that only the first of two snapshots has. */
static int report_nodes(const struct umad_snapshot *snapshot, const struct umad_snapshot *other,
			enum umad_event_type type, struct umad_event_queue *queue)
{
	const struct umad_snapshot_device *device;
	const struct umad_snapshot_node *node;
	struct umad_event event;
	int error = 0;

	for (size_t i = 0; i < snapshot->node_count && !error; i++) {
		node = &snapshot->node[i];
		device = &snapshot->device[node->device];
		if (device->same != UMAD_SNAPSHOT_NONE && !node->is_removed &&
		    has_node(other, node, device->same))
			continue;
		event = (struct umad_event){ .type = type, .port_number = (uint32_t)node->portnum };
		strcpy(event.ca_name, device->name);
		snprintf(event.node, sizeof(event.node), UMAD_NODE_PREFIX "%u", node->number);
		error = add_event(queue, &event);
	}
	return error;
}

/*
 * Devices
 */

/* Reports the devices that only the first of two snapshots has. */
static int report_devices(const struct umad_snapshot *snapshot, enum umad_event_type type,
			  struct umad_event_queue *queue)
{
	int error = 0;

	for (size_t i = 0; i < snapshot->device_count && !error; i++)
		if (snapshot->device[i].same == UMAD_SNAPSHOT_NONE)
			error = report_device(queue, type, snapshot->device[i].name, "");
	return error;
}

/* Whether the device that had this name was removed, or its new name has been reported. */
static bool is_free(const struct umad_snapshot *before, const struct umad_snapshot *now,
		    const char *ca_name)
{
	size_t owner = umad_snapshot_find(before, ca_name);
	size_t same = owner == UMAD_SNAPSHOT_NONE ? owner : before->device[owner].same;

	return same == UMAD_SNAPSHOT_NONE || now->device[same].is_done;
}

/* Reports new names, each when it is free. The snapshots have no devices that exchanged names. */
static int report_names(const struct umad_snapshot *before, struct umad_snapshot *now,
			struct umad_event_queue *queue)
{
	struct umad_snapshot_device *device;
	const char *old_name;
	bool has_reported;
	int error = 0;

	do {
		has_reported = false;
		for (size_t i = 0; i < now->device_count && !error; i++) {
			device = &now->device[i];
			if (device->is_done || device->same == UMAD_SNAPSHOT_NONE)
				continue;
			old_name = before->device[device->same].name;
			if (!strcmp(device->name, old_name) || !is_free(before, now, device->name))
				continue;
			error = report_device(queue, UMAD_EVENT_DEVICE_RENAMED, device->name,
					      old_name);
			device->is_done = has_reported = true;
		}
	} while (has_reported && !error);
	return error;
}

/*
 * Ports
 */

static unsigned int compare_values(const struct umad_port_values *a,
				   const struct umad_port_values *b)
{
	unsigned int changed = 0;

	if (a->state != b->state)
		changed |= UMAD_CHANGED_STATE;
	if (a->phys_state != b->phys_state)
		changed |= UMAD_CHANGED_PHYS_STATE;
	if (a->base_lid != b->base_lid || a->lmc != b->lmc)
		changed |= UMAD_CHANGED_LID;
	if (a->sm_lid != b->sm_lid || a->sm_sl != b->sm_sl)
		changed |= UMAD_CHANGED_SM;
	if (a->capmask != b->capmask)
		changed |= UMAD_CHANGED_CAPMASK;
	return changed;
}

static int report_values(struct umad_event_queue *queue, const char *ca_name, int portnum,
			 const struct umad_port_values *before, const struct umad_port_values *now)
{
	struct umad_event event = {
		.type = UMAD_EVENT_PORT_CHANGED,
		.port_number = (uint32_t)portnum,
		.changed = compare_values(before, now),
		.state = now->state,
		.physical_state = now->phys_state,
		.base_lid = now->base_lid,
		.lmc = now->lmc,
		.sm_lid = now->sm_lid,
		.sm_sl = now->sm_sl,
		.capability_mask = now->capmask,
	};

	if (!event.changed)
		return 0;
	strcpy(event.ca_name, ca_name);
	return add_event(queue, &event);
}

/* An unknown port is no event. One that was down in between, by a message, is reported as such. */
static int report_port(struct umad_event_queue *queue, const char *ca_name, int portnum,
		       const struct umad_snapshot_port *before,
		       const struct umad_snapshot_port *now)
{
	struct umad_port_values known = before->values, down = now->values;
	int error = 0;

	if (!before->is_there) /* else it stays in the later one, too */
		return 0;
	if (before->down_phys_state && known.state == UMAD_PORT_ACTIVE &&
	    down.state == UMAD_PORT_ACTIVE) {
		down.state = UMAD_PORT_DOWN;
		down.phys_state = before->down_phys_state;
		error = report_values(queue, ca_name, portnum, &known, &down);
		known = down;
	}
	return error ? error : report_values(queue, ca_name, portnum, &known, &now->values);
}

static int report_ports(const struct umad_snapshot *before, const struct umad_snapshot *now,
			struct umad_event_queue *queue)
{
	const struct umad_snapshot_device *device;
	int portnum, error = 0;

	for (size_t i = 0; i < now->device_count; i++) {
		device = &now->device[i];
		if (device->same == UMAD_SNAPSHOT_NONE)
			continue;
		for (portnum = 0; portnum < UMAD_CA_MAX_PORTS && !error; portnum++)
			error = report_port(queue, device->name, portnum,
					    &before->device[device->same].port[portnum],
					    &device->port[portnum]);
	}
	return error;
}

int umad_difference_report(const struct umad_snapshot *before, struct umad_snapshot *now,
			   struct umad_event_queue *queue)
{
	size_t count = queue->count;
	int error = report_nodes(before, now, UMAD_EVENT_UMAD_REMOVED, queue);

	if (!error)
		error = report_devices(before, UMAD_EVENT_DEVICE_REMOVED, queue);
	if (!error)
		error = report_names(before, now, queue);
	if (!error)
		error = report_devices(now, UMAD_EVENT_DEVICE_ADDED, queue);
	if (!error)
		error = report_nodes(now, before, UMAD_EVENT_UMAD_ADDED, queue);
	if (!error)
		error = report_ports(before, now, queue);
	if (error < 0)
		queue->count = count;
	return error;
}
