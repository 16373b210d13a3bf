/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Cost of a discovery: memory and time per node of 40,000 hosts and 4,000 switches beside those of
 * 1,000 and 100, and CPU time per MAD beside that of a bare asynchronous request. Times do not
 * repeat on a machine that is used, so the best of several rounds is taken. What the model takes to
 * response grows with the fabric (the processor's cache), and is subtracted from the time per node.
 */
#include "tests/lib/async-request.h"
#include "test.h"
#include "scene.h"

#include "memory-in-use.h"

#include <stdio.h>
#include <time.h>

#define SMALL_LEAVES	 50
#define LARGE_LEAVES	 2000
#define NODES(leaves)	 ((leaves)*22)
#define LINKS(leaves)	 ((leaves) * (20 + 16 + 2))
#define PORTS(leaves)	 ((leaves) * (20 + 2 * 36))
#define MOST_A_PORT	 300 /* bytes */
#define MOST_OF_COUNTERS 160 /* the same */
#define MOST_GROWTH	 1.3
#define MOST_TIME_GROWTH                                                        \
	8 /* caches and a busy machine; a search of all nodes for each makes 40 \
	   */
#define MOST_OF_A_REQUEST 1.5
#define ROUNDS		  5

struct cost {
	double bytes_a_node;
	double us_a_node; /* CPU time of this process without that of the model */
	double us_a_mad;
};

static double cpu_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

static struct mad_fabric_options patient = { .window = 64, .timeout_ms = 60000, .attempts = 1 };

static struct cost measure(int leaves)
{
	size_t memory = memory_in_use();
	double began = cpu_us(), used;
	int64_t model_ns = model.spent_ns;
	const struct mad_fabric_info *info = discover_with(&patient);
	struct cost cost;

	used = cpu_us() - began;
	assert_non_null(info);
	assert_int_equal(info->error, 0);
	assert_int_equal(info->nodes, NODES(leaves));
	assert_int_equal(info->links, LINKS(leaves));
	assert_int_equal(info->problems, 0);
	cost.bytes_a_node = (double)(memory_in_use() - memory) / NODES(leaves);
	cost.us_a_node = (used - (double)(model.spent_ns - model_ns) / 1e3) / NODES(leaves);
	cost.us_a_mad = used / (double)info->requests;
	mad_fabric_free(fabric);
	fabric = NULL;
	return cost;
}

/* As many requests to the same places as a discovery makes, each bare. */
static double measure_bare(const struct mad_fabric *whole, unsigned requests)
{
	struct mad_async *async = create_async(scene_port, patient.window, patient.timeout_ms, 1);
	const struct mad_fabric_node *node = NULL;
	double began = cpu_us(), used;

	for (unsigned i = 0; i < requests; i++) {
		ib_portid_t to = { 0 };

		node = mad_fabric_next_node(whole, node);
		if (!node)
			node = mad_fabric_next_node(whole, NULL);
		to.drpath = node->route;
		assert_true(mad_async_smp(async, ASYNC_TO(&to, ignore_outcome, NULL),
					  IB_ATTR_PORT_INFO, 0, NULL) > 0);
		if (mad_async_pending(async) >= 512)
			dispatch_at_least(async, 1);
	}
	dispatch_all(async);
	used = cpu_us() - began;
	mad_async_free(async);
	return used / requests;
}

static struct cost best(int leaves, int rounds)
{
	struct cost least = measure(leaves); /* not counted: the responder allocates */

	for (int i = 0; i < rounds; i++) {
		struct cost cost = measure(leaves);

		if (!i || cost.us_a_node < least.us_a_node)
			least = cost;
	}
	return least;
}

SCENE_TEST(costs_no_more_per_node_when_large)
{
	struct cost small, large;

	model_make_large(SMALL_LEAVES);
	small = best(SMALL_LEAVES, 40);
	model_end();
	model_begin();
	model_make_large(LARGE_LEAVES);
	large = best(LARGE_LEAVES, 10);
	printf("%d nodes: %.0f bytes and %.1f us a node; %d nodes: %.0f bytes and %.1f us\n",
	       NODES(SMALL_LEAVES), small.bytes_a_node, small.us_a_node, NODES(LARGE_LEAVES),
	       large.bytes_a_node, large.us_a_node);
	printf("%.0f bytes a port\n",
	       large.bytes_a_node * NODES(LARGE_LEAVES) / PORTS(LARGE_LEAVES));
	if (sizeof(void *) == 8)
		assert_true(large.bytes_a_node * NODES(LARGE_LEAVES) <=
			    (double)MOST_A_PORT * PORTS(LARGE_LEAVES));
	assert_true(large.bytes_a_node <= MOST_GROWTH * small.bytes_a_node);
	assert_true(large.us_a_node <= MOST_TIME_GROWTH * small.us_a_node);
}

/* Counters that are 0 take no memory: of most ports, only traffic is something else. */
SCENE_TEST(counters_take_little_memory)
{
	struct mad_fabric_counters *counters;
	size_t memory, rows = 0;
	const struct mad_fabric_counter_row *row = NULL;
	double bytes;

	model_make_large(SMALL_LEAVES * 4);
	assert_non_null(discover_with(&patient));
	memory = memory_in_use();
	counters = mad_fabric_counters_read(scene_port, fabric, &patient, sizeof(patient));
	assert_non_null(counters);
	while ((row = mad_fabric_counters_next(counters, row)))
		rows++;
	bytes = (double)(memory_in_use() - memory) / (double)rows;
	mad_fabric_counters_free(counters);
	printf("%zu ports: %.0f bytes of counters a port\n", rows, bytes);
	assert_int_equal(rows, PORTS(SMALL_LEAVES * 4));
	assert_true(bytes <= MOST_OF_COUNTERS);
}

SCENE_TEST(costs_little_more_than_bare_requests)
{
	double bare = 0, whole = 0;
	struct mad_fabric *found;
	unsigned requests;

	model_make_large(SMALL_LEAVES);
	discover_with(&patient);
	found = fabric;
	fabric = NULL;
	requests = (unsigned)mad_fabric_get_info(found)->requests;
	for (int i = 0; i < ROUNDS; i++) {
		double a_request = measure_bare(found, requests);
		double a_mad = measure(SMALL_LEAVES).us_a_mad;

		bare = !i || a_request < bare ? a_request : bare;
		whole = !i || a_mad < whole ? a_mad : whole;
	}
	mad_fabric_free(found);
	printf("a MAD of a discovery: %.2f us of CPU, a bare request: %.2f us, ratio %.2f\n", whole,
	       bare, whole / bare);
	assert_true(whole <= MOST_OF_A_REQUEST * bare);
}

/* Around the sizes of queues and windows: 66, 264, 528, 1,034 and 4,114 nodes. */
SCENE_TEST(finds_fabrics_of_every_size)
{
	static const int leaves[] = { 1, 3, 12, 24, 47, 187 };
	static const unsigned windows[] = { 1, 64, 65, 512, 4096 };
	struct mad_fabric_options options = patient;

	for (unsigned i = 0; i < COUNT(leaves); i++) {
		model_end();
		model_begin();
		model_make_large(leaves[i]);
		for (unsigned j = 0; j < COUNT(windows); j++) {
			const struct mad_fabric_info *info;

			options.window = windows[j];
			info = discover_with(&options);
			assert_non_null(info);
			assert_int_equal(info->error, 0);
			assert_int_equal(info->nodes, NODES(leaves[i]));
			assert_int_equal(info->links, LINKS(leaves[i]));
			assert_int_equal(info->problems, 0);
		}
	}
}
