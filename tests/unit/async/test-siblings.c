/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Each submitting call against its blocking counterpart: the same packet goes out, the transaction
 * ID aside, and the same data comes back.
 */
#include "test.h"
#include "fixture.h"

#include <string.h>

#define DATA_SIZE 256

/* The arguments of a pair of functions. */
struct arguments {
	ib_portid_t to;
	uint8_t data[DATA_SIZE];
};

/* A pair of functions. Both begin with the same arguments. */
struct pair_of_calls {
	const char *name;
	void *(*block)(struct ibmad_port *port, struct arguments *arguments);
	int (*submit)(struct mad_async *async, const struct arguments *arguments,
		      mad_async_callback *callback, void *context, uint64_t *id);
	bool directed;
	bool fills_in; /* a Get: the call begins with zeros as data */
	size_t data_length;
};

static void *block_smp_get(struct ibmad_port *port, struct arguments *arguments)
{
	return smp_query_via(arguments->data, &arguments->to, 0x15, 7, 0, port);
}

static int submit_smp_get(struct mad_async *async, const struct arguments *arguments,
			  mad_async_callback *callback, void *context, uint64_t *id)
{
	return mad_async_smp_get(async, &arguments->to, 0x15, 7, callback, context, id);
}

static void *block_smp_set(struct ibmad_port *port, struct arguments *arguments)
{
	return smp_set_via(arguments->data, &arguments->to, 0x15, 7, 0, port);
}

static int submit_smp_set(struct mad_async *async, const struct arguments *arguments,
			  mad_async_callback *callback, void *context, uint64_t *id)
{
	return mad_async_smp_set(async, &arguments->to, 0x15, 7, arguments->data, callback, context,
				 id);
}

static void *block_perf_get(struct ibmad_port *port, struct arguments *arguments)
{
	return pma_query_via(arguments->data, &arguments->to, 3, 0, IB_GSI_PORT_COUNTERS, port);
}

static int submit_perf_get(struct mad_async *async, const struct arguments *arguments,
			   mad_async_callback *callback, void *context, uint64_t *id)
{
	return mad_async_perf_get(async, &arguments->to, 3, IB_GSI_PORT_COUNTERS, callback, context,
				  id);
}

static void *block_perf_reset(struct ibmad_port *port, struct arguments *arguments)
{
	return performance_reset_via(arguments->data, &arguments->to, 3, 0x12345678, 0,
				     IB_GSI_PORT_COUNTERS, port);
}

static int submit_perf_reset(struct mad_async *async, const struct arguments *arguments,
			     mad_async_callback *callback, void *context, uint64_t *id)
{
	return mad_async_perf_reset(async, &arguments->to, 3, 0x12345678, IB_GSI_PORT_COUNTERS,
				    callback, context, id);
}

static void *block_perf_reset_all(struct ibmad_port *port, struct arguments *arguments)
{
	return performance_reset_via(arguments->data, &arguments->to, 255, 0, 0,
				     IB_GSI_PORT_COUNTERS_EXT, port);
}

static int submit_perf_reset_all(struct mad_async *async, const struct arguments *arguments,
				 mad_async_callback *callback, void *context, uint64_t *id)
{
	return mad_async_perf_reset(async, &arguments->to, 255, 0, IB_GSI_PORT_COUNTERS_EXT,
				    callback, context, id);
}

static const ib_sa_call_t sa_query = {
	.attrid = IB_SA_ATTR_PATHRECORD,
	.mod = 9,
	.mask = 0x1122334455667788,
	.method = IB_MAD_METHOD_GET_TABLE,
};

static void *block_sa(struct ibmad_port *port, struct arguments *arguments)
{
	ib_sa_call_t sa = sa_query;

	return sa_rpc_call(port, arguments->data, &arguments->to, &sa, 0);
}

static int submit_sa(struct mad_async *async, const struct arguments *arguments,
		     mad_async_callback *callback, void *context, uint64_t *id)
{
	return mad_async_sa_call(async, &arguments->to, &sa_query, arguments->data, callback,
				 context, id);
}

static const ib_rmpp_hdr_t rmpp_header = {
	.type = IB_RMPP_TYPE_DATA,
	.flags = IB_RMPP_FLAG_ACTIVE | IB_RMPP_FLAG_FIRST | IB_RMPP_FLAG_LAST,
	.d1.segnum = 1,
	.d2.len = 220,
};

static void *block_sa_rmpp(struct ibmad_port *port, struct arguments *arguments)
{
	ib_sa_call_t sa = sa_query;

	sa.rmpp = rmpp_header;
	return sa_rpc_call(port, arguments->data, &arguments->to, &sa, 0);
}

static int submit_sa_rmpp(struct mad_async *async, const struct arguments *arguments,
			  mad_async_callback *callback, void *context, uint64_t *id)
{
	ib_sa_call_t sa = sa_query;

	sa.rmpp = rmpp_header;
	return mad_async_sa_call(async, &arguments->to, &sa, arguments->data, callback, context,
				 id);
}

#define CC_KEY_VALUE 0x0102030405060708

static void *block_cc_get(struct ibmad_port *port, struct arguments *arguments)
{
	return cc_query_status_via(arguments->data, &arguments->to,
				   IB_CC_ATTR_SWITCH_CONGESTION_SETTING, 5, 0, NULL, port,
				   CC_KEY_VALUE);
}

static int submit_cc_get(struct mad_async *async, const struct arguments *arguments,
			 mad_async_callback *callback, void *context, uint64_t *id)
{
	return mad_async_cc_get(async, &arguments->to, IB_CC_ATTR_SWITCH_CONGESTION_SETTING, 5,
				CC_KEY_VALUE, callback, context, id);
}

static void *block_cc_log(struct ibmad_port *port, struct arguments *arguments)
{
	return cc_query_status_via(arguments->data, &arguments->to, IB_CC_ATTR_CONGESTION_LOG, 0, 0,
				   NULL, port, CC_KEY_VALUE);
}

static int submit_cc_log(struct mad_async *async, const struct arguments *arguments,
			 mad_async_callback *callback, void *context, uint64_t *id)
{
	return mad_async_cc_get(async, &arguments->to, IB_CC_ATTR_CONGESTION_LOG, 0, CC_KEY_VALUE,
				callback, context, id);
}

static void *block_cc_set(struct ibmad_port *port, struct arguments *arguments)
{
	uint8_t payload[DATA_SIZE];

	memcpy(payload, arguments->data, sizeof(payload));
	return cc_config_status_via(payload, arguments->data, &arguments->to,
				    IB_CC_ATTR_CA_CONGESTION_SETTING, 6, 0, NULL, port,
				    CC_KEY_VALUE);
}

static int submit_cc_set(struct mad_async *async, const struct arguments *arguments,
			 mad_async_callback *callback, void *context, uint64_t *id)
{
	return mad_async_cc_set(async, &arguments->to, IB_CC_ATTR_CA_CONGESTION_SETTING, 6,
				CC_KEY_VALUE, arguments->data, callback, context, id);
}

static const ib_vendor_call_t vendor_range1 = {
	.method = IB_MAD_METHOD_GET,
	.mgmt_class = 0x0a,
	.attrid = 0x77,
	.mod = 0x0a0b0c0d,
};

static const ib_vendor_call_t vendor_range2 = {
	.method = IB_MAD_METHOD_SET,
	.mgmt_class = 0x32,
	.attrid = 0x10,
	.mod = 4,
	.oui = 0x001405,
	.timeout = 777,
};

static void *block_vendor1(struct ibmad_port *port, struct arguments *arguments)
{
	ib_vendor_call_t call = vendor_range1;

	return ib_vendor_call_via(arguments->data, &arguments->to, &call, port);
}

static int submit_vendor1(struct mad_async *async, const struct arguments *arguments,
			  mad_async_callback *callback, void *context, uint64_t *id)
{
	return mad_async_vendor_call(async, &arguments->to, &vendor_range1, arguments->data,
				     callback, context, id);
}

static void *block_vendor2(struct ibmad_port *port, struct arguments *arguments)
{
	ib_vendor_call_t call = vendor_range2;

	return ib_vendor_call_via(arguments->data, &arguments->to, &call, port);
}

static int submit_vendor2(struct mad_async *async, const struct arguments *arguments,
			  mad_async_callback *callback, void *context, uint64_t *id)
{
	return mad_async_vendor_call(async, &arguments->to, &vendor_range2, arguments->data,
				     callback, context, id);
}

static void *block_vendor_rmpp(struct ibmad_port *port, struct arguments *arguments)
{
	ib_vendor_call_t call = vendor_range2;

	call.rmpp = rmpp_header;
	return ib_vendor_call_via(arguments->data, &arguments->to, &call, port);
}

static int submit_vendor_rmpp(struct mad_async *async, const struct arguments *arguments,
			      mad_async_callback *callback, void *context, uint64_t *id)
{
	ib_vendor_call_t call = vendor_range2;

	call.rmpp = rmpp_header;
	return mad_async_vendor_call(async, &arguments->to, &call, arguments->data, callback,
				     context, id);
}

/* Raw requests of each of the three forms. */
static const ib_rpc_cc_t raw_cc = {
	.mgtclass = IB_CC_CLASS,
	.method = IB_MAD_METHOD_SET,
	.attr = { .id = 0x12, .mod = 3 },
	.dataoffs = IB_CC_DATA_OFFS,
	.datasz = IB_CC_DATA_SZ,
	.timeout = 1234,
	.cckey = CC_KEY_VALUE,
};

static const ib_rpc_v1_t raw_v1 = {
	.mgtclass = IB_BOARD_MGMT_CLASS | IB_MAD_RPC_VERSION1,
	.method = IB_MAD_METHOD_SET,
	.attr = { .id = 0x21, .mod = 0xfedcba98 },
	.dataoffs = 64,
	.datasz = 192,
	.mkey = 0x1020304050607080,
	.timeout = 4321,
};

static const ib_rpc_t raw = {
	.mgtclass = IB_SMI_CLASS,
	.method = IB_MAD_METHOD_GET,
	.attr = { .id = 0x20, .mod = 1 },
	.dataoffs = 64,
	.datasz = 64,
	.mkey = 0x0807060504030201,
};

static void *block_raw(struct ibmad_port *port, struct arguments *arguments)
{
	ib_rpc_t rpc = raw;

	return mad_rpc(port, &rpc, &arguments->to, arguments->data, arguments->data);
}

static int submit_raw(struct mad_async *async, const struct arguments *arguments,
		      mad_async_callback *callback, void *context, uint64_t *id)
{
	return mad_async_submit(async, &raw, &arguments->to, arguments->data, callback, context,
				id);
}

static void *block_raw_v1(struct ibmad_port *port, struct arguments *arguments)
{
	ib_rpc_v1_t rpc = raw_v1;

	return mad_rpc(port, (ib_rpc_t *)&rpc, &arguments->to, arguments->data, arguments->data);
}

static int submit_raw_v1(struct mad_async *async, const struct arguments *arguments,
			 mad_async_callback *callback, void *context, uint64_t *id)
{
	return mad_async_submit(async, (const ib_rpc_t *)&raw_v1, &arguments->to, arguments->data,
				callback, context, id);
}

static void *block_raw_cc(struct ibmad_port *port, struct arguments *arguments)
{
	ib_rpc_cc_t rpc = raw_cc;

	return mad_rpc(port, (ib_rpc_t *)&rpc, &arguments->to, arguments->data, arguments->data);
}

static int submit_raw_cc(struct mad_async *async, const struct arguments *arguments,
			 mad_async_callback *callback, void *context, uint64_t *id)
{
	return mad_async_submit(async, (const ib_rpc_t *)&raw_cc, &arguments->to, arguments->data,
				callback, context, id);
}

static const struct pair_of_calls calls[] = {
	{ "smp get by LID", block_smp_get, submit_smp_get, false, true, 64 },
	{ "smp get by directed route", block_smp_get, submit_smp_get, true, true, 64 },
	{ "smp set by LID", block_smp_set, submit_smp_set, false, false, 64 },
	{ "smp set by directed route", block_smp_set, submit_smp_set, true, false, 64 },
	{ "perf get", block_perf_get, submit_perf_get, false, true, 192 },
	{ "perf reset", block_perf_reset, submit_perf_reset, false, false, 192 },
	{ "perf reset of all", block_perf_reset_all, submit_perf_reset_all, false, false, 192 },
	{ "sa", block_sa, submit_sa, false, false, 200 },
	{ "cc get", block_cc_get, submit_cc_get, false, true, 192 },
	{ "cc log", block_cc_log, submit_cc_log, false, true, 224 },
	{ "cc set", block_cc_set, submit_cc_set, false, false, 192 },
	{ "vendor range 1", block_vendor1, submit_vendor1, false, false, 232 },
	{ "vendor range 2", block_vendor2, submit_vendor2, false, false, 216 },
	{ "raw", block_raw, submit_raw, false, false, 64 },
	{ "raw, version 1", block_raw_v1, submit_raw_v1, false, false, 192 },
	{ "raw, CC form", block_raw_cc, submit_raw_cc, false, false, 192 },
};

static const struct pair_of_calls calls_with_rmpp_headers[] = {
	{ "sa with an RMPP header", block_sa_rmpp, submit_sa_rmpp, false, false, 200 },
	{ "vendor with an RMPP header", block_vendor_rmpp, submit_vendor_rmpp, false, false, 216 },
};

static void fill_arguments(const struct pair_of_calls *call, struct arguments *arguments)
{
	memset(arguments, 0, sizeof(*arguments));
	arguments->to.lid = call->directed ? 0 : 0x1234;
	if (call->directed)
		arguments->to.drpath = (ib_dr_path_t){ .cnt = 3, .p = { 0, 1, 17, 36 } };
	arguments->to.sl = 5;
	arguments->to.pkey_idx = 1;
	arguments->to.grh_present = 1;
	memcpy(arguments->to.gid, "\xfe\x80 a global ID.", sizeof(arguments->to.gid));
	for (size_t i = 0; i < DATA_SIZE && !call->fills_in; i++)
		arguments->data[i] = (uint8_t)(i * 7 + 1);
}

/* The response: its data, distinguished from the request's. */
static void change_data(const struct responder_request *request,
			struct responder_response *response, void *context)
{
	uint8_t *data = context;

	for (int i = 0; i < 192; i++)
		data[i] = (uint8_t)(request->mad[64 + i] ^ 0x5a);
	response->data = data;
	response->data_offset = 64;
	response->data_size = 192;
}

static bool is_same_packet(const char *name)
{
	uint8_t blocking[RESPONDER_PACKET], asynchronous[RESPONDER_PACKET];

	assert_int_equal(responder_writes(), 2);
	responder_written(1, blocking);
	responder_written(2, asynchronous);
	for (size_t i = 0; i < sizeof(blocking); i++) {
		if (i >= RESPONDER_HEADER + 8 && i < RESPONDER_HEADER + 16)
			continue; /* transaction ID */
		if (blocking[i] == asynchronous[i])
			continue;
		print_error("%s: byte %zu is 0x%02x, not 0x%02x\n", name, i, asynchronous[i],
			    blocking[i]);
		return false;
	}
	return true;
}

/* Returns whether both send the same; fails the test if anything else differs. */
static bool compare_siblings(const struct pair_of_calls *call)
{
	struct outcome outcome = { .calls = 0 };
	struct arguments blocking, submitted, before;
	uint8_t changed[192];
	struct ibmad_port *port;
	struct mad_async *async;
	uint64_t id;
	bool same;

	responder_reset();
	port = open_port("mlx5_0");
	smp_mkey_set(port, 0x1122334455667788);
	sa_key_set(port, 0x99aabbccddeeff00);
	responder_plan(change_data, changed);
	fill_arguments(call, &blocking);
	assert_non_null(call->block(port, &blocking));

	async = create_async(port, 0, 0, 0);
	fill_arguments(call, &submitted);
	before = submitted;
	assert_int_equal(call->submit(async, &submitted, note_outcome, &outcome, &id), 0);
	assert_memory_equal(&submitted, &before, sizeof(before)); /* the caller's stays as it is */
	memset(&submitted, 0xff, sizeof(submitted));		  /* and has been copied */
	assert_int_equal(dispatch_all(async), 1);
	same = is_same_packet(call->name);
	assert_outcome(&outcome, 0);
	assert_int_equal(outcome.id, id);
	assert_int_equal(outcome.status, 0);
	assert_int_equal(outcome.tries, 1);
	assert_int_equal(outcome.mad_length, 256);
	assert_int_equal(outcome.data_length, call->data_length);
	assert_memory_equal(outcome.data, blocking.data, call->data_length);
	mad_async_destroy(async);
	mad_rpc_close_port(port);
	responder_finish();
	return same;
}

TEST(each_call_sends_what_its_sibling_sends)
{
	int different = 0;

	for (size_t i = 0; i < COUNT(calls); i++)
		different += !compare_siblings(&calls[i]);
	assert_int_equal(different, 0);
}

TEST(rmpp_headers_go_out_as_the_sibling_sends_them)
{
	int different = 0;

	for (size_t i = 0; i < COUNT(calls_with_rmpp_headers); i++)
		different += !compare_siblings(&calls_with_rmpp_headers[i]);
	assert_int_equal(different, 0);
}
