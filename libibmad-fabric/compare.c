/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * compare.c - what differs between two fabrics. The nodes and ports of its two ends identify a
 * link; a link with only one end as before has moved. What one of the fabrics could not find out
 * is no difference (out_of_reach.c).
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "libibmad-fabric/fabric.h"

/* The list that is being made: without an array, it is only counted. */
struct mad_fabric_changes {
	struct mad_fabric_change *changes;
	size_t count;
};

struct comparison {
	const struct mad_fabric *older;
	const struct mad_fabric *newer;
	bool *not_reached;	  /* by the newer discovery: by place in the older fabric */
	bool *not_reached_before; /* by the older discovery: by place in the newer fabric */
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

static void compare_nodes(const struct comparison *comparison, struct mad_fabric_changes *list)
{
	const struct mad_fabric *older = comparison->older, *newer = comparison->newer;
	const struct mad_fabric_node *node = NULL, *other;

	while ((node = mad_fabric_next_node(older, node))) {
		other = fabric_same_node(newer, node);
		if (!other && !comparison->not_reached[fabric_node_of(node)->place])
			add(list, MAD_FABRIC_CHANGE_NODE_DISAPPEARED, node, NULL, NULL, NULL);
		else if (!node->out_of_reach && (!other || other->out_of_reach))
			add(list, MAD_FABRIC_CHANGE_NODE_UNREACHABLE, node, other, NULL, NULL);
	}
	while ((node = mad_fabric_next_node(newer, node))) {
		other = fabric_same_node(older, node);
		if (!other)
			add(list,
			    comparison->not_reached_before[fabric_node_of(node)->place]
				    ? MAD_FABRIC_CHANGE_NODE_REACHABLE
				    : MAD_FABRIC_CHANGE_NODE_APPEARED,
			    NULL, node, NULL, NULL);
		else if (other->out_of_reach && !node->out_of_reach)
			add(list, MAD_FABRIC_CHANGE_NODE_REACHABLE, other, node, NULL, NULL);
		if (other && *other->description &&
		    *node->description && /* else one is not known */
		    strcmp(other->description, node->description) != 0)
			add(list, MAD_FABRIC_CHANGE_NODE_RENAMED, other, node, NULL, NULL);
	}
}

/* The end of a link of one fabric that has a link to elsewhere in the other fabric; or NULL. */
static const struct mad_fabric_port *other_link(const struct mad_fabric *other,
						const struct mad_fabric_port *link)
{
	const struct mad_fabric_port *ends[] = { link, link->peer };

	for (unsigned i = 0; i < 2; i++) {
		const struct mad_fabric_port *same = fabric_same_port(other, ends[i]);

		if (same && same->peer)
			return same;
	}
	return NULL;
}

/*
 * The end that stayed, in the other fabric, where a link has moved. A link can take the place of
 * one only: of the others of the same ports, each has appeared or disappeared.
 */
static const struct mad_fabric_port *moved_end(const struct mad_fabric *fabric,
					       const struct mad_fabric *other,
					       const struct mad_fabric_port *link)
{
	const struct mad_fabric_port *end = other_link(other, link), *back;

	if (!end)
		return NULL;
	back = other_link(fabric, fabric_link_is_first(end) ? end : end->peer);
	return back == link || back == link->peer ? end : NULL;
}

static bool is_same_link(const struct mad_fabric *other, const struct mad_fabric_port *link)
{
	const struct mad_fabric_port *one = fabric_same_port(other, link);

	return one && one->peer && one->peer == fabric_same_port(other, link->peer);
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

	if ((!old_end->width || !new_end->width) && old_port->peer && new_port->peer) {
		old_end = old_port->peer;
		new_end = new_port->peer;
	}
	if (old_end->width && new_end->width &&
	    (old_end->width != new_end->width || old_end->speed != new_end->speed))
		add(list, MAD_FABRIC_CHANGE_LINK_SPEED, NULL, NULL, old_end, new_end);
	if (!has_other_state(old_end, new_end)) {
		old_end = old_end->peer;
		new_end = new_end->peer;
	}
	if (has_other_state(old_end, new_end))
		add(list, MAD_FABRIC_CHANGE_LINK_STATE, NULL, NULL, old_end, new_end);
}

static void compare_links(const struct comparison *comparison, struct mad_fabric_changes *list)
{
	const struct mad_fabric *older = comparison->older, *newer = comparison->newer;
	const struct mad_fabric_port *link = NULL, *same;

	while ((link = mad_fabric_next_link(older, link))) {
		if (is_same_link(newer, link)) {
			compare_kept_link(link, fabric_same_port(newer, link), list);
			continue;
		}
		same = moved_end(older, newer, link);
		if (same)
			add(list, MAD_FABRIC_CHANGE_LINK_MOVED, NULL, NULL,
			    fabric_same_port(older, same), same);
		else if (!fabric_link_is_out_of_reach(comparison->not_reached, newer, link))
			add(list, MAD_FABRIC_CHANGE_LINK_DISAPPEARED, NULL, NULL, link, NULL);
	}
	while ((link = mad_fabric_next_link(newer, link)))
		if (!is_same_link(older, link) && !moved_end(newer, older, link) &&
		    !fabric_link_is_out_of_reach(comparison->not_reached_before, older, link))
			add(list, MAD_FABRIC_CHANGE_LINK_APPEARED, NULL, NULL, NULL, link);
}

static void compare_lids(const struct mad_fabric *older, const struct mad_fabric *newer,
			 struct mad_fabric_changes *list)
{
	for (size_t i = 0; i < older->number_of_lids; i++) {
		const struct fabric_port *entry = older->ports_by_lid[i].item;
		const struct mad_fabric_port *old_port = &entry->public;
		const struct mad_fabric_port *new_port = fabric_same_port(newer, old_port);

		if (new_port && new_port->has_info && new_port->lid != old_port->lid)
			add(list, MAD_FABRIC_CHANGE_LID, NULL, NULL, old_port, new_port);
	}
}

static void list_changes(const struct comparison *comparison, struct mad_fabric_changes *list)
{
	list->count = 0;
	compare_nodes(comparison, list);
	compare_links(comparison, list);
	compare_lids(comparison->older, comparison->newer, list);
}

/* The list is made twice: the first time, it is only counted. */
static int compare(const struct comparison *comparison, struct mad_fabric_changes *list)
{
	if (!comparison->not_reached || !comparison->not_reached_before)
		return -ENOMEM;
	list_changes(comparison, list);
	list->changes = calloc(list->count + 1, sizeof(*list->changes));
	if (!list->changes)
		return -ENOMEM;
	list_changes(comparison, list);
	return 0;
}

struct mad_fabric_changes *mad_fabric_compare(const struct mad_fabric *older,
					      const struct mad_fabric *newer)
{
	struct comparison comparison = { .older = older, .newer = newer };
	struct mad_fabric_changes *list;

	if (!older || !newer)
		return fabric_none(NULL);
	comparison.not_reached = fabric_find_out_of_reach(older, newer);
	comparison.not_reached_before = fabric_find_out_of_reach(newer, older);
	list = calloc(1, sizeof(*list));
	if (list && compare(&comparison, list)) {
		free(list);
		list = NULL;
	}
	free(comparison.not_reached);
	free(comparison.not_reached_before);
	return list;
}

const struct mad_fabric_change *mad_fabric_next_change(const struct mad_fabric_changes *changes,
						       const struct mad_fabric_change *change)
{
	size_t index = changes && change ? (size_t)(change - changes->changes) + 1 : 0;

	return changes && index < changes->count ? &changes->changes[index] : fabric_none(changes);
}

void mad_fabric_changes_free(struct mad_fabric_changes *changes)
{
	if (!changes)
		return;
	free(changes->changes);
	free(changes);
}
