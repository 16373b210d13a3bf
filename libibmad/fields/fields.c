/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Makes constant data without pointers of the rows in field_rows.h: an array for the codec, as
 * small as possible because every access reads it, and the names.
 */
#include "libibmad/fields/fields.h"

/* All names, one behind the other; the empty one of IDs without a field is the first. */
#define FIELD(id, bit_offset, length, text, form)	char of_##id[sizeof(text)];
#define OWN_FIELD(id, bit, length, text, form, meaning) FIELD(id, bit, length, text, form)
struct names {
	char of_nothing[1];
#include "libibmad/fields/field_rows.h"
};
#undef FIELD
#undef OWN_FIELD

/* Adds 0 to a number, and fails to compile if the condition is false. */
#define MUST(condition) (0 * sizeof(struct { int it : (condition) ? 1 : -1; }))

/* A mask for a value of that length; 0 for lengths above 32. */
#define MASK(length) ((length) <= 32 ? (uint32_t)((UINT64_C(1) << ((length) % 64)) - 1) : 0)

/* The unused bits of the last byte of a field of more than 8 bits that begins at a byte boundary.
 */
#define OVERFLOW(bit_offset, length) \
	((length) > 8 && (length) <= 32 && (bit_offset) % 8 == 0 ? (8 - (length) % 8) % 8 : 0)

/* A word in the machine's byte order. */
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define IN_MEMORY(word) (word)
#else
#define IN_MEMORY(word) __builtin_bswap32(word)
#endif

#define FIELD(id, bit_offset, length, text, form)                                         \
	[MAD_FIELD_ROW(id)] = {                                                           \
		.others = IN_MEMORY(~(MASK(length) << (bit_offset) % 32)),                \
		.set_mask = MASK((length) + OVERFLOW(bit_offset, length)),                \
		.offset = ((length) <= 32 ? (bit_offset) / 32 * 4 : (bit_offset) / 8) +   \
			  MUST((length) > 32 ? (bit_offset) % 8 == 0 && (length) % 8 == 0 \
					     : (bit_offset) % 32 + (length) <= 32),       \
		.bits = (length) + MUST((length) > 0 && (length) <= IB_MAD_SIZE * 8) +    \
			MUST(sizeof(text) <= IB_FIELD_NAME_LEN),                          \
		.shift = (length) <= 32 ? (bit_offset) % 32 : 0,                          \
		.format = MAD_FORMAT_##form,                                              \
		.name = offsetof(struct names, of_##id),                                  \
	},

#define OWN_FIELD(id, bit, length, text, form, meaning) \
	FIELD(id, FROM_FIRST(bit, length), length, text, form)

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Woverride-init" /* rows without a field at first */
const struct mad_field mad_fields[MAD_FIELD_ROWS] = {
	[0 ... MAD_FIELD_ROWS - 1] = { .others = UINT32_MAX },
#include "libibmad/fields/field_rows.h"
};
#pragma GCC diagnostic pop

#undef FIELD
#define FIELD(id, bit_offset, length, text, form) .of_##id = text,

static const struct names names = {
	.of_nothing = "",
#include "libibmad/fields/field_rows.h"
};

_Static_assert(
	IB_FIELD_LAST_ == 670,
	"these IDs are rdma-core's: a new field of ours is an OWN_FIELD, see CONTRIBUTING.md");
_Static_assert(sizeof(struct mad_field) == 16, "the codec goes through them: keep rows small");

const char *mad_field_text(const struct mad_field *field)
{
	return (const char *)&names + field->name;
}

const char *mad_field_name(enum MAD_FIELDS field)
{
	/* Programs compare the names of all IDs between two fields, including the markers. */
	unsigned row = mad_field_row(field);

	return row || field == IB_NO_FIELD ? mad_field_text(&mad_fields[row]) : NULL;
}
