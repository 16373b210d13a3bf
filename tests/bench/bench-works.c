/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * bench-works LIBIBUMAD LIBIBMAD: makes each of the works of one pair once between marks (marks.h),
 * to be counted, and reads the first and the last fields of the table, as "few" and "many".
 */
#include "marks.h"
#include "works.h"

#include <stdlib.h>

#define SOME 64 /* fields from either end of the table */

static void mark_works(const struct work *works, const struct pair *pair)
{
	for (; works->name; works++) {
		unsigned calls = works->make(pair, works->order);

		if (works->order == RANDOM_ORDER)
			continue;
		mark_begin(works->name, calls);
		works->make(pair, works->order);
		mark_end();
	}
}

static void mark_growth(const struct pair *pair, const char *name, const struct work_field *fields)
{
	static uint8_t attribute[LARGEST];
	uint64_t sum = 0;

	mark_begin(name, SOME);
	for (unsigned i = 0; i < SOME; i++)
		sum += pair->mad_get_field(attribute, 0, fields[i].id);
	mark_end();
	work_sink = sum;
}

int main(int argc, char **argv)
{
	struct pair pair;

	if (argc != 3) {
		fprintf(stderr, "usage: %s LIBIBUMAD LIBIBMAD\n", argv[0]);
		return 2;
	}
	pair_load(&pair, argv[1], argv[2], false);
	works_prepare(&pair);
	mark_works(codec_works, &pair);
	mark_works(dump_works, &pair);
	if (work_narrow.count < 2 * SOME) {
		fprintf(stderr, "%u fields of up to 32 bits\n", work_narrow.count);
		return EXIT_FAILURE;
	}
	mark_growth(&pair, "few", work_narrow.fields);
	mark_growth(&pair, "many", work_narrow.fields + work_narrow.count - SOME);
	return EXIT_SUCCESS;
}
