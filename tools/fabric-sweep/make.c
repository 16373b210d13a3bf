/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Sweeps once: the fabric, its counters if an output wants them, and what is missing. */
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <time.h>

#include "sweep.h"

static void print_statistics(const struct sweep *sweep)
{
	const struct mad_fabric_info *info = mad_fabric_get_info(sweep->fabric);
	const struct mad_rpc_statistics *mads = &sweep->statistics;

	fprintf(stderr,
		"%zu nodes, %zu links; MADs: %" PRIu64 " sent, %" PRIu64 " received, %" PRIu64
		" retries, %" PRIu64 " timeouts; discovery %" PRId64 " ms\n",
		info->nodes, info->links, mads->sent, mads->received, mads->retries, mads->timeouts,
		info->duration_ns / 1000000);
}

static void explain_failure(int error)
{
	if (error == ETIMEDOUT)
		complain(
			"the local port does not respond to SMPs: is it an InfiniBand port, and is "
			"its link up?");
	else if (error == ECANCELED)
		complain("stopped before anything was found");
	else
		complain("cannot discover the fabric: %s", strerror(error));
}

/* After an early end of the discovery, this only lists the ports. */
static int read_counters(struct ibmad_port *port, const struct mad_fabric_options *options,
			 struct sweep *sweep)
{
	const struct mad_fabric_counter_row *row = NULL;
	int64_t began = now_ns();

	sweep->counters_time = time(NULL);
	sweep->unread_counters = 0;
	sweep->counters = mad_fabric_counters_read(port, sweep->fabric, options);
	if (!sweep->counters) {
		complain("cannot read the counters: %s", strerror(errno));
		return errno;
	}
	sweep->counters_ns = now_ns() - began;
	while ((row = mad_fabric_counters_next(sweep->counters, row)))
		sweep->unread_counters += mad_fabric_row_error(row) != 0;
	return 0;
}

static struct mad_fabric_options make_options(const struct options *options,
					      const struct mad_fabric *expected)
{
	return (struct mad_fabric_options){
		.window = options->window,
		.timeout_ms = options->timeout_ms,
		.attempts = options->retries,
		.max_hops = options->max_hops,
		.max_nodes = options->max_nodes,
		.expected = expected,
		.flags = (options->switches_only ? MAD_FABRIC_SWITCHES_ONLY : 0) |
			 (options->from_sa ? MAD_FABRIC_FROM_SA : 0) |
			 (options->topology_only ? MAD_FABRIC_TOPOLOGY_ONLY : 0) |
			 (options_want_counters(options) ? MAD_FABRIC_READ_FEC : 0),
		.progress = progress_show,
		.context = (void *)(uintptr_t)options,
		.thresholds = options->limits,
		.threshold_count = options->limit_count,
	};
}

int sweep_make(const struct options *options, struct ibmad_port *port,
	       const struct mad_fabric *expected, struct sweep *sweep)
{
	struct mad_fabric_options fabric_options = make_options(options, expected);
	int error;

	sweep->fabric = mad_fabric_discover(port, &fabric_options);
	if (!sweep->fabric) {
		error = errno;
		explain_failure(error);
		return error;
	}
	error = mad_fabric_get_info(sweep->fabric)->error;
	if (error && error != ECANCELED && error != ENETDOWN)
		complain("the sweep ended early: %s",
			 error == ENOSPC ? error_text(error) : strerror(error));
	if (options_want_counters(options) && read_counters(port, &fabric_options, sweep) && !error)
		error = ENOMEM;
	progress_clear();
	mad_rpc_get_statistics(port, &sweep->statistics);
	if (options->statistics)
		print_statistics(sweep);
	if (!error && sweep_stop_signal)
		error = ECANCELED;
	if (sweep_is_complete(sweep))
		sweep->last_complete = mad_fabric_get_info(sweep->fabric)->time_ns / NS_PER_S;
	return error;
}

/* Counters that fell may be those of another port, which has the LID now. */
static bool is_of_other_port(const struct mad_fabric_counter_row *rises)
{
	for (unsigned i = 0; i < counter_count(); i++) {
		int flags = mad_fabric_row_value(rises, i, NULL);

		if (flags > 0 && flags & MAD_FABRIC_VALUE_RESET)
			return true;
	}
	return false;
}

/* A link that went down may come up elsewhere; a port that is silent or has another LID may be
 * gone. */
static bool shows_change(const struct mad_fabric_counters *older,
			 const struct mad_fabric_counters *newer)
{
	struct mad_fabric_counters *rises = mad_fabric_counters_subtract(older, newer);
	const struct mad_fabric_counter_row *row = NULL, *before;
	const struct mad_fabric_port *port;
	bool found = !rises;
	uint64_t downed;

	while (!found && (row = mad_fabric_counters_next(rises, row)))
		found = is_of_other_port(row) ||
			(mad_fabric_row_value(row, MAD_FABRIC_COUNTER_LINK_DOWNED, &downed) >= 0 &&
			 downed);
	mad_fabric_counters_free(rises);
	while (!found && (row = mad_fabric_counters_next(newer, row))) {
		port = mad_fabric_row_port(row);
		before = mad_fabric_counters_find(older, port->node->guid, port->port_number);
		found = mad_fabric_row_error(row) && (!before || !mad_fabric_row_error(before));
	}
	return found;
}

bool sweep_read_again(const struct options *options, struct ibmad_port *port, struct sweep *sweep)
{
	struct mad_fabric_options fabric_options = make_options(options, NULL);
	const struct mad_fabric_counters *older = sweep->counters;

	fabric_options.flags |= MAD_FABRIC_CHECK_OWNERS; /* LIDs may have moved */
	if (read_counters(port, &fabric_options, sweep) || shows_change(older, sweep->counters))
		return false;
	progress_clear();
	mad_rpc_get_statistics(port, &sweep->statistics);
	if (sweep_is_complete(sweep))
		sweep->last_complete = sweep->counters_time;
	return true;
}

void sweep_free(struct sweep *sweep)
{
	mad_fabric_counters_free(sweep->counters);
	mad_fabric_free(sweep->fabric);
	*sweep = (struct sweep){ 0 };
}

bool sweep_is_complete(const struct sweep *sweep)
{
	const struct mad_fabric_info *info =
		sweep->fabric ? mad_fabric_get_info(sweep->fabric) : NULL;

	return info && !sweep->error && !info->error && !info->unread_nodes &&
	       !info->unknown_ends && !sweep->unread_counters;
}

static const char *plural(size_t count)
{
	return count == 1 ? "" : "s";
}

void sweep_explain_partial(const struct sweep *sweep, char *text, size_t size)
{
	const struct mad_fabric_info *info = mad_fabric_get_info(sweep->fabric);

	text[0] = '\0';
	if (sweep_is_complete(sweep))
		return;
	if (sweep->error)
		snprintf(text, size, "the last sweep found nothing: %s", strerror(sweep->error));
	else if (info->error == ENETDOWN)
		snprintf(text, size, "the local port has no link");
	else
		snprintf(text, size,
			 "%s%zu node%s not read, the other end of %zu link%s unknown, counters of "
			 "%zu port%s not read",
			 info->error ? "the sweep was ended early, " : "", info->unread_nodes,
			 plural(info->unread_nodes), info->unknown_ends, plural(info->unknown_ends),
			 sweep->unread_counters, plural(sweep->unread_counters));
}
