/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The parts of asynchronous requests. A queue serves one port: it has unsent requests, a window and
 * timers, all guarded by the lock of the port's engine. Completed requests are in a list of the
 * whole struct mad_async, which has its own lock; that lock is taken last, and only briefly.
 */
#ifndef LIBIBMAD_ASYNC_H
#define LIBIBMAD_ASYNC_H

#include <stdatomic.h>
#include <sys/queue.h>

#include <infiniband/umad.h>

#include "libibmad/base/fork.h"
#include "libibmad/engine/inflight.h"
#include "libibmad/engine/port.h"
#include "libibmad/internal.h"
#include "libibmad/rpc/followups.h"

#define MAD_ASYNC_QUEUES 2

/* Memory for so many requests, and for so many destinations, is kept. */
#ifndef MAD_ASYNC_SPARES_MAX /* the simulation decides */
#define MAD_ASYNC_SPARES_MAX MAD_ASYNC_MAX_WINDOW
#endif

enum mad_async_place {
	MAD_ASYNC_NEW,	     /* not submitted yet, or refused */
	MAD_ASYNC_QUEUED,    /* among the unsent requests of its queue */
	MAD_ASYNC_BACKLOG,   /* waits behind other requests to its destination */
	MAD_ASYNC_HELD,	     /* waits for a request of its agent to end */
	MAD_ASYNC_IN_FLIGHT, /* being sent, or in flight; in no list */
	MAD_ASYNC_DONE,	     /* its callback is due, or running */
};

/* Which limit a request in flight counts against. */
enum mad_async_share {
	MAD_ASYNC_NO_SHARE,	/* none: slow, or see followups.c */
	MAD_ASYNC_IN_WINDOW,	/* the window */
	MAD_ASYNC_AMONG_SILENT, /* that of requests to silent destinations */
	MAD_ASYNC_SHARES,
};

/* Of a request, in the heap of its queue: see timers.c. */
struct mad_timer {
	struct mad_request *below;  /* the first of those below it, which end later */
	struct mad_request *next;   /* beside it */
	struct mad_request *before; /* beside it, or above the first */
	bool is_set;
};

struct mad_request {
	struct mad_transaction transaction; /* first: the engine returns a pointer to it */
	struct mad_hash_node by_id;	    /* in the ID table of the struct mad_async */
	TAILQ_ENTRY(mad_request) link;	    /* in the list that its state names */
	TAILQ_ENTRY(mad_request) in_queue;  /* until it is done */
	struct mad_queue *queue;
	struct mad_slab *slab;		     /* that it is in */
	struct mad_destination *destination; /* in its backlog, held or in flight */
	struct mad_agent *agent;	     /* NULL: without a limit */
	mad_async_callback callback;	     /* NULL: see follow_up */
	void *context;
	struct mad_async_follow_up *follow_up; /* set in a request that asks its question */
	uint64_t destination_key;
	int64_t due; /* when its timer next needs action */
	struct mad_timer timer;
	enum mad_async_place place;
	enum mad_async_share share;
	bool in_flight; /* from when it is first sent until it is done */
	bool is_probe;	/* sent although its destination is silent */
	int error;
	ib_portid_t portid;
	pthread_t caller; /* the thread in the callback */
	int data_offset;  /* offset of the data of its class */
	int data_length;  /* bytes of data of its class in one MAD */
	uint64_t umad[(sizeof(struct ib_user_mad) + IB_MAD_SIZE) / sizeof(uint64_t)];
	uint8_t response[IB_MAD_SIZE]; /* last, since a new request has no use for zeros there */
};

/* A rule of rpc/followups.c that needs something first. It belongs to the thread that carries
 * it out, to its child request in flight, or to the list of a queue. */
struct mad_async_follow_up {
	STAILQ_ENTRY(mad_async_follow_up) link;
	int64_t request_id; /* the request that it is about */
	enum mad_follow_up_need need;
	struct mad_follow_up state;
	struct mad_question question;
	struct mad_request *child; /* has the reply; NULL: there is none yet */
};

STAILQ_HEAD(mad_async_follow_ups, mad_async_follow_up);
TAILQ_HEAD(mad_async_list, mad_request);

/*
 * The state of a destination: a port to which requests are in flight or waiting. A destination that
 * has not responded yet gets few requests at a time; a silent one gets further requests only
 * outside the window, so that it delays no other. Requests beyond these limits wait here
 * until they may be sent; a destination whose backlog may be sent is ready.
 */
struct mad_destination {
	struct mad_hash_node node; /* by destination_key */
	TAILQ_ENTRY(mad_destination) in_ready;
	struct mad_destination_list *ready; /* the list that contains it, or NULL */
	unsigned in_flight;
	bool responds; /* responded to the last request that ended */
	bool silent;   /* no response since a request became slow, or ended without one */
	struct mad_async_list backlog;
};

TAILQ_HEAD(mad_destination_list, mad_destination);

/* Requests that wait for a place of their agent, in order. */
struct mad_held {
	struct mad_contender contender;
	struct mad_async_list requests;
};

struct mad_queue {
	struct mad_async *async;
	struct ibmad_port *port;
	struct mad_engine *engine;
	unsigned window;		   /* limit of shares[IN_WINDOW], and of AMONG_SILENT */
	unsigned shares[MAD_ASYNC_SHARES]; /* requests in flight, by limit */
	unsigned in_flight;		   /* all of them */
	unsigned outstanding;		   /* the caller's, submitted and not done */
	struct mad_held held[MAD_LIMITED_AGENTS]; /* by agent */
	unsigned held_count;
	int failed;				/* -errno: why the port is unusable */
	struct mad_async_list all;		/* submitted and not done, oldest first */
	struct mad_async_list unsent;		/* waiting to be sent, oldest first */
	struct mad_async_follow_ups follow_ups; /* those that can go on */
	struct mad_request *first_due;		/* of those with a timer; or NULL */
	struct mad_hash destinations;
	struct mad_destination_list ready;	  /* backlogs may be sent in the window */
	struct mad_destination_list ready_silent; /* the same, outside the window */
	struct mad_waiter_group workers;	  /* threads that work for the queue */
	struct mad_wakeup event;		  /* of the descriptor: there is something to do */
	int timer_fd;				  /* of the descriptor: until the first timer */
	int64_t armed;	     /* what it is set to; MAD_NO_DEADLINE: it is not */
	uint64_t submitting; /* ID of the one that it is submitting, which may be refused; or 0 */
};

/* See slabs.c. */
struct mad_slabs {
	LIST_HEAD(, mad_slab) with_space;
	unsigned empty; /* of these */
};

struct mad_async {
	struct mad_queue queues[MAD_ASYNC_QUEUES];
	unsigned queue_count;
	unsigned max_queued;
	int timeout_ms;
	int attempts;
	struct mad_fork_member fork_member;
	bool is_watchable;	/* in the child of a fork: it got descriptors of its own */
	int epoll_fd;		/* over the ports, timers and events of the queues */
	int event_fd;		/* with a thread: callbacks are due; else -1 */
	atomic_bool is_watched; /* somebody waits for epoll_fd */
	pthread_t thread;	/* of the library: see service.c */
	bool has_thread;
	atomic_bool thread_lost; /* it belongs to the parent of a fork */
	atomic_bool thread_stops;
	pthread_mutex_t lock; /* guards what follows; taken after an engine's lock */
	pthread_cond_t changed;
	struct mad_hash ids;
	int64_t last_id;
	struct mad_async_list done;   /* callbacks are due */
	struct mad_async_list called; /* callbacks are running */
	struct mad_slabs slabs;
	unsigned reserved;   /* being submitted, or pending */
	atomic_uint pending; /* submitted, and callback not over; grows without the lock */
	unsigned running;    /* of these, callbacks running */
	atomic_uint done_count;
	bool is_led;	      /* a thread waits for epoll_fd, for all that dispatch on a pair */
	unsigned dispatching; /* calls of mad_async_dispatch(), nested ones counted */
	bool is_freed;	      /* by a callback: the last of these calls does it */
	bool is_ending;	      /* in mad_async_end() */
	atomic_bool closing;  /* requests are refused, and nobody waits */
};

/* timers.c: all with the engine's lock held */
void mad_timers_set(struct mad_queue *queue, struct mad_request *request, int64_t due);
void mad_timers_clear(struct mad_queue *queue, struct mad_request *request);

/* destinations.c: all with the engine's lock held */
uint64_t mad_destination_key(const ib_portid_t *portid, int mgmt_class);
bool mad_destination_admit(struct mad_queue *queue, struct mad_request *request);
bool mad_destination_has_next(const struct mad_queue *queue);
struct mad_request *mad_destination_take_next(struct mad_queue *queue);
void mad_destination_mark_silent(struct mad_queue *queue, struct mad_request *request);
void mad_destination_leave(struct mad_queue *queue, struct mad_request *request, int error);
void mad_destination_leave_backlog(struct mad_queue *queue, struct mad_request *request);
void mad_destinations_init(struct mad_queue *queue);
void mad_destinations_free(struct mad_queue *queue);

/* held.c: all with the engine's lock held */
void mad_held_init(struct mad_queue *queue);
/* The request gets a place of its agent, or waits for one. */
bool mad_held_take_place(struct mad_queue *queue, struct mad_request *request);
/* One that has waited, and may take its place now; or NULL. */
struct mad_request *mad_held_find(struct mad_queue *queue) __attribute__((cold));
/* That one takes it. */
void mad_held_take_turn(struct mad_queue *queue, struct mad_request *request);
/* The request waits no longer. */
void mad_held_leave(struct mad_queue *queue, struct mad_request *request);

/* Whether the request has a place of its agent, or needs none; else it waits for one. */
static inline bool mad_held_may_send(struct mad_queue *queue, struct mad_request *request)
{
	return !request->agent || request->transaction.place || mad_held_take_place(queue, request);
}

static inline struct mad_request *mad_held_next(struct mad_queue *queue)
{
	return __builtin_expect(queue->held_count, 0) ? mad_held_find(queue) : NULL;
}

static inline bool mad_request_has_deadline(const struct mad_request *request)
{
	return request->transaction.try.deadline != MAD_NO_DEADLINE;
}

/* What the request counts against when it is first sent. */
static inline enum mad_async_share mad_request_first_share(const struct mad_request *request)
{
	return request->is_probe ? MAD_ASYNC_AMONG_SILENT : MAD_ASYNC_IN_WINDOW;
}

/* queue.c: all with the engine's lock held */
void mad_queue_init(struct mad_queue *queue, struct mad_async *async, struct ibmad_port *port,
		    unsigned window);
void mad_queue_free(struct mad_queue *queue);
/* Returns 0, or why the port is found to be gone: the request is the caller's again. */
int mad_queue_submit(struct mad_queue *queue, struct mad_request *request);
/* Sends what can be sent now. */
void mad_queue_work(struct mad_queue *queue);
/* Whether a thread has something to do for the queue. */
bool mad_queue_has_work(struct mad_queue *queue);
/* Everything that had arrived by now has been read: processes the timers that are due. */
void mad_queue_run_timers(struct mad_queue *queue, int64_t now);
/* Takes the outcome of a rule. */
void mad_queue_end_follow_up(struct mad_queue *queue, struct mad_request *request,
			     const struct mad_follow_up *state);
bool mad_queue_cancel(struct mad_queue *queue, struct mad_request *request, int error);
unsigned mad_queue_cancel_all(struct mad_queue *queue, int error);
/* The port can no longer be read or written: all that is outstanding ends with the error. */
void mad_queue_lose_port(struct mad_queue *queue, int error);
/* In the child of a fork: child requests end, and what other threads were sending was sent. */
void mad_queue_forget_threads(struct mad_queue *queue);
/* The same, then: begins again to follow up requests. */
void mad_queue_follow_again(struct mad_queue *queue);

/* workers.c: with the engine's lock held, or taken by enter() and released by leave() */
/* For a thread that works for the queue: as mad_engine_enter() and mad_engine_leave(). Another one
 * does what it would have to do next. */
void mad_queue_enter(struct mad_queue *queue, struct mad_waiter *worker);
void mad_queue_leave(struct mad_queue *queue, struct mad_waiter *worker);
/*
 * Waits until the deadline for an event of the queue: a MAD, a timer, a call of another thread.
 * Returns 0, or -ETIMEDOUT when the deadline has passed and everything that had arrived has been
 * read.
 */
int mad_queue_wait(struct mad_queue *queue, struct mad_waiter *waiter, int64_t deadline);
/* Reads what has arrived, and sees to the timers that are due. */
void mad_queue_read_all(struct mad_queue *queue, struct mad_waiter *waiter);

/* slabs.c: memory for requests, with async's lock held */
/* All of it but the response is 0. NULL without memory. */
struct mad_request *mad_slabs_take(struct mad_slabs *slabs);
void mad_slabs_give(struct mad_slabs *slabs, struct mad_request *request);
void mad_slabs_free(struct mad_slabs *slabs);

/* completion.c: requests, from allocation to the end of their callbacks */
int mad_completion_init(struct mad_async *async);
void mad_completion_free(struct mad_async *async);
/* Allocates a request, with its ID. follow_up: whose question it asks, or NULL for a request of the
 * caller. */
int mad_request_new(struct mad_queue *queue, struct mad_async_follow_up *follow_up,
		    struct mad_request **made);
/* Frees a request that was not submitted, or whose reply has been taken. */
void mad_request_discard(struct mad_request *request);
/* The queue of the request with this ID, or NULL. */
struct mad_queue *mad_request_queue(struct mad_async *async, int64_t id);
/* With the lock of that queue's engine held: the request with this ID, unless it is new or done; or
 * NULL. */
struct mad_request *mad_request_find(struct mad_async *async, int64_t id);
/* With the engine's lock held: completes the request; its follow-up, if it has one, can go on. */
void mad_request_complete(struct mad_request *request, int error);
/* Runs the callbacks of the requests that are done at the time of the call, max at most (0: all).
 * Returns their number. */
int mad_completion_run(struct mad_async *async, unsigned max);
/* Waits until a callback is due, or no request is submitted. Returns true before that where this
 * thread is to wait for the descriptor of a pair: no other thread does. */
bool mad_completion_wait(struct mad_async *async, int64_t deadline);
/* Ends the wait of a thread for the descriptor of a pair, where that thread has something to do or
 * nothing is left to wait for. Without any lock. */
void mad_completion_wake_leader(struct mad_async *async);
/* Whether there are requests whose callbacks have not begun. */
bool mad_completion_has_more(struct mad_async *async);
/* Whether this thread is in a callback. */
bool mad_completion_is_in_callback(struct mad_async *async);
/* In the child of a fork: callbacks that other threads were running are over. */
void mad_completion_forget_threads(struct mad_async *async);
/* The descriptor is readable only where a callback is due. */
void mad_completion_settle_event(struct mad_async *async);

/* submit.c */
/* Returns 0, or -EINVAL for a request that cannot be submitted, such as one whose payload would
 * replace its header. */
int mad_async_check(const struct mad_async *async, const ib_rpc_t *rpc, const ib_portid_t *dport,
		    const void *payload);
/* async.c: as mad_async_create(). Returns 0 with *made, or -errno. second may be NULL. */
int mad_async_make(struct ibmad_port *first, struct ibmad_port *second,
		   const struct mad_async_options *options, struct mad_async **made);
/* As mad_async_free(), of what no thread uses. */
void mad_async_end(struct mad_async *async);
/* As mad_async_cancel() of all. */
unsigned mad_async_cancel_all(struct mad_async *async);
/* dispatch.c: as mad_async_dispatch(). Returns the number of callbacks run, or -errno. */
int mad_async_run(struct mad_async *async, unsigned max, int timeout_ms);
/* A checked request: of the caller, or with the question of a follow-up. */
struct mad_submission {
	const ib_rpc_t *rpc;
	const ib_portid_t *dport;
	const ib_rmpp_hdr_t *rmpp;
	const void *payload;
	mad_async_callback callback;
	void *context;
	struct mad_async_follow_up *follow_up;
	int attempts;	  /* 0: as the options say */
	int64_t deadline; /* or MAD_NO_DEADLINE */
};
/* Submits it. Returns the ID, or -errno. */
int64_t mad_async_hand_in(struct mad_async *async, const struct mad_submission *submission);
struct mad_queue *mad_async_queue(struct mad_async *async, int mgmt_class);

/* followups.c: without any lock */
/* Goes on with all follow-ups of the queue that can. */
void mad_follow_ups_run(struct mad_queue *queue);
/* With the engine's lock held, or none needed. */
void mad_follow_ups_free(struct mad_queue *queue);

/* service.c: the thread that works for the queues */
/* Without waiting: sends, reads and sees to the timers. */
void mad_async_step(struct mad_async *async);
int mad_service_start(struct mad_async *async); /* 0 or -errno */
/* In the child of a fork, restarts it. Returns 0 or -errno. */
int mad_service_restore(struct mad_async *async);
void mad_service_stop(struct mad_async *async);

/* watch.c: the descriptor of mad_async_get_fd() */
int mad_watch_open(struct mad_async *async); /* 0 or -errno */
void mad_watch_close(struct mad_async *async);
/* In the child of a fork: others, which the parent does not share, with the same numbers. */
void mad_watch_reopen(struct mad_async *async);
/* With the engine's lock held, and while no thread works for the queue: there is something to do;
 * the timers have changed. */
void mad_watch_signal(struct mad_queue *queue);
void mad_watch_set_timer(struct mad_queue *queue);
/* The port can no longer be read. */
void mad_watch_drop_port(struct mad_queue *queue);

#endif
