/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * An open port. The numbers that a program may change while other threads use the port are atomic;
 * the engine has its own lock.
 */
#ifndef LIBIBMAD_PORT_H
#define LIBIBMAD_PORT_H

#include <stdatomic.h>

#include <infiniband/umad.h>

#include "libibmad/base/extras.h"
#include "libibmad/engine/engine.h"
#include "libibmad/internal.h"

#define MAD_CLASSES 256

struct ibmad_port {
	int fd;				/* the portid */
	char ca_name[UMAD_CA_NAME_LEN]; /* as given to mad_rpc_open_port(); "": not given */
	int port_number;		/* likewise; 0: not given */
	atomic_int timeout;		/* ms per attempt; 0: the process default */
	atomic_int retries;		/* 0: the process default */
	_Atomic uint64_t smp_mkey;	/* host byte order */
	_Atomic uint64_t sa_key;	/* SM_Key of SA requests, host byte order; 0: none */
	struct mad_port_extras extras;
	atomic_int agents[MAD_CLASSES]; /* agent of each class, or -1 */
	atomic_bool receives_reports;	/* the SA's agent is registered for reports */
	struct mad_engine engine;
};

/* The engine's state changes even through a port that a public function declares const. */
static inline struct mad_engine *mad_port_engine(const struct ibmad_port *port)
{
	return (struct mad_engine *)&port->engine;
}

/* Whether anything changes requests; if nothing does, this branch is all that they cost. */
static inline bool mad_port_is_adjusting(const struct ibmad_port *port)
{
	return __builtin_expect(
		atomic_load_explicit(&port->extras.adjustments, memory_order_acquire) != 0, 0);
}

/* A request by a route that was found for its LID got no response: the fabric may have changed, so
 * the next search learns everything anew. */
static inline void mad_port_doubt_routes(struct ibmad_port *port)
{
	atomic_fetch_add(&port->extras.routes_stale, 1);
}

static inline bool mad_port_has_class(int mgmt_class)
{
	return mgmt_class >= 0 && mgmt_class < MAD_CLASSES;
}

static inline int mad_port_agent(const struct ibmad_port *port, int mgmt_class)
{
	return mad_port_has_class(mgmt_class) ? atomic_load(&port->agents[mgmt_class]) : -1;
}

/* Timeout of an attempt in ms: that of the request, else of the port, else of the process. */
static inline int mad_port_timeout(const struct ibmad_port *port, int override_ms)
{
	int timeout = override_ms ? override_ms : atomic_load(&port->timeout);

	return timeout ? timeout : mad_state_default_timeout();
}

static inline uint64_t mad_port_mkey(const struct ibmad_port *port)
{
	return atomic_load(&port->smp_mkey);
}

/* The SM_Key of the port's SA requests; 0 without a port, as those requests fail anyway. */
static inline uint64_t mad_port_sa_key(const struct ibmad_port *port)
{
	return port ? atomic_load(&port->sa_key) : 0;
}

static inline int mad_port_retries(const struct ibmad_port *port)
{
	int retries = atomic_load(&port->retries);

	return retries > 0 ? retries : mad_state_default_retries();
}

#endif
