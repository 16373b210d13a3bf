/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Sweeps again and again. Neither a sweep that finds nothing, nor a device that goes away, nor a
 * full disk ends this: it says so, the outputs say so, and the next sweep tries again.
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

/* Lines of a round, which are printed below its time; none, and the round prints nothing. */
struct round {
	FILE *file;
	char *text;
	size_t size;
	char partial[160]; /* what the round before could not read */
};

static void begin_round(struct round *round, const struct sweep *last)
{
	*round = (struct round){ 0 };
	round->file = open_memstream(&round->text, &round->size);
	sweep_explain_partial(last, round->partial, sizeof(round->partial));
}

static void end_round(struct round *round)
{
	if (!round->file || fclose(round->file))
		complain("cannot print what has changed: %s", strerror(errno));
	else if (round->size) {
		print_time();
		fputs(round->text, stdout);
	}
	free(round->text);
}

static void print_partial(struct round *round, const struct sweep *sweep)
{
	char why[sizeof(round->partial)];

	sweep_explain_partial(sweep, why, sizeof(why));
	if (!strcmp(why, round->partial))
		return;
	if (why[0])
		fprintf(round->file, "# partial: %s\n", why);
	else
		fputs("# complete\n", round->file);
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

static void print_changes(const struct options *options, const struct thresholds *thresholds,
			  const struct state *before, const struct state *state,
			  const struct sweep *last, const struct sweep *next)
{
	struct round round;

	begin_round(&round, last);
	if (round.file)
		print_partial(&round, next);
	if (round.file && before->fabric) {
		changes_print(options, before->fabric, state->fabric, round.file);
		if (thresholds)
			check_worse(before, state, thresholds, true, round.file);
		else
			findings_compare(before->fabric, state->fabric, NULL, true, round.file);
	}
	if (round.file && !thresholds && before->counters && state->counters)
		errors_print(before->counters, state->counters, round.file);
	end_round(&round);
}

/* Merges a sweep into what is known, and prints what has changed. */
static void take_sweep(const struct options *options, const struct thresholds *thresholds,
		       struct state *state, struct sweep *last, const struct sweep *next)
{
	struct state before = { 0 };

	if (state_take(state, next, options->keys, &before))
		print_changes(options, thresholds, &before, state, last, next);
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
	struct mad_fabric_counters *older, *before = NULL;
	const struct sweep known = *last;
	struct round printed;
	bool good;

	if (!port || !last->counters || last->error || !options->topology_every ||
	    round % options->topology_every == 0)
		return false;
	begin_round(&printed, last);
	good = sweep_read_again(options, port, last, &older);
	if (good) {
		if (printed.file)
			print_partial(&printed, last);
		state_take_counters(state, last, &before);
		if (before && printed.file && thresholds)
			check_rises(before, state->counters, thresholds, printed.file);
		else if (before && printed.file)
			errors_print(before, state->counters, printed.file);
		mad_fabric_counters_free(before);
		mad_fabric_counters_free(older);
	} else { /* so that the sweep shows what has risen since */
		mad_fabric_counters_free(last->counters);
		*last = known;
	}
	end_round(&printed);
	return good;
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
