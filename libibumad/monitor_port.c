/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * What a monitor knows of ports, and the events that follow when it learns more. Input: messages
 * about network interfaces, and what discovery says of the ports then; RDMA netlink tells which
 * interface a RoCE port stands on.
 */
#include <errno.h>
#include <string.h>

#include <linux/if_arp.h>

#include "monitor.h"
#include "nldev.h"

enum {
	STATE_DOWN = 1,
	STATE_ACTIVE = 4,
	PHYS_STATE_POLLING = 2,
	PHYS_STATE_DISABLED = 3,
	PHYS_STATE_LINK_UP = 5,
};

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

/* Notes what a port is like now, and says what has changed. */
static int note_values(struct umad_known *known, struct umad_known_device *device, int portnum,
		       const struct umad_port_values *values)
{
	struct umad_known_port *port = &device->port[portnum];
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
	int ret;

	if (!event.changed)
		return 0;
	memcpy(event.ca_name, device->name, sizeof(event.ca_name));
	ret = umad_known_announce(known, &event);
	if (!ret)
		port->values = *values;
	return ret;
}

/* Reads a port that is there; false if it can't be read (any more, or for a lack): on its way out
 * it has no state. */
static bool read_values(const char *ca_name, int portnum, struct umad_port_values *values,
			bool *is_ethernet)
{
	umad_port_t port;

	if (umad_port_read_attributes(ca_name, portnum, &port) < 0 || !port.state ||
	    umad_sys_lack())
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
	*is_ethernet = !strcmp(port.link_layer, "Ethernet");
	return true;
}

static int compare_port(struct umad_known *known, struct umad_known_device *device, int portnum)
{
	struct umad_known_port *port = &device->port[portnum];
	struct umad_port_values values;

	if (!read_values(device->name, portnum, &values, &port->is_ethernet))
		return 0;
	if (port->is_there)
		return note_values(known, device, portnum, &values);
	port->is_there = true;
	port->values = values;
	return 0;
}

/* Learns which network interfaces a device's RoCE ports stand on, as far as the kernel tells. */
static void find_netdevs(struct umad_known_device *device)
{
	struct umad_nldev_device found;
	struct umad_nldev_port port;
	struct umad_netlink *netlink;
	int portnum;

	if (!umad_nldev_known() || umad_nldev_open(&netlink) < 0)
		return;
	if (!umad_nldev_find_device(netlink, device->name, &found))
		for (portnum = 0; portnum < UMAD_CA_MAX_PORTS; portnum++)
			if (device->port[portnum].is_ethernet &&
			    !umad_nldev_read_port(netlink, found.index, portnum, &port))
				device->port[portnum].netdev_index = port.netdev_index;
	umad_netlink_close(netlink);
}

bool umad_known_has_ethernet(const struct umad_known_device *device)
{
	int portnum;

	for (portnum = 0; portnum < UMAD_CA_MAX_PORTS; portnum++)
		if (device->port[portnum].is_ethernet)
			return true;
	return false;
}

/* Compares all ports of a device; one that was not known is noted, and no event. */
int umad_known_compare_ports(struct umad_known *known, struct umad_known_device *device)
{
	unsigned int mask;
	int portnum, ret;

	ret = umad_device_read_ports(device->name, &mask);
	if (ret < 0)
		return ret == -ENOMEM ? ret : 0;
	for (portnum = 0; portnum < UMAD_CA_MAX_PORTS; portnum++) {
		if (!(mask & 1u << portnum))
			continue;
		ret = compare_port(known, device, portnum);
		if (ret < 0)
			return ret;
	}
	if (umad_known_has_ethernet(device))
		find_netdevs(device);
	return 0;
}

/* What a message says about the port on a RoCE interface, which is Active as long as that is up;
 * false if it says nothing new. The port may be in another state again by now: then the values are
 * those that such a port has. */
static bool read_message(const struct umad_link *link, unsigned int before,
			 const struct umad_port_values *now, struct umad_port_values *said)
{
	*said = *now;
	if (link->is_down && before == STATE_ACTIVE) {
		said->state = STATE_DOWN;
		said->phys_state = link->is_enabled ? PHYS_STATE_POLLING : PHYS_STATE_DISABLED;
	} else if (link->is_up && before == STATE_DOWN) {
		said->state = STATE_ACTIVE;
		said->phys_state = PHYS_STATE_LINK_UP;
	} else {
		return false;
	}
	if (said->state == now->state)
		said->phys_state = now->phys_state;
	return true;
}

/*
 * The messages about one interface say each change of its port, in order, but may repeat one, and
 * be old. So a change is reported if a message says something else than what was reported last;
 * what the port is like now is reported when there are no more messages. If it were reported with
 * each message, a change that was seen early would be reported again with its own message.
 */
static int take_roce_link(struct umad_known *known, struct umad_known_device *device, int portnum,
			  const struct umad_link *link, const struct umad_port_values *now)
{
	struct umad_known_port *port = &device->port[portnum];
	struct umad_port_values said;
	int ret = 0;

	if (read_message(link, port->values.state, now, &said))
		ret = note_values(known, device, portnum, &said);
	port->is_unsettled = compare_values(&port->values, now) != 0;
	known->has_unsettled |= port->is_unsettled;
	return ret;
}

static int take_port_link(struct umad_known *known, struct umad_known_device *device, int portnum,
			  const struct umad_link *link)
{
	struct umad_known_port *port = &device->port[portnum];
	struct umad_port_values now;

	if (!read_values(device->name, portnum, &now, &port->is_ethernet))
		return 0;
	if (port->netdev_index == link->index)
		return take_roce_link(known, device, portnum, link, &now);
	return note_values(known, device, portnum, &now);
}

/* Compares the ports of a device that messages left in another state than they are in. */
static int settle_device(struct umad_known *known, struct umad_known_device *device)
{
	int portnum, ret = 0;

	for (portnum = 0; portnum < UMAD_CA_MAX_PORTS && !ret; portnum++) {
		if (!device->port[portnum].is_unsettled)
			continue;
		ret = compare_port(known, device, portnum);
		device->port[portnum].is_unsettled = ret < 0;
	}
	return ret;
}

/* For when all messages have been read. */
int umad_known_settle(struct umad_known *known)
{
	int ret = 0;
	size_t i;

	for (i = 0; known->has_unsettled && i < known->device_count && !ret; i++)
		ret = settle_device(known, &known->device[i]);
	if (!ret)
		known->has_unsettled = false;
	return ret;
}

/* Whether a port may have changed with a network interface. */
static bool is_concerned(const struct umad_known_port *port, const struct umad_link *link)
{
	if (!port->is_there)
		return false;
	if (!port->is_ethernet)
		return link->type == ARPHRD_INFINIBAND;
	if (port->netdev_index)
		return port->netdev_index == link->index;
	return link->type == ARPHRD_ETHER;
}

/* Looks at the ports that a network interface concerns. */
int umad_known_take_link(struct umad_known *known, const struct umad_link *link)
{
	struct umad_known_device *device;
	bool settled = false, found;
	int portnum, ret;
	size_t i;

	for (i = 0; i < known->device_count; i++) {
		device = &known->device[i];
		found = false;
		for (portnum = 0; portnum < UMAD_CA_MAX_PORTS; portnum++) {
			if (!is_concerned(&device->port[portnum], link))
				continue;
			if (!settled)
				umad_link_settle(link);
			settled = found = true;
			ret = take_port_link(known, device, portnum, link);
			if (ret < 0)
				return ret;
		}
		if (found && umad_known_has_ethernet(device))
			find_netdevs(device); /* a bond may have changed over */
	}
	return 0;
}
