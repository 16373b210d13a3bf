/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Compares everything that a monitor knows with the actual state. Input: discovery, through the
 * functions that other calls use, too.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "libibumad/base/sys.h"
#include "libibumad/monitor/monitor.h"

/* Everything that exists now. */
struct present {
	struct umad_device_names devices;
	struct umad_snapshot_node *node;
	size_t node_count, node_capacity;
};

static int append_node(struct present *present, const struct umad_snapshot_node *node)
{
	int error = umad_array_reserve(&present->node, present->node_count, &present->node_capacity,
				       sizeof(*present->node));

	if (!error)
		present->node[present->node_count++] = *node;
	return error;
}

static bool device_is_present(const struct present *present, const char *ca_name)
{
	size_t i;

	for (i = 0; i < present->devices.count; i++)
		if (!strcmp(present->devices.name[i], ca_name))
			return true;
	return false;
}

/* Whether a umad device is to be reported, by the type of its InfiniBand device. That one may have
 * been added, or renamed, after the devices were read. */
static bool counts(const struct present *present, const struct umad_snapshot_node *node)
{
	return device_is_present(present, node->owner.ca_name) ||
	       umad_snapshot_is_listed(node->owner.ca_name);
}

static int read_nodes(struct present *present)
{
	struct umad_snapshot_node node;
	const char *name;
	DIR *dir;
	int result;

	result = umad_sys_opendir(SYS_INFINIBAND_MAD, &dir);
	if (result < 0)
		return result == -ENOENT || result == -ENOTDIR ? 0 : result;
	while ((result = umad_sys_readdir(dir, &name)) > 0) {
		memset(&node, 0, sizeof(node));
		if (umad_node_parse_name(name, &node.number) < 0 ||
		    umad_node_read(node.number, &node.owner) < 0 || !counts(present, &node))
			continue;
		result = append_node(present, &node);
		if (result < 0)
			break;
	}
	umad_sys_closedir(dir);
	return result;
}

/* The same without sysfs. */
static int read_fallback_nodes(struct umad_source *source, struct present *present)
{
	struct umad_snapshot_node node;
	unsigned int mask;
	int portnum, number, result;
	size_t i;

	for (i = 0; i < present->devices.count; i++) {
		if (umad_device_read_ports(source, present->devices.name[i], &mask) < 0)
			continue;
		for (portnum = 0; portnum < UMAD_CA_MAX_PORTS; portnum++) {
			if (!(mask & 1u << portnum))
				continue;
			number = umad_node_find(source, present->devices.name[i], portnum);
			if (number < 0)
				continue;
			node = (struct umad_snapshot_node){ .number = (unsigned int)number };
			node.owner.portnum = portnum;
			memcpy(node.owner.ca_name, present->devices.name[i], UMAD_CA_NAME_LEN);
			result = append_node(present, &node);
			if (result < 0)
				return result;
		}
	}
	return 0;
}

static bool node_is_present(const struct present *present, const struct umad_snapshot_node *node)
{
	size_t i;

	for (i = 0; i < present->node_count; i++)
		if (present->node[i].number == node->number &&
		    present->node[i].owner.portnum == node->owner.portnum &&
		    !strcmp(present->node[i].owner.ca_name, node->owner.ca_name))
			return true;
	return false;
}

/* Removes what is known and no longer exists, from the last entry to the first, because removing an
 * entry moves the last one. */
static int remove_absent(struct umad_snapshot *snapshot, const struct present *present)
{
	int error = 0;
	size_t i;

	for (i = snapshot->node_count; !error && i-- > 0;)
		if (!node_is_present(present, &snapshot->node[i]))
			error = umad_snapshot_drop_node(snapshot, &snapshot->node[i]);
	for (i = snapshot->device_count; !error && i-- > 0;)
		if (!device_is_present(present, snapshot->device[i].name))
			error = umad_snapshot_remove_device(snapshot, snapshot->device[i].name);
	return error;
}

/* Adds what is new, and compares the rest. */
static int add_present(struct umad_snapshot *snapshot, const struct present *present)
{
	int error = 0;
	size_t i;

	for (i = 0; !error && i < present->devices.count; i++)
		error = umad_snapshot_add_device(snapshot, present->devices.name[i]);
	for (i = 0; !error && i < present->node_count; i++)
		if (!umad_snapshot_find_node(snapshot, present->node[i].number))
			error = umad_snapshot_note_node(snapshot, &present->node[i]);
	return error;
}

int umad_snapshot_rescan(struct umad_snapshot *snapshot)
{
	struct umad_source source = { .kind = UMAD_SOURCE_UNDECIDED };
	struct present present = { .node = NULL };
	int result;

	result = umad_device_read_names(&source, &present.devices);
	if (!result)
		result = source.kind == UMAD_SOURCE_NETLINK ? read_fallback_nodes(&source, &present)
							    : read_nodes(&present);
	umad_source_close(&source);
	if (!result)
		result = umad_sys_resource_error(); /* devices that could not be read would seem to
						    be gone */
	if (!result)
		result = remove_absent(snapshot, &present);
	if (!result)
		result = add_present(snapshot, &present);
	if (!result)
		result = umad_sys_resource_error();
	free(present.node);
	umad_device_free_names(&present.devices);
	return result;
}
