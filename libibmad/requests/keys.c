/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Gives a key ring to a port, and finds out whether the SA takes a key.
 */
#include <errno.h>

#include <infiniband/umad.h>

#include "libibmad/engine/request.h"
#include "libibmad/keys/keys.h"
#include "libibmad/requests/requests.h"

/* Asks the SA for its ClassPortInfo with that SM_Key and no other. Returns 0 or -errno. */
static int ask_sa(const struct ibmad_port *port, const ib_portid_t *sm, uint64_t key,
		  int timeout_ms)
{
	const ib_sa_call_t sa = { .attrid = UMAD_ATTR_CLASS_PORT_INFO,
				  .method = IB_MAD_METHOD_GET };
	ib_portid_t to = *sm;
	ib_rpc_v1_t rpc;
	int error = mad_sa_request(&rpc, &to, &sa, key);

	if (error)
		return error;
	rpc.timeout = timeout_ms;
	error = mad_rpc_call_with(port, (ib_rpc_t *)&rpc, &to, NULL, NULL, NULL, MAD_REQUEST_AS_IS);
	return rpc.rstatus || error == -ECONNABORTED ? 0 : error;
}

int mad_sa_check(const struct ibmad_port *port, const ib_portid_t *sm, int timeout_ms)
{
	uint64_t key = mad_port_sa_key(port);
	int error;

	if (!key)
		key = mad_keys_for(port, IB_SA_CLASS, MAD_KEY_SA, sm);
	error = ask_sa(port, sm, key, timeout_ms);
	if (error == -ETIMEDOUT && key && !ask_sa(port, sm, 0, timeout_ms))
		error = -EKEYREJECTED;
	return error;
}

int mad_sa_check_key(struct ibmad_port *port, const ib_portid_t *sm, int timeout_ms)
{
	MAD_QUIET_BLOCK;
	ib_portid_t to;
	int error =
		timeout_ms < 0 ? mad_refuse(MAD_REFUSED_TIMEOUT) : mad_sa_address(port, sm, &to);

	if (!error)
		error = mad_sa_check(port, &to, timeout_ms);
	return mad_zero_or_error(error);
}

/* The GUID of the local port, from sysfs; 0 if that does not have it. */
static uint64_t local_guid(const struct ibmad_port *port)
{
	umad_port_t info;
	uint64_t guid;

	if (umad_get_port(port->ca_name[0] ? port->ca_name : NULL, port->port_number, &info) < 0)
		return 0;
	guid = be64toh(info.port_guid);
	umad_release_port(&info);
	return guid;
}

int mad_port_set_keys(struct ibmad_port *port, struct mad_keys *keys)
{
	int saved_errno = errno;

	if (!port)
		return mad_zero_or_error(mad_refuse(MAD_REFUSED_PORT));
	if (keys)
		atomic_store(&port->extras.guid, local_guid(port));
	mad_keys_exchange(&port->extras, keys);
	errno = saved_errno;
	return 0;
}
