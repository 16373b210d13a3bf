/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Keys in requests: where a MAD has one, and which one the ring of the port gives it. See keys.h;
 * mad_keys.h documents the order in which keys are looked up.
 */
#include <errno.h>

#include <infiniband/umad.h>

#include "libibmad/engine/port.h"
#include "libibmad/keys/keys.h"
#include "libibmad/wire/packet.h"

#define VENDOR_KEY_CLASS 0x0a

/* Returns the offset of the key in a request, and its type; 0 if the request has no key. */
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

	return mad_keys_find_for(&port->extras, type, &to);
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

int mad_keys_get(const struct mad_keys *keys, unsigned type, const ib_portid_t *to, uint64_t *key)
{
	struct mad_key_destination where;
	uint64_t found;

	if (!keys || !to || !key || !mad_keys_has_type(type))
		return mad_zero_or_error(mad_refuse(!keys	  ? MAD_REFUSED_KEYS
						    : !to || !key ? MAD_REFUSED_KEY_TO
								  : MAD_REFUSED_KEY_TYPE));
	where = destination(NULL, type == MAD_KEY_M ? mad_smp_class(to) : 0, to);
	found = mad_keys_find(keys, type, &where);
	if (!found)
		return mad_zero_or_error(mad_refuse(MAD_REFUSED_NO_KEY));
	*key = found;
	return 0;
}
