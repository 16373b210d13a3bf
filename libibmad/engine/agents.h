/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * How many requests of an agent may be in flight. From Linux 6.17 on, the kernel sends so many and
 * holds back the rest without saying so. Their timeouts begin when they leave: until then our
 * attempts end without having been made, and the kernel refuses their transaction IDs. So a request
 * has a place of its agent while the kernel holds it, whether a thread waits for it or a queue of
 * asynchronous requests has sent it. All functions are called with the engine's lock held.
 */
#ifndef LIBIBMAD_AGENTS_H
#define LIBIBMAD_AGENTS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/queue.h>

#define MAD_LIMITED_AGENTS 3

struct mad_contender;
struct mad_engine;
struct mad_transaction;
struct mad_waiter;
struct mad_waiter_group;

/* A port has one for each class. */
struct mad_agent {
	unsigned most;
	unsigned in_flight;
	TAILQ_HEAD(, mad_contender) line; /* who waits for a place */
};

/* A thread with a request, or a queue with requests. */
struct mad_contender {
	TAILQ_ENTRY(mad_contender) link;
	struct mad_waiter *waiter;	/* the thread, or NULL: */
	struct mad_waiter_group *group; /* those that work for the queue */
	struct mad_agent *agent;	/* in whose line it is, or NULL */
};

/* Finds out whether the kernel limits the agents of the engine's port. */
void mad_agents_init(struct mad_engine *engine);
/* The agent of a class, or NULL where it has no limit. */
struct mad_agent *mad_agents_find(struct mad_engine *engine, uint8_t mgmt_class);
/* Whether there is a place for the contender, and it is its turn. */
bool mad_agent_has_place(const struct mad_agent *agent, const struct mad_contender *contender);
/* From now on it is woken up when it is its turn. */
void mad_agent_wait(struct mad_agent *agent, struct mad_contender *contender);
/* Gives the request a place; without one the contender waits. */
bool mad_agent_take(struct mad_agent *agent, struct mad_contender *contender,
		    struct mad_transaction *transaction);
/* It waits no longer, if it did. */
void mad_agent_withdraw(struct mad_contender *contender);
/* The request, which may have a place, has it no longer. */
void mad_agent_give_back(struct mad_transaction *transaction);
/* The same where the kernel holds it no longer: the response, or itself, has been read. */
void mad_agent_settle(struct mad_transaction *transaction);
/* Takes places from requests that the kernel must have returned, which nobody may have noticed: no
 * thread works for their queue, or the kernel could not send them. */
void mad_agents_reclaim(struct mad_engine *engine, int64_t now);
/* The threads that a place was offered to may not take it. */
void mad_agents_offer(struct mad_engine *engine);
/* In the child of a fork: the request of a thread that is not there has its place no longer, */
void mad_agent_forget(const struct mad_transaction *transaction);
/* and no such thread waits for one. */
void mad_agents_forget_threads(struct mad_engine *engine);

#endif
