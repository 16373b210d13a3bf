/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* counters_build.c - builds counters of a fabric from values of the caller. */
#include <errno.h>

#include "common/sized.h"
#include "libibmad-fabric/counters.h"

static int take_value(struct mad_fabric_counters *counters, const void *given, size_t size)
{
	struct mad_fabric_counter_value value;
	struct mad_fabric_counter_row *row;
	int error = SIZED_TAKE(&value, bits, given, size);

	if (error)
		return error;
	if (!value.port || fabric_node_of(value.port->node)->fabric != counters->fabric ||
	    value.counter >= FABRIC_COUNTERS || value.bits > 64 ||
	    (value.bits && value.value > UINT64_MAX >> (64 - value.bits)))
		return mad_refuse(MAD_REFUSED_COUNTER_VALUE);
	row = &counters->rows[fabric_order_of(value.port)];
	row->port = value.port;
	row->values[value.counter] = value.value;
	row->bits[value.counter] = value.bits ? (uint8_t)value.bits : FABRIC_BITS_UNKNOWN;
	return 0;
}

/* Until then, each port has a row. */
static void remove_empty_rows(struct mad_fabric_counters *counters)
{
	for (size_t i = 0; i < counters->fabric->number_of_ports; i++)
		if (counters->rows[i].port)
			counters->rows[counters->number_of_rows++] = counters->rows[i];
	fabric_trim_counters(counters);
}

struct mad_fabric_counters *mad_fabric_counters_build_sized(
	const struct mad_fabric *fabric, const struct mad_fabric_counter_value *values,
	size_t count, size_t value_size)
{
	struct mad_fabric_counters *counters;
	int error = 0;

	if (!fabric || (!values && count))
		return fabric_none(NULL);
	counters = fabric_create_counters(fabric);
	for (size_t i = 0; counters && i < count && !error; i++)
		error = take_value(counters, (const char *)values + i * value_size, value_size);
	if (counters && !error) {
		remove_empty_rows(counters);
		return counters;
	}
	mad_fabric_counters_free(counters);
	return fabric_fail_null(error ? error : -ENOMEM);
}
