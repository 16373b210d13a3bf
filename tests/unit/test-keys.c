/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* test-keys.c - key rings on the wire: which key a request carries, and where. */
#include "tests/lib/async-request.h"
#include "key-ring.h"
#include "listen.h"

#include <infiniband/mad_sa.h>
#include <sys/wait.h>
#include <unistd.h>

#define KEY_AT	   24 /* of all classes but the SA */
#define GUID	   UINT64_C(0x0002c90300001234)
#define LOCAL_GUID UINT64_C(0x0002c90300000001) /* of fakeumad's port */

static void query(const ib_portid_t *to)
{
	ib_portid_t portid = *to;

	assert_non_null(smp_query_via(data, &portid, IB_ATTR_NODE_INFO, 0, TIMEOUT_MS, port));
}

/* Each way to name a destination, from the least specific one on; 0 takes a key away again. */
CASE(the_most_specific_key_counts)
{
	ib_portid_t by_lid = { .lid = LID }, by_guid = { .lid = LID };

	mad_set_field64(by_guid.gid, 0, IB_GID_GUID_F, GUID);
	query(&by_lid);
	assert_last_key(KEY_AT, 0);
	mad_keys_set_default(keys, MAD_KEY_M, KEY(DEFAULT_KEY));
	query(&by_lid);
	assert_last_key(KEY_AT, KEY(DEFAULT_KEY));
	mad_keys_set_guid(keys, MAD_KEY_M, GUID, KEY(GUID_KEY));
	query(&by_lid);
	assert_last_key(KEY_AT, KEY(DEFAULT_KEY));
	mad_keys_map_lid(keys, LID, GUID);
	query(&by_lid);
	assert_last_key(KEY_AT, KEY(GUID_KEY));
	mad_keys_set_lid(keys, MAD_KEY_M, LID, KEY(LID_KEY));
	query(&by_lid);
	assert_last_key(KEY_AT, KEY(LID_KEY));
	query(&by_guid);
	assert_last_key(KEY_AT, KEY(GUID_KEY));
	smp_mkey_set(port, KEY(PORT_KEY));
	query(&by_guid);
	assert_last_key(KEY_AT, KEY(PORT_KEY));
	smp_mkey_set(port, 0);
	mad_keys_set_guid(keys, MAD_KEY_M, GUID, 0);
	mad_keys_set_lid(keys, MAD_KEY_M, LID, 0);
	query(&by_guid);
	assert_last_key(KEY_AT, KEY(DEFAULT_KEY));
}

/* A path does not identify the port at its end, but one without hops ends at the local port. */
CASE(directed_routes)
{
	ib_portid_t self = { 0 }, hop = { .drpath = { .cnt = 1, .p = { 0, 1 } } };
	ib_portid_t mixed = { .lid = LID, .drpath = { .cnt = 1, .p = { 0, 1 }, .drslid = 0xffff } };

	mad_keys_set_default(keys, MAD_KEY_M, KEY(DEFAULT_KEY));
	mad_keys_set_lid(keys, MAD_KEY_M, LID, KEY(LID_KEY));
	mad_keys_set_guid(keys, MAD_KEY_M, LOCAL_GUID, KEY(OTHER_KEY));
	mad_keys_set_guid(keys, MAD_KEY_M, GUID, KEY(GUID_KEY));
	query(&self);
	assert_last_key(KEY_AT, KEY(OTHER_KEY));
	query(&hop);
	assert_last_key(KEY_AT, KEY(DEFAULT_KEY));
	query(&mixed);
	assert_last_key(KEY_AT, KEY(DEFAULT_KEY));
	mad_set_field64(hop.gid, 0, IB_GID_GUID_F, GUID);
	query(&hop);
	assert_last_key(KEY_AT, KEY(GUID_KEY));
}

static void call_mad_rpc(unsigned mgmt_class, uint64_t mkey)
{
	ib_rpc_t rpc = { .mgtclass = (int)mgmt_class,
			 .method = IB_MAD_METHOD_GET,
			 .attr = { .id = 0x12 },
			 .timeout = TIMEOUT_MS,
			 .mkey = mkey,
			 .dataoffs = 64,
			 .datasz = 64 };
	ib_portid_t to = { .lid = LID, .qp = 1 };

	assert_non_null(mad_rpc(port, &rpc, &to, data, data));
	assert_true(rpc.mkey == mkey); /* the next request may go elsewhere */
}

/* mad_rpc() has no key where it has none of its own. */
CASE(raw_requests)
{
	mad_keys_set_lid(keys, MAD_KEY_M, LID, KEY(LID_KEY));
	mad_keys_set_lid(keys, MAD_KEY_PERF, LID, KEY(OTHER_KEY));
	call_mad_rpc(IB_SMI_CLASS, 0);
	assert_last_key(KEY_AT, KEY(LID_KEY));
	call_mad_rpc(IB_SMI_CLASS, KEY(CALL_KEY));
	assert_last_key(KEY_AT, KEY(CALL_KEY));
	call_mad_rpc(IB_PERFORMANCE_CLASS, 0);
	assert_last_key(KEY_AT, KEY(OTHER_KEY));
	call_mad_rpc(IB_BOARD_MGMT_CLASS, 0);
	assert_last_key(KEY_AT, 0);
}

CASE(performance_management)
{
	ib_portid_t to = { .lid = LID };

	mad_keys_set_lid(keys, MAD_KEY_PERF, LID, KEY(LID_KEY));
	assert_non_null(pma_query_via(data, &to, 1, TIMEOUT_MS, IB_GSI_PORT_COUNTERS, port));
	assert_last_key(KEY_AT, KEY(LID_KEY));
	assert_non_null(
		performance_reset_via(data, &to, 1, 0, TIMEOUT_MS, IB_GSI_PORT_COUNTERS, port));
	assert_last_key(KEY_AT, KEY(LID_KEY));
}

CASE(congestion_control)
{
	ib_portid_t to = { .lid = LID };

	mad_keys_set_lid(keys, MAD_KEY_CC, LID, KEY(LID_KEY));
	assert_non_null(cc_query_status_via(data, &to, IB_CC_ATTR_CONGESTION_INFO, 0, TIMEOUT_MS,
					    NULL, port, 0));
	assert_last_key(KEY_AT, KEY(LID_KEY));
	assert_non_null(cc_config_status_via(data, data, &to, IB_CC_ATTR_CONGESTION_INFO, 0,
					     TIMEOUT_MS, NULL, port, KEY(CALL_KEY)));
	assert_last_key(KEY_AT, KEY(CALL_KEY));
}

static void call_vendor(int mgmt_class, uint64_t key)
{
	ib_vendor_call_t call = { .method = IB_MAD_METHOD_GET,
				  .mgmt_class = (unsigned)mgmt_class,
				  .attrid = 0x50,
				  .oui = 0x1405,
				  .timeout = TIMEOUT_MS };
	ib_portid_t to = { .lid = LID };

	memset(data, 0, sizeof(data));
	for (int i = 0; i < 8; i++)
		data[i] = (uint8_t)(key >> (56 - 8 * i));
	assert_non_null(ib_vendor_call_via(data, &to, &call, port));
}

/* Class 0x0a has a key where its data begin; what other vendor classes have there is theirs. */
CASE(vendor_classes)
{
	mad_keys_set_lid(keys, MAD_KEY_VENDOR, LID, KEY(LID_KEY));
	call_vendor(0x0a, 0);
	assert_last_key(KEY_AT, KEY(LID_KEY));
	call_vendor(0x0a, KEY(CALL_KEY));
	assert_last_key(KEY_AT, KEY(CALL_KEY));
	call_vendor(0x32, 0);
	assert_last_key(KEY_AT, 0);
}

static void call_sa(void)
{
	ib_sa_call_t sa = { .attrid = IB_SA_ATTR_NODERECORD, .method = IB_MAD_METHOD_GET };
	ib_portid_t to = { .lid = LID };

	assert_non_null(sa_rpc_call(port, data, &to, &sa, TIMEOUT_MS));
}

CASE(subnet_administration)
{
	struct mad_sa_request table_query = { .attr_id = IB_SA_ATTR_NODERECORD,
					      .timeout_ms = TIMEOUT_MS,
					      .method = IB_MAD_METHOD_GET };
	ib_portid_t to = { .lid = LID };
	struct mad_sa_table *table;

	mad_keys_set_default(keys, MAD_KEY_SA, KEY(DEFAULT_KEY));
	call_sa();
	assert_last_key(SM_KEY_AT, KEY(DEFAULT_KEY));
	assert_non_null(table = mad_sa_query(port, &to, &table_query, sizeof(table_query), NULL));
	mad_sa_table_free(table);
	assert_last_key(SM_KEY_AT, KEY(DEFAULT_KEY));
	sa_key_set(port, KEY(PORT_KEY));
	call_sa();
	assert_last_key(SM_KEY_AT, KEY(PORT_KEY));
	table_query.sm_key = KEY(CALL_KEY);
	assert_non_null(table = mad_sa_query(port, &to, &table_query, sizeof(table_query), NULL));
	mad_sa_table_free(table);
	assert_last_key(SM_KEY_AT, KEY(CALL_KEY));
}

CASE(asynchronous_requests)
{
	ib_sa_call_t sa = { .attrid = IB_SA_ATTR_NODERECORD, .method = IB_MAD_METHOD_GET };
	struct mad_async *async = mad_async_create(port, NULL, 0);
	ib_portid_t to = { .lid = LID };
	int calls = 0;

	mad_keys_set_lid(keys, MAD_KEY_M, LID, KEY(LID_KEY));
	mad_keys_set_lid(keys, MAD_KEY_CC, LID, KEY(OTHER_KEY));
	mad_keys_set_default(keys, MAD_KEY_SA, KEY(DEFAULT_KEY));
	mad_async_smp(async, ASYNC_TO(&to, count_call, &calls), IB_ATTR_NODE_INFO, 0, NULL);
	assert_last_key(KEY_AT, KEY(LID_KEY));
	mad_async_cc(async, ASYNC_TO(&to, count_call, &calls), IB_CC_ATTR_CONGESTION_INFO, 0, 0,
		     NULL);
	assert_last_key(KEY_AT, KEY(OTHER_KEY));
	mad_async_cc(async, ASYNC_TO(&to, count_call, &calls), IB_CC_ATTR_CONGESTION_INFO, 0,
		     KEY(CALL_KEY), NULL);
	while (fakeumad_writes() < 3)
		mad_async_dispatch(async, 0, 10);
	assert_last_key(KEY_AT, KEY(CALL_KEY));
	mad_async_sa(async, ASYNC_TO(&to, count_call, &calls), &sa, data);
	while (fakeumad_writes() < 4)
		mad_async_dispatch(async, 0, 10);
	assert_last_key(SM_KEY_AT, KEY(DEFAULT_KEY));
	finish_async(async, &calls);
}

/* What is sent without waiting, and what is no request. */
CASE(sends)
{
	ib_rpc_t rpc = { .mgtclass = IB_SMI_CLASS,
			 .method = IB_MAD_METHOD_TRAP_REPRESS,
			 .dataoffs = 64,
			 .datasz = 64 };
	ib_portid_t to = { .lid = LID };

	mad_keys_set_lid(keys, MAD_KEY_M, LID, KEY(LID_KEY));
	assert_int_equal(mad_send_via(&rpc, &to, NULL, data, port), 0);
	assert_last_key(KEY_AT, KEY(LID_KEY));
	rpc.method = IB_MAD_METHOD_TRAP;
	assert_int_equal(mad_send_via(&rpc, &to, NULL, data, port), 0);
	assert_last_key(KEY_AT, 0);
	rpc.method = IB_MAD_METHOD_GET | IB_MAD_RESPONSE;
	assert_int_equal(mad_send_via(&rpc, &to, NULL, data, port), 0);
	assert_last_key(KEY_AT, 0);
}

/* Redirects the first request, to LID 9. */
static int redirect_first(const struct fakeumad_request *request, void *context)
{
	uint8_t info[80] = { 0 };
	struct fakeumad_reply reply = { .status = request->number == 1 ? 2 : 0,
					.data = info,
					.data_size = sizeof(info),
					.data_offset = 64 };

	(void)context;
	mad_set_field(info, 0, IB_CPI_REDIRECT_LID_F, 9);
	mad_set_field(info, 0, IB_CPI_REDIRECT_QP_F, 5);
	fakeumad_reply(request, &reply);
	return 0;
}

/* The key of one destination is not for another; a caller's own goes along. */
CASE(redirects)
{
	ib_portid_t to = { .lid = LID };

	mad_keys_set_lid(keys, MAD_KEY_CC, LID, KEY(LID_KEY));
	mad_keys_set_lid(keys, MAD_KEY_CC, 9, KEY(OTHER_KEY));
	fakeumad_respond_with(redirect_first, NULL);
	assert_non_null(cc_query_status_via(data, &to, IB_CC_ATTR_CONGESTION_INFO, 0, TIMEOUT_MS,
					    NULL, port, 0));
	assert_int_equal(fakeumad_writes(), 2);
	assert_int_equal(key_at(1, KEY_AT), KEY(LID_KEY));
	assert_int_equal(key_at(2, KEY_AT), KEY(OTHER_KEY));
}

CASE(redirects_to_one_without_a_key)
{
	ib_portid_t to = { .lid = LID };

	mad_keys_set_lid(keys, MAD_KEY_CC, LID, KEY(LID_KEY));
	fakeumad_respond_with(redirect_first, NULL);
	assert_non_null(cc_query_status_via(data, &to, IB_CC_ATTR_CONGESTION_INFO, 0, TIMEOUT_MS,
					    NULL, port, 0));
	assert_int_equal(key_at(1, KEY_AT), KEY(LID_KEY));
	assert_int_equal(key_at(2, KEY_AT), 0);
}

CASE(redirects_with_a_key_of_the_call)
{
	ib_portid_t to = { .lid = LID };

	mad_keys_set_lid(keys, MAD_KEY_CC, 9, KEY(OTHER_KEY));
	fakeumad_respond_with(redirect_first, NULL);
	assert_non_null(cc_query_status_via(data, &to, IB_CC_ATTR_CONGESTION_INFO, 0, TIMEOUT_MS,
					    NULL, port, KEY(CALL_KEY)));
	assert_int_equal(key_at(1, KEY_AT), KEY(CALL_KEY));
	assert_int_equal(key_at(2, KEY_AT), KEY(CALL_KEY));
}

/* A ring lives as long as its creator or a port has it. */
CASE(attaching_and_detaching)
{
	struct mad_keys *other = mad_keys_create();
	ib_portid_t to = { .lid = LID };

	mad_keys_set_default(keys, MAD_KEY_M, KEY(DEFAULT_KEY));
	mad_keys_set_default(other, MAD_KEY_M, KEY(OTHER_KEY));
	assert_int_equal(mad_port_set_keys(port, other), 0);
	mad_keys_free(other);
	query(&to);
	assert_last_key(KEY_AT, KEY(OTHER_KEY));
	assert_int_equal(mad_port_set_keys(port, keys), 0);
	query(&to);
	assert_last_key(KEY_AT, KEY(DEFAULT_KEY));
	assert_int_equal(mad_port_set_keys(port, keys), 0);
	assert_int_equal(mad_port_set_keys(port, NULL), 0);
	query(&to);
	assert_last_key(KEY_AT, 0);
	errno = 0;
	assert_int_equal(mad_port_set_keys(NULL, keys), -1);
	assert_int_equal(errno, EINVAL);
}

/* What a request would carry, asked without one. */
CASE(asking_for_a_key)
{
	ib_portid_t by_lid = { .lid = LID }, path = { .drpath.cnt = 1 };
	uint64_t key = 5;

	mad_keys_set_lid(keys, MAD_KEY_M, LID, KEY(LID_KEY));
	assert_int_equal(mad_keys_get(keys, MAD_KEY_M, &by_lid, &key), 0);
	assert_int_equal(key, KEY(LID_KEY));
	assert_int_equal(mad_keys_get(keys, MAD_KEY_CC, &by_lid, &key), -1);
	assert_int_equal(errno, ENOENT);
	assert_int_equal(mad_keys_get(keys, MAD_KEY_M, &path, &key), -1);
	assert_int_equal(errno, ENOENT);
	assert_int_equal(key, KEY(LID_KEY));
	assert_int_equal(mad_keys_get(keys, MAD_KEY_PERF + 1, &by_lid, &key), -1);
	assert_int_equal(errno, EINVAL);
	assert_int_equal(mad_keys_set_lid(keys, MAD_KEY_M, 0xc000, 1), -1);
	assert_int_equal(mad_keys_set_guid(keys, MAD_KEY_M, 0, 1), -1);
	assert_int_equal(mad_keys_set_guid(NULL, MAD_KEY_M, 1, 1), -1);
	assert_int_equal(mad_keys_set_default(keys, 0, 1), -1);
	assert_int_equal(mad_keys_set_default(keys, MAD_KEY_PERF + 1, 1), -1);
	assert_int_equal(mad_keys_set_lid(keys, MAD_KEY_M, 0x10001, 1), -1);
	assert_int_equal(mad_keys_map_lid(keys, 0, 1), -1);
}

/* More than fit the first table, and all of them found again. */
CASE(many_keys)
{
	ib_portid_t to = { .lid = 1 };
	uint64_t key;

	for (unsigned i = 1; i <= 100000; i++)
		assert_int_equal(mad_keys_set_guid(keys, MAD_KEY_M, i, KEY(i)), 0);
	for (unsigned i = 1; i <= 100000; i++) {
		mad_set_field64(to.gid, 0, IB_GID_GUID_F, i);
		assert_int_equal(mad_keys_get(keys, MAD_KEY_M, &to, &key), 0);
		assert_true(key == KEY(i));
	}
	mad_set_field64(to.gid, 0, IB_GID_GUID_F, 100001);
	assert_int_equal(mad_keys_get(keys, MAD_KEY_M, &to, &key), -1);
}

/* No line on standard error has a byte of the key in a row of more than two, whatever the level. */
CASE(keys_stay_out_of_debugging_lines)
{
	mad_keys_set_default(keys, MAD_KEY_SA, KEY(DEFAULT_KEY));
	mad_keys_set_default(keys, MAD_KEY_M, KEY(DEFAULT_KEY));
	ibdebug = 9;
	umad_debug(9);
	listen_begin();
	call_sa();
	call_mad_rpc(IB_SMI_CLASS, 0);
	listen_end();
	ibdebug = 0;
	umad_debug(0);
	assert_non_null(strstr(said, "NodeRecord"));
	assert_null(strstr(said, "a1b2c3"));
	assert_null(strstr(said, "a1 b2"));
}

CASE(the_child_of_a_fork_has_them)
{
	ib_portid_t to = { .lid = LID };
	uint64_t key = 0;
	int status;
	pid_t child;

	mad_keys_set_default(keys, MAD_KEY_M, KEY(DEFAULT_KEY));
	child = fork();
	if (!child) {
		mad_keys_set_lid(keys, MAD_KEY_M, 9, 1);
		_exit(mad_keys_get(keys, MAD_KEY_M, &to, &key) || key != KEY(DEFAULT_KEY));
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	mad_keys_set_lid(keys, MAD_KEY_M, 9, 2);
}
