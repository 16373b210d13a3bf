/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* works.c - the fields of works.h. */
#include "works.h"

#include <stdalign.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct work_fields work_narrow, work_wide, work_numbers, work_all;
volatile uint64_t work_sink;

#define RANDOM 65536

void works_fill(uint8_t *bytes, unsigned size)
{
	for (unsigned i = 0; i < size; i++)
		bytes[i] = (uint8_t)(0x41 + i * 7 % 57);
}

/* The bits that a field sets when its value is all ones; 0 for an id without a field. */
static unsigned count_bits(const struct pair *pair, enum MAD_FIELDS id)
{
	uint8_t value[LARGEST], buffer[LARGEST] = { 0 };
	unsigned bits = 0;

	memset(value, 0xff, sizeof(value));
	pair->mad_encode_field(buffer, id, value);
	for (unsigned i = 0; i < sizeof(buffer); i++)
		bits += (unsigned)__builtin_popcount(buffer[i]);
	return bits;
}

/*
 * Values lie one behind the other, as a program's own variables would. Those of short fields are 2,
 * which means something wherever a number stands for something.
 */
static void *make_value(const struct pair *pair, enum MAD_FIELDS id, unsigned bits)
{
	static alignas(16) uint8_t values[16 * LARGEST * 2], *next = values;
	static uint8_t attribute[LARGEST];
	unsigned size = bits <= 32 ? 4 : (bits + 63) / 64 * 8;
	uint8_t *value = next;

	if (size > 4 && (uintptr_t)value % 8)
		value += 4;
	if (value + size > values + sizeof(values)) {
		fprintf(stderr, "no memory for the values of all fields\n");
		exit(EXIT_FAILURE);
	}
	works_fill(attribute, sizeof(attribute));
	pair->mad_decode_field(attribute, id, value);
	if (bits < 16)
		memcpy(value, bits == 1 ? &(uint32_t){ 1 } : &(uint32_t){ 2 }, sizeof(uint32_t));
	next = value + size;
	return value;
}

static void add(struct work_fields *fields, const struct work_field *field)
{
	struct work_field *grown =
		realloc((void *)(uintptr_t)fields->fields, (fields->count + 1) * sizeof(*grown));

	if (!grown) {
		perror("realloc");
		exit(EXIT_FAILURE);
	}
	grown[fields->count++] = *field;
	fields->fields = grown;
}

static void make_orders(struct work_fields *fields)
{
	unsigned ordered = ALIGNMENTS * fields->count;
	uint32_t state = 2463534242u;

	fields->ordered = calloc(ordered, sizeof(uint16_t));
	fields->random = calloc(RANDOM, sizeof(uint16_t));
	if (!fields->ordered || !fields->random || 2 * ordered > RANDOM) {
		fprintf(stderr, "no memory for the order of %u fields\n", fields->count);
		exit(EXIT_FAILURE);
	}
	for (unsigned i = 0; i < ordered; i++)
		fields->ordered[i] = (uint16_t)(i % fields->count);
	for (unsigned i = 0; i < RANDOM; i++) {
		state ^= state << 13;
		state ^= state >> 17;
		state ^= state << 5;
		fields->random[i] = (uint16_t)(state % fields->count);
	}
}

const uint16_t *works_order(struct work_fields *fields, enum work_order order)
{
	const uint16_t *start = fields->random + fields->at;

	if (order == TABLE_ORDER)
		return fields->ordered;
	fields->at = (fields->at + ALIGNMENTS * fields->count) % (RANDOM / 2);
	return start;
}

void works_prepare(const struct pair *pair)
{
	for (int id = IB_NO_FIELD + 1; id < IB_FIELD_LAST_; id++) {
		struct work_field field = { .id = (enum MAD_FIELDS)id };

		field.bits = count_bits(pair, field.id);
		if (!field.bits)
			continue;
		field.value = make_value(pair, field.id, field.bits);
		add(&work_all, &field);
		if (field.bits <= 64)
			add(&work_numbers, &field);
		if (field.bits <= 32)
			add(&work_narrow, &field);
		else if (field.bits == 64)
			add(&work_wide, &field);
	}
	make_orders(&work_narrow);
	make_orders(&work_wide);
	make_orders(&work_all);
}
