/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * cases-fabric.c - discovery and counters of whole fabrics. A discovery that a failure ends reports
 * it instead of a result, in its info, or as a problem of the node that was asked.
 */
#include "fabric.h"

#include <errno.h>

#include <infiniband/mad_fabric_counters.h>

/* The error that a discovery reports, but for its port without a link. */
static int error_of(const struct mad_fabric *found)
{
	const struct mad_fabric_problem *problem = mad_fabric_next_problem(found, NULL);

	if (mad_fabric_get_info(found)->error && mad_fabric_get_info(found)->error != ENETDOWN)
		return mad_fabric_get_info(found)->error;
	if (mad_fabric_get_info(found)->sa_error && mad_fabric_get_info(found)->sa_error != EPROTO)
		return mad_fabric_get_info(found)->sa_error;
	return problem ? problem->error : 0;
}

/* Exhausted memory for the result ends the call. */
static const struct fault_rule rules[] = { MEMORY_RULES(ETIMEDOUT, ECANCELED) };

static void discover(struct fault_run *run, unsigned flags)
{
	const struct mad_fabric_options options = { .flags = flags };
	struct mad_fabric *found;
	int error = 0;

	fault_begin(run);
	found = mad_fabric_discover(PORT, &options);
	fault_end(run);
	if (found)
		error = error_of(found);
	if (error)
		run->saved_errno = error;
	fault_minus_one(run, found && !error ? 0 : -1);
	mad_fabric_free(found);
}

FAULT_DO(discover(run, 0), mad_fabric_discover, NULL, fabric_port, 0, FAULT_RULES(rules))
/* The records are not those of an SA: the discovery follows directed routes. */
FAULT_DO(discover(run, MAD_FABRIC_FROM_SA), mad_fabric_discover, "from the SA", fabric_port, 0,
	 FAULT_RULES(rules))

FAULT(mad_fabric_counters_read, NULL, fabric_port, 0, FAULT_RULES(rules))
{
	struct mad_fabric *found = mad_fabric_discover(PORT, NULL);
	const struct mad_fabric_counter_row *row;
	struct mad_fabric_counters *counters;
	int error = 0;

	fault_begin(run);
	counters = mad_fabric_counters_read(PORT, found, NULL);
	fault_end(run);
	if (counters) {
		row = mad_fabric_counters_next(counters, NULL);
		FAULT_EXPECT(run, row != NULL);
		error = mad_fabric_row_error(row);
	}
	if (error)
		run->saved_errno = error;
	fault_minus_one(run, counters && !error ? 0 : -1);
	mad_fabric_counters_free(counters);
	mad_fabric_free(found);
}
