/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* libibmad/requests/server.c: where responses go, and which keys and bits they carry. */
#include "test.h"
#include "fakeumad.h"

#include <endian.h>
#include <errno.h>
#include <infiniband/mad.h>
#include <infiniband/mad_message.h>
#include <infiniband/umad.h>
#include <string.h>

#define SM_KEY_OFFSET 36

/* A received request: header_size bytes of umad header, then a MAD full of a pattern. */
static void make_request(uint8_t *umad, size_t header_size, int mgmt_class, int method)
{
	struct ib_user_mad *header = (void *)umad;
	uint8_t *mad = umad + header_size;

	memset(umad, 0, header_size);
	fakeumad_pattern(mad, FAKEUMAD_MAD, 1);
	header->addr.lid = htobe16(0x21);
	header->addr.qpn = htobe32(0x1234);
	header->addr.qkey = htobe32(0x89abcdef);
	mad[0] = 1;
	mad[1] = (uint8_t)mgmt_class;
	mad[3] = (uint8_t)method;
	memset(mad + 4, 0, 4);
}

/* Responds to a request of the class at `to` and gives the packet that went out. */
static const struct ib_user_mad *respond(struct ibmad_port *port, int mgmt_class, ib_portid_t *to)
{
	uint64_t umad[FAKEUMAD_PACKET / 8];

	make_request((uint8_t *)umad, FAKEUMAD_HEADER, mgmt_class, IB_MAD_METHOD_GET);
	assert_int_equal(mad_respond_via(umad, to, 0, port), 0);
	return (const void *)fakeumad_written(fakeumad_writes());
}

static void assert_queue_pair(const struct ib_user_mad *umad, uint32_t qp, uint32_t qkey)
{
	assert_int_equal(be16toh(umad->addr.lid), 9);
	assert_int_equal(be32toh(umad->addr.qpn), qp);
	assert_int_equal(be32toh(umad->addr.qkey), qkey);
}

FAKEUMAD_TEST(address_without_qp_and_qkey)
{
	static const int classes[] = { 0x03, 0x04, 0x05, 0x21, 0x0a, 0x32 };

	for (size_t i = 0; i < sizeof(classes) / sizeof(classes[0]); i++) {
		ib_portid_t to = { .lid = 9 };

		assert_queue_pair(respond(*state, classes[i], &to), 1, IB_DEFAULT_QP1_QKEY);
		assert_int_equal(to.qp, 1);
		assert_int_equal(to.qkey, IB_DEFAULT_QP1_QKEY);
	}
}

FAKEUMAD_TEST(address_with_one_of_them)
{
	ib_portid_t with_qp = { .lid = 9, .qp = 7 }, with_qkey = { .lid = 9, .qkey = 0x4444 };
	ib_portid_t with_both = { .lid = 9, .qp = 7, .qkey = 0x4444 };

	assert_queue_pair(respond(*state, 4, &with_qp), 7, IB_DEFAULT_QP1_QKEY);
	assert_queue_pair(respond(*state, 4, &with_qkey), 1, 0x4444);
	assert_queue_pair(respond(*state, 4, &with_both), 7, 0x4444);
	assert_int_equal(with_both.qp, 7);
	assert_int_equal(with_both.qkey, 0x4444);
}

FAKEUMAD_TEST(address_of_an_smp)
{
	ib_portid_t to = { .lid = 9, .qp = 7, .qkey = 0x4444 };

	assert_queue_pair(respond(*state, 1, &to), 0, 0);
	assert_int_equal(to.qp, 0);
}

FAKEUMAD_TEST(address_of_a_table)
{
	uint64_t umad[FAKEUMAD_PACKET / 8];
	ib_portid_t to = { .lid = 9 };

	make_request((uint8_t *)umad, FAKEUMAD_HEADER, IB_SA_CLASS, IB_MAD_METHOD_GET_TABLE);
	assert_int_equal(mad_message_respond_table(*state, &to, umad, 0, NULL, 0, 0), 0);
	assert_queue_pair((const void *)fakeumad_written(1), 1, IB_DEFAULT_QP1_QKEY);
}

FAKEUMAD_TEST(nothing_changes_where_no_response_is_sent)
{
	uint64_t umad[FAKEUMAD_PACKET / 8], before[FAKEUMAD_PACKET / 8];
	ib_portid_t to = { .lid = 9 };

	make_request((uint8_t *)umad, FAKEUMAD_HEADER, 0x06, IB_MAD_METHOD_GET);
	memcpy(before, umad, sizeof(before));
	assert_int_equal(mad_respond_via(umad, &to, 0, *state), -1); /* class not registered */
	assert_int_equal(errno, EINVAL);
	assert_memory_equal(umad, before, sizeof(before));
	assert_int_equal(to.qp, 0);
	assert_int_equal(to.qkey, 0);
	assert_int_equal(fakeumad_writes(), 0);
}

FAKEUMAD_TEST(sm_key)
{
	static const uint8_t zero[8];
	ib_portid_t to = { .lid = 9 };
	const uint8_t *mad = (const uint8_t *)respond(*state, IB_SA_CLASS, NULL) + FAKEUMAD_HEADER;

	assert_memory_equal(mad + SM_KEY_OFFSET, zero, sizeof(zero));
	assert_int_equal(mad[SM_KEY_OFFSET + 8], SM_KEY_OFFSET + 9); /* the attribute offset */
	mad = (const uint8_t *)respond(*state, IB_SA_CLASS, &to) + FAKEUMAD_HEADER;
	assert_memory_equal(mad + SM_KEY_OFFSET, zero, sizeof(zero));
	mad = (const uint8_t *)respond(*state, IB_PERFORMANCE_CLASS, &to) + FAKEUMAD_HEADER;
	assert_int_equal(mad[SM_KEY_OFFSET], SM_KEY_OFFSET + 1);
}

/* A port of classes 0x81 and 4 on a kernel without P_Key indexes: umad headers of 56 bytes. */
static struct ibmad_port *short_header_port(void)
{
	int classes[] = { 0x81, 4 };
	struct ibmad_port *port;

	fakeumad_expect_open(FAKEUMAD_DEVICE, 0);
	fakeumad_expect_enable_pkey(EINVAL);
	fakeumad_expect_register(0x81, 1, 0, 0, NULL, 0, 0);
	fakeumad_expect_register(4, 1, 0, 0, NULL, 1, 0);
	port = mad_rpc_open_port(NULL, 0, classes, 2);
	assert_non_null(port);
	assert_int_equal(umad_size(), 56);
	return port;
}

/* Responds to a request of the class and compares the MAD, with the short header before it. */
static void respond_with_short_header(struct ibmad_port *port, int mgmt_class, ib_portid_t *to)
{
	uint64_t umad[(56 + FAKEUMAD_MAD) / 8];
	uint8_t *mad = (uint8_t *)umad + 56, wanted[FAKEUMAD_MAD];
	const uint8_t *written;

	make_request((uint8_t *)umad, 56, mgmt_class, IB_MAD_METHOD_GET);
	mad[7] = 2; /* hop count, where the route is directed */
	memcpy(wanted, mad, sizeof(wanted));
	wanted[3] = IB_MAD_METHOD_GET_RESPONSE;
	memset(wanted + 24, 0, 8); /* the M_Key */
	if (mgmt_class == 0x81) {
		wanted[4] = 0x80;
		wanted[6] = 3;
	}
	fakeumad_expect_write(NULL, 0, NULL, 0);
	assert_int_equal(mad_respond_via(umad, to, 0, port), 0);
	assert_int_equal(fakeumad_written_size(fakeumad_writes()), sizeof(umad));
	written = fakeumad_written(fakeumad_writes()) + 56;
	assert_memory_equal(written, wanted, sizeof(wanted));
}

/* The kernel takes a Send of board management for a response by bit 0 of its modifier. */
FAKEUMAD_TEST(send_of_board_management)
{
	static const struct {
		int mgmt_class, method;
		uint32_t mod, responded;
	} cases[] = { { 5, IB_MAD_METHOD_SEND, 0x12345678, 0x12345679 },
		      { 5, IB_MAD_METHOD_SEND, 0x11, 0x11 },
		      { 5, IB_MAD_METHOD_GET, 0x12345678, 0x12345678 },
		      { 4, IB_MAD_METHOD_SEND, 0x12345678, 0x12345678 } };

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		uint64_t umad[FAKEUMAD_PACKET / 8];
		uint8_t *mad = (uint8_t *)umad + FAKEUMAD_HEADER;

		make_request((uint8_t *)umad, FAKEUMAD_HEADER, cases[i].mgmt_class,
			     cases[i].method);
		mad_set_field(mad, 0, IB_MAD_ATTRMOD_F, cases[i].mod);
		assert_int_equal(mad_respond_via(umad, NULL, 0, *state), 0);
		assert_int_equal(
			mad_get_field((void *)(fakeumad_written((int)i + 1) + FAKEUMAD_HEADER), 0,
				      IB_MAD_ATTRMOD_F),
			cases[i].responded);
	}
}

/* This one has a port of its own. */
FAKEUMAD_TEST_WITHOUT_PORT(short_umad_header)
{
	ib_portid_t to = { .lid = 9, .drpath = { .cnt = 2 }, .pkey_idx = 0x0707 };
	struct ibmad_port *port = short_header_port();

	respond_with_short_header(port, 0x81, NULL);
	respond_with_short_header(port, 0x81, &to);
	to.drpath.cnt = 0;
	respond_with_short_header(port, 4, NULL);
	respond_with_short_header(port, 4, &to);
	mad_rpc_close_port(port);
}
