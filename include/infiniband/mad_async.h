/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Many requests in flight: submit any number of requests on an open port, and get a callback for
 * each when its answer, its last timeout or its cancellation is there.
 *
 *	struct mad_async *async = mad_async_create(port, NULL);
 *	mad_async_smp_get(async, &portid, IB_ATTR_NODE_INFO, 0, callback, context, NULL);
 *	...
 *	while (mad_async_dispatch(async, -1) > 0)
 *		;
 *	mad_async_destroy(async);
 *
 * Requests go out in the order in which they were submitted, at most a window of them at a time,
 * and complete in the order in which responses come. A destination that does not respond leaves the
 * window and holds up no others; further requests to such destinations go out beside the window, as
 * many at a time as the window has places.
 *
 * Every submitted request completes exactly once, by one call of its callback, with no lock held:
 * a callback may submit and cancel. Callbacks run within mad_async_dispatch() and
 * mad_async_destroy() and nowhere else. All functions but mad_async_destroy() may be called by any
 * number of threads at the same time, and blocking calls on the same port work meanwhile. A thread
 * can be cancelled (pthread_cancel(3)) while it waits in mad_async_dispatch(), and in a callback. In
 * the child of a fork(), what was created before can be used and destroyed; requests in flight are
 * the parent's and the child's, and either may read a response. siglongjmp(3) out of a callback
 * can't be repaired.
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
 * Requests in flight where the caller does not say. SMPs travel on VL15, which has no flow control:
 * switches drop what comes faster than they can answer, and the request waits for its timeout.
 * The SMA of a switch answers a few thousand SMPs a second and queues some tens; 16 keeps real
 * fabrics busy without losses.
 */
#define MAD_ASYNC_DEFAULT_WINDOW 16

/* The kernel queues any number of sends, its QPs hold 128; more in flight gains nothing. */
#define MAD_ASYNC_MAX_WINDOW 4096

/* Requests on one port (or pair of ports), in flight and queued. */
struct mad_async;

/* How mad_async_create() sets things up; 0 in any member is its default. */
struct mad_async_options {
	size_t size;	     /* sizeof(struct mad_async_options) */
	unsigned window;     /* requests in flight, 1 to MAD_ASYNC_MAX_WINDOW */
	unsigned max_queued; /* requests submitted whose callback has not begun; default: no limit */
	int timeout_ms; /* milliseconds a try, for requests that have none; default: the port's */
	int retries;	/* tries, for requests that have none; default: the port's */
};

/* What has become of a request. Pointers in it are good until the callback returns. */
struct mad_async_result {
	uint64_t id;	     /* as the submitting call gave it */
	int error;	     /* 0, or the errno that the blocking call would have set; ECANCELED */
	unsigned status;     /* MAD status of the answer, without its bit 15; with one that is not 0,
			      * error is EIO; 0 without an answer */
	const uint8_t *data; /* the answer's data, where the class has it; NULL without an answer */
	size_t data_length;  /* bytes at data: those received, by its RMPP header where it has one;
			      * of a response in one MAD rpc->datasz at most */
	const uint8_t *mad;  /* the whole answer; NULL without one */
	size_t mad_length;   /* bytes at mad; more than 256 for answers of several MADs (RMPP) */
	const ib_portid_t *portid; /* where the request went in the end */
	unsigned tries;		   /* how often it was sent */
};

/* Called once for each request, with the context that it was submitted with. */
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
 * Completes every request that is still there with ECANCELED, calling its callback, and frees all.
 * No other thread may be in or enter a call on async. Requests submitted meanwhile are refused.
 * Not from a callback. NULL is ignored.
 */
void mad_async_destroy(struct mad_async *async);

/*
 * Submits any request: rpc (version 0, version 1 or CC form) and payload as mad_rpc() takes them,
 * both copied. rpc->timeout is for one try; rpc->trid 0 chooses one. Answers of any size come
 * whole. *id (or NULL) names the request for mad_async_cancel(). Returns 0; -1 with errno and
 * without a callback: EINVAL (a class that is not registered on the port, lengths, a path), ENOBUFS
 * (max_queued), ENOMEM, ECANCELED (being destroyed), or ENODEV or EIO when the port is gone.
 */
int mad_async_submit(struct mad_async *async, const ib_rpc_t *rpc, const ib_portid_t *dport,
		     const void *payload, mad_async_callback *callback, void *context,
		     uint64_t *id);

/* SMP Get of 64 bytes, by LID or direct route as smp_query_via() chooses. Otherwise as submit. */
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
 * methods that are answered (get, set, trap).
 */
int mad_async_vendor_call(struct mad_async *async, const ib_portid_t *portid,
			  const ib_vendor_call_t *call, const void *data,
			  mad_async_callback *callback, void *context, uint64_t *id);

/*
 * Cancels a request: its callback comes with ECANCELED, out of a later mad_async_dispatch(). An
 * answer that comes after all is dropped. Returns 0; -1 with ENOENT when it is not there any more.
 */
int mad_async_cancel(struct mad_async *async, uint64_t id);

/* Cancels all requests; returns how many. */
unsigned mad_async_cancel_all(struct mad_async *async);

/*
 * Waits up to timeout_ms (below 0: for ever; 0: not at all) until a request has completed, then
 * calls the callbacks of all that have. Sends, reads and keeps time meanwhile: call it often, or
 * use mad_async_get_fd(). Returns the number of callbacks called; 0 when time is up or when
 * nothing is submitted; -1 with errno when the port can't be read, after all requests have
 * completed with that error.
 */
int mad_async_dispatch(struct mad_async *async, int timeout_ms);

/*
 * A descriptor that is readable (poll, select, epoll) while completed requests wait for
 * mad_async_dispatch(async, 0). The first call starts a thread that sends, reads and keeps time
 * from then on. Belongs to async: not to be read or closed. Returns it, or -1 with errno.
 */
int mad_async_get_fd(struct mad_async *async);

/* Requests submitted and not yet completed, callbacks under way included. */
unsigned mad_async_pending(struct mad_async *async);

#ifdef __cplusplus
}
#endif

#endif
