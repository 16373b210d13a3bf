/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* What the parts of counters share. */
#ifndef LIBIBMAD_FABRIC_COUNTERS_H
#define LIBIBMAD_FABRIC_COUNTERS_H

#include "libibmad/fabric/fabric.h"

/* Where a counter is in each attribute: 0 (IB_NO_FIELD) where an attribute does not have it. */
struct counter_fields {
	struct mad_fabric_counter_kind info;
	enum MAD_FIELDS basic;	  /* of PortCounters */
	enum MAD_FIELDS extended; /* of PortCountersExtended, 64 bits */
	enum MAD_FIELDS speeds;	  /* of PortExtendedSpeedsCounters */
	unsigned lanes;		  /* speeds is the first of so many fields, which are added up */
};

extern const struct counter_fields fabric_counter_fields[MAD_FABRIC_COUNTERS];

/* Counters of one reading, or differences of two: rows in the order of nodes and ports. */
struct mad_fabric_counters {
	struct mad_fabric_port_counters *rows;
	size_t number_of_rows;
};

enum counters_attribute { COUNTERS_BASIC, COUNTERS_EXTENDED, COUNTERS_SPEEDS, COUNTERS_RSFEC };

/* counter_values.c: stores what an attribute of IB_PC_DATA_SZ bytes has of what a port supports. */
void fabric_take_counters(struct mad_fabric_port_counters *row, enum counters_attribute attribute,
			  void *data);

#endif
