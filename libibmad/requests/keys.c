/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Gives a key ring to a port, and finds out whether the SA refuses a key: it does not respond to
 * requests with a wrong SM_Key, so it is asked without one.
 */
#include <errno.h>

#include <infiniband/umad.h>

#include "libibmad/engine/port.h"
#include "libibmad/keys/keys.h"
#include "libibmad/requests/requests.h"
#include "libibmad/requests/rpc.h"

int mad_sa_key_request(ib_rpc_v1_t *rpc, ib_portid_t *sm, uint64_t key)
{
	const ib_sa_call_t sa = { .attrid = UMAD_ATTR_CLASS_PORT_INFO,
				  .method = IB_MAD_METHOD_GET };

	return mad_sa_request(rpc, sm, &sa, key);
}

/* Asks the SA for its ClassPortInfo with that SM_Key and no other. Returns 0 or -errno. */
static int ask_sa(const struct ibmad_port *port, const ib_portid_t *sm, uint64_t key,
		  int timeout_ms)
{
	uint64_t request[MAD_REQUEST_WORDS];
	uint8_t response[IB_MAD_SIZE];
	struct mad_exchange exchange;
	ib_portid_t to = *sm;
	ib_rpc_v1_t rpc;
	int error = mad_sa_key_request(&rpc, &to, key);

	if (error)
		return error;
	rpc.timeout = timeout_ms;
	mad_exchange_prepare(&exchange, "mad_sa_check_key", port, (ib_rpc_t *)&rpc, &to);
	exchange.transaction.request = request;
	exchange.transaction.request_length = IB_MAD_SIZE;
	exchange.transaction.response = response;
	error = mad_exchange_run_as_is(&exchange);
	return error == -EIO && rpc.rstatus ? 0 : error; /* it did respond */
}

/* See struct mad_port_extras. */
static int explain_silence(const struct ibmad_port *port, const uint8_t *request,
			   const ib_portid_t *dport, int timeout_ms)
{
	if (!mad_keys_sa_may_refuse(port, request))
		return -ETIMEDOUT;
	return ask_sa(port, dport, 0, timeout_ms) ? -ETIMEDOUT : -EKEYREJECTED;
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
	bool was_quiet = mad_state_set_quiet(true);
	ib_portid_t to;
	int error = timeout_ms < 0 ? -EINVAL : mad_sa_address(port, sm, &to);

	if (!error)
		error = mad_sa_check(port, &to, timeout_ms);
	mad_state_set_quiet(was_quiet);
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
		return mad_zero_or_error(-EINVAL);
	if (keys) {
		atomic_store(&port->extras.guid, local_guid(port));
		atomic_store(&port->extras.explain_silence, explain_silence);
	}
	mad_keys_exchange(port, keys);
	errno = saved_errno;
	return 0;
}
