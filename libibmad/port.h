/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * What an open port is made of. The numbers that a program may change while others use the port
 * are atomic; the engine has its own lock.
 */
#ifndef LIBIBMAD_PORT_H
#define LIBIBMAD_PORT_H

#include <stdatomic.h>

#include "engine.h"
#include "internal.h"

#define MAD_CLASSES 256

struct ibmad_port {
	int fd;				/* the portid */
	atomic_int timeout;		/* ms a try; 0: the process default */
	atomic_int retries;		/* 0: the process default */
	_Atomic uint64_t smp_mkey;	/* host byte order */
	atomic_int agents[MAD_CLASSES]; /* agent of each class, or -1 */
	struct mad_engine engine;
};

/* The engine's state changes though its port, to the public calls, does not. */
static inline struct mad_engine *mad_port_engine(const struct ibmad_port *port)
{
	return (struct mad_engine *)&port->engine;
}

static inline bool mad_port_has_class(int mgmt_class)
{
	return mgmt_class >= 0 && mgmt_class < MAD_CLASSES;
}

#endif
