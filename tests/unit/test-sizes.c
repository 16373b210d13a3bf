/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Programs and libraries of different releases: what each public function makes of a structure that
 * is longer or shorter than the library's. Those of asynchronous requests, tables and their
 * records, statistics and events are where these are tested.
 */
#include <infiniband/mad_fabric_counters.h>
#include <infiniband/mad_message.h>
#include <infiniband/mad_sa.h>
#include <stdalign.h>
#include <string.h>

#include "common/sized.h"
#include "fakeumad.h"
#include "test.h"

#define MORE 8 /* bytes that a later release has at the end of a structure */

static struct ibmad_port *port;
static alignas(16) uint8_t structure[512];

/* Makes the call with `structure` of so many bytes; returns 0 or its errno. */
typedef int sized_call(size_t size);

static int error_of(bool success)
{
	return success ? 0 : errno;
}

/* A structure that the library reads: `known` bytes of it, and of its first release `first`. */
static void assert_takes(sized_call *call, const void *good, size_t known, size_t first)
{
	memset(structure, 0, sizeof(structure));
	memcpy(structure, good, known);
	assert_int_equal(call(first), 0);
	assert_int_equal(call(first - 1), EINVAL);
	assert_int_equal(call(known + MORE), 0);
	for (size_t i = known; i < known + MORE; i++) {
		structure[i] = 1;
		assert_int_equal(call(known + MORE), E2BIG);
		structure[i] = 0;
	}
}
#define ASSERT_TAKES(call, good, last) \
	assert_takes(call, &(good), sizeof(good), SIZED_TO(&(good), last))

/* A structure that the library writes: members that it does not know are 0, and no byte behind the
 * structure changes. */
static void assert_gives(sized_call *call, size_t known, size_t first)
{
	const size_t sizes[] = { first, known, known + MORE };

	for (size_t i = 0; i < COUNT(sizes); i++) {
		memset(structure, 0xa5, sizeof(structure));
		assert_int_equal(call(sizes[i]), 0);
		for (size_t at = known; at < sizeof(structure); at++)
			assert_int_equal(structure[at], at < sizes[i] ? 0 : 0xa5);
	}
	assert_int_equal(call(first - 1), EINVAL);
	assert_int_equal(call(SIZE_MAX), E2BIG);
}
#define ASSERT_GIVES(call, type, last) \
	assert_gives(call, sizeof(struct type), SIZED_TO((struct type *)NULL, last))

/* All functions but umad_monitor_read() and mad_rpc_get_statistics() use these two. */
TEST(a_structure_that_has_grown)
{
	const uint8_t given[] = { 1, 2, 3, 4 };
	uint8_t taken[] = { 9, 9, 9, 9 }, to[] = { 9, 9, 9, 9 };

	assert_int_equal(sized_take(taken, 4, 2, given, 3), 0);
	assert_memory_equal(taken, ((uint8_t[]){ 1, 2, 3, 0 }), 4);
	assert_int_equal(sized_give(to, 3, 2, given, 4), 0);
	assert_memory_equal(to, ((uint8_t[]){ 1, 2, 3, 9 }), 4);
	assert_int_equal(sized_check(NULL, 2, 2), -EINVAL);
	assert_int_equal(sized_check(to, SIZED_MAX, 2), 0);
	assert_int_equal(sized_check(to, SIZED_MAX + 1, 2), -E2BIG);
}

static int setup(void **state)
{
	int status = fakeumad_setup(state);

	port = *state;
	return status;
}
#define SIZE_TEST(name) TEST_WITH(name, setup, fakeumad_teardown)

static struct {
	struct mad_fabric_node known;
	uint64_t more;
} nodes[] = { { { .guid = 1, .type = IB_NODE_SWITCH, .port_count = 2 }, 0 },
	      { { .guid = 2, .type = IB_NODE_CA, .port_count = 1 }, 0 } };
static struct {
	struct mad_fabric_port known;
	uint64_t more;
} ports[] = {
	{ { .node = &nodes[0].known, .port_number = 2, .peer = &ports[1].known }, 0 },
	{ { .node = &nodes[1].known, .port_number = 1, .lid = 8, .peer = &ports[0].known }, 0 },
};

static int build(size_t size)
{
	struct mad_fabric *fabric = mad_fabric_build_sized((void *)structure, size);
	int error = error_of(fabric);
	const struct mad_fabric_port *start;

	if (error)
		return error;
	start = mad_fabric_get_info(fabric)->start;
	assert_int_equal(start->lid, 8);
	assert_int_equal(start->peer->port_number, 2);
	assert_int_equal(start->peer->node->guid, 1);
	mad_fabric_free(fabric);
	return 0;
}

TEST(fabrics_that_are_built)
{
	const struct mad_fabric_description description = {
		.nodes = &nodes[0].known,
		.node_count = COUNT(nodes),
		.node_size = sizeof(nodes[0]),
		.ports = &ports[0].known,
		.port_count = COUNT(ports),
		.port_size = sizeof(ports[0]),
		.start = &ports[1].known,
	};

	ASSERT_TAKES(build, description, reserved);
	nodes[1].more = 1;
	assert_int_equal(build(sizeof(description)), E2BIG);
	nodes[1].more = 0;
	ports[1].more = 1;
	assert_int_equal(build(sizeof(description)), E2BIG);
}

static int read_counters(size_t size)
{
	const struct mad_fabric_description nothing = { .node_size = 1, .port_size = 1 };
	struct mad_fabric *fabric = mad_fabric_build(&nothing);
	struct mad_fabric_counters *counters =
		mad_fabric_counters_read_sized(port, fabric, (void *)structure, size);
	int error = error_of(counters);

	mad_fabric_counters_free(counters);
	mad_fabric_free(fabric);
	return error;
}

SIZE_TEST(options_of_a_sweep)
{
	const struct mad_fabric_options options = { .window = 8 };

	ASSERT_TAKES(read_counters, options, context);
}

/* The library reads as many bytes of a member as the caller says. */
static const struct {
	struct mad_sa_mc_member known;
	uint8_t more[MORE];
} groups = { .known = { .mgid = { 0xff, 0x12 }, .qkey = 1, .pkey = 0xffff } };
#define group groups.known

static int encode_request(size_t size)
{
	uint8_t record[IB_SA_DATA_SIZE];

	return error_of(!mad_sa_mc_encode_sized((void *)structure, size, sizeof(group), record));
}

static int encode_member(size_t size)
{
	const struct mad_sa_mc_request request = { .member = (void *)structure };
	uint8_t record[IB_SA_DATA_SIZE];

	return error_of(!mad_sa_mc_encode_sized(&request, sizeof(request), size, record));
}

static int respond(const struct fakeumad_request *request, void *context)
{
	const struct fakeumad_reply reply = { 0 };

	(void)context;
	fakeumad_reply(request, &reply);
	return 0;
}

/* The size is that of the member in the request, too. */
static int join(size_t size)
{
	static const struct {
		struct mad_sa_mc_member known;
		uint8_t more[MORE];
	} member = { .known = { .mgid = { 0xff, 0x12 }, .qkey = 1, .pkey = 0xffff } };
	const struct mad_sa_mc_request request = { .member = &member.known };
	const ib_portid_t sm = { .lid = 1 };

	return error_of(!mad_sa_mc_join_sized(port, &sm, &request, sizeof(request),
					      (void *)structure, size, NULL));
}

SIZE_TEST(multicast_groups)
{
	const struct mad_sa_mc_request request = { .member = &group };

	fakeumad_respond_with(respond, NULL);
	ASSERT_TAKES(encode_request, request, reserved);
	ASSERT_TAKES(encode_member, group, proxy_join);
	ASSERT_GIVES(join, mad_sa_mc_member, proxy_join);
}

static int get_notice_value(size_t size)
{
	static const uint8_t notice[64] = { 0x81, [5] = 128, [11] = 5 };

	return error_of(!mad_notice_value_sized(notice, IB_SMI_CLASS, 0, (void *)structure, size));
}

TEST(values_of_notices)
{
	ASSERT_GIVES(get_notice_value, mad_notice_value, bytes);
}

/* Without a message the error is EAGAIN, unless the size is wrong. */
SIZE_TEST(messages)
{
	struct mad_message *message = (void *)structure;
	const size_t first = SIZED_TO(message, header);

	assert_errno(mad_message_receive_sized(port, message, first - 1, NULL, 0, 0), EINVAL);
	assert_errno(mad_message_receive_sized(port, message, first, NULL, 0, 0), EAGAIN);
	assert_errno(mad_message_receive_sized(port, message, sizeof(*message) + MORE, NULL, 0, 0),
		     EAGAIN);
	assert_errno(mad_message_receive_sized(port, message, SIZE_MAX, NULL, 0, 0), E2BIG);
}
