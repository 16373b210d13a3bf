/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The topology as text, in the format of ibnetdiscover: programs that read that (ibsim, scripts)
 * read this, too. Information outside the format is in comments.
 */
#include <inttypes.h>

#include "escape.h"
#include "write.h"

/* The names of node types in the format. */
struct type_words {
	const char *node;
	const char *guid;
	char letter;
};

static const struct type_words *words_of(const struct fabric_node *node)
{
	static const struct type_words words[] = {
		{ "Node", "nodeguid", 'N' }, /* an unknown type */
		[IB_NODE_CA] = { "Ca", "caguid", 'H' },
		[IB_NODE_SWITCH] = { "Switch", "switchguid", 'S' },
		[IB_NODE_ROUTER] = { "Rt", "rtguid", 'R' },
	};

	return &words[node->type <= IB_NODE_ROUTER ? node->type : 0];
}

/* A switch has one LID, that of its port 0. */
static const struct fabric_port *lid_port(const struct fabric_port *port)
{
	return port->node->type == IB_NODE_SWITCH ? &port->node->ports[0] : port;
}

static void write_id(const struct fabric_node *node, FILE *file)
{
	fprintf(file, "\"%c-%016" PRIx64 "\"", words_of(node)->letter, node->guid);
}

static void write_name(const struct fabric_node *node, FILE *file)
{
	putc('"', file);
	escape_text(file, node->name);
	putc('"', file);
}

/* Both ends of a link have the same width and speed; one of them may be unknown. */
static void write_rate(const struct fabric_port *port, FILE *file)
{
	if (!port->width || !port->speed)
		port = port->peer;
	if (port->width && port->speed)
		fprintf(file, "%s%s", port->width, port->speed);
	else
		fputs("?????", file);
}

static void write_link(const struct fabric_port *port, FILE *file)
{
	const struct fabric_port *peer = port->peer;

	fprintf(file, "[%u]", port->number);
	if (port->node->type != IB_NODE_SWITCH)
		fprintf(file, "(%" PRIx64 ") ", port->guid);
	putc('\t', file);
	write_id(peer->node, file);
	fprintf(file, "[%u]", peer->number);
	if (peer->node->type != IB_NODE_SWITCH)
		fprintf(file, "(%" PRIx64 ") ", peer->guid);
	fputs("\t\t# ", file);
	if (port->node->type != IB_NODE_SWITCH)
		fprintf(file, "lid %u lmc %u ", port->lid, port->lmc);
	write_name(peer->node, file);
	fprintf(file, " lid %u ", lid_port(peer)->lid);
	write_rate(port, file);
	putc('\n', file);
}

static void write_port(const struct fabric_port *port, FILE *file)
{
	if (port->peer)
		write_link(port, file);
	else if (port->peer_error)
		fprintf(file, "# [%u] link up, other end unknown: %s\n", port->number,
			fabric_error_text(port->peer_error));
	if (port->stage == FABRIC_PORT_SILENT)
		fprintf(file, "# [%u] no PortInfo: %s\n", port->number,
			fabric_error_text(port->info_error));
}

static void write_node(const struct fabric_node *node, FILE *file)
{
	const struct type_words *words = words_of(node);

	fprintf(file, "\nvendid=0x%x\ndevid=0x%x\nsysimgguid=0x%" PRIx64 "\n%s=0x%" PRIx64,
		node->vendor_id, node->device_id, node->system_guid, words->guid, node->guid);
	if (node->type == IB_NODE_SWITCH)
		fprintf(file, "(%" PRIx64 ")", node->ports[0].guid);
	fprintf(file, "\n%s\t%u ", words->node, node->number_of_ports);
	write_id(node, file);
	fputs("\t\t# ", file);
	write_name(node, file);
	if (node->type == IB_NODE_SWITCH)
		fprintf(file, " port 0 lid %u lmc %u", node->ports[0].lid, node->ports[0].lmc);
	putc('\n', file);
	for (int number = 0; number <= node->number_of_ports; number++)
		write_port(&node->ports[number], file);
}

void text_write(const struct fabric *fabric, FILE *file)
{
	fprintf(file, "#\n# Topology by fabric-sweep: %zu nodes, %zu links\n#\n",
		fabric->number_of_nodes, fabric->number_of_links);
	if (fabric->own)
		fprintf(file, "# Initiated from node %016" PRIx64 " port %016" PRIx64 "\n",
			fabric->own->node->guid, fabric->own->guid);
	if (!fabric->complete)
		fputs("# Incomplete: the sweep was ended early\n", file);
	for (size_t i = 0; i < fabric->number_of_nodes; i++)
		write_node(fabric->nodes[i], file);
	putc('\n', file);
	for (size_t i = 0; i < fabric_warnings_kept(fabric); i++)
		fprintf(file, "# warning: %s\n", fabric->warnings[i]);
}
