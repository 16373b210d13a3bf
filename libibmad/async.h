/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * What asynchronous requests are made of. A lane is one port's share: its queue, its window and its
 * timers, all guarded by the lock of the port's engine. What has completed waits in a list of the
 * whole struct mad_async, which has a lock of its own; that one is taken last, and only for
 * moments.
 */
#ifndef LIBIBMAD_ASYNC_H
#define LIBIBMAD_ASYNC_H

#include <stdatomic.h>
#include <sys/queue.h>

#include <infiniband/umad.h>

#include "fork.h"
#include "inflight.h"
#include "internal.h"
#include "port.h"

#define MAD_ASYNC_LANES 2

/* Memory that is kept for later use: requests, responses, destinations of each kind. */
#ifndef MAD_ASYNC_SPARES_MAX /* the simulation decides */
#define MAD_ASYNC_SPARES_MAX MAD_ASYNC_MAX_WINDOW
#endif

enum mad_async_place {
	MAD_ASYNC_QUEUED,    /* in its lane's queue */
	MAD_ASYNC_PARKED,    /* behind others to its destination */
	MAD_ASYNC_FLYING,    /* being sent, or in flight; in no list */
	MAD_ASYNC_ATTENTION, /* in flight, and a thread of the lane has to do something for it */
	MAD_ASYNC_DONE,	     /* its callback is due, or runs */
};

/* What a request in flight takes up. */
enum mad_async_share {
	MAD_ASYNC_NO_SHARE,	/* it waits for requests of its own: see async_redirect.c */
	MAD_ASYNC_IN_WINDOW,	/* a place in the window */
	MAD_ASYNC_AMONG_SILENT, /* it is out for long, or goes to a silent destination */
	MAD_ASYNC_SHARES,
};

/* Room for a response; there is one for each request in flight. */
struct mad_async_response {
	SLIST_ENTRY(mad_async_response) link;
	uint8_t mad[IB_MAD_SIZE];
};

struct mad_async_request {
	struct mad_transaction transaction;	/* first: the engine hands back a pointer to it */
	struct mad_hash_node by_id;		/* in the table of the struct mad_async */
	TAILQ_ENTRY(mad_async_request) link;	/* in the list of its place */
	TAILQ_ENTRY(mad_async_request) in_lane; /* until it is done */
	struct mad_lane *lane;
	struct mad_destination *destination; /* while parked or in flight */
	struct mad_async_response *response; /* while in flight, and until the callback is over */
	mad_async_callback *callback;	     /* NULL: see lookup */
	void *context;
	struct mad_redirect_lookup *lookup; /* the request is made to resolve a redirect */
	uint64_t destination_key;
	int64_t due;	/* when its timer has something to do */
	unsigned timer; /* its place in the lane's heap, from 1; 0: none */
	enum mad_async_place place;
	enum mad_async_share share;
	bool is_probe; /* goes out though its destination is silent */
	int error;
	ib_portid_t portid;
	int data_offset; /* where the data of its class begin */
	int data_length; /* what its class has as data, in one MAD */
	uint64_t umad[(sizeof(struct ib_user_mad) + IB_MAD_SIZE) / sizeof(uint64_t)];
};

TAILQ_HEAD(mad_async_list, mad_async_request);
SLIST_HEAD(mad_async_responses, mad_async_response);

/*
 * A port that requests are out to, or wait for. One that has not responded yet gets few at a time;
 * one that is silent gets further ones only outside of the window, so that it holds up no others.
 * What it can't get yet is parked here, and goes out from here: a destination that may get some of
 * it is ready.
 */
struct mad_destination {
	struct mad_hash_node node; /* by destination_key */
	TAILQ_ENTRY(mad_destination) in_ready;
	struct mad_destination_list *ready; /* the list that it is in, or NULL */
	SLIST_ENTRY(mad_destination) in_spare;
	unsigned in_flight;
	bool responds; /* to the last request that ended */
	bool silent;   /* no response since a request became slow, or ended without one */
	struct mad_async_list parked;
};

TAILQ_HEAD(mad_destination_list, mad_destination);

struct mad_lane {
	struct mad_async *async;
	struct ibmad_port *port;
	struct mad_engine *engine;
	unsigned
		window; /* the most that shares IN_WINDOW may count, and AMONG_SILENT to get more */
	unsigned shares[MAD_ASYNC_SHARES]; /* requests in flight, by share */
	unsigned in_flight;		   /* all of them */
	unsigned outstanding;		   /* submitted and not done */
	int failed;			   /* -errno: the port is gone */
	int64_t round_trip;		   /* smoothed, ns; 0: none measured yet */
	struct mad_async_list all;	   /* outstanding, oldest first */
	struct mad_async_list queue;	   /* to be sent, oldest first */
	struct mad_async_list attention;   /* see MAD_ASYNC_ATTENTION */
	struct mad_async_request **timers; /* heap, by due; [1] is the first */
	unsigned timer_count;
	unsigned timer_room;
	struct mad_hash destinations;
	struct mad_destination_list ready;	  /* may get what is parked, within the window */
	struct mad_destination_list ready_silent; /* the same, outside of it */
	SLIST_HEAD(, mad_destination) spare_destinations;
	unsigned spare_destination_count;
	struct mad_async_responses spare_responses;
	struct mad_waiter_list workers; /* threads that work for the lane, while they wait */
	pthread_t pump;
	pthread_cond_t pump_idle; /* the pump waits here while nothing is out */
	bool has_pump;
	bool pump_is_idle;
	bool stops;
	bool launches; /* a thread does, and goes on while there is something to launch */
};

STAILQ_HEAD(mad_lookup_list, mad_redirect_lookup);

struct mad_async {
	struct mad_lane lanes[MAD_ASYNC_LANES];
	unsigned lane_count;
	unsigned max_queued;
	int timeout_ms;
	int retries;
	struct mad_fork_member fork_member;
	pthread_mutex_t lock; /* guards what follows; taken after an engine's lock */
	pthread_cond_t changed;
	struct mad_hash ids;
	uint64_t last_id;
	struct mad_async_list done;	/* callbacks are due */
	struct mad_lookup_list lookups; /* those that can go on */
	struct mad_async_list spare;
	unsigned spare_count;
	struct mad_async_responses spare_responses; /* the lanes take them, all at once */
	unsigned spare_response_count;
	unsigned reserved; /* being submitted */
	unsigned pending;  /* submitted, and callback not over */
	unsigned running;  /* of them, callbacks under way */
	atomic_uint done_count;
	atomic_uint lookup_count;
	atomic_bool pumped;	/* threads do the work */
	atomic_bool pumps_lost; /* they are the parent's of a fork */
	bool closing;
	int event_fd; /* -1: not asked for */
};

/* timers.c: all with the engine's lock held */
int mad_timers_reserve(struct mad_lane *lane);
void mad_timers_set(struct mad_lane *lane, struct mad_async_request *request, int64_t due);
void mad_timers_clear(struct mad_lane *lane, struct mad_async_request *request);

/* destinations.c: all with the engine's lock held */
uint64_t mad_destination_key(const ib_portid_t *portid, int mgmt_class);
bool mad_destination_admit(struct mad_lane *lane, struct mad_async_request *request);
bool mad_destination_has_next(const struct mad_lane *lane);
struct mad_async_request *mad_destination_take_next(struct mad_lane *lane);
void mad_destination_mark_silent(struct mad_lane *lane, struct mad_async_request *request);
void mad_destination_leave(struct mad_lane *lane, struct mad_async_request *request, int error);
void mad_destination_unpark(struct mad_lane *lane, struct mad_async_request *request);
void mad_destinations_init(struct mad_lane *lane);
void mad_destinations_free(struct mad_lane *lane);

/* lane.c: all with the engine's lock held */
void mad_lane_init(struct mad_lane *lane, struct mad_async *async, struct ibmad_port *port,
		   unsigned window);
void mad_lane_free(struct mad_lane *lane);
void mad_lane_submit(struct mad_lane *lane, struct mad_async_request *request);
/* Sends what can be sent now. */
void mad_lane_work(struct mad_lane *lane);
/*
 * Waits for something to do for the lane until the deadline: a MAD, a timer, another thread's call.
 * Returns 0, or -ETIMEDOUT when the deadline has passed and all that had arrived has been read.
 */
int mad_lane_wait(struct mad_lane *lane, struct mad_waiter *waiter, int64_t deadline);
void mad_lane_changed(struct mad_transaction *transaction);
/* The machine of a request has made a step: does what it decided, or has it done. */
void mad_lane_follow(struct mad_lane *lane, struct mad_async_request *request);
void mad_lane_set_share(struct mad_lane *lane, struct mad_async_request *request,
			enum mad_async_share share);
bool mad_lane_cancel(struct mad_lane *lane, struct mad_async_request *request, int error);
unsigned mad_lane_cancel_all(struct mad_lane *lane, int error);
void mad_lane_wake(struct mad_lane *lane);
void mad_lane_forget_threads(struct mad_lane *lane);

/* pump.c */
int mad_pump_start(struct mad_lane *lane);
void mad_pump_stop(struct mad_lane *lane);

/* completion.c: requests, from being made to the end of their callbacks */
int mad_completion_init(struct mad_async *async);
void mad_completion_free(struct mad_async *async);
void mad_responses_free(struct mad_async_responses *responses);
/* A request that is not submitted yet. A lookup's (see async_redirect.c) is none of the caller's.
 */
int mad_request_new(struct mad_async *async, struct mad_redirect_lookup *lookup,
		    struct mad_async_request **made);
/* Of a request that could not be submitted, or has served its lookup. */
void mad_request_discard(struct mad_async *async, struct mad_async_request *request);
/* With the engine's lock held: gives the request its id. */
uint64_t mad_request_register(struct mad_async *async, struct mad_async_request *request);
/* The lane that the id belongs to, or NULL. */
struct mad_lane *mad_request_lane(struct mad_async *async, uint64_t id);
/* With the lock of that lane's engine held: the request that has the id and is not done, or NULL.
 */
struct mad_async_request *mad_request_find(struct mad_async *async, uint64_t id);
/* With the engine's lock held: the request is over. */
void mad_request_complete(struct mad_async_request *request, int error);
/* With the engine's lock held: takes the room of all responses whose callbacks are over. */
void mad_completion_take_spares(struct mad_async *async, struct mad_async_responses *responses);
/* Calls the callbacks of as many requests as were done when this began. Returns how many. */
int mad_completion_run(struct mad_async *async);
/* Waits until a callback is due or nothing is submitted, while pumps do the work. */
void mad_completion_wait(struct mad_async *async, int64_t deadline);
/* Whether there are requests whose callbacks have not begun. */
bool mad_completion_has_more(struct mad_async *async);
void mad_completion_forget_threads(struct mad_async *async);

/* async_redirect.c: redirects to a GID without a LID, which takes requests of its own */
/* With the engine's lock held: gives the request the address of its redirect, now or later. */
void mad_async_readdress(struct mad_lane *lane, struct mad_async_request *request);
/* With the engine's lock held: a request of a lookup is over. */
void mad_lookup_take_response(struct mad_async_request *request, int error);
bool mad_lookup_is_ready(const struct mad_async *async);
/* Without any lock: goes on with all lookups that can go on. */
void mad_lookup_run(struct mad_async *async);
void mad_lookup_free(struct mad_async *async);

/* async_submit.c */
int mad_async_submit_rmpp(struct mad_async *async, const ib_rpc_t *rpc, const ib_portid_t *dport,
			  const ib_rmpp_hdr_t *rmpp, const void *payload,
			  mad_async_callback *callback, void *context, uint64_t *id);
/* A request of a lookup. Returns 0 or -errno. */
int mad_async_submit_lookup(struct mad_async *async, const ib_rpc_t *rpc, const ib_portid_t *dport,
			    const void *payload, struct mad_redirect_lookup *lookup);
struct mad_lane *mad_async_lane(struct mad_async *async, int mgmt_class);

/* async.c: in the child of a fork, starts the threads that work for the lanes again. */
int mad_async_restore_pumps(struct mad_async *async);

#endif
