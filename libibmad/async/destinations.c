/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Fairness among destinations: a port that does not respond must delay only requests to itself. So
 * one that has not responded yet gets few requests at a time. Silent ones get further requests
 * outside the window, as many at a time as the window has places, and in turn; what was in the
 * window before does not count among these. No destination has more requests in flight than the
 * window has places, so that those that wait behind them find a port that responds again. The first
 * response ends the restriction. Requests beyond these limits wait in its backlog, in order, and
 * other requests overtake them.
 */
#include <errno.h>
#include <stdlib.h>

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

void mad_destinations_init(struct mad_queue *queue)
{
	mad_hash_init(&queue->destinations);
	TAILQ_INIT(&queue->ready);
	TAILQ_INIT(&queue->ready_silent);
}

static struct mad_destination *find(const struct mad_queue *queue, uint64_t key)
{
	struct mad_hash_node *node = mad_hash_find(&queue->destinations, key);

	return (struct mad_destination *)node;
}

static struct mad_destination *add(struct mad_queue *queue, uint64_t key)
{
	struct mad_destination *destination = calloc(1, sizeof(*destination));

	if (!destination)
		return NULL;
	TAILQ_INIT(&destination->backlog);
	destination->node.key = key;
	mad_hash_add(&queue->destinations, &destination->node);
	return destination;
}

/* Whether its requests are sent within the window. */
static bool is_open(const struct mad_destination *destination)
{
	return !destination->silent &&
	       (destination->responds || destination->in_flight < UNPROVEN_MAX);
}

/* The list that it belongs in. */
static struct mad_destination_list *wanted_list(struct mad_queue *queue,
						const struct mad_destination *destination)
{
	if (TAILQ_EMPTY(&destination->backlog))
		return NULL;
	if (destination->silent)
		return destination->in_flight < queue->window ? &queue->ready_silent : NULL;
	return is_open(destination) ? &queue->ready : NULL;
}

static void leave_ready(struct mad_destination *destination)
{
	if (destination->ready)
		TAILQ_REMOVE(destination->ready, destination, in_ready);
	destination->ready = NULL;
}

/* Called after every change of a destination. */
static void update(struct mad_queue *queue, struct mad_destination *destination)
{
	struct mad_destination_list *wanted = wanted_list(queue, destination);

	if (wanted == destination->ready)
		return;
	leave_ready(destination);
	destination->ready = wanted;
	if (wanted)
		TAILQ_INSERT_TAIL(wanted, destination, in_ready);
}

/* The same after a request has left it. Nothing is remembered of one without requests, but its
 * memory is for the next one. */
static void update_left(struct mad_queue *queue, struct mad_destination *destination)
{
	update(queue, destination);
	if (destination->in_flight || !TAILQ_EMPTY(&destination->backlog))
		return;
	destination->responds = destination->silent = false;
	if (queue->destinations.count <= MAD_ASYNC_SPARES_MAX)
		return;
	mad_hash_remove(&queue->destinations, &destination->node);
	free(destination);
}

/*
 * Whether the queued request may be sent now: it then counts as in flight. Otherwise it joins the
 * backlog. If there is no memory for the state of its destination, it may be sent.
 */
bool mad_destination_admit(struct mad_queue *queue, struct mad_request *request)
{
	struct mad_destination *destination = find(queue, request->destination_key);

	if (!destination)
		destination = add(queue, request->destination_key);
	request->destination = destination;
	if (!destination)
		return true;
	if (TAILQ_EMPTY(&destination->backlog) && is_open(destination)) {
		destination->in_flight++;
		return true;
	}
	request->place = MAD_ASYNC_BACKLOG;
	TAILQ_INSERT_TAIL(&destination->backlog, request, link);
	update(queue, destination);
	return false;
}

static struct mad_destination *next_ready(const struct mad_queue *queue)
{
	if (!TAILQ_EMPTY(&queue->ready) && queue->shares[MAD_ASYNC_IN_WINDOW] < queue->window)
		return TAILQ_FIRST(&queue->ready);
	if (queue->shares[MAD_ASYNC_AMONG_SILENT] < queue->window)
		return TAILQ_FIRST(&queue->ready_silent);
	return NULL;
}

/* Whether a request of a backlog may be sent now. */
bool mad_destination_has_next(const struct mad_queue *queue)
{
	return next_ready(queue);
}

/* Takes the request out of its backlog; it then counts as in flight. Other destinations get their
 * turn after it. */
struct mad_request *mad_destination_take_next(struct mad_queue *queue)
{
	struct mad_destination *destination = next_ready(queue);
	struct mad_request *request;

	if (!destination)
		return NULL;
	request = TAILQ_FIRST(&destination->backlog);
	TAILQ_REMOVE(&destination->backlog, request, link);
	destination->in_flight++;
	request->is_probe = destination->silent;
	leave_ready(destination);
	update(queue, destination);
	return request;
}

/* The request is slow: it has had no response for several round trips. */
void mad_destination_mark_silent(struct mad_queue *queue, struct mad_request *request)
{
	if (!request->destination)
		return;
	request->destination->silent = true;
	update(queue, request->destination);
}

/* Takes a request that is being cancelled out of its backlog. */
void mad_destination_leave_backlog(struct mad_queue *queue, struct mad_request *request)
{
	struct mad_destination *destination = request->destination;

	TAILQ_REMOVE(&destination->backlog, request, link);
	request->destination = NULL;
	update_left(queue, destination);
}

/* The request has left flight: error is what it ended with, 0 a response. */
void mad_destination_leave(struct mad_queue *queue, struct mad_request *request, int error)
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
	update_left(queue, destination);
}

static bool free_destination(struct mad_hash_node *node, void *context)
{
	(void)context;
	free(node);
	return false;
}

void mad_destinations_free(struct mad_queue *queue)
{
	mad_hash_filter(&queue->destinations, free_destination, NULL);
	mad_hash_free(&queue->destinations);
}
