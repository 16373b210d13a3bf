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

void mad_dump_int(char *buf, int bufsz, void *val, int valsz)
{
	struct text text;

	if (!text_begin(&text, buf, bufsz))
		return;
	if (is_number_size(__func__, valsz)) {
		uint64_t value = load_number(val, valsz);

		if (valsz == 3 || valsz == 4)
			text_signed(&text, (int32_t)value);
		else
			text_unsigned(&text, value);
	}
	text_end(&text);
}

void mad_dump_uint(char *buf, int bufsz, void *val, int valsz)
{
	struct text text;

	if (!text_begin(&text, buf, bufsz))
		return;
	if (is_number_size(__func__, valsz))
		text_unsigned(&text, load_number(val, valsz));
	text_end(&text);
}

void mad_dump_hex(char *buf, int bufsz, void *val, int valsz)
{
	struct text text;

	if (!text_begin(&text, buf, bufsz))
		return;
	if (is_number_size(__func__, valsz))
		put_hex(&text, (unsigned)valsz, load_number(val, valsz));
	text_end(&text);
}

void mad_dump_rhex(char *buf, int bufsz, void *val, int valsz)
{
	struct text text;

	if (!text_begin(&text, buf, bufsz))
		return;
	if (is_number_size(__func__, valsz))
		text_hex(&text, load_number(val, valsz), 2 * (unsigned)valsz);
	text_end(&text);
}

void mad_dump_bitfield(char *buf, int bufsz, void *val, int valsz)
{
	struct text text;

	(void)valsz;
	if (!text_begin(&text, buf, bufsz))
		return;
	text_string(&text, "0x");
	text_hex_short(&text, (uint32_t)load_number(val, 4));
	text_end(&text);
}

void mad_dump_array(char *buf, int bufsz, void *val, int valsz)
{
	struct text text;

	if (!text_begin(&text, buf, bufsz))
		return;
	text_hex_bytes(&text, val, valsz > 0 ? (size_t)valsz : 0);
	text_end(&text);
}

void mad_dump_string(char *buf, int bufsz, void *val, int valsz)
{
	struct text text;

	if (!text_begin(&text, buf, bufsz))
		return;
	put_string(&text, val, valsz > 0 ? (size_t)valsz : 0);
	text_end(&text);
}

void mad_dump_nodedesc(char *buf, int bufsz, void *val, int valsz)
{
	struct text text;

	if (!text_begin(&text, buf, bufsz))
		return;
	if (valsz > 0)
		text_bytes(&text, val, strnlen(val, (size_t)valsz));
	text_end(&text);
}

/* A formatter of a uint32_t, whatever valsz is. */
#define WORD_DUMP(name, form)                                                        \
	void name(char *buf, int bufsz, void *val, int valsz)                        \
	{                                                                            \
		struct text text;                                                    \
                                                                                     \
		(void)valsz;                                                         \
		if (!text_begin(&text, buf, bufsz))                                  \
			return;                                                      \
		mad_format_number(&text, MAD_FORMAT_##form, 4, load_number(val, 4)); \
		text_end(&text);                                                     \
	}

WORD_DUMP(mad_dump_linkwidth, LINK_WIDTH)
WORD_DUMP(mad_dump_linkwidthsup, LINK_WIDTH_SUPPORTED)
WORD_DUMP(mad_dump_linkwidthen, LINK_WIDTH_ENABLED)
WORD_DUMP(mad_dump_linkspeed, LINK_SPEED)
WORD_DUMP(mad_dump_linkspeedsup, LINK_SPEED_SUPPORTED)
WORD_DUMP(mad_dump_linkspeeden, LINK_SPEED_SUPPORTED)
WORD_DUMP(mad_dump_linkspeedext, LINK_SPEED_EXT)
WORD_DUMP(mad_dump_linkspeedextsup, LINK_SPEED_EXT_SUPPORTED)
WORD_DUMP(mad_dump_linkspeedexten, LINK_SPEED_EXT_ENABLED)
WORD_DUMP(mad_dump_linkspeedext2, LINK_SPEED_EXT_2)
WORD_DUMP(mad_dump_linkspeedextsup2, LINK_SPEED_EXT_2_SET)
WORD_DUMP(mad_dump_linkspeedexten2, LINK_SPEED_EXT_2_SET)
WORD_DUMP(mad_dump_linkdowndefstate, LINK_DOWN_DEFAULT)
WORD_DUMP(mad_dump_portstate, PORT_STATE)
WORD_DUMP(mad_dump_physportstate, PHYS_STATE)
WORD_DUMP(mad_dump_portcapmask, CAP_MASK)
WORD_DUMP(mad_dump_portcapmask2, CAP_MASK_2)
WORD_DUMP(mad_dump_mtu, MTU)
WORD_DUMP(mad_dump_vlcap, VL_CAP)
WORD_DUMP(mad_dump_opervls, OPERATIONAL_VLS)
WORD_DUMP(mad_dump_node_type, NODE_TYPE)
