/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * SMI/GSI pairs: on some hosts one physical port appears as several devices, whose ports have the
 * same GUID; subnet management (SMI) uses one of these ports, all other classes (GSI) another.
 * Input: sysfs: of each port only its link layer, GUID and capability mask, and, to choose a pair,
 * its state.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "libibumad/base/sys.h"
#include "libibumad/internal.h"

/* One port of one device. */
struct member {
	struct umad_device_name device; /* name "": there is no such port */
	int portnum;
};

/* The ports with one GUID. If several ports could be its SMI port (or its GSI port), it holds the
 * preferred one. */
struct group {
	__be64 guid; /* 0: a group of one port, whatever its GUID */
	bool is_ethernet;
	struct member smi;
	struct member gsi;
};

/* What a caller requests, and the ports of this host. */
struct search {
	struct umad_source *source;
	const char *ca_name;  /* NULL: any device */
	unsigned int portnum; /* 0: any port */
	bool need_smi;
	bool has_infiniband; /* the wanted device (or the host) has a port that is not Ethernet */
	struct group *group; /* in alphabetical order of the first device of each */
	size_t count, capacity;
};

static bool is_wanted_device(const struct search *search, const char *ca_name)
{
	return !search->ca_name || !strcmp(search->ca_name, ca_name);
}

static bool is_wanted(const struct search *search, const struct member *member)
{
	return member->device.name[0] && is_wanted_device(search, member->device.name) &&
	       (!search->portnum || search->portnum == (unsigned int)member->portnum);
}

static bool is_up(const struct search *search, const struct member *member)
{
	return umad_port_read_state(search->source, member->device.name, member->portnum) >
	       UMAD_PORT_DOWN;
}

/*
 * Groups
 */

/* Finds the group of a GUID, or appends one without ports; ports with GUID 0 are never grouped. */
static struct group *get_group(struct search *search, __be64 guid)
{
	for (size_t i = 0; guid && i < search->count; i++)
		if (search->group[i].guid == guid)
			return &search->group[i];
	if (umad_array_reserve(&search->group, search->count, &search->capacity,
			       sizeof(*search->group)) < 0)
		return NULL;
	search->group[search->count] = (struct group){ .guid = guid };
	return &search->group[search->count++];
}

/* Whether a port replaces an earlier one of the same kind: the last device in alphabetical order
 * does, and among the ports of a device the wanted one, or else one that is up. */
static bool replaces(const struct search *search, const struct member *later,
		     const struct member *earlier)
{
	if (!earlier->device.name[0] || earlier->device.place != later->device.place)
		return true;
	if (is_wanted(search, later) != is_wanted(search, earlier))
		return is_wanted(search, later);
	return is_up(search, later) || !is_up(search, earlier);
}

/* Whether a port takes part, and its GUID; 0 if it cannot be read, as without sysfs. */
static bool read_guid(struct search *search, const struct member *port, __be64 *guid)
{
	const char *ca_name = port->device.name;
	umad_port_t values;
	int found = umad_port_read_attributes(search->source, ca_name, port->portnum,
					      UMAD_PORT_GUID, &values);

	if (found <= 0 && !umad_port_read_state(search->source, ca_name, port->portnum))
		return false; /* not a port */
	search->has_infiniband |= is_wanted_device(search, ca_name);
	*guid = values.port_guid;
	return values.port_guid || found <= 0 || !(found & UMAD_PORT_GUID);
}

/* Ethernet ports have no SMI and share no physical port. A port whose GUID cannot be read forms a
 * group of its own. Port 0 is that of a switch, which always has the SMI. */
static int add_port(struct search *search, const struct member *port)
{
	const char *ca_name = port->device.name;
	struct member *member;
	struct group *group;
	umad_port_t values;
	bool is_ethernet, is_gsi;
	__be64 guid = 0;

	umad_port_read_attributes(search->source, ca_name, port->portnum, UMAD_PORT_LINK_LAYER,
				  &values);
	is_ethernet = umad_port_is_ethernet(&values);
	if (!is_ethernet && !read_guid(search, port, &guid))
		return 0;
	group = get_group(search, guid);
	if (!group)
		return -ENOMEM;
	group->is_ethernet = is_ethernet;
	is_gsi = is_ethernet ||
		 (port->portnum && umad_port_smi_disabled(search->source, ca_name, port->portnum));
	member = is_gsi ? &group->gsi : &group->smi;
	if (replaces(search, port, member))
		*member = *port;
	return 0;
}

/* Port numbers that do not fit struct umad_ca are considered if the caller names one: such a port
 * may have a partner with any number. */
static int add_ports(struct search *search, const struct umad_device_name *device)
{
	bool is_large = search->ca_name && search->portnum >= UMAD_CA_MAX_PORTS;
	int last = is_large ? UMAD_PORT_NUMBER_MAX : UMAD_CA_MAX_PORTS - 1, error = 0;
	struct member port = { .device = *device };
	struct umad_port_set ports;

	if (!umad_device_read_type(search->source, device->name) ||
	    umad_device_read_ports(search->source, device->name, &ports) < 0)
		return 0;
	for (; port.portnum <= last && !error; port.portnum++)
		if (ports.has[port.portnum])
			error = add_port(search, &port);
	return error;
}

/* Groups the ports of this host; the caller frees search->group, also after a failure. A port
 * without a partner that has IsSMDisabled is also the GSI port of its group. */
static int read_groups(struct search *search)
{
	struct umad_device_names names;
	int result = umad_device_read_names(search->source, &names);

	umad_device_sort_names(&names);
	for (size_t i = 0; i < names.count && !result; i++)
		result = add_ports(search, &names.device[i]);
	umad_device_free_names(&names);
	for (size_t i = 0; i < search->count; i++)
		if (!search->group[i].gsi.device.name[0])
			search->group[i].gsi = search->group[i].smi;
	return umad_sys_resource_error_or(result);
}

static struct umad_ca_pair make_pair(const struct group *group)
{
	struct umad_ca_pair pair = { .smi_name = "" };

	memcpy(pair.smi_name, group->smi.device.name, sizeof(pair.smi_name));
	memcpy(pair.gsi_name, group->gsi.device.name, sizeof(pair.gsi_name));
	return pair;
}

/*
 * The list of pairs
 */

/* Converts groups to pairs; ports of the same two devices form one pair. Returns the number of
 * pairs. */
static size_t fill_pairs(const struct search *search, struct umad_ca_pair *pairs, size_t max)
{
	struct umad_ca_pair pair;
	size_t i, j, filled = 0;

	for (i = 0; i < search->count && filled < max; i++) {
		if (search->group[i].is_ethernet)
			continue;
		pair = make_pair(&search->group[i]);
		for (j = 0; j < filled; j++)
			if (!strcmp(pairs[j].smi_name, pair.smi_name) &&
			    !strcmp(pairs[j].gsi_name, pair.gsi_name))
				break;
		if (j == filled)
			pairs[filled++] = pair;
	}
	return filled;
}

int umad_get_smi_gsi_pairs(struct umad_ca_pair cas[], size_t max)
{
	struct umad_source source = { .kind = UMAD_SOURCE_UNDECIDED };
	struct search search = { .source = &source };
	int result;

	if (!cas)
		return umad_state_finish(-EINVAL);
	umad_sys_clear_resource_error();
	result = read_groups(&search);
	umad_source_close(&source);
	if (!result)
		result = (int)fill_pairs(&search, cas, max);
	free(search.group);
	return umad_state_finish(result);
}

/*
 * One pair
 */

/* The port by which a group matches, or NULL if it does not match. */
static const struct member *find_wanted(const struct search *search, const struct group *group)
{
	if (search->need_smi && !group->smi.device.name[0])
		return NULL;
	if (is_wanted(search, &group->gsi))
		return &group->gsi;
	return is_wanted(search, &group->smi) ? &group->smi : NULL;
}

/* In directory order. */
static bool is_before(const struct member *a, const struct member *b)
{
	return a->device.place == b->device.place ? a->portnum < b->portnum
						  : a->device.place < b->device.place;
}

/* The first group selected by device and port, or whose port is up; else the group that
 * umad_open_port() would choose, which does not choose a Disabled port. For a device that the
 * caller names, a Disabled port is accepted, because only that device is acceptable. */
static const struct group *find_group(const struct search *search, bool is_ethernet)
{
	enum umad_port_link link,
		best_link = search->ca_name ? UMAD_PORT_LINK_DISABLED : UMAD_PORT_LINK_ENABLED;
	const struct group *best = NULL;
	const struct member *best_port = NULL;

	for (size_t i = 0; i < search->count; i++) {
		const struct group *group = &search->group[i];
		const struct member *port = find_wanted(search, group);

		if (!port || group->is_ethernet != is_ethernet)
			continue;
		if ((search->ca_name && search->portnum) || is_up(search, port))
			return group;
		link = umad_port_read_link(search->source, port->device.name, port->portnum);
		if (link < best_link ||
		    (best_port && link == best_link && !is_before(port, best_port)))
			continue;
		best = group;
		best_port = port;
		best_link = link;
	}
	return best;
}

/* Ethernet ports match only if the caller names one, or if the host has nothing else. */
static const struct group *choose_group(const struct search *search)
{
	const struct group *group = find_group(search, false);

	if (!group && ((search->ca_name && search->portnum) || !search->has_infiniband))
		group = find_group(search, true);
	return group;
}

int umad_get_smi_gsi_pair_by_ca_name(const char *devname, uint8_t portnum, struct umad_ca_pair *ca,
				     unsigned int enforce_smi)
{
	struct umad_source source = { .kind = UMAD_SOURCE_UNDECIDED };
	struct search search = {
		.source = &source, .ca_name = devname, .portnum = portnum, .need_smi = enforce_smi
	};
	const struct group *group = NULL;
	int result;

	if (!ca)
		return umad_state_finish(-EINVAL);
	if (devname && !umad_device_name_valid(devname))
		return umad_state_finish(-ENODEV);
	umad_sys_clear_resource_error();
	result = read_groups(&search);
	if (!result) {
		group = choose_group(&search);
		result = umad_sys_resource_error_or(group ? 0 : -ENODEV);
	}
	if (!result &&
	    group) { /* without an SMI port, both members hold the number of the GSI port */
		*ca = make_pair(group);
		ca->gsi_preferred_port = (uint32_t)group->gsi.portnum;
		ca->smi_preferred_port =
			(uint32_t)(ca->smi_name[0] ? group->smi.portnum : group->gsi.portnum);
	}
	free(search.group);
	umad_source_close(&source);
	return umad_state_finish(result);
}
