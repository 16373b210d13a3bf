/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* The table of requests: requests.tbl, whose head says what a row is. */
#ifndef TESTS_LIB_REQUESTS_ROWS_H
#define TESTS_LIB_REQUESTS_ROWS_H

#include <stdbool.h>

#include "tests/lib/table.h"

#define REQUEST_WORD  400
#define REQUEST_STEPS 16

/* A row for one value of its "each"; its texts have no "$", "$1" and "*name" any more. */
struct request_row {
	const char *name; /* with that value, as in "smp_set=2" */
	const char *call;
	struct {
		const char *write;    /* a write that has to come */
		const char *response; /* the outcome of the write */
	} steps[REQUEST_STEPS + 1];
	int step_count;
	const char *result;
	char *says; /* lines on standard error, as listen_assert() has them; NULL: not looked at */
	const struct table_case *text; /* has the strings, and is never freed */
	struct request_row *next;
};

/* Reads the table. Returns the first row; what is wrong with the table ends the process. */
struct request_row *request_table_read(const char *path);

/*
 * Takes the next word off a text: "name", "name=value" or "name:value". *value is "" where there is
 * none. Returns false at the end of the text.
 */
bool request_word(const char **text, char name[REQUEST_WORD], const char **value);

/* A number of the table: hexadecimal, with a "-" before it if it is negative. */
long long request_number(const char *value);

/* A number in a structure that words of the table set, or whose value they say. */
struct request_member {
	struct scene_member member; /* without a name: the end of an array */
	int base;		    /* 10 or 16 */
	bool is_signed;
};
#define REQUEST_MEMBER(type, name, base, member)                                                   \
	{                                                                                          \
		SCENE_NUMBER(type, name, member), base, (__typeof__(((type *)0)->member))(-1) < 1, \
	}
#define REQUEST_BIG_ENDIAN(type, name, base, member)        \
	{                                                   \
		SCENE_BIG(type, name, member), base, false, \
	}
#define REQUEST_LAST_MEMBER         \
	{                           \
		.member.name = NULL \
	}

/* Both return false where there is no such member. */
bool request_member_set(const struct request_member *members, void *object, const char *name,
			const char *value);
bool request_member_get(const struct request_member *members, const void *object, const char *name,
			long long *number);

#endif
