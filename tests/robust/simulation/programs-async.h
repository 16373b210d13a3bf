/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* A program with asynchronous requests, and what its two files offer each other. */
#ifndef TESTS_SIMULATION_PROGRAMS_ASYNC_H
#define TESTS_SIMULATION_PROGRAMS_ASYNC_H

#include <stdbool.h>
#include <stdint.h>

#include <infiniband/mad_async.h>

#include "programs.h"
#include "requests.h"

enum { OWN_REQUESTS = 150, USUAL_REQUESTS = 48 };

struct async_program {
	struct mad_async *async;
	struct sim_gaps gaps;
	char queues[2]; /* addresses that stand for the queues: of a pair, the SMI side and the
			   other */
	unsigned window;
	int dispatchers; /* threads in mad_async_dispatch() and in no callback */
	int watchers;  /* threads that wait for the descriptor, and dispatch when it is readable */
	int callbacks; /* running */
	bool closing;
	bool destroyed;
	bool has_helper;
	unsigned max_queued;
	int retries;
	unsigned cancelling; /* threads in mad_async_cancel_all() */
	unsigned waiting;    /* submitted, callback not begun */
	int64_t idle_since;  /* no request waits; SIM_NEVER: some do */
	int64_t in_callbacks;
	uint32_t restless; /* of a hundred callbacks so many do something */
	struct sim_request *requests[OWN_REQUESTS];
	unsigned count;
	unsigned most; /* requests that it makes */
};

/* programs-requests.c: who works for the requests and calls callbacks has changed. */
void sim_async_update_gaps(struct async_program *program);
/* The thread leaves mad_async_dispatch(), or is cancelled there. */
void sim_async_end_dispatch(void *program);
void sim_async_submit(struct async_program *program, unsigned count);
void sim_async_cancel_one(struct async_program *program);
void sim_async_cancel_all(struct async_program *program);

/* programs-async.c: a program with its object, or NULL; and its end. */
struct async_program *sim_async_begin(void);
void sim_async_destroy(struct async_program *program);
/* Calls mad_async_dispatch(), and checks its result. */
void sim_async_dispatch(struct async_program *program, int timeout_ms);
/* A thread begins or ends to wait for the descriptor. */
void sim_async_watch(struct async_program *program, int more);

#endif
