/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* counter_values.c - which counters there are, which a port supports, and where they are. */
#include <stdlib.h>

#include "libibmad-fabric/counters.h"

#define BIT(counter) COUNTER_BIT(counter)

#define ERROR(name_, bits_, basic_, extended_)                             \
	{                                                                  \
		{ (name_), 1, (bits_), true }, (basic_), (extended_), 0, 0 \
	}
#define TRAFFIC(name_, unit_, bits_, basic_, extended_)                           \
	{                                                                         \
		{ (name_), (unit_), (bits_), false }, (basic_), (extended_), 0, 0 \
	}
#define SPEEDS(name_, error_, bits_, field_, lanes_)                        \
	{                                                                   \
		{ (name_), 1, (bits_), (error_) }, 0, 0, (field_), (lanes_) \
	}

#define LANES 12

const struct counter_fields fabric_counter_fields[FABRIC_COUNTERS] = {
	[MAD_FABRIC_COUNTER_SYMBOL_ERRORS] =
		ERROR("SymbolErrorCounter", 16, IB_PC_ERR_SYM_F, IB_PC_EXT_ERR_SYM_F),
	[MAD_FABRIC_COUNTER_LINK_RECOVERS] = ERROR(
		"LinkErrorRecoveryCounter", 8, IB_PC_LINK_RECOVERS_F, IB_PC_EXT_LINK_RECOVERS_F),
	[MAD_FABRIC_COUNTER_LINK_DOWNED] =
		ERROR("LinkDownedCounter", 8, IB_PC_LINK_DOWNED_F, IB_PC_EXT_LINK_DOWNED_F),
	[MAD_FABRIC_COUNTER_RCV_ERRORS] =
		ERROR("PortRcvErrors", 16, IB_PC_ERR_RCV_F, IB_PC_EXT_ERR_RCV_F),
	[MAD_FABRIC_COUNTER_RCV_REMOTE_PHYSICAL_ERRORS] = ERROR(
		"PortRcvRemotePhysicalErrors", 16, IB_PC_ERR_PHYSRCV_F, IB_PC_EXT_ERR_PHYSRCV_F),
	[MAD_FABRIC_COUNTER_RCV_SWITCH_RELAY_ERRORS] = ERROR(
		"PortRcvSwitchRelayErrors", 16, IB_PC_ERR_SWITCH_REL_F, IB_PC_EXT_ERR_SWITCH_REL_F),
	[MAD_FABRIC_COUNTER_XMIT_DISCARDS] =
		ERROR("PortXmitDiscards", 16, IB_PC_XMT_DISCARDS_F, IB_PC_EXT_XMT_DISCARDS_F),
	[MAD_FABRIC_COUNTER_XMIT_CONSTRAINT_ERRORS] = ERROR(
		"PortXmitConstraintErrors", 8, IB_PC_ERR_XMTCONSTR_F, IB_PC_EXT_ERR_XMTCONSTR_F),
	[MAD_FABRIC_COUNTER_RCV_CONSTRAINT_ERRORS] = ERROR(
		"PortRcvConstraintErrors", 8, IB_PC_ERR_RCVCONSTR_F, IB_PC_EXT_ERR_RCVCONSTR_F),
	[MAD_FABRIC_COUNTER_LOCAL_LINK_INTEGRITY_ERRORS] = ERROR(
		"LocalLinkIntegrityErrors", 4, IB_PC_ERR_LOCALINTEG_F, IB_PC_EXT_ERR_LOCALINTEG_F),
	[MAD_FABRIC_COUNTER_EXCESSIVE_BUFFER_OVERRUNS] =
		ERROR("ExcessiveBufferOverrunErrors", 4, IB_PC_ERR_EXCESS_OVR_F,
		      IB_PC_EXT_ERR_EXCESS_OVR_F),
	[MAD_FABRIC_COUNTER_VL15_DROPPED] =
		ERROR("VL15Dropped", 16, IB_PC_VL15_DROPPED_F, IB_PC_EXT_VL15_DROPPED_F),
	[MAD_FABRIC_COUNTER_QP1_DROPPED] =
		ERROR("QP1Dropped", 16, IB_PC_QP1_DROP_F, IB_PC_EXT_QP1_DROP_F),
	[MAD_FABRIC_COUNTER_XMIT_WAIT] =
		TRAFFIC("PortXmitWait", 1, 32, IB_PC_XMT_WAIT_F, IB_PC_EXT_XMT_WAIT_F),
	[MAD_FABRIC_COUNTER_XMIT_DATA] =
		TRAFFIC("PortXmitData", 4, 32, IB_PC_XMT_BYTES_F, IB_PC_EXT_XMT_BYTES_F),
	[MAD_FABRIC_COUNTER_RCV_DATA] =
		TRAFFIC("PortRcvData", 4, 32, IB_PC_RCV_BYTES_F, IB_PC_EXT_RCV_BYTES_F),
	[MAD_FABRIC_COUNTER_XMIT_PACKETS] =
		TRAFFIC("PortXmitPkts", 1, 32, IB_PC_XMT_PKTS_F, IB_PC_EXT_XMT_PKTS_F),
	[MAD_FABRIC_COUNTER_RCV_PACKETS] =
		TRAFFIC("PortRcvPkts", 1, 32, IB_PC_RCV_PKTS_F, IB_PC_EXT_RCV_PKTS_F),
	[MAD_FABRIC_COUNTER_UNICAST_XMIT_PACKETS] =
		TRAFFIC("PortUnicastXmitPkts", 1, 0, 0, IB_PC_EXT_XMT_UPKTS_F),
	[MAD_FABRIC_COUNTER_UNICAST_RCV_PACKETS] =
		TRAFFIC("PortUnicastRcvPkts", 1, 0, 0, IB_PC_EXT_RCV_UPKTS_F),
	[MAD_FABRIC_COUNTER_MULTICAST_XMIT_PACKETS] =
		TRAFFIC("PortMulticastXmitPkts", 1, 0, 0, IB_PC_EXT_XMT_MPKTS_F),
	[MAD_FABRIC_COUNTER_MULTICAST_RCV_PACKETS] =
		TRAFFIC("PortMulticastRcvPkts", 1, 0, 0, IB_PC_EXT_RCV_MPKTS_F),
	[MAD_FABRIC_COUNTER_SYNC_HEADER_ERRORS] =
		SPEEDS("SyncHeaderErrorCounter", true, 16, IB_PESC_SYNC_HDR_ERR_CTR_F, 1),
	[MAD_FABRIC_COUNTER_UNKNOWN_BLOCKS] =
		SPEEDS("UnknownBlockCounter", true, 16, IB_PESC_UNK_BLOCK_CTR_F, 1),
	[MAD_FABRIC_COUNTER_FEC_CORRECTABLE_BLOCKS] = SPEEDS(
		"FECCorrectableBlockCounter", false, 32, IB_PESC_FEC_CORR_BLOCK_CTR_LANE0_F, LANES),
	[MAD_FABRIC_COUNTER_FEC_UNCORRECTABLE_BLOCKS] =
		SPEEDS("FECUncorrectableBlockCounter", true, 32,
		       IB_PESC_FEC_UNCORR_BLOCK_CTR_LANE0_F, LANES),
	[MAD_FABRIC_COUNTER_FEC_CORRECTED_SYMBOLS] =
		SPEEDS("FECCorrectedSymbolCounter", false, 32, 0, 0),
};

/* With RS-FEC, the attribute has other counters from its third one on. */
static enum MAD_FIELDS rsfec_field(unsigned counter)
{
	switch (counter) {
	case MAD_FABRIC_COUNTER_SYNC_HEADER_ERRORS:
		return IB_PESC_RSFEC_SYNC_HDR_ERR_CTR_F;
	case MAD_FABRIC_COUNTER_UNKNOWN_BLOCKS:
		return IB_PESC_RSFEC_UNK_BLOCK_CTR_F;
	case MAD_FABRIC_COUNTER_FEC_CORRECTABLE_BLOCKS:
		return IB_PESC_PORT_FEC_CORR_BLOCK_CTR_F;
	case MAD_FABRIC_COUNTER_FEC_UNCORRECTABLE_BLOCKS:
		return IB_PESC_PORT_FEC_UNCORR_BLOCK_CTR_F;
	case MAD_FABRIC_COUNTER_FEC_CORRECTED_SYMBOLS:
		return IB_PESC_PORT_FEC_CORR_SYMBOL_CTR_F;
	default:
		return IB_NO_FIELD;
	}
}

unsigned mad_fabric_counter_count(void)
{
	return FABRIC_COUNTERS;
}

const struct mad_fabric_counter_kind *mad_fabric_counter_get_kind(unsigned counter)
{
	return counter < FABRIC_COUNTERS ? &fabric_counter_fields[counter].info : fabric_none(NULL);
}

uint32_t fabric_supported_counters(uint32_t capabilities, uint32_t capabilities2,
				   bool extended_speed)
{
	const uint32_t ietf = BIT(MAD_FABRIC_COUNTER_UNICAST_XMIT_PACKETS) |
			      BIT(MAD_FABRIC_COUNTER_UNICAST_RCV_PACKETS) |
			      BIT(MAD_FABRIC_COUNTER_MULTICAST_XMIT_PACKETS) |
			      BIT(MAD_FABRIC_COUNTER_MULTICAST_RCV_PACKETS);
	bool all = capabilities2 & MAD_PM2_EXTENDED_ERRORS;
	uint32_t supported = BIT(MAD_FABRIC_COUNTER_UNICAST_XMIT_PACKETS) - 1;

	if (!(capabilities & MAD_PM_XMIT_WAIT) && !all)
		supported &= ~BIT(MAD_FABRIC_COUNTER_XMIT_WAIT);
	if (!(capabilities & MAD_PM_QP1_DROPPED))
		supported &= ~BIT(MAD_FABRIC_COUNTER_QP1_DROPPED);
	if (capabilities & MAD_PM_EXTENDED)
		supported |= ietf;
	if (extended_speed) {
		supported |= BIT(MAD_FABRIC_COUNTER_FEC_CORRECTED_SYMBOLS) -
			     BIT(MAD_FABRIC_COUNTER_SYNC_HEADER_ERRORS);
		if (capabilities & MAD_PM_RSFEC)
			supported |= BIT(MAD_FABRIC_COUNTER_FEC_CORRECTED_SYMBOLS);
	}
	return supported;
}

static uint64_t greatest(unsigned bits)
{
	return bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
}

static uint64_t read_lanes(void *data, enum MAD_FIELDS first, unsigned lanes)
{
	uint64_t sum = 0;

	for (unsigned lane = 0; lane < lanes; lane++)
		sum += mad_get_field(data, 0, (enum MAD_FIELDS)(first + lane));
	return sum;
}

static void store(struct mad_fabric_counter_row *row, uint64_t *values, unsigned counter,
		  uint64_t value, unsigned bits)
{
	values[counter] = value;
	row->wide &= ~BIT(counter);
	if (bits == 64)
		row->wide |= BIT(counter);
	row->present |= BIT(counter);
	row->saturated &= ~BIT(counter);
	if (bits < 64 && value >= greatest(bits))
		row->saturated |= BIT(counter);
}

/* PortCountersExtended has errors only where the agent says so, and traffic always. */
static bool has_extended(const struct mad_fabric_counter_row *row, unsigned counter)
{
	return counter > MAD_FABRIC_COUNTER_XMIT_WAIT ||
	       row->capabilities2 & MAD_PM2_EXTENDED_ERRORS;
}

static void take_one(struct mad_fabric_counter_row *row, uint64_t *values,
		     enum counters_attribute attribute, unsigned counter, void *data)
{
	const struct counter_fields *fields = &fabric_counter_fields[counter];
	enum MAD_FIELDS rsfec = rsfec_field(counter);

	switch (attribute) {
	case COUNTERS_BASIC:
		if (fields->basic)
			store(row, values, counter, mad_get_field(data, 0, fields->basic),
			      fields->info.bits);
		break;
	case COUNTERS_EXTENDED:
		if (fields->extended && has_extended(row, counter))
			store(row, values, counter, mad_get_field64(data, 0, fields->extended), 64);
		break;
	case COUNTERS_SPEEDS:
		if (fields->speeds)
			store(row, values, counter, read_lanes(data, fields->speeds, fields->lanes),
			      fields->lanes > 1 ? 64 : fields->info.bits);
		break;
	case COUNTERS_RSFEC:
		if (rsfec)
			store(row, values, counter, mad_get_field(data, 0, rsfec),
			      fields->info.bits);
		break;
	}
}

void fabric_take_counters(struct mad_fabric_counter_row *row, uint64_t values[FABRIC_COUNTERS],
			  enum counters_attribute attribute, void *data)
{
	uint32_t supported = fabric_supported_counters(row->capabilities, row->capabilities2, true);

	for (unsigned counter = 0; counter < FABRIC_COUNTERS; counter++)
		if (supported & BIT(counter))
			take_one(row, values, attribute, counter, data);
}

enum { BLOCK_VALUES = 8190 };

struct value_block {
	struct value_block *next;
	size_t used;
	uint64_t values[BLOCK_VALUES];
};

static uint64_t *reserve(struct mad_fabric_counters *counters, size_t count)
{
	struct value_block *block = counters->blocks;

	if (!block || BLOCK_VALUES - block->used < count) {
		block = malloc(sizeof(*block));
		if (!block)
			return NULL;
		block->next = counters->blocks;
		block->used = 0;
		counters->blocks = block;
	}
	block->used += count;
	return &block->values[block->used - count];
}

int fabric_keep_values(struct mad_fabric_counters *counters, struct mad_fabric_counter_row *row,
		       const uint64_t values[FABRIC_COUNTERS])
{
	uint32_t stored = 0;
	uint64_t *kept;

	for (unsigned i = 0; i < FABRIC_COUNTERS; i++)
		if (row->present & BIT(i) && values[i])
			stored |= BIT(i);
	kept = reserve(counters, fabric_count_counters(stored));
	if (!kept)
		return -ENOMEM;
	row->stored = stored;
	row->values = kept;
	for (unsigned i = 0; i < FABRIC_COUNTERS; i++)
		if (stored & BIT(i))
			*kept++ = values[i];
	return 0;
}

void mad_fabric_counters_free(struct mad_fabric_counters *counters)
{
	struct value_block *block, *next;

	if (!counters)
		return;
	for (block = counters->blocks; block; block = next) {
		next = block->next;
		free(block);
	}
	free(counters->rows);
	free(counters);
}

const struct mad_fabric_port *mad_fabric_row_port(const struct mad_fabric_counter_row *row)
{
	return row ? row->port : fabric_none(row);
}

int mad_fabric_row_error(const struct mad_fabric_counter_row *row)
{
	return row ? row->error : EINVAL;
}

int mad_fabric_row_speeds_error(const struct mad_fabric_counter_row *row)
{
	return row ? row->speeds_error : EINVAL;
}

int64_t mad_fabric_row_time_ns(const struct mad_fabric_counter_row *row)
{
	return row ? row->time_ns : 0;
}

/* Returns the flags, or -errno. */
static int read_value(const struct mad_fabric_counter_row *row, unsigned counter, uint64_t *value)
{
	if (!row || counter >= FABRIC_COUNTERS)
		return -EINVAL;
	if (!(row->present & BIT(counter)))
		return -ENODATA;
	*value = fabric_counter_value(row, counter);
	return (row->saturated & BIT(counter) ? MAD_FABRIC_VALUE_SATURATED : 0) |
	       (row->wrapped & BIT(counter) ? MAD_FABRIC_VALUE_WRAPPED : 0) |
	       (row->reset & BIT(counter) ? MAD_FABRIC_VALUE_RESET : 0);
}

int mad_fabric_row_value(const struct mad_fabric_counter_row *row, unsigned counter,
			 uint64_t *value)
{
	uint64_t unused;
	int flags = read_value(row, counter, value ? value : &unused);

	return flags < 0 ? fabric_zero_or_error(flags) : flags;
}

unsigned mad_fabric_row_bits(const struct mad_fabric_counter_row *row, unsigned counter)
{
	uint64_t unused;

	return read_value(row, counter, &unused) < 0 ? 0 : fabric_counter_bits(row, counter);
}

int mad_fabric_row_rate(const struct mad_fabric_counter_row *row, unsigned counter,
			double *per_second)
{
	uint64_t value;
	int flags = per_second ? read_value(row, counter, &value) : -EINVAL;

	if (flags >= 0 && row->time_ns <= 0)
		flags = -ENODATA;
	if (flags < 0)
		return fabric_zero_or_error(flags);
	*per_second = (double)value * fabric_counter_fields[counter].info.unit * 1e9 /
		      (double)row->time_ns;
	return flags;
}

uint64_t mad_fabric_row_errors(const struct mad_fabric_counter_row *row)
{
	uint64_t sum = 0;

	for (unsigned i = 0; row && i < FABRIC_COUNTERS; i++)
		if (fabric_counter_fields[i].info.is_error && row->present & BIT(i))
			sum += fabric_counter_value(row, i);
	return sum;
}
