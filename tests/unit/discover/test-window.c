/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * How long the default window takes beside fixed ones, by the virtual clock: 1,000 hosts behind 50
 * leaves and 50 upper switches, of which some are silent, with the port's timeouts.
 */
#include "scene.h"

#include <stdio.h>

#define LEAVES	    50
#define HOSTS	    (LEAVES * 20)
#define RESPONSE_US 200

/* At most so much of the best fixed window: 1.2 where something is silent. */
#define MOST	     1.2
#define MOST_HEALTHY 1.1 /* until the window is open */

static bool is_silent_host(int node)
{
	return node < HOSTS && node % 10 == 9;
}

static bool is_one_of_400(int node)
{
	return node < HOSTS && node % 5 > 2;
}

static bool is_dead_switch(int node)
{
	return node >= HOSTS + LEAVES && node % 5 == 0;
}

static bool is_none(int node)
{
	(void)node;
	return false;
}

static bool (*is_silent)(int node);
static unsigned silent_class;

static void be_silent(const struct model_request *request, struct responder_response *response,
		      uint8_t *data)
{
	(void)data;
	response->delay_us = RESPONSE_US;
	if ((request->mgmt_class == IB_PERFORMANCE_CLASS) == (silent_class == IB_PERFORMANCE_CLASS))
		response->silent |= is_silent(request->node);
}

/* Milliseconds of a discovery, or of reading the counters of one that was made before. */
static double measure(unsigned window)
{
	struct mad_fabric_options options = { .window = window };
	int64_t began = responder_now_us();

	if (silent_class == IB_PERFORMANCE_CLASS) {
		mad_fabric_counters_free(mad_fabric_counters_read(scene_port, fabric, &options));
	} else {
		mad_fabric_free(fabric);
		fabric = mad_fabric_discover(scene_port, &options);
		assert_non_null(fabric);
	}
	return (double)(responder_now_us() - began) / 1000;
}

static void compare(const char *name, bool (*silent)(int node), double most)
{
	static const unsigned windows[] = { 16, 64, 256, 1024 };
	double best = 1e9, time;

	is_silent = silent;
	time = measure(0);
	printf("%s: %.0f ms; with fixed windows", name, time);
	/* A real switch loses requests of windows beyond 64; only a model does not. */
	for (unsigned i = 0; i < (silent == is_none ? 2 : COUNT(windows)); i++) {
		double fixed = measure(windows[i]);

		printf(" %u: %.0f", windows[i], fixed);
		best = fixed < best ? fixed : best;
	}
	printf("\n");
	assert_true(time <= most * best);
}

static void begin(unsigned mgmt_class)
{
	model_make_large(LEAVES);
	model.twist = be_silent;
	is_silent = is_none;
	silent_class = 0;
	measure(64);
	silent_class = mgmt_class;
}

SCENE_TEST(discovers_as_fast_as_with_the_best_window)
{
	begin(0);
	compare("healthy", is_none, MOST_HEALTHY);
	compare("100 silent hosts", is_silent_host, MOST);
	compare("400 silent hosts", is_one_of_400, MOST);
	compare("10 dead switches", is_dead_switch, MOST);
}

SCENE_TEST(reads_counters_as_fast_as_with_the_best_window)
{
	begin(IB_PERFORMANCE_CLASS);
	compare("healthy", is_none, MOST_HEALTHY);
	compare("100 silent agents", is_silent_host, MOST);
	compare("400 silent agents", is_one_of_400, MOST);
}
