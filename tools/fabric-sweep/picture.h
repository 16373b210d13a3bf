/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * A picture of a fabric, before it is drawn: boxes on levels, and lines between them. Hosts are at
 * the bottom, their switches above them, and so on. Where there are many hosts, each switch has
 * their number in its box. What does not respond at the same port of several switches of a level is
 * one box above them: most likely it is one switch.
 */
#ifndef FABRIC_SWEEP_PICTURE_H
#define FABRIC_SWEEP_PICTURE_H

#include "sweep.h"

struct picture_box {
	const struct mad_fabric_node *node;   /* NULL: does not respond */
	const struct mad_fabric_port *silent; /* a port that leads to it; NULL: responds */
	unsigned silent_links;
	unsigned hosts; /* that are not drawn */
	int level;	/* 0: hosts */
	char label[96]; /* printable ASCII */
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

/* 0 or -ENOMEM. */
int picture_make(struct picture *picture, const struct mad_fabric *fabric, enum picture_mode mode);
void picture_free(struct picture *picture);

#endif
