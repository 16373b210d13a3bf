/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * cases-async.c - asynchronous requests. A request that was accepted completes exactly once, with a
 * response or an error; one that was refused never does.
 */
#include "fabric.h"

#include <errno.h>
#include <string.h>

#include "tests/lib/async-request.h"

#define PORT ((struct ibmad_port *)run->state)

enum { REQUESTS = 5, PATIENCE = 200 /* dispatches of 100 ms */ };

/* What became of the requests of a case. */
struct tally {
	int taken, responded, failed, cancelled;
	int error; /* of those that failed */
	bool twice;
	bool done[REQUESTS];
};

static struct tally tally;

static void note(struct mad_async *async, const struct mad_async_result *result, void *context)
{
	bool *done = context;

	(void)async;
	tally.twice |= *done;
	*done = true;
	tally.responded += !result->error;
	if (result->error == ECANCELED) {
		tally.cancelled++;
	} else if (result->error) {
		tally.failed++;
		tally.error = result->error;
	}
}

static struct mad_async *create(struct fault_run *run)
{
	const struct mad_async_options options = { .window = 2 };

	memset(&tally, 0, sizeof(tally));
	return mad_async_create(PORT, &options);
}

static void submit_all(struct mad_async *async)
{
	for (; tally.taken < REQUESTS; tally.taken++) {
		ib_portid_t to = { .lid = 7 };

		mad_async_perf_get(async, ASYNC_TO(&to, note, &tally.done[tally.taken]),
				   IB_GSI_PORT_COUNTERS, 1);
	}
}

static void dispatch_all(struct fault_run *run, struct mad_async *async)
{
	for (int i = 0; mad_async_pending(async) && i < PATIENCE; i++)
		mad_async_dispatch(async, 0, 100);
	FAULT_EXPECT(run, !mad_async_pending(async));
}

/* Once all are done: each has had one callback. */
static void check_tally(struct fault_run *run)
{
	FAULT_EXPECT(run, !tally.twice);
	FAULT_EXPECT(run, tally.responded + tally.failed + tally.cancelled == tally.taken);
}

/*
 * Submitting: a request that could not be sent is completed with why.
 */

#define SUBMIT(function, in, ...)                                                       \
	FAULT(function, NULL, fabric_port, 0)                                           \
	{                                                                               \
		struct mad_async *async = create(run);                                  \
		ib_portid_t to = { .lid = 7 };                                          \
		int64_t id;                                                             \
		in;                                                                     \
                                                                                        \
		fault_begin(run);                                                       \
		id = function(async, ASYNC_TO(&to, note, &tally.done[0]), __VA_ARGS__); \
		fault_end(run);                                                         \
		tally.taken = id > 0;                                                   \
		dispatch_all(run, async);                                               \
		check_tally(run);                                                       \
		if (id > 0 && tally.failed)                                             \
			run->saved_errno = tally.error;                                 \
		fault_minus_one(run, tally.failed || id < 0 ? -1 : 0);                  \
		mad_async_free(async);                                                  \
	}

static const uint8_t data[IB_MAD_SIZE];

SUBMIT(mad_async_submit, ib_rpc_t rpc = ((ib_rpc_t){ .mgtclass = IB_PERFORMANCE_CLASS,
						     .method = IB_MAD_METHOD_GET,
						     .attr = { .id = IB_GSI_PORT_COUNTERS },
						     .dataoffs = IB_PC_DATA_OFFS,
						     .datasz = IB_PC_DATA_SZ });
       to.qp = 1, &rpc, data)
SUBMIT(mad_async_smp, (void)data, IB_ATTR_NODE_INFO, 0, data)
SUBMIT(mad_async_perf_get, (void)data, IB_GSI_PORT_COUNTERS, 1)
SUBMIT(mad_async_perf_reset, (void)data, IB_GSI_PORT_COUNTERS, 1, 0)
SUBMIT(mad_async_cc, (void)data, IB_CC_ATTR_CONGESTION_INFO, 0, 0, data)
SUBMIT(mad_async_sa,
       ib_sa_call_t sa = ((ib_sa_call_t){ .attrid = IB_SA_ATTR_NODERECORD,
					  .method = IB_MAD_METHOD_GET_TABLE }),
       &sa, data)
SUBMIT(mad_async_vendor,
       ib_vendor_call_t vendor = ((ib_vendor_call_t){ .method = IB_MAD_METHOD_GET,
						      .mgmt_class = FABRIC_VENDOR1 }),
       &vendor, data)

/*
 * Dispatching: requests that wait in the queue go out meanwhile.
 */

static void dispatch(struct fault_run *run, struct mad_async *async)
{
	int ret = 0;

	fault_begin(run);
	for (int i = 0; i < PATIENCE && mad_async_pending(async) && ret >= 0; i++)
		ret = mad_async_dispatch(async, 0, 100);
	fault_end(run);
	FAULT_EXPECT(run, !mad_async_pending(async));
	dispatch_all(run, async);
	check_tally(run);
	if (tally.failed)
		run->saved_errno = tally.error;
	fault_minus_one(run, tally.failed ? -1 : ret < 0 ? ret : 0);
	mad_async_free(async);
}

/* Exhausted memory for a received MAD may be temporary: the read is repeated until the request
 * times out. */
static const struct fault_rule dispatch_rules[] = {
	{ FAULT_READ, ENOMEM, FAULT_REPORTS, { ENOMEM, ETIMEDOUT } },
	{ FAULT_POLL, ENOMEM, FAULT_REPORTS, { ENOMEM, ETIMEDOUT } },
	{ FAULT_ALLOCATE, ENOMEM, FAULT_REPORTS, { ENOMEM, ETIMEDOUT } },
};

FAULT(mad_async_free, NULL, fabric_port, 0)
{
	struct mad_async *async = create(run);

	FAULT_EXPECT(run, mad_async_get_fd(async) >= 0);
	submit_all(async);
	fault_begin(run);
	mad_async_free(async);
	fault_cannot_fail(run);
	check_tally(run);
}

FAULT(mad_async_dispatch, NULL, fabric_port, 0, FAULT_RULES(dispatch_rules))
{
	struct mad_async *async = create(run);

	submit_all(async);
	dispatch(run, async);
}

/* A response of many MADs needs a separate buffer. */
FAULT(mad_async_dispatch, "a long response", fabric_port, 0, FAULT_RULES(dispatch_rules))
{
	const ib_sa_call_t sa = { .attrid = IB_SA_ATTR_NODERECORD,
				  .method = IB_MAD_METHOD_GET_TABLE };
	struct mad_async *async = create(run);
	ib_portid_t to = { .lid = 7 };

	mad_async_sa(async, ASYNC_TO(&to, note, &tally.done[tally.taken++]), &sa, NULL);
	dispatch(run, async);
}
