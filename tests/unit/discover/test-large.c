/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Large fabrics: what is found, and memory per port of 10,000 hosts and 1,000 switches beside that
 * of a tenth of them.
 */
#include "scene.h"

#include "memory-in-use.h"

#include <stdio.h>

#define SMALL_LEAVES  50
#define LARGE_LEAVES  500
#define NODES(leaves) ((leaves)*22)
#define LINKS(leaves) ((leaves) * (20 + 16 + 2))
#define PORTS(leaves) ((leaves) * (20 + 2 * 36))
#ifdef __GLIBC__
#define MOST_A_PORT 300 /* bytes */
#else			/* and what malloc() takes for itself: 316 with musl */
#define MOST_A_PORT 350
#endif
#define MOST_OF_COUNTERS 320 /* and for a row of counters */
#define MOST_GROWTH	 1.3

static struct mad_fabric_options patient = { .window = 64, .timeout_ms = 60000, .attempts = 1 };

static void find_all(int leaves)
{
	const struct mad_fabric_info *info = discover_with(&patient);

	assert_non_null(info);
	assert_int_equal(info->error, 0);
	assert_int_equal(info->nodes, NODES(leaves));
	assert_int_equal(info->links, LINKS(leaves));
	assert_int_equal(info->problems, 0);
}

/* Bytes of a fabric, of which the responder has allocated what it needs before. */
static double measure(int leaves)
{
	size_t memory;

	model_end();
	model_begin();
	model_make_large(leaves);
	find_all(leaves);
	mad_fabric_free(fabric);
	fabric = NULL;
	memory = memory_in_use();
	find_all(leaves);
	return (double)(memory_in_use() - memory);
}

SCENE_TEST(takes_no_more_memory_per_node_when_large)
{
	double small = measure(SMALL_LEAVES), large = measure(LARGE_LEAVES);

	printf("%.0f and %.0f bytes a port\n", small / PORTS(SMALL_LEAVES),
	       large / PORTS(LARGE_LEAVES));
	if (sizeof(void *) == 8)
		assert_true(large <= (double)MOST_A_PORT * PORTS(LARGE_LEAVES));
	assert_true(large / NODES(LARGE_LEAVES) <= MOST_GROWTH * small / NODES(SMALL_LEAVES));
}

SCENE_TEST(counters_take_little_memory)
{
	struct mad_fabric_counters *counters;
	size_t memory, rows = 0;
	const struct mad_fabric_counter_row *row = NULL;

	model_make_large(SMALL_LEAVES);
	find_all(SMALL_LEAVES);
	memory = memory_in_use();
	counters = mad_fabric_counters_read(scene_port, fabric, &patient);
	assert_non_null(counters);
	memory = memory_in_use() - memory;
	while ((row = mad_fabric_counters_next(counters, row)))
		rows++;
	mad_fabric_counters_free(counters);
	printf("%.0f bytes of counters a port\n", (double)memory / (double)rows);
	assert_int_equal(rows, PORTS(SMALL_LEAVES));
	assert_true((double)memory <= (double)MOST_OF_COUNTERS * (double)rows);
}

/* Around the sizes of queues and windows: 66, 264, 528, 1,034 and 4,114 nodes. */
SCENE_TEST(finds_fabrics_of_every_size)
{
	static const int leaves[] = { 1, 3, 12, 24, 47, 187 };
	static const unsigned windows[] = { 1, 64, 65, 512, 4096 };

	for (unsigned i = 0; i < COUNT(leaves); i++) {
		model_end();
		model_begin();
		model_make_large(leaves[i]);
		for (unsigned j = 0; j < COUNT(windows); j++) {
			patient.window = windows[j];
			find_all(leaves[i]);
		}
	}
}
