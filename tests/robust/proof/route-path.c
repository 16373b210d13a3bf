/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Routes of every length up to the limit of 64 ports and beyond. The port numbers and what is
 * between them are proved one by one: route_hop is about parse_hop() alone; in the other proofs the
 * call of parse_hop() is one of a function that takes one character for a port number, which may be
 * any or wrong. Paths are printed by the same step for each port number, from any length of the
 * text before it.
 */
#include <stdint.h>

/* The first use of the name is the definition, the second one the call. */
#define JOIN(a, b)	  a##b
#define NUMBERED(name, n) JOIN(name, n)
#define parse_hop	  NUMBERED(parse_hop_, __COUNTER__)
_Static_assert(__COUNTER__ == 0, "the definition is parse_hop_1");

static int parse_hop_2(const char *text, const char **end, uint8_t *hop);

#include "libibmad/wire/portid.c"

#include "proof.h"

enum { LONGEST_HOP = 16, PORTS = IB_SUBNET_PATH_HOPS_MAX + 2, LONGEST = 2 * PORTS };

enum { PRINTED_SIZE = 320, PRINTED_HOPS = 4 };

static char text[LONGEST + 1];
static uint8_t hops[PORTS];
static unsigned hop_count;
static bool hop_is_wrong;

static int parse_hop_2(const char *from, const char **end, uint8_t *hop)
{
	PROVE(from >= text && from <= text + LONGEST, "the text is read");
	if (!*from || nondet_bool()) {
		hop_is_wrong = true;
		return -EINVAL;
	}
	hops[hop_count] = nondet_byte();
	*hop = hops[hop_count++];
	*end = from + 1;
	return 0;
}

/* Of the number: its value without what is beyond a byte, which must have been refused. */
void route_hop(void)
{
	char number[LONGEST_HOP + 1];
	const char *end = NULL;
	uint8_t untouched = nondet_byte(), hop = untouched;
	unsigned i = nondet_unsigned(), digits = 0;
	int result;

	for (unsigned j = 0; j < LONGEST_HOP; j++)
		number[j] = (char)nondet_byte();
	number[LONGEST_HOP] = '\0';
	result = parse_hop_1(number, &end, &hop);
	PROVE(result == 0 || result == -EINVAL, "result");
	if (result) {
		PROVE(hop == untouched && !end, "a failure changes nothing");
		return;
	}
	PROVE(end > number && end <= number + LONGEST_HOP, "the end is within the text");
	PROVE(end[-1] >= '0' && end[-1] <= '9' && !(*end >= '0' && *end <= '9'),
	      "the end is behind the last digit");
	PROVE(hop % 10 == end[-1] - '0', "the last digit counts");
	ASSUME(i < LONGEST_HOP && number + i < end);
	PROVE(number[i] == ' ' || (number[i] >= '\t' && number[i] <= '\r') ||
		      (number[i] >= '0' && number[i] <= '9'),
	      "nothing but blanks and digits is skipped");
}

void route_path(void)
{
	ib_dr_path_t path;
	int drslid = nondet_int(), drdlid = nondet_int(), result;
	unsigned hop = nondet_unsigned();
	uint8_t untouched = nondet_byte();

	for (unsigned i = 0; i < LONGEST; i++)
		text[i] = (char)nondet_byte();
	text[LONGEST] = '\0';
	ASSUME(hop < sizeof(path.p));
	path.p[hop] = untouched;
	result = str2drpath(&path, text, drslid, drdlid);
	PROVE(result >= -1 && result < IB_SUBNET_PATH_HOPS_MAX, "result");
	if (result < 0) {
		PROVE(path.p[hop] == untouched, "a failure changes nothing");
		return;
	}
	PROVE(!hop_is_wrong && path.cnt == result && hop_count == (unsigned)result + 1,
	      "number of hops");
	PROVE(!text[2 * result + 1] && (!result || text[2 * result - 1] == ','),
	      "commas between the numbers, and nothing behind");
	PROVE(path.p[hop] == (hop <= (unsigned)result ? hops[hop] : untouched),
	      "every number, and nothing behind the path changes");
	PROVE(drslid >= 0 && drslid <= 0xffff && path.drslid == (drslid ? drslid : 0xffff), "SLID");
	PROVE(drdlid >= 0 && drdlid <= 0xffff && path.drdlid == (drdlid ? drdlid : 0xffff), "DLID");
}

static char printed[PRINTED_SIZE];
static unsigned printed_count;
static bool was_cut; /* the text printed last */

/*
 * The part of the text that fits. The first text takes any number of characters, so that the port
 * numbers that follow are printed at every place at which one of a long path may stand.
 */
int snprintf(char *to, size_t size, const char *format, ...)
{
	int length = nondet_int();

	PROVE(size && size <= PRINTED_SIZE && __CPROVER_w_ok(to, size), "space for the text");
	if (format[0] == ',')
		ASSUME(length >= 2 && length <= 4);
	else
		ASSUME(length >= 0 && length <= 2 * PRINTED_SIZE);
	was_cut = (size_t)length >= size;
	printed_count++;
	return length;
}

void route_print(void)
{
	ib_dr_path_t path;
	size_t size = nondet_size();
	unsigned wanted = path.cnt < 0 ? 1 : (unsigned)path.cnt + 1;

	ASSUME(size >= 1 && size <= PRINTED_SIZE && path.cnt <= PRINTED_HOPS);
	PROVE(drpath2str(&path, printed + PRINTED_SIZE - size, size) ==
		      printed + PRINTED_SIZE - size,
	      "the buffer is returned");
	PROVE(printed_count == wanted || (printed_count < wanted && was_cut),
	      "every port number that fits");
}

void route_hops(void)
{
	ib_dr_path_t path;
	int hops = hops_of(&path);

	PROVE(hops >= 0 && hops < IB_SUBNET_PATH_HOPS_MAX, "every port number is in the path");
	PROVE(hops == path.cnt || path.cnt < 0 || path.cnt >= IB_SUBNET_PATH_HOPS_MAX,
	      "all of them count");
}
