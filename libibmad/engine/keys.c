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

static const struct key_place {
	uint8_t mgmt_class;
	uint8_t type; /* enum mad_key_type */
	uint8_t offset;
} places[] = {
	{ IB_SMI_CLASS, MAD_KEY_M, SMP_M_KEY },
	{ IB_SMI_DIRECT_CLASS, MAD_KEY_M, SMP_M_KEY },
	{ IB_SA_CLASS, MAD_KEY_SA, SA_SM_KEY },
	{ IB_PERFORMANCE_CLASS, MAD_KEY_PERF, MAD_HEADER_END },
	{ VENDOR_KEY_CLASS, MAD_KEY_VENDOR, MAD_HEADER_END },
	{ IB_CC_CLASS, MAD_KEY_CC, CC_KEY },
};

static const struct key_place *find_place(const uint8_t *mad)
{
	if (mad[MAD_METHOD] & IB_MAD_RESPONSE || mad[MAD_METHOD] == IB_MAD_METHOD_TRAP)
		return NULL;
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++)
		if (places[i].mgmt_class == mad[MAD_CLASS])
			return &places[i];
	return NULL;
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

	return mad_keys_find(NULL, &port->extras, type, &to);
}

/* A key that is neither 0 nor the ring's for the old address was given by the caller, and stays. */
void mad_keys_stamp_again(const struct ibmad_port *port, uint8_t *mad, const ib_portid_t *before,
			  const ib_portid_t *now)
{
	const struct key_place *place = find_place(mad);
	uint64_t old = 0;

	if (place && before)
		old = mad_keys_for(port, mad[MAD_CLASS], place->type, before);
	if (place && mad_get_be64(mad + place->offset) == old)
		mad_put_be64(mad + place->offset,
			     mad_keys_for(port, mad[MAD_CLASS], place->type, now));
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
	found = mad_keys_find(keys, NULL, type, &where);
	if (!found)
		return mad_zero_or_error(mad_refuse(MAD_REFUSED_NO_KEY));
	*key = found;
	return 0;
}
