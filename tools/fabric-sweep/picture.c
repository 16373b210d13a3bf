/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Makes the places of picture.h: levels, neighbours, and which of them are drawn. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "picture.h"

#define HOSTS_DRAWN_AT_MOST    48
#define SWITCHES_DRAWN_AT_MOST 64
#define LEVEL_UNKNOWN	       (-1)

static bool is_host(const struct place *place)
{
	return place->node->type != IB_NODE_SWITCH;
}

/* In the order of a fabric. */
static int compare_with_place(const void *node, const void *place)
{
	const struct mad_fabric_node *a = node, *b = ((const struct place *)place)->node;
	struct link_end one = link_end_of(mad_fabric_get_port(a, 0));
	struct link_end other = link_end_of(mad_fabric_get_port(b, 0));
	int order = (b->type == IB_NODE_SWITCH) - (a->type == IB_NODE_SWITCH);

	return order ? order : link_end_compare(&one, &other);
}

struct place *picture_neighbour(const struct picture *picture, const struct mad_fabric_node *node,
				unsigned port_number)
{
	const struct mad_fabric_port *peer = mad_fabric_get_port(node, port_number)->peer;

	return peer ? bsearch(peer->node, picture->places, picture->count, sizeof(struct place),
			      compare_with_place)
		    : NULL;
}

/* Breadth first from all hosts. */
static int find_levels(struct picture *picture)
{
	struct place **queue = calloc(picture->count + 1, sizeof(struct place *));
	size_t length = 0;

	if (!queue)
		return -ENOMEM;
	for (size_t i = 0; i < picture->count; i++) {
		picture->places[i].level = is_host(&picture->places[i]) ? 0 : LEVEL_UNKNOWN;
		if (!picture->places[i].level)
			queue[length++] = &picture->places[i];
	}
	picture->top = 1;
	for (size_t i = 0; i < length; i++)
		for (unsigned number = 0; number <= queue[i]->node->port_count; number++) {
			struct place *next = picture_neighbour(picture, queue[i]->node, number);

			if (!next || next->level != LEVEL_UNKNOWN)
				continue;
			next->level = queue[i]->level + 1;
			if (next->level > picture->top)
				picture->top = next->level;
			queue[length++] = next;
		}
	for (size_t i = 0; i < picture->count; i++) /* switches without a host anywhere */
		if (picture->places[i].level == LEVEL_UNKNOWN)
			picture->places[i].level = 1;
	free(queue);
	return 0;
}

/* Counts a host at each of its switches, and notes what is wrong with a node. */
static void look_at_ports(struct picture *picture, struct place *place)
{
	const struct place *last = NULL;

	for (unsigned number = 0; number <= place->node->port_count; number++) {
		const struct mad_fabric_port *port = mad_fabric_get_port(place->node, number);
		struct place *next = picture_neighbour(picture, place->node, number);

		place->trouble |= port->peer_error || port->info_error || is_degraded(port);
		if (next && next != last && is_host(place) && !is_host(next))
			next->hosts++;
		if (next)
			last = next;
	}
}

/* All nodes, or a node and those at the other ends of its links. */
static void choose_drawn(struct picture *picture, const struct mad_fabric_node *around)
{
	struct place *next;

	for (size_t i = 0; i < picture->count; i++)
		picture->places[i].drawn = !around || picture->places[i].node == around;
	for (unsigned number = 0; around && number <= around->port_count; number++) {
		next = picture_neighbour(picture, around, number);
		if (next)
			next->drawn = true;
	}
}

/* Collapses hosts and groups switches, as the mode or their numbers want it. */
static int choose_detail(struct picture *picture, enum picture_mode mode)
{
	size_t hosts = 0, switches = 0;

	for (size_t i = 0; i < picture->count; i++) {
		picture->places[i].group = i;
		hosts += picture->places[i].drawn && is_host(&picture->places[i]);
		switches += picture->places[i].drawn && !is_host(&picture->places[i]);
	}
	picture->collapsed = mode == PICTURE_SWITCHES || mode == PICTURE_GROUPS ||
			     (mode == PICTURE_AUTO && (hosts > HOSTS_DRAWN_AT_MOST || !hosts));
	for (size_t i = 0; i < picture->count; i++)
		if (picture->collapsed && is_host(&picture->places[i]))
			picture->places[i].drawn = false;
	if (mode != PICTURE_GROUPS && (mode != PICTURE_AUTO || switches <= SWITCHES_DRAWN_AT_MOST))
		return 0;
	return groups_find(picture);
}

/* The node or a port of it has the GUID. */
static bool has_guid(const struct mad_fabric_node *node, uint64_t guid)
{
	bool has = node->guid == guid;

	for (unsigned i = 0; i <= node->port_count && !has; i++)
		has = mad_fabric_get_port(node, i)->guid == guid;
	return has && guid;
}

/*
 * The node that --around names: by one of its names, by a GUID, or as the only node with that part
 * in its name. NULL after saying that there is none.
 */
static const struct mad_fabric_node *find_centre(const struct mad_fabric *fabric, const char *text)
{
	const struct mad_fabric_node *node = NULL, *found = NULL;
	char *end;
	uint64_t guid = strtoull(text, &end, 16);
	size_t count = 0;

	while ((node = mad_fabric_next_node(fabric, node))) {
		const char *name = node_name(node);

		if (!strcmp(name, text) || !strcmp(node->description, text) ||
		    (!*end && has_guid(node, guid)))
			return node;
		if (strstr(name, text)) {
			found = node;
			count++;
		}
	}
	if (!count)
		complain("--around: no node has the name or GUID %s", text);
	else if (count > 1)
		complain("--around: %zu nodes have %s in their names", count, text);
	return count == 1 ? found : NULL;
}

int picture_make(struct picture *picture, const struct mad_fabric *fabric,
		 const struct options *options)
{
	const struct mad_fabric_node *node = NULL, *centre = NULL;
	size_t nodes = mad_fabric_get_info(fabric)->nodes;
	int error;

	*picture = (struct picture){ 0 };
	if (options->around && !(centre = find_centre(fabric, options->around)))
		return -ENXIO;
	picture->places = calloc(nodes + 1, sizeof(*picture->places));
	error = picture->places ? 0 : -ENOMEM;
	while (!error && (node = mad_fabric_next_node(fabric, node)))
		picture->places[picture->count++].node = node;
	if (!error)
		error = find_levels(picture);
	for (size_t i = 0; !error && i < picture->count; i++)
		look_at_ports(picture, &picture->places[i]);
	if (!error) {
		choose_drawn(picture, centre);
		error = choose_detail(picture, options->picture);
	}
	if (error)
		picture_free(picture);
	return error;
}

void picture_free(struct picture *picture)
{
	free(picture->places);
	*picture = (struct picture){ 0 };
}
