/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * A port's settings that change requests before they are sent.
 */
#ifndef LIBIBMAD_EXTRAS_H
#define LIBIBMAD_EXTRAS_H

#include <stdatomic.h>
#include <stdint.h>

struct mad_keys;
struct mad_routes;

struct mad_port_extras {
	atomic_uint adjustments;	     /* enum mad_port_adjustment; usually 0 */
	_Atomic(struct mad_keys *) keys;     /* or NULL; see mad_port_set_keys() */
	_Atomic(struct mad_routes *) routes; /* or NULL, until a route is asked for */
	atomic_uint routes_stale; /* times that a request by a route found for its LID timed out */
	_Atomic uint64_t guid;	  /* of the local port, for keys; 0: not known */
};

enum mad_port_adjustment {
	MAD_PORT_HAS_KEYS = 1,	  /* a ring gives requests keys: engine/keys.c */
	MAD_PORT_ROUTES_SMPS = 2, /* SMPs by LID go by directed route: routes/apply.c */
};

#endif
