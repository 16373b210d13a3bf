/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Formats of words whose values or bits have names: format_words.c prints them.
 *
 * WORDS(format, kind, zero, unnamed, names): "|" separates the names, the first of which is that of
 * value or bit 0; an empty name is none. Kinds: NUMBER, the name of the value; BIT, that of the
 * only bit that is set; SET, "A or B", those of all bits that are set; MASK, the number, then a
 * line for each bit that has a name. `zero` is how 0 is printed, unless empty; `unnamed` precedes a
 * value that has no name.
 */
/* clang-format off */
WORDS(LINK_WIDTH, BIT, "", "undefined (", "1X|4X|8X|12X|2X")
WORDS(LINK_WIDTH_SUPPORTED, SET, "", "undefined (", "1X|4X|8X|12X|2X")
WORDS(LINK_WIDTH_ENABLED, SET, "", "undefined (", "1X|4X|8X|12X|2X")
WORDS(LINK_SPEED, BIT, "Extended speed", "undefined (", "2.5 Gbps|5.0 Gbps|10.0 Gbps")
WORDS(LINK_SPEED_SUPPORTED, SET, "", "undefined (", "2.5 Gbps|5.0 Gbps|10.0 Gbps")
WORDS(LINK_SPEED_EXT, BIT, "No Extended Speed", "undefined (",
	/*  0 */ "14.0625 Gbps|25.78125 Gbps|53.125 Gbps|106.25 Gbps")
WORDS(LINK_SPEED_EXT_SUPPORTED, SET, "0", "undefined (",
	/*  0 */ "14.0625 Gbps|25.78125 Gbps|53.125 Gbps|106.25 Gbps")
WORDS(LINK_SPEED_EXT_ENABLED, SET, "0", "undefined (",
	/*  0 */ "14.0625 Gbps|25.78125 Gbps|53.125 Gbps|106.25 Gbps")
WORDS(LINK_SPEED_EXT_2, BIT, "No Extended Speed 2", "undefined (", "212.5 Gbps")
/* the space is in all versions */
WORDS(LINK_SPEED_EXT_2_SET, BIT, "0", " undefined (", "212.5 Gbps")
/* codes of the SA: of all lanes together */
WORDS(RATE, NUMBER, "", "undefined (",
	/*  0 */ "||2.5 Gbps|10 Gbps|30 Gbps|5 Gbps|20 Gbps|40 Gbps|"
	/*  8 */ "60 Gbps|80 Gbps|120 Gbps|14 Gbps|56 Gbps|112 Gbps|168 Gbps|25 Gbps|"
	/* 16 */ "100 Gbps|200 Gbps|300 Gbps|28 Gbps|50 Gbps|400 Gbps|600 Gbps|800 Gbps|"
	/* 24 */ "1200 Gbps|1600 Gbps|2400 Gbps")
WORDS(LINK_DOWN_DEFAULT, NUMBER, "", "?(", "NoChange|Sleep|Polling")
WORDS(PORT_STATE, NUMBER, "", "?(", "NoChange|Down|Initialize|Armed|Active")
WORDS(PHYS_STATE, NUMBER, "", "?(",
	/*  0 */ "NoChange|Sleep|Polling|Disabled|PortConfigurationTraining|LinkUp|"
	         "LinkErrorRecovery|PhyTest")
WORDS(CAP_MASK, MASK, "", "",
	/*  0 */ "|IsSM|IsNoticeSupported|IsTrapSupported|IsOptionalIPDSupported|"
	         "IsAutomaticMigrationSupported|IsSLMappingSupported|IsMKeyNVRAM|"
	/*  8 */ "IsPKeyNVRAM|IsLedInfoSupported|IsSMdisabled|IsSystemImageGUIDsupported|"
	         "IsPkeySwitchExternalPortTrapSupported||IsExtendedSpeedsSupported|"
	         "IsCapabilityMask2Supported|"
	/* 16 */ "IsCommunicatonManagementSupported|IsSNMPTunnelingSupported|IsReinitSupported|"
	         "IsDeviceManagementSupported|IsVendorClassSupported|IsDRNoticeSupported|"
	         "IsCapabilityMaskNoticeSupported|IsBootManagementSupported|"
	/* 24 */ "IsLinkRoundTripLatencySupported|IsClientRegistrationSupported|"
	         "IsOtherLocalChangesNoticeSupported|IsLinkSpeedWidthPairsTableSupported|"
	         "IsVendorSpecificMadsTableSupported|IsMcastPkeyTrapSuppressionSupported|"
	         "IsMulticastFDBTopSupported|IsHierarchyInfoSupported")
WORDS(CAP_MASK_2, MASK, "", "",
	/*  0 */ "IsSetNodeDescriptionSupported|IsPortInfoExtendedSupported|"
	         "IsVirtualizationSupported|IsSwitchPortStateTableSupported|"
	         "IsLinkWidth2xSupported|IsLinkSpeedHDRSupported|IsMKeyProtectBitsExtSupported|"
	         "IsEnhancedTrap128Supported|"
	/*  8 */ "IsPartitionTopSupported|IsEnhancedQoSArbiterSupported|IsLinkSpeedNDRSupported|"
	         "IsExtendedSpeeds2Supported|IsLinkSpeedXDRSupported")
WORDS(MTU, NUMBER, "", "?(", "|256|512|1024|2048|4096")
WORDS(VL_CAP, NUMBER, "", "?(", "|VL0|VL0-1|VL0-3|VL0-7|VL0-14")
WORDS(OPERATIONAL_VLS, NUMBER, "No change", "?(", "|VL0|VL0-1|VL0-3|VL0-7|VL0-14")
WORDS(NODE_TYPE, NUMBER, "", "?(", "|Channel Adapter|Switch|Router")
/* the capabilities in GeneralInfo of SMPs, which has three words */
WORDS(VENDOR_CAPS_0, MASK, "", "",
	/*  0 */ "IsPrivateLinearForwardingSupported|IsAdaptiveRoutingSupported|"
	         "IsAdaptiveRoutingRev1Supported|IsRemotePortMirroringSupported|"
	         "IsTemperatureSensingSupported|IsConfigSpaceAccessSupported|IsCableInfoSupported|"
	         "IsSMPEyeOpenSupported|"
	/*  8 */ "IsLossyVLConfigSupported|IsExtendedPortInfoSupported|IsAccessRegisterSupported|"
	         "IsInterProcessCommunicationSupported|IsPortSLToPrivateLFTMapSupported|"
	         "IsExtendedNodeInfoSupported|IsASlaveVirtualSwitch|IsVirtualizationSupported|"
	/* 16 */ "IsAdvancedRetransAndFECModesSupported|IsSemaphoreLockSupported|"
	         "IsSHArPAggrNodeSupported|IsCableInfoPasswordSupported|IsVL2VLPerSWIDSupported|"
	         "IsSpecialPortsMarkingSupported|IsVPortGUIDInfoSupported|"
	         "IsForcePLFTSubgroup0Supported|"
	/* 24 */ "IsQoSConfigSLRateLimitSupported|IsQoSConfigSLVPortRateLimitSupported|"
	         "IsQoSConfigSLAllocBWSupported|IsQoSConfigSLVPortAllocBWSupported|"
	         "IsEnhancedTrap128Supported|IsDevInfoSupported|IsGlobalOOOSupported|"
	         "IsMADAddlStatusSupported")
WORDS(VENDOR_CAPS_1, MASK, "", "",
	/*  0 */ "IsQoSConfigSLRateLimitPortSupported|IsQoSConfigSLRateLimitVPortSupported|"
	         "IsQoSConfigSLAllocBWPortSupported|IsQoSConfigSLAllocBWVPortSupported|"
	         "IsQoSConfigHighPriorityVLGroupRateLimitSupported|"
	         "IsQoSConfigHighPriorityVLGroupAllocBWSupported|"
	         "IsQoSConfigLowPriorityVLGroupRateLimitSupported|"
	         "IsQoSConfigLowPriorityVLGroupAllocBWSupported|"
	/*  8 */ "IsQoSConfigVLRateLimitSupported|IsQoSConfigVLAllocBWSupported||"
	         "IsCableInfoBankNumberSupported|IsVSCCSupported|IsAdaptiveTimeoutSupported|"
	         "IsClassEnableSupported|IsExtendedAddressModeSupported|"
	/* 16 */ "IsRouterLIDSupported|IsLinearForwardingTableSplitSupported|"
	         "IsDataTypetoSLMappingSupported|IsQoSConfigVLSupported|IsFastRecoverySupported|"
	         "IsCreditWatchdogSupported|IsNVLFabricManagementSupported|"
	         "IsNVLReductionManagementSupported|"
	/* 24 */ "IsRailFilterSupported|IsNVLHBFConfigSupported|IsDataTypetoVLMappingSupported|"
	         "IsContainAndDrainSupported|IsProfilesConfigSupported|IsBERConfigSupported|"
	         "IsGlobalOOOV2Supported|IsVLBufferWeightSupported")
WORDS(VENDOR_CAPS_2, MASK, "", "",
	/*  0 */ "IsEndPortPlaneFilterConfigSupported|IsEntryPlaneFilterSupported|"
	         "IsBwUtilizationSupported|IsExtendedSwitchInfoSupported|"
	         "IsFabricManagerInfoSupported|IsExtPortInfoUnhealthyReasonSupported|"
	         "IsMulticastPrivateLinearForwardingSupported|"
	         "IsPortSLToMulticastPrivateLFTMapSupported|"
	/*  8 */ "IsChassisInfoSupported|IsPLRTriggerSupported|IsFwISSUSupported|"
	         "IsNVLinkFecModeSupported|IsPortRecoveryPolicyConfigSupported|"
	         "IsNMXAdminstateSupported|IsMultiplaneAsymmetrySupported|IsUtcTimestampSupported|"
	/* 16 */ "IsCpoIndicationSupported|IsLinkAutoRetrainSupported")
