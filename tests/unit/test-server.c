/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * test-server.c - servers respond (libibmad/requests/server.c) and get notices (notices.c). What
 * they send on their own account is in the rows of tests/lib/requests.
 */
#include "test.h"
#include "bytes.h"
#include "fakeumad.h"

#include <errno.h>
#include <string.h>

#include <infiniband/mad_message.h>
#include <infiniband/mad_sa.h>
#include <infiniband/umad.h>

#define PM_AGENT  3
#define NO_KEY	  "24:0000000000000000"
#define NO_SM_KEY "36:0000000000000000"
#define NO_MASK	  "48:0000000000000000"

/* A request as it comes in; the whole MAD after the header has a pattern. */
static void make_request(uint8_t packet[FAKEUMAD_PACKET], int mgmt_class, int method)
{
	ib_user_mad_t *umad = (void *)packet;
	uint8_t rest[FAKEUMAD_MAD - 24];

	fakeumad_pattern(rest, sizeof(rest), 1);
	fakeumad_build(packet, &(struct fakeumad_packet){
				       .agent = PM_AGENT,
				       .lid = 0x21,
				       .qpn = 0x1234,
				       .qkey = 0x89abcdef,
				       .sl = 6,
				       .pkey_index = 4,
				       .mgmt_class = (uint8_t)mgmt_class,
				       .method = (uint8_t)method,
				       .tid = 0x0102030405060708,
				       .attr_id = 0x12,
				       .attr_mod = 0x3456,
				       .data = rest,
				       .data_size = sizeof(rest),
				       .data_offset = 24,
			       });
	umad->addr.path_bits = 2;
	umad->length = FAKEUMAD_PACKET;
}

/* What a response has that its request had not; all else stays. */
FAKEUMAD_TEST(responses)
{
	static const struct {
		int mgmt_class, method;
		const char *request;
		uint32_t rstatus;
		const char *response;
	} rows[] = {
		{ 0x04, 0x01, "", 0, "3:81 " NO_KEY },
		{ 0x04, 0x02, "", 0x011c, "3:81011c " NO_KEY },
		{ 0x04, 0x05, "", 0, "3:85 " NO_KEY },
		{ 0x04, 0x06, "", 0, "3:86 " NO_KEY },
		{ 0x04, 0x07, "", 0, "3:87 " NO_KEY },
		{ 0x03, 0x01, "", 0, "3:81 " NO_KEY " " NO_SM_KEY " " NO_MASK },
		{ 0x03, 0x12, "", 0, "3:92 " NO_KEY " " NO_SM_KEY " " NO_MASK },
		{ 0x0a, 0x01, "", 0, "3:81" },
		{ 0x32, 0x01, "", 0, "3:81 " NO_KEY },
		{ 0x01, 0x01, "", 0x0c, "3:81000c " NO_KEY },
		{ 0x81, 0x02, "6:0202", 0x0c, "3:81800c0302 " NO_KEY },
		/* The kernel takes a Send of board management for a response by that bit. */
		{ 0x05, 0x03, "20:12345678", 0, "20:12345679 " NO_KEY },
		{ 0x05, 0x03, "20:00000011", 0, NO_KEY },
		{ 0x05, 0x01, "20:12345678", 0, "3:81 " NO_KEY },
		{ 0x04, 0x03, "20:12345678", 0, NO_KEY },
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		uint8_t packet[FAKEUMAD_PACKET] __attribute__((aligned(8))), wanted[FAKEUMAD_MAD];
		char name[16];

		snprintf(name, sizeof(name), "class 0x%02x", (unsigned)rows[i].mgmt_class);
		make_request(packet, rows[i].mgmt_class, rows[i].method);
		put_bytes(packet + FAKEUMAD_HEADER, rows[i].request);
		memcpy(wanted, packet + FAKEUMAD_HEADER, sizeof(wanted));
		put_bytes(wanted, rows[i].response);
		assert_int_equal(mad_respond_via(packet, NULL, rows[i].rstatus, *state), 0);
		assert_int_equal(fakeumad_written_size(fakeumad_writes()), FAKEUMAD_PACKET);
		assert_bytes(name, fakeumad_written(fakeumad_writes()) + FAKEUMAD_HEADER, wanted,
			     sizeof(wanted));
	}
}

#define AGENT(number, qpn_, qkey_) .agent = (number), .qpn = (qpn_), .qkey = (qkey_)
#define REQUESTER		   .lid = 0x21, .sl = 6, .pkey_index = 4

/* Where a response goes, byte by byte, without an address and with one. */
FAKEUMAD_TEST(addresses)
{
	static const struct {
		int mgmt_class;
		uint32_t qkey; /* of the request */
		ib_portid_t to;
		struct fakeumad_packet wanted;
	} rows[] = {
		{ 4, 0x89abcdef, { 0 }, { AGENT(3, 0x1234, 0x89abcdef), REQUESTER } },
		{ 4, 0, { 0 }, { AGENT(3, 0x1234, IB_DEFAULT_QP1_QKEY), REQUESTER } },
		{ 1, 0x89abcdef, { 0 }, { AGENT(0, 0, 0), .lid = 0x21 } },
		{ 3, 1, { .lid = 9 }, { AGENT(2, 1, IB_DEFAULT_QP1_QKEY), .lid = 9 } },
		{ 4, 1, { .lid = 9 }, { AGENT(3, 1, IB_DEFAULT_QP1_QKEY), .lid = 9 } },
		{ 5, 1, { .lid = 9 }, { AGENT(4, 1, IB_DEFAULT_QP1_QKEY), .lid = 9 } },
		{ 0x21, 1, { .lid = 9 }, { AGENT(5, 1, IB_DEFAULT_QP1_QKEY), .lid = 9 } },
		{ 0x0a, 1, { .lid = 9 }, { AGENT(6, 1, IB_DEFAULT_QP1_QKEY), .lid = 9 } },
		{ 0x32, 1, { .lid = 9 }, { AGENT(7, 1, IB_DEFAULT_QP1_QKEY), .lid = 9 } },
		{ 4, 1, { .lid = 9, .qp = 7 }, { AGENT(3, 7, IB_DEFAULT_QP1_QKEY), .lid = 9 } },
		{ 4, 1, { .lid = 9, .qkey = 0x4444 }, { AGENT(3, 1, 0x4444), .lid = 9 } },
		{ 4,
		  1,
		  { .lid = 9, .qp = 5, .qkey = 0x4444, .sl = 4, .pkey_idx = 7 },
		  { AGENT(3, 5, 0x4444), .lid = 9, .sl = 4, .pkey_index = 7 } },
		{ 1, 1, { .lid = 9, .qp = 7 }, { AGENT(0, 0, 0), .lid = 9 } },
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		uint8_t packet[FAKEUMAD_PACKET] __attribute__((aligned(8))),
			wanted[FAKEUMAD_PACKET];
		ib_user_mad_t *request = (void *)packet, *header = (void *)wanted;
		ib_portid_t to = rows[i].to;
		char name[16];

		snprintf(name, sizeof(name), "row %zu", i);
		make_request(packet, rows[i].mgmt_class, IB_MAD_METHOD_GET);
		request->addr.qkey = htobe32(rows[i].qkey);
		request->status = 99; /* what a response must not have */
		fakeumad_build(wanted, &rows[i].wanted);
		header->length = FAKEUMAD_PACKET;
		header->addr.path_bits = 2;
		assert_int_equal(mad_respond_via(packet, to.lid ? &to : NULL, 0, *state), 0);
		assert_bytes(name, fakeumad_written(fakeumad_writes()), wanted, FAKEUMAD_HEADER);
		assert_int_equal(to.qp, to.lid ? rows[i].wanted.qpn : 0);
		assert_int_equal(to.qkey, to.lid ? rows[i].wanted.qkey : 0);
	}
}

FAKEUMAD_TEST(address_of_a_table)
{
	uint8_t packet[FAKEUMAD_PACKET] __attribute__((aligned(8)));
	const ib_user_mad_t *umad;
	ib_portid_t to = { .lid = 9 };

	make_request(packet, IB_SA_CLASS, IB_MAD_METHOD_GET_TABLE);
	assert_int_equal(mad_message_respond_table(*state, &to, packet, 0, NULL, 0, 0), 0);
	umad = (const void *)fakeumad_written(1);
	assert_int_equal(be16toh(umad->addr.lid), 9);
	assert_int_equal(be32toh(umad->addr.qpn), 1);
	assert_int_equal(be32toh(umad->addr.qkey), IB_DEFAULT_QP1_QKEY);
}

FAKEUMAD_TEST(response_through_the_grh)
{
	uint8_t packet[FAKEUMAD_PACKET] __attribute__((aligned(8)));
	ib_user_mad_t *request = (void *)packet;
	const ib_user_mad_t *umad;

	make_request(packet, 4, 1);
	request->addr.grh_present = 1;
	request->addr.gid_index = 1;
	request->addr.traffic_class = 44;
	request->addr.flow_label = htobe32(0x54321);
	memset(request->addr.gid, 0xcd, 16);
	assert_int_equal(mad_respond_via(packet, NULL, 0, *state), 0);
	umad = (const void *)fakeumad_written(1);
	assert_int_equal(umad->addr.hop_limit, 255);
	request->addr.hop_limit = 255;
	assert_memory_equal(&umad->addr, &request->addr, sizeof(umad->addr));
}

/* Where no response is sent, nothing changes. */
FAKEUMAD_TEST(refused)
{
	static const struct {
		int mgmt_class, error;
	} rows[] = { { 0x81, EINVAL }, { 0x06, EINVAL }, { 4, EACCES } };
	uint8_t packet[FAKEUMAD_PACKET] __attribute__((aligned(8))), before[FAKEUMAD_PACKET];
	ib_portid_t to = { .lid = 9 };

	for (size_t i = 0; i < COUNT(rows); i++) {
		make_request(packet, rows[i].mgmt_class, IB_MAD_METHOD_GET);
		packet[FAKEUMAD_HEADER + 7] = 64; /* too many hops, where it is directed */
		memcpy(before, packet, sizeof(before));
		if (rows[i].error != EINVAL)
			fakeumad_expect_write_error(NULL, 0, rows[i].error);
		assert_int_equal(mad_respond_via(packet, i == 1 ? &to : NULL, 0, *state), -1);
		assert_int_equal(errno, rows[i].error);
		assert_int_equal(fakeumad_writes(), rows[i].error != EINVAL);
		if (rows[i].error == EINVAL)
			assert_memory_equal(packet, before, sizeof(before));
	}
	assert_int_equal(to.qp, 0);
	assert_int_equal(to.qkey, 0);
	assert_int_equal(mad_respond_via(NULL, NULL, 0, *state), -1);
	assert_int_equal(mad_respond_via(packet, NULL, 0, NULL), -1);
}

/* On a kernel without P_Key indexes, umad headers have 56 bytes. */
FAKEUMAD_TEST_WITHOUT_PORT(short_umad_header)
{
	uint8_t packet[FAKEUMAD_PACKET] __attribute__((aligned(8))), wanted[FAKEUMAD_MAD];
	ib_portid_t to = { .lid = 9, .drpath = { .cnt = 2 }, .pkey_idx = 0x0707 };
	int classes[] = { 0x81, 4 };
	struct ibmad_port *port;

	fakeumad_expect_open(FAKEUMAD_DEVICE, 0);
	fakeumad_expect_enable_pkey(EINVAL);
	fakeumad_expect_register(0x81, 1, 0, 0, NULL, 0, 0);
	fakeumad_expect_register(4, 1, 0, 0, NULL, 1, 0);
	port = mad_rpc_open_port(NULL, 0, classes, 2);
	assert_non_null(port);
	for (int i = 0; i < 4; i++) {
		const char *changed = i < 2 ? "3:8180000302 " NO_KEY : "3:81 " NO_KEY;

		make_request(packet, classes[i / 2], IB_MAD_METHOD_GET);
		packet[FAKEUMAD_HEADER + 7] = 2;
		memmove(packet + 56, packet + FAKEUMAD_HEADER, FAKEUMAD_MAD);
		memcpy(wanted, packet + 56, sizeof(wanted));
		put_bytes(wanted, changed);
		to.drpath.cnt = i < 2 ? 2 : 0;
		fakeumad_expect_write(NULL, 0, NULL, 0);
		assert_int_equal(mad_respond_via(packet, i % 2 ? &to : NULL, 0, port), 0);
		assert_int_equal(fakeumad_written_size(i + 1), 56 + FAKEUMAD_MAD);
		assert_bytes(changed, fakeumad_written(i + 1) + 56, wanted, sizeof(wanted));
	}
	mad_rpc_close_port(port);
}

/* Notices that the SA forwards */

static unsigned subscriptions;

/* PortInfo has the SM; the SA agrees. */
static int agree(const struct fakeumad_request *request, void *context)
{
	static const uint8_t expected[36] = {
		[16] = 0xff, 0xff,     [22] = 1, 1,	      0xff, 0xff, 0,
		128,	     [30] = 1, 18,	 [33] = 0xff, 0xff, 0xff
	};
	uint8_t data[64] = { 0 };
	struct fakeumad_reply reply = { .data = data, .data_size = 64, .data_offset = 64 };
	uint8_t *wanted = context;

	if (request->mad[1] == IB_SA_CLASS && request->mad[3] == IB_MAD_METHOD_SET) {
		assert_int_equal(request->mad[17], IB_SA_ATTR_INFORMINFO);
		memcpy(data, expected, sizeof(expected));
		data[23] = *wanted;
		assert_memory_equal(request->mad + 56, data, sizeof(expected));
		reply.data_offset = 56;
		subscriptions++;
	} else if (request->mad[1] == IB_SA_CLASS) {
		return 0; /* the response to a report */
	}
	mad_set_field(data, 0, IB_PORT_SMLID_F, 5);
	fakeumad_reply(request, &reply);
	return 0;
}

FAKEUMAD_TEST(subscribing_to_notices)
{
	uint8_t wanted = 1;

	subscriptions = 0;
	fakeumad_respond_with(agree, &wanted);
	assert_int_equal(mad_sa_subscribe(*state, NULL, 128, 0), 0);
	wanted = 0;
	assert_int_equal(mad_sa_unsubscribe(*state, NULL, 128, 0), 0);
	assert_int_equal(subscriptions, 2);
	assert_errno(mad_sa_subscribe(*state, NULL, 0x10000, 0), EINVAL);
	assert_errno(mad_sa_subscribe(NULL, NULL, 128, 0), EINVAL);
}

/* A port without classes: the agent that is registered for reports is its first, and has the ID 0.
 */
FAKEUMAD_TEST(subscribing_on_a_port_without_classes)
{
	struct ibmad_port *port = mad_rpc_open_port(NULL, 0, NULL, 0);
	ib_portid_t sm = { .lid = 5, .qp = 1 };
	uint8_t wanted = 1;

	subscriptions = 0;
	fakeumad_respond_with(agree, &wanted);
	assert_non_null(port);
	assert_int_equal(mad_sa_subscribe(port, &sm, 128, 0), 0);
	assert_int_equal(subscriptions, 1);
	mad_rpc_close_port(port);
}

FAKEUMAD_TEST(a_notice_is_responded_to)
{
	uint8_t packet[FAKEUMAD_PACKET], notice[MAD_SA_NOTICE_SIZE + 1] = { 0 };
	uint8_t wanted = 1;

	fakeumad_respond_with(agree, &wanted);
	make_request(packet, 4, 6); /* of another class, which nobody waits for */
	fakeumad_deliver(packet, FAKEUMAD_PACKET, 0);
	make_request(packet, IB_SA_CLASS, IB_MAD_METHOD_REPORT);
	fakeumad_deliver(packet, FAKEUMAD_PACKET, 0); /* of another attribute */
	packet[FAKEUMAD_HEADER + 17] = IB_SA_ATTR_NOTICE;
	fakeumad_deliver(packet, FAKEUMAD_PACKET, 0);
	assert_int_equal(mad_sa_receive_notice(*state, notice, 10000), 0);
	assert_memory_equal(notice, packet + FAKEUMAD_HEADER + 56, MAD_SA_NOTICE_SIZE);
	assert_int_equal(notice[MAD_SA_NOTICE_SIZE], 0);
	assert_int_equal(fakeumad_writes(), 1);
	assert_int_equal(fakeumad_written(1)[FAKEUMAD_HEADER + 3], IB_MAD_METHOD_REPORT_RESPONSE);
	assert_memory_equal(fakeumad_written(1) + FAKEUMAD_HEADER + 8, packet + FAKEUMAD_HEADER + 8,
			    8); /* the transaction ID */
	assert_errno(mad_sa_receive_notice(*state, notice, 1), ETIMEDOUT);
	assert_errno(mad_sa_receive_notice(*state, notice, 0), EAGAIN);
	assert_errno(mad_sa_receive_notice(*state, NULL, 0), EINVAL);
}
