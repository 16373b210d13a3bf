/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * cases-table.c - SA queries that give tables, and the records in them.
 */
#include "cases.h"
#include "fabric.h"

#include <string.h>

#include <infiniband/mad_sa.h>

#define PORT ((struct ibmad_port *)run->state)

static void take(struct fault_run *run, struct mad_sa_table *table)
{
	unsigned count = mad_sa_table_count(table);

	fault_pointer(run, table);
	if (table)
		memcpy(run->output, &count, sizeof(count));
	for (unsigned i = 0; i < count; i++) {
		size_t size;
		const uint8_t *record = mad_sa_table_record(table, i, &size);

		memcpy(run->output + 4 + i * size, record, size);
	}
	mad_sa_table_free(table);
}

#define QUERY(name, in, ...)                    \
	static void name(struct fault_run *run) \
	{                                       \
		struct mad_sa_table *table;     \
		in;                             \
                                                \
		fault_begin(run);               \
		table = __VA_ARGS__;            \
		fault_end(run);                 \
		take(run, table);               \
	}

#define SM ib_portid_t sm = { .lid = 1 }

/* A request of more than one MAD is made in memory of its own. */
static uint8_t long_request[300];

QUERY(call_mad_sa_query, struct mad_sa_request query = { .attr_id = IB_SA_ATTR_NODERECORD },
      mad_sa_query(PORT, NULL, &query, sizeof(query), NULL))
QUERY(call_one_record, SM; struct mad_sa_request query = ((struct mad_sa_request){
				   .attr_id = IB_SA_ATTR_PATHRECORD, .method = IB_MAD_METHOD_GET }),
			   mad_sa_query(PORT, &sm, &query, sizeof(query), NULL))
QUERY(call_long_request, SM;
      struct mad_sa_request query = ((struct mad_sa_request){ .attr_id = IB_SA_ATTR_MULTIPATH,
							      .method = IB_MAD_METHOD_GETMULTI,
							      .data = long_request,
							      .data_size = sizeof(long_request) }),
      mad_sa_query(PORT, &sm, &query, sizeof(query), NULL))
QUERY(call_mad_sa_query_all, SM, mad_sa_query_all(PORT, &sm, IB_SA_ATTR_NODERECORD, 0))
QUERY(call_mad_sa_query_paths, SM;
      uint8_t gid[16] = { 0xfe }, mad_sa_query_paths(PORT, &sm, gid, gid, 0))

#define ROW(function, flags) FAULT_CASE(function, NULL, fabric_port, call_##function, flags)

static const struct fault_case cases[] = {
	ROW(mad_sa_query, FAULT_UNTOUCHED),
	FAULT_CASE(mad_sa_query, "of one record", fabric_port, call_one_record, FAULT_UNTOUCHED),
	FAULT_CASE(mad_sa_query, "longer than a MAD", fabric_port, call_long_request,
		   FAULT_UNTOUCHED),
	ROW(mad_sa_query_all, FAULT_UNTOUCHED),
	ROW(mad_sa_query_paths, FAULT_UNTOUCHED),
};

const struct fault_group cases_table = FAULT_GROUP(cases);
