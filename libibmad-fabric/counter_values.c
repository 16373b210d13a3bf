/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* counter_values.c - which counters exist, which of them a port has, and where they are. */
#include <stdlib.h>

#include "libibmad-fabric/counters.h"

/* A counter of PortCounters and PortCountersExtended, one of PortCountersExtended alone, and one of
 * PortExtendedSpeedsCounters. */
#define COUNTER(counter_, name_, unit_, bits_, is_error_, field_, needs_) \
	[MAD_FABRIC_COUNTER_##counter_] = {                               \
		.info = { (name_), (unit_), (bits_), (is_error_) },       \
		.basic = IB_PC_##field_##_F,                              \
		.extended = IB_PC_EXT_##field_##_F,                       \
		.needs = (needs_),                                        \
	}
#define ERROR(counter_, name_, bits_, field_) COUNTER(counter_, name_, 1, bits_, true, field_, 0)
#define TRAFFIC(counter_, name_, unit_, field_) \
	COUNTER(counter_, name_, unit_, 32, false, field_, 0)
#define EXTENDED(counter_, name_, field_)                                       \
	[MAD_FABRIC_COUNTER_##counter_] = { .info = { (name_), 1, 0, false },   \
					    .extended = IB_PC_EXT_##field_##_F, \
					    .needs = MAD_PM_EXTENDED }
#define SPEEDS(counter_, name_, bits_, is_error_, speeds_, lanes_, rsfec_, needs_)        \
	[MAD_FABRIC_COUNTER_##counter_] = { .info = { (name_), 1, (bits_), (is_error_) }, \
					    .speeds = (speeds_),                          \
					    .lanes = (lanes_),                            \
					    .rsfec = (rsfec_),                            \
					    .needs = (needs_) }

#define LANES 12

/* clang-format off */
const struct counter_fields fabric_counter_fields[FABRIC_COUNTERS] = {
	ERROR(SYMBOL_ERRORS, "SymbolErrorCounter", 16, ERR_SYM),
	ERROR(LINK_RECOVERS, "LinkErrorRecoveryCounter", 8, LINK_RECOVERS),
	ERROR(LINK_DOWNED, "LinkDownedCounter", 8, LINK_DOWNED),
	ERROR(RCV_ERRORS, "PortRcvErrors", 16, ERR_RCV),
	ERROR(RCV_REMOTE_PHYSICAL_ERRORS, "PortRcvRemotePhysicalErrors", 16, ERR_PHYSRCV),
	ERROR(RCV_SWITCH_RELAY_ERRORS, "PortRcvSwitchRelayErrors", 16, ERR_SWITCH_REL),
	ERROR(XMIT_DISCARDS, "PortXmitDiscards", 16, XMT_DISCARDS),
	ERROR(XMIT_CONSTRAINT_ERRORS, "PortXmitConstraintErrors", 8, ERR_XMTCONSTR),
	ERROR(RCV_CONSTRAINT_ERRORS, "PortRcvConstraintErrors", 8, ERR_RCVCONSTR),
	ERROR(LOCAL_LINK_INTEGRITY_ERRORS, "LocalLinkIntegrityErrors", 4, ERR_LOCALINTEG),
	ERROR(EXCESSIVE_BUFFER_OVERRUNS, "ExcessiveBufferOverrunErrors", 4, ERR_EXCESS_OVR),
	ERROR(VL15_DROPPED, "VL15Dropped", 16, VL15_DROPPED),
	COUNTER(QP1_DROPPED, "QP1Dropped", 1, 16, true, QP1_DROP, MAD_PM_QP1_DROPPED),
	COUNTER(XMIT_WAIT, "PortXmitWait", 1, 32, false, XMT_WAIT,
		MAD_PM_XMIT_WAIT | MAD_PM_EXTENDED_ERRORS),
	TRAFFIC(XMIT_DATA, "PortXmitData", 4, XMT_BYTES),
	TRAFFIC(RCV_DATA, "PortRcvData", 4, RCV_BYTES),
	TRAFFIC(XMIT_PACKETS, "PortXmitPkts", 1, XMT_PKTS),
	TRAFFIC(RCV_PACKETS, "PortRcvPkts", 1, RCV_PKTS),
	EXTENDED(UNICAST_XMIT_PACKETS, "PortUnicastXmitPkts", XMT_UPKTS),
	EXTENDED(UNICAST_RCV_PACKETS, "PortUnicastRcvPkts", RCV_UPKTS),
	EXTENDED(MULTICAST_XMIT_PACKETS, "PortMulticastXmitPkts", XMT_MPKTS),
	EXTENDED(MULTICAST_RCV_PACKETS, "PortMulticastRcvPkts", RCV_MPKTS),
	SPEEDS(SYNC_HEADER_ERRORS, "SyncHeaderErrorCounter", 16, true,
	       IB_PESC_SYNC_HDR_ERR_CTR_F, 1, IB_PESC_RSFEC_SYNC_HDR_ERR_CTR_F, 0),
	SPEEDS(UNKNOWN_BLOCKS, "UnknownBlockCounter", 16, true,
	       IB_PESC_UNK_BLOCK_CTR_F, 1, IB_PESC_RSFEC_UNK_BLOCK_CTR_F, 0),
	SPEEDS(FEC_CORRECTABLE_BLOCKS, "FECCorrectableBlockCounter", 32, false,
	       IB_PESC_FEC_CORR_BLOCK_CTR_LANE0_F, LANES, IB_PESC_PORT_FEC_CORR_BLOCK_CTR_F, 0),
	SPEEDS(FEC_UNCORRECTABLE_BLOCKS, "FECUncorrectableBlockCounter", 32, true,
	       IB_PESC_FEC_UNCORR_BLOCK_CTR_LANE0_F, LANES, IB_PESC_PORT_FEC_UNCORR_BLOCK_CTR_F, 0),
	SPEEDS(FEC_CORRECTED_SYMBOLS, "FECCorrectedSymbolCounter", 32, false,
	       IB_NO_FIELD, 0, IB_PESC_PORT_FEC_CORR_SYMBOL_CTR_F, MAD_PM_RSFEC),
};
/* clang-format on */

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
	uint64_t needs = fabric_counter_fields[counter].needs;

	return !needs || row->capabilities & needs;
}

static void store(struct mad_fabric_counter_row *row, unsigned counter, uint64_t value,
		  unsigned bits)
{
	row->values[counter] = value;
	row->bits[counter] = (uint8_t)bits;
	row->flags[counter] =
		bits < 64 && value >= (UINT64_C(1) << bits) - 1 ? MAD_FABRIC_VALUE_SATURATED : 0;
}

static void take_lanes(struct mad_fabric_counter_row *row, unsigned counter, void *data)
{
	const struct counter_fields *fields = &fabric_counter_fields[counter];
	uint64_t sum = 0;

	for (unsigned lane = 0; lane < fields->lanes; lane++)
		sum += mad_get_field(data, 0, (enum MAD_FIELDS)(fields->speeds + lane));
	if (fields->speeds)
		store(row, counter, sum, fields->lanes > 1 ? 64 : fields->info.bits);
}

/* PortCountersExtended always has traffic, and errors where the agent says so. */
static void take_extended(struct mad_fabric_counter_row *row, unsigned counter, void *data)
{
	enum MAD_FIELDS field = fabric_counter_fields[counter].extended;

	if (field &&
	    (counter > MAD_FABRIC_COUNTER_XMIT_WAIT || row->capabilities & MAD_PM_EXTENDED_ERRORS))
		store(row, counter, mad_get_field64(data, 0, field), 64);
}

static void take_field(struct mad_fabric_counter_row *row, unsigned counter, void *data,
		       enum MAD_FIELDS field)
{
	if (field)
		store(row, counter, mad_get_field(data, 0, field),
		      fabric_counter_fields[counter].info.bits);
}

void fabric_take_counters(struct mad_fabric_counter_row *row, enum counters_attribute attribute,
			  void *data)
{
	for (unsigned i = 0; i < FABRIC_COUNTERS; i++) {
		if (!fabric_has_counter(row, i))
			continue;
		if (attribute == COUNTERS_EXTENDED)
			take_extended(row, i, data);
		else if (attribute == COUNTERS_SPEEDS)
			take_lanes(row, i, data);
		else
			take_field(row, i, data,
				   attribute == COUNTERS_BASIC ? fabric_counter_fields[i].basic
							       : fabric_counter_fields[i].rsfec);
	}
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

struct mad_fabric_counters *fabric_create_counters(const struct mad_fabric *fabric)
{
	struct mad_fabric_counters *counters =
		calloc(1, sizeof(*counters) +
				  fabric->number_of_ports * sizeof(struct mad_fabric_counter_row));

	if (counters)
		counters->fabric = fabric;
	return counters;
}

struct mad_fabric_counters *fabric_trim_counters(struct mad_fabric_counters *counters)
{
	struct mad_fabric_counters *trimmed = realloc(
		counters, sizeof(*counters) + counters->number_of_rows * sizeof(counters->rows[0]));

	return trimmed ? trimmed : counters;
}

void mad_fabric_counters_free(struct mad_fabric_counters *counters)
{
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
	*value = row->values[counter];
	return row->bits[counter] ? row->flags[counter] : -ENODATA;
}

int mad_fabric_row_value(const struct mad_fabric_counter_row *row, unsigned counter,
			 uint64_t *value)
{
	uint64_t read = 0;
	int flags = read_value(row, counter, &read);

	if (flags < 0)
		return fabric_fail(flags);
	if (value)
		*value = read;
	return flags;
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
		flags = -ENODATA;
	if (flags < 0)
		return fabric_fail(flags);
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
