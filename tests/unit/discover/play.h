/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* play.h - what the players of fabrics.tbl (play*.c) and tests in C share. */
#ifndef TESTS_DISCOVER_PLAY_H
#define TESTS_DISCOVER_PLAY_H

/* in front of the variable of scene.h that has the name of many parameters */
#include "libibmad-fabric/counters.h"

#include "scene.h"
#include "scenes.h"

#define PLAY_TEST(name) TEST_WITH(name, play_set_up, play_tear_down)
int play_set_up(void **state);
int play_tear_down(void **state);

extern struct mad_fabric *older; /* kept by "keep" */
extern struct mad_fabric_counters *counters;

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
