/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Cases of a table (table.h) as tests of a program, which says at the head of the table what the
 * statements mean. "; " separates statements of one line.
 */
#ifndef TESTS_LIB_SCENES_H
#define TESTS_LIB_SCENES_H

#include "table.h"
#include "test-list.h"

/* Plays a statement, which it may write into. */
typedef void scene_play_fn(char *statement);

/* Registers the cases of a table. */
void scenes_register(const char *path, scene_play_fn *play, int (*set_up)(void **state),
		     int (*tear_down)(void **state));

#define SCENES(path, play, set_up, tear_down)                     \
	static void __attribute__((constructor)) add_scenes(void) \
	{                                                         \
		scenes_register(path, play, set_up, tear_down);   \
	}

/* Takes the next word off a text, which blanks end; NULL at its end. */
char *scene_word(char **text);

/* The word that statements begin with, and the function that plays the rest of them. */
struct scene_verb {
	const char *name; /* NULL ends an array */
	scene_play_fn *play;
};

/* Plays a statement by the first verb of these arrays, which NULL ends, that it begins with. */
void scene_play_verb(const struct scene_verb *const *arrays, char *statement);

/* Plays a statement that is not to be written into. */
void scene_play_copy(scene_play_fn *play, const char *statement);

/* Ends a text at a character. Returns what is behind it; NULL: it does not have the character. */
char *scene_split(char *text, char at);

/* A number, 0x1f or 31, or an error by its name. Fails the test if it is neither. */
unsigned long long scene_number(const char *text);

/* Numbers with names; one without a name ends an array. Fails the test if none has this name. */
struct scene_name {
	const char *name;
	unsigned number;
};
unsigned scene_find(const struct scene_name *names, const char *name);

/* Asserts that a count is "7", or from "5..9". */
void scene_assert_count(unsigned count, char *wanted);

/* Asserts that members have these values: "NAME=VALUE" until the end of the text. The array ends
 * with a member without a name. */
void scene_assert_members(const struct scene_member *members, const void *object, char *text);

/* Sets members that are numbers to these values, as above. */
void scene_set_members(const struct scene_member *members, void *object, char *text);

#endif
