/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * test-duplicates.c - discovery of fabrics with nodes of one GUID
 * (libibmad-fabric/duplicates.c).
 */
#include "play.h"

#include <errno.h>

/* The nodes that a discovery found for each of the model's, by a port whose neighbour is unique. */
static const struct mad_fabric_node *found_by(int neighbour, unsigned number)
{
	const struct mad_fabric_port *peer = port_of(neighbour, number)->peer;

	assert_non_null(peer);
	return peer->node;
}

/* Every link of the model is one of the result, between the nodes that at[] has for the model's. */
static void assert_all_linked(const struct mad_fabric_node *const *at)
{
	unsigned links = 0;

	for (int i = 0; i < model.node_count; i++) {
		for (unsigned number = 1; number <= model.nodes[i].port_count; number++) {
			struct model_end end = model.nodes[i].peers[number];
			const struct mad_fabric_port *port = mad_fabric_get_port(at[i], number);

			links += end.node >= 0;
			assert_ptr_equal(
				port->peer,
				end.node < 0 ? NULL : mad_fabric_get_port(at[end.node], end.port));
		}
	}
	assert_int_equal(mad_fabric_get_info(fabric)->links, links / 2);
}

/* Both spines, with one GUID, and cables that are on the same and on other ports of theirs. */
SCENE_TEST(gives_switches_with_one_guid_their_own_links)
{
	const struct mad_fabric_node *at[6];

	for (unsigned shift = 0; shift < 5; shift++) {
		for (unsigned window = 1; window <= 64; window *= 4) {
			model_end();
			model_begin();
			model_make_tree();
			model.nodes[5].guid = model.nodes[4].guid;
			for (unsigned i = 0; i < shift; i++) { /* from ports 1 to 4 to 5 to 8 */
				struct model_end end = model.nodes[5].peers[i + 1];

				if (end.node < 0)
					continue;
				model.nodes[5].peers[i + 1].node = -1;
				model_cable(end.node, end.port, 5, (uint8_t)(5 + i));
			}
			assert_int_equal(discover(.window = window)->nodes, 6);
			assert_int_equal(problems_of(MAD_FABRIC_PROBLEM_DUPLICATE_GUID), 1);
			assert_int_equal(mad_fabric_get_info(fabric)->problems, 1);
			for (int i = 0; i < 4; i++)
				at[i] = port_of(i, 0)->node;
			at[4] = found_by(1, 2);
			at[5] = found_by(1, 4);
			assert_ptr_not_equal(at[4], at[5]);
			assert_all_linked(at);
		}
	}
}

/* Ten hosts with one GUID, all at the same port number. */
SCENE_TEST(keeps_no_more_than_eight_nodes_with_one_guid)
{
	int host = model_add_node(IB_NODE_CA, 1, "host"), leaf;

	leaf = model_add_node(IB_NODE_SWITCH, 20, "leaf");
	model_cable(host, 1, leaf, 1);
	for (uint8_t i = 0; i < 10; i++) {
		int other = model_add_node(IB_NODE_CA, 1, "clone");

		model.nodes[other].guid = MODEL_GUID(1000);
		model_cable(other, 1, leaf, (uint8_t)(2 + i));
	}
	assert_int_equal(discover()->nodes, 2 + 8);
	assert_int_equal(problems_of(MAD_FABRIC_PROBLEM_DUPLICATE_GUID), 7);
	assert_int_equal(problems_of(MAD_FABRIC_PROBLEM_NO_RESPONSE), 2);
	assert_int_equal(port_of(leaf, 11)->peer_error, EEXIST);
}
