/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * fuzz-request.c - any response to any request: a row of the table of requests (tests/lib/requests)
 * with other arguments from the input. A blocking call takes no longer than its attempts may,
 * returns only data of a response to it, and reports why it fails; an address that is not found is
 * as it was. Of many asynchronous requests, with cancels, blocking calls and submissions from
 * callbacks in between, each that was accepted completes exactly once.
 */
#include "fuzz.h"

#include <errno.h>
#include <stdlib.h>

#include <sanitizer/asan_interface.h>

#include <infiniband/mad_sa.h>

#include "tests/lib/requests/call.h"

enum { MAX_ROWS = 2000, REDIRECTS_MAX = 8, RESPONSE_REDIRECT = 5 };

static struct {
	struct request_row *row;
	uint16_t hash; /* of its name: an input keeps its row when the table gets more */
} rows[MAX_ROWS];
static unsigned row_count;
static struct request_call row_call;

static uint16_t hash_of(const char *name)
{
	uint32_t hash = 5381;

	while (*name)
		hash = hash * 33 ^ (uint8_t)*name++;
	return (uint16_t)(hash ^ hash >> 16);
}

static void read_rows(void)
{
	for (struct request_row *row = request_table_read(REQUESTS_TABLE); row; row = row->next) {
		FUZZ_CHECK(row_count < MAX_ROWS);
		rows[row_count].row = row;
		rows[row_count++].hash = hash_of(row->name);
	}
	FUZZ_CHECK(row_count);
}

/* The row whose hash comes next. */
static const struct request_row *find_row(uint16_t hash)
{
	unsigned found = 0;

	for (unsigned i = 1; i < row_count; i++)
		if ((uint16_t)(rows[i].hash - hash) < (uint16_t)(rows[found].hash - hash))
			found = i;
	return rows[found].row;
}

static bool is_kind(const struct request_call *call, const char *begin)
{
	return !strncmp(call->kind->name, begin, strlen(begin));
}

static void change_arguments(struct request_call *call, struct fuzz_input *input)
{
	uint8_t which = fuzz_u8(input);

	for (int i = 0; i < 5; i++)
		if (which & 1 << i)
			call->arguments[i] = which & 0x80 ? fuzz_u64(input) : fuzz_u16(input);
	if (which & 0x20)
		call->rmpp.flags = fuzz_u8(input);
	if (which & 0x40)
		call->rmpp.type = fuzz_u8(input) & 7;
}

static void change_rpc(ib_rpc_cc_t *rpc, struct fuzz_input *input)
{
	static const uint8_t classes[] = { 0x03, 0x04, 0x81, 0x01, 0x21, 0x0a, 0x32, 0x05 };
	uint8_t which = fuzz_u8(input), more = fuzz_u8(input);

	rpc->mgtclass = more & 1 ? fuzz_u8(input) : classes[which & 7];
	if (which & 8)
		rpc->mgtclass |= IB_MAD_RPC_VERSION1;
	if (which & 16)
		rpc->method = fuzz_u8(input);
	if (which & 32)
		rpc->attr.id = fuzz_u16(input);
	if (which & 64)
		rpc->dataoffs = fuzz_u8(input) + (more & 64 ? 200 : 0);
	if (which & 128)
		rpc->datasz = fuzz_u16(input) % (REQUEST_DATA + 1);
	if (more & 2)
		rpc->trid = fuzz_u32(input);
	if (more & 4)
		rpc->oui = fuzz_u32(input);
	if (more & 8)
		rpc->rstatus = fuzz_u16(input);
	if (more & 16)
		rpc->cckey = rpc->mask = rpc->mkey = fuzz_u64(input);
	if (more & 32)
		rpc->datasz = -rpc->datasz;
}

/* Places the data where the changed arguments say. */
static void place_data(struct request_call *call)
{
	const ib_rpc_t *rpc = &call->rpc.plain;
	bool log = (unsigned)call->arguments[0] == IB_CC_ATTR_CONGESTION_LOG;
	bool range1 = mad_is_vendor_range1((int)call->arguments[0]);

	if (is_kind(call, "cc")) {
		call->offset = log ? IB_CC_LOG_DATA_OFFS : IB_CC_DATA_OFFS;
		call->size = log ? IB_CC_LOG_DATA_SZ : IB_CC_DATA_SZ;
	} else if (is_kind(call, "vendor")) {
		call->offset = range1 ? IB_VENDOR_RANGE1_DATA_OFFS : IB_VENDOR_RANGE2_DATA_OFFS;
		call->size = range1 ? IB_VENDOR_RANGE1_DATA_SIZE : IB_VENDOR_RANGE2_DATA_SIZE;
	} else if (!call->kind->offset) {
		call->offset = (size_t)rpc->dataoffs;
		call->size =
			rpc->datasz > 0 && rpc->datasz <= REQUEST_DATA ? (size_t)rpc->datasz : 0;
	}
}

static void read_call(struct request_call *call, struct ibmad_port *port, struct fuzz_input *input)
{
	uint8_t which = fuzz_u8(input);

	request_call_read(call, find_row(fuzz_u16(input))->call, port);
	if (which & 1)
		fuzz_portid(input, &call->to);
	if (which & 2)
		change_arguments(call, input);
	if (which & 4)
		change_rpc(&call->rpc.cc, input);
	if (which & 8)
		snprintf(call->missing, sizeof(call->missing), "payload");
	if (which & 16)
		snprintf(call->missing, sizeof(call->missing), "to");
	if (which & 32)
		fuzz_text(input, call->text, sizeof(call->text));
	place_data(call);
}

/* Whether a call has no data: it finds an address, or changes a membership. */
static bool is_without_data(const struct request_call *call)
{
	return call->kind->offset && !call->kind->size;
}

/* Whether a response follows: a Send ends with the write. */
static bool has_response(const struct request_call *call)
{
	uint64_t method = call->arguments[is_kind(call, "vendor")];

	if (is_kind(call, "send"))
		return false;
	return !(is_kind(call, "vendor") || is_kind(call, "bm")) || method == IB_MAD_METHOD_GET ||
	       method == IB_MAD_METHOD_SET || method == IB_MAD_METHOD_TRAP;
}

static void check_status(const struct request_call *call)
{
	bool is_rpc = is_kind(call, "rpc");
	bool has_status = is_kind(call, "smp_get") || !strcmp(call->kind->name, "smp_set");
	const ib_rpc_v1_t *rpc = &call->rpc.version1;

	if (*call->missing && !request_misses(call, "payload"))
		return;
	if (has_status)
		FUZZ_CHECK(call->rstatus >= 0 && call->rstatus < 0x8000);
	if (is_rpc && (rpc->mgtclass & 0xff00) == IB_MAD_RPC_VERSION1)
		FUZZ_CHECK(rpc->error == call->error);
	if ((has_status || is_rpc) && !call->failed)
		FUZZ_CHECK(!call->rstatus);
}

static void check_data(const struct request_call *call)
{
	size_t size = call->size;

	FUZZ_CHECK(!memcmp(call->data + size, call->given + size, REQUEST_DATA - size));
	if (!call->failed)
		FUZZ_CHECK(!call->error);
	if (request_misses(call, "data")) /* mad_rpc() returns it */
		return;
	FUZZ_CHECK(!call->failed || call->error > 0);
	if (is_without_data(call))
		return;
	if (!call->failed && has_response(call))
		FUZZ_CHECK(fuzz_kernel_responded(call->data, call->offset, size));
	else if (!(call->kind->flags & REQUEST_IN_PLACE))
		FUZZ_CHECK(!memcmp(call->data, call->given, size));
}

static void check_found(const struct request_call *call)
{
	const ib_portid_t *found = &call->found;

	if (call->failed)
		FUZZ_CHECK(!memcmp(found, &call->found_before, sizeof(*found)));
	if (call->failed || !is_kind(call, "resolve_text"))
		return;
	FUZZ_CHECK(found->lid >= 0 && found->lid < 0xc000);
	FUZZ_CHECK(found->drpath.cnt >= 0 && found->drpath.cnt < IB_SUBNET_PATH_HOPS_MAX);
	FUZZ_CHECK(strlen(portid2str((ib_portid_t *)found)) > 4);
}

/* Checks that texts of a record end, with every function that reads one. */
static void check_record(const struct mad_sa_table *table, unsigned i)
{
	struct mad_sa_port_info port_info;
	struct mad_sa_mc_member mc_member;
	struct mad_sa_service service;
	struct mad_sa_sm_info sm_info;
	struct mad_sa_node node;
	struct mad_sa_link link;
	struct mad_sa_path path;

	if (!mad_sa_get_node(table, i, &node))
		FUZZ_CHECK(strnlen(node.description, sizeof(node.description)) < 65);
	if (!mad_sa_get_port_info(table, i, &port_info))
		fuzz_touch(port_info.port_info, 64);
	if (!mad_sa_get_service(table, i, &service))
		FUZZ_CHECK(strnlen(service.name, sizeof(service.name)) < 65);
	mad_sa_get_link(table, i, &link);
	mad_sa_get_path(table, i, &path);
	mad_sa_get_sm_info(table, i, &sm_info);
	mad_sa_get_mc_member(table, i, &mc_member);
}

static void check_table(const struct mad_sa_table *table)
{
	unsigned count = mad_sa_table_count(table);
	struct mad_sa_node node;
	size_t size = 0;

	for (unsigned i = 0; i < count; i++) {
		fuzz_touch(mad_sa_table_record(table, i, &size), size);
		FUZZ_CHECK(size && count * size <= fuzz_kernel_longest());
		if (i < 3)
			check_record(table, i);
	}
	FUZZ_CHECK(!mad_sa_table_record(table, count, NULL));
	errno = 0;
	FUZZ_CHECK(mad_sa_get_node(table, count, &node) < 0);
	FUZZ_CHECK(errno == ENOENT || errno == EINVAL);
}

/* Without a timeout of the caller's, a table that does not arrive is waited for up to 21.6 minutes.
 */
static void make_table(const struct request_call *call, struct fuzz_call *times,
		       struct ibmad_port *port)
{
	const uint64_t *arguments = call->arguments;
	const struct mad_sa_request query = {
		.method = arguments[0],
		.attr_id = arguments[1],
		.attr_mod = arguments[2],
		.mask = arguments[3],
		.sm_key = arguments[4],
		.data = call->rmpp.flags ? call->data : NULL,
		.data_size = call->rmpp.flags ? (unsigned)call->rmpp.flags : 0,
		.timeout_ms = (int)times->timeout_ms,
	};
	ibmad_gid_t gid = { 0xfe, 0x80 };
	struct mad_sa_table *table;

	if (call->rmpp.type)
		table = mad_sa_query_paths(port, &call->to, gid, gid, (int)times->timeout_ms);
	else
		table = mad_sa_query(port, request_misses(call, "to") ? NULL : &call->to, &query,
				     NULL);
	FUZZ_CHECK(table || errno > 0);
	if (!times->timeout_ms)
		times->timeout_ms = 1296000;
	fuzz_call_end(times);
	if (table)
		check_table(table);
	mad_sa_table_free(table);
}

static void make_call(struct ibmad_port *port, struct fuzz_input *input)
{
	struct request_call *call = &row_call;
	struct fuzz_call times;
	size_t length;

	read_call(call, port, input);
	length = strlen(call->text) + 1;
	fuzz_call_begin(&times, port, input);
	if (is_kind(call, "query")) {
		make_table(call, &times, port);
		return;
	}
	call->timeout_ms = times.timeout_ms;
	call->rpc.plain.timeout = (int)times.timeout_ms;
	ASAN_POISON_MEMORY_REGION(call->data + call->size, REQUEST_DATA - call->size);
	ASAN_POISON_MEMORY_REGION(call->text + length, sizeof(call->text) - length);
	request_call_make(call, port);
	ASAN_UNPOISON_MEMORY_REGION(call->data, REQUEST_DATA);
	ASAN_UNPOISON_MEMORY_REGION(call->text, sizeof(call->text));
	fuzz_call_end(&times);
	FUZZ_CHECK(fuzz_kernel.writes - times.writes <= (is_without_data(call) ? 6U : 2U) *
								(unsigned)mad_get_retries(port) *
								(1 + 3 * REDIRECTS_MAX));
	check_status(call);
	check_found(call);
	check_data(call);
}

/* Builds the request as a packet for umad_send(): in the caller's buffer, or not at all. */
static void build_packet(struct ibmad_port *port, struct fuzz_input *input)
{
	uint8_t *umad = fuzz_guard(FUZZ_HEADER + FUZZ_MAD), *mad = umad + FUZZ_HEADER, *data;
	uint8_t which = fuzz_u8(input), untouched[FUZZ_MAD] = { 0 };
	struct request_call *call = &row_call;
	ib_rpc_t *rpc = &call->rpc.plain;
	size_t size;
	int result;

	read_call(call, port, input);
	change_rpc(&call->rpc.cc, input);
	size = rpc->datasz > 0 ? (size_t)rpc->datasz % (REQUEST_DATA + 1) : 0;
	if (rpc->datasz > 0)
		rpc->datasz = (int)size;
	data = fuzz_guard(size);
	memset(data, which, size);
	memset(umad, 0, FUZZ_HEADER + FUZZ_MAD);
	if (which & 4)
		data = NULL;
	errno = 0;
	if (which & 1)
		result = mad_build_pkt(umad, rpc, &call->to, which & 2 ? &call->rmpp : NULL, data);
	else
		result = mad_encode(mad, rpc, which & 2 ? NULL : &call->to.drpath, data) ? FUZZ_MAD
											 : -1;
	FUZZ_CHECK(result == FUZZ_MAD || (result == -1 && errno == EINVAL));
	FUZZ_CHECK(result > 0 || !memcmp(mad, untouched, FUZZ_MAD));
	if (result < 0 || (data && rpc->datasz && rpc->dataoffs < 24))
		return; /* data lies where headers were */
	FUZZ_CHECK(mad[0] == 1 && mad[1] == (uint8_t)rpc->mgtclass);
}

/*
 * Asynchronous requests
 */

enum { MAX_REQUESTS = 64, MAX_STEPS = 48 };

static struct request {
	int64_t id;
	int completions;
} requests[MAX_REQUESTS];
static unsigned request_count, pending;
static int most_tries; /* rows may set the retries of the port */
static bool is_nested, refuses, has_cancelled_all;
static struct fuzz_input *source;

static void submit(struct mad_async *async, struct ibmad_port *port);

static void check_result(const struct mad_async_result *result)
{
	FUZZ_CHECK(result->error >= 0 && result->from);
	FUZZ_CHECK(result->error || (result->mad && !result->status));
	FUZZ_CHECK(result->attempts <= (unsigned)most_tries * (1 + REDIRECTS_MAX));
	FUZZ_CHECK(result->error != ECANCELED || !result->mad);
	FUZZ_CHECK(!result->mad == !result->mad_size);
	FUZZ_CHECK(!result->data == !result->data_size || result->mad);
	if (result->mad)
		fuzz_touch(result->mad, result->mad_size);
	if (result->data)
		FUZZ_CHECK(fuzz_kernel_delivered(result->data, (size_t)(result->data - result->mad),
						 result->data_size));
}

static void completed(struct mad_async *async, const struct mad_async_result *result, void *context)
{
	struct request *request = context;

	FUZZ_CHECK(request >= requests && request < requests + request_count);
	FUZZ_CHECK(!request->completions++);
	FUZZ_CHECK(result->id == request->id);
	FUZZ_CHECK(mad_async_pending(async) == (int)pending);
	check_result(result);
	if (!is_nested && source->left && (fuzz_u8(source) & 7) == 7) {
		is_nested = true;
		submit(async, NULL);
		mad_async_cancel(async, requests[fuzz_u8(source) % request_count].id);
		is_nested = false;
	}
	pending--; /* this request counts until its callback returns */
}

static void submit(struct mad_async *async, struct ibmad_port *port)
{
	struct request *request = &requests[request_count];
	struct request_call *call = &row_call;

	if (request_count == MAX_REQUESTS)
		return;
	read_call(call, port, source);
	if (port && mad_get_retries(port) > most_tries)
		most_tries = mad_get_retries(port);
	if (!(call->kind->flags & REQUEST_ASYNC))
		return;
	errno = 0;
	request->completions = 0;
	request->id = request_submit(call, async, completed, request);
	FUZZ_CHECK(request->id > 0 || errno > 0);
	FUZZ_CHECK(request->id < 0 || !refuses);
	request_count += request->id > 0;
	pending += request->id > 0;
}

static void cancel(struct mad_async *async)
{
	const struct request *request = &requests[fuzz_u8(source) % MAX_REQUESTS];
	int result;

	if (request >= requests + request_count)
		return;
	errno = 0;
	result = mad_async_cancel(async, request->id);
	FUZZ_CHECK(result == 1 || (result == -1 && errno == ENOENT));
	FUZZ_CHECK(!request->completions || result == -1);
}

static void dispatch(struct mad_async *async, int timeout_ms)
{
	unsigned before = pending;
	int result;

	errno = 0;
	result = mad_async_dispatch(async, 0, timeout_ms);
	FUZZ_CHECK(result >= 0 || errno > 0);
	FUZZ_CHECK(result <= 0 || pending + (unsigned)result >= before);
	FUZZ_CHECK(timeout_ms >= 0 || result || !before);
}

static void block(const struct ibmad_port *port)
{
	uint8_t data[IB_SMP_DATA_SIZE] = { 0 };
	ib_portid_t portid = { .lid = 3 };

	smp_query_via(data, &portid, IB_ATTR_NODE_INFO, 0, 5, port);
}

static void step(struct mad_async *async, struct ibmad_port *port)
{
	uint8_t action = fuzz_u8(source);

	if ((action & 7) < 4) {
		submit(async, port);
	} else if ((action & 7) == 4) {
		dispatch(async, action >> 3);
	} else if ((action & 7) == 5) {
		cancel(async);
	} else if ((action & 15) == 14) {
		block(port);
	} else if (action >= 0xf0 && !has_cancelled_all) {
		mad_async_cancel_all(async);
		has_cancelled_all = true; /* cancelling all takes long */
	} else {
		dispatch(async, action & 1 ? 0 : -1);
	}
	FUZZ_CHECK(mad_async_pending(async) == (int)pending);
}

static void make_asynchronous(struct ibmad_port *port, struct fuzz_input *input)
{
	uint8_t control = fuzz_u8(input);
	struct mad_async_options options = {
		.window = control & 7,
		.max_queued = control & 8 ? control >> 4 : 0,
		.timeout_ms = control & 16 ? 40 : 0,
		.attempts = control & 32 ? 2 : 0,
	};
	struct mad_async *async =
		mad_async_create_sized(port, control & 64 ? NULL : &options, sizeof(options));
	int steps = MAX_STEPS;

	FUZZ_CHECK(async);
	source = input;
	request_count = pending = 0;
	most_tries = mad_get_retries(port) > 2 ? mad_get_retries(port) : 2;
	refuses = has_cancelled_all = false;
	while (input->left && steps--)
		step(async, port);
	refuses = true;
	mad_async_free(async);
	FUZZ_CHECK(!pending);
	for (unsigned i = 0; i < request_count; i++)
		FUZZ_CHECK(requests[i].completions == 1);
}

void fuzz_target(struct fuzz_input *input)
{
	struct ibmad_port *port = fuzz_open_port(input);
	struct mad_rpc_statistics statistics;
	uint8_t saved[IB_MAD_SIZE], control = fuzz_u8(input);
	int calls = 4;

	if (!row_count)
		read_rows();
	madrpc_show_errors(control & 1);
	umad_debug(control & 16 ? 2 : 0);
	madrpc_save_mad(control & 2 ? saved : NULL, sizeof(saved));
	fuzz_kernel.preferred = control & 4 ? RESPONSE_REDIRECT : -1;
	do {
		if (control & 32)
			make_asynchronous(port, input);
		else if (control & 8)
			build_packet(port, input);
		else
			make_call(port, input);
	} while (input->left && --calls);
	FUZZ_CHECK(!mad_rpc_get_statistics(port, &statistics));
	FUZZ_CHECK(statistics.sent <= fuzz_kernel.writes);
	madrpc_save_mad(NULL, 0);
	madrpc_show_errors(0);
	umad_debug(0);
	mad_rpc_close_port(port);
}
