/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The field table and the codec (libibmad/fields/fields.c, codec.c): IDs without a field, and
 * accessors of the wrong width. tests/oracle/golden gets and sets each field.
 */
#include "test.h"
#include "bounds.h"

#include <limits.h>

#include <libibmad/fields/fields.h>

#define LAST IB_FIELD_LAST_

/* The IDs are rdma-core's, then ours. */
static unsigned next_id(unsigned id)
{
	return id == LAST - 1 ? MAD_FIELD_OWN_FIRST : id + 1;
}

/* The IDs that have a row; docs.fields knows which others there may be. */
static const enum MAD_FIELDS with_field[] = {
#define FIELD(id, bit_offset, length, text, form)	id,
#define OWN_FIELD(id, bit, length, text, form, meaning) id,
#include "libibmad/fields/field_rows.h"
};

static bool has_field(unsigned id)
{
	for (size_t i = 0; i < COUNT(with_field); i++)
		if (with_field[i] == id)
			return true;
	return false;
}

/* How many bytes an accessor may touch. */
static unsigned byte_count(const struct mad_field *field)
{
	return field->bits <= 32 ? 4 : field->bits / 8;
}

/* ibqueryerrors -s compares the names of all IDs up to the one it looks for. */
TEST(table_has_no_holes)
{
	for (unsigned id = 0; id < MAD_FIELD_OWN_LAST_; id = next_id(id)) {
		const struct mad_field *field = &mad_fields[mad_field_row(id)];
		const char *name = mad_field_name((enum MAD_FIELDS)id);

		assert_non_null(name);
		if (!has_field(id)) {
			assert_string_equal(name, "");
			assert_int_equal(field->bits, 0);
			assert_false(mad_field_is_word(field));
			assert_int_equal(field->format, MAD_FORMAT_NONE);
			assert_null(mad_field_find(id));
			continue;
		}
		assert_ptr_equal(mad_field_find(id), field);
		assert_int_not_equal(field->format, MAD_FORMAT_NONE);
		assert_between(field->bits, 1, 8 * IB_MAD_SIZE);
		assert_between(field->offset + byte_count(field), 4, IB_MAD_SIZE);
		assert_true((field->bits <= 32) == mad_field_is_word(field));
		assert_between(strlen(name), 1, IB_FIELD_NAME_LEN - 1);
	}
}

/* The end of each group, and numbers that the table does not have. */
TEST(ids_without_a_field)
{
	static const int ids[] = {
		IB_NO_FIELD,
		IB_SM_DATA_F,
		IB_PORT_LAST_F,
		IB_PORT_LINK_SPEED_EXT_2_LAST_F,
		LAST,
		LAST + 1,
		MAD_FIELD_OWN_FIRST - 1,
		MAD_FIELD_OWN_LAST_,
		0x10000,
		INT_MAX,
		-1,
		INT_MIN,
	};
	uint8_t data[IB_MAD_SIZE], before[IB_MAD_SIZE], value[IB_MAD_SIZE];

	fill_random(before, sizeof(before));
	memcpy(data, before, sizeof(data));
	memset(value, GUARD, sizeof(value));
	for (size_t i = 0; i < COUNT(ids); i++) {
		enum MAD_FIELDS id = (enum MAD_FIELDS)ids[i];

		if (id < 0 || id > LAST)
			assert_null(mad_field_name(id));
		assert_int_equal(mad_get_field(NULL, 0, id), 0);
		assert_int_equal(mad_get_field64(NULL, 0, id), 0);
		mad_set_field(data, 0, id, UINT32_MAX);
		mad_set_field64(data, 0, id, UINT64_MAX);
		mad_set_array(data, 0, id, value);
		mad_get_array(data, 0, id, value);
		assert_null(mad_dump_field(id, (char *)value, sizeof(value), data));
		assert_null(mad_dump_val(id, (char *)value, sizeof(value), data));
		assert_int_equal(mad_print_field(id, "name", data), -1);
		if (id != IB_NO_FIELD) {
			mad_encode_field(data, id, value);
			mad_decode_field(data, id, value);
		}
		assert_memory_equal(data, before, sizeof(data));
		for (size_t j = 0; j < sizeof(value); j++)
			assert_int_equal(value[j], GUARD);
	}
}

TEST(no_field_is_an_int)
{
	int number = 0x12345678, copy = 0;
	uint8_t data[8] = { 0 };

	mad_encode_field(data, IB_NO_FIELD, &number);
	assert_memory_equal(data, &number, sizeof(number));
	assert_int_equal(data[4], 0);
	mad_decode_field(data, IB_NO_FIELD, &copy);
	assert_int_equal(copy, number);
}

/* The OUI of a vendor MAD: the three bytes behind the first of its word. */
TEST(array_in_a_word)
{
	static const uint8_t oui[] = { 0x00, 0x14, 0x05 };
	uint8_t data[IB_MAD_SIZE] = { 0 }, copy[4] = { 1, 1, 1, 1 };

	mad_set_array(data, 0, IB_VEND2_OUI_F, (void *)oui);
	assert_int_equal(data[36], 0);
	assert_memory_equal(data + 37, oui, sizeof(oui));
	assert_int_equal(mad_get_field(data, 0, IB_VEND2_OUI_F), IB_OPENIB_OUI);
	mad_get_array(data, 0, IB_VEND2_OUI_F, copy);
	assert_memory_equal(copy, oui, sizeof(oui));
	assert_int_equal(copy[3], 1);
}

/* An accessor of the wrong width stays within the field. */
TEST(wrong_width)
{
	static const uint8_t zeros[IB_MAD_SIZE];
	uint8_t *page = fenced_page();

	for (unsigned id = 0; id < MAD_FIELD_OWN_LAST_; id = next_id(id)) {
		enum MAD_FIELDS name = (enum MAD_FIELDS)id;
		const struct mad_field *field = mad_field_find(id);
		unsigned count = field ? byte_count(field) : 0;
		uint8_t *bytes = page + PAGE - count, *base;

		if (!field || field->bits <= 32)
			continue;
		base = bytes - field->offset;
		fill_random(bytes, count);
		assert_int_equal(mad_get_field(base, 0, name), mad_get_be32(bytes));
		assert_true(mad_get_field64(base, 0, name) == mad_get_be64(bytes));
		mad_set_field(base, 0, name, 0x12345678);
		assert_int_equal(mad_get_be32(bytes), 0x12345678);
		assert_memory_equal(bytes + 4, zeros, count - 4);
		fill_random(bytes, count);
		mad_set_field64(base, 0, name, UINT64_C(0x0102030405060708));
		assert_true(mad_get_be64(bytes) == UINT64_C(0x0102030405060708));
	}
}

/* No other library shows where these are: none begins within the field before. */
TEST(fields_of_ours_do_not_overlap)
{
	static const struct {
		unsigned bit, length;
	} own[] = {
#undef FIELD
#undef OWN_FIELD
#define FIELD(id, bit_offset, bits, text, form)
#define OWN_FIELD(id, bit_offset, bits, text, form, meaning) { bit_offset, bits },
#include "libibmad/fields/field_rows.h"
	};

	for (size_t i = 1; i < COUNT(own); i++)
		if (own[i].bit > own[i - 1].bit)
			assert_true(own[i].bit >= own[i - 1].bit + own[i - 1].length);
}
