/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * From a request in host order (ib_rpc_t, ib_portid_t), which has been checked, to the bytes of a
 * MAD and of the umad packet that carries it.
 */
#ifndef LIBIBMAD_PACKET_H
#define LIBIBMAD_PACKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <infiniband/umad.h>

#include "common/bytes.h"
#include "internal.h"
#include "common/mad_layout.h"

static inline int mad_packet_class(const ib_rpc_t *rpc)
{
	return rpc->mgtclass & 0xff;
}

/* Without the bit that is the direction in directed route SMPs, and reserved elsewhere (13.4.7). */
static inline uint16_t mad_response_status(const uint8_t *mad)
{
	return mad_get_be16(mad + MAD_STATUS) & ~SMP_DIRECTION;
}

/* Prints why the path of a directed route is none. Returns -EINVAL. */
int mad_packet_refuse_path(const ib_dr_path_t *path) __attribute__((cold));

/* Returns 0, or -EINVAL for a directed route without a path, or with one that does not fit. */
static inline int mad_packet_check_path(int mgmt_class, const ib_dr_path_t *path)
{
	if (mgmt_class != IB_SMI_DIRECT_CLASS ||
	    (path && path->cnt >= 0 && path->cnt < IB_SUBNET_PATH_HOPS_MAX))
		return 0;
	return mad_packet_refuse_path(path);
}

/* The transaction ID of the request is one of ours if the caller has set none. */
static inline void mad_packet_choose_trid(ib_rpc_t *rpc)
{
	if (!rpc->trid)
		rpc->trid = mad_trid();
}

/* Writes the MAD, but for an RMPP header; what is reserved stays as it is. data may be NULL. */
void mad_packet_put_mad(uint8_t *mad, const ib_rpc_t *rpc, const ib_dr_path_t *path,
			const void *data, size_t data_size);

/*
 * Writes where the packet goes into a umad header of header_size bytes (umad_size()): without
 * writing behind it, since the header of 56 bytes has no P_Key index.
 */
void mad_packet_put_destination(struct ib_user_mad *umad, size_t header_size, int mgmt_class,
				const ib_portid_t *dport);

void mad_packet_put_rmpp(uint8_t *mad, const ib_rmpp_hdr_t *rmpp);

/* Writes the whole umad packet of a request that has its transaction ID. */
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
 * Reads the RMPP header of a response. Without the flag Active it is none (13.6.2.1), whatever the
 * rest of it holds. Returns 0, or -ECONNABORTED for a header that ends the transfer.
 */
int mad_packet_read_rmpp(const uint8_t *mad, ib_rmpp_hdr_t *rmpp);

/* Whether the class of the MAD has RMPP headers. */
bool mad_packet_has_rmpp(const uint8_t *mad);

/*
 * Reduces *bytes, what there is from offset on, to what the RMPP header of a response of one MAD
 * counts as data. Returns 0; -ECONNABORTED or -EBADMSG, *bytes unchanged, for a header that ends
 * the transfer or contradicts the MAD.
 */
int mad_packet_count_rmpp_data(const uint8_t *mad, size_t offset, size_t *bytes);

#endif
