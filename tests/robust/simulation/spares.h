/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * What the sources of simulate-races include first: in half of the worlds the libraries keep no
 * memory for later use, so that what they use too late has been freed.
 */
extern unsigned sim_races_spares;
#define MAD_ASYNC_SPARES_MAX	sim_races_spares
#define MAD_ASYNC_SLAB_REQUESTS 1
