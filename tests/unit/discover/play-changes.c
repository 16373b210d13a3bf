/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* play-changes.c - plays fabrics.tbl: what differs between two fabrics. */
#include "play.h"

#include <stdio.h>

static unsigned index_of(const struct mad_fabric_node *node)
{
	return (unsigned)((node->guid - MODEL_GUID(0)) / 0x100);
}

static void add_end(char text[400], const char *before, const struct mad_fabric_port *port)
{
	size_t used = strlen(text);

	snprintf(text + used, 400 - used, "%s%u.%u", before, index_of(port->node),
		 port->port_number);
}

/* Of a link, the end of the lower node comes first. */
static void add_link(char text[400], const struct mad_fabric_port *port)
{
	bool is_lower = index_of(port->node) < index_of(port->peer->node);

	add_end(text, ":", is_lower ? port : port->peer);
	add_end(text, "-", is_lower ? port->peer : port);
}

static void add_change(char text[400], const struct mad_fabric_change *change)
{
	static const char *const kinds[] = { "appeared",      "disappeared",	  "renamed",
					     "link-appeared", "link-disappeared", "link-moved",
					     "link-changed",  "link-state",	  "lid-changed",
					     "unreachable",   "reachable",	  "replaced",
					     "device" };
	const struct mad_fabric_node *node = change->new_node ? change->new_node : change->old_node;
	const struct mad_fabric_port *port = change->new_port ? change->new_port : change->old_port;
	size_t used = strlen(text);

	snprintf(text + used, 400 - used, "%s%s", used ? " " : "", kinds[change->kind - 1]);
	used = strlen(text);
	if (change->kind == MAD_FABRIC_CHANGE_LINK_MOVED) {
		add_end(text, ":", change->old_port);
		add_end(text, "-", change->old_port->peer);
		add_end(text, ">", change->new_port->peer);
	} else if (change->kind == MAD_FABRIC_CHANGE_LID) {
		add_end(text, ":", port);
		used = strlen(text);
		snprintf(text + used, 400 - used, "=%u>%u", change->old_port->lid, port->lid);
	} else if (port) {
		add_link(text, port);
	} else {
		if (change->kind == MAD_FABRIC_CHANGE_NODE_REPLACED)
			used += (size_t)snprintf(text + used, 400 - used, ":%u",
						 index_of(change->old_node));
		snprintf(text + used, 400 - used, "%s%u",
			 change->kind == MAD_FABRIC_CHANGE_NODE_REPLACED ? ">" : ":",
			 index_of(node));
	}
}

void play_compare(const struct mad_fabric *one, const struct mad_fabric *other, const char *wanted)
{
	struct mad_fabric_changes *changes = mad_fabric_compare(one, other);
	const struct mad_fabric_change *change = NULL;
	char text[400] = "";

	assert_non_null(changes);
	while ((change = mad_fabric_next_change(changes, change)))
		add_change(text, change);
	mad_fabric_changes_free(changes);
	assert_string_equal(text, wanted);
}

static void play_changes(char *rest)
{
	play_compare(older, fabric, rest);
}

static void play_changes_back(char *rest)
{
	play_compare(fabric, older, rest);
}

const struct scene_verb change_verbs[] = { { "changes", play_changes },
					   { "changes-back", play_changes_back },
					   { .name = NULL } };
