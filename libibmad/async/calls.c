/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The public calls that submit a request: any request, and asynchronous forms of the class helpers,
 * which fill in the request as the blocking functions do.
 */
#include <errno.h>
#include <string.h>

#include "libibmad/async/async.h"
#include "libibmad/requests/requests.h"

static int submit_rmpp(struct mad_async *async, const ib_rpc_t *rpc, const ib_portid_t *dport,
		       const ib_rmpp_hdr_t *rmpp, const void *payload, mad_async_callback *callback,
		       void *context, uint64_t *id)
{
	const struct mad_submission submission = {
		rpc, dport, rmpp, payload, callback, context, NULL,
	};
	int error = callback ? mad_async_check(async, rpc, dport, payload) : -EINVAL;

	if (!error)
		error = mad_async_restore_services(async);
	if (!error)
		error = mad_async_hand_in(async, &submission, id);
	return error;
}

int mad_async_submit(struct mad_async *async, const ib_rpc_t *rpc, const ib_portid_t *dport,
		     const void *payload, mad_async_callback *callback, void *context, uint64_t *id)
{
	return mad_zero_or_error(
		submit_rmpp(async, rpc, dport, NULL, payload, callback, context, id));
}

static int call_smp(struct mad_async *async, int method, const ib_portid_t *portid, unsigned attrid,
		    unsigned mod, const void *data, mad_async_callback *callback, void *context,
		    uint64_t *id)
{
	ib_portid_t to;
	ib_rpc_t rpc;

	if (!async || !portid)
		return -EINVAL;
	to = *portid;
	mad_smp_request(&rpc, &to, method, attrid, mod, smp_mkey_get(async->queues[0].port));
	return submit_rmpp(async, &rpc, &to, NULL, data, callback, context, id);
}

int mad_async_get_smp(struct mad_async *async, const ib_portid_t *portid, unsigned attrid,
		      unsigned mod, mad_async_callback *callback, void *context, uint64_t *id)
{
	return call_smp(async, IB_MAD_METHOD_GET, portid, attrid, mod, NULL, callback, context, id);
}

int mad_async_smp_get(struct mad_async *async, const ib_portid_t *portid, unsigned attrid,
		      unsigned mod, mad_async_callback *callback, void *context, uint64_t *id)
{
	return mad_zero_or_error(
		mad_async_get_smp(async, portid, attrid, mod, callback, context, id));
}

int mad_async_smp_set(struct mad_async *async, const ib_portid_t *portid, unsigned attrid,
		      unsigned mod, const void *data, mad_async_callback *callback, void *context,
		      uint64_t *id)
{
	if (!data)
		return mad_zero_or_error(-EINVAL);
	return mad_zero_or_error(call_smp(async, IB_MAD_METHOD_SET, portid, attrid, mod, data,
					  callback, context, id));
}

static int call_perf(struct mad_async *async, int method, const ib_portid_t *portid, int port,
		     unsigned attrid, const void *data, mad_async_callback *callback, void *context,
		     uint64_t *id)
{
	ib_portid_t to;
	ib_rpc_v1_t rpc;
	int error;

	if (!portid)
		return -EINVAL;
	to = *portid;
	error = mad_perf_request(&rpc, &to, method, port, attrid);
	if (error)
		return error;
	return submit_rmpp(async, (ib_rpc_t *)&rpc, &to, NULL, data, callback, context, id);
}

int mad_async_get_perf(struct mad_async *async, const ib_portid_t *portid, int port,
		       unsigned attrid, mad_async_callback *callback, void *context, uint64_t *id)
{
	uint8_t data[IB_PC_DATA_SZ] = { 0 };

	mad_perf_select_port(data, port);
	return call_perf(async, IB_MAD_METHOD_GET, portid, port, attrid, data, callback, context,
			 id);
}

int mad_async_perf_get(struct mad_async *async, const ib_portid_t *portid, int port,
		       unsigned attrid, mad_async_callback *callback, void *context, uint64_t *id)
{
	return mad_zero_or_error(
		mad_async_get_perf(async, portid, port, attrid, callback, context, id));
}

int mad_async_perf_reset(struct mad_async *async, const ib_portid_t *portid, int port,
			 unsigned mask, unsigned attrid, mad_async_callback *callback,
			 void *context, uint64_t *id)
{
	uint8_t data[IB_PC_DATA_SZ];

	mad_perf_select_counters(data, port, mask, attrid);
	return mad_zero_or_error(call_perf(async, IB_MAD_METHOD_SET, portid, port, attrid, data,
					   callback, context, id));
}

int mad_async_sa_call(struct mad_async *async, const ib_portid_t *portid, const ib_sa_call_t *sa,
		      const void *record, mad_async_callback *callback, void *context, uint64_t *id)
{
	ib_portid_t to;
	ib_rpc_v1_t rpc;
	int error;

	if (!async || !portid || !sa)
		return mad_zero_or_error(-EINVAL);
	to = *portid;
	error = mad_sa_request(&rpc, &to, sa,
			       mad_port_sa_key(mad_async_queue(async, IB_SA_CLASS)->port));
	if (error)
		return mad_zero_or_error(error);
	return mad_zero_or_error(submit_rmpp(async, (ib_rpc_t *)&rpc, &to,
					     sa->rmpp.flags ? &sa->rmpp : NULL, record, callback,
					     context, id));
}

static int call_cc(struct mad_async *async, int method, const ib_portid_t *portid, unsigned attrid,
		   unsigned mod, uint64_t cckey, const void *data, mad_async_callback *callback,
		   void *context, uint64_t *id)
{
	ib_portid_t to;
	ib_rpc_cc_t rpc;

	if (!portid)
		return -EINVAL;
	to = *portid;
	mad_cc_request(&rpc, &to, method, attrid, mod, cckey);
	return submit_rmpp(async, (ib_rpc_t *)&rpc, &to, NULL, data, callback, context, id);
}

int mad_async_cc_get(struct mad_async *async, const ib_portid_t *portid, unsigned attrid,
		     unsigned mod, uint64_t cckey, mad_async_callback *callback, void *context,
		     uint64_t *id)
{
	return mad_zero_or_error(call_cc(async, IB_MAD_METHOD_GET, portid, attrid, mod, cckey, NULL,
					 callback, context, id));
}

int mad_async_cc_set(struct mad_async *async, const ib_portid_t *portid, unsigned attrid,
		     unsigned mod, uint64_t cckey, const void *data, mad_async_callback *callback,
		     void *context, uint64_t *id)
{
	if (!data)
		return mad_zero_or_error(-EINVAL);
	return mad_zero_or_error(call_cc(async, IB_MAD_METHOD_SET, portid, attrid, mod, cckey, data,
					 callback, context, id));
}

int mad_async_vendor_call(struct mad_async *async, const ib_portid_t *portid,
			  const ib_vendor_call_t *call, const void *data,
			  mad_async_callback *callback, void *context, uint64_t *id)
{
	ib_portid_t to;
	ib_rpc_v1_t rpc;
	const ib_rmpp_hdr_t *rmpp = NULL;
	int error = -EINVAL;

	if (portid && call && mad_method_has_response(call->method)) {
		to = *portid;
		error = mad_vendor_request(&rpc, &to, call);
	}
	if (error)
		return mad_zero_or_error(error);
	if (mad_is_vendor_range2(call->mgmt_class) && call->rmpp.flags)
		rmpp = &call->rmpp;
	return mad_zero_or_error(
		submit_rmpp(async, (ib_rpc_t *)&rpc, &to, rmpp, data, callback, context, id));
}
