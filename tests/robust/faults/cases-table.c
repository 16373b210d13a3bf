/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * cases-table.c - SA queries that give tables, and the records in them. A query that fails leaves
 * an empty table.
 */
#include "cases.h"
#include "fabric.h"

#include <string.h>

#include <infiniband/mad_sa.h>

#define PORT ((struct ibmad_port *)run->state)

static void take(struct fault_run *run, int ret, struct mad_sa_table *table)
{
	fault_minus_one(run, ret);
	if (run->failed) {
		FAULT_EXPECT(run, !table->count && !table->records && !table->memory);
	} else {
		memcpy(run->output, &table->count, sizeof(table->count));
		for (unsigned i = 0; i < table->count; i++)
			memcpy(run->output + 4 + (size_t)i * table->record_size,
			       mad_sa_record(table, i), table->record_size);
	}
	mad_sa_table_free(table);
}

#define QUERY(name, in, ...)                               \
	static void name(struct fault_run *run)            \
	{                                                  \
		struct mad_sa_table table;                 \
		in;                                        \
		int ret;                                   \
                                                           \
		memset(&table, FAULT_FILL, sizeof(table)); \
		fault_begin(run);                          \
		ret = (__VA_ARGS__);                       \
		fault_end(run);                            \
		take(run, ret, &table);                    \
	}

#define SM ib_portid_t sm = { .lid = 1 }

/* A request of more than one MAD is made in memory of its own. */
static uint8_t long_request[300];

QUERY(call_mad_sa_query, struct mad_sa_query query = { .attr_id = IB_SA_ATTR_NODERECORD },
      mad_sa_query(PORT, NULL, &query, &table))
QUERY(call_one_record, SM; struct mad_sa_query query = ((struct mad_sa_query){
				   .attr_id = IB_SA_ATTR_PATHRECORD, .method = IB_MAD_METHOD_GET }),
			   mad_sa_query(PORT, &sm, &query, &table))
QUERY(call_long_request, SM;
      struct mad_sa_query query = ((struct mad_sa_query){ .attr_id = IB_SA_ATTR_MULTIPATH,
							  .method = IB_MAD_METHOD_GETMULTI,
							  .data = long_request,
							  .data_size = sizeof(long_request) }),
      mad_sa_query(PORT, &sm, &query, &table))
QUERY(call_mad_sa_query_nodes, SM, mad_sa_query_nodes(PORT, &sm, 0, &table))
QUERY(call_mad_sa_query_port_infos, SM, mad_sa_query_port_infos(PORT, &sm, 0, &table))
QUERY(call_mad_sa_query_links, SM, mad_sa_query_links(PORT, &sm, 0, &table))
QUERY(call_mad_sa_query_sm_infos, SM, mad_sa_query_sm_infos(PORT, &sm, 0, &table))
QUERY(call_mad_sa_query_mc_members, SM, mad_sa_query_mc_members(PORT, &sm, 0, &table))
QUERY(call_mad_sa_query_services, SM, mad_sa_query_services(PORT, &sm, 0, &table))
QUERY(call_mad_sa_query_paths, SM;
      uint8_t gid[16] = { 0xfe }, mad_sa_query_paths(PORT, &sm, gid, gid, 0, &table))

static uint8_t records[2][FABRIC_RECORD_SIZE];
static const struct mad_sa_table made = {
	.records = records[0],
	.count = 2,
	.record_size = FABRIC_RECORD_SIZE,
};

#define GET(name, type)                                                  \
	FAULT_CALL_MINUS_ONE(call_mad_sa_get_##name, struct type record, \
			     mad_sa_get_##name(&made, 1, &record))

GET(node, mad_sa_node)
GET(port_info, mad_sa_port_info)
GET(link, mad_sa_link)
GET(path, mad_sa_path)
GET(sm_info, mad_sa_sm_info)
GET(mc_member, mad_sa_mc_member)
GET(service, mad_sa_service)

static void call_free(struct fault_run *run)
{
	ib_portid_t sm = { .lid = 1 };
	struct mad_sa_table table;

	mad_sa_query_nodes(PORT, &sm, 0, &table);
	fault_begin(run);
	mad_sa_table_free(&table);
	fault_end(run);
	fault_cannot_fail(run);
}

#define ROW(function, flags) FAULT_CASE(function, NULL, fabric_port, call_##function, flags)

static const struct fault_case cases[] = {
	ROW(mad_sa_query, FAULT_UNTOUCHED),
	FAULT_CASE(mad_sa_query, "of one record", fabric_port, call_one_record, FAULT_UNTOUCHED),
	FAULT_CASE(mad_sa_query, "longer than a MAD", fabric_port, call_long_request,
		   FAULT_UNTOUCHED),
	ROW(mad_sa_query_nodes, FAULT_UNTOUCHED),
	ROW(mad_sa_query_port_infos, FAULT_UNTOUCHED),
	ROW(mad_sa_query_links, FAULT_UNTOUCHED),
	ROW(mad_sa_query_sm_infos, FAULT_UNTOUCHED),
	ROW(mad_sa_query_mc_members, FAULT_UNTOUCHED),
	ROW(mad_sa_query_services, FAULT_UNTOUCHED),
	ROW(mad_sa_query_paths, FAULT_UNTOUCHED),
	ROW(mad_sa_get_node, FAULT_PURE),
	ROW(mad_sa_get_port_info, FAULT_PURE),
	ROW(mad_sa_get_link, FAULT_PURE),
	ROW(mad_sa_get_path, FAULT_PURE),
	ROW(mad_sa_get_sm_info, FAULT_PURE),
	ROW(mad_sa_get_mc_member, FAULT_PURE),
	ROW(mad_sa_get_service, FAULT_PURE),
	FAULT_CASE(mad_sa_table_free, NULL, fabric_port, call_free, FAULT_PURE),
};

const struct fault_group cases_table = FAULT_GROUP(cases);
