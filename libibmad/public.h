/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The public headers, for the sources of libibmad: everything else is compiled hidden, and what
 * these declare is what the library shows. Include it before, and in place of, the headers
 * themselves.
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
