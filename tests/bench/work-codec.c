/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* The field codec: each function with every field that it is for, at every alignment. */
#include "works.h"

#include <endian.h>
#include <stdalign.h>
#include <string.h>

static alignas(64) uint8_t buffer[LARGEST + 64];
static alignas(64) uint8_t value[LARGEST];

static uint8_t *buffer_at(unsigned alignment)
{
	return buffer + alignment;
}

static unsigned get(const struct pair *pair, enum work_order order)
{
	__typeof__(pair->mad_get_field) function = pair->mad_get_field;
	const struct work_fields fields = work_narrow;
	const uint16_t *next = works_order(&work_narrow, order);
	uint64_t sum = 0;

	for (unsigned a = 0; a < ALIGNMENTS; a++)
		for (unsigned i = 0; i < fields.count; i++)
			sum += function(buffer_at(a), 0, fields.fields[*next++].id);
	work_sink = sum;
	return ALIGNMENTS * fields.count;
}

static unsigned set(const struct pair *pair, enum work_order order)
{
	__typeof__(pair->mad_set_field) function = pair->mad_set_field;
	const struct work_fields fields = work_narrow;
	const uint16_t *next = works_order(&work_narrow, order);

	for (unsigned a = 0; a < ALIGNMENTS; a++)
		for (unsigned i = 0; i < fields.count; i++)
			function(buffer_at(a), 0, fields.fields[*next++].id, i & 1);
	return ALIGNMENTS * fields.count;
}

static unsigned get64(const struct pair *pair, enum work_order order)
{
	__typeof__(pair->mad_get_field64) function = pair->mad_get_field64;
	const struct work_fields fields = work_wide;
	const uint16_t *next = works_order(&work_wide, order);
	uint64_t sum = 0;

	for (unsigned a = 0; a < ALIGNMENTS; a++)
		for (unsigned i = 0; i < fields.count; i++)
			sum += function(buffer_at(a), 0, fields.fields[*next++].id);
	work_sink = sum;
	return ALIGNMENTS * fields.count;
}

static unsigned set64(const struct pair *pair, enum work_order order)
{
	__typeof__(pair->mad_set_field64) function = pair->mad_set_field64;
	const struct work_fields fields = work_wide;
	const uint16_t *next = works_order(&work_wide, order);

	for (unsigned a = 0; a < ALIGNMENTS; a++)
		for (unsigned i = 0; i < fields.count; i++)
			function(buffer_at(a), 0, fields.fields[*next++].id,
				 UINT64_C(1) << (i & 63));
	return ALIGNMENTS * fields.count;
}

static unsigned decode(const struct pair *pair, enum work_order order)
{
	__typeof__(pair->mad_decode_field) function = pair->mad_decode_field;
	const struct work_fields fields = work_all;
	const uint16_t *next = works_order(&work_all, order);

	for (unsigned a = 0; a < ALIGNMENTS; a++)
		for (unsigned i = 0; i < fields.count; i++)
			function(buffer_at(a), fields.fields[*next++].id, value);
	return ALIGNMENTS * fields.count;
}

static unsigned encode(const struct pair *pair, enum work_order order)
{
	__typeof__(pair->mad_encode_field) function = pair->mad_encode_field;
	const struct work_fields fields = work_all;
	const uint16_t *next = works_order(&work_all, order);

	for (unsigned a = 0; a < ALIGNMENTS; a++)
		for (unsigned i = 0; i < fields.count; i++, next++)
			function(buffer_at(a), fields.fields[*next].id, fields.fields[*next].value);
	return ALIGNMENTS * fields.count;
}

/* What a call can hardly be quicker than: it has neither a table nor different fields. */
__attribute__((noinline)) static uint64_t read_by_hand(const void *bytes, int base_offs,
						       enum MAD_FIELDS field)
{
	uint64_t word;

	(void)field;
	memcpy(&word, (const uint8_t *)bytes + base_offs, sizeof(word));
	return be64toh(word) >> 8 & 0xffffffff;
}

static unsigned hand_written(const struct pair *pair, enum work_order order)
{
	uint64_t (*volatile chosen)(const void *, int, enum MAD_FIELDS) = read_by_hand;
	uint64_t (*function)(const void *, int, enum MAD_FIELDS) = chosen;
	const struct work_fields fields = work_narrow;
	const uint16_t *next = works_order(&work_narrow, order);
	uint64_t sum = 0;

	(void)pair;
	for (unsigned a = 0; a < ALIGNMENTS; a++)
		for (unsigned i = 0; i < fields.count; i++)
			sum += function(buffer_at(a), 0, fields.fields[*next++].id);
	work_sink = sum;
	return ALIGNMENTS * fields.count;
}

const struct work codec_works[] = {
	{ "time of the codec", "mad_get_field", get, TABLE_ORDER },
	{ "time of the codec", "mad_set_field", set, TABLE_ORDER },
	{ "time of the codec", "mad_get_field64", get64, TABLE_ORDER },
	{ "time of the codec", "mad_set_field64", set64, TABLE_ORDER },
	{ "time of the codec", "mad_decode_field", decode, TABLE_ORDER },
	{ "time of the codec", "mad_encode_field", encode, TABLE_ORDER },
	{ "time of the codec", "hand-written load, swap, shift and mask", hand_written,
	  TABLE_ORDER },
	{ NULL, NULL, NULL, TABLE_ORDER },
};

const struct work random_works[] = {
	{ "time of the codec", "mad_get_field, random order", get, RANDOM_ORDER },
	{ "time of the codec", "mad_set_field, random order", set, RANDOM_ORDER },
	{ "time of the codec", "mad_get_field64, random order", get64, RANDOM_ORDER },
	{ "time of the codec", "mad_set_field64, random order", set64, RANDOM_ORDER },
	{ "time of the codec", "mad_decode_field, random order", decode, RANDOM_ORDER },
	{ "time of the codec", "mad_encode_field, random order", encode, RANDOM_ORDER },
	{ NULL, NULL, NULL, RANDOM_ORDER },
};
