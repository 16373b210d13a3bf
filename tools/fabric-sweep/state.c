/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The last known state: each sweep is merged into what is known of the fabric and its counters, so
 * that what changes while something does not respond is reported when it responds again.
 */
#include <errno.h>
#include <string.h>

#include "sweep.h"

void state_free(struct state *state)
{
	mad_fabric_counters_free(state->counters);
	mad_fabric_free(state->fabric);
	mad_fabric_free(state->expected);
	links_free(&state->links);
	*state = (struct state){ 0 };
}

static bool cannot_keep(void)
{
	complain("cannot keep what is known: %s", strerror(errno));
	return false;
}

/* Without an earlier state, what the sweep found. */
static struct mad_fabric *merge(const struct mad_fabric *known, const struct sweep *sweep,
				uint32_t flags)
{
	return mad_fabric_merge(known ? known : sweep->fabric, sweep->fabric, flags);
}

bool state_expect(struct state *state)
{
	const struct mad_fabric *file = state->expected ? state->expected : state->fabric;
	struct mad_fabric *expected;

	if (!state->fabric)
		return true;
	expected = mad_fabric_merge(file, state->fabric, MAD_FABRIC_KEEP_GONE);
	if (!expected)
		return cannot_keep();
	mad_fabric_free(state->expected);
	state->expected = expected;
	return true;
}

bool state_take(struct state *state, const struct sweep *sweep, bool has_keys, struct state *before)
{
	struct state next = { .counters_time = state->counters_time };
	bool good = links_update(&state->links, sweep->fabric);

	next.fabric = good ? merge(state->fabric, sweep, 0) : NULL;
	good = next.fabric;
	if (good && has_keys) {
		next.expected = merge(state->expected, sweep, MAD_FABRIC_KEEP_GONE);
		good = next.expected;
	}
	if (good && (state->counters || sweep->counters)) {
		next.counters =
			mad_fabric_counters_merge(next.fabric, state->counters, sweep->counters);
		good = next.counters;
	}
	if (sweep->counters)
		next.counters_time = sweep->counters_time;
	if (!good) {
		cannot_keep();
		state_free(&next);
		return false;
	}
	next.links = state->links;
	state->links = NULL;
	*before = *state;
	*state = next;
	return true;
}

bool state_take_counters(struct state *state, const struct sweep *sweep,
			 struct mad_fabric_counters **before)
{
	struct mad_fabric_counters *counters =
		mad_fabric_counters_merge(state->fabric, state->counters, sweep->counters);

	if (!counters)
		return cannot_keep();
	*before = state->counters;
	state->counters = counters;
	state->counters_time = sweep->counters_time;
	return true;
}
