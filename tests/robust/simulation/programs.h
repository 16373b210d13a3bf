/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The programs of a simulated process: threads that use both libraries as programs may, each with a
 * script that follows from the seed.
 */
#ifndef TESTS_SIMULATION_PROGRAMS_H
#define TESTS_SIMULATION_PROGRAMS_H

#include <stdbool.h>
#include <stdint.h>

#include <infiniband/mad.h>
#include <infiniband/mad_async.h>

#include "fabric.h"
#include "requests.h"
#include "scheduler.h"

/* State that all threads of a process share. */
struct sim_shared {
	struct ibmad_port *port;       /* the port of blocking calls */
	struct ibmad_ports_pair *pair; /* or NULL: both its sides, of which one is port */
	int retries;
	bool has_server;
	struct sim_request *current[SIM_THREADS]; /* the blocking request of each thread */
	bool was_cancelled[SIM_THREADS];
	bool forks;
	bool opens; /* a thread has a port of its own */
	bool locks; /* madrpc_init() is used, whose port is never closed */

	bool receives[SIM_THREADS]; /* the thread is in a receive, whose result is not known yet */
	unsigned servers;	    /* threads that receive, since the run began */
	unsigned reported_long;	    /* how often a request did not fit a server's buffer */
};

extern struct sim_shared sim_shared;

/* A number for a decision of a program. */
uint32_t sim_plan(uint32_t limit);

/* The timeout of some request, in milliseconds. */
int sim_plan_timeout(void);

/* Thread functions; the argument is unused if not said otherwise. */
void *sim_main_program(void *unused);
void *sim_blocking_program(void *unused);
void *sim_async_program(void *unused);
void *sim_loop_program(void *unused);
void *sim_server_program(void *unused);
void *sim_endless_server_program(void *unused);
void *sim_sender_program(void *unused);
void *sim_opening_program(void *unused);
void *sim_statistics_program(void *unused);
void *sim_cancelling_program(void *unused);
void *sim_waiters_cancelling_program(void *unused);
void *sim_locking_program(void *unused);
void *sim_forking_program(void *unused);

/* Cancels a thread. A request of it that waits in a blocking call need not end. */
void sim_cancel_program(unsigned number);
/* In a callback: does nothing, is a cancellation point, or cancels its own thread. */
void sim_meet_cancellation(void);

/* A blocking call with a request of this thread, which is sim_shared.current until it ended; NULL
 * if there have been too many. */
struct sim_request *sim_begin_call(const char *function, int tries);
/* With errno as the call left it: checks data, which come from a LID, and how the request ended.
 * status is NULL if the call does not say it. */
void sim_end_call(struct sim_request *request, bool has_response, const uint32_t *status, int lid,
		  const uint8_t *data, size_t size);
/* Makes a blocking call of a random kind. */
void sim_make_blocking_call(void);

/* Receives all that is left when the threads have ended. */
void sim_receive_rest(void);

/* Fills in a request for mad_rpc() or mad_async_submit(), of any class. */
void sim_plan_rpc(ib_rpc_t *rpc, ib_portid_t *to, const struct sim_request *request);
/* Makes a request for a table of the SA of it. */
void sim_plan_table(ib_rpc_t *rpc, ib_portid_t *to);

#endif
