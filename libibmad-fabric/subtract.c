/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* subtract.c - finds counters by node and port, and by how much they rose between two readings. */
#include <errno.h>
#include <stdlib.h>

#include "libibmad-fabric/counters.h"

#define BIT(counter) COUNTER_BIT(counter)

/* What identifies a row, in the order in which rows are. */
struct row_key {
	bool is_switch;
	uint64_t guid;
	unsigned duplicate;
	unsigned port_number;
};

static struct row_key key_of(const struct mad_fabric_port *port)
{
	return (struct row_key){ .is_switch = port->node->type == IB_NODE_SWITCH,
				 .guid = port->node->guid,
				 .duplicate = port->node->duplicate,
				 .port_number = port->port_number };
}

static int compare(const struct row_key *a, const struct row_key *b)
{
	if (a->is_switch != b->is_switch)
		return a->is_switch ? -1 : 1;
	if (a->guid != b->guid)
		return a->guid < b->guid ? -1 : 1;
	if (a->duplicate != b->duplicate)
		return a->duplicate < b->duplicate ? -1 : 1;
	return (int)a->port_number - (int)b->port_number;
}

static const struct mad_fabric_counter_row *find(const struct mad_fabric_counters *counters,
						 const struct row_key *wanted)
{
	size_t low = 0, high = counters->number_of_rows;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		struct row_key key = key_of(counters->rows[middle].port);
		int order = compare(&key, wanted);

		if (!order)
			return &counters->rows[middle];
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

const struct mad_fabric_counter_row *mad_fabric_counters_find(
	const struct mad_fabric_counters *counters, uint64_t guid, unsigned port_number)
{
	struct row_key key = { .is_switch = true, .guid = guid, .port_number = port_number };
	const struct mad_fabric_counter_row *row = counters ? find(counters, &key) : NULL;

	key.is_switch = false;
	if (counters && !row)
		row = find(counters, &key);
	return row ? row : fabric_none(counters);
}

/* Counters of fewer bits stop at their greatest value. */
static bool may_have_wrapped(const struct mad_fabric_counter_row *older,
			     const struct mad_fabric_counter_row *newer, unsigned counter)
{
	return newer->wide & BIT(counter) &&
	       fabric_counter_value(newer, counter) - fabric_counter_value(older, counter) <
		       UINT64_C(1) << 63;
}

/* Counters that both readings have, with the same width: a wider one is another counter. */
static uint32_t comparable(const struct mad_fabric_counter_row *older,
			   const struct mad_fabric_counter_row *newer)
{
	return older->present & newer->present & ~(older->wide ^ newer->wide);
}

/* A counter that fell and has not wrapped: the port's counters were set to 0. */
static bool was_reset(const struct mad_fabric_counter_row *older,
		      const struct mad_fabric_counter_row *newer, uint32_t counters)
{
	for (unsigned i = 0; i < FABRIC_COUNTERS; i++)
		if (counters & BIT(i) &&
		    fabric_counter_value(newer, i) < fabric_counter_value(older, i) &&
		    !may_have_wrapped(older, newer, i))
			return true;
	return false;
}

/* 0 or -ENOMEM. */
static int subtract_row(struct mad_fabric_counters *differences, struct mad_fabric_counter_row *row,
			const struct mad_fabric_counter_row *older,
			const struct mad_fabric_counter_row *newer)
{
	uint64_t values[FABRIC_COUNTERS] = { 0 };
	uint32_t counters = comparable(older, newer);
	bool reset = was_reset(older, newer, counters);

	*row = (struct mad_fabric_counter_row){
		.port = newer->port,
		.error = newer->error ? newer->error : older->error,
		.speeds_error = newer->speeds_error ? newer->speeds_error : older->speeds_error,
		.capabilities = newer->capabilities,
		.capabilities2 = newer->capabilities2,
		.present = counters,
		.saturated = newer->saturated & counters,
		.wide = newer->wide & counters,
	};
	if (older->time_ns && newer->time_ns > older->time_ns)
		row->time_ns = newer->time_ns - older->time_ns;
	for (unsigned i = 0; i < FABRIC_COUNTERS; i++) {
		uint64_t from = fabric_counter_value(older, i), to = fabric_counter_value(newer, i);

		if (!(counters & BIT(i)))
			continue;
		if (to >= from) {
			values[i] = to - from;
		} else if (reset) {
			values[i] = to;
			row->reset |= BIT(i);
		} else {
			values[i] = to - from; /* modulo 1 << 64 */
			row->wrapped |= BIT(i);
		}
	}
	return fabric_keep_values(differences, row, values);
}

struct mad_fabric_counters *mad_fabric_counters_subtract(const struct mad_fabric_counters *older,
							 const struct mad_fabric_counters *newer)
{
	struct mad_fabric_counters *counters;
	int error = 0;

	if (!older || !newer)
		return fabric_none(NULL);
	counters = calloc(1, sizeof(*counters));
	if (!counters)
		return NULL;
	counters->rows = calloc(newer->number_of_rows + 1, sizeof(*counters->rows));
	if (!counters->rows)
		error = -ENOMEM;
	for (size_t i = 0; !error && i < newer->number_of_rows; i++) {
		struct row_key key = key_of(newer->rows[i].port);
		const struct mad_fabric_counter_row *before = find(older, &key);

		if (before)
			error = subtract_row(counters, &counters->rows[counters->number_of_rows++],
					     before, &newer->rows[i]);
	}
	if (!error)
		return counters;
	mad_fabric_counters_free(counters);
	errno = -error;
	return NULL;
}
