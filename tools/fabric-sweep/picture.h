/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Places of nodes in a picture of a fabric: hosts at the bottom, their switches above them, and so
 * on. Where there are many hosts, each switch has their number in its box; where there are many
 * switches, too, a box stands for all of a group (groups.c). Graphviz arranges the boxes.
 */
#ifndef FABRIC_SWEEP_PICTURE_H
#define FABRIC_SWEEP_PICTURE_H

#include "sweep.h"

/* A node in the picture. */
struct place {
	const struct mad_fabric_node *node;
	int level;	/* hops to the nearest host; hosts: 0 */
	unsigned hosts; /* linked to a switch */
	size_t pod;	/* for groups.c */
	uint64_t group; /* places of one group and level are one box */
	unsigned box;	/* of places that are drawn */
	bool drawn;
	bool trouble; /* a link below what it could be, or something that does not respond */
};

struct picture {
	struct place *places; /* in the order of the fabric */
	size_t count;
	int top;	/* highest level */
	bool collapsed; /* hosts are not drawn */
};

/* Of the whole fabric, or of a node and its neighbours. Returns 0 or -errno. */
int picture_make(struct picture *picture, const struct mad_fabric *fabric,
		 const struct options *options);
void picture_free(struct picture *picture);
/* The place at the other end of a port; NULL: no link. */
struct place *picture_neighbour(const struct picture *picture, const struct mad_fabric_node *node,
				unsigned port_number);

/* groups.c: sets the group of each switch. Returns 0 or -ENOMEM. */
int groups_find(struct picture *picture);

#endif
