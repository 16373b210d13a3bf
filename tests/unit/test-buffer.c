/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * test-buffer.c - the umad header (libibumad/io/buffer.c).
 *
 * The state is set as it is after the kernel granted or refused P_Key indices, so that the long and
 * the short header are both seen. Offsets are written out: they are the kernel's.
 */
#include <endian.h>
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <unistd.h>

#include <infiniband/umad.h>

#include "bytes.h"
#include "listen.h"
#include "libibumad/internal.h"

#define BUFFER_SIZE 512
#define FILLER	    0xa5

/* Lets calloc fail as it does without the address sanitizer. */
const char *__asan_default_options(void);

const char *__asan_default_options(void)
{
	return "allocator_may_return_null=1";
}

static union {
	ib_user_mad_t umad;
	uint8_t bytes[BUFFER_SIZE];
} buffer;

static int long_head(void **state)
{
	(void)state;
	umad_state_set_pkey_layout(true);
	memset(&buffer, FILLER, sizeof(buffer));
	return 0;
}

static int short_head(void **state)
{
	long_head(state);
	umad_state_set_pkey_layout(false);
	return 0;
}

/* The whole buffer is compared: nothing beside these bytes may have changed since the last time. */
static void expect_bytes(const char *words)
{
	uint8_t expected[BUFFER_SIZE];

	memset(expected, FILLER, sizeof(expected));
	put_bytes(expected, words);
	assert_bytes(words, buffer.bytes, expected, BUFFER_SIZE);
	memset(&buffer, FILLER, sizeof(buffer));
}

/* The first test, before anything set the state: a buffer made early must not be too small. */
TEST(size_before_any_port_was_opened)
{
	assert_int_equal(umad_size(), 64);
}

TEST_WITH(parts_of_the_long_head, long_head, NULL)
{
	assert_int_equal(umad_size(), 64);
	assert_ptr_equal(umad_get_mad(&buffer), buffer.bytes + 64);
	assert_ptr_equal(umad_get_mad_addr(&buffer), buffer.bytes + 20);
	buffer.umad.status = ETIMEDOUT;
	assert_int_equal(umad_status(&buffer), ETIMEDOUT);
}

TEST_WITH(parts_of_the_short_head, short_head, NULL)
{
	assert_int_equal(umad_size(), 56);
	assert_ptr_equal(umad_get_mad(&buffer), buffer.bytes + 56);
	assert_int_equal(umad_set_pkey(&buffer, 0x1234), 0);
	assert_int_equal(umad_get_pkey(&buffer), 0);
	expect_bytes("");
}

/* QPN, Q_Key, LID, SL; larger values are cut. */
TEST_WITH(addresses, long_head, NULL)
{
	assert_int_equal(umad_set_addr(&buffer, 0xbeef, 0x123456, 15, (int)0x80010000), 0);
	expect_bytes("20:00123456 24:80010000 28:beef 30:0f");
	assert_int_equal(umad_set_addr(&buffer, 0x12345, -1, 0x1f3, INT_MIN), 0);
	expect_bytes("20:ffffffff 24:80000000 28:2345 30:f3");
	assert_int_equal(umad_set_addr_net(&buffer, htobe16(0xbeef), htobe32(0x123456), 3,
					   htobe32(0x80010000)),
			 0);
	expect_bytes("20:00123456 24:80010000 28:beef 30:03");
}

/* A route whose other fields hold values that must not be taken over. */
static ib_mad_addr_t a_route(uint32_t flow_label)
{
	ib_mad_addr_t route;

	memset(&route, 0x77, sizeof(route));
	memcpy(route.gid, "\xfe\x80\0\0\0\0\0\0\0\x02\xc9\x03\0\0\0\x01", 16);
	route.flow_label = flow_label;
	route.hop_limit = 63;
	route.traffic_class = 9;
	return route;
}

TEST_WITH(routes, long_head, NULL)
{
	static const char there[] = "32:01 34:3f09 36:fe800000000000000002c90300000001 52:000abcde";
	ib_mad_addr_t route = a_route(0xabcde), route_net = a_route(htobe32(0xabcde));

	assert_int_equal(umad_set_grh(&buffer, &route), 0);
	expect_bytes(there);
	assert_int_equal(umad_set_grh_net(&buffer, &route_net), 0);
	/* As a server that responds through the route on which a request came. */
	assert_int_equal(umad_set_grh_net(&buffer, umad_get_mad_addr(&buffer)), 0);
	expect_bytes(there);
	assert_int_equal(umad_set_grh(&buffer, NULL), 0);
	expect_bytes("32:00");
	assert_int_equal(umad_set_grh_net(&buffer, NULL), 0);
	expect_bytes("32:00");
}

TEST_WITH(pkey_index_in_the_long_head, long_head, NULL)
{
	assert_int_equal(umad_set_pkey(&buffer, 0x71234), 0);
	assert_int_equal(umad_get_pkey(&buffer), 0x1234);
	/* The index is in host order. */
	expect_bytes(htobe16(0x1234) == 0x1234 ? "56:1234" : "56:3412");
	umad_set_pkey(&buffer, 0xffff);
	assert_int_equal(umad_get_pkey(&buffer), 0xffff);
}

/* Called through a pointer: a compiler that sees calloc without a use may take it for granted. */
TEST_WITH(allocation, long_head, NULL)
{
	void *(*volatile alloc)(int num, size_t size) = umad_alloc;
	uint8_t *umads = alloc(3, umad_size() + 256);

	assert_non_null(umads);
	for (size_t i = 0; i < 3 * (umad_size() + 256); i++)
		assert_int_equal(umads[i], 0);
	umad_free(umads);
	umad_free(NULL);
	assert_null(alloc(-1, 64));
	assert_null(alloc(INT_MIN, 0));
	assert_null(alloc(2, SIZE_MAX));
	assert_null(alloc(INT_MAX, SIZE_MAX / 2));
}

/* Dumps */

static void assert_said(const char *head, const char *pkey_index)
{
	char expected[400], pid[32];

	snprintf(pid, sizeof(pid), "ibwarn: [%d] ", (int)getpid());
	snprintf(expected, sizeof(expected),
		 "%s%s%sumad_addr_dump: qpn 1 qkey 0x80010000 lid 48879 sl 3\n"
		 "grh_present 1 gid_index 2 hop_limit 63 traffic_class 9 flow_label 0xabcde "
		 "pkey_index %s\nGid 0xfe800000000000000002c90300000001\n",
		 *head ? pid : "", head, pid, pkey_index);
	assert_string_equal(said, expected);
}

static void fill_buffer(void)
{
	ib_mad_addr_t route = a_route(0xabcde);

	umad_set_addr(&buffer, 0xbeef, 1, 3, (int)0x80010000);
	umad_set_grh_net(&buffer, &route); /* the dump prints the flow label as it lies there */
	umad_set_pkey(&buffer, 0x1234);
	buffer.umad.addr.gid_index = 2;
	buffer.umad.agent_id = 7;
	buffer.umad.status = 0x6e;
	buffer.umad.timeout_ms = 1000;
}

TEST_WITH(dumps_of_the_long_head, long_head, NULL)
{
	fill_buffer();
	listen(umad_addr_dump(&buffer.umad.addr));
	assert_said("", "0x1234");
	listen(umad_dump(&buffer));
	assert_said("umad_dump: agent id 7 status 6e timeout 1000\n", "0x1234");
}

/* The place of the index in the long header is the MAD in the short one. */
TEST_WITH(dump_of_the_short_head, short_head, NULL)
{
	fill_buffer();
	listen(umad_addr_dump(&buffer.umad.addr));
	assert_said("", "0x0");
}
