/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * fabric.h - the fabric in which requests are made: two umad devices, a clock that moves only when
 * the library waits, and an immediate response to each request, from a row of the table of requests
 * or a fixed one: a pattern as data, a PortInfo that names an SM, an SA record, or a table of more
 * than one MAD.
 */
#ifndef TESTS_FAULTS_FABRIC_H
#define TESTS_FAULTS_FABRIC_H

#include "engine.h"

#include <infiniband/mad.h>
#include <infiniband/umad.h>

#include "script.h"

enum {
	FABRIC_TIMEOUT_MS = 100, /* an attempt */
	FABRIC_CLASSES = 8,
	FABRIC_VENDOR1 = 0x0a,
	FABRIC_VENDOR2 = 0x32,
	FABRIC_OUI = 0x001405,
};

/* Scenes: no open port; run->state is a struct ibmad_port, open on mlx5_0 for the classes below;
 * the default port. */
extern const struct fault_scene fabric_bare, fabric_port, fabric_default;
extern int fabric_classes[FABRIC_CLASSES];

#define PORT ((struct ibmad_port *)run->state)

/* Whether the case calls a function without a port argument. */
#define IS_DEFAULT (run->test->scene == &fabric_default)

/* Rules: exhausted memory for a received MAD may be temporary, so the read is repeated until the
 * request times out. */
#define MEMORY_RULES(...)                                                                       \
	{                                                                                       \
		FAULT_BIT(READ) | FAULT_BIT(POLL) | FAULT_BIT(ALLOCATE), ENOMEM, FAULT_REPORTS, \
		{                                                                               \
			ENOMEM, __VA_ARGS__                                                     \
		}                                                                               \
	}

/* The requests that follow get the responses of a row, from the first; NULL: the fixed ones. */
void fabric_follow(const struct request_script *script);

/* Delivers a request (PerfMgt, Get) to the port; a report of the SA; discards everything that was
 * not read. */
void fabric_ask_us(void);
void fabric_report_to_us(void);
void fabric_drop_all(struct ibmad_port *port);

#endif
