/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Fairness among destinations: a port that does not respond must delay only requests to itself. So
 * one that has not responded yet gets few requests at a time. Unresponsive ones get further
 * requests outside the window, as many at a time as the window has places, and in turn; what was in
 * the window before does not count among these. No destination has more requests in flight than the
 * window has places, so that those that wait behind them find a port that responds again. The first
 * response ends the restriction. Requests beyond these limits wait in its backlog, in order, and
 * other requests overtake them.
 */
#include <errno.h>
#include <stdlib.h>

#include "libibmad/engine/async.h"

/* Limit of requests in flight to a port that has not responded to any yet. */
#define UNPROVEN_MAX 2

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

static struct mad_destination *find(const struct mad_async *async, uint64_t key)
{
	struct mad_hash_node *node = mad_hash_find(&async->destinations, key);

	return (struct mad_destination *)node;
}

static struct mad_destination *add(struct mad_async *async, uint64_t key)
{
	struct mad_destination *destination = calloc(1, sizeof(*destination));

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

/* The list that it belongs in. */
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

/* A request joins a backlog, or leaves it. */
static void count_waiting(struct mad_async *async, struct mad_destination *destination, bool joins)
{
	unsigned change = joins ? 1U : -1U;

	destination->waiting += change;
	if (destination->unresponsive)
		async->slow += change;
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

/* Called after a request has left the destination. Without requests, whether it is unresponsive is
 * remembered for its next request, as long as there are not too many destinations. */
static void update_left(struct mad_async *async, struct mad_destination *destination)
{
	update(async, destination);
	if (destination->in_flight || !TAILQ_EMPTY(&destination->backlog))
		return;
	destination->responds = false;
	if (async->destinations.count <= MAD_ASYNC_SPARES_MAX)
		return;
	mad_hash_remove(&async->destinations, &destination->node);
	free(destination);
}

bool mad_destination_admit(struct mad_async *async, struct mad_item *item)
{
	uint64_t key = make_key(&item->to, mad_request_class(&item->request));
	struct mad_destination *destination = find(async, key);

	if (!destination)
		destination = add(async, key);
	item->destination = destination;
	if (!destination)
		return true;
	if (is_open(async, destination)) {
		destination->in_flight++;
		return true;
	}
	item->state = MAD_ITEM_BACKLOG;
	TAILQ_INSERT_TAIL(&destination->backlog, item, link);
	count_waiting(async, destination, true);
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
	TAILQ_REMOVE(&destination->backlog, item, link);
	count_waiting(async, destination, false);
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

void mad_destination_leave_backlog(struct mad_async *async, struct mad_item *item)
{
	struct mad_destination *destination = item->destination;

	TAILQ_REMOVE(&destination->backlog, item, link);
	count_waiting(async, destination, false);
	item->destination = NULL;
	update_left(async, destination);
}

void mad_destination_leave(struct mad_async *async, struct mad_item *item, int error)
{
	struct mad_destination *destination = item->destination;

	item->destination = NULL;
	if (!destination)
		return;
	destination->in_flight--;
	if (!error || error == -ETIMEDOUT) {
		destination->responds = !error;
		set_unresponsive(async, destination, error);
	}
	update_left(async, destination);
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
