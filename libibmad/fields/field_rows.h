/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The field table: where each field of each attribute is, its name, and how it is printed. The
 * groups are in the order of enum MAD_FIELDS. CONTRIBUTING.md shows how a field is added.
 *
 * First the fields of rdma-core, whose IDs end at IB_FIELD_LAST_ and are its to define; those of
 * this project (OWN_FIELD) follow.
 *
 * FIELD(id, bit offset, length in bits, printed name, format): the offset of a field of up to 32
 * bits counts, within its big-endian word, from the least significant bit; that of a longer one
 * counts from the start of the attribute. FIELDS_16(id, first bit, length, printed name, format):
 * 16 fields of that length, one behind the other; their IDs (before _F) and names have the numbers
 * 0 to 15 at their ends. IDs without a row have no field: two gaps, and the ends of groups.
 *
 * scripts/field-page makes a page of the comments. A group has its title and an introduction; a
 * field has NAME | UNIT | MEANING or NAME | MEANING, as far as they are certain. NAME is the
 * InfiniBand specification's; a plain number, a code, an identifier or a set of bits has no UNIT.
 * In the note of several fields {} stands for the number of each.
 */
/* clang-format off */
/* The offset that FIELD() takes, of a field whose first bit counts from the uppermost one. */
#define FROM_FIRST(bit, length) \
	((length) <= 32 ? (bit) / 32 * 32 + (32 - (bit) % 32 - (length)) % 32 : (bit))
#define FIELD_NUMBER(n, id, first, length, text, form) \
	FIELD(id##n##_F, FROM_FIRST((first) + (n) * (length), length), length, text #n, form)
#define FIELDS_8(...)                                                                       \
	FIELD_NUMBER(0, __VA_ARGS__) FIELD_NUMBER(1, __VA_ARGS__) FIELD_NUMBER(2, __VA_ARGS__) \
	FIELD_NUMBER(3, __VA_ARGS__) FIELD_NUMBER(4, __VA_ARGS__) FIELD_NUMBER(5, __VA_ARGS__) \
	FIELD_NUMBER(6, __VA_ARGS__) FIELD_NUMBER(7, __VA_ARGS__)
#define FIELDS_12(...)                                                                      \
	FIELDS_8(__VA_ARGS__) FIELD_NUMBER(8, __VA_ARGS__) FIELD_NUMBER(9, __VA_ARGS__)        \
	FIELD_NUMBER(10, __VA_ARGS__) FIELD_NUMBER(11, __VA_ARGS__)
#define FIELDS_15(...)                                                                      \
	FIELDS_12(__VA_ARGS__) FIELD_NUMBER(12, __VA_ARGS__) FIELD_NUMBER(13, __VA_ARGS__)     \
	FIELD_NUMBER(14, __VA_ARGS__)
#define FIELDS_16(...) FIELDS_15(__VA_ARGS__) FIELD_NUMBER(15, __VA_ARGS__)

/* GID
 * 16 bytes; offsets count from the start of the GID. */
FIELD(IB_GID_PREFIX_F, 0, 64, "GidPrefix", RHEX) /* subnet prefix | upper half of a GID; 0xfe80000000000000 is the default prefix */
FIELD(IB_GID_GUID_F, 64, 64, "GidGuid", RHEX) /* interface ID (port GUID) | lower half of a GID */

/* MAD header
 * The first 24 bytes of every MAD. Offsets count from the start of the MAD. */
FIELD(IB_MAD_METHOD_F, 0, 7, "MadMethod", HEX) /* Method (without R) | 1 Get, 2 Set, 3 Send, 5 Trap, 6 Report, 7 TrapRepress; with R set, 1 is GetResp */
FIELD(IB_MAD_RESPONSE_F, 7, 1, "MadIsResponse", UINT) /* R | 1 in a response */
FIELD(IB_MAD_CLASSVER_F, 8, 8, "MadClassVersion", UINT) /* ClassVersion | version of the class's MAD format; 1, or 2 for Subnet Administration and congestion control */
FIELD(IB_MAD_MGMTCLASS_F, 16, 8, "MadMgmtClass", UINT) /* MgmtClass | management class: 0x01 subnet management by LID, 0x81 by directed route, 0x03 Subnet Administration, 0x04 performance, 0x05 baseboard, 0x06 device management, 0x07 communication, 0x09 to 0x0f and 0x30 to 0x4f vendor, 0x21 congestion control */
FIELD(IB_MAD_BASEVER_F, 24, 8, "MadBaseVersion", UINT) /* BaseVersion | 1; Omni-Path uses 0x80 */
FIELD(IB_MAD_STATUS_F, 48, 16, "MadStatus", HEX) /* Status | 0 success; bit 0 busy, bit 1 redirection required, bits 2 to 4 code of an invalid field, bits 8 to 15 specific to the class */
/* SMP header, directed route SMPs
 * Subnet management MADs only. Offsets count from the start of the MAD. In directed route SMPs,
 * status has 15 bits and the bit above it is D. */
FIELD(IB_DRSMP_HOPCNT_F, 32, 8, "DrSmpHopCnt", UINT) /* HopCount | hops | number of valid entries in InitialPath, entry 0 not counted; 0 to 63 */
FIELD(IB_DRSMP_HOPPTR_F, 40, 8, "DrSmpHopPtr", UINT) /* HopPointer | index of the present entry of the path */
FIELD(IB_DRSMP_STATUS_F, 48, 15, "DrSmpStatus", HEX) /* Status | as MAD header Status, without its uppermost bit */
FIELD(IB_DRSMP_DIRECTION_F, 63, 1, "DrSmpDirection", UINT) /* D | direction: 0 outbound, 1 returning */
/* MAD header, continued */
FIELD(IB_MAD_TRID_F, 64, 64, "MadTRID", HEX) /* TransactionID | a response carries that of its request; on Linux the kernel owns the upper 32 bits of a request's */
FIELD(IB_MAD_ATTRID_F, 144, 16, "MadAttr", HEX) /* AttributeID | which attribute the MAD carries */
FIELD(IB_MAD_ATTRMOD_F, 160, 32, "MadModifier", HEX) /* AttributeModifier | which part of the attribute, such as a port or a block; depends on the attribute */
/* SMP header, directed route SMPs, continued */
FIELD(IB_MAD_MKEY_F, 192, 64, "MadMkey", HEX) /* M_Key | management key; compared with PortInfo.M_Key of the receiver */
FIELD(IB_DRSMP_DRDLID_F, 256, 16, "DrSmpDLID", UINT) /* DrDLID | LID of the destination, if a LID routed part follows the directed one; else 0xffff (permissive) */
FIELD(IB_DRSMP_DRSLID_F, 272, 16, "DrSmpSLID", UINT) /* DrSLID | LID of the requester, if a LID routed part comes before the directed one; else 0xffff (permissive) */

/* SA header and data areas
 * Subnet Administration MADs (class 0x03); the data area of other general services. Offsets count
 * from the start of the MAD. */
FIELD(IB_SA_MKEY_F, 288, 64, "SaSMkey", HEX) /* SM_Key | key by which the SA knows a trusted requester */
FIELD(IB_SA_ATTROFFS_F, 368, 16, "SaAttrOffs", UINT) /* AttributeOffset | 8 bytes | distance from one record of a table to the next */
FIELD(IB_SA_COMPMASK_F, 384, 64, "SaCompMask", HEX) /* ComponentMask | bit n: the request's component n, counted from 0 in the order of the record, selects records */
FIELD(IB_SA_DATA_F, 448, 1600, "SaData", HEX) /* SubnetAdminData | 200 bytes of one packet */
FIELD(IB_GS_DATA_F, 512, 1536, "GsData", HEX) /* data | 192 bytes of data of general services, after 64 bytes of headers */
/* SMP header, directed route SMPs, continued */
FIELD(IB_DRSMP_PATH_F, 1024, 512, "DrSmpPath", HEX) /* InitialPath | 64 bytes; entry n is the port by which hop n leaves its node, entry 0 is unused */
FIELD(IB_DRSMP_RPATH_F, 1536, 512, "DrSmpRetPath", HEX) /* ReturnPath | 64 bytes; the ports by which the response returns, filled in on the way */

/* PortInfo (SMP 0x15)
 * The attribute modifier is the number of the port; 0 is the port that receives the request at
 * channel adapters, and port 0 at switches. Where a table of values has "no change", it is for
 * Set. */
FIELD(IB_PORT_MKEY_F, 0, 64, "Mkey", HEX) /* M_Key | management key of the port; 0 lets everyone manage it; reads as 0 where it is protected */
FIELD(IB_PORT_GID_PREFIX_F, 64, 64, "GidPrefix", HEX) /* GidPrefix | subnet prefix of the port's GIDs */
FIELD(IB_PORT_LID_F, 144, 16, "Lid", UINT) /* LID | base LID of the port; 0 while it has none */
FIELD(IB_PORT_SMLID_F, 128, 16, "SMLid", UINT) /* MasterSMLID | LID of the master subnet manager */
FIELD(IB_PORT_CAPMASK_F, 160, 32, "CapMask", CAP_MASK) /* CapabilityMask | bits: 1 IsSM, 2 IsNoticeSupported, 3 IsTrapSupported, 4 IsOptionalIPDSupported, 5 IsAutomaticMigrationSupported, 6 IsSLMappingSupported, 7 IsMKeyNVRAM, 8 IsPKeyNVRAM, 9 IsLEDInfoSupported, 10 IsSMdisabled, 11 IsSystemImageGUIDSupported, 12 IsPKeySwitchExternalPortTrapSupported, 14 IsExtendedSpeedsSupported, 15 IsCapabilityMask2Supported, 16 IsCommunicationManagementSupported, 17 IsSNMPTunnelingSupported, 18 IsReinitSupported, 19 IsDeviceManagementSupported, 20 IsVendorClassSupported, 21 IsDRNoticeSupported, 22 IsCapabilityMaskNoticeSupported, 23 IsBootManagementSupported, 24 IsLinkRoundTripLatencySupported, 25 IsClientReregistrationSupported, 26 IsOtherLocalChangesNoticeSupported, 27 IsLinkSpeedWidthPairsTableSupported, 28 IsVendorSpecificMadsTableSupported, 29 IsMcastPkeyTrapSuppressionSupported, 30 IsMulticastFDBTopSupported, 31 IsHierarchyInfoSupported */
FIELD(IB_PORT_DIAG_F, 208, 16, "DiagCode", HEX) /* DiagCode | result of the port's diagnostics; 0: good */
FIELD(IB_PORT_MKEY_LEASE_F, 192, 16, "MkeyLeasePeriod", UINT) /* M_KeyLeasePeriod | seconds | M_Key protection lapses when no valid M_Key arrives for so long after a violation; 0: never */
FIELD(IB_PORT_LOCAL_PORT_F, 248, 8, "LocalPort", UINT) /* LocalPortNum | number of the port that received the request */
FIELD(IB_PORT_LINK_WIDTH_ENABLED_F, 240, 8, "LinkWidthEnabled", LINK_WIDTH_ENABLED) /* LinkWidthEnabled | bits: 0 1x, 1 4x, 2 8x, 3 12x, 4 2x; Set: 0 no change, 255 all supported */
FIELD(IB_PORT_LINK_WIDTH_SUPPORTED_F, 232, 8, "LinkWidthSupported", LINK_WIDTH_SUPPORTED) /* LinkWidthSupported | bits: 0 1x, 1 4x, 2 8x, 3 12x, 4 2x */
FIELD(IB_PORT_LINK_WIDTH_ACTIVE_F, 224, 8, "LinkWidthActive", LINK_WIDTH) /* LinkWidthActive | 1 1x, 2 4x, 4 8x, 8 12x, 16 2x */
FIELD(IB_PORT_LINK_SPEED_SUPPORTED_F, 284, 4, "LinkSpeedSupported", LINK_SPEED_SUPPORTED) /* LinkSpeedSupported | bits: 0 2.5, 1 5, 2 10 Gb/s per lane */
FIELD(IB_PORT_STATE_F, 280, 4, "LinkState", PORT_STATE) /* PortState | 0 no change, 1 Down, 2 Initialize, 3 Armed, 4 Active */
FIELD(IB_PORT_PHYS_STATE_F, 276, 4, "PhysLinkState", PHYS_STATE) /* PortPhysicalState | 0 no change, 1 Sleep, 2 Polling, 3 Disabled, 4 PortConfigurationTraining, 5 LinkUp, 6 LinkErrorRecovery, 7 Phy Test */
FIELD(IB_PORT_LINK_DOWN_DEF_F, 272, 4, "LinkDownDefState", LINK_DOWN_DEFAULT) /* LinkDownDefaultState | 0 no change, 1 Sleep, 2 Polling */
FIELD(IB_PORT_MKEY_PROT_BITS_F, 270, 2, "ProtectBits", UINT) /* M_KeyProtectBits | 0: anyone may read, and reads the M_Key, too; 1: anyone may read, M_Key reads as 0; 2 and 3: reading needs the M_Key, too */
FIELD(IB_PORT_LMC_F, 264, 3, "LMC", UINT) /* LMC | LID mask control: the port has 2^LMC LIDs, from LID on */
FIELD(IB_PORT_LINK_SPEED_ACTIVE_F, 260, 4, "LinkSpeedActive", LINK_SPEED) /* LinkSpeedActive | 1 2.5, 2 5, 4 10 Gb/s per lane; 0: see LinkSpeedExtActive */
FIELD(IB_PORT_LINK_SPEED_ENABLED_F, 256, 4, "LinkSpeedEnabled", LINK_SPEED_SUPPORTED) /* LinkSpeedEnabled | bits: 0 2.5, 1 5, 2 10 Gb/s per lane; Set: 0 no change, 15 all supported */
FIELD(IB_PORT_NEIGHBOR_MTU_F, 316, 4, "NeighborMTU", MTU) /* NeighborMTU | MTU code of what may be sent: 1 256, 2 512, 3 1024, 4 2048, 5 4096 bytes */
FIELD(IB_PORT_SMSL_F, 312, 4, "SMSL", UINT) /* MasterSMSL | service level by which the master subnet manager is reached */
FIELD(IB_PORT_VL_CAP_F, 308, 4, "VLCap", VL_CAP) /* VLCap | virtual lanes supported: 1 VL0, 2 VL0-1, 3 VL0-3, 4 VL0-7, 5 VL0-14 */
FIELD(IB_PORT_INIT_TYPE_F, 304, 4, "InitType", HEX) /* InitType | bits that ask the subnet manager what to keep when it initializes the port */
FIELD(IB_PORT_VL_HIGH_LIMIT_F, 296, 8, "VLHighLimit", UINT) /* VLHighLimit | 4096 bytes | data that high priority lanes may send before a low priority packet gets its turn; 0: one packet, 255: without limit */
FIELD(IB_PORT_VL_ARBITRATION_HIGH_CAP_F, 288, 8, "VLArbHighCap", UINT) /* VLArbitrationHighCap | entries | size of the high priority arbitration table; 0: none */
FIELD(IB_PORT_VL_ARBITRATION_LOW_CAP_F, 344, 8, "VLArbLowCap", UINT) /* VLArbitrationLowCap | entries | size of the low priority arbitration table; 0: none */
FIELD(IB_PORT_INIT_TYPE_REPLY_F, 340, 4, "InitReply", HEX) /* InitTypeReply | what the subnet manager kept; bits as InitType */
FIELD(IB_PORT_MTU_CAP_F, 336, 4, "MtuCap", MTU) /* MTUCap | largest MTU supported: 1 256, 2 512, 3 1024, 4 2048, 5 4096 bytes */
FIELD(IB_PORT_VL_STALL_COUNT_F, 333, 3, "VLStallCount", UINT) /* VLStallCount | packets | discarded one after the other before the lane is stalled; of switches */
FIELD(IB_PORT_HOQ_LIFE_F, 328, 5, "HoqLife", UINT) /* HOQLife | 4.096 µs × 2^value | how long a packet may stay at the head of a lane's queue; above 19 without limit; of switches */
FIELD(IB_PORT_OPER_VLS_F, 324, 4, "OperVLs", OPERATIONAL_VLS) /* OperationalVLs | lanes in use: 0 no change, 1 VL0, 2 VL0-1, 3 VL0-3, 4 VL0-7, 5 VL0-14 */
FIELD(IB_PORT_PART_EN_INB_F, 323, 1, "PartEnforceInb", UINT) /* PartitionEnforcementInbound | 1: the switch port checks P_Keys of packets that it receives */
FIELD(IB_PORT_PART_EN_OUTB_F, 322, 1, "PartEnforceOutb", UINT) /* PartitionEnforcementOutbound | 1: the switch port checks P_Keys of packets that it transmits */
FIELD(IB_PORT_FILTER_RAW_INB_F, 321, 1, "FilterRawInb", UINT) /* FilterRawInbound | 1: the switch port discards raw packets that it receives */
FIELD(IB_PORT_FILTER_RAW_OUTB_F, 320, 1, "FilterRawOutb", UINT) /* FilterRawOutbound | 1: the switch port discards raw packets instead of transmitting them */
FIELD(IB_PORT_MKEY_VIOL_F, 368, 16, "MkeyViolations", UINT) /* M_KeyViolations | SMPs | received with a wrong M_Key */
FIELD(IB_PORT_PKEY_VIOL_F, 352, 16, "PkeyViolations", UINT) /* P_KeyViolations | packets | received with a wrong P_Key */
FIELD(IB_PORT_QKEY_VIOL_F, 400, 16, "QkeyViolations", UINT) /* Q_KeyViolations | packets | received with a wrong Q_Key */
FIELD(IB_PORT_GUID_CAP_F, 392, 8, "GuidCap", UINT) /* GUIDCap | entries | size of the GUIDInfo table */
FIELD(IB_PORT_CLIENT_REREG_F, 391, 1, "ClientReregister", UINT) /* ClientReregister | 1: the subnet manager asks the port's clients to register again with the SA */
FIELD(IB_PORT_MCAST_PKEY_SUPR_ENAB_F, 389, 2, "McastPkeyTrapSuppressionEnabled", UINT) /* MulticastPKeyTrapSuppressionEnabled | whether P_Key violations of multicast packets raise no trap */
FIELD(IB_PORT_SUBN_TIMEOUT_F, 384, 5, "SubnetTimeout", UINT) /* SubnetTimeOut | 4.096 µs × 2^value | longest time of a packet through the subnet */
FIELD(IB_PORT_RESP_TIME_VAL_F, 440, 5, "RespTimeVal", UINT) /* RespTimeValue | 4.096 µs × 2^value | longest time from the receipt of an SMP to its response */
FIELD(IB_PORT_LOCAL_PHYS_ERR_F, 436, 4, "LocalPhysErr", UINT) /* LocalPhyErrors | threshold at which local physical errors count as a LocalLinkIntegrityError */
FIELD(IB_PORT_OVERRUN_ERR_F, 432, 4, "OverrunErr", UINT) /* OverrunErrors | threshold at which buffer overruns count as an ExcessiveBufferOverrunError */
FIELD(IB_PORT_MAX_CREDIT_HINT_F, 416, 16, "MaxCreditHint", UINT) /* MaxCreditHint | hint of the number of credits for the link; see the specification */
FIELD(IB_PORT_LINK_ROUND_TRIP_F, 448, 24, "RoundTrip", UINT) /* LinkRoundTripLatency | round trip time of the link */

/* NodeInfo (SMP 0x11) */
FIELD(IB_NODE_BASE_VERS_F, 24, 8, "BaseVers", UINT) /* BaseVersion | highest MAD base version that the node supports */
FIELD(IB_NODE_CLASS_VERS_F, 16, 8, "ClassVers", UINT) /* ClassVersion | highest version of the subnet management class that the node supports */
FIELD(IB_NODE_TYPE_F, 8, 8, "NodeType", NODE_TYPE) /* NodeType | 1 channel adapter, 2 switch, 3 router */
FIELD(IB_NODE_NPORTS_F, 0, 8, "NumPorts", UINT) /* NumPorts | ports | physical ports; port 0 of a switch is not counted */
FIELD(IB_NODE_SYSTEM_GUID_F, 32, 64, "SystemGuid", HEX) /* SystemImageGUID | common to all nodes of one system; 0 if not used */
FIELD(IB_NODE_GUID_F, 96, 64, "Guid", HEX) /* NodeGUID | GUID of the node */
FIELD(IB_NODE_PORT_GUID_F, 160, 64, "PortGuid", HEX) /* PortGUID | GUID of the port that received the request; for a switch, that of port 0 */
FIELD(IB_NODE_PARTITION_CAP_F, 240, 16, "PartCap", UINT) /* PartitionCap | entries | size of the P_Key table of each port; for a switch, that of port 0 */
FIELD(IB_NODE_DEVID_F, 224, 16, "DevId", HEX) /* DeviceID | given by the vendor */
FIELD(IB_NODE_REVISION_F, 256, 32, "Revision", HEX) /* Revision | given by the vendor */
FIELD(IB_NODE_LOCAL_PORT_F, 312, 8, "LocalPort", UINT) /* LocalPortNum | number of the port that received the request */
FIELD(IB_NODE_VENDORID_F, 288, 24, "VendorId", HEX) /* VendorID | IEEE OUI of the vendor */

/* SwitchInfo (SMP 0x12) */
FIELD(IB_SW_LINEAR_FDB_CAP_F, 16, 16, "LinearFdbCap", UINT) /* LinearFDBCap | entries | size of the linear forwarding table */
FIELD(IB_SW_RANDOM_FDB_CAP_F, 0, 16, "RandomFdbCap", UINT) /* RandomFDBCap | entries | size of the random forwarding table */
FIELD(IB_SW_MCAST_FDB_CAP_F, 48, 16, "McastFdbCap", UINT) /* MulticastFDBCap | entries | size of the multicast forwarding table */
FIELD(IB_SW_LINEAR_FDB_TOP_F, 32, 16, "LinearFdbTop", UINT) /* LinearFDBTop | highest LID that the linear forwarding table forwards */
FIELD(IB_SW_DEF_PORT_F, 88, 8, "DefPort", UINT) /* DefaultPort | port for LIDs that the random forwarding table does not have */
FIELD(IB_SW_DEF_MCAST_PRIM_F, 80, 8, "DefMcastPrimPort", UINT) /* DefaultMulticastPrimaryPort | default port for multicast packets that did not arrive by it */
FIELD(IB_SW_DEF_MCAST_NOT_PRIM_F, 72, 8, "DefMcastNotPrimPort", UINT) /* DefaultMulticastNotPrimaryPort | default port for multicast packets that arrived by the primary one */
FIELD(IB_SW_LIFE_TIME_F, 67, 5, "LifeTime", UINT) /* LifeTimeValue | 4.096 µs × 2^value | how long a packet may stay in the switch; above 19 without limit */
FIELD(IB_SW_STATE_CHANGE_F, 66, 1, "StateChange", UINT) /* PortStateChange | 1 after a port's state has changed; the subnet manager clears it by writing 1 */
FIELD(IB_SW_OPT_SLTOVL_MAPPING_F, 64, 2, "OptSLtoVLMapping", UINT) /* OptimizedSLtoVLMappingProgramming | whether SLtoVLMappingTable can be set for many ports at once */
FIELD(IB_SW_LIDS_PER_PORT_F, 112, 16, "LidsPerPort", UINT) /* LIDsPerPort | LIDs | LID and LMC combinations that a port of the random forwarding table may have */
FIELD(IB_SW_PARTITION_ENFORCE_CAP_F, 96, 16, "PartEnforceCap", UINT) /* PartitionEnforcementCap | entries | P_Keys per external port that the switch can enforce; 0: none */
FIELD(IB_SW_PARTITION_ENF_INB_F, 159, 1, "InboundPartEnf", UINT) /* InboundEnforcementCap | 1: can enforce partitions on packets that it receives */
FIELD(IB_SW_PARTITION_ENF_OUTB_F, 158, 1, "OutboundPartEnf", UINT) /* OutboundEnforcementCap | 1: can enforce partitions on packets that it transmits */
FIELD(IB_SW_FILTER_RAW_INB_F, 157, 1, "FilterRawInbound", UINT) /* FilterRawInboundCap | 1: can filter raw packets that it receives */
FIELD(IB_SW_FILTER_RAW_OUTB_F, 156, 1, "FilterRawOutbound", UINT) /* FilterRawOutboundCap | 1: can filter raw packets that it transmits */
FIELD(IB_SW_ENHANCED_PORT0_F, 155, 1, "EnhancedPort0", UINT) /* EnhancedPort0 | 1: port 0 is an enhanced one */
FIELD(IB_SW_MCAST_FDB_TOP_F, 128, 16, "MulticastFDBTop", HEX) /* MulticastFDBTop | highest multicast LID that the multicast forwarding table forwards; 0xbfff: none */

/* LinearForwardingTable (SMP 0x19)
 * The attribute modifier is the number of the block: block n begins with LID 64 × n. */
FIELD(IB_LINEAR_FORW_TBL_F, 0, 512, "LinearForwTbl", ARRAY) /* PortBlock | 64 entries of one byte: the port for the LID; 255 discards the packet */
/* MulticastForwardingTable (SMP 0x1b)
 * The attribute modifier selects 32 multicast LIDs and 16 ports. */
FIELD(IB_MULTICAST_FORW_TBL_F, 0, 512, "MulticastForwTbl", ARRAY) /* PortMaskBlock | 32 entries of 2 bytes: bit n is port n of those selected */
/* NodeDescription (SMP 0x10) */
FIELD(IB_NODE_DESC_F, 0, 512, "NodeDesc", STRING) /* NodeString | 64 bytes of UTF-8; shorter ones end with a NUL */

/* Notice (0x02)
 * Of every class that has traps. Offsets count from the start of the attribute. */
FIELD(IB_NOTICE_IS_GENERIC_F, 31, 1, "NoticeIsGeneric", UINT) /* IsGeneric | 1: generic, the next fields are a producer and a trap number; 0: of a vendor */
FIELD(IB_NOTICE_TYPE_F, 24, 7, "NoticeType", UINT) /* Type | 0 fatal, 1 urgent, 2 security, 3 subnet management, 4 informational, 127 empty */
FIELD(IB_NOTICE_PRODUCER_F, 0, 24, "NoticeProducerType", NODE_TYPE) /* ProducerType (generic) or VendorID | 1 channel adapter, 2 switch, 3 router, 4 class manager */
FIELD(IB_NOTICE_TRAP_NUMBER_F, 48, 16, "NoticeTrapNumber", UINT) /* TrapNumber (generic) or DeviceID | such as 64 node appeared, 65 node vanished, 128 link state changed, 144 local changes */
FIELD(IB_NOTICE_ISSUER_LID_F, 32, 16, "NoticeIssuerLID", UINT) /* IssuerLID | LID of the port that the notice comes from */
FIELD(IB_NOTICE_TOGGLE_F, 95, 1, "NoticeToggle", UINT) /* NoticeToggle | alternates between successive notices of the queue */
FIELD(IB_NOTICE_COUNT_F, 80, 15, "NoticeCount", UINT) /* NoticeCount | notices | in the queue; 0 if there is no queue */
FIELD(IB_NOTICE_DATA_DETAILS_F, 80, 432, "NoticeDataDetails", ARRAY) /* DataDetails | 54 bytes that the trap number gives a meaning */
FIELD(IB_NOTICE_DATA_LID_F, 64, 16, "NoticeDataLID", UINT) /* LIDADDR | first 2 bytes of DataDetails, of traps that begin with a LID */
FIELD(IB_NOTICE_DATA_144_LID_F, 112, 16, "NoticeDataTrap144LID", UINT) /* LIDADDR | trap 144: LID of the port that changed */
FIELD(IB_NOTICE_DATA_144_CAPMASK_F, 128, 32, "NoticeDataTrap144CapMask", UINT) /* CAPABILITYMASK | trap 144: the port's CapabilityMask */

/* PortCounters (performance 0x12)
 * All counters stop at their largest value. A Set writes those that CounterSelect and
 * CounterSelect2 name. */
FIELD(IB_PC_PORT_SELECT_F, 16, 8, "PortSelect", UINT) /* PortSelect | port; 255: all ports of the node, if it supports that */
FIELD(IB_PC_COUNTER_SELECT_F, 0, 16, "CounterSelect", HEX) /* CounterSelect | Set: bit n writes the counter n, in order: SymbolErrorCounter, LinkErrorRecoveryCounter, LinkDownedCounter, PortRcvErrors, PortRcvRemotePhysicalErrors, PortRcvSwitchRelayErrors, PortXmitDiscards, PortXmitConstraintErrors, PortRcvConstraintErrors, LocalLinkIntegrityErrors, ExcessiveBufferOverrunErrors, VL15Dropped, PortXmitData, PortRcvData, PortXmitPkts, PortRcvPkts */
FIELD(IB_PC_ERR_SYM_F, 48, 16, "SymbolErrorCounter", UINT) /* SymbolErrorCounter | errors | minor link errors of one or more lanes */
FIELD(IB_PC_LINK_RECOVERS_F, 40, 8, "LinkErrorRecoveryCounter", UINT) /* LinkErrorRecoveryCounter | events | link error recoveries that succeeded */
FIELD(IB_PC_LINK_DOWNED_F, 32, 8, "LinkDownedCounter", UINT) /* LinkDownedCounter | events | link error recoveries that failed, so that the link went down */
FIELD(IB_PC_ERR_RCV_F, 80, 16, "PortRcvErrors", UINT) /* PortRcvErrors | packets | received with an error: physical, malformed, or discarded for want of buffers */
FIELD(IB_PC_ERR_PHYSRCV_F, 64, 16, "PortRcvRemotePhysicalErrors", UINT) /* PortRcvRemotePhysicalErrors | packets | received with the end delimiter EBP, which marks a packet that was bad already when it was forwarded */
FIELD(IB_PC_ERR_SWITCH_REL_F, 112, 16, "PortRcvSwitchRelayErrors", UINT) /* PortRcvSwitchRelayErrors | packets | received and discarded because the switch could not forward them */
FIELD(IB_PC_XMT_DISCARDS_F, 96, 16, "PortXmitDiscards", UINT) /* PortXmitDiscards | packets | to be sent, and discarded since the port was down or congested */
FIELD(IB_PC_ERR_XMTCONSTR_F, 152, 8, "PortXmitConstraintErrors", UINT) /* PortXmitConstraintErrors | packets | not transmitted: raw or partition filter of the switch port */
FIELD(IB_PC_ERR_RCVCONSTR_F, 144, 8, "PortRcvConstraintErrors", UINT) /* PortRcvConstraintErrors | packets | received and discarded: raw or partition filter of the switch port */
FIELD(IB_PC_COUNTER_SELECT2_F, 136, 8, "CounterSelect2", HEX) /* CounterSelect2 | Set: bit 0 writes PortXmitWait */
FIELD(IB_PC_ERR_LOCALINTEG_F, 132, 4, "LocalLinkIntegrityErrors", UINT) /* LocalLinkIntegrityErrors | events | local physical errors exceeded the threshold PortInfo.LocalPhyErrors */
FIELD(IB_PC_ERR_EXCESS_OVR_F, 128, 4, "ExcessiveBufferOverrunErrors", UINT) /* ExcessiveBufferOverrunErrors | events | buffer overruns exceeded the threshold PortInfo.OverrunErrors */
FIELD(IB_PC_VL15_DROPPED_F, 160, 16, "VL15Dropped", UINT) /* VL15Dropped | packets | of VL 15 (subnet management) dropped for want of buffers */
FIELD(IB_PC_XMT_BYTES_F, 192, 32, "PortXmitData", UINT) /* PortXmitData | 32-bit words | transmitted on all lanes but VL 15, link overhead not counted; bytes are 4 times as many */
FIELD(IB_PC_RCV_BYTES_F, 224, 32, "PortRcvData", UINT) /* PortRcvData | 32-bit words | received on all lanes but VL 15, link overhead not counted; bytes are 4 times as many */
FIELD(IB_PC_XMT_PKTS_F, 256, 32, "PortXmitPkts", UINT) /* PortXmitPkts | packets | transmitted on all lanes but VL 15 */
FIELD(IB_PC_RCV_PKTS_F, 288, 32, "PortRcvPkts", UINT) /* PortRcvPkts | packets | received on all lanes but VL 15 */
FIELD(IB_PC_XMT_WAIT_F, 320, 32, "PortXmitWait", UINT) /* PortXmitWait | ticks | during which the port had data to send and could not: no credits, or arbitration; for the tick see PortSamplesControl */

/* SMInfo (SMP 0x20) */
FIELD(IB_SMINFO_GUID_F, 0, 64, "SmInfoGuid", HEX) /* GUID | port GUID of the subnet manager */
FIELD(IB_SMINFO_KEY_F, 64, 64, "SmInfoKey", HEX) /* SM_Key | key of the subnet manager; 0 unless the requester has it */
FIELD(IB_SMINFO_ACT_F, 128, 32, "SmActivity", UINT) /* ActCount | counts what the subnet manager does: if it stands still, the subnet manager has failed */
FIELD(IB_SMINFO_PRIO_F, 188, 4, "SmPriority", UINT) /* Priority | 0 lowest to 15 highest */
FIELD(IB_SMINFO_STATE_F, 184, 4, "SmState", UINT) /* SMState | 0 not active, 1 discovering, 2 standby, 3 master */

/* RMPP header
 * Reliable multi-packet transactions. Offsets count from the start of the MAD. Two words have
 * another meaning in each type of packet. */
FIELD(IB_SA_RMPP_VERS_F, 216, 8, "RmppVers", UINT) /* RMPPVersion | 1 */
FIELD(IB_SA_RMPP_TYPE_F, 208, 8, "RmppType", UINT) /* RMPPType | 0 none, 1 DATA, 2 ACK, 3 STOP, 4 ABORT */
FIELD(IB_SA_RMPP_RESP_F, 203, 5, "RmppResp", UINT) /* RRespTime | 4.096 µs × 2^value | time after which the sender expects a reply; 31 means none given */
FIELD(IB_SA_RMPP_FLAGS_F, 200, 3, "RmppFlags", HEX) /* RMPPFlags | bit 0 active, bit 1 first, bit 2 last */
FIELD(IB_SA_RMPP_STATUS_F, 192, 8, "RmppStatus", HEX) /* RMPPStatus | 0 normal, 1 resources exhausted, 118 and above: why the transaction was stopped or aborted */
FIELD(IB_SA_RMPP_D1_F, 224, 32, "RmppData1", HEX) /* Data1 | word of which the type decides the meaning */
FIELD(IB_SA_RMPP_SEGNUM_F, 224, 32, "RmppSegNum", UINT) /* SegmentNumber | segments | DATA and ACK: number of the segment, from 1 */
FIELD(IB_SA_RMPP_D2_F, 256, 32, "RmppData2", HEX) /* Data2 | word of which the type decides the meaning */
FIELD(IB_SA_RMPP_LEN_F, 256, 32, "RmppPayload", UINT) /* PayloadLength | bytes | DATA: in the first segment the length of all, in the last that of the segment */
FIELD(IB_SA_RMPP_NEWWIN_F, 256, 32, "RmppNewWin", UINT) /* NewWindowLast | segments | ACK: number of the last segment that may be sent now */

/* MultiPathRecord (SA 0x3a) */
FIELD(IB_SA_MP_NPATH_F, 48, 7, "MultiPathNumPath", UINT) /* NumbPath | paths | largest number of paths wanted for each pair of GIDs */
FIELD(IB_SA_MP_NSRC_F, 96, 8, "MultiPathNumSrc", UINT) /* SGIDCount | GIDs | number of source GIDs */
FIELD(IB_SA_MP_NDEST_F, 152, 8, "MultiPathNumDest", UINT) /* DGIDCount | GIDs | number of destination GIDs */
FIELD(IB_SA_MP_GID0_F, 192, 128, "MultiPathGid", ARRAY) /* SDGID (first) | first of the list: source GIDs, then destination GIDs */

/* PathRecord (SA 0x35) */
FIELD(IB_SA_PR_DGID_F, 64, 128, "PathRecDGid", ARRAY) /* DGID | destination GID */
FIELD(IB_SA_PR_SGID_F, 192, 128, "PathRecSGid", ARRAY) /* SGID | source GID */
FIELD(IB_SA_PR_DLID_F, 336, 16, "PathRecDLid", UINT) /* DLID | destination LID */
FIELD(IB_SA_PR_SLID_F, 320, 16, "PathRecSLid", UINT) /* SLID | source LID */
FIELD(IB_SA_PR_NPATH_F, 400, 7, "PathRecNumPath", UINT) /* NumbPath | paths | largest number of paths wanted for each pair of GIDs */
FIELD(IB_SA_PR_SL_F, 432, 4, "PathRecSL", UINT) /* SL | service level to send with */

/* MCMemberRecord (SA 0x38) */
FIELD(IB_SA_MCM_MGID_F, 0, 128, "McastMemMGid", ARRAY) /* MGID | GID of the multicast group */
FIELD(IB_SA_MCM_PORTGID_F, 128, 128, "McastMemPortGid", ARRAY) /* PortGID | GID of the member */
FIELD(IB_SA_MCM_QKEY_F, 256, 32, "McastMemQkey", HEX) /* Q_Key | Q_Key of the group */
FIELD(IB_SA_MCM_MLID_F, 304, 16, "McastMemMLid", HEX) /* MLID | multicast LID of the group */
FIELD(IB_SA_MCM_SL_F, 380, 4, "McastMemSL", UINT) /* SL | service level */
FIELD(IB_SA_MCM_MTU_F, 296, 6, "McastMemMTU", UINT) /* MTU | MTU code: 1 256, 2 512, 3 1024, 4 2048, 5 4096 bytes */
FIELD(IB_SA_MCM_RATE_F, 328, 6, "McastMemRate", UINT) /* Rate | rate code, in Gb/s: 2 2.5, 3 10, 4 30, 5 5, 6 20, 7 40, 8 60, 9 80, 10 120, 11 14, 12 56, 13 112, 14 168, 15 25, 16 100, 17 200, 18 300, 19 28, 20 50, 21 400, 22 600, 23 800, 24 1200, 25 1600, 26 2400 */
FIELD(IB_SA_MCM_TCLASS_F, 288, 8, "McastMemTClass", UINT) /* TClass | traffic class of the GRH */
FIELD(IB_SA_MCM_PKEY_F, 336, 16, "McastMemPkey", UINT) /* P_Key | P_Key of the group */
FIELD(IB_SA_MCM_FLOW_LABEL_F, 360, 20, "McastMemFlowLbl", UINT) /* FlowLabel | flow label of the GRH */
FIELD(IB_SA_MCM_JOIN_STATE_F, 408, 4, "McastMemJoinState", UINT) /* JoinState | bits: 0 full member, 1 non-member, 2 send-only non-member */
FIELD(IB_SA_MCM_PROXY_JOIN_F, 407, 1, "McastMemProxyJoin", UINT) /* ProxyJoin | 1: another port joined for the port */

/* ServiceRecord (SA 0x31) */
FIELD(IB_SA_SR_ID_F, 0, 64, "ServRecID", HEX) /* ServiceID | identifier of the service */
FIELD(IB_SA_SR_GID_F, 64, 128, "ServRecGid", ARRAY) /* ServiceGID | GID of the port that offers it */
FIELD(IB_SA_SR_PKEY_F, 208, 16, "ServRecPkey", HEX) /* ServiceP_Key | P_Key by which it is reached */
FIELD(IB_SA_SR_LEASE_F, 224, 32, "ServRecLease", HEX) /* ServiceLease | seconds | how long the record is valid; 0xffffffff: no limit */
FIELD(IB_SA_SR_KEY_F, 256, 128, "ServRecKey", HEX) /* ServiceKey | 16 bytes; needed to change the record */
FIELD(IB_SA_SR_NAME_F, 384, 512, "ServRecName", STRING) /* ServiceName | 64 bytes of UTF-8; shorter ones end with a NUL */
FIELD(IB_SA_SR_DATA_F, 896, 512, "ServRecData", ARRAY) /* ServiceData | 64 bytes, of the service */

/* ServiceRecord of the address translation service
 * Not part of the InfiniBand specification. Offsets count from the start of ServiceData, or of the
 * part of it that the service uses. */
FIELD(IB_ATS_SM_NODE_ADDR_F, 96, 32, "ATSNodeAddr", HEX) /* node address | IPv4 address */
FIELD(IB_ATS_SM_MAGIC_KEY_F, 144, 16, "ATSMagicKey", HEX) /* magic key | marks a record of the service */
FIELD(IB_ATS_SM_NODE_TYPE_F, 128, 16, "ATSNodeType", HEX) /* node type | of the service */
FIELD(IB_ATS_SM_NODE_NAME_F, 256, 256, "ATSNodeName", STRING) /* node name | 32 bytes; shorter ones end with a NUL */

/* SLtoVLMappingTable (SMP 0x17) */
FIELD(IB_SLTOVL_MAPPING_TABLE_F, 0, 64, "SLToVLMap", HEX) /* SLtoVL | 16 entries of 4 bits, that of SL 0 uppermost: the virtual lane; 15 discards the packet */
/* VLArbitrationTable (SMP 0x18) */
FIELD(IB_VL_ARBITRATION_TABLE_F, 0, 512, "VLArbTbl", ARRAY) /* VL/Weight pairs | 32 entries of 2 bytes: the lane in the lower 4 bits of the first, the weight in units of 64 bytes in the second */

/* Vendor MADs
 * Classes 0x30 to 0x4f. Offsets count from the start of the MAD. */
FIELD(IB_VEND2_OUI_F, 288, 24, "OUI", ARRAY) /* OUI | 3 bytes; the vendor who defines the rest */
FIELD(IB_VEND2_DATA_F, 320, 1728, "Vendor2Data", ARRAY) /* VendorData | 216 bytes */

/* PortCountersExtended (performance 0x1d)
 * 64-bit counters. The second part, from CounterSelect2 on, is valid where ClassPortInfo of the
 * performance class says so. */
FIELD(IB_PC_EXT_PORT_SELECT_F, 16, 8, "PortSelect", UINT) /* PortSelect | port; 255: all ports of the node, if it supports that */
FIELD(IB_PC_EXT_COUNTER_SELECT_F, 0, 16, "CounterSelect", HEX) /* CounterSelect | Set: bit n writes the counter n, in order: PortXmitData, PortRcvData, PortXmitPkts, PortRcvPkts, PortUnicastXmitPkts, PortUnicastRcvPkts, PortMulticastXmitPkts, PortMulticastRcvPkts */
FIELD(IB_PC_EXT_XMT_BYTES_F, 64, 64, "PortXmitData", UINT) /* PortXmitData | 32-bit words | transmitted on all lanes but VL 15, link overhead not counted; bytes are 4 times as many */
FIELD(IB_PC_EXT_RCV_BYTES_F, 128, 64, "PortRcvData", UINT) /* PortRcvData | 32-bit words | received on all lanes but VL 15, link overhead not counted; bytes are 4 times as many */
FIELD(IB_PC_EXT_XMT_PKTS_F, 192, 64, "PortXmitPkts", UINT) /* PortXmitPkts | packets | transmitted on all lanes but VL 15 */
FIELD(IB_PC_EXT_RCV_PKTS_F, 256, 64, "PortRcvPkts", UINT) /* PortRcvPkts | packets | received on all lanes but VL 15 */
FIELD(IB_PC_EXT_XMT_UPKTS_F, 320, 64, "PortUnicastXmitPkts", UINT) /* PortUnicastXmitPkts | packets | unicast packets transmitted */
FIELD(IB_PC_EXT_RCV_UPKTS_F, 384, 64, "PortUnicastRcvPkts", UINT) /* PortUnicastRcvPkts | packets | unicast packets received */
FIELD(IB_PC_EXT_XMT_MPKTS_F, 448, 64, "PortMulticastXmitPkts", UINT) /* PortMulticastXmitPkts | packets | multicast packets transmitted */
FIELD(IB_PC_EXT_RCV_MPKTS_F, 512, 64, "PortMulticastRcvPkts", UINT) /* PortMulticastRcvPkts | packets | multicast packets received */

/* GUIDInfo (SMP 0x14)
 * One block of 8 GUIDs; the attribute modifier is the number of the block. */
FIELD(IB_GUID_GUID0_F, 0, 64, "GUID0", HEX) /* GUID 0 of the block | in block 0 the port's GUID, which cannot be set */

/* ClassPortInfo (0x01)
 * Of every class of general services. Redirect fields are where requests have to go; Trap fields
 * are where traps go to. */
FIELD(IB_CPI_BASEVER_F, 24, 8, "BaseVersion", UINT) /* BaseVersion | highest MAD base version that is supported */
FIELD(IB_CPI_CLASSVER_F, 16, 8, "ClassVersion", UINT) /* ClassVersion | highest version of the class that is supported */
FIELD(IB_CPI_CAPMASK_F, 0, 16, "CapabilityMask", HEX) /* CapabilityMask | bit 0 sends traps, bit 1 supports Get and Set of Notice; from bit 8 on of the class */
FIELD(IB_CPI_CAPMASK2_F, 37, 27, "CapabilityMask2", HEX) /* CapabilityMask2 | bits of the class */
FIELD(IB_CPI_RESP_TIME_VALUE_F, 32, 5, "RespTimeVal", UINT) /* RespTimeValue | 4.096 µs × 2^value | longest time from the receipt of a request to its response */
FIELD(IB_CPI_REDIRECT_GID_F, 64, 128, "RedirectGID", ARRAY) /* RedirectGID | GID; 0 if there is no redirection */
FIELD(IB_CPI_REDIRECT_TC_F, 216, 8, "RedirectTC", HEX) /* RedirectTC | traffic class of the GRH */
FIELD(IB_CPI_REDIRECT_SL_F, 212, 4, "RedirectSL", UINT) /* RedirectSL | service level */
FIELD(IB_CPI_REDIRECT_FL_F, 192, 20, "RedirectFL", HEX) /* RedirectFL | flow label of the GRH */
FIELD(IB_CPI_REDIRECT_LID_F, 240, 16, "RedirectLID", UINT) /* RedirectLID | LID; 0: find the path to RedirectGID */
FIELD(IB_CPI_REDIRECT_PKEY_F, 224, 16, "RedirectPKey", HEX) /* RedirectP_Key | P_Key */
FIELD(IB_CPI_REDIRECT_QP_F, 256, 24, "RedirectQP", HEX) /* RedirectQP | queue pair */
FIELD(IB_CPI_REDIRECT_QKEY_F, 288, 32, "RedirectQKey", HEX) /* RedirectQ_Key | Q_Key */
FIELD(IB_CPI_TRAP_GID_F, 320, 128, "TrapGID", ARRAY) /* TrapGID | GID; 0 if traps are off */
FIELD(IB_CPI_TRAP_TC_F, 472, 8, "TrapTC", HEX) /* TrapTC | traffic class of the GRH */
FIELD(IB_CPI_TRAP_SL_F, 468, 4, "TrapSL", UINT) /* TrapSL | service level */
FIELD(IB_CPI_TRAP_FL_F, 448, 20, "TrapFL", HEX) /* TrapFL | flow label of the GRH */
FIELD(IB_CPI_TRAP_LID_F, 496, 16, "TrapLID", UINT) /* TrapLID | LID */
FIELD(IB_CPI_TRAP_PKEY_F, 480, 16, "TrapPKey", HEX) /* TrapP_Key | P_Key */
FIELD(IB_CPI_TRAP_HL_F, 536, 8, "TrapHL", UINT) /* TrapHL | hops | hop limit of the GRH */
FIELD(IB_CPI_TRAP_QP_F, 512, 24, "TrapQP", HEX) /* TrapQP | queue pair */
FIELD(IB_CPI_TRAP_QKEY_F, 544, 32, "TrapQKey", HEX) /* TrapQ_Key | Q_Key */

/* PortXmitDataSL (performance 0x36) */
FIELDS_16(IB_PC_XMT_DATA_SL, 32, 32, "XmtDataSL", UINT) /* PortXmitDataSL{} | 32-bit words | transmitted with SL {} */

/* PortRcvDataSL (performance 0x37) */
FIELDS_16(IB_PC_RCV_DATA_SL, 32, 32, "RcvDataSL", UINT) /* PortRcvDataSL{} | 32-bit words | received with SL {} */

/* PortXmitDiscardDetails (performance 0x16)
 * Parts of PortCounters.PortXmitDiscards. */
FIELD(IB_PC_XMT_INACT_DISC_F, 48, 16, "PortInactiveDiscards", UINT) /* PortInactiveDiscards | packets | discarded because the port was not active */
FIELD(IB_PC_XMT_NEIGH_MTU_DISC_F, 32, 16, "PortNeighborMTUDiscards", UINT) /* PortNeighborMTUDiscards | packets | discarded because they were longer than NeighborMTU */
FIELD(IB_PC_XMT_SW_LIFE_DISC_F, 80, 16, "PortSwLifetimeLimitDiscards", UINT) /* PortSwLifetimeLimitDiscards | packets | discarded because they were too long in the switch (SwitchInfo.LifeTimeValue) */
FIELD(IB_PC_XMT_SW_HOL_DISC_F, 64, 16, "PortSwHOQLifetimeLimitDiscards", UINT) /* PortSwHOQLifetimeLimitDiscards | packets | discarded because they were too long at the head of a queue (PortInfo.HOQLife) */

/* PortRcvErrorDetails (performance 0x15)
 * Parts of PortCounters.PortRcvErrors and PortRcvSwitchRelayErrors. Offsets count from the start
 * of the attribute, whose first word is that of PortCountersExtended: PortSelect and
 * CounterSelect. */
FIELD(IB_PC_RCV_LOCAL_PHY_ERR_F, 48, 16, "PortLocalPhysicalErrors", UINT) /* PortLocalPhysicalErrors | packets | received with a physical error, such as a wrong checksum */
FIELD(IB_PC_RCV_MALFORMED_PKT_ERR_F, 32, 16, "PortMalformedPktErrors", UINT) /* PortMalformedPacketErrors | packets | received malformed */
FIELD(IB_PC_RCV_BUF_OVR_ERR_F, 80, 16, "PortBufferOverrunErrors", UINT) /* PortBufferOverrunErrors | packets | discarded for want of buffers */
FIELD(IB_PC_RCV_DLID_MAP_ERR_F, 64, 16, "PortDLIDMappingErrors", UINT) /* PortDLIDMappingErrors | packets | that the switch could not forward: DLID without a port */
FIELD(IB_PC_RCV_VL_MAP_ERR_F, 112, 16, "PortVLMappingErrors", UINT) /* PortVLMappingErrors | packets | that the switch could not forward: SL without a lane */
FIELD(IB_PC_RCV_LOOPING_ERR_F, 96, 16, "PortLoopingErrors", UINT) /* PortLoopingErrors | packets | that would have left the switch by the port they came in by */

/* PortSamplesControl (performance 0x10)
 * Sampling of up to 15 counters for a given time. A tick is the node's unit of time for it. */
FIELD(IB_PSC_OPCODE_F, 24, 8, "OpCode", HEX) /* OpCode | operation code of the packets that optional counters count */
FIELD(IB_PSC_PORT_SELECT_F, 16, 8, "PortSelect", UINT) /* PortSelect | port that is sampled */
FIELD(IB_PSC_TICK_F, 8, 8, "Tick", HEX) /* Tick | length of a tick, as a code */
FIELD(IB_PSC_COUNTER_WIDTH_F, 0, 3, "CounterWidth", UINT) /* CounterWidth | bits of each counter: 0 16, 1 20, 2 24, 3 28, 4 32 */
FIELD(IB_PSC_COUNTER_MASK0_F, 59, 3, "CounterMask0", HEX) /* CounterMask0 | what counter 0 can be set to count */
FIELD(IB_PSC_COUNTER_MASKS1TO9_F, 32, 27, "CounterMasks1to9", HEX) /* CounterMasks1to9 | the same for the counters 1 to 9, 3 bits each */
FIELD(IB_PSC_COUNTER_MASKS10TO14_F, 80, 15, "CounterMasks10to14", HEX) /* CounterMasks10to14 | the same for the counters 10 to 14, 3 bits each */
FIELD(IB_PSC_SAMPLE_MECHS_F, 72, 8, "SampleMechanisms", UINT) /* SampleMechanisms | sampling mechanisms of the node */
FIELD(IB_PSC_SAMPLE_STATUS_F, 64, 2, "SampleStatus", UINT) /* SampleStatus | 0 done, 1 waiting for SampleStart to run out, 2 sampling */
FIELD(IB_PSC_OPTION_MASK_F, 96, 64, "OptionMask", HEX) /* OptionMask | which optional counters can be sampled */
FIELD(IB_PSC_VENDOR_MASK_F, 160, 64, "VendorMask", HEX) /* VendorMask | which counters of the vendor can be sampled */
FIELD(IB_PSC_SAMPLE_START_F, 224, 32, "SampleStart", UINT) /* SampleStart | ticks | from the request to the beginning of sampling */
FIELD(IB_PSC_SAMPLE_INTVL_F, 256, 32, "SampleInterval", UINT) /* SampleInterval | ticks | that sampling lasts */
FIELD(IB_PSC_TAG_F, 304, 16, "Tag", HEX) /* Tag | chosen by the requester; PortSamplesResult repeats it */
FIELDS_15(IB_PSC_COUNTER_SEL, 304, 16, "CounterSelect", HEX) /* CounterSelect{} | what counter {} counts: 1 PortXmitData, 2 PortRcvData, 3 PortXmitPkts, 4 PortRcvPkts, 5 PortXmitWait; 0x4000 and above optional, 0xc000 and above of the vendor */
FIELD(IB_PSC_SAMPLES_ONLY_OPT_MASK_F, 576, 64, "SamplesOnlyOptionMask", HEX) /* SamplesOnlyOptionMask | which optional counters can only be sampled */

/* GUIDInfo (SMP 0x14), continued */
FIELDS_8(IB_GI_GUID, 0, 64, "GUID", HEX) /* GUID {} of the block | 0: the entry is empty */

/* GUIDInfoRecord (SA 0x30) */
FIELD(IB_SA_GIR_LID_F, 16, 16, "Lid", UINT) /* LID | LID of the port */
FIELD(IB_SA_GIR_BLOCKNUM_F, 8, 8, "BlockNum", UINT) /* BlockNum | number of the block of 8 GUIDs */
FIELDS_8(IB_SA_GIR_GUID, 64, 64, "Guid", HEX) /* GUID {} of the block | 0: the entry is empty */

/* PortInfo (SMP 0x15), continued: CapabilityMask2 and extended speeds */
FIELD(IB_PORT_CAPMASK2_F, 496, 16, "CapabilityMask2", CAP_MASK_2) /* CapabilityMask2 | bits: 0 IsSetNodeDescriptionSupported, 1 IsPortInfoExtendedSupported, 2 IsVirtualizationSupported, 3 IsSwitchPortStateTableSupported, 4 IsLinkWidth2xSupported, 5 IsLinkSpeedHDRSupported, 6 IsMKeyProtectBitsExtSupported, 7 IsEnhancedTrap128Supported, 8 IsPartitionTopSupported, 9 IsEnhancedQoSArbiterSupported, 10 IsLinkSpeedNDRSupported */
FIELD(IB_PORT_LINK_SPEED_EXT_ACTIVE_F, 492, 4, "LinkSpeedExtActive", LINK_SPEED_EXT) /* LinkSpeedExtActive | 0 none, 1 14.0625 (FDR), 2 25.78125 (EDR), 4 53.125 (HDR), 8 106.25 (NDR) Gb/s per lane */
FIELD(IB_PORT_LINK_SPEED_EXT_SUPPORTED_F, 488, 4, "LinkSpeedExtSupported", LINK_SPEED_EXT_SUPPORTED) /* LinkSpeedExtSupported | bits: 0 FDR, 1 EDR, 2 HDR, 3 NDR */
FIELD(IB_PORT_LINK_SPEED_EXT_ENABLED_F, 480, 5, "LinkSpeedExtEnabled", LINK_SPEED_EXT_ENABLED) /* LinkSpeedExtEnabled | bits: 0 FDR, 1 EDR, 2 HDR, 3 NDR; Set: 0 no change, 30 none, 31 all supported */

/* PortExtendedSpeedsCounters (performance 0x1f)
 * Errors of links at FDR and above. Without RS-FEC, the counters of each lane are these; a link of
 * n lanes uses lanes 0 to n - 1. */
FIELD(IB_PESC_PORT_SELECT_F, 16, 8, "PortSelect", UINT) /* PortSelect | port */
FIELD(IB_PESC_COUNTER_SELECT_F, 64, 64, "CounterSelect", HEX) /* CounterSelect | Set: which counters are written */
FIELD(IB_PESC_SYNC_HDR_ERR_CTR_F, 144, 16, "SyncHeaderErrorCounter", UINT) /* SyncHeaderErrorCounter | errors | sync header errors of one or more lanes */
FIELD(IB_PESC_UNK_BLOCK_CTR_F, 128, 16, "UnknownBlockCounter", UINT) /* UnknownBlockCounter | errors | blocks of an unknown type on one or more lanes */
FIELDS_12(IB_PESC_ERR_DET_CTR_LANE, 160, 16, "ErrorDetectionCounterLane", UINT) /* ErrorDetectionCounterLane{} | errors | detected on lane {} */
FIELDS_12(IB_PESC_FEC_CORR_BLOCK_CTR_LANE, 352, 32, "FECCorrectableBlockCtrLane", UINT) /* FECCorrectableBlockCtrLane{} | blocks | with errors that FEC corrected on lane {} */
FIELDS_12(IB_PESC_FEC_UNCORR_BLOCK_CTR_LANE, 736, 32, "FECUncorrectableBlockCtrLane", UINT) /* FECUncorrectableBlockCtrLane{} | blocks | with errors that FEC could not correct on lane {} */

/* PortOpRcvCounters (performance 0x17)
 * Packets with the requested operation code. */
FIELD(IB_PC_PORT_OP_RCV_PKTS_F, 32, 32, "PortOpRcvPkts", UINT) /* PortOpRcvPkts | packets | received */
FIELD(IB_PC_PORT_OP_RCV_DATA_F, 64, 32, "PortOpRcvData", UINT) /* PortOpRcvData | 32-bit words | received in them */

/* PortFlowCtlCounters (performance 0x18) */
FIELD(IB_PC_PORT_XMIT_FLOW_PKTS_F, 32, 32, "PortXmitFlowPkts", UINT) /* PortXmitFlowPkts | flow control packets | transmitted */
FIELD(IB_PC_PORT_RCV_FLOW_PKTS_F, 64, 32, "PortRcvFlowPkts", UINT) /* PortRcvFlowPkts | flow control packets | received */

/* PortVLOpPackets (performance 0x19)
 * Packets of each virtual lane with the requested operation code. */
FIELDS_16(IB_PC_PORT_VL_OP_PACKETS, 32, 16, "PortVLOpPackets", UINT) /* PortVLOpPackets{} | packets | on VL {} */

/* PortVLOpData (performance 0x1a)
 * Data of each virtual lane in packets with the requested operation code. */
FIELDS_16(IB_PC_PORT_VL_OP_DATA, 32, 32, "PortVLOpData", UINT) /* PortVLOpData{} | 32-bit words | on VL {} */

/* PortVLXmitFlowCtlUpdateErrors (performance 0x1b) */
FIELDS_16(IB_PC_PORT_VL_XMIT_FLOW_CTL_UPDATE_ERRORS, 32, 2, "PortVLXmitFlowCtlUpdateErrors", UINT) /* PortVLXmitFlowCtlUpdateErrors{} | errors | flow control update errors of VL {} */

/* PortVLXmitWaitCounters (performance 0x1c) */
FIELDS_16(IB_PC_PORT_VL_XMIT_WAIT, 32, 16, "PortVLXmitWait", UINT) /* PortVLXmitWait{} | ticks | during which VL {} had data to send and could not */

/* SwPortVLCongestion (performance 0x30) */
FIELDS_16(IB_PC_SW_PORT_VL_CONGESTION, 32, 16, "SWPortVLCongestion", UINT) /* SWPortVLCongestion{} | congestion counter of VL {} of a switch port */

/* PortRcvConCtrl (performance 0x31) */
FIELD(IB_PC_RCV_CON_CTRL_PKT_RCV_FECN_F, 32, 32, "PortPktRcvFECN", UINT) /* PortPktRcvFECN | packets | received with the forward congestion notification bit (FECN) */
FIELD(IB_PC_RCV_CON_CTRL_PKT_RCV_BECN_F, 64, 32, "PortPktRcvBECN", UINT) /* PortPktRcvBECN | packets | received with the backward congestion notification bit (BECN) */

/* PortSLRcvFECN (performance 0x32) */
FIELDS_16(IB_PC_SL_RCV_FECN, 32, 32, "PortSLRcvFECN", UINT) /* PortSLRcvFECN{} | packets | of SL {} received with FECN */

/* PortSLRcvBECN (performance 0x33) */
FIELDS_16(IB_PC_SL_RCV_BECN, 32, 32, "PortSLRcvBECN", UINT) /* PortSLRcvBECN{} | packets | of SL {} received with BECN */

/* PortXmitConCtrl (performance 0x34) */
FIELD(IB_PC_XMIT_CON_CTRL_TIME_CONG_F, 32, 32, "PortXmitTimeCong", UINT) /* PortXmitTimeCong | time for which the port was congested */

/* PortVLXmitTimeCong (performance 0x35) */
FIELDS_15(IB_PC_VL_XMIT_TIME_CONG, 32, 32, "PortVLXmitTimeCong", UINT) /* PortVLXmitTimeCong{} | time for which VL {} was congested */

/* Mellanox ExtendedPortInfo (SMP 0xff90)
 * Of one vendor; not part of the InfiniBand specification. */
FIELD(IB_MLNX_EXT_PORT_STATE_CHG_ENABLE_F, 0, 8, "StateChangeEnable", HEX) /* StateChangeEnable | which of the fields below a Set changes */
FIELD(IB_MLNX_EXT_PORT_LINK_SPEED_SUPPORTED_F, 32, 8, "LinkSpeedSupported", HEX) /* LinkSpeedSupported | bit 0: FDR10 */
FIELD(IB_MLNX_EXT_PORT_LINK_SPEED_ENABLED_F, 64, 8, "LinkSpeedEnabled", HEX) /* LinkSpeedEnabled | bit 0: FDR10 */
FIELD(IB_MLNX_EXT_PORT_LINK_SPEED_ACTIVE_F, 96, 8, "LinkSpeedActive", HEX) /* LinkSpeedActive | 1: FDR10 (10.3125 Gb/s per lane) */

/* Congestion control MAD header
 * Class 0x21. Offset from the start of the MAD. */
FIELD(IB_CC_CCKEY_F, 192, 64, "CC_Key", HEX) /* CC_Key | congestion control key; compared with CongestionKeyInfo.CC_Key of the receiver */

/* CongestionInfo (congestion control 0x11) */
FIELD(IB_CC_CONGESTION_INFO_F, 16, 16, "CongestionInfo", HEX) /* CongestionInfo | bit 0: the switch supports credit starvation handling */
FIELD(IB_CC_CONGESTION_INFO_CONTROL_TABLE_CAP_F, 8, 8, "ControlTableCap", UINT) /* ControlTableCap | 64 entries | size of the congestion control table */

/* CongestionKeyInfo (congestion control 0x12) */
FIELD(IB_CC_CONGESTION_KEY_INFO_CC_KEY_F, 0, 64, "CC_Key", HEX) /* CC_Key | key of the port; 0 lets everyone configure it */
FIELD(IB_CC_CONGESTION_KEY_INFO_CC_KEY_PROTECT_BIT_F, 95, 1, "CC_KeyProtectBit", UINT) /* CC_KeyProtectBit | 0: anyone reads the CC_Key; 1: only who has it */
FIELD(IB_CC_CONGESTION_KEY_INFO_CC_KEY_LEASE_PERIOD_F, 64, 16, "CC_KeyLeasePeriod", UINT) /* CC_KeyLeasePeriod | seconds | protection lapses when no valid CC_Key arrives for so long after a violation; 0: never */
FIELD(IB_CC_CONGESTION_KEY_INFO_CC_KEY_VIOLATIONS_F, 112, 16, "CC_KeyViolations", UINT) /* CC_KeyViolations | MADs | received with a wrong CC_Key */

/* CongestionLog (congestion control 0x13)
 * What both forms of the log begin with. */
FIELD(IB_CC_CONGESTION_LOG_LOGTYPE_F, 24, 8, "LogType", UINT) /* LogType | 1 switch, 2 channel adapter */
FIELD(IB_CC_CONGESTION_LOG_CONGESTION_FLAGS_F, 16, 8, "CongestionFlags", HEX) /* CongestionFlags | bit 0: the lease period of the CC_Key runs */

/* CongestionLog of a switch (congestion control 0x13) */
FIELD(IB_CC_CONGESTION_LOG_SWITCH_LOG_EVENTS_COUNTER_F, 0, 16, "LogEventsCounter", UINT) /* LogEventsCounter | events | since the log was last read */
FIELD(IB_CC_CONGESTION_LOG_SWITCH_CURRENT_TIME_STAMP_F, 32, 32, "CurrentTimeStamp", UINT) /* CurrentTimeStamp | 1.024 µs | the switch's clock when it sent the log */
FIELD(IB_CC_CONGESTION_LOG_SWITCH_PORTMAP_F, 64, 256, "PortMap", ARRAY) /* PortMap | 256 bits: ports that have marked packets */

/* Entry of a switch's CongestionLog (congestion control 0x13)
 * Offsets count from the start of the entry. */
FIELD(IB_CC_CONGESTION_LOG_ENTRY_SWITCH_SLID_F, 16, 16, "SLID", UINT) /* SLID | source LID of the marked packet */
FIELD(IB_CC_CONGESTION_LOG_ENTRY_SWITCH_DLID_F, 0, 16, "DLID", UINT) /* DLID | destination LID of the marked packet */
FIELD(IB_CC_CONGESTION_LOG_ENTRY_SWITCH_SL_F, 60, 4, "SL", UINT) /* SL | service level of the marked packet */
FIELD(IB_CC_CONGESTION_LOG_ENTRY_SWITCH_TIMESTAMP_F, 64, 32, "Timestamp", UINT) /* Timestamp | 1.024 µs | when it was marked */

/* CongestionLog of a channel adapter (congestion control 0x13) */
FIELD(IB_CC_CONGESTION_LOG_CA_THRESHOLD_EVENT_COUNTER_F, 0, 16, "ThresholdEventCounter", UINT) /* ThresholdEventCounter | events | a CCTI reached its trigger threshold, since the log was last read */
FIELD(IB_CC_CONGESTION_LOG_CA_THRESHOLD_CONGESTION_EVENT_MAP_F, 48, 16, "ThresholdCongestionEventMap", HEX) /* ThresholdCongestionEventMap | bit n: SL n has had such an event */
FIELD(IB_CC_CONGESTION_LOG_CA_CURRENT_TIMESTAMP_F, 64, 32, "CurrentTimeStamp", UINT) /* CurrentTimeStamp | 1.024 µs | the adapter's clock when it sent the log */

/* Entry of a channel adapter's CongestionLog (congestion control 0x13)
 * Offsets count from the start of the entry. */
FIELD(IB_CC_CONGESTION_LOG_ENTRY_CA_LOCAL_QP_CN_ENTRY_F, 8, 24, "Local_QP_CN_Entry", UINT) /* Local_QP_CN_Entry | local queue pair that reached the threshold */
FIELD(IB_CC_CONGESTION_LOG_ENTRY_CA_SL_CN_ENTRY_F, 4, 4, "SL_CN_Entry", UINT) /* SL_CN_Entry | its service level */
FIELD(IB_CC_CONGESTION_LOG_ENTRY_CA_SERVICE_TYPE_CN_ENTRY_F, 0, 4, "Service_Type_CN_Entry", HEX) /* Service_Type_CN_Entry | its transport service type */
FIELD(IB_CC_CONGESTION_LOG_ENTRY_CA_REMOTE_QP_NUMBER_CN_ENTRY_F, 40, 24, "Remote_QP_Number_CN_Entry", UINT) /* Remote_QP_Number_CN_Entry | remote queue pair */
FIELD(IB_CC_CONGESTION_LOG_ENTRY_CA_LOCAL_LID_CN_F, 80, 16, "Local_LID_CN", UINT) /* Local_LID_CN | local LID */
FIELD(IB_CC_CONGESTION_LOG_ENTRY_CA_REMOTE_LID_CN_ENTRY_F, 64, 16, "Remote_LID_CN_Entry", UINT) /* Remote_LID_CN_Entry | remote LID */
FIELD(IB_CC_CONGESTION_LOG_ENTRY_CA_TIMESTAMP_CN_ENTRY_F, 96, 32, "Timestamp_CN_Entry", UINT) /* Timestamp_CN_Entry | 1.024 µs | when it happened */

/* SwitchCongestionSetting (congestion control 0x14) */
FIELD(IB_CC_SWITCH_CONGESTION_SETTING_CONTROL_MAP_F, 0, 32, "Control_Map", HEX) /* Control_Map | bit n: the field n below is valid in a Set */
FIELD(IB_CC_SWITCH_CONGESTION_SETTING_VICTIM_MASK_F, 32, 256, "Victim_Mask", ARRAY) /* Victim_Mask | 256 bits: ports that mark packets even if they are only victims of the congestion */
FIELD(IB_CC_SWITCH_CONGESTION_SETTING_CREDIT_MASK_F, 288, 256, "Credit_Mask", ARRAY) /* Credit_Mask | 256 bits: ports to which credit starvation handling applies */
FIELD(IB_CC_SWITCH_CONGESTION_SETTING_THRESHOLD_F, 572, 4, "Threshold", HEX) /* Threshold | 0: marks no packets; 1 (latest) to 15 (earliest) */
FIELD(IB_CC_SWITCH_CONGESTION_SETTING_PACKET_SIZE_F, 560, 8, "Packet_Size", UINT) /* Packet_Size | 64 bytes | shorter packets are not marked */
FIELD(IB_CC_SWITCH_CONGESTION_SETTING_CS_THRESHOLD_F, 556, 4, "CS_Threshold", HEX) /* CS_Threshold | threshold of credit starvation: 0 off, 1 to 15 */
FIELD(IB_CC_SWITCH_CONGESTION_SETTING_CS_RETURN_DELAY_F, 592, 16, "CS_ReturnDelay", HEX) /* CS_ReturnDelay | delay with which credits are returned */
FIELD(IB_CC_SWITCH_CONGESTION_SETTING_MARKING_RATE_F, 576, 16, "Marking_Rate", UINT) /* Marking_Rate | packets | mean number of packets that could be marked between two that are */

/* Element of SwitchPortCongestionSetting (congestion control 0x15)
 * Offsets count from the start of the element; one for each port. */
FIELD(IB_CC_SWITCH_PORT_CONGESTION_SETTING_ELEMENT_VALID_F, 31, 1, "Valid", UINT) /* Valid | 1: the element is valid */
FIELD(IB_CC_SWITCH_PORT_CONGESTION_SETTING_ELEMENT_CONTROL_TYPE_F, 30, 1, "Control_Type", UINT) /* Control_Type | 0 congestion control, 1 credit starvation */
FIELD(IB_CC_SWITCH_PORT_CONGESTION_SETTING_ELEMENT_THRESHOLD_F, 24, 4, "Threshold", HEX) /* Threshold | 0: marks no packets; 1 (latest) to 15 (earliest) */
FIELD(IB_CC_SWITCH_PORT_CONGESTION_SETTING_ELEMENT_PACKET_SIZE_F, 16, 8, "Packet_Size", UINT) /* Packet_Size | 64 bytes | shorter packets are not marked */
FIELD(IB_CC_SWITCH_PORT_CONGESTION_SETTING_ELEMENT_CONG_PARM_MARKING_RATE_F, 0, 16, "Cong_Parm_Marking_Rate", UINT) /* Cong_Parm_Marking_Rate | as Marking_Rate or CS_ReturnDelay of SwitchCongestionSetting, by Control_Type */

/* CACongestionSetting (congestion control 0x16) */
FIELD(IB_CC_CA_CONGESTION_SETTING_PORT_CONTROL_F, 16, 16, "Port_Control", HEX) /* Port_Control | bit 0: control by service level instead of by queue pair */
FIELD(IB_CC_CA_CONGESTION_SETTING_CONTROL_MAP_F, 0, 16, "Control_Map", HEX) /* Control_Map | bit n: the entry of SL n is valid */

/* Entry of CACongestionSetting (congestion control 0x16)
 * One for each service level. Offsets count from the start of the entry. CCTI is the index into
 * the congestion control table that the adapter keeps for each flow. */
FIELD(IB_CC_CA_CONGESTION_ENTRY_CCTI_TIMER_F, 16, 16, "CCTI_Timer", UINT) /* CCTI_Timer | 1.024 µs | each time it runs out, CCTI is decreased by 1 */
FIELD(IB_CC_CA_CONGESTION_ENTRY_CCTI_INCREASE_F, 8, 8, "CCTI_Increase", UINT) /* CCTI_Increase | added to CCTI for each BECN */
FIELD(IB_CC_CA_CONGESTION_ENTRY_TRIGGER_THRESHOLD_F, 0, 8, "Trigger_Threshold", UINT) /* Trigger_Threshold | CCTI at which an event is logged */
FIELD(IB_CC_CA_CONGESTION_ENTRY_CCTI_MIN_F, 56, 8, "CCTI_Min", UINT) /* CCTI_Min | smallest CCTI */

/* CongestionControlTable (congestion control 0x17)
 * The attribute modifier is the number of the block of 64 entries. */
FIELD(IB_CC_CONGESTION_CONTROL_TABLE_CCTI_LIMIT_F, 16, 16, "CCTI_Limit", UINT) /* CCTI_Limit | largest index into the table */

/* Entry of CongestionControlTable (congestion control 0x17)
 * Offsets count from the start of the entry. The delay between two packets is the time of the
 * first times the multiplier, shifted. */
FIELD(IB_CC_CONGESTION_CONTROL_TABLE_ENTRY_CCT_SHIFT_F, 30, 2, "CCT_Shift", UINT) /* CCT_Shift | shift of the multiplier to the right */
FIELD(IB_CC_CONGESTION_CONTROL_TABLE_ENTRY_CCT_MULTIPLIER_F, 16, 14, "CCT_Multiplier", UINT) /* CCT_Multiplier | multiplier */

/* TimeStamp (congestion control 0x18) */
FIELD(IB_CC_TIMESTAMP_F, 0, 32, "Timestamp", UINT) /* TimeStamp | 1.024 µs | the port's clock */

/* NodeRecord (SA 0x11)
 * LID of the record, then NodeInfo and NodeDescription. Offsets count from the start of the
 * record. */
FIELD(IB_SA_NR_LID_F, 16, 16, "Lid", UINT) /* LID | LID of the port that the record is about */
FIELD(IB_SA_NR_BASEVER_F, 56, 8, "BaseVers", UINT) /* NodeInfo.BaseVersion | highest MAD base version that the node supports */
FIELD(IB_SA_NR_CLASSVER_F, 48, 8, "ClassVers", UINT) /* NodeInfo.ClassVersion | highest version of the subnet management class that the node supports */
FIELD(IB_SA_NR_TYPE_F, 40, 8, "NodeType", NODE_TYPE) /* NodeInfo.NodeType | 1 channel adapter, 2 switch, 3 router */
FIELD(IB_SA_NR_NPORTS_F, 32, 8, "NumPorts", UINT) /* NodeInfo.NumPorts | ports | physical ports; port 0 of a switch is not counted */
FIELD(IB_SA_NR_SYSTEM_GUID_F, 64, 64, "SystemGuid", HEX) /* NodeInfo.SystemImageGUID | common to all nodes of one system; 0 if not used */
FIELD(IB_SA_NR_GUID_F, 128, 64, "Guid", HEX) /* NodeInfo.NodeGUID | GUID of the node */
FIELD(IB_SA_NR_PORT_GUID_F, 192, 64, "PortGuid", HEX) /* NodeInfo.PortGUID | GUID of the port */
FIELD(IB_SA_NR_PARTITION_CAP_F, 272, 16, "PartCap", UINT) /* NodeInfo.PartitionCap | entries | size of the P_Key table of each port; for a switch, that of port 0 */
FIELD(IB_SA_NR_DEVID_F, 256, 16, "DevId", HEX) /* NodeInfo.DeviceID | given by the vendor */
FIELD(IB_SA_NR_REVISION_F, 288, 32, "Revision", HEX) /* NodeInfo.Revision | given by the vendor */
FIELD(IB_SA_NR_LOCAL_PORT_F, 344, 8, "LocalPort", UINT) /* NodeInfo.LocalPortNum | number of the port */
FIELD(IB_SA_NR_VENDORID_F, 320, 24, "VendorId", HEX) /* NodeInfo.VendorID | IEEE OUI of the vendor */
FIELD(IB_SA_NR_NODEDESC_F, 352, 512, "NodeDesc", STRING) /* NodeDescription.NodeString | 64 bytes of UTF-8; shorter ones end with a NUL */

/* PortSamplesResult (performance 0x11) */
FIELD(IB_PSR_TAG_F, 16, 16, "Tag", HEX) /* Tag | that of the PortSamplesControl that began the sampling */
FIELD(IB_PSR_SAMPLE_STATUS_F, 0, 2, "SampleStatus", HEX) /* SampleStatus | 0 done, 1 waiting for SampleStart to run out, 2 sampling */
FIELDS_15(IB_PSR_COUNTER, 32, 32, "Counter", UINT) /* Counter{} | value of what CounterSelect{} chose; unit as there */

/* PortInfoExtended (SMP 0x33)
 * Forward error correction. Modes: 0 none, 1 FireCode, 2 RS-FEC, 3 low latency RS-FEC, 4 RS-FEC
 * (544,514); from 8 on of NVIDIA, see mad_fec_name(); in a set, bit n stands for mode n. rdma-core
 * reads the four HDR and NDR fields from the place of their neighbours. */
FIELD(IB_PORT_EXT_CAPMASK_F, 0, 32, "CapMask", HEX) /* CapMask | bit 0: the fields below are valid */
FIELD(IB_PORT_EXT_FEC_MODE_ACTIVE_F, 48, 16, "FECModeActive", UINT) /* FECModeActive | mode in use */
FIELD(IB_PORT_EXT_FDR_FEC_MODE_SUPPORTED_F, 32, 16, "FDRFECModeSupported", HEX) /* FDRFECModeSupported | set of modes supported at FDR */
FIELD(IB_PORT_EXT_FDR_FEC_MODE_ENABLED_F, 80, 16, "FDRFECModeEnabled", HEX) /* FDRFECModeEnabled | set of modes enabled at FDR */
FIELD(IB_PORT_EXT_EDR_FEC_MODE_SUPPORTED_F, 64, 16, "EDRFECModeSupported", HEX) /* EDRFECModeSupported | set of modes supported at EDR */
FIELD(IB_PORT_EXT_EDR_FEC_MODE_ENABLED_F, 112, 16, "EDRFECModeEnabled", HEX) /* EDRFECModeEnabled | set of modes enabled at EDR */

/* PortExtendedSpeedsCounters with RS-FEC (performance 0x1f)
 * The same attribute of a link that uses RS-FEC. */
FIELD(IB_PESC_RSFEC_PORT_SELECT_F, 16, 8, "PortSelect", UINT) /* PortSelect | port */
FIELD(IB_PESC_RSFEC_COUNTER_SELECT_F, 64, 64, "CounterSelect", HEX) /* CounterSelect | Set: which counters are written */
FIELD(IB_PESC_RSFEC_SYNC_HDR_ERR_CTR_F, 144, 16, "SyncHeaderErrorCounter", UINT) /* SyncHeaderErrorCounter | errors | sync header errors of one or more lanes */
FIELD(IB_PESC_RSFEC_UNK_BLOCK_CTR_F, 128, 16, "UnknownBlockCounter", UINT) /* UnknownBlockCounter | errors | blocks of an unknown type on one or more lanes */
FIELDS_12(IB_PESC_RSFEC_FEC_CORR_SYMBOL_CTR_LANE, 352, 32, "FECCorrectableSymbolCtrLane", UINT) /* FECCorrectableSymbolCtrLane{} | symbols | that FEC corrected on lane {} */
FIELD(IB_PESC_PORT_FEC_CORR_BLOCK_CTR_F, 1120, 32, "PortFECCorrectableBlockCtr", UINT) /* PortFECCorrectableBlockCtr | blocks | with errors that FEC corrected, of the port */
FIELD(IB_PESC_PORT_FEC_UNCORR_BLOCK_CTR_F, 1152, 32, "PortFECUncorrectableBlockCtr", UINT) /* PortFECUncorrectableBlockCtr | blocks | with errors that FEC could not correct, of the port */
FIELD(IB_PESC_PORT_FEC_CORR_SYMBOL_CTR_F, 1184, 32, "PortFECCorrectedSymbolCtr", UINT) /* PortFECCorrectedSymbolCtr | symbols | that FEC corrected, of the port */

/* PortCountersExtended (performance 0x1d), continued: CounterSelect2 and error counters */
FIELD(IB_PC_EXT_COUNTER_SELECT2_F, 32, 32, "CounterSelect2", HEX) /* CounterSelect2 | Set: which of the counters below are written */
FIELD(IB_PC_EXT_ERR_SYM_F, 576, 64, "SymbolErrorCounter", UINT) /* SymbolErrorCounter | errors | minor link errors of one or more lanes */
FIELD(IB_PC_EXT_LINK_RECOVERS_F, 640, 64, "LinkErrorRecoveryCounter", UINT) /* LinkErrorRecoveryCounter | events | link error recoveries that succeeded */
FIELD(IB_PC_EXT_LINK_DOWNED_F, 704, 64, "LinkDownedCounter", UINT) /* LinkDownedCounter | events | link error recoveries that failed, so that the link went down */
FIELD(IB_PC_EXT_ERR_RCV_F, 768, 64, "PortRcvErrors", UINT) /* PortRcvErrors | packets | received with an error: physical, malformed, or discarded for want of buffers */
FIELD(IB_PC_EXT_ERR_PHYSRCV_F, 832, 64, "PortRcvRemotePhysicalErrors", UINT) /* PortRcvRemotePhysicalErrors | packets | received with the end delimiter EBP, which marks a packet that was bad already when it was forwarded */
FIELD(IB_PC_EXT_ERR_SWITCH_REL_F, 896, 64, "PortRcvSwitchRelayErrors", UINT) /* PortRcvSwitchRelayErrors | packets | received and discarded because the switch could not forward them */
FIELD(IB_PC_EXT_XMT_DISCARDS_F, 960, 64, "PortXmitDiscards", UINT) /* PortXmitDiscards | packets | to be sent, and discarded since the port was down or congested */
FIELD(IB_PC_EXT_ERR_XMTCONSTR_F, 1024, 64, "PortXmitConstraintErrors", UINT) /* PortXmitConstraintErrors | packets | not transmitted: raw or partition filter of the switch port */
FIELD(IB_PC_EXT_ERR_RCVCONSTR_F, 1088, 64, "PortRcvConstraintErrors", UINT) /* PortRcvConstraintErrors | packets | received and discarded: raw or partition filter of the switch port */
FIELD(IB_PC_EXT_ERR_LOCALINTEG_F, 1152, 64, "LocalLinkIntegrityErrors", UINT) /* LocalLinkIntegrityErrors | events | local physical errors exceeded the threshold PortInfo.LocalPhyErrors */
FIELD(IB_PC_EXT_ERR_EXCESS_OVR_F, 1216, 64, "ExcessiveBufferOverrunErrors", UINT) /* ExcessiveBufferOverrunErrors | events | buffer overruns exceeded the threshold PortInfo.OverrunErrors */
FIELD(IB_PC_EXT_VL15_DROPPED_F, 1280, 64, "VL15Dropped", UINT) /* VL15Dropped | packets | of VL 15 (subnet management) dropped for want of buffers */
FIELD(IB_PC_EXT_XMT_WAIT_F, 1344, 64, "PortXmitWait", UINT) /* PortXmitWait | ticks | during which the port had data to send and could not; for the tick see PortSamplesControl */
FIELD(IB_PC_EXT_QP1_DROP_F, 1408, 64, "QP1Dropped", UINT) /* QP1Dropped | packets | for QP 1 (general services) dropped for want of buffers */

/* PortCounters (performance 0x12), continued */
FIELD(IB_PC_QP1_DROP_F, 176, 16, "QP1Dropped", UINT) /* QP1Dropped | packets | for QP 1 (general services) dropped for want of buffers; rdma-core reads VL15Dropped instead */

/* PortInfoExtended (SMP 0x33), continued: HDR */
FIELD(IB_PORT_EXT_HDR_FEC_MODE_SUPPORTED_F, 96, 16, "HDRFECModeSupported", HEX) /* HDRFECModeSupported | set of modes supported at HDR */
FIELD(IB_PORT_EXT_HDR_FEC_MODE_ENABLED_F, 144, 16, "HDRFECModeEnabled", HEX) /* HDRFECModeEnabled | set of modes enabled at HDR */

/* PortInfoExtended (SMP 0x33), continued: NDR */
FIELD(IB_PORT_EXT_NDR_FEC_MODE_SUPPORTED_F, 128, 16, "NDRFECModeSupported", HEX) /* NDRFECModeSupported | set of modes supported at NDR */
FIELD(IB_PORT_EXT_NDR_FEC_MODE_ENABLED_F, 176, 16, "NDRFECModeEnabled", HEX) /* NDRFECModeEnabled | set of modes enabled at NDR */

/* PortInfo (SMP 0x15), continued: second set of extended speeds (XDR) */
FIELD(IB_PORT_LINK_SPEED_EXT_ACTIVE_2_F, 477, 2, "LinkSpeedExtActive2", LINK_SPEED_EXT_2) /* LinkSpeedExtActive2 | 0 none, 1 212.5 Gb/s per lane (XDR) */
FIELD(IB_PORT_LINK_SPEED_EXT_SUPPORTED_2_F, 475, 2, "LinkSpeedExtSupported2", LINK_SPEED_EXT_2_SET) /* LinkSpeedExtSupported2 | bit 0 XDR */
FIELD(IB_PORT_LINK_SPEED_EXT_ENABLED_2_F, 472, 3, "LinkSpeedExtEnabled2", LINK_SPEED_EXT_2_SET) /* LinkSpeedExtEnabled2 | bit 0 XDR */

/*
 * The fields of this project: IDs from MAD_FIELD_OWN_FIRST, in the order of mad.h. OWN_FIELD(id, first
 * bit, length in bits, printed name, format, meaning): the first bit counts from the start of the
 * attribute, the uppermost bit of a byte first, as in the specification's tables and in
 * scripts/field-page. The meaning is for that page; it is empty where it is not certain.
 */

/* ExtendedPortInfo (SMP 0xff90), what the IB_MLNX_EXT_PORT fields do not have */
OWN_FIELD(MAD_EXT_PORT_AME_F, 0, 1, "AME", UINT, "1: advanced modulation and FEC modes are enabled")
OWN_FIELD(MAD_EXT_PORT_SHARP_AN_EN_F, 1, 1, "SHArPANEn", UINT, "1: the aggregation node is enabled")
OWN_FIELD(MAD_EXT_PORT_ROUTER_LID_EN_F, 2, 1, "RouterLIDEn", UINT, "1: router LIDs are enabled")
OWN_FIELD(MAD_EXT_PORT_RECOVERED_F, 3, 1, "PortRecovered", UINT, "1: the port has been, or is, in recovery since this was cleared; a Set can only clear it")
OWN_FIELD(MAD_EXT_PORT_BW_UTIL_EN_F, 37, 1, "BwUtilEn", UINT, "1: the use of bandwidth is measured")
OWN_FIELD(MAD_EXT_PORT_BW_UTILIZATION_F, 38, 10, "BwUtilization", UINT, "bandwidth in use")
OWN_FIELD(MAD_EXT_PORT_UNHEALTHY_REASON_F, 48, 8, "UnhealthyReason", UINT, "0 not supported, 1 none, 2 credit watchdog, 3 symmetry enforcement, 4 raw, 5 effective, 6 symbol bit error rate, 8 contain and drain")
OWN_FIELD(MAD_EXT_PORT_MIN_BW_UTILIZATION_F, 81, 7, "MinBwUtilization", UINT, "smallest bandwidth in use")
OWN_FIELD(MAD_EXT_PORT_NMX_ADMIN_STATE_F, 140, 3, "NMXAdminState", UINT, "0 not applicable, 1 up, 2 down, 3 diagnostics")
OWN_FIELD(MAD_EXT_PORT_CAPABILITY_MASK_F, 144, 16, "CapabilityMask", HEX, "bit 9: two M_Keys")
OWN_FIELD(MAD_EXT_PORT_IS_FNM_F, 352, 1, "IsFNMPort", UINT, "1: a port of fabric network management")
OWN_FIELD(MAD_EXT_PORT_MISSION_AS_FNM_F, 353, 1, "MissionPortAsFNM", UINT, "1: used as one")
OWN_FIELD(MAD_EXT_PORT_QOS_CONFIG_VL_EN_F, 354, 1, "QosConfigVLEn", UINT, "1: QosConfigVL is enabled")
OWN_FIELD(MAD_EXT_PORT_ACCESS_TRUNK_F, 355, 1, "AccessTrunk", UINT, "1: a trunk port")
OWN_FIELD(MAD_EXT_PORT_IS_SPECIAL_F, 376, 1, "IsSpecialPort", UINT, "1: a special port")
OWN_FIELD(MAD_EXT_PORT_SPECIAL_TYPE_F, 380, 4, "SpecialPortType", UINT, "1 aggregation node, 2 router, 3 Ethernet gateway")
OWN_FIELD(MAD_EXT_PORT_ADAPTIVE_TIMEOUT_SL_MASK_F, 416, 16, "AdaptiveTimeoutSLMask", HEX, "service levels with adaptive timeouts")
OWN_FIELD(MAD_EXT_PORT_OOO_SL_MASK_F, 432, 16, "OOOSLMask", HEX, "service levels whose packets may arrive out of order")

/* HierarchyInfo (SMP 0x1e) */
OWN_FIELD(MAD_HIERARCHY_TEMPLATE_GUID_F, 0, 64, "TemplateGUID", HEX, "what the records describe: 3 NDR, 4 switch, 5 HCA or GPU of several planes")
OWN_FIELD(MAD_HIERARCHY_MAX_SUPPORTED_INDEX_F, 64, 8, "MaxSupportedIndex", UINT, "last block that there can be")
OWN_FIELD(MAD_HIERARCHY_MAX_ACTIVE_INDEX_F, 72, 8, "MaxActiveIndex", UINT, "last block in use")
OWN_FIELD(MAD_HIERARCHY_ACTIVE_LEVELS_F, 80, 8, "ActiveLevels", UINT, "number of records in use")
OWN_FIELD(MAD_HIERARCHY_LEVELS_F, 96, 416, "Levels", ARRAY, "13 records of 32 bits, such as plane (10), number of planes (11) and aggregated port (12)")

/* SwitchPortStateTable (SMP 0x34) */
OWN_FIELD(MAD_SWITCH_PORT_STATES_F, 0, 512, "PortStates", ARRAY, "4 bits a port, 128 ports from that of the block")

/* GeneralInfo (SMP 0xff17) with modifier 4: capabilities */
OWN_FIELD(MAD_GENERAL_CAPABILITIES_0_F, 0, 32, "Capabilities0to31", VENDOR_CAPS_0, "capabilities 0 to 31, the lowest bit first")
OWN_FIELD(MAD_GENERAL_CAPABILITIES_1_F, 32, 32, "Capabilities32to63", VENDOR_CAPS_1, "capabilities 32 to 63")
OWN_FIELD(MAD_GENERAL_CAPABILITIES_2_F, 64, 32, "Capabilities64to95", VENDOR_CAPS_2, "capabilities 64 to 95")
OWN_FIELD(MAD_GENERAL_CAPABILITIES_3_F, 96, 32, "Capabilities96to127", HEX, "capabilities 96 to 127; none has a name")

/* ChassisInfo (SMP 0xff18) */
OWN_FIELD(MAD_CHASSIS_ID_F, 32, 128, "ChassisID", ARRAY, "the same in all nodes of a chassis")

/* AdaptiveRoutingInfo (SMP 0xff20) */
OWN_FIELD(MAD_AR_INFO_ENABLE_F, 0, 8, "EnabledAndCapabilities", HEX, "")
OWN_FIELD(MAD_AR_INFO_DIRECTIONS_F, 8, 8, "DirectionsSupported", UINT, "")
OWN_FIELD(MAD_AR_INFO_GROUP_COPY_SUB_GROUPS_F, 16, 8, "GroupCopySubGroupsActive", HEX, "")
OWN_FIELD(MAD_AR_INFO_FEATURES_F, 24, 8, "EnableFeatures", HEX, "")
OWN_FIELD(MAD_AR_INFO_GROUPS_F, 32, 32, "GroupInfo", HEX, "")
OWN_FIELD(MAD_AR_INFO_SL_MASK_F, 64, 16, "EnableBySLMask", HEX, "service levels with adaptive routing")
OWN_FIELD(MAD_AR_INFO_SUB_GROUPS_F, 80, 8, "SubGroupsSupported", UINT, "")
OWN_FIELD(MAD_AR_INFO_VERSION_CAP_F, 88, 8, "ARNVersionCap", HEX, "")
OWN_FIELD(MAD_AR_INFO_TRANSPORT_DISABLE_F, 120, 8, "ByTransportDisable", HEX, "")
OWN_FIELD(MAD_AR_INFO_AGEING_TIME_F, 128, 32, "AgeingTimeValue", UINT, "")
OWN_FIELD(MAD_AR_INFO_CAPABILITIES_F, 160, 8, "CapFields1", HEX, "")
OWN_FIELD(MAD_AR_INFO_FEATURES_1_F, 176, 8, "EnableFeatures1", HEX, "")
OWN_FIELD(MAD_AR_INFO_WHBF_GRANULARITY_F, 192, 8, "WHBFGranularity", UINT, "")
OWN_FIELD(MAD_AR_INFO_HBF_SL_MASK_F, 208, 16, "EnableBySLMaskHBF", HEX, "service levels with hash-based forwarding")

/* ExtendedNodeInfo (SMP 0xff91) */
OWN_FIELD(MAD_EXT_NODE_NUM_OOB_F, 0, 8, "NumOOB", UINT, "")
OWN_FIELD(MAD_EXT_NODE_NUM_PCIE_F, 8, 8, "NumPCIe", UINT, "")
OWN_FIELD(MAD_EXT_NODE_SL2VL_ACTIVE_F, 16, 8, "SL2VLAct", UINT, "")
OWN_FIELD(MAD_EXT_NODE_SL2VL_CAP_F, 24, 8, "SL2VLCap", HEX, "")
OWN_FIELD(MAD_EXT_NODE_ANYCAST_LID_TOP_F, 104, 8, "AnycastLIDTableTop", UINT, "")
OWN_FIELD(MAD_EXT_NODE_ANYCAST_LID_CAP_F, 112, 8, "AnycastLIDTableCap", UINT, "")
OWN_FIELD(MAD_EXT_NODE_TYPE_F, 120, 8, "ExtNodeType", UINT, "")
OWN_FIELD(MAD_EXT_NODE_ENABLE_F, 128, 8, "EnableBits", HEX, "")
OWN_FIELD(MAD_EXT_NODE_MAX_PLANES_F, 152, 8, "ASICMaxPlanes", UINT, "planes that the device has")

/* ExtendedSwitchInfo (SMP 0xff92) */
OWN_FIELD(MAD_EXT_SWITCH_TURBO_PATH_F, 24, 8, "TurboPathCapEnable", HEX, "")
OWN_FIELD(MAD_EXT_SWITCH_TURBO_PATH_CAP_F, 32, 8, "AdvancedTurboPathCap", HEX, "")
OWN_FIELD(MAD_EXT_SWITCH_REQUEST_DELAY_F, 48, 16, "ReqDelay", UINT, "")
OWN_FIELD(MAD_EXT_SWITCH_SET_THRESHOLD_F, 64, 16, "SetTrigTh", UINT, "")
OWN_FIELD(MAD_EXT_SWITCH_RESET_THRESHOLD_F, 80, 16, "RstTrigTh", UINT, "")
OWN_FIELD(MAD_EXT_SWITCH_WINDOW_F, 112, 16, "ReqTrigWindow", UINT, "")

/* PortSamplesResultExtended (performance 0x1e) */
OWN_FIELD(MAD_PSR_EXT_TAG_F, 0, 16, "Tag", HEX, "that of PortSamplesControl")
OWN_FIELD(MAD_PSR_EXT_SAMPLE_STATUS_F, 30, 2, "SampleStatus", HEX, "0 done, 1 waiting to start, 2 running")
OWN_FIELD(MAD_PSR_EXT_WIDTH_F, 32, 2, "ExtendedWidth", UINT, "width of the counters")
FIELDS_15(MAD_PSR_EXT_COUNTER, 64, 64, "Counter", UINT) /* Counter{} | sample of counter {} */

/* PathRecord (SA 0x35), what the IB_SA_PR fields do not have */
OWN_FIELD(MAD_PATH_SERVICE_ID_F, 0, 64, "PathRecServiceID", HEX, "0: any service")
OWN_FIELD(MAD_PATH_RAW_TRAFFIC_F, 352, 1, "PathRecRawTraffic", UINT, "1: for raw packets")
OWN_FIELD(MAD_PATH_FLOW_LABEL_F, 356, 20, "PathRecFlowLabel", HEX, "of the GRH")
OWN_FIELD(MAD_PATH_HOP_LIMIT_F, 376, 8, "PathRecHopLimit", UINT, "of the GRH; more than 1: the path leaves the subnet")
OWN_FIELD(MAD_PATH_TCLASS_F, 384, 8, "PathRecTClass", HEX, "of the GRH")
OWN_FIELD(MAD_PATH_REVERSIBLE_F, 392, 1, "PathRecReversible", UINT, "1: its SL and route serve in both directions")
OWN_FIELD(MAD_PATH_PKEY_F, 400, 16, "PathRecPKey", HEX, "a partition of both ends")
OWN_FIELD(MAD_PATH_QOS_CLASS_F, 416, 12, "PathRecQoSClass", UINT, "class of quality of service")
OWN_FIELD(MAD_PATH_MTU_SELECTOR_F, 432, 2, "PathRecMTUSelector", UINT, "in a request: 0 greater than, 1 less than, 2 exactly, 3 largest")
OWN_FIELD(MAD_PATH_MTU_F, 434, 6, "PathRecMTU", MTU, "1 to 5: 256 to 4096 bytes")
OWN_FIELD(MAD_PATH_RATE_SELECTOR_F, 440, 2, "PathRecRateSelector", UINT, "as PathRecMTUSelector")
OWN_FIELD(MAD_PATH_RATE_F, 442, 6, "PathRecRate", RATE, "code of a rate, 2 to 26")
OWN_FIELD(MAD_PATH_LIFETIME_SELECTOR_F, 448, 2, "PathRecLifeTimeSelector", UINT, "as PathRecMTUSelector")
OWN_FIELD(MAD_PATH_LIFETIME_F, 450, 6, "PathRecPacketLifeTime", UINT, "4.096 us times 2 to the power of this")
OWN_FIELD(MAD_PATH_PREFERENCE_F, 456, 8, "PathRecPreference", UINT, "of several paths, the one with the lowest is best")

/* MCMemberRecord (SA 0x38), what the IB_SA_MCM fields do not have or print as codes */
OWN_FIELD(MAD_MCM_MTU_SELECTOR_F, 304, 2, "McastMemMTUSelector", UINT, "as PathRecMTUSelector")
OWN_FIELD(MAD_MCM_MTU_F, 306, 6, "McastMemMTU", MTU, "1 to 5: 256 to 4096 bytes")
OWN_FIELD(MAD_MCM_RATE_SELECTOR_F, 336, 2, "McastMemRateSelector", UINT, "as PathRecMTUSelector")
OWN_FIELD(MAD_MCM_RATE_F, 338, 6, "McastMemRate", RATE, "code of a rate, 2 to 26")
OWN_FIELD(MAD_MCM_LIFETIME_SELECTOR_F, 344, 2, "McastMemLifeTimeSelector", UINT, "as PathRecMTUSelector")
OWN_FIELD(MAD_MCM_LIFETIME_F, 346, 6, "McastMemPacketLifeTime", UINT, "4.096 us times 2 to the power of this")
OWN_FIELD(MAD_MCM_HOP_LIMIT_F, 376, 8, "McastMemHopLimit", UINT, "of the GRH")
OWN_FIELD(MAD_MCM_SCOPE_F, 384, 4, "McastMemScope", UINT, "of the MGID: 2 link-local, 5 site-local, 8 organization-local, 14 global")

/* LFTSplit (SMP 0xff26): ranges of LIDs */
OWN_FIELD(MAD_LFT_SPLIT_GLOBAL_START_F, 0, 32, "GlobalLIDRangeStart", UINT, "")
OWN_FIELD(MAD_LFT_SPLIT_GLOBAL_CAP_F, 32, 32, "GlobalLIDRangeCap", UINT, "")
OWN_FIELD(MAD_LFT_SPLIT_GLOBAL_TOP_F, 64, 32, "GlobalLIDRangeTop", UINT, "")
OWN_FIELD(MAD_LFT_SPLIT_ALID_START_F, 96, 32, "AnycastLIDRangeStart", UINT, "")
OWN_FIELD(MAD_LFT_SPLIT_ALID_CAP_F, 128, 32, "AnycastLIDRangeCap", UINT, "")
OWN_FIELD(MAD_LFT_SPLIT_ALID_TOP_F, 160, 32, "AnycastLIDRangeTop", UINT, "")
OWN_FIELD(MAD_LFT_SPLIT_PLANE_START_F, 192, 32, "LocalPlaneLIDRangeStart", UINT, "")
OWN_FIELD(MAD_LFT_SPLIT_PLANE_CAP_F, 224, 32, "LocalPlaneLIDRangeCap", UINT, "")
OWN_FIELD(MAD_LFT_SPLIT_PLANE_TOP_F, 256, 32, "LocalPlaneLIDRangeTop", UINT, "")

/* EndPortPlaneFilterConfig (SMP 0xff54) */
OWN_FIELD(MAD_PLANE_FILTERS_F, 64, 128, "PlaneFilters", ARRAY, "32 bits for each of four planes")

/* KeyInfo of class 0x0a */
OWN_FIELD(MAD_VS_KEY_F, 0, 64, "VS_Key", HEX, "the key that requests have to carry; 0: any")
OWN_FIELD(MAD_VS_KEY_PROTECT_F, 64, 16, "VS_KeyProtectBit", HEX, "")
OWN_FIELD(MAD_VS_KEY_LEASE_F, 80, 16, "VS_KeyLeasePeriod", UINT, "")
OWN_FIELD(MAD_VS_KEY_VIOLATIONS_F, 96, 16, "VS_KeyViolations", UINT, "requests with another key")

/* GeneralInfo of class 0x0a with modifier 0 */
OWN_FIELD(MAD_VS_HW_REVISION_F, 64, 16, "HWRevision", HEX, "of the device")
OWN_FIELD(MAD_VS_DEVICE_ID_F, 80, 16, "DeviceID", HEX, "")
OWN_FIELD(MAD_VS_UP_TIME_F, 288, 32, "UpTime", UINT, "")
OWN_FIELD(MAD_VS_FW_MAJOR_F, 328, 8, "FWMajor", UINT, "version of the firmware")
OWN_FIELD(MAD_VS_FW_MINOR_F, 336, 8, "FWMinor", UINT, "")
OWN_FIELD(MAD_VS_FW_SUBMINOR_F, 344, 8, "FWSubMinor", UINT, "")
OWN_FIELD(MAD_VS_FW_BUILD_F, 352, 32, "FWBuildID", HEX, "")
OWN_FIELD(MAD_VS_FW_MONTH_F, 384, 8, "FWMonth", HEX, "of the build, as are day, year and hour; the digits are hexadecimal")
OWN_FIELD(MAD_VS_FW_DAY_F, 392, 8, "FWDay", HEX, "")
OWN_FIELD(MAD_VS_FW_YEAR_F, 400, 16, "FWYear", HEX, "")
OWN_FIELD(MAD_VS_FW_HOUR_F, 432, 16, "FWHour", HEX, "")
OWN_FIELD(MAD_VS_PSID_F, 448, 128, "PSID", STRING, "which board it is")
OWN_FIELD(MAD_VS_INI_VERSION_F, 576, 32, "INIVersion", HEX, "of the board's configuration")
OWN_FIELD(MAD_VS_SW_MAJOR_F, 616, 8, "SWMajor", UINT, "")
OWN_FIELD(MAD_VS_SW_MINOR_F, 624, 8, "SWMinor", UINT, "")
OWN_FIELD(MAD_VS_SW_SUBMINOR_F, 632, 8, "SWSubMinor", UINT, "")

/* KeyInfo of class 0x0c */
OWN_FIELD(MAD_N2N_KEY_F, 0, 64, "N2N_Key", HEX, "the manager's key, which its requests have to carry; 0: any")
OWN_FIELD(MAD_N2N_KEY_PROTECT_F, 64, 16, "N2N_KeyProtectBit", HEX, "")
OWN_FIELD(MAD_N2N_KEY_LEASE_F, 80, 16, "N2N_KeyLeasePeriod", UINT, "")
OWN_FIELD(MAD_N2N_KEY_VIOLATIONS_F, 96, 16, "N2N_KeyViolations", UINT, "requests of a manager with another key")
OWN_FIELD(MAD_N2N_NODE_KEY_VIOLATIONS_F, 112, 16, "N2N_NodeKeyViolations", UINT, "requests of a neighbour with another key")

/* NeighborsInfo of class 0x0c */
OWN_FIELD(MAD_N2N_NEIGHBORS_F, 0, 1792, "NeighborRecords", ARRAY, "14 records of 16 bytes: node type in byte 0, LID in bytes 2 and 3, key in bytes 8 to 15")

/* EnhancedInfo (congestion control 0xff00) */
OWN_FIELD(MAD_CC_ENHANCED_VER_F, 0, 8, "VerSupported", UINT, "")
OWN_FIELD(MAD_CC_ENHANCED_CAPABILITIES_F, 64, 64, "CCCapabilityMask", HEX, "")

/* SWGeneralSettings (congestion control 0xff08) */
OWN_FIELD(MAD_CC_SW_ENABLE_F, 0, 8, "Enable", HEX, "")
OWN_FIELD(MAD_CC_SW_AQS_WEIGHT_F, 16, 8, "AQSWeight", UINT, "")
OWN_FIELD(MAD_CC_SW_AQS_TIME_F, 24, 8, "AQSTime", UINT, "")
OWN_FIELD(MAD_CC_SW_BUFFER_SIZE_F, 32, 32, "CapTotalBufferSize", UINT, "")
OWN_FIELD(MAD_CC_SW_STEP_SIZE_F, 88, 8, "CapCCProfileStepSize", UINT, "")

/* PortProfileSettings (congestion control 0xff09) */
OWN_FIELD(MAD_CC_PROFILE_SPECIFICATION_F, 0, 8, "SpecificationBitmap", HEX, "")
OWN_FIELD(MAD_CC_PROFILE_VL_MASK_F, 16, 16, "VLMask", HEX, "")
OWN_FIELD(MAD_CC_PROFILE_PROFILES_F, 32, 192, "Profiles", ARRAY, "")

/* SLMappingSettings (congestion control 0xff10) */
OWN_FIELD(MAD_CC_SL_PROFILE_MAP_F, 0, 32, "SLProfileMap", HEX, "")

/* HCAGeneralSettings (congestion control 0xff20) */
OWN_FIELD(MAD_CC_HCA_ENABLE_F, 0, 8, "EnableMask", HEX, "")

/* HCARPParameters (congestion control 0xff21) */
OWN_FIELD(MAD_CC_RP_CLAMP_F, 0, 16, "ClampTgtRate", HEX, "")
OWN_FIELD(MAD_CC_RP_TIME_RESET_F, 32, 32, "RPGTimeReset", UINT, "")
OWN_FIELD(MAD_CC_RP_BYTE_RESET_F, 64, 32, "RPGByteReset", UINT, "")
OWN_FIELD(MAD_CC_RP_THRESHOLD_F, 120, 8, "RPGThreshold", UINT, "")
OWN_FIELD(MAD_CC_RP_MAX_RATE_F, 128, 32, "RPGMaxRate", UINT, "")
OWN_FIELD(MAD_CC_RP_AI_RATE_F, 176, 16, "RPGAIRate", UINT, "")
OWN_FIELD(MAD_CC_RP_HAI_RATE_F, 208, 16, "RPGHAIRate", UINT, "")
OWN_FIELD(MAD_CC_RP_GD_F, 248, 8, "RPGGd", UINT, "")
OWN_FIELD(MAD_CC_RP_MIN_DEC_FAC_F, 280, 8, "RPGMinDecFac", UINT, "")
OWN_FIELD(MAD_CC_RP_MIN_RATE_F, 288, 32, "RPGMinRate", UINT, "")
OWN_FIELD(MAD_CC_RP_FIRST_CNP_RATE_F, 320, 32, "RateToSetOnFirstCNP", UINT, "")
OWN_FIELD(MAD_CC_RP_DCE_TCP_G_F, 368, 16, "DCETCPG", UINT, "")
OWN_FIELD(MAD_CC_RP_DCE_TCP_RTT_F, 384, 32, "DCETCPRtt", UINT, "")
OWN_FIELD(MAD_CC_RP_MONITOR_PERIOD_F, 416, 32, "RateReduceMonitorPeriod", UINT, "")
OWN_FIELD(MAD_CC_RP_ALPHA_F, 464, 16, "InitialAlphaValue", UINT, "")

/* HCANPParameters (congestion control 0xff22) */
OWN_FIELD(MAD_CC_NP_CNP_TIME_F, 16, 16, "MinTimeBetweenCNPs", UINT, "")
OWN_FIELD(MAD_CC_NP_SL_MODE_F, 40, 8, "SLMode", HEX, "")
OWN_FIELD(MAD_CC_NP_RTT_SL_F, 48, 8, "RTTRespSL", UINT, "")
OWN_FIELD(MAD_CC_NP_CNP_SL_F, 56, 8, "CNPSL", UINT, "")

/* HCAAlgoConfig (congestion control 0xff24) */
OWN_FIELD(MAD_CC_ALGO_ENABLE_F, 0, 8, "EnableMask", HEX, "")
OWN_FIELD(MAD_CC_ALGO_SL_MASK_F, 32, 16, "SLBitMask", HEX, "")
OWN_FIELD(MAD_CC_ALGO_ENCAP_LEN_F, 48, 8, "EncapLen", UINT, "")
OWN_FIELD(MAD_CC_ALGO_ENCAP_TYPE_F, 56, 8, "EncapType", UINT, "")
OWN_FIELD(MAD_CC_ALGO_ENCAPSULATION_F, 128, 1408, "Encapsulation", ARRAY, "")

/* HCAAlgoConfigParams (congestion control 0xff25) */
OWN_FIELD(MAD_CC_ALGO_PARAMS_SL_MASK_F, 32, 16, "SLBitMask", HEX, "")
OWN_FIELD(MAD_CC_ALGO_PARAMS_ENCAP_LEN_F, 48, 8, "EncapLen", UINT, "")
OWN_FIELD(MAD_CC_ALGO_PARAMS_ENCAP_TYPE_F, 56, 8, "EncapType", UINT, "")
OWN_FIELD(MAD_CC_ALGO_PARAMS_ENCAPSULATION_F, 128, 1408, "Encapsulation", ARRAY, "")
/* clang-format on */
