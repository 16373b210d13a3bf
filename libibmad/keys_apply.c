/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Keys in requests: where a MAD has one, which one the ring of the port gives it, and whether the
 * other side refused it. See keys.h; mad_keys.h documents the order in which keys are looked up.
 */
#include <errno.h>

#include <infiniband/umad.h>

#include "keys.h"
#include "packet.h"
#include "port.h"
#include "requests.h"
#include "rpc.h"

#define STATUS_INVALID_FIELD 0x1c /* what SMAs respond with to a wrong M_Key */
#define VENDOR_KEY_CLASS     0x0a

/* Where a request has its key, and of which type it is. Returns the offset in the MAD, or 0. */
static size_t find_place(const uint8_t *mad, enum mad_key_type *type)
{
	if (mad[MAD_METHOD] & IB_MAD_RESPONSE || mad[MAD_METHOD] == IB_MAD_METHOD_TRAP)
		return 0;
	switch (mad[MAD_CLASS]) {
	case IB_SMI_CLASS:
	case IB_SMI_DIRECT_CLASS:
		*type = MAD_KEY_M;
		return SMP_M_KEY;
	case IB_SA_CLASS:
		*type = MAD_KEY_SA;
		return SA_SM_KEY;
	case IB_PERFORMANCE_CLASS:
		*type = MAD_KEY_PERF;
		return MAD_HEADER_END;
	case VENDOR_KEY_CLASS:
		*type = MAD_KEY_VENDOR;
		return MAD_HEADER_END;
	case IB_CC_CLASS:
		*type = MAD_KEY_CC;
		return CC_KEY;
	default:
		return 0;
	}
}

static struct mad_key_destination destination(const struct ibmad_port *port, int mgmt_class,
					      const ib_portid_t *portid)
{
	struct mad_key_destination to = { .guid = mad_get_be64(portid->gid + 8) };

	if (mgmt_class != IB_SMI_DIRECT_CLASS)
		to.lid = portid->lid > 0 ? portid->lid : 0;
	else if (!to.guid && portid->lid <= 0 && !portid->drpath.cnt && port)
		to.guid = atomic_load(&port->extras.guid);
	return to;
}

uint64_t mad_keys_for(const struct ibmad_port *port, int mgmt_class, enum mad_key_type type,
		      const ib_portid_t *dport)
{
	struct mad_key_destination to = destination(port, mgmt_class, dport);
	struct mad_keys *keys = atomic_load(&port->extras.keys);

	return keys ? mad_keys_find(keys, type, &to) : 0;
}

void mad_keys_stamp(const struct ibmad_port *port, uint8_t *mad, const ib_portid_t *dport)
{
	enum mad_key_type type;
	size_t place = find_place(mad, &type);

	if (place && !mad_get_be64(mad + place))
		mad_put_be64(mad + place, mad_keys_for(port, mad[MAD_CLASS], type, dport));
}

/* A key that differs from the ring's for the old address was given by the caller, and stays. */
void mad_keys_stamp_again(const struct ibmad_port *port, uint8_t *mad, const ib_portid_t *before,
			  const ib_portid_t *now)
{
	enum mad_key_type type;
	size_t place = find_place(mad, &type);

	if (place && mad_get_be64(mad + place) == mad_keys_for(port, mad[MAD_CLASS], type, before))
		mad_put_be64(mad + place, mad_keys_for(port, mad[MAD_CLASS], type, now));
}

int mad_keys_status_error(const struct ibmad_port *port, const uint8_t *response)
{
	bool is_refused = atomic_load(&port->extras.keys) &&
			  mad_class_is_smi(response[MAD_CLASS]) &&
			  mad_response_status(response) == STATUS_INVALID_FIELD;

	return is_refused ? -EKEYREJECTED : -EIO;
}

/* Asks the SA for its ClassPortInfo with that SM_Key and no other. Returns 0 or -errno. */
static int ask_sa(const struct ibmad_port *port, const ib_portid_t *sm, uint64_t key,
		  int timeout_ms)
{
	ib_sa_call_t sa = { .attrid = UMAD_ATTR_CLASS_PORT_INFO, .method = IB_MAD_METHOD_GET };
	uint64_t request[MAD_REQUEST_WORDS];
	uint8_t response[IB_MAD_SIZE];
	struct mad_exchange exchange;
	ib_portid_t to = *sm;
	ib_rpc_v1_t rpc;
	int error = mad_sa_request(&rpc, &to, &sa, key);

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

int mad_keys_explain_silence(const struct ibmad_port *port, const uint8_t *request,
			     const ib_portid_t *dport, int timeout_ms)
{
	if (request[MAD_CLASS] != IB_SA_CLASS || !mad_get_be64(request + SA_SM_KEY) ||
	    !atomic_load(&port->extras.keys))
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

	if (!error)
		return 0;
	errno = -error;
	return -1;
}

int mad_keys_get(struct mad_keys *keys, enum mad_key_type type, const ib_portid_t *portid,
		 uint64_t *key)
{
	struct mad_key_destination to;
	uint64_t found;

	if (!keys || !portid || !key || (unsigned)type >= MAD_KEY_TYPES) {
		errno = EINVAL;
		return -1;
	}
	to = destination(NULL, type == MAD_KEY_M ? mad_smp_class(portid) : 0, portid);
	found = mad_keys_find(keys, type, &to);
	if (!found) {
		errno = ENOENT;
		return -1;
	}
	*key = found;
	return 0;
}

/* The GUID of the local port, by sysfs; 0 where that does not tell. */
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
