/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Faults of a fabric that no counter shows, a line each: problems of the discovery, and for --check
 * links, ports, names and subnet managers. Of two fabrics, a line of only one of them has begun
 * or ended.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "escape.h"
#include "sweep.h"

#define GUIDS_MAX 4 /* of nodes with one name, in a line */

/* Each switch of a kind has a node of this name inside. */
#define AGGREGATION_NODE "Aggregation Node"

struct finding {
	uint64_t guid; /* of a node; 0: the line is about none */
	const char *text;
};

struct findings {
	FILE *file; /* into text */
	char *text;
	size_t size;
	struct list list; /* struct finding */
	bool failed;	  /* no memory */
};

/* The caller writes the line. */
static FILE *add(struct findings *findings, uint64_t guid)
{
	struct finding *finding = list_add(&findings->list, sizeof(*finding));

	if (finding)
		finding->guid = guid;
	else
		findings->failed = true;
	return findings->file;
}

static FILE *add_port(struct findings *findings, const struct mad_fabric_port *port)
{
	FILE *file = add(findings, port->node->guid);

	print_end(port, file);
	if (port->peer) {
		fputs(" - ", file);
		print_end(port->peer, file);
	}
	return file;
}

static void find_problems(const struct mad_fabric *fabric, struct findings *findings)
{
	const struct mad_fabric_problem *problem = NULL;
	char text[PROBLEM_SIZE];

	while ((problem = mad_fabric_next_problem(fabric, problem))) {
		problem_text(problem, text);
		fprintf(add(findings, problem->node->guid), "%s\n", text);
	}
}

/* Both ends of a link have one mode of FEC; from HDR on there is no link without. */
static bool has_wrong_fec(const struct mad_fabric_port *link)
{
	const struct mad_fabric_port *peer = link->peer;

	return link->has_fec && peer->has_fec &&
	       (link->fec_mode != peer->fec_mode ||
		(!link->fec_mode && link->speed >= MAD_FABRIC_SPEED_HDR));
}

static void find_wrong_links(const struct mad_fabric *fabric, struct findings *findings)
{
	const struct mad_fabric_port *link = NULL;
	char rate[16];

	while ((link = mad_fabric_next_link(fabric, link))) {
		format_rate(link, rate);
		if (is_degraded(link))
			fprintf(add_port(findings, link),
				": %s, slower or narrower than both ends allow\n", rate);
		if (link->node == link->peer->node)
			fputs(": a loop to itself\n", add_port(findings, link));
		if (has_wrong_fec(link))
			fprintf(add_port(findings, link), ": FEC modes %u (%s) and %u (%s)\n",
				link->fec_mode, mad_fec_name(link->fec_mode), link->peer->fec_mode,
				mad_fec_name(link->peer->fec_mode));
	}
}

/* The link of a port carries no data yet: a subnet manager has not done its work. */
static bool waits(const struct mad_fabric_port *port)
{
	return port && port->has_info &&
	       (port->state == UMAD_PORT_INITIALIZE || port->state == UMAD_PORT_ARMED);
}

static const char *end_state(const struct mad_fabric_port *port)
{
	return port->has_info ? port_state_name(port->state) : "unknown";
}

/* Without a working subnet manager all links wait: a line for each link would hide that. */
static void find_waiting(const struct mad_fabric *fabric, struct findings *findings)
{
	const struct mad_fabric_port *link = NULL;
	const struct mad_fabric_node *node = NULL;
	size_t waiting = 0;

	while ((link = mad_fabric_next_link(fabric, link)))
		waiting += waits(link) || waits(link->peer);
	if (waiting && waiting == mad_fabric_get_info(fabric)->links) {
		fprintf(add(findings, 0),
			"no link is Active: all %zu wait in Initialize or Armed\n", waiting);
		return;
	}
	while (waiting && (link = mad_fabric_next_link(fabric, link)))
		if (waits(link) || waits(link->peer))
			fprintf(add_port(findings, link), ": %s and %s, not Active\n",
				end_state(link), end_state(link->peer));
	while ((node = mad_fabric_next_node(fabric, node)))
		for (unsigned number = 0; number <= node->port_count; number++) {
			const struct mad_fabric_port *port = mad_fabric_get_port(node, number);

			if (!port->peer && port->physical_state == UMAD_PHYS_LINK_UP && waits(port))
				fprintf(add_port(findings, port), ": %s, not Active\n",
					end_state(port));
		}
}

static int compare_nodes(const void *left, const void *right)
{
	const struct mad_fabric_node *a = *(const struct mad_fabric_node *const *)left;
	const struct mad_fabric_node *b = *(const struct mad_fabric_node *const *)right;
	int order = strcmp(node_name(a), node_name(b));

	return order ? order : (a->guid > b->guid) - (a->guid < b->guid);
}

static void add_equal_names(struct findings *findings, const struct mad_fabric_node *const *nodes,
			    size_t count)
{
	FILE *file = add(findings, nodes[0]->guid);

	fprintf(file, "%zu nodes have the name ", count);
	escape_text(file, node_name(nodes[0]));
	for (size_t i = 0; i < count && i < GUIDS_MAX; i++)
		fprintf(file, "%s0x%016" PRIx64, i ? ", " : ": ", nodes[i]->guid);
	fputs(count > GUIDS_MAX ? "...\n" : "\n", file);
}

/* Nodes with one GUID are a problem of their own. */
static void find_equal_names(const struct mad_fabric *fabric, struct findings *findings)
{
	const struct mad_fabric_node **nodes, *node = NULL;
	size_t count = 0, end;

	nodes = calloc(mad_fabric_get_info(fabric)->nodes + 1, sizeof(*nodes));
	findings->failed |= !nodes;
	while (nodes && (node = mad_fabric_next_node(fabric, node)))
		if (!node->duplicate && *node_name(node) &&
		    !strstr(node_name(node), AGGREGATION_NODE))
			nodes[count++] = node;
	if (count)
		qsort(nodes, count, sizeof(*nodes), compare_nodes);
	for (size_t begin = 0; begin < count; begin = end) {
		for (end = begin + 1;
		     end < count && !strcmp(node_name(nodes[end]), node_name(nodes[begin]));)
			end++;
		if (end - begin > 1)
			add_equal_names(findings, &nodes[begin], end - begin);
	}
	free(nodes);
}

static void find_unknown_types(const struct mad_fabric *fabric, struct findings *findings)
{
	const struct mad_fabric_node *node = NULL;

	while ((node = mad_fabric_next_node(fabric, node))) {
		if (node->type >= IB_NODE_CA && node->type <= IB_NODE_ROUTER)
			continue;
		print_node(node, add(findings, node->guid));
		fprintf(findings->file, ": unknown node type %u\n", node->type);
	}
}

/* The subnet managers of a fabric, by the PortInfo of its ports. */
struct managers {
	const struct mad_fabric_port *running[GUIDS_MAX]; /* ports of the first ones */
	size_t count;
	const struct mad_fabric_port *obeys; /* an Active port with a MasterSMLID */
	const struct mad_fabric_port *other; /* a port with another MasterSMLID */
	bool known;			     /* PortInfo is there */
	bool partial;			     /* the sweep may not have seen all ports */
};

static unsigned master_lid(const struct mad_fabric_port *port)
{
	return mad_get_field((void *)(uintptr_t)port->port_info, 0, IB_PORT_SMLID_F);
}

static void look_at_port(struct managers *managers, const struct mad_fabric_port *port)
{
	unsigned capabilities =
		mad_get_field((void *)(uintptr_t)port->port_info, 0, IB_PORT_CAPMASK_F);

	managers->partial |=
		!port->peer && port->physical_state == UMAD_PHYS_LINK_UP && port->port_number;
	/* Of a switch, port 0 alone has these. */
	if (!port->has_info || (port->node->type == IB_NODE_SWITCH && port->port_number))
		return;
	managers->known |= capabilities != 0;
	if (has_subnet_manager(port) && managers->count++ < GUIDS_MAX)
		managers->running[managers->count - 1] = port;
	if (port->state != UMAD_PORT_ACTIVE || !master_lid(port))
		return;
	if (!managers->obeys)
		managers->obeys = port;
	else if (master_lid(port) != master_lid(managers->obeys))
		managers->other = port;
}

static void add_running(struct findings *findings, const struct managers *managers)
{
	FILE *file = add(findings, managers->running[0]->node->guid);

	fprintf(file, "%zu subnet managers: ", managers->count);
	for (size_t i = 0; i < managers->count && i < GUIDS_MAX; i++) {
		fputs(i ? ", " : "", file);
		print_end(managers->running[i], file);
	}
	fputs(managers->count > GUIDS_MAX ? "...\n" : "\n", file);
}

static void find_managers(const struct mad_fabric *fabric, uint64_t most, struct findings *findings)
{
	const struct mad_fabric_info *info = mad_fabric_get_info(fabric);
	struct managers managers = { .partial = info->error || info->unread_nodes ||
						info->unknown_ends || info->out_of_reach };
	const struct mad_fabric_node *node = NULL;

	while ((node = mad_fabric_next_node(fabric, node)))
		for (unsigned number = 0; number <= node->port_count; number++)
			look_at_port(&managers, mad_fabric_get_port(node, number));
	if (managers.known && !managers.count && !managers.partial)
		fputs("no subnet manager runs at any port\n", add(findings, 0));
	if (managers.count > most)
		add_running(findings, &managers);
	if (managers.other)
		fprintf(add_port(findings, managers.other),
			": its subnet manager has LID %u, that of other ports has LID %u\n",
			master_lid(managers.other), master_lid(managers.obeys));
}

static void free_findings(struct findings *findings)
{
	if (findings->file)
		fclose(findings->file);
	free(findings->text);
	list_free(&findings->list);
}

/* Each line becomes a string. */
static bool finish(struct findings *findings)
{
	struct finding *list = findings->list.items;
	char *line;

	findings->failed |= fclose(findings->file) != 0;
	findings->file = NULL;
	line = findings->text;
	for (size_t i = 0; !findings->failed && i < findings->list.count; i++) {
		list[i].text = line;
		line += strcspn(line, "\n");
		*line++ = '\0';
	}
	return !findings->failed;
}

static bool find(const struct mad_fabric *fabric, const struct thresholds *thresholds,
		 struct findings *findings)
{
	*findings = (struct findings){ 0 };
	findings->file = open_memstream(&findings->text, &findings->size);
	if (findings->file) {
		find_problems(fabric, findings);
		if (thresholds) {
			find_wrong_links(fabric, findings);
			find_waiting(fabric, findings);
			find_equal_names(fabric, findings);
			find_unknown_types(fabric, findings);
			find_managers(fabric, thresholds->subnet_managers, findings);
		}
		if (finish(findings))
			return true;
	}
	free_findings(findings);
	complain("cannot look for what is wrong: %s", strerror(ENOMEM));
	return false;
}

static int compare_findings(const void *left, const void *right)
{
	return strcmp(((const struct finding *)left)->text, ((const struct finding *)right)->text);
}

size_t findings_print(const struct mad_fabric *fabric, const struct thresholds *thresholds,
		      FILE *file)
{
	struct findings findings;
	const struct finding *list;
	size_t count;

	if (!find(fabric, thresholds, &findings))
		return 1;
	list = findings.list.items;
	count = findings.list.count;
	for (size_t i = 0; i < count; i++)
		fprintf(file, "! %s\n", list[i].text);
	free_findings(&findings);
	return count;
}

/* Faults of a node that is out of reach may go on. */
static bool is_out_of_reach(const struct mad_fabric *fabric, uint64_t guid)
{
	const struct mad_fabric_node *node = mad_fabric_find_node(fabric, guid);

	return node && node->out_of_reach;
}

static void sort(struct findings *findings)
{
	if (findings->list.count)
		qsort(findings->list.items, findings->list.count, sizeof(struct finding),
		      compare_findings);
}

static size_t compare(const struct findings *before, const struct findings *now,
		      const struct mad_fabric *newer, bool with_ended, FILE *file)
{
	const struct finding *old = before->list.items, *new = now->list.items;
	const struct finding *old_end = old + before->list.count, *new_end = new + now->list.count;
	size_t begun = 0;

	while (old < old_end || new < new_end) {
		int order = old == old_end ? 1 : new == new_end ? -1 : compare_findings(old, new);

		if (order > 0)
			fprintf(file, "! %s\n", new->text);
		else if (order < 0 && with_ended && !is_out_of_reach(newer, old->guid))
			fprintf(file, "= no longer: %s\n", old->text);
		begun += order > 0;
		old += order <= 0;
		new += order >= 0;
	}
	return begun;
}

size_t findings_compare(const struct mad_fabric *older, const struct mad_fabric *newer,
			const struct thresholds *thresholds, bool with_ended, FILE *file)
{
	struct findings before, now;
	size_t begun = 1;

	if (!find(older, thresholds, &before))
		return begun;
	if (find(newer, thresholds, &now)) {
		sort(&before);
		sort(&now);
		begun = compare(&before, &now, newer, with_ended, file);
		free_findings(&now);
	}
	free_findings(&before);
	return begun;
}
