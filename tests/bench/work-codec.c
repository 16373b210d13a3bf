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

/* A lower bound of a call: a function without a table, for one field. */
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

#define WORK(name, make, order)                        \
	{                                              \
		"time of the codec", name, make, order \
	}
#define BOTH_ORDERS(function, make) \
	WORK(#function, make, TABLE_ORDER), WORK(#function ", random order", make, RANDOM_ORDER)
const struct work codec_works[] = {
	BOTH_ORDERS(mad_get_field, get),
	BOTH_ORDERS(mad_set_field, set),
	BOTH_ORDERS(mad_get_field64, get64),
	BOTH_ORDERS(mad_set_field64, set64),
	BOTH_ORDERS(mad_decode_field, decode),
	BOTH_ORDERS(mad_encode_field, encode),
	WORK("hand-written load, swap, shift and mask", hand_written, TABLE_ORDER),
	{ NULL, NULL, NULL, TABLE_ORDER },
};
