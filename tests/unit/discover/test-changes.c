/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Fabrics that are built by hand, and changes between such; those of discoveries: fabrics.tbl. */
#include "play.h"

#include <errno.h>

static void begin(void)
{
	play("tree");
	play("discover");
	play("keep");
}

static struct mad_fabric *build(struct mad_fabric_node *nodes, size_t node_count,
				struct mad_fabric_port *ports, size_t port_count)
{
	struct mad_fabric_description description = {
		.node_size = sizeof(nodes[0]),
		.port_size = sizeof(ports[0]),
		.nodes = nodes,
		.node_count = node_count,
		.ports = ports,
		.port_count = port_count,
	};

	return mad_fabric_build(&description);
}

/* A leaf with two hosts of one GUID, which were found in one order or the other. */
static struct mad_fabric *make_duplicates(bool swapped)
{
	struct mad_fabric_node nodes[] = {
		{ .guid = 2, .type = IB_NODE_SWITCH, .port_count = 2 },
		{ .guid = 1, .type = IB_NODE_CA, .port_count = 1 },
		{ .guid = 1, .type = IB_NODE_CA, .port_count = 1, .same_guid = nodes },
	};
	struct mad_fabric_port ports[] = {
		{ .node = &nodes[0], .port_number = 1, .peer = &ports[2] },
		{ .node = &nodes[0], .port_number = 2, .peer = &ports[3] },
		{ .node = &nodes[swapped ? 2 : 1], .port_number = 1, .peer = &ports[0] },
		{ .node = &nodes[swapped ? 1 : 2], .port_number = 1, .peer = &ports[1] },
	};

	return build(nodes, COUNT(nodes), ports, COUNT(ports));
}

/* The second of the two hosts alone; what its switch says of the first one's port. */
static struct mad_fabric *make_second_of_duplicates(int peer_error)
{
	struct mad_fabric_node nodes[] = {
		{ .guid = 2, .type = IB_NODE_SWITCH, .port_count = 2 },
		{ .guid = 1, .type = IB_NODE_CA, .port_count = 1 },
	};
	struct mad_fabric_port ports[] = {
		{ .node = &nodes[0], .port_number = 1, .peer_error = peer_error },
		{ .node = &nodes[0], .port_number = 2, .peer = &ports[2] },
		{ .node = &nodes[1], .port_number = 1, .peer = &ports[1] },
	};

	return build(nodes, COUNT(nodes), ports, COUNT(ports));
}

/* Of nodes with one GUID, it is the one whose link is missing. */
PLAY_TEST(finds_which_node_with_one_guid_is_missing)
{
	struct mad_fabric_changes *changes;
	const struct mad_fabric_change *change;

	older = make_duplicates(false);
	fabric = make_second_of_duplicates(ETIMEDOUT);
	changes = mad_fabric_compare(older, fabric);
	change = mad_fabric_next_change(changes, NULL);
	assert_int_equal(change->kind, MAD_FABRIC_CHANGE_NODE_UNREACHABLE);
	assert_int_equal(mad_fabric_get_port(change->old_node, 1)->peer->port_number, 1);
	assert_null(mad_fabric_next_change(changes, change));
	mad_fabric_changes_free(changes);
	mad_fabric_free(fabric);
	fabric = make_second_of_duplicates(0);
	changes = mad_fabric_compare(older, fabric);
	change = mad_fabric_next_change(changes, NULL);
	assert_int_equal(change->kind, MAD_FABRIC_CHANGE_NODE_DISAPPEARED);
	assert_int_equal(mad_fabric_get_port(change->old_node, 1)->peer->port_number, 1);
	change = mad_fabric_next_change(changes, change);
	assert_int_equal(change->kind, MAD_FABRIC_CHANGE_LINK_DISAPPEARED);
	assert_null(mad_fabric_next_change(changes, change));
	mad_fabric_changes_free(changes);
}

/* Copies a fabric by way of a description. */
static struct mad_fabric *copy(struct mad_fabric_description *description,
			       struct mad_fabric_node *nodes, struct mad_fabric_port *ports)
{
	const struct mad_fabric_node *node = NULL;
	const struct mad_fabric_port *link = NULL;

	*description = (struct mad_fabric_description){
		.node_size = sizeof(*nodes),
		.port_size = sizeof(*ports),
		.nodes = nodes,
		.ports = ports,
		.time_ns = 12345,
	};
	while ((node = mad_fabric_next_node(older, node)))
		nodes[description->node_count++] = *node;
	while ((link = mad_fabric_next_link(older, link))) {
		struct mad_fabric_port *pair = &ports[description->port_count];

		pair[0] = *link;
		pair[1] = *link->peer;
		pair[0].peer = &pair[1];
		pair[1].peer = &pair[0];
		for (unsigned end = 0; end < 2; end++)
			for (size_t i = 0; i < description->node_count; i++)
				if (nodes[i].guid == pair[end].node->guid) {
					pair[end].node = &nodes[i];
					break;
				}
		description->port_count += 2;
	}
	description->start = &ports[0];
	return mad_fabric_build(description);
}

PLAY_TEST(builds_a_fabric)
{
	struct mad_fabric_description description;
	struct mad_fabric_node nodes[6];
	struct mad_fabric_port ports[20];

	begin();
	fabric = copy(&description, nodes, ports);
	assert_non_null(fabric);
	memset(nodes, 0, sizeof(nodes));
	memset(ports, 0, sizeof(ports));
	assert_int_equal(mad_fabric_get_info(fabric)->links, 10);
	assert_int_equal(mad_fabric_get_info(fabric)->time_ns, 12345);
	assert_int_equal(mad_fabric_get_info(fabric)->start->node->guid, MODEL_GUID(1));
	assert_linked(2, 5, 5, 4);
	play_compare(older, fabric, "");
}

static void assert_refused(const struct mad_fabric_description *description)
{
	assert_null_errno(mad_fabric_build(description), EINVAL);
}

PLAY_TEST(refuses_what_is_no_fabric)
{
	struct mad_fabric_description description, wrong;
	struct mad_fabric_node nodes[6], stranger = { 0 };
	struct mad_fabric_port ports[20], port;

	begin();
	fabric = copy(&description, nodes, ports);
	assert_refused(NULL);
	wrong = description;
	wrong.reserved = 1;
	assert_refused(&wrong);
	wrong = description;
	wrong.port_size--;
	assert_refused(&wrong);
	port = ports[3];
	ports[3].node = &stranger;
	assert_refused(&description);
	ports[3].node = NULL;
	assert_refused(&description);
	ports[3].node = &nodes[description.node_count];
	assert_refused(&description);
	ports[3] = port;
	ports[3].port_number = 9;
	assert_refused(&description);
	ports[3] = ports[4];
	assert_refused(&description);
	ports[3] = port;
	ports[3].peer = &ports[4];
	assert_refused(&description);
	ports[3].peer = &port;
	assert_refused(&description);
	ports[3] = port;
	ports[3].reserved[1] = 1;
	assert_refused(&description);
	ports[3] = port;
	nodes[2].reserved[0] = 1;
	assert_refused(&description);
	nodes[2].reserved[0] = 0;
	nodes[1].guid = nodes[0].guid;
	assert_refused(&description);
}
