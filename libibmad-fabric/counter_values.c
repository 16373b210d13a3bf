/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* counter_values.c - which counters there are, which a port supports, and where they are. */
#include <stdlib.h>

#include "libibmad-fabric/counters.h"

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

bool fabric_has_counter(const struct mad_fabric_counter_row *row, unsigned counter)
{
	switch (counter) {
	case MAD_FABRIC_COUNTER_XMIT_WAIT:
		return row->capabilities & MAD_PM_XMIT_WAIT ||
		       row->capabilities2 & MAD_PM2_EXTENDED_ERRORS;
	case MAD_FABRIC_COUNTER_QP1_DROPPED:
		return row->capabilities & MAD_PM_QP1_DROPPED;
	case MAD_FABRIC_COUNTER_UNICAST_XMIT_PACKETS:
	case MAD_FABRIC_COUNTER_UNICAST_RCV_PACKETS:
	case MAD_FABRIC_COUNTER_MULTICAST_XMIT_PACKETS:
	case MAD_FABRIC_COUNTER_MULTICAST_RCV_PACKETS:
		return row->capabilities & MAD_PM_EXTENDED;
	case MAD_FABRIC_COUNTER_FEC_CORRECTED_SYMBOLS:
		return row->capabilities & MAD_PM_RSFEC;
	default:
		return true;
	}
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

static void store(struct mad_fabric_counter_row *row, unsigned counter, uint64_t value,
		  unsigned bits)
{
	row->values[counter] = value;
	row->bits[counter] = (uint8_t)bits;
	row->flags[counter] = bits < 64 && value >= greatest(bits) ? MAD_FABRIC_VALUE_SATURATED : 0;
}

/* PortCountersExtended has errors only where the agent says so, and traffic always. */
static bool has_extended(const struct mad_fabric_counter_row *row, unsigned counter)
{
	return counter > MAD_FABRIC_COUNTER_XMIT_WAIT ||
	       row->capabilities2 & MAD_PM2_EXTENDED_ERRORS;
}

static void take_one(struct mad_fabric_counter_row *row, enum counters_attribute attribute,
		     unsigned counter, void *data)
{
	const struct counter_fields *fields = &fabric_counter_fields[counter];
	enum MAD_FIELDS rsfec = rsfec_field(counter);

	switch (attribute) {
	case COUNTERS_BASIC:
		if (fields->basic)
			store(row, counter, mad_get_field(data, 0, fields->basic),
			      fields->info.bits);
		break;
	case COUNTERS_EXTENDED:
		if (fields->extended && has_extended(row, counter))
			store(row, counter, mad_get_field64(data, 0, fields->extended), 64);
		break;
	case COUNTERS_SPEEDS:
		if (fields->speeds)
			store(row, counter, read_lanes(data, fields->speeds, fields->lanes),
			      fields->lanes > 1 ? 64 : fields->info.bits);
		break;
	case COUNTERS_RSFEC:
		if (rsfec)
			store(row, counter, mad_get_field(data, 0, rsfec), fields->info.bits);
		break;
	}
}

void fabric_take_counters(struct mad_fabric_counter_row *row, enum counters_attribute attribute,
			  void *data)
{
	for (unsigned counter = 0; counter < FABRIC_COUNTERS; counter++)
		if (fabric_has_counter(row, counter))
			take_one(row, attribute, counter, data);
}

bool fabric_may_exceed(const struct mad_fabric_counter_row *row,
		       const struct mad_fabric_options *options)
{
	for (unsigned i = 0; i < FABRIC_COUNTERS && i < options->threshold_count; i++) {
		const struct counter_fields *fields = &fabric_counter_fields[i];
		uint64_t most = options->thresholds[i];

		if (most == UINT64_MAX || (!fields->basic && !fields->extended) ||
		    !fabric_has_counter(row, i))
			continue;
		if (!fields->basic || row->flags[i] || row->values[i] > most)
			return true;
	}
	return false;
}

void mad_fabric_counters_free(struct mad_fabric_counters *counters)
{
	if (counters)
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
		return mad_refuse(MAD_REFUSED_COUNTER);
	if (!row->bits[counter])
		return mad_refuse(MAD_REFUSED_NO_COUNTER);
	*value = row->values[counter];
	return row->flags[counter];
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
	bool is_known =
		row && counter < FABRIC_COUNTERS && row->bits[counter] != FABRIC_BITS_UNKNOWN;

	return is_known ? row->bits[counter] : 0;
}

int mad_fabric_row_rate(const struct mad_fabric_counter_row *row, unsigned counter,
			double *per_second)
{
	uint64_t value = 0;
	int flags =
		per_second ? read_value(row, counter, &value) : mad_refuse(MAD_REFUSED_STRUCTURE);

	if (flags >= 0 && row->time_ns <= 0)
		flags = mad_refuse(MAD_REFUSED_NO_COUNTER);
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
		if (fabric_counter_fields[i].info.is_error)
			sum += row->values[i];
	return sum;
}
