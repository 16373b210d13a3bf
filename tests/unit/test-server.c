/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* test-server.c - servers respond, and send on their own account (libibmad/requests/server.c). */
#include "test.h"
#include "received.h"

#include <endian.h>
#include <errno.h>
#include <string.h>

#include <infiniband/mad_sa.h>
#include <infiniband/umad.h>

/* Receives the request, responds to it, and gives the packet that went out. */
static const uint8_t *respond(struct ibmad_port *port, const uint8_t packet[FAKEUMAD_PACKET],
			      ib_portid_t *to, uint32_t rstatus)
{
	uint8_t *umad = receive(port, packet);

	assert_int_equal(mad_respond_via(umad, to, rstatus, port), 0);
	mad_free(umad);
	assert_int_equal(fakeumad_written_size(fakeumad_writes()), FAKEUMAD_PACKET);
	return fakeumad_written(fakeumad_writes());
}

/* Responding */

FAKEUMAD_TEST(methods)
{
	static const uint8_t cases[][2] = { { 0x01, 0x81 }, { 0x02, 0x81 }, { 0x03, 0x03 },
					    { 0x05, 0x85 }, { 0x06, 0x86 }, { 0x07, 0x87 },
					    { 0x12, 0x92 } };

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		uint8_t packet[FAKEUMAD_PACKET];

		make_request(packet, 4, cases[i][0]);
		assert_int_equal(respond(*state, packet, NULL, 0)[FAKEUMAD_HEADER + 3],
				 cases[i][1]);
	}
}

FAKEUMAD_TEST(response_goes_where_the_request_came_from)
{
	ib_user_mad_t *request;
	const ib_user_mad_t *umad;
	uint8_t packet[FAKEUMAD_PACKET];

	make_request(packet, 4, 1);
	request = (void *)receive(*state, packet);
	request->status = 99; /* what a response must not have */
	assert_int_equal(mad_respond_via(request, NULL, 0, *state), 0);
	mad_free(request);
	umad = (const void *)fakeumad_written(1);
	assert_int_equal(umad->agent_id, PM_AGENT);
	assert_int_equal(umad->status, 0);
	assert_int_equal(umad->timeout_ms, 0);
	assert_int_equal(umad->retries, 0);
	assert_int_equal(be16toh(umad->addr.lid), 0x21);
	assert_int_equal(be32toh(umad->addr.qpn), 0x1234);
	assert_int_equal(be32toh(umad->addr.qkey), 0x89abcdef);
	assert_int_equal(umad->addr.sl, 6);
	assert_int_equal(umad->addr.path_bits, 2);
	assert_int_equal(umad->addr.pkey_index, 4);
	assert_int_equal(umad->addr.grh_present, 0);
}

FAKEUMAD_TEST(response_through_the_grh)
{
	uint8_t packet[FAKEUMAD_PACKET];
	ib_user_mad_t *request = (void *)packet;
	const ib_user_mad_t *umad;

	make_request(packet, 4, 1);
	request->addr.grh_present = 1;
	request->addr.gid_index = 1;
	request->addr.hop_limit = 0;
	request->addr.traffic_class = 44;
	request->addr.flow_label = htobe32(0x54321);
	memset(request->addr.gid, 0xcd, 16);
	umad = (const void *)respond(*state, packet, NULL, 0);
	assert_int_equal(umad->addr.grh_present, 1);
	assert_int_equal(umad->addr.gid_index, 1);
	assert_int_equal(umad->addr.traffic_class, 44);
	assert_int_equal(be32toh(umad->addr.flow_label), 0x54321);
	assert_int_equal(umad->addr.hop_limit, 255);
	assert_memory_equal(umad->addr.gid, request->addr.gid, 16);
}

FAKEUMAD_TEST(request_without_qkey)
{
	const ib_user_mad_t *umad;
	uint8_t packet[FAKEUMAD_PACKET];

	make_request(packet, 4, 1);
	((ib_user_mad_t *)(void *)packet)->addr.qkey = 0;
	umad = (const void *)respond(*state, packet, NULL, 0);
	assert_int_equal(be32toh(umad->addr.qkey), IB_DEFAULT_QP1_QKEY);
}

FAKEUMAD_TEST(response_to_somebody_else)
{
	ib_portid_t to = { .lid = 9, .qp = 5, .qkey = 0x11223344, .sl = 4, .pkey_idx = 7 };
	const ib_user_mad_t *umad;
	uint8_t packet[FAKEUMAD_PACKET];

	make_request(packet, 4, 1);
	umad = (const void *)respond(*state, packet, &to, 0);
	assert_int_equal(be16toh(umad->addr.lid), 9);
	assert_int_equal(be32toh(umad->addr.qpn), 5);
	assert_int_equal(be32toh(umad->addr.qkey), 0x11223344);
	assert_int_equal(umad->addr.sl, 4);
	assert_int_equal(umad->addr.pkey_index, 7);
}

FAKEUMAD_TEST(what_a_response_keeps)
{
	uint8_t packet[FAKEUMAD_PACKET], wanted[FAKEUMAD_MAD];

	make_request(packet, 4, 2);
	memcpy(wanted, packet + FAKEUMAD_HEADER, sizeof(wanted));
	wanted[3] = 0x81;
	wanted[4] = 0x01;
	wanted[5] = 0x1c;
	memset(wanted + 24, 0, 8); /* the key */
	assert_memory_equal(respond(*state, packet, NULL, 0x011c) + FAKEUMAD_HEADER, wanted,
			    sizeof(wanted));
}

FAKEUMAD_TEST(sa_response)
{
	uint8_t packet[FAKEUMAD_PACKET];
	const uint8_t *mad, *request = packet + FAKEUMAD_HEADER;

	make_request(packet, 3, 1);
	mad = respond(*state, packet, NULL, 0) + FAKEUMAD_HEADER;
	assert_int_equal(mad[2], 2);
	assert_memory_equal(mad + 44, request + 44, 2); /* the attribute offset */
	assert_memory_equal(mad + 48, "\0\0\0\0\0\0\0\0", 8);
	assert_memory_equal(mad + 56, request + 56, 200);
}

FAKEUMAD_TEST(vendor_responses)
{
	uint8_t packet[FAKEUMAD_PACKET];
	const uint8_t *mad, *request = packet + FAKEUMAD_HEADER;

	make_request(packet, 0x0a, 1);
	mad = respond(*state, packet, NULL, 0) + FAKEUMAD_HEADER;
	assert_memory_equal(mad + 24, request + 24, 232);
	make_request(packet, 0x32, 1);
	mad = respond(*state, packet, NULL, 0) + FAKEUMAD_HEADER;
	assert_memory_equal(mad + 37, request + 37, 3); /* the OUI */
	assert_memory_equal(mad + 40, request + 40, 216);
}

FAKEUMAD_TEST(smp_response)
{
	const ib_user_mad_t *umad;
	uint8_t packet[FAKEUMAD_PACKET];

	make_request(packet, 1, 1);
	umad = (const void *)respond(*state, packet, NULL, 0x0c);
	assert_int_equal(umad->addr.qpn, 0);
	assert_int_equal(umad->addr.qkey, 0);
	assert_int_equal(umad->agent_id, 0);
	assert_memory_equal((const uint8_t *)umad + FAKEUMAD_HEADER + 3, "\x81\x00\x0c", 3);
}

FAKEUMAD_TEST(directed_response)
{
	uint8_t packet[FAKEUMAD_PACKET], *request = packet + FAKEUMAD_HEADER;
	const uint8_t *mad;

	make_request(packet, 0x81, 2);
	request[6] = 2;
	request[7] = 2;
	mad = respond(*state, packet, NULL, 0x0c) + FAKEUMAD_HEADER;
	assert_memory_equal(mad + 3, "\x81\x80\x0c\x03\x02", 5);
	assert_memory_equal(mad + 32, request + 32, FAKEUMAD_MAD - 32);
}

FAKEUMAD_TEST(directed_request_with_too_many_hops)
{
	uint8_t packet[FAKEUMAD_PACKET], *umad;

	make_request(packet, 0x81, 1);
	packet[FAKEUMAD_HEADER + 7] = 64;
	umad = receive(*state, packet);
	assert_int_equal(mad_respond_via(umad, NULL, 0, *state), -1);
	assert_int_equal(errno, EINVAL);
	assert_int_equal(fakeumad_writes(), 0);
	mad_free(umad);
}

FAKEUMAD_TEST(response_that_can_not_be)
{
	uint8_t packet[FAKEUMAD_PACKET], *umad;

	make_request(packet, 0x06, 1); /* not registered */
	umad = receive(*state, packet);
	assert_int_equal(mad_respond_via(umad, NULL, 0, *state), -1);
	assert_int_equal(errno, EINVAL);
	assert_int_equal(mad_respond_via(NULL, NULL, 0, *state), -1);
	assert_int_equal(mad_respond_via(umad, NULL, 0, NULL), -1);
	assert_int_equal(fakeumad_writes(), 0);
	mad_free(umad);
}

FAKEUMAD_TEST(response_that_is_not_sent)
{
	uint8_t packet[FAKEUMAD_PACKET], *umad;

	make_request(packet, 4, 1);
	umad = receive(*state, packet);
	fakeumad_expect_write_error(NULL, 0, EACCES);
	assert_int_equal(mad_respond_via(umad, NULL, 0, *state), -1);
	assert_int_equal(errno, EACCES);
	mad_free(umad);
}

/* Sending */

FAKEUMAD_TEST(plain_send)
{
	uint8_t packet[FAKEUMAD_PACKET], data[192];
	ib_rpc_t rpc = { .mgtclass = 4,
			 .method = 3,
			 .attr = { 0x12, 0x34 },
			 .dataoffs = 64,
			 .datasz = sizeof(data),
			 .timeout = 33 };
	ib_portid_t to = { .lid = 5, .qp = 1, .qkey = IB_DEFAULT_QP1_QKEY, .sl = 2 };

	fakeumad_pattern(data, sizeof(data), 1);
	fakeumad_build(packet, &(struct fakeumad_packet){ .agent = PM_AGENT,
							  .lid = 5,
							  .qpn = 1,
							  .qkey = IB_DEFAULT_QP1_QKEY,
							  .sl = 2,
							  .mgmt_class = 4,
							  .method = 3,
							  .attr_id = 0x12,
							  .attr_mod = 0x34,
							  .data = data,
							  .data_size = sizeof(data),
							  .data_offset = 64 });
	fakeumad_expect_write(packet, sizeof(packet), NULL, 0);
	assert_int_equal(mad_send_via(&rpc, &to, NULL, data, *state), 0);
	assert_true(rpc.trid != 0);
	rpc.dataoffs = 0; /* a MAD of the caller's, as far as it goes */
	fakeumad_expect_write(NULL, 0, NULL, 0);
	assert_int_equal(mad_send_via(&rpc, &to, NULL, data, *state), 0);
	assert_memory_equal(fakeumad_written(2) + FAKEUMAD_HEADER + 32, data + 32, 160);
}

FAKEUMAD_TEST(send_that_can_not_be)
{
	ib_rpc_t rpc = { .mgtclass = 6, .method = 3 };
	ib_portid_t to = { .lid = 5 };
	uint8_t data[512] = { 0 };

	assert_int_equal(mad_send_via(&rpc, &to, NULL, NULL, *state), -1);
	assert_int_equal(errno, EINVAL);
	rpc.mgtclass = 4;
	rpc.dataoffs = 200;
	rpc.datasz = 57;
	errno = 0;
	assert_int_equal(mad_send_via(&rpc, &to, NULL, data, *state), -1);
	assert_int_equal(errno, EINVAL);
	assert_int_equal(mad_send_via(NULL, &to, NULL, NULL, *state), -1);
	assert_int_equal(mad_send_via(&rpc, NULL, NULL, NULL, *state), -1);
	assert_int_equal(mad_send_via(&rpc, &to, NULL, NULL, NULL), -1);
	assert_int_equal(fakeumad_writes(), 0);
}

FAKEUMAD_TEST(send_that_fails)
{
	ib_rpc_t rpc = { .mgtclass = 4, .method = 3 };
	ib_portid_t to = { .lid = 5 };

	fakeumad_expect_write_error(NULL, 0, EACCES);
	assert_int_equal(mad_send_via(&rpc, &to, NULL, NULL, *state), -1);
	assert_int_equal(errno, EACCES);
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
	assert_int_equal(mad_sa_subscribe(*state, NULL, 0x10000, 0), -1);
	assert_int_equal(errno, EINVAL);
	assert_int_equal(mad_sa_subscribe(NULL, NULL, 128, 0), -1);
	assert_int_equal(errno, EINVAL);
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
	assert_int_equal(mad_sa_receive_notice(*state, notice, 1), -1);
	assert_int_equal(errno, ETIMEDOUT);
	assert_int_equal(mad_sa_receive_notice(*state, notice, 0), -1);
	assert_int_equal(errno, EAGAIN);
	assert_int_equal(mad_sa_receive_notice(*state, NULL, 0), -1);
	assert_int_equal(errno, EINVAL);
}
