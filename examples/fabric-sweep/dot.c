/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The topology as a picture, in the language of Graphviz: hosts at the bottom, their switches above
 * them, and so on. dot draws the start of an edge above its end, so edges go down, and all nodes of
 * a level have the same rank. The labels at the ends of an edge are port numbers.
 */
#include <inttypes.h>

#include "escape.h"
#include "write.h"

/* Pictures grow in width with the number of nodes; inches between levels, so that lines can be
 * distinguished. */
#define LEVEL_DISTANCE	    1.5
#define LINKS_FOR_INCH_MORE 200

static int find_top_level(const struct fabric *fabric)
{
	int top = 0;

	for (size_t i = 0; i < fabric->number_of_nodes; i++)
		if (fabric->nodes[i]->level > top)
			top = fabric->nodes[i]->level;
	return top;
}

static void write_id(const struct fabric_node *node, FILE *file)
{
	fprintf(file, "\"%016" PRIx64 "\"", node->guid);
}

static void write_node(const struct fabric_node *node, FILE *file)
{
	putc('\t', file);
	putc('\t', file);
	write_id(node, file);
	fputs(" [label=\"", file);
	if (node->name[0])
		escape_dot(file, node->name);
	else
		fprintf(file, "%016" PRIx64, node->guid);
	fprintf(file, "\", tooltip=\"%s %016" PRIx64 "\"", node_type_name(node->type), node->guid);
	if (node->type == IB_NODE_SWITCH)
		fputs(", style=filled, fillcolor=lightsteelblue", file);
	fputs("];\n", file);
}

/* A level is a rank, connected to the adjacent levels through its title. */
static void write_level(const struct fabric *fabric, int level, FILE *file)
{
	fputs("\t{ rank=same;\n", file);
	fprintf(file, "\t\t\"level %d\" [shape=plaintext, label=\"", level);
	if (level)
		fprintf(file, "switches,\\nlevel %d\"];\n", level);
	else
		fputs("hosts\"];\n", file);
	for (size_t i = 0; i < fabric->number_of_nodes; i++)
		if (fabric->nodes[i]->level == level)
			write_node(fabric->nodes[i], file);
	fputs("\t}\n", file);
}

static void write_link(const struct fabric_port *port, FILE *file)
{
	const struct fabric_port *peer = port->peer;
	const struct fabric_port *upper = port->node->level >= peer->node->level ? port : peer;
	const struct fabric_port *lower = upper == port ? peer : port;

	putc('\t', file);
	write_id(upper->node, file);
	fputs(" -- ", file);
	write_id(lower->node, file);
	fprintf(file, " [taillabel=\"%u\", headlabel=\"%u\"", upper->number, lower->number);
	if (port->width && port->speed)
		fprintf(file, ", edgetooltip=\"%s%s\"", port->width, port->speed);
	fputs("];\n", file);
}

/* A link whose other end does not respond leads to a separate question mark. */
static void write_silent(const struct fabric_port *port, FILE *file)
{
	fprintf(file,
		"\t\"%016" PRIx64 " %u\" [label=\"?\", tooltip=\"no response\", color=red];\n",
		port->node->guid, port->number);
	putc('\t', file);
	write_id(port->node, file);
	fprintf(file, " -- \"%016" PRIx64 " %u\" [taillabel=\"%u\", style=dashed, color=red];\n",
		port->node->guid, port->number, port->number);
}

static void write_edges(const struct fabric_node *node, FILE *file)
{
	for (int number = 0; number <= node->number_of_ports; number++) {
		const struct fabric_port *port = &node->ports[number];

		if (fabric_link_is_first(port))
			write_link(port, file);
		else if (port->peer_error)
			write_silent(port, file);
	}
}

void dot_write(const struct fabric *fabric, FILE *file)
{
	int top = find_top_level(fabric);

	fprintf(file, "graph fabric {\n\trankdir=TB;\n\tnodesep=0.1;\n\tranksep=%.1f;\n",
		LEVEL_DISTANCE + (double)fabric->number_of_links / LINKS_FOR_INCH_MORE);
	fputs("\tnode [shape=box, style=rounded, margin=0.05, width=0, fontname=\"sans-serif\"];\n"
	      "\tedge [fontname=\"sans-serif\", fontsize=8];\n",
	      file);
	if (!fabric->complete)
		fputs("\tlabel=\"Incomplete: the sweep was ended early\";\n", file);
	for (int level = top; level >= 0; level--)
		write_level(fabric, level, file);
	for (int level = top; level > 0; level--)
		fprintf(file, "\t\"level %d\" -- \"level %d\" [style=invis];\n", level, level - 1);
	for (size_t i = 0; i < fabric->number_of_nodes; i++)
		write_edges(fabric->nodes[i], file);
	fputs("}\n", file);
}
