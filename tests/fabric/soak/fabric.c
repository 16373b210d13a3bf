/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Learns a fabric: nodes by directed route, nearest first, then what each has by LID.
 */
#include "fabric.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define PORT_ACTIVE    4
#define NODE_IS_SWITCH 2

void fabric_mask_info(uint8_t *info)
{
	mad_set_field(info, 0, IB_NODE_LOCAL_PORT_F, 0);
}

const struct node *fabric_find_guid(const struct fabric *fabric, uint64_t port_guid)
{
	for (unsigned i = 0; i < fabric->count; i++)
		if (fabric->nodes[i].port_guid == port_guid)
			return &fabric->nodes[i];
	return NULL;
}

const struct node *fabric_find_lid(const struct fabric *fabric, unsigned lid)
{
	for (unsigned i = 0; i < fabric->count; i++)
		if ((unsigned)fabric->nodes[i].by_lid.lid == lid)
			return &fabric->nodes[i];
	return NULL;
}

void fabric_gid(const struct fabric *fabric, const struct node *node, ibmad_gid_t gid)
{
	memcpy(gid, fabric->own_gid, 8);
	mad_set_field64(gid, 0, IB_GID_GUID_F, node->port_guid);
}

static bool complain(const char *what, const struct node *node)
{
	fprintf(stderr, "soak: can't read %s of %s: %s\n", what,
		portid2str((ib_portid_t *)&node->by_route), strerror(errno));
	return false;
}

/* Everything about the node at the end of its route. */
static bool read_node(struct node *node, struct ibmad_port *port)
{
	uint8_t port_info[IB_SMP_DATA_SIZE];

	if (!smp_query_via(node->info, &node->by_route, IB_ATTR_NODE_INFO, 0, 0, port))
		return complain("NodeInfo", node);
	node->node_guid = mad_get_field64(node->info, 0, IB_NODE_GUID_F);
	node->port_guid = mad_get_field64(node->info, 0, IB_NODE_PORT_GUID_F);
	node->ports = mad_get_field(node->info, 0, IB_NODE_NPORTS_F);
	node->is_switch = mad_get_field(node->info, 0, IB_NODE_TYPE_F) == NODE_IS_SWITCH;
	node->port = mad_get_field(node->info, 0, IB_NODE_LOCAL_PORT_F);
	fabric_mask_info(node->info);
	if (!smp_query_via(node->description, &node->by_route, IB_ATTR_NODE_DESC, 0, 0, port))
		return complain("NodeDescription", node);
	if (!smp_query_via(port_info, &node->by_route, IB_ATTR_PORT_INFO, 0, 0, port))
		return complain("PortInfo", node);
	node->by_lid.lid = (int)mad_get_field(port_info, 0, IB_PORT_LID_F);
	return true;
}

static bool read_counters(struct node *node, struct ibmad_port *port)
{
	ib_portid_t to = node->by_lid;
	uint8_t counters[256];

	to.qp = 1;
	if (!pma_query_via(counters, &to, (int)node->port, 0, IB_GSI_PORT_COUNTERS, port))
		return complain("counters", node);
	node->errors = mad_get_field(counters, 0, IB_PC_ERR_SYM_F);
	node->dropped = mad_get_field(counters, 0, IB_PC_VL15_DROPPED_F);
	return true;
}

/* The node behind a port, if there is a link and we have not been there. */
static bool follow(struct fabric *fabric, unsigned from, unsigned port_number,
		   struct ibmad_port *port)
{
	struct node *next = &fabric->nodes[fabric->count];
	uint8_t port_info[IB_SMP_DATA_SIZE];

	memset(next, 0, sizeof(*next));
	next->by_route = fabric->nodes[from].by_route;
	if (!smp_query_via(port_info, &next->by_route, IB_ATTR_PORT_INFO, port_number, 0, port))
		return complain("PortInfo", next);
	if (mad_get_field(port_info, 0, IB_PORT_STATE_F) != PORT_ACTIVE)
		return true;
	next->by_route.drpath.p[++next->by_route.drpath.cnt] = (uint8_t)port_number;
	if (!read_node(next, port))
		return false;
	if (!fabric_find_guid(fabric, next->port_guid) && fabric->count < NODES_MAX - 1)
		fabric->count++;
	return true;
}

bool fabric_learn(struct fabric *fabric, struct ibmad_port *port)
{
	struct node *self = &fabric->nodes[0];
	ib_portid_t own = { 0 };

	memset(fabric, 0, sizeof(*fabric));
	if (!read_node(self, port))
		return false;
	fabric->count = 1;
	if (ib_resolve_self_via(&own, NULL, &fabric->own_gid, port) < 0 ||
	    ib_resolve_smlid_via(&fabric->sm, 0, port) < 0)
		return complain("addresses", self);
	if (!follow(fabric, 0, self->port, port))
		return false;
	for (unsigned i = 1; i < fabric->count; i++) {
		if (!fabric->nodes[i].is_switch)
			continue;
		for (unsigned number = 1; number <= fabric->nodes[i].ports; number++)
			if (!follow(fabric, i, number, port))
				return false;
	}
	for (unsigned i = 0; i < fabric->count; i++)
		if (!read_counters(&fabric->nodes[i], port))
			return false;
	return true;
}
