/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Every field of the table, read and written in every way, at any alignment, against a model that
 * moves one bit at a time. Where fields lie, the model knows from tests/oracle/golden/fields.tsv.
 * The buffer ends where the field's own bytes end.
 */
#include <stdio.h>
#include <stdlib.h>

#include <infiniband/mad.h>

#include "fuzz.h"

enum { WORD_BITS = 32, LONGEST = 256 };

struct place {
	unsigned offset, length; /* bits */
};

static struct place places[IB_FIELD_LAST_];

static void __attribute__((constructor)) read_places(void)
{
	FILE *file = fopen(FUZZ_FIELDS, "r");
	char line[512], name[256];
	unsigned id, offset, length;

	FUZZ_CHECK(file);
	while (fgets(line, sizeof(line), file))
		if (sscanf(line, "%u\t%255[^\t]\t%u\t%u", &id, name, &offset, &length) == 4 &&
		    id < IB_FIELD_LAST_)
			places[id] = (struct place){ offset, length };
	fclose(file);
	/* What the file, which describes rdma-core, has in the place of other fields. */
	places[IB_PC_QP1_DROP_F].offset = 176;
	places[IB_PORT_EXT_HDR_FEC_MODE_SUPPORTED_F].offset = 96;
	places[IB_PORT_EXT_HDR_FEC_MODE_ENABLED_F].offset = 144;
	places[IB_PORT_EXT_NDR_FEC_MODE_SUPPORTED_F].offset = 128;
	places[IB_PORT_EXT_NDR_FEC_MODE_ENABLED_F].offset = 176;
	FUZZ_CHECK(places[IB_GID_GUID_F].offset == 64 && places[IB_GID_GUID_F].length == 64);
}

static bool is_word(const struct place *place)
{
	return place->length <= WORD_BITS;
}

/* Bit number bit of a field, 0 the least significant one: its byte, and its place in that. */
static unsigned byte_of(const struct place *place, unsigned bit, unsigned *shift)
{
	unsigned at = place->offset % WORD_BITS + bit;

	if (is_word(place)) {
		*shift = at % 8;
		return place->offset / WORD_BITS * 4 + 3 - at / 8;
	}
	at = place->offset + place->length - 1 - bit;
	*shift = 7 - at % 8;
	return at / 8;
}

static unsigned read_bit(const uint8_t *buf, const struct place *place, unsigned bit)
{
	unsigned shift, byte = byte_of(place, bit, &shift);

	return buf[byte] >> shift & 1;
}

static void write_bit(uint8_t *buf, const struct place *place, unsigned bit, unsigned value)
{
	unsigned shift, byte = byte_of(place, bit, &shift);

	buf[byte] = (uint8_t)((buf[byte] & ~(1U << shift)) | value << shift);
}

/* The most significant bits of a field, as many as an accessor of that width takes. */
static uint64_t model_get(const uint8_t *buf, const struct place *place, unsigned width)
{
	unsigned skipped = place->length > width ? place->length - width : 0, bit;
	uint64_t value = 0;

	for (bit = skipped; bit < place->length; bit++)
		value |= (uint64_t)read_bit(buf, place, bit) << (bit - skipped);
	return value;
}

/* What lies behind the first 32 bits of a longer field is cleared; behind the first 64 it stays.
 * Bits of the value beyond the field's width are ignored, except if a field of more than a
 * byte ends within one: then those that fit this byte are ORed into it. */
static void model_set(uint8_t *buf, const struct place *place, unsigned width, uint64_t value)
{
	unsigned skipped = place->length > width ? place->length - width : 0, bit, end;

	for (bit = width == 64 ? skipped : 0; bit < place->length; bit++)
		write_bit(buf, place, bit, bit < skipped ? 0 : value >> (bit - skipped) & 1);
	end = (place->offset + place->length) % 8;
	if (!is_word(place) || place->length < 8 || !end)
		return;
	for (; end < 8; end++, bit++)
		if (value >> bit & 1)
			write_bit(buf, place, bit, 1);
}

static size_t array_start(const struct place *place)
{
	unsigned shift;

	return byte_of(place, place->length - 1, &shift);
}

/* How many bytes an attribute has that ends with the field. */
static size_t end_of(const struct place *place)
{
	return is_word(place) ? place->offset / WORD_BITS * 4 + 4
			      : (place->offset + place->length) / 8;
}

static void check_get(uint8_t *buf, int base, enum MAD_FIELDS field, const struct place *place)
{
	uint8_t array[LONGEST], *attribute = buf + base;

	FUZZ_CHECK(mad_get_field(buf, base, field) == model_get(attribute, place, 32));
	FUZZ_CHECK(mad_get_field64(buf, base, field) == model_get(attribute, place, 64));
	mad_get_array(buf, base, field, array);
	FUZZ_CHECK(!memcmp(array, attribute + array_start(place), place->length / 8));
}

static void check_decode(uint8_t *attribute, enum MAD_FIELDS field, const struct place *place)
{
	size_t size = is_word(place) ? 4 : place->length == 64 ? 8 : place->length / 8;
	uint8_t *value = fuzz_guard(size);
	uint64_t wide;
	uint32_t word;

	mad_decode_field(attribute, field, value);
	if (is_word(place)) {
		memcpy(&word, value, sizeof(word));
		FUZZ_CHECK(word == model_get(attribute, place, 32));
	} else if (place->length == 64) {
		memcpy(&wide, value, sizeof(wide));
		FUZZ_CHECK(wide == model_get(attribute, place, 64));
	} else {
		FUZZ_CHECK(!memcmp(value, attribute + place->offset / 8, size));
	}
}

static void encode(uint8_t *attribute, uint8_t *expected, enum MAD_FIELDS field,
		   const struct place *place, uint64_t value)
{
	uint32_t word = (uint32_t)value;
	uint8_t array[LONGEST];

	memset(array, (int)value, sizeof(array));
	if (is_word(place)) {
		mad_encode_field(attribute, field, &word);
		model_set(expected, place, 32, word);
	} else if (place->length == 64) {
		mad_encode_field(attribute, field, &value);
		model_set(expected, place, 64, value);
	} else {
		mad_encode_field(attribute, field, array);
		memcpy(expected + place->offset / 8, array, place->length / 8);
	}
}

static void check_set(uint8_t *buf, int base, enum MAD_FIELDS field, const struct place *place,
		      unsigned how, uint64_t value)
{
	uint8_t expected[2 * LONGEST + 64], array[LONGEST];
	size_t size = (size_t)base + end_of(place);

	memcpy(expected, buf, size);
	switch (how & 3) {
	case 0:
		mad_set_field(buf, base, field, (uint32_t)value);
		model_set(expected + base, place, 32, (uint32_t)value);
		break;
	case 1:
		mad_set_field64(buf, base, field, value);
		model_set(expected + base, place, 64, is_word(place) ? (uint32_t)value : value);
		break;
	case 2:
		memset(array, (int)value, sizeof(array));
		mad_set_array(buf, base, field, array);
		memcpy(expected + base + array_start(place), array, place->length / 8);
		break;
	default:
		encode(buf + base, expected + base, field, place, value);
	}
	FUZZ_CHECK(!memcmp(expected, buf, size));
}

/* An id without a field reads as 0 and can't be set. */
static void check_nothing(enum MAD_FIELDS field)
{
	uint8_t *buf = fuzz_guard(0);

	FUZZ_CHECK(!mad_get_field(buf, 0, field) && !mad_get_field64(buf, 0, field));
	mad_set_field(buf, 0, field, 1);
	mad_set_field64(buf, 0, field, 1);
	mad_set_array(buf, 0, field, buf);
	mad_get_array(buf, 0, field, buf);
	if (field != IB_NO_FIELD) {
		mad_decode_field(buf, field, buf);
		mad_encode_field(buf, field, buf);
	}
}

void fuzz_target(struct fuzz_input *input)
{
	unsigned id = fuzz_u16(input), how = fuzz_u8(input);
	uint64_t value = fuzz_u64(input);
	int base = (how >> 2 & 7) * 4, misaligned = how >> 5;
	const struct place *place = &places[id % IB_FIELD_LAST_];
	uint8_t *buf;
	size_t size;

	if (how == 0xff || !place->length) {
		check_nothing((enum MAD_FIELDS)(
			how == 0xff ? IB_FIELD_LAST_ + id % (MAD_FIELD_OWN_FIRST - IB_FIELD_LAST_)
				    : id % IB_FIELD_LAST_));
		return;
	}
	size = (size_t)base + end_of(place);
	buf = (uint8_t *)fuzz_guard(size + (size_t)misaligned) + misaligned;
	memset(buf, (int)(value >> 56) ^ 0x5a, size);
	fuzz_bytes(input, buf, input->left < size ? input->left : size);
	check_get(buf, base, id % IB_FIELD_LAST_, place);
	check_decode(buf + base, id % IB_FIELD_LAST_, place);
	check_set(buf, base, id % IB_FIELD_LAST_, place, how, value);
	check_get(buf, base, id % IB_FIELD_LAST_, place);
}
