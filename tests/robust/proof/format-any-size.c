/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Every formatter of single values, for every value and buffers of every size: it appends through
 * the functions of text.h only, gives them what they require, reads nothing outside of the value
 * and of its tables of names, and ends the text once.
 */
#include <stdarg.h>
#include <stdlib.h>

#include <infiniband/mad.h>

#include "text-contract.h"

#include "libibmad/fields/format.c"
#include "libibmad/fields/format_link.c"
#include "libibmad/fields/format_port.c"

enum { VL_ARBITRATION_BYTES = 64 }; /* of the attribute */

typedef void formatter(char *buf, int bufsz, void *val, int valsz);

/* What is printed on standard error is not proved. */
void mad_warn(const char *function, const char *format, ...)
{
	(void)function;
	(void)format;
}

/* CBMC has no models of these. */
size_t strnlen(const char *text, size_t size)
{
	size_t length = nondet_size();

	PROVE(!size || __CPROVER_r_ok(text, size), "the string is there");
	ASSUME(length <= size);
	return length;
}

int ffs(int bits)
{
	return bits ? __builtin_ctz((unsigned)bits) + 1 : 0;
}

static void prove_formatter(formatter *format, void *val, int valsz)
{
	int size = nondet_int();
	char *buf; /* only text_begin() may use it */

	format(buf, size, val, valsz);
	PROVE(texts_begun == (size > 0), "a text begins where its NUL fits");
	PROVE(texts_ended == texts_begun, "it has its NUL");
}

/* The proof of one formatter among some: any of them. */
static formatter *one_of(formatter *const *formatters, unsigned count)
{
	unsigned number = nondet_unsigned();

	ASSUME(number < count);
	return formatters[number];
}

#define ONE_OF(array) one_of(array, sizeof(array) / sizeof((array)[0]))

/* A number of a size that the library takes, at the end of its memory, or of a size it refuses. */
void any_size_number(void)
{
	static formatter *const formatters[] = { mad_dump_int, mad_dump_uint, mad_dump_hex,
						 mad_dump_rhex };
	int valsz = nondet_int();
	uint64_t number = nondet_uint64();
	size_t read = valsz == 3 ? 4 : valsz > 4 ? 8 : valsz;

	prove_formatter(ONE_OF(formatters),
			valsz >= 1 && valsz <= 8 ? (uint8_t *)&number + 8 - read : NULL, valsz);
}

/* Any number of bytes, with nothing behind them. */
void any_size_bytes(void)
{
	static formatter *const formatters[] = { mad_dump_array, mad_dump_string,
						 mad_dump_nodedesc };
	int valsz = nondet_int();
	void *bytes = valsz > 0 ? malloc((size_t)valsz) : NULL;

	ASSUME(valsz <= 0 || bytes);
	prove_formatter(ONE_OF(formatters), bytes, valsz);
}

static void prove_word_formatter(formatter *format)
{
	uint32_t word = nondet_uint32();

	prove_formatter(format, &word, nondet_int());
}

void any_size_link(void)
{
	static formatter *const formatters[] = {
		mad_dump_linkwidth,	mad_dump_linkwidthsup,	   mad_dump_linkwidthen,
		mad_dump_linkspeed,	mad_dump_linkspeedsup,	   mad_dump_linkspeeden,
		mad_dump_linkspeedext,	mad_dump_linkspeedextsup,  mad_dump_linkspeedexten,
		mad_dump_linkspeedext2, mad_dump_linkspeedextsup2, mad_dump_linkspeedexten2,
	};

	prove_word_formatter(ONE_OF(formatters));
}

void any_size_port(void)
{
	static formatter *const formatters[] = {
		mad_dump_linkdowndefstate,
		mad_dump_portstate,
		mad_dump_physportstate,
		mad_dump_mtu,
		mad_dump_vlcap,
		mad_dump_opervls,
		mad_dump_node_type,
		mad_dump_bitfield,
	};

	prove_word_formatter(ONE_OF(formatters));
}

void any_size_capabilities(void)
{
	static formatter *const formatters[] = { mad_dump_portcapmask, mad_dump_portcapmask2 };

	prove_word_formatter(ONE_OF(formatters));
}

void any_size_sl_to_vl(void)
{
	uint8_t table[8];

	prove_formatter(mad_dump_sltovl, table, nondet_int());
}

void any_size_vl_arbitration(void)
{
	uint8_t table[VL_ARBITRATION_BYTES];
	int valsz = nondet_int();

	ASSUME(valsz <= VL_ARBITRATION_BYTES);
	prove_formatter(mad_dump_vlarbitration, table + sizeof(table) - (valsz > 0 ? valsz : 0),
			valsz);
}
