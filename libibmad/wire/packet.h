/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Encodes a checked request in host byte order (ib_rpc_t, ib_portid_t) as a MAD and as the umad
 * packet that carries it.
 */
#ifndef LIBIBMAD_PACKET_H
#define LIBIBMAD_PACKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <infiniband/umad.h>

#include "common/bytes.h"
#include "common/mad_layout.h"
#include "libibmad/internal.h"

static inline int mad_packet_class(const ib_rpc_t *rpc)
{
	return rpc->mgtclass & 0xff;
}

/* The class of an SMP to that address: LID routed if it has a LID and no path, else directed. */
static inline int mad_smp_class(const ib_portid_t *portid)
{
	bool directed = portid->lid <= 0 || portid->drpath.drslid == 0xffff ||
			portid->drpath.drdlid == 0xffff;

	return directed ? IB_SMI_DIRECT_CLASS : IB_SMI_CLASS;
}

/* The status without the top bit, which is the direction bit in directed route SMPs and reserved
 * elsewhere (13.4.7). */
static inline uint16_t mad_response_status(const uint8_t *mad)
{
	return mad_get_be16(mad + MAD_STATUS) & ~SMP_DIRECTION;
}

/* Whether the path is valid, where the class needs one. */
static inline bool mad_packet_has_path(const ib_rpc_t *rpc, const ib_dr_path_t *path)
{
	return mad_packet_class(rpc) != IB_SMI_DIRECT_CLASS ||
	       (path && path->cnt >= 0 && path->cnt < IB_SUBNET_PATH_HOPS_MAX);
}

/* Whether the data are within one MAD. */
static inline bool mad_packet_fits(const ib_rpc_t *rpc)
{
	return rpc->dataoffs >= 0 && rpc->datasz >= 0 && rpc->dataoffs <= IB_MAD_SIZE &&
	       rpc->datasz <= IB_MAD_SIZE - rpc->dataoffs;
}

/* For the functions of rdma-core's interface: prints why a path is invalid. */
void mad_packet_explain(const ib_rpc_t *rpc, const ib_dr_path_t *path, int error)
	__attribute__((cold));

/* Returns 0, or -EINVAL for a number that is wider than its field, and for a directed route with no
 * path or a path that does not fit. */
static inline int mad_packet_check(const ib_rpc_t *rpc, int lid, const ib_dr_path_t *path)
{
	if (__builtin_expect(rpc->attr.id > UINT16_MAX || (unsigned)rpc->method > UINT8_MAX ||
				     lid > UINT16_MAX,
			     0))
		return -EINVAL;
	return mad_packet_has_path(rpc, path) ? 0 : -EINVAL;
}

/* Chooses the transaction ID of the request if the caller has set none. */
static inline void mad_packet_choose_trid(ib_rpc_t *rpc)
{
	if (!rpc->trid)
		rpc->trid = mad_trid();
}

/*
 * Chooses the transaction ID of a request whose response is matched by it. Programs use one
 * ib_rpc_t for one request after the other: an ID in it that the library has issued is not the
 * caller's choice, and is replaced. Returns whether the caller has chosen the ID.
 */
static inline bool mad_packet_renew_trid(ib_rpc_t *rpc)
{
	if (__builtin_expect(rpc->trid && !mad_state_issued_trid(rpc->trid), 0))
		return true;
	rpc->trid = mad_trid();
	return false;
}

/* Writes the MAD except for an RMPP header; reserved fields are left unchanged. data may be
 * NULL. */
void mad_packet_put_mad(uint8_t *mad, const ib_rpc_t *rpc, const ib_dr_path_t *path,
			const void *data, size_t data_size);

/*
 * Writes the destination of the packet to a umad header of header_size bytes (umad_size()) and
 * nothing beyond it: the header of 56 bytes has no P_Key index.
 */
void mad_packet_put_destination(struct ib_user_mad *umad, size_t header_size, int mgmt_class,
				const ib_portid_t *dport);

/* Copies `size` bytes; after the `length` bytes at `from`, zeros. */
void mad_packet_copy(uint8_t *to, const uint8_t *from, size_t size, size_t length);

void mad_packet_put_rmpp(uint8_t *mad, const ib_rmpp_hdr_t *rmpp);

/* Writes the whole umad packet of a request that has its transaction ID. rmpp may be NULL. */
static inline void mad_packet_put(void *umad, size_t header_size, const ib_rpc_t *rpc,
				  const ib_portid_t *dport, const ib_rmpp_hdr_t *rmpp,
				  const void *data, size_t data_size)
{
	uint8_t *mad = (uint8_t *)umad + header_size;

	mad_packet_put_destination(umad, header_size, mad_packet_class(rpc), dport);
	mad_packet_put_mad(mad, rpc, &dport->drpath, data, data_size);
	if (rmpp)
		mad_packet_put_rmpp(mad, rmpp);
}

/*
 * Reads the RMPP header of a response. It counts as absent if the flag Active is not set
 * (13.6.2.1). Returns 0, or -ECONNABORTED for a header that ends the transfer.
 */
int mad_packet_read_rmpp(const uint8_t *mad, ib_rmpp_hdr_t *rmpp);

/* Whether MADs of the class have RMPP headers. */
static inline bool mad_class_has_rmpp(int mgmt_class)
{
	return mgmt_class == IB_SA_CLASS || mad_is_vendor_range2(mgmt_class);
}

/* Returns -ECONNABORTED for a response of such a class whose header ends the transfer, else 0. */
int mad_packet_transfer_error(const uint8_t *mad);

/*
 * Reduces *bytes, the bytes received from offset on, to the data length in the RMPP header of a
 * response of one MAD. Returns 0; -ECONNABORTED or -EBADMSG, *bytes unchanged, for a header that
 * ends the transfer or contradicts the MAD.
 */
int mad_packet_count_rmpp_data(const uint8_t *mad, size_t offset, size_t *bytes);

/*
 * How requests to SMAs and to the SA are filled in. Each function sets all of rpc and completes the
 * address, and returns 0 or -EINVAL.
 */
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
