/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The last known peer of each port, so that a link that went down still has a name: the fabric
 * itself forgets a node that is gone.
 */
#include <search.h>
#include <stdlib.h>

#include "sweep.h"

static int compare(const void *left, const void *right)
{
	return link_end_compare(left, right);
}

/* The link that begins at an end; NULL: none is known. */
static const struct last_link *find(void *const *links, const struct link_end *end)
{
	struct last_link *const *found = tfind(end, links, compare);

	return found ? *found : NULL;
}

bool links_add(void **links, const struct last_link *link)
{
	struct last_link **found = tsearch(link, links, compare), *copy;

	if (found && *found != link) { /* known so far: replaced */
		**found = *link;
		return true;
	}
	copy = found ? malloc(sizeof(*copy)) : NULL;
	if (copy) {
		*copy = *link;
		*found = copy;
	} else if (found) {
		tdelete(link, links, compare);
	}
	return copy;
}

bool links_update(void **links, const struct mad_fabric *fabric)
{
	const struct mad_fabric_node *node = NULL;

	while ((node = mad_fabric_next_node(fabric, node)))
		for (unsigned i = 0; i <= node->port_count; i++) {
			const struct mad_fabric_port *port = mad_fabric_get_port(node, i);
			struct last_link link = { .from = link_end_of(port) };

			if (!port->peer)
				continue;
			link.to = link_end_of(port->peer);
			link.lid = port->peer->lid;
			link.type = port->peer->node->type;
			snprintf(link.name, sizeof(link.name), "%s", port->peer->node->description);
			if (!links_add(links, &link))
				return false;
		}
	return true;
}

const struct last_link *links_find(void *const *links, const struct mad_fabric_port *port)
{
	struct link_end end = link_end_of(port);
	const struct last_link *link = find(links, &end);
	const struct last_link *back = link ? find(links, &link->to) : NULL;

	/* The cable is elsewhere by now. */
	return back && compare(&back->to, &end) ? NULL : link;
}

void links_free(void **links)
{
	tdestroy(*links, free);
	*links = NULL;
}
