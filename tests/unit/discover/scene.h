/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Tests of discovery: a port on the model, and the result of a discovery. */
#ifndef TESTS_DISCOVER_SCENE_H
#define TESTS_DISCOVER_SCENE_H

#include <stdlib.h>
#include <string.h>

#include "fixture.h"
#include "model.h"
#include "test.h"

/* A test on a model without nodes, and one on the tree of model_make_tree(). */
#define SCENE_TEST(name) TEST_WITH(name, scene_setup, scene_teardown)
#define TREE_TEST(name)	 TEST_WITH(name, tree_setup, scene_teardown)

extern struct ibmad_port *scene_port;
extern struct mad_fabric *fabric;

int scene_setup(void **state);
int tree_setup(void **state);
int scene_teardown(void **state);

/* Discovers with an attempt of 200 ms where the options say nothing of it. */
const struct mad_fabric_info *discover_with(struct mad_fabric_options *options);

/* discover(): with these options, as initialisers. */
#define discover(...) discover_with(&(struct mad_fabric_options){ .max_nodes = 0, __VA_ARGS__ })

/* A port of a node of the model; of nodes with one GUID, the node is that with a link of its. */
const struct mad_fabric_port *port_of(int index, unsigned number);

/* How many problems of a kind there are. */
unsigned problems_of(enum mad_fabric_problem_kind kind);

#endif
