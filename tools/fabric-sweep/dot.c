/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The picture in the language of Graphviz. dot draws what an edge begins at above what it ends at,
 * so edges go down. Edges to hosts have different lengths, so that many hosts come in several rows.
 * Numbers at the ends of an edge are ports, where there are few enough to be read.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "escape.h"
#include "picture.h"

#define COLOUR_SILENT	    "#d00000"
#define LINES_WITH_PORTS    100
#define LEVEL_DISTANCE	    1.5
#define LINKS_FOR_INCH_MORE 200
#define HOSTS_IN_A_ROW	    8
#define NAME_LENGTH	    32 /* of a name in a box */

/* All links of one kind between two boxes. */
struct line {
	struct {
		unsigned upper, lower; /* boxes */
		uint8_t speed;
		uint8_t lanes;
		bool degraded;
		bool is_level; /* both boxes are on one level */
	} kind;		       /* without padding: memcmp() compares it */
	bool to_host;
	uint8_t upper_port, lower_port; /* of the first of the links */
	unsigned links;
};

struct drawing {
	struct picture picture;
	struct place **members; /* drawn places, box by box */
	size_t count;
	struct line *lines;
	size_t line_count;
	size_t silent; /* ports of boxes whose peer does not respond */
	unsigned rows; /* of hosts */
	FILE *file;
};

/* By level from the top, then by group, then by name: box by box. */
static int compare_members(const void *left, const void *right)
{
	const struct place *a = *(struct place *const *)left, *b = *(struct place *const *)right;
	int order = b->level - a->level;

	if (!order)
		order = (a->group > b->group) - (a->group < b->group);
	if (!order)
		order = strverscmp(node_name(a->node), node_name(b->node));
	return order ? order : (a->node->guid > b->node->guid) - (a->node->guid < b->node->guid);
}

static int compare_lines(const void *left, const void *right)
{
	const struct line *a = left, *b = right;

	return memcmp(&a->kind, &b->kind, sizeof(a->kind));
}

/* How many members, from the first on, are in one box. */
static size_t box_size(const struct drawing *drawing, size_t first)
{
	struct place *const *members = &drawing->members[first];
	size_t size = 1;

	while (first + size < drawing->count && members[size]->level == members[0]->level &&
	       members[size]->group == members[0]->group)
		size++;
	return size;
}

static int find_members(struct drawing *drawing)
{
	const struct picture *picture = &drawing->picture;
	unsigned box = 0, hosts = 0;

	drawing->members = calloc(picture->count + 1, sizeof(struct place *));
	if (!drawing->members)
		return -ENOMEM;
	for (size_t i = 0; i < picture->count; i++)
		if (picture->places[i].drawn)
			drawing->members[drawing->count++] = &picture->places[i];
	qsort(drawing->members, drawing->count, sizeof(struct place *), compare_members);
	for (size_t i = 0, size; i < drawing->count; i += size, box++) {
		size = box_size(drawing, i);
		for (size_t j = i; j < i + size; j++)
			drawing->members[j]->box = box;
		hosts += !drawing->members[i]->level;
	}
	for (size_t i = 0; i < drawing->count; i++)
		for (unsigned n = 0; n <= drawing->members[i]->node->port_count; n++)
			drawing->silent +=
				mad_fabric_get_port(drawing->members[i]->node, n)->peer_error != 0;
	drawing->rows = (hosts + HOSTS_IN_A_ROW - 1) / HOSTS_IN_A_ROW;
	return 0;
}

static void add_link(struct drawing *drawing, const struct mad_fabric_port *port)
{
	const struct mad_fabric_port *end = port->width ? port : port->peer;
	const struct place *one, *other;
	bool swap;

	other = picture_neighbour(&drawing->picture, port->node, port->port_number);
	one = picture_neighbour(&drawing->picture, port->peer->node, port->peer->port_number);
	if (!one->drawn || !other->drawn || one->box == other->box)
		return;
	swap = one->level < other->level;
	drawing->lines[drawing->line_count++] =
		(struct line){ .kind = { .upper = (swap ? other : one)->box,
					 .lower = (swap ? one : other)->box,
					 .speed = end->speed,
					 .lanes = end->width,
					 .degraded = is_degraded(port),
					 .is_level = one->level == other->level },
			       .to_host = !one->level || !other->level,
			       .upper_port = (swap ? port->peer : port)->port_number,
			       .lower_port = (swap ? port : port->peer)->port_number,
			       .links = 1 };
}

static int find_lines(struct drawing *drawing, const struct mad_fabric *fabric)
{
	const struct mad_fabric_port *link = NULL;
	struct line *lines = calloc(mad_fabric_get_info(fabric)->links + 1, sizeof(*lines));
	size_t kept = 0;

	drawing->lines = lines;
	if (!lines)
		return -ENOMEM;
	while ((link = mad_fabric_next_link(fabric, link)))
		add_link(drawing, link);
	qsort(lines, drawing->line_count, sizeof(*lines), compare_lines);
	for (size_t i = 0; i < drawing->line_count; i++)
		if (kept && !compare_lines(&lines[kept - 1], &lines[i]))
			lines[kept - 1].links++;
		else
			lines[kept++] = lines[i];
	drawing->line_count = kept;
	return 0;
}

static void write_name(const struct mad_fabric_node *node, FILE *file)
{
	if (*node_name(node))
		escape_dot(file, node_name(node), NAME_LENGTH);
	else
		fprintf(file, "0x%016" PRIx64, node->guid);
}

/* "leaf-01 ... leaf-08", and "8 switches, 24 hosts" below. */
static void write_label(const struct drawing *drawing, struct place *const *members, size_t size)
{
	unsigned hosts = 0;

	for (size_t i = 0; drawing->picture.collapsed && i < size; i++)
		hosts += members[i]->hosts;
	write_name(members[0]->node, drawing->file);
	if (size > 1) {
		fputs(" ... ", drawing->file);
		write_name(members[size - 1]->node, drawing->file);
		fprintf(drawing->file, "\\n%zu switches", size);
	}
	if (hosts)
		fprintf(drawing->file, "%s%u host%s", size > 1 ? ", " : "\\n", hosts,
			hosts == 1 ? "" : "s");
}

static void write_boxes(const struct drawing *drawing)
{
	for (size_t i = 0, size; i < drawing->count; i += size) {
		struct place *const *members = &drawing->members[i];
		const struct mad_fabric_node *node = members[0]->node;
		bool trouble = false;

		size = box_size(drawing, i);
		for (size_t j = 0; j < size; j++)
			trouble |= members[j]->trouble;
		fprintf(drawing->file, "\tn%u [label=\"", members[0]->box);
		write_label(drawing, members, size);
		fprintf(drawing->file, "\", tooltip=\"%s 0x%016" PRIx64 "\"%s%s];\n",
			node_type_name(node->type), node->guid,
			node->type == IB_NODE_SWITCH ? ", style=filled, fillcolor=lightsteelblue"
						     : "",
			trouble ? ", color=\"" COLOUR_SILENT "\", penwidth=2" : "");
	}
}

static const char *speed_colour(unsigned speed)
{
	static const char *const colours[] = { "#777777", "#999999", "#b58900", "#cb4b16",
					       "#8b5a2b", "#2aa198", "#00829b", "#268bd2",
					       "#6c71c4", "#4f8a10", "#d33682" };

	return speed < sizeof(colours) / sizeof(colours[0]) ? colours[speed] : colours[0];
}

static bool has_ports(const struct drawing *drawing)
{
	return drawing->line_count + drawing->silent <= LINES_WITH_PORTS;
}

static void write_line(const struct drawing *drawing, const struct line *line)
{
	FILE *file = drawing->file;

	fprintf(file, "\tn%u -- n%u [style=%s, color=\"%s\"", line->kind.upper, line->kind.lower,
		line->kind.lanes == 1	? "dotted"
		: line->kind.lanes == 2 ? "dashed"
					: "solid",
		line->kind.degraded ? COLOUR_SILENT : speed_colour(line->kind.speed));
	if (line->kind.is_level)
		fputs(", constraint=false", file);
	else if (line->to_host && drawing->rows > 1)
		fprintf(file, ", minlen=%u", 1 + line->kind.lower % drawing->rows);
	if (line->links > 1)
		fprintf(file, ", label=\"%u\", penwidth=2", line->links);
	else if (has_ports(drawing))
		fprintf(file, ", taillabel=\"%u\", headlabel=\"%u\"", line->upper_port,
			line->lower_port);
	fprintf(file, ", edgetooltip=\"%ux%s%s\"];\n", line->kind.lanes,
		mad_fabric_speed_name(line->kind.speed), line->kind.degraded ? ", degraded" : "");
}

/* A silent node may be anything: its box is below the node that has the link. */
static void write_silent(const struct drawing *drawing)
{
	unsigned silent = 0;

	for (size_t i = 0; i < drawing->count; i++)
		for (unsigned n = 0; n <= drawing->members[i]->node->port_count; n++) {
			if (!mad_fabric_get_port(drawing->members[i]->node, n)->peer_error)
				continue;
			fprintf(drawing->file,
				"\ts%u [label=\"no response\", color=\"" COLOUR_SILENT
				"\", fontcolor=\"" COLOUR_SILENT "\"];\n"
				"\tn%u -- s%u [style=dashed, color=\"" COLOUR_SILENT "\"",
				silent, drawing->members[i]->box, silent);
			if (has_ports(drawing))
				fprintf(drawing->file, ", taillabel=\"%u\"", n);
			fputs("];\n", drawing->file);
			silent++;
		}
}

/* The colours of the speeds that a picture has, and the meaning of other marks. */
static void write_legend(const struct drawing *drawing)
{
	bool has_speed[MAD_FABRIC_SPEED_XDR + 1] = { false };

	for (size_t i = 0; i < drawing->line_count; i++)
		if (drawing->lines[i].kind.speed <= MAD_FABRIC_SPEED_XDR)
			has_speed[drawing->lines[i].kind.speed] = true;
	for (unsigned speed = 0; speed <= MAD_FABRIC_SPEED_XDR; speed++)
		if (has_speed[speed])
			fprintf(drawing->file, "<font color=\"%s\">%s</font> ", speed_colour(speed),
				speed ? mad_fabric_speed_name(speed) : "unknown speed");
	fputs("<font color=\"" COLOUR_SILENT "\">red: wrong, slower than it could be, or no "
	      "response</font> dashed: 2x, dotted: 1x",
	      drawing->file);
}

static void write_drawing(const struct drawing *drawing, const struct sweep *sweep)
{
	const struct mad_fabric_info *info = mad_fabric_get_info(sweep->fabric);
	char when[32], why[160];

	format_time(info->time_ns, when);
	sweep_explain_partial(sweep, why, sizeof(why));
	fprintf(drawing->file,
		"graph fabric {\n\trankdir=TB;\n\tnodesep=0.1;\n\tranksep=%.1f;\n\tlabelloc=t;\n"
		"\tlabel=<InfiniBand fabric, %s: %zu switches, %zu hosts%s%s<br/>",
		LEVEL_DISTANCE +
			(double)(drawing->line_count + drawing->silent) / LINKS_FOR_INCH_MORE,
		when, info->switches, info->nodes - info->switches, why[0] ? ". Partial: " : "",
		why);
	write_legend(drawing);
	fputs(">;\n\tnode [shape=box, style=rounded, margin=0.05, width=0, "
	      "fontname=\"sans-serif\"];\n"
	      "\tedge [fontname=\"sans-serif\", fontsize=8];\n",
	      drawing->file);
	write_boxes(drawing);
	for (size_t i = 0; i < drawing->line_count; i++)
		write_line(drawing, &drawing->lines[i]);
	write_silent(drawing);
	fputs("}\n", drawing->file);
}

bool dot_write(const struct sweep *sweep, const struct options *options, FILE *file)
{
	struct drawing drawing = { .file = file };
	int error = picture_make(&drawing.picture, sweep->fabric, options);

	if (!error)
		error = find_members(&drawing);
	if (!error)
		error = find_lines(&drawing, sweep->fabric);
	if (!error)
		write_drawing(&drawing, sweep);
	picture_free(&drawing.picture);
	free(drawing.members);
	free(drawing.lines);
	errno = -error;
	return !error;
}
