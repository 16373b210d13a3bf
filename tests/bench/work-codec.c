/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* The field codec: each function with every field that it is for, at every alignment. */
#include "works.h"

#include <endian.h>
#include <stdalign.h>
#include <string.h>

static alignas(64) uint8_t buffer[LARGEST + 64];
static alignas(64) uint8_t value[LARGEST];

/* A work: calls `function` for each of these fields. */
#define CODEC(name, chosen, which, ...)                                                   \
	static unsigned name(const struct pair *pair, enum work_order order)              \
	{                                                                                 \
		__typeof__(chosen) function = (chosen);                                   \
		const struct work_fields fields = which;                                  \
		const uint16_t *next = works_order(&which, order);                        \
		uint64_t sum = 0;                                                         \
                                                                                          \
		(void)pair;                                                               \
		for (unsigned a = 0; a < ALIGNMENTS; a++)                                 \
			for (unsigned i = 0; i < fields.count; i++) {                     \
				const struct work_field *field = &fields.fields[*next++]; \
                                                                                          \
				__VA_ARGS__;                                              \
			}                                                                 \
		work_sink = sum;                                                          \
		return ALIGNMENTS * fields.count;                                         \
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

static uint64_t (*volatile by_hand)(const void *, int, enum MAD_FIELDS) = read_by_hand;

CODEC(get, pair->mad_get_field, work_narrow, sum += function(buffer + a, 0, field->id))
CODEC(set, pair->mad_set_field, work_narrow, function(buffer + a, 0, field->id, i & 1))
CODEC(get64, pair->mad_get_field64, work_wide, sum += function(buffer + a, 0, field->id))
CODEC(set64, pair->mad_set_field64, work_wide,
      function(buffer + a, 0, field->id, UINT64_C(1) << (i & 63)))
CODEC(decode, pair->mad_decode_field, work_all, function(buffer + a, field->id, value))
CODEC(encode, pair->mad_encode_field, work_all, function(buffer + a, field->id, field->value))
CODEC(hand_written, by_hand, work_narrow, sum += function(buffer + a, 0, field->id))

const struct work codec_works[] = {
	{ "time of the codec", "mad_get_field", get, TABLE_ORDER },
	{ "time of the codec", "mad_set_field", set, TABLE_ORDER },
	{ "time of the codec", "mad_get_field64", get64, TABLE_ORDER },
	{ "time of the codec", "mad_set_field64", set64, TABLE_ORDER },
	{ "time of the codec", "mad_decode_field", decode, TABLE_ORDER },
	{ "time of the codec", "mad_encode_field", encode, TABLE_ORDER },
	{ "time of the codec", "hand-written load, swap, shift and mask", hand_written,
	  TABLE_ORDER },
	{ "time of the codec", "mad_get_field, random order", get, RANDOM_ORDER },
	{ "time of the codec", "mad_set_field, random order", set, RANDOM_ORDER },
	{ "time of the codec", "mad_get_field64, random order", get64, RANDOM_ORDER },
	{ "time of the codec", "mad_set_field64, random order", set64, RANDOM_ORDER },
	{ "time of the codec", "mad_decode_field, random order", decode, RANDOM_ORDER },
	{ "time of the codec", "mad_encode_field, random order", encode, RANDOM_ORDER },
	{ NULL, NULL, NULL, TABLE_ORDER },
};
