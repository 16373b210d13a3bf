/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * A picture of a fabric, before it is drawn: boxes on levels, and lines between them. Hosts are at
 * the bottom, their switches above them, and so on. Where there are many hosts, each switch has
 * their number in its box; where there are many switches, too, a box stands for all of a group
 * (groups.c). Graphviz arranges them.
 */
#ifndef FABRIC_SWEEP_PICTURE_H
#define FABRIC_SWEEP_PICTURE_H

#include "sweep.h"

struct picture_box {
	const struct mad_fabric_node *node;   /* NULL: does not respond */
	const struct mad_fabric_port *silent; /* a port that leads to it; NULL: responds */
	bool trouble;			      /* something is wrong with it */
	int level;			      /* 0: hosts */
	char label[80];			      /* of names, as they came */
	char counts[80]; /* of what it stands for, below the label; empty: of itself alone */
};

/* All links of one kind between two boxes. */
struct picture_line {
	unsigned upper; /* index of a box */
	unsigned lower;
	unsigned links;
	uint8_t lanes;
	uint8_t speed;
	bool degraded;
	bool silent;
	uint8_t upper_port; /* of the first of the links; 0: unknown */
	uint8_t lower_port;
};

struct picture {
	struct picture_box *boxes; /* by level from the top, then by name */
	size_t number_of_boxes;
	struct picture_line *lines;
	size_t number_of_lines;
	int top; /* highest level */
	bool collapsed;
};

/* What the picture has to know of a node; sorted by the node's address, to be found again. */
struct picture_place {
	const struct mad_fabric_node *node;
	int level;
	unsigned box;	/* index + 1; 0: not drawn */
	unsigned hosts; /* of a switch */
	uint64_t group; /* nodes with the same one are one box */
	bool drawn;
	bool trouble; /* a link below what it could be, or something that does not respond */
};

struct picture_places {
	struct picture_place *places;
	size_t count;
	int top; /* highest level */
};

struct picture_place *picture_find(const struct picture_places *places,
				   const struct mad_fabric_node *node);

/* groups.c: sets the group of each place. 0 or -ENOMEM. */
int groups_find(struct picture_places *places);

/*
 * Of the whole fabric, or of a node and those that are linked to it (around, or NULL). 0 or
 * -ENOMEM.
 */
int picture_make(struct picture *picture, const struct mad_fabric *fabric, enum picture_mode mode,
		 const struct mad_fabric_node *around);
/* The node that --around names; NULL after saying that there is none, or without the option. */
const struct mad_fabric_node *picture_find_centre(const struct mad_fabric *fabric,
						  const struct options *options);
void picture_free(struct picture *picture);

#endif
