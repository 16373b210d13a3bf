/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The formatters of single values: numbers, bytes and strings, and the dispatch from a field's
 * format to its formatter. Invalid sizes are reported on stderr, as in older versions, and the
 * value prints as nothing.
 */
#include "libibmad/fields/format.h"

#define MAX_NUMBER_SIZE 8

/* Whether the size is valid for a number; if not, reports it. */
static bool is_number_size(const char *function, int size)
{
	if (size > 0 && size <= MAX_NUMBER_SIZE)
		return true;
	mad_warn(function, "bad int sz %d", size);
	return false;
}

/* The number in the caller's memory: a byte, or a word of 2, 4 or 8 bytes. */
static uint64_t load_number(const void *val, int size)
{
	uint16_t half;
	uint32_t word;
	uint64_t number;

	switch (size) {
	case 1:
		return *(const uint8_t *)val;
	case 2:
		memcpy(&half, val, sizeof(half));
		return half;
	case 3:
	case 4:
		memcpy(&word, val, sizeof(word));
		return word;
	default:
		memcpy(&number, val, sizeof(number));
		return number;
	}
}

static void put_decimal(struct text *text, unsigned size, uint64_t value)
{
	if (size == 1)
		value = (uint8_t)value;
	else if (size == 2)
		value = (uint16_t)value;
	text_unsigned(text, value);
}

static void put_hex(struct text *text, unsigned size, uint64_t value)
{
	text_string(text, "0x");
	text_hex(text, value, 2 * size);
}

/* A number printed as an array: its bytes, lowest first. */
static void put_number_bytes(struct text *text, unsigned size, uint64_t value)
{
	for (unsigned i = 0; i < size; i++)
		text_hex(text, (uint8_t)(value >> 8 * i), 2);
}

/* A quoted string, in size - 1 characters: the rest is cut off, the closing quote included. */
static void put_string(struct text *text, const uint8_t *bytes, size_t size)
{
	size_t length;

	if (size < 2)
		return;
	length = strnlen((const char *)bytes, size);
	text_char(text, '\'');
	text_bytes(text, bytes, length < size - 2 ? length : size - 2);
	if (length + 2 < size)
		text_char(text, '\'');
}

void mad_format_number(struct text *text, enum mad_format format, unsigned size, uint64_t value)
{
	switch (format) {
	case MAD_FORMAT_NONE:
	case MAD_FORMAT_STRING: /* no number is one */
		return;
	case MAD_FORMAT_ARRAY:
		return put_number_bytes(text, size, value);
	case MAD_FORMAT_UINT:
		return put_decimal(text, size, value);
	case MAD_FORMAT_HEX:
		return put_hex(text, size, value);
	case MAD_FORMAT_RHEX:
		return text_hex(text, value, 2 * size);
#define WORD_FORMAT(name, function) \
	case MAD_FORMAT_##name:     \
		return mad_format_##function(text, (uint32_t)value);
		MAD_WORD_FORMATS
#undef WORD_FORMAT
	}
}

void mad_format_bytes(struct text *text, enum mad_format format, unsigned size,
		      const uint8_t *bytes)
{
	if (format == MAD_FORMAT_ARRAY)
		text_hex_bytes(text, bytes, size);
	else if (format == MAD_FORMAT_STRING)
		put_string(text, bytes, size);
	else
		mad_warn("mad_dump_hex", "bad int sz %u", size);
}

/* A number in the caller's memory, of the size that the caller says. */
static void put_sized(struct text *text, const char *function, enum mad_format format,
		      const void *val, int size)
{
	if (is_number_size(function, size))
		mad_format_number(text, format, (unsigned)size, load_number(val, size));
}

static void put_int(struct text *text, const void *val, int size)
{
	if (size == 3 || size == 4)
		text_signed(text, (int32_t)load_number(val, size));
	else
		put_sized(text, "mad_dump_int", MAD_FORMAT_UINT, val, size);
}

/* A uint32_t, whatever size the caller says. */
static void put_word(struct text *text, enum mad_format format, const void *val)
{
	mad_format_number(text, format, 4, load_number(val, 4));
}

static void put_description(struct text *text, const char *bytes, size_t size)
{
	if (size)
		text_bytes(text, bytes, strnlen(bytes, size));
}

static void put_bits(struct text *text, uint64_t word)
{
	text_string(text, "0x");
	text_hex_short(text, (uint32_t)word);
}

/* A public formatter, of a call that appends the value to text. */
#define DUMP(name, call)                                                 \
	void mad_dump_##name(char *buf, int bufsz, void *val, int valsz) \
	{                                                                \
		struct text text;                                        \
                                                                         \
		(void)valsz;                                             \
		if (!text_begin(&text, buf, bufsz))                      \
			return;                                          \
		call;                                                    \
		text_end(&text);                                         \
	}

#define SIZE (valsz > 0 ? (size_t)valsz : 0)

DUMP(int, put_int(&text, val, valsz))
DUMP(uint, put_sized(&text, __func__, MAD_FORMAT_UINT, val, valsz))
DUMP(hex, put_sized(&text, __func__, MAD_FORMAT_HEX, val, valsz))
DUMP(rhex, put_sized(&text, __func__, MAD_FORMAT_RHEX, val, valsz))
DUMP(bitfield, put_bits(&text, load_number(val, 4)))
DUMP(array, text_hex_bytes(&text, val, SIZE))
DUMP(string, put_string(&text, val, SIZE))
DUMP(nodedesc, put_description(&text, val, SIZE))
DUMP(linkwidth, put_word(&text, MAD_FORMAT_LINK_WIDTH, val))
DUMP(linkwidthsup, put_word(&text, MAD_FORMAT_LINK_WIDTH_SUPPORTED, val))
DUMP(linkwidthen, put_word(&text, MAD_FORMAT_LINK_WIDTH_ENABLED, val))
DUMP(linkspeed, put_word(&text, MAD_FORMAT_LINK_SPEED, val))
DUMP(linkspeedsup, put_word(&text, MAD_FORMAT_LINK_SPEED_SUPPORTED, val))
DUMP(linkspeeden, put_word(&text, MAD_FORMAT_LINK_SPEED_SUPPORTED, val))
DUMP(linkspeedext, put_word(&text, MAD_FORMAT_LINK_SPEED_EXT, val))
DUMP(linkspeedextsup, put_word(&text, MAD_FORMAT_LINK_SPEED_EXT_SUPPORTED, val))
DUMP(linkspeedexten, put_word(&text, MAD_FORMAT_LINK_SPEED_EXT_ENABLED, val))
DUMP(linkspeedext2, put_word(&text, MAD_FORMAT_LINK_SPEED_EXT_2, val))
DUMP(linkspeedextsup2, put_word(&text, MAD_FORMAT_LINK_SPEED_EXT_2_SET, val))
DUMP(linkspeedexten2, put_word(&text, MAD_FORMAT_LINK_SPEED_EXT_2_SET, val))
DUMP(linkdowndefstate, put_word(&text, MAD_FORMAT_LINK_DOWN_DEFAULT, val))
DUMP(portstate, put_word(&text, MAD_FORMAT_PORT_STATE, val))
DUMP(physportstate, put_word(&text, MAD_FORMAT_PHYS_STATE, val))
DUMP(portcapmask, put_word(&text, MAD_FORMAT_CAP_MASK, val))
DUMP(portcapmask2, put_word(&text, MAD_FORMAT_CAP_MASK_2, val))
DUMP(mtu, put_word(&text, MAD_FORMAT_MTU, val))
DUMP(vlcap, put_word(&text, MAD_FORMAT_VL_CAP, val))
DUMP(opervls, put_word(&text, MAD_FORMAT_OPERATIONAL_VLS, val))
DUMP(node_type, put_word(&text, MAD_FORMAT_NODE_TYPE, val))
