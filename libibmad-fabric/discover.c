/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * discover.c - discovery by directed routes. From the first node on, every port of a switch is
 * asked for its PortInfo; a link that is up is followed by asking the node at its other end for
 * NodeInfo, which gives the node's GUID and the port at which the request came in: both ends of the
 * link, for one request. A new node is asked for its description and its ports in turn, and ports
 * that report QDR for the vendor's attribute that distinguishes FDR10 from it.
 *
 * Tasks are carried out in the order in which they arise, so the fabric is discovered breadth
 * first, and the other end of most links is known before its turn comes.
 */
#include <errno.h>
#include <string.h>

#include "libibmad-fabric/discover.h"

/* Each check for switches with one GUID finds another one, or is the last. */
#define CHECKS_MAX (4 * FABRIC_SAME_GUID_MAX)

/* Asks a new node for everything but ports of CAs and routers: see enter_port(). */
static void ask_node(struct discovery *discovery, struct fabric_node *node)
{
	bool all = !(discovery->options.flags & MAD_FABRIC_TOPOLOGY_ONLY);

	if (all)
		discovery_add_task(discovery, &node->description, IB_ATTR_NODE_DESC);
	if (node->public.type != IB_NODE_SWITCH)
		return;
	if (all)
		discovery_add_task(discovery, &node->switch_info, IB_ATTR_SWITCH_INFO);
	discovery_add_task(discovery, &node->ports[0].task, IB_ATTR_PORT_INFO);
}

/* Port 0 of a switch has said whether the switch knows extended speeds, or has not responded. */
static void ask_other_ports(struct discovery *discovery, struct fabric_node *node)
{
	if (node->ports_asked)
		return;
	node->ports_asked = true;
	for (unsigned number = 1; number <= node->public.port_count; number++)
		discovery_add_task(discovery, &node->ports[number].task, IB_ATTR_PORT_INFO);
}

/* Returns NULL when the node can't be added. */
static struct fabric_node *add_node(struct discovery *discovery, const struct arrival *arrival)
{
	struct fabric_node *node;
	int error = fabric_add_node(discovery->fabric, &arrival->node, &node);

	if (error) {
		fabric_run_fail(&discovery->run, error);
		return NULL;
	}
	node->entry_guid = arrival->port_guid;
	discovery->has_duplicates |= node->public.same_guid != NULL;
	if (node->public.type == IB_NODE_SWITCH)
		node->ports[0].public.guid = arrival->port_guid;
	ask_node(discovery, node);
	return node;
}

static bool has_port(const struct fabric_node *node, unsigned number)
{
	return number > 0 && number <= node->public.port_count;
}

/*
 * Whether the link out of from leads to this node: a port has one cable, so a node whose port has
 * another link is another node (duplicates.c: where that cannot be relied on). Returns 0, EEXIST
 * for another node, or EAGAIN where that is not known yet.
 */
static int match(const struct discovery *discovery, const struct fabric_node *node,
		 const struct arrival *arrival, const struct fabric_port *from)
{
	const struct fabric_port *port = &node->ports[arrival->local_port];
	const struct mad_fabric_port *peer = port->public.peer;
	bool checks = discovery->checks_duplicates;

	if (checks && duplicates_are_possible(node)) {
		if (duplicates_prove(port, from))
			return 0;
		return port->far_known || port->asks_again ? EEXIST : EAGAIN;
	}
	if (!peer)
		return 0;
	return checks && duplicates_are_possible(fabric_node_of(peer->node)) ? 0 : EEXIST;
}

/*
 * The node to which the link out of port from leads, among those with the GUID of arrival. Returns
 * NULL for a new node, or with *error EEXIST when there are too many already, EAGAIN when it is not
 * known yet which of them it is.
 */
static struct fabric_node *choose_node(struct discovery *discovery, const struct arrival *arrival,
				       const struct fabric_port *from, int *error)
{
	struct fabric_node *node = fabric_find(discovery->fabric, arrival->node.guid);
	unsigned count = 0;

	*error = 0;
	for (; node; node = node->next_same, count++) {
		int difference;

		if (!discovery_is_same_node(&node->public, &arrival->node))
			continue;
		if (!has_port(node, arrival->local_port))
			return node;
		difference = match(discovery, node, arrival, from);
		if (!difference) {
			*error = 0;
			return node;
		}
		if (difference == EAGAIN)
			*error = EAGAIN;
	}
	/* A link of a node with such a GUID itself is no evidence for another node. */
	if (!*error && (count >= FABRIC_SAME_GUID_MAX || (count && from->public.node->same_guid)))
		*error = EEXIST;
	return NULL;
}

/* The port at which the NodeInfo request came in; of a CA or router, asks for its PortInfo. */
static struct fabric_port *enter_port(struct discovery *discovery, struct fabric_node *node,
				      const struct arrival *arrival, const struct fabric_port *from)
{
	struct fabric_port *port = &node->ports[arrival->local_port];

	if (node->public.type == IB_NODE_SWITCH)
		return port;
	port->public.guid = arrival->port_guid;
	if (!port->task.queued && !port->task.asked) {
		port->extended = from && fabric_has_extended_speed(&from->public);
		discovery_add_task(discovery, &port->task, IB_ATTR_PORT_INFO);
	}
	return port;
}

/* Links two ports. The request out of the other end, if any, has become unnecessary. */
static void link_ports(struct discovery *discovery, struct fabric_port *from,
		       struct fabric_port *to)
{
	if (to->public.peer)
		discovery_disconnect(discovery, to);
	fabric_connect(discovery->fabric, from, to);
	discovery->run.progress.links++;
	if (to->task.request && to->task.asked == IB_ATTR_NODE_INFO &&
	    !discovery->checks_duplicates)
		mad_async_cancel(discovery->run.async, to->task.request);
}

/*
 * A switch at the other end of a link with an extended speed knows such speeds, so its ports are
 * asked beside port 0, instead of after it.
 */
static void expect_extended(struct discovery *discovery, struct fabric_node *node,
			    const struct fabric_port *from)
{
	if (node->public.type != IB_NODE_SWITCH || !fabric_has_extended_speed(&from->public))
		return;
	node->extended = true;
	ask_other_ports(discovery, node);
}

/* Adds a node that was found behind a port, where it is wanted. */
static struct fabric_node *add_found(struct discovery *discovery, const struct arrival *arrival,
				     struct fabric_port *from)
{
	struct fabric_node *node;

	if (discovery->options.flags & MAD_FABRIC_SWITCHES_ONLY && arrival->node.type == IB_NODE_CA)
		return NULL;
	if (!discovery_may_add(discovery, from)) {
		from->public.peer_error = ENOSPC;
		return NULL;
	}
	node = add_node(discovery, arrival);
	if (node) {
		discovery_note_found(node, from);
		expect_extended(discovery, node, from);
	}
	return node;
}

/* A node has responded at the end of a route which leads out of port from. */
static void arrive(struct discovery *discovery, const struct arrival *arrival,
		   struct fabric_port *from)
{
	int error;
	struct fabric_node *node = choose_node(discovery, arrival, from, &error);

	if (error)
		from->public.peer_error = error == EAGAIN ? 0 : error;
	else if (!node)
		node = add_found(discovery, arrival, from);
	if (!node)
		return;
	if (has_port(node, arrival->local_port)) {
		link_ports(discovery, from, enter_port(discovery, node, arrival, from));
		return;
	}
	from->wrong_port = true;
	from->public.peer_error = EPROTO;
}

static void take_neighbour(struct discovery *discovery, const struct mad_async_result *result,
			   struct fabric_port *from)
{
	struct arrival arrival;
	int error = discovery_read_arrival(result, &arrival);
	bool is_known = from->public.peer;

	if (!error) {
		from->far_known = true;
		from->far_guid = arrival.node.guid;
		from->far_port = arrival.local_port;
		if (!is_known)
			arrive(discovery, &arrival, from);
	} else if (is_known) {
		return;
	} else if (result->error && discovery->options.expected && !from->not_expected) {
		from->not_expected = true; /* another node may be there by now */
		discovery_add_task(discovery, &from->task, IB_ATTR_NODE_INFO);
	} else {
		from->public.peer_error = error;
	}
}

/* Switches forward directed routes; of other nodes, only the local one sends, out of its port. */
static bool leads_on(const struct discovery *discovery, const struct fabric_port *port)
{
	return port->public.port_number && port->public.physical_state == UMAD_PHYS_LINK_UP &&
	       !port->blocked &&
	       (port->public.node->type == IB_NODE_SWITCH ||
		(&port->public == discovery->fabric->info.start && !discovery->options.subtree));
}

static void follow(struct discovery *discovery, struct fabric_port *port)
{
	if (port->public.peer || !leads_on(discovery, port))
		return;
	if (port->public.node->route.cnt >= discovery->most_hops)
		port->public.peer_error = ELOOP;
	else if (discovery_is_cut_off(fabric_node_of(port->public.node)))
		port->public.peer_error = ENOSPC;
	else
		discovery_add_task(discovery, &port->task, IB_ATTR_NODE_INFO);
}

/*
 * A node that no longer responds, or protects its ports with an M_Key, is not worth a timeout for
 * each of 64 ports.
 */
static void count_timeout(struct discovery *discovery, struct fabric_node *node, int error)
{
	if (!error)
		node->timeouts_in_a_row = 0;
	if (error != ETIMEDOUT || ++node->timeouts_in_a_row != DISCOVERY_GIVE_UP_AFTER)
		return;
	for (unsigned number = 0; number <= node->public.port_count; number++) {
		const struct fabric_task *task = &node->ports[number].task;

		if (task->request && task->asked != IB_ATTR_NODE_INFO)
			mad_async_cancel(discovery->run.async, task->request);
	}
}

/* On a port with a key ring, the status for a wrong field may also mean a wrong key. */
static bool is_refusal(int error)
{
	return error == EIO || error == EKEYREJECTED;
}

/* Asks a node that refuses the modifier of extended speeds without it; the local port, which
 * nothing was known of, with it. */
static bool ask_again(struct discovery *discovery, struct fabric_port *port, int error)
{
	struct fabric_node *node = fabric_node_of(port->public.node);
	bool local = &port->public == discovery->fabric->info.start;

	if (is_refusal(error) && port->extended && !port->public.has_info) {
		port->extended = false;
		node->extended = false;
	} else if (!error && local && !port->extended && node->public.type != IB_NODE_SWITCH &&
		   fabric_has_capability(&port->public, FABRIC_CAN_EXTENDED_SPEEDS)) {
		port->extended = true;
	} else {
		return false;
	}
	discovery_add_task(discovery, &port->task, IB_ATTR_PORT_INFO);
	return true;
}

/* After the PortInfo of a port: the vendor's attribute, or the node at the other end. */
static void go_on(struct discovery *discovery, struct fabric_port *port)
{
	const struct fabric_node *node = fabric_node_of(port->public.node);

	if (fabric_may_be_fdr10(&port->public) && !node->no_vendor_info &&
	    !(discovery->options.flags & MAD_FABRIC_TOPOLOGY_ONLY))
		discovery_add_task(discovery, &port->task, IB_ATTR_MLNX_EXT_PORT_INFO);
	else
		follow(discovery, port);
}

static void take_port_info(struct discovery *discovery, struct fabric_port *port, int error,
			   void *data)
{
	struct fabric_node *node = fabric_node_of(port->public.node);

	if (data)
		fabric_take_port_info(data, &port->public);
	if (!ask_again(discovery, port, error)) {
		if (error && !port->public.has_info)
			port->public.info_error = error;
		count_timeout(discovery, node, error);
		go_on(discovery, port);
	}
	if (node->public.type == IB_NODE_SWITCH && port->public.port_number == 0) {
		node->extended =
			data && fabric_has_capability(&port->public, FABRIC_CAN_EXTENDED_SPEEDS);
		ask_other_ports(discovery, node);
	}
}

/* Attributes that nothing else depends on. A node without PortInfoExtended refuses it or does not
 * respond, which is no error. */
static void take_further(struct fabric_node *node, struct fabric_task *task, int error, void *data)
{
	struct mad_fabric_node *values = &node->public;

	if (task->asked == IB_ATTR_NODE_DESC)
		values->description_error = error;
	else if (task->asked == IB_ATTR_SWITCH_INFO)
		values->switch_info_error = error;
	if (!data)
		return;
	if (task->asked == IB_ATTR_NODE_DESC)
		memcpy(values->description, data, IB_SMP_DATA_SIZE);
	else if (task->asked == IB_ATTR_SWITCH_INFO)
		values->enhanced_port0 = mad_get_field(data, 0, IB_SW_ENHANCED_PORT0_F);
	else
		fabric_take_fec(data, &discovery_port_of(task)->public);
}

/* ExtendedPortInfo, which not every node has. */
static void take_vendor_info(struct discovery *discovery, struct fabric_port *port, void *data)
{
	if (data)
		fabric_take_vendor_info(data, &port->public);
	else
		fabric_node_of(port->public.node)->no_vendor_info = true;
	follow(discovery, port);
}

/* A task has its response, or has had none in time. */
static void on_response(struct mad_async *async, const struct mad_async_result *result,
			void *context)
{
	struct fabric_task *task = context;
	unsigned asked = task->asked;
	struct fabric_node *node = discovery_node_of(task, asked);
	struct discovery *discovery = node->fabric->discovery;
	int error;
	void *data = fabric_attribute(result, IB_SMP_DATA_SIZE, &error);

	(void)async;
	task->request = 0;
	fabric_run_note(&discovery->run, result);
	if (result->error && discovery->run.error)
		return;
	if (asked == IB_ATTR_PORT_INFO) {
		take_port_info(discovery, discovery_port_of(task), error, data);
	} else if (asked == IB_ATTR_NODE_INFO) {
		take_neighbour(discovery, result, discovery_port_of(task));
	} else if (asked == IB_ATTR_MLNX_EXT_PORT_INFO) {
		take_vendor_info(discovery, discovery_port_of(task), data);
	} else {
		take_further(node, task, error, data);
		count_timeout(discovery, node, error);
	}
}

/* The local node has responded, or the node at the end of the subtree's route. */
static void on_first_node(struct mad_async *async, const struct mad_async_result *result,
			  void *context)
{
	struct discovery *discovery = context;
	struct fabric_node *node;
	struct fabric_port *port;
	struct arrival arrival;
	int error = discovery_read_arrival(result, &arrival);

	(void)async;
	fabric_run_note(&discovery->run, result);
	if (!error && arrival.local_port > arrival.node.port_count)
		error = EPROTO;
	if (error)
		fabric_run_fail(&discovery->run, -error);
	node = error ? NULL : add_node(discovery, &arrival);
	if (!node)
		return;
	port = enter_port(discovery, node, &arrival, NULL);
	port->blocked = discovery->options.subtree && discovery->options.subtree->cnt;
	discovery->fabric->info.start = &port->public;
}

/*
 * Once all links are known, since port 0 of a switch says whether its ports have PortInfoExtended,
 * and the SA does not know FDR10. A request without a route would go to the local node.
 */
static void ask_port(struct discovery *discovery, struct fabric_port *port)
{
	if (port->public.node->route.cnt < 0)
		return;
	if (discovery->options.flags & MAD_FABRIC_READ_FEC && fabric_may_have_fec(&port->public))
		discovery_add_task(discovery, &port->task, IB_ATTR_PORT_INFO_EXT);
	else if (discovery->is_from_sa && port->public.peer && fabric_may_be_fdr10(&port->public))
		discovery_add_task(discovery, &port->task, IB_ATTR_MLNX_EXT_PORT_INFO);
}

static void ask_ports(struct discovery *discovery)
{
	struct fabric_port *port = NULL;

	while ((port = fabric_next_port(discovery->fabric, port)))
		ask_port(discovery, port);
	fabric_run_until_done(&discovery->run, discovery_submit_tasks, discovery);
}

static void follow_routes(struct discovery *discovery)
{
	ib_portid_t first = { 0 };

	if (discovery->options.subtree)
		first.drpath = *discovery->options.subtree;
	discovery_submit(discovery, &first, IB_ATTR_NODE_INFO, 0, on_first_node, discovery);
	fabric_run_until_done(&discovery->run, discovery_submit_tasks, discovery);
	for (int i = 0; i < CHECKS_MAX && !discovery->run.error && duplicates_check(discovery);
	     i++) {
		discovery->checks_duplicates = true;
		fabric_run_until_done(&discovery->run, discovery_submit_tasks, discovery);
	}
}

/* Whether the local port has no link: then the discovery could not look beyond it. */
static bool is_cut_off(const struct discovery *discovery)
{
	const struct mad_fabric_port *start = discovery->fabric->info.start;

	return start && start->has_info && start->node->type != IB_NODE_SWITCH &&
	       start->physical_state != UMAD_PHYS_LINK_UP && !discovery->options.subtree;
}

/* Directed routes need no SA, so that it refuses or is not found is no failure. */
static void run_discovery(struct discovery *discovery, struct ibmad_port *port)
{
	if (discovery->options.flags & MAD_FABRIC_FROM_SA) {
		discovery->sa_error = discovery_read_from_sa(discovery, port);
		discovery->is_from_sa = !discovery->sa_error;
	}
	if (discovery->sa_error == -ENOMEM || discovery->sa_error == -EINVAL)
		fabric_run_fail(&discovery->run, discovery->sa_error);
	if (!discovery->is_from_sa && !discovery->run.error)
		follow_routes(discovery);
	if (is_cut_off(discovery))
		fabric_run_fail(&discovery->run, -ENETDOWN);
	if (!discovery->run.error && !(discovery->options.flags & MAD_FABRIC_TOPOLOGY_ONLY))
		ask_ports(discovery);
}

/* The result of a discovery that has ended; NULL with an error when there is nothing. */
static int finish(struct discovery *discovery, int64_t date_ns, int64_t began_ns)
{
	struct mad_fabric *fabric = discovery->fabric;

	fabric->discovery = NULL;
	fabric->info.error = -discovery->run.error;
	fabric->info.time_ns = date_ns;
	for (size_t i = 0; i < fabric->info.nodes; i++)
		fabric->nodes[i]->public.seen_ns = date_ns;
	fabric->info.duration_ns = fabric_clock_ns(CLOCK_MONOTONIC) - began_ns;
	fabric->info.requests = discovery->run.requests;
	fabric->info.timeouts = discovery->run.timeouts;
	fabric->info.from_sa = discovery->is_from_sa;
	fabric->info.sa_error = -discovery->sa_error;
	if (!fabric->info.nodes && discovery->run.error)
		return discovery->run.error;
	return fabric_finish(fabric);
}

/* How many hops from the local port the options allow. */
static int most_hops(const struct mad_fabric_options *options)
{
	int hops = (int)options->max_hops + (options->subtree ? options->subtree->cnt : 0);

	return options->max_hops && hops < MAD_FABRIC_MAX_HOPS ? hops : MAD_FABRIC_MAX_HOPS;
}

static int prepare(struct discovery *discovery, struct ibmad_port *port,
		   const struct mad_fabric_options *given, size_t size)
{
	const struct mad_fabric_options *options = &discovery->options;
	int error = port ? fabric_take_options(&discovery->options, given, size)
			 : mad_refuse(MAD_REFUSED_PORT);

	if (error)
		return error;
	if (options->flags & MAD_FABRIC_FROM_SA && (options->subtree || options->max_hops))
		return mad_refuse(MAD_REFUSED_FABRIC_FROM_SA);
	discovery->last_task = &discovery->tasks;
	discovery->on_response = on_response;
	discovery->most_hops = most_hops(options);
	discovery->fabric = fabric_create();
	if (!discovery->fabric)
		return -ENOMEM;
	discovery->fabric->discovery = discovery;
	discovery->fabric->limited = discovery->most_hops < MAD_FABRIC_MAX_HOPS;
	return fabric_run_begin(&discovery->run, port, options);
}

struct mad_fabric *mad_fabric_discover_sized(struct ibmad_port *port,
					     const struct mad_fabric_options *options, size_t size)
{
	int64_t date_ns = fabric_clock_ns(CLOCK_REALTIME);
	int64_t began_ns = fabric_clock_ns(CLOCK_MONOTONIC);
	struct discovery discovery = { .has_duplicates = false };
	int error = prepare(&discovery, port, options, size);

	if (!error) {
		run_discovery(&discovery, port);
		fabric_run_end(&discovery.run);
		error = finish(&discovery, date_ns, began_ns);
	}
	if (!error)
		return discovery.fabric;
	mad_fabric_free(discovery.fabric);
	return fabric_fail_null(error);
}
