/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* subtract.c - finds counters by node and port, and by how much they rose between two readings. */
#include <errno.h>
#include <stdlib.h>

#include "libibmad-fabric/counters.h"

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

/* Counters that both readings have, with the same width: a wider one is another counter. */
static bool is_comparable(const struct mad_fabric_counter_row *older,
			  const struct mad_fabric_counter_row *newer, unsigned counter)
{
	return newer->bits[counter] && newer->bits[counter] == older->bits[counter];
}

/* A counter that fell and has not wrapped, which those of fewer than 64 bits do not do. */
static bool was_set_back(const struct mad_fabric_counter_row *older,
			 const struct mad_fabric_counter_row *newer, unsigned counter)
{
	uint64_t from = older->values[counter], to = newer->values[counter];

	return is_comparable(older, newer, counter) && to < from &&
	       (newer->bits[counter] < 64 || to - from >= UINT64_C(1) << 63);
}

/* All counters of a port are set to 0 together. */
static bool was_reset(const struct mad_fabric_counter_row *older,
		      const struct mad_fabric_counter_row *newer)
{
	for (unsigned i = 0; i < FABRIC_COUNTERS; i++)
		if (was_set_back(older, newer, i))
			return true;
	return false;
}

static void subtract_counter(struct mad_fabric_counter_row *row,
			     const struct mad_fabric_counter_row *older,
			     const struct mad_fabric_counter_row *newer, unsigned i, bool reset)
{
	bool fell = newer->values[i] < older->values[i];

	row->bits[i] = newer->bits[i];
	row->values[i] = newer->values[i] - (fell && reset ? 0 : older->values[i]);
	row->flags[i] = newer->flags[i] & MAD_FABRIC_VALUE_SATURATED;
	if (fell)
		row->flags[i] |= reset ? MAD_FABRIC_VALUE_RESET : MAD_FABRIC_VALUE_WRAPPED;
}

static void subtract_row(struct mad_fabric_counter_row *row,
			 const struct mad_fabric_counter_row *older,
			 const struct mad_fabric_counter_row *newer)
{
	bool reset = was_reset(older, newer);

	row->port = newer->port;
	row->error = newer->error ? newer->error : older->error;
	row->speeds_error = newer->speeds_error ? newer->speeds_error : older->speeds_error;
	row->capabilities = newer->capabilities;
	row->capabilities2 = newer->capabilities2;
	if (older->time_ns && newer->time_ns > older->time_ns)
		row->time_ns = newer->time_ns - older->time_ns;
	for (unsigned i = 0; i < FABRIC_COUNTERS; i++)
		if (is_comparable(older, newer, i))
			subtract_counter(row, older, newer, i, reset);
}

struct mad_fabric_counters *mad_fabric_counters_subtract(const struct mad_fabric_counters *older,
							 const struct mad_fabric_counters *newer)
{
	struct mad_fabric_counters *counters;

	if (!older || !newer)
		return fabric_none(NULL);
	counters = calloc(1, sizeof(*counters));
	if (!counters)
		return NULL;
	counters->rows = calloc(newer->number_of_rows + 1, sizeof(*counters->rows));
	if (!counters->rows) {
		free(counters);
		return NULL;
	}
	for (size_t i = 0; i < newer->number_of_rows; i++) {
		struct row_key key = key_of(newer->rows[i].port);
		const struct mad_fabric_counter_row *before = find(older, &key);

		if (before)
			subtract_row(&counters->rows[counters->number_of_rows++], before,
				     &newer->rows[i]);
	}
	return counters;
}
