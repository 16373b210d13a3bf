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

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

/* The name of the numbers from first to last; an array, because a pointer needs a relocation. */
struct name {
	uint16_t first, last;
	char text[40];
};
#define NAMES(first, last, text)     \
	{                            \
		first, last, text "" \
	}
#define NAME(number, text) NAMES(number, number, text)

/* Volume 1, 13.4.4: management classes. */
static const struct name class_names[] = {
	NAME(UMAD_CLASS_SUBN_LID_ROUTED, "Subn"),
	NAME(UMAD_CLASS_SUBN_ADM, "SubnAdm"),
	NAME(UMAD_CLASS_PERF_MGMT, "Perf"),
	NAME(UMAD_CLASS_BM, "BM"),
	NAME(UMAD_CLASS_DEVICE_MGMT, "DevMgt"),
	NAME(UMAD_CLASS_CM, "ComMgt"),
	NAME(UMAD_CLASS_SNMP, "SNMP"),
	NAMES(UMAD_CLASS_VENDOR_RANGE1_START, UMAD_CLASS_VENDOR_RANGE1_END, "Vendor"),
	NAME(UMAD_CLASS_DEVICE_ADM, "DevAdm"),
	NAME(UMAD_CLASS_BOOT_MGMT, "BootMgt"),
	NAME(UMAD_CLASS_BIS, "BIS"),
	NAMES(UMAD_CLASS_BIS + 1, UMAD_CLASS_CONG_MGMT - 1, "Application"),
	NAME(UMAD_CLASS_CONG_MGMT, "CongestionManagment"),
	NAMES(UMAD_CLASS_CONG_MGMT + 1, UMAD_CLASS_APPLICATION_END, "Application"),
	NAMES(UMAD_CLASS_VENDOR_RANGE2_START, UMAD_CLASS_VENDOR_RANGE2_END, "Vendor"),
	NAME(UMAD_CLASS_SUBN_DIRECTED_ROUTE, "Subn"),
};

/* Volume 1, 13.4.5: methods of all classes. */
static const struct name common_methods[] = {
	NAME(UMAD_METHOD_GET, "Get"),	       NAME(UMAD_METHOD_SET, "Set"),
	NAME(UMAD_METHOD_SEND, "Send"),	       NAME(UMAD_METHOD_TRAP, "Trap"),
	NAME(UMAD_METHOD_REPORT, "Report"),    NAME(UMAD_METHOD_TRAP_REPRESS, "TrapRepress"),
	NAME(UMAD_METHOD_GET_RESP, "GetResp"), NAME(UMAD_METHOD_REPORT_RESP, "ReportResp"),
};

/* Volume 1, 15.2.2: methods of the SA besides the common ones. */
static const struct name sa_methods[] = {
	NAME(UMAD_SA_METHOD_GET_TABLE, "GetTable"),
	NAME(UMAD_SA_METHOD_GET_TRACE_TABLE, "GetTraceTable"),
	NAME(UMAD_SA_METHOD_GET_MULTI, "GetMulti"),
	NAME(UMAD_SA_METHOD_DELETE, "Delete"),
	NAME(UMAD_SA_METHOD_GET_TABLE_RESP, "GetTableResp"),
	NAME(UMAD_SA_METHOD_GET_MULTI_RESP, "GetMultiResp"),
	NAME(UMAD_SA_METHOD_DELETE_RESP, "DeleteResp"),
};

/* Volume 1, 13.4.8: attributes of all classes. */
static const struct name common_attributes[] = {
	NAME(UMAD_ATTR_CLASS_PORT_INFO, "Class Port Info"),
	NAME(UMAD_ATTR_NOTICE, "Notice"),
	NAME(UMAD_ATTR_INFORM_INFO, "Inform Info"),
};

/* Volume 1, 14.2.5: attributes of subnet management. */
static const struct name sm_attributes[] = {
	NAME(UMAD_SM_ATTR_NODE_DESC, "NodeDescription"),
	NAME(UMAD_SM_ATTR_NODE_INFO, "NodeInfo"),
	NAME(UMAD_SM_ATTR_SWITCH_INFO, "SwitchInfo"),
	NAME(UMAD_SM_ATTR_GUID_INFO, "GUIDInfo"),
	NAME(UMAD_SM_ATTR_PORT_INFO, "PortInfo"),
	NAME(UMAD_SM_ATTR_PKEY_TABLE, "P_KeyTable"),
	NAME(UMAD_SM_ATTR_SLVL_TABLE, "SLtoVLMappingTable"),
	NAME(UMAD_SM_ATTR_VL_ARB_TABLE, "VLArbitrationTable"),
	NAME(UMAD_SM_ATTR_LINEAR_FT, "LinearForwardingTable"),
	NAME(UMAD_SM_ATTR_RANDOM_FT, "RandomForwardingTable"),
	NAME(UMAD_SM_ATTR_MCAST_FT, "MulticastForwardingTable"),
	NAME(UMAD_SM_ATTR_LINK_SPD_WIDTH_TABLE, "LinkSpeedWidthPairsTable"),
	NAME(UMAD_SM_ATTR_VENDOR_MADS_TABLE, "VendorSpecificMadsTable"),
	NAME(UMAD_SM_ATTR_HIERARCHY_INFO, "HierarchyInfo"),
	NAME(UMAD_SM_ATTR_SM_INFO, "SMInfo"),
	NAME(UMAD_SM_ATTR_VENDOR_DIAG, "VendorDiag"),
	NAME(UMAD_SM_ATTR_LED_INFO, "LedInfo"),
	NAME(UMAD_SM_ATTR_CABLE_INFO, "CableInfo"),
	NAME(UMAD_SM_ATTR_PORT_INFO_EXT, "PortInfoExtended"),
};

/* Volume 1, 15.2.5: attributes of the SA. */
static const struct name sa_attributes[] = {
	NAME(UMAD_SA_ATTR_NODE_REC, "NodeRecord"),
	NAME(UMAD_SA_ATTR_PORT_INFO_REC, "PortInfoRecord"),
	NAME(UMAD_SA_ATTR_SLVL_REC, "SLtoVLMappingTableRecord"),
	NAME(UMAD_SA_ATTR_SWITCH_INFO_REC, "SwitchInfoRecord"),
	NAME(UMAD_SA_ATTR_LINEAR_FT_REC, "LinearForwardingTableRecord"),
	NAME(UMAD_SA_ATTR_RANDOM_FT_REC, "RandomForwardingTableRecord"),
	NAME(UMAD_SA_ATTR_MCAST_FT_REC, "MulticastForwardingTableRecord"),
	NAME(UMAD_SA_ATTR_SM_INFO_REC, "SMInfoRecord"),
	NAME(UMAD_SA_ATTR_LINK_SPD_WIDTH_TABLE_REC, "LinkSpeedWidthPairsTableRecord"),
	NAME(UMAD_SA_ATTR_LINK_REC, "LinkRecord"),
	NAME(UMAD_SA_ATTR_GUID_INFO_REC, "GuidInfoRecord"),
	NAME(UMAD_SA_ATTR_SERVICE_REC, "ServiceRecord"),
	NAME(UMAD_SA_ATTR_PKEY_TABLE_REC, "P_KeyTableRecord"),
	NAME(UMAD_SA_ATTR_PATH_REC, "PathRecord"),
	NAME(UMAD_SA_ATTR_VL_ARB_REC, "VLArbitrationTableRecord"),
	NAME(UMAD_SA_ATTR_MCMEMBER_REC, "MCMemberRecord"),
	NAME(UMAD_SA_ATTR_TRACE_REC, "TraceRecord"),
	NAME(UMAD_SA_ATTR_MULTI_PATH_REC, "MultiPathRecord"),
	NAME(UMAD_SA_ATTR_SERVICE_ASSOC_REC, "ServiceAssociationRecord"),
	NAME(UMAD_SA_ATTR_HIERARCHY_INFO_REC, "HierarchyInfoRecord"),
	NAME(UMAD_SA_ATTR_CABLE_INFO_REC, "CableInfoRecord"),
	NAME(UMAD_SA_ATTR_PORT_INFO_EXT_REC, "PortInfoExtendedRecord"),
	NAME(UMAD_SA_ATTR_INFORM_INFO_REC, "InformInfoRecord"),
};

/* Volume 1, 12.6: messages of communication management. */
static const struct name cm_attributes[] = {
	NAME(UMAD_CM_ATTR_REQ, "ConnectRequest"),
	NAME(UMAD_CM_ATTR_MRA, "MsgRcptAck"),
	NAME(UMAD_CM_ATTR_REJ, "ConnectReject"),
	NAME(UMAD_CM_ATTR_REP, "ConnectReply"),
	NAME(UMAD_CM_ATTR_RTU, "ReadyToUse"),
	NAME(UMAD_CM_ATTR_DREQ, "DisconnectRequest"),
	NAME(UMAD_CM_ATTR_DREP, "DisconnectReply"),
	NAME(UMAD_CM_ATTR_SIDR_REQ, "ServiceIDResReq"),
	NAME(UMAD_CM_ATTR_SIDR_REP, "ServiceIDResReqResp"),
	NAME(UMAD_CM_ATTR_LAP, "LoadAlternatePath"),
	NAME(UMAD_CM_ATTR_APR, "AlternatePathResponse"),
	NAME(UMAD_CM_ATTR_SAP, "SuggestAlternatePath"),
	NAME(UMAD_CM_ATTR_SPR, "SuggestPathResponse"),
};

/* Volume 1, 13.4.7: the number in bits 2 to 4 of the status. The older library has always reported
 * the reserved ones as success. */
#define STATUS_CODE(status) ((status) >> 2)
static const struct name status_codes[] = {
	NAME(0, "Success"),
	NAME(STATUS_CODE(UMAD_STATUS_BAD_VERSION), "Bad Version"),
	NAME(STATUS_CODE(UMAD_STATUS_METHOD_NOT_SUPPORTED), "Method not supported"),
	NAME(STATUS_CODE(UMAD_STATUS_ATTR_NOT_SUPPORTED), "Method/Attribute combo not supported"),
	NAMES(4, 6, "Success"),
	NAME(STATUS_CODE(UMAD_STATUS_INVALID_ATTR_VALUE), "Invalid attribute/modifier field"),
};

/* Volume 1, 15.4.2: statuses of the SA. */
static const struct name sa_statuses[] = {
	NAME(UMAD_SA_STATUS_SUCCESS, "Success"),
	NAME(UMAD_SA_STATUS_NO_RESOURCES, "No Resources"),
	NAME(UMAD_SA_STATUS_REQ_INVALID, "Request Invalid"),
	NAME(UMAD_SA_STATUS_NO_RECORDS, "No Records"),
	NAME(UMAD_SA_STATUS_TOO_MANY_RECORDS, "Too Many Records"),
	NAME(UMAD_SA_STATUS_INVALID_GID, "Invalid GID"),
	NAME(UMAD_SA_STATUS_INSUF_COMPS, "Insufficient Components"),
	NAME(UMAD_SA_STATUS_REQ_DENIED, "Request Denied"),
	NAME(UMAD_SA_STATUS_PRI_SUGGESTED, "Priority Suggested"),
};

static const char *lookup(const struct name *names, size_t count, unsigned int number,
			  const char *otherwise)
{
	for (size_t i = 0; i < count; i++)
		if (number >= names[i].first && number <= names[i].last)
			return names[i].text;
	return otherwise;
}

#define LOOKUP(table, number, otherwise) lookup(table, COUNT(table), number, otherwise)

const char *umad_class_str(uint8_t mgmt_class)
{
	return LOOKUP(class_names, mgmt_class, UNKNOWN);
}

const char *umad_method_str(uint8_t mgmt_class, uint8_t method)
{
	const char *name = LOOKUP(common_methods, method, UNKNOWN_METHOD);

	if (mgmt_class == UMAD_CLASS_SUBN_ADM)
		return LOOKUP(sa_methods, method, name);
	return name;
}

const char *umad_common_mad_status_str(__be16 status)
{
	const unsigned int value = be16toh(status);

	if (value & UMAD_STATUS_BUSY)
		return "Busy";
	if (value & UMAD_STATUS_REDIRECT)
		return "Redirection required";
	return LOOKUP(status_codes, STATUS_CODE(value & UMAD_STATUS_INVALID_FIELD_MASK),
		      UNKNOWN_STATUS);
}

const char *umad_sa_mad_status_str(__be16 status)
{
	return LOOKUP(sa_statuses, be16toh(status) >> 8, UNKNOWN_STATUS);
}

const char *umad_attribute_str(uint8_t mgmt_class, __be16 attr_id)
{
	const unsigned int id = be16toh(attr_id);
	const char *name = LOOKUP(common_attributes, id, UNKNOWN);

	switch (mgmt_class) {
	case UMAD_CLASS_SUBN_LID_ROUTED:
	case UMAD_CLASS_SUBN_DIRECTED_ROUTE:
		return LOOKUP(sm_attributes, id, name);
	case UMAD_CLASS_SUBN_ADM:
		return LOOKUP(sa_attributes, id, name);
	case UMAD_CLASS_CM:
		return LOOKUP(cm_attributes, id, name);
	default:
		return name;
	}
}
