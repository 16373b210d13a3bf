/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Sweeps again and again. Neither a sweep that finds nothing, nor a device that goes away, nor a
 * full disk ends this: messages and outputs say so, and the next sweep tries again.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "sweep.h"

static void print_time(void)
{
	char when[32];

	format_time(time(NULL) * NS_PER_S, when);
	printf("# %s\n", when);
}

/* Prints what differs from before below the time; without differences, nothing. */
static void print_round(const struct options *options, const struct thresholds *thresholds,
			const struct state *before, const struct state *state,
			const struct sweep *last, const struct sweep *next)
{
	char was_partial[160], partial[160], *text = NULL;
	size_t size;
	FILE *file = open_memstream(&text, &size);

	sweep_explain_partial(last, was_partial, sizeof(was_partial));
	sweep_explain_partial(next, partial, sizeof(partial));
	if (file && strcmp(partial, was_partial) != 0)
		fprintf(file, partial[0] ? "# partial: %s\n" : "# complete\n", partial);
	if (file && before->fabric) {
		changes_print(options, before->fabric, state->fabric, file);
		findings_compare(before->fabric, state->fabric, thresholds, true, file);
	}
	if (file && before->counters && state->counters)
		check_rises(before->counters, state->counters, thresholds, file);
	if (!file || fclose(file)) {
		complain("cannot print what has changed: %s", strerror(errno));
	} else if (size) {
		print_time();
		fputs(text, stdout);
	}
	free(text);
}

/* Returns whether it is known already that something has changed. */
static bool wait_for_next(const struct options *options, struct ibmad_port *port,
			  const struct mad_fabric *fabric)
{
	struct timespec left = { .tv_sec = options->watch_seconds };

	if (options->traps && port)
		return traps_wait(port, fabric, options->watch_seconds);
	while (!sweep_stop_signal && nanosleep(&left, &left))
		;
	return false;
}

/* The device may be another one by now: its driver was loaded again. */
static int sweep_again(const struct options *options, struct ibmad_port **port,
		       const struct state *state, struct sweep *next)
{
	int error;

	if (!*port)
		*port = open_port(options);
	if (!*port)
		return ENODEV;
	error = sweep_make(options, *port, state->expected, next);
	if (!next->fabric && !sweep_stop_signal) {
		close_port(*port);
		*port = NULL;
	}
	return next->fabric ? 0 : error;
}

/* Merges a sweep into what is known, and prints what has changed. */
static void take_sweep(const struct options *options, const struct thresholds *thresholds,
		       struct state *state, struct sweep *last, const struct sweep *next)
{
	struct state before = { 0 };

	if (state_take(state, next, options->keys, &before))
		print_round(options, thresholds, &before, state, last, next);
	sweep_free(last);
	*last = *next;
	state_free(&before);
}

/*
 * Reads counters alone, where that is enough: not when it is time to discover, nor when nothing is
 * known. Returns whether nothing more is to be done.
 */
static bool read_again(const struct options *options, const struct thresholds *thresholds,
		       struct ibmad_port *port, struct sweep *last, struct state *state,
		       unsigned round)
{
	struct sweep next = *last;
	struct state before = { 0 };

	if (!port || !last->counters || last->error || !options->topology_every ||
	    round % options->topology_every == 0)
		return false;
	if (!sweep_read_again(options, port, &next)) {
		mad_fabric_counters_free(next.counters);
		return false;
	}
	if (state_take_counters(state, &next, &before.counters))
		print_round(options, thresholds, &before, state, last, &next);
	mad_fabric_counters_free(before.counters);
	mad_fabric_counters_free(last->counters);
	*last = next;
	return true;
}

static void print_failure(struct sweep *last, int error)
{
	if (last->error != error) {
		print_time();
		printf("# nothing was found: %s\n", strerror(error));
	}
	last->error = error;
}

int watch(const struct options *options, const struct thresholds *thresholds,
	  struct ibmad_port **port, struct sweep *last, struct state *state)
{
	unsigned round = 0;

	if (!options->check)
		thresholds = NULL;

	print_time();
	if (last->fabric)
		printf("# watching %zu nodes and %zu links\n",
		       mad_fabric_get_info(last->fabric)->nodes,
		       mad_fabric_get_info(last->fabric)->links);
	else
		outputs_write(last, options); /* an earlier run may have left others */
	while (!sweep_stop_signal) {
		struct sweep next = { .last_complete = last->last_complete, .state = state };
		bool changed;
		int error;

		complain_next_round();
		if (!output_is_read())
			return EXIT_FAILURE;
		if (options->traps && *port)
			traps_subscribe(*port);
		changed = wait_for_next(options, *port, last->fabric);
		if (sweep_stop_signal)
			break;
		if (!changed && read_again(options, thresholds, *port, last, state, ++round)) {
			outputs_write(last, options);
			continue;
		}
		error = sweep_again(options, port, state, &next);
		if (sweep_stop_signal) {
			sweep_free(&next);
			break;
		}
		if (error)
			print_failure(last, error);
		else
			take_sweep(options, thresholds, state, last, &next);
		outputs_write(last, options);
	}
	return EXIT_SUCCESS;
}
