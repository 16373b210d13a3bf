/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Calls that fail say why: the public call of each row is refused for a reason of
 * common/refusals.h. It prints one line where lines for debugging are wanted, and nothing
 * elsewhere.
 */
#include "test.h"
#include "fakeumad.h"
#include "listen.h"

#include <infiniband/mad_address.h>
#include <infiniband/mad_async.h>
#include <infiniband/mad_fabric_counters.h>
#include <infiniband/mad_keys.h>
#include <infiniband/mad_message.h>
#include <infiniband/mad_sa.h>
#include <infiniband/umad.h>
#include <infiniband/umad_capture.h>
#include <infiniband/umad_monitor.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/refusals.h"
#include "libibmad-fabric/counters.h"
#include "libibmad/requests/requests.h"

static const struct {
	const char *text;
	int error;
} reasons[] = {
#define REASON(name, error, argument, right) { argument ": " right, error },
	{ "", 0 }, MAD_REFUSALS(REASON)
};
static bool was_given[COUNT(reasons)];

static struct ibmad_port *port;
static struct mad_async *async;
static struct mad_keys *keys;
static char place[256]; /* for arguments that must not be NULL */

static void ignore(struct mad_async *of, const struct mad_async_result *result, void *context)
{
	(void)of, (void)result, (void)context;
}

static ib_portid_t by_lid = { .lid = 5 };
static const struct mad_async_request usual = { .to = &by_lid, .callback = ignore };
#define WITH(address, function, ...)                                 \
	&(const struct mad_async_request)                            \
	{                                                            \
		.to = (address), .callback = (function), __VA_ARGS__ \
	}

static void set_level(int level)
{
	ibdebug = level;
	umad_debug(level);
}

/* The function has printed one line, with the name that programs in C know and this end. */
static void assert_line(const char *call, const char *end)
{
	size_t length = strcspn(call, "("), suffix = strlen("_sized");
	char start[96], *at;

	if (length > suffix && !strncmp(call + length - suffix, "_sized", suffix))
		length -= suffix;
	snprintf(start, sizeof(start), "ibdebug: [%d] %.*s: ", (int)getpid(), (int)length, call);
	if (!strncmp(call, "umad_", 5))
		snprintf(start, sizeof(start), "libibumad: %.*s: ", (int)length, call);
	at = strstr(said, start);
	if (!at || strncmp(at + strlen(start), end, strlen(end)) != 0)
		fail_msg("%s says\n%sand not\n%s%s", call, said, start, end);
	assert_null(strstr(at + 1, start));
}

static void assert_quiet(const char *call)
{
	if (strstr(said, "ibdebug") || strstr(said, "libibumad"))
		fail_msg("%s says without being asked\n%s", call, said);
}

static void end_of_line(char *text, size_t size, enum mad_refusal_number why)
{
	assert_int_equal(errno, reasons[why].error);
	snprintf(text, size, "%s: %s\n", reasons[why].text, strerror(errno));
	was_given[why] = true;
}

/* The call, which may be made twice, fails for that reason. */
#define REFUSED(why, call)                                                   \
	do {                                                                 \
		char text_[256];                                             \
                                                                             \
		set_level(0);                                                \
		listen(call);                                                \
		assert_quiet(#call);                                         \
		set_level(1);                                                \
		errno = 0;                                                   \
		listen(call);                                                \
		set_level(0);                                                \
		end_of_line(text_, sizeof(text_), MAD_REFUSAL_NUMBER_##why); \
		assert_line(#call, text_);                                   \
	} while (0)

static int setup(void **state)
{
	int status = fakeumad_setup(state);

	port = *state;
	async = mad_async_create(port, NULL);
	keys = mad_keys_create();
	return status || !async || !keys;
}

static int teardown(void **state)
{
	mad_async_free(async);
	mad_keys_free(keys);
	return fakeumad_teardown(state);
}
#define REFUSAL_TEST(name) TEST_WITH(name, setup, teardown)

REFUSAL_TEST(structures_and_sizes)
{
	struct {
		struct mad_async_options known;
		uint64_t more;
	} later = { .more = 1 };
	struct mad_sa_request *pointer = (void *)place;

	REFUSED(STRUCTURE, mad_rpc_get_statistics(port, NULL));
	REFUSED(STRUCTURE, mad_async_smp(async, NULL, 0x11, 0, NULL));
	REFUSED(STRUCTURE, mad_sa_query(port, NULL, NULL, NULL));
	REFUSED(STRUCTURE, umad_monitor_read((void *)place, NULL, 0));
	REFUSED(STRUCTURE, mad_notice_value(place, 1, 0, NULL));
	REFUSED(SIZE, mad_async_create_sized(port, &later.known, 0));
	REFUSED(SIZE, mad_sa_query_sized(port, NULL, pointer, sizeof(pointer), NULL));
	REFUSED(SIZE_MAX, mad_async_create_sized(port, &later.known, SIZE_MAX));
	REFUSED(NEWER_MEMBERS, mad_async_create_sized(port, &later.known, sizeof(later)));
}

REFUSAL_TEST(open_ports)
{
	static int none[] = { 0x7f };

	REFUSED(CLASSES, mad_rpc_open_port(NULL, 0, NULL, -1));
	REFUSED(CLASSES, mad_rpc_open_port(NULL, 0, NULL, 3));
	REFUSED(NO_CLASS, mad_rpc_open_port(NULL, 0, none, 1));
	REFUSED(CLASSES, mad_rpc_open_port2(NULL, 0, NULL, -1, 0));
	REFUSED(PORT, mad_rpc_get_statistics(NULL, (void *)place));
	REFUSED(PORT, mad_async_create(NULL, NULL));
	REFUSED(PORT, mad_route_forget(NULL));
	REFUSED(PORT, mad_port_set_keys(NULL, NULL));
	REFUSED(PORT, mad_receive_get_fd(NULL));
}

REFUSAL_TEST(asynchronous_requests)
{
	const ib_portid_t directed = { .drpath = { .cnt = 64 } };
	ib_rpc_t rpc = { .mgtclass = 6, .method = 1, .dataoffs = 64, .datasz = 64 };
	ib_sa_call_t sa = { .method = 1 };
	ib_vendor_call_t vendor = { .method = 1, .mgmt_class = 0x30 };
	int64_t id;

	REFUSED(OPTIONS_FLAGS,
		mad_async_create(port, &(const struct mad_async_options){ .flags = 1 }));
	REFUSED(OPTIONS_WINDOW,
		mad_async_create(port, &(const struct mad_async_options){ .window = 4097 }));
	REFUSED(OPTIONS_TIMES,
		mad_async_create(port, &(const struct mad_async_options){ .attempts = -1 }));
	REFUSED(ASYNC, mad_async_cancel(NULL, 1));
	REFUSED(ASYNC, mad_async_cancel_all(NULL));
	REFUSED(ASYNC, mad_async_pending(NULL));
	REFUSED(ASYNC, mad_async_in_window(NULL));
	REFUSED(ASYNC, mad_async_get_fd(NULL));
	REFUSED(ASYNC, mad_async_dispatch(NULL, 0, 0));
	REFUSED(ASYNC, mad_async_next(NULL, (void *)place));
	REFUSED(ASYNC, mad_async_cc(NULL, &usual, 1, 0, 0, NULL));
	REFUSED(REQUEST_TO, mad_async_smp(async, WITH(NULL, ignore, .flags = 0), 0x11, 0, NULL));
	REFUSED(REQUEST_TIMES,
		mad_async_smp(async, WITH(&by_lid, ignore, .deadline_ms = -1), 0x11, 0, NULL));
	REFUSED(REQUEST_FLAGS,
		mad_async_smp(async, WITH(&by_lid, ignore, .flags = 1), 0x11, 0, NULL));
	REFUSED(RPC_FIELDS,
		mad_async_smp(async, WITH(&directed, ignore, .flags = 0), 0x11, 0, NULL));
	REFUSED(RPC, mad_async_submit(async, &usual, NULL, NULL));
	REFUSED(PORT_CLASS, mad_async_submit(async, &usual, &rpc, NULL));
	rpc.datasz = 256;
	REFUSED(RPC_DATA, mad_async_submit(async, &usual, &rpc, NULL));
	rpc = (ib_rpc_t){ .mgtclass = 4, .method = IB_MAD_METHOD_SEND };
	REFUSED(NO_RESPONSE, mad_async_submit(async, &usual, &rpc, NULL));
	REFUSED(PORT_NUMBER, mad_async_perf_get(async, &usual, IB_GSI_PORT_COUNTERS, 256));
	REFUSED(PORT_NUMBER, mad_async_perf_reset(async, &usual, IB_GSI_PORT_COUNTERS, 256, 0));
	REFUSED(CALL, mad_async_sa(async, &usual, NULL, NULL));
	REFUSED(LID_ROUTED, mad_async_sa(async, WITH(&directed, ignore, .flags = 0), &sa, NULL));
	REFUSED(CALL, mad_async_vendor(async, &usual, NULL, NULL));
	REFUSED(VENDOR_CLASS, mad_async_vendor(async, &usual, &vendor, NULL));
	REFUSED(REQUEST_ID, mad_async_cancel(async, 0));
	id = mad_async_smp(async, &usual, 0x11, 0, NULL);
	assert_true(id > 0);
	REFUSED(COMPLETED, mad_async_cancel(async, id + 1));
}

REFUSAL_TEST(blocking_requests)
{
	ib_portid_t directed = { .lid = -1 };
	ib_rpc_t rpc = { .mgtclass = IB_SMI_CLASS, .method = 1, .dataoffs = 64, .datasz = 256 };
	ib_vendor_call_t vendor = { .method = 1, .mgmt_class = 0x30 };
	ib_bm_call_t board = { .method = 1 };
	ib_sa_call_t sa = { .method = 1 };
	ibmad_gid_t gid = { 0xfe };
	uint64_t guid = 1;

	REFUSED(PORT, mad_rpc(NULL, &rpc, &by_lid, NULL, NULL));
	REFUSED(RPC, mad_rpc(port, NULL, &by_lid, NULL, NULL));
	REFUSED(TO, mad_rpc(port, &rpc, NULL, NULL, NULL));
	REFUSED(RPC_DATA, mad_rpc(port, &rpc, &by_lid, NULL, NULL));
	REFUSED(DATA, smp_query_via(NULL, &by_lid, 0x11, 0, 0, port));
	REFUSED(DATA, smp_set_via(place, NULL, 0x11, 0, 0, port));
	REFUSED(PORT, smp_query_via(place, &by_lid, 0x11, 0, 0, NULL));
	REFUSED(DATA, pma_query_via(NULL, &by_lid, 1, 0, 0x12, port));
	REFUSED(PORT_NUMBER, pma_query_via(place, &by_lid, 256, 0, 0x12, port));
	REFUSED(LID_ROUTED, performance_reset_via(place, &directed, 1, 0, 0, 0x12, port));
	REFUSED(PORT, performance_reset_via(place, &by_lid, 1, 0, 0, 0x12, NULL));
	REFUSED(DATA, cc_query_status_via(place, NULL, 1, 0, 0, NULL, port, 0));
	REFUSED(PORT, cc_config_status_via(place, place, &by_lid, 1, 0, 0, NULL, NULL, 0));
	REFUSED(CALL, ib_vendor_call_via(place, &by_lid, NULL, port));
	REFUSED(DATA, ib_vendor_call_via(NULL, &by_lid, &vendor, port));
	REFUSED(VENDOR_CLASS, ib_vendor_call_via(place, &by_lid, &vendor, port));
	REFUSED(CALL, bm_call_via(place, &by_lid, NULL, port));
	REFUSED(DATA, bm_call_via(NULL, &by_lid, &board, port));
	REFUSED(LID_ROUTED, bm_call_via(place, &directed, &board, port));
	REFUSED(CALL, sa_rpc_call(port, place, &by_lid, NULL, 0));
	REFUSED(DATA, sa_rpc_call(port, NULL, &by_lid, &sa, 0));
	REFUSED(DATA, ib_node_query_via(port, 1, NULL, place));
	REFUSED(DATA, ib_path_query_via(port, gid, gid, NULL, place));
	REFUSED(GID, ib_path_query_via(port, NULL, gid, &by_lid, place));
	REFUSED(LID_ROUTED, ib_path_query_via(port, gid, gid, &directed, place));
	REFUSED(PORT, mad_rpc_class_agent(NULL, 3));
	REFUSED(DATA, mad_encode(NULL, &rpc, NULL, NULL));
	REFUSED(RPC, mad_encode(place, NULL, NULL, NULL));
	REFUSED(DATA, mad_build_pkt(NULL, &rpc, &by_lid, NULL, NULL));
	REFUSED(RPC, mad_build_pkt(place, NULL, &by_lid, NULL, NULL));
	REFUSED(TO, mad_build_pkt(place, &rpc, NULL, NULL, NULL));
	REFUSED(DATA, ib_resolve_portid_str_via(NULL, place, IB_DEST_LID, NULL, port));
	REFUSED(DATA, ib_resolve_portid_str_via(&by_lid, NULL, IB_DEST_LID, NULL, port));
	REFUSED(DATA, ib_resolve_smlid_via(NULL, 0, port));
	REFUSED(DATA, ib_resolve_gid_via(NULL, gid, NULL, 0, port));
	REFUSED(DATA, ib_resolve_gid_via(&by_lid, NULL, NULL, 0, port));
	REFUSED(DATA, ib_resolve_guid_via(NULL, &guid, NULL, 0, port));
	REFUSED(DATA, ib_resolve_guid_via(&by_lid, NULL, NULL, 0, port));
}

REFUSAL_TEST(servers)
{
	ib_rpc_t rpc = { .mgtclass = 6, .method = 1 };
	uint64_t umad[64] = { 0 };

	REFUSED(PORT, mad_rpc_portid(NULL));
	REFUSED(PORT, mad_receive_via(NULL, 0, NULL));
	REFUSED(PORT, mad_register_client_via(4, 0, NULL));
	REFUSED(PORT, mad_register_server_via(4, 0, NULL, 0, NULL));
	REFUSED(NO_CLASS, mad_register_client_via(300, 0, port));
	REFUSED(SERVER_OUI, mad_register_server_via(0x32, 0, NULL, 0, port));
	REFUSED(PORT, mad_send_via(&rpc, &by_lid, NULL, NULL, NULL));
	REFUSED(RPC, mad_send_via(NULL, &by_lid, NULL, NULL, port));
	REFUSED(TO, mad_send_via(&rpc, NULL, NULL, NULL, port));
	REFUSED(PORT_CLASS, mad_send_via(&rpc, &by_lid, NULL, NULL, port));
	REFUSED(PORT, mad_respond_via(umad, NULL, 0, NULL));
	REFUSED(PACKET, mad_respond_via(NULL, NULL, 0, port));
	REFUSED(PORT_CLASS, mad_respond_via(umad, NULL, 0, port));
}

/* The callbacks of cancelled requests submit others. */
static void submit_again(struct mad_async *of, const struct mad_async_result *result, void *context)
{
	(void)result, (void)context;
	REFUSED(CLOSING, mad_async_smp(of, &usual, 0x11, 0, NULL));
}

REFUSAL_TEST(requests_that_come_too_late_or_are_too_many)
{
	const struct mad_async_options options = { .max_queued = 1 };
	struct mad_async *small = mad_async_create(port, &options);

	fakeumad_respond_with(NULL, NULL);
	assert_true(mad_async_smp(small, WITH(&by_lid, submit_again, .flags = 0), 0x11, 0, NULL) >
		    0);
	REFUSED(QUEUE_FULL, mad_async_smp(small, &usual, 0x11, 0, NULL));
	mad_async_free(small);
}

REFUSAL_TEST(tables_of_the_sa)
{
	static const ib_portid_t nowhere = { .lid = 0 };
	const struct mad_sa_table table = { .count = 1,
					    .attr_id = IB_SA_ATTR_NODERECORD,
					    .record_size = 8,
					    .records = (void *)place };
	static uint8_t smp[IB_MAD_SIZE] = { 1, IB_SMI_CLASS };
	const struct mad_async_result of_smp = { .mad = smp, .mad_size = sizeof(smp) };
	struct mad_sa_request query = { .attr_id = 0x10000 };
	struct mad_sa_node node;
	struct mad_sa_path path;

	REFUSED(ATTRIBUTE, mad_sa_query(port, NULL, &query, NULL));
	query = (struct mad_sa_request){ .attr_id = 0x11, .timeout_ms = -1 };
	REFUSED(TIMEOUT, mad_sa_query(port, NULL, &query, NULL));
	query = (struct mad_sa_request){ .attr_id = 0x11, .method = IB_MAD_METHOD_SET };
	REFUSED(METHOD, mad_sa_query(port, NULL, &query, NULL));
	query = (struct mad_sa_request){ .attr_id = 0x11, .data_size = 201, .data = place };
	REFUSED(QUERY_DATA, mad_sa_query(port, NULL, &query, NULL));
	query = (struct mad_sa_request){ .attr_id = 0x11 };
	REFUSED(SM, mad_sa_query(port, &nowhere, &query, NULL));
	REFUSED(PORT, mad_sa_query(NULL, NULL, &query, NULL));
	REFUSED(GID, mad_sa_query_paths(port, NULL, NULL, NULL, 0));
	REFUSED(RESULT, mad_sa_table_from(NULL));
	REFUSED(RESULT, mad_sa_table_from(&of_smp));
	REFUSED(TABLE, mad_sa_table_record(NULL, 0, NULL));
	REFUSED(INDEX, mad_sa_table_record(&table, 1, NULL));
	REFUSED(TABLE, mad_sa_get_node(NULL, 0, &node));
	REFUSED(INDEX, mad_sa_get_node(&table, 1, &node));
	REFUSED(TABLE_RECORDS, mad_sa_get_path(&table, 0, &path));
	REFUSED(SHORT_RECORD, mad_sa_get_node(&table, 0, &node));
	REFUSED(TABLE, mad_sa_get_link(NULL, 0, (void *)place));
	REFUSED(TABLE, mad_sa_get_port_info(NULL, 0, (void *)place));
	REFUSED(TABLE, mad_sa_get_sm_info(NULL, 0, (void *)place));
	REFUSED(TABLE, mad_sa_get_mc_member(NULL, 0, (void *)place));
	REFUSED(TABLE, mad_sa_get_service(NULL, 0, (void *)place));
}

REFUSAL_TEST(groups_and_notices)
{
	struct mad_sa_mc_member member = { .sl = 16 };
	struct mad_sa_mc_request request = { .member = &member };
	const struct mad_sa_mc_member none = { .qkey = 0 };
	unsigned status = 9;
	uint8_t record[IB_SA_DATA_SIZE];

	REFUSED(RECORD, mad_sa_mc_encode(&request, NULL));
	REFUSED(MC_MEMBER, mad_sa_mc_encode(&request, record));
	REFUSED(MC_MEMBER, mad_sa_mc_join(port, NULL, &request, NULL, NULL));
	request.rate_selector = 4;
	REFUSED(MC_SELECTOR, mad_sa_mc_leave(port, NULL, &request, NULL));
	request = (struct mad_sa_mc_request){ .member = &none };
	REFUSED(PORT, mad_sa_mc_join(NULL, NULL, &request, NULL, &status));
	assert_int_equal(status, 0);
	REFUSED(STRUCTURE, mad_sa_mc_join(port, NULL, NULL, NULL, NULL));
	REFUSED(SIZE, mad_sa_mc_leave_sized(port, NULL, &request, sizeof(request) - 1, sizeof(none),
					    NULL));
	request.member = NULL;
	REFUSED(STRUCTURE, mad_sa_mc_join(port, NULL, &request, NULL, NULL));
	REFUSED(PORT, mad_sa_subscribe(NULL, NULL, 64, 0));
	REFUSED(TRAP, mad_sa_subscribe(port, NULL, 0x10000, 0));
	REFUSED(TIMEOUT, mad_sa_unsubscribe(port, NULL, 64, -1));
	REFUSED(NOTICE, mad_sa_receive_notice(port, NULL, 0));
	REFUSED(NOTICE, mad_notice_value(NULL, 1, 0, (void *)place));
	REFUSED(NO_VALUE, mad_notice_value(record, 1, 1000, (void *)place));
	REFUSED(NO_FIELDS, mad_dump_attribute(place, sizeof(place), record, 64, 1, 0xfffe));
	REFUSED(TIMEOUT, mad_sa_check_key(port, NULL, -1));
}

REFUSAL_TEST(keys_and_addresses)
{
	uint64_t key;

	REFUSED(KEYS, mad_keys_set_default(NULL, MAD_KEY_M, 1));
	REFUSED(KEYS, mad_keys_query_lids(NULL, port, NULL, 0));
	REFUSED(KEYS, mad_keys_read(NULL, MAD_KEY_M, "file", 0, NULL, 0));
	REFUSED(KEYS, mad_keys_set_guid(NULL, MAD_KEY_M, 1, 1));
	REFUSED(KEY_TYPE, mad_keys_set_default(keys, 0, 1));
	REFUSED(KEY_TYPE, mad_keys_set_default(keys, MAD_KEY_PERF + 1, 1));
	REFUSED(KEY_TYPE, mad_keys_read(keys, 0, "file", 0, NULL, 0));
	REFUSED(KEY_TYPE, mad_keys_get(keys, MAD_KEY_PERF + 1, &by_lid, &key));
	REFUSED(KEY_GUID, mad_keys_set_guid(keys, MAD_KEY_M, 0, 1));
	REFUSED(LID, mad_keys_set_lid(keys, MAD_KEY_M, 0, 1));
	REFUSED(LID, mad_keys_set_lid(keys, MAD_KEY_M, 0x10001, 1));
	REFUSED(LID, mad_keys_map_lid(keys, 0xc000, 1));
	REFUSED(LID, mad_keys_map_lid(keys, 0, 1));
	REFUSED(KEYS, mad_keys_get(NULL, MAD_KEY_M, &by_lid, &key));
	REFUSED(KEY_TO, mad_keys_get(keys, MAD_KEY_M, NULL, &key));
	REFUSED(KEY_TO, mad_keys_get(keys, MAD_KEY_M, &by_lid, NULL));
	REFUSED(NO_KEY, mad_keys_get(keys, MAD_KEY_M, &by_lid, &key));
	REFUSED(KEY_PATH, mad_keys_read(keys, MAD_KEY_M, NULL, 0, NULL, 0));
	REFUSED(KEY_FLAGS, mad_keys_read_lids(keys, "file", 4, NULL, 0));
	REFUSED(PORT, mad_pkey_index(NULL, 0x8005, NULL));
	REFUSED(PKEY, mad_pkey_index(port, 0, NULL));
	REFUSED(PKEY, mad_pkey_index(port, 0x8000, NULL));
	REFUSED(PKEY, mad_pkey_index(port, 0x10005, NULL));
	REFUSED(NO_PKEY, mad_pkey_index(port, 0x1234, NULL));
	REFUSED(PORT, mad_route_resolve(NULL, 4, &by_lid, 0));
	REFUSED(PORT, mad_route_use(NULL, true));
	REFUSED(LID, mad_route_resolve(port, 0, &by_lid, 0));
	REFUSED(LID, mad_route_resolve(port, 0xc000, &by_lid, 0));
	REFUSED(ROUTE, mad_route_resolve(port, 1, NULL, 0));
}

REFUSAL_TEST(fabrics)
{
	struct mad_fabric_options options = { .window = 4097 };
	struct mad_fabric_node nodes[2] = { { .guid = 1 }, { .guid = 1 } };
	struct mad_fabric_description twice = { .nodes = nodes,
						.node_count = 2,
						.node_size = sizeof(nodes[0]),
						.port_size = sizeof(struct mad_fabric_port) };
	const struct mad_fabric_counter_value value = { .port = NULL };
	struct mad_fabric *fabric;
	double rate;

	REFUSED(PORT, mad_fabric_discover(NULL, NULL));
	REFUSED(FABRIC_OPTIONS, mad_fabric_discover(port, &options));
	options = (struct mad_fabric_options){ .flags = MAD_FABRIC_FROM_SA, .max_hops = 1 };
	REFUSED(FABRIC_FROM_SA, mad_fabric_discover(port, &options));
	REFUSED(FABRIC, mad_fabric_counters_read(port, NULL, NULL));
	REFUSED(DESCRIPTION, mad_fabric_build(&twice));
	twice.node_count = 1;
	fabric = mad_fabric_build(&twice);
	assert_non_null(fabric);
	REFUSED(COUNTER_VALUE, mad_fabric_counters_build(fabric, &value, 1));
	mad_fabric_free(fabric);
	REFUSED(COUNTER, mad_fabric_row_value(NULL, 0, NULL));
	REFUSED(COUNTER, mad_fabric_row_rate(NULL, 0, &rate));
	REFUSED(PROBLEM, mad_fabric_problem_text(NULL, place, sizeof(place)));
}

/* A CA with one port, which is down. */
static int respond(const struct fakeumad_request *request, void *context)
{
	static const uint8_t node_info[40] = {
		1, 1, IB_NODE_CA, 1, [11] = 1, [19] = 1, [27] = 1, [36] = 1
	};
	static const uint8_t port_info[64] = { [17] = 5, [32] = 1 };
	bool is_node = request->mad[17] == IB_ATTR_NODE_INFO;

	(void)context;
	fakeumad_reply(request,
		       &(const struct fakeumad_reply){ .data = is_node ? node_info : port_info,
						       .data_size = is_node ? sizeof(node_info)
									    : sizeof(port_info),
						       .data_offset = IB_SMP_DATA_OFFS });
	return 0;
}

REFUSAL_TEST(routes)
{
	static int smps[] = { IB_SMI_CLASS };
	struct ibmad_port *narrow;
	ib_portid_t route;

	fakeumad_respond_with(respond, NULL);
	REFUSED(NO_ROUTE, mad_route_resolve(port, 77, &route, 20));
	narrow = mad_rpc_open_port(NULL, 0, smps, 1);
	assert_non_null(narrow);
	REFUSED(PORT_DIRECT, mad_route_use(narrow, true));
	mad_rpc_close_port(narrow);
}

REFUSAL_TEST(messages)
{
	const struct fakeumad_packet request = {
		.agent = 1, .mgmt_class = 4, .method = 1, .tid = 9
	};
	ib_rpc_t rpc = { .mgtclass = IB_SA_CLASS, .method = 1 };
	const struct iovec bad = { .iov_len = 1 };
	uint8_t packet[FAKEUMAD_PACKET] = { 0 }, *mad = umad_get_mad(packet);
	struct mad_message message;

	REFUSED(TO, mad_message_send(port, NULL, &rpc, NULL, 0));
	REFUSED(RPC, mad_message_send(port, &by_lid, NULL, NULL, 0));
	REFUSED(PARTS, mad_message_send(port, &by_lid, &rpc, &bad, 1));
	REFUSED(PARTS, mad_message_receive(port, &message, &bad, 1, 0));
	rpc.mgtclass = 4;
	REFUSED(RMPP_CLASS, mad_message_send(port, &by_lid, &rpc, NULL, 0));
	REFUSED(UMAD, mad_message_respond_table(port, NULL, NULL, 0, NULL, 0, 0));
	REFUSED(STATUS, mad_message_respond_table(port, NULL, packet, 0x10000, NULL, 0, 0));
	mad[1] = IB_SA_CLASS;
	REFUSED(RECORDS, mad_message_respond_table(port, NULL, packet, 0, NULL, 8, 1));
	fakeumad_build(packet, &request);
	fakeumad_deliver(packet, sizeof(packet), 0);
	REFUSED(SPACE, mad_message_receive(port, &message, NULL, 0, 1000));
}

REFUSAL_TEST(monitors_and_captures)
{
	char path[64];

	snprintf(path, sizeof(path), "/tmp/test-refusals.%d", (int)getpid());
	REFUSED(MONITOR, umad_monitor_get_fd(NULL));
	REFUSED(MONITOR, umad_monitor_rescan(NULL));
	REFUSED(MONITOR, umad_monitor_read(NULL, (void *)place, 0));
	REFUSED(MONITOR_FLAGS, umad_monitor_open(2));
	REFUSED(INTERVAL, umad_monitor_set_interval((void *)place, -1));
	REFUSED(CAPTURE_PATH, umad_capture_start("", 0));
	REFUSED(CAPTURE_FLAGS, umad_capture_start(path, 2));
	REFUSED(NO_CAPTURE, umad_capture_stop());
	assert_int_equal(umad_capture_start(path, 0), 0);
	REFUSED(CAPTURE_RUNS, umad_capture_start(path, 0));
	assert_int_equal(umad_capture_stop(), 0);
	unlink(path);
}

/* Other failures have the text of their errno; nothing to receive is no failure. */
REFUSAL_TEST(other_failures)
{
	struct mad_message message;

	set_level(1);
	errno = 0;
	listen(mad_message_receive(port, &message, NULL, 0, 1));
	assert_int_equal(errno, ETIMEDOUT);
	assert_line("mad_message_receive(", "Connection timed out\n");
	listen(mad_message_receive(port, &message, NULL, 0, 0));
	assert_int_equal(errno, EAGAIN);
	set_level(0);
	assert_string_equal(said, "");
}

/* Runs last. */
TEST(every_reason)
{
	for (size_t i = 1; i < COUNT(reasons); i++)
		if (!was_given[i])
			fail_msg("no call was refused for \"%s\"", reasons[i].text);
}
