/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Follows linear forwarding tables from switch to switch to a LID, by directed route SMPs (volume
 * 1, 14.2.2 and 14.2.5.6). Responses are checked: a table may lead in circles or nowhere.
 */
#include <errno.h>
#include <string.h>

#include "libibmad/engine/port.h"
#include "libibmad/routes/routes.h"
#include "libibmad/wire/packet.h"

/* The M_Key is that of the node, where its GUID is known. */
int mad_route_ask(const struct mad_route_search *search, struct mad_route_place *place,
		  unsigned attr_id, unsigned mod, uint8_t data[IB_SMP_DATA_SIZE])
{
	ib_portid_t to = place->portid;
	ib_rpc_t rpc;

	mad_set_field64(to.gid, 0, IB_GID_GUID_F, place->node.guid);
	memset(data, 0, IB_SMP_DATA_SIZE);
	mad_smp_request(&rpc, &to, IB_MAD_METHOD_GET, attr_id, mod, mad_port_mkey(search->port));
	rpc.timeout = search->timeout;
	return mad_rpc_call(search->port, &rpc, &to, data, data);
}

/* Asks who is at the end of the route. */
static int learn_node(const struct mad_route_search *search, struct mad_route_place *place)
{
	struct mad_route_node *node = &place->node;
	uint8_t data[IB_SMP_DATA_SIZE];
	int error;

	*node = (struct mad_route_node){ .guid = 0 };
	error = mad_route_ask(search, place, IB_ATTR_NODE_INFO, 0, data);
	if (error)
		return error;
	node->guid = mad_get_field64(data, 0, IB_NODE_PORT_GUID_F);
	node->type = mad_get_field(data, 0, IB_NODE_TYPE_F);
	node->ports = mad_get_field(data, 0, IB_NODE_NPORTS_F);
	node->local_port = mad_get_field(data, 0, IB_NODE_LOCAL_PORT_F);
	return node->guid ? 0 : -EPROTO;
}

int mad_route_begin(const struct mad_route_search *search, struct mad_route_place *place)
{
	int error;

	memset(place, 0, sizeof(*place));
	if (mad_routes_get_node(search->routes, 0, &place->node))
		return 0;
	error = learn_node(search, place);
	if (!error)
		mad_routes_put_node(search->routes, &place->node, true);
	return error;
}

int mad_route_move(const struct mad_route_search *search, struct mad_route_place *place,
		   unsigned port)
{
	uint64_t guid = place->node.guid;
	ib_dr_path_t *path = &place->portid.drpath;
	int error;

	if (path->cnt >= IB_SUBNET_PATH_HOPS_MAX - 1)
		return -ENETUNREACH;
	path->p[++path->cnt] = (uint8_t)port;
	if (mad_routes_get_peer(search->routes, guid, port, &place->node))
		return 0;
	error = learn_node(search, place);
	if (error)
		return error;
	mad_routes_put_node(search->routes, &place->node, false);
	mad_routes_put_peer(search->routes, guid, port, place->node.guid);
	return 0;
}

int mad_route_learn_lid(const struct mad_route_search *search, struct mad_route_place *place)
{
	struct mad_route_node *node = &place->node;
	uint8_t data[IB_SMP_DATA_SIZE];
	int error;

	if (node->has_lid)
		return 0;
	error = mad_route_ask(search, place, IB_ATTR_PORT_INFO, 0, data);
	if (error)
		return error;
	node->has_lid = true;
	node->lid = mad_get_field(data, 0, IB_PORT_LID_F);
	node->lmc = mad_get_field(data, 0, IB_PORT_LMC_F);
	mad_routes_put_node(search->routes, node, !place->portid.drpath.cnt);
	return 0;
}

/* The highest LID in the switch's table. */
static int learn_top(const struct mad_route_search *search, struct mad_route_place *place)
{
	uint8_t data[IB_SMP_DATA_SIZE];
	int error;

	if (place->node.has_lft_top)
		return 0;
	error = mad_route_ask(search, place, IB_ATTR_SWITCH_INFO, 0, data);
	if (error)
		return error;
	place->node.has_lft_top = true;
	place->node.lft_top = mad_get_field(data, 0, IB_SW_LINEAR_FDB_TOP_F);
	mad_routes_put_node(search->routes, &place->node, !place->portid.drpath.cnt);
	return 0;
}

/* The switch's egress port for the LID; MAD_ROUTE_NO_PORT for none. */
static int look_up(const struct mad_route_search *search, struct mad_route_place *place,
		   uint8_t *port)
{
	uint8_t block[IB_SMP_DATA_SIZE];
	int error;

	if (mad_routes_get_egress(search->routes, place->node.guid, search->lid, port))
		return 0;
	error = learn_top(search, place);
	if (error)
		return error;
	*port = MAD_ROUTE_NO_PORT;
	if (search->lid > place->node.lft_top)
		return 0;
	error = mad_route_ask(search, place, IB_ATTR_LINEARFORWTBL,
			      (unsigned)search->lid / MAD_ROUTE_LFT_BLOCK, block);
	if (error)
		return error;
	mad_routes_put_block(search->routes, place->node.guid, search->lid, block);
	*port = block[search->lid % MAD_ROUTE_LFT_BLOCK];
	return 0;
}

/* A switch has the LID itself, or forwards to it. Returns 1 at the end of the route, 0, or -errno.
 */
static int pass_switch(const struct mad_route_search *search, struct mad_route_place *place)
{
	uint8_t port;
	int error = look_up(search, place, &port);

	if (error)
		return error;
	if (!port)
		return 1;
	return port > place->node.ports ? -ENETUNREACH : mad_route_move(search, place, port);
}

/* A port of another node has the LID, or is the local port, where the route begins. Returns the
 * same. */
static int pass_end(const struct mad_route_search *search, struct mad_route_place *place)
{
	int error = mad_route_learn_lid(search, place);

	if (error)
		return error;
	if (mad_route_has_lid(&place->node, search->lid))
		return 1;
	if (place->portid.drpath.cnt)
		return -ENETUNREACH;
	return mad_route_move(search, place, place->node.local_port);
}

int mad_route_follow(const struct mad_route_search *search, ib_portid_t *route)
{
	struct mad_route_place place;
	int result = mad_route_begin(search, &place);

	while (!result) {
		if (place.node.type == IB_NODE_SWITCH)
			result = pass_switch(search, &place);
		else
			result = pass_end(search, &place);
	}
	if (result < 0)
		return result;
	mad_route_to_place(&place, route);
	return 0;
}
