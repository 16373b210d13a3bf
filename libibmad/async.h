/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * What asynchronous requests are made of. A lane is one port's share: its
 * queue, its window and its timers, all guarded by the lock of the port's
 * engine. What has completed waits in a list of the whole struct mad_async,
 * which has a lock of its own; that one is taken last, and only for moments.
 */
#ifndef LIBIBMAD_ASYNC_H
#define LIBIBMAD_ASYNC_H

#include <infiniband/umad.h>

#include "engine.h"
#include "internal.h"
#include "port.h"

#define MAD_ASYNC_LANES		      2
#define MAD_ASYNC_REQUESTS_A_CHUNK    64
#define MAD_ASYNC_DESTINATION_BUCKETS 1024

enum mad_async_place {
	MAD_ASYNC_FREE,
	MAD_ASYNC_QUEUED,  /* in its lane's queue */
	MAD_ASYNC_PARKED,  /* behind others to its destination */
	MAD_ASYNC_SENDING, /* a thread is in umad_send() with it */
	MAD_ASYNC_WAITING, /* in flight */
	MAD_ASYNC_DONE,	   /* its callback is due, or runs */
};

/* Room for an answer; there is one for each request in flight. */
struct mad_async_answer {
	struct mad_async_answer *next;
	uint8_t mad[IB_MAD_SIZE];
};

struct mad_async_request {
	struct mad_transaction transaction; /* first: the engine hands back a pointer to it */
	struct mad_async_request *next;	    /* in the list that it is in */
	struct mad_async_request *previous;
	struct mad_lane *lane;
	struct mad_destination *destination; /* while parked or in flight */
	struct mad_async_answer *answer;
	mad_async_callback *callback;
	void *context;
	_Atomic uint64_t id; /* 0: free */
	uint64_t destination_key;
	int64_t due;	    /* when its timer has something to do */
	int64_t deadline;   /* of the try that is out */
	int64_t grace_ends; /* until when the kernel may still hold an earlier try; 0:
			       not waited for */
	uint32_t index;	    /* of its place in the chunks */
	uint32_t generation;
	unsigned timer; /* its place in the lane's heap, from 1; 0: none */
	unsigned tries; /* sent so far */
	int error;
	uint8_t place;
	uint8_t redirects;
	bool in_window;
	bool slow;	      /* out for so long that it has left the window */
	bool cancelled;	      /* while it is being sent */
	bool wants_attention; /* in the lane's list of what has to be looked at, not
				 in flying */
	bool is_probe;	      /* goes out though others to its destination are parked */
	ib_portid_t portid;
	int data_length; /* what its class has as data, in one MAD */
	uint64_t umad[(sizeof(struct ib_user_mad) + IB_MAD_SIZE) / sizeof(uint64_t)];
};

struct mad_async_list {
	struct mad_async_request *first;
	struct mad_async_request *last;
};

/*
 * A port that requests are out to, or wait for. One that has not answered yet
 * gets few at a time; one with a slow request gets no further ones until that
 * is answered or given up. What it can't get yet is parked here, and goes out
 * from here: a destination that may get some of it is ready.
 */
struct mad_destination {
	struct mad_destination *next; /* in its bucket, or in the spare ones */
	struct mad_destination *previous_ready;
	struct mad_destination *next_ready;
	uint64_t key;
	unsigned in_flight;
	unsigned slow;
	bool answers;
	bool gave_up; /* its last request got no answer: the next one is a probe */
	bool is_ready;
	struct mad_async_list parked;
};

struct mad_lane {
	struct mad_async *async;
	struct ibmad_port *port;
	struct mad_engine *engine;
	unsigned window;
	unsigned in_window;
	unsigned in_flight;		   /* slow ones included */
	unsigned outstanding;		   /* submitted and not done */
	int failed;			   /* -errno: the port is gone */
	int64_t round_trip;		   /* smoothed, ns; 0: none measured yet */
	struct mad_async_list queue;	   /* to be sent, oldest first */
	struct mad_async_list flying;	   /* being sent, and in flight */
	struct mad_async_list attention;   /* in flight, and something has happened to them */
	struct mad_async_request **timers; /* heap, by due; [1] is the first */
	unsigned timer_count;
	unsigned timer_room;
	struct mad_destination *destinations[MAD_ASYNC_DESTINATION_BUCKETS];
	struct mad_destination *spare_destinations;
	struct mad_destination *first_ready;
	struct mad_destination *last_ready;
	struct mad_async_answer *spare_answers;
	pthread_t pump;
	pthread_cond_t pump_idle; /* the pump waits here while nothing is out */
	bool has_pump;
	bool stops;
	bool launches; /* a thread does, and goes on while there is something to
			  launch */
};

struct mad_async {
	struct mad_lane lanes[MAD_ASYNC_LANES];
	unsigned lane_count;
	unsigned max_queued;
	int timeout_ms;
	int retries;
	pthread_mutex_t lock; /* guards what follows; taken after an engine's lock */
	pthread_cond_t changed;
	struct mad_async_list done;
	struct mad_async_list spare;
	struct mad_async_request **chunks;
	unsigned chunk_count;
	unsigned pending; /* submitted, and callback not over */
	unsigned running; /* of them, callbacks under way */
	atomic_uint done_count;
	atomic_bool pumped; /* threads do the work */
	bool closing;
	int event_fd; /* -1: not asked for */
};

/* lists.c */
void mad_async_append(struct mad_async_list *list, struct mad_async_request *request);
void mad_async_prepend(struct mad_async_list *list, struct mad_async_request *request);
void mad_async_remove(struct mad_async_list *list, struct mad_async_request *request);

/* timers.c: all with the engine's lock held */
int mad_timers_reserve(struct mad_lane *lane);
void mad_timers_set(struct mad_lane *lane, struct mad_async_request *request, int64_t due);
void mad_timers_clear(struct mad_lane *lane, struct mad_async_request *request);

/* destinations.c: all with the engine's lock held */
struct mad_async_request *mad_destinations_first_parked(const struct mad_lane *lane,
							unsigned *bucket);
uint64_t mad_destination_key(const ib_portid_t *portid, int mgmt_class);
bool mad_destination_admit(struct mad_lane *lane, struct mad_async_request *request);
struct mad_async_request *mad_destination_next(const struct mad_lane *lane);
bool mad_destination_next_is_probe(const struct mad_lane *lane);
void mad_destination_launch_next(struct mad_lane *lane);
void mad_destination_mark_slow(struct mad_lane *lane, struct mad_async_request *request);
void mad_destination_leave(struct mad_lane *lane, struct mad_async_request *request, bool answered);
void mad_destination_unpark(struct mad_lane *lane, struct mad_async_request *request);
void mad_destinations_free(struct mad_lane *lane);

/* lane.c: all with the engine's lock held */
void mad_lane_submit(struct mad_lane *lane, struct mad_async_request *request);
void mad_lane_work(struct mad_lane *lane);
bool mad_lane_has_work(const void *lane);
int64_t mad_lane_next_look(const struct mad_lane *lane);
void mad_lane_settled(struct mad_transaction *transaction);
bool mad_lane_cancel(struct mad_lane *lane, struct mad_async_request *request, int error);
unsigned mad_lane_cancel_all(struct mad_lane *lane, int error);
void mad_lane_fail(struct mad_lane *lane, int error);
void mad_lane_recycle(struct mad_lane *lane, struct mad_async_request *request);

/* pump.c */
int mad_pump_start(struct mad_lane *lane);
void mad_pump_stop(struct mad_lane *lane);
void mad_pump_wake(struct mad_lane *lane);

/* async.c */
int mad_async_submit_rmpp(struct mad_async *async, const ib_rpc_t *rpc, const ib_portid_t *dport,
			  const ib_rmpp_hdr_t *rmpp, bool with_sa_key, const void *payload,
			  mad_async_callback *callback, void *context, uint64_t *id);
void mad_async_complete(struct mad_async_request *request, int error);

#endif
