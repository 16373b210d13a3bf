/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The engine of a port: its lock, its requests, and whoever waits for them. It has no thread of its
 * own: of the threads that wait, one polls and reads for all, handles all timers and sends what may
 * be sent; when its own wait ends, another one polls. The lock guards everything here, and all
 * requests and asynchronous objects of the port. The lock is held in umad_send() and umad_recv(),
 * which do not wait for the fabric, and in nothing that may: not in poll(), callbacks, searches for
 * routes or prints of this library.
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
#include "libibmad/engine/line.h"
#include "libibmad/engine/receive.h"
#include "libibmad/engine/wakeup.h"
#include "libibmad/internal.h"

/*
 * A wait whose deadline has passed still reads MADs that have arrived. To keep a stream of
 * unsolicited MADs from extending it without limit, it ends after both this time (from when it
 * noticed the deadline) and this many reads (the process may have been stopped).
 */
#define MAD_ENGINE_DRAIN       (100 * MAD_NS_PER_MS)
#define MAD_ENGINE_DRAIN_READS 1024

struct mad_async;
struct mad_request;

TAILQ_HEAD(mad_waiter_list, mad_waiter);

/* A condition that a thread sleeps on. The engine keeps it, since another thread may signal it
 * after the lock was released, when the thread has gone on already. */
struct mad_wake {
	pthread_cond_t condition;
	struct mad_wake *next;	    /* of all */
	struct mad_wake *next_idle; /* of those that nobody sleeps on */
};

/* A thread in a call that may wait, from mad_engine_enter() to mad_engine_leave(). It can be
 * cancelled only while it waits. */
struct mad_waiter {
	/* The thread waits for one of these, set before mad_engine_enter(); the others are NULL. */
	struct mad_waiter_list *list; /* in which it sleeps */
	struct mad_request *request;  /* of a blocking call */
	struct mad_async *async;      /* of a thread that runs its callbacks */

	/* Private to the engine. */
	struct mad_engine *engine;
	TAILQ_ENTRY(mad_waiter) link; /* while it sleeps */
	struct mad_wake *wake;	      /* to signal; NULL: the thread is awake, or was woken */
	struct mad_wake *own_wake;    /* in use until the thread has the lock again */
	int error;		      /* why its wait fails; or 0 */
	int64_t until;		      /* of its poll */
	int cancel_state;	      /* of the thread, before mad_engine_enter() */
	int saved_errno;	      /* likewise */
	int64_t late_for;	      /* the deadline that it found to have passed at late_since */
	int64_t late_since;
	uint64_t late_reads; /* the engine's number of reads at that time */
};

/* The buffer that the next read fills, and the length of what the last one read. */
struct mad_incoming {
	struct ib_user_mad *packet; /* usual[], or that of `large` */
	int capacity;		    /* bytes of MAD that fit */
	int length;		    /* bytes of MAD that were read */
	struct mad_buffer *large;   /* for a MAD of several packets; or NULL */
	uint64_t usual[(sizeof(struct ib_user_mad) + IB_MAD_SIZE) / sizeof(uint64_t)];
};

struct mad_engine {
	pthread_mutex_t lock;
	int fd;				/* the portid */
	size_t header_size;		/* umad_size() */
	struct mad_waiter *holder;	/* has the lock; NULL: a thread that will not wait has it */
	int cancel_state;		/* of that thread, before mad_engine_lock() */
	struct mad_waiter *poller;	/* the thread in poll(), or NULL */
	struct mad_waiter_list callers; /* threads that sleep in blocking calls */
	struct mad_waiter_list receivers; /* threads that sleep in mad_engine_receive() */
	struct mad_wakeup wakeup;
	int64_t empty_at; /* at this time there was nothing to read */
	int64_t alarm;	  /* the thread that polls looks at the timers then, also if none is left */
	uint64_t reads;
	bool is_unsettled;		 /* see mad_engine_settle() */
	bool limits_agents;		 /* the kernel does */
	struct mad_request_list changed; /* have a decision to carry out */
	struct mad_timer *first_due;	 /* of all timers; or NULL */
	struct mad_hash in_flight;	 /* requests by TID and class */
	LIST_HEAD(, mad_async) asyncs;
	LIST_HEAD(, mad_async) unsettled; /* may send something now */
	unsigned watched;		  /* of all, those whose descriptor the program has */
	unsigned sleeping;		  /* threads in one of the lists of waiters */
	struct mad_wake *wakes;		  /* all */
	struct mad_wake *idle_wakes;
	struct mad_wake *to_signal; /* when the lock is released; or NULL */
	struct mad_incoming incoming;
	struct mad_receive_queue received;
	struct mad_agent agents[MAD_LIMITED_AGENTS];
	struct mad_line lines[MAD_LIMITED_AGENTS]; /* of blocking calls */
	struct mad_hash held; /* places by TID and class, while the kernel holds their requests */
	struct mad_rpc_statistics statistics;
	struct mad_fork_member fork_member;
};

/* waiters.c: releases the lock, and then wakes the thread that was to be woken last */
void mad_wake_release(struct mad_engine *engine);

/* engine.c */
int mad_engine_init(struct mad_engine *engine, int fd);
/* The caller ensures that no other thread is in a call on the engine. */
void mad_engine_destroy(struct mad_engine *engine);

/* For calls that do not wait: take and release the lock; the thread cannot be cancelled in between.
 */
static inline void mad_engine_lock(struct mad_engine *engine)
{
	int cancel_state = mad_hold_cancel();

	pthread_mutex_lock(&engine->lock);
	engine->holder = NULL;
	engine->cancel_state = cancel_state;
}

/* Releases the lock, and wakes the thread that was to be woken last: with the lock still taken, it
 * would have to wait again. */
static inline void mad_engine_release(struct mad_engine *engine)
{
	if (__builtin_expect(engine->to_signal != NULL, 0))
		mad_wake_release(engine);
	else
		pthread_mutex_unlock(&engine->lock);
}

static inline void mad_engine_unlock(struct mad_engine *engine)
{
	int cancel_state = engine->cancel_state;

	mad_engine_release(engine);
	mad_release_cancel(cancel_state);
}

/* waiters.c */
/* Something to sleep on, or NULL without memory. */
struct mad_wake *mad_wake_take(struct mad_engine *engine);
void mad_wake_put_back(struct mad_engine *engine, struct mad_wake *wake);
void mad_wake_free_all(struct mad_engine *engine, bool in_child);
/* The thread that sleeps on it is woken when the lock is released, or before. */
void mad_wake_signal(struct mad_engine *engine, struct mad_wake *wake);
/* Wakes the thread that would be woken when the lock is released. */
void mad_wake_flush(struct mad_engine *engine);
/* The waiter, which sleeps, sleeps no longer. */
void mad_engine_end_sleep(struct mad_waiter *waiter);
/* Wakes the waiter, whose condition may hold now. */
void mad_engine_wake(struct mad_waiter *waiter);
/* Wake all that sleep in a list, or in any; error: why their waits fail, or 0. */
void mad_engine_wake_list(struct mad_waiter_list *list, int error);
void mad_engine_wake_all(struct mad_engine *engine, int error);
/* A thread that sleeps, and can poll if no other thread does; or NULL. */
struct mad_waiter *mad_engine_sleeper(const struct mad_engine *engine);
/* The machine of the request has a decision, which mad_engine_settle() carries out. */
void mad_engine_change(struct mad_engine *engine, struct mad_request *request);

/* settle.c */
/* Carries out decisions, and sends the requests that may be sent now: whoever holds the lock does
 * so before it waits or leaves. */
void mad_engine_settle(struct mad_engine *engine) __attribute__((cold));
/* Carries out decisions only. */
void mad_engine_carry_out(struct mad_engine *engine);
/* The port can't be read or written: ends its requests. */
void mad_engine_fail(struct mad_engine *engine, int error);

/* loop.c */
/* The caller stops waiting: another thread has to poll; without one, the descriptors of
 * mad_async_get_fd() stand for it. */
void mad_engine_hand_over(struct mad_engine *engine) __attribute__((cold));

/* Whether the port can be polled along with other descriptors: see the rule in wakeup.h. */
static inline bool mad_engine_is_pollable(const struct mad_engine *engine)
{
	return engine->wakeup.event_fd >= 0;
}

/* Whether anybody else waits for the port, or may. */
static inline bool mad_engine_is_shared(const struct mad_engine *engine)
{
	return engine->sleeping || LIST_FIRST(&engine->asyncs);
}

/* As mad_engine_lock() and mad_engine_unlock(), for calls that may wait. */
static inline void mad_engine_enter(struct mad_engine *engine, struct mad_waiter *waiter)
{
	waiter->cancel_state = mad_hold_cancel();
	pthread_mutex_lock(&engine->lock);
	engine->holder = waiter;
	waiter->engine = engine;
	waiter->wake = NULL;
	waiter->error = 0;
	waiter->late_for = 0;
	waiter->saved_errno = errno;
}

static inline void mad_engine_leave(struct mad_engine *engine, struct mad_waiter *waiter)
{
	if (__builtin_expect(engine->is_unsettled, 0))
		mad_engine_settle(engine);
	if (__builtin_expect(mad_engine_is_shared(engine), 0))
		mad_engine_hand_over(engine);
	mad_engine_release(engine);
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

/* libibumad returns -EIO for some failures whose cause is in errno: returns the cause. */
static inline int mad_umad_result(int result)
{
	return result == -EIO && errno > 0 ? -errno : result;
}

static inline int mad_engine_write(const struct mad_engine *engine, int agent, void *umad,
				   int length, int timeout_ms)
{
	return mad_umad_result(umad_send(engine->fd, agent, umad, length, timeout_ms, 0));
}

/* match.c: reads one MAD and delivers it. Returns 0, -EAGAIN if there is none, or -errno. */
int mad_engine_read(struct mad_engine *engine);
/* The next read fills this buffer, and those after it the port's own; NULL: the next one, too. */
void mad_engine_read_into(struct mad_engine *engine, struct mad_buffer *buffer);

#endif
