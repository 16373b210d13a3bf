/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Many requests in flight: submit any number of requests on an open port, and get a callback for
 * each when it has its response, its last attempt has timed out, or it is cancelled.
 *
 *	struct mad_async *async = mad_async_create(port, NULL);
 *	mad_async_smp_get(async, &portid, IB_ATTR_NODE_INFO, 0, callback, context, NULL);
 *	...
 *	while (mad_async_dispatch(async, -1) > 0)
 *		;
 *	mad_async_destroy(async);
 *
 * Requests are sent in the order in which they were submitted, with at most a window of them in
 * flight, and complete in the order in which responses arrive. A destination that does not respond
 * leaves the window and delays no others; further requests to such destinations are sent outside
 * the window, with at most as many in flight as the window allows.
 *
 * Every submitted request completes exactly once, by one call of its callback, with no lock held:
 * a callback may submit and cancel. Callbacks run within mad_async_dispatch() and
 * mad_async_destroy() and nowhere else. All functions but mad_async_destroy() may be called by any
 * number of threads at the same time, and blocking calls on the same port work meanwhile. A thread
 * can be cancelled (pthread_cancel(3)) while it waits in mad_async_dispatch(), and in a callback.
 * In the child of a fork(), existing objects can be used and destroyed; requests in flight belong
 * to both processes, and either may receive a response. siglongjmp(3) out of a callback leaves the
 * object unusable.
 */
#ifndef INFINIBAND_MAD_ASYNC_H
#define INFINIBAND_MAD_ASYNC_H

#include <stddef.h>
#include <stdint.h>

#include <infiniband/mad.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The default window. SMPs travel on VL15, which has no flow control: switches drop SMPs that
 * arrive faster than they can process them, and the request waits for its timeout. The SMA of a
 * switch processes a few thousand SMPs a second and queues some tens; 16 keeps real fabrics busy
 * without losses.
 */
#define MAD_ASYNC_DEFAULT_WINDOW 16

/* The kernel queues any number of sends, its QPs hold 128; more requests in flight gain nothing. */
#define MAD_ASYNC_MAX_WINDOW 4096

/* Requests on one port (or pair of ports), in flight and queued. */
struct mad_async;

/* Options of mad_async_create(); 0 in any member is its default. */
struct mad_async_options {
	size_t size;	     /* sizeof(struct mad_async_options) */
	unsigned window;     /* requests in flight, 1 to MAD_ASYNC_MAX_WINDOW */
	unsigned max_queued; /* requests submitted, callback not begun; default: no limit */
	int timeout_ms; /* ms per attempt, for requests without their own; default: the port's */
	int retries;	/* attempts, for requests without their own; default: the port's */
};

/* The outcome of a request. Its pointers are valid until the callback returns. */
struct mad_async_result {
	uint64_t id;	 /* as the submitting function returned it */
	int error;	 /* 0, or the errno that the blocking call would have set; ECANCELED */
	unsigned status; /* MAD status of the response, without its bit 15; if it is not 0, error
			  * is EIO; 0 without a response */
	const uint8_t *data; /* the data of the response; NULL without a response */
	size_t data_length;  /* bytes received at data, as an RMPP header counts them; at most
			      * rpc->datasz for a response of one MAD */
	const uint8_t *mad;  /* the whole response; NULL without one */
	size_t mad_length;   /* bytes at mad; above 256 for responses of several MADs (RMPP) */
	const ib_portid_t *portid; /* the final destination, after redirects */
	unsigned tries;		   /* how often the request was sent */
};

/* Called once for each request, with the context passed when it was submitted. */
typedef void mad_async_callback(struct mad_async *async, const struct mad_async_result *result,
				void *context);

/*
 * Prepares asynchronous requests on an open port, which must stay open until mad_async_destroy().
 * options may be NULL. Several may exist on one port. Returns NULL with EINVAL or ENOMEM.
 */
struct mad_async *mad_async_create(struct ibmad_port *port,
				   const struct mad_async_options *options);

/*
 * As mad_async_create(), on both ports of a pair: requests of classes 0x01 and 0x81 go out on
 * pair->smi, all others on pair->gsi. The window counts for each of the two. Starts a thread for
 * each port, since one thread can't wait on two.
 */
struct mad_async *mad_async_create_pair(struct ibmad_ports_pair *pair,
					const struct mad_async_options *options);

/*
 * Completes every remaining request with ECANCELED, by calling its callback, and frees everything.
 * No other thread may be in or enter a call on async. Requests submitted meanwhile are refused.
 * Must not be called from a callback. NULL is ignored.
 */
void mad_async_destroy(struct mad_async *async);

/*
 * Submits any request: rpc (version 0, version 1 or CC form) and payload as for mad_rpc(), both
 * copied. rpc->timeout is per attempt; rpc->trid 0 chooses a transaction ID. Responses of any size
 * are returned whole. *id (if id is not NULL) identifies the request for mad_async_cancel().
 * Returns 0; -1 with errno and without a callback: EINVAL (a class that is not registered on the
 * port, lengths, a path), ENOBUFS (max_queued), ENOMEM, ECANCELED (being destroyed), or ENODEV or
 * EIO if the port is gone.
 */
int mad_async_submit(struct mad_async *async, const ib_rpc_t *rpc, const ib_portid_t *dport,
		     const void *payload, mad_async_callback *callback, void *context,
		     uint64_t *id);

/* SMP Get of 64 bytes, by LID or directed route as smp_query_via() chooses. Otherwise as
 * mad_async_submit(). */
int mad_async_smp_get(struct mad_async *async, const ib_portid_t *portid, unsigned attrid,
		      unsigned mod, mad_async_callback *callback, void *context, uint64_t *id);

/* SMP Set of the 64 bytes at data, as mad_async_smp_get(). */
int mad_async_smp_set(struct mad_async *async, const ib_portid_t *portid, unsigned attrid,
		      unsigned mod, const void *data, mad_async_callback *callback, void *context,
		      uint64_t *id);

/*
 * PerfMgt Get of counter attribute attrid (IB_GSI_PORT_COUNTERS and so on) of port number port at
 * portid: as pma_query_via(). The result's data is the attribute.
 */
int mad_async_perf_get(struct mad_async *async, const ib_portid_t *portid, int port,
		       unsigned attrid, mad_async_callback *callback, void *context, uint64_t *id);

/* PerfMgt Set that clears the counters that mask selects: as performance_reset_via(). */
int mad_async_perf_reset(struct mad_async *async, const ib_portid_t *portid, int port,
			 unsigned mask, unsigned attrid, mad_async_callback *callback,
			 void *context, uint64_t *id);

/*
 * SA request: sa's method, attribute, modifier and mask with the 200 bytes at record (NULL: zeros).
 * The records of a table are the result's data, sa attribute offset times 8 bytes each
 * (IB_SA_ATTROFFS_F of the result's mad).
 */
int mad_async_sa_call(struct mad_async *async, const ib_portid_t *portid, const ib_sa_call_t *sa,
		      const void *record, mad_async_callback *callback, void *context,
		      uint64_t *id);

/* Congestion control Get with a CC key (host byte order): as cc_query_status_via(). */
int mad_async_cc_get(struct mad_async *async, const ib_portid_t *portid, unsigned attrid,
		     unsigned mod, uint64_t cckey, mad_async_callback *callback, void *context,
		     uint64_t *id);

/* Congestion control Set of the 192 bytes at data (224 for the log): as cc_config_status_via(). */
int mad_async_cc_set(struct mad_async *async, const ib_portid_t *portid, unsigned attrid,
		     unsigned mod, uint64_t cckey, const void *data, mad_async_callback *callback,
		     void *context, uint64_t *id);

/*
 * Vendor request of either range with the data that ib_vendor_call_via() takes (NULL: zeros). Only
 * for methods that have a response (Get, Set, Trap).
 */
int mad_async_vendor_call(struct mad_async *async, const ib_portid_t *portid,
			  const ib_vendor_call_t *call, const void *data,
			  mad_async_callback *callback, void *context, uint64_t *id);

/*
 * Cancels a request: a later mad_async_dispatch() calls its callback with ECANCELED. A response
 * that arrives later is dropped. Returns 0; -1 with ENOENT if the request has completed already.
 */
int mad_async_cancel(struct mad_async *async, uint64_t id);

/* Cancels all requests; returns their number. */
unsigned mad_async_cancel_all(struct mad_async *async);

/*
 * Waits up to timeout_ms (below 0: without limit; 0: not at all) until a request has completed,
 * then calls the callbacks of all that have. Sends, receives and handles timeouts meanwhile: call
 * it often, or use mad_async_get_fd(). Returns the number of callbacks called; 0 if the time has
 * passed or nothing is submitted; -1 with errno if the port cannot be read, after all requests have
 * completed with that error.
 */
int mad_async_dispatch(struct mad_async *async, int timeout_ms);

/*
 * Returns a descriptor that is readable (poll, select, epoll) while completed requests wait for
 * mad_async_dispatch(async, 0), or -1 with errno. The first call starts a thread that sends,
 * receives and handles timeouts from then on. The descriptor belongs to async: do not read or close
 * it.
 */
int mad_async_get_fd(struct mad_async *async);

/* Returns the number of requests submitted and not completed, including those whose callbacks are
 * running. */
unsigned mad_async_pending(struct mad_async *async);

#ifdef __cplusplus
}
#endif

#endif
