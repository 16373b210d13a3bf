/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The public encoding functions, and the encoder of all requests. Everything is checked first: if a
 * request cannot be encoded, nothing is written.
 */
#include <errno.h>

#include "libibmad/wire/packet.h"

static int check_data(const ib_rpc_t *rpc, const void *data)
{
	if (data && !mad_packet_fits(rpc)) {
		mad_show_error("mad_encode", "%d bytes of data at %d do not fit a MAD", rpc->datasz,
			       rpc->dataoffs);
		return -EINVAL;
	}
	return 0;
}

int mad_packet_build(void *umad, size_t header_size, size_t mad_size, ib_rpc_t *rpc,
		     const ib_portid_t *dport, const ib_rmpp_hdr_t *rmpp, const void *data,
		     size_t data_size)
{
	int error = mad_packet_check(rpc, dport->lid, &dport->drpath);

	if (error)
		return error;
	if (data && (rpc->dataoffs < 0 || (size_t)rpc->dataoffs > mad_size ||
		     data_size > mad_size - rpc->dataoffs))
		return -EINVAL;
	mad_packet_choose_trid(rpc);
	mad_packet_put(umad, header_size, rpc, dport, rmpp, data, data_size);
	return 0;
}

void *mad_encode(void *buf, ib_rpc_t *rpc, ib_dr_path_t *drpath, void *data)
{
	int error = buf && rpc ? mad_packet_check(rpc, 0, drpath)
			       : mad_refuse(rpc ? MAD_REFUSED_DATA : MAD_REFUSED_RPC);

	if (buf && rpc)
		mad_packet_explain(rpc, drpath, error);
	if (!error)
		error = check_data(rpc, data);
	if (error) {
		mad_fail_again(__func__, error);
		return NULL;
	}
	mad_packet_choose_trid(rpc);
	mad_packet_put_mad(buf, rpc, drpath, data, data ? rpc->datasz : 0);
	return (uint8_t *)buf + IB_MAD_SIZE;
}

int mad_build_pkt(void *umad, ib_rpc_t *rpc, ib_portid_t *dport, ib_rmpp_hdr_t *rmpp, void *data)
{
	int error;

	if (!umad || !rpc || !dport)
		return mad_fail_again(__func__, mad_refuse(!rpc	    ? MAD_REFUSED_RPC
							   : !dport ? MAD_REFUSED_TO
								    : MAD_REFUSED_DATA));
	error = check_data(rpc, data);
	if (!error)
		error = mad_packet_build(umad, umad_size(), IB_MAD_SIZE, rpc, dport, rmpp, data,
					 data ? rpc->datasz : 0);
	mad_packet_explain(rpc, &dport->drpath, error);
	return error ? mad_fail_again(__func__, error) : IB_MAD_SIZE;
}
