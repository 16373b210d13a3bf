/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* test-wrong.c - discovery of fabrics that are wrong: silence, loops, impossible responses. */
#include "play.h"

#include <errno.h>

static void twist_short(const struct model_request *request, struct responder_response *response,
			uint8_t *data)
{
	(void)data;
	if (request->node == 2 || request->node == 3)
		response->length = 64 + IB_SMP_DATA_SIZE - 1;
	if (response->length)
		response->data_size = 0;
}

TREE_TEST(believes_no_short_response)
{
	model.twist = twist_short;
	assert_int_equal(discover()->nodes, 4);
	assert_int_not_equal(port_of(4, 3)->peer_error, 0);
}

/* A name of 64 bytes, which becomes four times as long; what follows it is no part of it. */
SCENE_TEST(puts_long_names_into_words)
{
	struct mad_fabric_node node = { .guid = 1 };
	struct mad_fabric_problem problem = { .node = &node };
	char text[400];

	memset(node.description, 1, sizeof(node.description));
	mad_fabric_problem_text(&problem, text, sizeof(text));
	for (unsigned i = 0; i < IB_SMP_DATA_SIZE; i++)
		assert_memory_equal(text + 4 * (size_t)i, "\\x01", 4);
	assert_memory_equal(text + 4 * (size_t)IB_SMP_DATA_SIZE, " (0x0", 5);
}

/* Every kind and every reason has words of its own, and names are made printable. */
SCENE_TEST(puts_problems_into_words)
{
	static const int errors[] = { 0, ETIMEDOUT, EIO, ECANCELED, EPROTO, ELOOP, EEXIST, EPIPE };
	struct mad_fabric_node node = { .guid = 1, .description = "a\"\x01" };
	struct mad_fabric_problem problem = { .node = &node };
	char text[400], last[400] = "";

	for (int kind = MAD_FABRIC_PROBLEM_NO_RESPONSE; kind <= MAD_FABRIC_PROBLEM_SAME_LID + 1;
	     kind++) {
		problem.kind = (enum mad_fabric_problem_kind)kind;
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
}

static void twist_endless(const struct model_request *request, struct responder_response *response,
			  uint8_t *data)
{
	static uint64_t last;

	memset(data, 0, IB_SMP_DATA_SIZE);
	response->silent = false;
	if (request->attribute == IB_ATTR_NODE_INFO) {
		mad_set_field(data, 0, IB_NODE_TYPE_F, IB_NODE_SWITCH);
		mad_set_field(data, 0, IB_NODE_NPORTS_F, 3);
		mad_set_field(data, 0, IB_NODE_LOCAL_PORT_F, 1);
		mad_set_field64(data, 0, IB_NODE_GUID_F, ++last);
	} else {
		mad_set_field(data, 0, IB_PORT_PHYS_STATE_F, UMAD_PHYS_LINK_UP);
	}
}

TREE_TEST(stops_at_as_many_nodes_as_there_are_lids)
{
	const struct mad_fabric_info *info;

	model.twist = twist_endless;
	info = discover(.window = 64, .timeout_ms = 20000, .attempts = 1);
	assert_int_equal(info->error, ENOSPC);
	assert_int_equal(info->nodes, IB_MAX_UCAST_LID);
}
