/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * A thread that serves LOOP_CLASS on a port of its own, by libibumad alone, and does to its
 * requests what a test wants: responds to, delays, refuses, redirects or drops them. It counts
 * them, so that tests know what really was sent.
 */
#ifndef KERNEL_RESPONDER_H
#define KERNEL_RESPONDER_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

struct responder {
	/* What it does; a test sets it before responder_start(). */
	const char *device;	/* NULL: LOOP_DEVICE */
	unsigned drop;		/* so many requests get no response */
	unsigned lose_every;	/* 5: every fifth request gets none, from then on */
	unsigned delay_ms;	/* before each response, one after the other */
	unsigned redirects;	/* so many responses are redirects to where they came from */
	unsigned redirect_lid;	/* LID in those; 0 would leave only a GID */
	unsigned status;	/* MAD status of all other responses */
	size_t response_size;	/* 0: the request's data come back; else an RMPP pattern */
	unsigned response_seed; /* of that pattern */

	/* What it has seen; good at any time. */
	atomic_uint requests;
	atomic_uint lost; /* those of lose_every */

	/* Its own. */
	int fd, agent;
	atomic_bool stops;
	pthread_t thread;
};

#define RESPONDER_DROPS_ALL 0xffffffff

/* Starts it; false after a failed check. */
bool responder_start(struct responder *responder);

/* Ends it, after the response in progress. */
void responder_stop(struct responder *responder);

#endif
