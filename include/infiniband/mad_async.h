/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Many requests in flight, with a callback for each: mad_async_create(3). Any number of threads may
 * call all functions but mad_async_free() at the same time; callbacks run within
 * mad_async_dispatch() and mad_async_free(), with no lock held.
 *
 * Functions that take a structure pass its size to an exported function of the same name with
 * _sized: members that a program does not have count as 0; members that the library does not have
 * must be 0 (E2BIG). */
#ifndef INFINIBAND_MAD_ASYNC_H
#define INFINIBAND_MAD_ASYNC_H

#include <stddef.h>
#include <stdint.h>

#include <infiniband/mad.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Windows: switches drop SMPs that arrive faster than they process them; the default keeps real
 * fabrics busy without losses. More than the largest gains nothing: mad_async_create(3). */
enum mad_async_window {
	MAD_ASYNC_DEFAULT_WINDOW = 16,
	MAD_ASYNC_MAX_WINDOW = 4096,
};

/* Requests on one port, in flight and queued. A program that has a pair of ports makes two. */
struct mad_async;

/* Options of mad_async_create(); 0 in any member is its default. */
struct mad_async_options {
	uint32_t flags;	     /* 0; all bits are EINVAL */
	uint32_t window;     /* requests in flight, 1 to MAD_ASYNC_MAX_WINDOW */
	uint32_t max_queued; /* requests submitted, callback not begun; default: no limit */
	int32_t timeout_ms;  /* ms per attempt, for requests without their own; default: the port's
			      */
	int32_t attempts;    /* for requests without their own; default: the port's */
	uint32_t reserved;   /* 0 */
};

/* The outcome of a request, made by the library; later versions add members at its end. Its
 * pointers are valid until the callback returns, or until the next mad_async_next(). The program
 * may write to the data. */
struct mad_async_result {
	int64_t id;	  /* as the submitting function returned it */
	int error;	  /* 0, or the errno that the blocking call would have set; ECANCELED */
	unsigned status;  /* MAD status of the response, without its bit 15; if it is not 0, error
			   * is EIO; 0 without a response */
	uint8_t *data;	  /* the data of the response; NULL without a response */
	size_t data_size; /* bytes received at data, as an RMPP header counts them; at most
			   * rpc->datasz for a response of one MAD */
	uint8_t *mad;	  /* the whole response; NULL without one */
	size_t mad_size;  /* bytes at mad; above 256 for responses of several MADs (RMPP) */
	const ib_portid_t *from; /* the final destination, after redirects */
	unsigned attempts;	 /* how often the request was sent */
	void *context;		 /* as it was submitted */
};

/* Called once for each request, with the context passed when it was submitted. */
typedef void (*mad_async_callback)(struct mad_async *async, const struct mad_async_result *result,
				   void *context);

/* Members of all requests. The library copies them, and the address. */
struct mad_async_request {
	const ib_portid_t *to;
	mad_async_callback callback; /* NULL: mad_async_next() returns the outcome */
	void *context;
	int32_t timeout_ms;  /* per attempt; 0: as the options say */
	int32_t attempts;    /* how often it is sent at most; 0: as the options say */
	int32_t deadline_ms; /* for all attempts and the time in the queue; 0: none */
	uint32_t flags;	     /* 0; all bits are EINVAL */
};

/* mad_async_create() for callers without a C compiler, with the size of the structure. */
struct mad_async *mad_async_create_sized(struct ibmad_port *port,
					 const struct mad_async_options *options, size_t size);

/* Prepares asynchronous requests on an open port, which must stay open until mad_async_free().
 * options may be NULL. Several objects may exist on one port. Returns NULL with EINVAL, E2BIG,
 * ENOMEM or EMFILE. */
static inline struct mad_async *mad_async_create(struct ibmad_port *port,
						 const struct mad_async_options *options)
{
	return mad_async_create_sized(port, options, sizeof(*options));
}

/* Completes every remaining request with ECANCELED, by calling its callback, and frees everything.
 * No other thread may be in or enter a call on async. NULL is ignored. In a callback of async, the
 * call sets EDEADLK and frees nothing. */
void mad_async_free(struct mad_async *async);

/* mad_async_submit() for callers without a C compiler, with the size of the structure. */
int64_t mad_async_submit_sized(struct mad_async *async, const struct mad_async_request *req,
			       size_t req_size, const ib_rpc_t *rpc, const void *payload);

/* Submits any request: rpc (version 0, version 1 or CC form) and payload as for mad_rpc(), both
 * copied. Without req->timeout_ms, rpc->timeout counts. This and the following return the request's
 * ID, above 0 and never used again; -1 with errno and without a callback: EINVAL, E2BIG, ENOBUFS
 * (max_queued), ENOMEM, ECANCELED (being freed), or ENODEV or EIO if the port is gone. */
static inline int64_t mad_async_submit(struct mad_async *async, const struct mad_async_request *req,
				       const ib_rpc_t *rpc, const void *payload)
{
	return mad_async_submit_sized(async, req, sizeof(*req), rpc, payload);
}

/* mad_async_smp() for callers without a C compiler, with the size of the structure. */
int64_t mad_async_smp_sized(struct mad_async *async, const struct mad_async_request *req,
			    size_t req_size, unsigned attr_id, uint32_t attr_mod,
			    const void *set_data);

/* SMP Get, or Set of the 64 bytes at set_data if that is not NULL, by LID or directed route as
 * smp_query_via() chooses. */
static inline int64_t mad_async_smp(struct mad_async *async, const struct mad_async_request *req,
				    unsigned attr_id, uint32_t attr_mod, const void *set_data)
{
	return mad_async_smp_sized(async, req, sizeof(*req), attr_id, attr_mod, set_data);
}

/* mad_async_perf_get() for callers without a C compiler, with the size of the structure. */
int64_t mad_async_perf_get_sized(struct mad_async *async, const struct mad_async_request *req,
				 size_t req_size, unsigned attr_id, unsigned port_number);

/* PerfMgt Get of a counter attribute (IB_GSI_PORT_COUNTERS and so on) of a port at req->to: as
 * pma_query_via(). The result's data is the attribute. */
static inline int64_t mad_async_perf_get(struct mad_async *async,
					 const struct mad_async_request *req, unsigned attr_id,
					 unsigned port_number)
{
	return mad_async_perf_get_sized(async, req, sizeof(*req), attr_id, port_number);
}

/* mad_async_perf_reset() for callers without a C compiler, with the size of the structure. */
int64_t mad_async_perf_reset_sized(struct mad_async *async, const struct mad_async_request *req,
				   size_t req_size, unsigned attr_id, unsigned port_number,
				   uint32_t mask);

/* PerfMgt Set that clears the counters that mask selects, 0: all; as performance_reset_via(). */
static inline int64_t mad_async_perf_reset(struct mad_async *async,
					   const struct mad_async_request *req, unsigned attr_id,
					   unsigned port_number, uint32_t mask)
{
	return mad_async_perf_reset_sized(async, req, sizeof(*req), attr_id, port_number, mask);
}

/* mad_async_sa() for callers without a C compiler, with the size of the structure. */
int64_t mad_async_sa_sized(struct mad_async *async, const struct mad_async_request *req,
			   size_t req_size, const ib_sa_call_t *sa, const void *record);

/* SA request: sa's method, attribute, modifier and mask with the 200 bytes at record (NULL: zeros).
 * The records of a table are the result's data, sa attribute offset times 8 bytes each
 * (IB_SA_ATTROFFS_F of the result's mad). */
static inline int64_t mad_async_sa(struct mad_async *async, const struct mad_async_request *req,
				   const ib_sa_call_t *sa, const void *record)
{
	return mad_async_sa_sized(async, req, sizeof(*req), sa, record);
}

/* mad_async_cc() for callers without a C compiler, with the size of the structure. */
int64_t mad_async_cc_sized(struct mad_async *async, const struct mad_async_request *req,
			   size_t req_size, unsigned attr_id, uint32_t attr_mod, uint64_t cc_key,
			   const void *set_data);

/* Congestion control with a CC key (host byte order): Get as cc_query_status_via(), or Set of the
 * 192 bytes (224 for the log) at set_data if that is not NULL, as cc_config_status_via(). */
static inline int64_t mad_async_cc(struct mad_async *async, const struct mad_async_request *req,
				   unsigned attr_id, uint32_t attr_mod, uint64_t cc_key,
				   const void *set_data)
{
	return mad_async_cc_sized(async, req, sizeof(*req), attr_id, attr_mod, cc_key, set_data);
}

/* mad_async_vendor() for callers without a C compiler, with the size of the structure. */
int64_t mad_async_vendor_sized(struct mad_async *async, const struct mad_async_request *req,
			       size_t req_size, const ib_vendor_call_t *call, const void *data);

/* Vendor request of either range with the data that ib_vendor_call_via() takes (NULL: zeros). Only
 * for methods that have a response (Get, Set, Trap). Without req->timeout_ms, call->timeout
 * counts. */
static inline int64_t mad_async_vendor(struct mad_async *async, const struct mad_async_request *req,
				       const ib_vendor_call_t *call, const void *data)
{
	return mad_async_vendor_sized(async, req, sizeof(*req), call, data);
}

/* Cancels the request with this ID: a later mad_async_dispatch() calls its callback with ECANCELED.
 * Returns 1; -1 with ENOENT if the request has completed already, or EINVAL for NULL and an ID
 * below 1. */
int mad_async_cancel(struct mad_async *async, int64_t id);

/* Cancels all requests, as mad_async_cancel() does one. Returns how many were cancelled; -1 with
 * EINVAL for NULL. */
int mad_async_cancel_all(struct mad_async *async);

/* Returns the number of requests submitted and not completed, including those whose callbacks are
 * running; -1 with EINVAL for NULL. */
int mad_async_pending(const struct mad_async *async);

/* Returns how many of these requests are in the window or wait for a place in it: not those that
 * have had no response for several round trips, nor those that wait behind these for a port. -1
 * with EINVAL for NULL. */
int mad_async_in_window(const struct mad_async *async);

/* Waits up to timeout_ms (below 0: without limit; 0: not at all) until a request has completed,
 * reads all that has arrived, and calls the callbacks that are due, max at most (0: all), or keeps
 * outcomes for mad_async_next(). Returns how many; 0 if the time has passed or nothing is
 * submitted; -1 with EINVAL, or with the error of reading the port, with which all requests have
 * completed. */
int mad_async_dispatch(struct mad_async *async, unsigned max, int timeout_ms);

/* mad_async_next() for callers without a C compiler, with the size of the structure. */
int mad_async_next_sized(struct mad_async *async, struct mad_async_result *result, size_t size);

/* Writes to *result the outcome of the next request without a callback that mad_async_dispatch()
 * has counted; its pointers are valid until the next call, by whichever thread. Returns 1; 0 if
 * there is none; -1 with EINVAL. */
static inline int mad_async_next(struct mad_async *async, struct mad_async_result *result)
{
	return mad_async_next_sized(async, result, sizeof(*result));
}

/* Returns a descriptor for poll(), select() or epoll, readable when mad_async_dispatch(async, 0, 0)
 * has something to do; -1 with EINVAL for NULL. The descriptor belongs to async: do not read or
 * close it. In the child of a fork() it is another one with the same number. */
int mad_async_get_fd(const struct mad_async *async);

#ifdef __cplusplus
}
#endif

#endif
