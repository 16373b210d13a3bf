/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * From a request in host order (ib_rpc_t, ib_portid_t) to the bytes of a MAD and of the umad packet
 * that carries it. Everything is checked first: a request that can't be encoded writes nothing.
 */
#include <errno.h>

#include <infiniband/umad.h>

#include "bytes.h"
#include "internal.h"
#include "layout.h"

#define DEFAULT_HOP_LIMIT 255

static int rpc_class(const ib_rpc_t *rpc)
{
	return rpc->mgtclass & 0xff;
}

static bool is_response(const ib_rpc_t *rpc)
{
	return rpc->method & IB_MAD_RESPONSE;
}

/* Whether size bytes from offset on lie within one MAD. */
static bool fits_packet(int offset, int size)
{
	return offset >= 0 && size >= 0 && offset <= IB_MAD_SIZE && size <= IB_MAD_SIZE - offset;
}

static int check_path(int mgmt_class, const ib_dr_path_t *path)
{
	if (mgmt_class != IB_SMI_DIRECT_CLASS)
		return 0;
	if (!path) {
		mad_warn("mad_encode", "encoding dr mad without drpath (null)");
		return -EINVAL;
	}
	if (path->cnt < 0 || path->cnt >= IB_SUBNET_PATH_HOPS_MAX) {
		mad_warn("mad_encode", "dr path with hop count %d", path->cnt);
		return -EINVAL;
	}
	return 0;
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

/* Both ends and the path of a direct routed SMP (14.2.2). */
static void put_directed_route(uint8_t *mad, const ib_rpc_t *rpc, const ib_dr_path_t *path)
{
	mad_put_be16(mad + SMP_DR_SLID, path->drslid ? path->drslid : 0xffff);
	mad_put_be16(mad + SMP_DR_DLID, path->drdlid ? path->drdlid : 0xffff);
	memcpy(mad + (is_response(rpc) ? SMP_RETURN_PATH : SMP_INITIAL_PATH), path->p,
	       sizeof(path->p));
}

/* The word of the status; in a direct routed SMP it has direction, hop pointer and count, too. */
static uint32_t status_word(const ib_rpc_t *rpc, const ib_dr_path_t *path)
{
	uint32_t status = rpc->rstatus & 0xffff;

	if (rpc_class(rpc) != IB_SMI_DIRECT_CLASS)
		return status << 16;
	status &= ~(uint32_t)SMP_DIRECTION;
	if (is_response(rpc))
		return (status | SMP_DIRECTION) << 16 | (path->cnt + 1) << 8 | path->cnt;
	return status << 16 | path->cnt;
}

/* What stands at its own place in each class that is no SMP. */
static void put_class_header(uint8_t *mad, const ib_rpc_t *rpc)
{
	int mgmt_class = rpc_class(rpc);

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

/* The four bytes that a MAD begins with (13.4.2). */
static uint32_t first_word(const ib_rpc_t *rpc)
{
	uint32_t mgmt_class = rpc_class(rpc);
	uint32_t version = mgmt_class == IB_SA_CLASS || mgmt_class == IB_CC_CLASS ? 2 : 1;

	return UMAD_BASE_VERSION << 24 | mgmt_class << 16 | version << 8 | (rpc->method & 0xff);
}

/* Writes the MAD of a request whose parts have been checked. What is reserved stays as it is. */
static inline __attribute__((always_inline)) void put_mad(uint8_t *mad, const ib_rpc_t *rpc,
							  const ib_dr_path_t *path,
							  const void *data, size_t data_size)
{
	int mgmt_class = rpc_class(rpc);
	uint32_t status = status_word(rpc, path);

	mad_put_be32(mad + MAD_BASE_VERSION, first_word(rpc));
	mad_put_be16(mad + MAD_STATUS, status >> 16);
	mad_put_be64(mad + MAD_TID, rpc->trid);
	mad_put_be16(mad + MAD_ATTR_ID, rpc->attr.id);
	mad_put_be32(mad + MAD_ATTR_MOD, rpc->attr.mod);
	if (mgmt_class == IB_SMI_DIRECT_CLASS) {
		mad_put_be16(mad + SMP_HOP_POINTER, status);
		put_directed_route(mad, rpc, path);
	}
	if (mad_class_is_smi(mgmt_class))
		mad_put_be64(mad + SMP_M_KEY, rpc->mkey);
	else
		put_class_header(mad, rpc);
	if (data)
		memcpy(mad + rpc->dataoffs, data, data_size);
}

static void choose_trid(ib_rpc_t *rpc)
{
	if (!rpc->trid)
		rpc->trid = mad_trid();
}

static void put_rmpp_header(uint8_t *mad, const ib_rmpp_hdr_t *rmpp)
{
	mad[RMPP_VERSION] = UMAD_RMPP_VERSION;
	mad[RMPP_TYPE] = rmpp->type;
	mad[RMPP_RTIME_FLAGS] = RMPP_NO_RESPONSE_TIME | (rmpp->flags & RMPP_FLAGS_MASK);
	mad[RMPP_STATUS] = rmpp->status;
	mad_put_be32(mad + RMPP_SEGMENT, rmpp->d1.u);
	mad_put_be32(mad + RMPP_LENGTH, rmpp->d2.u);
}

/*
 * An SMP that follows its path from the first hop on goes to the permissive LID; one whose path
 * starts behind a LID routed part goes to that LID first (14.2.2).
 */
static int destination_lid(int mgmt_class, const ib_portid_t *dport)
{
	if (mgmt_class == IB_SMI_DIRECT_CLASS &&
	    (dport->lid <= 0 || dport->drpath.drslid == 0xffff))
		return 0xffff;
	return dport->lid;
}

/* As umad_set_addr() and umad_set_grh() without a GRH do. */
static void put_address(struct ib_user_mad *umad, int dlid, int qp, int sl, uint32_t qkey)
{
	umad->addr.lid = htobe16(dlid);
	umad->addr.qpn = htobe32(qp);
	umad->addr.sl = sl;
	umad->addr.qkey = htobe32(qkey);
	umad->addr.grh_present = 0;
}

static void put_grh(struct ib_user_mad *umad, const ibmad_gid_t gid)
{
	struct ib_mad_addr grh = { .hop_limit = DEFAULT_HOP_LIMIT };

	memcpy(grh.gid, gid, sizeof(grh.gid));
	umad_set_grh(umad, &grh);
}

static inline void put_destination(struct ib_user_mad *umad, size_t header_size, int mgmt_class,
				   const ib_portid_t *dport)
{
	bool smi = mad_class_is_smi(mgmt_class);
	int dlid = destination_lid(mgmt_class, dport);

	if (header_size >= sizeof(*umad)) /* else these bytes are the MAD's */
		umad->addr.pkey_index = smi ? 0 : dport->pkey_idx;
	if (smi) {
		put_address(umad, dlid, 0, 0, 0);
		return;
	}
	put_address(umad, dlid, dport->qp, dport->sl, dport->qkey);
	if (dport->grh_present)
		put_grh(umad, dport->gid);
}

/* Fills in where a umad packet goes. */
void mad_packet_address(void *umad, int mgmt_class, const ib_portid_t *dport)
{
	put_destination(umad, umad_size(), mgmt_class, dport);
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
	int mgmt_class = rpc_class(rpc);
	uint8_t *mad = (uint8_t *)umad + header_size;
	int error = check_path(mgmt_class, &dport->drpath);

	if (error)
		return error;
	if (data &&
	    (rpc->dataoffs < 0 || (size_t)rpc->dataoffs > room || data_size > room - rpc->dataoffs))
		return -EINVAL;
	choose_trid(rpc);
	put_destination(umad, header_size, mgmt_class, dport);
	put_mad(mad, rpc, &dport->drpath, data, data_size);
	if (rmpp)
		put_rmpp_header(mad, rmpp);
	return 0;
}

void *mad_encode(void *buf, ib_rpc_t *rpc, ib_dr_path_t *drpath, void *data)
{
	int error = EINVAL;

	if (buf && rpc) {
		error = -check_path(rpc_class(rpc), drpath);
		if (!error)
			error = -check_data(rpc, data);
	}
	if (error) {
		errno = error;
		return NULL;
	}
	choose_trid(rpc);
	put_mad(buf, rpc, drpath, data, data ? rpc->datasz : 0);
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
