/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Formatters, one of each kind: for every value and every size of the buffer up to MAX_SIZE, the
 * buffer is not exceeded and the text ends within it. The value's size is any for the formatters
 * that look at it.
 */
#include <stdarg.h>

#include <infiniband/mad.h>

#include "proof.h"

#ifndef MAX_SIZE
#define MAX_SIZE 64
#endif

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
	size_t length = 0;

	while (length < size && text[length])
		length++;
	return length;
}

int ffs(int bits)
{
	return bits ? __builtin_ctz((unsigned)bits) + 1 : 0;
}

#define OUTSIDE 0x7f

static char memory[MAX_SIZE];

static void prove_formatter(formatter *format, void *val, int valsz)
{
	int size = nondet_int();
	bool ended = false;
	char *buf;

	ASSUME(size <= MAX_SIZE);
	buf = memory + MAX_SIZE - (size > 0 ? size : 0); /* an access behind it is out of bounds */
	for (int i = 0; i < MAX_SIZE; i++)
		memory[i] = OUTSIDE;
	format(buf, size, val, valsz);
	for (int i = 0; i < MAX_SIZE; i++) {
		if (size <= 0 || i < MAX_SIZE - size)
			PROVE(memory[i] == OUTSIDE, "nothing before the buffer changes");
		else
			ended = ended || !memory[i];
	}
	PROVE(ended || size <= 0, "the text ends within the buffer");
}

/* A number of a size that the library takes, at the end of its memory, or of a size it refuses. */
static void prove_number_formatter(formatter *format)
{
	int valsz = nondet_int();
	uint64_t number = nondet_uint64();
	size_t read = valsz == 3 ? 4 : valsz > 4 ? 8 : valsz;

	prove_formatter(format, valsz >= 1 && valsz <= 8 ? (uint8_t *)&number + 8 - read : NULL,
			valsz);
}

static void prove_word_formatter(formatter *format)
{
	uint32_t word = nondet_uint32();

	prove_formatter(format, &word, nondet_int());
}

/* Bytes, with nothing behind them. */
static void prove_bytes_formatter(formatter *format, int longest)
{
	struct any_mad value = nondet_mad();
	int valsz = nondet_int();

	ASSUME(valsz <= longest);
	prove_formatter(format, value.byte + sizeof(value) - (valsz > 0 ? valsz : 0), valsz);
}

void format_int(void)
{
	prove_number_formatter(mad_dump_int);
}
void format_uint(void)
{
	prove_number_formatter(mad_dump_uint);
}
void format_hex(void)
{
	prove_number_formatter(mad_dump_hex);
}
void format_rhex(void)
{
	prove_number_formatter(mad_dump_rhex);
}
void format_bitfield(void)
{
	prove_word_formatter(mad_dump_bitfield);
}
void format_array(void)
{
	prove_bytes_formatter(mad_dump_array, 6);
}
void format_string(void)
{
	prove_bytes_formatter(mad_dump_string, 6);
}
void format_node_description(void)
{
	prove_bytes_formatter(mad_dump_nodedesc, 6);
}
void format_one_of_bits(void)
{
	prove_word_formatter(mad_dump_linkwidth);
}
void format_set_of_bits(void)
{
	prove_word_formatter(mad_dump_linkwidthsup);
}
void format_set_or_special(void)
{
	prove_word_formatter(mad_dump_linkspeedexten);
}
void format_choice(void)
{
	prove_word_formatter(mad_dump_portstate);
}
void format_choice_marked(void)
{
	prove_word_formatter(mad_dump_node_type);
}
void format_capabilities(void)
{
	prove_word_formatter(mad_dump_portcapmask);
}

void format_sl_to_vl(void)
{
	uint8_t table[8];

	for (unsigned i = 0; i < sizeof(table); i++)
		table[i] = nondet_byte();
	prove_formatter(mad_dump_sltovl, table, nondet_int());
}

void format_vl_arbitration(void)
{
	prove_bytes_formatter(mad_dump_vlarbitration, 4);
}
