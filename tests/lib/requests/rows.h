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
		const char *write;    /* that the library has to make */
		const char *response; /* that follows from it */
	} steps[REQUEST_STEPS + 1];
	int step_count;
	const char *result;
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

#endif
