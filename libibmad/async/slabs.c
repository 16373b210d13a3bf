/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Memory for requests, in pages of its own. In the program's heap, one small block that lies above
 * them would keep the memory of a long queue from the system for ever. Pages without a request are
 * unmapped, but for some. All functions are called with async's lock held.
 */
#include "libibmad/async/async.h"
#include "libibmad/keys/keys.h"

#ifndef MAD_ASYNC_SLAB_REQUESTS /* the simulation decides */
#define MAD_ASYNC_SLAB_REQUESTS \
	(((64 << 10) - sizeof(struct mad_slab)) / sizeof(struct mad_request))
#endif

struct mad_slab {
	LIST_ENTRY(mad_slab) link;    /* while it has space */
	struct mad_async_list unused; /* requests that were freed */
	unsigned used;
	unsigned touched; /* requests that were ever used, the first ones */
	struct mad_request requests[];
};

static size_t slab_size(void)
{
	return sizeof(struct mad_slab) + MAD_ASYNC_SLAB_REQUESTS * sizeof(struct mad_request);
}

static struct mad_slab *add_slab(struct mad_slabs *slabs)
{
	struct mad_slab *slab = mad_keys_allocate(slab_size());

	if (!slab)
		return NULL;
	TAILQ_INIT(&slab->unused);
	LIST_INSERT_HEAD(&slabs->with_space, slab, link);
	slabs->empty++;
	return slab;
}

static void drop_slab(struct mad_slabs *slabs, struct mad_slab *slab)
{
	LIST_REMOVE(slab, link);
	slabs->empty--;
	mad_keys_wipe(slab, slab_size());
}

/* The place that a request was in is used again before one that never was, so that few pages are
 * touched. */
static struct mad_request *take_from(struct mad_slab *slab)
{
	struct mad_request *request = TAILQ_FIRST(&slab->unused);

	if (!request)
		return &slab->requests[slab->touched++];
	TAILQ_REMOVE(&slab->unused, request, link);
	return request;
}

struct mad_request *mad_slabs_take(struct mad_slabs *slabs)
{
	struct mad_slab *slab = LIST_FIRST(&slabs->with_space);
	struct mad_request *request;

	if (!slab)
		slab = add_slab(slabs);
	if (!slab)
		return NULL;
	request = take_from(slab);
	memset(request, 0, offsetof(struct mad_request, response));
	request->slab = slab;
	slabs->empty -= !slab->used++;
	if (slab->used == MAD_ASYNC_SLAB_REQUESTS)
		LIST_REMOVE(slab, link);
	return request;
}

void mad_slabs_give(struct mad_slabs *slabs, struct mad_request *request)
{
	struct mad_slab *slab = request->slab;

	TAILQ_INSERT_HEAD(&slab->unused, request, link);
	if (slab->used-- == MAD_ASYNC_SLAB_REQUESTS)
		LIST_INSERT_HEAD(&slabs->with_space, slab, link);
	slabs->empty += !slab->used;
	if (!slab->used && slabs->empty * MAD_ASYNC_SLAB_REQUESTS > MAD_ASYNC_SPARES_MAX)
		drop_slab(slabs, slab);
}

void mad_slabs_free(struct mad_slabs *slabs)
{
	while (!LIST_EMPTY(&slabs->with_space))
		drop_slab(slabs, LIST_FIRST(&slabs->with_space));
}
