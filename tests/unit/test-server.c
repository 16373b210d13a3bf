/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Servers that respond (libibmad/requests/server.c), also with the umad header of an older kernel,
 * and that receive notices (notices.c). tests/oracle/wire compares responses, and the rows of
 * tests/lib/requests send.
 */
#include "test.h"
#include "bytes.h"
#include "fakeumad.h"

#include <errno.h>
#include <string.h>

#include <infiniband/mad_message.h>
#include <infiniband/mad_sa.h>
#include <infiniband/umad.h>

#define PM_AGENT 3
#define NO_KEY	 "24:0000000000000000"

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

/* A call that sends no response leaves the request unchanged. */
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
		((ib_user_mad_t *)(void *)packet)->status = 99; /* no response has it */
		memcpy(wanted, packet + 56, sizeof(wanted));
		put_bytes(wanted, changed);
		to.drpath.cnt = i < 2 ? 2 : 0;
		fakeumad_expect_write(NULL, 0, NULL, 0);
		assert_int_equal(mad_respond_via(packet, i % 2 ? &to : NULL, 0, port), 0);
		assert_int_equal(fakeumad_written_size(i + 1), 56 + FAKEUMAD_MAD);
		assert_bytes(changed, fakeumad_written(i + 1) + 56, wanted, sizeof(wanted));
		assert_int_equal(((const ib_user_mad_t *)fakeumad_written(i + 1))->status, 0);
	}
	mad_rpc_close_port(port);
}

/* Notices that the SA forwards */

FAKEUMAD_TEST(a_notice_is_responded_to)
{
	uint8_t packet[FAKEUMAD_PACKET], notice[MAD_SA_NOTICE_SIZE + 1] = { 0 };

	fakeumad_respond_with(NULL, NULL);
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
}
