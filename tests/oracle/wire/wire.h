/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * How the files of wire-client show results. Each case, a TEST(), runs in a process of its own on
 * the fake kernel, so that pairs of libraries that do the same have the same output.
 */
#ifndef WIRE_WIRE_H
#define WIRE_WIRE_H

#include "fakekernel.h"
#include "test-list.h"

#include <infiniband/mad.h>
#include <infiniband/umad.h>

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A port open for all classes known, or the end of the process; agents are in this order. */
struct ibmad_port *wire_port(void);

/* Prints what a call returned, and errno where it failed, which is 0 for the next call. */
void show_int(const char *call, long result);
void show_success(const char *call, bool success);
void show_portid(const char *name, const ib_portid_t *portid);
void show_rpc(const ib_rpc_t *rpc);
void show_rmpp(const ib_rmpp_hdr_t *rmpp);

/* rows.c: prints the cases that are rows of the table of requests; runs one, if it is one. */
void rows_list(void);
bool rows_run(const char *name);

#endif
