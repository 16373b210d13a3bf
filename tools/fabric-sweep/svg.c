/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The picture as SVG, laid out here: on a page of A3 in landscape format, which becomes longer
 * where that is not enough. Each level is as many rows of boxes as it takes, in the order of names;
 * lines are drawn first, so boxes are always legible.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "escape.h"
#include "picture.h"
#include "style.h"

/* Millimetres. */
#define PAGE_WIDTH   420.0
#define PAGE_HEIGHT  297.0
#define MARGIN	     10.0
#define TITLE_HEIGHT 14.0
#define LEGEND_SPACE 14.0
#define LEVEL_LABEL  22.0
#define FONT	     2.5
#define CHARACTER    (FONT * 0.6)
#define BOX_HEIGHT   4.2
#define BOX_GAP	     1.6
#define ROW_GAP	     1.8
#define LEVEL_GAP    14.0
#define SPEEDS	     (MAD_FABRIC_SPEED_XDR + 1)

struct layout {
	const struct picture *picture;
	double *x;     /* of each box's middle */
	double *y;     /* of each box's top */
	double *width; /* of each box: that of its level */
	double height; /* of the page */
};

static size_t count_level(const struct picture *picture, int level, size_t *first, size_t *longest)
{
	size_t count = 0;

	*longest = 0;
	for (size_t i = 0; i < picture->number_of_boxes; i++) {
		size_t length = strlen(picture->boxes[i].label);

		if (picture->boxes[i].level != level)
			continue;
		if (!count++)
			*first = i;
		if (length > *longest)
			*longest = length;
	}
	return count;
}

/* Places the boxes of a level below y; returns where the next level begins. */
static double place_level(struct layout *layout, int level, double y)
{
	size_t first = 0, longest, count, in_row, rows;
	double width, pitch, space = PAGE_WIDTH - 2 * MARGIN - LEVEL_LABEL;

	count = count_level(layout->picture, level, &first, &longest);
	if (!count)
		return y;
	width = (double)longest * CHARACTER + 2;
	in_row = (size_t)((space + BOX_GAP) / (width + BOX_GAP));
	if (!in_row)
		in_row = 1;
	rows = (count + in_row - 1) / in_row;
	in_row = (count + rows - 1) / rows; /* rows of the same length */
	pitch = space / (double)in_row;
	for (size_t i = 0; i < count; i++) {
		layout->x[first + i] = MARGIN + LEVEL_LABEL + pitch * ((double)(i % in_row) + 0.5);
		layout->y[first + i] = y + (double)(i / in_row) * (BOX_HEIGHT + ROW_GAP);
		layout->width[first + i] = width;
	}
	return y + (double)rows * (BOX_HEIGHT + ROW_GAP) - ROW_GAP;
}

/* All levels from the top, with gaps that fill the page. */
static void place_boxes(struct layout *layout)
{
	double gap = LEVEL_GAP, y, bottom = PAGE_HEIGHT - MARGIN - LEGEND_SPACE;
	int gaps = layout->picture->top - (layout->picture->collapsed ? 1 : 0);

	for (int pass = 0; pass < 2; pass++) {
		y = MARGIN + TITLE_HEIGHT;
		for (int level = layout->picture->top; level >= 0; level--) {
			double end = place_level(layout, level, y);

			if (end > y)
				y = end + gap;
		}
		y -= gap;
		if (!pass && gaps > 0 && y < bottom)
			gap += (bottom - y) / gaps;
	}
	layout->height = y + LEGEND_SPACE + MARGIN;
	if (layout->height < PAGE_HEIGHT)
		layout->height = PAGE_HEIGHT;
}

static const char *dashes(const struct picture_line *line)
{
	if (line->silent)
		return "1.2,0.8";
	return line->lanes == 1 ? "0.3,0.7" : line->lanes == 2 ? "1.5,0.7" : "none";
}

static void write_line(const struct layout *layout, const struct picture_line *line, FILE *file)
{
	double width = line->lanes > 4 ? 0.5 : 0.25;
	const struct picture *picture = layout->picture;
	double y1 = layout->y[line->upper] + BOX_HEIGHT, y2 = layout->y[line->lower];

	if (line->links > 1)
		width += line->links < 5 ? 0.1 * line->links : 0.5;
	if (picture->boxes[line->upper].level == picture->boxes[line->lower].level)
		y2 += BOX_HEIGHT;
	fprintf(file,
		"<path class=\"link\" d=\"M%.1f %.1fL%.1f %.1f\" stroke=\"%s\" "
		"stroke-width=\"%.2f\""
		" stroke-dasharray=\"%s\"%s><title>",
		layout->x[line->upper], y1, layout->x[line->lower], y2,
		line->silent	 ? STYLE_SILENT
		: line->degraded ? "#ff8800"
				 : style_colour(line->speed),
		width, dashes(line),
		picture->number_of_lines > 300 ? " stroke-opacity=\"0.5\"" : "");
	escape_xml(file, picture->boxes[line->upper].label);
	if (line->links == 1 && line->upper_port)
		fprintf(file, " port %u", line->upper_port);
	fputs(" - ", file);
	escape_xml(file, picture->boxes[line->lower].label);
	if (line->links == 1 && line->lower_port)
		fprintf(file, " port %u", line->lower_port);
	if (!line->silent)
		fprintf(file, ": %ux%s", line->lanes, mad_fabric_speed_name(line->speed));
	fprintf(file, "%s (%u link%s)</title></path>\n", line->degraded ? ", degraded" : "",
		line->links, line->links == 1 ? "" : "s");
}

static void write_box(const struct layout *layout, size_t index, FILE *file)
{
	const struct picture_box *box = &layout->picture->boxes[index];
	const char *fill = box->silent			       ? "#ffe0e0"
			   : box->node->type == IB_NODE_SWITCH ? "#dbe6f2"
							       : "#ffffff";
	double width = layout->width[index];

	fprintf(file,
		"<g class=\"%s\"><rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" "
		"rx=\"0.8\" "
		"fill=\"%s\" stroke=\"%s\" stroke-width=\"0.25\"/>"
		"<text x=\"%.1f\" y=\"%.1f\">",
		box->silent			    ? "silent"
		: box->node->type == IB_NODE_SWITCH ? "switch"
						    : "host",
		layout->x[index] - width / 2, layout->y[index], width, BOX_HEIGHT, fill,
		box->silent ? STYLE_SILENT : "#334455", layout->x[index],
		layout->y[index] + BOX_HEIGHT - 1.3);
	escape_xml(file, box->label);
	fputs("</text>", file);
	if (box->node)
		fprintf(file, "<title>%s 0x%016" PRIx64 "</title>", node_type_name(box->node->type),
			box->node->guid);
	fputs("</g>\n", file);
}

static void write_level_labels(const struct layout *layout, FILE *file)
{
	for (int level = layout->picture->top; level >= 0; level--) {
		size_t first = 0, longest;

		if (!count_level(layout->picture, level, &first, &longest))
			continue;
		fprintf(file, "<text class=\"label\" x=\"%.1f\" y=\"%.1f\">", MARGIN,
			layout->y[first] + BOX_HEIGHT - 1.3);
		if (level)
			fprintf(file, "switches, level %d</text>\n", level);
		else
			fputs("hosts</text>\n", file);
	}
}

/* What colours and styles mean: those that occur. */
static void write_legend(const struct layout *layout, FILE *file)
{
	double x = MARGIN + LEVEL_LABEL, y = layout->height - MARGIN;
	bool used[SPEEDS] = { false }, narrow[3] = { false }, silent = false, degraded = false;

	for (size_t i = 0; i < layout->picture->number_of_lines; i++) {
		const struct picture_line *line = &layout->picture->lines[i];

		silent |= line->silent;
		degraded |= line->degraded;
		if (!line->silent && line->speed < SPEEDS)
			used[line->speed] = true;
		if (!line->silent && line->lanes < 3)
			narrow[line->lanes] = true;
	}
	fprintf(file, "<text class=\"label\" x=\"%.1f\" y=\"%.1f\">legend</text>\n", MARGIN, y);
#define ENTRY(colour, dash, ...)                                                                 \
	do {                                                                                     \
		fprintf(file,                                                                    \
			"<path d=\"M%.1f %.1fh8\" stroke=\"%s\" stroke-width=\"0.6\" "           \
			"stroke-dasharray=\"%s\"/><text class=\"label\" x=\"%.1f\" y=\"%.1f\">", \
			x, y - 0.8, colour, dash, x + 9, y);                                     \
		fprintf(file, __VA_ARGS__);                                                      \
		fputs("</text>\n", file);                                                        \
		x += 34;                                                                         \
	} while (0)
	for (unsigned speed = SPEEDS; speed-- > 0;)
		if (used[speed])
			ENTRY(style_colour(speed), "none", "%s",
			      speed ? mad_fabric_speed_name(speed) : "unknown speed");
	for (unsigned lanes = 1; lanes < 3; lanes++) /* wider ones are solid and thicker */
		if (narrow[lanes])
			ENTRY("#777777", lanes == 1 ? "0.3,0.7" : "1.5,0.7", "width %ux", lanes);
	ENTRY("#777777", "none", "width 4x and more");
	if (degraded)
		ENTRY("#ff8800", "none", "degraded");
	if (silent)
		ENTRY(STYLE_SILENT, "1.2,0.8", "no response");
#undef ENTRY
}

static void write_page(const struct layout *layout, const struct mad_fabric_info *info, FILE *file)
{
	char when[32];

	format_time(info->time, when);
	fprintf(file,
		"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0fmm\" height=\"%.0fmm\" "
		"viewBox=\"0 0 %.0f %.0f\">\n"
		"<style>text{font-family:'DejaVu Sans',Arial,sans-serif;font-size:%.1fpx;"
		"text-anchor:middle}.label{text-anchor:start}.link{fill:none}</style>\n"
		"<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n"
		"<text class=\"label\" x=\"%.1f\" y=\"%.1f\" style=\"font-size:5px\">InfiniBand "
		"fabric: "
		"%zu switches, %zu hosts, %zu links%s</text>\n"
		"<text class=\"label\" x=\"%.1f\" y=\"%.1f\">%s, fabric-sweep %s%s</text>\n",
		PAGE_WIDTH, layout->height, PAGE_WIDTH, layout->height, FONT, MARGIN, MARGIN + 4,
		info->switches, info->nodes - info->switches, info->links,
		info->error ? " (partial)" : "", MARGIN, MARGIN + 8.5, when, FABRIC_SWEEP_VERSION,
		info->error ? ". Partial: the sweep was ended early" : "");
	for (size_t i = 0; i < layout->picture->number_of_lines; i++)
		write_line(layout, &layout->picture->lines[i], file);
	for (size_t i = 0; i < layout->picture->number_of_boxes; i++)
		write_box(layout, i, file);
	write_level_labels(layout, file);
	write_legend(layout, file);
	fputs("</svg>\n", file);
}

void svg_write(const struct sweep *sweep, const struct options *options, FILE *file)
{
	struct picture picture;
	struct layout layout = { .picture = &picture };

	if (picture_make(&picture, sweep->fabric, options->picture)) {
		complain("--svg: out of memory");
		return;
	}
	layout.x = calloc(picture.number_of_boxes + 1, sizeof(double));
	layout.y = calloc(picture.number_of_boxes + 1, sizeof(double));
	layout.width = calloc(picture.number_of_boxes + 1, sizeof(double));
	if (layout.x && layout.y && layout.width) {
		place_boxes(&layout);
		write_page(&layout, mad_fabric_get_info(sweep->fabric), file);
	} else {
		complain("--svg: out of memory");
	}
	free(layout.x);
	free(layout.y);
	free(layout.width);
	picture_free(&picture);
}
