/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * SA tables: what is refused, large ones, long requests, and a server's tables, byte by byte. What
 * else a response can be is in requests.tbl, how long it is waited for in steps.tbl.
 */
#include "test.h"
#include "fixture.h"

#include <errno.h>
#include <infiniband/mad_message.h>
#include <infiniband/mad_sa.h>
#include <infiniband/umad.h>
#include <stdlib.h>
#include <string.h>

#define SA_DATA	       56 /* offset of records in a MAD */
#define VENDOR_DATA    40
#define NODE_STRIDE    112
#define RECORD_SIZE_AT 44
#define LONGEST	       (RESPONDER_HEADER + SA_DATA + 2000 * NODE_STRIDE)
#define SA_NO_RECORDS  0x0300
#define VENDOR_CLASS   0x32
#define TIMEOUT_MS     2000
#define REQUEST_MAD    "\1\3\2\x12\0\0\0\0\1\2\3\4\5\6\7\x8\0\x11\0\0\x21\x22\x23\x24"

static void fill(uint8_t *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++)
		bytes[i] = (uint8_t)(i * 7 + i / 256);
}

PORT_TEST(what_is_refused)
{
	static const uint8_t data[IB_SA_DATA_SIZE + 1];
	static const struct mad_sa_request good = { .attr_id = IB_SA_ATTR_NODERECORD };
	static const struct mad_sa_request wrong[] = {
		{ .attr_id = 0x11, .data_size = 1 },
		{ .attr_id = 0x11, .data = data, .data_size = sizeof(data) },
		{ .attr_id = 0x11, .data = data, .method = IB_MAD_METHOD_SET },
		{ .attr_id = 0x11, .timeout_ms = -1 },
	};
	const ib_portid_t sm = { .lid = 1 };
	struct {
		struct mad_sa_request known;
		uint64_t more;
	} longer = { good, 1 };

	assert_null_errno(mad_sa_query(NULL, &sm, &good, NULL), EINVAL);
	assert_null_errno(mad_sa_query(*state, &sm, NULL, NULL), EINVAL);
	assert_null_errno(mad_sa_query_paths(*state, &sm, NULL, NULL, 0), EINVAL);
	for (size_t i = 0; i < COUNT(wrong); i++)
		assert_null_errno(mad_sa_query(*state, &sm, &wrong[i], NULL), EINVAL);
	for (size_t size = 0; size < sizeof(good); size++) /* of other versions */
		assert_null_errno(mad_sa_query_sized(*state, &sm, &good, size, NULL), EINVAL);
	assert_null_errno(mad_sa_query_sized(*state, &sm, &longer.known, sizeof(longer), NULL),
			  E2BIG);
	assert_null_errno(mad_sa_query_sized(*state, &sm, &longer.known, SIZE_MAX, NULL), E2BIG);
	assert_int_equal(responder_writes(), 0);
	mad_sa_table_free(NULL);
}

static void give_node(const struct responder_request *request, struct responder_response *response,
		      void *context)
{
	static const uint8_t record[12 + NODE_STRIDE] = { [1] = NODE_STRIDE / 8, [56] = 'A', 'b' };

	(void)request;
	(void)context;
	response->data = record;
	response->data_size = sizeof(record);
	response->data_offset = RECORD_SIZE_AT;
}

/* Members that the library does not know are zeros in a later version's longer structure. */
PORT_TEST(records_in_structures_of_any_size)
{
	struct mad_sa_request what = { .method = IB_MAD_METHOD_GET,
				       .attr_id = IB_SA_ATTR_NODERECORD };
	ib_portid_t sm = { .lid = 1 };
	struct {
		struct mad_sa_node known;
		uint64_t more;
	} node;
	struct mad_sa_path path;
	struct mad_sa_table *table;

	responder_plan(give_node, NULL);
	table = mad_sa_query(*state, &sm, &what, NULL);
	assert_non_null(table);
	memset(&node, 0x5a, sizeof(node));
	assert_int_equal(mad_sa_get_node_sized(table, 0, &node.known, sizeof(node)), 0);
	assert_string_equal(node.known.description, "Ab");
	assert_true(node.more == 0);
	assert_errno(mad_sa_get_node_sized(table, 0, &node.known, 8), EINVAL);
	assert_errno(mad_sa_get_node_sized(table, 0, &node.known, SIZE_MAX), E2BIG);
	assert_errno(mad_sa_get_path(table, 0, &path), EINVAL); /* no paths */
	mad_sa_table_free(table);
}

/* The last packet that was written, however long. */
static struct {
	uint8_t packet[LONGEST];
	size_t size;
} written;

static void keep(const struct responder_request *request, struct responder_response *response,
		 void *context)
{
	(void)context;
	assert_true(request->size <= sizeof(written.packet));
	memcpy(written.packet, request->packet, request->size);
	written.size = request->size;
	response->silent = true;
}

static void assert_written(const uint8_t *mad, size_t length)
{
	assert_int_equal(written.size, RESPONDER_HEADER + length);
	for (size_t i = 0; i < length; i++)
		if (written.packet[RESPONDER_HEADER + i] != mad[i])
			fail_msg("byte %zu is 0x%02x, not 0x%02x", i,
				 written.packet[RESPONDER_HEADER + i], mad[i]);
}

/* GetMulti may ask with more than a MAD holds. */
PORT_TEST(long_request)
{
	uint8_t data[1000], mad[SA_DATA + sizeof(data)] = "\1\3\2\x14";
	struct mad_sa_request what = { .method = IB_MAD_METHOD_GETMULTI,
				       .attr_id = IB_SA_ATTR_MULTIPATH,
				       .mask = UINT64_C(0x1122334455667788),
				       .sm_key = UINT64_C(0x0123456789abcdef),
				       .timeout_ms = 10,
				       .data = data,
				       .data_size = sizeof(data) };
	ib_portid_t sm = { .lid = 1 };

	fill(data, sizeof(data));
	responder_plan(keep, NULL);
	assert_null_errno(mad_sa_query(*state, &sm, &what, NULL), ETIMEDOUT);
	memcpy(mad + 8, written.packet + RESPONDER_HEADER + 8, 8); /* the transaction ID */
	mad[17] = IB_SA_ATTR_MULTIPATH;
	memcpy(mad + 24, "\1\1\xf9", 3);
	memcpy(mad + 36, "\x01\x23\x45\x67\x89\xab\xcd\xef", 8);
	memcpy(mad + 48, "\x11\x22\x33\x44\x55\x66\x77\x88", 8);
	memcpy(mad + SA_DATA, data, sizeof(data));
	assert_written(mad, sizeof(mad));
}

/* A GetTable to a server, from LID 7, QP 1. Nothing behind its header belongs into a response. */
static void *receive_request(struct ibmad_port *port, uint8_t mgmt_class)
{
	uint8_t packet[RESPONDER_PACKET] = { 0 }, *mad = packet + RESPONDER_HEADER;
	struct ib_user_mad *header = (void *)packet;
	void *umad;

	header->agent_id = (uint32_t)mad_rpc_class_agent(port, mgmt_class);
	header->length = sizeof(packet);
	header->addr.lid = htobe16(7);
	header->addr.qpn = htobe32(1);
	header->addr.sl = 3;
	header->addr.pkey_index = 1;
	memcpy(mad, REQUEST_MAD, 24);
	memset(mad + 24, 0xee, RESPONDER_MAD - 24);
	if (mgmt_class == VENDOR_CLASS) {
		mad[1] = VENDOR_CLASS;
		mad[2] = 1;
		memcpy(mad + 37, "\x00\x14\x05", 3);
	}
	responder_deliver(0, packet, sizeof(packet));
	umad = mad_receive_via(NULL, TIMEOUT_MS, port);
	assert_non_null(umad);
	return umad;
}

/*
 * Records of 108 bytes, each of which takes 112 in the SA's table; none; and those of vendor
 * classes of range 2, from byte 40, as close as they are, to another port.
 */
PORT_TEST(server_responds_with_a_table)
{
	static const struct {
		uint8_t mgmt_class;
		unsigned status;
		uint32_t size, stride, count, offset;
		ib_portid_t to;
	} cases[] = {
		{ IB_SA_CLASS, 0, 108, NODE_STRIDE, 2000, SA_DATA, { 0 } },
		{ IB_SA_CLASS, SA_NO_RECORDS, 0, 0, 0, SA_DATA, { 0 } },
		{ VENDOR_CLASS,
		  0,
		  77,
		  77,
		  5,
		  VENDOR_DATA,
		  { .lid = 0x1234, .qp = 9, .qkey = 0x11223344, .sl = 2, .pkey_idx = 1 } },
	};

	responder_plan(keep, NULL);
	for (size_t n = 0; n < COUNT(cases); n++) {
		uint32_t size = cases[n].size, count = cases[n].count, offset = cases[n].offset;
		size_t length = offset + (size_t)cases[n].stride * count;
		uint8_t *mad = calloc(1, length), *records = calloc(count + 1, size + 1);
		void *request = receive_request(*state, cases[n].mgmt_class);
		const struct ib_user_mad *header = (const void *)written.packet;
		ib_portid_t to = cases[n].to;

		assert_true(mad && records);
		fill(records, (size_t)size * count);
		memcpy(mad, REQUEST_MAD, 24);
		mad[1] = cases[n].mgmt_class;
		mad[2] = cases[n].mgmt_class == IB_SA_CLASS ? 2 : 1;
		mad[3] = IB_MAD_METHOD_GET_TABLE_RESPONSE;
		mad[4] = (uint8_t)(cases[n].status >> 8);
		memcpy(mad + 24, "\1\1\xf9", 3);
		if (offset == VENDOR_DATA)
			memcpy(mad + 36, "\xee\x00\x14\x05", 4);
		else
			mad[RECORD_SIZE_AT + 1] = (uint8_t)(cases[n].stride / 8);
		for (uint32_t i = 0; i < count; i++)
			memcpy(mad + offset + (size_t)i * cases[n].stride,
			       records + (size_t)i * size, size);
		assert_int_equal(mad_message_respond_table(*state, to.lid ? &to : NULL, request,
							   cases[n].status, count ? records : NULL,
							   size, count),
				 0);
		assert_written(mad, length);
		assert_int_equal(be16toh(header->addr.lid), to.lid ? to.lid : 7);
		assert_int_equal(be32toh(header->addr.qpn), to.lid ? to.qp : 1);
		assert_int_equal(be32toh(header->addr.qkey),
				 to.lid ? to.qkey : IB_DEFAULT_QP1_QKEY);
		assert_int_equal(header->addr.sl, to.lid ? 2 : 3);
		assert_int_equal(header->addr.pkey_index, 1);
		mad_free(request);
		free(records);
		free(mad);
	}
}

PORT_TEST(impossible_responses)
{
	struct ibmad_port *port = *state;
	void *request = receive_request(port, IB_SA_CLASS);
	uint8_t *mad = umad_get_mad(request), records[64] = { 0 };

	assert_errno(mad_message_respond_table(port, NULL, NULL, 0, records, 8, 8), EINVAL);
	assert_errno(mad_message_respond_table(port, NULL, request, 0, NULL, 8, 8), EINVAL);
	assert_errno(mad_message_respond_table(port, NULL, request, 0, records, 0, 8), EINVAL);
	assert_errno(mad_message_respond_table(NULL, NULL, request, 0, records, 8, 8), EINVAL);
	assert_errno(mad_message_respond_table(port, NULL, request, 0, records, 64, UINT32_MAX),
		     EINVAL);
	mad[1] = IB_PERFORMANCE_CLASS; /* has no RMPP */
	assert_errno(mad_message_respond_table(port, NULL, request, 0, records, 8, 8), EINVAL);
	assert_int_equal(responder_writes(), 0);
	mad_free(request);
}
