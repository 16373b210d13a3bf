/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* libibmad/wire/encode.c: MAD headers of every class, addresses, and what must not be written. */
#include "test.h"
#include "fakeumad.h"
#include "libibmad/internal.h"

#include <errno.h>
#include <infiniband/mad.h>
#include <infiniband/umad.h>
#include <stdlib.h>
#include <string.h>

#define UNTOUCHED 0xee

static ib_rpc_t request(int mgmt_class)
{
	ib_rpc_t rpc = { .mgtclass = mgmt_class, .method = IB_MAD_METHOD_GET };

	rpc.attr.id = 0x1234;
	rpc.attr.mod = 0x9abcdef0;
	rpc.trid = 0x2122232425262728;
	rpc.mkey = 0x1112131415161718;
	rpc.mask = 0x3132333435363738;
	rpc.oui = 0x515253;
	return rpc;
}

static uint8_t *encode(uint8_t mad[IB_MAD_SIZE], ib_rpc_t *rpc, ib_dr_path_t *path, void *data)
{
	memset(mad, UNTOUCHED, IB_MAD_SIZE);
	errno = 0;
	return mad_encode(mad, rpc, path, data);
}

static void assert_untouched(const uint8_t *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++)
		assert_int_equal(bytes[i], UNTOUCHED);
}

TEST(class_versions)
{
	static const uint8_t versions[][2] = { { 0x01, 1 }, { 0x03, 2 }, { 0x04, 1 }, { 0x05, 1 },
					       { 0x06, 1 }, { 0x0a, 1 }, { 0x21, 2 }, { 0x32, 1 } };
	uint8_t mad[IB_MAD_SIZE];

	for (size_t i = 0; i < sizeof(versions) / sizeof(versions[0]); i++) {
		ib_rpc_cc_t rpc = { .mgtclass = versions[i][0], .method = 1 };

		assert_non_null(encode(mad, (ib_rpc_t *)(void *)&rpc, NULL, NULL));
		assert_int_equal(mad[0], 1);
		assert_int_equal(mad[1], versions[i][0]);
		assert_int_equal(mad[2], versions[i][1]);
	}
}

TEST(common_header)
{
	static const uint8_t wanted[24] = { 1,	       4,	  1,	1,    0x7f, 0x77,
					    UNTOUCHED, UNTOUCHED, 0x21, 0x22, 0x23, 0x24,
					    0x25,      0x26,	  0x27, 0x28, 0x12, 0x34,
					    UNTOUCHED, UNTOUCHED, 0x9a, 0xbc, 0xde, 0xf0 };
	ib_rpc_t rpc = request(IB_PERFORMANCE_CLASS);
	uint8_t mad[IB_MAD_SIZE];

	rpc.rstatus = 0x7f77;
	assert_ptr_equal(encode(mad, &rpc, NULL, NULL), mad + IB_MAD_SIZE);
	assert_memory_equal(mad, wanted, sizeof(wanted));
	assert_untouched(mad + 32, IB_MAD_SIZE - 32);
}

TEST(trid_of_0_is_chosen_and_written_back)
{
	ib_rpc_t rpc = request(IB_PERFORMANCE_CLASS);
	uint8_t mad[IB_MAD_SIZE];

	rpc.trid = 0;
	assert_non_null(encode(mad, &rpc, NULL, NULL));
	assert_true((uint32_t)rpc.trid != 0);
	assert_true(mad_get_field64(mad, 0, IB_MAD_TRID_F) == rpc.trid);
}

TEST(mkey_at_24)
{
	static const uint8_t key[] = { 0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17, 0x18 };
	ib_rpc_t rpc = request(IB_SMI_CLASS);
	uint8_t mad[IB_MAD_SIZE];

	assert_non_null(encode(mad, &rpc, NULL, NULL));
	assert_memory_equal(mad + 24, key, sizeof(key));
}

TEST(sa_component_mask)
{
	static const uint8_t mask[] = { 0x31, 0x32, 0x33, 0x34, 0x35, 0x36, 0x37, 0x38 };
	ib_rpc_t rpc = request(IB_SA_CLASS);
	uint8_t mad[IB_MAD_SIZE];

	assert_non_null(encode(mad, &rpc, NULL, NULL));
	assert_memory_equal(mad + 48, mask, sizeof(mask));
	assert_untouched(mad + 32, 4);
	assert_untouched(mad + 44, 4); /* behind the SM_Key */
}

TEST(cc_key)
{
	static const uint8_t key[] = { 0x61, 0x62, 0x63, 0x64, 0x65, 0x66, 0x67, 0x68 };
	ib_rpc_cc_t rpc = { .mgtclass = IB_CC_CLASS, .method = 1, .mkey = 99 };
	uint8_t mad[IB_MAD_SIZE];

	rpc.cckey = 0x6162636465666768;
	assert_non_null(encode(mad, (ib_rpc_t *)(void *)&rpc, NULL, NULL));
	assert_memory_equal(mad + 24, key, sizeof(key));
}

TEST(vendor_range_2_oui)
{
	static const uint8_t oui[] = { 0x51, 0x52, 0x53 };
	ib_rpc_t rpc = request(0x32);
	uint8_t mad[IB_MAD_SIZE];

	assert_non_null(encode(mad, &rpc, NULL, NULL));
	assert_memory_equal(mad + 37, oui, sizeof(oui));
	assert_untouched(mad + 32, 5);
	assert_untouched(mad + 40, IB_MAD_SIZE - 40);
}

TEST(version_1_is_not_part_of_the_class)
{
	ib_rpc_v1_t rpc = { .mgtclass = IB_PERFORMANCE_CLASS | IB_MAD_RPC_VERSION1, .method = 1 };
	uint8_t mad[IB_MAD_SIZE];

	assert_non_null(encode(mad, (ib_rpc_t *)(void *)&rpc, NULL, NULL));
	assert_int_equal(mad[1], IB_PERFORMANCE_CLASS);
}

TEST(directed_request)
{
	ib_dr_path_t path = { .cnt = 3, .p = { 0, 1, 2, 3 }, .drslid = 0x71, .drdlid = 0 };
	ib_rpc_t rpc = request(IB_SMI_DIRECT_CLASS);
	uint8_t mad[IB_MAD_SIZE];

	assert_non_null(encode(mad, &rpc, &path, NULL));
	assert_int_equal(mad[4], 0);
	assert_int_equal(mad[6], 0); /* hop pointer */
	assert_int_equal(mad[7], 3); /* hop count */
	assert_memory_equal(mad + 32, "\x00\x71\xff\xff", 4);
	assert_memory_equal(mad + 128, path.p, 64);
	assert_untouched(mad + 192, 64);
}

TEST(directed_response)
{
	ib_dr_path_t path = { .cnt = 3, .p = { 0, 1, 2, 3 }, .drslid = 0x71, .drdlid = 0x72 };
	ib_rpc_t rpc = request(IB_SMI_DIRECT_CLASS);
	uint8_t mad[IB_MAD_SIZE];

	rpc.method = IB_MAD_METHOD_GET_RESPONSE;
	rpc.rstatus = 0x001c;
	assert_non_null(encode(mad, &rpc, &path, NULL));
	assert_memory_equal(mad + 3, "\x81\x80\x1c\x04\x03", 5);
	assert_memory_equal(mad + 192, path.p, 64);
	assert_untouched(mad + 128, 64);
}

TEST(path_of_63_hops)
{
	ib_dr_path_t path = { .cnt = 63 };
	ib_rpc_t rpc = request(IB_SMI_DIRECT_CLASS);
	uint8_t mad[IB_MAD_SIZE];

	assert_non_null(encode(mad, &rpc, &path, NULL));
	assert_int_equal(mad[7], 63);
}

TEST(path_counts_out_of_range)
{
	static const int counts[] = { 64, 65, 255, 1 << 20, -1, -64 };
	uint8_t mad[IB_MAD_SIZE];

	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		ib_dr_path_t path = { .cnt = counts[i] };
		ib_rpc_t rpc = request(IB_SMI_DIRECT_CLASS);

		assert_null(encode(mad, &rpc, &path, NULL));
		assert_int_equal(errno, EINVAL);
		assert_untouched(mad, sizeof(mad));
	}
}

TEST(directed_without_path)
{
	ib_rpc_t rpc = request(IB_SMI_DIRECT_CLASS);
	uint8_t mad[IB_MAD_SIZE];

	assert_null(encode(mad, &rpc, NULL, NULL));
	assert_int_equal(errno, EINVAL);
}

TEST(data_at_its_offset)
{
	ib_rpc_t rpc = request(IB_PERFORMANCE_CLASS);
	uint8_t mad[IB_MAD_SIZE];

	rpc.dataoffs = 252;
	rpc.datasz = 4;
	assert_non_null(encode(mad, &rpc, NULL, (void *)(uintptr_t) "DATA"));
	assert_memory_equal(mad + 252, "DATA", 4);
	assert_untouched(mad + 32, 220);
	rpc.dataoffs = 0;
	assert_non_null(encode(mad, &rpc, NULL, (void *)(uintptr_t) "DATA"));
	assert_memory_equal(mad, "DATA", 4);
}

TEST(data_beyond_the_mad)
{
	static const int where[][2] = { { 252, 5 },	   { 64, 193 },	       { 256, 1 },
					{ 300, 0 },	   { -1, 4 },	       { 64, -1 },
					{ 0x7fffffff, 1 }, { 64, 0x7fffffff }, { 1, 0x7fffffff } };
	static uint8_t data[512];
	uint8_t mad[IB_MAD_SIZE];

	for (size_t i = 0; i < sizeof(where) / sizeof(where[0]); i++) {
		ib_rpc_t rpc = request(IB_PERFORMANCE_CLASS);

		rpc.dataoffs = where[i][0];
		rpc.datasz = where[i][1];
		assert_null(encode(mad, &rpc, NULL, data));
		assert_int_equal(errno, EINVAL);
		assert_untouched(mad, sizeof(mad));
	}
}

TEST(nothing_to_encode)
{
	ib_rpc_t rpc = request(IB_PERFORMANCE_CLASS);
	uint8_t mad[IB_MAD_SIZE];

	assert_null(mad_encode(NULL, &rpc, NULL, NULL));
	assert_int_equal(errno, EINVAL);
	errno = 0;
	assert_null(mad_encode(mad, NULL, NULL, NULL));
	assert_int_equal(errno, EINVAL);
}

/* What mad_build_pkt() makes of an address. */
static const ib_user_mad_t *build(int mgmt_class, const ib_portid_t *portid)
{
	static uint8_t packet[FAKEUMAD_PACKET] __attribute__((aligned(8)));
	ib_rpc_t rpc = request(mgmt_class);
	ib_portid_t to = *portid;

	memset(packet, 0, sizeof(packet));
	assert_int_equal(mad_build_pkt(packet, &rpc, &to, NULL, NULL), IB_MAD_SIZE);
	return (const ib_user_mad_t *)(const void *)packet;
}

TEST(gsi_address)
{
	ib_portid_t to = { .lid = 0x1234, .qp = 0x56, .qkey = 0x789abcde, .sl = 5, .pkey_idx = 3 };
	const ib_user_mad_t *umad = build(IB_PERFORMANCE_CLASS, &to);

	assert_int_equal(be16toh(umad->addr.lid), 0x1234);
	assert_int_equal(be32toh(umad->addr.qpn), 0x56);
	assert_int_equal(be32toh(umad->addr.qkey), 0x789abcde);
	assert_int_equal(umad->addr.sl, 5);
	assert_int_equal(umad->addr.pkey_index, 3);
	assert_int_equal(umad->addr.grh_present, 0);
}

TEST(gsi_address_with_grh)
{
	ib_portid_t to = { .lid = 1, .qp = 1, .grh_present = 1, .gid = { 0xfe, 0x80, 7 } };
	const ib_user_mad_t *umad = build(IB_SA_CLASS, &to);

	assert_int_equal(umad->addr.grh_present, 1);
	assert_int_equal(umad->addr.hop_limit, 255);
	assert_memory_equal(umad->addr.gid, to.gid, 16);
}

TEST(smi_address)
{
	ib_portid_t to = { .lid = 7, .qp = 5, .qkey = 5, .sl = 5, .pkey_idx = 5, .grh_present = 1 };
	const ib_user_mad_t *umad = build(IB_SMI_CLASS, &to);

	assert_int_equal(be16toh(umad->addr.lid), 7);
	assert_int_equal(umad->addr.qpn, 0);
	assert_int_equal(umad->addr.qkey, 0);
	assert_int_equal(umad->addr.pkey_index, 0);
	assert_int_equal(umad->addr.grh_present, 0);
}

TEST(directed_address)
{
	static const struct {
		int lid;
		uint16_t drslid;
		int wanted;
	} cases[] = { { 0, 0, 0xffff }, { -1, 0, 0xffff }, { 9, 0xffff, 0xffff }, { 9, 3, 9 } };

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		ib_portid_t to = { .lid = cases[i].lid, .drpath = { .drslid = cases[i].drslid } };

		assert_int_equal(be16toh(build(IB_SMI_DIRECT_CLASS, &to)->addr.lid),
				 cases[i].wanted);
	}
}

TEST(rmpp_header)
{
	static const uint8_t wanted[12] = { 1, 2, 0xf8 | 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 };
	ib_rmpp_hdr_t rmpp = { .type = 2, .flags = 3, .status = 4 };
	uint8_t packet[FAKEUMAD_PACKET] __attribute__((aligned(8))) = { 0 };
	ib_rpc_t rpc = request(IB_SA_CLASS);
	ib_portid_t to = { .lid = 1 };

	rmpp.d1.u = 0x05060708;
	rmpp.d2.u = 0x090a0b0c;
	assert_int_equal(mad_build_pkt(packet, &rpc, &to, &rmpp, NULL), IB_MAD_SIZE);
	assert_memory_equal(packet + FAKEUMAD_HEADER + 24, wanted, sizeof(wanted));
}

TEST(packet_without_data_at_its_end)
{
	uint8_t packet[FAKEUMAD_PACKET] __attribute__((aligned(8))), data[1] = { 0 };
	ib_rpc_t rpc = request(IB_PERFORMANCE_CLASS);
	ib_portid_t to = { .lid = 1 };

	rpc.dataoffs = IB_MAD_SIZE;
	rpc.datasz = 0;
	assert_int_equal(mad_build_pkt(packet, &rpc, &to, NULL, data), IB_MAD_SIZE);
}

TEST(packet_that_can_not_be)
{
	uint8_t packet[FAKEUMAD_PACKET] __attribute__((aligned(8))), data[512] = { 0 };
	ib_rpc_t rpc = request(IB_SMI_DIRECT_CLASS);
	ib_portid_t to = { .drpath = { .cnt = 64 } };

	memset(packet, UNTOUCHED, sizeof(packet));
	assert_int_equal(mad_build_pkt(packet, &rpc, &to, NULL, NULL), -1);
	assert_int_equal(errno, EINVAL);
	errno = 0;
	to.drpath.cnt = 1;
	rpc.dataoffs = 200;
	rpc.datasz = 57;
	assert_int_equal(mad_build_pkt(packet, &rpc, &to, NULL, data), -1);
	assert_int_equal(errno, EINVAL);
	errno = 0;
	assert_int_equal(mad_build_pkt(NULL, &rpc, &to, NULL, NULL), -1);
	assert_int_equal(errno, EINVAL);
	assert_untouched(packet, sizeof(packet));
}

static int compare_trids(const void *a, const void *b)
{
	uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;

	return left < right ? -1 : left > right;
}

TEST(trids_are_unique)
{
	enum { COUNT = 20000 };
	static uint32_t trids[COUNT];

	for (int i = 0; i < COUNT; i++) {
		trids[i] = (uint32_t)mad_trid();
		assert_true(trids[i] != 0);
	}
	qsort(trids, COUNT, sizeof(trids[0]), compare_trids);
	for (int i = 1; i < COUNT; i++)
		assert_true(trids[i] != trids[i - 1]);
}

/* These distinguish late responses from unsolicited MADs. */
TEST(trids_that_were_issued_are_known)
{
	uint32_t first = (uint32_t)mad_trid(), last = first;

	for (int i = 0; i < 100; i++)
		last = (uint32_t)mad_trid();
	assert_true(mad_state_issued_trid(first));
	assert_true(mad_state_issued_trid(last));
	assert_false(mad_state_issued_trid(last + 1));
	assert_false(mad_state_issued_trid(last + 0x80000000));
}

TEST(trids_leave_random_alone)
{
	long first, second;

	srandom(4711);
	first = random();
	srandom(4711);
	mad_trid();
	second = random();
	assert_true(first == second);
}
