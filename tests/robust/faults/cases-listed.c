/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* cases-listed.c - the functions that listed.h calls in one line, with their arguments. */
#include "fabric.h"

#include <errno.h>
#include <stdio.h>

#include <infiniband/mad_address.h>
#include <infiniband/mad_async.h>
#include <infiniband/mad_fabric_changes.h>
#include <infiniband/mad_fabric_counters.h>
#include <infiniband/mad_keys.h>
#include <infiniband/mad_message.h>
#include <infiniband/mad_sa.h>
#include <infiniband/umad_monitor.h>
#include <infiniband/umad_str.h>

#include "tests/lib/async-request.h"

#define DATA  ((void *)run->output)
#define UMAD  DATA
#define FOUND ((ib_portid_t *)DATA)
#define TEXT  ((char *)run->output)
#define SIZE  1024
/* Zeros: an address, a route, a value, space for a result. */
#define BUFFER ((void *)(run->output + SIZE))

/* Arguments that calls may change, as they are before each. */
struct arguments {
	ib_portid_t to, sm;
	ib_rpc_t rpc, long_rpc, plain, send;
	ib_rmpp_hdr_t rmpp;
	ib_sa_call_t sa;
	ib_vendor_call_t vendor;
	ibmad_gid_t gid;
	uint64_t guid;
};

static const struct arguments usual = {
	.to = { .lid = 7, .qp = 1 },
	.sm = { .lid = 1 },
	.rpc = { .mgtclass = IB_PERFORMANCE_CLASS,
		 .method = IB_MAD_METHOD_GET,
		 .attr = { .id = IB_GSI_PORT_COUNTERS },
		 .dataoffs = IB_PC_DATA_OFFS,
		 .datasz = IB_PC_DATA_SZ },
	.long_rpc = { .mgtclass = IB_SA_CLASS,
		      .method = IB_MAD_METHOD_GET_TABLE,
		      .attr = { .id = IB_SA_ATTR_NODERECORD },
		      .dataoffs = IB_SA_DATA_OFFS,
		      .datasz = 2000 },
	.plain = { .mgtclass = IB_PERFORMANCE_CLASS, .method = IB_MAD_METHOD_GET, .trid = 1 },
	.send = { .mgtclass = FABRIC_VENDOR2, .method = IB_MAD_METHOD_SEND, .oui = FABRIC_OUI },
	.sa = { .attrid = IB_SA_ATTR_PATHRECORD, .method = IB_MAD_METHOD_GET },
	.vendor = { .method = IB_MAD_METHOD_GET, .mgmt_class = FABRIC_VENDOR1, .oui = FABRIC_OUI },
	.gid = { 0xfe, 0x80 },
	.guid = 1,
};
static struct arguments a;

static char gid_text[] = "fe80::1", lid_text[] = "7", route_text[] = "0,1,6";
static uint8_t long_data[1000]; /* longer than a segment */
static const struct iovec long_part = { long_data, sizeof(long_data) };
static const struct mad_sa_request long_query = { .attr_id = IB_SA_ATTR_MULTIPATH,
						  .method = IB_MAD_METHOD_GETMULTI,
						  .data = long_data,
						  .data_size = 300 };
static const struct mad_sa_mc_member of_group_member = { .mgid = { 0xff, 0x12, [15] = 1 } };
static const struct mad_sa_mc_request of_group = { .member = &of_group_member };

/* The response to a request that found no record. */
static uint8_t a_response[IB_MAD_SIZE] = { [3] = 0x92, [1] = IB_SA_CLASS };
static const struct mad_async_result a_result = {
	.error = EIO, .status = 0x300, .mad = a_response, .mad_size = sizeof(a_response)
};

static const struct mad_fabric_node a_node = { .guid = 1, .type = IB_NODE_CA, .port_count = 1 };
static const struct mad_fabric_port a_port = {
	.node = &a_node, .port_number = 1, .guid = 2, .lid = 3, .peer_error = ETIMEDOUT
};
static const struct mad_fabric_description description = {
	.node_size = sizeof(a_node),
	.port_size = sizeof(a_port),
	.nodes = &a_node,
	.node_count = 1,
	.ports = &a_port,
	.port_count = 1,
};

/* Objects of a scene, all of the fabric behind an open port. */
static struct {
	struct mad_sa_table *table;
	struct mad_fabric *found;
	struct mad_fabric_counters *counters;
	struct mad_fabric_changes *changes;
	const struct mad_fabric_node *node;
	const struct mad_fabric_counter_row *row;
	struct umad_device_node *devices;
	umad_ca_t ca;
	umad_port_t port;
	void *umad;
	struct mad_keys *keys;
} t;
static struct mad_async *async;
static int64_t request;

#define FREE_THINGS                                                                              \
	umad_free_ca_device_list(t.devices), umad_release_ca(&t.ca), umad_release_port(&t.port), \
		mad_free(t.umad), mad_keys_free(t.keys), mad_fabric_changes_free(t.changes),     \
		mad_fabric_counters_free(t.counters), mad_fabric_free(t.found),                  \
		mad_sa_table_free(t.table), memset(&t, 0, sizeof(t))

static void ignore(struct mad_async *of, const struct mad_async_result *result, void *context)
{
	(void)of, (void)result, (void)context;
}

static void *read_things(void)
{
	struct ibmad_port *port = fabric_port.set_up();

	t.devices = umad_get_ca_device_list();
	umad_get_ca("mlx5_0", &t.ca);
	umad_get_port("mlx5_0", 1, &t.port);
	t.umad = mad_alloc();
	t.keys = mad_keys_create();
	async = mad_async_create(port, NULL);
	request = mad_async_perf_get(async, ASYNC_TO(&usual.to, ignore, NULL), IB_GSI_PORT_COUNTERS,
				     1);
	t.table = mad_sa_query_all(port, &usual.sm, IB_SA_ATTR_NODERECORD, 0);
	t.found = mad_fabric_discover(port, NULL);
	t.counters = mad_fabric_counters_read(port, t.found, NULL);
	t.changes = mad_fabric_compare(t.found, t.found);
	t.node = mad_fabric_next_node(t.found, NULL);
	t.row = mad_fabric_counters_next(t.counters, NULL);
	return port;
}

static void free_things(void *port)
{
	FREE_THINGS;
	mad_async_free(async);
	fabric_port.tear_down(port);
}

static const struct fault_scene fabric_things = { "objects of a fabric", read_things, free_things,
						  NULL };

static void take_table(struct fault_run *run, struct mad_sa_table *result)
{
	unsigned count = mad_sa_table_count(result);

	fault_pointer(run, result);
	if (result)
		memcpy(run->output, &count, sizeof(count));
	for (unsigned i = 0; i < count; i++) {
		size_t size;
		const uint8_t *record = mad_sa_table_record(result, i, &size);

		memcpy(run->output + 4 + i * size, record, size);
	}
	mad_sa_table_free(result);
}

#define CALL(function, way, scene, flags, ...)                                               \
	FAULT_NUMBERED(__COUNTER__, function, sizeof(#way) == 2 ? NULL : #way, scene, flags) \
	{                                                                                    \
		a = usual;                                                                   \
		__VA_ARGS__                                                                  \
	}
#define POINTER(scene, flags, function, way, ...)                     \
	CALL(#function, way, fabric_##scene, flags, fault_begin(run); \
	     fault_pointer(run, (__VA_ARGS__));)
#define MINUS_ONE(scene, flags, function, way, ...)                   \
	CALL(#function, way, fabric_##scene, flags, fault_begin(run); \
	     fault_minus_one(run, (__VA_ARGS__));)
#define OBJECT(scene, function, free_it, ...)                   \
	CALL(#function, _, fabric_##scene, 0, fault_begin(run); \
	     free_it(fault_pointer(run, (__VA_ARGS__)));)
#define TABLE(scene, function, way, ...)                                                   \
	CALL(#function, way, fabric_##scene, FAULT_UNTOUCHED, struct mad_sa_table *result; \
	     fault_begin(run); result = __VA_ARGS__; fault_end(run); take_table(run, result);)
#define TEXT_OF(...) #__VA_ARGS__
#define PURE(scene, ...)                                                                   \
	CALL(TEXT_OF(__VA_ARGS__), _, fabric_##scene, FAULT_PURE, memset(BUFFER, 0, SIZE); \
	     fault_begin(run); __VA_ARGS__; fault_end(run); fault_cannot_fail(run);)

/* The functions that print an attribute or a value. */
#define DUMPED(mgmt_class, id, name, function, ...) PART(function, __VA_ARGS__)
#define PRINTED(mgmt_class, id, name, ...)
#define NAMED(mgmt_class, id, name)
#define PART(function, ...)	  PURE(bare, mad_dump_##function(TEXT, SIZE, BUFFER, 256))
#define VALUE_DUMP(function, ...) PURE(bare, function(TEXT, SIZE, BUFFER, 256))
#include "common/mad_attributes.h"
#include "listed.h"
#include "tests/lib/value-dumps.h"
