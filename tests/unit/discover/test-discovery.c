/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Discoveries that fabrics.tbl has no words for: options, look-ups, cancelling. */
#include "play.h"

#include <errno.h>

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
		{ .flags = 1U << 5 }, { .max_nodes = 49152 }, { .window = 4097 },
		{ .max_hops = 64 },   { .timeout_ms = -1 },   { .subtree = &far },
	};

	for (unsigned i = 0; i < COUNT(wrong); i++) {
		assert_null_errno(mad_fabric_discover(scene_port, &wrong[i]), EINVAL);
	}
	assert_null_errno(mad_fabric_discover_sized(scene_port, &wrong[0], 8), EINVAL);
	assert_null_errno(mad_fabric_discover_sized(scene_port, &wrong[0], SIZE_MAX), E2BIG);
	assert_null_errno(mad_fabric_discover(NULL, NULL), EINVAL);
	assert_int_equal(model.requests, 0);
}
