/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The picture in the language of Graphviz. dot draws what an edge begins at above what it ends at,
 * so edges go down. Edges to hosts have different lengths, so that many hosts come in several rows.
 * Numbers at the ends of an edge are ports, where there are few enough to be read.
 */
#include <errno.h>
#include <inttypes.h>

#include "escape.h"
#include "picture.h"

#define COLOUR_SILENT	    "#d00000"
#define LINES_WITH_PORTS    100
#define LEVEL_DISTANCE	    1.5
#define LINKS_FOR_INCH_MORE 200
#define HOSTS_IN_A_ROW	    8

static void write_box(const struct picture_box *box, unsigned index, FILE *file)
{
	fprintf(file, "\tn%u [label=\"", index);
	escape_dot(file, box->label);
	if (box->counts[0])
		fprintf(file, "\\n%s", box->counts);
	if (box->silent)
		fputs("\", color=\"" COLOUR_SILENT "\", fontcolor=\"" COLOUR_SILENT "\"", file);
	else
		fprintf(file, "\", tooltip=\"%s 0x%016" PRIx64 "\"",
			node_type_name(box->node->type), box->node->guid);
	if (box->node && box->node->type == IB_NODE_SWITCH)
		fputs(", style=filled, fillcolor=lightsteelblue", file);
	if (box->trouble)
		fputs(", color=\"" COLOUR_SILENT "\", penwidth=2", file);
	fputs("];\n", file);
}

static const char *speed_colour(unsigned speed)
{
	static const char *const colours[] = { "#777777", "#999999", "#b58900", "#cb4b16",
					       "#8b5a2b", "#2aa198", "#00829b", "#268bd2",
					       "#6c71c4", "#4f8a10", "#d33682" };

	return speed < sizeof(colours) / sizeof(colours[0]) ? colours[speed] : colours[0];
}

static const char *line_style(const struct picture_line *line)
{
	if (line->silent)
		return "dashed";
	return line->lanes == 1 ? "dotted" : line->lanes == 2 ? "dashed" : "solid";
}

static unsigned count_rows(const struct picture *picture)
{
	unsigned hosts = 0;

	for (size_t i = 0; i < picture->number_of_boxes; i++)
		hosts += picture->boxes[i].level == 0;
	return (hosts + HOSTS_IN_A_ROW - 1) / HOSTS_IN_A_ROW;
}

static void write_line(const struct picture *picture, const struct picture_line *line,
		       unsigned rows, FILE *file)
{
	int level = picture->boxes[line->lower].level;

	fprintf(file, "\tn%u -- n%u [style=%s, color=\"%s\"", line->upper, line->lower,
		line_style(line),
		line->silent || line->degraded ? COLOUR_SILENT : speed_colour(line->speed));
	if (picture->boxes[line->upper].level == level && !line->silent)
		fputs(", constraint=false", file);
	else if (level == 0 && rows > 1)
		fprintf(file, ", minlen=%u", 1 + line->lower % rows);
	if (line->links > 1)
		fprintf(file, ", label=\"%u\", penwidth=2", line->links);
	else if (picture->number_of_lines <= LINES_WITH_PORTS) {
		if (line->upper_port)
			fprintf(file, ", taillabel=\"%u\"", line->upper_port);
		if (line->lower_port)
			fprintf(file, ", headlabel=\"%u\"", line->lower_port);
	}
	if (!line->silent)
		fprintf(file, ", edgetooltip=\"%ux%s%s\"", line->lanes,
			mad_fabric_speed_name(line->speed), line->degraded ? ", degraded" : "");
	fputs("];\n", file);
}

/* The colours of the speeds that a picture has, and what else stands for something. */
static void write_legend(const struct picture *picture, FILE *file)
{
	bool has_speed[MAD_FABRIC_SPEED_XDR + 1] = { false };

	for (size_t i = 0; i < picture->number_of_lines; i++)
		if (!picture->lines[i].silent && picture->lines[i].speed <= MAD_FABRIC_SPEED_XDR)
			has_speed[picture->lines[i].speed] = true;
	for (unsigned speed = 0; speed <= MAD_FABRIC_SPEED_XDR; speed++)
		if (has_speed[speed])
			fprintf(file, "<font color=\"%s\">%s</font> ", speed_colour(speed),
				speed ? mad_fabric_speed_name(speed) : "unknown speed");
	fputs("<font color=\"" COLOUR_SILENT "\">red: wrong, slower than it could be, or no "
	      "response</font> dashed: 2x, dotted: 1x",
	      file);
}

bool dot_write(const struct sweep *sweep, const struct options *options, FILE *file)
{
	const struct mad_fabric_info *info = mad_fabric_get_info(sweep->fabric);
	const struct mad_fabric_node *centre = picture_find_centre(sweep->fabric, options);
	struct picture picture;
	char when[32], why[160];
	unsigned rows;

	if (options->around && !centre) {
		errno = ENXIO;
		return false;
	}
	if (picture_make(&picture, sweep->fabric, options->picture, centre)) {
		errno = ENOMEM;
		return false;
	}
	format_time(info->time_ns, when);
	sweep_explain_partial(sweep, why, sizeof(why));
	fprintf(file, "graph fabric {\n\trankdir=TB;\n\tnodesep=0.1;\n\tranksep=%.1f;\n",
		LEVEL_DISTANCE + (double)picture.number_of_lines / LINKS_FOR_INCH_MORE);
	fprintf(file,
		"\tlabelloc=t;\n\tlabel=<InfiniBand fabric, %s: %zu switches, %zu hosts%s%s<br/>",
		when, info->switches, info->nodes - info->switches, why[0] ? ". Partial: " : "",
		why);
	write_legend(&picture, file);
	fputs(">;\n\tnode [shape=box, style=rounded, margin=0.05, width=0, "
	      "fontname=\"sans-serif\"];\n"
	      "\tedge [fontname=\"sans-serif\", fontsize=8];\n",
	      file);
	for (size_t i = 0; i < picture.number_of_boxes; i++)
		write_box(&picture.boxes[i], (unsigned)i, file);
	rows = count_rows(&picture);
	for (size_t i = 0; i < picture.number_of_lines; i++)
		write_line(&picture, &picture.lines[i], rows, file);
	fputs("}\n", file);
	picture_free(&picture);
	return true;
}
