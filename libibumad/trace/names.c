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
/* The name of the numbers from first to last of a kind; an array, because a pointer needs a
 * relocation. */
enum kind {
	CLASS, METHOD, SA_METHOD, ATTRIBUTE, SM_ATTRIBUTE, SA_ATTRIBUTE, CM_ATTRIBUTE, STATUS,
	SA_STATUS,
};
static const struct name {
	uint16_t first, last;
	uint8_t kind;
	char text[39];
} names[] = {
#define NAMES(kind, first, last, text) { first, last, kind, text "" },
#define NAME(kind, number, text) NAMES(kind, number, number, text)
	/* Volume 1, 13.4.4: management classes. */
	NAME(CLASS, UMAD_CLASS_SUBN_LID_ROUTED, "Subn")
	NAME(CLASS, UMAD_CLASS_SUBN_ADM, "SubnAdm")
	NAME(CLASS, UMAD_CLASS_PERF_MGMT, "Perf")
	NAME(CLASS, UMAD_CLASS_BM, "BM")
	NAME(CLASS, UMAD_CLASS_DEVICE_MGMT, "DevMgt")
	NAME(CLASS, UMAD_CLASS_CM, "ComMgt")
	NAME(CLASS, UMAD_CLASS_SNMP, "SNMP")
	NAMES(CLASS, UMAD_CLASS_VENDOR_RANGE1_START, UMAD_CLASS_VENDOR_RANGE1_END, "Vendor")
	NAME(CLASS, UMAD_CLASS_DEVICE_ADM, "DevAdm")
	NAME(CLASS, UMAD_CLASS_BOOT_MGMT, "BootMgt")
	NAME(CLASS, UMAD_CLASS_BIS, "BIS")
	NAMES(CLASS, UMAD_CLASS_BIS + 1, UMAD_CLASS_CONG_MGMT - 1, "Application")
	NAME(CLASS, UMAD_CLASS_CONG_MGMT, "CongestionManagment")
	NAMES(CLASS, UMAD_CLASS_CONG_MGMT + 1, UMAD_CLASS_APPLICATION_END, "Application")
	NAMES(CLASS, UMAD_CLASS_VENDOR_RANGE2_START, UMAD_CLASS_VENDOR_RANGE2_END, "Vendor")
	NAME(CLASS, UMAD_CLASS_SUBN_DIRECTED_ROUTE, "Subn")
	/* Volume 1, 13.4.5: methods of all classes. */
	NAME(METHOD, UMAD_METHOD_GET, "Get")
	NAME(METHOD, UMAD_METHOD_SET, "Set")
	NAME(METHOD, UMAD_METHOD_SEND, "Send")
	NAME(METHOD, UMAD_METHOD_TRAP, "Trap")
	NAME(METHOD, UMAD_METHOD_REPORT, "Report")
	NAME(METHOD, UMAD_METHOD_TRAP_REPRESS, "TrapRepress")
	NAME(METHOD, UMAD_METHOD_GET_RESP, "GetResp")
	NAME(METHOD, UMAD_METHOD_REPORT_RESP, "ReportResp")
	/* Volume 1, 15.2.2: methods of the SA besides the common ones. */
	NAME(SA_METHOD, UMAD_SA_METHOD_GET_TABLE, "GetTable")
	NAME(SA_METHOD, UMAD_SA_METHOD_GET_TRACE_TABLE, "GetTraceTable")
	NAME(SA_METHOD, UMAD_SA_METHOD_GET_MULTI, "GetMulti")
	NAME(SA_METHOD, UMAD_SA_METHOD_DELETE, "Delete")
	NAME(SA_METHOD, UMAD_SA_METHOD_GET_TABLE_RESP, "GetTableResp")
	NAME(SA_METHOD, UMAD_SA_METHOD_GET_MULTI_RESP, "GetMultiResp")
	NAME(SA_METHOD, UMAD_SA_METHOD_DELETE_RESP, "DeleteResp")
	/* Volume 1, 13.4.8: attributes of all classes. */
	NAME(ATTRIBUTE, UMAD_ATTR_CLASS_PORT_INFO, "Class Port Info")
	NAME(ATTRIBUTE, UMAD_ATTR_NOTICE, "Notice")
	NAME(ATTRIBUTE, UMAD_ATTR_INFORM_INFO, "Inform Info")
	/* Volume 1, 14.2.5: attributes of subnet management. */
	NAME(SM_ATTRIBUTE, UMAD_SM_ATTR_NODE_DESC, "NodeDescription")
	NAME(SM_ATTRIBUTE, UMAD_SM_ATTR_NODE_INFO, "NodeInfo")
	NAME(SM_ATTRIBUTE, UMAD_SM_ATTR_SWITCH_INFO, "SwitchInfo")
	NAME(SM_ATTRIBUTE, UMAD_SM_ATTR_GUID_INFO, "GUIDInfo")
	NAME(SM_ATTRIBUTE, UMAD_SM_ATTR_PORT_INFO, "PortInfo")
	NAME(SM_ATTRIBUTE, UMAD_SM_ATTR_PKEY_TABLE, "P_KeyTable")
	NAME(SM_ATTRIBUTE, UMAD_SM_ATTR_SLVL_TABLE, "SLtoVLMappingTable")
	NAME(SM_ATTRIBUTE, UMAD_SM_ATTR_VL_ARB_TABLE, "VLArbitrationTable")
	NAME(SM_ATTRIBUTE, UMAD_SM_ATTR_LINEAR_FT, "LinearForwardingTable")
	NAME(SM_ATTRIBUTE, UMAD_SM_ATTR_RANDOM_FT, "RandomForwardingTable")
	NAME(SM_ATTRIBUTE, UMAD_SM_ATTR_MCAST_FT, "MulticastForwardingTable")
	NAME(SM_ATTRIBUTE, UMAD_SM_ATTR_LINK_SPD_WIDTH_TABLE, "LinkSpeedWidthPairsTable")
	NAME(SM_ATTRIBUTE, UMAD_SM_ATTR_VENDOR_MADS_TABLE, "VendorSpecificMadsTable")
	NAME(SM_ATTRIBUTE, UMAD_SM_ATTR_HIERARCHY_INFO, "HierarchyInfo")
	NAME(SM_ATTRIBUTE, UMAD_SM_ATTR_SM_INFO, "SMInfo")
	NAME(SM_ATTRIBUTE, UMAD_SM_ATTR_VENDOR_DIAG, "VendorDiag")
	NAME(SM_ATTRIBUTE, UMAD_SM_ATTR_LED_INFO, "LedInfo")
	NAME(SM_ATTRIBUTE, UMAD_SM_ATTR_CABLE_INFO, "CableInfo")
	NAME(SM_ATTRIBUTE, UMAD_SM_ATTR_PORT_INFO_EXT, "PortInfoExtended")
	/* Volume 1, 15.2.5: attributes of the SA. */
	NAME(SA_ATTRIBUTE, UMAD_SA_ATTR_NODE_REC, "NodeRecord")
	NAME(SA_ATTRIBUTE, UMAD_SA_ATTR_PORT_INFO_REC, "PortInfoRecord")
	NAME(SA_ATTRIBUTE, UMAD_SA_ATTR_SLVL_REC, "SLtoVLMappingTableRecord")
	NAME(SA_ATTRIBUTE, UMAD_SA_ATTR_SWITCH_INFO_REC, "SwitchInfoRecord")
	NAME(SA_ATTRIBUTE, UMAD_SA_ATTR_LINEAR_FT_REC, "LinearForwardingTableRecord")
	NAME(SA_ATTRIBUTE, UMAD_SA_ATTR_RANDOM_FT_REC, "RandomForwardingTableRecord")
	NAME(SA_ATTRIBUTE, UMAD_SA_ATTR_MCAST_FT_REC, "MulticastForwardingTableRecord")
	NAME(SA_ATTRIBUTE, UMAD_SA_ATTR_SM_INFO_REC, "SMInfoRecord")
	NAME(SA_ATTRIBUTE, UMAD_SA_ATTR_LINK_SPD_WIDTH_TABLE_REC, "LinkSpeedWidthPairsTableRecord")
	NAME(SA_ATTRIBUTE, UMAD_SA_ATTR_LINK_REC, "LinkRecord")
	NAME(SA_ATTRIBUTE, UMAD_SA_ATTR_GUID_INFO_REC, "GuidInfoRecord")
	NAME(SA_ATTRIBUTE, UMAD_SA_ATTR_SERVICE_REC, "ServiceRecord")
	NAME(SA_ATTRIBUTE, UMAD_SA_ATTR_PKEY_TABLE_REC, "P_KeyTableRecord")
	NAME(SA_ATTRIBUTE, UMAD_SA_ATTR_PATH_REC, "PathRecord")
	NAME(SA_ATTRIBUTE, UMAD_SA_ATTR_VL_ARB_REC, "VLArbitrationTableRecord")
	NAME(SA_ATTRIBUTE, UMAD_SA_ATTR_MCMEMBER_REC, "MCMemberRecord")
	NAME(SA_ATTRIBUTE, UMAD_SA_ATTR_TRACE_REC, "TraceRecord")
	NAME(SA_ATTRIBUTE, UMAD_SA_ATTR_MULTI_PATH_REC, "MultiPathRecord")
	NAME(SA_ATTRIBUTE, UMAD_SA_ATTR_SERVICE_ASSOC_REC, "ServiceAssociationRecord")
	NAME(SA_ATTRIBUTE, UMAD_SA_ATTR_HIERARCHY_INFO_REC, "HierarchyInfoRecord")
	NAME(SA_ATTRIBUTE, UMAD_SA_ATTR_CABLE_INFO_REC, "CableInfoRecord")
	NAME(SA_ATTRIBUTE, UMAD_SA_ATTR_PORT_INFO_EXT_REC, "PortInfoExtendedRecord")
	NAME(SA_ATTRIBUTE, UMAD_SA_ATTR_INFORM_INFO_REC, "InformInfoRecord")
	/* Volume 1, 12.6: messages of communication management. */
	NAME(CM_ATTRIBUTE, UMAD_CM_ATTR_REQ, "ConnectRequest")
	NAME(CM_ATTRIBUTE, UMAD_CM_ATTR_MRA, "MsgRcptAck")
	NAME(CM_ATTRIBUTE, UMAD_CM_ATTR_REJ, "ConnectReject")
	NAME(CM_ATTRIBUTE, UMAD_CM_ATTR_REP, "ConnectReply")
	NAME(CM_ATTRIBUTE, UMAD_CM_ATTR_RTU, "ReadyToUse")
	NAME(CM_ATTRIBUTE, UMAD_CM_ATTR_DREQ, "DisconnectRequest")
	NAME(CM_ATTRIBUTE, UMAD_CM_ATTR_DREP, "DisconnectReply")
	NAME(CM_ATTRIBUTE, UMAD_CM_ATTR_SIDR_REQ, "ServiceIDResReq")
	NAME(CM_ATTRIBUTE, UMAD_CM_ATTR_SIDR_REP, "ServiceIDResReqResp")
	NAME(CM_ATTRIBUTE, UMAD_CM_ATTR_LAP, "LoadAlternatePath")
	NAME(CM_ATTRIBUTE, UMAD_CM_ATTR_APR, "AlternatePathResponse")
	NAME(CM_ATTRIBUTE, UMAD_CM_ATTR_SAP, "SuggestAlternatePath")
	NAME(CM_ATTRIBUTE, UMAD_CM_ATTR_SPR, "SuggestPathResponse")
	/* Volume 1, 13.4.7: the number in bits 2 to 4 of the status. The older library has always reported
	 * the reserved ones as success. */
	NAME(STATUS, 0, "Success")
	NAME(STATUS, STATUS_CODE(UMAD_STATUS_BAD_VERSION), "Bad Version")
	NAME(STATUS, STATUS_CODE(UMAD_STATUS_METHOD_NOT_SUPPORTED), "Method not supported")
	NAME(STATUS, STATUS_CODE(UMAD_STATUS_ATTR_NOT_SUPPORTED), "Method/Attribute combo not supported")
	NAMES(STATUS, 4, 6, "Success")
	NAME(STATUS, STATUS_CODE(UMAD_STATUS_INVALID_ATTR_VALUE), "Invalid attribute/modifier field")
	/* Volume 1, 15.4.2: statuses of the SA. */
	NAME(SA_STATUS, UMAD_SA_STATUS_SUCCESS, "Success")
	NAME(SA_STATUS, UMAD_SA_STATUS_NO_RESOURCES, "No Resources")
	NAME(SA_STATUS, UMAD_SA_STATUS_REQ_INVALID, "Request Invalid")
	NAME(SA_STATUS, UMAD_SA_STATUS_NO_RECORDS, "No Records")
	NAME(SA_STATUS, UMAD_SA_STATUS_TOO_MANY_RECORDS, "Too Many Records")
	NAME(SA_STATUS, UMAD_SA_STATUS_INVALID_GID, "Invalid GID")
	NAME(SA_STATUS, UMAD_SA_STATUS_INSUF_COMPS, "Insufficient Components")
	NAME(SA_STATUS, UMAD_SA_STATUS_REQ_DENIED, "Request Denied")
	NAME(SA_STATUS, UMAD_SA_STATUS_PRI_SUGGESTED, "Priority Suggested")
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
	const char *name = lookup(ATTRIBUTE, id, UNKNOWN);

	switch (mgmt_class) {
	case UMAD_CLASS_SUBN_LID_ROUTED:
	case UMAD_CLASS_SUBN_DIRECTED_ROUTE:
		return lookup(SM_ATTRIBUTE, id, name);
	case UMAD_CLASS_SUBN_ADM:
		return lookup(SA_ATTRIBUTE, id, name);
	case UMAD_CLASS_CM:
		return lookup(CM_ATTRIBUTE, id, name);
	default:
		return name;
	}
}
