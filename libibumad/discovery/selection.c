/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Chooses the port when a caller names no device or no port, or asks for a pair. Reads, once, only
 * the attributes that the choice depends on.
 *
 * Devices are searched in directory order, their ports in number order; a switch is its port 0. The
 * first Active port wins, else the first whose link is up, else the first that is not disabled.
 * InfiniBand ports take precedence over all others. Other ports are chosen only when the caller
 * gave no port number.
 *
 * SMI/GSI pairs: on some hosts one physical port appears as several devices, whose ports have the
 * same GUID; subnet management (SMI) uses one of these ports, all other classes (GSI) another.
 */
#include <endian.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "libibumad/base/sys.h"
#include "libibumad/internal.h"

enum {
	CAPMASK_SM_DISABLED = 0x400, /* IsSMDisabled */
	LINKS = UMAD_PORT_LINK_ACTIVE - UMAD_PORT_LINK_DISABLED,
};

/* The values of a port; reads the wanted ones that are not known. */
static const umad_port_t *look(const struct umad_selection *selection, struct umad_candidate *port,
			       unsigned int wanted)
{
	int found;

	wanted &= ~port->asked;
	port->asked |= wanted;
	found = wanted ? umad_port_add_attributes(selection->source, wanted, &port->values) : 0;
	port->found |= found > 0 ? (unsigned int)found : 0;
	return &port->values;
}

/* The progress of link training, by the physical state. A port without one is broken or does not
 * exist, unless it has a logical state. */
static enum umad_port_link trained_link(const struct umad_selection *selection,
					struct umad_candidate *port)
{
	unsigned int physical = look(selection, port, UMAD_PORT_PHYS_STATE)->phys_state;
	bool enabled = physical ? physical != UMAD_PHYS_DISABLED
				: look(selection, port, UMAD_PORT_STATE)->state != 0;

	if (physical == UMAD_PHYS_LINK_UP)
		return UMAD_PORT_LINK_UP;
	return enabled ? UMAD_PORT_LINK_ENABLED : UMAD_PORT_LINK_DISABLED;
}

/* Port 0 of a switch always has an SMI, whatever its mask says. */
static bool has_no_smi(const struct umad_selection *selection, struct umad_candidate *port)
{
	return port->values.portnum &&
	       be32toh(look(selection, port, UMAD_PORT_CAPMASK)->capmask) & CAPMASK_SM_DISABLED;
}

static void add_port(struct umad_selection *selection, const struct umad_device_name *device,
		     int portnum, bool always_fits)
{
	struct umad_candidate *port;

	if (umad_array_reserve(&selection->port, selection->count, &selection->capacity,
			       sizeof(*selection->port)) < 0)
		return;
	port = &selection->port[selection->count++];
	*port = (struct umad_candidate){ .place = device->place, .always_fits = always_fits };
	memcpy(port->values.ca_name, device->name, sizeof(device->name));
	port->values.portnum = portnum;
}

/* Port numbers that do not fit struct umad_ca are considered if the caller names device and port:
 * such a port may have a partner with any number. */
static void add_ports(struct umad_selection *selection, const struct umad_device_name *device,
		      unsigned int type)
{
	bool is_large = selection->ca_name && selection->portnum >= UMAD_CA_MAX_PORTS;
	int last = is_large ? UMAD_PORT_NUMBER_MAX : UMAD_CA_MAX_PORTS - 1;
	bool is_switch = type == UMAD_NODE_SWITCH;
	struct umad_port_set ports = { .has = { is_switch } };

	selection->has_device = true;
	if (!is_switch)
		umad_device_read_ports(selection->source, device->name, &ports);
	for (int portnum = 0; portnum <= last; portnum++)
		if (ports.has[portnum])
			add_port(selection, device, portnum, is_switch);
}

/* Lists the ports of a device when the search reaches it. NULL after the last port. */
static struct umad_candidate *port_at(struct umad_selection *selection, size_t number)
{
	const struct umad_device_name *device;
	unsigned int type;

	while (number >= selection->count && selection->searched < selection->names.count) {
		device = &selection->names.device[selection->searched++];
		type = umad_device_read_type(selection->source, device->name);
		if (type)
			add_ports(selection, device, type);
	}
	return number < selection->count ? &selection->port[number] : NULL;
}

void umad_selection_end(struct umad_selection *selection)
{
	free(selection->names.device);
	free(selection->port);
}

/* A device that the caller names may be of any type. */
int umad_selection_begin(struct umad_selection *selection)
{
	struct umad_device_name device = { .place = 0 };
	const char *ca_name = selection->ca_name;

	if (selection->portnum > UMAD_PORT_NUMBER_MAX || (ca_name && selection->portnum < 0))
		return -EINVAL;
	selection->portnum = selection->portnum > 0 ? selection->portnum : UMAD_ANY_PORT;
	if (!ca_name)
		return umad_device_read_names(selection->source, &selection->names);
	if (!umad_device_name_valid(ca_name))
		return -ENODEV;
	memcpy(device.name, ca_name, strlen(ca_name));
	if (selection->portnum)
		add_port(selection, &device, selection->portnum, true);
	else
		add_ports(selection, &device, umad_device_read_type(selection->source, ca_name));
	return 0;
}

/* Whether a port has this link and what the caller requires. */
static bool fits(const struct umad_selection *selection, struct umad_candidate *port,
		 enum umad_port_link link, bool any_link_layer)
{
	if (port->always_fits)
		return true;
	if (selection->portnum && port->values.portnum != selection->portnum)
		return false;
	if (link == UMAD_PORT_LINK_ACTIVE
		    ? look(selection, port, UMAD_PORT_STATE)->state != UMAD_PORT_ACTIVE
		    : trained_link(selection, port) != link)
		return false;
	if (selection->need_smi && has_no_smi(selection, port))
		return false;
	return any_link_layer ||
	       umad_port_is_infiniband(look(selection, port, UMAD_PORT_LINK_LAYER));
}

static void set_choice(struct umad_port_choice *choice, const struct umad_candidate *port)
{
	*choice = (struct umad_port_choice){ .portnum = port->values.portnum };
	memcpy(choice->ca_name, port->values.ca_name, sizeof(choice->ca_name));
}

int umad_selection_next(struct umad_selection *selection, struct umad_port_choice *choice)
{
	int rounds = selection->portnum ? LINKS : 2 * LINKS;
	struct umad_candidate *port;

	for (; selection->round < rounds; selection->round++, selection->at = 0)
		while ((port = port_at(selection, selection->at++))) {
			if (port->was_tried ||
			    !fits(selection, port, UMAD_PORT_LINK_ACTIVE - selection->round % LINKS,
				  selection->round >= LINKS))
				continue;
			port->was_tried = true;
			set_choice(choice, port);
			return umad_sys_resource_error();
		}
	return umad_sys_resource_error_or(selection->portnum && selection->has_device ? -EINVAL
										      : -ENODEV);
}

int umad_selection_resolve(struct umad_source *source, const char *ca_name, int portnum,
			   struct umad_port_choice *choice)
{
	struct umad_selection selection = { .source = source,
					    .ca_name = ca_name,
					    .portnum = portnum };
	int result;

	umad_sys_clear_resource_error();
	result = umad_selection_begin(&selection);
	if (!result)
		result = umad_selection_next(&selection, choice);
	umad_selection_end(&selection);
	return umad_sys_resource_error_or(result);
}

/* The ports with one GUID; of several that could be the SMI port (or the GSI port), the preferred.
 */
struct group {
	__be64 guid; /* 0: a group of one port, whatever its GUID */
	bool is_ethernet;
	bool was_tried;
	struct umad_candidate *smi; /* NULL: none */
	struct umad_candidate *gsi;
};

/* In alphabetical order of the first device of each. */
struct groups {
	struct umad_selection ports;
	bool is_named;	     /* the caller names a device and a port */
	bool has_infiniband; /* the wanted device (or the host) has a port that is not Ethernet */
	struct group *group;
	size_t count, capacity;
};

static bool is_wanted_device(const struct groups *groups, const struct umad_candidate *port)
{
	return !groups->ports.ca_name || !strcmp(groups->ports.ca_name, port->values.ca_name);
}

static bool is_wanted(const struct groups *groups, const struct umad_candidate *port)
{
	return port && is_wanted_device(groups, port) &&
	       (!groups->ports.portnum || groups->ports.portnum == port->values.portnum);
}

static bool is_up(const struct groups *groups, struct umad_candidate *port)
{
	return look(&groups->ports, port, UMAD_PORT_STATE)->state > UMAD_PORT_DOWN;
}

/* Finds the group of a GUID, or appends one without ports; ports with GUID 0 are never grouped. */
static struct group *get_group(struct groups *groups, __be64 guid)
{
	for (size_t i = 0; guid && i < groups->count; i++)
		if (groups->group[i].guid == guid)
			return &groups->group[i];
	if (umad_array_reserve(&groups->group, groups->count, &groups->capacity,
			       sizeof(*groups->group)) < 0)
		return NULL;
	groups->group[groups->count] = (struct group){ .guid = guid };
	return &groups->group[groups->count++];
}

/* Whether a port replaces an earlier one of the same kind: the last device in alphabetical order
 * wins, and among the ports of a device the wanted port, else one that is up. */
static bool replaces(const struct groups *groups, struct umad_candidate *later,
		     struct umad_candidate *earlier)
{
	if (!earlier || earlier->place != later->place)
		return true;
	if (is_wanted(groups, later) != is_wanted(groups, earlier))
		return is_wanted(groups, later);
	return is_up(groups, later) || !is_up(groups, earlier);
}

/* Whether a port takes part, and its GUID; 0 if it cannot be read, as without sysfs. */
static bool read_guid(struct groups *groups, struct umad_candidate *port, __be64 *guid)
{
	*guid = look(&groups->ports, port, UMAD_PORT_GUID)->port_guid;
	if (!(port->found & UMAD_PORT_GUID) && !look(&groups->ports, port, UMAD_PORT_STATE)->state)
		return false; /* not a port */
	groups->has_infiniband |= is_wanted_device(groups, port);
	return *guid || !(port->found & UMAD_PORT_GUID);
}

/* Ethernet ports have no SMI and share no physical port; they form groups of their own, as do ports
 * whose GUID cannot be read. */
static void group_port(struct groups *groups, struct umad_candidate *port)
{
	bool is_ethernet = umad_port_is_ethernet(look(&groups->ports, port, UMAD_PORT_LINK_LAYER));
	struct umad_candidate **member;
	struct group *group;
	__be64 guid = 0;

	if (!is_ethernet && !read_guid(groups, port, &guid))
		return;
	group = get_group(groups, guid);
	if (!group)
		return;
	group->is_ethernet = is_ethernet;
	member = is_ethernet || has_no_smi(&groups->ports, port) ? &group->gsi : &group->smi;
	if (replaces(groups, port, *member))
		*member = port;
}

/* Groups the ports of this host. A port without a partner is also the GSI port of its group. */
static int read_groups(struct groups *groups)
{
	struct umad_selection *ports = &groups->ports;
	int result = umad_device_read_names(ports->source, &ports->names);

	umad_device_sort_names(&ports->names);
	port_at(ports, SIZE_MAX); /* all of them */
	for (size_t i = 0; i < ports->count; i++)
		group_port(groups, &ports->port[i]);
	for (size_t i = 0; i < groups->count; i++)
		if (!groups->group[i].gsi)
			groups->group[i].gsi = groups->group[i].smi;
	return umad_sys_resource_error_or(result);
}

/* Without an SMI port, both members hold the number of the GSI port. */
static struct umad_ca_pair make_pair(const struct group *group)
{
	const struct umad_candidate *smi = group->smi ? group->smi : group->gsi;
	struct umad_ca_pair pair = {
		.smi_preferred_port = (uint32_t)smi->values.portnum,
		.gsi_preferred_port = (uint32_t)group->gsi->values.portnum,
	};

	if (group->smi)
		memcpy(pair.smi_name, group->smi->values.ca_name, sizeof(pair.smi_name));
	memcpy(pair.gsi_name, group->gsi->values.ca_name, sizeof(pair.gsi_name));
	return pair;
}

/* Converts groups to pairs; ports of the same two devices form one pair. Returns the number of
 * pairs. */
static size_t fill_pairs(const struct groups *groups, struct umad_ca_pair *pairs, size_t max)
{
	struct umad_ca_pair pair;
	size_t i, j, filled = 0;

	for (i = 0; i < groups->count && filled < max; i++) {
		if (groups->group[i].is_ethernet)
			continue;
		pair = make_pair(&groups->group[i]);
		pair.smi_preferred_port = pair.gsi_preferred_port = 0;
		for (j = 0; j < filled && memcmp(&pairs[j], &pair, sizeof(pair)) != 0; j++)
			;
		if (j == filled)
			pairs[filled++] = pair;
	}
	return filled;
}

int umad_get_smi_gsi_pairs(struct umad_ca_pair cas[], size_t max)
{
	struct umad_source source = { .kind = UMAD_SOURCE_UNDECIDED };
	struct groups groups = { .ports = { .source = &source } };
	int result;

	if (!cas)
		return umad_state_finish(-EINVAL);
	umad_sys_clear_resource_error();
	result = read_groups(&groups);
	umad_source_close(&source);
	if (!result)
		result = (int)fill_pairs(&groups, cas, max);
	umad_selection_end(&groups.ports);
	free(groups.group);
	return umad_state_finish(result);
}

/* The port by which a group matches, or NULL if it does not match. */
static struct umad_candidate *find_wanted(const struct groups *groups, const struct group *group)
{
	if ((groups->ports.need_smi && !group->smi) ||
	    (group->is_ethernet && groups->has_infiniband && !groups->is_named))
		return NULL;
	if (is_wanted(groups, group->gsi))
		return group->gsi;
	return is_wanted(groups, group->smi) ? group->smi : NULL;
}

/* Of the groups that were not tried, the first that the caller names, or whose port is up; else the
 * group that umad_open_port() would choose. Disabled ports are chosen only of a device that the
 * caller names; Ethernet ports only if the caller names one, or if there is nothing else. */
static struct group *next_group(const struct groups *groups)
{
	int64_t weight, best_weight = 0;
	struct umad_candidate *port;
	struct group *group, *best = NULL;
	enum umad_port_link link;

	for (size_t i = 0; i < groups->count; i++) {
		group = &groups->group[i];
		port = group->was_tried ? NULL : find_wanted(groups, group);
		if (!port)
			continue;
		if (groups->is_named || is_up(groups, port))
			return group;
		link = trained_link(&groups->ports, port);
		/* of equal links the first one in directory order */
		weight = ((int64_t)link << 40) - ((int64_t)port->place << 8) - port->values.portnum;
		if ((link == UMAD_PORT_LINK_DISABLED && !groups->ports.ca_name) ||
		    (best && weight < best_weight))
			continue;
		best = group;
		best_weight = weight;
	}
	return best;
}

static bool can_open(const struct groups *groups, const struct umad_candidate *port)
{
	struct umad_port_choice choice;
	int fd = -ENODEV;

	set_choice(&choice, port);
	umad_node_open(groups->ports.source, &choice, &fd);
	if (fd >= 0)
		umad_sys_close(fd);
	return fd >= 0;
}

/* Counts the ports of a group that can be opened: 0 without the GSI port, or a required SMI port.
 */
static int count_openable(const struct groups *groups, const struct group *group)
{
	bool gsi = can_open(groups, group->gsi);
	bool smi = gsi && (!group->smi || group->smi == group->gsi || can_open(groups, group->smi));

	return gsi && (smi || !groups->ports.need_smi) ? 1 + smi : 0;
}

/* The first of several groups whose ports can be opened; if none can, the first. */
static const struct group *choose_group(const struct groups *groups)
{
	struct group *group = next_group(groups), *best = group;
	int matching = 0, count, best_count = 0;

	for (size_t i = 0; i < groups->count; i++)
		matching += find_wanted(groups, &groups->group[i]) != NULL;
	while (group && matching > 1 && !groups->is_named) {
		count = count_openable(groups, group);
		if (count > best_count) {
			best = group;
			best_count = count;
		}
		group->was_tried = true;
		group = count < 2 ? next_group(groups) : NULL;
	}
	return best;
}

int umad_get_smi_gsi_pair_by_ca_name(const char *devname, uint8_t portnum, struct umad_ca_pair *ca,
				     unsigned int enforce_smi)
{
	struct umad_source source = { .kind = UMAD_SOURCE_UNDECIDED };
	struct groups groups = { .ports = { .source = &source,
					    .ca_name = devname,
					    .portnum = portnum,
					    .need_smi = enforce_smi },
				 .is_named = devname && portnum };
	const struct group *group = NULL;
	int result;

	if (!ca)
		return umad_state_finish(-EINVAL);
	if (devname && !umad_device_name_valid(devname))
		return umad_state_finish(-ENODEV);
	umad_sys_clear_resource_error();
	result = read_groups(&groups);
	if (!result) {
		group = choose_group(&groups);
		result = umad_sys_resource_error_or(group ? 0 : -ENODEV);
	}
	if (!result && group)
		*ca = make_pair(group);
	umad_selection_end(&groups.ports);
	free(groups.group);
	umad_source_close(&source);
	return umad_state_finish(result);
}
