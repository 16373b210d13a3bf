/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The functions that append to a text (libibmad/fields/text.h): whatever space there is, and
 * wherever the text is, they append as much as fits, write nothing before it and nothing behind the
 * place of its NUL. What text-contract.h says of them is what is proved here.
 */
#include "libibmad/fields/text.c"

#include "proof.h"

#ifndef SIZE
#define SIZE 64
#endif

enum { LONGEST = 10 }; /* bytes that are appended at once */

static char memory[SIZE];
static struct text text;
static char *begun; /* where the text ended before the step */

/* A text anywhere in the memory, and a byte of the memory to be watched. */
static unsigned watched;
static char before;

static void begin(void)
{
	size_t next = nondet_size(), last = nondet_size();

	ASSUME(next <= last && last < SIZE);
	for (unsigned i = 0; i < SIZE; i++)
		memory[i] = (char)nondet_byte();
	text.next = begun = memory + next;
	text.last = memory + last;
	watched = nondet_unsigned();
	ASSUME(watched < SIZE);
	before = memory[watched];
}

/* The step appends so many characters, or as many as fit. */
static void prove_step(size_t shortest, size_t longest)
{
	size_t space_before = (size_t)(text.last - begun), added = (size_t)(text.next - begun);

	PROVE(text.next >= begun && text.next <= text.last, "the text stays in its place");
	PROVE(added <= longest, "no more than it has");
	PROVE(added >= shortest || added == space_before, "as much as fits");
	PROVE(memory + watched >= begun && memory + watched <= text.last || memory[watched] == before,
	      "nothing outside changes");
}

void step_bytes(void)
{
	char bytes[LONGEST];
	size_t length = nondet_size(), i = nondet_size();

	begin();
	ASSUME(length <= LONGEST);
	text_bytes(&text, bytes + LONGEST - length, length);
	prove_step(length, length);
	ASSUME(i < (size_t)(text.next - begun));
	PROVE(begun[i] == bytes[LONGEST - length + i], "what is appended");
}

void step_constant(void)
{
	char bytes[LONGEST];
	size_t length = nondet_size();

	begin();
	ASSUME(length <= LONGEST);
	text_constant(&text, bytes + LONGEST - length, length);
	prove_step(length, length);
}

void step_char(void)
{
	begin();
	text_char(&text, 'x');
	prove_step(1, 1);
}

void step_name(void)
{
	struct text_name name;

	begin();
	ASSUME(name.length <= sizeof(name.name));
	text_name(&text, &name);
	prove_step(name.length, name.length);
}

void step_unsigned(void)
{
	begin();
	text_unsigned(&text, nondet_uint64());
	prove_step(1, 20);
}

void step_signed(void)
{
	int32_t value = nondet_int();

	begin();
	text_signed(&text, value);
	prove_step(value < 0 ? 2 : 1, 21);
}

void step_hex(void)
{
	unsigned digits = nondet_unsigned();

	ASSUME(digits >= 1 && digits <= 16);
	begin();
	text_hex(&text, nondet_uint64(), digits);
	prove_step(digits, digits);
}

void step_hex_short(void)
{
	begin();
	text_hex_short(&text, nondet_uint32());
	prove_step(1, 8);
}

void step_hex_bytes(void)
{
	uint8_t bytes[5];
	size_t length = nondet_size();

	begin();
	ASSUME(length <= sizeof(bytes));
	text_hex_bytes(&text, bytes + sizeof(bytes) - length, length);
	prove_step(2 * length, 2 * length);
}

void step_begin_end(void)
{
	int size = nondet_int();
	bool begins;

	begin();
	ASSUME(size <= SIZE);
	begins = text_begin(&text, memory + SIZE - (size > 0 ? size : 0), size);
	PROVE(begins == (size > 0), "a text begins where its NUL fits");
	ASSUME(begins);
	PROVE(text_space(&text) == (size_t)size - 1, "all but the NUL's place");
	text_end(&text);
	PROVE(!memory[SIZE - size], "the NUL");
	PROVE(watched == (unsigned)(SIZE - size) || memory[watched] == before,
	      "nothing else changes");
}
