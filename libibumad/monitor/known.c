/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The devices, ports and umad devices that events have reported: a caller that applies all events
 * knows the same. Each change here comes with its event. A device is known by its name; a message
 * that names it marks all that has been read, since another device may have the name by now.
 */
#include <endian.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "libibumad/base/sys.h"
#include "libibumad/monitor/monitor.h"

void umad_known_free(struct umad_known *known)
{
	free(known->device);
	free(known->node);
	free(known->event);
}

/* Removes an element of an array, which then has `count` elements. */
#define TAKE_OUT(element, array, count) \
	memmove(element, (element) + 1, (size_t)((array) + (count) - (element)) * sizeof(*(array)))

static int report(struct umad_known *known, const struct umad_event *event)
{
	int error = umad_array_reserve(&known->event, known->event_count, &known->event_capacity,
				       sizeof(*known->event));

	if (!error)
		known->event[known->event_count++] = *event;
	return error;
}

/*
 * Umad devices
 */

struct umad_known_node *umad_known_find_node(const struct umad_known *known, unsigned int number)
{
	for (size_t i = 0; i < known->node_count; i++)
		if (known->node[i].number == number)
			return &known->node[i];
	return NULL;
}

int umad_known_report_node(struct umad_known *known, struct umad_known_node *node, bool exists)
{
	struct umad_event event = {
		.type = exists ? UMAD_EVENT_UMAD_ADDED : UMAD_EVENT_UMAD_REMOVED,
		.port_number = (uint32_t)node->owner.portnum,
	};
	int error = 0;

	strcpy(event.ca_name, node->owner.ca_name);
	snprintf(event.node, sizeof(event.node), UMAD_NODE_PREFIX "%u", node->number);
	if (node->is_reported != exists)
		error = report(known, &event);
	if (!error)
		node->is_reported = exists;
	return error;
}

int umad_known_forget_node(struct umad_known *known, struct umad_known_node *node)
{
	int error = umad_known_report_node(known, node, false);

	if (!error)
		TAKE_OUT(node, known->node, --known->node_count);
	return error;
}

/*
 * Devices
 */

struct umad_known_device *umad_known_find_device(const struct umad_known *known, const char *name)
{
	for (size_t i = 0; i < known->device_count; i++)
		if (!strcmp(known->device[i].name, name))
			return &known->device[i];
	return NULL;
}

static void mark(struct umad_known_device *device)
{
	device->is_marked = true;
	for (int portnum = 0; portnum < UMAD_CA_MAX_PORTS; portnum++)
		device->port[portnum].marked = UMAD_MARK_ALL;
}

void umad_known_mark_device(struct umad_known *known, const char *name)
{
	struct umad_known_device *device = umad_known_find_device(known, name);

	if (device)
		mark(device);
	for (size_t i = 0; i < known->node_count; i++)
		known->node[i].is_marked |= !strcmp(known->node[i].owner.ca_name, name);
}

void umad_known_mark_all(struct umad_known *known)
{
	for (size_t i = 0; i < known->device_count; i++)
		mark(&known->device[i]);
	for (size_t i = 0; i < known->node_count; i++)
		known->node[i].is_marked = true;
}

static int report_device(struct umad_known *known, enum umad_event_type type, const char *name,
			 const char *old_name)
{
	struct umad_event event = { .type = type };

	strcpy(event.ca_name, name);
	strcpy(event.old_name, old_name);
	return report(known, &event);
}

int umad_known_add_device(struct umad_known *known, const char *name, __be64 node_guid)
{
	struct umad_known_device device = { .node_guid = node_guid };
	int error = umad_array_reserve(&known->device, known->device_count, &known->device_capacity,
				       sizeof(*known->device));

	if (!error)
		error = report_device(known, UMAD_EVENT_DEVICE_ADDED, name, "");
	if (error < 0)
		return error;
	strcpy(device.name, name);
	mark(&device);
	known->device[known->device_count++] = device;
	return 0;
}

int umad_known_remove_device(struct umad_known *known, struct umad_known_device *device)
{
	struct umad_known_node *node;
	int error = 0;

	for (size_t i = 0; i < known->node_count && !error; i++) {
		node = &known->node[i];
		if (strcmp(node->owner.ca_name, device->name) != 0)
			continue;
		node->is_marked = true;
		error = umad_known_report_node(known, node, false);
	}
	if (!error)
		error = report_device(known, UMAD_EVENT_DEVICE_REMOVED, device->name, "");
	if (!error)
		TAKE_OUT(device, known->device, --known->device_count);
	return error;
}

/* Messages may be late: a device that is unknown, or known by its new name, is not renamed. */
int umad_known_rename(struct umad_known *known, const char *old_name, const char *name)
{
	struct umad_known_device *device = umad_known_find_device(known, old_name);
	struct umad_known_node *node;
	int error = 0;

	if (!device || umad_known_find_device(known, name))
		return 0;
	error = report_device(known, UMAD_EVENT_DEVICE_RENAMED, name, old_name);
	if (error < 0)
		return error;
	for (size_t i = 0; i < known->node_count; i++) {
		node = &known->node[i];
		if (node->is_reported && !strcmp(node->owner.ca_name, old_name))
			strcpy(node->owner.ca_name, name);
	}
	strcpy(device->name, name);
	return 0;
}

/*
 * Ports
 */

#define VALUE(attribute, change, from, to)                                                 \
	{                                                                                  \
		UMAD_PORT_##attribute, UMAD_CHANGED_##change, offsetof(umad_port_t, from), \
			offsetof(struct umad_event, to)                                    \
	}
static const struct {
	unsigned int attribute, changed;
	size_t from, to; /* 32 bits of a port, and of its event */
} values[] = {
	VALUE(STATE, STATE, state, state),
	VALUE(PHYS_STATE, PHYS_STATE, phys_state, physical_state),
	VALUE(LID, LID, base_lid, base_lid),
	VALUE(LMC, LID, lmc, lmc),
	VALUE(SM_LID, SM, sm_lid, sm_lid),
	VALUE(SM_SL, SM, sm_sl, sm_sl),
	VALUE(CAPMASK, CAPMASK, capmask, capability_mask),
};
enum { VALUES = sizeof(values) / sizeof(values[0]) };

/* The event about a port of which the attributes `found` have been read. */
static struct umad_event merge(const struct umad_known_port *port, unsigned int found,
			       const umad_port_t *read)
{
	struct umad_event now = port->reported;

	for (int i = 0; i < VALUES; i++)
		if (found & values[i].attribute)
			memcpy((char *)&now + values[i].to, (const char *)read + values[i].from,
			       sizeof(uint32_t));
	if (found & UMAD_PORT_CAPMASK)
		now.capability_mask = be32toh(now.capability_mask);
	now.type = UMAD_EVENT_PORT_CHANGED;
	now.port_number = (uint32_t)read->portnum;
	strcpy(now.ca_name, read->ca_name);
	return now;
}

/* The bits of the values that differ from those reported, or of all before the first report. */
static uint32_t compare(const struct umad_known_port *port, const struct umad_event *now)
{
	uint32_t changed = 0;

	for (int i = 0; i < VALUES; i++)
		if (!port->reported.type ||
		    memcmp((const char *)&port->reported + values[i].to,
			   (const char *)now + values[i].to, sizeof(uint32_t)) != 0)
			changed |= values[i].changed;
	return changed;
}

bool umad_known_differs(const struct umad_known_port *port, unsigned int found,
			const umad_port_t *read)
{
	struct umad_event now = merge(port, found, read);

	return compare(port, &now);
}

static int report_port(struct umad_known *known, struct umad_known_port *port,
		       struct umad_event *now)
{
	int error;

	now->changed = compare(port, now);
	error = now->changed ? report(known, now) : 0;
	if (!error)
		port->reported = *now;
	return error;
}

/* Attributes that could not be read stay marked for the next look. A port is not reported before it
 * has a state. If a message has said that the port was down in between, that is reported, too. */
int umad_known_take_port(struct umad_known *known, struct umad_known_port *port, unsigned int found,
			 const umad_port_t *read)
{
	struct umad_event now = merge(port, found, read), down = merge(port, 0, read);
	int error = 0;

	if (!now.state)
		return 0;
	if (port->down_phys_state && down.state == UMAD_PORT_ACTIVE &&
	    now.state == UMAD_PORT_ACTIVE) {
		down.state = UMAD_PORT_DOWN;
		down.physical_state = port->down_phys_state;
		error = report_port(known, port, &down);
	}
	if (!error)
		error = report_port(known, port, &now);
	if (error < 0)
		return error;
	port->down_phys_state = 0;
	port->marked &= ~found;
	return 0;
}
