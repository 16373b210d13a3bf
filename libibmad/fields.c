/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * THE field table: where each field of each attribute lies, its name, and how it is printed. The
 * groups stand in the order of enum MAD_FIELDS. It is constant data without pointers.
 */
#include "fields.h"

/* Adds nothing to a number, and does not compile where the condition does not hold. */
#define MUST(condition) (0 * sizeof(struct { int it : (condition) ? 1 : -1; }))

/* The bits of a value of that length; 0 for what is longer than a word. */
#define MASK(length) ((length) <= 32 ? (uint32_t)((UINT64_C(1) << ((length) % 64)) - 1) : 0)

/* The bits between the end of a field that begins with a byte, longer than one, and its last. */
#define OVERFLOW(bit_offset, length) \
	((length) > 8 && (length) <= 32 && (bit_offset) % 8 == 0 ? (8 - (length) % 8) % 8 : 0)

/*
 * One field: its bit offset (up to 32 bits: from the least significant bit of the big-endian word
 * it lies in; longer: from the start), its length in bits, its printed name and its format.
 */
#define FIELD(bit_offset, length, text, form)                                                 \
	{                                                                                     \
		.mask = MASK(length),                                                         \
		.offset = ((length) <= 32 ? (bit_offset) / 32 * 4 : (bit_offset) / 8) +       \
			  MUST((length) > 32 ? (bit_offset) % 8 == 0 && (length) % 8 == 0     \
					     : (bit_offset) % 32 + (length) <= 32),           \
		.bits = (length) + MUST((length) > 0 && (length) <= IB_MAD_SIZE * 8),         \
		.shift = (length) <= 32 ? (bit_offset) % 32 : 0, .format = MAD_FORMAT_##form, \
		.name_length = sizeof(text) - 1 + MUST(sizeof(text) <= IB_FIELD_NAME_LEN),    \
		.overflow = OVERFLOW(bit_offset, length), .name = text,                       \
	}

/* An id without a field: none, or the end of a group. */
#define NOTHING           \
	{                 \
		.bits = 0 \
	}

/* clang-format off */
const struct mad_field mad_fields[IB_FIELD_LAST_ + 1] = {
	/* No field */
	[IB_NO_FIELD] = NOTHING,

	/* GID: a subnet prefix, then an interface GUID */
	[IB_GID_PREFIX_F] = FIELD(0, 64, "GidPrefix", RHEX),
	[IB_GID_GUID_F] = FIELD(64, 64, "GidGuid", RHEX),

	/* Common MAD header, with its directed route form (IB_DRSMP_*) */
	[IB_MAD_METHOD_F] = FIELD(0, 7, "MadMethod", HEX),
	[IB_MAD_RESPONSE_F] = FIELD(7, 1, "MadIsResponse", UINT),
	[IB_MAD_CLASSVER_F] = FIELD(8, 8, "MadClassVersion", UINT),
	[IB_MAD_MGMTCLASS_F] = FIELD(16, 8, "MadMgmtClass", UINT),
	[IB_MAD_BASEVER_F] = FIELD(24, 8, "MadBaseVersion", UINT),
	[IB_MAD_STATUS_F] = FIELD(48, 16, "MadStatus", HEX),
	[IB_DRSMP_HOPCNT_F] = FIELD(32, 8, "DrSmpHopCnt", UINT),
	[IB_DRSMP_HOPPTR_F] = FIELD(40, 8, "DrSmpHopPtr", UINT),
	[IB_DRSMP_STATUS_F] = FIELD(48, 15, "DrSmpStatus", HEX),
	[IB_DRSMP_DIRECTION_F] = FIELD(63, 1, "DrSmpDirection", UINT),
	[IB_MAD_TRID_F] = FIELD(64, 64, "MadTRID", HEX),
	[IB_MAD_ATTRID_F] = FIELD(144, 16, "MadAttr", HEX),
	[IB_MAD_ATTRMOD_F] = FIELD(160, 32, "MadModifier", HEX),
	[IB_MAD_MKEY_F] = FIELD(192, 64, "MadMkey", HEX),
	[IB_DRSMP_DRDLID_F] = FIELD(256, 16, "DrSmpDLID", UINT),
	[IB_DRSMP_DRSLID_F] = FIELD(272, 16, "DrSmpSLID", UINT),

	/* SA header and data; SM, GS and directed route data areas */
	[IB_SA_MKEY_F] = FIELD(288, 64, "SaSMkey", HEX),
	[IB_SA_ATTROFFS_F] = FIELD(368, 16, "SaAttrOffs", UINT),
	[IB_SA_COMPMASK_F] = FIELD(384, 64, "SaCompMask", HEX),
	[IB_SA_DATA_F] = FIELD(448, 1600, "SaData", HEX),
	[IB_SM_DATA_F] = NOTHING,
	[IB_GS_DATA_F] = FIELD(512, 1536, "GsData", HEX),
	[IB_DRSMP_PATH_F] = FIELD(1024, 512, "DrSmpPath", HEX),
	[IB_DRSMP_RPATH_F] = FIELD(1536, 512, "DrSmpRetPath", HEX),

	/* PortInfo (SMP 0x15); its later fields stand further down */
	[IB_PORT_MKEY_F] = FIELD(0, 64, "Mkey", HEX),
	[IB_PORT_GID_PREFIX_F] = FIELD(64, 64, "GidPrefix", HEX),
	[IB_PORT_LID_F] = FIELD(144, 16, "Lid", UINT),
	[IB_PORT_SMLID_F] = FIELD(128, 16, "SMLid", UINT),
	[IB_PORT_CAPMASK_F] = FIELD(160, 32, "CapMask", CAP_MASK),
	[IB_PORT_DIAG_F] = FIELD(208, 16, "DiagCode", HEX),
	[IB_PORT_MKEY_LEASE_F] = FIELD(192, 16, "MkeyLeasePeriod", UINT),
	[IB_PORT_LOCAL_PORT_F] = FIELD(248, 8, "LocalPort", UINT),
	[IB_PORT_LINK_WIDTH_ENABLED_F] = FIELD(240, 8, "LinkWidthEnabled", LINK_WIDTH_ENABLED),
	[IB_PORT_LINK_WIDTH_SUPPORTED_F] =
		FIELD(232, 8, "LinkWidthSupported", LINK_WIDTH_SUPPORTED),
	[IB_PORT_LINK_WIDTH_ACTIVE_F] = FIELD(224, 8, "LinkWidthActive", LINK_WIDTH),
	[IB_PORT_LINK_SPEED_SUPPORTED_F] =
		FIELD(284, 4, "LinkSpeedSupported", LINK_SPEED_SUPPORTED),
	[IB_PORT_STATE_F] = FIELD(280, 4, "LinkState", PORT_STATE),
	[IB_PORT_PHYS_STATE_F] = FIELD(276, 4, "PhysLinkState", PHYS_STATE),
	[IB_PORT_LINK_DOWN_DEF_F] = FIELD(272, 4, "LinkDownDefState", LINK_DOWN_DEFAULT),
	[IB_PORT_MKEY_PROT_BITS_F] = FIELD(270, 2, "ProtectBits", UINT),
	[IB_PORT_LMC_F] = FIELD(264, 3, "LMC", UINT),
	[IB_PORT_LINK_SPEED_ACTIVE_F] = FIELD(260, 4, "LinkSpeedActive", LINK_SPEED),
	[IB_PORT_LINK_SPEED_ENABLED_F] = FIELD(256, 4, "LinkSpeedEnabled", LINK_SPEED_SUPPORTED),
	[IB_PORT_NEIGHBOR_MTU_F] = FIELD(316, 4, "NeighborMTU", MTU),
	[IB_PORT_SMSL_F] = FIELD(312, 4, "SMSL", UINT),
	[IB_PORT_VL_CAP_F] = FIELD(308, 4, "VLCap", VL_CAP),
	[IB_PORT_INIT_TYPE_F] = FIELD(304, 4, "InitType", HEX),
	[IB_PORT_VL_HIGH_LIMIT_F] = FIELD(296, 8, "VLHighLimit", UINT),
	[IB_PORT_VL_ARBITRATION_HIGH_CAP_F] = FIELD(288, 8, "VLArbHighCap", UINT),
	[IB_PORT_VL_ARBITRATION_LOW_CAP_F] = FIELD(344, 8, "VLArbLowCap", UINT),
	[IB_PORT_INIT_TYPE_REPLY_F] = FIELD(340, 4, "InitReply", HEX),
	[IB_PORT_MTU_CAP_F] = FIELD(336, 4, "MtuCap", MTU),
	[IB_PORT_VL_STALL_COUNT_F] = FIELD(333, 3, "VLStallCount", UINT),
	[IB_PORT_HOQ_LIFE_F] = FIELD(328, 5, "HoqLife", UINT),
	[IB_PORT_OPER_VLS_F] = FIELD(324, 4, "OperVLs", OPERATIONAL_VLS),
	[IB_PORT_PART_EN_INB_F] = FIELD(323, 1, "PartEnforceInb", UINT),
	[IB_PORT_PART_EN_OUTB_F] = FIELD(322, 1, "PartEnforceOutb", UINT),
	[IB_PORT_FILTER_RAW_INB_F] = FIELD(321, 1, "FilterRawInb", UINT),
	[IB_PORT_FILTER_RAW_OUTB_F] = FIELD(320, 1, "FilterRawOutb", UINT),
	[IB_PORT_MKEY_VIOL_F] = FIELD(368, 16, "MkeyViolations", UINT),
	[IB_PORT_PKEY_VIOL_F] = FIELD(352, 16, "PkeyViolations", UINT),
	[IB_PORT_QKEY_VIOL_F] = FIELD(400, 16, "QkeyViolations", UINT),
	[IB_PORT_GUID_CAP_F] = FIELD(392, 8, "GuidCap", UINT),
	[IB_PORT_CLIENT_REREG_F] = FIELD(391, 1, "ClientReregister", UINT),
	[IB_PORT_MCAST_PKEY_SUPR_ENAB_F] = FIELD(389, 2, "McastPkeyTrapSuppressionEnabled", UINT),
	[IB_PORT_SUBN_TIMEOUT_F] = FIELD(384, 5, "SubnetTimeout", UINT),
	[IB_PORT_RESP_TIME_VAL_F] = FIELD(440, 5, "RespTimeVal", UINT),
	[IB_PORT_LOCAL_PHYS_ERR_F] = FIELD(436, 4, "LocalPhysErr", UINT),
	[IB_PORT_OVERRUN_ERR_F] = FIELD(432, 4, "OverrunErr", UINT),
	[IB_PORT_MAX_CREDIT_HINT_F] = FIELD(416, 16, "MaxCreditHint", UINT),
	[IB_PORT_LINK_ROUND_TRIP_F] = FIELD(448, 24, "RoundTrip", UINT),
	[IB_PORT_LAST_F] = NOTHING,

	/* NodeInfo (SMP 0x11) */
	[IB_NODE_BASE_VERS_F] = FIELD(24, 8, "BaseVers", UINT),
	[IB_NODE_CLASS_VERS_F] = FIELD(16, 8, "ClassVers", UINT),
	[IB_NODE_TYPE_F] = FIELD(8, 8, "NodeType", NODE_TYPE),
	[IB_NODE_NPORTS_F] = FIELD(0, 8, "NumPorts", UINT),
	[IB_NODE_SYSTEM_GUID_F] = FIELD(32, 64, "SystemGuid", HEX),
	[IB_NODE_GUID_F] = FIELD(96, 64, "Guid", HEX),
	[IB_NODE_PORT_GUID_F] = FIELD(160, 64, "PortGuid", HEX),
	[IB_NODE_PARTITION_CAP_F] = FIELD(240, 16, "PartCap", UINT),
	[IB_NODE_DEVID_F] = FIELD(224, 16, "DevId", HEX),
	[IB_NODE_REVISION_F] = FIELD(256, 32, "Revision", HEX),
	[IB_NODE_LOCAL_PORT_F] = FIELD(312, 8, "LocalPort", UINT),
	[IB_NODE_VENDORID_F] = FIELD(288, 24, "VendorId", HEX),
	[IB_NODE_LAST_F] = NOTHING,

	/* SwitchInfo (SMP 0x12) */
	[IB_SW_LINEAR_FDB_CAP_F] = FIELD(16, 16, "LinearFdbCap", UINT),
	[IB_SW_RANDOM_FDB_CAP_F] = FIELD(0, 16, "RandomFdbCap", UINT),
	[IB_SW_MCAST_FDB_CAP_F] = FIELD(48, 16, "McastFdbCap", UINT),
	[IB_SW_LINEAR_FDB_TOP_F] = FIELD(32, 16, "LinearFdbTop", UINT),
	[IB_SW_DEF_PORT_F] = FIELD(88, 8, "DefPort", UINT),
	[IB_SW_DEF_MCAST_PRIM_F] = FIELD(80, 8, "DefMcastPrimPort", UINT),
	[IB_SW_DEF_MCAST_NOT_PRIM_F] = FIELD(72, 8, "DefMcastNotPrimPort", UINT),
	[IB_SW_LIFE_TIME_F] = FIELD(67, 5, "LifeTime", UINT),
	[IB_SW_STATE_CHANGE_F] = FIELD(66, 1, "StateChange", UINT),
	[IB_SW_OPT_SLTOVL_MAPPING_F] = FIELD(64, 2, "OptSLtoVLMapping", UINT),
	[IB_SW_LIDS_PER_PORT_F] = FIELD(112, 16, "LidsPerPort", UINT),
	[IB_SW_PARTITION_ENFORCE_CAP_F] = FIELD(96, 16, "PartEnforceCap", UINT),
	[IB_SW_PARTITION_ENF_INB_F] = FIELD(159, 1, "InboundPartEnf", UINT),
	[IB_SW_PARTITION_ENF_OUTB_F] = FIELD(158, 1, "OutboundPartEnf", UINT),
	[IB_SW_FILTER_RAW_INB_F] = FIELD(157, 1, "FilterRawInbound", UINT),
	[IB_SW_FILTER_RAW_OUTB_F] = FIELD(156, 1, "FilterRawOutbound", UINT),
	[IB_SW_ENHANCED_PORT0_F] = FIELD(155, 1, "EnhancedPort0", UINT),
	[IB_SW_MCAST_FDB_TOP_F] = FIELD(128, 16, "MulticastFDBTop", HEX),
	[IB_SW_LAST_F] = NOTHING,

	/* LinearForwardingTable, MulticastForwardingTable, NodeDescription: whole blocks */
	[IB_LINEAR_FORW_TBL_F] = FIELD(0, 512, "LinearForwTbl", ARRAY),
	[IB_MULTICAST_FORW_TBL_F] = FIELD(0, 512, "MulticastForwTbl", ARRAY),
	[IB_NODE_DESC_F] = FIELD(0, 512, "NodeDesc", STRING),

	/* Notice (0x02) and the details of its generic traps */
	[IB_NOTICE_IS_GENERIC_F] = FIELD(31, 1, "NoticeIsGeneric", UINT),
	[IB_NOTICE_TYPE_F] = FIELD(24, 7, "NoticeType", UINT),
	[IB_NOTICE_PRODUCER_F] = FIELD(0, 24, "NoticeProducerType", NODE_TYPE),
	[IB_NOTICE_TRAP_NUMBER_F] = FIELD(48, 16, "NoticeTrapNumber", UINT),
	[IB_NOTICE_ISSUER_LID_F] = FIELD(32, 16, "NoticeIssuerLID", UINT),
	[IB_NOTICE_TOGGLE_F] = FIELD(95, 1, "NoticeToggle", UINT),
	[IB_NOTICE_COUNT_F] = FIELD(80, 15, "NoticeCount", UINT),
	[IB_NOTICE_DATA_DETAILS_F] = FIELD(80, 432, "NoticeDataDetails", ARRAY),
	[IB_NOTICE_DATA_LID_F] = FIELD(64, 16, "NoticeDataLID", UINT),
	[IB_NOTICE_DATA_144_LID_F] = FIELD(112, 16, "NoticeDataTrap144LID", UINT),
	[IB_NOTICE_DATA_144_CAPMASK_F] = FIELD(128, 32, "NoticeDataTrap144CapMask", UINT),

	/* PortCounters (PerfMgt 0x12) */
	[IB_PC_PORT_SELECT_F] = FIELD(16, 8, "PortSelect", UINT),
	[IB_PC_COUNTER_SELECT_F] = FIELD(0, 16, "CounterSelect", HEX),
	[IB_PC_ERR_SYM_F] = FIELD(48, 16, "SymbolErrorCounter", UINT),
	[IB_PC_LINK_RECOVERS_F] = FIELD(40, 8, "LinkErrorRecoveryCounter", UINT),
	[IB_PC_LINK_DOWNED_F] = FIELD(32, 8, "LinkDownedCounter", UINT),
	[IB_PC_ERR_RCV_F] = FIELD(80, 16, "PortRcvErrors", UINT),
	[IB_PC_ERR_PHYSRCV_F] = FIELD(64, 16, "PortRcvRemotePhysicalErrors", UINT),
	[IB_PC_ERR_SWITCH_REL_F] = FIELD(112, 16, "PortRcvSwitchRelayErrors", UINT),
	[IB_PC_XMT_DISCARDS_F] = FIELD(96, 16, "PortXmitDiscards", UINT),
	[IB_PC_ERR_XMTCONSTR_F] = FIELD(152, 8, "PortXmitConstraintErrors", UINT),
	[IB_PC_ERR_RCVCONSTR_F] = FIELD(144, 8, "PortRcvConstraintErrors", UINT),
	[IB_PC_COUNTER_SELECT2_F] = FIELD(136, 8, "CounterSelect2", HEX),
	[IB_PC_ERR_LOCALINTEG_F] = FIELD(132, 4, "LocalLinkIntegrityErrors", UINT),
	[IB_PC_ERR_EXCESS_OVR_F] = FIELD(128, 4, "ExcessiveBufferOverrunErrors", UINT),
	[IB_PC_VL15_DROPPED_F] = FIELD(160, 16, "VL15Dropped", UINT),
	[IB_PC_XMT_BYTES_F] = FIELD(192, 32, "PortXmitData", UINT),
	[IB_PC_RCV_BYTES_F] = FIELD(224, 32, "PortRcvData", UINT),
	[IB_PC_XMT_PKTS_F] = FIELD(256, 32, "PortXmitPkts", UINT),
	[IB_PC_RCV_PKTS_F] = FIELD(288, 32, "PortRcvPkts", UINT),
	[IB_PC_XMT_WAIT_F] = FIELD(320, 32, "PortXmitWait", UINT),
	[IB_PC_LAST_F] = NOTHING,

	/* SMInfo (SMP 0x20) */
	[IB_SMINFO_GUID_F] = FIELD(0, 64, "SmInfoGuid", HEX),
	[IB_SMINFO_KEY_F] = FIELD(64, 64, "SmInfoKey", HEX),
	[IB_SMINFO_ACT_F] = FIELD(128, 32, "SmActivity", UINT),
	[IB_SMINFO_PRIO_F] = FIELD(188, 4, "SmPriority", UINT),
	[IB_SMINFO_STATE_F] = FIELD(184, 4, "SmState", UINT),

	/* RMPP header */
	[IB_SA_RMPP_VERS_F] = FIELD(216, 8, "RmppVers", UINT),
	[IB_SA_RMPP_TYPE_F] = FIELD(208, 8, "RmppType", UINT),
	[IB_SA_RMPP_RESP_F] = FIELD(203, 5, "RmppResp", UINT),
	[IB_SA_RMPP_FLAGS_F] = FIELD(200, 3, "RmppFlags", HEX),
	[IB_SA_RMPP_STATUS_F] = FIELD(192, 8, "RmppStatus", HEX),
	[IB_SA_RMPP_D1_F] = FIELD(224, 32, "RmppData1", HEX),
	[IB_SA_RMPP_SEGNUM_F] = FIELD(224, 32, "RmppSegNum", UINT),
	[IB_SA_RMPP_D2_F] = FIELD(256, 32, "RmppData2", HEX),
	[IB_SA_RMPP_LEN_F] = FIELD(256, 32, "RmppPayload", UINT),
	[IB_SA_RMPP_NEWWIN_F] = FIELD(256, 32, "RmppNewWin", UINT),

	/* MultiPathRecord (SA 0x3a) */
	[IB_SA_MP_NPATH_F] = FIELD(48, 7, "MultiPathNumPath", UINT),
	[IB_SA_MP_NSRC_F] = FIELD(96, 8, "MultiPathNumSrc", UINT),
	[IB_SA_MP_NDEST_F] = FIELD(152, 8, "MultiPathNumDest", UINT),
	[IB_SA_MP_GID0_F] = FIELD(192, 128, "MultiPathGid", ARRAY),

	/* PathRecord (SA 0x35) */
	[IB_SA_PR_DGID_F] = FIELD(64, 128, "PathRecDGid", ARRAY),
	[IB_SA_PR_SGID_F] = FIELD(192, 128, "PathRecSGid", ARRAY),
	[IB_SA_PR_DLID_F] = FIELD(336, 16, "PathRecDLid", UINT),
	[IB_SA_PR_SLID_F] = FIELD(320, 16, "PathRecSLid", UINT),
	[IB_SA_PR_NPATH_F] = FIELD(400, 7, "PathRecNumPath", UINT),
	[IB_SA_PR_SL_F] = FIELD(432, 4, "PathRecSL", UINT),

	/* MCMemberRecord (SA 0x38) */
	[IB_SA_MCM_MGID_F] = FIELD(0, 128, "McastMemMGid", ARRAY),
	[IB_SA_MCM_PORTGID_F] = FIELD(128, 128, "McastMemPortGid", ARRAY),
	[IB_SA_MCM_QKEY_F] = FIELD(256, 32, "McastMemQkey", HEX),
	[IB_SA_MCM_MLID_F] = FIELD(304, 16, "McastMemMLid", HEX),
	[IB_SA_MCM_SL_F] = FIELD(380, 4, "McastMemSL", UINT),
	[IB_SA_MCM_MTU_F] = FIELD(296, 6, "McastMemMTU", UINT),
	[IB_SA_MCM_RATE_F] = FIELD(328, 6, "McastMemRate", UINT),
	[IB_SA_MCM_TCLASS_F] = FIELD(288, 8, "McastMemTClass", UINT),
	[IB_SA_MCM_PKEY_F] = FIELD(336, 16, "McastMemPkey", UINT),
	[IB_SA_MCM_FLOW_LABEL_F] = FIELD(360, 20, "McastMemFlowLbl", UINT),
	[IB_SA_MCM_JOIN_STATE_F] = FIELD(408, 4, "McastMemJoinState", UINT),
	[IB_SA_MCM_PROXY_JOIN_F] = FIELD(407, 1, "McastMemProxyJoin", UINT),

	/* ServiceRecord (SA 0x31) */
	[IB_SA_SR_ID_F] = FIELD(0, 64, "ServRecID", HEX),
	[IB_SA_SR_GID_F] = FIELD(64, 128, "ServRecGid", ARRAY),
	[IB_SA_SR_PKEY_F] = FIELD(208, 16, "ServRecPkey", HEX),
	[IB_SA_SR_LEASE_F] = FIELD(224, 32, "ServRecLease", HEX),
	[IB_SA_SR_KEY_F] = FIELD(256, 128, "ServRecKey", HEX),
	[IB_SA_SR_NAME_F] = FIELD(384, 512, "ServRecName", STRING),
	[IB_SA_SR_DATA_F] = FIELD(896, 512, "ServRecData", ARRAY),

	/* ServiceRecord data of the address translation service */
	[IB_ATS_SM_NODE_ADDR_F] = FIELD(96, 32, "ATSNodeAddr", HEX),
	[IB_ATS_SM_MAGIC_KEY_F] = FIELD(144, 16, "ATSMagicKey", HEX),
	[IB_ATS_SM_NODE_TYPE_F] = FIELD(128, 16, "ATSNodeType", HEX),
	[IB_ATS_SM_NODE_NAME_F] = FIELD(256, 256, "ATSNodeName", STRING),

	/* SLtoVLMappingTable (SMP 0x17), VLArbitrationTable (SMP 0x18) */
	[IB_SLTOVL_MAPPING_TABLE_F] = FIELD(0, 64, "SLToVLMap", HEX),
	[IB_VL_ARBITRATION_TABLE_F] = FIELD(0, 512, "VLArbTbl", ARRAY),

	/* Vendor MADs of range 2 */
	[IB_VEND2_OUI_F] = FIELD(288, 24, "OUI", ARRAY),
	[IB_VEND2_DATA_F] = FIELD(320, 1728, "Vendor2Data", ARRAY),

	/* PortCountersExtended (PerfMgt 0x1d); its later fields stand further down */
	[IB_PC_EXT_PORT_SELECT_F] = FIELD(16, 8, "PortSelect", UINT),
	[IB_PC_EXT_COUNTER_SELECT_F] = FIELD(0, 16, "CounterSelect", HEX),
	[IB_PC_EXT_XMT_BYTES_F] = FIELD(64, 64, "PortXmitData", UINT),
	[IB_PC_EXT_RCV_BYTES_F] = FIELD(128, 64, "PortRcvData", UINT),
	[IB_PC_EXT_XMT_PKTS_F] = FIELD(192, 64, "PortXmitPkts", UINT),
	[IB_PC_EXT_RCV_PKTS_F] = FIELD(256, 64, "PortRcvPkts", UINT),
	[IB_PC_EXT_XMT_UPKTS_F] = FIELD(320, 64, "PortUnicastXmitPkts", UINT),
	[IB_PC_EXT_RCV_UPKTS_F] = FIELD(384, 64, "PortUnicastRcvPkts", UINT),
	[IB_PC_EXT_XMT_MPKTS_F] = FIELD(448, 64, "PortMulticastXmitPkts", UINT),
	[IB_PC_EXT_RCV_MPKTS_F] = FIELD(512, 64, "PortMulticastRcvPkts", UINT),
	[IB_PC_EXT_LAST_F] = NOTHING,

	/* GUIDInfo (SMP 0x14), its first GUID */
	[IB_GUID_GUID0_F] = FIELD(0, 64, "GUID0", HEX),

	/* ClassPortInfo (0x01) */
	[IB_CPI_BASEVER_F] = FIELD(24, 8, "BaseVersion", UINT),
	[IB_CPI_CLASSVER_F] = FIELD(16, 8, "ClassVersion", UINT),
	[IB_CPI_CAPMASK_F] = FIELD(0, 16, "CapabilityMask", HEX),
	[IB_CPI_CAPMASK2_F] = FIELD(37, 27, "CapabilityMask2", HEX),
	[IB_CPI_RESP_TIME_VALUE_F] = FIELD(32, 5, "RespTimeVal", UINT),
	[IB_CPI_REDIRECT_GID_F] = FIELD(64, 128, "RedirectGID", ARRAY),
	[IB_CPI_REDIRECT_TC_F] = FIELD(216, 8, "RedirectTC", HEX),
	[IB_CPI_REDIRECT_SL_F] = FIELD(212, 4, "RedirectSL", UINT),
	[IB_CPI_REDIRECT_FL_F] = FIELD(192, 20, "RedirectFL", HEX),
	[IB_CPI_REDIRECT_LID_F] = FIELD(240, 16, "RedirectLID", UINT),
	[IB_CPI_REDIRECT_PKEY_F] = FIELD(224, 16, "RedirectPKey", HEX),
	[IB_CPI_REDIRECT_QP_F] = FIELD(256, 24, "RedirectQP", HEX),
	[IB_CPI_REDIRECT_QKEY_F] = FIELD(288, 32, "RedirectQKey", HEX),
	[IB_CPI_TRAP_GID_F] = FIELD(320, 128, "TrapGID", ARRAY),
	[IB_CPI_TRAP_TC_F] = FIELD(472, 8, "TrapTC", HEX),
	[IB_CPI_TRAP_SL_F] = FIELD(468, 4, "TrapSL", UINT),
	[IB_CPI_TRAP_FL_F] = FIELD(448, 20, "TrapFL", HEX),
	[IB_CPI_TRAP_LID_F] = FIELD(496, 16, "TrapLID", UINT),
	[IB_CPI_TRAP_PKEY_F] = FIELD(480, 16, "TrapPKey", HEX),
	[IB_CPI_TRAP_HL_F] = FIELD(536, 8, "TrapHL", UINT),
	[IB_CPI_TRAP_QP_F] = FIELD(512, 24, "TrapQP", HEX),
	[IB_CPI_TRAP_QKEY_F] = FIELD(544, 32, "TrapQKey", HEX),

	/* PortXmitDataSL (PerfMgt 0x36) */
	[IB_PC_XMT_DATA_SL0_F] = FIELD(32, 32, "XmtDataSL0", UINT),
	[IB_PC_XMT_DATA_SL1_F] = FIELD(64, 32, "XmtDataSL1", UINT),
	[IB_PC_XMT_DATA_SL2_F] = FIELD(96, 32, "XmtDataSL2", UINT),
	[IB_PC_XMT_DATA_SL3_F] = FIELD(128, 32, "XmtDataSL3", UINT),
	[IB_PC_XMT_DATA_SL4_F] = FIELD(160, 32, "XmtDataSL4", UINT),
	[IB_PC_XMT_DATA_SL5_F] = FIELD(192, 32, "XmtDataSL5", UINT),
	[IB_PC_XMT_DATA_SL6_F] = FIELD(224, 32, "XmtDataSL6", UINT),
	[IB_PC_XMT_DATA_SL7_F] = FIELD(256, 32, "XmtDataSL7", UINT),
	[IB_PC_XMT_DATA_SL8_F] = FIELD(288, 32, "XmtDataSL8", UINT),
	[IB_PC_XMT_DATA_SL9_F] = FIELD(320, 32, "XmtDataSL9", UINT),
	[IB_PC_XMT_DATA_SL10_F] = FIELD(352, 32, "XmtDataSL10", UINT),
	[IB_PC_XMT_DATA_SL11_F] = FIELD(384, 32, "XmtDataSL11", UINT),
	[IB_PC_XMT_DATA_SL12_F] = FIELD(416, 32, "XmtDataSL12", UINT),
	[IB_PC_XMT_DATA_SL13_F] = FIELD(448, 32, "XmtDataSL13", UINT),
	[IB_PC_XMT_DATA_SL14_F] = FIELD(480, 32, "XmtDataSL14", UINT),
	[IB_PC_XMT_DATA_SL15_F] = FIELD(512, 32, "XmtDataSL15", UINT),
	[IB_PC_XMT_DATA_SL_LAST_F] = NOTHING,

	/* PortRcvDataSL (PerfMgt 0x37) */
	[IB_PC_RCV_DATA_SL0_F] = FIELD(32, 32, "RcvDataSL0", UINT),
	[IB_PC_RCV_DATA_SL1_F] = FIELD(64, 32, "RcvDataSL1", UINT),
	[IB_PC_RCV_DATA_SL2_F] = FIELD(96, 32, "RcvDataSL2", UINT),
	[IB_PC_RCV_DATA_SL3_F] = FIELD(128, 32, "RcvDataSL3", UINT),
	[IB_PC_RCV_DATA_SL4_F] = FIELD(160, 32, "RcvDataSL4", UINT),
	[IB_PC_RCV_DATA_SL5_F] = FIELD(192, 32, "RcvDataSL5", UINT),
	[IB_PC_RCV_DATA_SL6_F] = FIELD(224, 32, "RcvDataSL6", UINT),
	[IB_PC_RCV_DATA_SL7_F] = FIELD(256, 32, "RcvDataSL7", UINT),
	[IB_PC_RCV_DATA_SL8_F] = FIELD(288, 32, "RcvDataSL8", UINT),
	[IB_PC_RCV_DATA_SL9_F] = FIELD(320, 32, "RcvDataSL9", UINT),
	[IB_PC_RCV_DATA_SL10_F] = FIELD(352, 32, "RcvDataSL10", UINT),
	[IB_PC_RCV_DATA_SL11_F] = FIELD(384, 32, "RcvDataSL11", UINT),
	[IB_PC_RCV_DATA_SL12_F] = FIELD(416, 32, "RcvDataSL12", UINT),
	[IB_PC_RCV_DATA_SL13_F] = FIELD(448, 32, "RcvDataSL13", UINT),
	[IB_PC_RCV_DATA_SL14_F] = FIELD(480, 32, "RcvDataSL14", UINT),
	[IB_PC_RCV_DATA_SL15_F] = FIELD(512, 32, "RcvDataSL15", UINT),
	[IB_PC_RCV_DATA_SL_LAST_F] = NOTHING,

	/* PortXmitDiscardDetails (PerfMgt 0x16) */
	[IB_PC_XMT_INACT_DISC_F] = FIELD(48, 16, "PortInactiveDiscards", UINT),
	[IB_PC_XMT_NEIGH_MTU_DISC_F] = FIELD(32, 16, "PortNeighborMTUDiscards", UINT),
	[IB_PC_XMT_SW_LIFE_DISC_F] = FIELD(80, 16, "PortSwLifetimeLimitDiscards", UINT),
	[IB_PC_XMT_SW_HOL_DISC_F] = FIELD(64, 16, "PortSwHOQLifetimeLimitDiscards", UINT),
	[IB_PC_XMT_DISC_LAST_F] = NOTHING,

	/* PortRcvErrorDetails (PerfMgt 0x15) */
	[IB_PC_RCV_LOCAL_PHY_ERR_F] = FIELD(48, 16, "PortLocalPhysicalErrors", UINT),
	[IB_PC_RCV_MALFORMED_PKT_ERR_F] = FIELD(32, 16, "PortMalformedPktErrors", UINT),
	[IB_PC_RCV_BUF_OVR_ERR_F] = FIELD(80, 16, "PortBufferOverrunErrors", UINT),
	[IB_PC_RCV_DLID_MAP_ERR_F] = FIELD(64, 16, "PortDLIDMappingErrors", UINT),
	[IB_PC_RCV_VL_MAP_ERR_F] = FIELD(112, 16, "PortVLMappingErrors", UINT),
	[IB_PC_RCV_LOOPING_ERR_F] = FIELD(96, 16, "PortLoopingErrors", UINT),
	[IB_PC_RCV_ERR_LAST_F] = NOTHING,

	/* PortSamplesControl (PerfMgt 0x10) */
	[IB_PSC_OPCODE_F] = FIELD(24, 8, "OpCode", HEX),
	[IB_PSC_PORT_SELECT_F] = FIELD(16, 8, "PortSelect", UINT),
	[IB_PSC_TICK_F] = FIELD(8, 8, "Tick", HEX),
	[IB_PSC_COUNTER_WIDTH_F] = FIELD(0, 3, "CounterWidth", UINT),
	[IB_PSC_COUNTER_MASK0_F] = FIELD(59, 3, "CounterMask0", HEX),
	[IB_PSC_COUNTER_MASKS1TO9_F] = FIELD(32, 27, "CounterMasks1to9", HEX),
	[IB_PSC_COUNTER_MASKS10TO14_F] = FIELD(80, 15, "CounterMasks10to14", HEX),
	[IB_PSC_SAMPLE_MECHS_F] = FIELD(72, 8, "SampleMechanisms", UINT),
	[IB_PSC_SAMPLE_STATUS_F] = FIELD(64, 2, "SampleStatus", UINT),
	[IB_PSC_OPTION_MASK_F] = FIELD(96, 64, "OptionMask", HEX),
	[IB_PSC_VENDOR_MASK_F] = FIELD(160, 64, "VendorMask", HEX),
	[IB_PSC_SAMPLE_START_F] = FIELD(224, 32, "SampleStart", UINT),
	[IB_PSC_SAMPLE_INTVL_F] = FIELD(256, 32, "SampleInterval", UINT),
	[IB_PSC_TAG_F] = FIELD(304, 16, "Tag", HEX),
	[IB_PSC_COUNTER_SEL0_F] = FIELD(288, 16, "CounterSelect0", HEX),
	[IB_PSC_COUNTER_SEL1_F] = FIELD(336, 16, "CounterSelect1", HEX),
	[IB_PSC_COUNTER_SEL2_F] = FIELD(320, 16, "CounterSelect2", HEX),
	[IB_PSC_COUNTER_SEL3_F] = FIELD(368, 16, "CounterSelect3", HEX),
	[IB_PSC_COUNTER_SEL4_F] = FIELD(352, 16, "CounterSelect4", HEX),
	[IB_PSC_COUNTER_SEL5_F] = FIELD(400, 16, "CounterSelect5", HEX),
	[IB_PSC_COUNTER_SEL6_F] = FIELD(384, 16, "CounterSelect6", HEX),
	[IB_PSC_COUNTER_SEL7_F] = FIELD(432, 16, "CounterSelect7", HEX),
	[IB_PSC_COUNTER_SEL8_F] = FIELD(416, 16, "CounterSelect8", HEX),
	[IB_PSC_COUNTER_SEL9_F] = FIELD(464, 16, "CounterSelect9", HEX),
	[IB_PSC_COUNTER_SEL10_F] = FIELD(448, 16, "CounterSelect10", HEX),
	[IB_PSC_COUNTER_SEL11_F] = FIELD(496, 16, "CounterSelect11", HEX),
	[IB_PSC_COUNTER_SEL12_F] = FIELD(480, 16, "CounterSelect12", HEX),
	[IB_PSC_COUNTER_SEL13_F] = FIELD(528, 16, "CounterSelect13", HEX),
	[IB_PSC_COUNTER_SEL14_F] = FIELD(512, 16, "CounterSelect14", HEX),
	[IB_PSC_SAMPLES_ONLY_OPT_MASK_F] = FIELD(576, 64, "SamplesOnlyOptionMask", HEX),
	[IB_PSC_LAST_F] = NOTHING,

	/* GUIDInfo (SMP 0x14), a block of 8 GUIDs */
	[IB_GI_GUID0_F] = FIELD(0, 64, "GUID0", HEX),
	[IB_GI_GUID1_F] = FIELD(64, 64, "GUID1", HEX),
	[IB_GI_GUID2_F] = FIELD(128, 64, "GUID2", HEX),
	[IB_GI_GUID3_F] = FIELD(192, 64, "GUID3", HEX),
	[IB_GI_GUID4_F] = FIELD(256, 64, "GUID4", HEX),
	[IB_GI_GUID5_F] = FIELD(320, 64, "GUID5", HEX),
	[IB_GI_GUID6_F] = FIELD(384, 64, "GUID6", HEX),
	[IB_GI_GUID7_F] = FIELD(448, 64, "GUID7", HEX),

	/* GUIDInfoRecord (SA 0x30) */
	[IB_SA_GIR_LID_F] = FIELD(16, 16, "Lid", UINT),
	[IB_SA_GIR_BLOCKNUM_F] = FIELD(8, 8, "BlockNum", UINT),
	[IB_SA_GIR_GUID0_F] = FIELD(64, 64, "Guid0", HEX),
	[IB_SA_GIR_GUID1_F] = FIELD(128, 64, "Guid1", HEX),
	[IB_SA_GIR_GUID2_F] = FIELD(192, 64, "Guid2", HEX),
	[IB_SA_GIR_GUID3_F] = FIELD(256, 64, "Guid3", HEX),
	[IB_SA_GIR_GUID4_F] = FIELD(320, 64, "Guid4", HEX),
	[IB_SA_GIR_GUID5_F] = FIELD(384, 64, "Guid5", HEX),
	[IB_SA_GIR_GUID6_F] = FIELD(448, 64, "Guid6", HEX),
	[IB_SA_GIR_GUID7_F] = FIELD(512, 64, "Guid7", HEX),

	/* PortInfo, continued: CapabilityMask2 and extended speeds */
	[IB_PORT_CAPMASK2_F] = FIELD(496, 16, "CapabilityMask2", CAP_MASK_2),
	[IB_PORT_LINK_SPEED_EXT_ACTIVE_F] = FIELD(492, 4, "LinkSpeedExtActive", LINK_SPEED_EXT),
	[IB_PORT_LINK_SPEED_EXT_SUPPORTED_F] =
		FIELD(488, 4, "LinkSpeedExtSupported", LINK_SPEED_EXT_SUPPORTED),
	[IB_PORT_LINK_SPEED_EXT_ENABLED_F] =
		FIELD(480, 5, "LinkSpeedExtEnabled", LINK_SPEED_EXT_ENABLED),
	[IB_PORT_LINK_SPEED_EXT_LAST_F] = NOTHING,

	/* PortExtendedSpeedsCounters (PerfMgt 0x1f), lanes without RS-FEC */
	[IB_PESC_PORT_SELECT_F] = FIELD(16, 8, "PortSelect", UINT),
	[IB_PESC_COUNTER_SELECT_F] = FIELD(64, 64, "CounterSelect", HEX),
	[IB_PESC_SYNC_HDR_ERR_CTR_F] = FIELD(144, 16, "SyncHeaderErrorCounter", UINT),
	[IB_PESC_UNK_BLOCK_CTR_F] = FIELD(128, 16, "UnknownBlockCounter", UINT),
	[IB_PESC_ERR_DET_CTR_LANE0_F] = FIELD(176, 16, "ErrorDetectionCounterLane0", UINT),
	[IB_PESC_ERR_DET_CTR_LANE1_F] = FIELD(160, 16, "ErrorDetectionCounterLane1", UINT),
	[IB_PESC_ERR_DET_CTR_LANE2_F] = FIELD(208, 16, "ErrorDetectionCounterLane2", UINT),
	[IB_PESC_ERR_DET_CTR_LANE3_F] = FIELD(192, 16, "ErrorDetectionCounterLane3", UINT),
	[IB_PESC_ERR_DET_CTR_LANE4_F] = FIELD(240, 16, "ErrorDetectionCounterLane4", UINT),
	[IB_PESC_ERR_DET_CTR_LANE5_F] = FIELD(224, 16, "ErrorDetectionCounterLane5", UINT),
	[IB_PESC_ERR_DET_CTR_LANE6_F] = FIELD(272, 16, "ErrorDetectionCounterLane6", UINT),
	[IB_PESC_ERR_DET_CTR_LANE7_F] = FIELD(256, 16, "ErrorDetectionCounterLane7", UINT),
	[IB_PESC_ERR_DET_CTR_LANE8_F] = FIELD(304, 16, "ErrorDetectionCounterLane8", UINT),
	[IB_PESC_ERR_DET_CTR_LANE9_F] = FIELD(288, 16, "ErrorDetectionCounterLane9", UINT),
	[IB_PESC_ERR_DET_CTR_LANE10_F] = FIELD(336, 16, "ErrorDetectionCounterLane10", UINT),
	[IB_PESC_ERR_DET_CTR_LANE11_F] = FIELD(320, 16, "ErrorDetectionCounterLane11", UINT),
	[IB_PESC_FEC_CORR_BLOCK_CTR_LANE0_F] = FIELD(352, 32, "FECCorrectableBlockCtrLane0", UINT),
	[IB_PESC_FEC_CORR_BLOCK_CTR_LANE1_F] = FIELD(384, 32, "FECCorrectableBlockCtrLane1", UINT),
	[IB_PESC_FEC_CORR_BLOCK_CTR_LANE2_F] = FIELD(416, 32, "FECCorrectableBlockCtrLane2", UINT),
	[IB_PESC_FEC_CORR_BLOCK_CTR_LANE3_F] = FIELD(448, 32, "FECCorrectableBlockCtrLane3", UINT),
	[IB_PESC_FEC_CORR_BLOCK_CTR_LANE4_F] = FIELD(480, 32, "FECCorrectableBlockCtrLane4", UINT),
	[IB_PESC_FEC_CORR_BLOCK_CTR_LANE5_F] = FIELD(512, 32, "FECCorrectableBlockCtrLane5", UINT),
	[IB_PESC_FEC_CORR_BLOCK_CTR_LANE6_F] = FIELD(544, 32, "FECCorrectableBlockCtrLane6", UINT),
	[IB_PESC_FEC_CORR_BLOCK_CTR_LANE7_F] = FIELD(576, 32, "FECCorrectableBlockCtrLane7", UINT),
	[IB_PESC_FEC_CORR_BLOCK_CTR_LANE8_F] = FIELD(608, 32, "FECCorrectableBlockCtrLane8", UINT),
	[IB_PESC_FEC_CORR_BLOCK_CTR_LANE9_F] = FIELD(640, 32, "FECCorrectableBlockCtrLane9", UINT),
	[IB_PESC_FEC_CORR_BLOCK_CTR_LANE10_F] =
		FIELD(672, 32, "FECCorrectableBlockCtrLane10", UINT),
	[IB_PESC_FEC_CORR_BLOCK_CTR_LANE11_F] =
		FIELD(704, 32, "FECCorrectableBlockCtrLane11", UINT),
	[IB_PESC_FEC_UNCORR_BLOCK_CTR_LANE0_F] =
		FIELD(736, 32, "FECUncorrectableBlockCtrLane0", UINT),
	[IB_PESC_FEC_UNCORR_BLOCK_CTR_LANE1_F] =
		FIELD(768, 32, "FECUncorrectableBlockCtrLane1", UINT),
	[IB_PESC_FEC_UNCORR_BLOCK_CTR_LANE2_F] =
		FIELD(800, 32, "FECUncorrectableBlockCtrLane2", UINT),
	[IB_PESC_FEC_UNCORR_BLOCK_CTR_LANE3_F] =
		FIELD(832, 32, "FECUncorrectableBlockCtrLane3", UINT),
	[IB_PESC_FEC_UNCORR_BLOCK_CTR_LANE4_F] =
		FIELD(864, 32, "FECUncorrectableBlockCtrLane4", UINT),
	[IB_PESC_FEC_UNCORR_BLOCK_CTR_LANE5_F] =
		FIELD(896, 32, "FECUncorrectableBlockCtrLane5", UINT),
	[IB_PESC_FEC_UNCORR_BLOCK_CTR_LANE6_F] =
		FIELD(928, 32, "FECUncorrectableBlockCtrLane6", UINT),
	[IB_PESC_FEC_UNCORR_BLOCK_CTR_LANE7_F] =
		FIELD(960, 32, "FECUncorrectableBlockCtrLane7", UINT),
	[IB_PESC_FEC_UNCORR_BLOCK_CTR_LANE8_F] =
		FIELD(992, 32, "FECUncorrectableBlockCtrLane8", UINT),
	[IB_PESC_FEC_UNCORR_BLOCK_CTR_LANE9_F] =
		FIELD(1024, 32, "FECUncorrectableBlockCtrLane9", UINT),
	[IB_PESC_FEC_UNCORR_BLOCK_CTR_LANE10_F] =
		FIELD(1056, 32, "FECUncorrectableBlockCtrLane10", UINT),
	[IB_PESC_FEC_UNCORR_BLOCK_CTR_LANE11_F] =
		FIELD(1088, 32, "FECUncorrectableBlockCtrLane11", UINT),
	[IB_PESC_LAST_F] = NOTHING,

	/* PortOpRcvCounters (PerfMgt 0x17) */
	[IB_PC_PORT_OP_RCV_PKTS_F] = FIELD(32, 32, "PortOpRcvPkts", UINT),
	[IB_PC_PORT_OP_RCV_DATA_F] = FIELD(64, 32, "PortOpRcvData", UINT),
	[IB_PC_PORT_OP_RCV_COUNTERS_LAST_F] = NOTHING,

	/* PortFlowCtlCounters (PerfMgt 0x18) */
	[IB_PC_PORT_XMIT_FLOW_PKTS_F] = FIELD(32, 32, "PortXmitFlowPkts", UINT),
	[IB_PC_PORT_RCV_FLOW_PKTS_F] = FIELD(64, 32, "PortRcvFlowPkts", UINT),
	[IB_PC_PORT_FLOW_CTL_COUNTERS_LAST_F] = NOTHING,

	/* PortVLOpPackets (PerfMgt 0x19) */
	[IB_PC_PORT_VL_OP_PACKETS0_F] = FIELD(48, 16, "PortVLOpPackets0", UINT),
	[IB_PC_PORT_VL_OP_PACKETS1_F] = FIELD(32, 16, "PortVLOpPackets1", UINT),
	[IB_PC_PORT_VL_OP_PACKETS2_F] = FIELD(80, 16, "PortVLOpPackets2", UINT),
	[IB_PC_PORT_VL_OP_PACKETS3_F] = FIELD(64, 16, "PortVLOpPackets3", UINT),
	[IB_PC_PORT_VL_OP_PACKETS4_F] = FIELD(112, 16, "PortVLOpPackets4", UINT),
	[IB_PC_PORT_VL_OP_PACKETS5_F] = FIELD(96, 16, "PortVLOpPackets5", UINT),
	[IB_PC_PORT_VL_OP_PACKETS6_F] = FIELD(144, 16, "PortVLOpPackets6", UINT),
	[IB_PC_PORT_VL_OP_PACKETS7_F] = FIELD(128, 16, "PortVLOpPackets7", UINT),
	[IB_PC_PORT_VL_OP_PACKETS8_F] = FIELD(176, 16, "PortVLOpPackets8", UINT),
	[IB_PC_PORT_VL_OP_PACKETS9_F] = FIELD(160, 16, "PortVLOpPackets9", UINT),
	[IB_PC_PORT_VL_OP_PACKETS10_F] = FIELD(208, 16, "PortVLOpPackets10", UINT),
	[IB_PC_PORT_VL_OP_PACKETS11_F] = FIELD(192, 16, "PortVLOpPackets11", UINT),
	[IB_PC_PORT_VL_OP_PACKETS12_F] = FIELD(240, 16, "PortVLOpPackets12", UINT),
	[IB_PC_PORT_VL_OP_PACKETS13_F] = FIELD(224, 16, "PortVLOpPackets13", UINT),
	[IB_PC_PORT_VL_OP_PACKETS14_F] = FIELD(272, 16, "PortVLOpPackets14", UINT),
	[IB_PC_PORT_VL_OP_PACKETS15_F] = FIELD(256, 16, "PortVLOpPackets15", UINT),
	[IB_PC_PORT_VL_OP_PACKETS_LAST_F] = NOTHING,

	/* PortVLOpData (PerfMgt 0x1a) */
	[IB_PC_PORT_VL_OP_DATA0_F] = FIELD(32, 32, "PortVLOpData0", UINT),
	[IB_PC_PORT_VL_OP_DATA1_F] = FIELD(64, 32, "PortVLOpData1", UINT),
	[IB_PC_PORT_VL_OP_DATA2_F] = FIELD(96, 32, "PortVLOpData2", UINT),
	[IB_PC_PORT_VL_OP_DATA3_F] = FIELD(128, 32, "PortVLOpData3", UINT),
	[IB_PC_PORT_VL_OP_DATA4_F] = FIELD(160, 32, "PortVLOpData4", UINT),
	[IB_PC_PORT_VL_OP_DATA5_F] = FIELD(192, 32, "PortVLOpData5", UINT),
	[IB_PC_PORT_VL_OP_DATA6_F] = FIELD(224, 32, "PortVLOpData6", UINT),
	[IB_PC_PORT_VL_OP_DATA7_F] = FIELD(256, 32, "PortVLOpData7", UINT),
	[IB_PC_PORT_VL_OP_DATA8_F] = FIELD(288, 32, "PortVLOpData8", UINT),
	[IB_PC_PORT_VL_OP_DATA9_F] = FIELD(320, 32, "PortVLOpData9", UINT),
	[IB_PC_PORT_VL_OP_DATA10_F] = FIELD(352, 32, "PortVLOpData10", UINT),
	[IB_PC_PORT_VL_OP_DATA11_F] = FIELD(384, 32, "PortVLOpData11", UINT),
	[IB_PC_PORT_VL_OP_DATA12_F] = FIELD(416, 32, "PortVLOpData12", UINT),
	[IB_PC_PORT_VL_OP_DATA13_F] = FIELD(448, 32, "PortVLOpData13", UINT),
	[IB_PC_PORT_VL_OP_DATA14_F] = FIELD(480, 32, "PortVLOpData14", UINT),
	[IB_PC_PORT_VL_OP_DATA15_F] = FIELD(512, 32, "PortVLOpData15", UINT),
	[IB_PC_PORT_VL_OP_DATA_LAST_F] = NOTHING,

	/* PortVLXmitFlowCtlUpdateErrors (PerfMgt 0x1b) */
	[IB_PC_PORT_VL_XMIT_FLOW_CTL_UPDATE_ERRORS0_F] =
		FIELD(62, 2, "PortVLXmitFlowCtlUpdateErrors0", UINT),
	[IB_PC_PORT_VL_XMIT_FLOW_CTL_UPDATE_ERRORS1_F] =
		FIELD(60, 2, "PortVLXmitFlowCtlUpdateErrors1", UINT),
	[IB_PC_PORT_VL_XMIT_FLOW_CTL_UPDATE_ERRORS2_F] =
		FIELD(58, 2, "PortVLXmitFlowCtlUpdateErrors2", UINT),
	[IB_PC_PORT_VL_XMIT_FLOW_CTL_UPDATE_ERRORS3_F] =
		FIELD(56, 2, "PortVLXmitFlowCtlUpdateErrors3", UINT),
	[IB_PC_PORT_VL_XMIT_FLOW_CTL_UPDATE_ERRORS4_F] =
		FIELD(54, 2, "PortVLXmitFlowCtlUpdateErrors4", UINT),
	[IB_PC_PORT_VL_XMIT_FLOW_CTL_UPDATE_ERRORS5_F] =
		FIELD(52, 2, "PortVLXmitFlowCtlUpdateErrors5", UINT),
	[IB_PC_PORT_VL_XMIT_FLOW_CTL_UPDATE_ERRORS6_F] =
		FIELD(50, 2, "PortVLXmitFlowCtlUpdateErrors6", UINT),
	[IB_PC_PORT_VL_XMIT_FLOW_CTL_UPDATE_ERRORS7_F] =
		FIELD(48, 2, "PortVLXmitFlowCtlUpdateErrors7", UINT),
	[IB_PC_PORT_VL_XMIT_FLOW_CTL_UPDATE_ERRORS8_F] =
		FIELD(46, 2, "PortVLXmitFlowCtlUpdateErrors8", UINT),
	[IB_PC_PORT_VL_XMIT_FLOW_CTL_UPDATE_ERRORS9_F] =
		FIELD(44, 2, "PortVLXmitFlowCtlUpdateErrors9", UINT),
	[IB_PC_PORT_VL_XMIT_FLOW_CTL_UPDATE_ERRORS10_F] =
		FIELD(42, 2, "PortVLXmitFlowCtlUpdateErrors10", UINT),
	[IB_PC_PORT_VL_XMIT_FLOW_CTL_UPDATE_ERRORS11_F] =
		FIELD(40, 2, "PortVLXmitFlowCtlUpdateErrors11", UINT),
	[IB_PC_PORT_VL_XMIT_FLOW_CTL_UPDATE_ERRORS12_F] =
		FIELD(38, 2, "PortVLXmitFlowCtlUpdateErrors12", UINT),
	[IB_PC_PORT_VL_XMIT_FLOW_CTL_UPDATE_ERRORS13_F] =
		FIELD(36, 2, "PortVLXmitFlowCtlUpdateErrors13", UINT),
	[IB_PC_PORT_VL_XMIT_FLOW_CTL_UPDATE_ERRORS14_F] =
		FIELD(34, 2, "PortVLXmitFlowCtlUpdateErrors14", UINT),
	[IB_PC_PORT_VL_XMIT_FLOW_CTL_UPDATE_ERRORS15_F] =
		FIELD(32, 2, "PortVLXmitFlowCtlUpdateErrors15", UINT),
	[IB_PC_PORT_VL_XMIT_FLOW_CTL_UPDATE_ERRORS_LAST_F] = NOTHING,

	/* PortVLXmitWaitCounters (PerfMgt 0x1c) */
	[IB_PC_PORT_VL_XMIT_WAIT0_F] = FIELD(48, 16, "PortVLXmitWait0", UINT),
	[IB_PC_PORT_VL_XMIT_WAIT1_F] = FIELD(32, 16, "PortVLXmitWait1", UINT),
	[IB_PC_PORT_VL_XMIT_WAIT2_F] = FIELD(80, 16, "PortVLXmitWait2", UINT),
	[IB_PC_PORT_VL_XMIT_WAIT3_F] = FIELD(64, 16, "PortVLXmitWait3", UINT),
	[IB_PC_PORT_VL_XMIT_WAIT4_F] = FIELD(112, 16, "PortVLXmitWait4", UINT),
	[IB_PC_PORT_VL_XMIT_WAIT5_F] = FIELD(96, 16, "PortVLXmitWait5", UINT),
	[IB_PC_PORT_VL_XMIT_WAIT6_F] = FIELD(144, 16, "PortVLXmitWait6", UINT),
	[IB_PC_PORT_VL_XMIT_WAIT7_F] = FIELD(128, 16, "PortVLXmitWait7", UINT),
	[IB_PC_PORT_VL_XMIT_WAIT8_F] = FIELD(176, 16, "PortVLXmitWait8", UINT),
	[IB_PC_PORT_VL_XMIT_WAIT9_F] = FIELD(160, 16, "PortVLXmitWait9", UINT),
	[IB_PC_PORT_VL_XMIT_WAIT10_F] = FIELD(208, 16, "PortVLXmitWait10", UINT),
	[IB_PC_PORT_VL_XMIT_WAIT11_F] = FIELD(192, 16, "PortVLXmitWait11", UINT),
	[IB_PC_PORT_VL_XMIT_WAIT12_F] = FIELD(240, 16, "PortVLXmitWait12", UINT),
	[IB_PC_PORT_VL_XMIT_WAIT13_F] = FIELD(224, 16, "PortVLXmitWait13", UINT),
	[IB_PC_PORT_VL_XMIT_WAIT14_F] = FIELD(272, 16, "PortVLXmitWait14", UINT),
	[IB_PC_PORT_VL_XMIT_WAIT15_F] = FIELD(256, 16, "PortVLXmitWait15", UINT),
	[IB_PC_PORT_VL_XMIT_WAIT_COUNTERS_LAST_F] = NOTHING,

	/* SwPortVLCongestion (PerfMgt 0x30) */
	[IB_PC_SW_PORT_VL_CONGESTION0_F] = FIELD(48, 16, "SWPortVLCongestion0", UINT),
	[IB_PC_SW_PORT_VL_CONGESTION1_F] = FIELD(32, 16, "SWPortVLCongestion1", UINT),
	[IB_PC_SW_PORT_VL_CONGESTION2_F] = FIELD(80, 16, "SWPortVLCongestion2", UINT),
	[IB_PC_SW_PORT_VL_CONGESTION3_F] = FIELD(64, 16, "SWPortVLCongestion3", UINT),
	[IB_PC_SW_PORT_VL_CONGESTION4_F] = FIELD(112, 16, "SWPortVLCongestion4", UINT),
	[IB_PC_SW_PORT_VL_CONGESTION5_F] = FIELD(96, 16, "SWPortVLCongestion5", UINT),
	[IB_PC_SW_PORT_VL_CONGESTION6_F] = FIELD(144, 16, "SWPortVLCongestion6", UINT),
	[IB_PC_SW_PORT_VL_CONGESTION7_F] = FIELD(128, 16, "SWPortVLCongestion7", UINT),
	[IB_PC_SW_PORT_VL_CONGESTION8_F] = FIELD(176, 16, "SWPortVLCongestion8", UINT),
	[IB_PC_SW_PORT_VL_CONGESTION9_F] = FIELD(160, 16, "SWPortVLCongestion9", UINT),
	[IB_PC_SW_PORT_VL_CONGESTION10_F] = FIELD(208, 16, "SWPortVLCongestion10", UINT),
	[IB_PC_SW_PORT_VL_CONGESTION11_F] = FIELD(192, 16, "SWPortVLCongestion11", UINT),
	[IB_PC_SW_PORT_VL_CONGESTION12_F] = FIELD(240, 16, "SWPortVLCongestion12", UINT),
	[IB_PC_SW_PORT_VL_CONGESTION13_F] = FIELD(224, 16, "SWPortVLCongestion13", UINT),
	[IB_PC_SW_PORT_VL_CONGESTION14_F] = FIELD(272, 16, "SWPortVLCongestion14", UINT),
	[IB_PC_SW_PORT_VL_CONGESTION15_F] = FIELD(256, 16, "SWPortVLCongestion15", UINT),
	[IB_PC_SW_PORT_VL_CONGESTION_LAST_F] = NOTHING,

	/* PortRcvConCtrl (PerfMgt 0x31) */
	[IB_PC_RCV_CON_CTRL_PKT_RCV_FECN_F] = FIELD(32, 32, "PortPktRcvFECN", UINT),
	[IB_PC_RCV_CON_CTRL_PKT_RCV_BECN_F] = FIELD(64, 32, "PortPktRcvBECN", UINT),
	[IB_PC_RCV_CON_CTRL_LAST_F] = NOTHING,

	/* PortSLRcvFECN (PerfMgt 0x32) */
	[IB_PC_SL_RCV_FECN0_F] = FIELD(32, 32, "PortSLRcvFECN0", UINT),
	[IB_PC_SL_RCV_FECN1_F] = FIELD(64, 32, "PortSLRcvFECN1", UINT),
	[IB_PC_SL_RCV_FECN2_F] = FIELD(96, 32, "PortSLRcvFECN2", UINT),
	[IB_PC_SL_RCV_FECN3_F] = FIELD(128, 32, "PortSLRcvFECN3", UINT),
	[IB_PC_SL_RCV_FECN4_F] = FIELD(160, 32, "PortSLRcvFECN4", UINT),
	[IB_PC_SL_RCV_FECN5_F] = FIELD(192, 32, "PortSLRcvFECN5", UINT),
	[IB_PC_SL_RCV_FECN6_F] = FIELD(224, 32, "PortSLRcvFECN6", UINT),
	[IB_PC_SL_RCV_FECN7_F] = FIELD(256, 32, "PortSLRcvFECN7", UINT),
	[IB_PC_SL_RCV_FECN8_F] = FIELD(288, 32, "PortSLRcvFECN8", UINT),
	[IB_PC_SL_RCV_FECN9_F] = FIELD(320, 32, "PortSLRcvFECN9", UINT),
	[IB_PC_SL_RCV_FECN10_F] = FIELD(352, 32, "PortSLRcvFECN10", UINT),
	[IB_PC_SL_RCV_FECN11_F] = FIELD(384, 32, "PortSLRcvFECN11", UINT),
	[IB_PC_SL_RCV_FECN12_F] = FIELD(416, 32, "PortSLRcvFECN12", UINT),
	[IB_PC_SL_RCV_FECN13_F] = FIELD(448, 32, "PortSLRcvFECN13", UINT),
	[IB_PC_SL_RCV_FECN14_F] = FIELD(480, 32, "PortSLRcvFECN14", UINT),
	[IB_PC_SL_RCV_FECN15_F] = FIELD(512, 32, "PortSLRcvFECN15", UINT),
	[IB_PC_SL_RCV_FECN_LAST_F] = NOTHING,

	/* PortSLRcvBECN (PerfMgt 0x33) */
	[IB_PC_SL_RCV_BECN0_F] = FIELD(32, 32, "PortSLRcvBECN0", UINT),
	[IB_PC_SL_RCV_BECN1_F] = FIELD(64, 32, "PortSLRcvBECN1", UINT),
	[IB_PC_SL_RCV_BECN2_F] = FIELD(96, 32, "PortSLRcvBECN2", UINT),
	[IB_PC_SL_RCV_BECN3_F] = FIELD(128, 32, "PortSLRcvBECN3", UINT),
	[IB_PC_SL_RCV_BECN4_F] = FIELD(160, 32, "PortSLRcvBECN4", UINT),
	[IB_PC_SL_RCV_BECN5_F] = FIELD(192, 32, "PortSLRcvBECN5", UINT),
	[IB_PC_SL_RCV_BECN6_F] = FIELD(224, 32, "PortSLRcvBECN6", UINT),
	[IB_PC_SL_RCV_BECN7_F] = FIELD(256, 32, "PortSLRcvBECN7", UINT),
	[IB_PC_SL_RCV_BECN8_F] = FIELD(288, 32, "PortSLRcvBECN8", UINT),
	[IB_PC_SL_RCV_BECN9_F] = FIELD(320, 32, "PortSLRcvBECN9", UINT),
	[IB_PC_SL_RCV_BECN10_F] = FIELD(352, 32, "PortSLRcvBECN10", UINT),
	[IB_PC_SL_RCV_BECN11_F] = FIELD(384, 32, "PortSLRcvBECN11", UINT),
	[IB_PC_SL_RCV_BECN12_F] = FIELD(416, 32, "PortSLRcvBECN12", UINT),
	[IB_PC_SL_RCV_BECN13_F] = FIELD(448, 32, "PortSLRcvBECN13", UINT),
	[IB_PC_SL_RCV_BECN14_F] = FIELD(480, 32, "PortSLRcvBECN14", UINT),
	[IB_PC_SL_RCV_BECN15_F] = FIELD(512, 32, "PortSLRcvBECN15", UINT),
	[IB_PC_SL_RCV_BECN_LAST_F] = NOTHING,

	/* PortXmitConCtrl (PerfMgt 0x34) */
	[IB_PC_XMIT_CON_CTRL_TIME_CONG_F] = FIELD(32, 32, "PortXmitTimeCong", UINT),
	[IB_PC_XMIT_CON_CTRL_LAST_F] = NOTHING,

	/* PortVLXmitTimeCong (PerfMgt 0x35) */
	[IB_PC_VL_XMIT_TIME_CONG0_F] = FIELD(32, 32, "PortVLXmitTimeCong0", UINT),
	[IB_PC_VL_XMIT_TIME_CONG1_F] = FIELD(64, 32, "PortVLXmitTimeCong1", UINT),
	[IB_PC_VL_XMIT_TIME_CONG2_F] = FIELD(96, 32, "PortVLXmitTimeCong2", UINT),
	[IB_PC_VL_XMIT_TIME_CONG3_F] = FIELD(128, 32, "PortVLXmitTimeCong3", UINT),
	[IB_PC_VL_XMIT_TIME_CONG4_F] = FIELD(160, 32, "PortVLXmitTimeCong4", UINT),
	[IB_PC_VL_XMIT_TIME_CONG5_F] = FIELD(192, 32, "PortVLXmitTimeCong5", UINT),
	[IB_PC_VL_XMIT_TIME_CONG6_F] = FIELD(224, 32, "PortVLXmitTimeCong6", UINT),
	[IB_PC_VL_XMIT_TIME_CONG7_F] = FIELD(256, 32, "PortVLXmitTimeCong7", UINT),
	[IB_PC_VL_XMIT_TIME_CONG8_F] = FIELD(288, 32, "PortVLXmitTimeCong8", UINT),
	[IB_PC_VL_XMIT_TIME_CONG9_F] = FIELD(320, 32, "PortVLXmitTimeCong9", UINT),
	[IB_PC_VL_XMIT_TIME_CONG10_F] = FIELD(352, 32, "PortVLXmitTimeCong10", UINT),
	[IB_PC_VL_XMIT_TIME_CONG11_F] = FIELD(384, 32, "PortVLXmitTimeCong11", UINT),
	[IB_PC_VL_XMIT_TIME_CONG12_F] = FIELD(416, 32, "PortVLXmitTimeCong12", UINT),
	[IB_PC_VL_XMIT_TIME_CONG13_F] = FIELD(448, 32, "PortVLXmitTimeCong13", UINT),
	[IB_PC_VL_XMIT_TIME_CONG14_F] = FIELD(480, 32, "PortVLXmitTimeCong14", UINT),
	[IB_PC_VL_XMIT_TIME_CONG_LAST_F] = NOTHING,

	/* Mellanox ExtendedPortInfo (SMP 0xff90) */
	[IB_MLNX_EXT_PORT_STATE_CHG_ENABLE_F] = FIELD(0, 8, "StateChangeEnable", HEX),
	[IB_MLNX_EXT_PORT_LINK_SPEED_SUPPORTED_F] = FIELD(32, 8, "LinkSpeedSupported", HEX),
	[IB_MLNX_EXT_PORT_LINK_SPEED_ENABLED_F] = FIELD(64, 8, "LinkSpeedEnabled", HEX),
	[IB_MLNX_EXT_PORT_LINK_SPEED_ACTIVE_F] = FIELD(96, 8, "LinkSpeedActive", HEX),
	[IB_MLNX_EXT_PORT_LAST_F] = NOTHING,

	/* Congestion control MAD header: the CC key */
	[IB_CC_CCKEY_F] = FIELD(192, 64, "CC_Key", HEX),

	/* CongestionInfo (CC 0x11) */
	[IB_CC_CONGESTION_INFO_F] = FIELD(16, 16, "CongestionInfo", HEX),
	[IB_CC_CONGESTION_INFO_CONTROL_TABLE_CAP_F] = FIELD(8, 8, "ControlTableCap", UINT),
	[IB_CC_CONGESTION_INFO_LAST_F] = NOTHING,

	/* CongestionKeyInfo (CC 0x12) */
	[IB_CC_CONGESTION_KEY_INFO_CC_KEY_F] = FIELD(0, 64, "CC_Key", HEX),
	[IB_CC_CONGESTION_KEY_INFO_CC_KEY_PROTECT_BIT_F] = FIELD(95, 1, "CC_KeyProtectBit", UINT),
	[IB_CC_CONGESTION_KEY_INFO_CC_KEY_LEASE_PERIOD_F] =
		FIELD(64, 16, "CC_KeyLeasePeriod", UINT),
	[IB_CC_CONGESTION_KEY_INFO_CC_KEY_VIOLATIONS_F] = FIELD(112, 16, "CC_KeyViolations", UINT),
	[IB_CC_CONGESTION_KEY_INFO_LAST_F] = NOTHING,

	/* CongestionLog (CC 0x13): common part */
	[IB_CC_CONGESTION_LOG_LOGTYPE_F] = FIELD(24, 8, "LogType", UINT),
	[IB_CC_CONGESTION_LOG_CONGESTION_FLAGS_F] = FIELD(16, 8, "CongestionFlags", HEX),
	[IB_CC_CONGESTION_LOG_LAST_F] = NOTHING,

	/* CongestionLog of a switch */
	[IB_CC_CONGESTION_LOG_SWITCH_LOG_EVENTS_COUNTER_F] = FIELD(0, 16, "LogEventsCounter", UINT),
	[IB_CC_CONGESTION_LOG_SWITCH_CURRENT_TIME_STAMP_F] =
		FIELD(32, 32, "CurrentTimeStamp", UINT),
	[IB_CC_CONGESTION_LOG_SWITCH_PORTMAP_F] = FIELD(64, 256, "PortMap", ARRAY),
	[IB_CC_CONGESTION_LOG_SWITCH_LAST_F] = NOTHING,

	/* CongestionLog of a switch: one entry */
	[IB_CC_CONGESTION_LOG_ENTRY_SWITCH_SLID_F] = FIELD(16, 16, "SLID", UINT),
	[IB_CC_CONGESTION_LOG_ENTRY_SWITCH_DLID_F] = FIELD(0, 16, "DLID", UINT),
	[IB_CC_CONGESTION_LOG_ENTRY_SWITCH_SL_F] = FIELD(60, 4, "SL", UINT),
	[IB_CC_CONGESTION_LOG_ENTRY_SWITCH_TIMESTAMP_F] = FIELD(64, 32, "Timestamp", UINT),
	[IB_CC_CONGESTION_LOG_ENTRY_SWITCH_LAST_F] = NOTHING,

	/* CongestionLog of a CA */
	[IB_CC_CONGESTION_LOG_CA_THRESHOLD_EVENT_COUNTER_F] =
		FIELD(0, 16, "ThresholdEventCounter", UINT),
	[IB_CC_CONGESTION_LOG_CA_THRESHOLD_CONGESTION_EVENT_MAP_F] =
		FIELD(48, 16, "ThresholdCongestionEventMap", HEX),
	[IB_CC_CONGESTION_LOG_CA_CURRENT_TIMESTAMP_F] = FIELD(64, 32, "CurrentTimeStamp", UINT),
	[IB_CC_CONGESTION_LOG_CA_LAST_F] = NOTHING,

	/* CongestionLog of a CA: one entry */
	[IB_CC_CONGESTION_LOG_ENTRY_CA_LOCAL_QP_CN_ENTRY_F] =
		FIELD(8, 24, "Local_QP_CN_Entry", UINT),
	[IB_CC_CONGESTION_LOG_ENTRY_CA_SL_CN_ENTRY_F] = FIELD(4, 4, "SL_CN_Entry", UINT),
	[IB_CC_CONGESTION_LOG_ENTRY_CA_SERVICE_TYPE_CN_ENTRY_F] =
		FIELD(0, 4, "Service_Type_CN_Entry", HEX),
	[IB_CC_CONGESTION_LOG_ENTRY_CA_REMOTE_QP_NUMBER_CN_ENTRY_F] =
		FIELD(40, 24, "Remote_QP_Number_CN_Entry", UINT),
	[IB_CC_CONGESTION_LOG_ENTRY_CA_LOCAL_LID_CN_F] = FIELD(80, 16, "Local_LID_CN", UINT),
	[IB_CC_CONGESTION_LOG_ENTRY_CA_REMOTE_LID_CN_ENTRY_F] =
		FIELD(64, 16, "Remote_LID_CN_Entry", UINT),
	[IB_CC_CONGESTION_LOG_ENTRY_CA_TIMESTAMP_CN_ENTRY_F] =
		FIELD(96, 32, "Timestamp_CN_Entry", UINT),
	[IB_CC_CONGESTION_LOG_ENTRY_CA_LAST_F] = NOTHING,

	/* SwitchCongestionSetting (CC 0x14) */
	[IB_CC_SWITCH_CONGESTION_SETTING_CONTROL_MAP_F] = FIELD(0, 32, "Control_Map", HEX),
	[IB_CC_SWITCH_CONGESTION_SETTING_VICTIM_MASK_F] = FIELD(32, 256, "Victim_Mask", ARRAY),
	[IB_CC_SWITCH_CONGESTION_SETTING_CREDIT_MASK_F] = FIELD(288, 256, "Credit_Mask", ARRAY),
	[IB_CC_SWITCH_CONGESTION_SETTING_THRESHOLD_F] = FIELD(572, 4, "Threshold", HEX),
	[IB_CC_SWITCH_CONGESTION_SETTING_PACKET_SIZE_F] = FIELD(560, 8, "Packet_Size", UINT),
	[IB_CC_SWITCH_CONGESTION_SETTING_CS_THRESHOLD_F] = FIELD(556, 4, "CS_Threshold", HEX),
	[IB_CC_SWITCH_CONGESTION_SETTING_CS_RETURN_DELAY_F] = FIELD(592, 16, "CS_ReturnDelay", HEX),
	[IB_CC_SWITCH_CONGESTION_SETTING_MARKING_RATE_F] = FIELD(576, 16, "Marking_Rate", UINT),
	[IB_CC_SWITCH_CONGESTION_SETTING_LAST_F] = NOTHING,

	/* SwitchPortCongestionSetting (CC 0x15): one element */
	[IB_CC_SWITCH_PORT_CONGESTION_SETTING_ELEMENT_VALID_F] = FIELD(31, 1, "Valid", UINT),
	[IB_CC_SWITCH_PORT_CONGESTION_SETTING_ELEMENT_CONTROL_TYPE_F] =
		FIELD(30, 1, "Control_Type", UINT),
	[IB_CC_SWITCH_PORT_CONGESTION_SETTING_ELEMENT_THRESHOLD_F] = FIELD(24, 4, "Threshold", HEX),
	[IB_CC_SWITCH_PORT_CONGESTION_SETTING_ELEMENT_PACKET_SIZE_F] =
		FIELD(16, 8, "Packet_Size", UINT),
	[IB_CC_SWITCH_PORT_CONGESTION_SETTING_ELEMENT_CONG_PARM_MARKING_RATE_F] =
		FIELD(0, 16, "Cong_Parm_Marking_Rate", UINT),
	[IB_CC_SWITCH_PORT_CONGESTION_SETTING_ELEMENT_LAST_F] = NOTHING,

	/* CACongestionSetting (CC 0x16) */
	[IB_CC_CA_CONGESTION_SETTING_PORT_CONTROL_F] = FIELD(16, 16, "Port_Control", HEX),
	[IB_CC_CA_CONGESTION_SETTING_CONTROL_MAP_F] = FIELD(0, 16, "Control_Map", HEX),
	[IB_CC_CA_CONGESTION_SETTING_LAST_F] = NOTHING,

	/* CACongestionSetting: one entry */
	[IB_CC_CA_CONGESTION_ENTRY_CCTI_TIMER_F] = FIELD(16, 16, "CCTI_Timer", UINT),
	[IB_CC_CA_CONGESTION_ENTRY_CCTI_INCREASE_F] = FIELD(8, 8, "CCTI_Increase", UINT),
	[IB_CC_CA_CONGESTION_ENTRY_TRIGGER_THRESHOLD_F] = FIELD(0, 8, "Trigger_Threshold", UINT),
	[IB_CC_CA_CONGESTION_ENTRY_CCTI_MIN_F] = FIELD(56, 8, "CCTI_Min", UINT),
	[IB_CC_CA_CONGESTION_ENTRY_LAST_F] = NOTHING,

	/* CongestionControlTable (CC 0x17) */
	[IB_CC_CONGESTION_CONTROL_TABLE_CCTI_LIMIT_F] = FIELD(16, 16, "CCTI_Limit", UINT),
	[IB_CC_CONGESTION_CONTROL_TABLE_LAST_F] = NOTHING,

	/* CongestionControlTable: one entry */
	[IB_CC_CONGESTION_CONTROL_TABLE_ENTRY_CCT_SHIFT_F] = FIELD(30, 2, "CCT_Shift", UINT),
	[IB_CC_CONGESTION_CONTROL_TABLE_ENTRY_CCT_MULTIPLIER_F] =
		FIELD(16, 14, "CCT_Multiplier", UINT),
	[IB_CC_CONGESTION_CONTROL_TABLE_ENTRY_LAST_F] = NOTHING,

	/* TimeStamp (CC 0x18) */
	[IB_CC_TIMESTAMP_F] = FIELD(0, 32, "Timestamp", UINT),
	[IB_CC_TIMESTAMP_LAST_F] = NOTHING,

	/* NodeRecord (SA 0x11) */
	[IB_SA_NR_LID_F] = FIELD(16, 16, "Lid", UINT),
	[IB_SA_NR_BASEVER_F] = FIELD(56, 8, "BaseVers", UINT),
	[IB_SA_NR_CLASSVER_F] = FIELD(48, 8, "ClassVers", UINT),
	[IB_SA_NR_TYPE_F] = FIELD(40, 8, "NodeType", NODE_TYPE),
	[IB_SA_NR_NPORTS_F] = FIELD(32, 8, "NumPorts", UINT),
	[IB_SA_NR_SYSTEM_GUID_F] = FIELD(64, 64, "SystemGuid", HEX),
	[IB_SA_NR_GUID_F] = FIELD(128, 64, "Guid", HEX),
	[IB_SA_NR_PORT_GUID_F] = FIELD(192, 64, "PortGuid", HEX),
	[IB_SA_NR_PARTITION_CAP_F] = FIELD(272, 16, "PartCap", UINT),
	[IB_SA_NR_DEVID_F] = FIELD(256, 16, "DevId", HEX),
	[IB_SA_NR_REVISION_F] = FIELD(288, 32, "Revision", HEX),
	[IB_SA_NR_LOCAL_PORT_F] = FIELD(344, 8, "LocalPort", UINT),
	[IB_SA_NR_VENDORID_F] = FIELD(320, 24, "VendorId", HEX),
	[IB_SA_NR_NODEDESC_F] = FIELD(352, 512, "NodeDesc", STRING),
	[IB_SA_NR_LAST_F] = NOTHING,

	/* PortSamplesResult (PerfMgt 0x11) */
	[IB_PSR_TAG_F] = FIELD(16, 16, "Tag", HEX),
	[IB_PSR_SAMPLE_STATUS_F] = FIELD(0, 2, "SampleStatus", HEX),
	[IB_PSR_COUNTER0_F] = FIELD(32, 32, "Counter0", UINT),
	[IB_PSR_COUNTER1_F] = FIELD(64, 32, "Counter1", UINT),
	[IB_PSR_COUNTER2_F] = FIELD(96, 32, "Counter2", UINT),
	[IB_PSR_COUNTER3_F] = FIELD(128, 32, "Counter3", UINT),
	[IB_PSR_COUNTER4_F] = FIELD(160, 32, "Counter4", UINT),
	[IB_PSR_COUNTER5_F] = FIELD(192, 32, "Counter5", UINT),
	[IB_PSR_COUNTER6_F] = FIELD(224, 32, "Counter6", UINT),
	[IB_PSR_COUNTER7_F] = FIELD(256, 32, "Counter7", UINT),
	[IB_PSR_COUNTER8_F] = FIELD(288, 32, "Counter8", UINT),
	[IB_PSR_COUNTER9_F] = FIELD(320, 32, "Counter9", UINT),
	[IB_PSR_COUNTER10_F] = FIELD(352, 32, "Counter10", UINT),
	[IB_PSR_COUNTER11_F] = FIELD(384, 32, "Counter11", UINT),
	[IB_PSR_COUNTER12_F] = FIELD(416, 32, "Counter12", UINT),
	[IB_PSR_COUNTER13_F] = FIELD(448, 32, "Counter13", UINT),
	[IB_PSR_COUNTER14_F] = FIELD(480, 32, "Counter14", UINT),
	[IB_PSR_LAST_F] = NOTHING,

	/* PortInfoExtended (SMP 0x33); its later fields stand further down */
	[IB_PORT_EXT_CAPMASK_F] = FIELD(0, 32, "CapMask", HEX),
	[IB_PORT_EXT_FEC_MODE_ACTIVE_F] = FIELD(48, 16, "FECModeActive", UINT),
	[IB_PORT_EXT_FDR_FEC_MODE_SUPPORTED_F] = FIELD(32, 16, "FDRFECModeSupported", HEX),
	[IB_PORT_EXT_FDR_FEC_MODE_ENABLED_F] = FIELD(80, 16, "FDRFECModeEnabled", HEX),
	[IB_PORT_EXT_EDR_FEC_MODE_SUPPORTED_F] = FIELD(64, 16, "EDRFECModeSupported", HEX),
	[IB_PORT_EXT_EDR_FEC_MODE_ENABLED_F] = FIELD(112, 16, "EDRFECModeEnabled", HEX),
	[IB_PORT_EXT_LAST_F] = NOTHING,

	/* PortExtendedSpeedsCounters (PerfMgt 0x1f), lanes with RS-FEC active */
	[IB_PESC_RSFEC_PORT_SELECT_F] = FIELD(16, 8, "PortSelect", UINT),
	[IB_PESC_RSFEC_COUNTER_SELECT_F] = FIELD(64, 64, "CounterSelect", HEX),
	[IB_PESC_RSFEC_SYNC_HDR_ERR_CTR_F] = FIELD(144, 16, "SyncHeaderErrorCounter", UINT),
	[IB_PESC_RSFEC_UNK_BLOCK_CTR_F] = FIELD(128, 16, "UnknownBlockCounter", UINT),
	[IB_PESC_RSFEC_FEC_CORR_SYMBOL_CTR_LANE0_F] =
		FIELD(352, 32, "FECCorrectableSymbolCtrLane0", UINT),
	[IB_PESC_RSFEC_FEC_CORR_SYMBOL_CTR_LANE1_F] =
		FIELD(384, 32, "FECCorrectableSymbolCtrLane1", UINT),
	[IB_PESC_RSFEC_FEC_CORR_SYMBOL_CTR_LANE2_F] =
		FIELD(416, 32, "FECCorrectableSymbolCtrLane2", UINT),
	[IB_PESC_RSFEC_FEC_CORR_SYMBOL_CTR_LANE3_F] =
		FIELD(448, 32, "FECCorrectableSymbolCtrLane3", UINT),
	[IB_PESC_RSFEC_FEC_CORR_SYMBOL_CTR_LANE4_F] =
		FIELD(480, 32, "FECCorrectableSymbolCtrLane4", UINT),
	[IB_PESC_RSFEC_FEC_CORR_SYMBOL_CTR_LANE5_F] =
		FIELD(512, 32, "FECCorrectableSymbolCtrLane5", UINT),
	[IB_PESC_RSFEC_FEC_CORR_SYMBOL_CTR_LANE6_F] =
		FIELD(544, 32, "FECCorrectableSymbolCtrLane6", UINT),
	[IB_PESC_RSFEC_FEC_CORR_SYMBOL_CTR_LANE7_F] =
		FIELD(576, 32, "FECCorrectableSymbolCtrLane7", UINT),
	[IB_PESC_RSFEC_FEC_CORR_SYMBOL_CTR_LANE8_F] =
		FIELD(608, 32, "FECCorrectableSymbolCtrLane8", UINT),
	[IB_PESC_RSFEC_FEC_CORR_SYMBOL_CTR_LANE9_F] =
		FIELD(640, 32, "FECCorrectableSymbolCtrLane9", UINT),
	[IB_PESC_RSFEC_FEC_CORR_SYMBOL_CTR_LANE10_F] =
		FIELD(672, 32, "FECCorrectableSymbolCtrLane10", UINT),
	[IB_PESC_RSFEC_FEC_CORR_SYMBOL_CTR_LANE11_F] =
		FIELD(704, 32, "FECCorrectableSymbolCtrLane11", UINT),
	[IB_PESC_PORT_FEC_CORR_BLOCK_CTR_F] = FIELD(1120, 32, "PortFECCorrectableBlockCtr", UINT),
	[IB_PESC_PORT_FEC_UNCORR_BLOCK_CTR_F] =
		FIELD(1152, 32, "PortFECUncorrectableBlockCtr", UINT),
	[IB_PESC_PORT_FEC_CORR_SYMBOL_CTR_F] = FIELD(1184, 32, "PortFECCorrectedSymbolCtr", UINT),
	[IB_PESC_RSFEC_LAST_F] = NOTHING,

	/* PortCountersExtended, continued: CounterSelect2 and error counters */
	[IB_PC_EXT_COUNTER_SELECT2_F] = FIELD(32, 32, "CounterSelect2", HEX),
	[IB_PC_EXT_ERR_SYM_F] = FIELD(576, 64, "SymbolErrorCounter", UINT),
	[IB_PC_EXT_LINK_RECOVERS_F] = FIELD(640, 64, "LinkErrorRecoveryCounter", UINT),
	[IB_PC_EXT_LINK_DOWNED_F] = FIELD(704, 64, "LinkDownedCounter", UINT),
	[IB_PC_EXT_ERR_RCV_F] = FIELD(768, 64, "PortRcvErrors", UINT),
	[IB_PC_EXT_ERR_PHYSRCV_F] = FIELD(832, 64, "PortRcvRemotePhysicalErrors", UINT),
	[IB_PC_EXT_ERR_SWITCH_REL_F] = FIELD(896, 64, "PortRcvSwitchRelayErrors", UINT),
	[IB_PC_EXT_XMT_DISCARDS_F] = FIELD(960, 64, "PortXmitDiscards", UINT),
	[IB_PC_EXT_ERR_XMTCONSTR_F] = FIELD(1024, 64, "PortXmitConstraintErrors", UINT),
	[IB_PC_EXT_ERR_RCVCONSTR_F] = FIELD(1088, 64, "PortRcvConstraintErrors", UINT),
	[IB_PC_EXT_ERR_LOCALINTEG_F] = FIELD(1152, 64, "LocalLinkIntegrityErrors", UINT),
	[IB_PC_EXT_ERR_EXCESS_OVR_F] = FIELD(1216, 64, "ExcessiveBufferOverrunErrors", UINT),
	[IB_PC_EXT_VL15_DROPPED_F] = FIELD(1280, 64, "VL15Dropped", UINT),
	[IB_PC_EXT_XMT_WAIT_F] = FIELD(1344, 64, "PortXmitWait", UINT),
	[IB_PC_EXT_QP1_DROP_F] = FIELD(1408, 64, "QP1Dropped", UINT),
	[IB_PC_EXT_ERR_LAST_F] = NOTHING,

	/* PortCounters, continued */
	[IB_PC_QP1_DROP_F] = FIELD(160, 16, "QP1Dropped", UINT),

	/* PortInfoExtended, continued: HDR */
	[IB_PORT_EXT_HDR_FEC_MODE_SUPPORTED_F] = FIELD(112, 16, "HDRFECModeSupported", HEX),
	[IB_PORT_EXT_HDR_FEC_MODE_ENABLED_F] = FIELD(128, 16, "HDRFECModeEnabled", HEX),
	[IB_PORT_EXT_HDR_FEC_MODE_LAST_F] = NOTHING,

	/* PortInfoExtended, continued: NDR */
	[IB_PORT_EXT_NDR_FEC_MODE_SUPPORTED_F] = FIELD(144, 16, "NDRFECModeSupported", HEX),
	[IB_PORT_EXT_NDR_FEC_MODE_ENABLED_F] = FIELD(160, 16, "NDRFECModeEnabled", HEX),
	[IB_PORT_EXT_NDR_FEC_MODE_LAST_F] = NOTHING,

	/* PortInfo, continued: second set of extended speeds (XDR) */
	[IB_PORT_LINK_SPEED_EXT_ACTIVE_2_F] =
		FIELD(477, 2, "LinkSpeedExtActive2", LINK_SPEED_EXT_2),
	[IB_PORT_LINK_SPEED_EXT_SUPPORTED_2_F] =
		FIELD(475, 2, "LinkSpeedExtSupported2", LINK_SPEED_EXT_2_SET),
	[IB_PORT_LINK_SPEED_EXT_ENABLED_2_F] =
		FIELD(472, 3, "LinkSpeedExtEnabled2", LINK_SPEED_EXT_2_SET),
	[IB_PORT_LINK_SPEED_EXT_2_LAST_F] = NOTHING,

	/* The end of the table */
	[IB_FIELD_LAST_] = NOTHING,
};
/* clang-format on */

_Static_assert(sizeof(mad_fields) / sizeof(mad_fields[0]) == 671,
	       "as many ids as the interface has");
_Static_assert(sizeof(struct mad_field) == 44, "the table is read often: keep its rows small");

const char *mad_field_name(enum MAD_FIELDS field)
{
	const struct mad_field *row = mad_field_find(field);

	return row ? row->name : NULL;
}
