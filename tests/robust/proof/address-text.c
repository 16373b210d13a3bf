/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Numbers in addresses that users type: every text of up to LONGEST characters. What strtoull()
 * makes of it is any number, any error and any end within the text.
 */
#include "libibmad/base/number.c"
#include "libibmad/requests/resolve.c"

#include "proof.h"

#ifndef LONGEST
#define LONGEST 8
#endif

static char text[LONGEST + 1];
static bool failed;

unsigned long long strtoull(const char *from, char **end, int base)
{
	size_t used = nondet_size();

	PROVE(base == 0 && from >= text && from <= text + LONGEST, "the text is read");
	ASSUME(used <= strlen(from));
	*end = (char *)from + used;
	failed = nondet_bool();
	if (failed)
		errno = ERANGE;
	return nondet_uint64();
}

static void any_text(void)
{
	for (unsigned i = 0; i < LONGEST; i++)
		text[i] = nondet_byte();
	text[LONGEST] = '\0';
}

void address_number(void)
{
	uint64_t number;

	any_text();
	if (mad_parse_number(text, &number))
		PROVE(!failed && text[0] && text[0] != '-',
		      "no negative, empty or too large number");
}

void address_lid(void)
{
	int untouched = nondet_int(), lid = untouched;

	any_text();
	if (parse_lid(text, &lid))
		PROVE(lid > 0 && lid < 0xc000, "a unicast LID");
	else
		PROVE(lid == untouched, "a failure changes nothing");
}
