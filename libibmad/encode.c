/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * From a request in host order (ib_rpc_t, ib_portid_t) to the bytes of a MAD and of the umad packet
 * that carries it. Everything is checked first: a request that can't be encoded writes nothing.
 */
#include <errno.h>

#include "packet.h"

#define DEFAULT_HOP_LIMIT 255

/* Whether size bytes from offset on lie within one MAD. */
static bool fits_packet(int offset, int size)
{
	return offset >= 0 && size >= 0 && offset <= IB_MAD_SIZE && size <= IB_MAD_SIZE - offset;
}

int mad_packet_path_refused(const ib_dr_path_t *path)
{
	if (!path)
		mad_warn("mad_encode", "encoding dr mad without drpath (null)");
	else
		mad_warn("mad_encode", "dr path with hop count %d", path->cnt);
	return -EINVAL;
}

static int check_data(const ib_rpc_t *rpc, const void *data)
{
	if (data && !fits_packet(rpc->dataoffs, rpc->datasz)) {
		mad_show_error("mad_encode", "%d bytes of data at %d do not fit a MAD", rpc->datasz,
			       rpc->dataoffs);
		return -EINVAL;
	}
	return 0;
}

/* What stands at its own place in each class that is no SMP. */
void mad_packet_put_class_header(uint8_t *mad, const ib_rpc_t *rpc)
{
	int mgmt_class = mad_packet_class(rpc);

	if (mgmt_class == IB_CC_CLASS)
		mad_put_be64(mad + CC_KEY, ((const ib_rpc_cc_t *)rpc)->cckey);
	else
		mad_put_be64(mad + SMP_M_KEY, rpc->mkey);
	if (mgmt_class == IB_SA_CLASS)
		mad_put_be64(mad + SA_COMPONENT_MASK, rpc->mask);
	if (mad_is_vendor_range2(mgmt_class)) {
		mad[VENDOR2_OUI] = rpc->oui >> 16;
		mad[VENDOR2_OUI + 1] = rpc->oui >> 8;
		mad[VENDOR2_OUI + 2] = rpc->oui;
	}
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

void mad_packet_put_grh(struct ib_user_mad *umad, const ibmad_gid_t gid)
{
	struct ib_mad_addr grh = { .hop_limit = DEFAULT_HOP_LIMIT };

	memcpy(grh.gid, gid, sizeof(grh.gid));
	umad_set_grh(umad, &grh);
}

/* Fills in where a umad packet goes. */
void mad_packet_address(void *umad, int mgmt_class, const ib_portid_t *dport)
{
	mad_packet_put_destination(umad, umad_size(), mgmt_class, dport);
}

/*
 * Encodes rpc into the umad packet at umad, whose header has header_size bytes (umad_size()) and
 * whose MAD has room for `room` bytes, with data_size bytes of data (or NULL). Fills in rpc->trid
 * where it is 0. Returns 0 or -EINVAL, having written nothing.
 */
int mad_packet_build(void *umad, size_t header_size, size_t room, ib_rpc_t *rpc,
		     const ib_portid_t *dport, const ib_rmpp_hdr_t *rmpp, const void *data,
		     size_t data_size)
{
	int error = mad_packet_check_path(mad_packet_class(rpc), &dport->drpath);

	if (error)
		return error;
	if (data &&
	    (rpc->dataoffs < 0 || (size_t)rpc->dataoffs > room || data_size > room - rpc->dataoffs))
		return -EINVAL;
	mad_packet_choose_trid(rpc);
	mad_packet_put(umad, header_size, rpc, dport, rmpp, data, data_size);
	return 0;
}

void *mad_encode(void *buf, ib_rpc_t *rpc, ib_dr_path_t *drpath, void *data)
{
	int error = EINVAL;

	if (buf && rpc) {
		error = -mad_packet_check_path(mad_packet_class(rpc), drpath);
		if (!error)
			error = -check_data(rpc, data);
	}
	if (error) {
		errno = error;
		return NULL;
	}
	mad_packet_choose_trid(rpc);
	mad_packet_put_mad(buf, rpc, drpath, data, data ? rpc->datasz : 0);
	return (uint8_t *)buf + IB_MAD_SIZE;
}

int mad_build_pkt(void *umad, ib_rpc_t *rpc, ib_portid_t *dport, ib_rmpp_hdr_t *rmpp, void *data)
{
	int error = EINVAL;

	if (umad && rpc && dport) {
		error = -check_data(rpc, data);
		if (!error)
			error = -mad_packet_build(umad, umad_size(), IB_MAD_SIZE, rpc, dport, rmpp,
						  data, data ? rpc->datasz : 0);
	}
	if (error) {
		errno = error;
		return -1;
	}
	return IB_MAD_SIZE;
}
