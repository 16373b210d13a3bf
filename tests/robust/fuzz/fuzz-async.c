/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Asynchronous requests, many in flight, with cancels, blocking calls and submissions from
 * callbacks in between. Each request that was taken completes exactly once.
 */
#include <errno.h>

#include "tests/lib/async-request.h"

#include "call.h"

enum { MAX_REQUESTS = 64, MAX_STEPS = 48, MAX_TRIES = 4, MAX_REDIRECTS = 8 };

struct request {
	int64_t id;
	int completions;
	bool taken;
};

static struct request requests[MAX_REQUESTS];
static unsigned request_count, pending, nested;
static bool refuses, has_cancelled_all;
static struct fuzz_input *source;

static void submit(struct mad_async *async, struct fuzz_input *input);

static void check_result(const struct mad_async_result *result)
{
	FUZZ_CHECK(result->error >= 0 && result->from);
	if (!result->error)
		FUZZ_CHECK(result->mad && !result->status);
	FUZZ_CHECK(result->attempts <= MAX_TRIES * (1 + MAX_REDIRECTS));
	if (result->error == ECANCELED)
		FUZZ_CHECK(!result->mad);
	FUZZ_CHECK(!result->mad == !result->mad_size);
	FUZZ_CHECK(!result->data == !result->data_size || result->mad);
	if (!result->mad)
		return;
	fuzz_touch(result->mad, result->mad_size);
	if (!result->data)
		return;
	fuzz_touch(result->data, result->data_size);
	FUZZ_CHECK(fuzz_kernel_delivered(result->data, (size_t)(result->data - result->mad),
					 result->data_size));
}

static void completed(struct mad_async *async, const struct mad_async_result *result, void *context)
{
	struct request *request = context;

	FUZZ_CHECK(request >= requests && request < requests + request_count);
	FUZZ_CHECK(request->taken && !request->completions);
	request->completions++;
	FUZZ_CHECK(result->id == request->id);
	FUZZ_CHECK(mad_async_pending(async) == (int)pending);
	check_result(result);
	pending--;
	if (!nested && source->left && (fuzz_u8(source) & 7) == 7) {
		nested++;
		pending++; /* this one counts until its callback returns */
		submit(async, source);
		if (request_count)
			mad_async_cancel(async, requests[fuzz_u8(source) % request_count].id);
		pending--;
		nested--;
	}
}

static int64_t submit_rpc(struct mad_async *async, struct fuzz_input *input,
			  const ib_portid_t *portid, struct request *request)
{
	static const uint8_t classes[] = { 0x01, 0x81, 0x03, 0x04 };
	uint8_t which = fuzz_u8(input), payload[64] = { which };
	ib_rpc_cc_t rpc = {
		.mgtclass = which & 8 ? fuzz_u8(input) : classes[which & 3],
		.method = which & 16 ? fuzz_u8(input) : 1,
		.attr = { .id = 0x11 },
		.dataoffs = which & 4 ? fuzz_u8(input) : 64,
		.datasz = sizeof(payload),
		.trid = which & 32 ? fuzz_u8(input) : 0,
		.timeout = which & 64 ? fuzz_u8(input) : 0,
	};

	return request->id = mad_async_submit(async, ASYNC_TO(portid, completed, request),
					      (ib_rpc_t *)&rpc, which & 128 ? payload : NULL);
}

static int64_t submit_kind(struct mad_async *async, struct fuzz_input *input,
			   struct request *request)
{
	uint8_t kind = fuzz_u8(input), data[256] = { kind };
	unsigned attr = fuzz_u8(input);
	ib_vendor_call_t vendor = { .method = 1, .mgmt_class = kind & 8 ? 0x32 : 0x0a, .oui = 1 };
	ib_sa_call_t sa = { .method = kind & 8 ? 1 : 0x12, .attrid = attr };
	ib_portid_t portid = { .lid = 1 + (kind >> 4) };
	void *context = request;

	if (kind >= 0xf0)
		fuzz_portid(input, &portid);
	switch (kind & 7) {
	case 0:
		return request->id = mad_async_smp(async, ASYNC_TO(&portid, completed, context),
						   attr, 0, NULL);
	case 1:
		return request->id = mad_async_smp(async, ASYNC_TO(&portid, completed, context),
						   attr, 0, data);
	case 2:
		return request->id = mad_async_perf_get(
			       async, ASYNC_TO(&portid, completed, context), attr, 1);
	case 3:
		return request->id = mad_async_sa(async, ASYNC_TO(&portid, completed, context), &sa,
						  NULL);
	case 4:
		return request->id = mad_async_cc(async, ASYNC_TO(&portid, completed, context),
						  attr, 0, 0, NULL);
	case 5:
		return request->id = mad_async_vendor(async, ASYNC_TO(&portid, completed, context),
						      &vendor, data);
	case 6:
		return request->id = mad_async_perf_reset(
			       async, ASYNC_TO(&portid, completed, context), attr, 1, 0);
	default:
		return submit_rpc(async, input, &portid, request);
	}
}

static void submit(struct mad_async *async, struct fuzz_input *input)
{
	struct request *request = &requests[request_count];

	if (request_count == MAX_REQUESTS)
		return;
	*request = (struct request){ .id = 0 };
	errno = 0;
	if (submit_kind(async, input, request) < 0) {
		FUZZ_CHECK(errno > 0);
		return;
	}
	FUZZ_CHECK(!refuses);
	request->taken = true;
	request_count++;
	pending++;
}

static void cancel(struct mad_async *async, struct fuzz_input *input)
{
	const struct request *request = &requests[fuzz_u8(input) % MAX_REQUESTS];
	int result;

	if (request >= requests + request_count)
		return;
	errno = 0;
	result = mad_async_cancel(async, request->id);
	if (request->completions)
		FUZZ_CHECK(result == -1 && errno == ENOENT);
	else
		FUZZ_CHECK(result == 1 || result == -1);
}

static void dispatch(struct mad_async *async, int timeout_ms)
{
	unsigned before = pending;
	int result;

	errno = 0;
	result = mad_async_dispatch(async, 0, timeout_ms);
	FUZZ_CHECK(result >= 0 || errno > 0);
	FUZZ_CHECK(result <= 0 || pending + (unsigned)result >= before);
	FUZZ_CHECK(timeout_ms >= 0 || result || !before);
}

static void block(const struct ibmad_port *port)
{
	uint8_t data[IB_SMP_DATA_SIZE] = { 0 };
	ib_portid_t portid = { .lid = 3 };

	smp_query_via(data, &portid, IB_ATTR_NODE_INFO, 0, 5, port);
}

static void step(struct mad_async *async, const struct ibmad_port *port, struct fuzz_input *input)
{
	uint8_t action = fuzz_u8(input);

	switch (action & 7) {
	case 4:
		dispatch(async, action >> 3);
		break;
	case 5:
		cancel(async, input);
		break;
	case 6:
		if (action & 8)
			block(port);
		else
			dispatch(async, -1);
		break;
	case 7:
		if (action < 0xf0 || has_cancelled_all)
			dispatch(async, 0);
		else
			mad_async_cancel_all(async);
		has_cancelled_all |= action >= 0xf0; /* it takes long */
		break;
	default:
		submit(async, input);
	}
	FUZZ_CHECK(mad_async_pending(async) == (int)pending);
}

static struct mad_async *create(struct ibmad_port *port, struct fuzz_input *input)
{
	uint8_t control = fuzz_u8(input);
	struct mad_async_options options = {
		.window = control & 7,
		.max_queued = control & 8 ? control >> 4 : 0,
		.timeout_ms = control & 16 ? 40 : 0,
		.attempts = control & 32 ? 2 : 0,
	};
	struct mad_async *async =
		mad_async_create_sized(port, control & 64 ? NULL : &options, sizeof(options));

	FUZZ_CHECK(async);
	return async;
}

void fuzz_target(struct fuzz_input *input)
{
	struct ibmad_port *port = fuzz_open_port(input);
	struct mad_async *async = create(port, input);
	int steps = MAX_STEPS;
	unsigned i;

	source = input;
	request_count = pending = nested = 0;
	refuses = has_cancelled_all = false;
	while (input->left && steps--)
		step(async, port, input);
	refuses = true;
	mad_async_free(async);
	FUZZ_CHECK(!pending);
	for (i = 0; i < request_count; i++)
		FUZZ_CHECK(requests[i].completions == 1);
	mad_rpc_close_port(port);
}
