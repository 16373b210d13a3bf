/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Fairness among destinations: a port that does not answer must delay only
 * requests to itself. So one that has not answered yet gets few requests at a
 * time, and one with a slow request none; what comes beyond that is parked, in
 * order, and lets others pass.
 */
#include <stdlib.h>
#include <string.h>

#include "async.h"

/* Requests out to a port that has not answered any yet. */
#define UNPROVEN_MAX 2

static uint64_t mix(uint64_t hash, const void *data, size_t size)
{
	const uint8_t *byte = data;

	while (size--)
		hash = (hash ^ *byte++) * UINT64_C(0x100000001b3); /* FNV-1a */
	return hash;
}

/* Tells ports apart; two that should share a key by chance would only share
 * their delays. */
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

static struct mad_destination **bucket_of(struct mad_lane *lane, uint64_t key)
{
	return &lane->destinations[(key ^ key >> 32) % MAD_ASYNC_DESTINATION_BUCKETS];
}

static struct mad_destination *find(struct mad_lane *lane, uint64_t key)
{
	struct mad_destination *destination = *bucket_of(lane, key);

	while (destination && destination->key != key)
		destination = destination->next;
	return destination;
}

static struct mad_destination *add(struct mad_lane *lane, uint64_t key)
{
	struct mad_destination *destination = lane->spare_destinations;
	struct mad_destination **bucket = bucket_of(lane, key);

	if (destination)
		lane->spare_destinations = destination->next;
	else
		destination = malloc(sizeof(*destination));
	if (!destination)
		return NULL;
	memset(destination, 0, sizeof(*destination));
	destination->key = key;
	destination->next = *bucket;
	*bucket = destination;
	return destination;
}

static bool is_open(const struct mad_destination *destination)
{
	return !destination->slow &&
	       (destination->answers || destination->in_flight < UNPROVEN_MAX);
}

static void remove_ready(struct mad_lane *lane, struct mad_destination *destination)
{
	if (destination->previous_ready)
		destination->previous_ready->next_ready = destination->next_ready;
	else
		lane->first_ready = destination->next_ready;
	if (destination->next_ready)
		destination->next_ready->previous_ready = destination->previous_ready;
	else
		lane->last_ready = destination->previous_ready;
	destination->is_ready = false;
}

static void append_ready(struct mad_lane *lane, struct mad_destination *destination)
{
	destination->next_ready = NULL;
	destination->previous_ready = lane->last_ready;
	if (lane->last_ready)
		lane->last_ready->next_ready = destination;
	else
		lane->first_ready = destination;
	lane->last_ready = destination;
	destination->is_ready = true;
}

/* After every change of a destination. */
static void update(struct mad_lane *lane, struct mad_destination *destination)
{
	bool ready = destination->parked.first && is_open(destination);

	if (ready && !destination->is_ready)
		append_ready(lane, destination);
	else if (!ready && destination->is_ready)
		remove_ready(lane, destination);
}

static void drop_if_unused(struct mad_lane *lane, struct mad_destination *destination)
{
	struct mad_destination **place = bucket_of(lane, destination->key);

	if (destination->in_flight || destination->parked.first)
		return;
	while (*place != destination)
		place = &(*place)->next;
	*place = destination->next;
	destination->next = lane->spare_destinations;
	lane->spare_destinations = destination;
}

/*
 * Whether the request, from the queue, may go out now: it then counts as in
 * flight. Else it is parked. Without the memory to keep account of its
 * destination it goes out.
 */
bool mad_destination_admit(struct mad_lane *lane, struct mad_async_request *request)
{
	struct mad_destination *destination = find(lane, request->destination_key);

	if (!destination)
		destination = add(lane, request->destination_key);
	request->destination = destination;
	if (!destination)
		return true;
	if (!destination->parked.first && is_open(destination)) {
		destination->in_flight++;
		return true;
	}
	request->place = MAD_ASYNC_PARKED;
	mad_async_append(&destination->parked, request);
	update(lane, destination);
	return false;
}

/* The parked request that is the next to go out, still parked; or NULL. */
struct mad_async_request *mad_destination_next(const struct mad_lane *lane)
{
	return lane->first_ready ? lane->first_ready->parked.first : NULL;
}

/* Whether that one goes out to see if its destination is there again. */
bool mad_destination_next_is_probe(const struct mad_lane *lane)
{
	return lane->first_ready && lane->first_ready->gave_up;
}

/* Takes it out of the parking, in flight now. Other destinations get their turn
 * after it. */
void mad_destination_launch_next(struct mad_lane *lane)
{
	struct mad_destination *destination = lane->first_ready;
	struct mad_async_request *request = destination->parked.first;

	mad_async_remove(&destination->parked, request);
	destination->in_flight++;
	request->is_probe = destination->gave_up;
	remove_ready(lane, destination);
	update(lane, destination);
}

void mad_destination_mark_slow(struct mad_lane *lane, struct mad_async_request *request)
{
	request->slow = true;
	if (!request->destination)
		return;
	request->destination->slow++;
	update(lane, request->destination);
}

/* Takes a request out of the parking, to cancel it. */
void mad_destination_unpark(struct mad_lane *lane, struct mad_async_request *request)
{
	struct mad_destination *destination = request->destination;

	mad_async_remove(&destination->parked, request);
	request->destination = NULL;
	update(lane, destination);
	drop_if_unused(lane, destination);
}

/* The request is in flight no more. */
void mad_destination_leave(struct mad_lane *lane, struct mad_async_request *request, bool answered)
{
	struct mad_destination *destination = request->destination;

	request->destination = NULL;
	if (!destination)
		return;
	destination->in_flight--;
	if (request->slow)
		destination->slow--;
	destination->answers = answered;
	destination->gave_up = !answered && request->slow;
	update(lane, destination);
	drop_if_unused(lane, destination);
}

/* A request that is parked, or NULL; *bucket, 0 at first, is where the search
 * goes on. */
struct mad_async_request *mad_destinations_first_parked(const struct mad_lane *lane,
							unsigned *bucket)
{
	for (; *bucket < MAD_ASYNC_DESTINATION_BUCKETS; (*bucket)++) {
		const struct mad_destination *destination = lane->destinations[*bucket];

		while (destination && !destination->parked.first)
			destination = destination->next;
		if (destination)
			return destination->parked.first;
	}
	return NULL;
}

void mad_destinations_free(struct mad_lane *lane)
{
	struct mad_destination *destination;

	for (int i = 0; i < MAD_ASYNC_DESTINATION_BUCKETS; i++) {
		while ((destination = lane->destinations[i])) {
			lane->destinations[i] = destination->next;
			free(destination);
		}
	}
	while ((destination = lane->spare_destinations)) {
		lane->spare_destinations = destination->next;
		free(destination);
	}
}
