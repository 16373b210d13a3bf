/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* See model.h. */
#include "libibmad-fabric/counters.h"
#include "model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WIDTH_4X       2
#define EXTENDED_EDR   2
#define CAN_EXTENDED   (1U << 14)
#define KEY_OFFSET     24
#define DATA_OFFSET    64
#define PATH_OFFSET    128
#define HOSTS_A_LEAF   20
#define UPLINKS_A_LEAF 16
#define LARGE_RADIX    36

struct model model;

static uint8_t data[IB_MAD_SIZE]; /* of the response that is being made */

void model_end(void)
{
	for (int i = 0; i < model.node_count; i++)
		free(model.nodes[i].peers);
	free(model.nodes);
	memset(&model, 0, sizeof(model));
}

int model_add_node(uint8_t type, uint8_t port_count, const char *name)
{
	struct model_node *node;

	if (model.node_count == model.capacity) {
		model.capacity = model.capacity ? model.capacity * 2 : 16;
		model.nodes = realloc(model.nodes, (size_t)model.capacity * sizeof(*model.nodes));
		if (!model.nodes)
			abort();
	}
	node = &model.nodes[model.node_count];
	*node = (struct model_node){ .guid = MODEL_GUID(model.node_count),
				     .lid = (uint16_t)(model.node_count + 1),
				     .type = type,
				     .port_count = port_count };
	snprintf(node->name, sizeof(node->name), "%s", name);
	node->peers = calloc(port_count + 1U, sizeof(*node->peers));
	if (!node->peers)
		abort();
	for (int port = 0; port <= port_count; port++)
		node->peers[port].node = -1;
	return model.node_count++;
}

void model_cable(int node, uint8_t port, int peer, uint8_t peer_port)
{
	model.nodes[node].peers[port] = (struct model_end){ peer, peer_port };
	model.nodes[peer].peers[peer_port] = (struct model_end){ node, port };
}

/* The end of a directed route. */
static struct model_end walk(const uint8_t *path, unsigned hops)
{
	struct model_end end = { 0, 1 };

	for (unsigned hop = 1; hop <= hops && end.node >= 0; hop++)
		end = path[hop] <= model.nodes[end.node].port_count
			      ? model.nodes[end.node].peers[path[hop]]
			      : (struct model_end){ -1, 0 };
	return end;
}

/* The node and the cabled port that have a LID. */
static struct model_end find_lid(unsigned lid)
{
	struct model_end end = { (int)lid <= model.node_count ? (int)lid - 1 : -1, 1 };

	for (int i = 0; end.node >= 0 && model.nodes[end.node].lid != lid; i++)
		end.node = i < model.node_count ? i : -1;
	while (end.node >= 0 && end.port < model.nodes[end.node].port_count &&
	       model.nodes[end.node].peers[end.port].node < 0)
		end.port++;
	return end;
}

static void fill_node_info(const struct model_node *node, uint8_t entered)
{
	mad_set_field(data, 0, IB_NODE_TYPE_F, node->type);
	mad_set_field(data, 0, IB_NODE_NPORTS_F, node->port_count);
	mad_set_field(data, 0, IB_NODE_LOCAL_PORT_F, entered);
	mad_set_field(data, 0, IB_NODE_VENDORID_F, 0x2c9);
	mad_set_field(data, 0, IB_NODE_DEVID_F, node->device_id);
	mad_set_field64(data, 0, IB_NODE_GUID_F, node->guid);
	mad_set_field64(data, 0, IB_NODE_SYSTEM_GUID_F, node->guid);
	mad_set_field64(data, 0, IB_NODE_PORT_GUID_F,
			node->type == IB_NODE_SWITCH ? node->guid : node->guid + entered);
}

static void fill_port_info(int index, unsigned port)
{
	const struct model_node *node = &model.nodes[index];
	bool cabled = port == 0 || (port <= node->port_count && node->peers[port].node >= 0);

	mad_set_field(data, 0, IB_PORT_LID_F, node->lid);
	mad_set_field(data, 0, IB_PORT_CAPMASK_F, model.extended_speeds ? CAN_EXTENDED : 0);
	mad_set_field(data, 0, IB_PORT_STATE_F, cabled ? UMAD_PORT_ACTIVE : UMAD_PORT_DOWN);
	mad_set_field(data, 0, IB_PORT_PHYS_STATE_F,
		      cabled ? UMAD_PHYS_LINK_UP : UMAD_PHYS_POLLING);
	mad_set_field(data, 0, IB_PORT_LINK_WIDTH_ACTIVE_F, WIDTH_4X);
	mad_set_field(data, 0, IB_PORT_LINK_WIDTH_ENABLED_F, WIDTH_4X | 1);
	mad_set_field(data, 0, IB_PORT_LINK_SPEED_ACTIVE_F, 4);
	mad_set_field(data, 0, IB_PORT_LINK_SPEED_EXT_ACTIVE_F, EXTENDED_EDR);
	mad_set_field(data, 0, IB_PORT_LINK_SPEED_EXT_ENABLED_F, EXTENDED_EDR | 1);
}

static void fill_smp(const struct model_request *request)
{
	switch (request->attribute) {
	case IB_ATTR_NODE_INFO:
		fill_node_info(&model.nodes[request->node], request->entered);
		break;
	case IB_ATTR_NODE_DESC:
		memcpy(data, model.nodes[request->node].name,
		       sizeof(model.nodes[request->node].name));
		break;
	case IB_ATTR_PORT_INFO:
		fill_port_info(request->node, request->modifier & 0xff);
		break;
	}
}

/* Attributes of a node have no modifier (14.2.5): a device refuses one. */
static bool has_wrong_modifier(const struct model_request *request)
{
	return request->modifier && (request->attribute == IB_ATTR_NODE_INFO ||
				     request->attribute == IB_ATTR_NODE_DESC ||
				     request->attribute == IB_ATTR_SWITCH_INFO);
}

/* Every counter has a value of its own, which shows where it comes from. */
static void fill_perf(const struct model_request *request)
{
	unsigned value = (unsigned)request->node * 100 + request->port;

	switch (request->attribute) {
	case CLASS_PORT_INFO:
		mad_set_field(data, 0, IB_CPI_CAPMASK_F, (uint32_t)model.capabilities);
		mad_set_field(data, 0, IB_CPI_CAPMASK2_F,
			      (uint32_t)(model.capabilities >> MAD_PM_MASK2_SHIFT));
		break;
	case IB_GSI_PORT_COUNTERS:
		mad_set_field(data, 0, IB_PC_ERR_SYM_F, value);
		mad_set_field(data, 0, IB_PC_XMT_BYTES_F, UINT32_MAX);
		mad_set_field(data, 0, IB_PC_XMT_WAIT_F, 77);
		break;
	case IB_GSI_PORT_COUNTERS_EXT:
		mad_set_field64(data, 0, IB_PC_EXT_XMT_BYTES_F, UINT64_MAX - value);
		mad_set_field64(data, 0, IB_PC_EXT_XMT_UPKTS_F, 5);
		mad_set_field64(data, 0, IB_PC_EXT_ERR_SYM_F, UINT64_C(0x100000000) + value);
		break;
	case IB_GSI_PORT_EXT_SPEEDS_COUNTERS:
		mad_set_field(data, 0, IB_PESC_SYNC_HDR_ERR_CTR_F, 3);
		mad_set_field(data, 0, IB_PESC_FEC_CORR_BLOCK_CTR_LANE0_F, 10);
		mad_set_field(data, 0, IB_PESC_FEC_CORR_BLOCK_CTR_LANE3_F, 11);
		break;
	}
}

static void apply_rules(const struct model_request *request, struct responder_response *response)
{
	bool is_perf = request->mgmt_class == IB_PERFORMANCE_CLASS;
	const unsigned *counts = is_perf ? model.perf : model.smps;
	unsigned port = is_perf ? request->port : request->modifier & 0xff;
	bool is_extended = request->modifier & MAD_FABRIC_EXTENDED_SPEEDS;

	for (const struct model_rule *rule = model.rules; rule && !rule->is_end; rule++) {
		if (is_perf != (rule->mgmt_class == IB_PERFORMANCE_CLASS) ||
		    (rule->attribute && rule->attribute != request->attribute) ||
		    (rule->nodes && (request->node < 0 || !(rule->nodes >> request->node & 1))) ||
		    (rule->port && rule->port != port) ||
		    (rule->speeds && (rule->speeds == MODEL_EXTENDED) != is_extended) ||
		    (rule->from_second && counts[request->attribute & 0xff] == 1))
			continue;
		if (rule->field)
			mad_set_field64(data, 0, rule->field, rule->value);
		if (rule->status)
			response->status = rule->status;
		response->silent |= rule->silent;
		if (rule->is_short) {
			response->length = DATA_OFFSET + response->data_size - 1;
			response->data_size = 0;
		}
		if (rule->delay_us)
			response->delay_us = rule->delay_us;
	}
}

static void respond(const struct responder_request *asked, struct responder_response *response,
		    void *context)
{
	const uint8_t *mad = asked->mad;
	struct model_request request = {
		.mgmt_class = asked->mgmt_class,
		.attribute = (unsigned)mad[16] << 8 | mad[17],
		.modifier = asked->attr_mod,
		.path = mad + PATH_OFFSET,
		.hops = mad[7],
	};
	const uint8_t *key = mad + KEY_OFFSET;
	bool is_perf = asked->mgmt_class == IB_PERFORMANCE_CLASS;
	struct model_end end;

	(void)context;
	for (int i = 0; i < 8; i++)
		request.key = request.key << 8 | key[i];
	if (is_perf)
		request.port =
			mad_get_field((void *)(uintptr_t)mad, DATA_OFFSET, IB_PC_PORT_SELECT_F);
	end = asked->mgmt_class == IB_SMI_DIRECT_CLASS ? walk(request.path, request.hops)
						       : find_lid(asked->lid);
	request.node = end.node < model.node_count ? end.node : -1;
	request.entered = end.port;
	model.requests++;
	(is_perf ? model.perf : model.smps)[request.attribute & 0xff]++;
	memset(data, 0, sizeof(data));
	response->data = data;
	response->data_offset = DATA_OFFSET;
	response->data_size = is_perf ? IB_PC_DATA_SZ : IB_SMP_DATA_SIZE;
	if (request.node < 0)
		response->silent = true;
	else if (is_perf)
		fill_perf(&request);
	else if (has_wrong_modifier(&request))
		response->status = IB_MAD_STS_INV_ATTR_VALUE;
	else
		fill_smp(&request);
	apply_rules(&request, response);
	if (model.twist)
		model.twist(&request, response, data);
}

void model_begin(void)
{
	memset(&model, 0, sizeof(model));
	model.capabilities = MAD_PM_EXTENDED | MAD_PM_XMIT_WAIT;
	responder_plan(respond, NULL);
}

void model_make_tree(void)
{
	int host = model_add_node(IB_NODE_CA, 2, "host-1"), other, leaf[2], spine;

	leaf[0] = model_add_node(IB_NODE_SWITCH, 8, "leaf-1");
	leaf[1] = model_add_node(IB_NODE_SWITCH, 8, "leaf-2");
	other = model_add_node(IB_NODE_CA, 2, "host-2");
	model_cable(host, 1, leaf[0], 1);
	model_cable(other, 2, leaf[1], 1);
	for (uint8_t i = 0; i < 2; i++) {
		spine = model_add_node(IB_NODE_SWITCH, 8, "spine");
		for (uint8_t j = 0; j < 2; j++) {
			model_cable(leaf[j], (uint8_t)(2 + 2 * i), spine, (uint8_t)(1 + 2 * j));
			model_cable(leaf[j], (uint8_t)(3 + 2 * i), spine, (uint8_t)(2 + 2 * j));
		}
	}
}

/* Chords between the upper switches keep every route short. */
void model_make_large(int leaves)
{
	int hosts = leaves * HOSTS_A_LEAF, stride = leaves / UPLINKS_A_LEAF;
	uint8_t *used = calloc((size_t)leaves, 1);
	char name[32];

	if (!used)
		abort();
	for (int i = 0; i < hosts + 2 * leaves; i++) {
		snprintf(name, sizeof(name), "node-%05d", i);
		model_add_node(i < hosts ? IB_NODE_CA : IB_NODE_SWITCH, i < hosts ? 1 : LARGE_RADIX,
			       name);
	}
	for (int leaf = 0; leaf < leaves; leaf++) {
		int number = hosts + leaf, first = hosts + leaves;

		for (int i = 0; i < HOSTS_A_LEAF; i++)
			model_cable(leaf * HOSTS_A_LEAF + i, 1, number, (uint8_t)(1 + i));
		for (int i = 0; i < UPLINKS_A_LEAF; i++) {
			int upper = (leaf + i * stride) % leaves;

			model_cable(number, (uint8_t)(1 + HOSTS_A_LEAF + i), first + upper,
				    ++used[upper]);
		}
		model_cable(first + leaf, 31, first + (leaf + 1) % leaves, 32);
		model_cable(first + leaf, 33, first + (leaf + 11) % leaves, 34);
	}
	free(used);
}
