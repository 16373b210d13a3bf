/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * compare.c - what differs between two fabrics. The nodes and ports of its two ends identify a
 * link; a link with only one end as before has moved. A new node on the cables of one that is gone
 * has replaced it. What one of the fabrics could not find out is no difference (out_of_reach.c).
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "libibmad-fabric/fabric.h"

struct mad_fabric_changes {
	struct mad_fabric_change *changes;
	size_t count;
	bool failed; /* no memory */
};

/* A fabric beside the other one; arrays are by place of its nodes. */
struct side {
	const struct mad_fabric *fabric;
	const struct mad_fabric *other;
	bool *not_reached;			     /* by the other fabric's discovery */
	const struct mad_fabric_node **replacements; /* in the other fabric; NULL: of no node */
};

struct comparison {
	struct side older;
	struct side newer;
};

/* The list has memory for a power of two of changes. */
static void add(struct mad_fabric_changes *list, struct mad_fabric_change change)
{
	size_t count = list->count;
	void *grown = list->changes;

	if (!(count & (count - 1)))
		grown = realloc(grown, (count ? 2 * count : 1) * sizeof(change));
	list->failed |= !grown;
	if (!grown)
		return;
	list->changes = grown;
	list->changes[list->count++] = change;
}

static void add_node(struct mad_fabric_changes *list, enum mad_fabric_change_kind kind,
		     const struct mad_fabric_node *old_node, const struct mad_fabric_node *new_node)
{
	add(list, (struct mad_fabric_change){ kind, old_node, new_node, NULL, NULL });
}

static void add_port(struct mad_fabric_changes *list, enum mad_fabric_change_kind kind,
		     const struct mad_fabric_port *old_port, const struct mad_fabric_port *new_port)
{
	add(list,
	    (struct mad_fabric_change){ kind, old_port ? old_port->node : NULL,
					new_port ? new_port->node : NULL, old_port, new_port });
}

/* The other fabric's port: of the same node, or of the node that has replaced it. */
static const struct mad_fabric_port *same_port(const struct side *side,
					       const struct mad_fabric_port *port)
{
	const struct mad_fabric_node *node = side->replacements[fabric_node_of(port->node)->place];

	return node ? mad_fabric_get_port(node, port->port_number)
		    : fabric_same_port(side->other, port);
}

/* The other end of a port's link, where only this fabric has the node of that end; else NULL. */
static const struct mad_fabric_port *end_at_lost(const struct side *side,
						 const struct mad_fabric_port *port)
{
	const struct mad_fabric_port *peer = port ? port->peer : NULL;

	return peer && !side->not_reached[fabric_node_of(peer->node)->place] &&
			       !fabric_same_node(side->other, peer->node)
		       ? peer
		       : NULL;
}

/*
 * Whether all cables of a node lead where the cables of a node of the other fabric do, as far as
 * both fabrics have the other end, with a link.
 */
static bool has_same_cables(const struct side *newer, const struct mad_fabric_node *node,
			    const struct mad_fabric_node *old)
{
	for (unsigned number = 0; number <= node->port_count; number++) {
		const struct mad_fabric_port *peer = mad_fabric_get_port(node, number)->peer;
		const struct mad_fabric_port *same =
			peer ? fabric_same_port(newer->other, peer) : NULL;

		if (same && same->peer &&
		    (same->peer->node != old || same->peer->port_number != number))
			return false;
	}
	return true;
}

/* The node of the older fabric that a new node has replaced; NULL: none. */
static const struct mad_fabric_node *find_replaced(const struct comparison *comparison,
						   const struct mad_fabric_node *node)
{
	const struct mad_fabric_port *port, *end = NULL;

	for (unsigned number = 0; !end && number <= node->port_count; number++) {
		port = mad_fabric_get_port(node, number)->peer;
		port = port ? fabric_same_port(comparison->older.fabric, port) : NULL;
		end = end_at_lost(&comparison->older, port);
	}
	return end && end->node->type == node->type &&
			       has_same_cables(&comparison->newer, node, end->node) &&
			       has_same_cables(&comparison->older, end->node, node)
		       ? end->node
		       : NULL;
}

static void find_replacements(struct comparison *comparison)
{
	const struct side *newer = &comparison->newer, *older = &comparison->older;
	const struct mad_fabric_node *node = NULL, *old;

	while ((node = mad_fabric_next_node(newer->fabric, node))) {
		size_t place = fabric_node_of(node)->place;

		if (newer->not_reached[place] || fabric_same_node(older->fabric, node))
			continue;
		old = find_replaced(comparison, node);
		if (!old)
			continue;
		newer->replacements[place] = old;
		older->replacements[fabric_node_of(old)->place] = node;
	}
}

/* A number that a fabric does not know is 0. */
static bool differs(uint32_t one, uint32_t other)
{
	return one && other && one != other;
}

static void compare_node(const struct mad_fabric_node *old_node,
			 const struct mad_fabric_node *new_node, struct mad_fabric_changes *list)
{
	if (old_node->out_of_reach && !new_node->out_of_reach)
		add_node(list, MAD_FABRIC_CHANGE_NODE_REACHABLE, old_node, new_node);
	if (*old_node->description && *new_node->description && /* else a name is not known */
	    strcmp(old_node->description, new_node->description) != 0)
		add_node(list, MAD_FABRIC_CHANGE_NODE_RENAMED, old_node, new_node);
	if (differs(old_node->port_count, new_node->port_count) ||
	    differs(old_node->vendor_id, new_node->vendor_id) ||
	    differs(old_node->device_id, new_node->device_id) ||
	    differs(old_node->revision, new_node->revision))
		add_node(list, MAD_FABRIC_CHANGE_NODE_DEVICE, old_node, new_node);
}

static void compare_nodes(const struct comparison *comparison, struct mad_fabric_changes *list)
{
	const struct side *older = &comparison->older, *newer = &comparison->newer;
	const struct mad_fabric_node *node = NULL, *other;

	while ((node = mad_fabric_next_node(older->fabric, node))) {
		size_t place = fabric_node_of(node)->place;

		other = fabric_same_node(newer->fabric, node);
		if (older->replacements[place])
			add_node(list, MAD_FABRIC_CHANGE_NODE_REPLACED, node,
				 older->replacements[place]);
		else if (!other && !older->not_reached[place])
			add_node(list, MAD_FABRIC_CHANGE_NODE_DISAPPEARED, node, NULL);
		else if (!node->out_of_reach && (!other || other->out_of_reach))
			add_node(list, MAD_FABRIC_CHANGE_NODE_UNREACHABLE, node, other);
	}
	while ((node = mad_fabric_next_node(newer->fabric, node))) {
		size_t place = fabric_node_of(node)->place;

		other = fabric_same_node(older->fabric, node);
		if (other)
			compare_node(other, node, list);
		else if (!newer->replacements[place])
			add_node(list,
				 newer->not_reached[place] ? MAD_FABRIC_CHANGE_NODE_REACHABLE
							   : MAD_FABRIC_CHANGE_NODE_APPEARED,
				 NULL, node);
	}
}

/* The other fabric's port at an end of a link, where that port has another link; or NULL. */
static const struct mad_fabric_port *other_link(const struct side *side,
						const struct mad_fabric_port *link)
{
	const struct mad_fabric_port *ends[] = { link, link->peer };

	for (unsigned i = 0; i < 2; i++) {
		const struct mad_fabric_port *same = same_port(side, ends[i]);

		if (same && same->peer)
			return same;
	}
	return NULL;
}

/*
 * Of a link that has moved, the other fabric's port at the end that stayed; NULL: it has not moved.
 * A link takes the place of one link at most: further links of these ports have appeared or
 * disappeared.
 */
static const struct mad_fabric_port *moved_end(const struct side *side,
					       const struct side *other_side,
					       const struct mad_fabric_port *link)
{
	const struct mad_fabric_port *end = other_link(side, link), *back;

	if (!end)
		return NULL;
	back = other_link(other_side, fabric_link_is_first(end) ? end : end->peer);
	return back == link || back == link->peer ? end : NULL;
}

static bool is_same_link(const struct side *side, const struct mad_fabric_port *link)
{
	const struct mad_fabric_port *one = same_port(side, link);

	return one && one->peer && one->peer == same_port(side, link->peer);
}

static bool has_other_state(const struct mad_fabric_port *old_port,
			    const struct mad_fabric_port *new_port)
{
	return old_port->has_info && new_port->has_info && old_port->state != new_port->state;
}

/* Both ends have one width and speed, and may have two states; a port may not have reported them.
 */
static void compare_kept_link(const struct mad_fabric_port *old_port,
			      const struct mad_fabric_port *new_port,
			      struct mad_fabric_changes *list)
{
	const struct mad_fabric_port *old_end = old_port, *new_end = new_port;

	if (!old_end->width || !new_end->width) {
		old_end = old_port->peer;
		new_end = new_port->peer;
	}
	if (old_end->width && new_end->width &&
	    (old_end->width != new_end->width || old_end->speed != new_end->speed))
		add_port(list, MAD_FABRIC_CHANGE_LINK_SPEED, old_end, new_end);
	if (!has_other_state(old_end, new_end)) {
		old_end = old_end->peer;
		new_end = new_end->peer;
	}
	if (has_other_state(old_end, new_end))
		add_port(list, MAD_FABRIC_CHANGE_LINK_STATE, old_end, new_end);
}

/* The older fabric knows both nodes of a link, and kept the links of one that was out of reach. */
static bool would_be_known(const struct side *newer, const struct mad_fabric_port *link)
{
	const struct mad_fabric_port *one = same_port(newer, link);
	const struct mad_fabric_port *other = same_port(newer, link->peer);

	return one && other && (one->node->out_of_reach || other->node->out_of_reach);
}

static void compare_links(const struct comparison *comparison, struct mad_fabric_changes *list)
{
	const struct side *older = &comparison->older, *newer = &comparison->newer;
	const struct mad_fabric_port *link = NULL, *same;

	while ((link = mad_fabric_next_link(older->fabric, link))) {
		if (is_same_link(older, link)) {
			compare_kept_link(link, same_port(older, link), list);
			continue;
		}
		same = moved_end(older, newer, link);
		if (same)
			add_port(list, MAD_FABRIC_CHANGE_LINK_MOVED, same_port(newer, same), same);
		else if (!fabric_link_is_out_of_reach(older->not_reached, older->other, link))
			add_port(list, MAD_FABRIC_CHANGE_LINK_DISAPPEARED, link, NULL);
	}
	while ((link = mad_fabric_next_link(newer->fabric, link)))
		if (!is_same_link(newer, link) && !moved_end(newer, older, link) &&
		    (would_be_known(newer, link) ||
		     !fabric_link_is_out_of_reach(newer->not_reached, newer->other, link)))
			add_port(list, MAD_FABRIC_CHANGE_LINK_APPEARED, NULL, link);
}

static void compare_lids(const struct mad_fabric *older, const struct mad_fabric *newer,
			 struct mad_fabric_changes *list)
{
	for (size_t i = 0; i < older->number_of_lids; i++) {
		const struct fabric_port *entry = older->ports_by_lid[i].item;
		const struct mad_fabric_port *old_port = &entry->public;
		const struct mad_fabric_port *new_port = fabric_same_port(newer, old_port);

		if (new_port && new_port->has_info && new_port->lid != old_port->lid)
			add_port(list, MAD_FABRIC_CHANGE_LID, old_port, new_port);
	}
}

static bool open_side(struct side *side, const struct mad_fabric *fabric,
		      const struct mad_fabric *other)
{
	side->fabric = fabric;
	side->other = other;
	side->not_reached = fabric_find_out_of_reach(fabric, other);
	side->replacements = calloc(fabric->info.nodes + 1, sizeof(struct mad_fabric_node *));
	return side->not_reached && side->replacements;
}

static void close_side(struct side *side)
{
	free(side->not_reached);
	free(side->replacements);
}

struct mad_fabric_changes *mad_fabric_compare(const struct mad_fabric *older,
					      const struct mad_fabric *newer)
{
	struct comparison comparison = { 0 };
	struct mad_fabric_changes *list;

	if (!older || !newer)
		return fabric_none(NULL);
	list = calloc(1, sizeof(*list));
	if (list && open_side(&comparison.older, older, newer) &&
	    open_side(&comparison.newer, newer, older)) {
		find_replacements(&comparison);
		compare_nodes(&comparison, list);
		compare_links(&comparison, list);
		compare_lids(older, newer, list);
	} else if (list) {
		list->failed = true;
	}
	if (list && list->failed) {
		mad_fabric_changes_free(list);
		list = NULL;
	}
	close_side(&comparison.older);
	close_side(&comparison.newer);
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
