/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* What differs between two discoveries, and fabrics that are built by hand. */
#include "test.h"
#include "scene.h"

#include <errno.h>

static struct mad_fabric *older;
static struct mad_fabric_changes *changes;

static int teardown(void **state)
{
	mad_fabric_changes_free(changes);
	mad_fabric_free(older);
	changes = NULL;
	older = NULL;
	return scene_teardown(state);
}

static void begin(void)
{
	model_make_tree();
	assert_non_null(discover());
	older = fabric;
	fabric = NULL;
}

/* The only change, of this kind. */
static const struct mad_fabric_change *only_change(enum mad_fabric_change_kind kind)
{
	const struct mad_fabric_change *change;

	assert_non_null(discover());
	mad_fabric_changes_free(changes);
	changes = mad_fabric_compare(older, fabric);
	assert_non_null(changes);
	change = mad_fabric_next_change(changes, NULL);
	if (!kind) {
		assert_null(change);
		return NULL;
	}
	assert_non_null(change);
	assert_int_equal(change->kind, kind);
	assert_null(mad_fabric_next_change(changes, change));
	return change;
}

#define CHANGES_TEST(name) TEST_WITH(name, scene_setup, teardown)

CHANGES_TEST(finds_no_change)
{
	begin();
	only_change(0);
}

CHANGES_TEST(finds_a_name)
{
	begin();
	strcpy(model.nodes[2].name, "another name");
	assert_string_equal(only_change(MAD_FABRIC_NODE_RENAMED)->new_node->description,
			    "another name");
}

CHANGES_TEST(finds_nodes)
{
	const struct mad_fabric_change *change = NULL;
	int host;

	begin();
	host = model_add_node(IB_NODE_CA, 1, "new");
	model_cable(host, 1, 1, 8);
	discover();
	changes = mad_fabric_compare(older, fabric);
	change = mad_fabric_next_change(changes, change);
	assert_int_equal(change->kind, MAD_FABRIC_NODE_APPEARED);
	assert_int_equal(change->new_node->guid, MODEL_GUID(host));
	change = mad_fabric_next_change(changes, change);
	assert_int_equal(change->kind, MAD_FABRIC_LINK_APPEARED);
	assert_null(mad_fabric_next_change(changes, change));
	mad_fabric_changes_free(changes);
	changes = mad_fabric_compare(fabric, older);
	change = mad_fabric_next_change(changes, NULL);
	assert_int_equal(change->kind, MAD_FABRIC_NODE_DISAPPEARED);
	change = mad_fabric_next_change(changes, change);
	assert_int_equal(change->kind, MAD_FABRIC_LINK_DISAPPEARED);
}

static void cut(int node, uint8_t port)
{
	struct model_end peer = model.nodes[node].peers[port];

	model.nodes[node].peers[port].node = -1;
	model.nodes[peer.node].peers[peer.port].node = -1;
}

CHANGES_TEST(finds_links)
{
	const struct mad_fabric_change *change;

	begin();
	cut(1, 3);
	change = only_change(MAD_FABRIC_LINK_DISAPPEARED);
	assert_int_equal(change->old_port->node->guid, MODEL_GUID(1));
	assert_int_equal(change->old_port->port_number, 3);
}

CHANGES_TEST(finds_a_moved_link)
{
	const struct mad_fabric_change *change;

	begin();
	cut(3, 2);
	model_cable(3, 2, 1, 8);
	change = only_change(MAD_FABRIC_LINK_MOVED);
	assert_int_equal(change->new_node->guid, MODEL_GUID(3));
	assert_int_equal(change->old_port->peer->node->guid, MODEL_GUID(2));
	assert_int_equal(change->new_port->peer->node->guid, MODEL_GUID(1));
}

/* One cable is replaced by two, which share an end each with it: one has moved, one is new. */
CHANGES_TEST(reports_each_new_link)
{
	const struct mad_fabric_change *change = NULL;
	unsigned moved = 0, appeared = 0;

	begin();
	cut(1, 3);
	model_cable(1, 3, 4, 8);
	model_cable(5, 8, 4, 2);
	discover();
	changes = mad_fabric_compare(older, fabric);
	while ((change = mad_fabric_next_change(changes, change))) {
		moved += change->kind == MAD_FABRIC_LINK_MOVED;
		appeared += change->kind == MAD_FABRIC_LINK_APPEARED;
	}
	assert_int_equal(moved, 1);
	assert_int_equal(appeared, 1);
}

/* What is behind a switch that does not respond is not gone: nobody can say what became of it. */
CHANGES_TEST(finds_what_is_out_of_reach)
{
	const struct mad_fabric_change *change = NULL;
	unsigned count = 0;

	begin();
	MODEL_RULES(SILENT(0, 0, NODE(2) | NODE(3)));
	discover();
	changes = mad_fabric_compare(older, fabric);
	while ((change = mad_fabric_next_change(changes, change))) {
		assert_int_equal(change->kind, MAD_FABRIC_NODE_UNREACHABLE);
		count++;
	}
	assert_int_equal(count, 2);
	mad_fabric_changes_free(changes);
	changes = mad_fabric_compare(fabric, older);
	while ((change = mad_fabric_next_change(changes, change))) {
		assert_int_equal(change->kind, MAD_FABRIC_NODE_REACHABLE);
		count--;
	}
	assert_int_equal(count, 0);
}

/* Hosts that nobody asked for are not gone, and the older fabric may be the one without them. */
CHANGES_TEST(takes_nothing_for_gone_that_was_not_wanted)
{
	struct mad_fabric_options options = { .flags = MAD_FABRIC_SWITCHES_ONLY };
	const struct mad_fabric_change *change = NULL;
	unsigned count = 0;

	begin();
	assert_non_null(discover_with(&options));
	changes = mad_fabric_compare(older, fabric);
	while ((change = mad_fabric_next_change(changes, change))) {
		assert_int_equal(change->kind, MAD_FABRIC_NODE_UNREACHABLE);
		count++;
	}
	assert_true(count > 0);
	mad_fabric_changes_free(changes);
	changes = mad_fabric_compare(fabric, older);
	while ((change = mad_fabric_next_change(changes, change))) {
		assert_int_equal(change->kind, MAD_FABRIC_NODE_REACHABLE);
		count--;
	}
	assert_int_equal(count, 0);
}

CHANGES_TEST(takes_nothing_for_gone_where_a_discovery_ended_early)
{
	struct mad_fabric_description nothing = { .node_stride = sizeof(struct mad_fabric_node),
						  .port_stride = sizeof(struct mad_fabric_port),
						  .error = ECANCELED };
	const struct mad_fabric_change *change = NULL;

	begin();
	fabric = mad_fabric_build(&nothing, sizeof(nothing));
	assert_non_null(fabric);
	assert_int_equal(mad_fabric_get_info(fabric)->error, ECANCELED);
	changes = mad_fabric_compare(older, fabric);
	for (int i = 0; i < 6; i++) {
		change = mad_fabric_next_change(changes, change);
		assert_int_equal(change->kind, MAD_FABRIC_NODE_UNREACHABLE);
	}
	assert_null(mad_fabric_next_change(changes, change));
}

CHANGES_TEST(finds_another_speed)
{
	const struct mad_fabric_change *change;

	begin();
	MODEL_RULES(SAYS(IB_ATTR_PORT_INFO, NODE(1), 2, IB_PORT_LINK_WIDTH_ACTIVE_F, 1),
		    SAYS(IB_ATTR_PORT_INFO, NODE(4), 1, IB_PORT_LINK_WIDTH_ACTIVE_F, 1));
	change = only_change(MAD_FABRIC_LINK_CHANGED);
	assert_int_equal(change->old_port->width, 4);
	assert_int_equal(change->new_port->width, 1);
}

CHANGES_TEST(finds_another_state)
{
	const struct mad_fabric_change *change;

	begin();
	MODEL_RULES(SAYS(IB_ATTR_PORT_INFO, NODE(3), 0, IB_PORT_STATE_F, 2));
	change = only_change(MAD_FABRIC_LINK_STATE);
	/* one end of the link is in another state, whichever is compared */
	assert_int_equal(change->new_port->peer->node->guid == MODEL_GUID(3) ||
				 change->new_port->node->guid == MODEL_GUID(3),
			 1);
}

/* Of nodes with one GUID, each is compared with the one that was found in the same order. */
CHANGES_TEST(compares_nodes_with_one_guid)
{
	model_make_tree();
	model.nodes[3].guid = model.nodes[0].guid;
	model_cable(3, 1, 2, 7);
	model.nodes[2].peers[1].node = -1;
	assert_int_equal(discover()->nodes, 6);
	older = fabric;
	fabric = NULL;
	only_change(0);
}

static struct mad_fabric *build(struct mad_fabric_node *nodes, size_t node_count,
				struct mad_fabric_port *ports, size_t port_count)
{
	struct mad_fabric_description description = {
		.node_stride = sizeof(nodes[0]),
		.port_stride = sizeof(ports[0]),
		.nodes = nodes,
		.node_count = node_count,
		.ports = ports,
		.port_count = port_count,
	};

	return mad_fabric_build(&description, sizeof(description));
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

CHANGES_TEST(compares_nodes_with_one_guid_in_any_order)
{
	older = make_duplicates(false);
	fabric = make_duplicates(true);
	assert_non_null(older);
	assert_non_null(fabric);
	changes = mad_fabric_compare(older, fabric);
	assert_null(mad_fabric_next_change(changes, NULL));
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
CHANGES_TEST(finds_which_node_with_one_guid_is_missing)
{
	const struct mad_fabric_change *change;

	older = make_duplicates(false);
	fabric = make_second_of_duplicates(ETIMEDOUT);
	changes = mad_fabric_compare(older, fabric);
	change = mad_fabric_next_change(changes, NULL);
	assert_int_equal(change->kind, MAD_FABRIC_NODE_UNREACHABLE);
	assert_int_equal(mad_fabric_get_port(change->old_node, 1)->peer->port_number, 1);
	assert_null(mad_fabric_next_change(changes, change));
	mad_fabric_changes_free(changes);
	mad_fabric_free(fabric);
	fabric = make_second_of_duplicates(0);
	changes = mad_fabric_compare(older, fabric);
	change = mad_fabric_next_change(changes, NULL);
	assert_int_equal(change->kind, MAD_FABRIC_NODE_DISAPPEARED);
	assert_int_equal(mad_fabric_get_port(change->old_node, 1)->peer->port_number, 1);
	change = mad_fabric_next_change(changes, change);
	assert_int_equal(change->kind, MAD_FABRIC_LINK_DISAPPEARED);
	assert_null(mad_fabric_next_change(changes, change));
}

CHANGES_TEST(finds_another_lid)
{
	begin();
	MODEL_RULES(SAYS(IB_ATTR_PORT_INFO, NODE(3), 0, IB_PORT_LID_F, 99));
	assert_int_equal(only_change(MAD_FABRIC_LID_CHANGED)->new_port->lid, 99);
}

/* Copies a fabric by way of a description. */
static struct mad_fabric *copy(struct mad_fabric_description *description,
			       struct mad_fabric_node *nodes, struct mad_fabric_port *ports)
{
	const struct mad_fabric_node *node = NULL;
	const struct mad_fabric_port *link = NULL;

	*description = (struct mad_fabric_description){
		.node_stride = sizeof(*nodes),
		.port_stride = sizeof(*ports),
		.nodes = nodes,
		.ports = ports,
		.time = 12345,
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
	return mad_fabric_build(description, sizeof(*description));
}

CHANGES_TEST(builds_a_fabric)
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
	assert_int_equal(mad_fabric_get_info(fabric)->time, 12345);
	assert_int_equal(mad_fabric_get_info(fabric)->start->node->guid, MODEL_GUID(1));
	assert_linked(2, 5, 5, 4);
	changes = mad_fabric_compare(older, fabric);
	assert_null(mad_fabric_next_change(changes, NULL));
}

static void assert_refused(const struct mad_fabric_description *description)
{
	errno = 0;
	assert_null(mad_fabric_build(description, sizeof(*description)));
	assert_int_equal(errno, EINVAL);
}

CHANGES_TEST(refuses_what_is_no_fabric)
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
	wrong.port_stride--;
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
	nodes[2].reserved = 1;
	assert_refused(&description);
	nodes[2].reserved = 0;
	nodes[1].guid = nodes[0].guid;
	assert_refused(&description);
}
