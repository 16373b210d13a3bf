/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Long MADs on their way out: a query of many packets, and a server's tables, byte by byte. */
#include "test.h"
#include "fakeumad.h"
#include "sa-response.h"

#include <errno.h>
#include <infiniband/mad_message.h>
#include <infiniband/mad_sa.h>
#include <infiniband/umad.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A packet that was written, however long. */
struct written {
	uint8_t *packet;
	size_t size;
};

static int keep_packet(const struct fakeumad_request *request, void *context)
{
	struct written *written = context;

	free(written->packet);
	written->packet = malloc(request->size);
	assert_non_null(written->packet);
	memcpy(written->packet, request->packet, request->size);
	written->size = request->size;
	return 0;
}

/* GetMulti may ask with more than a MAD holds. */
FAKEUMAD_TEST(long_request)
{
	uint8_t data[1000];
	struct mad_sa_request what = { .method = IB_MAD_METHOD_GETMULTI,
				       .attr_id = IB_SA_ATTR_MULTIPATH,
				       .mask = UINT64_C(0x1122334455667788),
				       .sm_key = UINT64_C(0x0123456789abcdef),
				       .timeout_ms = 10,
				       .data = data,
				       .data_size = sizeof(data) };
	static const uint8_t head[] = { 1, 0x03, 2, IB_MAD_METHOD_GETMULTI };
	static const uint8_t mask[] = { 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88 };
	static const uint8_t sm_key[] = { 0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef };
	struct written written = { 0 };
	ib_portid_t sm = { .lid = 1 };
	struct mad_sa_table *table;
	const uint8_t *mad;

	fakeumad_pattern(data, sizeof(data), 3);
	fakeumad_respond_with(keep_packet, &written);
	assert_null(table = mad_sa_query(*state, &sm, &what, sizeof(what), NULL));
	assert_int_equal(errno, ETIMEDOUT);
	assert_int_equal(written.size, FAKEUMAD_HEADER + SA_DATA + sizeof(data));
	mad = written.packet + FAKEUMAD_HEADER;
	assert_memory_equal(mad, head, sizeof(head));
	assert_int_equal(mad[17], IB_SA_ATTR_MULTIPATH);
	assert_int_equal(mad[24], 1);
	assert_int_equal(mad[25], DATA);
	assert_int_equal(mad[26] & ACTIVE, ACTIVE);
	assert_memory_equal(mad + 36, sm_key, sizeof(sm_key));
	assert_memory_equal(mad + 48, mask, sizeof(mask));
	assert_memory_equal(mad + SA_DATA, data, sizeof(data));
	free(written.packet);
}

/* A request to a server of class mgmt_class from LID 7, QP 1. */
static void *receive_request(struct ibmad_port *port, int agent, uint8_t mgmt_class)
{
	struct fakeumad_packet what = { .agent = agent,
					.qpn = 1,
					.lid = 7,
					.sl = 3,
					.pkey_index = 1,
					.mgmt_class = mgmt_class,
					.method = IB_MAD_METHOD_GET_TABLE,
					.tid = UINT64_C(0x0102030405060708),
					.attr_id = 0x11,
					.attr_mod = 0x21222324 };
	uint8_t packet[FAKEUMAD_PACKET];
	void *umad;

	fakeumad_build(packet, &what);
	for (int i = 24; i < FAKEUMAD_MAD; i++) /* nothing of this belongs into a response */
		packet[FAKEUMAD_HEADER + i] = 0xee;
	if (mgmt_class == 0x32)
		memcpy(packet + FAKEUMAD_HEADER + 37, "\x00\x14\x05", 3);
	fakeumad_deliver(packet, sizeof(packet), 0);
	umad = mad_receive_via(NULL, TIMEOUT_MS, port);
	assert_non_null(umad);
	return umad;
}

/* The response to that request, as it has to be written: all of it in network order. */
static uint8_t *expected_response(int agent, uint8_t mgmt_class, size_t offset, size_t size)
{
	struct fakeumad_packet what = { .agent = agent,
					.qpn = 1,
					.qkey = IB_DEFAULT_QP1_QKEY,
					.lid = 7,
					.sl = 3,
					.pkey_index = 1,
					.mgmt_class = mgmt_class,
					.method = IB_MAD_METHOD_GET_TABLE_RESPONSE,
					.tid = UINT64_C(0x0102030405060708),
					.attr_id = 0x11,
					.attr_mod = 0x21222324 };
	uint8_t head[FAKEUMAD_PACKET], *packet = calloc(1, FAKEUMAD_PACKET + offset + size);
	uint8_t *mad = packet + FAKEUMAD_HEADER;

	assert_non_null(packet);
	fakeumad_build(head, &what);
	memcpy(packet, head, FAKEUMAD_HEADER + 24);
	mad[24] = 1;
	mad[25] = DATA;
	mad[26] = 0xf8 | ACTIVE;
	return packet;
}

static void assert_packet(const struct written *written, const uint8_t *wanted, size_t size)
{
	assert_int_equal(written->size, size);
	for (size_t i = 0; i < size; i++) {
		if (i >= 16 && i < 20) /* the length in the umad header is for reads */
			continue;
		if (written->packet[i] != wanted[i])
			fail_msg("byte %zu is 0x%02x, not 0x%02x", i, written->packet[i],
				 wanted[i]);
	}
}

/* 2,000 records of 108 bytes, each of which takes 112 in the table. */
FAKEUMAD_TEST(server_responds_with_a_long_table)
{
	const unsigned count = 2000;
	const size_t size = (size_t)count * NODE_STRIDE;
	struct written written = { 0 };
	uint8_t *records = sa_response_make_nodes(count),
		*packed = malloc((size_t)count * NODE_SIZE);
	int agent = mad_rpc_class_agent(*state, IB_SA_CLASS);
	void *request = receive_request(*state, agent, IB_SA_CLASS);
	uint8_t *wanted = expected_response(agent, IB_SA_CLASS, SA_DATA, size);

	assert_non_null(packed);
	for (unsigned i = 0; i < count; i++) {
		uint8_t *record = wanted + FAKEUMAD_HEADER + SA_DATA + (size_t)i * NODE_STRIDE;

		memcpy(packed + (size_t)i * NODE_SIZE, records + (size_t)i * NODE_STRIDE,
		       NODE_SIZE);
		memcpy(record, records + (size_t)i * NODE_STRIDE, NODE_SIZE);
	}
	sa_response_put16(wanted + FAKEUMAD_HEADER + 44, NODE_STRIDE / 8);
	fakeumad_respond_with(keep_packet, &written);
	assert_return_code(
		mad_message_respond_table(*state, NULL, request, 0, packed, NODE_SIZE, count),
		errno);
	assert_packet(&written, wanted, FAKEUMAD_HEADER + SA_DATA + size);
	mad_free(request);
	free(written.packet);
	free(wanted);
	free(packed);
	free(records);
}

FAKEUMAD_TEST(server_responds_with_no_record)
{
	struct written written = { 0 };
	int agent = mad_rpc_class_agent(*state, IB_SA_CLASS);
	void *request = receive_request(*state, agent, IB_SA_CLASS);
	uint8_t *wanted = expected_response(agent, IB_SA_CLASS, SA_DATA, 0);

	wanted[FAKEUMAD_HEADER + 4] = SA_NO_RECORDS >> 8;
	fakeumad_respond_with(keep_packet, &written);
	assert_return_code(
		mad_message_respond_table(*state, NULL, request, SA_NO_RECORDS, NULL, 0, 0), errno);
	assert_packet(&written, wanted, FAKEUMAD_HEADER + SA_DATA);
	mad_free(request);
	free(written.packet);
	free(wanted);
}

/* Vendor classes of range 2: records from byte 40, as close as they are; to another port. */
FAKEUMAD_TEST(server_of_a_vendor_class)
{
	struct written written = { 0 };
	int agent = mad_rpc_class_agent(*state, 0x32);
	void *request = receive_request(*state, agent, 0x32);
	uint8_t *wanted = expected_response(agent, 0x32, 40, 77 * 5), records[77 * 5];
	ib_portid_t to = { .lid = 0x1234, .qp = 9, .qkey = 0x11223344, .sl = 2, .pkey_idx = 1 };
	struct fakeumad_packet address = { .agent = agent,
					   .qpn = 9,
					   .qkey = 0x11223344,
					   .lid = 0x1234,
					   .sl = 2,
					   .pkey_index = 1 };
	uint8_t head[FAKEUMAD_PACKET];

	fakeumad_build(head, &address);
	memcpy(wanted, head, FAKEUMAD_HEADER);
	memcpy(wanted + FAKEUMAD_HEADER + 37, "\x00\x14\x05", 3);
	fakeumad_pattern(records, sizeof(records), 1);
	memcpy(wanted + FAKEUMAD_HEADER + 40, records, sizeof(records));
	wanted[FAKEUMAD_HEADER + 36] = 0xee; /* the vendor's */
	fakeumad_respond_with(keep_packet, &written);
	assert_return_code(mad_message_respond_table(*state, &to, request, 0, records, 77, 5),
			   errno);
	assert_packet(&written, wanted, FAKEUMAD_HEADER + 40 + sizeof(records));
	mad_free(request);
	free(written.packet);
	free(wanted);
}

FAKEUMAD_TEST(impossible_responses)
{
	struct ibmad_port *port = *state;
	void *request = receive_request(port, mad_rpc_class_agent(port, IB_SA_CLASS), IB_SA_CLASS);
	uint8_t *mad = umad_get_mad(request), records[64] = { 0 };

	assert_int_equal(mad_message_respond_table(port, NULL, NULL, 0, records, 8, 8), -1);
	assert_int_equal(errno, EINVAL);
	assert_int_equal(mad_message_respond_table(port, NULL, request, 0, NULL, 8, 8), -1);
	assert_int_equal(errno, EINVAL);
	assert_int_equal(mad_message_respond_table(port, NULL, request, 0, records, 0, 8), -1);
	assert_int_equal(errno, EINVAL);
	assert_int_equal(mad_message_respond_table(NULL, NULL, request, 0, records, 8, 8), -1);
	assert_int_equal(errno, EINVAL);
	assert_int_equal(mad_message_respond_table(port, NULL, request, 0, records, 64, 0xffffffff),
			 -1);
	assert_int_equal(errno, EINVAL);
	mad[1] = IB_PERFORMANCE_CLASS; /* has no RMPP */
	assert_int_equal(mad_message_respond_table(port, NULL, request, 0, records, 8, 8), -1);
	assert_int_equal(errno, EINVAL);
	assert_int_equal(fakeumad_writes(), 0);
	mad_free(request);
}
