/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * SMI/GSI pairs: on some hosts one physical port appears as several devices, which then share its
 * GUID; subnet management (SMI) goes through one of them, all other classes (GSI) through another.
 * Input: sysfs, of each port no more than its GUID and capability mask, and, to choose ports, its
 * state and link layer.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

enum {
	STATE_DOWN = 1,
	GROUPS_AT_FIRST = 16, /* room for groups when the first one is found; doubled as needed */
};

/* The devices that have a port with one GUID, by name in alphabetical order. */
struct group {
	__be64 guid;
	const char *first;	  /* the first of them */
	const char *last_enabled; /* the last one that carries subnet management */
	const char *last_disabled;
	bool several; /* more than one device */
};

struct groups {
	struct group *group;
	size_t count, room;
};

/* Finds the group of a GUID, or makes one that has no device yet. */
static struct group *get_group(struct groups *groups, __be64 guid)
{
	struct group *grown;
	size_t i, wanted;

	for (i = 0; i < groups->count; i++)
		if (groups->group[i].guid == guid)
			return &groups->group[i];
	if (groups->count == groups->room) {
		wanted = groups->room ? 2 * groups->room : GROUPS_AT_FIRST;
		grown = realloc(groups->group, wanted * sizeof(*grown));
		if (!grown)
			return NULL;
		groups->group = grown;
		groups->room = wanted;
	}
	groups->group[groups->count] = (struct group){ .guid = guid };
	return &groups->group[groups->count++];
}

static int add_port(struct groups *groups, const char *ca_name, int portnum)
{
	__be64 guid = umad_port_read_guid(ca_name, portnum);
	struct group *group;

	if (!guid)
		return 0;
	group = get_group(groups, guid);
	if (!group)
		return -ENOMEM;
	if (!group->first)
		group->first = ca_name;
	else if (group->first != ca_name)
		group->several = true;
	if (umad_port_smi_disabled(ca_name, portnum))
		group->last_disabled = ca_name;
	else
		group->last_enabled = ca_name;
	return 0;
}

/* Groups the ports of all devices; the groups point to names. */
static int read_groups(const struct umad_device_names *names, struct groups *groups)
{
	unsigned int mask;
	int portnum, ret;
	size_t i;

	for (i = 0; i < names->count; i++) {
		if (!umad_device_read_type(names->name[i]) ||
		    umad_device_read_ports(names->name[i], &mask) < 0)
			continue;
		for (portnum = 0; portnum < UMAD_CA_MAX_PORTS; portnum++) {
			if (!(mask & 1u << portnum))
				continue;
			ret = add_port(groups, names->name[i], portnum);
			if (ret < 0)
				return ret;
		}
	}
	return 0;
}

/* A device alone with its GUID is both, as far as it carries subnet management. */
static struct umad_ca_pair make_pair(const struct group *group)
{
	const char *gsi = group->several ? group->last_disabled : group->first;
	struct umad_ca_pair pair = { .gsi_name = "" };

	if (group->last_enabled)
		strcpy(pair.smi_name, group->last_enabled);
	if (gsi)
		strcpy(pair.gsi_name, gsi);
	return pair;
}

/* Turns groups into pairs; ports of the same two devices make one pair. Returns how many. */
static size_t fill_pairs(const struct groups *groups, struct umad_ca_pair *pairs, size_t max)
{
	struct umad_ca_pair pair;
	size_t i, j, filled = 0;

	for (i = 0; i < groups->count && filled < max; i++) {
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

/* Reads the pairs of this host. With *pairs NULL the array is allocated, as large as needed, and
 * the caller's to free. Returns how many there are. */
static int read_pairs(struct umad_ca_pair **pairs, size_t max)
{
	struct umad_device_names names;
	struct groups groups = { 0 };
	int ret;

	ret = umad_device_read_names(&names);
	if (ret < 0)
		return ret;
	umad_device_sort_names(&names);
	ret = read_groups(&names, &groups);
	if (ret >= 0)
		ret = umad_sys_lack();
	if (ret >= 0 && !*pairs) {
		max = groups.count;
		*pairs = calloc(max + 1, sizeof(**pairs));
		if (!*pairs)
			ret = -ENOMEM;
	}
	if (ret >= 0)
		ret = (int)fill_pairs(&groups, *pairs, max);
	free(groups.group);
	umad_device_free_names(&names);
	return ret;
}

int umad_get_smi_gsi_pairs(struct umad_ca_pair cas[], size_t max)
{
	if (!cas)
		return umad_state_finish(-EINVAL);
	umad_sys_forget_lack();
	return umad_state_finish(read_pairs(&cas, max));
}

/* The pair that a caller wants. */
struct wish {
	const char *ca_name;  /* NULL: any device */
	unsigned int portnum; /* 0: any port */
	bool need_smi;
	bool need_infiniband;
};

/* The first port of a mask that is up (or the first at all) and InfiniBand (or any other); -1 if
 * there is none. */
static int first_port(const char *ca_name, unsigned int mask, bool need_up, bool need_infiniband)
{
	int portnum;

	for (portnum = 0; portnum < UMAD_CA_MAX_PORTS; portnum++)
		if (mask & 1u << portnum &&
		    (!need_up || umad_port_read_state(ca_name, portnum) > STATE_DOWN) &&
		    (!need_infiniband || umad_port_is_infiniband(ca_name, portnum)))
			return portnum;
	return -1;
}

static bool has_several(unsigned int mask)
{
	return mask & (mask - 1);
}

/* The port of the device that was wished for: the given one, or the only one, or the first that is
 * up. If the device was not named the port must be up in any case. */
static int choose_port(const char *ca_name, const struct wish *wish)
{
	unsigned int mask;

	if (umad_device_read_ports(ca_name, &mask) < 0)
		return -1;
	if (wish->portnum)
		mask &= wish->portnum < UMAD_CA_MAX_PORTS ? 1u << wish->portnum : 0;
	return first_port(ca_name, mask, !wish->ca_name || has_several(mask),
			  wish->need_infiniband);
}

/* The port of the other device of the pair: the given one if it has that, else as above. */
static int choose_partner_port(const char *ca_name, const struct wish *wish)
{
	unsigned int mask, given;

	if (umad_device_read_ports(ca_name, &mask) < 0)
		return -1;
	given = wish->portnum && wish->portnum < UMAD_CA_MAX_PORTS ? 1u << wish->portnum : 0;
	if (mask & given)
		mask = given;
	return first_port(ca_name, mask, has_several(mask), false);
}

/* The device of the pair that was wished for; NULL if it is neither. */
static const char *choose_device(const struct umad_ca_pair *pair, const char *ca_name)
{
	if (!ca_name)
		return pair->gsi_name[0] ? pair->gsi_name : pair->smi_name;
	if (!strcmp(pair->gsi_name, ca_name))
		return pair->gsi_name;
	return strcmp(pair->smi_name, ca_name) ? NULL : pair->smi_name;
}

/* Sets the ports of a pair; false if it is not what was wished for. A missing SMI device has the
 * port of the other, so that the pair can be told which port it is. A missing GSI device is the SMI
 * device, since a port without GSI does not exist. */
static bool set_ports(struct umad_ca_pair *pair, const struct wish *wish)
{
	const char *device = choose_device(pair, wish->ca_name);
	int port, smi_port, gsi_port;

	if (!device || (wish->need_smi && !pair->smi_name[0]))
		return false;
	port = choose_port(device, wish);
	if (port < 0)
		return false;
	smi_port = gsi_port = port;
	if (!pair->gsi_name[0])
		memcpy(pair->gsi_name, pair->smi_name, sizeof(pair->gsi_name));
	else if (strcmp(pair->gsi_name, device) != 0)
		gsi_port = choose_partner_port(pair->gsi_name, wish);
	if (pair->smi_name[0] && strcmp(pair->smi_name, device) != 0)
		smi_port = choose_partner_port(pair->smi_name, wish);
	if (gsi_port < 0 || (wish->need_smi && smi_port < 0))
		return false;
	pair->gsi_preferred_port = (uint32_t)gsi_port;
	pair->smi_preferred_port = (uint32_t)(smi_port < 0 ? gsi_port : smi_port);
	return true;
}

static int find_pair(struct umad_ca_pair *pairs, int count, const struct wish *wish,
		     struct umad_ca_pair *found)
{
	int i;

	for (i = 0; i < count; i++) {
		if (set_ports(&pairs[i], wish)) {
			*found = pairs[i];
			return 0;
		}
	}
	return -ENODEV;
}

int umad_get_smi_gsi_pair_by_ca_name(const char *devname, uint8_t portnum, struct umad_ca_pair *ca,
				     unsigned int enforce_smi)
{
	struct wish wish = {
		.ca_name = devname,
		.portnum = portnum,
		.need_smi = enforce_smi,
		.need_infiniband = !devname,
	};
	struct umad_ca_pair *pairs = NULL, found;
	int count, ret;

	if (!ca)
		return umad_state_finish(-EINVAL);
	if (devname && !umad_device_name_valid(devname))
		return umad_state_finish(-ENODEV);
	umad_sys_forget_lack();
	count = read_pairs(&pairs, 0);
	if (count < 0)
		return umad_state_finish(count);
	ret = find_pair(pairs, count, &wish, &found);
	if (ret < 0 && wish.need_infiniband) {
		wish.need_infiniband = false;
		ret = find_pair(pairs, count, &wish, &found);
	}
	free(pairs);
	ret = umad_sys_lack_or(ret);
	if (!ret)
		*ca = found;
	return umad_state_finish(ret);
}
