/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Link widths and speeds of PortInfo as text. An active one is a single bit; a set of supported or
 * enabled ones is printed as "A or B", followed by the number if a bit has no name.
 */
#include "libibmad/fields/format.h"

#include <strings.h>

static const mad_value_name widths[] = {
	"1X", "4X", "8X", "12X", "2X",
};

static const mad_value_name speeds[] = {
	"2.5 Gbps",
	"5.0 Gbps",
	"10.0 Gbps",
};

static const mad_value_name extended_speeds[] = {
	"14.0625 Gbps",
	"25.78125 Gbps",
	"53.125 Gbps",
	"106.25 Gbps",
};

static const mad_value_name extended_speeds_2[] = { "212.5 Gbps" };

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static void put_undefined(struct text *text, uint32_t value)
{
	text_string(text, "undefined (");
	text_signed(text, (int32_t)value);
	text_char(text, ')');
}

/* The name of the only bit that is set; false if there is none. */
static bool put_bit(struct text *text, const mad_value_name *names, unsigned count, uint32_t value)
{
	unsigned bit = (unsigned)ffs((int)value) - 1;

	if (!value || value & (value - 1) || bit >= count)
		return false;
	text_string(text, names[bit]);
	return true;
}

/* The names of all bits that are set; the number if one has none. */
static void put_set(struct text *text, const mad_value_name *names, unsigned count, uint32_t value)
{
	bool some = false;

	for (unsigned bit = 0; bit < count; bit++) {
		if (!(value >> bit & 1))
			continue;
		if (some)
			text_string(text, " or ");
		text_string(text, names[bit]);
		some = true;
	}
	if (!value || value >> count) {
		if (some)
			text_string(text, " or ");
		put_undefined(text, value);
	}
}

void mad_format_link_width(struct text *text, uint32_t value)
{
	if (put_bit(text, widths, COUNT(widths), value))
		return;
	mad_warn("mad_dump_linkwidth", "bad width %d", (int32_t)value);
	put_undefined(text, value);
}

/*
 * By the architecture every port supports 1X, and one that supports 8X or 12X supports 4X; other
 * combinations of known widths are marked.
 */
void mad_format_link_width_supported(struct text *text, uint32_t value)
{
	bool is_architected = value & 1 && (value & 2 || !(value & 0xc));

	put_set(text, widths, COUNT(widths), value);
	if (value >> COUNT(widths) == 0 && !is_architected)
		text_string(text, " (IBA extension)");
}

void mad_format_link_width_enabled(struct text *text, uint32_t value)
{
	put_set(text, widths, COUNT(widths), value);
}

void mad_format_link_speed(struct text *text, uint32_t value)
{
	if (!value)
		text_string(text, "Extended speed");
	else if (!put_bit(text, speeds, COUNT(speeds), value))
		put_undefined(text, value);
}

/* Also for enabled speeds. Every port supports 2.5 Gbps; a set without it is marked. */
void mad_format_link_speed_supported(struct text *text, uint32_t value)
{
	put_set(text, speeds, COUNT(speeds), value);
	if (value >> COUNT(speeds) == 0 && !(value & 1))
		text_string(text, " (IBA extension)");
}

void mad_format_link_speed_ext(struct text *text, uint32_t value)
{
	if (!value)
		text_string(text, "No Extended Speed");
	else if (!put_bit(text, extended_speeds, COUNT(extended_speeds), value))
		put_undefined(text, value);
}

void mad_format_link_speed_ext_supported(struct text *text, uint32_t value)
{
	if (!value)
		text_char(text, '0');
	else
		put_set(text, extended_speeds, COUNT(extended_speeds), value);
}

void mad_format_link_speed_ext_enabled(struct text *text, uint32_t value)
{
	if (value == 30)
		text_string(text, "Extended link speeds disabled");
	else
		mad_format_link_speed_ext_supported(text, value);
}

void mad_format_link_speed_ext_2(struct text *text, uint32_t value)
{
	if (!value)
		text_string(text, "No Extended Speed 2");
	else if (!put_bit(text, extended_speeds_2, COUNT(extended_speeds_2), value))
		put_undefined(text, value);
}

/* Supported and enabled speeds; an unknown one is preceded by a space, as in older versions. */
void mad_format_link_speed_ext_2_set(struct text *text, uint32_t value)
{
	if (!value) {
		text_char(text, '0');
	} else if (!put_bit(text, extended_speeds_2, COUNT(extended_speeds_2), value)) {
		text_char(text, ' ');
		put_undefined(text, value);
	}
}

/* Codes of rates in records of the SA: of all lanes together. */
void mad_format_rate(struct text *text, uint32_t value)
{
	static const mad_value_name names[] = {
		[2] = "2.5 Gbps",   [3] = "10 Gbps",   [4] = "30 Gbps",	   [5] = "5 Gbps",
		[6] = "20 Gbps",    [7] = "40 Gbps",   [8] = "60 Gbps",	   [9] = "80 Gbps",
		[10] = "120 Gbps",  [11] = "14 Gbps",  [12] = "56 Gbps",   [13] = "112 Gbps",
		[14] = "168 Gbps",  [15] = "25 Gbps",  [16] = "100 Gbps",  [17] = "200 Gbps",
		[18] = "300 Gbps",  [19] = "28 Gbps",  [20] = "50 Gbps",   [21] = "400 Gbps",
		[22] = "600 Gbps",  [23] = "800 Gbps", [24] = "1200 Gbps", [25] = "1600 Gbps",
		[26] = "2400 Gbps",
	};

	if (value < COUNT(names) && *names[value])
		text_string(text, names[value]);
	else
		put_undefined(text, value);
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
