/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* problems.c - lists what is wrong with a fabric, once it is complete, and puts it into words. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "libibmad-fabric/fabric.h"

/* Problems are only counted as long as there is no memory at fabric->problems. */
static void add(struct mad_fabric *fabric, enum mad_fabric_problem_kind kind, int error,
		const struct mad_fabric_node *node, const struct mad_fabric_port *port)
{
	size_t index = fabric->info.problems++;

	if (fabric->problems)
		fabric->problems[index] = (struct mad_fabric_problem){
			.kind = kind, .error = error, .node = node, .port = port
		};
}

static void add_of_port(struct mad_fabric *fabric, enum mad_fabric_problem_kind kind, int error,
			const struct mad_fabric_port *port)
{
	add(fabric, kind, error, port->node, port);
}

static void find_port_problems(struct mad_fabric *fabric, const struct fabric_port *port)
{
	const struct mad_fabric_port *public = &port->public;

	if (public->info_error)
		add_of_port(fabric, MAD_FABRIC_PROBLEM_NO_PORT_INFO, public->info_error, public);
	if (port->wrong_port && public->peer_error)
		add_of_port(fabric, MAD_FABRIC_PROBLEM_WRONG_PORT, public->peer_error, public);
	else if (public->peer_error && !fabric_is_beyond_limit(fabric, public) &&
		 public->peer_error !=
			 ENOSPC) /* the node through which too many were found has it */
		add_of_port(fabric, MAD_FABRIC_PROBLEM_NO_RESPONSE, public->peer_error, public);
	if (public->half_link && fabric_link_is_first(public))
		add_of_port(fabric, MAD_FABRIC_PROBLEM_HALF_LINK, 0, public);
}

static void find_node_problems(struct mad_fabric *fabric, const struct fabric_node *node)
{
	const struct mad_fabric_node *public = &node->public;
	int name_error = public->description_error, switch_error = public->switch_info_error;

	if (public->same_guid)
		add(fabric, MAD_FABRIC_PROBLEM_DUPLICATE_GUID, 0, public, NULL);
	if (public->route.cnt < 0)
		add(fabric, MAD_FABRIC_PROBLEM_NO_ROUTE, 0, public, NULL);
	if (node->too_many)
		add(fabric, MAD_FABRIC_PROBLEM_TOO_MANY_NODES, 0, public, NULL);
	if (name_error)
		add(fabric, MAD_FABRIC_PROBLEM_NO_DESCRIPTION, name_error, public, NULL);
	if (switch_error)
		add(fabric, MAD_FABRIC_PROBLEM_NO_SWITCH_INFO, switch_error, public, NULL);
	for (unsigned number = 0; number <= public->port_count; number++)
		find_port_problems(fabric, &node->ports[number]);
}

void fabric_find_problems(struct mad_fabric *fabric)
{
	fabric->info.problems = 0;
	for (size_t i = 0; i < fabric->info.nodes; i++)
		if (!fabric->nodes[i]->public.out_of_reach)
			find_node_problems(fabric, fabric->nodes[i]);
	for (size_t i = 1; i < fabric->number_of_lids; i++) {
		const struct fabric_port *entry = fabric->ports_by_lid[i].item;
		const struct fabric_port *before = fabric->ports_by_lid[i - 1].item;
		unsigned end = before->public.lid + (1U << before->public.lmc);

		/* Planes of one port of a CA have one LID. */
		if (entry->public.node != before->public.node && entry->public.lid < end)
			add_of_port(fabric, MAD_FABRIC_PROBLEM_SAME_LID, 0, &entry->public);
	}
}

const struct mad_fabric_problem *mad_fabric_next_problem(const struct mad_fabric *fabric,
							 const struct mad_fabric_problem *problem)
{
	size_t index = fabric && problem ? (size_t)(problem - fabric->problems) + 1 : 0;

	return fabric && index < fabric->info.problems ? &fabric->problems[index]
						       : fabric_none(fabric);
}

/* Printable ASCII as it is, everything else as \x and two digits: names come from the wire. */
static void escape_name(char to[4 * IB_SMP_DATA_SIZE + 1], const char *name)
{
	static const char digits[] = "0123456789abcdef";

	for (unsigned i = 0; i < IB_SMP_DATA_SIZE && name[i]; i++) {
		uint8_t byte = (uint8_t)name[i];

		if (byte >= ' ' && byte <= '~' && byte != '"' && byte != '\\') {
			*to++ = (char)byte;
			continue;
		}
		*to++ = '\\';
		*to++ = 'x';
		*to++ = digits[byte >> 4];
		*to++ = digits[byte & 15];
	}
	*to = '\0';
}

/* The meaning of an errno for a request to a node; NULL: none in particular. */
static const char *error_text(int error)
{
	static const struct {
		int error;
		const char *text;
	} known[] = {
		{ 0, "" },
		{ ETIMEDOUT, ": no response" },
		{ EIO, ": refused" },
		{ EKEYREJECTED,
		  ": refused for a wrong M_Key, or for a field that the node does not take" },
		{ ECANCELED, ": not asked any more, since the node did not respond" },
		{ EPROTO, ": malformed response" },
		{ ELOOP, ": beyond the reach of directed routes" },
		{ ENODATA, ": the Subnet Administration does not know it" },
		{ EEXIST, ": too many nodes with its GUID" },
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (known[i].error == error)
			return known[i].text;
	return NULL;
}

static const char *kind_text(uint32_t kind)
{
	static const char *const texts[] = {
		[MAD_FABRIC_PROBLEM_NO_RESPONSE] =
			"the link is up, but the node at its other end is unknown",
		[MAD_FABRIC_PROBLEM_NO_PORT_INFO] = "no PortInfo",
		[MAD_FABRIC_PROBLEM_NO_DESCRIPTION] = "no NodeDescription",
		[MAD_FABRIC_PROBLEM_NO_SWITCH_INFO] = "no SwitchInfo",
		[MAD_FABRIC_PROBLEM_DUPLICATE_GUID] =
			"another node has the same GUID, or a cable was moved meanwhile",
		[MAD_FABRIC_PROBLEM_WRONG_PORT] =
			"the node at the other end reports an impossible port number",
		[MAD_FABRIC_PROBLEM_HALF_LINK] = "only one end reports that the link is up",
		[MAD_FABRIC_PROBLEM_SAME_LID] = "its LID belongs to another port, too",
		[MAD_FABRIC_PROBLEM_NO_ROUTE] =
			("the Subnet Administration knows no links that lead to it, so nothing was "
			 "asked of it"),
		[MAD_FABRIC_PROBLEM_TOO_MANY_NODES] =
			("too many nodes were found through it, so no more of them were looked "
			 "for"),
	};
	size_t count = sizeof(texts) / sizeof(texts[0]);

	return kind < count && texts[kind] ? texts[kind] : "unknown problem";
}

int mad_fabric_problem_text(const struct mad_fabric_problem *problem, char *text, size_t size)
{
	const char *why;
	char name[4 * IB_SMP_DATA_SIZE + 1], where[16] = "", other[64] = "";

	if (!problem)
		return fabric_fail(mad_refuse(MAD_REFUSED_PROBLEM));
	why = error_text(problem->error);
	escape_name(name, problem->node->description);
	if (problem->port)
		snprintf(where, sizeof(where), " port %u", problem->port->port_number);
	if (!why) { /* this errno has no meaning of its own for MADs */
		snprintf(other, sizeof(other), ": error %d", problem->error);
		why = other;
	}
	return snprintf(text, size, "%s%s0x%016" PRIx64 "%s%s: %s%s", name, *name ? " (" : "",
			problem->node->guid, *name ? ")" : "", where, kind_text(problem->kind),
			why);
}
