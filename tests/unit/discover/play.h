/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* play.h - what the players of fabrics.tbl (play*.c) and tests in C share: a port on the model, and
 * the result of a discovery. */
#ifndef TESTS_DISCOVER_PLAY_H
#define TESTS_DISCOVER_PLAY_H

#include <stdlib.h>
#include <string.h>

/* in front of the variable below that has the name of many parameters */
#include "libibmad-fabric/counters.h"

#include "fixture.h"
#include "model.h"
#include "scenes.h"
#include "test.h"

/* A test on a model without nodes, and one on the tree of model_make_tree(). */
#define PLAY_TEST(name) TEST_WITH(name, play_set_up, play_tear_down)
#define TREE_TEST(name) TEST_WITH(name, tree_set_up, play_tear_down)
int play_set_up(void **state);
int tree_set_up(void **state);
int play_tear_down(void **state);

extern struct ibmad_port *scene_port;
extern struct mad_fabric *fabric;
extern struct mad_fabric *older; /* kept by "keep" */
extern struct mad_fabric_counters *counters;

/* Discovers with an attempt of 200 ms where the options say nothing of it. */
const struct mad_fabric_info *discover_with(struct mad_fabric_options *options);

/* discover(): with these options, as initialisers. */
#define discover(...) discover_with(&(struct mad_fabric_options){ .max_nodes = 0, __VA_ARGS__ })

/* A port of a node of the model; of nodes with one GUID, the node is that with a link of its. */
const struct mad_fabric_port *port_of(int index, unsigned number);

/* How many problems of a kind there are. */
unsigned problems_of(enum mad_fabric_problem_kind kind);

extern const struct scene_verb response_verbs[], change_verbs[], counter_verbs[], key_verbs[],
	sa_verbs[];

/* Plays a statement of the table. */
void play(const char *statement);

/* A bit for each node of a list; 0: all of them. */
unsigned play_nodes(char *list);
void play_forget_rules(void);

struct model_end play_end(char *text);
struct mad_fabric_options play_options(char *rest);

/* Builds a copy of the fabric by way of a description. */
struct mad_fabric *play_build(struct mad_fabric_description *description,
			      struct mad_fabric_node nodes[6], struct mad_fabric_port ports[20]);

void free_counters(void);
void keep_counters(void);
void merge_counters(const struct mad_fabric *merged);
void free_keys(void);
void play_forget_sa(void);

#endif
