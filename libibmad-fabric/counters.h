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

/* One of enum mad_fabric_counter in a set of them. */
#define COUNTER_BIT(counter) (UINT32_C(1) << (counter))
_Static_assert(FABRIC_COUNTERS <= 32, "sets of counters are words");

/* Of a large fabric there are many rows, and most counters are 0: those have no place in memory. */
struct mad_fabric_counter_row {
	const struct mad_fabric_port *port;
	int error;		/* errno: why not all of them are there; EADDRNOTAVAIL: no LID;
				 * ECANCELED: not asked, since the caller cancelled */
	int speeds_error;	/* errno: why PortExtendedSpeedsCounters, which is optional, was not
				 * read of a port with an extended speed; ECANCELED: not asked, since
				 * devices of its kind do not respond to it */
	uint32_t capabilities;	/* of its agent, MAD_PM_ */
	uint32_t capabilities2; /* of its agent, MAD_PM2_ */
	uint32_t present;	/* which counters were read: COUNTER_BIT() */
	uint32_t saturated;	/* which are at their greatest value, where they stop: at least so
				 * many */
	uint32_t wrapped;	/* a difference: which have passed their greatest value */
	uint32_t reset;		/* a difference: which were set to 0 in between: at least so many */
	uint32_t wide;		/* which have 64 bits; others have those of their kind */
	uint32_t stored;	/* which are not 0: their values are at values, in order */
	int64_t time_ns;	/* CLOCK_MONOTONIC when the first response came; a difference: the
				 * nanoseconds in between; 0: unknown */
	const uint64_t *values;
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
	struct mad_fabric_counter_row *rows;
	size_t number_of_rows;
	struct value_block *blocks; /* of values of rows; the one that has space first */
};

/* No builtin: the compiler would take it from its own library. */
static inline unsigned fabric_count_counters(uint32_t set)
{
	unsigned count = 0;

	for (; set; set &= set - 1)
		count++;
	return count;
}

static inline uint64_t fabric_counter_value(const struct mad_fabric_counter_row *row,
					    unsigned counter)
{
	if (!(row->stored & COUNTER_BIT(counter)))
		return 0;
	return row->values[fabric_count_counters(row->stored & (COUNTER_BIT(counter) - 1))];
}

static inline unsigned fabric_counter_bits(const struct mad_fabric_counter_row *row,
					   unsigned counter)
{
	return row->wide & COUNTER_BIT(counter) ? 64 : fabric_counter_fields[counter].info.bits;
}

/* counter_values.c: keeps the values of a row for as long as the counters. 0 or -ENOMEM. */
int fabric_keep_values(struct mad_fabric_counters *counters, struct mad_fabric_counter_row *row,
		       const uint64_t values[FABRIC_COUNTERS]);

/* Which counters a port has, a COUNTER_BIT() each: by the CapabilityMask and
 * CapabilityMask2 of its agent's ClassPortInfo, and by whether its link runs at an extended speed.
 */
uint32_t fabric_supported_counters(uint32_t capabilities, uint32_t capabilities2,
				   bool extended_speed);

enum counters_attribute { COUNTERS_BASIC, COUNTERS_EXTENDED, COUNTERS_SPEEDS, COUNTERS_RSFEC };

/*
 * counter_values.c: takes what an attribute of IB_PC_DATA_SZ bytes has of what a port supports into
 * values, and notes in the row which they are.
 */
void fabric_take_counters(struct mad_fabric_counter_row *row, uint64_t values[FABRIC_COUNTERS],
			  enum counters_attribute attribute, void *data);

#endif
