/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Counters of all ports of a fabric, and by how much they rose: mad_fabric_counters_read(3). A
 * result is as <infiniband/mad_fabric.h> says: plain data that does not change any more. */
#ifndef INFINIBAND_MAD_FABRIC_COUNTERS_H
#define INFINIBAND_MAD_FABRIC_COUNTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <infiniband/mad_fabric.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The counters of the ports of a fabric. */
struct mad_fabric_counters;

/* Counters of a port, by their number: a later release may have more of them. */
enum mad_fabric_counter {
	MAD_FABRIC_COUNTER_SYMBOL_ERRORS,
	MAD_FABRIC_COUNTER_LINK_RECOVERS,
	MAD_FABRIC_COUNTER_LINK_DOWNED,
	MAD_FABRIC_COUNTER_RCV_ERRORS,
	MAD_FABRIC_COUNTER_RCV_REMOTE_PHYSICAL_ERRORS,
	MAD_FABRIC_COUNTER_RCV_SWITCH_RELAY_ERRORS,
	MAD_FABRIC_COUNTER_XMIT_DISCARDS,
	MAD_FABRIC_COUNTER_XMIT_CONSTRAINT_ERRORS,
	MAD_FABRIC_COUNTER_RCV_CONSTRAINT_ERRORS,
	MAD_FABRIC_COUNTER_LOCAL_LINK_INTEGRITY_ERRORS,
	MAD_FABRIC_COUNTER_EXCESSIVE_BUFFER_OVERRUNS,
	MAD_FABRIC_COUNTER_VL15_DROPPED,
	MAD_FABRIC_COUNTER_QP1_DROPPED,
	MAD_FABRIC_COUNTER_XMIT_WAIT, /* ticks with data to send and no credits */
	MAD_FABRIC_COUNTER_XMIT_DATA, /* 4 bytes each */
	MAD_FABRIC_COUNTER_RCV_DATA,  /* 4 bytes each */
	MAD_FABRIC_COUNTER_XMIT_PACKETS,
	MAD_FABRIC_COUNTER_RCV_PACKETS,
	MAD_FABRIC_COUNTER_UNICAST_XMIT_PACKETS,
	MAD_FABRIC_COUNTER_UNICAST_RCV_PACKETS,
	MAD_FABRIC_COUNTER_MULTICAST_XMIT_PACKETS,
	MAD_FABRIC_COUNTER_MULTICAST_RCV_PACKETS,
	MAD_FABRIC_COUNTER_SYNC_HEADER_ERRORS, /* this and the following: PortExtendedSpeedsCounters
						*/
	MAD_FABRIC_COUNTER_UNKNOWN_BLOCKS,
	MAD_FABRIC_COUNTER_FEC_CORRECTABLE_BLOCKS,
	MAD_FABRIC_COUNTER_FEC_UNCORRECTABLE_BLOCKS,
	MAD_FABRIC_COUNTER_FEC_CORRECTED_SYMBOLS,
};

/* A kind of counter. */
struct mad_fabric_counter_kind {
	const char *name; /* "SymbolErrorCounter": as mad_field_name(), without the Ext prefix */
	uint32_t unit;	  /* bytes, packets... for each count: 4 or 1 */
	uint8_t bits;	  /* width in PortCounters or PortExtendedSpeedsCounters; 0: not there */
	bool is_error;	  /* counts something wrong; not: traffic, waits, corrected blocks */
};

/* How many counters this library knows: their numbers are below that. */
unsigned mad_fabric_counter_count(void);

/* The kind of a counter (enum mad_fabric_counter); NULL with EINVAL for a number that no counter
 * has. */
const struct mad_fabric_counter_kind *mad_fabric_counter_get_kind(unsigned counter);

/* The counters of a port, or by how much they rose between two readings. */
struct mad_fabric_counter_row;

/* mad_fabric_counters_read() for callers without a C compiler, with the size of the structure. */
struct mad_fabric_counters *mad_fabric_counters_read_sized(struct ibmad_port *port,
							   const struct mad_fabric *fabric,
							   const struct mad_fabric_options *options,
							   size_t size);

/* Reads the counters of all ports of a fabric, or of those that options (or NULL) select, by LID,
 * from an open port with class IB_PERFORMANCE_CLASS (of a pair: pair->gsi.port). The fabric must
 * outlive the result. Returns the counters, for mad_fabric_counters_free(), each row with its own
 * error; NULL with EINVAL (arguments, or the class is not registered), E2BIG or ENOMEM. */
static inline struct mad_fabric_counters *mad_fabric_counters_read(
	struct ibmad_port *port, const struct mad_fabric *fabric,
	const struct mad_fabric_options *options)
{
	return mad_fabric_counters_read_sized(port, fabric, options, sizeof(*options));
}

/* By how much counters rose between an older and a newer reading, which may be of two discoveries;
 * only newer and its fabric must outlive the result. Ports that only one of them has are left out.
 * Returns the differences, to be freed with mad_fabric_counters_free(); NULL with EINVAL or
 * ENOMEM. */
struct mad_fabric_counters *mad_fabric_counters_subtract(const struct mad_fabric_counters *older,
							 const struct mad_fabric_counters *newer);

/* A counter of a port, for mad_fabric_counters_build(). */
struct mad_fabric_counter_value {
	const struct mad_fabric_port *port; /* of the fabric */
	uint64_t value;
	uint32_t counter; /* enum mad_fabric_counter */
	uint32_t bits;	  /* width of the counter, up to 64; 0: not known */
};

/* mad_fabric_counters_build() for callers without a C compiler, with the size of a value. */
struct mad_fabric_counters *mad_fabric_counters_build_sized(
	const struct mad_fabric *fabric, const struct mad_fabric_counter_value *values,
	size_t count, size_t value_size);

/* Builds counters of a fabric, which must outlive them, from count values in any order; all is
 * copied, and their time is not known. Returns the counters, to be freed with
 * mad_fabric_counters_free(); NULL with ENOMEM, E2BIG or EINVAL, also for a port of another fabric,
 * a number that no counter has, and a value wider than its bits. */
static inline struct mad_fabric_counters *mad_fabric_counters_build(
	const struct mad_fabric *fabric, const struct mad_fabric_counter_value *values,
	size_t count)
{
	return mad_fabric_counters_build_sized(fabric, values, count, sizeof(*values));
}

/* Merges a reading into what is known of the counters (either may be NULL), for a fabric of
 * mad_fabric_merge(), which must outlive the result: counters that were not read stay as they were,
 * with their time, beside the error. Returns the counters, to be freed with
 * mad_fabric_counters_free(); NULL with EINVAL or ENOMEM. */
struct mad_fabric_counters *mad_fabric_counters_merge(const struct mad_fabric *fabric,
						      const struct mad_fabric_counters *known,
						      const struct mad_fabric_counters *read);

/* Frees counters. NULL is ignored. */
void mad_fabric_counters_free(struct mad_fabric_counters *counters);

/* The row after a row, NULL: the first; NULL after the last. In the order of nodes and ports. */
const struct mad_fabric_counter_row *mad_fabric_counters_next(
	const struct mad_fabric_counters *counters, const struct mad_fabric_counter_row *after);

/* The row of a port of the node with this GUID; NULL: not read. */
const struct mad_fabric_counter_row *mad_fabric_counters_find(
	const struct mad_fabric_counters *counters, uint64_t guid, unsigned port_number);

/* The port of a row; NULL with EINVAL for NULL. */
const struct mad_fabric_port *mad_fabric_row_port(const struct mad_fabric_counter_row *row);

/* Why not all counters are there: 0, or an errno; EADDRNOTAVAIL: no LID; ESTALE: another port has
 * the LID by now (MAD_FABRIC_CHECK_OWNERS); ECANCELED: not asked, since the caller cancelled;
 * EINVAL for NULL. */
int mad_fabric_row_error(const struct mad_fabric_counter_row *row);

/* Why PortExtendedSpeedsCounters, which is optional, was not read of a port with an extended speed:
 * 0, or an errno; ECANCELED: not asked, since devices of its kind do not respond to it. */
int mad_fabric_row_speeds_error(const struct mad_fabric_counter_row *row);

/* CLOCK_MONOTONIC in nanoseconds when the first response came; of a difference, the nanoseconds in
 * between; 0: unknown. */
int64_t mad_fabric_row_time_ns(const struct mad_fabric_counter_row *row);

/* Flags of a counter's value. */
enum mad_fabric_value_flag {
	MAD_FABRIC_VALUE_SATURATED = 1 << 0, /* at its greatest value: at least so many */
	MAD_FABRIC_VALUE_WRAPPED = 1 << 1,   /* a difference: it has passed its greatest value */
	MAD_FABRIC_VALUE_RESET = 1 << 2,     /* a difference: it was set to 0: at least so many */
};

/* Writes the value of a counter to *value (or NULL). Returns its flags, MAD_FABRIC_VALUE_...; -1
 * with ENODATA where it was not read or the port does not have it, or EINVAL (NULL, or a number
 * that no counter has). */
int mad_fabric_row_value(const struct mad_fabric_counter_row *row, unsigned counter,
			 uint64_t *value);

/* The width in bits of the counter that was read: 4 to 64; 0: it was not read, or is of a built row
 * without. */
unsigned mad_fabric_row_bits(const struct mad_fabric_counter_row *row, unsigned counter);

/* Of a difference: writes how often a second (bytes, packets, events) to *per_second. Returns as
 * mad_fabric_row_value(); ENODATA also where the time is not known. */
int mad_fabric_row_rate(const struct mad_fabric_counter_row *row, unsigned counter,
			double *per_second);

/* The sum of the error counters of a row; 0 for NULL. */
uint64_t mad_fabric_row_errors(const struct mad_fabric_counter_row *row);

#ifdef __cplusplus
}
#endif

#endif
