/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The public headers, for the sources of libibmad: everything else is compiled with hidden
 * visibility, and the library exports what these headers declare. Include this file first, and
 * instead of the headers.
 */
#ifndef LIBIBMAD_PUBLIC_H
#define LIBIBMAD_PUBLIC_H

#pragma GCC visibility push(default)
#include <infiniband/mad.h>
#include <infiniband/mad_sa.h>
#include <infiniband/mad_async.h>
#include <infiniband/mad_keys.h>
#include <infiniband/mad_address.h>
#include <infiniband/mad_message.h>
#pragma GCC visibility pop

#endif
