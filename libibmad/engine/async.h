/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Asynchronous objects: a program's requests on one port. Requests that were submitted are sent
 * while the window permits, in an order that is fair to all destinations; callbacks that are due
 * wait for a thread in mad_async_dispatch(). The lock of the port guards all of it.
 */
#ifndef LIBIBMAD_ASYNC_H
#define LIBIBMAD_ASYNC_H

#include <stdatomic.h>
#include <sys/queue.h>

#include "libibmad/engine/request.h"

/* Memory for so many destinations is kept. */
#ifndef MAD_ASYNC_SPARES_MAX /* the simulation decides */
#define MAD_ASYNC_SPARES_MAX MAD_ASYNC_MAX_WINDOW
#endif

enum mad_item_state {
	MAD_ITEM_QUEUED,    /* among the unsent requests of its object */
	MAD_ITEM_BACKLOG,   /* behind other requests to its destination */
	MAD_ITEM_IN_FLIGHT, /* begun; in no list of the object */
	MAD_ITEM_DONE,	    /* the callback is due, or running */
};

/* Limits that requests in flight count against. */
enum mad_share {
	MAD_SHARE_NONE,		/* not in flight, in a line (line.h), or slow */
	MAD_SHARE_WINDOW,	/* the window */
	MAD_SHARE_UNRESPONSIVE, /* the limit for unresponsive destinations */
	MAD_SHARES,
};

struct mad_item {
	struct mad_request request;   /* first */
	struct mad_hash_node by_id;   /* in the ID table of the object */
	TAILQ_ENTRY(mad_item) link;   /* in the list that its state names */
	TAILQ_ENTRY(mad_item) in_all; /* until it is done */
	struct mad_async *async;
	struct mad_destination *destination; /* in its backlog, or in flight */
	mad_async_callback callback;
	void *context;
	enum mad_item_state state;
	enum mad_share share;
	bool is_slow; /* counts in the slow ones of its object until it ends */
	ib_portid_t to;
	pthread_t caller; /* the thread in the callback */
	int data_offset;  /* offset of the data of its class */
	int data_length;  /* bytes of data of its class in one MAD */
	uint64_t umad[MAD_REQUEST_WORDS];
	uint8_t response[IB_MAD_SIZE];
};

TAILQ_HEAD(mad_item_list, mad_item);
TAILQ_HEAD(mad_destination_list, mad_destination);

/*
 * The state of a destination: a port to which requests are in flight or waiting. One that has not
 * responded yet gets few requests at a time; an unresponsive one gets further requests only outside
 * the window, so that it delays no other. Requests beyond these limits wait here until they may be
 * sent; a destination whose backlog may be sent is ready.
 */
struct mad_destination {
	struct mad_hash_node node; /* by its address */
	TAILQ_ENTRY(mad_destination) in_ready;
	struct mad_destination_list *ready; /* the list that contains it, or NULL */
	unsigned in_flight;
	unsigned waiting;  /* in its backlog */
	bool responds;	   /* responded to the last request that ended */
	bool unresponsive; /* no response since a request became slow, or ended without one */
	struct mad_item_list backlog;
};

struct mad_async {
	LIST_ENTRY(mad_async) link; /* of its engine */
	LIST_ENTRY(mad_async) link_unsettled;
	bool is_unsettled; /* may send something now */
	struct ibmad_port *port;
	struct mad_engine *engine;
	unsigned window; /* limit of shares[WINDOW] and shares[UNRESPONSIVE] */
	unsigned max_queued;
	int timeout_ms;
	int attempts;
	int failed;   /* -errno: why the port is unusable */
	bool closing; /* requests are refused */
	struct mad_hash ids;
	int64_t last_id;

	/* Requests: see queue.c and destinations.c. */
	unsigned shares[MAD_SHARES]; /* requests in flight, by limit */
	struct mad_item_list all;    /* submitted and not done, oldest first */
	struct mad_item_list unsent; /* waiting to be sent, oldest first */
	struct mad_hash destinations;
	struct mad_destination_list ready;		/* backlogs may be sent in the window */
	struct mad_destination_list ready_unresponsive; /* likewise, outside the window */
	struct mad_line lines[MAD_LIMITED_AGENTS];	/* see line.h */

	/* Callbacks and outcomes: see callbacks.c. */
	struct mad_waiter_list dispatchers; /* threads that sleep until a callback is due */
	struct mad_item_list done;	    /* are due */
	struct mad_item_list called;	    /* are running */
	struct mad_item_list kept;	    /* over, and without a callback */
	struct mad_item *shown;		    /* returned last by mad_async_next(); or NULL */
	atomic_uint pending;		    /* submitted, and callback not over */
	unsigned running;		    /* of these, callbacks running */
	atomic_uint slow;		    /* outside the window, or behind such in a backlog */

	/* The descriptor: see watch.c. */
	struct mad_watch watch; /* with an event when callbacks are due */
	int64_t armed;		/* the time of its timer; MAD_NO_DEADLINE: not set */
	bool is_watched;	/* somebody waits for it */
};

/* The item that the request is, or NULL. */
static inline struct mad_item *mad_item_of(struct mad_request *request)
{
	return request->waiter || request->parent ? NULL : (struct mad_item *)request;
}

static inline void mad_async_unsettle(struct mad_async *async)
{
	if (!async->is_unsettled)
		LIST_INSERT_HEAD(&async->engine->unsettled, async, link_unsettled);
	async->is_unsettled = true;
	async->engine->is_unsettled = true;
}

/* Everything below is called with the lock held, but for what says otherwise. */

/* destinations.c */
void mad_destinations_init(struct mad_async *async);
void mad_destinations_free(struct mad_async *async);
/* The object has no requests: frees what it knows of its destinations, but of a single one, since
 * memory that was allocated after a long queue would keep that of the queue from the system. */
void mad_destinations_forget(struct mad_async *async);
/* Whether the item may be sent now: it then counts as in flight. Otherwise it joins the backlog. If
 * there is no memory for the state of its destination, it may be sent. */
bool mad_destination_admit(struct mad_async *async, struct mad_item *item);
/* Takes the item that is to be sent next out of its backlog, or NULL; it then counts as in
 * flight. */
struct mad_item *mad_destination_take_next(struct mad_async *async);
/* The item is slow: it has had no response for several round trips. */
void mad_destination_doubt(struct mad_async *async, struct mad_item *item);
/* The item has left its backlog, or flight: error is what it ended with, 0 a response. */
void mad_destination_leave(struct mad_async *async, struct mad_item *item, int error);

void mad_item_set_share(struct mad_item *item, enum mad_share share);
bool mad_item_is_unresponsive(const struct mad_item *item);
/* When its timer is due, where its request needs nothing until then. */
int64_t mad_item_due(const struct mad_item *item, int64_t until);
/* Before the request is sent: an item counts against the window, or does not fit in (false). */
bool mad_item_enter_window(struct mad_request *request);
/* An item is slow, and leaves the window. */
void mad_item_slow_down(struct mad_request *request);

/* callbacks.c */
/* A callback is due: wakes a thread that dispatches, unless the caller does. */
void mad_async_notify(struct mad_async *async);
void mad_item_free(struct mad_item *item);
/* Takes back the item that was just submitted, and has ended already. */
void mad_async_take_back(struct mad_item *item);
/* Without the lock: frees the outcomes for mad_async_next(). */
void mad_async_free_kept(struct mad_async *async);
/* In the child of a fork: callbacks of other threads are over. */
void mad_async_end_callbacks(struct mad_async *async);
/* Without the lock: runs the callbacks that are due, max at most (0: all). Returns their number. */
int mad_async_call_back(struct mad_async *async, unsigned max);

/* queue.c */
/* The request of a program, which is checked (requests/async.c). */
struct mad_submission {
	ib_rpc_t *rpc; /* may change */
	const ib_portid_t *to;
	const ib_rmpp_hdr_t *rmpp;
	const void *payload;
	mad_async_callback callback;
	void *context;
	int attempts;	  /* 0: as the options say */
	int64_t deadline; /* or MAD_NO_DEADLINE */
	unsigned options; /* enum mad_request_option */
};
/* Makes an item, which mad_async_send() sends. Returns 0 or -errno. */
int mad_item_add(struct mad_async *async, const struct mad_submission *submission,
		 struct mad_item **made);
/* The request of the item, which has been removed, has ended. */
void mad_item_finish(struct mad_item *item);
/* Has all that can be sent now sent. */
void mad_async_send(struct mad_async *async);
/* Decides that all requests end. Returns their number. */
unsigned mad_async_end_all(struct mad_async *async, int error);
/* The port can no longer be read or written. */
void mad_async_lose_port(struct mad_async *async, int error);

/* watch.c: the descriptor of mad_async_get_fd() */
int mad_async_open_fd(struct mad_async *async);	   /* 0 or -errno */
void mad_async_reopen_fd(struct mad_async *async); /* in the child of a fork */
/* A thread leaves the engine: where no other waits, its timers are the descriptors'. */
void mad_async_update_timers(struct mad_engine *engine);
void mad_async_drop_port(struct mad_async *async);

/* async.c, without the lock */
int64_t mad_async_add(struct mad_async *async, const struct mad_submission *submission);

#endif
