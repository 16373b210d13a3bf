/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The topology as text, in the format of ibnetdiscover: programs that read that (ibsim, scripts)
 * read this, too. Information outside the format is in comments.
 */
#include <inttypes.h>

#include "escape.h"
#include "sweep.h"

/* The names of node types in the format. */
struct type_words {
	const char *node;
	const char *guid;
	char letter;
};

static const struct type_words *words_of(const struct mad_fabric_node *node)
{
	static const struct type_words words[] = {
		{ "Node", "nodeguid", 'N' }, /* an unknown type */
		[IB_NODE_CA] = { "Ca", "caguid", 'H' },
		[IB_NODE_SWITCH] = { "Switch", "switchguid", 'S' },
		[IB_NODE_ROUTER] = { "Rt", "rtguid", 'R' },
	};

	return &words[node->type <= IB_NODE_ROUTER ? node->type : 0];
}

static void write_id(const struct mad_fabric_node *node, FILE *file)
{
	fprintf(file, "\"%c-%016" PRIx64 "\"", words_of(node)->letter, node->guid);
}

static void write_name(const struct mad_fabric_node *node, FILE *file)
{
	putc('"', file);
	escape_text(file, node_name(node));
	putc('"', file);
}

/* "[1](200000000100011) ", the GUID not of a switch's port. */
static void write_end(const struct mad_fabric_port *port, FILE *file)
{
	fprintf(file, "[%u]", port->port_number);
	if (port->node->type != IB_NODE_SWITCH)
		fprintf(file, "(%" PRIx64 ") ", port->guid);
}

static void write_link(const struct mad_fabric_port *port, FILE *file)
{
	const struct mad_fabric_port *peer = port->peer;
	char rate[16];

	format_rate(port, rate);
	write_end(port, file);
	putc('\t', file);
	write_id(peer->node, file);
	write_end(peer, file);
	fputs("\t\t# ", file);
	if (port->node->type != IB_NODE_SWITCH)
		fprintf(file, "lid %u lmc %u ", port->lid, port->lmc);
	write_name(peer->node, file);
	fprintf(file, " lid %u %s\n", peer->lid, rate);
}

static void write_port(const struct mad_fabric_port *port, FILE *file)
{
	if (port->peer)
		write_link(port, file);
	else if (port->peer_error)
		fprintf(file, "# [%u] link up, other end unknown: %s\n", port->port_number,
			error_text(port->peer_error));
	if (port->info_error)
		fprintf(file, "# [%u] no PortInfo: %s\n", port->port_number,
			error_text(port->info_error));
}

static void write_node(const struct mad_fabric_node *node, FILE *file)
{
	const struct mad_fabric_port *port0 = mad_fabric_get_port(node, 0);
	const struct type_words *words = words_of(node);

	fprintf(file, "\nvendid=0x%x\ndevid=0x%x\nsysimgguid=0x%" PRIx64 "\n%s=0x%" PRIx64,
		node->vendor_id, node->device_id, node->system_guid, words->guid, node->guid);
	if (node->type == IB_NODE_SWITCH)
		fprintf(file, "(%" PRIx64 ")", port0->guid);
	fprintf(file, "\n%s\t%u ", words->node, node->port_count);
	write_id(node, file);
	fputs("\t\t# ", file);
	write_name(node, file);
	if (node->type == IB_NODE_SWITCH)
		fprintf(file, "%s port 0 lid %u lmc %u", node->enhanced_port0 ? " enhanced" : "",
			port0->lid, port0->lmc);
	putc('\n', file);
	for (unsigned number = 0; number <= node->port_count; number++)
		write_port(mad_fabric_get_port(node, number), file);
}

bool text_write(const struct sweep *sweep, const struct options *options, FILE *file)
{
	const struct mad_fabric_info *info = mad_fabric_get_info(sweep->fabric);
	const struct mad_fabric_node *node = NULL;
	char when[32], why[160];

	(void)options;
	sweep_explain_partial(sweep, why, sizeof(why));
	format_time(info->time_ns, when);
	fprintf(file, "#\n# Topology by fabric-sweep: %zu nodes, %zu links\n# Generated: %s\n#\n",
		info->nodes, info->links, when);
	if (info->start)
		fprintf(file, "# Initiated from node %016" PRIx64 " port %016" PRIx64 "\n",
			info->start->node->guid, info->start->guid);
	if (why[0])
		fprintf(file, "# Partial: %s\n", why);
	while ((node = mad_fabric_next_node(sweep->fabric, node)))
		write_node(node, file);
	putc('\n', file);
	problems_print(sweep->fabric, "# warning: ", file);
	return true;
}
