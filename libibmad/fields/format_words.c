/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Words as text: the names of values and bits, from the rows of word_formats.h.
 */
#include "libibmad/fields/format.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

enum kind { NUMBER, BIT, SET, MASK };

/* By enum mad_format. */
static const struct form {
	enum kind kind;
	char zero[20];
	char unnamed[13];
	const char *names;
} forms[] = {
#define WORDS(format, ...) [MAD_FORMAT_##format] = { __VA_ARGS__ },
#include "libibmad/fields/word_formats.h"
};

/*
 * Puts the names of the bits that are set: `before` and the first one, `between` and each other
 * one. Returns the bits that have no name.
 */
static uint32_t put_names(struct text *text, const char *names, uint32_t bits, const char *before,
			  const char *between)
{
	uint32_t unnamed = bits;

	for (unsigned bit = 0; bit < 32 && bits >> bit; bit++) {
		const char *end = strchrnul(names, '|');

		if (bits >> bit & 1 && end > names) {
			text_string(text, before);
			text_bytes(text, names, (size_t)(end - names));
			before = between;
			unnamed &= ~(UINT32_C(1) << bit);
		}
		names = *end ? end + 1 : end;
	}
	return unnamed;
}

/* Returns whether the value, or all of its bits, have names. */
static bool put_form(struct text *text, const struct form *form, uint32_t value)
{
	uint32_t bits = value, unnamed;

	if (form->kind == MASK) {
		text_print(text, "0x%x", value);
		put_names(text, form->names, bits, "\n\t\t\t\t", "\n\t\t\t\t");
		return true;
	}
	if (form->kind == NUMBER)
		bits = value < 32 ? UINT32_C(1) << value : 0;
	else if (form->kind == BIT && value & (value - 1))
		bits = 0;
	unnamed = put_names(text, form->names, bits, "", " or ");
	if (bits && !unnamed)
		return true;
	if (unnamed != bits)
		text_string(text, " or ");
	text_print(text, "%s%d)", form->unnamed, (int32_t)value);
	return form->kind == SET && !value; /* an empty set has no unknown bits */
}

/*
 * By the architecture every port supports 1X, one that supports 8X or 12X supports 4X, and every
 * port supports 2.5 Gbps. Other combinations of known widths and speeds are marked.
 */
static bool is_extension(enum mad_format format, uint32_t value)
{
	if (format == MAD_FORMAT_LINK_WIDTH_SUPPORTED)
		return !(value & 1) || (value & 0xc && !(value & 2));
	return format == MAD_FORMAT_LINK_SPEED_SUPPORTED && !(value & 1);
}

void mad_format_word(struct text *text, enum mad_format format, uint32_t value)
{
	const struct form *form = &forms[format];

	if (!value && *form->zero)
		text_string(text, form->zero);
	else if (format == MAD_FORMAT_LINK_SPEED_EXT_ENABLED && value == 30)
		text_string(text, "Extended link speeds disabled");
	else if (put_form(text, form, value)) {
		if (is_extension(format, value))
			text_string(text, " (IBA extension)");
	} else if (format == MAD_FORMAT_LINK_WIDTH) {
		mad_warn("mad_dump_linkwidth", "bad width %d", (int32_t)value);
	} else if (format == MAD_FORMAT_NODE_TYPE) {
		text_char(text, '?');
	}
}

/* Modes of forward error correction. */
static const char fec_modes[][20] = {
	[0] = "no FEC",
	[1] = "FireCode",
	[2] = "RS-FEC",
	[3] = "LL-RS-FEC",
	[4] = "RS-FEC (544,514)",
	[8] = "MLNX-STRONG-RS",
	[9] = "MLNX-LL-RS",
	[10] = "MLNX-ADAPT-RS",
	[11] = "MLNX-COD-FEC",
	[12] = "MLNX-ZL-FEC",
	[13] = "MLNX-RS-544-514-PLR",
	[14] = "MLNX-RS-271-257-PLR",
};

const char *mad_fec_name(unsigned mode)
{
	return mode < COUNT(fec_modes) && *fec_modes[mode] ? fec_modes[mode] : "?";
}

int mad_fec_is_rs(unsigned mode)
{
	const unsigned modes = 1 << 2 | 1 << 3 | 1 << 4 | 0xf << 8 | 1 << 13 | 1 << 14;

	return mode < 32 && modes >> mode & 1;
}
