/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* counters_build.c - builds counters of a fabric from values of the caller. */
#include <errno.h>
#include <stdlib.h>

#include "common/sized.h"
#include "libibmad-fabric/counters.h"

/* The rows of the ports of a fabric, in order: by place and port number. */
struct table {
	size_t *first; /* of each node: the number of all ports before it */
	size_t *rows;  /* of each port: 1 + its row; 0: none */
	size_t ports;
};

static int make_table(const struct mad_fabric *fabric, struct table *table)
{
	table->first = calloc(fabric->info.nodes + 1, sizeof(*table->first));
	if (!table->first)
		return -ENOMEM;
	for (size_t i = 0; i < fabric->info.nodes; i++) {
		table->first[i] = table->ports;
		table->ports += fabric->nodes[i]->public.port_count + 1U;
	}
	table->rows = calloc(table->ports + 1, sizeof(*table->rows));
	return table->rows ? 0 : -ENOMEM;
}

static size_t *place_of(const struct table *table, const struct mad_fabric_port *port)
{
	return &table->rows[table->first[fabric_node_of(port->node)->place] + port->port_number];
}

static int take_value(const struct mad_fabric *fabric,
		      const struct mad_fabric_counter_value *values, size_t index, size_t size,
		      struct mad_fabric_counter_value *taken)
{
	int error = SIZED_TAKE(taken, bits, (const char *)values + index * size, size);

	if (error)
		return error;
	if (!taken->port || fabric_node_of(taken->port->node)->fabric != fabric ||
	    taken->counter >= FABRIC_COUNTERS || taken->bits > 64 ||
	    (taken->bits && taken->value > UINT64_MAX >> (64 - taken->bits)))
		return mad_refuse(MAD_REFUSED_COUNTER_VALUE);
	return 0;
}

/* Numbers the ports that have a value. */
static int find_rows(const struct mad_fabric *fabric, const struct table *table,
		     const struct mad_fabric_counter_value *values, size_t count, size_t size,
		     size_t *rows)
{
	struct mad_fabric_counter_value value;

	for (size_t i = 0; i < count; i++) {
		int error = take_value(fabric, values, i, size, &value);

		if (error)
			return error;
		*place_of(table, value.port) = 1;
	}
	for (size_t i = 0; i < table->ports; i++)
		if (table->rows[i])
			table->rows[i] = ++*rows;
	return 0;
}

static void fill(struct mad_fabric_counters *counters, const struct table *table,
		 const struct mad_fabric_counter_value *values, size_t count, size_t size)
{
	struct mad_fabric_counter_value value;

	for (size_t i = 0; i < count; i++) {
		struct mad_fabric_counter_row *row;

		take_value(counters->fabric, values, i, size, &value);
		row = &counters->rows[*place_of(table, value.port) - 1];
		row->port = value.port;
		row->values[value.counter] = value.value;
		row->bits[value.counter] = value.bits ? (uint8_t)value.bits : FABRIC_BITS_UNKNOWN;
	}
}

struct mad_fabric_counters *mad_fabric_counters_build_sized(
	const struct mad_fabric *fabric, const struct mad_fabric_counter_value *values,
	size_t count, size_t value_size)
{
	struct mad_fabric_counters *counters = NULL;
	struct table table = { 0 };
	size_t rows = 0;
	int error;

	if (!fabric || (!values && count))
		return fabric_none(NULL);
	error = make_table(fabric, &table);
	if (!error)
		error = find_rows(fabric, &table, values, count, value_size, &rows);
	if (!error) {
		counters = fabric_create_counters(fabric, rows);
		error = counters ? 0 : -ENOMEM;
	}
	if (!error) {
		counters->number_of_rows = rows;
		fill(counters, &table, values, count, value_size);
	}
	free(table.first);
	free(table.rows);
	fabric_zero_or_error(error);
	return counters;
}
