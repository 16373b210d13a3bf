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

/* Discovers with an attempt of 100 ms and as little patience as tests of silence need. */
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

const struct mad_fabric_port *port_of(int node, unsigned number)
{
	const struct mad_fabric_node *found = mad_fabric_find_node(fabric, MODEL_GUID(node));
	const struct mad_fabric_port *port;

	assert_non_null(found);
	port = mad_fabric_get_port(found, number);
	assert_non_null(port);
	return port;
}

void assert_linked(int node, unsigned number, int peer, unsigned peer_number)
{
	assert_ptr_equal(port_of(node, number)->peer, port_of(peer, peer_number));
	assert_ptr_equal(port_of(peer, peer_number)->peer, port_of(node, number));
}

/* How many problems of a kind there are. */
unsigned problems_of(enum mad_fabric_problem_kind kind)
{
	const struct mad_fabric_problem *problem = NULL;
	unsigned count = 0;

	while ((problem = mad_fabric_next_problem(fabric, problem)))
		count += problem->kind == kind;
	return count;
}
