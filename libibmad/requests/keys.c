/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Attaches a key ring to a port, and finds out whether the SA refuses a key: it does not respond to
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

static int check_key(const struct ibmad_port *port, ib_portid_t *sm, unsigned timeout_ms)
{
	uint64_t key = mad_port_sa_key(port);
	int error;

	if (!key)
		key = mad_keys_for(port, IB_SA_CLASS, MAD_KEY_SA, sm);
	error = ask_sa(port, sm, key, (int)timeout_ms);
	if (error == -ETIMEDOUT && key && !ask_sa(port, sm, 0, (int)timeout_ms))
		error = -EKEYREJECTED;
	return error;
}

int mad_sa_check_key(const struct ibmad_port *srcport, ib_portid_t *sm, unsigned timeout_ms)
{
	int error = srcport && sm && timeout_ms <= INT32_MAX ? check_key(srcport, sm, timeout_ms)
							     : -EINVAL;

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

int mad_keys_attach(struct ibmad_port *srcport, struct mad_keys *keys)
{
	struct mad_keys *before;
	int saved_errno = errno;

	if (!srcport) {
		errno = EINVAL;
		return -1;
	}
	if (keys) {
		atomic_store(&srcport->extras.guid, local_guid(srcport));
		mad_keys_retain(keys);
		atomic_store(&srcport->extras.explain_silence, explain_silence);
	}
	before = atomic_exchange(&srcport->extras.keys, keys);
	if (keys)
		atomic_fetch_or(&srcport->extras.adjustments, MAD_PORT_HAS_KEYS);
	else
		atomic_fetch_and(&srcport->extras.adjustments, ~(unsigned)MAD_PORT_HAS_KEYS);
	mad_keys_destroy(before);
	errno = saved_errno;
	return 0;
}
