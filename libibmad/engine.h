/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The engine of an open port: who reads it, and what becomes of what is read. It has no thread of
 * its own. Of the threads that wait for something of a port, one polls for all; it delivers what it
 * reads to the transactions in flight (inflight.h) or to the inbox, and when its own wait is over
 * another waiting thread polls.
 */
#ifndef LIBIBMAD_ENGINE_H
#define LIBIBMAD_ENGINE_H

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/queue.h>

#include <infiniband/umad.h>

#include "buffers.h"
#include "clock.h"
#include "fork.h"
#include "hash.h"
#include "inbox.h"
#include "internal.h"
#include "wakeup.h"

/*
 * A wait that is over still reads what has arrived. So that no stream of MADs that nobody waits for
 * makes it longer, it ends when both are over: this long from when that was found out, and so many
 * reads (the process may have been stopped).
 */
#define MAD_ENGINE_DRAIN       (100 * MAD_NS_PER_MS)
#define MAD_ENGINE_DRAIN_READS 1024

struct mad_engine;
struct mad_unwaited;

TAILQ_HEAD(mad_waiter_list, mad_waiter);
TAILQ_HEAD(mad_unwaited_list, mad_unwaited);

/*
 * A thread in a call that may wait for the engine, from mad_engine_enter() to mad_engine_leave().
 * The thread can be cancelled while it waits and at no other time.
 */
struct mad_waiter {
	/* Set before mad_engine_enter(), or zero. */
	struct mad_waiter_list *group; /* those that wait for the same: receivers, a lane's */
	bool interruptible;	       /* others may wake it up while it polls */
	void (*abandon)(struct mad_waiter *waiter); /* its thread was cancelled; lock is held */
	void *context;				    /* for abandon() */

	/* The engine's own. */
	struct mad_engine *engine;
	TAILQ_ENTRY(mad_waiter) in_engine;
	TAILQ_ENTRY(mad_waiter) in_group;
	pthread_cond_t wake; /* there while it sleeps */
	int64_t until;	     /* how long it sleeps or polls at most */
	int cancel_state;    /* of the thread, before it entered */
	int saved_errno;     /* the same */
	int64_t late_for;    /* the deadline that was found to have passed at late_since */
	int64_t late_since;
	uint64_t late_reads; /* what the engine had read by then */
	bool sleeps;	     /* on its condition variable, in the engine's list */
	bool judges; /* its time is over; it waits for what has arrived by then to be read */
};

struct mad_engine {
	int fd; /* the portid */
	pthread_mutex_t lock;
	struct mad_waiter *poller;	  /* the thread in poll(), or NULL */
	struct mad_waiter_list waiters;	  /* those that sleep */
	struct mad_waiter_list receivers; /* of them, and the poller: those in mad_receive_via() */
	unsigned judges;		  /* waiters that judge */
	int64_t empty_at;		  /* there was nothing to be read then */
	struct mad_wakeup wakeup;
	struct mad_hash in_flight;	   /* requests by TID and class: see inflight.h */
	struct mad_unwaited_list unwaited; /* those of mad_send_via(), oldest first */
	unsigned unwaited_count;
	struct mad_buffers buffers;
	struct mad_inbox inbox;
	uint64_t reads;
	unsigned empty_reads; /* in a row */
	struct mad_rpc_statistics statistics;
	struct mad_fork_member fork_member;
};

int mad_engine_init(struct mad_engine *engine, int fd);

/* No thread may be in a call on the engine any more. */
void mad_engine_destroy(struct mad_engine *engine);

/*
 * For calls that do not wait: the engine's lock, and no cancellation of the thread meanwhile.
 * mad_engine_lock() returns what mad_engine_unlock() needs.
 */
static inline int mad_engine_lock(struct mad_engine *engine)
{
	int cancel_state;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel_state);
	pthread_mutex_lock(&engine->lock);
	return cancel_state;
}

static inline void mad_engine_unlock(struct mad_engine *engine, int cancel_state)
{
	pthread_mutex_unlock(&engine->lock);
	pthread_setcancelstate(cancel_state, NULL);
}

/* With the lock held: the caller stops waiting, so that another thread has to poll. */
static inline void mad_engine_hand_over(struct mad_engine *engine)
{
	struct mad_waiter *first = TAILQ_FIRST(&engine->waiters);

	if (first && !engine->poller)
		pthread_cond_signal(&first->wake);
}

/* The same as mad_engine_lock() and mad_engine_unlock() for calls that may wait. */
static inline void mad_engine_enter(struct mad_engine *engine, struct mad_waiter *waiter)
{
	waiter->engine = engine;
	waiter->sleeps = false;
	waiter->judges = false;
	waiter->late_for = MAD_NO_DEADLINE;
	waiter->saved_errno = errno;
	waiter->cancel_state = mad_engine_lock(engine);
}

static inline void mad_engine_leave(struct mad_engine *engine, struct mad_waiter *waiter)
{
	mad_engine_hand_over(engine);
	mad_engine_unlock(engine, waiter->cancel_state);
	errno = waiter->saved_errno; /* a call that goes well leaves it alone */
}

/*
 * With the lock held, given back meanwhile: waits until the waiter is woken up, or this thread has
 * read something, or until the deadline; the caller looks whether that is what it waits for, and
 * calls again where it is not. Returns 0; -ETIMEDOUT when the deadline has passed and all that had
 * arrived by then has been delivered; or why the port can't be read.
 */
int mad_engine_wait(struct mad_engine *engine, struct mad_waiter *waiter, int64_t until);

/* The same without reading: for a port that can't be read any more. */
int mad_engine_sleep(struct mad_engine *engine, struct mad_waiter *waiter, int64_t until);

/* With the lock held: reads up to so many MADs that have come already, unless a thread polls. */
void mad_engine_drain(struct mad_engine *engine, unsigned most);

/* With the lock held: what the waiter waits for may be there. */
static inline void mad_engine_wake(struct mad_waiter *waiter)
{
	if (waiter->sleeps)
		pthread_cond_signal(&waiter->wake);
	else if (waiter->engine->poller == waiter)
		mad_wakeup_signal(&waiter->engine->wakeup);
}

/* What a call of libibumad returned, as -errno where it was -EIO for want of anything better. */
static inline int mad_umad_result(int result)
{
	return result == -EIO && errno > 0 ? -errno : result;
}

/* Without the lock: sends one umad packet. Any number of threads may. Returns 0 or -errno. */
static inline int mad_engine_write(const struct mad_engine *engine, int agent, void *umad,
				   int length, int timeout_ms)
{
	return mad_umad_result(umad_send(engine->fd, agent, umad, length, timeout_ms, 0));
}

/*
 * Sends one umad packet and does not wait. With a timeout the response, or the request itself if
 * the kernel returns it, comes by mad_engine_receive(). Returns 0 or -errno.
 */
int mad_engine_send(struct mad_engine *engine, int agent, void *umad, int length, int timeout_ms);

/*
 * Receives what no transaction takes, waiting up to timeout_ms (negative: no limit; 0: not at all).
 * *received belongs to the caller, who gives it back by mad_engine_recycle(). A MAD longer than
 * room is reported once (-ENOSPC), and then waits for a call with more room.
 */
int mad_engine_receive(struct mad_engine *engine, int timeout_ms, size_t room,
		       struct mad_buffer **received);
void mad_engine_put_back(struct mad_engine *engine, struct mad_buffer *buffer);
void mad_engine_recycle(struct mad_engine *engine, struct mad_buffer *buffer);

/* With the lock held: puts what was just read into the inbox, or counts it as dropped. */
void mad_engine_keep_incoming(struct mad_engine *engine);

/*
 * With the lock held: reads one MAD and delivers it. Returns 0, -EAGAIN where there is none, or
 * -errno.
 */
int mad_engine_read(struct mad_engine *engine);

/* In the child of a fork, with the lock held: the other threads of the parent are gone. */
void mad_engine_forget_threads(struct mad_engine *engine);

#endif
