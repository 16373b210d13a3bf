/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* test-wrong.c - discovery of fabrics that are wrong: silence, loops, impossible responses. */
#include "test.h"
#include "scene.h"

#include <errno.h>

TREE_TEST(reports_nodes_that_do_not_respond)
{
	const struct mad_fabric_problem *problem = NULL;
	char text[200];

	MODEL_RULES(SILENT(0, 0, NODE(4)));
	assert_int_equal(discover()->nodes, 5);
	assert_int_equal(problems_of(MAD_FABRIC_NO_RESPONSE), 4);
	assert_int_equal(port_of(1, 2)->peer_error, ETIMEDOUT);
	assert_int_equal(mad_fabric_get_info(fabric)->timeouts, 4);
	problem = mad_fabric_next_problem(fabric, problem);
	assert_true(mad_fabric_problem_text(problem, text, sizeof(text)) < (int)sizeof(text));
	assert_string_equal(text,
			    "leaf-1 (0x0200000000000110) port 2: the link is up, but the node "
			    "at its other end is unknown: no response");
	assert_int_equal(mad_fabric_problem_text(problem, text, 7), 105);
	assert_string_equal(text, "leaf-1");
}

/* One timeout at a time would take 40 times as long. */
SCENE_TEST(gives_up_a_node_that_does_not_respond)
{
	int host = model_add_node(IB_NODE_CA, 1, "host");

	model_cable(host, 1, model_add_node(IB_NODE_SWITCH, 40, "silent"), 7);
	MODEL_RULES(SILENT(0, IB_ATTR_PORT_INFO, NODE(1)));
	assert_int_equal(discover(.window = 1)->nodes, 2);
	assert_int_equal(problems_of(MAD_FABRIC_NO_PORT_INFO), 41);
	assert_int_equal(port_of(1, 0)->info_error, ETIMEDOUT);
	assert_int_equal(port_of(1, 40)->info_error, ECANCELED);
	assert_true(model.smps[IB_ATTR_PORT_INFO] < 10);
}

static void twist_one_way(const struct model_request *request, struct responder_response *response,
			  uint8_t *data)
{
	(void)data;
	if (request->node == 4 && request->hops == 2 && request->path[2] == 2)
		response->silent = true;
}

/* A spine that does not respond by one way does by another, and nothing is wrong then. */
TREE_TEST(forgets_silence_once_there_is_a_response)
{
	model.twist = twist_one_way;
	assert_int_equal(discover()->problems, 0);
	assert_int_equal(mad_fabric_get_info(fabric)->links, 10);
	assert_linked(1, 2, 4, 1);
}

/* A cable between two ports of one switch, a loopback plug, and a ring of switches. */
SCENE_TEST(handles_loops)
{
	int host = model_add_node(IB_NODE_CA, 1, "host"), first, second, third;

	first = model_add_node(IB_NODE_SWITCH, 8, "first");
	second = model_add_node(IB_NODE_SWITCH, 8, "second");
	third = model_add_node(IB_NODE_SWITCH, 8, "third");
	model_cable(host, 1, first, 1);
	model_cable(first, 2, second, 1);
	model_cable(second, 2, third, 1);
	model_cable(third, 2, first, 3);
	model_cable(first, 4, first, 5);
	model_cable(first, 6, first, 6);
	assert_int_equal(discover()->links, 6);
	assert_int_equal(mad_fabric_get_info(fabric)->problems, 0);
	assert_linked(first, 4, first, 5);
	assert_linked(first, 6, first, 6);
}

TREE_TEST(ignores_ports_that_a_node_does_not_have)
{
	MODEL_RULES(SAYS(IB_ATTR_NODE_INFO, NODE(2), 0, IB_NODE_LOCAL_PORT_F, 200));
	assert_int_equal(discover()->nodes, 6);
	assert_linked(1, 2, 4, 1);
	assert_linked(2, 2, 4, 3); /* by the response from the spine's end */
}

TREE_TEST(takes_no_link_at_port_0)
{
	MODEL_RULES(SAYS(IB_ATTR_NODE_INFO, NODE(3), 0, IB_NODE_LOCAL_PORT_F, 0));
	assert_int_equal(discover()->nodes, 6);
	assert_int_equal(problems_of(MAD_FABRIC_WRONG_PORT), 1);
	assert_null(port_of(2, 1)->peer);
}

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

TREE_TEST(follows_no_node_of_an_unknown_type)
{
	MODEL_RULES(SAYS(IB_ATTR_NODE_INFO, NODE(1), 0, IB_NODE_TYPE_F, 77));
	assert_int_equal(discover()->nodes, 2);
	assert_int_equal(port_of(1, 1)->node->type, 77);
}

TREE_TEST(reports_half_links)
{
	MODEL_RULES(SAYS(IB_ATTR_PORT_INFO, NODE(4), 3, IB_PORT_PHYS_STATE_F, 2));
	discover();
	assert_int_equal(problems_of(MAD_FABRIC_HALF_LINK), 1);
	assert_int_equal(port_of(4, 3)->half_link, 1);
	assert_int_equal(port_of(2, 2)->half_link, 1);
	assert_int_equal(port_of(4, 4)->half_link, 0);
}

/* Routers end directed routes, and are asked for the port that was reached. */
TREE_TEST(does_not_go_through_routers)
{
	int router;

	router = model_add_node(IB_NODE_ROUTER, 2, "router");
	model_cable(router, 1, 4, 8);
	model_cable(router, 2, model_add_node(IB_NODE_SWITCH, 4, "other subnet"), 1);
	assert_int_equal(discover()->nodes, 7);
	assert_int_equal(mad_fabric_get_info(fabric)->routers, 1);
	assert_linked(router, 1, 4, 8);
	assert_null(port_of(router, 2)->peer);
	assert_int_equal(port_of(router, 1)->has_info, 1);
}

/* Four ports with one GUID and one LID, each on a switch of its own. */
TREE_TEST(finds_all_planes_of_a_port)
{
	const struct mad_fabric_port *port = NULL;
	int host;

	host = model_add_node(IB_NODE_CA, 4, "four planes");
	for (uint8_t plane = 1; plane <= 4; plane++)
		model_cable(host, plane, plane < 3 ? plane : plane + 1, 8);
	MODEL_RULES(SAYS(IB_ATTR_NODE_INFO, NODE(6), 0, IB_NODE_PORT_GUID_F, MODEL_GUID(6) + 1),
		    SAYS(IB_ATTR_PORT_INFO, NODE(6), 0, IB_PORT_LID_F, 70));
	assert_int_equal(discover()->problems, 0);
	for (unsigned plane = 1; plane <= 4; plane++) {
		port = mad_fabric_find_port(fabric, MODEL_GUID(6) + 1, port);
		assert_ptr_equal(port, port_of(host, plane));
		assert_int_equal(port->peer->port_number, 8);
		assert_int_equal(port->lid, 70);
	}
	assert_null(mad_fabric_find_port(fabric, MODEL_GUID(6) + 1, port));
}

/* Halves that do not exist refuse, and cost no patience with the switch. */
TREE_TEST(handles_split_ports)
{
	model.nodes[1].peers[5] = (struct model_end){ -1, 0 };
	model.nodes[5].peers[2] = (struct model_end){ -1, 0 };
	/* ports 5 to 8 would be halves of ports that are not split */
	MODEL_RULES(SAYS(IB_ATTR_PORT_INFO, NODE(1), 0, IB_PORT_LINK_WIDTH_ACTIVE_F, 16),
		    REFUSES(0, IB_ATTR_PORT_INFO, NODE(1), 5, 0x1c),
		    REFUSES(0, IB_ATTR_PORT_INFO, NODE(1), 6, 0x1c),
		    REFUSES(0, IB_ATTR_PORT_INFO, NODE(1), 7, 0x1c),
		    REFUSES(0, IB_ATTR_PORT_INFO, NODE(1), 8, 0x1c));
	assert_int_equal(discover()->links, 9);
	assert_int_equal(port_of(1, 2)->width, 2);
	assert_int_equal(port_of(1, 5)->info_error, EIO);
	assert_int_equal(problems_of(MAD_FABRIC_NO_PORT_INFO), 4);
}

TREE_TEST(reports_ports_with_one_lid)
{
	MODEL_RULES(SAYS(IB_ATTR_PORT_INFO, NODE(3), 0, IB_PORT_LID_F, 1));
	discover();
	assert_int_equal(problems_of(MAD_FABRIC_SAME_LID), 1);
}

TREE_TEST(reports_what_nodes_do_not_say)
{
	MODEL_RULES(SILENT(0, IB_ATTR_SWITCH_INFO, NODE(1)),
		    REFUSES(0, IB_ATTR_NODE_DESC, NODE(3), 0, 0x1c),
		    REFUSES(0, IB_ATTR_SWITCH_INFO, NODE(4), 0, 0x1c));
	assert_int_equal(discover()->problems, 3);
	assert_int_equal(problems_of(MAD_FABRIC_NO_SWITCH_INFO), 2);
	assert_int_equal(problems_of(MAD_FABRIC_NO_DESCRIPTION), 1);
	assert_int_equal(port_of(1, 0)->node->switch_info_error, ETIMEDOUT);
	assert_int_equal(port_of(3, 0)->node->description_error, EIO);
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

	for (int kind = MAD_FABRIC_NO_RESPONSE; kind <= MAD_FABRIC_SAME_LID + 1; kind++) {
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

static void twist_garbage(const struct model_request *request, struct responder_response *response,
			  uint8_t *data)
{
	static uint32_t random = 1;

	if (request->hops == 0)
		return; /* without a local node there is no discovery */
	for (unsigned i = 0; i < IB_SMP_DATA_SIZE; i++) {
		random = random * 1103515245U + 12345U;
		data[i] = (uint8_t)(random >> 16);
	}
	data[2] = 2;			    /* a switch */
	data[3] = 4;			    /* of four ports */
	data[34] = MAD_FABRIC_LINK_UP << 4; /* all of them up */
	data[0] = data[1] = 1;
	memset(data + 12, data[63] & 7, 8); /* one of eight GUIDs */
	response->silent = false;
}

/* Whatever the responses are, a discovery ends, and its result is sound. */
TREE_TEST(ends_with_every_response)
{
	const struct mad_fabric_port *link = NULL;
	const struct mad_fabric_info *info;

	model.twist = twist_garbage;
	info = discover(.max_hops = 6, .window = 32);
	assert_non_null(info);
	assert_true(info->nodes <= 8 * 8);
	while ((link = mad_fabric_next_link(fabric, link)))
		assert_ptr_equal(link->peer->peer, link);
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
		mad_set_field(data, 0, IB_PORT_PHYS_STATE_F, MAD_FABRIC_LINK_UP);
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
