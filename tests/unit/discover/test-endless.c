/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* test-endless.c - discovery of fabrics whose switches invent others without end. */
#include "play.h"

#include <errno.h>

static void twist_endless(const struct model_request *request, struct responder_response *response,
			  uint8_t *data)
{
	static uint64_t last;

	memset(data, 0, IB_SMP_DATA_SIZE);
	response->silent = false;
	if (request->attribute == IB_ATTR_NODE_INFO) {
		mad_set_field(data, 0, IB_NODE_TYPE_F, IB_NODE_SWITCH);
		mad_set_field(data, 0, IB_NODE_NPORTS_F, 3);
		mad_set_field(data, 0, IB_NODE_LOCAL_PORT_F, 1);
		mad_set_field64(data, 0, IB_NODE_GUID_F, ++last);
	} else {
		mad_set_field(data, 0, IB_PORT_PHYS_STATE_F, UMAD_PHYS_LINK_UP);
	}
}

/* Spine 5 invents a switch with two further links for each route; the rest responds as it is. */
static uint8_t invented_ports;

static void twist_inventing(const struct model_request *request,
			    struct responder_response *response, uint8_t *data)
{
	bool through_spine = false;
	struct model_end end = { 0, 1 };

	for (unsigned hop = 1; hop <= request->hops && end.node >= 0 && !through_spine; hop++) {
		through_spine = end.node == 5 && request->path[hop] > 4;
		if (request->path[hop] <= model.nodes[end.node].port_count)
			end = model.nodes[end.node].peers[request->path[hop]];
	}
	if (through_spine) {
		twist_endless(request, response, data);
		if (request->attribute == IB_ATTR_NODE_INFO)
			mad_set_field(data, 0, IB_NODE_NPORTS_F, invented_ports);
	} else if (request->attribute == IB_ATTR_PORT_INFO && request->node == 5) {
		mad_set_field(data, 0, IB_PORT_PHYS_STATE_F, UMAD_PHYS_LINK_UP);
	}
}

static void assert_found_too_many(uint64_t guid)
{
	const struct mad_fabric_problem *problem = NULL;

	while ((problem = mad_fabric_next_problem(fabric, problem)))
		if (problem->kind == MAD_FABRIC_PROBLEM_TOO_MANY_NODES)
			assert_int_equal(problem->node->guid, guid);
	assert_int_equal(problems_of(MAD_FABRIC_PROBLEM_TOO_MANY_NODES), 1);
}

TREE_TEST(limits_what_is_found_through_one_node)
{
	struct mad_fabric_options options = {
		.window = 64, .timeout_ms = 20000, .attempts = 1, .max_nodes = 500
	};
	const struct mad_fabric_info *info;

	model.twist = twist_inventing;
	invented_ports = 3;
	info = discover_with(&options);
	assert_int_equal(info->error, 0);
	assert_between(info->nodes, 500, 506);
	assert_true(info->unknown_ends > 0);
	assert_found_too_many(MODEL_GUID(5));
	for (int i = 0; i < 6; i++)
		assert_non_null(mad_fabric_find_node(fabric, MODEL_GUID(i)));
	/* By default the ports count, which take the memory: 4,112 switches with 255 of them. */
	invented_ports = 254;
	options.max_nodes = 0;
	info = discover_with(&options);
	assert_int_equal(info->error, 0);
	assert_between(info->nodes, 4000, 4120);
	assert_found_too_many(MODEL_GUID(5));
}

TREE_TEST(stops_at_as_many_nodes_as_there_are_lids)
{
	const struct mad_fabric_info *info;

	model.twist = twist_endless;
	info = discover(.window = 64, .timeout_ms = 20000, .attempts = 1);
	assert_int_equal(info->error, ENOSPC);
	assert_int_equal(info->nodes, IB_MAX_UCAST_LID);
}
