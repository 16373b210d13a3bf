/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* test-arguments.c - wrong arguments of <infiniband/mad_fabric*.h>, and constants. */
#include "play.h"

#include <errno.h>

TREE_TEST(refuses_wrong_options)
{
	const ib_dr_path_t far = { .cnt = 64 };
	const struct mad_fabric_options wrong[] = {
		{ .flags = 1U << 5 }, { .max_nodes = 49152 },	{ .window = 4097 },
		{ .max_hops = 64 },   { .timeout_ms = -1 },	{ .subtree = &far },
		{ .attempts = -1 },   { .threshold_count = 1 },
	};

	for (unsigned i = 0; i < COUNT(wrong); i++)
		assert_null_errno(mad_fabric_discover(scene_port, &wrong[i]), EINVAL);
	assert_null_errno(mad_fabric_discover_sized(scene_port, &wrong[0], 8), EINVAL);
	assert_null_errno(mad_fabric_discover_sized(scene_port, &wrong[0], SIZE_MAX), E2BIG);
	assert_null_errno(mad_fabric_discover(NULL, NULL), EINVAL);
	assert_int_equal(model.requests, 0);
	discover();
	assert_null_errno(mad_fabric_counters_read(NULL, fabric, NULL), EINVAL);
	assert_null_errno(mad_fabric_counters_read(scene_port, NULL, NULL), EINVAL);
}

/* A description with another value of a member than the right one. */
#define assert_refuses(member, wrong)                                      \
	do {                                                               \
		__typeof__(member) right = (member);                       \
                                                                           \
		(member) = (wrong);                                        \
		assert_null_errno(mad_fabric_build(&description), EINVAL); \
		(member) = right;                                          \
	} while (0)

TREE_TEST(refuses_what_is_no_fabric)
{
	struct mad_fabric_description description;
	struct mad_fabric_node nodes[6], stranger = { 0 };
	struct mad_fabric_port ports[20], port = { 0 };

	discover();
	mad_fabric_free(play_build(&description, nodes, ports));
	assert_null_errno(mad_fabric_build(NULL), EINVAL);
	assert_refuses(description.reserved, 1);
	assert_refuses(description.error, -1);
	assert_refuses(description.nodes, NULL);
	assert_refuses(description.ports, NULL);
	assert_refuses(description.node_count, 0);
	assert_refuses(ports[3].peer, &ports[description.port_count]);
	assert_refuses(description.port_size, sizeof(port) - 1);
	assert_refuses(ports[3].node, &stranger);
	assert_refuses(ports[3].node, NULL);
	assert_refuses(ports[3].node, &nodes[description.node_count]);
	assert_refuses(ports[3].port_number, 9);
	assert_refuses(ports[3], ports[4]);
	assert_refuses(ports[3].peer, &ports[4]);
	assert_refuses(ports[3].peer, &port);
	assert_refuses(ports[3].reserved[1], 1);
	ports[2].peer = ports[3].peer = NULL;
	assert_refuses(ports[3], ports[2]);
	assert_refuses(nodes[2].reserved[0], 1);
	assert_refuses(nodes[1].guid, nodes[0].guid);
	mad_fabric_free(mad_fabric_build(&description));
}

TREE_TEST(refuses_wrong_counters)
{
	struct mad_fabric_counter_value right = { .counter = MAD_FABRIC_COUNTER_SYMBOL_ERRORS,
						  .bits = 16,
						  .value = 1 };
	struct mad_fabric_counter_value wrong[4];
	struct mad_fabric_counters *built;
	uint64_t value;
	double rate;

	discover();
	right.port = port_of(3, 2);
	for (unsigned i = 0; i < COUNT(wrong); i++)
		wrong[i] = right;
	wrong[0].value = 1 << 16;
	wrong[1].counter = mad_fabric_counter_count();
	wrong[2].port = NULL;
	wrong[3].bits = 65;
	for (unsigned i = 0; i < COUNT(wrong); i++)
		assert_null_errno(mad_fabric_counters_build(fabric, &wrong[i], 1), EINVAL);
	assert_null_errno(mad_fabric_counters_build(fabric, NULL, 2), EINVAL);
	assert_null_errno(mad_fabric_counters_build_sized(fabric, &right, 1, sizeof(right) - 1),
			  EINVAL);
	built = mad_fabric_counters_build(fabric, &right, 1);
	assert_errno(mad_fabric_row_value(mad_fabric_counters_next(built, NULL),
					  mad_fabric_counter_count(), &value),
		     EINVAL);
	assert_errno(mad_fabric_row_rate(mad_fabric_counters_next(built, NULL), 0, NULL), EINVAL);
	assert_errno(mad_fabric_row_rate(mad_fabric_counters_next(built, NULL), 0, &rate), ENODATA);
	assert_null_errno(mad_fabric_counters_subtract(NULL, built), EINVAL);
	mad_fabric_counters_free(built);
	assert_errno(mad_fabric_row_value(NULL, 0, NULL), EINVAL);
	assert_null(mad_fabric_row_port(NULL));
	assert_int_equal(mad_fabric_row_error(NULL), EINVAL);
	assert_int_equal(mad_fabric_row_speeds_error(NULL), EINVAL);
	assert_int_equal(mad_fabric_row_time_ns(NULL), 0);
	assert_int_equal(mad_fabric_row_bits(NULL, 0), 0);
	assert_int_equal(mad_fabric_row_errors(NULL), 0);
	assert_null_errno(mad_fabric_counters_build(NULL, NULL, 0), EINVAL);
	assert_null_errno(mad_fabric_counters_merge(NULL, NULL, NULL), EINVAL);
	assert_null(mad_fabric_counters_next(NULL, NULL));
	assert_null(mad_fabric_counters_find(NULL, 1, 1));
}

SCENE_TEST(names_all_counters)
{
	const struct mad_fabric_counter_row able = { .capabilities = UINT64_MAX };
	const struct mad_fabric_counter_row old = { 0 };

	for (unsigned i = 0; i < FABRIC_COUNTERS; i++) {
		assert_true(fabric_has_counter(&able, i));
		assert_non_null(mad_fabric_counter_get_kind(i)->name);
		assert_true(mad_fabric_counter_get_kind(i)->unit > 0);
	}
	assert_true(fabric_has_counter(&old, MAD_FABRIC_COUNTER_SYMBOL_ERRORS));
	assert_false(fabric_has_counter(&old, MAD_FABRIC_COUNTER_UNICAST_XMIT_PACKETS));
	assert_null(mad_fabric_counter_get_kind(FABRIC_COUNTERS));
	assert_true(mad_fabric_counter_get_kind(MAD_FABRIC_COUNTER_SYMBOL_ERRORS)->is_error);
	assert_false(mad_fabric_counter_get_kind(MAD_FABRIC_COUNTER_XMIT_WAIT)->is_error);
}

/* Every kind and every reason has words of its own, and names are made printable: also a name of 64
 * bytes, which become four times as long. */
SCENE_TEST(puts_problems_into_words)
{
	static const int errors[] = { 0, ETIMEDOUT, EIO, ECANCELED, EPROTO, ELOOP, EEXIST, EPIPE };
	struct mad_fabric_node node = { .guid = 1, .description = "a\"\x01" };
	struct mad_fabric_problem problem = { .node = &node };
	char text[400], last[400] = "";

	for (problem.kind = MAD_FABRIC_PROBLEM_NO_RESPONSE;
	     problem.kind <= MAD_FABRIC_PROBLEM_TOO_MANY_NODES + 1; problem.kind++) {
		mad_fabric_problem_text(&problem, text, sizeof(text));
		assert_string_not_equal(text, last);
		assert_non_null(strstr(text, "a\\x22\\x01 (0x0000000000000001): "));
		strcpy(last, text);
	}
	for (unsigned i = 0; i < COUNT(errors); i++) {
		problem.error = errors[i];
		mad_fabric_problem_text(&problem, text, sizeof(text));
		assert_string_not_equal(text, last + (i ? 0 : 1));
		strcpy(last, text);
	}
	assert_non_null(strstr(text, ": error 32"));
	node.description[0] = '\0';
	mad_fabric_problem_text(&problem, text, sizeof(text));
	assert_int_equal(strncmp(text, "0x0000000000000001: ", 20), 0);
	memset(node.description, 1, sizeof(node.description)); /* the last byte is no part of it */
	mad_fabric_problem_text(&problem, text, sizeof(text));
	for (size_t i = 0; i < IB_SMP_DATA_SIZE; i++)
		assert_memory_equal(text + 4 * i, "\\x01", 4);
	assert_memory_equal(text + 4 * (size_t)IB_SMP_DATA_SIZE, " (0x0", 5);
}
