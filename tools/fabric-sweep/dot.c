/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The picture in the language of Graphviz. dot draws what an edge begins at above what it ends at,
 * so edges go down, and all nodes of a level have one rank. Numbers at the ends of an edge are
 * ports, where there are few enough to be read.
 */
#include <errno.h>
#include <inttypes.h>

#include "escape.h"
#include "picture.h"

#define COLOUR_SILENT	    "#d00000"
#define LINES_WITH_PORTS    100
#define LEVEL_DISTANCE	    1.5
#define LINKS_FOR_INCH_MORE 200

static void write_box(const struct picture_box *box, unsigned index, FILE *file)
{
	fprintf(file, "\t\tn%u [label=\"", index);
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

/* A level is a rank, held together with the levels beside it by its title. */
static void write_level(const struct picture *picture, int level, FILE *file)
{
	fputs("\t{ rank=same;\n", file);
	fprintf(file, "\t\t\"level %d\" [shape=plaintext, label=\"", level);
	if (level)
		fprintf(file, "switches,\\nlevel %d\"];\n", level);
	else
		fputs("hosts\"];\n", file);
	for (size_t i = 0; i < picture->number_of_boxes; i++)
		if (picture->boxes[i].level == level)
			write_box(&picture->boxes[i], (unsigned)i, file);
	fputs("\t}\n", file);
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

static void write_line(const struct picture *picture, const struct picture_line *line, FILE *file)
{
	fprintf(file, "\tn%u -- n%u [style=%s, color=\"%s\"", line->upper, line->lower,
		line_style(line),
		line->silent || line->degraded ? COLOUR_SILENT : speed_colour(line->speed));
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

static bool has_level(const struct picture *picture, int level)
{
	for (size_t i = 0; i < picture->number_of_boxes; i++)
		if (picture->boxes[i].level == level)
			return true;
	return false;
}

/* Those with boxes, one below the other. */
static void write_levels(const struct picture *picture, FILE *file)
{
	int above = -1;

	for (int level = picture->top; level >= 0; level--) {
		if (!has_level(picture, level))
			continue;
		write_level(picture, level, file);
		if (above >= 0)
			fprintf(file, "\t\"level %d\" -- \"level %d\" [style=invis];\n", above,
				level);
		above = level;
	}
}

bool dot_write(const struct sweep *sweep, const struct options *options, FILE *file)
{
	const struct mad_fabric_info *info = mad_fabric_get_info(sweep->fabric);
	const struct mad_fabric_node *centre = picture_find_centre(sweep->fabric, options);
	struct picture picture;
	char when[32], why[160];

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
		"\tlabelloc=t;\n\tlabel=\"InfiniBand fabric, %s: %zu switches, %zu hosts%s%s\";\n",
		when, info->switches, info->nodes - info->switches, why[0] ? ". Partial: " : "",
		why);
	fputs("\tnode [shape=box, style=rounded, margin=0.05, width=0, fontname=\"sans-serif\"];\n"
	      "\tedge [fontname=\"sans-serif\", fontsize=8];\n",
	      file);
	write_levels(&picture, file);
	for (size_t i = 0; i < picture.number_of_lines; i++)
		write_line(&picture, &picture.lines[i], file);
	fputs("}\n", file);
	picture_free(&picture);
	return true;
}
