/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The ports known to a monitor, and the events when they change. Input: messages about network
 * interfaces, and what discovery reports about the ports then; RDMA netlink reports which interface
 * a RoCE port uses.
 */
#include <errno.h>
#include <string.h>

#include <linux/if_arp.h>

#include "libibumad/base/sys.h"
#include "libibumad/monitor/monitor.h"
#include "libibumad/netlink/nldev.h"

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

/* Records the port's present values, and queues an event if they have changed. */
static int note_values(struct umad_snapshot *snapshot, struct umad_snapshot_device *device,
		       int portnum, const struct umad_port_values *values)
{
	struct umad_snapshot_port *port = &device->port[portnum];
	struct umad_event event = {
		.type = UMAD_EVENT_PORT_CHANGED,
		.portnum = portnum,
		.changed = compare_values(&port->values, values),
		.state = values->state,
		.phys_state = values->phys_state,
		.base_lid = values->base_lid,
		.lmc = values->lmc,
		.sm_lid = values->sm_lid,
		.sm_sl = values->sm_sl,
		.capmask = values->capmask,
	};
	int error;

	if (!event.changed)
		return 0;
	memcpy(event.ca_name, device->name, sizeof(event.ca_name));
	error = umad_queue_add(snapshot->queue, &event);
	if (!error)
		port->values = *values;
	return error;
}

/* Reads a port that exists; false if it cannot be read because it is being removed (a port on its
 * way out has no state) or because resources are exhausted. */
static bool read_values(const char *ca_name, int portnum, struct umad_port_values *values,
			bool *is_ethernet)
{
	struct umad_source source = { .kind = UMAD_SOURCE_UNDECIDED };
	umad_port_t port;
	int result;

	result = umad_port_read_attributes(&source, ca_name, portnum, UMAD_PORT_ALL, &port);
	umad_source_close(&source);
	if (result < 0 || !port.state || umad_sys_resource_error())
		return false;
	*values = (struct umad_port_values){
		.state = port.state,
		.phys_state = port.phys_state,
		.base_lid = port.base_lid,
		.lmc = port.lmc,
		.sm_lid = port.sm_lid,
		.sm_sl = port.sm_sl,
		.capmask = port.capmask,
	};
	*is_ethernet = umad_port_is_ethernet(&port);
	return true;
}

static int compare_port(struct umad_snapshot *snapshot, struct umad_snapshot_device *device,
			int portnum)
{
	struct umad_snapshot_port *port = &device->port[portnum];
	struct umad_port_values values;

	if (!read_values(device->name, portnum, &values, &port->is_ethernet))
		return 0;
	if (port->is_there)
		return note_values(snapshot, device, portnum, &values);
	port->is_there = true;
	port->values = values;
	return 0;
}

/* Finds the network interfaces of a device's RoCE ports, as far as the kernel reports them. */
static void find_netdevs(struct umad_snapshot_device *device)
{
	struct umad_source source = { .kind = UMAD_SOURCE_UNDECIDED };
	const struct umad_nldev_port *found;
	int portnum;

	for (portnum = 0; portnum < UMAD_CA_MAX_PORTS; portnum++) {
		if (!device->port[portnum].is_ethernet)
			continue;
		found = umad_source_request_port(&source, device->name, portnum);
		if (found)
			device->port[portnum].netdev_index = found->netdev_index;
	}
	umad_source_close(&source);
}

bool umad_snapshot_has_ethernet(const struct umad_snapshot_device *device)
{
	int portnum;

	for (portnum = 0; portnum < UMAD_CA_MAX_PORTS; portnum++)
		if (device->port[portnum].is_ethernet)
			return true;
	return false;
}

/* Compares all ports of a device; an unknown port is recorded without an event. */
int umad_snapshot_compare_ports(struct umad_snapshot *snapshot, struct umad_snapshot_device *device)
{
	struct umad_source source = { .kind = UMAD_SOURCE_UNDECIDED };
	unsigned int mask;
	int portnum, result;

	result = umad_device_read_ports(&source, device->name, &mask);
	umad_source_close(&source);
	if (result < 0)
		return result == -ENOMEM ? result : 0;
	for (portnum = 0; portnum < UMAD_CA_MAX_PORTS; portnum++) {
		if (!(mask & 1u << portnum))
			continue;
		result = compare_port(snapshot, device, portnum);
		if (result < 0)
			return result;
	}
	if (umad_snapshot_has_ethernet(device))
		find_netdevs(device);
	return 0;
}

/* What a message implies for the port of a RoCE interface, which is Active while that interface is
 * up; false if it implies no change. The port may have changed again since: then the values are
 * those that such a port has. */
static bool read_message(const struct umad_link *link, unsigned int before,
			 const struct umad_port_values *now, struct umad_port_values *said)
{
	*said = *now;
	if (link->is_down && before == UMAD_PORT_ACTIVE) {
		said->state = UMAD_PORT_DOWN;
		said->phys_state = link->is_enabled ? UMAD_PHYS_POLLING : UMAD_PHYS_DISABLED;
	} else if (link->is_up && before == UMAD_PORT_DOWN) {
		said->state = UMAD_PORT_ACTIVE;
		said->phys_state = UMAD_PHYS_LINK_UP;
	} else {
		return false;
	}
	if (said->state == now->state)
		said->phys_state = now->phys_state;
	return true;
}

/* Reports what a message says, if that is new. */
static int note_message(struct umad_snapshot *snapshot, struct umad_snapshot_device *device,
			int portnum, const struct umad_link *link,
			const struct umad_port_values *now)
{
	struct umad_port_values said;

	if (!read_message(link, device->port[portnum].values.state, now, &said))
		return 0;
	return note_values(snapshot, device, portnum, &said);
}

/*
 * The messages about one interface report each change of its port, in order, but may be repeated or
 * outdated. So a change is reported if a message differs from the last reported state; the actual
 * state is reported when there are no more messages. If it were reported with each message, a
 * change that was read early would be reported again with its own message.
 *
 * Newer kernels first report that an interface which comes up has its carrier, and a little later
 * that it runs. With most drivers the port is Active with the carrier. If the port is not Active
 * when the first of these messages is read, either it was, and the next message reports that it is
 * down, or its driver waits for the second message.
 */
static int take_roce_link(struct umad_snapshot *snapshot, struct umad_snapshot_device *device,
			  int portnum, const struct umad_link *link,
			  const struct umad_port_values *now)
{
	static const struct umad_link up = { .is_up = true };
	struct umad_snapshot_port *port = &device->port[portnum];
	bool is_active = link->has_carrier && now->state == UMAD_PORT_ACTIVE;
	int error = 0;

	if (port->may_be_up && link->is_down)
		error = note_message(snapshot, device, portnum, &up, now);
	if (!error)
		error = note_message(snapshot, device, portnum, is_active ? &up : link, now);
	port->may_be_up = link->has_carrier && !is_active;
	port->is_unsettled = compare_values(&port->values, now) != 0;
	snapshot->has_unsettled |= port->is_unsettled;
	return error;
}

static int take_port_link(struct umad_snapshot *snapshot, struct umad_snapshot_device *device,
			  int portnum, const struct umad_link *link)
{
	struct umad_snapshot_port *port = &device->port[portnum];
	struct umad_port_values now;

	if (!read_values(device->name, portnum, &now, &port->is_ethernet))
		return 0;
	if (port->netdev_index == link->index)
		return take_roce_link(snapshot, device, portnum, link, &now);
	return note_values(snapshot, device, portnum, &now);
}

/* Compares the ports of a device whose last reported state differs from the actual one. */
static int settle_device(struct umad_snapshot *snapshot, struct umad_snapshot_device *device)
{
	int portnum, result = 0;

	for (portnum = 0; portnum < UMAD_CA_MAX_PORTS && !result; portnum++) {
		if (!device->port[portnum].is_unsettled)
			continue;
		result = compare_port(snapshot, device, portnum);
		device->port[portnum].is_unsettled = result < 0;
	}
	return result;
}

/* Called when all messages have been read. */
int umad_snapshot_settle(struct umad_snapshot *snapshot)
{
	int error = 0;
	size_t i;

	for (i = 0; snapshot->has_unsettled && i < snapshot->device_count && !error; i++)
		error = settle_device(snapshot, &snapshot->device[i]);
	if (!error)
		snapshot->has_unsettled = false;
	return error;
}

/* Whether a change of the network interface may affect a port. */
static bool is_concerned(const struct umad_snapshot_port *port, const struct umad_link *link)
{
	if (!port->is_there)
		return false;
	if (!port->is_ethernet)
		return link->type == ARPHRD_INFINIBAND;
	if (port->netdev_index)
		return port->netdev_index == link->index;
	return link->type == ARPHRD_ETHER;
}

/* Checks the ports that a network interface affects. */
int umad_snapshot_take_link(struct umad_snapshot *snapshot, const struct umad_link *link)
{
	struct umad_snapshot_device *device;
	bool settled = false, found;
	int portnum, result;
	size_t i;

	for (i = 0; i < snapshot->device_count; i++) {
		device = &snapshot->device[i];
		found = false;
		for (portnum = 0; portnum < UMAD_CA_MAX_PORTS; portnum++) {
			if (!is_concerned(&device->port[portnum], link))
				continue;
			if (!settled)
				umad_link_settle(link);
			settled = found = true;
			result = take_port_link(snapshot, device, portnum, link);
			if (result < 0)
				return result;
		}
		if (found && umad_snapshot_has_ethernet(device))
			find_netdevs(device); /* a bond may have moved to another interface */
	}
	return 0;
}
