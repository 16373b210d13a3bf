/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* play-changes.c - plays fabrics.tbl: what differs between two fabrics. */
#include "play.h"

#include <stdio.h>

static unsigned index_of(const struct mad_fabric_node *node)
{
	return (unsigned)((node->guid - MODEL_GUID(0)) / 0x100);
}

/* The second of two nodes with one GUID has a prime. */
static void put_node(FILE *text, const char *before, const struct mad_fabric_node *node)
{
	fprintf(text, "%s%u%s", before, index_of(node), node->duplicate ? "'" : "");
}

static void put_end(FILE *text, const char *before, const struct mad_fabric_port *port)
{
	put_node(text, before, port->node);
	fprintf(text, ".%u", port->port_number);
}

static void put_change(FILE *text, const struct mad_fabric_change *change)
{
	static const char *const kinds[] = { "appeared",      "disappeared",	  "renamed",
					     "link-appeared", "link-disappeared", "link-moved",
					     "link-changed",  "link-state",	  "lid-changed",
					     "unreachable",   "reachable",	  "replaced",
					     "device" };
	const struct mad_fabric_node *node = change->new_node ? change->new_node : change->old_node;
	const struct mad_fabric_port *port = change->new_port ? change->new_port : change->old_port;

	fprintf(text, "%s%s", ftell(text) ? " " : "", kinds[change->kind - 1]);
	if (change->kind == MAD_FABRIC_CHANGE_LINK_MOVED) {
		put_end(text, ":", change->old_port);
		put_end(text, "-", change->old_port->peer);
		put_end(text, ">", change->new_port->peer);
	} else if (change->kind == MAD_FABRIC_CHANGE_LID) {
		put_end(text, ":", port);
		fprintf(text, "=%u>%u", change->old_port->lid, port->lid);
	} else if (port) { /* of a link, the end of the lower node comes first */
		bool is_lower = index_of(port->node) < index_of(port->peer->node);

		put_end(text, ":", is_lower ? port : port->peer);
		put_end(text, "-", is_lower ? port->peer : port);
	} else if (change->kind == MAD_FABRIC_CHANGE_NODE_REPLACED) {
		put_node(text, ":", change->old_node);
		put_node(text, ">", node);
	} else {
		put_node(text, ":", node);
	}
}

static void compare(const struct mad_fabric *one, const struct mad_fabric *other,
		    const char *wanted)
{
	struct mad_fabric_changes *changes = mad_fabric_compare(one, other);
	const struct mad_fabric_change *change = NULL;
	char buffer[400] = "";
	FILE *text = fmemopen(buffer, sizeof(buffer), "w");

	assert_non_null(changes);
	assert_non_null(text);
	while ((change = mad_fabric_next_change(changes, change)))
		put_change(text, change);
	fclose(text);
	mad_fabric_changes_free(changes);
	assert_string_equal(buffer, wanted);
}

/* Copies the fabric by way of a description, as mad_fabric_build() takes it. */
struct mad_fabric *play_build(struct mad_fabric_description *description,
			      struct mad_fabric_node nodes[6], struct mad_fabric_port ports[20])
{
	const struct mad_fabric_info *info = mad_fabric_get_info(fabric);
	const struct mad_fabric_node *node = NULL;
	const struct mad_fabric_port *link = NULL;

	assert_true(info->nodes <= 6 && info->links <= 10);
	*description = (struct mad_fabric_description){
		.node_size = sizeof(*nodes),
		.port_size = sizeof(*ports),
		.nodes = nodes,
		.ports = ports,
		.node_count = info->nodes,
		.port_count = 2 * info->links,
		.time_ns = 12345,
	};
	for (struct mad_fabric_node *to = nodes; (node = mad_fabric_next_node(fabric, node));)
		*to++ = *node;
	for (unsigned i = 0; (link = mad_fabric_next_link(fabric, link)); i += 2)
		for (unsigned end = 0; end < 2; end++) {
			const struct mad_fabric_port *port = end ? link->peer : link;
			size_t place = 0;

			while (nodes[place].guid != port->node->guid)
				place++;
			ports[i + end] = *port;
			ports[i + end].node = &nodes[place];
			ports[i + end].peer = &ports[i + !end];
			if (port == info->start)
				description->start = &ports[i + end];
		}
	return mad_fabric_build(description);
}

/* The fabric has copies of the caller's structures. */
static void play_rebuild(char *rest)
{
	struct mad_fabric_description description;
	struct mad_fabric_node nodes[6];
	struct mad_fabric_port ports[20];
	struct mad_fabric *built;

	(void)rest;
	built = play_build(&description, nodes, ports);
	assert_non_null(built);
	memset(nodes, 0, sizeof(nodes));
	memset(ports, 0, sizeof(ports));
	mad_fabric_free(fabric);
	fabric = built;
	assert_int_equal(mad_fabric_get_info(fabric)->time_ns, 12345);
}

static void play_changes(char *rest)
{
	compare(older, fabric, rest);
}

static void play_changes_back(char *rest)
{
	compare(fabric, older, rest);
}

const struct scene_verb change_verbs[] = { { "changes", play_changes },
					   { "changes-back", play_changes_back },
					   { "rebuild", play_rebuild },
					   { .name = NULL } };
