/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Byte offsets of the parts of a MAD (IBTA specification, chapters 13 to 16), for the code that
 * builds and checks whole packets.
 */
#ifndef COMMON_MAD_LAYOUT_H
#define COMMON_MAD_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(default) /* a source may include this first */
#include <infiniband/umad_types.h>
#include <infiniband/umad_sm.h>
#include <infiniband/umad_sa.h>
#include <infiniband/umad_sa_mcm.h>
#pragma GCC visibility pop

enum mad_offset {
	/* the common MAD header (13.4.2) */
	MAD_BASE_VERSION = offsetof(struct umad_hdr, base_version),
	MAD_CLASS = offsetof(struct umad_hdr, mgmt_class),
	MAD_CLASS_VERSION = offsetof(struct umad_hdr, class_version),
	MAD_METHOD = offsetof(struct umad_hdr, method),
	MAD_STATUS = offsetof(struct umad_hdr, status),
	MAD_TID = offsetof(struct umad_hdr, tid),
	MAD_TID_LOW = MAD_TID + 4, /* the kernel owns the high half */
	MAD_ATTR_ID = offsetof(struct umad_hdr, attr_id),
	MAD_ATTR_MOD = offsetof(struct umad_hdr, attr_mod),
	MAD_HEADER_END = sizeof(struct umad_hdr),

	/* subnet management packets (14.2.1) */
	SMP_HOP_POINTER = offsetof(struct umad_smp, hop_ptr),
	SMP_HOP_COUNT = offsetof(struct umad_smp, hop_cnt),
	SMP_M_KEY = offsetof(struct umad_smp, mkey),
	SMP_DR_SLID = offsetof(struct umad_smp, dr_slid),
	SMP_DR_DLID = offsetof(struct umad_smp, dr_dlid),
	SMP_INITIAL_PATH = offsetof(struct umad_smp, initial_path),
	SMP_RETURN_PATH = offsetof(struct umad_smp, return_path),
	SMP_DATA = offsetof(struct umad_smp, data),
	OPA_SMP_DATA = MAD_HEADER_END + 8,  /* of Omni-Path, routed by LID */
	OPA_SMP_DIRECTED_DATA = 176,	    /* by a directed route */
	SMP_DIRECTION = UMAD_SMP_DIRECTION, /* the D bit of the status word */

	/* reliable multi-packet transactions (13.6.2.1) */
	RMPP_VERSION = MAD_HEADER_END + offsetof(struct umad_rmpp_hdr, rmpp_version),
	RMPP_TYPE = MAD_HEADER_END + offsetof(struct umad_rmpp_hdr, rmpp_type),
	RMPP_RTIME_FLAGS = MAD_HEADER_END + offsetof(struct umad_rmpp_hdr, rmpp_rtime_flags),
	RMPP_STATUS = MAD_HEADER_END + offsetof(struct umad_rmpp_hdr, rmpp_status),
	RMPP_SEGMENT = MAD_HEADER_END + offsetof(struct umad_rmpp_hdr, seg_num),
	RMPP_LENGTH = MAD_HEADER_END + offsetof(struct umad_rmpp_hdr, paylen_newwin),
	RMPP_END = RMPP_LENGTH + 4,
	RMPP_FLAGS_MASK = 0x07,
	RMPP_NO_RESPONSE_TIME = 0x1f << 3,

	/* Subnet Administration (15.2.1.1) */
	SA_SM_KEY = offsetof(struct umad_sa_packet, sm_key),
	SA_ATTR_OFFSET = offsetof(struct umad_sa_packet, attr_offset), /* in units of 8 bytes */
	SA_COMPONENT_MASK = offsetof(struct umad_sa_packet, comp_mask),
	SA_DATA = offsetof(struct umad_sa_packet, data),

	/* others */
	CC_KEY = MAD_HEADER_END,
	VENDOR2_WORD = offsetof(struct umad_vendor_packet, reserved), /* a byte, and the OUI */
	VENDOR2_OUI = offsetof(struct umad_vendor_packet, oui),
	VENDOR2_DATA = offsetof(struct umad_vendor_packet, data),
	DEVICE_DATA = offsetof(struct umad_dm_packet, data),
};

enum { MAD_LID_PERMISSIVE = 0xffff }; /* any receiver (14.2.2) */

/* Of Omni-Path: MADs of up to 2,048 bytes, with attributes of its own. */
static inline bool mad_is_opa(const uint8_t *mad)
{
	return mad[MAD_BASE_VERSION] == 0x80;
}

static inline bool mad_class_is_smi(int mgmt_class) /* travels on QP 0, as SMPs do */
{
	return mgmt_class == UMAD_CLASS_SUBN_LID_ROUTED ||
	       mgmt_class == UMAD_CLASS_SUBN_DIRECTED_ROUTE;
}

static inline bool mad_class_is_vendor_range2(int mgmt_class) /* has an OUI */
{
	return mgmt_class >= UMAD_CLASS_VENDOR_RANGE2_START &&
	       mgmt_class <= UMAD_CLASS_VENDOR_RANGE2_END;
}

/* The offset of a MAD's attribute. */
static inline size_t mad_attribute_start(const uint8_t *mad)
{
	const uint8_t mgmt_class = mad[MAD_CLASS];

	if (mad_class_is_smi(mgmt_class) && mad_is_opa(mad))
		return mgmt_class == UMAD_CLASS_SUBN_LID_ROUTED ? OPA_SMP_DATA
								: OPA_SMP_DIRECTED_DATA;
	if (mad_class_is_vendor_range2(mgmt_class))
		return VENDOR2_DATA;
	switch (mgmt_class) {
	case UMAD_CLASS_SUBN_ADM:
		return SA_DATA;
	case 0x0a: /* NVIDIA's vendor specific class, and node to node */
	case 0x0c:
		return MAD_HEADER_END + 8;
	default:
		return SMP_DATA;
	}
}

/* The version of the class that the libraries speak (13.4.4, A10). */
static inline uint8_t mad_class_wire_version(int mgmt_class)
{
	return mgmt_class == UMAD_CLASS_SUBN_ADM || mgmt_class == UMAD_CLASS_CONG_MGMT ? 2 : 1;
}

/* The offset of the data of a class with RMPP, before which each segment repeats the headers; 0 for
 * other classes. */
static inline size_t mad_class_rmpp_data(uint8_t mgmt_class)
{
	switch (mgmt_class) {
	case UMAD_CLASS_SUBN_ADM:
		return SA_DATA;
	case UMAD_CLASS_DEVICE_MGMT:
	case UMAD_CLASS_DEVICE_ADM:
	case UMAD_CLASS_BIS:
		return DEVICE_DATA;
	default:
		return mad_class_is_vendor_range2(mgmt_class) ? VENDOR2_DATA : 0;
	}
}

#endif
