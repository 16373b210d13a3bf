/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * cases-pure.c - what works in memory alone: no call of it can fail.
 */
#include "cases.h"
#include "fabric.h"

#include <stdio.h>

#include <infiniband/mad_address.h>
#include <infiniband/mad_fabric.h>
#include <infiniband/mad_sa.h>
#include <infiniband/umad_str.h>

#define PORT ((struct ibmad_port *)run->state)
#define UMAD ((void *)run->output)
#define TEXT ((char *)run->output)
#define SIZE 1024
/* Zeros: an address, a route, a value, space for a result. */
#define BUFFER ((void *)(run->output + SIZE))

/* What the calls are about. */
static struct mad_sa_table *table;
static struct mad_fabric *found;
static struct mad_fabric_counters *counters;
static struct mad_fabric_changes *changes;
static const struct mad_fabric_node *node;
static const struct mad_fabric_counter_row *row;
static char route_text[] = "0,1,6";
static const struct mad_sa_mc_member of_group_member = { .mgid = { 0xff, 0x12, [15] = 1 } };
static const struct mad_sa_mc_request of_group = { .member = &of_group_member,
						   .member_size = sizeof(of_group_member) };

static void make_things(struct fault_run *run)
{
	ib_portid_t sm = { .lid = 1 };

	memset(BUFFER, 0, SIZE);
	if (!PORT)
		return;
	table = mad_sa_query_all(PORT, &sm, IB_SA_ATTR_NODERECORD, 0);
	found = mad_fabric_discover(PORT, NULL, 0);
	counters = mad_fabric_counters_read(PORT, found, NULL, 0);
	changes = mad_fabric_compare(found, found);
	node = mad_fabric_next_node(found, NULL);
	row = mad_fabric_counters_next(counters, NULL);
}

static void free_things(void)
{
	mad_fabric_changes_free(changes);
	mad_fabric_counters_free(counters);
	mad_fabric_free(found);
	mad_sa_table_free(table);
	changes = NULL;
	counters = NULL;
	found = NULL;
	table = NULL;
}

/* The functions that print an attribute. */
#define DUMPED(mgmt_class, id, name, function, ...) PART(function, __VA_ARGS__)
#define PRINTED(mgmt_class, id, name, ...)
#define NAMED(mgmt_class, id, name)
#define PART(function, ...) VALUE(mad_dump_##function)
#define VALUE(function)	    PURE(bare, function, function(TEXT, SIZE, BUFFER, 256))

#define PURE(scene, function, ...)                         \
	static void call_##function(struct fault_run *run) \
	{                                                  \
		make_things(run);                          \
		fault_begin(run);                          \
		__VA_ARGS__;                               \
		fault_end(run);                            \
		fault_cannot_fail(run);                    \
		free_things();                             \
	}
#include "common/mad_attributes.h"
#include "pure.h"
#undef PURE

#define PURE(scene, function, ...) \
	FAULT_CASE(function, NULL, fabric_##scene, call_##function, FAULT_PURE),
static const struct fault_case cases[] = {
#include "common/mad_attributes.h"
#include "pure.h"
};

const struct fault_group cases_pure = FAULT_GROUP(cases);
