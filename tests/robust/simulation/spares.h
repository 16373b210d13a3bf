/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The sources of simulate-races include this file first: in half of the worlds the libraries keep
 * no memory for later use, so that memory that they use too late has been freed.
 */
extern unsigned sim_races_spares;
#define MAD_ASYNC_SPARES_MAX	sim_races_spares
#define MAD_ASYNC_SLAB_REQUESTS 1
