/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Discovery and counters with hostile responses. Whatever comes, both end, their results are sound,
 * and everything can be looked up that can be walked to.
 */
#include <errno.h>

#include <infiniband/mad_fabric_changes.h>
#include <infiniband/mad_fabric_counters.h>

#include "fuzz.h"

enum { MOST_REPORTS = 40, MOST_NODES = 200 };

static unsigned reports;

static bool go_on(const struct mad_fabric_progress *progress, void *context)
{
	(void)context;
	FUZZ_CHECK(progress->ports <= progress->all_ports);
	return ++reports < MOST_REPORTS && progress->nodes < MOST_NODES;
}

static void check_port(const struct mad_fabric *fabric, const struct mad_fabric_port *port)
{
	if (port->peer) {
		FUZZ_CHECK(port->peer->peer == port);
		FUZZ_CHECK(!port->peer_error);
		FUZZ_CHECK(port->port_number && port->peer->port_number);
	}
	FUZZ_CHECK(port->width <= 12 && port->speed <= MAD_FABRIC_SPEED_XDR);
	FUZZ_CHECK(!port->has_info || !port->info_error);
	FUZZ_CHECK(mad_fabric_get_port(port->node, port->port_number) == port);
	mad_fabric_find_lid(fabric, port->lid);
	if (port->guid && (port->port_number == 0 || port->node->type != IB_NODE_SWITCH))
		FUZZ_CHECK(mad_fabric_find_port(fabric, port->guid, NULL));
}

static void check_node(const struct mad_fabric *fabric, const struct mad_fabric_node *node)
{
	const struct mad_fabric_node *found = mad_fabric_find_node(fabric, node->guid);

	FUZZ_CHECK(found == (node->same_guid ? node->same_guid : node));
	FUZZ_CHECK(node->route.cnt >= 0 && node->route.cnt <= MAD_FABRIC_MAX_HOPS);
	FUZZ_CHECK(!node->description[64]);
	FUZZ_CHECK(mad_fabric_find_name(fabric, node->description, NULL));
	for (unsigned i = 0; i <= node->port_count; i++)
		check_port(fabric, mad_fabric_get_port(node, i));
	FUZZ_CHECK(!mad_fabric_get_port(node, node->port_count + 1U));
}

static void check_fabric(const struct mad_fabric *fabric)
{
	const struct mad_fabric_info *info = mad_fabric_get_info(fabric);
	const struct mad_fabric_problem *problem = NULL;
	const struct mad_fabric_node *node = NULL;
	const struct mad_fabric_port *link = NULL;
	size_t nodes = 0, links = 0, problems = 0;
	char text[64];

	while ((node = mad_fabric_next_node(fabric, node))) {
		check_node(fabric, node);
		nodes++;
	}
	while ((link = mad_fabric_next_link(fabric, link)))
		links++;
	while ((problem = mad_fabric_next_problem(fabric, problem))) {
		FUZZ_CHECK(mad_fabric_problem_text(problem, text, sizeof(text)) > 0);
		problems++;
	}
	FUZZ_CHECK(nodes == info->nodes && links == info->links && problems == info->problems);
	FUZZ_CHECK(nodes > 0 && info->error >= 0);
}

static void check_counters(struct ibmad_port *port, const struct mad_fabric *fabric,
			   const struct mad_fabric_options *options)
{
	struct mad_fabric_counters *older = mad_fabric_counters_read(port, fabric, options);
	struct mad_fabric_counters *newer = mad_fabric_counters_read(port, fabric, options), *rises;
	const struct mad_fabric_counter_row *row = NULL;
	double rate;
	int flags;

	FUZZ_CHECK(older && newer);
	while ((row = mad_fabric_counters_next(older, row)))
		FUZZ_CHECK(mad_fabric_row_error(row) || mad_fabric_row_bits(row, 0));
	rises = mad_fabric_counters_subtract(older, newer);
	FUZZ_CHECK(rises);
	while ((row = mad_fabric_counters_next(rises, row))) {
		flags = mad_fabric_row_rate(row, MAD_FABRIC_COUNTER_XMIT_DATA, &rate);
		FUZZ_CHECK(flags < 0 || rate >= 0);
		FUZZ_CHECK(flags < 0 || !(flags & MAD_FABRIC_VALUE_WRAPPED) ||
			   !(flags & MAD_FABRIC_VALUE_RESET));
	}
	mad_fabric_counters_free(rises);
	mad_fabric_counters_free(newer);
	mad_fabric_counters_free(older);
}

static void check_changes(const struct mad_fabric *older, const struct mad_fabric *newer)
{
	struct mad_fabric_changes *changes = mad_fabric_compare(older, newer);
	const struct mad_fabric_change *change = NULL;

	FUZZ_CHECK(changes);
	while ((change = mad_fabric_next_change(changes, change))) {
		FUZZ_CHECK(older != newer);
		FUZZ_CHECK(change->old_node || change->new_node);
	}
	mad_fabric_changes_free(changes);
}

/* The last known state is a fabric, and does not change when the same is merged into it again. */
static void check_merge(const struct mad_fabric *known, const struct mad_fabric *discovered,
			uint32_t flags)
{
	struct mad_fabric *merged = mad_fabric_merge(known, discovered, flags), *again;
	struct mad_fabric_changes *changes;
	const struct mad_fabric_node *node = NULL;
	const struct mad_fabric_port *link = NULL;
	size_t nodes = 0, links = 0, lost = 0;

	FUZZ_CHECK(merged);
	while ((node = mad_fabric_next_node(merged, node))) {
		nodes++;
		lost += node->out_of_reach;
	}
	while ((link = mad_fabric_next_link(merged, link))) {
		FUZZ_CHECK(link->peer->peer == link);
		links++;
	}
	FUZZ_CHECK(nodes == mad_fabric_get_info(merged)->nodes);
	FUZZ_CHECK(links == mad_fabric_get_info(merged)->links);
	FUZZ_CHECK(lost == mad_fabric_get_info(merged)->out_of_reach);
	FUZZ_CHECK(nodes - lost == mad_fabric_get_info(discovered)->nodes);
	again = mad_fabric_merge(merged, discovered, flags);
	FUZZ_CHECK(again);
	changes = mad_fabric_compare(merged, again);
	FUZZ_CHECK(changes && !mad_fabric_next_change(changes, NULL));
	mad_fabric_changes_free(changes);
	mad_fabric_free(again);
	mad_fabric_free(merged);
}

void fuzz_target(struct fuzz_input *input)
{
	struct ibmad_port *port = fuzz_open_port(input);
	uint8_t control = fuzz_u8(input);
	ib_dr_path_t subtree = { .cnt = control >> 6, .p = { 0, 1, 1, 1 } };
	struct mad_fabric_options options = {
		.window = control & 7,
		.timeout_ms = 10,
		.attempts = 1,
		.max_hops = 1 + (control >> 4 & 3),
		.flags = control & 8 ? MAD_FABRIC_SWITCHES_ONLY : 0,
		.subtree = subtree.cnt ? &subtree : NULL,
		.progress = go_on,
	};
	struct mad_fabric *fabric, *again;

	reports = 0;
	fuzz_kernel.preferred = 0; /* as it should be, but for its data */
	errno = 0;
	fabric = mad_fabric_discover(port, &options);
	FUZZ_CHECK(fabric || errno > 0);
	if (fabric) {
		check_fabric(fabric);
		check_changes(fabric, fabric);
		reports = 0;
		check_counters(port, fabric, &options);
		reports = 0;
		again = mad_fabric_discover(port, &options);
		if (again) {
			check_fabric(again);
			check_changes(fabric, again);
			check_merge(fabric, again, 0);
			check_merge(fabric, again, MAD_FABRIC_KEEP_GONE);
		}
		mad_fabric_free(again);
	}
	mad_fabric_free(fabric);
	mad_rpc_close_port(port);
}
