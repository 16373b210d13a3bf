/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The requesting side of the libibmad tests: an open port, and requests of LOOP_CLASS to itself.
 */
#ifndef KERNEL_CALLER_H
#define KERNEL_CALLER_H

#include <stdbool.h>
#include <stdint.h>

#include <infiniband/mad.h>

enum {
	CALLER_DATA_OFFSET = 40,
	CALLER_DATA_SIZE = 216,
	CALLER_ATTR = 0x0010,
};

struct caller {
	struct ibmad_port *port;
	ib_portid_t portid; /* the local port */
};

/* Opens a device as client of LOOP_CLASS; false after a failed check. */
bool caller_open(struct caller *caller, const char *device);
void caller_close(struct caller *caller);

/* A Get of LOOP_CLASS with that many milliseconds per attempt. */
ib_rpc_t caller_rpc(unsigned timeout_ms);

/* Makes one such request, with data that depend on seed. Returns 0 with a response that carries
 * them back, EBADMSG with another, or the errno of mad_rpc(). */
int caller_call(struct caller *caller, unsigned timeout_ms, unsigned seed);

#endif
