/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The knowledge of the search for routes: see routes.h. Everything is copied in and out with the
 * lock held, so the cache may be cleared at any time.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "libibmad/base/clock.h"
#include "libibmad/routes/routes.h"

#define LFT_BLOCKS (0xc000 / MAD_ROUTE_LFT_BLOCK)

struct cached_node {
	struct mad_hash_node by_guid;
	struct mad_route_node node;
	uint64_t peers[256];		 /* by port; 0: not known */
	uint8_t *lft_blocks[LFT_BLOCKS]; /* NULL: not known */
};

struct cached_route {
	struct mad_hash_node by_lid;
	ib_portid_t route;
};

int mad_routes_create(struct mad_routes **created)
{
	struct mad_routes *routes = calloc(1, sizeof(*routes));
	int error;

	if (!routes)
		return -ENOMEM;
	error = -pthread_mutex_init(&routes->lock, NULL);
	if (error)
		goto err_free;
	mad_hash_init(&routes->nodes);
	mad_hash_init(&routes->found);
	routes->fork_member.rank = MAD_FORK_LEAF;
	routes->fork_member.lock = &routes->lock;
	error = mad_fork_add(&routes->fork_member);
	if (error)
		goto err_mutex;
	*created = routes;
	return 0;

err_mutex:
	pthread_mutex_destroy(&routes->lock);
err_free:
	free(routes);
	return error;
}

bool mad_routes_free_entry(struct mad_hash_node *entry, void *context)
{
	(void)context;
	free(entry);
	return false;
}

static bool free_node(struct mad_hash_node *entry, void *context)
{
	struct cached_node *cached = (void *)entry;

	for (unsigned i = 0; i < LFT_BLOCKS; i++)
		free(cached->lft_blocks[i]);
	return mad_routes_free_entry(entry, context);
}

/* With the lock held. */
static void clear(struct mad_routes *routes)
{
	mad_hash_filter(&routes->nodes, free_node, NULL);
	mad_hash_filter(&routes->found, mad_routes_free_entry, NULL);
	routes->local_guid = 0;
	routes->began = 0;
}

void mad_routes_clear(struct mad_routes *routes)
{
	pthread_mutex_lock(&routes->lock);
	clear(routes);
	pthread_mutex_unlock(&routes->lock);
}

void mad_routes_expire(struct mad_routes *routes, unsigned stale)
{
	int64_t now = mad_clock_now();

	pthread_mutex_lock(&routes->lock);
	if ((int)(stale - routes->stale) > 0 ||
	    (routes->began && now >= mad_clock_after(routes->began, MAD_ROUTE_LIFETIME_MS)))
		clear(routes);
	if (!routes->began) {
		routes->began = now;
		routes->stale = stale;
	}
	pthread_mutex_unlock(&routes->lock);
}

void mad_routes_destroy(struct mad_routes *routes)
{
	if (!routes)
		return;
	mad_fork_remove(&routes->fork_member);
	clear(routes);
	mad_hash_free(&routes->nodes);
	mad_hash_free(&routes->found);
	pthread_mutex_destroy(&routes->lock);
	free(routes);
}

/* Takes the lock; unlock() releases it. Returns NULL for a node that is not known. */
static struct cached_node *lock_and_find(struct mad_routes *routes, uint64_t guid)
{
	pthread_mutex_lock(&routes->lock);
	return (struct cached_node *)mad_hash_find(&routes->nodes,
						   guid ? guid : routes->local_guid);
}

static void unlock(struct mad_routes *routes)
{
	pthread_mutex_unlock(&routes->lock);
}

bool mad_routes_get_node(struct mad_routes *routes, uint64_t guid, struct mad_route_node *node)
{
	const struct cached_node *cached = lock_and_find(routes, guid);

	if (cached)
		*node = cached->node;
	unlock(routes);
	return cached;
}

void mad_routes_put_node(struct mad_routes *routes, const struct mad_route_node *node,
			 bool is_local)
{
	struct cached_node *cached = lock_and_find(routes, node->guid);

	if (!cached && (cached = calloc(1, sizeof(*cached)))) {
		cached->by_guid.key = node->guid;
		mad_hash_add(&routes->nodes, &cached->by_guid);
	}
	if (cached)
		cached->node = *node;
	if (cached && is_local)
		routes->local_guid = node->guid;
	unlock(routes);
}

bool mad_routes_get_peer(struct mad_routes *routes, uint64_t guid, unsigned port,
			 struct mad_route_node *peer)
{
	const struct cached_node *cached = lock_and_find(routes, guid);
	uint64_t peer_guid = cached ? cached->peers[port & 0xff] : 0;

	unlock(routes);
	return peer_guid && mad_routes_get_node(routes, peer_guid, peer);
}

void mad_routes_put_peer(struct mad_routes *routes, uint64_t guid, unsigned port, uint64_t peer)
{
	struct cached_node *cached = lock_and_find(routes, guid);

	if (cached)
		cached->peers[port & 0xff] = peer;
	unlock(routes);
}

bool mad_routes_get_egress(struct mad_routes *routes, uint64_t guid, int lid, uint8_t *port)
{
	const struct cached_node *cached = lock_and_find(routes, guid);
	const uint8_t *block = cached ? cached->lft_blocks[lid / MAD_ROUTE_LFT_BLOCK] : NULL;

	if (block)
		*port = block[lid % MAD_ROUTE_LFT_BLOCK];
	unlock(routes);
	return block;
}

void mad_routes_put_block(struct mad_routes *routes, uint64_t guid, int lid,
			  const uint8_t block[MAD_ROUTE_LFT_BLOCK])
{
	struct cached_node *cached = lock_and_find(routes, guid);

	if (cached) {
		uint8_t *kept = cached->lft_blocks[lid / MAD_ROUTE_LFT_BLOCK];

		if (!kept)
			kept = malloc(MAD_ROUTE_LFT_BLOCK);
		if (kept)
			memcpy(kept, block, MAD_ROUTE_LFT_BLOCK);
		cached->lft_blocks[lid / MAD_ROUTE_LFT_BLOCK] = kept;
	}
	unlock(routes);
}

bool mad_routes_get_found(struct mad_routes *routes, int lid, ib_portid_t *route)
{
	const struct cached_route *cached;

	pthread_mutex_lock(&routes->lock);
	cached = (struct cached_route *)mad_hash_find(&routes->found, lid);
	if (cached)
		*route = cached->route;
	unlock(routes);
	return cached;
}

void mad_routes_put_found(struct mad_routes *routes, int lid, const ib_portid_t *route)
{
	struct cached_route *cached = NULL;

	pthread_mutex_lock(&routes->lock);
	if (!mad_hash_find(&routes->found, lid))
		cached = calloc(1, sizeof(*cached));
	if (cached) {
		cached->by_lid.key = lid;
		cached->route = *route;
		mad_hash_add(&routes->found, &cached->by_lid);
	}
	unlock(routes);
}
