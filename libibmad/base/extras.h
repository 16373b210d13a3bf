/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * What changes the requests of a port before they are sent.
 */
#ifndef LIBIBMAD_EXTRAS_H
#define LIBIBMAD_EXTRAS_H

#include <stdatomic.h>
#include <stdint.h>

struct mad_keys;
struct mad_routes;

struct mad_port_extras {
	atomic_uint adjustments;	     /* enum mad_port_adjustment; 0 as a rule */
	_Atomic(struct mad_keys *) keys;     /* or NULL; see mad_port_set_keys() */
	_Atomic(struct mad_routes *) routes; /* or NULL, until a route is asked for */
	atomic_uint routes_stale; /* times that a request by a route found for its LID timed out */
	_Atomic uint64_t guid;	  /* of the local port, for keys; 0: not known */
};

enum mad_port_adjustment {
	MAD_PORT_HAS_KEYS = 1,	  /* a ring gives them keys: libibmad/engine/keys.c */
	MAD_PORT_ROUTES_SMPS = 2, /* those by LID go by directed route: libibmad/routes/apply.c */
};

#endif
