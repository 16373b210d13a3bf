/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Counters, for the files that read, build and compare them. */
#ifndef LIBIBMAD_FABRIC_COUNTERS_H
#define LIBIBMAD_FABRIC_COUNTERS_H

#include "libibmad-fabric/fabric.h"

enum { FABRIC_COUNTERS = MAD_FABRIC_COUNTER_FEC_CORRECTED_SYMBOLS + 1 };

/*
 * ClassPortInfo of performance management (16.1.3.1): CapabilityMask as IB_CPI_CAPMASK_F reads it,
 * and CapabilityMask2 above it.
 */
#define MAD_PM_ALL_PORT_SELECT	UINT64_C(0x0100) /* port 255 stands for all ports */
#define MAD_PM_EXTENDED		UINT64_C(0x0200) /* PortCountersExtended */
#define MAD_PM_EXTENDED_NO_IETF UINT64_C(0x0400) /* without unicast and multicast packets */
#define MAD_PM_XMIT_WAIT	UINT64_C(0x1000) /* PortXmitWait of PortCounters */
#define MAD_PM_RSFEC		UINT64_C(0x4000) /* PortExtendedSpeedsCounters counts for RS-FEC */
#define MAD_PM_QP1_DROPPED	UINT64_C(0x8000)
#define MAD_PM_MASK2_SHIFT	32
/* PortCountersExtended has all counters of PortCounters */
#define MAD_PM_EXTENDED_ERRORS (UINT64_C(0x2) << MAD_PM_MASK2_SHIFT)

#define FABRIC_BITS_UNKNOWN UINT8_MAX

struct mad_fabric_counter_row {
	const struct mad_fabric_port *port;
	int error;	       /* as mad_fabric_row_error() */
	int speeds_error;      /* as mad_fabric_row_speeds_error() */
	uint64_t capabilities; /* of the port's agent, MAD_PM_ */
	int64_t time_ns;       /* as mad_fabric_row_time_ns() */
	uint64_t values[FABRIC_COUNTERS];
	uint8_t bits[FABRIC_COUNTERS];	/* width of each counter that was read, or
					 * FABRIC_BITS_UNKNOWN; 0: of others */
	uint8_t flags[FABRIC_COUNTERS]; /* MAD_FABRIC_VALUE_ */
};

/* A counter's field in each attribute: 0 (IB_NO_FIELD) where the attribute does not have it. */
struct counter_fields {
	struct mad_fabric_counter_kind info;
	enum MAD_FIELDS basic;	  /* of PortCounters */
	enum MAD_FIELDS extended; /* of PortCountersExtended, 64 bits */
	enum MAD_FIELDS speeds;	  /* of PortExtendedSpeedsCounters: the first of the lanes */
	enum MAD_FIELDS rsfec;	  /* of PortExtendedSpeedsCounters with RS-FEC */
	unsigned lanes;		  /* fields from speeds on, which are added up */
	uint64_t needs;		  /* the agent has one of these capabilities; 0: any agent */
};

extern const struct counter_fields fabric_counter_fields[FABRIC_COUNTERS];

/* Counters of one reading, or differences of two: rows in the order of nodes and ports. */
struct mad_fabric_counters {
	const struct mad_fabric *fabric;
	size_t number_of_rows;
	struct mad_fabric_counter_row rows[];
};

enum counters_attribute { COUNTERS_BASIC, COUNTERS_EXTENDED, COUNTERS_SPEEDS, COUNTERS_RSFEC };

/* counter_values.c: counters with space for a row of each port; NULL: out of memory. */
struct mad_fabric_counters *fabric_create_counters(const struct mad_fabric *fabric);
/* Frees the space that no row has taken, and returns the counters, whose rows may have moved. */
struct mad_fabric_counters *fabric_trim_counters(struct mad_fabric_counters *counters);
/* Takes from an attribute of IB_PC_DATA_SZ bytes the counters that the agent supports. */
void fabric_take_counters(struct mad_fabric_counter_row *row, enum counters_attribute attribute,
			  void *data);
/* Whether a port has a counter, by the ClassPortInfo of its agent. */
bool fabric_has_counter(const struct mad_fabric_counter_row *row, unsigned counter);
/*
 * Whether PortCounters show that a counter may be above its threshold, or cannot say: a counter at
 * its greatest value, or in PortCountersExtended only.
 */
bool fabric_may_exceed(const struct mad_fabric_counter_row *row,
		       const struct mad_fabric_options *options);

#endif
