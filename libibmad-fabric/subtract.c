/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * subtract.c - finds counters by node and port, subtracts readings, and merges them into what is
 * known.
 */
#include <errno.h>
#include <stdlib.h>

#include "libibmad-fabric/counters.h"

/* The row of a port of the counters' fabric, by binary search; NULL: none. The port may be NULL. */
static const struct mad_fabric_counter_row *find_row(const struct mad_fabric_counters *counters,
						     const struct mad_fabric_port *port)
{
	size_t low = 0, high = counters->number_of_rows;

	while (port && low < high) {
		size_t middle = low + (high - low) / 2;

		if (counters->rows[middle].port == port)
			return &counters->rows[middle];
		if (fabric_order_of(counters->rows[middle].port) < fabric_order_of(port))
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

/* The row of the same port in another reading, which may be NULL; NULL: none. */
static const struct mad_fabric_counter_row *find_same(const struct mad_fabric_counters *counters,
						      const struct mad_fabric_port *port)
{
	return counters ? find_row(counters, fabric_same_port(counters->fabric, port)) : NULL;
}

const struct mad_fabric_counter_row *mad_fabric_counters_find(
	const struct mad_fabric_counters *counters, uint64_t guid, unsigned port_number)
{
	const struct fabric_node *node = counters ? fabric_find(counters->fabric, guid) : NULL;
	const struct mad_fabric_counter_row *row = NULL;

	while (node && node->public.duplicate)
		node = node->next_same;
	if (node)
		row = find_row(counters, mad_fabric_get_port(&node->public, port_number));
	return row ? row : fabric_none(counters);
}

/* Whether both readings have a counter of the same width: a wider counter is another one. */
static bool is_comparable(const struct mad_fabric_counter_row *older,
			  const struct mad_fabric_counter_row *newer, unsigned counter)
{
	uint8_t from = older->bits[counter], to = newer->bits[counter];

	return from && to &&
	       (from == to || from == FABRIC_BITS_UNKNOWN || to == FABRIC_BITS_UNKNOWN);
}

/* Whether a counter fell and has not wrapped; counters of fewer than 64 bits do not wrap. */
static bool was_set_back(const struct mad_fabric_counter_row *older,
			 const struct mad_fabric_counter_row *newer, unsigned counter)
{
	uint64_t from = older->values[counter], to = newer->values[counter];

	return is_comparable(older, newer, counter) && to < from &&
	       (newer->bits[counter] != 64 || to - from >= UINT64_C(1) << 63);
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
	bool reset = false; /* the port, which sets all its counters to 0 */

	for (unsigned i = 0; i < FABRIC_COUNTERS; i++)
		reset |= was_set_back(older, newer, i);
	row->port = newer->port;
	row->error = newer->error ? newer->error : older->error;
	row->speeds_error = newer->speeds_error ? newer->speeds_error : older->speeds_error;
	row->capabilities = newer->capabilities;
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
	counters = fabric_create_counters(newer->fabric);
	if (!counters)
		return NULL;
	for (size_t i = 0; i < newer->number_of_rows; i++) {
		const struct mad_fabric_counter_row *row = &newer->rows[i],
						    *before = find_same(older, row->port);

		if (before)
			subtract_row(&counters->rows[counters->number_of_rows++], before, row);
	}
	return fabric_trim_counters(counters);
}

/* Keeps the counters of a row that were not read this time. */
static void merge_row(struct mad_fabric_counter_row *row,
		      const struct mad_fabric_counter_row *known)
{
	if (!row->time_ns)
		row->time_ns = known->time_ns;
	for (unsigned i = 0; i < FABRIC_COUNTERS; i++)
		if (!row->bits[i]) {
			row->bits[i] = known->bits[i];
			row->values[i] = known->values[i];
			row->flags[i] = known->flags[i];
		}
}

static void merge_port(struct mad_fabric_counters *merged, const struct mad_fabric_port *port,
		       const struct mad_fabric_counters *known,
		       const struct mad_fabric_counters *read)
{
	const struct mad_fabric_counter_row *before = find_same(known, port), *now, *last;
	struct mad_fabric_counter_row *row = &merged->rows[merged->number_of_rows];

	now = port->node->out_of_reach ? NULL : find_same(read, port);
	last = now ? now : before;
	if (!last)
		return;
	*row = *last;
	row->port = port;
	if (!now && !row->error)
		row->error = ECANCELED;
	if (before && now && now->error)
		merge_row(row, before);
	merged->number_of_rows++;
}

struct mad_fabric_counters *mad_fabric_counters_merge(const struct mad_fabric *fabric,
						      const struct mad_fabric_counters *known,
						      const struct mad_fabric_counters *read)
{
	const struct fabric_port *port = NULL;
	struct mad_fabric_counters *merged;

	if (!fabric)
		return fabric_none(NULL);
	merged = fabric_create_counters(fabric);
	if (!merged)
		return NULL;
	while ((port = fabric_next_port(fabric, port)))
		merge_port(merged, &port->public, known, read);
	return fabric_trim_counters(merged);
}
