/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* A fabric of soft nodes, made from a file that ibnetdiscover or make-fat-tree has written. */
#ifndef TESTS_KERNEL_HCA_TOPOLOGY_H
#define TESTS_KERNEL_HCA_TOPOLOGY_H

#include "fabric.h"

struct topology {
	struct fabric fabric;
	struct fnode **nodes;
	char (*ids)[64]; /* of the nodes in the file */
	int number_of_nodes;
	int capacity;
};

/* Reads a file; says on stderr what is wrong with it and returns false. Nothing is ever freed. */
bool topology_read(struct topology *topology, const char *path);

/* The node with a description, or NULL. */
struct fnode *topology_find(const struct topology *topology, const char *description);

#endif
