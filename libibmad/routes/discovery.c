/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Searches the fabric for a LID, link by link from the local port, where the forwarding tables do
 * not lead to it. Nodes that do not respond are passed over.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>

#include <infiniband/umad_port_states.h>

#include "libibmad/routes/routes.h"

/* A node that was found; those whose links have not been looked at are in the queue. */
struct found_node {
	struct mad_hash_node by_guid;
	STAILQ_ENTRY(found_node) link;
	struct mad_route_place place;
};

struct discovery {
	const struct mad_route_search *search;
	struct mad_hash nodes;
	STAILQ_HEAD(, found_node) queue;
};

/* Errors of one node that say nothing about others. */
static bool may_pass_over(int error)
{
	return error == -ETIMEDOUT || error == -EIO || error == -EKEYREJECTED || error == -EPROTO ||
	       error == -ENETUNREACH;
}

/* Returns 1 with the route where the place has the LID, 0, or -errno. */
static int look_at(struct discovery *discovery, const struct mad_route_place *place,
		   ib_portid_t *route)
{
	struct found_node *found;
	int error;

	if (mad_hash_find(&discovery->nodes, place->node.guid))
		return 0;
	found = calloc(1, sizeof(*found));
	if (!found)
		return -ENOMEM;
	found->place = *place;
	found->by_guid.key = place->node.guid;
	mad_hash_add(&discovery->nodes, &found->by_guid);
	STAILQ_INSERT_TAIL(&discovery->queue, found, link);
	error = mad_route_learn_lid(discovery->search, &found->place);
	if (error)
		return may_pass_over(error) ? 0 : error;
	if (!mad_route_has_lid(&found->place.node, discovery->search->lid))
		return 0;
	mad_route_to_place(place, route);
	return 1;
}

static int follow_link(struct discovery *discovery, const struct mad_route_place *from,
		       unsigned port, ib_portid_t *route)
{
	struct mad_route_place place = *from;
	int result = mad_route_move(discovery->search, &place, port);

	if (!result)
		result = look_at(discovery, &place, route);
	return result < 0 && may_pass_over(result) ? 0 : result;
}

static int follow_links_of_switch(struct discovery *discovery, struct mad_route_place *place,
				  ib_portid_t *route)
{
	uint8_t data[IB_SMP_DATA_SIZE];
	int result = 0;

	for (unsigned port = 1; port <= place->node.ports && !result; port++) {
		result = mad_route_ask(discovery->search, place, IB_ATTR_PORT_INFO, port, data);
		if (result && may_pass_over(result))
			result = 0;
		else if (!result &&
			 mad_get_field(data, 0, IB_PORT_PHYS_STATE_F) == UMAD_PHYS_LINK_UP)
			result = follow_link(discovery, place, port, route);
	}
	return result;
}

/* Returns 1 with the route, 0, or -errno. */
static int follow_links(struct discovery *discovery, struct found_node *found, ib_portid_t *route)
{
	struct mad_route_place *place = &found->place;

	if (place->node.type == IB_NODE_SWITCH)
		return follow_links_of_switch(discovery, place, route);
	if (!place->portid.drpath.cnt)
		return follow_link(discovery, place, place->node.local_port, route);
	return 0;
}

static int discover(struct discovery *discovery, ib_portid_t *route)
{
	struct mad_route_place place;
	struct found_node *next;
	int result = mad_route_begin(discovery->search, &place);

	if (!result)
		result = look_at(discovery, &place, route);
	while (!result && (next = STAILQ_FIRST(&discovery->queue))) {
		STAILQ_REMOVE_HEAD(&discovery->queue, link);
		result = follow_links(discovery, next, route);
	}
	return result;
}

static void free_nodes(void *nodes)
{
	mad_hash_filter(nodes, mad_routes_free_entry, NULL);
	mad_hash_free(nodes);
}

/* The thread may be cancelled in a request. */
int mad_route_discover(const struct mad_route_search *search, ib_portid_t *route)
{
	struct discovery discovery = { .search = search };
	int result;

	mad_hash_init(&discovery.nodes);
	STAILQ_INIT(&discovery.queue);
	pthread_cleanup_push(free_nodes, &discovery.nodes);
	result = discover(&discovery, route);
	pthread_cleanup_pop(1);
	if (result < 0)
		return result;
	return result ? 0 : -ENETUNREACH;
}
