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

/* One port of one device. Its name points into the name list of struct groups. */
struct member {
	const char *ca_name; /* NULL: there is no such port */
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

struct groups {
	struct umad_device_names names; /* in directory order */
	struct group *group;		/* in alphabetical order of the first device of each */
	size_t count, capacity;
	bool has_infiniband; /* the wanted device (or the host) has a port that is not Ethernet */
};

/* What a caller requests. */
struct pair_query {
	struct umad_source *source;
	const char *ca_name;  /* NULL: any device */
	unsigned int portnum; /* 0: any port */
	bool need_smi;
};

static bool is_wanted_device(const struct pair_query *query, const char *ca_name)
{
	return !query->ca_name || !strcmp(query->ca_name, ca_name);
}

static bool is_wanted(const struct pair_query *query, const struct member *member)
{
	return member->ca_name && is_wanted_device(query, member->ca_name) &&
	       (!query->portnum || query->portnum == (unsigned int)member->portnum);
}

static bool is_up(const struct pair_query *query, const struct member *member)
{
	return umad_port_read_state(query->source, member->ca_name, member->portnum) >
	       UMAD_PORT_DOWN;
}

/*
 * Groups
 */

static struct group *append_group(struct groups *groups)
{
	if (umad_array_reserve(&groups->group, groups->count, &groups->capacity,
			       sizeof(*groups->group)) < 0)
		return NULL;
	groups->group[groups->count] = (struct group){ .guid = 0 };
	return &groups->group[groups->count++];
}

/* Finds the group of a GUID, or appends one without ports; ports with GUID 0 are never grouped. */
static struct group *get_group(struct groups *groups, __be64 guid)
{
	struct group *group;
	size_t i;

	for (i = 0; guid && i < groups->count; i++)
		if (groups->group[i].guid == guid)
			return &groups->group[i];
	group = append_group(groups);
	if (group)
		group->guid = guid;
	return group;
}

/* Whether a port replaces an earlier one of the same kind: the last device in alphabetical order
 * does, and among the ports of a device the wanted one, or else one that is up. */
static bool replaces(const struct member *later, const struct member *earlier,
		     const struct pair_query *query)
{
	if (!earlier->ca_name || earlier->ca_name != later->ca_name)
		return true;
	if (is_wanted(query, later) != is_wanted(query, earlier))
		return is_wanted(query, later);
	return is_up(query, later) || !is_up(query, earlier);
}

/* Ethernet ports have no SMI and share no physical port. */
static int add_ethernet_port(struct groups *groups, const struct member *port)
{
	struct group *group = append_group(groups);

	if (!group)
		return -ENOMEM;
	group->is_ethernet = true;
	group->gsi = *port;
	return 0;
}

/* A port whose GUID cannot be read forms a group of its own, as do all ports without sysfs. Port 0
 * is that of a switch, which always has the SMI. */
static int add_infiniband_port(struct groups *groups, const struct member *port,
			       const struct pair_query *query)
{
	struct umad_source *source = query->source;
	struct member *member;
	struct group *group;
	umad_port_t values;
	bool has_guid, is_gsi;
	int found;

	found = umad_port_read_attributes(source, port->ca_name, port->portnum, UMAD_PORT_GUID,
					  &values);
	has_guid = found > 0 && found & UMAD_PORT_GUID;
	if (!has_guid && !umad_port_read_state(source, port->ca_name, port->portnum))
		return 0; /* not a port: skipped */
	if (is_wanted_device(query, port->ca_name))
		groups->has_infiniband = true;
	if (has_guid && !values.port_guid)
		return 0;
	group = get_group(groups, has_guid ? values.port_guid : 0);
	if (!group)
		return -ENOMEM;
	is_gsi = port->portnum && umad_port_smi_disabled(source, port->ca_name, port->portnum);
	member = is_gsi ? &group->gsi : &group->smi;
	if (replaces(port, member, query))
		*member = *port;
	return 0;
}

static int add_port(struct groups *groups, const struct member *port,
		    const struct pair_query *query)
{
	umad_port_t values;

	umad_port_read_attributes(query->source, port->ca_name, port->portnum, UMAD_PORT_LINK_LAYER,
				  &values);
	return umad_port_is_ethernet(&values) ? add_ethernet_port(groups, port)
					      : add_infiniband_port(groups, port, query);
}

/* Port numbers that do not fit struct umad_ca are considered if the caller names one. */
static int add_ports(struct groups *groups, const char *ca_name, const struct pair_query *query)
{
	struct member port = { .ca_name = ca_name };
	unsigned int mask;
	int error = 0;

	if (!umad_device_read_type(query->source, ca_name) ||
	    umad_device_read_ports(query->source, ca_name, &mask) < 0)
		return 0;
	for (; port.portnum < UMAD_CA_MAX_PORTS && !error; port.portnum++)
		if (mask & 1u << port.portnum)
			error = add_port(groups, &port, query);
	port.portnum = (int)query->portnum;
	if (!error && port.portnum >= UMAD_CA_MAX_PORTS && query->ca_name &&
	    is_wanted(query, &port))
		error = add_port(groups, &port, query);
	return error;
}

static int compare_names(const void *a, const void *b)
{
	const char *const *left = a, *const *right = b;

	return strcmp(*left, *right);
}

/* Adds the ports of all devices, in alphabetical order. */
static int add_devices(struct groups *groups, const struct pair_query *query)
{
	const char **sorted = calloc(groups->names.count + 1, sizeof(*sorted));
	size_t i;
	int error = 0;

	if (!sorted)
		return -ENOMEM;
	for (i = 0; i < groups->names.count; i++)
		sorted[i] = groups->names.name[i];
	qsort(sorted, groups->names.count, sizeof(*sorted), compare_names);
	for (i = 0; i < groups->names.count && !error; i++)
		error = add_ports(groups, sorted[i], query);
	free(sorted);
	return error;
}

static void free_groups(struct groups *groups)
{
	free(groups->group);
	umad_device_free_names(&groups->names);
	*groups = (struct groups){ .count = 0 };
}

/* Groups the ports of this host; the caller frees the result with free_groups(). A port without a
 * partner that has IsSMDisabled is also the GSI port of its group. */
static int read_groups(const struct pair_query *query, struct groups *groups)
{
	size_t i;
	int result;

	*groups = (struct groups){ .count = 0 };
	result = umad_device_read_names(query->source, &groups->names);
	if (!result)
		result = add_devices(groups, query);
	result = umad_sys_resource_error_or(result);
	if (result < 0) {
		free_groups(groups);
		return result;
	}
	for (i = 0; i < groups->count; i++)
		if (!groups->group[i].gsi.ca_name)
			groups->group[i].gsi = groups->group[i].smi;
	return 0;
}

/*
 * The list of pairs
 */

static void copy_name(char name[UMAD_CA_NAME_LEN], const struct member *port)
{
	if (port->ca_name)
		strcpy(name, port->ca_name);
}

static struct umad_ca_pair make_pair(const struct group *group)
{
	struct umad_ca_pair pair = { .smi_name = "" };

	copy_name(pair.smi_name, &group->smi);
	copy_name(pair.gsi_name, &group->gsi);
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
	const struct pair_query anything = { .source = &source };
	struct groups groups;
	int result;

	if (!cas)
		return umad_state_finish(-EINVAL);
	umad_sys_clear_resource_error();
	result = read_groups(&anything, &groups);
	umad_source_close(&source);
	if (result < 0)
		return umad_state_finish(result);
	result = (int)fill_pairs(&groups, cas, max);
	free_groups(&groups);
	return result;
}

/*
 * One pair
 */

/* The port by which a group matches, or NULL if it does not match. */
static const struct member *find_wanted(const struct group *group, const struct pair_query *query)
{
	if (query->need_smi && !group->smi.ca_name)
		return NULL;
	if (is_wanted(query, &group->gsi))
		return &group->gsi;
	return is_wanted(query, &group->smi) ? &group->smi : NULL;
}

/* The first group selected by device and port, or whose port is up. */
static const struct group *find_named_or_up(const struct groups *groups,
					    const struct pair_query *query, bool is_ethernet)
{
	const struct member *port;
	size_t i;

	for (i = 0; i < groups->count; i++) {
		port = find_wanted(&groups->group[i], query);
		if (port && groups->group[i].is_ethernet == is_ethernet &&
		    ((query->ca_name && query->portnum) || is_up(query, port)))
			return &groups->group[i];
	}
	return NULL;
}

/* In directory order; the names are pointers into an array in that order. */
static bool is_before(const struct member *a, const struct member *b)
{
	return a->ca_name == b->ca_name ? a->portnum < b->portnum : a->ca_name < b->ca_name;
}

/* If no port is up: the group that umad_open_port() would choose, which does not choose a Disabled
 * port. For a device that the caller names, a Disabled port is accepted, because only that device
 * is acceptable. */
static const struct group *find_best_link(const struct groups *groups,
					  const struct pair_query *query, bool is_ethernet)
{
	enum umad_port_link link,
		best_link = query->ca_name ? UMAD_PORT_LINK_DISABLED : UMAD_PORT_LINK_ENABLED;
	const struct member *port, *best_port = NULL;
	const struct group *best = NULL;
	size_t i;

	for (i = 0; i < groups->count; i++) {
		port = find_wanted(&groups->group[i], query);
		if (!port || groups->group[i].is_ethernet != is_ethernet)
			continue;
		link = umad_port_read_link(query->source, port->ca_name, port->portnum);
		if (link < best_link ||
		    (best_port && link == best_link && !is_before(port, best_port)))
			continue;
		best = &groups->group[i];
		best_port = port;
		best_link = link;
	}
	return best;
}

static const struct group *find_group(const struct groups *groups, const struct pair_query *query,
				      bool is_ethernet)
{
	const struct group *group = find_named_or_up(groups, query, is_ethernet);

	return group ? group : find_best_link(groups, query, is_ethernet);
}

/* Ethernet ports match only if the caller names one, or if the host has nothing else. */
static const struct group *choose_group(const struct groups *groups, const struct pair_query *query)
{
	const struct group *group = find_group(groups, query, false);

	if (!group && ((query->ca_name && query->portnum) || !groups->has_infiniband))
		group = find_group(groups, query, true);
	return group;
}

/* Without an SMI port, both members hold the number of the GSI port. */
static struct umad_ca_pair make_pair_with_ports(const struct group *group)
{
	struct umad_ca_pair pair = make_pair(group);
	const struct member *smi = group->smi.ca_name ? &group->smi : &group->gsi;

	pair.smi_preferred_port = (uint32_t)smi->portnum;
	pair.gsi_preferred_port = (uint32_t)group->gsi.portnum;
	return pair;
}

int umad_get_smi_gsi_pair_by_ca_name(const char *devname, uint8_t portnum, struct umad_ca_pair *ca,
				     unsigned int enforce_smi)
{
	struct umad_source source = { .kind = UMAD_SOURCE_UNDECIDED };
	struct pair_query query = {
		.source = &source, .ca_name = devname, .portnum = portnum, .need_smi = enforce_smi
	};
	const struct group *group = NULL;
	struct groups groups;
	int result;

	if (!ca)
		return umad_state_finish(-EINVAL);
	if (devname && !umad_device_name_valid(devname))
		return umad_state_finish(-ENODEV);
	umad_sys_clear_resource_error();
	result = read_groups(&query, &groups);
	if (!result) {
		group = choose_group(&groups, &query);
		result = umad_sys_resource_error_or(group ? 0 : -ENODEV);
	}
	if (!result && group)
		*ca = make_pair_with_ports(group);
	free_groups(&groups);
	umad_source_close(&source);
	return umad_state_finish(result);
}
