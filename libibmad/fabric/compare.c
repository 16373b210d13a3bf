/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * compare.c - what differs between two fabrics. The nodes and ports of its two ends identify a
 * link; a link with only one end as before has moved.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "libibmad/fabric/fabric.h"

/* The list that is being made: without an array, it is only counted. */
struct mad_fabric_changes {
	struct mad_fabric_change *changes;
	size_t count;
};

static void add(struct mad_fabric_changes *list, enum mad_fabric_change_kind kind,
		const struct mad_fabric_node *old_node, const struct mad_fabric_node *new_node,
		const struct mad_fabric_port *old_port, const struct mad_fabric_port *new_port)
{
	if (list->changes)
		list->changes[list->count] = (struct mad_fabric_change){
			.kind = kind,
			.old_node = old_port ? old_port->node : old_node,
			.new_node = new_port ? new_port->node : new_node,
			.old_port = old_port,
			.new_port = new_port,
		};
	list->count++;
}

/* Nodes with one GUID correspond in the order in which they were found. */
static const struct mad_fabric_node *same_node(const struct mad_fabric *other,
					       const struct mad_fabric_node *node)
{
	const struct fabric_node *found = fabric_find(other, node->guid), *own;

	if (!found || !node->same_guid)
		return found ? &found->public : NULL;
	for (own = fabric_node_of(node->same_guid); found && &own->public != node;
	     own = own->next_same)
		found = found->next_same;
	return found ? &found->public : NULL;
}

static const struct mad_fabric_port *same_port(const struct mad_fabric *other,
					       const struct mad_fabric_port *port)
{
	const struct mad_fabric_node *node = same_node(other, port->node);

	return node ? mad_fabric_get_port(node, port->number) : NULL;
}

static void compare_nodes(const struct mad_fabric *older, const struct mad_fabric *newer,
			  struct mad_fabric_changes *list)
{
	const struct mad_fabric_node *node = NULL, *other;

	while ((node = mad_fabric_next_node(older, node)))
		if (!same_node(newer, node))
			add(list, MAD_FABRIC_NODE_DISAPPEARED, node, NULL, NULL, NULL);
	while ((node = mad_fabric_next_node(newer, node))) {
		other = same_node(older, node);
		if (!other)
			add(list, MAD_FABRIC_NODE_APPEARED, NULL, node, NULL, NULL);
		else if (!other->description_error && !node->description_error &&
			 strcmp(other->description, node->description) != 0)
			add(list, MAD_FABRIC_NODE_RENAMED, other, node, NULL, NULL);
	}
}

/* The end of a link of one fabric that has a link to elsewhere in the other fabric; or NULL. */
static const struct mad_fabric_port *moved_end(const struct mad_fabric *other,
					       const struct mad_fabric_port *link)
{
	const struct mad_fabric_port *ends[] = { link, link->peer };

	for (unsigned i = 0; i < 2; i++) {
		const struct mad_fabric_port *same = same_port(other, ends[i]);

		if (same && same->peer)
			return same;
	}
	return NULL;
}

static bool is_same_link(const struct mad_fabric *other, const struct mad_fabric_port *link)
{
	const struct mad_fabric_port *one = same_port(other, link);

	return one && one->peer && one->peer == same_port(other, link->peer);
}

/* Either may be NULL, where a link has no other end. */
static bool has_other_state(const struct mad_fabric_port *old_port,
			    const struct mad_fabric_port *new_port)
{
	return old_port && new_port && old_port->has_info && new_port->has_info &&
	       old_port->state != new_port->state;
}

static void compare_kept_link(const struct mad_fabric_port *old_port,
			      const struct mad_fabric_port *new_port,
			      struct mad_fabric_changes *list)
{
	const struct mad_fabric_port *old_end = old_port, *new_end = new_port;

	if ((!old_end->lanes || !new_end->lanes) && old_port->peer && new_port->peer) {
		old_end = old_port->peer;
		new_end = new_port->peer;
	}
	if (old_end->lanes && new_end->lanes &&
	    (old_end->lanes != new_end->lanes || old_end->speed != new_end->speed))
		add(list, MAD_FABRIC_LINK_CHANGED, NULL, NULL, old_end, new_end);
	if (!has_other_state(old_end, new_end)) {
		old_end = old_end->peer;
		new_end = new_end->peer;
	}
	if (has_other_state(old_end, new_end))
		add(list, MAD_FABRIC_LINK_STATE, NULL, NULL, old_end, new_end);
}

static void compare_links(const struct mad_fabric *older, const struct mad_fabric *newer,
			  struct mad_fabric_changes *list)
{
	const struct mad_fabric_port *link = NULL, *same;

	while ((link = mad_fabric_next_link(older, link))) {
		if (is_same_link(newer, link)) {
			compare_kept_link(link, same_port(newer, link), list);
			continue;
		}
		same = moved_end(newer, link);
		if (same)
			add(list, MAD_FABRIC_LINK_MOVED, NULL, NULL, same_port(older, same), same);
		else
			add(list, MAD_FABRIC_LINK_DISAPPEARED, NULL, NULL, link, NULL);
	}
	while ((link = mad_fabric_next_link(newer, link)))
		if (!is_same_link(older, link) && !moved_end(older, link))
			add(list, MAD_FABRIC_LINK_APPEARED, NULL, NULL, NULL, link);
}

static void compare_lids(const struct mad_fabric *older, const struct mad_fabric *newer,
			 struct mad_fabric_changes *list)
{
	for (size_t i = 0; i < older->number_of_lids; i++) {
		const struct fabric_port *entry = older->ports_by_lid[i].item;
		const struct mad_fabric_port *old_port = &entry->public;
		const struct mad_fabric_port *new_port = same_port(newer, old_port);

		if (new_port && new_port->has_info && new_port->lid != old_port->lid)
			add(list, MAD_FABRIC_LID_CHANGED, NULL, NULL, old_port, new_port);
	}
}

static void compare(const struct mad_fabric *older, const struct mad_fabric *newer,
		    struct mad_fabric_changes *list)
{
	list->count = 0;
	compare_nodes(older, newer, list);
	compare_links(older, newer, list);
	compare_lids(older, newer, list);
}

struct mad_fabric_changes *mad_fabric_compare(const struct mad_fabric *older,
					      const struct mad_fabric *newer)
{
	struct mad_fabric_changes *list = calloc(1, sizeof(*list));

	if (!list)
		return NULL;
	compare(older, newer, list);
	list->changes = calloc(list->count + 1, sizeof(*list->changes));
	if (!list->changes) {
		free(list);
		return NULL;
	}
	compare(older, newer, list);
	return list;
}

const struct mad_fabric_change *mad_fabric_next_change(const struct mad_fabric_changes *changes,
						       const struct mad_fabric_change *change)
{
	size_t index = change ? (size_t)(change - changes->changes) + 1 : 0;

	return index < changes->count ? &changes->changes[index] : NULL;
}

void mad_fabric_free_changes(struct mad_fabric_changes *changes)
{
	if (!changes)
		return;
	free(changes->changes);
	free(changes);
}
