/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* What a discovery finds and asks for, its options, and look-ups in its result. */
#include "test.h"
#include "scene.h"

#include <errno.h>
#include <pthread.h>

static void assert_small_tree(const struct mad_fabric_info *info)
{
	assert_non_null(info);
	assert_int_equal(info->error, 0);
	assert_int_equal(info->nodes, 6);
	assert_int_equal(info->switches, 4);
	assert_int_equal(info->cas, 2);
	assert_int_equal(info->links, 10);
	assert_int_equal(info->problems, 0);
	assert_ptr_equal(info->start, port_of(0, 1));
	assert_linked(0, 1, 1, 1);
	assert_linked(3, 2, 2, 1);
	assert_linked(1, 2, 4, 1);
	assert_linked(2, 5, 5, 4);
}

/* A description for each node, PortInfo of each port of a switch and each cabled one of a host. */
TREE_TEST(asks_once_for_each_thing)
{
	const struct mad_fabric_info *info;

	info = discover();
	assert_small_tree(info);
	assert_int_equal(model.smps[IB_ATTR_NODE_DESC], 6);
	assert_int_equal(model.smps[IB_ATTR_PORT_INFO], 4 * 9 + 2);
	assert_int_equal(model.smps[IB_ATTR_SWITCH_INFO], 4);
	assert_true(model.smps[IB_ATTR_NODE_INFO] <= 1 + 2 * 10);
	assert_int_equal(info->requests, responder_writes());
}

TREE_TEST(finds_the_same_with_every_window)
{
	for (unsigned window = 1; window <= 64; window *= 2) {
		assert_small_tree(discover(.window = window));
	}
}

TREE_TEST(decodes_what_ports_say)
{
	const struct mad_fabric_port *port;

	discover();
	port = port_of(2, 5);
	assert_int_equal(port->width, 4);
	assert_int_equal(port->speed, MAD_FABRIC_SPEED_EDR);
	assert_int_equal(port->best_width, 4);
	assert_int_equal(port->best_speed, MAD_FABRIC_SPEED_EDR);
	assert_string_equal(mad_fabric_speed_name(port->speed), "EDR");
	assert_int_equal(port->state, 4);
	assert_int_equal(port->lid, 3);
	assert_int_equal(port_of(1, 8)->width, 0);
	assert_int_equal(port_of(1, 8)->speed, 0);
	assert_int_equal(port_of(3, 2)->lid, 4);
	assert_int_equal(port_of(3, 2)->guid, MODEL_GUID(3) + 2);
	assert_int_equal(port_of(3, 1)->guid, 0);
	assert_string_equal(port_of(3, 2)->node->description, "host-2");
	assert_string_equal(mad_fabric_speed_name(77), "?");
}

TREE_TEST(walks_in_order)
{
	const struct mad_fabric_node *node = NULL;
	const struct mad_fabric_port *link = NULL;
	const int order[] = { 1, 2, 4, 5, 0, 3 };
	unsigned links = 0;

	discover();
	for (unsigned i = 0; i < COUNT(order); i++) {
		node = mad_fabric_next_node(fabric, node);
		assert_non_null(node);
		assert_int_equal(node->guid, MODEL_GUID(order[i]));
	}
	assert_null(mad_fabric_next_node(fabric, node));
	while ((link = mad_fabric_next_link(fabric, link)))
		links++;
	assert_int_equal(links, 10);
	assert_null(mad_fabric_get_port(node, 3));
}

/* A request along the route of each node arrives at that node. */
TREE_TEST(gives_routes)
{
	const struct mad_fabric_node *node = NULL;

	discover();
	while ((node = mad_fabric_next_node(fabric, node))) {
		ib_portid_t to = { .drpath = node->route };
		uint8_t data[IB_SMP_DATA_SIZE] = { 0 };

		assert_non_null(smp_query_via(data, &to, IB_ATTR_NODE_INFO, 0, 1000, scene_port));
		assert_int_equal(mad_get_field64(data, 0, IB_NODE_GUID_F), node->guid);
	}
}

TREE_TEST(looks_up)
{
	const struct mad_fabric_node *spine;

	discover();
	assert_null(mad_fabric_find_node(fabric, 1));
	assert_ptr_equal(mad_fabric_find_port(fabric, MODEL_GUID(3) + 2, NULL), port_of(3, 2));
	assert_ptr_equal(mad_fabric_find_port(fabric, MODEL_GUID(1), NULL), port_of(1, 0));
	assert_null(mad_fabric_find_port(fabric, MODEL_GUID(1), port_of(1, 0)));
	assert_null(mad_fabric_find_port(fabric, 1, NULL));
	for (int i = 0; i < 6; i++)
		assert_ptr_equal(mad_fabric_find_lid(fabric, (unsigned)i + 1)->node,
				 port_of(i, 0)->node);
	assert_null(mad_fabric_find_lid(fabric, 0));
	assert_null(mad_fabric_find_lid(fabric, 7));
	spine = mad_fabric_find_name(fabric, "spine", NULL);
	assert_int_equal(spine->guid, MODEL_GUID(4));
	spine = mad_fabric_find_name(fabric, "spine", spine);
	assert_int_equal(spine->guid, MODEL_GUID(5));
	assert_null(mad_fabric_find_name(fabric, "spine", spine));
	assert_null(mad_fabric_find_name(fabric, "spin", NULL));
}

#define PORT_SAYS(field, value) SAYS(IB_ATTR_PORT_INFO, 0, 0, field, value)

/* Width and speed as a port reports them, and as the discovery returns them. */
static const struct {
	unsigned width, speed, extended, extended2;
	unsigned lanes, decoded;
} rates[] = {
	{ 1, 1, 0, 0, 1, MAD_FABRIC_SPEED_SDR },
	{ 2, 2, 0, 0, 4, MAD_FABRIC_SPEED_DDR },
	{ 4, 4, 0, 0, 8, MAD_FABRIC_SPEED_QDR },
	{ 8, 4, 1, 0, 12, MAD_FABRIC_SPEED_FDR },
	{ 16, 4, 2, 0, 2, MAD_FABRIC_SPEED_EDR },
	{ 2, 4, 4, 0, 4, MAD_FABRIC_SPEED_HDR },
	{ 2, 4, 8, 0, 4, MAD_FABRIC_SPEED_NDR },
	{ 2, 4, 0, 1, 4, MAD_FABRIC_SPEED_XDR },
	{ 3, 3, 0, 0, 0, 0 },
	{ 0, 0, 0, 0, 0, 0 },
	{ 2, 4, 3, 0, 4, 0 },
	{ 2, 4, 0, 2, 4, 0 },
};

TREE_TEST(decodes_width_and_speed)
{
	for (unsigned i = 0; i < COUNT(rates); i++) {
		MODEL_RULES(PORT_SAYS(IB_PORT_LINK_WIDTH_ACTIVE_F, rates[i].width),
			    PORT_SAYS(IB_PORT_LINK_SPEED_ACTIVE_F, rates[i].speed),
			    PORT_SAYS(IB_PORT_LINK_SPEED_EXT_ACTIVE_F, rates[i].extended),
			    PORT_SAYS(IB_PORT_LINK_SPEED_EXT_ACTIVE_2_F, rates[i].extended2));
		assert_non_null(discover());
		assert_int_equal(port_of(1, 2)->width, rates[i].lanes);
		assert_int_equal(port_of(1, 2)->speed, rates[i].decoded);
	}
}

/* Every width with every speed. FDR10 and EDR20 are below: PortInfo does not have them. */
TREE_TEST(decodes_every_width_with_every_speed)
{
	static const enum MAD_FIELDS active[] = { IB_PORT_LINK_SPEED_ACTIVE_F,
						  IB_PORT_LINK_SPEED_EXT_ACTIVE_F,
						  IB_PORT_LINK_SPEED_EXT_ACTIVE_2_F };
	static const unsigned lanes[] = { 1, 4, 8, 12, 2 };
	static const char *const speeds[3][4] = {
		{ "SDR", "DDR", "QDR" },
		{ "FDR", "EDR", "HDR", "NDR" },
		{ "XDR" },
	};

	for (unsigned i = 0; i < COUNT(lanes) * 3 * 4; i++) {
		const char *name = speeds[i / 4 % 3][i % 4];

		if (!name)
			continue;
		MODEL_RULES(PORT_SAYS(IB_PORT_LINK_WIDTH_ACTIVE_F, 1U << i / 12),
			    PORT_SAYS(IB_PORT_LINK_SPEED_ACTIVE_F, 4),
			    PORT_SAYS(IB_PORT_LINK_SPEED_EXT_ACTIVE_F, 0),
			    PORT_SAYS(IB_PORT_LINK_SPEED_EXT_ACTIVE_2_F, 0),
			    PORT_SAYS(active[i / 4 % 3], 1U << i % 4));
		assert_non_null(discover());
		assert_int_equal(port_of(1, 2)->width, lanes[i / 12]);
		assert_string_equal(mad_fabric_speed_name(port_of(1, 2)->speed), name);
	}
}

TREE_TEST(decodes_the_best_speed)
{
	static const struct {
		unsigned enabled, best;
	} cases[] = {
		{ 0, MAD_FABRIC_SPEED_QDR },  { 1, MAD_FABRIC_SPEED_FDR },
		{ 3, MAD_FABRIC_SPEED_EDR },  { 7, MAD_FABRIC_SPEED_HDR },
		{ 15, MAD_FABRIC_SPEED_NDR }, { 1 << 5 | 15, MAD_FABRIC_SPEED_XDR },
		{ 30, MAD_FABRIC_SPEED_QDR }, /* extended speeds are disabled */
	};

	for (unsigned i = 0; i < COUNT(cases); i++) {
		MODEL_RULES(PORT_SAYS(IB_PORT_LINK_SPEED_ENABLED_F, 7),
			    PORT_SAYS(IB_PORT_LINK_SPEED_EXT_ENABLED_F, cases[i].enabled & 0x1f),
			    PORT_SAYS(IB_PORT_LINK_SPEED_EXT_ENABLED_2_F, cases[i].enabled >> 5));
		assert_non_null(discover());
		assert_int_equal(port_of(1, 2)->best_speed, cases[i].best);
	}
}

static void twist_lmc(const struct model_request *request, struct responder_response *response,
		      uint8_t *data)
{
	(void)response;
	if (request->attribute == IB_ATTR_PORT_INFO) {
		mad_set_field(data, 0, IB_PORT_LID_F, (uint32_t)request->node * 8 + 8);
		mad_set_field(data, 0, IB_PORT_LMC_F,
			      request->node == 1 && request->modifier ? 0 : 2);
	}
}

TREE_TEST(finds_lids_by_lmc)
{
	model.twist = twist_lmc;
	discover();
	assert_ptr_equal(mad_fabric_find_lid(fabric, 3 * 8 + 8 + 3), port_of(3, 2));
	assert_null(mad_fabric_find_lid(fabric, 3 * 8 + 8 + 4));
	for (unsigned number = 0; number <= 8; number++) /* all ports of a switch have its LIDs */
		assert_int_equal(port_of(1, number)->lmc, 2);
}

TREE_TEST(asks_for_the_topology_only)
{
	const struct mad_fabric_info *info;

	info = discover(.flags = MAD_FABRIC_TOPOLOGY_ONLY);
	assert_int_equal(info->nodes, 6);
	assert_int_equal(info->links, 10);
	assert_int_equal(info->problems, 0);
	assert_int_equal(model.smps[IB_ATTR_NODE_DESC] + model.smps[IB_ATTR_SWITCH_INFO], 0);
	assert_int_equal(info->requests,
			 model.smps[IB_ATTR_NODE_INFO] + model.smps[IB_ATTR_PORT_INFO]);
	assert_string_equal(mad_fabric_find_node(fabric, MODEL_GUID(1))->description, "");
}

TREE_TEST(records_only_switches)
{
	const struct mad_fabric_info *info;

	info = discover(.flags = MAD_FABRIC_SWITCHES_ONLY);
	assert_int_equal(info->switches, 4);
	assert_int_equal(info->cas, 1); /* the local node */
	assert_int_equal(info->links, 9);
	assert_int_equal(info->problems, 0);
	assert_null(port_of(2, 1)->peer);
	assert_int_equal(port_of(2, 1)->peer_error, 0);
}

TREE_TEST(stops_at_the_hop_limit)
{
	const struct mad_fabric_info *info;

	info = discover(.max_hops = 1);
	assert_int_equal(info->nodes, 2);
	assert_int_equal(info->problems, 0);
	assert_int_equal(port_of(1, 2)->peer_error, ELOOP);
}

/* From a leaf on, not back to the local node; routes are from the local port still. */
TREE_TEST(discovers_a_subtree)
{
	const ib_dr_path_t route = { .cnt = 1, .p = { 0, 1 } };
	struct mad_fabric_options options = { .subtree = &route };
	const struct mad_fabric_info *info;

	info = discover_with(&options);
	assert_int_equal(info->nodes, 5);
	assert_null(mad_fabric_find_node(fabric, MODEL_GUID(0)));
	assert_ptr_equal(info->start, port_of(1, 1));
	assert_int_equal(port_of(3, 2)->node->route.cnt, 4);
	options.max_hops = 1;
	assert_int_equal(discover_with(&options)->nodes, 3);
}

SCENE_TEST(follows_63_hops_and_no_more)
{
	int last, next;

	last = model_add_node(IB_NODE_CA, 1, "host");
	for (int i = 0; i < 70; i++) {
		next = model_add_node(IB_NODE_SWITCH, 2, "one of a chain");
		model_cable(last, i ? 2 : 1, next, 1);
		last = next;
	}
	assert_int_equal(discover()->nodes, 64);
	assert_int_equal(port_of(62, 2)->peer_error, 0);
	assert_int_equal(port_of(63, 2)->peer_error, ELOOP);
	assert_int_equal(problems_of(MAD_FABRIC_NO_RESPONSE), 1);
}

static unsigned reports;

static bool cancel_later(const struct mad_fabric_progress *progress, void *context)
{
	unsigned *limit = context;

	assert_true(progress->nodes <= 6);
	return ++reports < *limit;
}

TREE_TEST(can_be_cancelled)
{
	unsigned limit;
	struct mad_fabric_options options = {
		.progress = cancel_later, .context = &limit, .window = 1, .timeout_ms = 1000
	};

	MODEL_RULES({ .delay_us = 30000 });
	for (limit = 1; limit <= 4; limit++) {
		const struct mad_fabric_info *info;

		reports = 0;
		info = discover_with(&options);
		if (info) /* else the first response had not come: see below */
			assert_int_equal(info->error, ECANCELED);
		else
			assert_int_equal(errno, ECANCELED);
		assert_int_equal(reports, limit);
		assert_true(!info || info->nodes < 6);
		assert_true(!info || info->problems == 0);
	}
	assert_non_null(fabric);
}

SCENE_TEST(refuses_wrong_options)
{
	const ib_dr_path_t far = { .cnt = 64 };
	const struct mad_fabric_options wrong[] = {
		{ .flags = 1U << 4 }, { .reserved = 1 },    { .window = 4097 },
		{ .max_hops = 64 },   { .timeout_ms = -1 }, { .subtree = &far },
	};

	for (unsigned i = 0; i < COUNT(wrong); i++) {
		errno = 0;
		assert_null(mad_fabric_discover(scene_port, &wrong[i], sizeof(wrong[i])));
		assert_int_equal(errno, EINVAL);
	}
	errno = 0;
	assert_null(mad_fabric_discover(scene_port, &wrong[0], 8));
	assert_int_equal(errno, EINVAL);
	assert_null(mad_fabric_discover(scene_port, &wrong[0], SIZE_MAX));
	assert_int_equal(errno, E2BIG);
	assert_null(mad_fabric_discover(NULL, NULL, 0));
	assert_int_equal(errno, EINVAL);
	assert_int_equal(model.requests, 0);
}

SCENE_TEST(fails_without_a_response_of_the_local_node)
{
	/* there is no node at all */
	assert_null(discover());
	assert_int_equal(errno, ETIMEDOUT);
}

static void *read_all(void *unused)
{
	(void)unused;
	for (int i = 0; i < 1000; i++) {
		const struct mad_fabric_node *node = NULL;
		size_t count = 0;

		while ((node = mad_fabric_next_node(fabric, node)))
			count += mad_fabric_find_name(fabric, node->description, NULL) != NULL &&
				 mad_fabric_find_node(fabric, node->guid) == node;
		if (count != 6)
			return fabric;
	}
	return NULL;
}

TREE_TEST(may_be_read_by_threads)
{
	pthread_t threads[4];
	void *failed;

	discover();
	for (unsigned i = 0; i < COUNT(threads); i++)
		assert_int_equal(pthread_create(&threads[i], NULL, read_all, NULL), 0);
	for (unsigned i = 0; i < COUNT(threads); i++) {
		assert_int_equal(pthread_join(threads[i], &failed), 0);
		assert_null(failed);
	}
}

static void twist_extended(const struct model_request *request, struct responder_response *response,
			   uint8_t *data)
{
	(void)response;
	if (request->attribute != IB_ATTR_PORT_INFO ||
	    request->modifier & MAD_FABRIC_EXTENDED_SPEEDS)
		return;
	/* a requester that knows no extended speeds gets the next best one */
	if (model.nodes[request->node].type != IB_NODE_SWITCH || request->modifier)
		mad_set_field(data, 0, IB_PORT_LINK_SPEED_EXT_ACTIVE_F, 0);
}

/* PortInfo of nodes that know extended speeds is asked for with bit 31. */
TREE_TEST(asks_for_extended_speeds)
{
	model.extended_speeds = true;
	model.twist = twist_extended;
	assert_int_equal(discover()->problems, 0);
	for (int i = 0; i < 6; i++)
		for (unsigned number = 1; number <= port_of(i, 0)->node->port_count; number++)
			if (port_of(i, number)->peer)
				assert_int_equal(port_of(i, number)->speed, MAD_FABRIC_SPEED_EDR);
	/* once more for the local port, which nothing else is known about */
	assert_int_equal(model.smps[IB_ATTR_PORT_INFO], 4 * 9 + 2 + 1);
}

static void twist_refuse_extended(const struct model_request *request,
				  struct responder_response *response, uint8_t *data)
{
	(void)data;
	if (request->attribute == IB_ATTR_PORT_INFO &&
	    request->modifier & MAD_FABRIC_EXTENDED_SPEEDS)
		response->status = 0x1c;
}

TREE_TEST(does_without_extended_speeds)
{
	model.extended_speeds = true;
	model.twist = twist_refuse_extended;
	assert_small_tree(discover());
	assert_int_equal(port_of(2, 5)->speed, MAD_FABRIC_SPEED_EDR);
}

/* Links that report QDR, of which the vendor's attribute says that they run at FDR10; spine 5 does
 * not know the attribute, and only leaf 1 is set to run at FDR10. */
/* Speeds of ExtendedPortInfo that all report as active; 0: FDR10, of some. */
static unsigned vendor_bits;

static void twist_fdr10(const struct model_request *request, struct responder_response *response,
			uint8_t *data)
{
	if (request->node < 0)
		return;
	if (request->attribute == IB_ATTR_PORT_INFO) {
		mad_set_field(data, 0, IB_PORT_LINK_SPEED_EXT_ACTIVE_F, 0);
		mad_set_field(data, 0, IB_PORT_LINK_SPEED_EXT_ENABLED_F, 0);
		mad_set_field(data, 0, IB_PORT_LINK_SPEED_ENABLED_F, 7);
	}
	if (request->attribute != IB_ATTR_MLNX_EXT_PORT_INFO)
		return;
	mad_set_field(data, 0, IB_MLNX_EXT_PORT_LINK_SPEED_ACTIVE_F, request->modifier != 3);
	mad_set_field(data, 0, IB_MLNX_EXT_PORT_LINK_SPEED_ENABLED_F, request->node == 1);
	if (vendor_bits) {
		mad_set_field(data, 0, IB_MLNX_EXT_PORT_LINK_SPEED_ACTIVE_F, vendor_bits);
		mad_set_field(data, 0, IB_MLNX_EXT_PORT_LINK_SPEED_ENABLED_F, 3);
	}
	if (request->node == 5)
		response->status = 0x0c;
	response->silent = request->node == 4;
}

static void make_fdr10_tree(void)
{
	model_make_tree();
	for (int i = 0; i < 6; i++)
		model.nodes[i].device_id = i == 3 ? 0x1002 : i == 0 ? 0x1003 : 0xc738;
	model.twist = twist_fdr10;
}

SCENE_TEST(distinguishes_fdr10_from_qdr)
{
	make_fdr10_tree();
	assert_small_tree(discover());
	assert_int_equal(port_of(1, 2)->speed, MAD_FABRIC_SPEED_FDR10);
	assert_int_equal(port_of(1, 2)->best_speed, MAD_FABRIC_SPEED_FDR10);
	assert_string_equal(mad_fabric_speed_name(port_of(1, 2)->speed), "FDR10");
	assert_int_equal(port_of(1, 3)->speed, MAD_FABRIC_SPEED_QDR);
	assert_int_equal(port_of(2, 2)->speed, MAD_FABRIC_SPEED_FDR10);
	assert_int_equal(port_of(2, 2)->best_speed, MAD_FABRIC_SPEED_QDR);
	assert_int_equal(port_of(0, 1)->speed, MAD_FABRIC_SPEED_FDR10);
	assert_int_equal(port_of(1, 8)->speed, 0);		      /* no link */
	assert_int_equal(port_of(3, 2)->speed, MAD_FABRIC_SPEED_QDR); /* an older device */
	assert_int_equal(port_of(4, 1)->speed, MAD_FABRIC_SPEED_QDR); /* does not respond */
	assert_int_equal(port_of(5, 1)->speed, MAD_FABRIC_SPEED_QDR); /* refuses */
}

SCENE_TEST(distinguishes_edr20_from_qdr)
{
	make_fdr10_tree();
	vendor_bits = 2;
	assert_small_tree(discover());
	vendor_bits = 0;
	assert_string_equal(mad_fabric_speed_name(port_of(1, 2)->speed), "EDR20");
	assert_int_equal(port_of(1, 2)->best_speed, MAD_FABRIC_SPEED_EDR20);
	assert_int_equal(port_of(3, 2)->speed, MAD_FABRIC_SPEED_QDR); /* an older device */
}

/* Once each; nodes that do not respond to it no longer, once that is known. */
SCENE_TEST(asks_of_links_at_qdr_alone)
{
	unsigned asked;

	make_fdr10_tree();
	assert_small_tree(discover());
	asked = model.smps[IB_ATTR_MLNX_EXT_PORT_INFO & 0xff];
	assert_true(asked >= 1 + 2 * 5 + 2 && asked <= 1 + 2 * 5 + 2 * 4);
}

SCENE_TEST(asks_nothing_of_other_links)
{
	make_fdr10_tree();
	model.twist = NULL; /* EDR */
	assert_small_tree(discover());
	assert_int_equal(model.smps[IB_ATTR_MLNX_EXT_PORT_INFO & 0xff], 0);
}
