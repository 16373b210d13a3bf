/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The attributes, a row each: class (0: any; 0x01 also for 0x81), ID, the name in lines about MADs
 * where umad_attribute_str() has none, and the ranges of field IDs { first, end } of its fields. A
 * file that includes this defines what a row becomes:
 *
 * DUMPED(class, ID, name, function, ranges): for mad_dump_<function>() and mad_dump_attribute()
 * PRINTED(class, ID, name, ranges): mad_dump_attribute() prints it; the way for new attributes
 * NAMED(class, ID, name): no open source has its fields, or no tool needs them
 * PART(function, ranges): mad_dump_<function>() prints a part or another shape of an attribute
 *
 * GROUP(IB_NODE) is { IB_NODE_FIRST_F, IB_NODE_LAST_F }; SPAN has its last field, too.
 *
 * An attribute may have several rows, which are printed in this order.
 */
/* clang-format off */
#define PC_SELECT SPAN(IB_PC_EXT_PORT_SELECT_F, IB_PC_EXT_COUNTER_SELECT_F)
#define GROUP(name) { name##_FIRST_F, name##_LAST_F }
#define SPAN(first, last) { first, (last) + 1 }

/* All classes of general services */
DUMPED(0x00, 0x0001, "", classportinfo, SPAN(IB_CPI_BASEVER_F, IB_CPI_TRAP_QKEY_F))
PRINTED(0x00, 0x0002, "", { IB_NOTICE_IS_GENERIC_F, IB_NOTICE_DATA_DETAILS_F })

/* Subnet management, by LID and by directed route */
DUMPED(0x01, 0x0011, "", nodeinfo, GROUP(IB_NODE))
DUMPED(0x01, 0x0012, "", switchinfo, GROUP(IB_SW))
DUMPED(0x01, 0x0015, "", portinfo, GROUP(IB_PORT), { IB_PORT_CAPMASK2_F, IB_PORT_LINK_SPEED_EXT_LAST_F })
PRINTED(0x01, 0x001e, "HierarchyInfo", SPAN(MAD_HIERARCHY_TEMPLATE_GUID_F, MAD_HIERARCHY_LEVELS_F))
DUMPED(0x01, 0x0033, "PortInfoExtended", portinfo_ext,
	GROUP(IB_PORT_EXT), { IB_PORT_EXT_HDR_FEC_MODE_SUPPORTED_F, IB_PORT_EXT_HDR_FEC_MODE_LAST_F },
	{ IB_PORT_EXT_NDR_FEC_MODE_SUPPORTED_F, IB_PORT_EXT_NDR_FEC_MODE_LAST_F })
PRINTED(0x01, 0x0034, "SwitchPortStateTable", SPAN(MAD_SWITCH_PORT_STATES_F, MAD_SWITCH_PORT_STATES_F))
NAMED(0x01, 0x0050, "EnhancedQoSArbiterInfo")
NAMED(0x01, 0x0051, "EnhPortVLArbiter")
NAMED(0x01, 0x0052, "EnhSLArbiter")
NAMED(0x01, 0x0053, "VPortEnhQoSArbiterInfo")
NAMED(0x01, 0x0054, "VPortEnhSLArbiter")
NAMED(0x01, 0xff10, "PLFTInfo")
NAMED(0x01, 0xff11, "PLFTDef")
NAMED(0x01, 0xff12, "PLFTMap")
NAMED(0x01, 0xff14, "PortSLToPLFTMap")
PRINTED(0x01, 0xff17, "GeneralInfo", SPAN(MAD_GENERAL_CAPABILITIES_0_F, MAD_GENERAL_CAPABILITIES_3_F))
PRINTED(0x01, 0xff18, "ChassisInfo", SPAN(MAD_CHASSIS_ID_F, MAD_CHASSIS_ID_F))
NAMED(0x01, 0xff1a, "MulticastPLFTInfo")
NAMED(0x01, 0xff1b, "MulticastPLFTDef")
NAMED(0x01, 0xff1c, "MulticastPLFTMap")
NAMED(0x01, 0xff1d, "PortSLToMulticastPLFTMap")
PRINTED(0x01, 0xff20, "AdaptiveRoutingInfo", SPAN(MAD_AR_INFO_ENABLE_F, MAD_AR_INFO_HBF_SL_MASK_F))
NAMED(0x01, 0xff21, "ARGroupTable")
NAMED(0x01, 0xff22, "ARLFT")
NAMED(0x01, 0xff23, "ARLFTSX")
NAMED(0x01, 0xff24, "HBFConfig")
NAMED(0x01, 0xff25, "WHBFConfig")
PRINTED(0x01, 0xff26, "LFTSplit", SPAN(MAD_LFT_SPLIT_GLOBAL_START_F, MAD_LFT_SPLIT_PLANE_TOP_F))
NAMED(0x01, 0xff27, "NVLHBFConfig")
NAMED(0x01, 0xff40, "TempSensing")
NAMED(0x01, 0xff50, "CRSpaceAccess")
NAMED(0x01, 0xff52, "RegisterAccess")
PRINTED(0x01, 0xff54, "EndPortPlaneFilterConfig", SPAN(MAD_PLANE_FILTERS_F, MAD_PLANE_FILTERS_F))
NAMED(0x01, 0xff61, "pFRNConfig")
NAMED(0x01, 0xff71, "CreditWatchdogConfig")
NAMED(0x01, 0xff72, "BERConfig")
NAMED(0x01, 0xff73, "ProfilesConfig")
NAMED(0x01, 0xff82, "QosConfigSL")
NAMED(0x01, 0xff85, "QosConfigVL")
NAMED(0x01, 0xff87, "ContainAndDrainInfo")
NAMED(0x01, 0xff88, "ContainAndDrainPortState")
NAMED(0x01, 0xff89, "AnycastLIDInfo")
NAMED(0x01, 0xff8a, "RailFilterConfig")
NAMED(0x01, 0xff8b, "EntryPlaneFilterConfig")
NAMED(0x01, 0xff8e, "FabricManagerInfo")
DUMPED(0x01, 0xff90, "ExtendedPortInfo", mlnx_ext_port_info, { IB_MLNX_EXT_PORT_STATE_CHG_ENABLE_F, IB_MLNX_EXT_PORT_LAST_F })
PRINTED(0x01, 0xff90, "", SPAN(MAD_EXT_PORT_AME_F, MAD_EXT_PORT_OOO_SL_MASK_F))
PRINTED(0x01, 0xff91, "ExtendedNodeInfo", SPAN(MAD_EXT_NODE_NUM_OOB_F, MAD_EXT_NODE_MAX_PLANES_F))
PRINTED(0x01, 0xff92, "ExtendedSwitchInfo", SPAN(MAD_EXT_SWITCH_TURBO_PATH_F, MAD_EXT_SWITCH_WINDOW_F))
NAMED(0x01, 0xff93, "NVLinkFECMode")
NAMED(0x01, 0xffb0, "VirtualizationInfo")
NAMED(0x01, 0xffb1, "VPortInfo")
NAMED(0x01, 0xffb2, "VNodeInfo")
NAMED(0x01, 0xffb3, "VPortState")
NAMED(0x01, 0xffb4, "VNodeDesc")
NAMED(0x01, 0xffb5, "VPortGUIDInfo")
NAMED(0x01, 0xffb6, "VPortPKeyTable")
NAMED(0x01, 0xffb8, "RNGenStringTable")
NAMED(0x01, 0xffb9, "RNRcvString")
NAMED(0x01, 0xffba, "RNSubGroupDirectionTable")
NAMED(0x01, 0xffbc, "RNXmitPortMask")
NAMED(0x01, 0xffbd, "ARGroupTableCopy")
NAMED(0x01, 0xffbe, "RNGenBySubGroupPriority")
NAMED(0x01, 0xffd0, "RouterInfo")
NAMED(0x01, 0xffd1, "RouterNextHopTable")
NAMED(0x01, 0xffd2, "AdjSiteLocalSubnets")
NAMED(0x01, 0xffd5, "AdjSubnetsRouterLIDInfo")
NAMED(0x01, 0xffd6, "RouterLIDTable")
NAMED(0x01, 0xffd7, "ARGroupToRouterLID")
NAMED(0x01, 0xffda, "PortRecoveryPolicyConfig")

/* Subnet Administration */
PRINTED(0x03, 0x0035, "", SPAN(IB_SA_PR_DGID_F, IB_SA_PR_SL_F), SPAN(MAD_PATH_SERVICE_ID_F, MAD_PATH_PREFERENCE_F))
PRINTED(0x03, 0x0038, "",
	{ IB_SA_MCM_MGID_F, IB_SA_MCM_MTU_F }, SPAN(IB_SA_MCM_TCLASS_F, IB_SA_MCM_PROXY_JOIN_F),
	SPAN(MAD_MCM_MTU_SELECTOR_F, MAD_MCM_SCOPE_F))

/* Performance management */
DUMPED(0x04, 0x0010, "PortSamplesControl", portsamples_control, { IB_PSC_OPCODE_F, IB_PSC_LAST_F })
DUMPED(0x04, 0x0011, "PortSamplesResult", portsamples_result, { IB_PSR_TAG_F, IB_PSR_LAST_F })
DUMPED(0x04, 0x0012, "PortCounters", perfcounters,
	{ IB_PC_FIRST_F, IB_PC_VL15_DROPPED_F }, SPAN(IB_PC_QP1_DROP_F, IB_PC_QP1_DROP_F),
	{ IB_PC_VL15_DROPPED_F, IB_PC_LAST_F })
DUMPED(0x04, 0x0015, "PortRcvErrorDetails", perfcounters_rcv_err, PC_SELECT, { IB_PC_RCV_LOCAL_PHY_ERR_F, IB_PC_RCV_ERR_LAST_F })
DUMPED(0x04, 0x0016, "PortXmitDiscardDetails", perfcounters_xmt_disc, PC_SELECT, { IB_PC_XMT_INACT_DISC_F, IB_PC_XMT_DISC_LAST_F })
DUMPED(0x04, 0x0017, "PortOpRcvCounters", perfcounters_port_op_rcv_counters, PC_SELECT, GROUP(IB_PC_PORT_OP_RCV_COUNTERS))
DUMPED(0x04, 0x0018, "PortFlowCtlCounters", perfcounters_port_flow_ctl_counters, PC_SELECT, GROUP(IB_PC_PORT_FLOW_CTL_COUNTERS))
DUMPED(0x04, 0x0019, "PortVLOpPackets", perfcounters_port_vl_op_packet, PC_SELECT, GROUP(IB_PC_PORT_VL_OP_PACKETS))
DUMPED(0x04, 0x001a, "PortVLOpData", perfcounters_port_vl_op_data, PC_SELECT, GROUP(IB_PC_PORT_VL_OP_DATA))
DUMPED(0x04, 0x001b, "PortVLXmitFlowCtlUpdateErrs", perfcounters_port_vl_xmit_flow_ctl_update_errors, PC_SELECT,
	GROUP(IB_PC_PORT_VL_XMIT_FLOW_CTL_UPDATE_ERRORS))
DUMPED(0x04, 0x001c, "PortVLXmitWaitCounters", perfcounters_port_vl_xmit_wait_counters, PC_SELECT, GROUP(IB_PC_PORT_VL_XMIT_WAIT_COUNTERS))
DUMPED(0x04, 0x001d, "PortCountersExtended", perfcounters_ext, GROUP(IB_PC_EXT), { IB_PC_EXT_COUNTER_SELECT2_F, IB_PC_EXT_ERR_LAST_F })
PRINTED(0x04, 0x001e, "PortSamplesResultExtended", SPAN(MAD_PSR_EXT_TAG_F, MAD_PSR_EXT_COUNTER14_F))
DUMPED(0x04, 0x001f, "PortExtendedSpeedsCounters", port_ext_speeds_counters, { IB_PESC_PORT_SELECT_F, IB_PESC_LAST_F })
DUMPED(0x04, 0x0030, "SwPortVLCongestion", perfcounters_sw_port_vl_congestion, PC_SELECT, GROUP(IB_PC_SW_PORT_VL_CONGESTION))
DUMPED(0x04, 0x0031, "PortRcvConCtrl", perfcounters_rcv_con_ctrl, PC_SELECT, GROUP(IB_PC_RCV_CON_CTRL))
DUMPED(0x04, 0x0032, "PortSLRcvFECN", perfcounters_sl_rcv_fecn, PC_SELECT, GROUP(IB_PC_SL_RCV_FECN))
DUMPED(0x04, 0x0033, "PortSLRcvBECN", perfcounters_sl_rcv_becn, PC_SELECT, GROUP(IB_PC_SL_RCV_BECN))
DUMPED(0x04, 0x0034, "PortXmitConCtrl", perfcounters_xmit_con_ctrl, PC_SELECT, GROUP(IB_PC_XMIT_CON_CTRL))
DUMPED(0x04, 0x0035, "PortVLXmitTimeCong", perfcounters_vl_xmit_time_cong, PC_SELECT, GROUP(IB_PC_VL_XMIT_TIME_CONG))
DUMPED(0x04, 0x0036, "PortXmitDataSL", perfcounters_xmt_sl, PC_SELECT, GROUP(IB_PC_XMT_DATA_SL))
DUMPED(0x04, 0x0037, "PortRcvDataSL", perfcounters_rcv_sl, PC_SELECT, GROUP(IB_PC_RCV_DATA_SL))
NAMED(0x04, 0x0038, "PortXmitDataSLExt")
NAMED(0x04, 0x0039, "PortRcvDataSLExt")

/* NVLink reduction management (RDM) */
NAMED(0x09, 0x0010, "NVLReductionInfo")
NAMED(0x09, 0x0011, "ReductionForwardingTable")
NAMED(0x09, 0x0012, "PenaltyBoxConfig")
NAMED(0x09, 0x0013, "NVLReductionPortInfo")
NAMED(0x09, 0x0014, "NVLReductionProfilesConfig")
NAMED(0x09, 0x0015, "NVLReductionConfigMLIDMonitors")
NAMED(0x09, 0x0016, "NVLReductionCounters")
NAMED(0x09, 0x0017, "NVLReductionRoundingMode")

/* Vendor specific, of NVIDIA (VS) */
PRINTED(0x0a, 0x000f, "KeyInfo", SPAN(MAD_VS_KEY_F, MAD_VS_KEY_VIOLATIONS_F))
PRINTED(0x0a, 0x0017, "GeneralInfo", SPAN(MAD_VS_HW_REVISION_F, MAD_VS_SW_SUBMINOR_F))
NAMED(0x0a, 0x0018, "MirroringInfo")
NAMED(0x0a, 0x001a, "MirroringAgent")
NAMED(0x0a, 0x001c, "MirroringGlobalTrigger")
NAMED(0x0a, 0x001d, "CongestionMirroring")
NAMED(0x0a, 0x0051, "AccessRegisterGMP")
NAMED(0x0a, 0x0053, "SwitchNetworkInfo")
NAMED(0x0a, 0x0060, "PortRcvDataVL")
NAMED(0x0a, 0x0061, "PortXmitDataVL")
NAMED(0x0a, 0x0062, "PortRcvPktVL")
NAMED(0x0a, 0x0063, "PortXmitPktVL")
NAMED(0x0a, 0x0068, "PortLLRStatistics")
NAMED(0x0a, 0x0073, "PortRcvDataVLExt")
NAMED(0x0a, 0x0074, "PortXmitDataVLExt")
NAMED(0x0a, 0x0075, "PortRcvPktVLExt")
NAMED(0x0a, 0x0076, "PortXmitPktVLExt")
NAMED(0x0a, 0x0077, "PortXmitWaitVLExt")
NAMED(0x0a, 0x0078, "DiagnosticCounters")
NAMED(0x0a, 0x007a, "PortRoutingDecisionCounters")
NAMED(0x0a, 0x007b, "CreditWatchdogTimeoutCounters")
NAMED(0x0a, 0x007c, "FastRecoveryCounters")
NAMED(0x0a, 0x007e, "PortVLXmitTimeCongExt")
NAMED(0x0a, 0x007f, "PortGeneralCounters")
NAMED(0x0a, 0x0080, "PortRecoveryPolicyCounters")
NAMED(0x0a, 0x0082, "PortRNCounters")
NAMED(0x0a, 0x00b5, "PerfHistogramInfo")
NAMED(0x0a, 0x00b6, "PerfHistogramBufferControl")
NAMED(0x0a, 0x00b7, "PerfHistogramBufferData")
NAMED(0x0a, 0x00b8, "PerfHistogramPortsControl")
NAMED(0x0a, 0x00b9, "PerfHistogramPortsData")

/* Aggregation management (AM) */
NAMED(0x0b, 0x0010, "KeyInfo")
NAMED(0x0b, 0x0020, "ANInfo")
NAMED(0x0b, 0x0021, "QPAllocation")
NAMED(0x0b, 0x0022, "QPCConfig")
NAMED(0x0b, 0x0023, "TreeConfig")
NAMED(0x0b, 0x0024, "QuotaConfig")
NAMED(0x0b, 0x0025, "ANSemaphoreInfo")
NAMED(0x0b, 0x0026, "ANSATQPInfo")
NAMED(0x0b, 0x0040, "ResourceCleanup")
NAMED(0x0b, 0x0050, "PerformanceCounters")
NAMED(0x0b, 0x0056, "QPDatabase")
NAMED(0x0b, 0x0059, "ANActiveJobs")
NAMED(0x0b, 0x005f, "PortCreditResourcesAllocation")
NAMED(0x0b, 0x0060, "TreeToJobBind")
NAMED(0x0b, 0x0062, "MulticastPrivateLft")

/* Node to node (N2N) */
PRINTED(0x0c, 0x000f, "KeyInfo", SPAN(MAD_N2N_KEY_F, MAD_N2N_NODE_KEY_VIOLATIONS_F))
PRINTED(0x0c, 0x0010, "NeighborsInfo", SPAN(MAD_N2N_NEIGHBORS_F, MAD_N2N_NEIGHBORS_F))

/* Congestion control */
DUMPED(0x21, 0x0011, "CongestionInfo", cc_congestioninfo, GROUP(IB_CC_CONGESTION_INFO))
DUMPED(0x21, 0x0012, "CongestionKeyInfo", cc_congestionkeyinfo, GROUP(IB_CC_CONGESTION_KEY_INFO))
DUMPED(0x21, 0x0013, "CongestionLog", cc_congestionlog, GROUP(IB_CC_CONGESTION_LOG))
DUMPED(0x21, 0x0014, "SwitchCongestionSetting", cc_switchcongestionsetting, GROUP(IB_CC_SWITCH_CONGESTION_SETTING))
NAMED(0x21, 0x0015, "SWPortCongSetting")
DUMPED(0x21, 0x0016, "CACongestionSetting", cc_cacongestionsetting, GROUP(IB_CC_CA_CONGESTION_SETTING))
DUMPED(0x21, 0x0017, "CongestionControlTable", cc_congestioncontroltable, GROUP(IB_CC_CONGESTION_CONTROL_TABLE))
DUMPED(0x21, 0x0018, "TimeStamp", cc_timestamp, GROUP(IB_CC_TIMESTAMP))
PRINTED(0x21, 0xff00, "EnhancedInfo", SPAN(MAD_CC_ENHANCED_VER_F, MAD_CC_ENHANCED_CAPABILITIES_F))
PRINTED(0x21, 0xff08, "SWGeneralSettings", SPAN(MAD_CC_SW_ENABLE_F, MAD_CC_SW_STEP_SIZE_F))
PRINTED(0x21, 0xff09, "PortProfileSettings", SPAN(MAD_CC_PROFILE_SPECIFICATION_F, MAD_CC_PROFILE_PROFILES_F))
PRINTED(0x21, 0xff10, "SLMappingSettings", SPAN(MAD_CC_SL_PROFILE_MAP_F, MAD_CC_SL_PROFILE_MAP_F))
PRINTED(0x21, 0xff20, "HCAGeneralSettings", SPAN(MAD_CC_HCA_ENABLE_F, MAD_CC_HCA_ENABLE_F))
PRINTED(0x21, 0xff21, "HCARPParameters", SPAN(MAD_CC_RP_CLAMP_F, MAD_CC_RP_ALPHA_F))
PRINTED(0x21, 0xff22, "HCANPParameters", SPAN(MAD_CC_NP_CNP_TIME_F, MAD_CC_NP_CNP_SL_F))
NAMED(0x21, 0xff23, "HCAStatisticsQuery")
PRINTED(0x21, 0xff24, "HCAAlgoConfig", SPAN(MAD_CC_ALGO_ENABLE_F, MAD_CC_ALGO_ENCAPSULATION_F))
PRINTED(0x21, 0xff25, "HCAAlgoConfigParams", SPAN(MAD_CC_ALGO_PARAMS_SL_MASK_F, MAD_CC_ALGO_PARAMS_ENCAPSULATION_F))
NAMED(0x21, 0xff26, "HCAAlgoCounters")

/* Parts of attributes, and shapes that depend on something else */
PART(portstates, { IB_PORT_STATE_F, IB_PORT_LINK_DOWN_DEF_F })
PART(port_ext_speeds_counters_rsfec_active, GROUP(IB_PESC_RSFEC))
PART(cc_congestionlogswitch, GROUP(IB_CC_CONGESTION_LOG_SWITCH))
PART(cc_congestionlogentryswitch, GROUP(IB_CC_CONGESTION_LOG_ENTRY_SWITCH))
PART(cc_congestionlogca, GROUP(IB_CC_CONGESTION_LOG_CA))
PART(cc_congestionlogentryca, GROUP(IB_CC_CONGESTION_LOG_ENTRY_CA))
PART(cc_switchportcongestionsettingelement, GROUP(IB_CC_SWITCH_PORT_CONGESTION_SETTING_ELEMENT))
PART(cc_cacongestionentry, GROUP(IB_CC_CA_CONGESTION_ENTRY))
PART(cc_congestioncontroltableentry, GROUP(IB_CC_CONGESTION_CONTROL_TABLE_ENTRY))
#undef PC_SELECT
#undef GROUP
#undef SPAN
/* clang-format on */
