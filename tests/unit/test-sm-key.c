/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Where the key of a request (ib_rpc_t's mkey) is: SA requests have the SM_Key at byte 36. */
#include "test.h"
#include "fakeumad.h"

#include <infiniband/mad.h>
#include <infiniband/umad.h>
#include <string.h>

#define KEY	      0x1122334455667788
#define RMPP_OFFSET   24
#define SM_KEY_OFFSET 36

static const uint8_t key[8] = { 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88 };
static const uint8_t zero[SM_KEY_OFFSET - RMPP_OFFSET];

static ib_rpc_t sa_get(void)
{
	return (ib_rpc_t){ .mgtclass = IB_SA_CLASS,
			   .method = IB_MAD_METHOD_GET,
			   .attr = { IB_SA_ATTR_NODERECORD, 0 },
			   .dataoffs = IB_SA_DATA_OFFS,
			   .datasz = IB_SA_DATA_SIZE,
			   .mkey = KEY,
			   .mask = 0x0102030405060708 };
}

/* The SA header around the key: RMPP header before it, component mask behind it. */
static void assert_sa_header(const uint8_t *mad, const uint8_t rmpp[12])
{
	assert_memory_equal(mad + RMPP_OFFSET, rmpp, 12);
	assert_memory_equal(mad + SM_KEY_OFFSET, key, sizeof(key));
	assert_memory_equal(mad + 44, zero, 4);
	assert_memory_equal(mad + 48, "\x01\x02\x03\x04\x05\x06\x07\x08", 8);
}

FAKEUMAD_TEST(encoded)
{
	uint8_t mad[IB_MAD_SIZE] = { 0 };
	ib_rpc_t rpc = sa_get();

	assert_non_null(mad_encode(mad, &rpc, NULL, NULL));
	assert_sa_header(mad, zero);
}

FAKEUMAD_TEST(built)
{
	ib_rmpp_hdr_t rmpp = {
		.type = IB_RMPP_TYPE_DATA, .flags = IB_RMPP_FLAG_ACTIVE, .d1 = { 1 }, .d2 = { 0x50 }
	};
	uint64_t umad[FAKEUMAD_PACKET / 8] = { 0 };
	ib_portid_t to = { .lid = 7, .qp = 1 };
	ib_rpc_t rpc = sa_get();

	assert_int_equal(mad_build_pkt(umad, &rpc, &to, NULL, NULL), IB_MAD_SIZE);
	assert_sa_header((uint8_t *)umad + FAKEUMAD_HEADER, zero);
	memset(umad, 0, sizeof(umad));
	assert_int_equal(mad_build_pkt(umad, &rpc, &to, &rmpp, NULL), IB_MAD_SIZE);
	assert_sa_header((uint8_t *)umad + FAKEUMAD_HEADER,
			 (const uint8_t[12]){ 1, 1, 0xf9, 0, 0, 0, 0, 1, 0, 0, 0, 0x50 });
}

FAKEUMAD_TEST(sent)
{
	struct fakeumad_reply reply = { 0 };
	ib_portid_t to = { .lid = 7, .qp = 1 };
	uint8_t data[IB_SA_DATA_SIZE] = { 0 };
	ib_rpc_t rpc = sa_get();

	fakeumad_expect_write(NULL, 0, &reply, 1);
	assert_non_null(mad_rpc(*state, &rpc, &to, NULL, data));
	assert_sa_header(fakeumad_written(1) + FAKEUMAD_HEADER, zero);
	fakeumad_expect_write(NULL, 0, NULL, 0);
	assert_int_equal(mad_send_via(&rpc, &to, NULL, NULL, *state), 0);
	assert_sa_header(fakeumad_written(2) + FAKEUMAD_HEADER, zero);
}

/*
 * Without a key, the SM_Key that a caller has put into its buffer stays, and what is in the place
 * of the M_Key is overwritten: a MAD without an RMPP header has zeros there.
 */
FAKEUMAD_TEST(key_of_the_caller)
{
	uint8_t mad[IB_MAD_SIZE];
	ib_rpc_t rpc = sa_get();

	memset(mad, 0xee, sizeof(mad));
	memcpy(mad + SM_KEY_OFFSET, key, sizeof(key));
	rpc.mkey = 0;
	assert_non_null(mad_encode(mad, &rpc, NULL, NULL));
	assert_memory_equal(mad + RMPP_OFFSET, zero, 8);
	assert_memory_equal(mad + SM_KEY_OFFSET, key, sizeof(key));
}

/* All others have it where SMPs have the M_Key. */
FAKEUMAD_TEST(other_classes)
{
	static const int classes[] = { 0x01, 0x81, 0x04, 0x05 };

	for (size_t i = 0; i < sizeof(classes) / sizeof(classes[0]); i++) {
		uint8_t mad[IB_MAD_SIZE] = { 0 };
		ib_rpc_t rpc = sa_get();
		ib_dr_path_t path = { 0 };

		rpc.mgtclass = classes[i];
		assert_non_null(mad_encode(mad, &rpc, &path, NULL));
		assert_memory_equal(mad + RMPP_OFFSET, key, sizeof(key));
	}
}
