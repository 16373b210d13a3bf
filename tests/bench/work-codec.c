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

static unsigned get(const struct pair *pair)
{
	__typeof__(pair->mad_get_field) function = pair->mad_get_field;
	const struct work_fields fields = work_narrow;
	uint64_t sum = 0;

	for (unsigned a = 0; a < ALIGNMENTS; a++)
		for (unsigned i = 0; i < fields.count; i++)
			sum += function(buffer_at(a), 0, fields.fields[i].id);
	work_sink = sum;
	return ALIGNMENTS * fields.count;
}

static unsigned set(const struct pair *pair)
{
	__typeof__(pair->mad_set_field) function = pair->mad_set_field;
	const struct work_fields fields = work_narrow;

	for (unsigned a = 0; a < ALIGNMENTS; a++)
		for (unsigned i = 0; i < fields.count; i++)
			function(buffer_at(a), 0, fields.fields[i].id, i & 1);
	return ALIGNMENTS * fields.count;
}

static unsigned get64(const struct pair *pair)
{
	__typeof__(pair->mad_get_field64) function = pair->mad_get_field64;
	const struct work_fields fields = work_wide;
	uint64_t sum = 0;

	for (unsigned a = 0; a < ALIGNMENTS; a++)
		for (unsigned i = 0; i < fields.count; i++)
			sum += function(buffer_at(a), 0, fields.fields[i].id);
	work_sink = sum;
	return ALIGNMENTS * fields.count;
}

static unsigned set64(const struct pair *pair)
{
	__typeof__(pair->mad_set_field64) function = pair->mad_set_field64;
	const struct work_fields fields = work_wide;

	for (unsigned a = 0; a < ALIGNMENTS; a++)
		for (unsigned i = 0; i < fields.count; i++)
			function(buffer_at(a), 0, fields.fields[i].id, UINT64_C(1) << (i & 63));
	return ALIGNMENTS * fields.count;
}

static unsigned decode(const struct pair *pair)
{
	__typeof__(pair->mad_decode_field) function = pair->mad_decode_field;
	const struct work_fields fields = work_all;

	for (unsigned a = 0; a < ALIGNMENTS; a++)
		for (unsigned i = 0; i < fields.count; i++)
			function(buffer_at(a), fields.fields[i].id, value);
	return ALIGNMENTS * fields.count;
}

static unsigned encode(const struct pair *pair)
{
	__typeof__(pair->mad_encode_field) function = pair->mad_encode_field;
	const struct work_fields fields = work_all;

	for (unsigned a = 0; a < ALIGNMENTS; a++)
		for (unsigned i = 0; i < fields.count; i++)
			function(buffer_at(a), fields.fields[i].id, fields.fields[i].value);
	return ALIGNMENTS * fields.count;
}

/* What a call can hardly be quicker than: it has neither a table nor fields to tell apart. */
__attribute__((noinline)) static uint64_t read_by_hand(const void *bytes, int base_offs,
						       enum MAD_FIELDS field)
{
	uint64_t word;

	(void)field;
	memcpy(&word, (const uint8_t *)bytes + base_offs, sizeof(word));
	return be64toh(word) >> 8 & 0xffffffff;
}

static unsigned hand_written(const struct pair *pair)
{
	uint64_t (*volatile chosen)(const void *, int, enum MAD_FIELDS) = read_by_hand;
	uint64_t (*function)(const void *, int, enum MAD_FIELDS) = chosen;
	const struct work_fields fields = work_narrow;
	uint64_t sum = 0;

	(void)pair;
	for (unsigned a = 0; a < ALIGNMENTS; a++)
		for (unsigned i = 0; i < fields.count; i++)
			sum += function(buffer_at(a), 0, fields.fields[i].id);
	work_sink = sum;
	return ALIGNMENTS * fields.count;
}

const struct work codec_works[] = {
	{ "time of the codec", "mad_get_field", get },
	{ "time of the codec", "mad_set_field", set },
	{ "time of the codec", "mad_get_field64", get64 },
	{ "time of the codec", "mad_set_field64", set64 },
	{ "time of the codec", "mad_decode_field", decode },
	{ "time of the codec", "mad_encode_field", encode },
	{ "time of the codec", "hand-written load, swap, shift and mask", hand_written },
	{ NULL, NULL, NULL },
};
