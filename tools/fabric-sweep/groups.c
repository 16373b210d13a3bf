/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Which switches a picture shows as one box. Without its highest level, a fabric falls into pods: a
 * group is what a pod has on one level. Where there are many pods, those of one shape are one
 * group, but for the ones with trouble, which are to stand out. On the highest level, switches with
 * links to the same groups are one.
 */
#include <errno.h>
#include <stdlib.h>

#include "picture.h"

#define PODS_DRAWN_AT_MOST 24

/* What the switches of a pod have in common, and which pod they are in. */
struct pod {
	size_t root; /* index of a place: the same for all places of the pod */
	uint64_t shape;
	bool trouble;
};

/* Spreads the bits of a number, so that sums of such numbers differ. */
static uint64_t mix(uint64_t number)
{
	number = (number ^ number >> 31) * UINT64_C(0x7fb5d329728ea185);
	number = (number ^ number >> 27) * UINT64_C(0x81dadef4bc2dd44d);
	return number ^ number >> 33;
}

static bool is_in_pod(const struct picture_places *places, const struct picture_place *place)
{
	return place->level > 0 && place->level < places->top;
}

static size_t root_of(struct pod *pods, size_t place)
{
	while (pods[place].root != place) {
		pods[place].root = pods[pods[place].root].root;
		place = pods[place].root;
	}
	return place;
}

/* The place at the other end of a port, where that is in a pod; NULL: it is not. */
static const struct picture_place *neighbour_in_pod(const struct picture_places *places,
						    const struct mad_fabric_node *node,
						    unsigned number)
{
	const struct mad_fabric_port *peer = mad_fabric_get_port(node, number)->peer;
	const struct picture_place *place = peer ? picture_find(places, peer->node) : NULL;

	return place && is_in_pod(places, place) ? place : NULL;
}

/* Links of switches below the highest level make pods of them. */
static void join(const struct picture_places *places, struct pod *pods, size_t index)
{
	const struct picture_place *place = &places->places[index];

	if (!is_in_pod(places, place))
		return;
	for (unsigned number = 0; number <= place->node->port_count; number++) {
		const struct picture_place *next = neighbour_in_pod(places, place->node, number);

		if (next)
			pods[root_of(pods, (size_t)(next - places->places))].root =
				root_of(pods, index);
	}
}

/* How many switches and hosts a pod has on each level; sums do not depend on the order. */
static void describe(const struct picture_places *places, struct pod *pods, size_t index)
{
	const struct picture_place *place = &places->places[index];
	struct pod *pod = &pods[root_of(pods, index)];
	uint64_t links = 0;

	for (unsigned number = 0; number <= place->node->port_count; number++)
		links += mad_fabric_get_port(place->node, number)->peer != NULL;
	pod->shape += mix((uint64_t)place->level << 32 | links << 16 | place->hosts);
	pod->trouble |= place->trouble;
}

static uint64_t group_in_pod(const struct picture_places *places, struct pod *pods, size_t index,
			     bool by_shape)
{
	size_t root = root_of(pods, index);
	const struct pod *pod = &pods[root];

	return mix((uint64_t)places->places[index].level) +
	       (by_shape && !pod->trouble ? pod->shape : mix(~(uint64_t)root));
}

/* By the groups to which a switch of the highest level has links, those in trouble apart. */
static uint64_t group_at_top(const struct picture_places *places, const struct picture_place *place)
{
	uint64_t sum = 0;

	for (unsigned number = 0; number <= place->node->port_count; number++) {
		const struct picture_place *next = neighbour_in_pod(places, place->node, number);

		if (next)
			sum += mix(next->group);
	}
	return place->trouble ? mix(sum + 1) : sum;
}

static void set_groups(struct picture_places *places, struct pod *pods)
{
	size_t count = 0;

	for (size_t i = 0; i < places->count; i++)
		count += is_in_pod(places, &places->places[i]) && pods[i].root == i;
	for (size_t i = 0; i < places->count; i++)
		if (is_in_pod(places, &places->places[i]))
			places->places[i].group =
				group_in_pod(places, pods, i, count > PODS_DRAWN_AT_MOST);
	for (size_t i = 0; i < places->count; i++)
		if (places->places[i].level == places->top)
			places->places[i].group = group_at_top(places, &places->places[i]);
}

int groups_find(struct picture_places *places)
{
	struct pod *pods = calloc(places->count + 1, sizeof(*pods));

	if (!pods)
		return -ENOMEM;
	for (size_t i = 0; i < places->count; i++)
		pods[i].root = i;
	for (size_t i = 0; i < places->count; i++)
		join(places, pods, i);
	for (size_t i = 0; i < places->count; i++)
		if (is_in_pod(places, &places->places[i]))
			describe(places, pods, i);
	set_groups(places, pods);
	free(pods);
	return 0;
}
