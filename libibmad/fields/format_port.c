/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * States, capabilities, MTUs and virtual lanes of a port, and the type of a node, as text.
 */
#include "libibmad/fields/format.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* A value that is an index into a list of names; "?(n)" for a value beyond the list. */
static void put_choice(struct text *text, const mad_value_name *names, unsigned count,
		       uint32_t value)
{
	if (value < count && *names[value]) {
		text_string(text, names[value]);
		return;
	}
	text_string(text, "?(");
	text_signed(text, (int32_t)value);
	text_char(text, ')');
}

void mad_format_link_down_default(struct text *text, uint32_t value)
{
	static const mad_value_name names[] = {
		"NoChange",
		"Sleep",
		"Polling",
	};

	put_choice(text, names, COUNT(names), value);
}

void mad_format_port_state(struct text *text, uint32_t value)
{
	static const mad_value_name names[] = {
		"NoChange", "Down", "Initialize", "Armed", "Active",
	};

	put_choice(text, names, COUNT(names), value);
}

void mad_format_phys_state(struct text *text, uint32_t value)
{
	static const mad_value_name names[] = {
		"NoChange",
		"Sleep",
		"Polling",
		"Disabled",
		"PortConfigurationTraining",
		"LinkUp",
		"LinkErrorRecovery",
		"PhyTest",
	};

	put_choice(text, names, COUNT(names), value);
}

void mad_format_mtu(struct text *text, uint32_t value)
{
	static const mad_value_name names[] = {
		[1] = "256", [2] = "512", [3] = "1024", [4] = "2048", [5] = "4096",
	};

	put_choice(text, names, COUNT(names), value);
}

static const mad_value_name virtual_lanes[] = {
	[1] = "VL0", [2] = "VL0-1", [3] = "VL0-3", [4] = "VL0-7", [5] = "VL0-14",
};

void mad_format_vl_cap(struct text *text, uint32_t value)
{
	put_choice(text, virtual_lanes, COUNT(virtual_lanes), value);
}

void mad_format_operational_vls(struct text *text, uint32_t value)
{
	if (!value)
		text_string(text, "No change");
	else
		put_choice(text, virtual_lanes, COUNT(virtual_lanes), value);
}

void mad_format_node_type(struct text *text, uint32_t value)
{
	static const mad_value_name names[] = {
		[IB_NODE_CA] = "Channel Adapter",
		[IB_NODE_SWITCH] = "Switch",
		[IB_NODE_ROUTER] = "Router",
	};

	put_choice(text, names, COUNT(names), value);
	if (value >= COUNT(names) || !*names[value])
		text_char(text, '?');
}

/* A mask as a number, then a line for each bit with a name. */
static void put_capabilities(struct text *text, const mad_value_name *names, unsigned count,
			     uint32_t value)
{
	text_string(text, "0x");
	text_hex_short(text, value);
	for (unsigned bit = 0; bit < count; bit++) {
		if (!(value >> bit & 1) || !*names[bit])
			continue;
		text_string(text, "\n\t\t\t\t");
		text_string(text, names[bit]);
	}
}

void mad_format_cap_mask(struct text *text, uint32_t value)
{
	static const mad_value_name names[32] = {
		[1] = "IsSM",
		[2] = "IsNoticeSupported",
		[3] = "IsTrapSupported",
		[4] = "IsOptionalIPDSupported",
		[5] = "IsAutomaticMigrationSupported",
		[6] = "IsSLMappingSupported",
		[7] = "IsMKeyNVRAM",
		[8] = "IsPKeyNVRAM",
		[9] = "IsLedInfoSupported",
		[10] = "IsSMdisabled",
		[11] = "IsSystemImageGUIDsupported",
		[12] = "IsPkeySwitchExternalPortTrapSupported",
		[14] = "IsExtendedSpeedsSupported",
		[15] = "IsCapabilityMask2Supported",
		[16] = "IsCommunicatonManagementSupported",
		[17] = "IsSNMPTunnelingSupported",
		[18] = "IsReinitSupported",
		[19] = "IsDeviceManagementSupported",
		[20] = "IsVendorClassSupported",
		[21] = "IsDRNoticeSupported",
		[22] = "IsCapabilityMaskNoticeSupported",
		[23] = "IsBootManagementSupported",
		[24] = "IsLinkRoundTripLatencySupported",
		[25] = "IsClientRegistrationSupported",
		[26] = "IsOtherLocalChangesNoticeSupported",
		[27] = "IsLinkSpeedWidthPairsTableSupported",
		[28] = "IsVendorSpecificMadsTableSupported",
		[29] = "IsMcastPkeyTrapSuppressionSupported",
		[30] = "IsMulticastFDBTopSupported",
		[31] = "IsHierarchyInfoSupported",
	};

	put_capabilities(text, names, COUNT(names), value);
}

void mad_format_cap_mask_2(struct text *text, uint32_t value)
{
	static const mad_value_name names[] = {
		[0] = "IsSetNodeDescriptionSupported", [1] = "IsPortInfoExtendedSupported",
		[2] = "IsVirtualizationSupported",     [3] = "IsSwitchPortStateTableSupported",
		[4] = "IsLinkWidth2xSupported",	       [5] = "IsLinkSpeedHDRSupported",
		[6] = "IsMKeyProtectBitsExtSupported", [7] = "IsEnhancedTrap128Supported",
		[8] = "IsPartitionTopSupported",       [9] = "IsEnhancedQoSArbiterSupported",
		[10] = "IsLinkSpeedNDRSupported",      [11] = "IsExtendedSpeeds2Supported",
		[12] = "IsLinkSpeedXDRSupported",
	};

	put_capabilities(text, names, COUNT(names), value);
}

/* Of GeneralInfo, three words. */
static const mad_value_name vendor_capabilities[96] = {
	[0] = "IsPrivateLinearForwardingSupported",
	[1] = "IsAdaptiveRoutingSupported",
	[2] = "IsAdaptiveRoutingRev1Supported",
	[3] = "IsRemotePortMirroringSupported",
	[4] = "IsTemperatureSensingSupported",
	[5] = "IsConfigSpaceAccessSupported",
	[6] = "IsCableInfoSupported",
	[7] = "IsSMPEyeOpenSupported",
	[8] = "IsLossyVLConfigSupported",
	[9] = "IsExtendedPortInfoSupported",
	[10] = "IsAccessRegisterSupported",
	[11] = "IsInterProcessCommunicationSupported",
	[12] = "IsPortSLToPrivateLFTMapSupported",
	[13] = "IsExtendedNodeInfoSupported",
	[14] = "IsASlaveVirtualSwitch",
	[15] = "IsVirtualizationSupported",
	[16] = "IsAdvancedRetransAndFECModesSupported",
	[17] = "IsSemaphoreLockSupported",
	[18] = "IsSHArPAggrNodeSupported",
	[19] = "IsCableInfoPasswordSupported",
	[20] = "IsVL2VLPerSWIDSupported",
	[21] = "IsSpecialPortsMarkingSupported",
	[22] = "IsVPortGUIDInfoSupported",
	[23] = "IsForcePLFTSubgroup0Supported",
	[24] = "IsQoSConfigSLRateLimitSupported",
	[25] = "IsQoSConfigSLVPortRateLimitSupported",
	[26] = "IsQoSConfigSLAllocBWSupported",
	[27] = "IsQoSConfigSLVPortAllocBWSupported",
	[28] = "IsEnhancedTrap128Supported",
	[29] = "IsDevInfoSupported",
	[30] = "IsGlobalOOOSupported",
	[31] = "IsMADAddlStatusSupported",
	[32] = "IsQoSConfigSLRateLimitPortSupported",
	[33] = "IsQoSConfigSLRateLimitVPortSupported",
	[34] = "IsQoSConfigSLAllocBWPortSupported",
	[35] = "IsQoSConfigSLAllocBWVPortSupported",
	[36] = "IsQoSConfigHighPriorityVLGroupRateLimitSupported",
	[37] = "IsQoSConfigHighPriorityVLGroupAllocBWSupported",
	[38] = "IsQoSConfigLowPriorityVLGroupRateLimitSupported",
	[39] = "IsQoSConfigLowPriorityVLGroupAllocBWSupported",
	[40] = "IsQoSConfigVLRateLimitSupported",
	[41] = "IsQoSConfigVLAllocBWSupported",
	[43] = "IsCableInfoBankNumberSupported",
	[44] = "IsVSCCSupported",
	[45] = "IsAdaptiveTimeoutSupported",
	[46] = "IsClassEnableSupported",
	[47] = "IsExtendedAddressModeSupported",
	[48] = "IsRouterLIDSupported",
	[49] = "IsLinearForwardingTableSplitSupported",
	[50] = "IsDataTypetoSLMappingSupported",
	[51] = "IsQoSConfigVLSupported",
	[52] = "IsFastRecoverySupported",
	[53] = "IsCreditWatchdogSupported",
	[54] = "IsNVLFabricManagementSupported",
	[55] = "IsNVLReductionManagementSupported",
	[56] = "IsRailFilterSupported",
	[57] = "IsNVLHBFConfigSupported",
	[58] = "IsDataTypetoVLMappingSupported",
	[59] = "IsContainAndDrainSupported",
	[60] = "IsProfilesConfigSupported",
	[61] = "IsBERConfigSupported",
	[62] = "IsGlobalOOOV2Supported",
	[63] = "IsVLBufferWeightSupported",
	[64] = "IsEndPortPlaneFilterConfigSupported",
	[65] = "IsEntryPlaneFilterSupported",
	[66] = "IsBwUtilizationSupported",
	[67] = "IsExtendedSwitchInfoSupported",
	[68] = "IsFabricManagerInfoSupported",
	[69] = "IsExtPortInfoUnhealthyReasonSupported",
	[70] = "IsMulticastPrivateLinearForwardingSupported",
	[71] = "IsPortSLToMulticastPrivateLFTMapSupported",
	[72] = "IsChassisInfoSupported",
	[73] = "IsPLRTriggerSupported",
	[74] = "IsFwISSUSupported",
	[75] = "IsNVLinkFecModeSupported",
	[76] = "IsPortRecoveryPolicyConfigSupported",
	[77] = "IsNMXAdminstateSupported",
	[78] = "IsMultiplaneAsymmetrySupported",
	[79] = "IsUtcTimestampSupported",
	[80] = "IsCpoIndicationSupported",
	[81] = "IsLinkAutoRetrainSupported",
};

void mad_format_vendor_caps_0(struct text *text, uint32_t value)
{
	put_capabilities(text, vendor_capabilities, 32, value);
}

void mad_format_vendor_caps_1(struct text *text, uint32_t value)
{
	put_capabilities(text, vendor_capabilities + 32, 32, value);
}

void mad_format_vendor_caps_2(struct text *text, uint32_t value)
{
	put_capabilities(text, vendor_capabilities + 64, 32, value);
}

void mad_dump_sltovl(char *buf, int bufsz, void *val, int valsz)
{
	const uint8_t *bytes = val;
	struct text text;

	(void)valsz; /* the table has eight bytes, whatever valsz is */
	if (!text_begin(&text, buf, bufsz))
		return;
	text_char(&text, '|');
	for (unsigned sl = 0; sl < 16; sl++) {
		unsigned vl = sl % 2 ? bytes[sl / 2] & 0xf : bytes[sl / 2] >> 4;
		char cell[3] = { vl < 10 ? ' ' : '1', (char)('0' + vl % 10), '|' };

		text_bytes(&text, cell, sizeof(cell));
	}
	text_char(&text, '\n');
	text_end(&text);
}

/* "0xA |": upper-case hexadecimal, left-aligned in two columns. */
static void put_table_entry(struct text *text, unsigned value)
{
	static const char digits[] = "0123456789ABCDEF";

	text_string(text, "0x");
	if (value > 0xf)
		text_char(text, digits[value >> 4]);
	text_char(text, digits[value & 0xf]);
	if (value <= 0xf)
		text_char(text, ' ');
	text_char(text, '|');
}

void mad_dump_vlarbitration(char *buf, int bufsz, void *val, int valsz)
{
	const uint8_t *entries = val; /* each: one byte for the VL, one for the weight */
	size_t count = valsz > 0 ? (size_t)valsz / 2 : 0;
	struct text text;

	if (!text_begin(&text, buf, bufsz))
		return;
	text_string(&text, "\nVL    : |");
	for (size_t i = 0; i < count; i++)
		put_table_entry(&text, entries[2 * i] & 0xf);
	text_string(&text, "\nWEIGHT: |");
	for (size_t i = 0; i < count; i++)
		put_table_entry(&text, entries[2 * i + 1]);
	text_char(&text, '\n');
	text_end(&text);
}
