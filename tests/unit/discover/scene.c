/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* scene.c - see scene.h. */
#include "scene.h"

struct ibmad_port *scene_port;
struct mad_fabric *fabric;

int scene_setup(void **state)
{
	int failed = setup_port(state);

	scene_port = *state;
	responder_stays_silent();
	model_begin();
	return failed;
}

int tree_setup(void **state)
{
	int failed = scene_setup(state);

	model_make_tree();
	return failed;
}

int scene_teardown(void **state)
{
	mad_fabric_free(fabric);
	fabric = NULL;
	model_end();
	return teardown_port(state);
}

const struct mad_fabric_info *discover_with(struct mad_fabric_options *options)
{
	mad_fabric_free(fabric);
	if (!options->timeout_ms) {
		options->timeout_ms = 200;
		options->attempts = 1;
	}
	fabric = mad_fabric_discover(scene_port, options);
	return fabric ? mad_fabric_get_info(fabric) : NULL;
}

/* The node has a link of the model's, to a node whose GUID no other has. */
static bool has_link_of(const struct mad_fabric_node *node, int index)
{
	for (unsigned i = 1; i <= node->port_count; i++) {
		const struct mad_fabric_port *peer = mad_fabric_get_port(node, i)->peer;
		struct model_end end = model.nodes[index].peers[i];

		if (peer && end.node >= 0 && peer->node->guid == MODEL_GUID(end.node) &&
		    peer->port_number == end.port)
			return true;
	}
	return false;
}

const struct mad_fabric_port *port_of(int index, unsigned number)
{
	uint64_t guid = model.nodes[index].guid;
	const struct mad_fabric_node *first = mad_fabric_find_node(fabric, guid), *node = NULL;
	const struct mad_fabric_port *port;

	while ((node = mad_fabric_next_node(fabric, node)))
		if (node->guid == guid && has_link_of(node, index))
			break;
	assert_non_null(first);
	port = mad_fabric_get_port(node ? node : first, number);
	assert_non_null(port);
	return port;
}

unsigned problems_of(enum mad_fabric_problem_kind kind)
{
	const struct mad_fabric_problem *problem = NULL;
	unsigned count = 0;

	while ((problem = mad_fabric_next_problem(fabric, problem)))
		count += problem->kind == kind;
	return count;
}
