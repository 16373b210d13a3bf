/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * redirect.c - see redirect.h. Input: ClassPortInfo from the fabric, unchecked.
 */
#include <errno.h>
#include <string.h>

#include <infiniband/umad.h>

#include "common/mad_layout.h"
#include "libibmad/engine/port.h"
#include "libibmad/keys/keys.h"
#include "libibmad/rpc/redirect.h"
#include "libibmad/wire/packet.h"

/* The offset of ClassPortInfo in a class: that of most of its attributes, whatever data offset the
 * request used. */
static size_t class_port_info_offset(int mgmt_class)
{
	if (mgmt_class == IB_SA_CLASS)
		return IB_SA_DATA_OFFS;
	if (mad_is_vendor_range1(mgmt_class))
		return IB_VENDOR_RANGE1_DATA_OFFS;
	if (mad_is_vendor_range2(mgmt_class))
		return IB_VENDOR_RANGE2_DATA_OFFS;
	return IB_PC_DATA_OFFS;
}

static bool is_zero(const ibmad_gid_t gid)
{
	static const ibmad_gid_t zero;

	return !memcmp(gid, zero, sizeof(zero));
}

int mad_redirect_read(const uint8_t *mad, size_t length, struct mad_redirect *redirect)
{
	size_t offset = class_port_info_offset(mad[MAD_CLASS]);
	uint8_t *info = (uint8_t *)mad + offset;

	if (length < offset + sizeof(struct umad_class_port_info))
		return -EBADMSG;
	redirect->lid = mad_get_field(info, 0, IB_CPI_REDIRECT_LID_F);
	redirect->sl = mad_get_field(info, 0, IB_CPI_REDIRECT_SL_F);
	redirect->qp = mad_get_field(info, 0, IB_CPI_REDIRECT_QP_F);
	redirect->qkey = mad_get_field(info, 0, IB_CPI_REDIRECT_QKEY_F);
	redirect->pkey = mad_get_field(info, 0, IB_CPI_REDIRECT_PKEY_F);
	redirect->traffic_class = mad_get_field(info, 0, IB_CPI_REDIRECT_TC_F);
	redirect->flow_label = mad_get_field(info, 0, IB_CPI_REDIRECT_FL_F);
	mad_get_array(info, 0, IB_CPI_REDIRECT_GID_F, redirect->gid);
	redirect->has_gid = !is_zero(redirect->gid);
	if (redirect->lid ? !IB_LID_VALID(redirect->lid) : !redirect->has_gid)
		return -EBADMSG;
	return 0;
}

void mad_redirect_find_pkey(const struct ibmad_port *port, struct mad_redirect *redirect)
{
	uint16_t entry;

	redirect->pkey_index = mad_pkey_find(port, redirect->pkey, &entry);
}

void mad_redirect_apply(const struct ibmad_port *port, const struct mad_redirect *redirect,
			struct mad_transaction *transaction)
{
	uint8_t *mad = (uint8_t *)transaction->request + transaction->header_size;
	struct ib_user_mad *header = transaction->request;
	ib_portid_t *to = transaction->to;
	const ib_portid_t before = *to;

	to->lid = redirect->lid;
	to->sl = redirect->sl;
	to->qp = redirect->qp;
	to->qkey = redirect->qkey;
	if (redirect->pkey_index >= 0)
		to->pkey_idx = redirect->pkey_index;
	to->grh_present = redirect->has_gid;
	memcpy(to->gid, redirect->gid, sizeof(to->gid));
	mad_address_gsi(to);
	mad_packet_put_destination(header, transaction->header_size, mad[MAD_CLASS], to);
	if (to->grh_present) {
		header->addr.traffic_class = redirect->traffic_class;
		header->addr.flow_label = htobe32(redirect->flow_label);
	}
	if (transaction->options & MAD_REQUEST_KEYED)
		mad_keys_stamp_again(port, mad, &before, to);
}
