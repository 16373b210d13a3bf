/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Single values as text: numbers, bytes and strings, and the public formatters. For an invalid size
 * they warn on stderr, as in older versions, and print nothing.
 */
#include "libibmad/fields/format.h"

uint64_t mad_load_number(const void *val, int size)
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

/* A quoted string, cut off after size - 1 characters, the closing quote included. */
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
	case MAD_FORMAT_STRING: /* of bytes only */
		return;
	case MAD_FORMAT_ARRAY: /* the lowest byte first */
		for (; size--; value >>= 8)
			text_hex(text, value, 2);
		return;
	case MAD_FORMAT_UINT:
		return text_unsigned(text, size > 2 ? value : value & (size > 1 ? 0xffff : 0xff));
	case MAD_FORMAT_HEX:
		text_string(text, "0x");
		return text_hex(text, value, 2 * size);
	case MAD_FORMAT_RHEX:
		return text_hex(text, value, 2 * size);
	default:
		return mad_format_word(text, format, (uint32_t)value);
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

/* A number in the caller's memory, of the size that the caller passes. */
static void put_sized(struct text *text, const char *function, enum mad_format format,
		      const void *val, int size)
{
	if (size > 0 && size <= 8)
		mad_format_number(text, format, (unsigned)size, mad_load_number(val, size));
	else
		mad_warn(function, "bad int sz %d", size);
}

static void put_int(struct text *text, const void *val, int size)
{
	if (size == 3 || size == 4)
		text_print(text, "%d", (int32_t)mad_load_number(val, size));
	else
		put_sized(text, "mad_dump_int", MAD_FORMAT_UINT, val, size);
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

/* A public formatter of a uint32_t, whatever size the caller passes. */
#define DUMP_WORD(name, format) \
	DUMP(name, mad_format_word(&text, MAD_FORMAT_##format, (uint32_t)mad_load_number(val, 4)))

#define SIZE (valsz > 0 ? (size_t)valsz : 0)

DUMP(int, put_int(&text, val, valsz))
DUMP(uint, put_sized(&text, __func__, MAD_FORMAT_UINT, val, valsz))
DUMP(hex, put_sized(&text, __func__, MAD_FORMAT_HEX, val, valsz))
DUMP(rhex, put_sized(&text, __func__, MAD_FORMAT_RHEX, val, valsz))
DUMP(bitfield, text_print(&text, "0x%x", (uint32_t)mad_load_number(val, 4)))
DUMP(array, text_hex_bytes(&text, val, SIZE))
DUMP(string, put_string(&text, val, SIZE))
DUMP(nodedesc, text_bytes(&text, val, SIZE ? strnlen(val, SIZE) : 0))
DUMP_WORD(linkwidth, LINK_WIDTH)
DUMP_WORD(linkwidthsup, LINK_WIDTH_SUPPORTED)
DUMP_WORD(linkwidthen, LINK_WIDTH_ENABLED)
DUMP_WORD(linkspeed, LINK_SPEED)
DUMP_WORD(linkspeedsup, LINK_SPEED_SUPPORTED)
DUMP_WORD(linkspeeden, LINK_SPEED_SUPPORTED)
DUMP_WORD(linkspeedext, LINK_SPEED_EXT)
DUMP_WORD(linkspeedextsup, LINK_SPEED_EXT_SUPPORTED)
DUMP_WORD(linkspeedexten, LINK_SPEED_EXT_ENABLED)
DUMP_WORD(linkspeedext2, LINK_SPEED_EXT_2)
DUMP_WORD(linkspeedextsup2, LINK_SPEED_EXT_2_SET)
DUMP_WORD(linkspeedexten2, LINK_SPEED_EXT_2_SET)
DUMP_WORD(linkdowndefstate, LINK_DOWN_DEFAULT)
DUMP_WORD(portstate, PORT_STATE)
DUMP_WORD(physportstate, PHYS_STATE)
DUMP_WORD(portcapmask, CAP_MASK)
DUMP_WORD(portcapmask2, CAP_MASK_2)
DUMP_WORD(mtu, MTU)
DUMP_WORD(vlcap, VL_CAP)
DUMP_WORD(opervls, OPERATIONAL_VLS)
DUMP_WORD(node_type, NODE_TYPE)
