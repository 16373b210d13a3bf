/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Fairness among destinations: a port that does not respond must delay only requests to itself. So
 * one that has not responded yet gets few requests at a time. Silent ones get further requests
 * outside the window, as many at a time as the window has places, and in turn; what was in the
 * window before does not count among these. No destination has more requests in flight than the
 * window has places, so that those that wait behind them find a port that responds again. The first
 * response ends the restriction. Requests beyond these limits are parked, in order, and other
 * requests overtake them.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "libibmad/async/async.h"

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
uint64_t mad_destination_key(const ib_portid_t *portid, int mgmt_class)
{
	uint64_t hash = mix(UINT64_C(0xcbf29ce484222325), &portid->lid, sizeof(portid->lid));
	bool directed = mgmt_class == IB_SMI_DIRECT_CLASS;

	if (directed)
		hash = mix(hash, portid->drpath.p, portid->drpath.cnt + 1);
	if (portid->grh_present)
		hash = mix(hash, portid->gid, sizeof(portid->gid));
	return mix(hash, &directed, sizeof(directed));
}

void mad_destinations_init(struct mad_lane *lane)
{
	mad_hash_init(&lane->destinations);
	TAILQ_INIT(&lane->ready);
	TAILQ_INIT(&lane->ready_silent);
	SLIST_INIT(&lane->spare_destinations);
}

static struct mad_destination *find(const struct mad_lane *lane, uint64_t key)
{
	struct mad_hash_node *node = mad_hash_find(&lane->destinations, key);

	return (struct mad_destination *)node;
}

static struct mad_destination *add(struct mad_lane *lane, uint64_t key)
{
	struct mad_destination *destination = SLIST_FIRST(&lane->spare_destinations);

	if (destination) {
		SLIST_REMOVE_HEAD(&lane->spare_destinations, in_spare);
		lane->spare_destination_count--;
	} else {
		destination = malloc(sizeof(*destination));
	}
	if (!destination)
		return NULL;
	memset(destination, 0, sizeof(*destination));
	TAILQ_INIT(&destination->parked);
	destination->node.key = key;
	mad_hash_add(&lane->destinations, &destination->node);
	return destination;
}

static void drop_if_unused(struct mad_lane *lane, struct mad_destination *destination)
{
	if (destination->in_flight || !TAILQ_EMPTY(&destination->parked))
		return;
	mad_hash_remove(&lane->destinations, &destination->node);
	if (lane->spare_destination_count >= MAD_ASYNC_SPARES_MAX) {
		free(destination);
		return;
	}
	SLIST_INSERT_HEAD(&lane->spare_destinations, destination, in_spare);
	lane->spare_destination_count++;
}

/* Whether its requests are sent within the window. */
static bool is_open(const struct mad_destination *destination)
{
	return !destination->silent &&
	       (destination->responds || destination->in_flight < UNPROVEN_MAX);
}

/* The list that it belongs in. */
static struct mad_destination_list *wanted_list(struct mad_lane *lane,
						const struct mad_destination *destination)
{
	if (TAILQ_EMPTY(&destination->parked))
		return NULL;
	if (destination->silent)
		return destination->in_flight < lane->window ? &lane->ready_silent : NULL;
	return is_open(destination) ? &lane->ready : NULL;
}

static void leave_ready(struct mad_destination *destination)
{
	if (destination->ready)
		TAILQ_REMOVE(destination->ready, destination, in_ready);
	destination->ready = NULL;
}

/* Called after every change of a destination. */
static void update(struct mad_lane *lane, struct mad_destination *destination)
{
	struct mad_destination_list *wanted = wanted_list(lane, destination);

	if (wanted == destination->ready)
		return;
	leave_ready(destination);
	destination->ready = wanted;
	if (wanted)
		TAILQ_INSERT_TAIL(wanted, destination, in_ready);
}

/*
 * Whether the queued request may be sent now: it then counts as in flight. Otherwise it is parked.
 * If there is no memory for the state of its destination, it may be sent.
 */
bool mad_destination_admit(struct mad_lane *lane, struct mad_async_request *request)
{
	struct mad_destination *destination = find(lane, request->destination_key);

	if (!destination)
		destination = add(lane, request->destination_key);
	request->destination = destination;
	if (!destination)
		return true;
	if (TAILQ_EMPTY(&destination->parked) && is_open(destination)) {
		destination->in_flight++;
		return true;
	}
	request->place = MAD_ASYNC_PARKED;
	TAILQ_INSERT_TAIL(&destination->parked, request, link);
	update(lane, destination);
	return false;
}

static struct mad_destination *next_ready(const struct mad_lane *lane)
{
	if (!TAILQ_EMPTY(&lane->ready) && lane->shares[MAD_ASYNC_IN_WINDOW] < lane->window)
		return TAILQ_FIRST(&lane->ready);
	if (lane->shares[MAD_ASYNC_AMONG_SILENT] < lane->window)
		return TAILQ_FIRST(&lane->ready_silent);
	return NULL;
}

/* Whether a parked request may be sent now. */
bool mad_destination_has_next(const struct mad_lane *lane)
{
	return next_ready(lane);
}

/* Unparks the request, which then counts as in flight. Other destinations get their turn after
 * it. */
struct mad_async_request *mad_destination_take_next(struct mad_lane *lane)
{
	struct mad_destination *destination = next_ready(lane);
	struct mad_async_request *request;

	if (!destination)
		return NULL;
	request = TAILQ_FIRST(&destination->parked);
	TAILQ_REMOVE(&destination->parked, request, link);
	destination->in_flight++;
	request->is_probe = destination->silent;
	leave_ready(destination);
	update(lane, destination);
	return request;
}

/* The request is slow: it has had no response for several round trips. */
void mad_destination_mark_silent(struct mad_lane *lane, struct mad_async_request *request)
{
	if (!request->destination)
		return;
	request->destination->silent = true;
	update(lane, request->destination);
}

/* Unparks a request that is being cancelled. */
void mad_destination_unpark(struct mad_lane *lane, struct mad_async_request *request)
{
	struct mad_destination *destination = request->destination;

	TAILQ_REMOVE(&destination->parked, request, link);
	request->destination = NULL;
	update(lane, destination);
	drop_if_unused(lane, destination);
}

/* The request has left flight: error is what it ended with, 0 a response. */
void mad_destination_leave(struct mad_lane *lane, struct mad_async_request *request, int error)
{
	struct mad_destination *destination = request->destination;

	request->destination = NULL;
	if (!destination)
		return;
	destination->in_flight--;
	if (!error || error == -ETIMEDOUT) {
		destination->responds = !error;
		destination->silent = error;
	}
	update(lane, destination);
	drop_if_unused(lane, destination);
}

static bool free_destination(struct mad_hash_node *node, void *context)
{
	(void)context;
	free(node);
	return false;
}

void mad_destinations_free(struct mad_lane *lane)
{
	struct mad_destination *destination;

	mad_hash_filter(&lane->destinations, free_destination, NULL);
	mad_hash_free(&lane->destinations);
	while ((destination = SLIST_FIRST(&lane->spare_destinations))) {
		SLIST_REMOVE_HEAD(&lane->spare_destinations, in_spare);
		free(destination);
	}
}
