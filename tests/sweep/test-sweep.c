/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* The sweep on an artificial fabric: its requests, and how it handles wrong responses. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "examples/fabric-sweep/run.h"
#include "fake.h"

#define OTHER_GUID UINT64_C(0x0200000000ff0000)
#define FAR	   70 /* switches in a row, more than a route has hops */

static struct fabric fabric;

static int sweep(void)
{
	struct run run = { .stop = &fake.stop };
	int error;

	assert_int_equal(fabric_init(&fabric), 0);
	run.async = mad_async_create(NULL, NULL);
	assert_non_null(run.async);
	error = sweep_fabric(&run, &fabric);
	mad_async_destroy(run.async);
	return error;
}

static int setup(void **state)
{
	(void)state;
	fake_reset();
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	fabric_destroy(&fabric);
	return 0;
}

static bool warned(const char *text)
{
	for (size_t i = 0; i < fabric_warnings_kept(&fabric); i++)
		if (strstr(fabric.warnings[i], text))
			return true;
	return false;
}

static const struct fabric_port *port_of(int node, uint8_t port)
{
	const struct fabric_node *found = fabric_find(&fabric, fake.nodes[node].guid);

	assert_non_null(found);
	assert_true(port <= found->number_of_ports);
	return &found->ports[port];
}

static void assert_linked(int node, uint8_t port, int peer, uint8_t peer_port)
{
	assert_ptr_equal(port_of(node, port)->peer, port_of(peer, peer_port));
	assert_ptr_equal(port_of(peer, peer_port)->peer, port_of(node, port));
}

/* Two hosts on two leaves, two spines; every leaf has two cables to each spine. */
static void make_small_tree(void)
{
	int host = fake_add_node(IB_NODE_CA, 2, "host-1"), other, leaf[2], spine;

	leaf[0] = fake_add_node(IB_NODE_SWITCH, 8, "leaf-1");
	leaf[1] = fake_add_node(IB_NODE_SWITCH, 8, "leaf-2");
	other = fake_add_node(IB_NODE_CA, 2, "host-2");
	fake_cable(host, 1, leaf[0], 1);
	fake_cable(other, 2, leaf[1], 1);
	for (int i = 0; i < 2; i++) {
		spine = fake_add_node(IB_NODE_SWITCH, 8, "spine");
		for (int j = 0; j < 2; j++) {
			fake_cable(leaf[j], 2 + 2 * i, spine, 1 + 2 * j);
			fake_cable(leaf[j], 3 + 2 * i, spine, 2 + 2 * j);
		}
	}
}

static void assert_small_tree(void)
{
	assert_int_equal(fabric.number_of_nodes, 6);
	assert_int_equal(fabric.number_of_links, 10);
	assert_int_equal(fabric.number_of_warnings, 0);
	assert_true(fabric.complete);
	assert_ptr_equal(fabric.own, port_of(0, 1));
	assert_linked(0, 1, 1, 1);
	assert_linked(3, 2, 2, 1);
	assert_linked(1, 2, 4, 1);
	assert_linked(2, 5, 5, 4);
	assert_string_equal(port_of(2, 5)->width, "4x");
	assert_string_equal(port_of(2, 5)->speed, "EDR");
	assert_int_equal(port_of(3, 2)->lid, 4);
}

/* A name for each node, PortInfo for each port of a switch and each cabled one of a host. */
static void asks_once_for_each_thing(void **state)
{
	(void)state;
	make_small_tree();
	assert_int_equal(sweep(), 0);
	assert_small_tree();
	assert_int_equal(fake.asked[IB_ATTR_NODE_DESC], 6);
	assert_int_equal(fake.asked[IB_ATTR_PORT_INFO], 4 * 9 + 2);
	assert_int_equal(fake.asked[IB_ATTR_NODE_INFO], 1 + 10);
	assert_int_equal(fake.asked[IB_ATTR_SWITCH_INFO], 0);
}

static void finds_the_same_in_any_order(void **state)
{
	(void)state;
	for (unsigned order = 1; order <= 200; order++) {
		fake_reset();
		fake.shuffle = order;
		make_small_tree();
		assert_int_equal(sweep(), 0);
		assert_small_tree();
		assert_int_equal(fake.asked[IB_ATTR_NODE_DESC], 6);
		assert_int_equal(fake.asked[IB_ATTR_PORT_INFO], 4 * 9 + 2);
		assert_true(fake.asked[IB_ATTR_NODE_INFO] <= 1 + 2 * 10);
		fabric_destroy(&fabric);
	}
}

static void follows_63_hops_and_no_more(void **state)
{
	int last, next;

	(void)state;
	last = fake_add_node(IB_NODE_CA, 1, "host");
	for (int i = 0; i < FAR; i++) {
		next = fake_add_node(IB_NODE_SWITCH, 2, "link of a chain");
		fake_cable(last, i ? 2 : 1, next, 1);
		last = next;
	}
	assert_int_equal(sweep(), 0);
	assert_int_equal(fabric.number_of_nodes, 64);
	assert_int_equal(port_of(62, 2)->peer_error, 0);
	assert_int_equal(port_of(63, 2)->peer_error, ELOOP);
	assert_true(warned("too far away"));
	assert_int_equal(fabric.number_of_warnings, 1);
}

static void stops_at_as_many_nodes_as_there_are_lids_twist(const struct fake_request *request,
							   int node, struct fake_answer *answer)
{
	static uint64_t made_up;

	(void)node;
	answer->error = 0;
	answer->length = IB_SMP_DATA_SIZE;
	memset(answer->data, 0, sizeof(answer->data));
	if (request->attribute == IB_ATTR_NODE_INFO) {
		mad_set_field(answer->data, 0, IB_NODE_TYPE_F, IB_NODE_SWITCH);
		mad_set_field(answer->data, 0, IB_NODE_NPORTS_F, 3);
		mad_set_field(answer->data, 0, IB_NODE_LOCAL_PORT_F, 1);
		mad_set_field64(answer->data, 0, IB_NODE_GUID_F, OTHER_GUID + made_up++);
	} else {
		mad_set_field(answer->data, 0, IB_PORT_PHYS_STATE_F, PHYSICAL_LINK_UP);
	}
}

static void stops_at_as_many_nodes_as_there_are_lids(void **state)
{
	(void)state;
	fake.twist = stops_at_as_many_nodes_as_there_are_lids_twist;
	assert_int_equal(sweep(), -ENOSPC);
	assert_int_equal(fabric.number_of_nodes, FABRIC_NODES_MAX);
	assert_false(fabric.complete);
}

static void twist_local_port(const struct fake_request *request, int node,
			     struct fake_answer *answer)
{
	if (node == 2 && request->attribute == IB_ATTR_NODE_INFO)
		mad_set_field(answer->data, 0, IB_NODE_LOCAL_PORT_F, 200);
}

static void ignores_ports_that_a_node_has_not(void **state)
{
	(void)state;
	make_small_tree();
	fake.twist = twist_local_port;
	assert_int_equal(sweep(), 0);
	assert_true(warned("has 8 ports, and says it is port 200"));
	assert_linked(1, 2, 4, 1);
	assert_linked(2, 2, 4, 3); /* by the response from the spine's end */
}

static void twist_port_zero(const struct fake_request *request, int node,
			    struct fake_answer *answer)
{
	if (node == 1 && request->attribute == IB_ATTR_NODE_INFO)
		mad_set_field(answer->data, 0, IB_NODE_LOCAL_PORT_F, 0);
}

static void takes_no_cable_at_port_0(void **state)
{
	(void)state;
	make_small_tree();
	fake.twist = twist_port_zero;
	assert_int_equal(sweep(), 0);
	assert_true(warned("says it is cabled at port 0"));
	assert_null(port_of(1, 0)->peer);
}

static void twist_same_guid(const struct fake_request *request, int node,
			    struct fake_answer *answer)
{
	if (node == 3 && request->attribute == IB_ATTR_NODE_INFO)
		mad_set_field64(answer->data, 0, IB_NODE_GUID_F, fake.nodes[1].guid);
}

static void tells_nodes_with_one_guid(void **state)
{
	(void)state;
	make_small_tree();
	fake.twist = twist_same_guid;
	assert_int_equal(sweep(), 0);
	assert_true(warned("two different nodes have the GUID 0x0200000000000020"));
	assert_int_equal(fabric.number_of_nodes, 5);
	assert_null(port_of(2, 1)->peer);
}

static void twist_taken_port(const struct fake_request *request, int node,
			     struct fake_answer *answer)
{
	if (node == 5 && request->attribute == IB_ATTR_NODE_INFO) {
		mad_set_field64(answer->data, 0, IB_NODE_GUID_F, fake.nodes[4].guid);
		mad_set_field(answer->data, 0, IB_NODE_LOCAL_PORT_F, 1);
	}
}

static void keeps_the_first_of_two_cables_in_one_port(void **state)
{
	(void)state;
	make_small_tree();
	fake.twist = twist_taken_port;
	assert_int_equal(sweep(), 0);
	assert_linked(1, 2, 4, 1);
	assert_true(warned("port 1, which is cabled to another"));
}

static void twist_short(const struct fake_request *request, int node, struct fake_answer *answer)
{
	if (node == 2 || node == 3)
		answer->length = IB_SMP_DATA_SIZE - 1;
	(void)request;
}

static void believes_no_short_answer(void **state)
{
	(void)state;
	make_small_tree();
	fake.twist = twist_short;
	assert_int_equal(sweep(), 0);
	assert_int_equal(fabric.number_of_nodes, 4);
	assert_int_equal(port_of(4, 3)->peer_error, EPROTO);
}

static void twist_type(const struct fake_request *request, int node, struct fake_answer *answer)
{
	if (node == 1 && request->attribute == IB_ATTR_NODE_INFO)
		mad_set_field(answer->data, 0, IB_NODE_TYPE_F, 77);
}

static void follows_no_node_of_a_type_unknown(void **state)
{
	(void)state;
	make_small_tree();
	fake.twist = twist_type;
	assert_int_equal(sweep(), 0);
	assert_int_equal(fabric.number_of_nodes, 2);
	assert_string_equal(node_type_name(port_of(1, 1)->node->type), "unknown");
}

static void twist_hidden_ports(const struct fake_request *request, int node,
			       struct fake_answer *answer)
{
	if (node == 1 && request->attribute == IB_ATTR_PORT_INFO)
		answer->error = ETIMEDOUT;
}

static void gives_up_a_node_that_is_silent(void **state)
{
	int host = fake_add_node(IB_NODE_CA, 1, "host");

	(void)state;
	fake_cable(host, 1, fake_add_node(IB_NODE_SWITCH, 40, "silent"), 7);
	fake.twist = twist_hidden_ports;
	assert_int_equal(sweep(), 0);
	assert_int_equal(fake.asked[IB_ATTR_PORT_INFO], 1 + 3);
	assert_int_equal(port_of(1, 0)->info_error, ETIMEDOUT);
	assert_int_equal(port_of(1, 3)->info_error, ECANCELED);
	assert_int_equal(port_of(1, 40)->stage, FABRIC_PORT_SILENT);
	assert_int_equal(fabric.number_of_warnings, 41);
}

static void twist_one_way(const struct fake_request *request, int node, struct fake_answer *answer)
{
	if (node == 4 && request->to.drpath.cnt && request->to.drpath.p[2] == 2)
		answer->error = ETIMEDOUT;
}

/* A spine that does not respond on one path does on another, and there is no warning. */
static void forgets_silence_once_there_is_an_answer(void **state)
{
	(void)state;
	make_small_tree();
	fake.twist = twist_one_way;
	assert_int_equal(sweep(), 0);
	assert_small_tree();
}

static void stops_when_told_to(void **state)
{
	(void)state;
	for (unsigned answers = 1; answers < 50; answers++) {
		fake_reset();
		make_small_tree();
		fake.stop_after = answers;
		assert_int_equal(sweep(), -EINTR);
		assert_int_equal(fake.answered, answers);
		assert_false(fabric.complete);
		assert_int_equal(fabric.number_of_warnings, 0);
		fabric_destroy(&fabric);
	}
}

static void stops_when_nothing_can_be_asked(void **state)
{
	(void)state;
	for (unsigned requests = 1; requests < 40; requests++) {
		fake_reset();
		make_small_tree();
		fake.refuse_after = requests;
		assert_int_equal(sweep(), -ENOMEM);
		assert_false(fabric.complete);
		fabric_destroy(&fabric);
	}
}

static void fails_without_an_answer_of_its_own_port(void **state)
{
	(void)state; /* there is no node at all */
	assert_int_equal(sweep(), -ETIMEDOUT);
	assert_int_equal(fabric.number_of_nodes, 0);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(asks_once_for_each_thing),
		TEST(finds_the_same_in_any_order),
		TEST(follows_63_hops_and_no_more),
		TEST(stops_at_as_many_nodes_as_there_are_lids),
		TEST(ignores_ports_that_a_node_has_not),
		TEST(takes_no_cable_at_port_0),
		TEST(tells_nodes_with_one_guid),
		TEST(keeps_the_first_of_two_cables_in_one_port),
		TEST(believes_no_short_answer),
		TEST(follows_no_node_of_a_type_unknown),
		TEST(gives_up_a_node_that_is_silent),
		TEST(forgets_silence_once_there_is_an_answer),
		TEST(stops_when_told_to),
		TEST(stops_when_nothing_can_be_asked),
		TEST(fails_without_an_answer_of_its_own_port),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
