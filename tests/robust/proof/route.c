/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * str2drpath(): every text of up to LONGEST characters, with every pair of LIDs. isspace() and
 * isdigit() are CBMC's, of the C locale.
 */
#include "libibmad/wire/portid.c"

#include "proof.h"

#ifndef LONGEST
#define LONGEST 12
#endif

/* The number that a text begins with; as large as it may be, in so few digits. */
static unsigned first_number(const char *text)
{
	unsigned value = 0;

	for (unsigned i = 0; text[i] >= '0' && text[i] <= '9'; i++)
		value = value * 10 + (text[i] - '0');
	return value;
}

void route_text(void)
{
	char text[LONGEST + 1];
	ib_dr_path_t path;
	int drslid = nondet_int(), drdlid = nondet_int(), result;
	unsigned hop = nondet_unsigned();
	uint8_t untouched = nondet_byte();

	for (unsigned i = 0; i < LONGEST; i++)
		text[i] = nondet_byte();
	text[LONGEST] = '\0';
	ASSUME(hop < sizeof(path.p));
	path.p[hop] = untouched;
	result = str2drpath(&path, text, drslid, drdlid);
	PROVE(result >= -1 && result < IB_SUBNET_PATH_HOPS_MAX, "result");
	if (result < 0) {
		PROVE(path.p[hop] == untouched, "a failure changes nothing");
		return;
	}
	PROVE(path.cnt == result, "number of hops");
	if (text[0] >= '0' && text[0] <= '9')
		PROVE(path.p[0] == first_number(text), "the first port number");
	PROVE(hop <= (unsigned)result || path.p[hop] == untouched,
	      "nothing behind the path changes");
	PROVE(drslid >= 0 && drslid <= 0xffff && path.drslid == (drslid ? drslid : 0xffff), "SLID");
	PROVE(drdlid >= 0 && drdlid <= 0xffff && path.drdlid == (drdlid ? drdlid : 0xffff), "DLID");
}
