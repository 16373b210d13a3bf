/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Tables of cases, as all programs of tests read them. The head of a table says what its statements
 * mean, which are indented, or begin with one of "<>=!".
 *
 *	# why
 *	let NAME = TEXT
 *	name_of_the_case: STATEMENT
 *		each VALUE...
 *		STATEMENT
 *
 * "*NAME" in a statement, up to the next blank, stands for the TEXT of that let. With "each" the
 * case exists once for each value, which replaces "$"; of a value "A|B", "$1" is A.
 */
#ifndef TESTS_LIB_TABLE_H
#define TESTS_LIB_TABLE_H

#include <stddef.h>

struct table_case {
	struct table_case *next;
	char *name;   /* with the value of "each", as in "retries=2" */
	char **lines; /* the statements; NULL ends them */
};

/* Returns the first case. A mistake in the table ends the process. */
struct table_case *table_read(const char *path);

/* Says what is wrong with which text of a table, and ends the process. */
void table_error(const char *what, const char *text) __attribute__((noreturn));

/* A member of a structure that tables can name; size 0: text. */
struct scene_member {
	const char *name;
	size_t offset, size;
	enum { SCENE_HOST_ORDER, SCENE_BIG_ENDIAN } order;
};
#define SCENE_TEXT(type, name, member)                            \
	{                                                         \
		name, offsetof(type, member), 0, SCENE_HOST_ORDER \
	}
#define SCENE_NUMBER(type, name, member)                                                       \
	{                                                                                      \
		name, offsetof(type, member), sizeof(((type *)NULL)->member), SCENE_HOST_ORDER \
	}
#define SCENE_BIG(type, name, member)                                                          \
	{                                                                                      \
		name, offsetof(type, member), sizeof(((type *)NULL)->member), SCENE_BIG_ENDIAN \
	}

/* The number in that member of an object. */
unsigned long long scene_member_get(const struct scene_member *member, const void *object);
void scene_member_set(const struct scene_member *member, void *object, unsigned long long number);

#endif
