/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Changes between two states, a line each: + appeared, - disappeared, ~ is different, ? is out of
 * reach. They are written as JSON, too, where that is wanted.
 */
#include <errno.h>
#include <string.h>

#include "escape.h"
#include "sweep.h"

static const struct {
	const char *name; /* in JSON */
	char sign;
	const char *after; /* behind the node or link */
} kinds[] = {
	[MAD_FABRIC_CHANGE_NODE_APPEARED] = { "node_appeared", '+', "" },
	[MAD_FABRIC_CHANGE_NODE_DISAPPEARED] = { "node_disappeared", '-', "" },
	[MAD_FABRIC_CHANGE_NODE_RENAMED] = { "node_renamed", '~', "" },
	[MAD_FABRIC_CHANGE_LINK_APPEARED] = { "link_appeared", '+', "" },
	[MAD_FABRIC_CHANGE_LINK_DISAPPEARED] = { "link_disappeared", '-', "" },
	[MAD_FABRIC_CHANGE_LINK_MOVED] = { "link_moved", '~', "" },
	[MAD_FABRIC_CHANGE_LINK_SPEED] = { "link_speed", '~', "" },
	[MAD_FABRIC_CHANGE_LINK_STATE] = { "link_state", '~', "" },
	[MAD_FABRIC_CHANGE_LID] = { "lid", '~', "" },
	[MAD_FABRIC_CHANGE_NODE_UNREACHABLE] = { "node_unreachable", '?', ": out of reach" },
	[MAD_FABRIC_CHANGE_NODE_REACHABLE] = { "node_reachable", '+', ": was out of reach" },
	[MAD_FABRIC_CHANGE_NODE_REPLACED] = { "node_replaced", '~', "" },
	[MAD_FABRIC_CHANGE_NODE_DEVICE] = { "node_device", '~', "" },
};

/* Behind a name of the node name map comes the new description, too. */
static void print_names(const struct mad_fabric_change *change, FILE *file)
{
	if (node_name(change->new_node) != change->new_node->description) {
		fputs(" now ", file);
		escape_text(file, change->new_node->description);
	}
	fputs(" was ", file);
	escape_text(file, change->old_node->description);
}

/* "device 51000, was 41682": the numbers that differ. */
static void print_device(const struct mad_fabric_node *old_node,
			 const struct mad_fabric_node *new_node, FILE *file)
{
	const struct {
		const char *name;
		unsigned before, now;
	} numbers[] = {
		{ "ports", old_node->port_count, new_node->port_count },
		{ "vendor", old_node->vendor_id, new_node->vendor_id },
		{ "device", old_node->device_id, new_node->device_id },
		{ "revision", old_node->revision, new_node->revision },
	};
	const char *separator = ": ";

	for (unsigned i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		if (!numbers[i].before || !numbers[i].now || numbers[i].before == numbers[i].now)
			continue;
		fprintf(file, i ? "%s%s 0x%x, was 0x%x" : "%s%s %u, was %u", separator,
			numbers[i].name, numbers[i].now, numbers[i].before);
		separator = "; ";
	}
}

/* Details behind the node or link of a change. */
static void print_details(const struct mad_fabric_change *change, FILE *file)
{
	char before[16], after[16];

	switch (change->kind) {
	case MAD_FABRIC_CHANGE_NODE_RENAMED:
		print_names(change, file);
		break;
	case MAD_FABRIC_CHANGE_NODE_REPLACED:
		fputs(" replaced by ", file);
		print_node(change->new_node, file);
		break;
	case MAD_FABRIC_CHANGE_NODE_DEVICE:
		print_device(change->old_node, change->new_node, file);
		break;
	case MAD_FABRIC_CHANGE_LINK_MOVED:
		fputs(", was at ", file);
		print_end(change->old_port->peer, file);
		break;
	case MAD_FABRIC_CHANGE_LINK_SPEED:
		format_rate(change->old_port, before);
		format_rate(change->new_port, after);
		fprintf(file, ": %s, was %s", after, before);
		break;
	case MAD_FABRIC_CHANGE_LINK_STATE:
		fprintf(file, ": %s, was %s", port_state_name(change->new_port->state),
			port_state_name(change->old_port->state));
		break;
	case MAD_FABRIC_CHANGE_LID:
		fprintf(file, ": %u, was %u", change->new_port->lid, change->old_port->lid);
	}
}

static void print_change(const struct mad_fabric_change *change, FILE *file)
{
	const struct mad_fabric_port *port = change->new_port ? change->new_port : change->old_port;
	const struct mad_fabric_node *node = change->new_node;

	if (!node || change->kind == MAD_FABRIC_CHANGE_NODE_REPLACED)
		node = change->old_node;
	fprintf(file, "%c %s ", kinds[change->kind].sign,
		change->kind == MAD_FABRIC_CHANGE_LID ? "LID of"
		: port				      ? "link"
						      : node_type_name(node->type));
	if (!port)
		print_node(node, file);
	else
		print_end(port, file);
	if (port && change->kind != MAD_FABRIC_CHANGE_LID) {
		fputs(" - ", file);
		print_end(port->peer, file);
	}
	fputs(kinds[change->kind].after, file);
	print_details(change, file);
	putc('\n', file);
}

/* The caller closes the brace. */
static void begin_node_json(const char *key, const struct mad_fabric_node *node, FILE *file)
{
	fprintf(file, ", \"%s\": ", key);
	json_begin_guid("{", node->guid, file);
	json_put_text("type", node_type_name(node->type), file);
	json_put_text("name", node_name(node), file);
}

static void put_port_json(const struct mad_fabric_port *port, FILE *file)
{
	char rate[16];

	json_put_number("port", port->port_number, file);
	if (port->lid)
		json_put_number("lid", port->lid, file);
	if (port->has_info)
		json_put_text("state", port_state_name(port->state), file);
	if (port->width) {
		format_rate(port, rate);
		json_put_text("rate", rate, file);
	}
	if (port->peer) {
		begin_node_json("peer", port->peer->node, file);
		json_put_number("port", port->peer->port_number, file);
		putc('}', file);
	}
}

/* Changes of ports have their node, too. */
static void put_side_json(const char *key, const struct mad_fabric_port *port,
			  const struct mad_fabric_node *node, FILE *file)
{
	if (!node)
		return;
	begin_node_json(key, node, file);
	if (port) {
		put_port_json(port, file);
	} else {
		json_put_text("description", node->description, file);
		json_put_device(node, file);
	}
	putc('}', file);
}

/* A line; fabric-sweep(8) lists the members. */
static void put_change_json(const struct mad_fabric_change *change, int64_t time_ns, FILE *file)
{
	char when[32];

	fprintf(file, "{\"change\": \"%s\"", kinds[change->kind].name);
	if (time_ns) {
		format_time(time_ns, when);
		json_put_text("time", when, file);
	}
	put_side_json("old", change->old_port, change->old_node, file);
	put_side_json("new", change->new_port, change->new_node, file);
	fputs("}\n", file);
}

/* Prints changes in words, and as JSON to further files; returns how many there are. */
static int print_changes(const struct mad_fabric_changes *changes, int64_t time_ns, FILE *file,
			 FILE *json)
{
	const struct mad_fabric_change *change = NULL;
	int count = 0;

	while ((change = mad_fabric_next_change(changes, change))) {
		if (change->kind >= sizeof(kinds) / sizeof(kinds[0]))
			continue; /* of a later library */
		if (json != stdout)
			print_change(change, file);
		if (json)
			put_change_json(change, time_ns, json);
		count++;
	}
	return count;
}

/* Closes a file of changes, which may be NULL; false after saying what is wrong. */
static bool close_json(const char *name, FILE *file)
{
	bool failed = !file || ferror(file);

	if (file && file != stdout)
		failed |= fclose(file) != 0;
	if (failed && file != stdout)
		complain("--changes-json: %s: %s", name, strerror(errno));
	return !failed || file == stdout;
}

int changes_print(const struct options *options, const struct mad_fabric *older,
		  const struct mad_fabric *newer, FILE *file)
{
	struct mad_fabric_changes *changes = mad_fabric_compare(older, newer);
	const char *name = options->changes_json;
	FILE *json = NULL;
	bool good = true;
	int count;

	if (!changes) {
		complain("cannot compare: %s", strerror(errno));
		return -1;
	}
	if (name) {
		json = strcmp(name, "-") != 0 ? fopen(name, "ae") : stdout;
		good = json || close_json(name, json);
	}
	count = print_changes(changes, mad_fabric_get_info(newer)->time_ns, file, json);
	if (json)
		good = close_json(name, json);
	mad_fabric_changes_free(changes);
	return good ? count : -1;
}
