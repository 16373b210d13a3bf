/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* async.c - the asynchronous calls of the table of requests: see call.h. */
#include "call.h"

#include "tests/lib/async-request.h"

#include <string.h>

int64_t request_submit(const struct request_call *call, struct mad_async *async,
		       mad_async_callback callback, void *context)
{
	const char *kind = call->kind->name;
	const uint64_t *a = call->arguments;
	const ib_portid_t *to = request_misses(call, "to") ? NULL : &call->to;
	const void *data = request_misses(call, "data") ? NULL : call->data;
	ib_vendor_call_t vendor = request_vendor_call(call);
	ib_sa_call_t sa = request_sa_call(call);
	bool misses_call = request_misses(call, "call");
	const struct mad_async_request *request = ASYNC_TO(to, callback, context);

	if (!strcmp(kind, "smp_get"))
		return mad_async_smp(async, request, a[0], a[1], NULL);
	if (!strcmp(kind, "smp_set"))
		return mad_async_smp(async, request, a[0], a[1], data);
	if (!strcmp(kind, "perf_get"))
		return mad_async_perf_get(async, request, a[0], a[1]);
	if (!strcmp(kind, "perf_reset"))
		return mad_async_perf_reset(async, request, a[0], a[1], a[2]);
	if (!strncmp(kind, "cc_get", strlen("cc_get")))
		return mad_async_cc(async, request, a[0], a[1], a[2], NULL);
	if (!strncmp(kind, "cc_set", strlen("cc_set")))
		return mad_async_cc(async, request, a[0], a[1], a[2], data);
	if (!strncmp(kind, "vendor", strlen("vendor")))
		return mad_async_vendor(async, request, misses_call ? NULL : &vendor, data);
	if (!strcmp(kind, "sa") || !strcmp(kind, "query"))
		return mad_async_sa(async, request, misses_call ? NULL : &sa,
				    kind[0] == 'q' ? NULL : data);
	return mad_async_submit(async, request, misses_call ? NULL : &call->rpc.plain,
				request_misses(call, "payload") ? NULL : data);
}
