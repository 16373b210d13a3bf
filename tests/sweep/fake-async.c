/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The asynchronous calls that fabric-sweep uses, in place of libibmad's: a list of requests, of
 * to one of which each mad_async_dispatch() responds.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include "fake.h"

struct pending {
	struct pending *next;
	struct fake_request request;
	mad_async_callback *callback;
	void *context;
	uint64_t id;
	bool cancelled;
};

struct mad_async {
	struct pending *first;
	struct pending **end; /* where the next one is appended */
	unsigned pending;
	uint64_t last_id;
	unsigned random;
};

struct mad_async *mad_async_create(struct ibmad_port *port, const struct mad_async_options *options)
{
	struct mad_async *async = calloc(1, sizeof(*async));

	(void)port;
	(void)options;
	if (!async)
		return NULL;
	async->end = &async->first;
	async->random = fake.shuffle;
	return async;
}

void mad_async_destroy(struct mad_async *async)
{
	if (async && async->pending)
		abort();
	free(async);
}

static int submit(struct mad_async *async, const struct fake_request *request,
		  mad_async_callback *callback, void *context, uint64_t *id)
{
	struct pending *pending;

	if (fake.refuse_after && async->last_id >= fake.refuse_after) {
		errno = ENOMEM;
		return -1;
	}
	pending = calloc(1, sizeof(*pending));
	if (!pending)
		abort();
	pending->request = *request;
	pending->callback = callback;
	pending->context = context;
	pending->id = ++async->last_id;
	*async->end = pending;
	async->end = &pending->next;
	async->pending++;
	if (id)
		*id = pending->id;
	return 0;
}

int mad_async_smp_get(struct mad_async *async, const ib_portid_t *portid, unsigned attrid,
		      unsigned mod, mad_async_callback *callback, void *context, uint64_t *id)
{
	struct fake_request request = { *portid, IB_SMI_DIRECT_CLASS, attrid, mod };

	return submit(async, &request, callback, context, id);
}

int mad_async_perf_get(struct mad_async *async, const ib_portid_t *portid, int port,
		       unsigned attrid, mad_async_callback *callback, void *context, uint64_t *id)
{
	struct fake_request request = { *portid, IB_PERFORMANCE_CLASS, attrid, port };

	return submit(async, &request, callback, context, id);
}

int mad_async_cancel(struct mad_async *async, uint64_t id)
{
	for (struct pending *pending = async->first; pending; pending = pending->next)
		if (pending->id == id) {
			pending->cancelled = true;
			return 0;
		}
	errno = ENOENT;
	return -1;
}

unsigned mad_async_cancel_all(struct mad_async *async)
{
	for (struct pending *pending = async->first; pending; pending = pending->next)
		pending->cancelled = true;
	return async->pending;
}

unsigned mad_async_pending(struct mad_async *async)
{
	return async->pending;
}

static struct pending *take_one(struct mad_async *async)
{
	struct pending **taken = &async->first, *pending;
	unsigned skip = 0;

	if (fake.shuffle) {
		async->random = async->random * 1103515245u + 12345u;
		skip = (async->random >> 8) % async->pending;
	}
	while (skip--)
		taken = &(*taken)->next;
	pending = *taken;
	*taken = pending->next;
	if (!pending->next)
		async->end = taken;
	return pending;
}

static void count(const struct fake_request *request)
{
	bool perf = request->mgmt_class == IB_PERFORMANCE_CLASS;

	fake.answered++;
	(perf ? fake.asked_perf : fake.asked)[request->attribute & 0xff]++;
}

int mad_async_dispatch(struct mad_async *async, int timeout_ms)
{
	struct mad_async_result result = { 0 };
	struct fake_answer answer;
	struct pending *pending;

	(void)timeout_ms;
	if (!async->first)
		return 0;
	pending = take_one(async);
	result.portid = &pending->request.to;
	if (pending->cancelled) {
		result.error = ECANCELED;
	} else {
		count(&pending->request);
		fake_answer_request(&pending->request, &answer);
		result.error = answer.error;
		result.data = answer.error ? NULL : answer.data;
		result.data_length = answer.error ? 0 : answer.length;
	}
	pending->callback(async, &result, pending->context);
	free(pending);
	async->pending--;
	if (fake.stop_after && fake.answered >= fake.stop_after)
		fake.stop = SIGINT;
	return 1;
}
