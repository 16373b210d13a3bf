/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* MAD headers, classes, methods and statuses that all management classes share.
 * Structures have the layout of the wire; their __be fields are in network order. Section names are
 * those of the InfiniBand Architecture Specification, volume 1. */
#ifndef INFINIBAND_UMAD_TYPES_H
#define INFINIBAND_UMAD_TYPES_H

#include <infiniband/umad.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of all MADs, and the well-known Q_Key of QP1 (host order). */
#define UMAD_BASE_VERSION 1
#define UMAD_QKEY	  0x80010000

/* Management classes. */
enum {
	UMAD_CLASS_SUBN_LID_ROUTED = 0x01,
	UMAD_CLASS_SUBN_ADM = 0x03,
	UMAD_CLASS_PERF_MGMT = 0x04,
	UMAD_CLASS_BM = 0x05,
	UMAD_CLASS_DEVICE_MGMT = 0x06,
	UMAD_CLASS_CM = 0x07,
	UMAD_CLASS_SNMP = 0x08,
	UMAD_CLASS_VENDOR_RANGE1_START = 0x09,
	UMAD_CLASS_VENDOR_RANGE1_END = 0x0f,
	UMAD_CLASS_APPLICATION_START = 0x10,
	UMAD_CLASS_DEVICE_ADM = 0x10,
	UMAD_CLASS_BOOT_MGMT = 0x11,
	UMAD_CLASS_BIS = 0x12,
	UMAD_CLASS_CONG_MGMT = 0x21,
	UMAD_CLASS_APPLICATION_END = 0x2f,
	UMAD_CLASS_VENDOR_RANGE2_START = 0x30,
	UMAD_CLASS_VENDOR_RANGE2_END = 0x4f,
	UMAD_CLASS_SUBN_DIRECTED_ROUTE = 0x81
};

/* Methods of all classes. Responses have UMAD_METHOD_RESP_MASK set. */
enum {
	UMAD_METHOD_GET = 0x01,
	UMAD_METHOD_SET = 0x02,
	UMAD_METHOD_SEND = 0x03,
	UMAD_METHOD_TRAP = 0x05,
	UMAD_METHOD_REPORT = 0x06,
	UMAD_METHOD_TRAP_REPRESS = 0x07,
	UMAD_METHOD_RESP_MASK = 0x80,
	UMAD_METHOD_GET_RESP = 0x81,
	UMAD_METHOD_REPORT_RESP = 0x86
};

/* The status field, host order. The three bits of UMAD_STATUS_INVALID_FIELD_MASK are a number; the
 * upper byte belongs to the class. */
enum {
	UMAD_STATUS_SUCCESS = 0x0000,
	UMAD_STATUS_BUSY = 0x0001,
	UMAD_STATUS_REDIRECT = 0x0002,
	UMAD_STATUS_BAD_VERSION = 0x0004,
	UMAD_STATUS_METHOD_NOT_SUPPORTED = 0x0008,
	UMAD_STATUS_ATTR_NOT_SUPPORTED = 0x000c,
	UMAD_STATUS_INVALID_ATTR_VALUE = 0x001c,
	UMAD_STATUS_INVALID_FIELD_MASK = 0x001c,
	UMAD_STATUS_CLASS_MASK = 0xff00
};

/* Attributes of all classes, host order. */
enum {
	UMAD_ATTR_CLASS_PORT_INFO = 0x0001,
	UMAD_ATTR_NOTICE = 0x0002,
	UMAD_ATTR_INFORM_INFO = 0x0003
};

/* The version of RMPP, the protocol for MADs of more than one packet. */
#define UMAD_RMPP_VERSION 1

/* Flags in rmpp_rtime_flags. */
enum {
	UMAD_RMPP_FLAG_ACTIVE = 1 << 0 /* the RMPP header is valid */
};

/* Bytes of the data area of the packets below. */
enum {
	UMAD_LEN_DATA = 232,
	UMAD_LEN_RMPP_DATA = 220,
	UMAD_LEN_DM_DATA = 192,
	UMAD_LEN_VENDOR_DATA = 216
};

/* The OUI of the Linux stack itself in vendor classes 0x30 to 0x4f, host order. */
enum { UMAD_OPENIB_OUI = 0x001405 };

/* Bits of umad_class_port_info.cap_mask2_resp_time that are the response time, host order. */
enum { UMAD_CLASS_RESP_TIME_MASK = 0x1f };

/* Common MAD header, first in every MAD. */
struct umad_hdr {
	uint8_t base_version; /* UMAD_BASE_VERSION */
	uint8_t mgmt_class;
	uint8_t class_version;
	uint8_t method;
	__be16 status;
	__be16 class_specific;
	__be64 tid; /* transaction ID; the kernel owns the upper half in MADs that are sent */
	__be16 attr_id;
	__be16 resv;
	__be32 attr_mod; /* attribute modifier */
};

/* RMPP header. */
struct umad_rmpp_hdr {
	uint8_t rmpp_version;
	uint8_t rmpp_type;
	uint8_t rmpp_rtime_flags; /* response time in the upper five bits, flags in the others */
	uint8_t rmpp_status;
	__be32 seg_num;	      /* segment number, from 1 */
	__be32 paylen_newwin; /* payload length in bytes, or new window, by type */
};

/* A MAD of a class without further headers. */
struct umad_packet {
	struct umad_hdr mad_hdr;
	uint8_t data[UMAD_LEN_DATA];
};

/* A MAD with the RMPP header. */
struct umad_rmpp_packet {
	struct umad_hdr mad_hdr;
	struct umad_rmpp_hdr rmpp_hdr;
	uint8_t data[UMAD_LEN_RMPP_DATA];
};

/* A MAD of the device management class. */
struct umad_dm_packet {
	struct umad_hdr mad_hdr;
	uint8_t reserved[40];
	uint8_t data[UMAD_LEN_DM_DATA];
};

/* A MAD of vendor classes 0x30 to 0x4f. */
struct umad_vendor_packet {
	struct umad_hdr mad_hdr;
	struct umad_rmpp_hdr rmpp_hdr;
	uint8_t reserved;
	uint8_t oui[3]; /* most significant byte first */
	uint8_t data[UMAD_LEN_VENDOR_DATA];
};

/* ClassPortInfo, the attribute that every class on QP1 has. */
struct umad_class_port_info {
	uint8_t base_ver;
	uint8_t class_ver;
	__be16 cap_mask;
	__be32 cap_mask2_resp_time; /* CapabilityMask2 in the upper 27 bits, RespTimeValue below */
	__extension__ union {
		uint8_t redir_gid[16]; /* the address for requests, if they are redirected */
		union umad_gid redirgid;
	};
	__be32 redir_tc_sl_fl; /* traffic class (8 bits), service level (4), flow label (20) */
	__be16 redir_lid;
	__be16 redir_pkey;
	__be32 redir_qp; /* queue pair in the lower 24 bits */
	__be32 redir_qkey;
	__extension__ union {
		uint8_t trap_gid[16]; /* the destination of traps */
		union umad_gid trapgid;
	};
	__be32 trap_tc_sl_fl; /* traffic class (8 bits), service level (4), flow label (20) */
	__be16 trap_lid;
	__be16 trap_pkey;
	__be32 trap_hl_qp; /* hop limit (8 bits), queue pair (24) */
	__be32 trap_qkey;
};

/* Converts a 32-bit value between network order and host order. */
static inline uint32_t umad_swap_be32(__be32 value)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	return __builtin_bswap32((uint32_t)value);
#else
	return (uint32_t)value;
#endif
}

/* Returns CapabilityMask2 (27 bits, host order) of a ClassPortInfo. */
static inline uint32_t umad_class_cap_mask2(struct umad_class_port_info *cpi)
{
	return umad_swap_be32(cpi->cap_mask2_resp_time) >> 5;
}

/* Returns RespTimeValue of a ClassPortInfo: responses arrive within 4.096 us * 2^RespTimeValue. */
static inline uint8_t umad_class_resp_time(struct umad_class_port_info *cpi)
{
	return (uint8_t)(umad_swap_be32(cpi->cap_mask2_resp_time) & UMAD_CLASS_RESP_TIME_MASK);
}

#ifdef __cplusplus
}
#endif

#endif /* INFINIBAND_UMAD_TYPES_H */
