/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* libibmad/requests/sa.c: any SA request, path and node queries. */
#include "test.h"
#include "fakeumad.h"

#include <errno.h>
#include <infiniband/mad.h>
#include <string.h>

#define SA_AGENT   2
#define TIMEOUT_MS 20

static uint8_t data[IB_SA_DATA_SIZE];

static void expect(struct fakeumad_packet what, uint64_t mask, const void *record, size_t size,
		   const struct fakeumad_reply *reply)
{
	uint8_t packet[FAKEUMAD_PACKET];

	what.agent = SA_AGENT;
	if (!what.qpn)
		what.qpn = 1;
	what.mgmt_class = IB_SA_CLASS;
	what.data = record;
	what.data_size = size;
	what.data_offset = IB_SA_DATA_OFFS;
	fakeumad_build(packet, &what);
	mad_set_field64(packet + FAKEUMAD_HEADER, 0, IB_SA_COMPMASK_F, mask);
	fakeumad_expect_write(packet, sizeof(packet), reply, 1);
}

FAKEUMAD_TEST(request_and_response)
{
	uint8_t record[IB_SA_DATA_SIZE], found[IB_SA_DATA_SIZE + 12] = { 0, 8 };
	struct fakeumad_reply reply = { .data = found,
					.data_size = sizeof(found),
					.data_offset = 44 };
	ib_sa_call_t sa = { .attrid = 0x35, .mod = 0x99, .mask = 0x123456789abcdef0, .method = 1 };
	ib_portid_t to = { .lid = 7, .sl = 2 };

	fakeumad_pattern(record, sizeof(record), 1);
	fakeumad_pattern(found + 12, IB_SA_DATA_SIZE, 50);
	expect((struct fakeumad_packet){ .timeout_ms = TIMEOUT_MS,
					 .lid = 7,
					 .sl = 2,
					 .qkey = IB_DEFAULT_QP1_QKEY,
					 .method = 1,
					 .attr_id = 0x35,
					 .attr_mod = 0x99 },
	       sa.mask, record, sizeof(record), &reply);
	memcpy(data, record, sizeof(data));
	assert_ptr_equal(sa_rpc_call(*state, data, &to, &sa, TIMEOUT_MS), data);
	assert_memory_equal(data, found + 12, sizeof(data));
	assert_int_equal(sa.recsz, 8);
	assert_int_equal(to.qp, 1);
	assert_int_equal(to.qkey, IB_DEFAULT_QP1_QKEY);
}

FAKEUMAD_TEST(qp_and_qkey_of_the_caller)
{
	static const uint8_t nothing[IB_SA_DATA_SIZE];
	struct fakeumad_reply reply = { 0 };
	ib_sa_call_t sa = { .attrid = 0x35, .method = 1 };
	ib_portid_t to = { .lid = 7, .qp = 9, .qkey = 0x4444 };

	memset(data, 0, sizeof(data));
	expect((struct fakeumad_packet){ .timeout_ms = TIMEOUT_MS,
					 .lid = 7,
					 .qpn = 9,
					 .qkey = 0x4444,
					 .method = 1,
					 .attr_id = 0x35 },
	       0, nothing, sizeof(nothing), &reply);
	assert_non_null(sa_rpc_call(*state, data, &to, &sa, TIMEOUT_MS));
	assert_int_equal(to.qp, 9);
	assert_int_equal(to.qkey, 0x4444);
}

FAKEUMAD_TEST(only_lids)
{
	static const int lids[] = { 0, -1, -77 };
	ib_sa_call_t sa = { .attrid = 0x35, .method = 1 };

	for (size_t i = 0; i < 3; i++) {
		ib_portid_t to = { .lid = lids[i], .drpath = { .cnt = 2 } };

		errno = 0;
		assert_null(sa_rpc_call(*state, data, &to, &sa, TIMEOUT_MS));
		assert_int_equal(errno, EINVAL);
	}
	assert_int_equal(fakeumad_writes(), 0);
}

FAKEUMAD_TEST(trid_of_the_caller)
{
	struct fakeumad_reply reply = { 0 };
	ib_sa_call_t sa = { .attrid = 0x35, .method = 1, .trid = 0x0102030405060708 };
	ib_portid_t to = { .lid = 7 };

	fakeumad_expect_write(NULL, 0, &reply, 1);
	assert_non_null(sa_rpc_call(*state, data, &to, &sa, TIMEOUT_MS));
	assert_memory_equal(fakeumad_written(1) + FAKEUMAD_HEADER + 8,
			    "\x01\x02\x03\x04\x05\x06\x07\x08", 8);
}

FAKEUMAD_TEST(error_status)
{
	struct fakeumad_reply reply = { .status = 0x0300 };
	ib_sa_call_t sa = { .attrid = 0x35, .method = 1 };
	ib_portid_t to = { .lid = 7 };

	fakeumad_expect_write(NULL, 0, &reply, 1);
	assert_null(sa_rpc_call(*state, data, &to, &sa, TIMEOUT_MS));
	assert_int_equal(errno, EIO);
}

FAKEUMAD_TEST(rmpp_header_both_ways)
{
	static const uint8_t last[12] = { 1, 1, 7, 0, 0, 0, 0, 1, 0, 0, 0, 0x80 };
	struct fakeumad_reply reply = { .data = last, .data_size = 12, .data_offset = 24 };
	ib_sa_call_t sa = { .attrid = 0x11, .method = 0x12 };
	ib_portid_t to = { .lid = 7 };

	sa.rmpp.type = IB_RMPP_TYPE_DATA;
	sa.rmpp.flags = IB_RMPP_FLAG_ACTIVE;
	fakeumad_expect_write(NULL, 0, &reply, 1);
	assert_non_null(sa_rpc_call(*state, data, &to, &sa, TIMEOUT_MS));
	assert_memory_equal(fakeumad_written(1) + FAKEUMAD_HEADER + 24, "\x01\x01\xf9\x00", 4);
	assert_int_equal(sa.rmpp.flags, 7);
	assert_int_equal(sa.rmpp.d2.len, 0x80);
}

/* A table of 800 bytes: the caller's 200 are filled, the rest is not anybody's memory. */
FAKEUMAD_TEST(table_of_many_packets)
{
	static uint8_t table[832] = { 1, 1, 7, 0, 0, 0, 0, 1, 0, 0, 3, 0x20 };
	struct fakeumad_reply reply = { .data = table,
					.data_size = sizeof(table),
					.data_offset = 24,
					.length = 24 + sizeof(table) };
	uint8_t guarded[IB_SA_DATA_SIZE + 8];
	ib_sa_call_t sa = { .attrid = 0x11, .method = 0x12 };
	ib_portid_t to = { .lid = 7 };

	sa.rmpp.flags = IB_RMPP_FLAG_ACTIVE;
	fakeumad_pattern(table + 32, 800, 3);
	memset(guarded, 0xee, sizeof(guarded));
	fakeumad_expect_write(NULL, 0, &reply, 1);
	assert_non_null(sa_rpc_call(*state, guarded, &to, &sa, TIMEOUT_MS));
	assert_memory_equal(guarded, table + 32, IB_SA_DATA_SIZE);
	assert_memory_equal(guarded + IB_SA_DATA_SIZE, "\xee\xee\xee\xee\xee\xee\xee\xee", 8);
}

static uint8_t from[16] = { 0xfe, 0x80, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8 };
static uint8_t into[16] = { 0xfe, 0x80, 0, 0, 0, 0, 0, 0, 9, 8, 7, 6, 5, 4, 3, 2 };

FAKEUMAD_TEST(path_query)
{
	static const uint8_t path[64] = { [40] = 0x12, 0x34 };
	struct fakeumad_reply reply = { .data = path, .data_size = 64, .data_offset = 56 };
	uint8_t record[IB_SA_DATA_SIZE] = { 0 };
	ib_portid_t sm = { .lid = 7, .sl = 3 };

	memcpy(record + 8, into, 16);
	memcpy(record + 24, from, 16);
	memset(data, 0xee, sizeof(data));
	expect((struct fakeumad_packet){ .timeout_ms = 1000,
					 .lid = 7,
					 .sl = 3,
					 .qkey = IB_DEFAULT_QP1_QKEY,
					 .method = 1,
					 .attr_id = 0x35 },
	       0x0c, record, sizeof(record), &reply);
	assert_int_equal(ib_path_query_via(*state, from, into, &sm, data), 0x1234);
	assert_memory_equal(data, path, sizeof(path));
}

FAKEUMAD_TEST(path_query_fails)
{
	struct fakeumad_reply reply = { .status = 0x0300 };
	ib_portid_t sm = { .lid = 7 };

	fakeumad_expect_write(NULL, 0, &reply, 1);
	assert_int_equal(ib_path_query_via(*state, from, into, &sm, data), -1);
	assert_int_equal(errno, EIO);
}

FAKEUMAD_TEST(node_query)
{
	uint8_t record[IB_SA_DATA_SIZE] = { 0 }, node[108];
	struct fakeumad_reply reply = { .data = node,
					.data_size = sizeof(node),
					.data_offset = 56 };
	ib_portid_t sm = { .lid = 7 };

	memcpy(record + 24, "\x11\x22\x33\x44\x55\x66\x77\x88", 8);
	fakeumad_pattern(node, sizeof(node), 1);
	memset(data, 0xee, sizeof(data));
	expect((struct fakeumad_packet){ .timeout_ms = 1000,
					 .lid = 7,
					 .qkey = IB_DEFAULT_QP1_QKEY,
					 .method = 1,
					 .attr_id = 0x11 },
	       0x100, record, sizeof(record), &reply);
	assert_int_equal(ib_node_query_via(*state, 0x1122334455667788, &sm, data), 0);
	assert_memory_equal(data, node, sizeof(node));
}

FAKEUMAD_TEST(node_query_fails)
{
	struct fakeumad_reply reply = { .status = 0x0300 };
	ib_portid_t sm = { .lid = 7 };

	fakeumad_expect_write(NULL, 0, &reply, 1);
	assert_int_equal(ib_node_query_via(*state, 1, &sm, data), -1);
	assert_int_equal(errno, EIO);
}

FAKEUMAD_TEST(missing_arguments)
{
	ib_sa_call_t sa = { .attrid = 0x35, .method = 1 };
	ib_portid_t to = { .lid = 7 };

	errno = 0;
	assert_null(sa_rpc_call(*state, NULL, &to, &sa, 0));
	assert_int_equal(errno, EINVAL);
	assert_null(sa_rpc_call(*state, data, NULL, &sa, 0));
	assert_null(sa_rpc_call(*state, data, &to, NULL, 0));
	assert_null(sa_rpc_call(NULL, data, &to, &sa, 0));
	errno = 0;
	assert_int_equal(ib_path_query_via(*state, from, into, NULL, data), -1);
	assert_int_equal(errno, EINVAL);
	assert_int_equal(ib_path_query_via(*state, from, into, &to, NULL), -1);
	assert_int_equal(ib_path_query_via(*state, NULL, into, &to, data), -1);
	assert_int_equal(ib_path_query_via(*state, from, NULL, &to, data), -1);
	errno = 0;
	assert_int_equal(ib_node_query_via(*state, 1, NULL, data), -1);
	assert_int_equal(errno, EINVAL);
	assert_int_equal(ib_node_query_via(*state, 1, &to, NULL), -1);
	assert_int_equal(fakeumad_writes(), 0);
}
