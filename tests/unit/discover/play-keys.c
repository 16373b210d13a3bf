/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* play-keys.c - plays fabrics.tbl: ports that are locked, each with keys of its own. */
#include "play.h"

#include <infiniband/mad_keys.h>

#define DEFAULT_KEY UINT64_C(0xdef)

static struct mad_keys *keys;

void free_keys(void)
{
	mad_keys_free(keys);
	keys = NULL;
}

/* Of switches, the port GUID is that of the node. */
static uint64_t port_guid(int node, unsigned port)
{
	return MODEL_GUID(node) + (model.nodes[node].type == IB_NODE_SWITCH ? 0 : port);
}

static uint64_t key_of(unsigned mgmt_class, int node, unsigned port)
{
	return port_guid(node, port) << 8 | mgmt_class;
}

/* "ring [3]": the port has the keys of all ports, but for those of a node. */
static void play_ring(char *rest)
{
	keys = mad_keys_create();
	assert_non_null(keys);
	assert_int_equal(mad_port_set_keys(scene_port, keys), 0);
	mad_keys_set_default(keys, MAD_KEY_M, DEFAULT_KEY);
	for (int node = 0; node < model.node_count; node++)
		for (unsigned port = 1; port <= 2 && (!*rest || node != atoi(rest)); port++) {
			mad_keys_set_guid(keys, MAD_KEY_M, port_guid(node, port),
					  key_of(IB_SMI_DIRECT_CLASS, node, port));
			mad_keys_set_guid(keys, MAD_KEY_PERF, port_guid(node, port),
					  key_of(IB_PERFORMANCE_CLASS, node, port));
		}
}

/* Every port refuses what does not have its key; the default key is for NodeInfo. */
static void twist_locked(const struct model_request *request, struct responder_response *response,
			 uint8_t *data)
{
	bool is_smp = request->mgmt_class != IB_PERFORMANCE_CLASS;
	uint64_t wanted = DEFAULT_KEY;

	(void)data;
	if (request->node < 0 || (!is_smp && request->attribute == CLASS_PORT_INFO))
		return; /* the agent's says nothing of the port that is meant */
	if (request->mgmt_class != IB_SMI_DIRECT_CLASS || request->attribute != IB_ATTR_NODE_INFO)
		wanted = key_of(is_smp ? IB_SMI_DIRECT_CLASS : IB_PERFORMANCE_CLASS, request->node,
				is_smp ? request->entered : request->port);
	if (request->key != wanted)
		response->status = 0x1c;
}

/* No port but the local one and new ones responds to an SMP without its own key, not even NodeInfo.
 */
static void twist_protected(const struct model_request *request,
			    struct responder_response *response, uint8_t *data)
{
	(void)data;
	if (request->node > 0 && request->node < 6 && request->mgmt_class == IB_SMI_DIRECT_CLASS &&
	    request->key != key_of(IB_SMI_DIRECT_CLASS, request->node, request->entered))
		response->silent = true;
}

static void play_locked(char *rest)
{
	(void)rest;
	model.twist = twist_locked;
}

static void play_protected(char *rest)
{
	(void)rest;
	mad_keys_set_default(keys, MAD_KEY_M, 0);
	model.twist = twist_protected;
}

const struct scene_verb key_verbs[] = { { "ring", play_ring },
					{ "locked", play_locked },
					{ "protected", play_protected },
					{ .name = NULL } };
