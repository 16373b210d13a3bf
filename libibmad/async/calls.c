/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The public calls that submit a request: any request, and asynchronous forms of the class helpers,
 * which fill in the request as the blocking functions do.
 */
#include <errno.h>
#include <string.h>

#include "common/sized.h"
#include "libibmad/async/async.h"
#include "libibmad/requests/requests.h"

/* Takes what the program passes. Returns 0 or -errno. */
static int take(struct mad_async_request *taken, const struct mad_async *async,
		const struct mad_async_request *req, size_t size)
{
	int error = SIZED_TAKE(taken, flags, req, size);

	if (error)
		return error;
	if (!async || !taken->to || !taken->callback || taken->timeout_ms < 0 ||
	    taken->attempts < 0 || taken->deadline_ms < 0 || taken->flags)
		return -EINVAL;
	return 0;
}

/* The result of a public call. */
static int64_t id_or_error(int64_t id)
{
	if (id >= 0)
		return id;
	errno = (int)-id;
	return -1;
}

/* to: as a helper has completed it. timeout_ms: without one of the request. */
static int64_t submit(struct mad_async *async, const struct mad_async_request *req, ib_rpc_t *rpc,
		      const ib_portid_t *to, const ib_rmpp_hdr_t *rmpp, const void *payload)
{
	const struct mad_submission submission = {
		.rpc = rpc,
		.dport = to,
		.rmpp = rmpp,
		.payload = payload,
		.callback = req->callback,
		.context = req->context,
		.attempts = req->attempts,
		.deadline = req->deadline_ms ? mad_clock_after(mad_clock_now(), req->deadline_ms)
					     : MAD_NO_DEADLINE,
	};
	int error = mad_async_check(async, rpc, to, payload);

	if (req->timeout_ms)
		rpc->timeout = req->timeout_ms;
	if (!error)
		error = mad_service_restore(async);
	return error ? error : mad_async_hand_in(async, &submission);
}

/* A CC request is longer than the others. */
static int64_t submit_copy(struct mad_async *async, const struct mad_async_request *req,
			   const ib_rpc_t *rpc, const void *payload)
{
	ib_rpc_cc_t copy = { .mgtclass = 0 };

	if (!rpc)
		return -EINVAL;
	memcpy(&copy, rpc, (rpc->mgtclass & 0xff) == IB_CC_CLASS ? sizeof(copy) : sizeof(ib_rpc_t));
	return submit(async, req, (ib_rpc_t *)&copy, req->to, NULL, payload);
}

int64_t mad_async_submit(struct mad_async *async, const struct mad_async_request *req,
			 size_t req_size, const ib_rpc_t *rpc, const void *payload)
{
	struct mad_async_request taken;
	int error = take(&taken, async, req, req_size);

	return id_or_error(error ? error : submit_copy(async, &taken, rpc, payload));
}

int64_t mad_async_start_smp(struct mad_async *async, const struct mad_async_request *req,
			    unsigned attr_id, uint32_t attr_mod, const void *set_data)
{
	int method = set_data ? IB_MAD_METHOD_SET : IB_MAD_METHOD_GET;
	ib_portid_t to = *req->to;
	ib_rpc_t rpc;

	mad_smp_request(&rpc, &to, method, attr_id, attr_mod, smp_mkey_get(async->queues[0].port));
	return submit(async, req, &rpc, &to, NULL, set_data);
}

int64_t mad_async_smp(struct mad_async *async, const struct mad_async_request *req, size_t req_size,
		      unsigned attr_id, uint32_t attr_mod, const void *set_data)
{
	struct mad_async_request taken;
	int error = take(&taken, async, req, req_size);

	return id_or_error(error ? error
				 : mad_async_start_smp(async, &taken, attr_id, attr_mod, set_data));
}

static int64_t call_perf(struct mad_async *async, const struct mad_async_request *req, int method,
			 unsigned attr_id, unsigned port_number, const void *data)
{
	ib_portid_t to = *req->to;
	ib_rpc_v1_t rpc;
	int error = port_number > UINT8_MAX
			    ? -EINVAL
			    : mad_perf_request(&rpc, &to, method, (int)port_number, attr_id);

	return error ? error : submit(async, req, (ib_rpc_t *)&rpc, &to, NULL, data);
}

int64_t mad_async_start_perf_get(struct mad_async *async, const struct mad_async_request *req,
				 unsigned attr_id, unsigned port_number)
{
	uint8_t data[IB_PC_DATA_SZ] = { 0 };

	mad_perf_select_port(data, (int)port_number);
	return call_perf(async, req, IB_MAD_METHOD_GET, attr_id, port_number, data);
}

int64_t mad_async_perf_get(struct mad_async *async, const struct mad_async_request *req,
			   size_t req_size, unsigned attr_id, unsigned port_number)
{
	struct mad_async_request taken;
	int error = take(&taken, async, req, req_size);

	return id_or_error(error ? error
				 : mad_async_start_perf_get(async, &taken, attr_id, port_number));
}

int64_t mad_async_perf_reset(struct mad_async *async, const struct mad_async_request *req,
			     size_t req_size, unsigned attr_id, unsigned port_number, uint32_t mask)
{
	uint8_t data[IB_PC_DATA_SZ];
	struct mad_async_request taken;
	int error = take(&taken, async, req, req_size);

	mad_perf_select_counters(data, (int)port_number, mask, attr_id);
	return id_or_error(
		error ? error
		      : call_perf(async, &taken, IB_MAD_METHOD_SET, attr_id, port_number, data));
}

static int64_t call_sa(struct mad_async *async, const struct mad_async_request *req,
		       const ib_sa_call_t *sa, const void *record)
{
	ib_portid_t to = *req->to;
	ib_rpc_v1_t rpc;
	int error = -EINVAL;

	if (sa)
		error = mad_sa_request(&rpc, &to, sa,
				       mad_port_sa_key(mad_async_queue(async, IB_SA_CLASS)->port));
	if (error)
		return error;
	return submit(async, req, (ib_rpc_t *)&rpc, &to, sa->rmpp.flags ? &sa->rmpp : NULL, record);
}

int64_t mad_async_sa(struct mad_async *async, const struct mad_async_request *req, size_t req_size,
		     const ib_sa_call_t *sa, const void *record)
{
	struct mad_async_request taken;
	int error = take(&taken, async, req, req_size);

	return id_or_error(error ? error : call_sa(async, &taken, sa, record));
}

static int64_t call_cc(struct mad_async *async, const struct mad_async_request *req,
		       unsigned attr_id, uint32_t attr_mod, uint64_t cc_key, const void *set_data)
{
	int method = set_data ? IB_MAD_METHOD_SET : IB_MAD_METHOD_GET;
	ib_portid_t to = *req->to;
	ib_rpc_cc_t rpc;

	mad_cc_request(&rpc, &to, method, attr_id, attr_mod, cc_key);
	return submit(async, req, (ib_rpc_t *)&rpc, &to, NULL, set_data);
}

int64_t mad_async_cc(struct mad_async *async, const struct mad_async_request *req, size_t req_size,
		     unsigned attr_id, uint32_t attr_mod, uint64_t cc_key, const void *set_data)
{
	struct mad_async_request taken;
	int error = take(&taken, async, req, req_size);

	return id_or_error(error ? error
				 : call_cc(async, &taken, attr_id, attr_mod, cc_key, set_data));
}

static int64_t call_vendor(struct mad_async *async, const struct mad_async_request *req,
			   const ib_vendor_call_t *call, const void *data)
{
	ib_portid_t to = *req->to;
	const ib_rmpp_hdr_t *rmpp = NULL;
	ib_rpc_v1_t rpc;
	int error = -EINVAL;

	if (call && mad_method_has_response(call->method))
		error = mad_vendor_request(&rpc, &to, call);
	if (error)
		return error;
	if (mad_is_vendor_range2(call->mgmt_class) && call->rmpp.flags)
		rmpp = &call->rmpp;
	return submit(async, req, (ib_rpc_t *)&rpc, &to, rmpp, data);
}

int64_t mad_async_vendor(struct mad_async *async, const struct mad_async_request *req,
			 size_t req_size, const ib_vendor_call_t *call, const void *data)
{
	struct mad_async_request taken;
	int error = take(&taken, async, req, req_size);

	return id_or_error(error ? error : call_vendor(async, &taken, call, data));
}
