/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * What differs between two states, a line each: + appeared, - disappeared, ~ is different, ? is out
 * of reach, ! is wrong, = is no longer.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "escape.h"
#include "sweep.h"

static void write_node(const struct mad_fabric_node *node, FILE *file)
{
	const char *name = node_name(node);

	if (*name) {
		escape_text(file, name);
		putc(' ', file);
	}
	fprintf(file, "(0x%016" PRIx64 ")", node->guid);
}

void print_end(const struct mad_fabric_port *port, FILE *file)
{
	write_node(port->node, file);
	fprintf(file, " port %u", port->port_number);
}

static void write_link(const struct mad_fabric_port *port, FILE *file)
{
	print_end(port, file);
	fputs(" - ", file);
	print_end(port->peer, file);
}

static void write_rates(const struct mad_fabric_change *change, FILE *file)
{
	char before[16], after[16];

	format_rate(change->old_port, before);
	format_rate(change->new_port, after);
	fprintf(file, ": %s, was %s\n", after, before);
}

/* "device 51000, was 41682": those of its numbers that differ. */
static void write_device(const struct mad_fabric_node *old_node,
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

static void write_change(const struct mad_fabric_change *change, FILE *file)
{
	const struct mad_fabric_node *node = change->new_node ? change->new_node : change->old_node;
	const struct mad_fabric_port *port = change->new_port ? change->new_port : change->old_port;

	switch (change->kind) {
	case MAD_FABRIC_CHANGE_NODE_APPEARED:
	case MAD_FABRIC_CHANGE_NODE_DISAPPEARED:
		fprintf(file, "%c %s ", change->new_node ? '+' : '-', node_type_name(node->type));
		write_node(node, file);
		break;
	case MAD_FABRIC_CHANGE_NODE_UNREACHABLE:
		fprintf(file, "? %s ", node_type_name(node->type));
		write_node(node, file);
		fputs(": out of reach", file);
		break;
	case MAD_FABRIC_CHANGE_NODE_REACHABLE:
		fprintf(file, "+ %s ", node_type_name(node->type));
		write_node(node, file);
		fputs(": was out of reach", file);
		break;
	case MAD_FABRIC_CHANGE_NODE_RENAMED:
		fprintf(file, "~ %s ", node_type_name(node->type));
		write_node(node, file);
		if (node_name(node) != node->description) {
			fputs(" now ", file);
			escape_text(file, node->description);
		}
		fputs(" was ", file);
		escape_text(file, change->old_node->description);
		break;
	case MAD_FABRIC_CHANGE_NODE_REPLACED:
		fprintf(file, "~ %s ", node_type_name(node->type));
		write_node(change->old_node, file);
		fputs(" replaced by ", file);
		write_node(node, file);
		break;
	case MAD_FABRIC_CHANGE_NODE_DEVICE:
		fprintf(file, "~ %s ", node_type_name(node->type));
		write_node(node, file);
		write_device(change->old_node, node, file);
		break;
	case MAD_FABRIC_CHANGE_LINK_APPEARED:
	case MAD_FABRIC_CHANGE_LINK_DISAPPEARED:
		fprintf(file, "%c link ", change->new_port ? '+' : '-');
		write_link(port, file);
		break;
	case MAD_FABRIC_CHANGE_LINK_MOVED:
		fputs("~ link ", file);
		write_link(change->new_port, file);
		fputs(", was at ", file);
		print_end(change->old_port->peer, file);
		break;
	case MAD_FABRIC_CHANGE_LINK_SPEED:
		fputs("~ link ", file);
		write_link(change->new_port, file);
		write_rates(change, file);
		return;
	case MAD_FABRIC_CHANGE_LINK_STATE:
		fputs("~ link ", file);
		write_link(change->new_port, file);
		fprintf(file, ": %s, was %s", port_state_name(change->new_port->state),
			port_state_name(change->old_port->state));
		break;
	case MAD_FABRIC_CHANGE_LID:
		fputs("~ LID of ", file);
		print_end(change->new_port, file);
		fprintf(file, ": %u, was %u", change->new_port->lid, change->old_port->lid);
		break;
	}
	putc('\n', file);
}

/* Lines are added to a file. NULL: none are wanted, or after saying why there is none. */
static FILE *open_json(const char *name)
{
	FILE *file;

	if (!name || !strcmp(name, "-"))
		return name ? stdout : NULL;
	file = fopen(name, "ae");
	if (!file)
		complain("--changes-json: %s: %s", name, strerror(errno));
	return file;
}

static bool close_json(const char *name, FILE *file)
{
	bool failed = ferror(file);

	if (file == stdout)
		return true;
	failed |= fclose(file) != 0;
	if (!failed)
		return true;
	complain("--changes-json: %s: %s", name, strerror(errno));
	return false;
}

static int write_changes(const struct mad_fabric_changes *changes, int64_t time_ns, FILE *file,
			 FILE *json)
{
	const struct mad_fabric_change *change = NULL;
	int count = 0;

	while ((change = mad_fabric_next_change(changes, change))) {
		if (json != stdout)
			write_change(change, file);
		if (json)
			change_write_json(change, time_ns, json);
		count++;
	}
	return count;
}

int changes_print(const struct options *options, const struct mad_fabric *older,
		  const struct mad_fabric *newer, FILE *file)
{
	struct mad_fabric_changes *changes = mad_fabric_compare(older, newer);
	FILE *json;
	int count;

	if (!changes) {
		complain("cannot compare: %s", strerror(errno));
		return -1;
	}
	json = open_json(options->changes_json);
	count = write_changes(changes, mad_fabric_get_info(newer)->time_ns, file, json);
	if (options->changes_json && !(json && close_json(options->changes_json, json)))
		count = -1;
	mad_fabric_changes_free(changes);
	return count;
}

double error_rate(const struct mad_fabric_port *port, uint64_t errors, double seconds)
{
	double bits = 8.0 * (double)signal_bytes_per_second(port) * seconds;

	return errors >= ERRORS_OF_A_RATE && bits > 0 ? (double)errors / bits : 0;
}

/* How many of the bits that came in between were wrong, before and after their correction. */
static void print_error_rates(const struct mad_fabric_counter_row *rises, FILE *file)
{
	static const struct {
		enum mad_fabric_counter counter;
		const char *name;
	} rates[] = {
		{ MAD_FABRIC_COUNTER_SYMBOL_ERRORS, "SymbolBER" },
		{ MAD_FABRIC_COUNTER_FEC_UNCORRECTABLE_BLOCKS, "EffectiveBER" },
	};
	double seconds = (double)mad_fabric_row_time_ns(rises) / 1e9, rate;
	uint64_t value;

	for (unsigned i = 0; i < sizeof(rates) / sizeof(rates[0]); i++) {
		if (mad_fabric_row_value(rises, rates[i].counter, &value) < 0)
			continue;
		rate = error_rate(mad_fabric_row_port(rises), value, seconds);
		if (rate > 0)
			fprintf(file, " %s %.1e", rates[i].name, rate);
	}
}

int errors_print(const struct mad_fabric_counters *older, const struct mad_fabric_counters *newer,
		 FILE *file)
{
	struct mad_fabric_counters *rises = mad_fabric_counters_subtract(older, newer);
	const struct mad_fabric_counter_row *row = NULL;
	double rate;
	uint64_t value;
	int ports = 0;

	while (rises && (row = mad_fabric_counters_next(rises, row))) {
		if (!mad_fabric_row_errors(row))
			continue;
		ports++;
		fputs("! ", file);
		print_end(mad_fabric_row_port(row), file);
		putc(':', file);
		for (unsigned i = 0; i < counter_count(); i++) {
			const struct mad_fabric_counter_kind *kind = mad_fabric_counter_get_kind(i);

			if (!kind->is_error || mad_fabric_row_value(row, i, &value) < 0 || !value)
				continue;
			fprintf(file, " %s +%" PRIu64, kind->name, value);
			if (mad_fabric_row_rate(row, i, &rate) >= 0)
				fprintf(file, " (%.2f/s)", rate);
		}
		print_error_rates(row, file);
		putc('\n', file);
	}
	mad_fabric_counters_free(rises);
	return ports;
}
