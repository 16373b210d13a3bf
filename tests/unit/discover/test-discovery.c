/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Discoveries that fabrics.tbl has no words for: options, routes, look-ups, cancelling. */
#include "play.h"

#include <errno.h>

TREE_TEST(walks_in_order)
{
	const struct mad_fabric_node *node = NULL;
	const struct mad_fabric_port *link = NULL;
	const int order[] = { 1, 2, 4, 5, 0, 3 };
	unsigned links = 0;

	discover();
	for (unsigned i = 0; i < COUNT(order); i++) {
		node = mad_fabric_next_node(fabric, node);
		assert_non_null(node);
		assert_int_equal(node->guid, MODEL_GUID(order[i]));
	}
	assert_null(mad_fabric_next_node(fabric, node));
	while ((link = mad_fabric_next_link(fabric, link)))
		links++;
	assert_int_equal(links, 10);
	assert_null(mad_fabric_get_port(node, 3));
}

/* A request along the route of each node arrives at that node. */
TREE_TEST(gives_routes)
{
	const struct mad_fabric_node *node = NULL;

	discover();
	while ((node = mad_fabric_next_node(fabric, node))) {
		ib_portid_t to = { .drpath = node->route };
		uint8_t data[IB_SMP_DATA_SIZE] = { 0 };

		assert_non_null(smp_query_via(data, &to, IB_ATTR_NODE_INFO, 0, 1000, scene_port));
		assert_int_equal(mad_get_field64(data, 0, IB_NODE_GUID_F), node->guid);
	}
}

TREE_TEST(looks_up)
{
	const struct mad_fabric_node *spine;

	discover();
	assert_null(mad_fabric_find_node(fabric, 1));
	assert_ptr_equal(mad_fabric_find_port(fabric, MODEL_GUID(3) + 2, NULL), port_of(3, 2));
	assert_ptr_equal(mad_fabric_find_port(fabric, MODEL_GUID(1), NULL), port_of(1, 0));
	assert_null(mad_fabric_find_port(fabric, MODEL_GUID(1), port_of(1, 0)));
	assert_null(mad_fabric_find_port(fabric, 1, NULL));
	for (int i = 0; i < 6; i++)
		assert_ptr_equal(mad_fabric_find_lid(fabric, (unsigned)i + 1)->node,
				 port_of(i, 0)->node);
	assert_null(mad_fabric_find_lid(fabric, 0));
	assert_null(mad_fabric_find_lid(fabric, 7));
	spine = mad_fabric_find_name(fabric, "spine", NULL);
	assert_int_equal(spine->guid, MODEL_GUID(4));
	spine = mad_fabric_find_name(fabric, "spine", spine);
	assert_int_equal(spine->guid, MODEL_GUID(5));
	assert_null(mad_fabric_find_name(fabric, "spine", spine));
	assert_null(mad_fabric_find_name(fabric, "spin", NULL));
}

SCENE_TEST(follows_63_hops_and_no_more)
{
	int last, next;

	last = model_add_node(IB_NODE_CA, 1, "host");
	for (int i = 0; i < 70; i++) {
		next = model_add_node(IB_NODE_SWITCH, 2, "one of a chain");
		model_cable(last, i ? 2 : 1, next, 1);
		last = next;
	}
	assert_int_equal(discover()->nodes, 64);
	assert_int_equal(port_of(62, 2)->peer_error, 0);
	assert_int_equal(port_of(63, 2)->peer_error, ELOOP);
	assert_int_equal(problems_of(MAD_FABRIC_NO_RESPONSE), 1);
}

static unsigned reports;

static bool cancel_later(const struct mad_fabric_progress *progress, void *context)
{
	unsigned *limit = context;

	assert_true(progress->nodes <= 6);
	return ++reports < *limit;
}

TREE_TEST(can_be_cancelled)
{
	unsigned limit;
	struct mad_fabric_options options = {
		.progress = cancel_later, .context = &limit, .window = 1, .timeout_ms = 1000
	};

	MODEL_RULES({ .delay_us = 30000 });
	for (limit = 1; limit <= 4; limit++) {
		const struct mad_fabric_info *info;

		reports = 0;
		info = discover_with(&options);
		if (info) /* else the first response had not come: see below */
			assert_int_equal(info->error, ECANCELED);
		else
			assert_int_equal(errno, ECANCELED);
		assert_int_equal(reports, limit);
		assert_true(!info || info->nodes < 6);
		assert_true(!info || info->problems == 0);
	}
	assert_non_null(fabric);
}

SCENE_TEST(refuses_wrong_options)
{
	const ib_dr_path_t far = { .cnt = 64 };
	const struct mad_fabric_options wrong[] = {
		{ .flags = 1U << 4 }, { .reserved = 1 },    { .window = 4097 },
		{ .max_hops = 64 },   { .timeout_ms = -1 }, { .subtree = &far },
	};

	for (unsigned i = 0; i < COUNT(wrong); i++) {
		assert_null_errno(mad_fabric_discover(scene_port, &wrong[i], sizeof(wrong[i])),
				  EINVAL);
	}
	assert_null_errno(mad_fabric_discover(scene_port, &wrong[0], 8), EINVAL);
	assert_null_errno(mad_fabric_discover(scene_port, &wrong[0], SIZE_MAX), E2BIG);
	assert_null_errno(mad_fabric_discover(NULL, NULL, 0), EINVAL);
	assert_int_equal(model.requests, 0);
}
