/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * test-fields.c - the field table and the codec (libibmad/fields/fields.c, codec.c).
 *
 * Every field of the table is read and written and compared with a model that goes bit by bit,
 * at every alignment, with its word or bytes against a page that may not be touched.
 * tests/oracle/golden shows that the table's numbers are correct.
 */
#include "test.h"
#include "bounds.h"

#include <limits.h>

#include <libibmad/fields/fields.h>

#define LAST IB_FIELD_LAST_

/* Every ID: those of rdma-core, then ours. */
#define EACH_ID(id) (unsigned id = 0; id < MAD_FIELD_OWN_LAST_; id = next_id(id))

static unsigned next_id(unsigned id)
{
	return id == LAST - 1 ? MAD_FIELD_OWN_FIRST : id + 1;
}

/* The IDs in the table that have no field. */
static const enum MAD_FIELDS without_field[] = {
#define FIELD(id, bit_offset, length, text, form)
#define OWN_FIELD(id, bit, length, text, form, meaning)
#define NOTHING(id) id,
#include "libibmad/fields/field_rows.h"
};

static bool has_field(unsigned id)
{
	for (size_t i = 0; i < COUNT(without_field); i++)
		if (without_field[i] == id)
			return false;
	return true;
}

/* The first byte that a field may touch, and how many. */
static unsigned first_byte(const struct mad_field *field)
{
	return field->offset;
}

static unsigned byte_count(const struct mad_field *field)
{
	return field->bits <= 32 ? 4 : field->bits / 8;
}

/* The place, from the first byte on, of bit number `bit` of a number (0 is the least one). */
static unsigned bit_place(const struct mad_field *field, unsigned bit)
{
	unsigned last = byte_count(field) - 1;

	bit += field->bits <= 32 ? field->shift : 0;
	return (last - bit / 8) * 8 + bit % 8;
}

static bool get_bit(const uint8_t *data, unsigned place)
{
	return data[place / 8] >> place % 8 & 1;
}

static void set_bit(uint8_t *data, unsigned place, bool value)
{
	data[place / 8] =
		(uint8_t)((data[place / 8] & ~(1u << place % 8)) | (unsigned)value << place % 8);
}

static uint64_t model_get(const struct mad_field *field, const uint8_t *data)
{
	uint64_t value = 0;

	for (unsigned bit = 0; bit < field->bits; bit++)
		value |= (uint64_t)get_bit(data, bit_place(field, bit)) << bit;
	return value;
}

/* Bits that do not fit are ORed into the rest of the last byte of a field of several bytes. */
static void model_set(const struct mad_field *field, uint8_t *data, uint64_t value)
{
	unsigned bit = 0;

	for (; bit < field->bits; bit++)
		set_bit(data, bit_place(field, bit), value >> bit & 1);
	if (field->bits < 8 || field->bits > 32 || field->shift % 8)
		return;
	for (; bit % 8; bit++)
		if (value >> bit & 1)
			set_bit(data, bit_place(field, bit), true);
}

TEST(table_has_no_holes)
{
	for
		EACH_ID(id)
		{
			const struct mad_field *field = &mad_fields[mad_field_row(id)];

			if (!has_field(id)) {
				assert_int_equal(field->bits, 0);
				assert_false(mad_field_is_word(field));
				assert_int_equal(field->format, MAD_FORMAT_NONE);
				assert_null(mad_field_find(id));
				continue;
			}
			if (mad_field_find(id) != field)
				fail_msg("ID 0x%x of mad.h has no row in field_rows.h", id);
			assert_int_not_equal(field->format, MAD_FORMAT_NONE);
			assert_between(field->bits, 1, 8 * IB_MAD_SIZE);
			assert_between(first_byte(field) + byte_count(field), 4, IB_MAD_SIZE);
			assert_true((field->bits <= 32) == mad_field_is_word(field));
			assert_between(strlen(mad_field_text(field)), 1, IB_FIELD_NAME_LEN - 1);
		}
}

TEST(names)
{
	assert_string_equal(mad_field_name(IB_PORT_LID_F), "Lid");
	assert_string_equal(mad_field_name(IB_PC_PORT_VL_XMIT_FLOW_CTL_UPDATE_ERRORS15_F),
			    "PortVLXmitFlowCtlUpdateErrors15");
	assert_string_equal(mad_field_name(IB_PORT_LINK_SPEED_EXT_ENABLED_2_F),
			    "LinkSpeedExtEnabled2");
	/* ibqueryerrors -s compares the names of all ids up to the one it looks for. */
	for
		EACH_ID(id)
		{
			const char *name = mad_field_name((enum MAD_FIELDS)id);

			assert_non_null(name);
			assert_int_equal(name[0] != '\0', has_field(id));
		}
}

TEST(ids_outside_the_table)
{
	static const int ids[] = {
		LAST,	 LAST + 1, 1000,   MAD_FIELD_OWN_FIRST - 1, MAD_FIELD_OWN_LAST_, 0x10000,
		INT_MAX, -1,	   INT_MIN
	};
	uint8_t data[IB_MAD_SIZE], before[IB_MAD_SIZE], value[IB_MAD_SIZE];

	fill_random(before, sizeof(before));
	memcpy(data, before, sizeof(data));
	memset(value, GUARD, sizeof(value));
	for (size_t i = 0; i < COUNT(ids) + COUNT(without_field); i++) {
		enum MAD_FIELDS id =
			i < COUNT(ids) ? (enum MAD_FIELDS)ids[i] : without_field[i - COUNT(ids)];

		if (id < 0 || id > LAST)
			assert_null(mad_field_name(id));
		assert_int_equal(mad_get_field(NULL, 0, id), 0);
		assert_int_equal(mad_get_field64(NULL, 0, id), 0);
		mad_set_field(data, 0, id, UINT32_MAX);
		mad_set_field64(data, 0, id, UINT64_MAX);
		mad_set_array(data, 0, id, value);
		mad_get_array(data, 0, id, value);
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

/*
 * Reads and writes a field, with the attribute so placed that what may be touched lies at one of
 * the ends of the only page there is: low (with align more bytes before it) or high (behind it).
 */
static void check_number_at(unsigned id, uint8_t *base)
{
	enum MAD_FIELDS name = (enum MAD_FIELDS)id;
	const struct mad_field *field = &mad_fields[mad_field_row(id)];
	uint8_t *bytes = base + first_byte(field), expected[8], decoded[8 + 1];
	unsigned count = byte_count(field);
	uint64_t value =
		(uint64_t)pseudo_random() << 40 ^ (uint64_t)pseudo_random() << 20 ^ pseudo_random();

	fill_random(bytes, count);
	memcpy(expected, bytes, count);
	if (count == 4)
		assert_int_equal(mad_get_field(base, 0, name), model_get(field, expected));
	assert_true(mad_get_field64(base, 0, name) == model_get(field, expected));

	memset(decoded, GUARD, sizeof(decoded));
	mad_decode_field(base, name, decoded);
	assert_int_equal(decoded[count], GUARD);
	model_set(field, expected, value);
	if (count == 4)
		mad_set_field(base, 0, name, (uint32_t)value);
	else
		mad_set_field64(base, 0, name, value);
	assert_memory_equal(bytes, expected, count);
	mad_encode_field(base, name, decoded);
	mad_decode_field(base, name, decoded);
	mad_set_field64(base, 0, name, value);
	assert_memory_equal(bytes, expected, count);
}

TEST(numbers_against_the_model)
{
	uint8_t *page = fenced_page();

	for
		EACH_ID(id)
		{
			const struct mad_field *field = mad_field_find(id);

			if (!field || field->bits > 64)
				continue;
			for (unsigned turn = 0; turn < 8; turn++)
				for (unsigned align = 0; align < 4; align++) {
					uint8_t *low = page + align - first_byte(field);
					uint8_t *high = page + PAGE - align - byte_count(field) -
							first_byte(field);

					check_number_at(id, low);
					check_number_at(id, high);
				}
		}
}

TEST(base_offset_is_added)
{
	uint8_t data[2 * IB_MAD_SIZE];

	fill_random(data, sizeof(data));
	for (int base = 0; base <= IB_MAD_SIZE; base += 4)
		assert_int_equal(mad_get_field(data, base, IB_PORT_LID_F),
				 data[base + 16] << 8 | data[base + 17]);
	assert_int_equal(mad_get_field(data + 64, -64, IB_PORT_LID_F), data[16] << 8 | data[17]);
}

static void check_array_at(unsigned id, uint8_t *base)
{
	enum MAD_FIELDS name = (enum MAD_FIELDS)id;
	const struct mad_field *field = &mad_fields[mad_field_row(id)];
	uint8_t *bytes = base + first_byte(field), copy[IB_MAD_SIZE + 1], value[IB_MAD_SIZE];
	unsigned count = byte_count(field);

	fill_random(bytes, count);
	memset(copy, GUARD, sizeof(copy));
	mad_get_array(base, 0, name, copy);
	assert_memory_equal(copy, bytes, count);
	assert_int_equal(copy[count], GUARD);
	fill_random(value, count);
	mad_set_array(base, 0, name, value);
	assert_memory_equal(bytes, value, count);
	if (count <= 8)
		return;
	mad_decode_field(base, name, copy);
	assert_memory_equal(copy, value, count);
	assert_int_equal(copy[count], GUARD);
	fill_random(value, count);
	mad_encode_field(base, name, value);
	assert_memory_equal(bytes, value, count);
}

TEST(arrays_are_copied)
{
	uint8_t *page = fenced_page();

	for
		EACH_ID(id)
		{
			const struct mad_field *field = mad_field_find(id);

			if (!field || field->bits < 64)
				continue;
			check_array_at(id, page - first_byte(field));
			check_array_at(id, page + PAGE - byte_count(field) - first_byte(field));
		}
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

	for
		EACH_ID(id)
		{
			enum MAD_FIELDS name = (enum MAD_FIELDS)id;
			const struct mad_field *field = mad_field_find(id);
			unsigned count = field ? byte_count(field) : 0;
			uint8_t *bytes = page + PAGE - count, *base;

			if (!field || field->bits <= 32)
				continue;
			base = bytes - first_byte(field);
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
