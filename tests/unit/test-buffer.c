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
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <infiniband/umad.h>

#include "listen.h"
#include "test.h"
#include "libibumad/internal.h"

#define BUFFER_SIZE 512
#define FILLER	    0xa5

enum {
	AT_QPN = 20,
	AT_QKEY = 24,
	AT_LID = 28,
	AT_SL = 30,
	AT_GRH_PRESENT = 32,
	AT_HOP_LIMIT = 34,
	AT_TRAFFIC_CLASS = 35,
	AT_GID = 36,
	AT_FLOW_LABEL = 52,
	AT_PKEY_INDEX = 56
};

/* Lets calloc fail as it does without the address sanitizer. */
const char *__asan_default_options(void);

const char *__asan_default_options(void)
{
	return "allocator_may_return_null=1";
}

static union {
	ib_user_mad_t umad;
	uint8_t bytes[BUFFER_SIZE];
} buffer, expected;

static int long_head(void **state)
{
	(void)state;
	umad_state_set_pkey_layout(true);
	memset(&buffer, FILLER, sizeof(buffer));
	memset(&expected, FILLER, sizeof(expected));
	return 0;
}

static int short_head(void **state)
{
	long_head(state);
	umad_state_set_pkey_layout(false);
	return 0;
}

/* The whole buffer is compared: nothing beside the fields meant may change. */
static void expect_buffer(void)
{
	assert_memory_equal(buffer.bytes, expected.bytes, BUFFER_SIZE);
}

static void put(size_t offset, const char *bytes, size_t length)
{
	memcpy(expected.bytes + offset, bytes, length);
}

/* The first test, before anything set the state: a buffer made early must not be too small. */
TEST(size_before_any_port_was_opened)
{
	assert_int_equal(umad_size(), 64);
}

TEST_WITH(size_and_mad_of_the_long_head, long_head, NULL)
{
	assert_int_equal(umad_size(), 64);
	assert_ptr_equal(umad_get_mad(&buffer), buffer.bytes + 64);
}

TEST_WITH(size_and_mad_of_the_short_head, short_head, NULL)
{
	assert_int_equal(umad_size(), 56);
	assert_ptr_equal(umad_get_mad(&buffer), buffer.bytes + 56);
}

TEST_WITH(address_lies_behind_the_length, long_head, NULL)
{
	assert_ptr_equal(umad_get_mad_addr(&buffer), buffer.bytes + 20);
}

TEST_WITH(status_is_host_order, long_head, NULL)
{
	buffer.umad.status = ETIMEDOUT;
	assert_int_equal(umad_status(&buffer), ETIMEDOUT);
	buffer.umad.status = 0;
	assert_int_equal(umad_status(&buffer), 0);
}

TEST_WITH(set_addr_from_host_order, long_head, NULL)
{
	put(AT_QPN, "\x00\x12\x34\x56", 4);
	put(AT_QKEY, "\x80\x01\x00\x00", 4);
	put(AT_LID, "\xbe\xef", 2);
	put(AT_SL, "\x0f", 1);
	assert_int_equal(umad_set_addr(&buffer, 0xbeef, 0x123456, 15, (int)0x80010000), 0);
	expect_buffer();
}

TEST_WITH(set_addr_cuts_what_does_not_fit, long_head, NULL)
{
	put(AT_QPN, "\xff\xff\xff\xff", 4);
	put(AT_QKEY, "\x80\x00\x00\x00", 4);
	put(AT_LID, "\x23\x45", 2);
	put(AT_SL, "\xf3", 1);
	assert_int_equal(umad_set_addr(&buffer, 0x12345, -1, 0x1f3, INT_MIN), 0);
	expect_buffer();
}

TEST_WITH(set_addr_from_network_order, long_head, NULL)
{
	put(AT_QPN, "\x00\x12\x34\x56", 4);
	put(AT_QKEY, "\x80\x01\x00\x00", 4);
	put(AT_LID, "\xbe\xef", 2);
	put(AT_SL, "\x03", 1);
	assert_int_equal(umad_set_addr_net(&buffer, htobe16(0xbeef), htobe32(0x123456), 3,
					   htobe32(0x80010000)),
			 0);
	expect_buffer();
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

static void expect_the_route(void)
{
	put(AT_GRH_PRESENT, "\x01", 1);
	put(AT_HOP_LIMIT, "\x3f", 1);
	put(AT_TRAFFIC_CLASS, "\x09", 1);
	put(AT_GID, "\xfe\x80\0\0\0\0\0\0\0\x02\xc9\x03\0\0\0\x01", 16);
	put(AT_FLOW_LABEL, "\x00\x0a\xbc\xde", 4);
	expect_buffer();
}

TEST_WITH(set_grh_from_host_order, long_head, NULL)
{
	ib_mad_addr_t route = a_route(0xabcde);

	assert_int_equal(umad_set_grh(&buffer, &route), 0);
	expect_the_route();
}

TEST_WITH(set_grh_from_network_order, long_head, NULL)
{
	ib_mad_addr_t route = a_route(htobe32(0xabcde));

	assert_int_equal(umad_set_grh_net(&buffer, &route), 0);
	expect_the_route();
}

/* What a server does to respond through the route on which a request came. */
TEST_WITH(set_grh_from_the_buffer_itself, long_head, NULL)
{
	ib_mad_addr_t route = a_route(htobe32(0xabcde));

	assert_int_equal(umad_set_grh_net(&buffer, &route), 0);
	assert_int_equal(umad_set_grh_net(&buffer, umad_get_mad_addr(&buffer)), 0);
	expect_the_route();
}

TEST_WITH(set_grh_null_says_there_is_none, long_head, NULL)
{
	put(AT_GRH_PRESENT, "\x00", 1);
	assert_int_equal(umad_set_grh(&buffer, NULL), 0);
	expect_buffer();

	buffer.umad.addr.grh_present = 1;
	assert_int_equal(umad_set_grh_net(&buffer, NULL), 0);
	expect_buffer();
}

TEST_WITH(pkey_index_in_the_long_head, long_head, NULL)
{
	const uint16_t index = 0x1234;

	memcpy(expected.bytes + AT_PKEY_INDEX, &index, sizeof(index));
	assert_int_equal(umad_set_pkey(&buffer, 0x71234), 0);
	expect_buffer();
	assert_int_equal(umad_get_pkey(&buffer), 0x1234);
	umad_set_pkey(&buffer, 0xffff);
	assert_int_equal(umad_get_pkey(&buffer), 0xffff);
}

TEST_WITH(pkey_index_leaves_the_short_head_alone, short_head, NULL)
{
	assert_int_equal(umad_set_pkey(&buffer, 0x1234), 0);
	expect_buffer();
	assert_int_equal(umad_get_pkey(&buffer), 0);
}

TEST_WITH(alloc_gives_zeroed_memory, long_head, NULL)
{
	uint8_t *umads = umad_alloc(3, umad_size() + 256);

	assert_non_null(umads);
	for (size_t i = 0; i < 3 * (umad_size() + 256); i++)
		assert_int_equal(umads[i], 0);
	umad_free(umads);
	umad_free(NULL);
}

/* Called through a pointer: a compiler that sees calloc without a use may take it for granted. */
TEST_WITH(alloc_of_impossible_sizes, long_head, NULL)
{
	void *(*volatile alloc)(int num, size_t size) = umad_alloc;

	assert_null(alloc(-1, 64));
	assert_null(alloc(INT_MIN, 0));
	assert_null(alloc(2, SIZE_MAX));
	assert_null(alloc(INT_MAX, SIZE_MAX / 2));
}

/* What was said, without the process ID. */
static const char *said_by_any_process(void)
{
	char pid[32], *at;

	snprintf(pid, sizeof(pid), "[%d]", (int)getpid());
	while ((at = strstr(said, pid)))
		memmove(at, at + strlen(pid), strlen(at + strlen(pid)) + 1);
	return said;
}

#define ADDRESS_TEXT                                                                 \
	"ibwarn:  umad_addr_dump: qpn 1 qkey 0x80010000 lid 48879 sl 3\n"            \
	"grh_present 1 gid_index 2 hop_limit 63 traffic_class 9 flow_label 0xabcde " \
	"pkey_index 0x1234\n"                                                        \
	"Gid 0xfe800000000000000002c90300000001\n"

static void fill_address(void)
{
	ib_mad_addr_t route = a_route(0xabcde);

	umad_set_addr(&buffer, 0xbeef, 1, 3, (int)0x80010000);
	umad_set_grh_net(&buffer, &route); /* the dump prints the flow label as it lies there */
	umad_set_pkey(&buffer, 0x1234);
	buffer.umad.addr.gid_index = 2;
}

TEST_WITH(dump_of_an_address, long_head, NULL)
{
	fill_address();
	listen(umad_addr_dump(&buffer.umad.addr));
	assert_string_equal(said_by_any_process(), ADDRESS_TEXT);
}

TEST_WITH(dump_of_a_buffer, long_head, NULL)
{
	fill_address();
	buffer.umad.agent_id = 7;
	buffer.umad.status = 0x6e;
	buffer.umad.timeout_ms = 1000;
	listen(umad_dump(&buffer));
	assert_string_equal(said_by_any_process(),
			    "ibwarn:  umad_dump: agent id 7 status 6e timeout 1000\n" ADDRESS_TEXT);
}

/* What lies where the index is in the long header is the MAD, or nothing. */
TEST_WITH(dump_of_the_short_head, short_head, NULL)
{
	fill_address();
	listen(umad_addr_dump(&buffer.umad.addr));
	assert_non_null(strstr(said, "pkey_index 0x0\n"));
}
