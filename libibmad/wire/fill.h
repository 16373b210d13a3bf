/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * How requests to SMAs and to the SA are filled in. Each function sets all of rpc and completes the
 * address, and returns 0 or -EINVAL.
 */
#ifndef LIBIBMAD_FILL_H
#define LIBIBMAD_FILL_H

#include "libibmad/internal.h"
#include "libibmad/wire/packet.h"

/* Component mask bits of PathRecord (15.2.5.16). */
#define PATH_MASK_DGID (UINT64_C(1) << 2)
#define PATH_MASK_SGID (UINT64_C(1) << 3)

static inline int mad_smp_request(ib_rpc_t *rpc, ib_portid_t *portid, int method, unsigned attrid,
				  unsigned mod, uint64_t mkey)
{
	rpc->mgtclass = mad_smp_class(portid);
	rpc->method = method;
	rpc->attr.id = attrid;
	rpc->attr.mod = mod;
	rpc->rstatus = 0;
	rpc->dataoffs = IB_SMP_DATA_OFFS;
	rpc->datasz = IB_SMP_DATA_SIZE;
	rpc->mkey = mkey;
	rpc->trid = 0;
	rpc->mask = 0;
	rpc->recsz = 0;
	rpc->timeout = 0;
	rpc->oui = 0;
	portid->sl = 0;
	portid->qp = 0;
	return 0;
}

/* sm_key: mad_port_sa_key(), host byte order. */
int mad_sa_request(ib_rpc_v1_t *rpc, ib_portid_t *portid, const ib_sa_call_t *sa, uint64_t sm_key);

/* Fills in the request for the PathRecord between two GIDs; record has IB_SA_DATA_SIZE bytes. */
void mad_path_request(ib_sa_call_t *sa, void *record, ibmad_gid_t source, ibmad_gid_t destination);

/*
 * Steps of resolving an address, from attributes already received: the SM from a PortInfo, the
 * local GID from a NodeInfo, the destination from a PathRecord. They return 0 or -ENXIO.
 */
int mad_resolve_read_sm(void *portinfo, ib_portid_t *sm_id);
void mad_resolve_read_own_gid(void *nodeinfo, ibmad_gid_t gid);
int mad_resolve_read_path(void *path, bool from_own_gid, ib_portid_t *portid);

#endif
