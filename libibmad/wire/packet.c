/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * packet.c - see packet.h; and what is read from the responses of which addresses are made. Input:
 * attributes from the fabric.
 */
#include <endian.h>
#include <errno.h>
#include <string.h>

#include "libibmad/wire/packet.h"

#define DEFAULT_HOP_LIMIT 255

void mad_packet_explain(const ib_rpc_t *rpc, const ib_dr_path_t *path, int error)
{
	if (error && mad_packet_class(rpc) == IB_SMI_DIRECT_CLASS && !path)
		mad_warn("mad_encode", "encoding dr mad without drpath (null)");
	else if (error && !mad_packet_has_path(rpc, path))
		mad_warn("mad_encode", "dr path with hop count %d", path->cnt);
}

/* The status word, with direction, hop pointer and hop count (14.2.2). */
static uint32_t directed_status(const ib_rpc_t *rpc, const ib_dr_path_t *path)
{
	uint32_t status = rpc->rstatus & 0xffff & ~(uint32_t)SMP_DIRECTION;

	if (rpc->method & IB_MAD_RESPONSE)
		return (status | SMP_DIRECTION) << 16 | (path->cnt + 1) << 8 | path->cnt;
	return status << 16 | path->cnt;
}

/* The LIDs at both ends and the path of a directed route SMP (14.2.2). */
static void put_route(uint8_t *mad, const ib_rpc_t *rpc, const ib_dr_path_t *path)
{
	bool is_response = rpc->method & IB_MAD_RESPONSE;

	mad_put_be32(mad + MAD_STATUS, directed_status(rpc, path));
	mad_put_be16(mad + SMP_DR_SLID, path->drslid ? path->drslid : 0xffff);
	mad_put_be16(mad + SMP_DR_DLID, path->drdlid ? path->drdlid : 0xffff);
	memcpy(mad + (is_response ? SMP_RETURN_PATH : SMP_INITIAL_PATH), path->p, sizeof(path->p));
}

/* Fields at an offset that depends on the class, for classes other than SMPs. */
static void put_class_header(uint8_t *mad, const ib_rpc_t *rpc)
{
	int mgmt_class = mad_packet_class(rpc);

	if (mgmt_class == IB_CC_CLASS) {
		mad_put_be64(mad + CC_KEY, ((const ib_rpc_cc_t *)rpc)->cckey);
	} else if (mgmt_class == IB_SA_CLASS) {
		memset(mad + MAD_HEADER_END, 0, sizeof(uint64_t));
		if (rpc->mkey)
			mad_put_be64(mad + SA_SM_KEY, rpc->mkey);
		mad_put_be64(mad + SA_COMPONENT_MASK, rpc->mask);
	} else {
		mad_put_be64(mad + SMP_M_KEY, rpc->mkey);
	}
	if (mad_is_vendor_range2(mgmt_class)) {
		mad[VENDOR2_OUI] = rpc->oui >> 16;
		mad[VENDOR2_OUI + 1] = rpc->oui >> 8;
		mad[VENDOR2_OUI + 2] = rpc->oui;
	}
}

void mad_packet_put_mad(uint8_t *mad, const ib_rpc_t *rpc, const ib_dr_path_t *path,
			const void *data, size_t data_size)
{
	int mgmt_class = mad_packet_class(rpc);

	mad[MAD_BASE_VERSION] = UMAD_BASE_VERSION;
	mad[MAD_CLASS] = mgmt_class;
	mad[MAD_CLASS_VERSION] = mad_class_wire_version(mgmt_class);
	mad[MAD_METHOD] = rpc->method;
	mad_put_be64(mad + MAD_TID, rpc->trid);
	mad_put_be16(mad + MAD_ATTR_ID, rpc->attr.id);
	mad_put_be32(mad + MAD_ATTR_MOD, rpc->attr.mod);
	if (mgmt_class == IB_SMI_DIRECT_CLASS)
		put_route(mad, rpc, path);
	else
		mad_put_be16(mad + MAD_STATUS, rpc->rstatus);
	if (mad_class_is_smi(mgmt_class))
		mad_put_be64(mad + SMP_M_KEY, rpc->mkey);
	else
		put_class_header(mad, rpc);
	if (data)
		memcpy(mad + rpc->dataoffs, data, data_size);
}

static __attribute__((noinline, cold)) void copy_short(uint8_t *to, const uint8_t *from,
						       size_t size, size_t length)
{
	memcpy(to, from, length);
	memset(to + length, 0, size - length);
}

void mad_packet_copy(uint8_t *to, const uint8_t *from, size_t size, size_t length)
{
	if (__builtin_expect(length < size, 0))
		copy_short(to, from, size, length);
	else
		memcpy(to, from, size);
}

void mad_packet_put_rmpp(uint8_t *mad, const ib_rmpp_hdr_t *rmpp)
{
	mad[RMPP_VERSION] = UMAD_RMPP_VERSION;
	mad[RMPP_TYPE] = rmpp->type;
	mad[RMPP_RTIME_FLAGS] = RMPP_NO_RESPONSE_TIME | (rmpp->flags & RMPP_FLAGS_MASK);
	mad[RMPP_STATUS] = rmpp->status;
	mad_put_be32(mad + RMPP_SEGMENT, rmpp->d1.u);
	mad_put_be32(mad + RMPP_LENGTH, rmpp->d2.u);
}

int mad_packet_read_rmpp(const uint8_t *mad, ib_rmpp_hdr_t *rmpp)
{
	rmpp->type = mad[RMPP_TYPE];
	rmpp->flags = mad[RMPP_RTIME_FLAGS] & RMPP_FLAGS_MASK;
	rmpp->status = mad[RMPP_STATUS];
	rmpp->d1.u = mad_get_be32(mad + RMPP_SEGMENT);
	rmpp->d2.u = mad_get_be32(mad + RMPP_LENGTH);
	if (!(rmpp->flags & IB_RMPP_FLAG_ACTIVE))
		return 0;
	return rmpp->type == IB_RMPP_TYPE_ABORT || rmpp->type == IB_RMPP_TYPE_STOP ? -ECONNABORTED
										   : 0;
}

int mad_packet_transfer_error(const uint8_t *mad)
{
	ib_rmpp_hdr_t rmpp;

	return mad_class_has_rmpp(mad[MAD_CLASS]) ? mad_packet_read_rmpp(mad, &rmpp) : 0;
}

int mad_packet_count_rmpp_data(const uint8_t *mad, size_t offset, size_t *bytes)
{
	size_t class_header = offset - RMPP_END; /* PayloadLength includes it */
	ib_rmpp_hdr_t rmpp;
	int error = mad_packet_read_rmpp(mad, &rmpp);

	if (error || !(rmpp.flags & IB_RMPP_FLAG_ACTIVE))
		return error;
	if (rmpp.type != IB_RMPP_TYPE_DATA || !(rmpp.flags & IB_RMPP_FLAG_LAST) ||
	    rmpp.d2.u < class_header || rmpp.d2.u - class_header > *bytes)
		return -EBADMSG;
	*bytes = rmpp.d2.u - class_header;
	return 0;
}

/*
 * The destination LID of an SMP: the permissive LID if the whole path is a directed route;
 * otherwise the LID at the end of the LID routed part that precedes the path (14.2.2).
 */
static int destination_lid(int mgmt_class, const ib_portid_t *dport)
{
	if (mgmt_class == IB_SMI_DIRECT_CLASS &&
	    (dport->lid <= 0 || dport->drpath.drslid == 0xffff))
		return 0xffff;
	return dport->lid;
}

/* As umad_set_addr(), and umad_set_grh() without a GRH. */
static void put_address(struct ib_user_mad *umad, int dlid, int qp, int sl, uint32_t qkey)
{
	umad->addr.lid = htobe16(dlid);
	umad->addr.qpn = htobe32(qp);
	umad->addr.sl = sl;
	umad->addr.qkey = htobe32(qkey);
	umad->addr.grh_present = 0;
}

/* A function of its own, because its local array would cost every packet a stack protector. */
static __attribute__((noinline)) void put_grh(struct ib_user_mad *umad, const ibmad_gid_t gid)
{
	struct ib_mad_addr grh = { .hop_limit = DEFAULT_HOP_LIMIT };

	memcpy(grh.gid, gid, sizeof(grh.gid));
	umad_set_grh(umad, &grh);
}

void mad_packet_put_destination(struct ib_user_mad *umad, size_t header_size, int mgmt_class,
				const ib_portid_t *dport)
{
	bool smi = mad_class_is_smi(mgmt_class);
	int dlid = destination_lid(mgmt_class, dport);

	if (header_size >= sizeof(*umad)) /* in a shorter header these bytes are the MAD's */
		umad->addr.pkey_index = smi ? 0 : dport->pkey_idx;
	if (smi) {
		put_address(umad, dlid, 0, 0, 0);
		return;
	}
	put_address(umad, dlid, dport->qp, dport->sl, dport->qkey);
	if (dport->grh_present)
		put_grh(umad, dport->gid);
}

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
