/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * fabric.h - the fabric on which requests are made: the two ports of the responder, which responds
 * at once. The response to every SMP and GMP has a pattern as its data; PortInfo names an SM, SA
 * queries get a record or a table of more than one MAD.
 */
#ifndef TESTS_FAULTS_FABRIC_H
#define TESTS_FAULTS_FABRIC_H

#include "engine.h"

#include <infiniband/mad.h>
#include <infiniband/umad.h>

enum {
	FABRIC_TIMEOUT_MS = 100, /* an attempt */
	FABRIC_CLASSES = 8,
	FABRIC_RECORDS = 20, /* in a table */
	FABRIC_RECORD_SIZE = 176,
	FABRIC_VENDOR1 = 0x0a,
	FABRIC_VENDOR2 = 0x32,
	FABRIC_OUI = 0x001405,
};

/* Nothing is open. */
extern const struct fault_scene fabric_bare;

/* run->state is a struct ibmad_port, open on mlx5_0 for the classes below. */
extern const struct fault_scene fabric_port;

/* The same port is the default one. */
extern const struct fault_scene fabric_default;

extern int fabric_classes[FABRIC_CLASSES];

/* Has a request (PerfMgt, Get) come to the port, of 256 bytes; throws away what has not been read.
 */
void fabric_ask_us(void);
/* A report of the SA comes in. */
void fabric_report_to_us(void);
void fabric_drop_all(struct ibmad_port *port);

#endif
