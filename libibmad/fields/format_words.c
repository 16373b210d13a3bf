/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Words as text: what their values, or the bits that are set in them, are called.
 */
#include "libibmad/fields/format.h"

#include <strings.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Arrays and no pointers, so that the tables need no relocation. An empty name is none. */
typedef char value_name[52];

static const struct names {
	value_name widths[5];
	value_name speeds[3];
	value_name extended_speeds[4];
	value_name extended_speeds_2[1];
	value_name rates[27];
	value_name link_down_defaults[3];
	value_name port_states[5];
	value_name phys_states[8];
	value_name mtus[6];
	value_name virtual_lanes[6];
	value_name node_types[4];
	value_name capabilities[32];
	value_name capabilities_2[13];
	value_name vendor_capabilities[3][32];
} names = {
	.widths = { "1X", "4X", "8X", "12X", "2X" },
	.speeds = { "2.5 Gbps", "5.0 Gbps", "10.0 Gbps" },
	.extended_speeds = { "14.0625 Gbps", "25.78125 Gbps", "53.125 Gbps", "106.25 Gbps" },
	.extended_speeds_2 = { "212.5 Gbps" },
	/* codes in records of the SA: of all lanes together */
	.rates = {
		[2] = "2.5 Gbps", [3] = "10 Gbps", [4] = "30 Gbps", [5] = "5 Gbps",
		[6] = "20 Gbps", [7] = "40 Gbps", [8] = "60 Gbps", [9] = "80 Gbps",
		[10] = "120 Gbps", [11] = "14 Gbps", [12] = "56 Gbps", [13] = "112 Gbps",
		[14] = "168 Gbps", [15] = "25 Gbps", [16] = "100 Gbps", [17] = "200 Gbps",
		[18] = "300 Gbps", [19] = "28 Gbps", [20] = "50 Gbps", [21] = "400 Gbps",
		[22] = "600 Gbps", [23] = "800 Gbps", [24] = "1200 Gbps", [25] = "1600 Gbps",
		[26] = "2400 Gbps",
	},
	.link_down_defaults = { "NoChange", "Sleep", "Polling" },
	.port_states = { "NoChange", "Down", "Initialize", "Armed", "Active" },
	.phys_states = {
		"NoChange", "Sleep", "Polling", "Disabled", "PortConfigurationTraining",
		"LinkUp", "LinkErrorRecovery", "PhyTest",
	},
	.mtus = { [1] = "256", [2] = "512", [3] = "1024", [4] = "2048", [5] = "4096" },
	.virtual_lanes = {
		[1] = "VL0", [2] = "VL0-1", [3] = "VL0-3", [4] = "VL0-7", [5] = "VL0-14",
	},
	.node_types = {
		[IB_NODE_CA] = "Channel Adapter", [IB_NODE_SWITCH] = "Switch",
		[IB_NODE_ROUTER] = "Router",
	},
	.capabilities = {
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
	},
	.capabilities_2 = {
		[0] = "IsSetNodeDescriptionSupported",
		[1] = "IsPortInfoExtendedSupported",
		[2] = "IsVirtualizationSupported",
		[3] = "IsSwitchPortStateTableSupported",
		[4] = "IsLinkWidth2xSupported",
		[5] = "IsLinkSpeedHDRSupported",
		[6] = "IsMKeyProtectBitsExtSupported",
		[7] = "IsEnhancedTrap128Supported",
		[8] = "IsPartitionTopSupported",
		[9] = "IsEnhancedQoSArbiterSupported",
		[10] = "IsLinkSpeedNDRSupported",
		[11] = "IsExtendedSpeeds2Supported",
		[12] = "IsLinkSpeedXDRSupported",
	},
	/* of GeneralInfo, three words */
	.vendor_capabilities = {
		{
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
		},
		{
			[0] = "IsQoSConfigSLRateLimitPortSupported",
			[1] = "IsQoSConfigSLRateLimitVPortSupported",
			[2] = "IsQoSConfigSLAllocBWPortSupported",
			[3] = "IsQoSConfigSLAllocBWVPortSupported",
			[4] = "IsQoSConfigHighPriorityVLGroupRateLimitSupported",
			[5] = "IsQoSConfigHighPriorityVLGroupAllocBWSupported",
			[6] = "IsQoSConfigLowPriorityVLGroupRateLimitSupported",
			[7] = "IsQoSConfigLowPriorityVLGroupAllocBWSupported",
			[8] = "IsQoSConfigVLRateLimitSupported",
			[9] = "IsQoSConfigVLAllocBWSupported",
			[11] = "IsCableInfoBankNumberSupported",
			[12] = "IsVSCCSupported",
			[13] = "IsAdaptiveTimeoutSupported",
			[14] = "IsClassEnableSupported",
			[15] = "IsExtendedAddressModeSupported",
			[16] = "IsRouterLIDSupported",
			[17] = "IsLinearForwardingTableSplitSupported",
			[18] = "IsDataTypetoSLMappingSupported",
			[19] = "IsQoSConfigVLSupported",
			[20] = "IsFastRecoverySupported",
			[21] = "IsCreditWatchdogSupported",
			[22] = "IsNVLFabricManagementSupported",
			[23] = "IsNVLReductionManagementSupported",
			[24] = "IsRailFilterSupported",
			[25] = "IsNVLHBFConfigSupported",
			[26] = "IsDataTypetoVLMappingSupported",
			[27] = "IsContainAndDrainSupported",
			[28] = "IsProfilesConfigSupported",
			[29] = "IsBERConfigSupported",
			[30] = "IsGlobalOOOV2Supported",
			[31] = "IsVLBufferWeightSupported",
		},
		{
			[0] = "IsEndPortPlaneFilterConfigSupported",
			[1] = "IsEntryPlaneFilterSupported",
			[2] = "IsBwUtilizationSupported",
			[3] = "IsExtendedSwitchInfoSupported",
			[4] = "IsFabricManagerInfoSupported",
			[5] = "IsExtPortInfoUnhealthyReasonSupported",
			[6] = "IsMulticastPrivateLinearForwardingSupported",
			[7] = "IsPortSLToMulticastPrivateLFTMapSupported",
			[8] = "IsChassisInfoSupported",
			[9] = "IsPLRTriggerSupported",
			[10] = "IsFwISSUSupported",
			[11] = "IsNVLinkFecModeSupported",
			[12] = "IsPortRecoveryPolicyConfigSupported",
			[13] = "IsNMXAdminstateSupported",
			[14] = "IsMultiplaneAsymmetrySupported",
			[15] = "IsUtcTimestampSupported",
			[16] = "IsCpoIndicationSupported",
			[17] = "IsLinkAutoRetrainSupported",
		},
	},
};

enum kind {
	NUMBER, /* the name with that number */
	BIT,	/* the name of the only bit that is set */
	SET,	/* "A or B": the names of all bits that are set */
	MASK,	/* the number, then a line for each bit with a name */
};

#define UNDEFINED "undefined ("

/* By enum mad_format. */
static const struct form {
	uint16_t first; /* byte of the first name in names */
	uint8_t count;
	uint8_t kind;
	char zero[20];		/* how 0 is printed, unless empty */
	char before_number[13]; /* where the value, or a bit of a set, has no name */
} forms[] = {
#define FORM(name, kind, list, zero, before) \
	[MAD_FORMAT_##                       \
		name] = { offsetof(struct names, list), COUNT(names.list), kind, zero, before }
	FORM(LINK_WIDTH, BIT, widths, "", UNDEFINED),
	FORM(LINK_WIDTH_SUPPORTED, SET, widths, "", UNDEFINED),
	FORM(LINK_WIDTH_ENABLED, SET, widths, "", UNDEFINED),
	FORM(LINK_SPEED, BIT, speeds, "Extended speed", UNDEFINED),
	FORM(LINK_SPEED_SUPPORTED, SET, speeds, "", UNDEFINED),
	FORM(LINK_SPEED_EXT, BIT, extended_speeds, "No Extended Speed", UNDEFINED),
	FORM(LINK_SPEED_EXT_SUPPORTED, SET, extended_speeds, "0", UNDEFINED),
	FORM(LINK_SPEED_EXT_ENABLED, SET, extended_speeds, "0", UNDEFINED),
	FORM(LINK_SPEED_EXT_2, BIT, extended_speeds_2, "No Extended Speed 2", UNDEFINED),
	/* with a space, as in older versions */
	FORM(LINK_SPEED_EXT_2_SET, BIT, extended_speeds_2, "0", " " UNDEFINED),
	FORM(RATE, NUMBER, rates, "", UNDEFINED),
	FORM(LINK_DOWN_DEFAULT, NUMBER, link_down_defaults, "", "?("),
	FORM(PORT_STATE, NUMBER, port_states, "", "?("),
	FORM(PHYS_STATE, NUMBER, phys_states, "", "?("),
	FORM(CAP_MASK, MASK, capabilities, "", ""),
	FORM(CAP_MASK_2, MASK, capabilities_2, "", ""),
	FORM(MTU, NUMBER, mtus, "", "?("),
	FORM(VL_CAP, NUMBER, virtual_lanes, "", "?("),
	FORM(OPERATIONAL_VLS, NUMBER, virtual_lanes, "No change", "?("),
	FORM(NODE_TYPE, NUMBER, node_types, "", "?("),
	FORM(VENDOR_CAPS_0, MASK, vendor_capabilities[0], "", ""),
	FORM(VENDOR_CAPS_1, MASK, vendor_capabilities[1], "", ""),
	FORM(VENDOR_CAPS_2, MASK, vendor_capabilities[2], "", ""),
};

static const char *name_of(const struct form *form, unsigned index)
{
	return (const char *)&names + form->first + index * sizeof(value_name);
}

static void put_unnamed(struct text *text, const struct form *form, uint32_t value)
{
	text_string(text, form->before_number);
	text_signed(text, (int32_t)value);
	text_char(text, ')');
}

/* The name with an index; false, with the number printed, if there is none. */
static bool put_name(struct text *text, const struct form *form, unsigned index, uint32_t value)
{
	bool named = index < form->count && *name_of(form, index);

	if (named)
		text_string(text, name_of(form, index));
	else
		put_unnamed(text, form, value);
	return named;
}

static void put_set(struct text *text, const struct form *form, uint32_t value)
{
	const char *before = "";

	for (unsigned bit = 0; bit < form->count; bit++) {
		if (!(value >> bit & 1))
			continue;
		text_string(text, before);
		text_string(text, name_of(form, bit));
		before = " or ";
	}
	if (value && !(value >> form->count))
		return;
	text_string(text, before);
	put_unnamed(text, form, value);
}

static void put_mask(struct text *text, const struct form *form, uint32_t value)
{
	text_string(text, "0x");
	text_hex_short(text, value);
	for (unsigned bit = 0; bit < form->count; bit++) {
		if (!(value >> bit & 1) || !*name_of(form, bit))
			continue;
		text_string(text, "\n\t\t\t\t");
		text_string(text, name_of(form, bit));
	}
}

/*
 * By the architecture every port supports 1X, one that supports 8X or 12X supports 4X, and every
 * one supports 2.5 Gbps. Other combinations of known ones are marked.
 */
static bool is_extension(enum mad_format format, uint32_t value)
{
	if (format == MAD_FORMAT_LINK_WIDTH_SUPPORTED)
		return !(value & 1) || (value & 0xc && !(value & 2));
	return format == MAD_FORMAT_LINK_SPEED_SUPPORTED && !(value & 1);
}

/* Returns whether all of it has a name. */
static bool put_form(struct text *text, const struct form *form, uint32_t value)
{
	unsigned bit;

	switch ((enum kind)form->kind) {
	case NUMBER:
		return put_name(text, form, value, value);
	case BIT:
		bit = value & (value - 1) ? form->count : (unsigned)ffs((int)value) - 1;
		return put_name(text, form, bit, value);
	case SET:
		put_set(text, form, value);
		return !(value >> form->count);
	case MASK:
		put_mask(text, form, value);
	}
	return true;
}

void mad_format_word(struct text *text, enum mad_format format, uint32_t value)
{
	const struct form *form = &forms[format];

	if (!value && *form->zero)
		text_string(text, form->zero);
	else if (format == MAD_FORMAT_LINK_SPEED_EXT_ENABLED && value == 30)
		text_string(text, "Extended link speeds disabled");
	else if (put_form(text, form, value)) {
		if (is_extension(format, value))
			text_string(text, " (IBA extension)");
	} else if (format == MAD_FORMAT_LINK_WIDTH) {
		mad_warn("mad_dump_linkwidth", "bad width %d", (int32_t)value);
	} else if (format == MAD_FORMAT_NODE_TYPE) {
		text_char(text, '?');
	}
}

/* Modes of forward error correction. */
static const char fec_modes[][20] = {
	[0] = "no FEC",
	[1] = "FireCode",
	[2] = "RS-FEC",
	[3] = "LL-RS-FEC",
	[4] = "RS-FEC (544,514)",
	[8] = "MLNX-STRONG-RS",
	[9] = "MLNX-LL-RS",
	[10] = "MLNX-ADAPT-RS",
	[11] = "MLNX-COD-FEC",
	[12] = "MLNX-ZL-FEC",
	[13] = "MLNX-RS-544-514-PLR",
	[14] = "MLNX-RS-271-257-PLR",
};

const char *mad_fec_name(unsigned mode)
{
	return mode < COUNT(fec_modes) && *fec_modes[mode] ? fec_modes[mode] : "?";
}

int mad_fec_is_rs(unsigned mode)
{
	const unsigned modes = 1 << 2 | 1 << 3 | 1 << 4 | 0xf << 8 | 1 << 13 | 1 << 14;

	return mode < 32 && modes >> mode & 1;
}
