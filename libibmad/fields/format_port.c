/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * States, capabilities, MTUs and virtual lanes of a port, and the type of a node, as text.
 */
#include "libibmad/fields/format.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* A value that is an index into a list of names; "?(n)" for a value beyond the list. */
static void put_choice(struct text *text, const struct text_name *names, unsigned count,
		       uint32_t value)
{
	if (value < count && names[value].length) {
		text_name(text, &names[value]);
		return;
	}
	text_literal(text, "?(");
	text_signed(text, (int32_t)value);
	text_char(text, ')');
}

void mad_format_link_down_default(struct text *text, uint32_t value)
{
	static const struct text_name names[] = {
		TEXT_NAME("NoChange"),
		TEXT_NAME("Sleep"),
		TEXT_NAME("Polling"),
	};

	put_choice(text, names, COUNT(names), value);
}

void mad_format_port_state(struct text *text, uint32_t value)
{
	static const struct text_name names[] = {
		TEXT_NAME("NoChange"), TEXT_NAME("Down"),   TEXT_NAME("Initialize"),
		TEXT_NAME("Armed"),    TEXT_NAME("Active"),
	};

	put_choice(text, names, COUNT(names), value);
}

void mad_format_phys_state(struct text *text, uint32_t value)
{
	static const struct text_name names[] = {
		TEXT_NAME("NoChange"),
		TEXT_NAME("Sleep"),
		TEXT_NAME("Polling"),
		TEXT_NAME("Disabled"),
		TEXT_NAME("PortConfigurationTraining"),
		TEXT_NAME("LinkUp"),
		TEXT_NAME("LinkErrorRecovery"),
		TEXT_NAME("PhyTest"),
	};

	put_choice(text, names, COUNT(names), value);
}

void mad_format_mtu(struct text *text, uint32_t value)
{
	static const struct text_name names[] = {
		[1] = TEXT_NAME("256"),	 [2] = TEXT_NAME("512"),  [3] = TEXT_NAME("1024"),
		[4] = TEXT_NAME("2048"), [5] = TEXT_NAME("4096"),
	};

	put_choice(text, names, COUNT(names), value);
}

static const struct text_name virtual_lanes[] = {
	[1] = TEXT_NAME("VL0"),	  [2] = TEXT_NAME("VL0-1"),  [3] = TEXT_NAME("VL0-3"),
	[4] = TEXT_NAME("VL0-7"), [5] = TEXT_NAME("VL0-14"),
};

void mad_format_vl_cap(struct text *text, uint32_t value)
{
	put_choice(text, virtual_lanes, COUNT(virtual_lanes), value);
}

void mad_format_operational_vls(struct text *text, uint32_t value)
{
	if (!value)
		text_literal(text, "No change");
	else
		put_choice(text, virtual_lanes, COUNT(virtual_lanes), value);
}

void mad_format_node_type(struct text *text, uint32_t value)
{
	static const struct text_name names[] = {
		[IB_NODE_CA] = TEXT_NAME("Channel Adapter"),
		[IB_NODE_SWITCH] = TEXT_NAME("Switch"),
		[IB_NODE_ROUTER] = TEXT_NAME("Router"),
	};

	put_choice(text, names, COUNT(names), value);
	if (value >= COUNT(names) || !names[value].length)
		text_char(text, '?');
}

/* A mask as a number, then a line for each bit with a name. */
static void put_capabilities(struct text *text, const struct text_name *names, unsigned count,
			     uint32_t value)
{
	text_literal(text, "0x");
	text_hex_short(text, value);
	for (unsigned bit = 0; bit < count; bit++) {
		if (!(value >> bit & 1) || !names[bit].length)
			continue;
		text_literal(text, "\n\t\t\t\t");
		text_name(text, &names[bit]);
	}
}

void mad_format_cap_mask(struct text *text, uint32_t value)
{
	static const struct text_name names[32] = {
		[1] = TEXT_NAME("IsSM"),
		[2] = TEXT_NAME("IsNoticeSupported"),
		[3] = TEXT_NAME("IsTrapSupported"),
		[4] = TEXT_NAME("IsOptionalIPDSupported"),
		[5] = TEXT_NAME("IsAutomaticMigrationSupported"),
		[6] = TEXT_NAME("IsSLMappingSupported"),
		[7] = TEXT_NAME("IsMKeyNVRAM"),
		[8] = TEXT_NAME("IsPKeyNVRAM"),
		[9] = TEXT_NAME("IsLedInfoSupported"),
		[10] = TEXT_NAME("IsSMdisabled"),
		[11] = TEXT_NAME("IsSystemImageGUIDsupported"),
		[12] = TEXT_NAME("IsPkeySwitchExternalPortTrapSupported"),
		[14] = TEXT_NAME("IsExtendedSpeedsSupported"),
		[15] = TEXT_NAME("IsCapabilityMask2Supported"),
		[16] = TEXT_NAME("IsCommunicatonManagementSupported"),
		[17] = TEXT_NAME("IsSNMPTunnelingSupported"),
		[18] = TEXT_NAME("IsReinitSupported"),
		[19] = TEXT_NAME("IsDeviceManagementSupported"),
		[20] = TEXT_NAME("IsVendorClassSupported"),
		[21] = TEXT_NAME("IsDRNoticeSupported"),
		[22] = TEXT_NAME("IsCapabilityMaskNoticeSupported"),
		[23] = TEXT_NAME("IsBootManagementSupported"),
		[24] = TEXT_NAME("IsLinkRoundTripLatencySupported"),
		[25] = TEXT_NAME("IsClientRegistrationSupported"),
		[26] = TEXT_NAME("IsOtherLocalChangesNoticeSupported"),
		[27] = TEXT_NAME("IsLinkSpeedWidthPairsTableSupported"),
		[28] = TEXT_NAME("IsVendorSpecificMadsTableSupported"),
		[29] = TEXT_NAME("IsMcastPkeyTrapSuppressionSupported"),
		[30] = TEXT_NAME("IsMulticastFDBTopSupported"),
		[31] = TEXT_NAME("IsHierarchyInfoSupported"),
	};

	put_capabilities(text, names, COUNT(names), value);
}

void mad_format_cap_mask_2(struct text *text, uint32_t value)
{
	static const struct text_name names[] = {
		[0] = TEXT_NAME("IsSetNodeDescriptionSupported"),
		[1] = TEXT_NAME("IsPortInfoExtendedSupported"),
		[2] = TEXT_NAME("IsVirtualizationSupported"),
		[3] = TEXT_NAME("IsSwitchPortStateTableSupported"),
		[4] = TEXT_NAME("IsLinkWidth2xSupported"),
		[5] = TEXT_NAME("IsLinkSpeedHDRSupported"),
		[6] = TEXT_NAME("IsMKeyProtectBitsExtSupported"),
		[7] = TEXT_NAME("IsEnhancedTrap128Supported"),
		[8] = TEXT_NAME("IsPartitionTopSupported"),
		[9] = TEXT_NAME("IsEnhancedQoSArbiterSupported"),
		[10] = TEXT_NAME("IsLinkSpeedNDRSupported"),
		[11] = TEXT_NAME("IsExtendedSpeeds2Supported"),
		[12] = TEXT_NAME("IsLinkSpeedXDRSupported"),
	};

	put_capabilities(text, names, COUNT(names), value);
}

/* The names of GeneralInfo's capabilities, in the order of their bits; empty: none. */
static const char vendor_capabilities[] = "IsPrivateLinearForwardingSupported\0" /* 0 */
					  "IsAdaptiveRoutingSupported\0"
					  "IsAdaptiveRoutingRev1Supported\0"
					  "IsRemotePortMirroringSupported\0"
					  "IsTemperatureSensingSupported\0"
					  "IsConfigSpaceAccessSupported\0"
					  "IsCableInfoSupported\0"
					  "IsSMPEyeOpenSupported\0"
					  "IsLossyVLConfigSupported\0" /* 8 */
					  "IsExtendedPortInfoSupported\0"
					  "IsAccessRegisterSupported\0"
					  "IsInterProcessCommunicationSupported\0"
					  "IsPortSLToPrivateLFTMapSupported\0"
					  "IsExtendedNodeInfoSupported\0"
					  "IsASlaveVirtualSwitch\0"
					  "IsVirtualizationSupported\0"
					  "IsAdvancedRetransAndFECModesSupported\0" /* 16 */
					  "IsSemaphoreLockSupported\0"
					  "IsSHArPAggrNodeSupported\0"
					  "IsCableInfoPasswordSupported\0"
					  "IsVL2VLPerSWIDSupported\0"
					  "IsSpecialPortsMarkingSupported\0"
					  "IsVPortGUIDInfoSupported\0"
					  "IsForcePLFTSubgroup0Supported\0"
					  "IsQoSConfigSLRateLimitSupported\0" /* 24 */
					  "IsQoSConfigSLVPortRateLimitSupported\0"
					  "IsQoSConfigSLAllocBWSupported\0"
					  "IsQoSConfigSLVPortAllocBWSupported\0"
					  "IsEnhancedTrap128Supported\0"
					  "IsDevInfoSupported\0"
					  "IsGlobalOOOSupported\0"
					  "IsMADAddlStatusSupported\0"
					  "IsQoSConfigSLRateLimitPortSupported\0" /* 32 */
					  "IsQoSConfigSLRateLimitVPortSupported\0"
					  "IsQoSConfigSLAllocBWPortSupported\0"
					  "IsQoSConfigSLAllocBWVPortSupported\0"
					  "IsQoSConfigHighPriorityVLGroupRateLimitSupported\0"
					  "IsQoSConfigHighPriorityVLGroupAllocBWSupported\0"
					  "IsQoSConfigLowPriorityVLGroupRateLimitSupported\0"
					  "IsQoSConfigLowPriorityVLGroupAllocBWSupported\0"
					  "IsQoSConfigVLRateLimitSupported\0" /* 40 */
					  "IsQoSConfigVLAllocBWSupported\0"
					  "\0"
					  "IsCableInfoBankNumberSupported\0"
					  "IsVSCCSupported\0"
					  "IsAdaptiveTimeoutSupported\0"
					  "IsClassEnableSupported\0"
					  "IsExtendedAddressModeSupported\0"
					  "IsRouterLIDSupported\0" /* 48 */
					  "IsLinearForwardingTableSplitSupported\0"
					  "IsDataTypetoSLMappingSupported\0"
					  "IsQoSConfigVLSupported\0"
					  "IsFastRecoverySupported\0"
					  "IsCreditWatchdogSupported\0"
					  "IsNVLFabricManagementSupported\0"
					  "IsNVLReductionManagementSupported\0"
					  "IsRailFilterSupported\0" /* 56 */
					  "IsNVLHBFConfigSupported\0"
					  "IsDataTypetoVLMappingSupported\0"
					  "IsContainAndDrainSupported\0"
					  "IsProfilesConfigSupported\0"
					  "IsBERConfigSupported\0"
					  "IsGlobalOOOV2Supported\0"
					  "IsVLBufferWeightSupported\0"
					  "IsEndPortPlaneFilterConfigSupported\0" /* 64 */
					  "IsEntryPlaneFilterSupported\0"
					  "IsBwUtilizationSupported\0"
					  "IsExtendedSwitchInfoSupported\0"
					  "IsFabricManagerInfoSupported\0"
					  "IsExtPortInfoUnhealthyReasonSupported\0"
					  "IsMulticastPrivateLinearForwardingSupported\0"
					  "IsPortSLToMulticastPrivateLFTMapSupported\0"
					  "IsChassisInfoSupported\0" /* 72 */
					  "IsPLRTriggerSupported\0"
					  "IsFwISSUSupported\0"
					  "IsNVLinkFecModeSupported\0"
					  "IsPortRecoveryPolicyConfigSupported\0"
					  "IsNMXAdminstateSupported\0"
					  "IsMultiplaneAsymmetrySupported\0"
					  "IsUtcTimestampSupported\0"
					  "IsCpoIndicationSupported\0" /* 80 */
					  "IsLinkAutoRetrainSupported\0";

/* One word of the mask, as put_capabilities() prints masks. */
void mad_format_vendor_caps(struct text *text, unsigned word, uint32_t value)
{
	const char *name = vendor_capabilities;
	const char *end = vendor_capabilities + sizeof(vendor_capabilities) - 1;

	text_literal(text, "0x");
	text_hex_short(text, value);
	for (unsigned bit = 0; name < end; bit++, name += strlen(name) + 1) {
		if (bit / 32 != word || !(value >> bit % 32 & 1) || !*name)
			continue;
		text_literal(text, "\n\t\t\t\t");
		text_bytes(text, name, strlen(name));
	}
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

	text_literal(text, "0x");
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
	text_literal(&text, "\nVL    : |");
	for (size_t i = 0; i < count; i++)
		put_table_entry(&text, entries[2 * i] & 0xf);
	text_literal(&text, "\nWEIGHT: |");
	for (size_t i = 0; i < count; i++)
		put_table_entry(&text, entries[2 * i + 1]);
	text_char(&text, '\n');
	text_end(&text);
}
