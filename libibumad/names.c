/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * names.c - names of management classes, methods, attributes and statuses, as tables.
 *
 * The numbers come from MADs and are not trusted: each is checked against its table. Touches
 * nothing but constant data. The strings are what programs of the older library print and users
 * grep for, so the odd ones ("CongestionManagment", "<unknown" without its bracket) stay as they
 * are.
 */
#include <endian.h>
#include <stddef.h>
#include <stdint.h>

#include "public.h"

#define UNKNOWN	       "<unknown>"
#define UNKNOWN_METHOD "<unknown"
#define UNKNOWN_STATUS "Undefined Error"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

/* Volume 1, 13.4.4: management classes. */
/* clang-format off */
static const char *const class_names[UMAD_CLASS_SUBN_DIRECTED_ROUTE + 1] = {
	[UMAD_CLASS_SUBN_LID_ROUTED] = "Subn",
	[UMAD_CLASS_SUBN_ADM] = "SubnAdm",
	[UMAD_CLASS_PERF_MGMT] = "Perf",
	[UMAD_CLASS_BM] = "BM",
	[UMAD_CLASS_DEVICE_MGMT] = "DevMgt",
	[UMAD_CLASS_CM] = "ComMgt",
	[UMAD_CLASS_SNMP] = "SNMP",
	[UMAD_CLASS_VENDOR_RANGE1_START ... UMAD_CLASS_VENDOR_RANGE1_END] = "Vendor",
	[UMAD_CLASS_DEVICE_ADM] = "DevAdm",
	[UMAD_CLASS_BOOT_MGMT] = "BootMgt",
	[UMAD_CLASS_BIS] = "BIS",
	[UMAD_CLASS_BIS + 1 ... UMAD_CLASS_CONG_MGMT - 1] = "Application",
	[UMAD_CLASS_CONG_MGMT] = "CongestionManagment",
	[UMAD_CLASS_CONG_MGMT + 1 ... UMAD_CLASS_APPLICATION_END] = "Application",
	[UMAD_CLASS_VENDOR_RANGE2_START ... UMAD_CLASS_VENDOR_RANGE2_END] = "Vendor",
	[UMAD_CLASS_SUBN_DIRECTED_ROUTE] = "Subn",
};
/* clang-format on */

/* Volume 1, 13.4.5: methods of all classes. */
static const char *const common_methods[] = {
	[UMAD_METHOD_GET] = "Get",	    [UMAD_METHOD_SET] = "Set",
	[UMAD_METHOD_SEND] = "Send",	    [UMAD_METHOD_TRAP] = "Trap",
	[UMAD_METHOD_REPORT] = "Report",    [UMAD_METHOD_TRAP_REPRESS] = "TrapRepress",
	[UMAD_METHOD_GET_RESP] = "GetResp", [UMAD_METHOD_REPORT_RESP] = "ReportResp",
};

/* Volume 1, 15.2.2: methods of the SA besides the common ones. */
static const char *const sa_methods[] = {
	[UMAD_SA_METHOD_GET_TABLE] = "GetTable",
	[UMAD_SA_METHOD_GET_TRACE_TABLE] = "GetTraceTable",
	[UMAD_SA_METHOD_GET_MULTI] = "GetMulti",
	[UMAD_SA_METHOD_DELETE] = "Delete",
	[UMAD_SA_METHOD_GET_TABLE_RESP] = "GetTableResp",
	[UMAD_SA_METHOD_GET_MULTI_RESP] = "GetMultiResp",
	[UMAD_SA_METHOD_DELETE_RESP] = "DeleteResp",
};

/* Volume 1, 13.4.8: attributes of all classes. */
static const char *const common_attributes[] = {
	[UMAD_ATTR_CLASS_PORT_INFO] = "Class Port Info",
	[UMAD_ATTR_NOTICE] = "Notice",
	[UMAD_ATTR_INFORM_INFO] = "Inform Info",
};

/* Volume 1, 14.2.5: attributes of subnet management. */
static const char *const sm_attributes[] = {
	[UMAD_SM_ATTR_NODE_DESC] = "NodeDescription",
	[UMAD_SM_ATTR_NODE_INFO] = "NodeInfo",
	[UMAD_SM_ATTR_SWITCH_INFO] = "SwitchInfo",
	[UMAD_SM_ATTR_GUID_INFO] = "GUIDInfo",
	[UMAD_SM_ATTR_PORT_INFO] = "PortInfo",
	[UMAD_SM_ATTR_PKEY_TABLE] = "P_KeyTable",
	[UMAD_SM_ATTR_SLVL_TABLE] = "SLtoVLMappingTable",
	[UMAD_SM_ATTR_VL_ARB_TABLE] = "VLArbitrationTable",
	[UMAD_SM_ATTR_LINEAR_FT] = "LinearForwardingTable",
	[UMAD_SM_ATTR_RANDOM_FT] = "RandomForwardingTable",
	[UMAD_SM_ATTR_MCAST_FT] = "MulticastForwardingTable",
	[UMAD_SM_ATTR_LINK_SPD_WIDTH_TABLE] = "LinkSpeedWidthPairsTable",
	[UMAD_SM_ATTR_VENDOR_MADS_TABLE] = "VendorSpecificMadsTable",
	[UMAD_SM_ATTR_HIERARCHY_INFO] = "HierarchyInfo",
	[UMAD_SM_ATTR_SM_INFO] = "SMInfo",
	[UMAD_SM_ATTR_VENDOR_DIAG] = "VendorDiag",
	[UMAD_SM_ATTR_LED_INFO] = "LedInfo",
	[UMAD_SM_ATTR_CABLE_INFO] = "CableInfo",
	[UMAD_SM_ATTR_PORT_INFO_EXT] = "PortInfoExtended",
};

/* Volume 1, 15.2.5: attributes of the SA. */
static const char *const sa_attributes[] = {
	[UMAD_SA_ATTR_NODE_REC] = "NodeRecord",
	[UMAD_SA_ATTR_PORT_INFO_REC] = "PortInfoRecord",
	[UMAD_SA_ATTR_SLVL_REC] = "SLtoVLMappingTableRecord",
	[UMAD_SA_ATTR_SWITCH_INFO_REC] = "SwitchInfoRecord",
	[UMAD_SA_ATTR_LINEAR_FT_REC] = "LinearForwardingTableRecord",
	[UMAD_SA_ATTR_RANDOM_FT_REC] = "RandomForwardingTableRecord",
	[UMAD_SA_ATTR_MCAST_FT_REC] = "MulticastForwardingTableRecord",
	[UMAD_SA_ATTR_SM_INFO_REC] = "SMInfoRecord",
	[UMAD_SA_ATTR_LINK_SPD_WIDTH_TABLE_REC] = "LinkSpeedWidthPairsTableRecord",
	[UMAD_SA_ATTR_LINK_REC] = "LinkRecord",
	[UMAD_SA_ATTR_GUID_INFO_REC] = "GuidInfoRecord",
	[UMAD_SA_ATTR_SERVICE_REC] = "ServiceRecord",
	[UMAD_SA_ATTR_PKEY_TABLE_REC] = "P_KeyTableRecord",
	[UMAD_SA_ATTR_PATH_REC] = "PathRecord",
	[UMAD_SA_ATTR_VL_ARB_REC] = "VLArbitrationTableRecord",
	[UMAD_SA_ATTR_MCMEMBER_REC] = "MCMemberRecord",
	[UMAD_SA_ATTR_TRACE_REC] = "TraceRecord",
	[UMAD_SA_ATTR_MULTI_PATH_REC] = "MultiPathRecord",
	[UMAD_SA_ATTR_SERVICE_ASSOC_REC] = "ServiceAssociationRecord",
	[UMAD_SA_ATTR_HIERARCHY_INFO_REC] = "HierarchyInfoRecord",
	[UMAD_SA_ATTR_CABLE_INFO_REC] = "CableInfoRecord",
	[UMAD_SA_ATTR_PORT_INFO_EXT_REC] = "PortInfoExtendedRecord",
	[UMAD_SA_ATTR_INFORM_INFO_REC] = "InformInfoRecord",
};

/* Volume 1, 12.6: messages of communication management. */
static const char *const cm_attributes[] = {
	[UMAD_CM_ATTR_REQ] = "ConnectRequest",
	[UMAD_CM_ATTR_MRA] = "MsgRcptAck",
	[UMAD_CM_ATTR_REJ] = "ConnectReject",
	[UMAD_CM_ATTR_REP] = "ConnectReply",
	[UMAD_CM_ATTR_RTU] = "ReadyToUse",
	[UMAD_CM_ATTR_DREQ] = "DisconnectRequest",
	[UMAD_CM_ATTR_DREP] = "DisconnectReply",
	[UMAD_CM_ATTR_SIDR_REQ] = "ServiceIDResReq",
	[UMAD_CM_ATTR_SIDR_REP] = "ServiceIDResReqResp",
	[UMAD_CM_ATTR_LAP] = "LoadAlternatePath",
	[UMAD_CM_ATTR_APR] = "AlternatePathResponse",
	[UMAD_CM_ATTR_SAP] = "SuggestAlternatePath",
	[UMAD_CM_ATTR_SPR] = "SuggestPathResponse",
};

/* Volume 1, 13.4.7: the number in bits 2 to 4 of the status. The reserved ones have always been
 * reported as a success. */
#define STATUS_CODE(status) ((status) >> 2)
static const char *const status_codes[STATUS_CODE(UMAD_STATUS_INVALID_FIELD_MASK) + 1] = {
	[0] = "Success",
	[STATUS_CODE(UMAD_STATUS_BAD_VERSION)] = "Bad Version",
	[STATUS_CODE(UMAD_STATUS_METHOD_NOT_SUPPORTED)] = "Method not supported",
	[STATUS_CODE(UMAD_STATUS_ATTR_NOT_SUPPORTED)] = "Method/Attribute combo not supported",
	[4 ... 6] = "Success",
	[STATUS_CODE(UMAD_STATUS_INVALID_ATTR_VALUE)] = "Invalid attribute/modifier field",
};

/* Volume 1, 15.4.2: statuses of the SA. */
static const char *const sa_statuses[] = {
	[UMAD_SA_STATUS_SUCCESS] = "Success",
	[UMAD_SA_STATUS_NO_RESOURCES] = "No Resources",
	[UMAD_SA_STATUS_REQ_INVALID] = "Request Invalid",
	[UMAD_SA_STATUS_NO_RECORDS] = "No Records",
	[UMAD_SA_STATUS_TOO_MANY_RECORDS] = "Too Many Records",
	[UMAD_SA_STATUS_INVALID_GID] = "Invalid GID",
	[UMAD_SA_STATUS_INSUF_COMPS] = "Insufficient Components",
	[UMAD_SA_STATUS_REQ_DENIED] = "Request Denied",
	[UMAD_SA_STATUS_PRI_SUGGESTED] = "Priority Suggested",
};

_Static_assert(COUNT(class_names) == 0x82, "class names end with the directed route class");
_Static_assert(COUNT(common_methods) == 0x87, "common methods end with ReportResp");
_Static_assert(COUNT(sa_methods) == 0x96, "SA methods end with DeleteResp");
_Static_assert(COUNT(common_attributes) == 0x04, "common attributes end with InformInfo");
_Static_assert(COUNT(sm_attributes) == 0x34, "SM attributes end with PortInfoExtended");
_Static_assert(COUNT(sa_attributes) == 0xf4, "SA attributes end with InformInfoRecord");
_Static_assert(COUNT(cm_attributes) == 0x1d, "CM attributes end with SuggestPathResponse");
_Static_assert(COUNT(status_codes) == 8, "a status code has three bits");
_Static_assert(COUNT(sa_statuses) == 9, "SA statuses end with PriSuggested");

static const char *lookup(const char *const *names, size_t count, unsigned int number,
			  const char *otherwise)
{
	return number < count && names[number] ? names[number] : otherwise;
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
	return status_codes[STATUS_CODE(value & UMAD_STATUS_INVALID_FIELD_MASK)];
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
