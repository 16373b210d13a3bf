/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Redirects of asynchronous requests. If a redirect names a GID without a LID, a lookup finds the
 * LID by three requests: PortInfo of the local port (for the SM's LID), NodeInfo of it (for the
 * local GID), and the PathRecord to the GID. A lookup belongs either to the thread that runs it or
 * to its request in flight, never to both.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "libibmad/async/async.h"
#include "libibmad/requests/redirect.h"
#include "libibmad/requests/requests.h"
#include "libibmad/wire/packet.h"

enum lookup_step {
	LOOKUP_SM,
	LOOKUP_OWN_GID,
	LOOKUP_PATH,
	LOOKUP_OVER,
};

struct mad_redirect_lookup {
	STAILQ_ENTRY(mad_redirect_lookup) link;
	uint64_t request_id; /* the request being redirected */
	struct mad_redirect redirect;
	enum lookup_step step; /* the next step, or the one whose request is in flight */
	int error;
	ib_portid_t sm;
	ibmad_gid_t own_gid;
};

static int mgmt_class_of(const struct mad_async_request *request)
{
	return mad_transaction_request(&request->transaction)[MAD_CLASS];
}

static bool is_resolvable(const struct mad_async_request *request)
{
	const uint8_t *mad = mad_transaction_request(&request->transaction);

	return mad_redirect_is_resolvable(mad[MAD_CLASS], mad_get_be16(mad + MAD_ATTR_ID));
}

/* Without async's lock. */
static void append_lookup(struct mad_async *async, struct mad_redirect_lookup *lookup)
{
	pthread_mutex_lock(&async->lock);
	STAILQ_INSERT_TAIL(&async->lookups, lookup, link);
	atomic_fetch_add(&async->lookup_count, 1);
	pthread_mutex_unlock(&async->lock);
}

static struct mad_redirect_lookup *take_lookup(struct mad_async *async)
{
	struct mad_redirect_lookup *lookup;

	pthread_mutex_lock(&async->lock);
	lookup = STAILQ_FIRST(&async->lookups);
	if (lookup) {
		STAILQ_REMOVE_HEAD(&async->lookups, link);
		atomic_fetch_sub(&async->lookup_count, 1);
	}
	pthread_mutex_unlock(&async->lock);
	return lookup;
}

bool mad_lookup_is_ready(const struct mad_async *async)
{
	return atomic_load(&async->lookup_count);
}

/* With the engine's lock held, which is released meanwhile: the address is known, or there is none.
 * The request may be cancelled meanwhile. */
static void end_redirect(struct mad_lane *lane, uint64_t request_id, struct mad_redirect *redirect,
			 int error)
{
	struct mad_async_request *request;

	if (!error) {
		pthread_mutex_unlock(&lane->engine->lock);
		mad_redirect_find_pkey(lane->port, redirect);
		pthread_mutex_lock(&lane->engine->lock);
	}
	request = mad_request_find(lane->async, request_id);
	if (!request)
		return;
	mad_buffer_free(request->transaction.whole);
	request->transaction.whole = NULL;
	if (!error)
		mad_redirect_apply(lane->port, redirect, mgmt_class_of(request), &request->portid,
				   request->umad);
	mad_inflight_step(lane->engine, &request->transaction, MAD_TRY_READDRESSED, error, 0);
	mad_lane_follow(lane, request);
}

static int begin_lookup(struct mad_lane *lane, struct mad_async_request *request,
			const struct mad_redirect *redirect)
{
	struct mad_redirect_lookup *lookup;

	if (!is_resolvable(request))
		return -ELOOP;
	lookup = calloc(1, sizeof(*lookup));
	if (!lookup)
		return -ENOMEM;
	lookup->request_id = request->by_id.key;
	lookup->redirect = *redirect;
	mad_lane_set_share(lane, request, MAD_ASYNC_NO_SHARE); /* the lookup may need the place */
	append_lookup(lane->async, lookup);
	mad_lane_notify(lane);
	return 0;
}

void mad_async_readdress(struct mad_lane *lane, struct mad_async_request *request)
{
	struct mad_transaction *transaction = &request->transaction;
	struct mad_redirect redirect;
	int error =
		mad_redirect_read(transaction->response, transaction->response_length, &redirect);

	mad_inflight_step(lane->engine, transaction, MAD_TRY_BEGIN, 0, 0);
	mad_lane_follow(lane, request);
	if (!error && !redirect.lid) {
		error = begin_lookup(lane, request, &redirect);
		if (!error)
			return;
	}
	end_redirect(lane, request->by_id.key, &redirect, error);
}

static int read_response(struct mad_redirect_lookup *lookup, void *data)
{
	ib_portid_t found = { 0 };
	int error;

	switch (lookup->step) {
	case LOOKUP_SM:
		return mad_resolve_read_sm(data, &lookup->sm);
	case LOOKUP_OWN_GID:
		mad_resolve_read_own_gid(data, lookup->own_gid);
		return 0;
	default:
		error = mad_resolve_read_path(data, true, &found);
		lookup->redirect.lid = found.lid;
		lookup->redirect.sl = found.sl;
		return error;
	}
}

void mad_lookup_take_response(struct mad_async_request *request, int error)
{
	struct mad_redirect_lookup *lookup = request->lookup;

	if (!error && mad_response_status(request->response->mad))
		error = -EIO;
	if (!error)
		error = mad_packet_transfer_error(request->response->mad);
	if (!error)
		error = read_response(lookup, request->response->mad + request->data_offset);
	lookup->error = error;
	lookup->step = error ? LOOKUP_OVER : lookup->step + 1;
	append_lookup(request->lane->async, lookup);
}

static int submit(struct mad_async *async, const ib_rpc_t *rpc, const ib_portid_t *dport,
		  const void *payload, struct mad_redirect_lookup *lookup)
{
	const struct mad_submission submission = {
		.rpc = rpc, .dport = dport, .payload = payload, .lookup = lookup
	};

	return mad_async_hand_in(async, &submission, NULL);
}

static int ask_local_port(struct mad_async *async, struct mad_redirect_lookup *lookup,
			  unsigned attr_id)
{
	uint64_t mkey = mad_port_mkey(mad_async_lane(async, IB_SMI_DIRECT_CLASS)->port);
	ib_portid_t self = { 0 };
	ib_rpc_t rpc;

	mad_smp_request(&rpc, &self, IB_MAD_METHOD_GET, attr_id, 0, mkey);
	return submit(async, &rpc, &self, NULL, lookup);
}

static uint64_t sa_key(struct mad_async *async)
{
	return mad_port_sa_key(mad_async_lane(async, IB_SA_CLASS)->port);
}

static int ask_for_path(struct mad_async *async, struct mad_redirect_lookup *lookup)
{
	uint8_t record[IB_SA_DATA_SIZE];
	ib_sa_call_t sa;
	ib_rpc_v1_t rpc;
	int error;

	mad_path_request(&sa, record, lookup->own_gid, lookup->redirect.gid);
	error = mad_sa_request(&rpc, &lookup->sm, &sa, sa_key(async));
	return error ? error : submit(async, (ib_rpc_t *)&rpc, &lookup->sm, record, lookup);
}

/* Submits the request of the next step. */
static int make_step(struct mad_async *async, struct mad_redirect_lookup *lookup)
{
	switch (lookup->step) {
	case LOOKUP_SM:
		return ask_local_port(async, lookup, IB_ATTR_PORT_INFO);
	case LOOKUP_OWN_GID:
		return ask_local_port(async, lookup, IB_ATTR_NODE_INFO);
	default:
		return ask_for_path(async, lookup);
	}
}

/* Resumes the redirected request, unless it has been cancelled. */
static void end_lookup(struct mad_async *async, struct mad_redirect_lookup *lookup, int error)
{
	struct mad_lane *lane = mad_request_lane(async, lookup->request_id);
	int cancel_state = mad_engine_lock(lane->engine);

	end_redirect(lane, lookup->request_id, &lookup->redirect, error);
	mad_engine_unlock(lane->engine, cancel_state);
	free(lookup);
}

void mad_lookup_run(struct mad_async *async)
{
	struct mad_redirect_lookup *lookup;
	int cancel_state;

	if (!mad_lookup_is_ready(async))
		return;
	cancel_state = mad_hold_cancel();
	while ((lookup = take_lookup(async))) {
		int error = lookup->error;

		if (lookup->step != LOOKUP_OVER) {
			error = make_step(async, lookup);
			if (!error)
				continue; /* the request owns it now */
		}
		end_lookup(async, lookup, error);
	}
	mad_release_cancel(cancel_state);
}

void mad_lookup_free(struct mad_async *async)
{
	struct mad_redirect_lookup *lookup;

	while ((lookup = take_lookup(async)))
		free(lookup);
}
