/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * libibmad/wire: what programs encode into memory of their own, what of that memory stays, and
 * transaction IDs. What requests write is in the rows of tests/lib/requests.
 */
#include "test.h"
#include "fakeumad.h"
#include "libibmad/internal.h"

#include <errno.h>
#include <infiniband/mad.h>
#include <infiniband/umad.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define UNTOUCHED 0xee

/* A request with a value in each member. */
static ib_rpc_t request(int mgmt_class)
{
	return (ib_rpc_t){
		.mgtclass = mgmt_class,
		.method = IB_MAD_METHOD_GET,
		.attr = { 0x1234, 0x9abcdef0 },
		.trid = 0x2122232425262728,
		.mkey = 0x1112131415161718,
		.mask = 0x3132333435363738,
		.oui = 0x515253,
	};
}

/* A response has the return path, the direction in its status, and all hops behind it. */
TEST(response_along_a_directed_route)
{
	ib_dr_path_t path = { .cnt = 3, .p = { 0, 1, 2, 3 }, .drslid = 0x71, .drdlid = 0x72 };
	ib_rpc_t rpc = request(IB_SMI_DIRECT_CLASS);
	uint8_t mad[IB_MAD_SIZE];

	rpc.method = IB_MAD_METHOD_GET_RESPONSE;
	rpc.rstatus = 0x1c;
	assert_non_null(mad_encode(mad, &rpc, &path, NULL));
	assert_memory_equal(mad + 4, "\x80\x1c\x04\x03", 4);
	assert_memory_equal(mad + 32, "\x00\x71\x00\x72", 4);
	assert_memory_equal(mad + 192, path.p, sizeof(path.p));
}

/* Without a key, the SM_Key that a caller has put into its buffer stays. */
TEST(key_of_the_caller)
{
	ib_rpc_t rpc = request(IB_SA_CLASS);
	uint8_t mad[IB_MAD_SIZE], key[8];

	memset(mad, UNTOUCHED, sizeof(mad));
	memset(key, UNTOUCHED, sizeof(key));
	rpc.mkey = 0;
	assert_non_null(mad_encode(mad, &rpc, NULL, NULL));
	assert_memory_equal(mad + 24, "\0\0\0\0\0\0\0", 8);
	assert_memory_equal(mad + 36, key, sizeof(key));
}

TEST(trid_of_0_is_chosen_and_written_back)
{
	uint8_t packet[FAKEUMAD_PACKET] __attribute__((aligned(8))) = { 0 };
	ib_rpc_t encoded = request(IB_PERFORMANCE_CLASS), built = encoded;
	ib_portid_t to = { .lid = 1 };

	encoded.trid = built.trid = 0;
	assert_non_null(mad_encode(packet, &encoded, NULL, NULL));
	assert_true((uint32_t)encoded.trid != 0);
	assert_true(mad_get_field64(packet, 0, IB_MAD_TRID_F) == encoded.trid);
	built.dataoffs = IB_MAD_SIZE;
	built.datasz = 1; /* of no data */
	assert_int_equal(mad_build_pkt(packet, &built, &to, NULL, NULL), IB_MAD_SIZE);
	assert_true((uint32_t)built.trid != 0);
	assert_true(mad_get_field64(packet + FAKEUMAD_HEADER, 0, IB_MAD_TRID_F) == built.trid);
}

TEST(data_at_its_offset)
{
	ib_rpc_t rpc = request(IB_PERFORMANCE_CLASS);
	uint8_t mad[IB_MAD_SIZE];

	for (rpc.dataoffs = 0; rpc.dataoffs <= 252; rpc.dataoffs += 252) {
		rpc.datasz = 4;
		memset(mad, UNTOUCHED, sizeof(mad));
		assert_non_null(mad_encode(mad, &rpc, NULL, (void *)(uintptr_t) "DATA"));
		assert_memory_equal(mad + rpc.dataoffs, "DATA", 4);
		assert_int_equal(mad[251], UNTOUCHED);
	}
}

/* Both functions refuse a request that cannot be encoded, and write nothing. */
TEST(what_is_refused)
{
	static const struct {
		int mgmt_class, hops, offset, size;
	} rows[] = {
		{ 0x81, 64, 0, 0 },    { 0x81, 65, 0, 0 },	{ 0x81, 255, 0, 0 },
		{ 0x81, -1, 0, 0 },    { 0x81, 1 << 20, 0, 0 }, { 4, 0, 252, 5 },
		{ 4, 0, 64, 193 },     { 4, 0, 256, 1 },	{ 4, 0, 300, 0 },
		{ 4, 0, -1, 4 },       { 4, 0, 64, -1 },	{ 4, 0, 0x7fffffff, 1 },
		{ 4, 0, 64, INT_MAX }, { 0x81, 1, 200, 57 },	{ 4, 0, 1, 0x7fffffff },
	};
	uint8_t packet[FAKEUMAD_PACKET] __attribute__((aligned(8))), before[FAKEUMAD_PACKET];
	static uint8_t data[512];

	memset(packet, UNTOUCHED, sizeof(packet));
	memcpy(before, packet, sizeof(before));
	for (size_t i = 0; i < COUNT(rows); i++) {
		ib_portid_t to = { .drpath = { .cnt = rows[i].hops } };
		ib_rpc_t rpc = request(rows[i].mgmt_class);

		rpc.dataoffs = rows[i].offset;
		rpc.datasz = rows[i].size;
		assert_null_errno(mad_encode(packet, &rpc, &to.drpath, data), EINVAL);
		assert_errno(mad_build_pkt(packet, &rpc, &to, NULL, data), EINVAL);
		assert_memory_equal(packet, before, sizeof(packet));
	}
}

TEST(null_is_refused)
{
	ib_rpc_t directed = request(IB_SMI_DIRECT_CLASS), rpc = request(IB_PERFORMANCE_CLASS);
	uint8_t mad[IB_MAD_SIZE];
	ib_portid_t to = { .lid = 1 };

	assert_null_errno(mad_encode(mad, &directed, NULL, NULL), EINVAL);
	assert_null(mad_encode(NULL, &rpc, NULL, NULL));
	assert_null(mad_encode(mad, NULL, NULL, NULL));
	assert_errno(mad_build_pkt(NULL, &rpc, &to, NULL, NULL), EINVAL);
}

TEST(built_with_an_rmpp_header)
{
	ib_rmpp_hdr_t rmpp = { .type = 2, .flags = 3, .status = 4 };
	uint8_t packet[FAKEUMAD_PACKET] __attribute__((aligned(8))) = { 0 };
	ib_rpc_t rpc = request(IB_SA_CLASS);
	ib_portid_t to = { .lid = 1 };

	rmpp.d1.u = 0x05060708;
	rmpp.d2.u = 0x090a0b0c;
	rpc.dataoffs = IB_MAD_SIZE; /* no data, at its end */
	assert_int_equal(mad_build_pkt(packet, &rpc, &to, &rmpp, packet), IB_MAD_SIZE);
	assert_memory_equal(packet + FAKEUMAD_HEADER + 24, "\1\2\xfb\4\5\6\7\x8\x9\xa\xb\xc", 12);
	assert_memory_equal(packet + FAKEUMAD_HEADER + 36, "\x11\x12\x13\x14\x15\x16\x17\x18", 8);
}

static int compare_trids(const void *a, const void *b)
{
	uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;

	return left < right ? -1 : left > right;
}

/* The library knows IDs that it has issued, which distinguishes late responses from unsolicited
 * MADs. */
TEST(trids_are_unique_and_known)
{
	enum { TRIDS = 20000 };
	static uint32_t trids[TRIDS];
	uint32_t last;

	for (int i = 0; i < TRIDS; i++) {
		last = trids[i] = (uint32_t)mad_trid();
		assert_true(last != 0);
	}
	assert_true(mad_state_issued_trid(trids[TRIDS - 100]));
	assert_true(mad_state_issued_trid(last));
	assert_false(mad_state_issued_trid(last + 1));
	assert_false(mad_state_issued_trid(last + 0x80000000));
	qsort(trids, TRIDS, sizeof(trids[0]), compare_trids);
	for (int i = 1; i < TRIDS; i++)
		assert_true(trids[i] != trids[i - 1]);
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
