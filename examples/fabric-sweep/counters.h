/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* The port counters of a fabric: counters.c reads them, csv.c writes them. */
#ifndef FABRIC_SWEEP_COUNTERS_H
#define FABRIC_SWEEP_COUNTERS_H

#include <stdio.h>

#include "run.h"

/*
 * A column: a counter of PortCounters (field), of PortCountersExtended with 64 bits (extended), or
 * of both. 0 (IB_NO_FIELD) if an attribute has no such counter; needs is the capability that the
 * agent needs for the counter.
 */
struct counter {
	enum MAD_FIELDS field;
	enum MAD_FIELDS extended;
	unsigned needs; /* bits of ClassPortInfo's CapabilityMask, any of them; 0: nothing */
};

#define COUNTERS 21
extern const struct counter counter_columns[COUNTERS];

#define CAPABLE_OF_EXTENDED	   0x0200
#define CAPABLE_OF_EXTENDED_NOIETF 0x0400 /* but without the unicast and multicast counters */
#define CAPABLE_OF_XMIT_WAIT	   0x1000

enum counters_stage {
	COUNTERS_NOT_ASKED,
	COUNTERS_READ,
	COUNTERS_FAILED,
	COUNTERS_NONE, /* port 0 of most switches */
};

/* The counters of one port. */
struct counters_row {
	const struct fabric_port *port;
	uint64_t values[COUNTERS];
	uint32_t present; /* a bit for each of values */
	bool has_extended;
	uint8_t stage; /* enum counters_stage */
	int error;     /* errno */
};

/*
 * The agent that has the counters of some ports: for a switch that of all its ports, for any other
 * port its own. It gets one request at a time; requests to other agents are sent meanwhile.
 */
struct counters_agent {
	struct run *run;
	struct fabric *fabric;
	struct counters_row *rows;
	unsigned number_of_rows;
	unsigned next; /* the row of the current request */
	unsigned capabilities;
	uint16_t lid;
};

struct counters {
	struct counters_row *rows; /* in the order of nodes and ports */
	size_t number_of_rows;
	struct counters_agent *agents;
	size_t number_of_agents;
};

#endif
