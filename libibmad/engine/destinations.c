/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Fairness among destinations: a port that does not respond must delay only requests to itself. So
 * one that has not responded yet gets few requests at a time. Unresponsive ones get further
 * requests outside the window, as many at a time as the window has places, and in turn; what was in
 * the window before does not count among these. No destination has more requests in flight than the
 * window has places, so that those that wait behind them find a port that responds again. The first
 * response ends the restriction. Requests beyond these limits wait in its backlog, in order, and
 * other requests overtake them. Which limit a request in flight counts against is here, too.
 */
#include <errno.h>
#include <stdlib.h>

#include "libibmad/engine/async.h"

#define UNPROVEN_MAX 2 /* in flight to a port that has not responded yet */

static uint64_t mix(uint64_t hash, const void *data, size_t size)
{
	const uint8_t *byte = data;

	while (size--)
		hash = (hash ^ *byte++) * UINT64_C(0x100000001b3); /* FNV-1a */
	return hash;
}

/* Identifies a port; two ports with the same key by chance would only share their delays. */
static uint64_t make_key(const ib_portid_t *portid, int mgmt_class)
{
	uint64_t hash = mix(UINT64_C(0xcbf29ce484222325), &portid->lid, sizeof(portid->lid));
	bool directed = mgmt_class == IB_SMI_DIRECT_CLASS;

	if (directed)
		hash = mix(hash, portid->drpath.p, portid->drpath.cnt + 1);
	if (portid->grh_present)
		hash = mix(hash, portid->gid, sizeof(portid->gid));
	return mix(hash, &directed, sizeof(directed));
}

void mad_destinations_init(struct mad_async *async)
{
	mad_hash_init(&async->destinations);
	TAILQ_INIT(&async->ready);
	TAILQ_INIT(&async->ready_unresponsive);
}

static struct mad_destination *find_or_add(struct mad_async *async, uint64_t key)
{
	struct mad_destination *destination = (void *)mad_hash_find(&async->destinations, key);

	if (destination)
		return destination;
	destination = calloc(1, sizeof(*destination));
	if (!destination)
		return NULL;
	TAILQ_INIT(&destination->backlog);
	destination->node.key = key;
	mad_hash_add(&async->destinations, &destination->node);
	return destination;
}

/* Whether its requests are sent within the window. */
static bool is_open(const struct mad_async *async, const struct mad_destination *destination)
{
	return !destination->unresponsive &&
	       destination->in_flight < (destination->responds ? async->window : UNPROVEN_MAX);
}

static struct mad_destination_list *wanted_list(struct mad_async *async,
						const struct mad_destination *destination)
{
	if (TAILQ_EMPTY(&destination->backlog))
		return NULL;
	if (destination->unresponsive)
		return destination->in_flight < async->window ? &async->ready_unresponsive : NULL;
	return is_open(async, destination) ? &async->ready : NULL;
}

static void leave_ready(struct mad_destination *destination)
{
	if (destination->ready)
		TAILQ_REMOVE(destination->ready, destination, in_ready);
	destination->ready = NULL;
}

static void leave_backlog(struct mad_async *async, struct mad_destination *destination,
			  struct mad_item *item)
{
	TAILQ_REMOVE(&destination->backlog, item, link);
	destination->waiting--;
	if (destination->unresponsive)
		async->slow--;
}

static void set_unresponsive(struct mad_async *async, struct mad_destination *destination,
			     bool unresponsive)
{
	if (destination->unresponsive == unresponsive)
		return;
	destination->unresponsive = unresponsive;
	async->slow += unresponsive ? destination->waiting : -destination->waiting;
}

/* Called after every change of a destination. */
static void update(struct mad_async *async, struct mad_destination *destination)
{
	struct mad_destination_list *wanted = wanted_list(async, destination);

	if (wanted == destination->ready)
		return;
	leave_ready(destination);
	destination->ready = wanted;
	if (wanted)
		TAILQ_INSERT_TAIL(wanted, destination, in_ready);
}

bool mad_destination_admit(struct mad_async *async, struct mad_item *item)
{
	uint64_t key = make_key(&item->to, mad_request_class(&item->request));
	struct mad_destination *destination = find_or_add(async, key);

	item->destination = destination;
	if (!destination)
		return true;
	if (is_open(async, destination)) {
		destination->in_flight++;
		return true;
	}
	item->state = MAD_ITEM_BACKLOG;
	TAILQ_INSERT_TAIL(&destination->backlog, item, link);
	destination->waiting++;
	if (destination->unresponsive)
		async->slow++;
	update(async, destination);
	return false;
}

static struct mad_destination *next_ready(const struct mad_async *async)
{
	if (!TAILQ_EMPTY(&async->ready) && async->shares[MAD_SHARE_WINDOW] < async->window)
		return TAILQ_FIRST(&async->ready);
	if (async->shares[MAD_SHARE_UNRESPONSIVE] < async->window)
		return TAILQ_FIRST(&async->ready_unresponsive);
	return NULL;
}

/* Other destinations get their turn after it. */
struct mad_item *mad_destination_take_next(struct mad_async *async)
{
	struct mad_destination *destination = next_ready(async);
	struct mad_item *item;

	if (!destination)
		return NULL;
	item = TAILQ_FIRST(&destination->backlog);
	leave_backlog(async, destination, item);
	destination->in_flight++;
	leave_ready(destination);
	update(async, destination);
	return item;
}

void mad_destination_doubt(struct mad_async *async, struct mad_item *item)
{
	if (!item->destination)
		return;
	set_unresponsive(async, item->destination, true);
	update(async, item->destination);
}

/* Without requests, whether the destination is unresponsive is remembered for its next request, as
 * long as there are not too many destinations. */
void mad_destination_leave(struct mad_async *async, struct mad_item *item, int error)
{
	struct mad_destination *destination = item->destination;

	item->destination = NULL;
	if (!destination)
		return;
	if (item->state == MAD_ITEM_BACKLOG)
		leave_backlog(async, destination, item);
	else
		destination->in_flight--;
	if (!error || error == -ETIMEDOUT) {
		destination->responds = !error;
		set_unresponsive(async, destination, error);
	}
	update(async, destination);
	if (destination->in_flight || destination->waiting)
		return;
	destination->responds = false;
	if (async->destinations.count <= MAD_ASYNC_SPARES_MAX)
		return;
	mad_hash_remove(&async->destinations, &destination->node);
	free(destination);
}

static bool free_destination(struct mad_hash_node *node, void *context)
{
	(void)context;
	free(node);
	return false;
}

void mad_destinations_forget(struct mad_async *async)
{
	if (async->destinations.count > 1)
		mad_hash_filter(&async->destinations, free_destination, NULL);
}

void mad_destinations_free(struct mad_async *async)
{
	mad_hash_filter(&async->destinations, free_destination, NULL);
	mad_hash_free(&async->destinations);
}

/* A request leaves the window after this time, or half its timeout if that is shorter: a longer one
 * would let few unresponsive ports delay all others, whatever has responded before. */
#define PATIENCE (50 * MAD_NS_PER_MS)

void mad_item_set_share(struct mad_item *item, enum mad_share share)
{
	if (item->share != MAD_SHARE_NONE)
		mad_async_unsettle(item->async); /* another item may take its share */
	item->async->shares[item->share]--;
	item->share = share;
	item->async->shares[share]++;
}

/* The request delays no other from now on, and no submission of others. */
static void set_slow(struct mad_item *item)
{
	item->async->slow += !item->is_slow;
	item->is_slow = true;
}

int64_t mad_item_due(const struct mad_item *item, int64_t until)
{
	const struct mad_attempts *attempts = &item->request.attempts;
	int64_t half = attempts->timeout_ms * MAD_NS_PER_MS / 2, due;

	if (item->share != MAD_SHARE_WINDOW || attempts->phase == MAD_ATTEMPT_HELD)
		return until;
	due = attempts->began + (attempts->timeout_ms < 0 || half > PATIENCE ? PATIENCE : half);
	return due < until ? due : until;
}

bool mad_item_is_unresponsive(const struct mad_item *item)
{
	return item->destination && item->destination->unresponsive;
}

bool mad_item_enter_window(struct mad_request *request)
{
	struct mad_item *item = mad_item_of(request);
	enum mad_share share = MAD_SHARE_WINDOW;

	if (!item)
		return true;
	if (mad_item_is_unresponsive(item))
		share = MAD_SHARE_UNRESPONSIVE;
	if (item->async->shares[share] >= item->async->window)
		return false;
	mad_item_set_share(item, share);
	if (share == MAD_SHARE_UNRESPONSIVE)
		set_slow(item);
	return true;
}

void mad_item_slow_down(struct mad_request *request)
{
	struct mad_item *item = mad_item_of(request);

	if (!item || item->share != MAD_SHARE_WINDOW)
		return;
	mad_item_set_share(item, MAD_SHARE_NONE);
	set_slow(item);
	if (request->attempts.action == MAD_ATTEMPT_WAIT)
		mad_destination_doubt(item->async, item);
}
