/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Discovery and counters of a fabric whose ports are locked, each with keys of its own. */
#include "scene.h"

#include <errno.h>
#include <infiniband/mad_keys.h>

#define NODES	    6
#define DEFAULT_KEY UINT64_C(0xdef)

static struct mad_keys *keys;

static int begin(void **state)
{
	int failed = scene_setup(state);

	model_make_tree();
	keys = mad_keys_create();
	assert_non_null(keys);
	assert_int_equal(mad_port_set_keys(scene_port, keys), 0);
	return failed;
}

static int end(void **state)
{
	mad_keys_free(keys);
	return scene_teardown(state);
}

#define KEYS_TEST(name) TEST_WITH(name, begin, end)

/* Of switches, the port GUID is that of the node. */
static uint64_t port_guid(int node, unsigned port)
{
	return model.nodes[node].type == IB_NODE_SWITCH ? MODEL_GUID(node)
							: MODEL_GUID(node) + port;
}

static uint64_t key_of(unsigned mgmt_class, uint64_t guid)
{
	return guid << 8 | mgmt_class;
}

static void lock_port(int node, unsigned port)
{
	uint64_t guid = port_guid(node, port);

	assert_int_equal(
		mad_keys_set_guid(keys, MAD_KEY_M, guid, key_of(IB_SMI_DIRECT_CLASS, guid)), 0);
	assert_int_equal(
		mad_keys_set_guid(keys, MAD_KEY_PERF, guid, key_of(IB_PERFORMANCE_CLASS, guid)), 0);
}

/* The ring has the keys of all ports but those of the node with this index. */
static void lock_all_but(int left_out)
{
	mad_keys_set_default(keys, MAD_KEY_M, DEFAULT_KEY);
	for (int node = 0; node < NODES; node++)
		for (unsigned port = 1; port <= 2 && node != left_out; port++)
			lock_port(node, port);
}

/* Every port refuses what does not have its key; the default key is for NodeInfo. */
static void twist_locked(const struct model_request *request, struct responder_response *response,
			 uint8_t *data)
{
	unsigned port =
		request->mgmt_class == IB_PERFORMANCE_CLASS ? request->port : request->entered;
	uint64_t wanted;

	(void)data;
	if (request->node < 0)
		return;
	wanted = key_of(request->mgmt_class, port_guid(request->node, port));
	if (request->mgmt_class == IB_SMI_DIRECT_CLASS && request->attribute == IB_ATTR_NODE_INFO)
		wanted = DEFAULT_KEY;
	if (request->mgmt_class == IB_PERFORMANCE_CLASS && request->attribute == CLASS_PORT_INFO)
		return; /* says nothing of the port that is meant */
	if (request->key != wanted)
		response->status = 0x1c;
}

KEYS_TEST(each_request_has_the_key_of_its_port)
{
	lock_all_but(-1);
	model.twist = twist_locked;
	assert_int_equal(discover()->nodes, NODES);
	assert_int_equal(mad_fabric_get_info(fabric)->problems, 0);
	assert_int_equal(mad_fabric_get_info(fabric)->links, 10);
	assert_int_equal(mad_fabric_get_info(fabric)->ports, 4 * 9 + 2);
}

/* The same where ports are asked a second time, for extended speeds or without them. */
static void twist_locked_and_old(const struct model_request *request,
				 struct responder_response *response, uint8_t *data)
{
	twist_locked(request, response, data);
	if (request->node == 2 && request->modifier & MAD_FABRIC_EXTENDED_SPEEDS)
		response->status = 0x1c;
}

KEYS_TEST(asks_once_more_with_the_key)
{
	lock_all_but(-1);
	model.extended_speeds = true;
	model.twist = twist_locked_and_old;
	assert_int_equal(discover()->problems, 0);
	assert_int_equal(mad_fabric_get_info(fabric)->ports, 4 * 9 + 2);
}

KEYS_TEST(says_which_node_refused_the_key)
{
	const struct mad_fabric_problem *problem = NULL;
	char text[200];

	lock_all_but(4);
	model.twist = twist_locked;
	assert_int_equal(discover()->nodes, NODES);
	assert_int_equal(problems_of(MAD_FABRIC_NO_PORT_INFO), 9);
	assert_int_equal(port_of(4, 3)->info_error, EKEYREJECTED);
	assert_int_equal(port_of(5, 3)->info_error, 0);
	do {
		problem = mad_fabric_next_problem(fabric, problem);
		assert_non_null(problem);
	} while (problem->kind != MAD_FABRIC_NO_PORT_INFO);
	mad_fabric_problem_text(problem, text, sizeof(text));
	assert_non_null(strstr(text, "refused for a wrong M_Key"));
}

KEYS_TEST(counters_take_the_key_of_their_agent)
{
	const struct mad_fabric_counter_row *row = NULL;
	struct mad_fabric_counters *counters;
	unsigned rows = 0;

	lock_all_but(-1);
	model.twist = twist_locked;
	discover();
	counters = mad_fabric_counters_read(scene_port, fabric, NULL, 0);
	assert_non_null(counters);
	while ((row = mad_fabric_counters_next(counters, row))) {
		assert_int_equal(mad_fabric_row_error(row), 0);
		rows++;
	}
	assert_int_equal(rows, 4 * 8 + 2);
	mad_fabric_counters_free(counters);
}

/* No port but the local one responds to a request without its own key, not even to NodeInfo. */
static void twist_protected(const struct model_request *request,
			    struct responder_response *response, uint8_t *data)
{
	(void)data;
	if (request->node > 0 && request->node < NODES &&
	    request->mgmt_class == IB_SMI_DIRECT_CLASS &&
	    request->key != key_of(IB_SMI_DIRECT_CLASS, port_guid(request->node, request->entered)))
		response->silent = true;
}

KEYS_TEST(knows_the_keys_of_expected_nodes)
{
	struct mad_fabric *older;
	struct mad_fabric_options options = { 0 };
	int host;

	lock_all_but(-1);
	mad_keys_set_default(keys, MAD_KEY_M, 0);
	assert_int_equal(discover()->nodes, NODES);
	older = fabric;
	fabric = NULL;
	options.expected = older;
	model.twist = twist_protected;
	assert_int_equal(discover_with(&options)->nodes, NODES);
	assert_int_equal(mad_fabric_get_info(fabric)->links, 10);
	assert_int_equal(mad_fabric_get_info(fabric)->problems, 0);
	/* Another node, which needs no key, is where a protected one was. */
	host = model_add_node(IB_NODE_CA, 1, "new");
	model_cable(host, 1, 2, 1);
	assert_non_null(discover_with(&options));
	assert_non_null(mad_fabric_find_node(fabric, MODEL_GUID(host)));
	mad_fabric_free(older);
}
