/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* libibmad/requests/multicast.c: the record; the rows of tests/lib/requests join and leave. */
#include "test.h"
#include "fakeumad.h"

#include <errno.h>
#include <infiniband/mad_sa.h>
#include <string.h>

#define MEMBER(...)                                \
	.member = &(const struct mad_sa_mc_member) \
	{                                          \
		__VA_ARGS__                        \
	}

/* Every component where the specification has it (table 210). */
TEST(the_whole_record)
{
	static const uint8_t expected[52] = {
		0xff, 0x12, 3,	  4,	5,    6,    7,	  8,	9,    10,   11,	  12,	13,
		14,   15,   16,	  0xfe, 0x80, 0,    0,	  0,	0,    0,    0,	  0,	0x02,
		0xc9, 3,    0,	  0,	0,    0x99, 0x12, 0x34, 0x56, 0x78, 0xc0, 0x01, 0x84,
		0x33, 0x80, 0x05, 0x43, 0xd2, 0xa1, 0x23, 0x45, 0x67, 0x2f, 0x80, 0,	0,
	};
	struct mad_sa_mc_request request = {
		MEMBER(.mgid = { 0xff, 0x12, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16 },
		       .port_gid = { 0xfe, 0x80, [9] = 0x02, 0xc9, 3, [15] = 0x99 },
		       .qkey = 0x12345678, .mlid = 0xc001, .mtu = 4, .traffic_class = 0x33,
		       .pkey = 0x8005, .rate = 3, .life_time = 0x12, .sl = 0xa,
		       .flow_label = 0x12345, .hop_limit = 0x67, .scope = 2, .join_state = 0xf,
		       .proxy_join = 1),
		.mtu_selector = 2,
		.rate_selector = 1,
		.life_time_selector = 3,
	};
	uint8_t record[IB_SA_DATA_SIZE], zeros[IB_SA_DATA_SIZE] = { 0 };

	memset(record, 0x55, sizeof(record));
	assert_int_equal(mad_sa_mc_encode(&request, record), 0);
	assert_memory_equal(record, expected, sizeof(expected));
	assert_memory_equal(record + 52, zeros, sizeof(record) - 52);
}

/* A component refuses one more than it holds, and takes the most that it holds. */
TEST(components_that_do_not_fit)
{
	static const struct mad_sa_mc_member members[] = {
		{ .mtu = 64 },	     { .rate = 64 },
		{ .life_time = 64 }, { .sl = 16 },
		{ .scope = 16 },     { .join_state = 16 },
		{ .proxy_join = 2 }, { .flow_label = 1 << 20 },
	};
	static const struct mad_sa_mc_member largest = {
		.mtu = 63,
		.rate = 63,
		.life_time = 63,
		.sl = 15,
		.scope = 15,
		.join_state = 15,
		.proxy_join = 1,
		.flow_label = (1 << 20) - 1,
	};
	static const struct mad_sa_mc_request requests[] = {
		{ .mtu_selector = 4 }, { .rate_selector = 4 }, { .life_time_selector = 4 },
		{ .reserved = 1 },     { .timeout_ms = -1 },
	};
	struct mad_sa_mc_request request = { MEMBER(.mgid = { 0xff }) };
	const struct mad_sa_mc_member *member = request.member;
	uint8_t record[IB_SA_DATA_SIZE];

	for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++) {
		request.member = &members[i];
		assert_errno(mad_sa_mc_encode(&request, record), EINVAL);
	}
	request.member = &largest;
	assert_int_equal(mad_sa_mc_encode(&request, record), 0);
	for (size_t i = 0; i < sizeof(requests) / sizeof(requests[0]); i++) {
		request = requests[i];
		request.member = member;
		assert_errno(mad_sa_mc_encode(&request, record), EINVAL);
	}
}
