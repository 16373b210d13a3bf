/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The engine of an open port reads its MADs and delivers them. It has no thread of its own. Of the
 * threads that wait on a port, one polls for all; it delivers MADs to the transactions in flight
 * (inflight.h) or to the inbox, and when its own wait ends another waiting thread polls.
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

#include "libibmad/base/clock.h"
#include "libibmad/base/fork.h"
#include "libibmad/base/hash.h"
#include "libibmad/engine/agents.h"
#include "libibmad/engine/buffers.h"
#include "libibmad/engine/inbox.h"
#include "libibmad/engine/wakeup.h"
#include "libibmad/internal.h"

/*
 * A wait whose deadline has passed still reads MADs that have arrived. To keep a stream of
 * unsolicited MADs from extending it forever, it ends after both this time (from when it noticed
 * the deadline) and this many reads (the process may have been stopped).
 */
#define MAD_ENGINE_DRAIN       (100 * MAD_NS_PER_MS)
#define MAD_ENGINE_DRAIN_READS 1024

struct mad_engine;
struct mad_transaction;
struct mad_unwaited;

TAILQ_HEAD(mad_waiter_list, mad_waiter);
TAILQ_HEAD(mad_changed_list, mad_transaction);
TAILQ_HEAD(mad_unwaited_list, mad_unwaited);

/* Threads that wait for the same: receivers, or those that work for a queue. */
struct mad_waiter_group {
	struct mad_waiter_list waiting;
	unsigned awake;			 /* working, and not waiting, or woken up */
	struct mad_waiter *timekeeper;	 /* of a queue: the one that sees to the timers, or NULL */
	struct mad_changed_list changed; /* of a queue: whose decisions are to be carried out */
	struct mad_wakeup *event;	 /* calls a thread where none works or waits; or NULL */
	bool is_sending; /* of a queue: a thread is sending, until there is nothing to send */
};

/* What one thread sleeps on. It is signalled without the lock, so that the thread that wakes up
 * does not wait for the lock, and may then be another thread's: it is freed with the engine. */
struct mad_condition {
	SLIST_ENTRY(mad_condition) in_engine;
	SLIST_ENTRY(mad_condition) in_unused;
	pthread_cond_t wake;
};

SLIST_HEAD(mad_condition_list, mad_condition);

/*
 * A thread in a call that may wait for the engine, from mad_engine_enter() to mad_engine_leave().
 * The thread can be cancelled only while it waits.
 */
struct mad_waiter {
	/* Set before mad_engine_enter(), or zero. */
	struct mad_waiter_group *group; /* or NULL */
	struct mad_wakeup *wakeup;	/* the engine's, to be woken up while it polls; or NULL */
	struct mad_transaction *transaction; /* that it waits for, or NULL: */
	struct mad_contender contender;	     /* for a place among those of its agent */

	/* Private to the engine. */
	struct mad_engine *engine;
	TAILQ_ENTRY(mad_waiter) in_engine;
	TAILQ_ENTRY(mad_waiter) in_group;
	struct mad_condition *sleeps_on; /* in the engine's list; or NULL */
	int64_t until;			 /* limit of its sleep or poll, in a group */
	int cancel_state;		 /* of the thread, before mad_engine_enter() */
	int saved_errno;		 /* the same */
	int64_t late_for; /* the deadline that it found to have passed at late_since */
	int64_t late_since;
	uint64_t late_reads; /* the engine's number of reads at that time */
	bool waits;	     /* in the list of its group */
	bool woken;	     /* counts among those of its group that are awake */
};

struct mad_engine {
	int fd;		    /* the portid */
	size_t header_size; /* umad_size() */
	pthread_mutex_t lock;
	struct mad_waiter *poller;	   /* the thread in poll(), or NULL */
	struct mad_waiter_list waiters;	   /* those that sleep */
	struct mad_waiter_group receivers; /* in mad_receive_via() */
	struct mad_condition *signalled;   /* when the lock is released; or NULL */
	struct mad_condition_list conditions;
	struct mad_condition_list unused_conditions;
	int64_t empty_at; /* at this time there was nothing to read */
	struct mad_wakeup wakeup;
	struct mad_hash in_flight;	   /* requests by TID and class: see inflight.h */
	struct mad_unwaited_list unwaited; /* those of mad_send_via(), oldest first */
	unsigned unwaited_count;
	struct mad_buffers buffers;
	struct mad_inbox inbox;
	bool limits_agents; /* the kernel: see agents.h */
	struct mad_agent agents[MAD_LIMITED_AGENTS];
	uint64_t reads;
	struct mad_rpc_statistics statistics;
	struct mad_fork_member fork_member;
};

int mad_engine_init(struct mad_engine *engine, int fd);

/* The caller ensures that no other thread is in a call on the engine. */
void mad_engine_destroy(struct mad_engine *engine);

/* Releases the lock, and wakes the thread that was to be woken. */
void mad_engine_release_and_wake(struct mad_engine *engine) __attribute__((cold));
static inline void mad_engine_release(struct mad_engine *engine)
{
	if (__builtin_expect(engine->signalled != NULL, 0))
		mad_engine_release_and_wake(engine);
	else
		pthread_mutex_unlock(&engine->lock);
}

/*
 * For calls that do not wait: take and release the engine's lock; the thread cannot be cancelled in
 * between. mad_engine_lock() returns the argument of mad_engine_unlock().
 */
static inline int mad_engine_lock(struct mad_engine *engine)
{
	int cancel_state = mad_hold_cancel();

	pthread_mutex_lock(&engine->lock);
	return cancel_state;
}

static inline void mad_engine_unlock(struct mad_engine *engine, int cancel_state)
{
	mad_engine_release(engine);
	mad_release_cancel(cancel_state);
}

/* With the lock held: the caller stops waiting, so another thread has to poll. */
void mad_engine_hand_over(struct mad_engine *engine) __attribute__((cold));

/* The same as mad_engine_lock() and mad_engine_unlock() for calls that may wait. */
static inline void mad_engine_enter(struct mad_engine *engine, struct mad_waiter *waiter)
{
	waiter->engine = engine;
	waiter->sleeps_on = NULL;
	waiter->late_for = 0;
	waiter->saved_errno = errno;
	waiter->cancel_state = mad_engine_lock(engine);
}

static inline void mad_engine_leave(struct mad_engine *engine, struct mad_waiter *waiter)
{
	if (__builtin_expect(TAILQ_FIRST(&engine->waiters) != NULL, 0)) {
		mad_engine_hand_over(engine);
		mad_engine_release(engine);
	} else {
		pthread_mutex_unlock(&engine->lock); /* nobody was woken */
	}
	mad_release_cancel(waiter->cancel_state);
	errno = waiter->saved_errno; /* a successful call leaves it unchanged */
}

/*
 * With the lock held, which is released meanwhile: waits until the waiter is woken up, this thread
 * has read something, or the deadline passes; the caller then checks its condition, and calls again
 * if it does not hold. Returns 0; -ETIMEDOUT when the deadline has passed and everything that had
 * arrived by then has been delivered; or why the port cannot be read.
 */
int mad_engine_wait(struct mad_engine *engine, struct mad_waiter *waiter, int64_t until);

/* The same without reading: for a port that can no longer be read. */
int mad_engine_sleep(struct mad_engine *engine, struct mad_waiter *waiter, int64_t until);

static inline void mad_engine_init_group(struct mad_waiter_group *group)
{
	TAILQ_INIT(&group->waiting);
	TAILQ_INIT(&group->changed);
	group->timekeeper = NULL;
	group->event = NULL;
	group->awake = 0;
}

/* With the lock held: reads up to `most` MADs that have arrived already, unless a thread polls. */
void mad_engine_drain(struct mad_engine *engine, unsigned most);

/* waking.c: with the lock held */
/* Wakes the waiter, whose condition may hold now. */
void mad_engine_wake(struct mad_waiter *waiter);
/* The same for one that is in the list of a group. */
void mad_engine_wake_member(struct mad_waiter *waiter);
void mad_engine_wake_all(struct mad_waiter_group *group);
/* Something is to be done: wakes a thread of the group, unless one is awake. */
void mad_engine_notify(struct mad_waiter_group *group);
/* The machine of a request has a decision that a thread of its group carries out. */
void mad_engine_change(struct mad_transaction *transaction);
/* What this thread, and no other, sleeps on; NULL without memory. */
struct mad_condition *mad_engine_take_condition(struct mad_engine *engine);
void mad_engine_give_condition(struct mad_engine *engine, struct mad_condition *condition);
/* Signals what would be when the lock is released, before it is released by sleeping. */
void mad_engine_wake_now(struct mad_engine *engine);
void mad_engine_forget_sleepers(struct mad_engine *engine);
void mad_engine_free_conditions(struct mad_engine *engine);

/* libibumad returns -EIO for some failures whose cause is in errno: returns the cause. */
static inline int mad_umad_result(int result)
{
	return result == -EIO && errno > 0 ? -errno : result;
}

/* Without the lock: sends one umad packet. Several threads may send concurrently. Returns 0 or
 * -errno. */
static inline int mad_engine_write(const struct mad_engine *engine, int agent, void *umad,
				   int length, int timeout_ms)
{
	return mad_umad_result(umad_send(engine->fd, agent, umad, length, timeout_ms, 0));
}

/*
 * Sends one umad packet without waiting. With a timeout, mad_engine_receive() returns the response,
 * or the request itself if the kernel returns it. Returns 0 or -errno.
 */
int mad_engine_send(struct mad_engine *engine, int agent, void *umad, int length, int timeout_ms);

/*
 * Receives a MAD that belongs to no transaction, waiting up to timeout_ms (negative: no limit; 0:
 * not at all). The caller owns *received and returns it by mad_engine_recycle(). A MAD longer than
 * size_max bytes is reported once (-ENOSPC), and then waits for a call with a larger size_max.
 * accept() decides with the lock held whether this call takes the MAD: if it were taken and put
 * back, another thread could begin to wait in between.
 */
int mad_engine_receive(struct mad_engine *engine, int timeout_ms, size_t size_max,
		       mad_inbox_accept *accept, void *context, struct mad_buffer **received);
void mad_engine_recycle(struct mad_engine *engine, struct mad_buffer *buffer);

/*
 * With the lock held: reads one MAD and delivers it. Returns 0, -EAGAIN if there is none, or
 * -errno.
 */
int mad_engine_read(struct mad_engine *engine);

/* In the child of a fork, with the lock held: forgets the other threads of the parent. */
void mad_engine_forget_threads(struct mad_engine *engine);

#endif
