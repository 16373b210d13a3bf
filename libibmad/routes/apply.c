/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The public calls that find directed routes, and SMPs by LID that a port sends by directed
 * route instead (mad_route_use()).
 */
#include <errno.h>
#include <string.h>

#include "libibmad/engine/port.h"
#include "libibmad/keys/keys.h"
#include "libibmad/routes/routes.h"
#include "libibmad/wire/packet.h"

/* The port's cache, which is made when it is first needed. */
static int get_routes(const struct ibmad_port *port, struct mad_routes **routes)
{
	struct ibmad_port *changed = (struct ibmad_port *)port; /* not to its users */
	struct mad_routes *made, *there = NULL;
	int error;

	*routes = atomic_load(&port->extras.routes);
	if (*routes)
		return 0;
	error = mad_routes_create(&made);
	if (error)
		return error;
	if (atomic_compare_exchange_strong(&changed->extras.routes, &there, made)) {
		*routes = made;
	} else {
		mad_routes_destroy(made);
		*routes = there;
	}
	return 0;
}

/* madrpc_save_mad() asks for the response to the caller's request, not to those made here. */
static int search_apart(const struct mad_route_search *search, ib_portid_t *route)
{
	struct mad_saved_reply saved;
	int error;

	mad_state_take_saved_reply(&saved);
	error = mad_route_follow(search, route);
	if (error && error != -ENOMEM && error != -EINVAL && error != -ENODEV) {
		error = mad_route_discover(search, route);
		if (!error)
			mad_routes_put_found(search->routes, search->lid, route);
	}
	if (saved.buffer)
		madrpc_save_mad(saved.buffer, (int)saved.size);
	return error;
}

static int resolve(const struct ibmad_port *port, int lid, int timeout, ib_portid_t *route)
{
	struct mad_route_search search = { .port = port, .lid = lid, .timeout = timeout };
	int error;

	if (mad_port_agent(port, IB_SMI_DIRECT_CLASS) < 0)
		return -EINVAL;
	error = get_routes(port, &search.routes);
	if (error)
		return error;
	mad_routes_expire(search.routes, atomic_load(&port->extras.routes_stale));
	if (mad_routes_get_found(search.routes, lid, route))
		return 0;
	return search_apart(&search, route);
}

int mad_route_resolve(struct ibmad_port *port, unsigned lid, ib_portid_t *route, int timeout_ms)
{
	MAD_QUIET_BLOCK;
	ib_portid_t found = { 0 };
	int error;

	if (!port || !route)
		error = mad_refuse(port ? MAD_REFUSED_ROUTE : MAD_REFUSED_PORT);
	else if (!lid || lid > IB_MAX_UCAST_LID)
		error = mad_refuse(MAD_REFUSED_LID);
	else if (timeout_ms < 0)
		error = mad_refuse(MAD_REFUSED_TIMEOUT);
	else
		error = resolve(port, (int)lid, timeout_ms, &found);
	if (error == -ENETUNREACH)
		error = mad_refuse(MAD_REFUSED_NO_ROUTE);
	if (!error)
		*route = found;
	return mad_zero_or_error(error);
}

int mad_route_forget(struct ibmad_port *port)
{
	struct mad_routes *routes = port ? atomic_load(&port->extras.routes) : NULL;

	if (routes)
		mad_routes_clear(routes);
	return mad_zero_or_error(port ? 0 : mad_refuse(MAD_REFUSED_PORT));
}

int mad_route_use(struct ibmad_port *port, bool use)
{
	if (!port || (use && mad_port_agent(port, IB_SMI_DIRECT_CLASS) < 0))
		return mad_zero_or_error(
			mad_refuse(port ? MAD_REFUSED_PORT_DIRECT : MAD_REFUSED_PORT));
	if (use)
		atomic_fetch_or(&port->extras.adjustments, MAD_PORT_ROUTES_SMPS);
	else
		atomic_fetch_and(&port->extras.adjustments, ~(unsigned)MAD_PORT_ROUTES_SMPS);
	return 0;
}

/* A key for the LID is found before the LID is gone; one for the GUID, also later. */
int mad_route_adjust(const struct ibmad_port *port, const ib_rpc_t *rpc, const ib_portid_t *dport,
		     ib_rpc_t *routed_rpc, ib_portid_t *routed)
{
	bool is_routed = atomic_load(&port->extras.adjustments) & MAD_PORT_ROUTES_SMPS;
	int error;

	if (!is_routed || mad_packet_class(rpc) != IB_SMI_CLASS || !IB_LID_VALID(dport->lid))
		return 0;
	memset(routed, 0, sizeof(*routed));
	error = resolve(port, dport->lid, rpc->timeout, routed);
	if (error)
		return error;
	*routed_rpc = *rpc;
	routed_rpc->mgtclass = (rpc->mgtclass & ~0xff) | IB_SMI_DIRECT_CLASS;
	if (!routed_rpc->mkey)
		routed_rpc->mkey = mad_keys_for(port, IB_SMI_CLASS, MAD_KEY_M, dport);
	return 1;
}
