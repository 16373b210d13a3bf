/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The public headers, for the sources of libibumad: everything else is compiled with hidden
 * visibility, and the library exports what these headers declare. Include this file first, and
 * instead of the headers.
 */
#ifndef LIBIBUMAD_PUBLIC_H
#define LIBIBUMAD_PUBLIC_H

#pragma GCC visibility push(default)
#include <infiniband/umad.h>
#include <infiniband/umad_types.h>
#include <infiniband/umad_sm.h>
#include <infiniband/umad_sa.h>
#include <infiniband/umad_sa_mcm.h>
#include <infiniband/umad_cm.h>
#include <infiniband/umad_str.h>
#include <infiniband/umad_port_states.h>
#include <infiniband/umad_monitor.h>
#include <infiniband/umad_capture.h>
#pragma GCC visibility pop

#endif
