/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Groups of switches, which a picture shows as one box. Without its highest level, a fabric falls
 * into pods: a group is the part of a pod on one level. Where there are many pods, those of one
 * shape are one group, but for pods with trouble, which are to stand out. On the highest level,
 * switches with links to the same groups are one.
 */
#include <errno.h>
#include <stdlib.h>

#include "picture.h"

#define PODS_DRAWN_AT_MOST 24

struct pod {
	uint64_t shape; /* how many switches and hosts it has on each level */
	bool trouble;
};

/* Spreads the bits of a number: sums of such numbers differ, and do not depend on the order. */
static uint64_t mix(uint64_t number)
{
	number = (number ^ number >> 31) * UINT64_C(0x7fb5d329728ea185);
	number = (number ^ number >> 27) * UINT64_C(0x81dadef4bc2dd44d);
	return number ^ number >> 33;
}

static bool is_in_pod(const struct picture *picture, const struct place *place)
{
	return place && place->level > 0 && place->level < picture->top;
}

/* Numbers the pods from 1: all that links of switches below the highest level connect. */
static size_t number_pods(struct picture *picture, struct place **queue)
{
	size_t pods = 0;

	for (size_t first = 0; first < picture->count; first++) {
		size_t length = 0;

		if (is_in_pod(picture, &picture->places[first]) && !picture->places[first].pod) {
			picture->places[first].pod = ++pods;
			queue[length++] = &picture->places[first];
		}
		for (size_t i = 0; i < length; i++)
			for (unsigned number = 0; number <= queue[i]->node->port_count; number++) {
				struct place *next =
					picture_neighbour(picture, queue[i]->node, number);

				if (!is_in_pod(picture, next) || next->pod)
					continue;
				next->pod = pods;
				queue[length++] = next;
			}
	}
	return pods;
}

static void describe(const struct picture *picture, struct pod *pods)
{
	for (size_t i = 0; i < picture->count; i++) {
		const struct place *place = &picture->places[i];
		uint64_t links = 0;

		for (unsigned number = 0; number <= place->node->port_count; number++)
			links += mad_fabric_get_port(place->node, number)->peer != NULL;
		pods[place->pod].shape +=
			mix((uint64_t)place->level << 32 | links << 16 | place->hosts);
		pods[place->pod].trouble |= place->trouble;
	}
}

/* The groups to which a switch of the highest level has links; those in trouble apart. */
static uint64_t group_at_top(const struct picture *picture, const struct place *place)
{
	uint64_t sum = 0;

	for (unsigned number = 0; number <= place->node->port_count; number++) {
		const struct place *next = picture_neighbour(picture, place->node, number);

		if (is_in_pod(picture, next))
			sum += mix(next->group + (uint64_t)next->level);
	}
	return place->trouble ? mix(sum + 1) : sum;
}

int groups_find(struct picture *picture)
{
	struct place **queue = calloc(picture->count + 1, sizeof(struct place *));
	struct pod *pods = calloc(picture->count + 1, sizeof(*pods));
	bool good = queue && pods;
	size_t count = 0;

	if (good) {
		count = number_pods(picture, queue);
		describe(picture, pods);
	}
	for (size_t i = 0; good && i < picture->count; i++) {
		struct place *place = &picture->places[i];
		const struct pod *pod = &pods[place->pod];
		bool by_shape = count > PODS_DRAWN_AT_MOST && !pod->trouble;

		if (is_in_pod(picture, place))
			place->group = by_shape ? pod->shape : place->pod;
	}
	for (size_t i = 0; good && i < picture->count; i++)
		if (picture->places[i].level == picture->top)
			picture->places[i].group = group_at_top(picture, &picture->places[i]);
	free(queue);
	free(pods);
	return good ? 0 : -ENOMEM;
}
