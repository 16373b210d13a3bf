/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The lines that ibdebug enables: `ibdebug: [pid] function: what happened` on stderr. Level 1
 * prints a line when a request ends, or a server's packet is sent or received; level 2 also prints
 * one when a blocking request begins, and sizes. Nothing here is called while ibdebug is 0, and
 * none of it changes errno.
 */
#ifndef LIBIBMAD_DEBUG_H
#define LIBIBMAD_DEBUG_H

#include <stdbool.h>
#include <stdint.h>

#include "libibmad/internal.h"

struct mad_request;

static inline bool mad_debug_is_on(void)
{
	return __builtin_expect(ibdebug > 0, 0);
}

/* An encoded request begins; the function is the one by which users know it. */
void mad_debug_begin(const struct mad_request *request, const char *function, const ib_rpc_t *rpc)
	__attribute__((cold));
/* Another one ends. The time is that since `started`, or since its last attempt (0). */
void mad_debug_end(const struct mad_request *request, const char *function, int64_t started)
	__attribute__((cold));

/* A umad packet with length bytes of MAD that was sent or received without waiting for a response;
 * error is why that failed, or 0. */
void mad_debug_packet(const char *function, bool received, const void *umad, size_t length,
		      int error) __attribute__((cold));

#endif
