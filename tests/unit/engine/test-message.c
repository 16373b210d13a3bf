/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Messages from and to the caller's own buffers: headers, who sent it, and what is refused. Data of
 * any length in any parts, and what does not fit, are in the simulation.
 */
#include "test.h"
#include "fixture.h"

#include <errno.h>
#include <infiniband/mad_keys.h>
#include <infiniband/mad_message.h>
#include <infiniband/umad.h>
#include <string.h>

#define VENDOR_CLASS 0x32
#define VENDOR_AT    40
#define SA_AT	     56

static uint8_t written[RESPONDER_HEADER + 1000];
static size_t written_size;
static int written_timeout;

static void keep(const struct responder_request *request, struct responder_response *response,
		 void *context)
{
	(void)context;
	written_size = request->size;
	written_timeout = request->timeout_ms;
	memcpy(written, request->packet,
	       request->size < sizeof(written) ? request->size : sizeof(written));
	response->silent = true;
}

PORT_TEST(sending_to_the_sa)
{
	uint8_t data[500] = { 1 }, *mad = written + RESPONDER_HEADER;
	struct iovec part = { data, sizeof(data) };
	struct mad_keys *keys = mad_keys_create();
	ib_portid_t to = { .lid = 7, .qp = 1 };
	ib_rpc_t rpc = { .mgtclass = IB_SA_CLASS,
			 .method = 0x14,
			 .attr = { 0x35, 0 },
			 .recsz = 8,
			 .mask = 0x1234,
			 .trid = 0x77,
			 .timeout = 123 };

	responder_plan(keep, NULL);
	mad_keys_set_default(keys, MAD_KEY_SA, 0x0102030405060708);
	mad_port_set_keys(*state, keys);
	mad_keys_free(keys);
	assert_int_equal(mad_message_send(*state, &to, &rpc, &part, 1), 0);
	assert_int_equal(written_size, RESPONDER_HEADER + SA_AT + sizeof(data));
	assert_memory_equal(mad + 24, "\1\1\xf9\0", 4); /* RMPP: DATA, active, no response time */
	assert_memory_equal(mad + SA_AT, data, sizeof(data));
	assert_int_equal(written_timeout, 123);
	assert_int_equal(rpc.trid, 0x77);
	assert_memory_equal(mad + 36, "\1\2\3\4\5\6\7\x8\0\x8\0\0\0\0\0\0\0\0\x12\x34", 20);
}

PORT_TEST(what_is_not_sent)
{
	uint8_t data[8] = { 0 };
	struct iovec part = { data, sizeof(data) }, huge = { data, SIZE_MAX }, none = { NULL, 1 };
	struct iovec large[3] = { { data, 1 << 29 }, { data, 1 << 29 }, { data, 1 << 29 } };
	ib_portid_t to = { .lid = 7 };
	ib_rpc_t rpc = { .mgtclass = VENDOR_CLASS, .method = IB_MAD_METHOD_SEND };
	ib_rpc_t other = { .mgtclass = IB_PERFORMANCE_CLASS, .method = IB_MAD_METHOD_SEND };
	ib_rpc_t unregistered = { .mgtclass = 0x40, .method = IB_MAD_METHOD_SEND };
	const struct {
		ib_rpc_t *rpc;
		struct iovec *parts;
		int count;
	} cases[] = {
		{ NULL, &part, 1 },	     { &rpc, &huge, 1 }, { &rpc, &none, 1 },
		{ &rpc, large, 3 },	     { &rpc, NULL, 1 },	 { &other, &part, 1 },
		{ &unregistered, &part, 1 },
	};

	responder_plan(keep, NULL);
	written_size = 0;
	for (size_t i = 0; i < COUNT(cases); i++) {
		assert_errno(
			mad_message_send(*state, &to, cases[i].rpc, cases[i].parts, cases[i].count),
			EINVAL);
	}
	assert_int_equal(mad_message_send(*state, NULL, &rpc, &part, 1), -1);
	assert_int_equal(mad_message_send(NULL, &to, &rpc, &part, 1), -1);
	assert_int_equal(written_size, 0);
}

PORT_TEST(who_sent_it)
{
	uint8_t packet[RESPONDER_HEADER + 340] = { 0 }, *mad = packet + RESPONDER_HEADER,
					  data[1000];
	struct ib_user_mad *header = (void *)packet;
	struct iovec part = { data, sizeof(data) };
	struct mad_message message;

	header->length = sizeof(packet);
	header->addr.lid = htobe16(9);
	header->addr.qpn = htobe32(1);
	header->addr.sl = 3;
	header->addr.pkey_index = 2;
	header->addr.grh_present = 1;
	header->addr.gid[15] = 0x42;
	memcpy(mad, "\1\x32\1\2", 4); /* Set */
	mad[17] = 0x55;
	mad[23] = 9;
	memcpy(mad + 24, "\1\1\xf9", 3);
	memset(mad + VENDOR_AT, 7, 300);
	responder_deliver(0, packet, sizeof(packet));
	assert_int_equal(mad_message_receive(*state, &message, &part, 1, 1000), 0);
	assert_int_equal(message.from.lid, 9);
	assert_int_equal(message.from.qp, 1);
	assert_int_equal(message.from.qkey, IB_DEFAULT_QP1_QKEY);
	assert_int_equal(message.from.sl, 3);
	assert_int_equal(message.from.pkey_idx, 2);
	assert_int_equal(message.from.grh_present, 1);
	assert_int_equal(message.from.gid[15], 0x42);
	assert_int_equal(message.mgmt_class, VENDOR_CLASS);
	assert_int_equal(message.method, IB_MAD_METHOD_SET);
	assert_int_equal(message.attr_id, 0x55);
	assert_int_equal(message.attr_mod, 9);
	assert_int_equal(message.error, 0);
	assert_int_equal(message.status, 0);
	assert_int_equal(message.header_size, VENDOR_AT);
	assert_memory_equal(message.header, mad, VENDOR_AT);
	assert_int_equal(message.header[VENDOR_AT], 0);
	assert_int_equal(message.data_size, 300);
	assert_memory_equal(data, mad + VENDOR_AT, 300);
}

/* Shorter than its headers, or than any; one whose RMPP header counts fewer bytes; and data of a
 * class without RMPP, which are no RMPP header, whatever they are. */
PORT_TEST(headers_and_data)
{
	uint8_t data[300], packet[RESPONDER_HEADER + 256] = { 0 };
	struct iovec part = { data, sizeof(data) };
	struct ib_user_mad *header = (void *)packet;
	uint8_t *mad = packet + RESPONDER_HEADER;
	struct mad_message message;
	static const struct {
		uint8_t mgmt_class;
		size_t length;
		size_t headers;
		size_t data;
	} cases[] = { { VENDOR_CLASS, 256, 40, 10 },
		      { VENDOR_CLASS, 40, 40, 0 },
		      { VENDOR_CLASS, 39, 39, 0 },
		      { VENDOR_CLASS, 24, 24, 0 },
		      { IB_PERFORMANCE_CLASS, 256, 24, 232 } };

	mad[0] = mad[2] = 1;
	mad[3] = IB_MAD_METHOD_SET;
	memcpy(mad + 24, "\1\1\7\0\0\0\0\1\0\0\0\16", 12); /* of 14 bytes, 4 are of the class */
	for (size_t i = 0; i < COUNT(cases); i++) {
		mad[1] = cases[i].mgmt_class;
		header->length = (uint32_t)(RESPONDER_HEADER + cases[i].length);
		responder_deliver(0, packet, RESPONDER_HEADER + cases[i].length);
		assert_int_equal(mad_message_receive(*state, &message, &part, 1, 1000), 0);
		assert_int_equal(message.header_size, cases[i].headers);
		assert_int_equal(message.data_size, cases[i].data);
	}
}

PORT_TEST(what_is_not_received)
{
	struct iovec none = { NULL, 1 };
	struct mad_message message;

	assert_errno(mad_message_receive(*state, NULL, NULL, 0, 0), EINVAL);
	assert_errno(mad_message_receive(NULL, &message, NULL, 0, 0), EINVAL);
	assert_errno(mad_message_receive(*state, &message, &none, 1, 0), EINVAL);
	assert_errno(mad_message_receive(*state, &message, NULL, 0, 0), EAGAIN);
	assert_errno(mad_message_receive(*state, &message, NULL, 0, 1), ETIMEDOUT);
}
