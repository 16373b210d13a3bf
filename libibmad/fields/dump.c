/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Prints fields and whole attributes: "Name:.....value", a line each. An attribute is a list of
 * ranges of fields; each line is read from the attribute's bytes when it is printed.
 */
#include "libibmad/fields/format.h"

#define LONGEST_VALUE 2048 /* characters of the longest printed value, with some to spare */

/* An attribute has its fields in up to three ranges. */
#define RANGES 3

struct field_range {
	uint16_t first;
	uint16_t end; /* the ID after the last one */
};

/* Prints a field's value in the form in which mad_decode_field() stores it at val. */
static void put_value(struct text *text, const struct mad_field *field, const void *val)
{
	if (mad_field_is_word(field) || field->bits == 64)
		mad_format_number(text, field->format, mad_field_size(field),
				  mad_load_number(val, mad_field_is_word(field) ? 4 : 8));
	else
		mad_format_bytes(text, field->format, field->bits / 8, val);
}

/*
 * The number of bytes of an attribute that may be read. Older versions never used valsz, and some
 * callers pass the size of a pointer, or 0: numbers that small are ignored.
 */
static unsigned readable_size(int valsz)
{
	return valsz > (int)sizeof(uint64_t) ? (unsigned)valsz : IB_MAD_SIZE;
}

static bool lies_within(const struct mad_field *field, unsigned size)
{
	return field->offset + (mad_field_is_word(field) ? 4u : field->bits / 8u) <= size;
}

static void put_range(struct text *text, const uint8_t *data, int valsz, int first, int end)
{
	uint64_t value[IB_MAD_SIZE / sizeof(uint64_t)];

	for (int id = first; id < end; id++) {
		const struct mad_field *field = mad_field_find((unsigned)id);

		if (!field || !lies_within(field, readable_size(valsz)))
			continue;
		mad_decode_field((uint8_t *)(uintptr_t)data, (enum MAD_FIELDS)id, value);
		text_label(text, mad_field_text(field));
		put_value(text, field, value);
		text_char(text, '\n');
	}
}

void mad_dump_fields(char *buf, int bufsz, void *val, int valsz, int start, int end)
{
	int last = start < MAD_FIELD_OWN_FIRST ? IB_FIELD_LAST_ : MAD_FIELD_OWN_LAST_;
	struct text text;

	if (!text_begin(&text, buf, bufsz))
		return;
	put_range(&text, val, valsz, start > 0 ? start : 0, end < last ? end : last);
	text_end(&text);
}

char *mad_dump_field(enum MAD_FIELDS field, char *buf, int bufsz, void *val)
{
	const struct mad_field *row = mad_field_find(field);
	struct text text;

	if (!row || bufsz <= IB_FIELD_NAME_LEN || !text_begin(&text, buf, bufsz))
		return NULL;
	text_label(&text, mad_field_text(row));
	put_value(&text, row, val);
	text_end(&text);
	return buf;
}

char *mad_dump_val(enum MAD_FIELDS field, char *buf, int bufsz, void *val)
{
	const struct mad_field *row = mad_field_find(field);
	struct text text;

	if (!row)
		return NULL;
	if (text_begin(&text, buf, bufsz)) {
		put_value(&text, row, val);
		text_end(&text);
	}
	return buf;
}

int mad_print_field(enum MAD_FIELDS field, const char *name, void *val)
{
	const struct mad_field *row = mad_field_find(field);
	char value[LONGEST_VALUE];
	int dots;

	if (!row)
		return -1;
	if (!name)
		name = mad_field_text(row);
	dots = IB_FIELD_NAME_LEN - (int)strlen(name);
	return printf("%s:%.*s%s\n", name, dots > 0 ? dots : 0, text_dots,
		      mad_dump_val(field, value, sizeof(value), val));
}

/* Sixteen bytes a line, in pairs; a last line that ends with a pair ends with a space. */
void xdump(FILE *file, const char *msg, void *p, int size)
{
	const uint8_t *bytes = p;

	if (msg)
		fputs(msg, file);
	for (int i = 0; i < size; i++) {
		fprintf(file, "%02x", bytes[i]);
		if (i % 16 == 15)
			fputc('\n', file);
		else if (i % 2)
			fputc(' ', file);
	}
	if (size > 0 && size % 16)
		fputc('\n', file);
}

void mad_dump_sltovl(char *buf, int bufsz, void *val, int valsz)
{
	const uint8_t *bytes = val;
	struct text text;

	(void)valsz; /* the table has eight bytes, whatever valsz is */
	if (!text_begin(&text, buf, bufsz))
		return;
	text_char(&text, '|');
	for (unsigned sl = 0; sl < 16; sl++)
		text_print(&text, "%2u|", bytes[sl / 2] >> (sl % 2 ? 0 : 4) & 0xf);
	text_char(&text, '\n');
	text_end(&text);
}

/* A line of the table, of the bits of mask in every second byte. */
static void put_entries(struct text *text, const char *label, const uint8_t *bytes, int size,
			unsigned mask)
{
	text_string(text, label);
	for (int i = 0; i + 1 < size; i += 2)
		text_print(text, "0x%-2X|", bytes[i] & mask);
	text_char(text, '\n');
}

void mad_dump_vlarbitration(char *buf, int bufsz, void *val, int valsz)
{
	const uint8_t *entries = val; /* each: one byte for the VL, one for the weight */
	struct text text;

	if (!text_begin(&text, buf, bufsz))
		return;
	put_entries(&text, "\nVL    : |", entries, valsz, 0xf);
	put_entries(&text, "WEIGHT: |", entries + 1, valsz, 0xff);
	text_end(&text);
}

static void put_ranges(struct text *text, const uint8_t *data, int valsz,
		       const struct field_range ranges[RANGES])
{
	for (size_t i = 0; i < RANGES; i++)
		put_range(text, data, valsz, ranges[i].first, ranges[i].end);
}

static void dump_ranges(char *buf, int bufsz, const void *val, int valsz,
			const struct field_range ranges[RANGES])
{
	struct text text;

	if (!text_begin(&text, buf, bufsz))
		return;
	put_ranges(&text, val, valsz, ranges);
	text_end(&text);
}

/* The functions of attributes, and of parts of some. */
#define PRINTED(mgmt_class, id, name, ...)
#define NAMED(mgmt_class, id, name)
#define DUMPED(mgmt_class, id, name, function, ...) PART(function, __VA_ARGS__)
#define PART(function, ...)                                                       \
	void mad_dump_##function(char *buf, int bufsz, void *val, int valsz)      \
	{                                                                         \
		static const struct field_range ranges[RANGES] = { __VA_ARGS__ }; \
                                                                                  \
		dump_ranges(buf, bufsz, val, valsz, ranges);                      \
	}
#include "common/mad_attributes.h"
#undef PRINTED
#undef DUMPED
#undef PART

static const struct attribute {
	uint8_t mgmt_class; /* 0: any */
	uint16_t id;
	struct field_range ranges[RANGES];
} attributes[] = {
#define PRINTED(mgmt_class, id, name, ...)	    { mgmt_class, id, { __VA_ARGS__ } },
#define DUMPED(mgmt_class, id, name, function, ...) { mgmt_class, id, { __VA_ARGS__ } },
#define PART(function, ...)
#include "common/mad_attributes.h"
};

static bool is_of(const struct attribute *attribute, int mgmt_class, int attr_id)
{
	if (mgmt_class == IB_SMI_DIRECT_CLASS)
		mgmt_class = IB_SMI_CLASS;
	return attribute->id == attr_id &&
	       (attribute->mgmt_class == mgmt_class || !attribute->mgmt_class);
}

int mad_dump_attribute(char *buf, int bufsz, void *val, int valsz, int mgmt_class, int attr_id)
{
	const size_t count = sizeof(attributes) / sizeof(attributes[0]);
	struct text text;
	bool found = false, fits = text_begin(&text, buf, bufsz);

	for (size_t i = 0; i < count; i++) {
		if (!is_of(&attributes[i], mgmt_class, attr_id))
			continue;
		found = true;
		if (fits)
			put_ranges(&text, val, valsz, attributes[i].ranges);
	}
	if (fits && attr_id == UMAD_ATTR_NOTICE)
		mad_format_notice(&text, val, readable_size(valsz), mgmt_class);
	if (fits)
		text_end(&text);
	return mad_zero_or_error(found ? 0 : mad_refuse(MAD_REFUSED_NO_FIELDS));
}
