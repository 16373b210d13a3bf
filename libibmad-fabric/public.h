/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The public headers, for the sources of libibmad-fabric: everything else is compiled with hidden
 * visibility, and the library exports what its own header declares. Include this file first, and
 * instead of the headers.
 */
#ifndef LIBIBMAD_FABRIC_PUBLIC_H
#define LIBIBMAD_FABRIC_PUBLIC_H

#pragma GCC visibility push(default)
#include <infiniband/mad.h>
#include <infiniband/mad_sa.h>
#include <infiniband/mad_async.h>
#include <infiniband/mad_fabric_changes.h>
#include <infiniband/mad_fabric_counters.h>
#pragma GCC visibility pop

#endif
