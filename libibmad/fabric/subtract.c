/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* subtract.c - finds counters by node and port, and by how much they rose between two readings. */
#include <stdlib.h>

#include "libibmad/fabric/counters.h"

#define BIT(counter) (UINT64_C(1) << (counter))

/* Rows are in the order of nodes: switches first, then by GUID; then by port. */
static int compare(const struct mad_fabric_port *port, bool is_switch, uint64_t guid,
		   unsigned number)
{
	bool port_is_switch = port->node->type == IB_NODE_SWITCH;

	if (port_is_switch != is_switch)
		return port_is_switch ? -1 : 1;
	if (port->node->guid != guid)
		return port->node->guid < guid ? -1 : 1;
	return port->number - (int)number;
}

static const struct mad_fabric_port_counters *find(const struct mad_fabric_counters *counters,
						   bool is_switch, uint64_t guid, unsigned number)
{
	size_t low = 0, high = counters->number_of_rows;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int order = compare(counters->rows[middle].port, is_switch, guid, number);

		if (!order)
			return &counters->rows[middle];
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

const struct mad_fabric_port_counters *mad_fabric_find_counters(
	const struct mad_fabric_counters *counters, uint64_t guid, unsigned number)
{
	const struct mad_fabric_port_counters *row = find(counters, true, guid, number);

	return row ? row : find(counters, false, guid, number);
}

/* Numbers of so many bits, modulo 2^bits. */
static uint64_t wrapped_difference(uint64_t older, uint64_t newer, unsigned bits)
{
	uint64_t mask = bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;

	return (newer - older) & mask;
}

static bool may_have_wrapped(const struct mad_fabric_port_counters *older,
			     const struct mad_fabric_port_counters *newer, unsigned counter)
{
	unsigned bits = newer->bits[counter];

	return bits && wrapped_difference(older->values[counter], newer->values[counter], bits) <
			       UINT64_C(1) << (bits - 1);
}

/* Counters that both readings have, with the same width: a wider one is another counter. */
static uint64_t comparable(const struct mad_fabric_port_counters *older,
			   const struct mad_fabric_port_counters *newer)
{
	uint64_t both = older->present & newer->present;

	for (unsigned i = 0; i < MAD_FABRIC_COUNTERS; i++)
		if (older->bits[i] != newer->bits[i])
			both &= ~BIT(i);
	return both;
}

/* A counter that fell in a way that no wrap explains: the port's counters were set to 0. */
static bool was_reset(const struct mad_fabric_port_counters *older,
		      const struct mad_fabric_port_counters *newer, uint64_t counters)
{
	for (unsigned i = 0; i < MAD_FABRIC_COUNTERS; i++)
		if (counters & BIT(i) && newer->values[i] < older->values[i] &&
		    !may_have_wrapped(older, newer, i))
			return true;
	return false;
}

static void subtract_row(struct mad_fabric_port_counters *row,
			 const struct mad_fabric_port_counters *older,
			 const struct mad_fabric_port_counters *newer)
{
	uint64_t counters = comparable(older, newer);
	bool reset = was_reset(older, newer, counters);

	*row = (struct mad_fabric_port_counters){
		.port = newer->port,
		.error = newer->error ? newer->error : older->error,
		.capabilities = newer->capabilities,
		.capabilities2 = newer->capabilities2,
		.present = counters,
		.saturated = newer->saturated & counters,
	};
	if (older->time_ns && newer->time_ns > older->time_ns)
		row->time_ns = newer->time_ns - older->time_ns;
	for (unsigned i = 0; i < MAD_FABRIC_COUNTERS; i++) {
		uint64_t from = older->values[i], to = newer->values[i];

		if (!(counters & BIT(i)))
			continue;
		row->bits[i] = newer->bits[i];
		if (to >= from) {
			row->values[i] = to - from;
		} else if (reset || older->saturated & BIT(i)) {
			row->values[i] = to;
			row->reset |= BIT(i);
		} else {
			row->values[i] = wrapped_difference(from, to, newer->bits[i]);
			row->wrapped |= BIT(i);
		}
	}
}

struct mad_fabric_counters *mad_fabric_subtract_counters(const struct mad_fabric_counters *older,
							 const struct mad_fabric_counters *newer)
{
	struct mad_fabric_counters *counters = calloc(1, sizeof(*counters));

	if (!counters)
		return NULL;
	counters->rows = calloc(newer->number_of_rows + 1, sizeof(*counters->rows));
	if (!counters->rows) {
		free(counters);
		return NULL;
	}
	for (size_t i = 0; i < newer->number_of_rows; i++) {
		const struct mad_fabric_port *port = newer->rows[i].port;
		const struct mad_fabric_port_counters *before = find(
			older, port->node->type == IB_NODE_SWITCH, port->node->guid, port->number);

		if (before)
			subtract_row(&counters->rows[counters->number_of_rows++], before,
				     &newer->rows[i]);
	}
	return counters;
}
