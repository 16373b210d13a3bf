/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The public calls that submit a request: any request, and asynchronous forms of the class helpers,
 * which fill in the request as the blocking functions do.
 */
#include <errno.h>
#include <string.h>

#include "common/sized.h"
#include "libibmad/engine/async.h"
#include "libibmad/requests/requests.h"
#include "libibmad/routes/routes.h"

/* A call, and the request that its helper fills in. */
struct call {
	struct mad_async *async;
	struct mad_async_request req; /* as the program passes it */
	ib_portid_t to;		      /* as the helper completes it */
	union {
		ib_rpc_t rpc;
		ib_rpc_v1_t v1;
		ib_rpc_cc_t cc;
	};
	const ib_rmpp_hdr_t *rmpp;
};

/* Takes what the program passes. Returns 0 or -errno. */
static int begin(struct call *call, struct mad_async *async, const struct mad_async_request *req,
		 size_t size)
{
	struct mad_async_request *taken = &call->req;
	int error = SIZED_TAKE(taken, flags, req, size);

	if (error)
		return error;
	if (!async)
		return mad_refuse(MAD_REFUSED_ASYNC);
	if (!taken->to)
		return mad_refuse(MAD_REFUSED_REQUEST_TO);
	if (taken->timeout_ms < 0 || taken->attempts < 0 || taken->deadline_ms < 0)
		return mad_refuse(MAD_REFUSED_REQUEST_TIMES);
	if (taken->flags)
		return mad_refuse(MAD_REFUSED_REQUEST_FLAGS);
	call->async = async;
	call->to = *taken->to;
	call->rmpp = NULL;
	return 0;
}

/* Whether it can be submitted: its payload must not replace its header, and it has a response.
 * Returns 0 or -EINVAL. */
static int check(const ib_rpc_t *rpc, const void *payload)
{
	if (!mad_packet_fits(rpc) || (payload && rpc->datasz && rpc->dataoffs < MAD_HEADER_END))
		return mad_refuse(MAD_REFUSED_RPC_DATA);
	return mad_request_has_response(rpc) ? 0 : mad_refuse(MAD_REFUSED_NO_RESPONSE);
}

/* Blocks where a route is not known yet. */
static __attribute__((noinline, cold)) int64_t submit_adjusted(struct mad_async *async,
							       struct mad_submission *submission)
{
	ib_portid_t to;
	ib_rpc_t rpc;
	int result = mad_route_adjust(async->port, submission->rpc, submission->to, &rpc, &to);

	if (result < 0)
		return result;
	if (result) {
		submission->rpc = &rpc;
		submission->to = &to;
		submission->options = MAD_REQUEST_ROUTED;
	}
	return mad_async_add(async, submission);
}

static int64_t submit(struct call *call, const void *payload)
{
	const struct mad_async_request *req = &call->req;
	struct mad_async *async = call->async;
	struct mad_submission submission = {
		.rpc = &call->rpc,
		.to = &call->to,
		.rmpp = call->rmpp,
		.payload = payload,
		.callback = req->callback,
		.context = req->context,
		.attempts = req->attempts,
		.deadline = req->deadline_ms ? mad_clock_after(mad_clock_now(), req->deadline_ms)
					     : MAD_NO_DEADLINE,
	};

	int error = check(&call->rpc, payload);

	if (error)
		return error;
	if (req->timeout_ms)
		call->rpc.timeout = req->timeout_ms;
	if (!call->rpc.timeout)
		call->rpc.timeout = async->timeout_ms;
	if (mad_port_is_adjusting(async->port))
		return submit_adjusted(async, &submission);
	return mad_async_add(async, &submission);
}

/* error: why there is nothing to submit, or 0. Returns the result of the public call. */
#define end(call, error, payload) end_call(__func__, call, error, payload)
static int64_t end_call(const char *function, struct call *call, int error, const void *payload)
{
	int64_t id = error ? error : submit(call, payload);

	return id < 0 ? mad_fail(function, (int)id) : id;
}

/* A CC request is longer than the others. */
int64_t mad_async_submit_sized(struct mad_async *async, const struct mad_async_request *req,
			       size_t req_size, const ib_rpc_t *rpc, const void *payload)
{
	struct call call;
	int error = begin(&call, async, req, req_size);

	if (!error && !rpc)
		error = mad_refuse(MAD_REFUSED_RPC);
	call.cc = (ib_rpc_cc_t){ .mgtclass = 0 };
	if (!error)
		memcpy(&call.cc, rpc,
		       (rpc->mgtclass & 0xff) == IB_CC_CLASS ? sizeof(call.cc) : sizeof(call.rpc));
	return end(&call, error, payload);
}

int64_t mad_async_smp_sized(struct mad_async *async, const struct mad_async_request *req,
			    size_t req_size, unsigned attr_id, uint32_t attr_mod,
			    const void *set_data)
{
	int method = set_data ? IB_MAD_METHOD_SET : IB_MAD_METHOD_GET;
	struct call call;
	int error = begin(&call, async, req, req_size);

	if (!error)
		mad_smp_request(&call.rpc, &call.to, method, attr_id, attr_mod,
				mad_port_mkey(async->port));
	return end(&call, error, set_data);
}

static int64_t call_perf(const char *function, struct mad_async *async,
			 const struct mad_async_request *req, size_t req_size, int method,
			 unsigned attr_id, unsigned port_number, const void *data)
{
	struct call call;
	int error = begin(&call, async, req, req_size);

	if (!error)
		error = port_number > UINT8_MAX ? mad_refuse(MAD_REFUSED_PORT_NUMBER)
						: mad_perf_request(&call.v1, &call.to, method,
								   (int)port_number, attr_id);
	return end_call(function, &call, error, data);
}

int64_t mad_async_perf_get_sized(struct mad_async *async, const struct mad_async_request *req,
				 size_t req_size, unsigned attr_id, unsigned port_number)
{
	uint8_t data[IB_PC_DATA_SZ] = { 0 };

	mad_set_field(data, 0, IB_PC_PORT_SELECT_F, port_number);
	return call_perf(__func__, async, req, req_size, IB_MAD_METHOD_GET, attr_id, port_number,
			 data);
}

int64_t mad_async_perf_reset_sized(struct mad_async *async, const struct mad_async_request *req,
				   size_t req_size, unsigned attr_id, unsigned port_number,
				   uint32_t mask)
{
	uint8_t data[IB_PC_DATA_SZ];

	mad_perf_select_counters(data, (int)port_number, mask, attr_id);
	return call_perf(__func__, async, req, req_size, IB_MAD_METHOD_SET, attr_id, port_number,
			 data);
}

int64_t mad_async_sa_sized(struct mad_async *async, const struct mad_async_request *req,
			   size_t req_size, const ib_sa_call_t *sa, const void *record)
{
	struct call call;
	int error = begin(&call, async, req, req_size);

	if (!error && !sa)
		error = mad_refuse(MAD_REFUSED_CALL);
	if (!error)
		error = mad_sa_request(&call.v1, &call.to, sa, mad_port_sa_key(async->port));
	if (!error && sa->rmpp.flags)
		call.rmpp = &sa->rmpp;
	return end(&call, error, record);
}

int64_t mad_async_cc_sized(struct mad_async *async, const struct mad_async_request *req,
			   size_t req_size, unsigned attr_id, uint32_t attr_mod, uint64_t cc_key,
			   const void *set_data)
{
	int method = set_data ? IB_MAD_METHOD_SET : IB_MAD_METHOD_GET;
	struct call call;
	int error = begin(&call, async, req, req_size);

	if (!error)
		mad_cc_request(&call.cc, &call.to, method, attr_id, attr_mod, cc_key);
	return end(&call, error, set_data);
}

int64_t mad_async_vendor_sized(struct mad_async *async, const struct mad_async_request *req,
			       size_t req_size, const ib_vendor_call_t *vendor, const void *data)
{
	struct call call;
	int error = begin(&call, async, req, req_size);

	if (!error && !vendor)
		error = mad_refuse(MAD_REFUSED_CALL);
	if (!error && !mad_method_has_response(vendor->method))
		error = mad_refuse(MAD_REFUSED_NO_RESPONSE);
	if (!error)
		error = mad_vendor_request(&call.v1, &call.to, vendor);
	if (!error && mad_is_vendor_range2(vendor->mgmt_class) && vendor->rmpp.flags)
		call.rmpp = &vendor->rmpp;
	return end(&call, error, data);
}
