/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Names of management classes, methods, attributes and statuses, as tables. Programs print these
 * strings and users grep for them, so odd ones of the older library ("CongestionManagment",
 * "<unknown" without its bracket) stay.
 */
#include <endian.h>
#include <stddef.h>
#include <stdint.h>

#include "libibumad/public.h"

#define UNKNOWN	       "<unknown>"
#define UNKNOWN_METHOD "<unknown"
#define UNKNOWN_STATUS "Undefined Error"

#define STATUS_CODE(status) ((status) >> 2)

/* clang-format off */
/* The name of the numbers from first to last of a kind, unless an earlier row has another; an array,
 * because a pointer needs a relocation. */
enum kind {
	CLASS, METHOD, SA_METHOD, ATTR, SM_ATTR, SA_ATTR, CM_ATTR, STATUS, SA_STATUS,
};
static const struct name {
	uint16_t first, last;
	uint8_t kind;
	char text[39];
} names[] = {
#define NAMES(kind, first, last, text) { first, last, kind, text "" },
#define NUMBER(kind, number, text) NAMES(kind, number, number, text)
#define NAME(kind, number, text) NUMBER(kind, UMAD_##kind##_##number, text)
	/* Volume 1, 13.4.4: management classes. */
	NAME(CLASS, SUBN_LID_ROUTED, "Subn") NAME(CLASS, SUBN_ADM, "SubnAdm")
	NAME(CLASS, PERF_MGMT, "Perf") NAME(CLASS, BM, "BM") NAME(CLASS, DEVICE_MGMT, "DevMgt")
	NAME(CLASS, CM, "ComMgt") NAME(CLASS, SNMP, "SNMP")
	NAMES(CLASS, UMAD_CLASS_VENDOR_RANGE1_START, UMAD_CLASS_VENDOR_RANGE1_END, "Vendor")
	NAME(CLASS, DEVICE_ADM, "DevAdm") NAME(CLASS, BOOT_MGMT, "BootMgt") NAME(CLASS, BIS, "BIS")
	NAME(CLASS, CONG_MGMT, "CongestionManagment")
	NAMES(CLASS, UMAD_CLASS_BIS + 1, UMAD_CLASS_APPLICATION_END, "Application")
	NAMES(CLASS, UMAD_CLASS_VENDOR_RANGE2_START, UMAD_CLASS_VENDOR_RANGE2_END, "Vendor")
	NAME(CLASS, SUBN_DIRECTED_ROUTE, "Subn")
	/* Volume 1, 13.4.5: methods of all classes. */
	NAME(METHOD, GET, "Get") NAME(METHOD, SET, "Set") NAME(METHOD, SEND, "Send")
	NAME(METHOD, TRAP, "Trap") NAME(METHOD, REPORT, "Report")
	NAME(METHOD, TRAP_REPRESS, "TrapRepress") NAME(METHOD, GET_RESP, "GetResp")
	NAME(METHOD, REPORT_RESP, "ReportResp")
	/* Volume 1, 15.2.2: methods of the SA besides the common ones. */
	NAME(SA_METHOD, GET_TABLE, "GetTable") NAME(SA_METHOD, GET_TRACE_TABLE, "GetTraceTable")
	NAME(SA_METHOD, GET_MULTI, "GetMulti") NAME(SA_METHOD, DELETE, "Delete")
	NAME(SA_METHOD, GET_TABLE_RESP, "GetTableResp")
	NAME(SA_METHOD, GET_MULTI_RESP, "GetMultiResp") NAME(SA_METHOD, DELETE_RESP, "DeleteResp")
	/* Volume 1, 13.4.8: attributes of all classes. */
	NAME(ATTR, CLASS_PORT_INFO, "Class Port Info") NAME(ATTR, NOTICE, "Notice")
	NAME(ATTR, INFORM_INFO, "Inform Info")
	/* Volume 1, 14.2.5: attributes of subnet management. */
	NAME(SM_ATTR, NODE_DESC, "NodeDescription") NAME(SM_ATTR, NODE_INFO, "NodeInfo")
	NAME(SM_ATTR, SWITCH_INFO, "SwitchInfo") NAME(SM_ATTR, GUID_INFO, "GUIDInfo")
	NAME(SM_ATTR, PORT_INFO, "PortInfo") NAME(SM_ATTR, PKEY_TABLE, "P_KeyTable")
	NAME(SM_ATTR, SLVL_TABLE, "SLtoVLMappingTable")
	NAME(SM_ATTR, VL_ARB_TABLE, "VLArbitrationTable")
	NAME(SM_ATTR, LINEAR_FT, "LinearForwardingTable")
	NAME(SM_ATTR, RANDOM_FT, "RandomForwardingTable")
	NAME(SM_ATTR, MCAST_FT, "MulticastForwardingTable")
	NAME(SM_ATTR, LINK_SPD_WIDTH_TABLE, "LinkSpeedWidthPairsTable")
	NAME(SM_ATTR, VENDOR_MADS_TABLE, "VendorSpecificMadsTable")
	NAME(SM_ATTR, HIERARCHY_INFO, "HierarchyInfo") NAME(SM_ATTR, SM_INFO, "SMInfo")
	NAME(SM_ATTR, VENDOR_DIAG, "VendorDiag") NAME(SM_ATTR, LED_INFO, "LedInfo")
	NAME(SM_ATTR, CABLE_INFO, "CableInfo") NAME(SM_ATTR, PORT_INFO_EXT, "PortInfoExtended")
	/* Volume 1, 15.2.5: attributes of the SA. */
	NAME(SA_ATTR, NODE_REC, "NodeRecord") NAME(SA_ATTR, PORT_INFO_REC, "PortInfoRecord")
	NAME(SA_ATTR, SLVL_REC, "SLtoVLMappingTableRecord")
	NAME(SA_ATTR, SWITCH_INFO_REC, "SwitchInfoRecord")
	NAME(SA_ATTR, LINEAR_FT_REC, "LinearForwardingTableRecord")
	NAME(SA_ATTR, RANDOM_FT_REC, "RandomForwardingTableRecord")
	NAME(SA_ATTR, MCAST_FT_REC, "MulticastForwardingTableRecord")
	NAME(SA_ATTR, SM_INFO_REC, "SMInfoRecord")
	NAME(SA_ATTR, LINK_SPD_WIDTH_TABLE_REC, "LinkSpeedWidthPairsTableRecord")
	NAME(SA_ATTR, LINK_REC, "LinkRecord") NAME(SA_ATTR, GUID_INFO_REC, "GuidInfoRecord")
	NAME(SA_ATTR, SERVICE_REC, "ServiceRecord")
	NAME(SA_ATTR, PKEY_TABLE_REC, "P_KeyTableRecord") NAME(SA_ATTR, PATH_REC, "PathRecord")
	NAME(SA_ATTR, VL_ARB_REC, "VLArbitrationTableRecord")
	NAME(SA_ATTR, MCMEMBER_REC, "MCMemberRecord") NAME(SA_ATTR, TRACE_REC, "TraceRecord")
	NAME(SA_ATTR, MULTI_PATH_REC, "MultiPathRecord")
	NAME(SA_ATTR, SERVICE_ASSOC_REC, "ServiceAssociationRecord")
	NAME(SA_ATTR, HIERARCHY_INFO_REC, "HierarchyInfoRecord")
	NAME(SA_ATTR, CABLE_INFO_REC, "CableInfoRecord")
	NAME(SA_ATTR, PORT_INFO_EXT_REC, "PortInfoExtendedRecord")
	NAME(SA_ATTR, INFORM_INFO_REC, "InformInfoRecord")
	/* Volume 1, 12.6: messages of communication management. */
	NAME(CM_ATTR, REQ, "ConnectRequest") NAME(CM_ATTR, MRA, "MsgRcptAck")
	NAME(CM_ATTR, REJ, "ConnectReject") NAME(CM_ATTR, REP, "ConnectReply")
	NAME(CM_ATTR, RTU, "ReadyToUse") NAME(CM_ATTR, DREQ, "DisconnectRequest")
	NAME(CM_ATTR, DREP, "DisconnectReply") NAME(CM_ATTR, SIDR_REQ, "ServiceIDResReq")
	NAME(CM_ATTR, SIDR_REP, "ServiceIDResReqResp") NAME(CM_ATTR, LAP, "LoadAlternatePath")
	NAME(CM_ATTR, APR, "AlternatePathResponse") NAME(CM_ATTR, SAP, "SuggestAlternatePath")
	NAME(CM_ATTR, SPR, "SuggestPathResponse")
	/* Volume 1, 13.4.7: the number in bits 2 to 4 of the status. The older library has always reported
	 * the reserved ones as success. */
	NUMBER(STATUS, 0, "Success")
	NUMBER(STATUS, STATUS_CODE(UMAD_STATUS_BAD_VERSION), "Bad Version")
	NUMBER(STATUS, STATUS_CODE(UMAD_STATUS_METHOD_NOT_SUPPORTED), "Method not supported")
	NUMBER(STATUS, STATUS_CODE(UMAD_STATUS_ATTR_NOT_SUPPORTED), "Method/Attribute combo not supported")
	NAMES(STATUS, 4, 6, "Success")
	NUMBER(STATUS, STATUS_CODE(UMAD_STATUS_INVALID_ATTR_VALUE), "Invalid attribute/modifier field")
	/* Volume 1, 15.4.2: statuses of the SA. */
	NAME(SA_STATUS, SUCCESS, "Success") NAME(SA_STATUS, NO_RESOURCES, "No Resources")
	NAME(SA_STATUS, REQ_INVALID, "Request Invalid") NAME(SA_STATUS, NO_RECORDS, "No Records")
	NAME(SA_STATUS, TOO_MANY_RECORDS, "Too Many Records")
	NAME(SA_STATUS, INVALID_GID, "Invalid GID")
	NAME(SA_STATUS, INSUF_COMPS, "Insufficient Components")
	NAME(SA_STATUS, REQ_DENIED, "Request Denied")
	NAME(SA_STATUS, PRI_SUGGESTED, "Priority Suggested")
};
/* clang-format on */

static const char *lookup(enum kind kind, unsigned int number, const char *otherwise)
{
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (names[i].kind == kind && number >= names[i].first && number <= names[i].last)
			return names[i].text;
	return otherwise;
}

const char *umad_class_str(uint8_t mgmt_class)
{
	return lookup(CLASS, mgmt_class, UNKNOWN);
}

const char *umad_method_str(uint8_t mgmt_class, uint8_t method)
{
	const char *name = lookup(METHOD, method, UNKNOWN_METHOD);

	if (mgmt_class == UMAD_CLASS_SUBN_ADM)
		return lookup(SA_METHOD, method, name);
	return name;
}

const char *umad_common_mad_status_str(__be16 status)
{
	const unsigned int value = be16toh(status);

	if (value & UMAD_STATUS_BUSY)
		return "Busy";
	if (value & UMAD_STATUS_REDIRECT)
		return "Redirection required";
	return lookup(STATUS, STATUS_CODE(value & UMAD_STATUS_INVALID_FIELD_MASK), UNKNOWN_STATUS);
}

const char *umad_sa_mad_status_str(__be16 status)
{
	return lookup(SA_STATUS, be16toh(status) >> 8, UNKNOWN_STATUS);
}

const char *umad_attribute_str(uint8_t mgmt_class, __be16 attr_id)
{
	const unsigned int id = be16toh(attr_id);
	const char *name = lookup(ATTR, id, UNKNOWN);

	switch (mgmt_class) {
	case UMAD_CLASS_SUBN_LID_ROUTED:
	case UMAD_CLASS_SUBN_DIRECTED_ROUTE:
		return lookup(SM_ATTR, id, name);
	case UMAD_CLASS_SUBN_ADM:
		return lookup(SA_ATTR, id, name);
	case UMAD_CLASS_CM:
		return lookup(CM_ATTR, id, name);
	default:
		return name;
	}
}
