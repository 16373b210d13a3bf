/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * How many requests of an agent the kernel sends. From Linux 6.17 on, so many are in flight, and
 * the kernel holds back the rest without saying so: their timeouts begin when they leave, their
 * transaction IDs are refused until then. So a request takes a place of its agent before it is
 * sent. The place is taken for as long as the kernel holds the request, even where the request
 * itself has ended: until a response or the request comes back, or the latest time of that has
 * passed. Requests without a place wait in a line, those of each asynchronous object in one of
 * their own, and the lines take turns. In its line, a request that was sent before comes first.
 *
 * All functions are called with the lock of the engine held.
 */
#ifndef LIBIBMAD_LINE_H
#define LIBIBMAD_LINE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/queue.h>

#include "libibmad/base/hash.h"
#include "libibmad/engine/timers.h"

struct mad_engine;
struct mad_request;

TAILQ_HEAD(mad_request_list, mad_request);
TAILQ_HEAD(mad_line_list, mad_line);
TAILQ_HEAD(mad_place_list, mad_place);

enum mad_limited_agent {
	MAD_AGENT_SMI,
	MAD_AGENT_SMI_DIRECT,
	MAD_AGENT_SA,
	MAD_LIMITED_AGENTS,
};

/* Requests of one asynchronous object, or of all blocking calls and rules, that wait for a place of
 * one agent. Of an object, every second place is for the first request whose destination responds.
 */
struct mad_line {
	TAILQ_ENTRY(mad_line) link; /* in the list of the agent, while it is not empty */
	struct mad_request_list requests;
	struct mad_agent *agent;
	bool is_fair; /* the next place is for the first request, whatever its destination */
};

struct mad_place {
	struct mad_hash_node node;   /* first: by TID and class, while the kernel holds a request */
	struct mad_timer timer;	     /* set while it has no owner */
	TAILQ_ENTRY(mad_place) link; /* while it is free or delayed */
	struct mad_agent *agent;
	struct mad_request *owner; /* or NULL: the request has ended, or nobody waited for it */
	int64_t held_until;	   /* the latest time at which the kernel returns the request */
	unsigned unread; /* responses and returns to read, one for each time it was sent */
	int timeout_ms;	 /* of that request */
	bool is_delayed; /* the kernel holds it back */
};

struct mad_agent {
	unsigned most;
	unsigned taken;
	struct mad_place_list free;
	struct mad_place_list delayed; /* beyond `most`, sent by calls that do not wait */
	struct mad_line_list lines;    /* have requests, and take turns */
};

void mad_lines_init(struct mad_line *lines);

/* Finds out whether the kernel limits the agents of the port. Returns 0 or -ENOMEM. */
int mad_line_init(struct mad_engine *engine);
void mad_line_free(struct mad_engine *engine);

/* Whether the request may be sent; otherwise it is in a line, and mad_line_next() returns it in its
 * turn. A request that a thread waits for ends within the time of its attempts meanwhile. */
bool mad_line_take(struct mad_engine *engine, struct mad_request *request);
/* The MAD was sent from the place. */
void mad_line_sent(struct mad_engine *engine, struct mad_place *place, const uint8_t *mad,
		   int timeout_ms, int64_t now);
/* The request leaves its line and its place, if it has one. */
void mad_line_leave(struct mad_engine *engine, struct mad_request *request);
/* Takes the next request that may be sent now out of its line; NULL: there is none. */
struct mad_request *mad_line_next(struct mad_engine *engine);

/* For a request that nobody waits for: reserves a place, whatever the limit. *place is NULL where
 * there is no limit. Returns 0 or -ENOMEM. */
int mad_line_reserve(struct mad_engine *engine, const uint8_t *mad, int timeout_ms,
		     struct mad_place **place);
/* The kernel holds nothing that was sent from the place. */
void mad_line_free_place(struct mad_engine *engine, struct mad_place *place);

/* A response with this key, or the request itself, was read: the kernel holds it no longer. */
void mad_line_release(struct mad_engine *engine, uint64_t key);
/* The timer of the place is due: the kernel must have returned its request, and that was lost. */
void mad_line_expire(struct mad_engine *engine, struct mad_timer *timer);

#endif
