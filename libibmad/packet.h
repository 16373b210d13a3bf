/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * How a request that has been checked becomes the bytes of a MAD and of the umad packet that
 * carries it: what every request goes through, for encode.c and rpc.c, who put it in line.
 */
#ifndef LIBIBMAD_PACKET_H
#define LIBIBMAD_PACKET_H

#include <endian.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <infiniband/umad.h>

#include "bytes.h"
#include "internal.h"
#include "layout.h"

/* encode.c: what not every request has. */
void mad_packet_put_class_header(uint8_t *mad, const ib_rpc_t *rpc);
void mad_packet_put_grh(struct ib_user_mad *umad, const ibmad_gid_t gid);
void mad_packet_put_rmpp(uint8_t *mad, const ib_rmpp_hdr_t *rmpp);
int mad_packet_path_refused(const ib_dr_path_t *path) __attribute__((cold));

static inline int mad_packet_class(const ib_rpc_t *rpc)
{
	return rpc->mgtclass & 0xff;
}

static inline bool mad_packet_is_response(const ib_rpc_t *rpc)
{
	return rpc->method & IB_MAD_RESPONSE;
}

/* Returns 0, or -EINVAL for a directed route without a path, or with one that does not fit. */
static inline int mad_packet_check_path(int mgmt_class, const ib_dr_path_t *path)
{
	if (mgmt_class != IB_SMI_DIRECT_CLASS ||
	    (path && path->cnt >= 0 && path->cnt < IB_SUBNET_PATH_HOPS_MAX))
		return 0;
	return mad_packet_path_refused(path);
}

static inline void mad_packet_choose_trid(ib_rpc_t *rpc)
{
	if (!rpc->trid)
		rpc->trid = mad_trid();
}

/* The four bytes that a MAD begins with (13.4.2). */
static inline uint32_t mad_packet_first_word(const ib_rpc_t *rpc)
{
	uint32_t mgmt_class = mad_packet_class(rpc);
	uint32_t version = mgmt_class == IB_SA_CLASS || mgmt_class == IB_CC_CLASS ? 2 : 1;

	return UMAD_BASE_VERSION << 24 | mgmt_class << 16 | version << 8 | (rpc->method & 0xff);
}

/* The word of the status, with direction, hop pointer and hop count (14.2.2). */
static inline uint32_t mad_packet_directed_status(const ib_rpc_t *rpc, const ib_dr_path_t *path)
{
	uint32_t status = rpc->rstatus & 0xffff & ~(uint32_t)SMP_DIRECTION;

	if (mad_packet_is_response(rpc))
		return (status | SMP_DIRECTION) << 16 | (path->cnt + 1) << 8 | path->cnt;
	return status << 16 | path->cnt;
}

/* Both ends and the path of a direct routed SMP (14.2.2). */
static inline void mad_packet_put_route(uint8_t *mad, const ib_rpc_t *rpc, const ib_dr_path_t *path)
{
	mad_put_be32(mad + MAD_STATUS, mad_packet_directed_status(rpc, path));
	mad_put_be16(mad + SMP_DR_SLID, path->drslid ? path->drslid : 0xffff);
	mad_put_be16(mad + SMP_DR_DLID, path->drdlid ? path->drdlid : 0xffff);
	memcpy(mad + (mad_packet_is_response(rpc) ? SMP_RETURN_PATH : SMP_INITIAL_PATH), path->p,
	       sizeof(path->p));
}

/* Writes the MAD, but for an RMPP header. What is reserved stays as it is. */
static inline __attribute__((always_inline)) void mad_packet_put_mad(uint8_t *mad,
								     const ib_rpc_t *rpc,
								     const ib_dr_path_t *path,
								     const void *data,
								     size_t data_size)
{
	int mgmt_class = mad_packet_class(rpc);

	mad_put_be32(mad + MAD_BASE_VERSION, mad_packet_first_word(rpc));
	mad_put_be64(mad + MAD_TID, rpc->trid);
	mad_put_be16(mad + MAD_ATTR_ID, rpc->attr.id);
	mad_put_be32(mad + MAD_ATTR_MOD, rpc->attr.mod);
	if (mgmt_class == IB_SMI_DIRECT_CLASS)
		mad_packet_put_route(mad, rpc, path);
	else
		mad_put_be16(mad + MAD_STATUS, rpc->rstatus);
	if (mad_class_is_smi(mgmt_class))
		mad_put_be64(mad + SMP_M_KEY, rpc->mkey);
	else
		mad_packet_put_class_header(mad, rpc);
	if (data)
		memcpy(mad + rpc->dataoffs, data, data_size);
}

/*
 * An SMP that follows its path from the first hop on goes to the permissive LID; one whose path
 * starts behind a LID routed part goes to that LID first (14.2.2).
 */
static inline int mad_packet_destination_lid(int mgmt_class, const ib_portid_t *dport)
{
	if (mgmt_class == IB_SMI_DIRECT_CLASS &&
	    (dport->lid <= 0 || dport->drpath.drslid == 0xffff))
		return 0xffff;
	return dport->lid;
}

/* As umad_set_addr() and umad_set_grh() without a GRH do. */
static inline void mad_packet_put_address(struct ib_user_mad *umad, int dlid, int qp, int sl,
					  uint32_t qkey)
{
	umad->addr.lid = htobe16(dlid);
	umad->addr.qpn = htobe32(qp);
	umad->addr.sl = sl;
	umad->addr.qkey = htobe32(qkey);
	umad->addr.grh_present = 0;
}

/* Writes where the packet goes, into a umad header of header_size bytes. */
static inline void mad_packet_put_destination(struct ib_user_mad *umad, size_t header_size,
					      int mgmt_class, const ib_portid_t *dport)
{
	bool smi = mad_class_is_smi(mgmt_class);
	int dlid = mad_packet_destination_lid(mgmt_class, dport);

	if (header_size >= sizeof(*umad)) /* else these bytes are the MAD's */
		umad->addr.pkey_index = smi ? 0 : dport->pkey_idx;
	if (smi) {
		mad_packet_put_address(umad, dlid, 0, 0, 0);
		return;
	}
	mad_packet_put_address(umad, dlid, dport->qp, dport->sl, dport->qkey);
	if (dport->grh_present)
		mad_packet_put_grh(umad, dport->gid);
}

/* Writes the whole umad packet of a request that has been checked and has its transaction id. */
static inline __attribute__((always_inline)) void mad_packet_put(void *umad, size_t header_size,
								 const ib_rpc_t *rpc,
								 const ib_portid_t *dport,
								 const ib_rmpp_hdr_t *rmpp,
								 const void *data, size_t data_size)
{
	uint8_t *mad = (uint8_t *)umad + header_size;

	mad_packet_put_destination(umad, header_size, mad_packet_class(rpc), dport);
	mad_packet_put_mad(mad, rpc, &dport->drpath, data, data_size);
	if (rmpp)
		mad_packet_put_rmpp(mad, rmpp);
}

#endif
