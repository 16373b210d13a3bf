/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Attributes of the communication management class, in host order. */
#ifndef INFINIBAND_UMAD_CM_H
#define INFINIBAND_UMAD_CM_H

#include <infiniband/umad_types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Messages of communication management: each one is an attribute. */
enum {
	UMAD_CM_ATTR_REQ = 0x0010,	/* ConnectRequest */
	UMAD_CM_ATTR_MRA = 0x0011,	/* MsgRcptAck */
	UMAD_CM_ATTR_REJ = 0x0012,	/* ConnectReject */
	UMAD_CM_ATTR_REP = 0x0013,	/* ConnectReply */
	UMAD_CM_ATTR_RTU = 0x0014,	/* ReadyToUse */
	UMAD_CM_ATTR_DREQ = 0x0015,	/* DisconnectRequest */
	UMAD_CM_ATTR_DREP = 0x0016,	/* DisconnectReply */
	UMAD_CM_ATTR_SIDR_REQ = 0x0017, /* ServiceIDResReq */
	UMAD_CM_ATTR_SIDR_REP = 0x0018, /* ServiceIDResReqResp */
	UMAD_CM_ATTR_LAP = 0x0019,	/* LoadAlternatePath */
	UMAD_CM_ATTR_APR = 0x001a,	/* AlternatePathResponse */
	UMAD_CM_ATTR_SAP = 0x001b,	/* SuggestAlternatePath */
	UMAD_CM_ATTR_SPR = 0x001c	/* SuggestPathResponse */
};

#ifdef __cplusplus
}
#endif

#endif /* INFINIBAND_UMAD_CM_H */
