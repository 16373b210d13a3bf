/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* problems.c - what is wrong with a fabric, as a list that is made once, and in words. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "libibmad-fabric/fabric.h"

/* The list that is being made: without an array, it is only counted. */
struct list {
	struct mad_fabric_problem *problems;
	size_t count;
};

static void add(struct list *list, enum mad_fabric_problem_kind kind, int error,
		const struct mad_fabric_node *node, const struct mad_fabric_port *port)
{
	if (list->problems)
		list->problems[list->count] = (struct mad_fabric_problem){
			.kind = kind, .error = error, .node = node, .port = port
		};
	list->count++;
}

static void find_port_problems(const struct mad_fabric *fabric, const struct fabric_port *port,
			       struct list *list)
{
	const struct mad_fabric_port *public = &port->public;

	if (public->info_error)
		add(list, MAD_FABRIC_PROBLEM_NO_PORT_INFO, public->info_error, public->node,
		    public);
	if (port->wrong_port && public->peer_error)
		add(list, MAD_FABRIC_PROBLEM_WRONG_PORT, public->peer_error, public->node, public);
	else if (public->peer_error && !fabric_is_beyond_limit(fabric, public) &&
		 !fabric_is_cut_off(public))
		add(list, MAD_FABRIC_PROBLEM_NO_RESPONSE, public->peer_error, public->node, public);
	if (public->half_link && fabric_link_is_first(public))
		add(list, MAD_FABRIC_PROBLEM_HALF_LINK, 0, public->node, public);
}

static void find_node_problems(const struct mad_fabric *fabric, const struct fabric_node *node,
			       struct list *list)
{
	const struct mad_fabric_node *public = &node->public;

	if (public->same_guid)
		add(list, MAD_FABRIC_PROBLEM_DUPLICATE_GUID, 0, public, NULL);
	if (public->route.cnt < 0)
		add(list, MAD_FABRIC_PROBLEM_NO_ROUTE, 0, public, NULL);
	if (node->too_many)
		add(list, MAD_FABRIC_PROBLEM_TOO_MANY_NODES, 0, public, NULL);
	if (public->description_error)
		add(list, MAD_FABRIC_PROBLEM_NO_DESCRIPTION, public->description_error, public,
		    NULL);
	if (public->switch_info_error)
		add(list, MAD_FABRIC_PROBLEM_NO_SWITCH_INFO, public->switch_info_error, public,
		    NULL);
	for (unsigned number = 0; number <= public->port_count; number++)
		find_port_problems(fabric, &node->ports[number], list);
}

size_t fabric_find_problems(struct mad_fabric *fabric)
{
	struct list list = { .problems = fabric->problems };

	for (size_t i = 0; i < fabric->info.nodes; i++)
		if (!fabric->nodes[i]->public.out_of_reach)
			find_node_problems(fabric, fabric->nodes[i], &list);
	for (size_t i = 1; i < fabric->number_of_lids; i++) {
		const struct fabric_port *entry = fabric->ports_by_lid[i].item;
		const struct fabric_port *entry_before = fabric->ports_by_lid[i - 1].item;
		const struct mad_fabric_port *port = &entry->public;
		const struct mad_fabric_port *before = &entry_before->public;

		/* Planes of one port of a CA have one LID. */
		if (port->node != before->node && port->lid < before->lid + (1U << before->lmc))
			add(&list, MAD_FABRIC_PROBLEM_SAME_LID, 0, port->node, port);
	}
	return list.count;
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

/* What an errno means for a request to a node. */
static const char *error_text(int error)
{
	switch (error) {
	case 0:
		return "";
	case ETIMEDOUT:
		return ": no response";
	case EIO:
		return ": refused";
	case EKEYREJECTED:
		return ": refused for a wrong M_Key, or for a field that the node does not take";
	case ECANCELED:
		return ": not asked any more, since the node did not respond";
	case EPROTO:
		return ": malformed response";
	case ELOOP:
		return ": beyond the reach of directed routes";
	case ENODATA:
		return ": the Subnet Administration does not know it";
	case EEXIST:
		return ": too many nodes with its GUID";
	default:
		return NULL;
	}
}

static const char *kind_text(uint32_t kind)
{
	switch (kind) {
	case MAD_FABRIC_PROBLEM_NO_RESPONSE:
		return "the link is up, but the node at its other end is unknown";
	case MAD_FABRIC_PROBLEM_NO_PORT_INFO:
		return "no PortInfo";
	case MAD_FABRIC_PROBLEM_NO_DESCRIPTION:
		return "no NodeDescription";
	case MAD_FABRIC_PROBLEM_NO_SWITCH_INFO:
		return "no SwitchInfo";
	case MAD_FABRIC_PROBLEM_DUPLICATE_GUID:
		return "another node has the same GUID, or a cable was moved meanwhile";
	case MAD_FABRIC_PROBLEM_WRONG_PORT:
		return "the node at the other end reports an impossible port number";
	case MAD_FABRIC_PROBLEM_HALF_LINK:
		return "only one end reports that the link is up";
	case MAD_FABRIC_PROBLEM_NO_ROUTE:
		return "the Subnet Administration knows no links that lead to it, so nothing was "
		       "asked of it";
	case MAD_FABRIC_PROBLEM_TOO_MANY_NODES:
		return "too many nodes were found through it, so no more of them were looked for";
	case MAD_FABRIC_PROBLEM_SAME_LID:
		return "its LID belongs to another port, too";
	}
	return "unknown problem";
}

int mad_fabric_problem_text(const struct mad_fabric_problem *problem, char *text, size_t size)
{
	const char *why;
	char name[4 * IB_SMP_DATA_SIZE + 1], where[16] = "", other[64] = "";

	if (!problem)
		return fabric_zero_or_error(mad_refuse(MAD_REFUSED_PROBLEM));
	why = error_text(problem->error);
	escape_name(name, problem->node->description);
	if (problem->port)
		snprintf(where, sizeof(where), " port %u", problem->port->port_number);
	if (!why) { /* an errno without a meaning of its own for MADs */
		snprintf(other, sizeof(other), ": error %d", problem->error);
		why = other;
	}
	return snprintf(text, size, "%s%s0x%016" PRIx64 "%s%s: %s%s", name, *name ? " (" : "",
			problem->node->guid, *name ? ")" : "", where, kind_text(problem->kind),
			why);
}
