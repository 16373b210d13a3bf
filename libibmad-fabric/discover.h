/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* A discovery, for its files. */
#ifndef LIBIBMAD_FABRIC_DISCOVER_H
#define LIBIBMAD_FABRIC_DISCOVER_H

#include <string.h>

#include "libibmad-fabric/fabric.h"

#define DISCOVERY_GIVE_UP_AFTER 3 /* timeouts of a node in a row */

struct discovery {
	struct fabric_run run;
	struct mad_fabric_options options;
	struct mad_fabric *fabric;
	struct fabric_task *tasks;
	struct fabric_task **last_task; /* the next task is appended here */
	mad_async_callback on_response; /* takes the response to a task, its context */
	int most_hops;
	bool has_duplicates; /* nodes with one GUID, or signs of them: see duplicates.c */
	bool checks_duplicates;
	bool is_from_sa; /* nodes and links are those of the SA */
	int sa_error;	 /* -errno: why not, although the options want it */
};

/* A node that has responded at the end of a route. */
struct arrival {
	struct mad_fabric_node node;
	uint64_t port_guid;
	uint8_t local_port; /* at which the request came in */
};

/* Whether two responses with one GUID may be of one node. */
static inline bool discovery_is_same_node(const struct mad_fabric_node *one,
					  const struct mad_fabric_node *other)
{
	return one->type == other->type && one->port_count == other->port_count &&
	       one->system_guid == other->system_guid && one->vendor_id == other->vendor_id &&
	       one->device_id == other->device_id;
}

/* Returns 0, or an errno. */
static inline int discovery_read_arrival(const struct mad_async_result *result,
					 struct arrival *arrival)
{
	int error;
	void *data = fabric_attribute(result, IB_SMP_DATA_SIZE, &error);

	memset(arrival, 0, sizeof(*arrival));
	if (!data)
		return error;
	arrival->node.route = result->from->drpath;
	fabric_take_node_info(data, &arrival->node, &arrival->port_guid, &arrival->local_port);
	return 0;
}

/* Undoes a link that a later response contradicts. */
static inline void discovery_disconnect(struct discovery *discovery, struct fabric_port *port)
{
	fabric_port_of(port->public.peer)->public.peer = NULL;
	port->public.peer = NULL;
	discovery->fabric->info.links--;
	discovery->run.progress.links--;
}

/* discover_limit.c */
/* Whether a node behind this port may be added: not where too many were found through a node on the
 * way. */
bool discovery_may_add(const struct discovery *discovery, const struct fabric_port *from);
/* Counts a node that was added behind a port. */
void discovery_note_found(struct fabric_node *node, const struct fabric_port *from);
/* Whether the node, or a node through which it was found, is not followed any more. */
bool discovery_is_cut_off(const struct fabric_node *node);

/* duplicates.c */
/* Whether links that look like those of a node may be those of another node with its GUID. */
bool duplicates_are_possible(const struct fabric_node *node);
/* Whether a request out of port has arrived at from. */
bool duplicates_prove(const struct fabric_port *port, const struct fabric_port *from);
/* Queues requests that tell switches with one GUID apart; false: none are left. */
bool duplicates_check(struct discovery *discovery);

/*
 * from_sa.c: replaces the empty fabric of a discovery by what the SA knows; on failure, it stays
 * empty. Returns 0 or -errno.
 */
int discovery_read_from_sa(struct discovery *discovery, struct ibmad_port *port);

/* discover_requests.c */
/* The port of a task, and its node, also where the task has no port. */
#define DISCOVERY_TASK_OF(task, type, member) \
	((type *)(void *)((char *)(task)-offsetof(type, member)))
static inline struct fabric_port *discovery_port_of(struct fabric_task *task)
{
	return DISCOVERY_TASK_OF(task, struct fabric_port, task);
}
static inline struct fabric_node *discovery_node_of(struct fabric_task *task, unsigned attribute)
{
	if (attribute == IB_ATTR_NODE_DESC)
		return DISCOVERY_TASK_OF(task, struct fabric_node, description);
	if (attribute == IB_ATTR_SWITCH_INFO)
		return DISCOVERY_TASK_OF(task, struct fabric_node, switch_info);
	return fabric_node_of(discovery_port_of(task)->public.node);
}
void discovery_add_task(struct discovery *discovery, struct fabric_task *task, unsigned attribute);
/* Returns the ID of the request; -errno, with which the run ends. */
int64_t discovery_submit(struct discovery *discovery, const ib_portid_t *to, unsigned attribute,
			 unsigned modifier, mad_async_callback callback, void *context);
fabric_submit_more discovery_submit_tasks;

#endif
