/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * From a LID to a directed route, by source file: cache.c remembers nodes, their links and
 * forwarding tables; follow.c follows the tables; discovery.c searches the fabric where they do not
 * lead to the LID; apply.c has the public calls, and SMPs that go by route instead of by LID.
 * The GUID of the port at which a route arrives identifies a node; all ports of a switch have one.
 */
#ifndef LIBIBMAD_ROUTE_H
#define LIBIBMAD_ROUTE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "libibmad/base/fork.h"
#include "libibmad/base/hash.h"
#include "libibmad/internal.h"

#define MAD_ROUTE_LFT_BLOCK   64 /* LIDs in a block of a linear forwarding table */
#define MAD_ROUTE_NO_PORT     255
#define MAD_ROUTE_LIFETIME_MS 30000 /* of the cache: then the fabric may be another */

struct mad_routes {
	struct mad_fork_member fork_member;
	pthread_mutex_t lock; /* guards the rest; no request is made with it */
	int64_t began;	      /* when the oldest of it was learned; 0: there is nothing */
	unsigned stale;	      /* routes_stale of the port at that time */
	uint64_t local_guid;  /* 0: not known */
	struct mad_hash nodes;
	struct mad_hash found; /* routes of discovery.c, by LID */
};

/* A node, as far as it is known. */
struct mad_route_node {
	uint64_t guid;
	uint8_t type; /* enum MAD_NODE_TYPE */
	uint8_t ports;
	uint8_t local_port; /* at which the route arrives */
	bool has_lid;
	uint8_t lmc;
	int lid; /* of the port, or of the switch */
	bool has_lft_top;
	int lft_top;
};

static inline bool mad_route_has_lid(const struct mad_route_node *node, int lid)
{
	return node->has_lid && lid >= node->lid && lid < node->lid + (1 << node->lmc);
}

/* cache.c: data without memory to keep them are requested again when they are needed. */
int mad_routes_create(struct mad_routes **created);
void mad_routes_destroy(struct mad_routes *routes);
void mad_routes_clear(struct mad_routes *routes);
/* Clears a cache that is too old, or older than the last request that timed out by its route (the
 * port has counted `stale` of them). */
void mad_routes_expire(struct mad_routes *routes, unsigned stale);
/* guid 0: the local node. Returns whether the node is known. */
bool mad_routes_get_node(struct mad_routes *routes, uint64_t guid, struct mad_route_node *node);
void mad_routes_put_node(struct mad_routes *routes, const struct mad_route_node *node,
			 bool is_local);
/* The node behind a port of a switch, or of the local node. */
bool mad_routes_get_peer(struct mad_routes *routes, uint64_t guid, unsigned port,
			 struct mad_route_node *peer);
void mad_routes_put_peer(struct mad_routes *routes, uint64_t guid, unsigned port, uint64_t peer);
/* The egress port of a LID, by the forwarding table of a switch. */
bool mad_routes_get_egress(struct mad_routes *routes, uint64_t guid, int lid, uint8_t *port);
void mad_routes_put_block(struct mad_routes *routes, uint64_t guid, int lid,
			  const uint8_t block[MAD_ROUTE_LFT_BLOCK]);
bool mad_routes_get_found(struct mad_routes *routes, int lid, ib_portid_t *route);
void mad_routes_put_found(struct mad_routes *routes, int lid, const ib_portid_t *route);
/* For mad_hash_filter(): frees an allocated entry. */
bool mad_routes_free_entry(struct mad_hash_node *entry, void *context);

/* A place in the fabric: a route, and the node at its end. */
struct mad_route_place {
	ib_portid_t portid;
	struct mad_route_node node;
};

struct mad_route_search {
	const struct ibmad_port *port;
	struct mad_routes *routes;
	int lid;
	int timeout; /* ms per attempt; 0: the port's */
};

/* The directed route, and the port GUID of its end, by which its keys are known. */
static inline void mad_route_to_place(const struct mad_route_place *place, ib_portid_t *route)
{
	*route = place->portid;
	mad_set_field64(route->gid, 0, IB_GID_GUID_F, place->node.guid);
}

/* follow.c: returns 0 or -errno */
int mad_route_ask(const struct mad_route_search *search, struct mad_route_place *place,
		  unsigned attr_id, unsigned mod, uint8_t data[IB_SMP_DATA_SIZE]);
/* The local node. */
int mad_route_begin(const struct mad_route_search *search, struct mad_route_place *place);
/* To the other end of the link at that port. -ENETUNREACH where the route would be too long. */
int mad_route_move(const struct mad_route_search *search, struct mad_route_place *place,
		   unsigned port);
/* Asks for the LID at the place, unless it is known. */
int mad_route_learn_lid(const struct mad_route_search *search, struct mad_route_place *place);
int mad_route_follow(const struct mad_route_search *search, ib_portid_t *route);

/* discovery.c */
int mad_route_discover(const struct mad_route_search *search, ib_portid_t *route);

/*
 * apply.c: replaces an SMP by LID with one by directed route, in *routed_rpc and *routed, if
 * mad_route_use() has set that for the port. Returns 1; 0 if the request is to be sent unchanged;
 * or -errno.
 */
int mad_route_adjust(const struct ibmad_port *port, const ib_rpc_t *rpc, const ib_portid_t *dport,
		     ib_rpc_t *routed_rpc, ib_portid_t *routed);

#endif
