/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * A thread that serves LOOP_CLASS on a port of its own, by libibumad alone: the data of a request
 * come back, or nothing does. It counts the requests, so that tests know what really was sent.
 */
#ifndef KERNEL_RESPONDER_H
#define KERNEL_RESPONDER_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

struct responder {
	const char *device;
	bool drops;	      /* all requests */
	atomic_uint requests; /* so far */

	/* Its own. */
	int fd, agent;
	atomic_bool stops;
	pthread_t thread;
};

/* Starts it; false after a failed check. */
bool responder_start(struct responder *responder);

/* Ends it, after the response in progress. */
void responder_stop(struct responder *responder);

#endif
