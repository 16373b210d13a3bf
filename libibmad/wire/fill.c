/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * fill.c - see fill.h; and what is read from the responses of which addresses are made. Input:
 * attributes from the fabric.
 */
#include <errno.h>
#include <string.h>

#include "libibmad/wire/fill.h"

int mad_sa_request(ib_rpc_v1_t *rpc, ib_portid_t *portid, const ib_sa_call_t *sa, uint64_t sm_key)
{
	*rpc = (ib_rpc_v1_t){
		.mgtclass = IB_SA_CLASS | IB_MAD_RPC_VERSION1,
		.method = sa->method,
		.attr = { .id = sa->attrid, .mod = sa->mod },
		.mask = sa->mask,
		.mkey = sm_key,
		.trid = sa->trid,
		.dataoffs = IB_SA_DATA_OFFS,
		.datasz = IB_SA_DATA_SIZE,
	};
	if (portid->lid <= 0)
		return mad_refuse(MAD_REFUSED_LID_ROUTED);
	mad_address_gsi(portid);
	return 0;
}

void mad_path_request(ib_sa_call_t *sa, void *record, ibmad_gid_t source, ibmad_gid_t destination)
{
	*sa = (ib_sa_call_t){
		.attrid = IB_SA_ATTR_PATHRECORD,
		.method = IB_MAD_METHOD_GET,
		.mask = PATH_MASK_DGID | PATH_MASK_SGID,
	};
	memset(record, 0, IB_SA_DATA_SIZE);
	mad_set_array(record, 0, IB_SA_PR_DGID_F, destination);
	mad_set_array(record, 0, IB_SA_PR_SGID_F, source);
}

int mad_resolve_read_sm(void *portinfo, ib_portid_t *sm_id)
{
	int lid = mad_get_field(portinfo, 0, IB_PORT_SMLID_F);

	if (!IB_LID_VALID(lid))
		return -ENXIO;
	memset(sm_id, 0, sizeof(*sm_id));
	sm_id->lid = lid;
	sm_id->sl = mad_get_field(portinfo, 0, IB_PORT_SMSL_F);
	return 0;
}

/* The local port's GID with the default GID prefix, by which every SM knows the port, too
 * (4.1.1). */
void mad_resolve_read_own_gid(void *nodeinfo, ibmad_gid_t gid)
{
	mad_set_field64(gid, 0, IB_GID_PREFIX_F, IB_DEFAULT_SUBN_PREFIX);
	mad_set_field64(gid, 0, IB_GID_GUID_F, mad_get_field64(nodeinfo, 0, IB_NODE_PORT_GUID_F));
}

int mad_resolve_read_path(void *path, bool from_own_gid, ib_portid_t *portid)
{
	int lid = mad_get_field(path, 0, IB_SA_PR_DLID_F);

	if (!IB_LID_VALID(lid))
		return -ENXIO;
	portid->lid = lid;
	if (from_own_gid)
		portid->sl = mad_get_field(path, 0, IB_SA_PR_SL_F);
	return 0;
}
