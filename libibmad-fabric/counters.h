/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* What the parts of counters share. */
#ifndef LIBIBMAD_FABRIC_COUNTERS_H
#define LIBIBMAD_FABRIC_COUNTERS_H

#include "libibmad-fabric/fabric.h"

enum { FABRIC_COUNTERS = MAD_FABRIC_COUNTER_FEC_CORRECTED_SYMBOLS + 1 };

/*
 * CapabilityMask of the performance management class (ClassPortInfo, 16.1.3.1), as IB_CPI_CAPMASK_F
 * reads it.
 */
#define MAD_PM_ALL_PORT_SELECT	0x0100U /* port 255 stands for all ports */
#define MAD_PM_EXTENDED		0x0200U /* PortCountersExtended */
#define MAD_PM_EXTENDED_NO_IETF 0x0400U /* the same without unicast and multicast packets */
#define MAD_PM_SAMPLES_ONLY	0x0800U
#define MAD_PM_XMIT_WAIT	0x1000U /* PortXmitWait of PortCounters */
#define MAD_PM_INHIBIT_LIMITED                                                               \
	0x2000U			   /* no PortRcvConstraintErrors of limited multicast P_Keys \
				    */
#define MAD_PM_RSFEC	   0x4000U /* PortExtendedSpeedsCounters has counters of RS-FEC */
#define MAD_PM_QP1_DROPPED 0x8000U /* QP1Dropped */
/* CapabilityMask2, as IB_CPI_CAPMASK2_F reads it. */
#define MAD_PM2_PM_KEY		0x1U
#define MAD_PM2_EXTENDED_ERRORS 0x2U /* PortCountersExtended has all counters of PortCounters */
#define MAD_PM2_VIRTUALIZATION	0x4U

#define FABRIC_BITS_UNKNOWN UINT8_MAX

struct mad_fabric_counter_row {
	const struct mad_fabric_port *port;
	int error;		/* errno: why not all of them are there; EADDRNOTAVAIL: no LID;
				 * ECANCELED: not asked, since the caller cancelled */
	int speeds_error;	/* errno: why PortExtendedSpeedsCounters, which is optional, was not
				 * read of a port with an extended speed; ECANCELED: not asked, since
				 * devices of its kind do not respond to it */
	uint32_t capabilities;	/* of its agent, MAD_PM_ */
	uint32_t capabilities2; /* of its agent, MAD_PM2_ */
	int64_t time_ns;	/* CLOCK_MONOTONIC when the first response came; a difference: the
				 * nanoseconds in between; 0: unknown */
	uint64_t values[FABRIC_COUNTERS];
	uint8_t bits[FABRIC_COUNTERS];	/* width of each counter that was read, or
					 * FABRIC_BITS_UNKNOWN; 0: of others */
	uint8_t flags[FABRIC_COUNTERS]; /* MAD_FABRIC_VALUE_ */
};

/* Where a counter is in each attribute: 0 (IB_NO_FIELD) where an attribute does not have it. */
struct counter_fields {
	struct mad_fabric_counter_kind info;
	enum MAD_FIELDS basic;	  /* of PortCounters */
	enum MAD_FIELDS extended; /* of PortCountersExtended, 64 bits */
	enum MAD_FIELDS speeds;	  /* of PortExtendedSpeedsCounters */
	unsigned lanes;		  /* speeds is the first of so many fields, which are added up */
};

extern const struct counter_fields fabric_counter_fields[FABRIC_COUNTERS];

/* Counters of one reading, or differences of two: rows in the order of nodes and ports. */
struct mad_fabric_counters {
	const struct mad_fabric *fabric;
	struct mad_fabric_counter_row *rows;
	size_t number_of_rows;
};

/* subtract.c: counters with space for so many rows; NULL: out of memory. */
struct mad_fabric_counters *fabric_create_counters(const struct mad_fabric *fabric, size_t rows);
/* The row of a port of the fabric of the counters, or of NULL; NULL: none. */
const struct mad_fabric_counter_row *fabric_find_row(const struct mad_fabric_counters *counters,
						     const struct mad_fabric_port *port);

/* Whether a port has a counter, by the ClassPortInfo of its agent. */
bool fabric_has_counter(const struct mad_fabric_counter_row *row, unsigned counter);

/*
 * Whether PortCounters show that a counter may be above its threshold, or cannot say: one that is
 * at its greatest value, or is in PortCountersExtended only.
 */
bool fabric_may_exceed(const struct mad_fabric_counter_row *row,
		       const struct mad_fabric_options *options);

enum counters_attribute { COUNTERS_BASIC, COUNTERS_EXTENDED, COUNTERS_SPEEDS, COUNTERS_RSFEC };

/* counter_values.c: takes what an attribute of IB_PC_DATA_SZ bytes has of what a port supports. */
void fabric_take_counters(struct mad_fabric_counter_row *row, enum counters_attribute attribute,
			  void *data);

#endif
