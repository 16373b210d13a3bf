/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Counters of an earlier sweep, by node and port, and what their rise since then means: how often
 * links went down, and how many bits of those that a link has carried were wrong.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sweep.h"

/* Fewer errors than this make no rate: one in a short time would look like many. */
#define ERRORS_OF_A_RATE 10

const unsigned history_counters[HISTORY_COUNTERS] = {
	MAD_FABRIC_COUNTER_LINK_DOWNED,
	MAD_FABRIC_COUNTER_SYMBOL_ERRORS,
	MAD_FABRIC_COUNTER_FEC_UNCORRECTABLE_BLOCKS,
};

static int compare(const void *left, const void *right)
{
	const struct history_row *a = left, *b = right;

	if (a->guid != b->guid)
		return a->guid < b->guid ? -1 : 1;
	if (a->duplicate != b->duplicate)
		return a->duplicate < b->duplicate ? -1 : 1;
	return (int)a->port_number - (int)b->port_number;
}

void history_sort(struct history *history)
{
	if (history->count)
		qsort(history->rows, history->count, sizeof(*history->rows), compare);
}

static const struct history_row *find(const struct history *history,
				      const struct mad_fabric_port *port)
{
	struct history_row key = { .guid = port->node->guid,
				   .duplicate = port->node->duplicate,
				   .port_number = port->port_number };

	if (!history->count)
		return NULL;
	return bsearch(&key, history->rows, history->count, sizeof(key), compare);
}

uint64_t history_rise(const struct history *history, const struct mad_fabric_counter_row *row,
		      enum history_counter counter)
{
	const struct history_row *before = find(history, mad_fabric_row_port(row));
	uint64_t now;

	if (!before || !(before->present & 1U << counter) ||
	    mad_fabric_row_value(row, history_counters[counter], &now) < 0)
		return 0;
	/* One that fell was set to 0 in between. */
	return now < before->values[counter] ? now : now - before->values[counter];
}

double error_rate(const struct mad_fabric_port *port, uint64_t errors, double seconds)
{
	double bits = 8.0 * (double)signal_bytes_per_second(port) * seconds;

	return errors >= ERRORS_OF_A_RATE && bits > 0 ? (double)errors / bits : 0;
}
